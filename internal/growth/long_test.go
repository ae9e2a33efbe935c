package growth

import (
	"runtime"
	"testing"

	"egad/ad"
	"egad/diag"
	"egad/internal/testflag"
	"egad/rules/load"
	"egad/stages"
	"egad/term"
	"egad/term/module"
)

// TestLong asserts that the stages of long programs, and the memory that is
// allocated for them, grow in proportion.
func TestLong(t *testing.T) {
	for _, f := range Long {
		n := testflag.Count(f.Size, 10*f.Size)
		var texts, bytes [2]int
		for i, size := range []int{n / 2, n} {
			var err error
			if texts[i], bytes[i], err = printed(f.Text(size)); err != nil {
				t.Fatalf("%s, size %d: %v", f.Name, size, err)
			}
		}
		t.Logf("%s, sizes %d and %d: text of %d bytes, allocated %d", f.Name, n/2, n, texts, bytes)
		if float64(texts[1]) > longBound*float64(texts[0]) || float64(bytes[1]) > longBound*float64(bytes[0]) {
			t.Errorf("%s: a text of %d bytes and %d bytes of memory at size %d, %d and %d at size %d, more than %v times as many",
				f.Name, texts[0], bytes[0], n/2, texts[1], bytes[1], n, longBound)
		}
	}
}

// longBound is wider than bound, as numbers get longer and tables grow by
// doubling.
const longBound = 2.4

// BenchmarkLong makes and prints all stages of programs of
// 5,000 lets or terms.
func BenchmarkLong(b *testing.B) {
	for _, f := range Long {
		b.Run(f.Name, func(b *testing.B) {
			for b.Loop() {
				if _, _, err := printed(f.Text(5000)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// printed prints all stages of a program text and returns how long the text is and
// how many bytes were allocated for it.
func printed(source string) (text, allocated int, err error) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		return 0, 0, err
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m, err := module.Load(sig, &diag.Source{Name: "f", Text: source})
	if err != nil {
		return 0, 0, err
	}
	p, err := m.Instantiate("f", nil)
	if err != nil {
		return 0, 0, err
	}
	all, err := stages.New(lib, p, ad.Options{}).All()
	text = len(stages.Text(all))
	runtime.ReadMemStats(&after)
	return text, int(after.TotalAlloc - before.TotalAlloc), err
}
