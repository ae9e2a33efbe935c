package routes

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"egad/diag"
	"egad/internal/testflag"
	"egad/internal/timing"
	"egad/rules/load"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
)

// codeMutants are mistakes in the code of this package: a text that occurs once in a file
// is replaced, where MUTANT is whether the mistake is made. A test finds each, by the
// property that it names.
var codeMutants = []struct {
	mistake, file, old, new string
	test, property          string
}{
	{"a Share of an array without an id of its own", "dualarray.go", "\ta.next++\n", "\tif !MUTANT || a.next == 0 {\n\t\ta.next++\n\t}\n",
		"TestPlanted", "ids of dual arrays grow"},
	{"a Share of a number without an id of its own", "delta.go", "\tt.shared.Push(d)\n", "\tif !MUTANT || t.shared.Len() == 0 {\n\t\tt.shared.Push(d)\n\t}\n",
		"TestPlanted", "share: differs"},
	{"ids of arrays from the highest to the lowest", "dualarray.go", "n: a.next - 1,", "n: ifMutant(MUTANT, 1000-a.next, a.next-1),",
		"TestPlanted", "ids of dual arrays grow"},
	{"arrays in the order of their ids", "arraydelta.go", "\tfor id := next - 1; id >= 0; id-- {\n", "\tfor k := next - 1; k >= 0; k-- {\n\t\tid := ifMutant(MUTANT, next-1-k, k)\n",
		"TestPlanted", "each Share of an array is evaluated once"},
	{"numbers in the order of their ids", "eval.go", "\t\t\tid := next\n", "\t\t\tid := ifMutant(MUTANT, len(shared)-1-next, next)\n",
		"TestPlanted", "each Share of a number is evaluated once"},
	{"accum of arrays overwrites", "arraydelta.go", "; ok {\n\t\tc = p.evaluate(", "; ok && !MUTANT {\n\t\tc = p.evaluate(",
		"TestPlanted", "differs"},
	{"accum of numbers overwrites", "eval.go", "; !s.met {\n", "; !s.met || MUTANT {\n",
		"TestReversePass", "with"},
	{"dfrag is not deleted", "arraydelta.go", "\t\tdelete(p.dfrag, id)\n", "\t\tif !MUTANT {\n\t\t\tdelete(p.dfrag, id)\n\t\t}\n",
		"TestPlanted", "what was evaluated is let go"},
	{"unshare does not thread its map", "symbolic.go", "\t\tt := w.store.SubstVars(f.t, env)\n", "\t\tt := f.t\n\t\tif !MUTANT {\n\t\t\tt = w.store.SubstVars(f.t, env)\n\t\t}\n",
		"TestPlanted", "shares of everything are lets of one value"},
	{"a one-hot without its index", "symbolic.go", "return s.OneHot(shape, is), true\n", "if MUTANT {\n\t\t\t\t\t\tfor i := range is {\n\t\t\t\t\t\t\tis[i] = s.LitInt(0)\n\t\t\t\t\t\t}\n\t\t\t\t\t}\n\t\t\t\t\treturn s.OneHot(shape, is), true\n",
		"TestWrapper", "the Jacobian has"},
	{"an element of a build without its index", "arraydelta.go", "p.below.Int(int64(k)))\n", "p.below.Int(int64(ifMutant(MUTANT, 0, k))))\n",
		"TestPlanted", "dual-build: differs"},
	{"no transpose: a gather where a scatter belongs", "constructor.go", "st.Apply(ops.SymLtranspose, c.m), ct)", "ifMutant(MUTANT && st.Type(c.m).Parts[0].Equal(st.Type(c.m).Parts[1]), c.m, st.Apply(ops.SymLtranspose, c.m)), ct)",
		"TestPlanted", "dual: differs"},
}

// Mistakes in the code are found. They are made in a copy, which is built once: the file
// that the compiler reads in the place of another says in which places, and a variable
// which one of them.
func TestCodeMutants(t *testing.T) {
	dir := t.TempDir()
	overlay := struct{ Replace map[string]string }{make(map[string]string)}
	texts := make(map[string]string)
	for _, m := range codeMutants {
		if texts[m.file] == "" {
			b, err := os.ReadFile(m.file)
			if err != nil {
				t.Fatal(err)
			}
			texts[m.file] = string(b)
		}
		if n := strings.Count(texts[m.file], m.old); n != 1 {
			t.Fatalf("%s: %q occurs %d times in %s", m.mistake, m.old, n, m.file)
		}
		by := strings.ReplaceAll(m.new, "MUTANT", `(mutant == "`+m.mistake+`")`)
		texts[m.file] = strings.Replace(texts[m.file], m.old, by, 1)
	}
	if !testflag.Long {
		t.Skip("the package is compiled again with the mistakes in it, and run with each: -long does that")
	}
	texts["mutant.go"] = "package routes\n\nimport \"os\"\n\nvar mutant = os.Getenv(\"MUTANT\")\n\nfunc ifMutant[T any](is bool, a, b T) T {\n\tif is {\n\t\treturn a\n\t}\n\treturn b\n}\n"
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range texts {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		overlay.Replace[filepath.Join(here, name)] = path
	}
	b, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	list, binary := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "mutants.test")
	if err := os.WriteFile(list, b, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "test", "-c", "-overlay", list, "-o", binary, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	found := func(mistake, test string) string {
		cmd := exec.Command(binary, "-test.run", "^"+test+"$", "-test.timeout", "5m")
		cmd.Env = append(os.Environ(), "MUTANT="+mistake)
		out, err := cmd.CombinedOutput()
		if err == nil {
			return ""
		}
		return string(out)
	}
	for _, test := range []string{"TestPlanted", "TestReversePass", "TestWrapper"} {
		if out := found("", test); out != "" {
			t.Errorf("without a mistake %s fails:\n%s", test, out)
		}
	}
	for _, m := range codeMutants {
		t.Run(m.mistake, func(t *testing.T) {
			if out := found(m.mistake, m.test); !strings.Contains(out, m.property) {
				t.Errorf("%s does not find it by %q:\n%s", m.test, m.property, out)
			}
		})
	}
}

// A mistake in the one table of derivatives, Scale swapped in a product, shows in every
// route: the gradient of each is not that of the right rules.
func TestScaleSwapped(t *testing.T) {
	const text = "def f(a: R[3], b: R[3]): R = sum (a * b) + sum (gather [3] a (\\[i] -> [2 - i]) * b) * prod b\n"
	results, err := compared(taskOf(t, text, nil), Table[:1], func(string) {}, 0)
	if err != nil {
		t.Fatal(err)
	}
	right := results[0].Gradient
	const was, is = "\n  nabla (a * b) => [lscale b, lscale a]\n", "\n  nabla (a * b) => [lscale a, lscale b]\n"
	sig := term.NewSignature()
	var sources []*diag.Source
	n := 0
	for _, s := range load.Sources() {
		n += strings.Count(s.Text, was)
		sources = append(sources, &diag.Source{Name: s.Name, Text: strings.Replace(s.Text, was, is, 1)})
	}
	if n != 1 {
		t.Fatalf("%q occurs %d times", was, n)
	}
	lib, err := load.Files(sig, sources...)
	if err != nil {
		t.Fatal(err)
	}
	module, err := module.Load(sig, &diag.Source{Name: "test.egad", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	p, err := module.Instantiate("f", nil)
	if err != nil {
		t.Fatal(err)
	}
	task := &Task{Lib: lib, Program: p, Env: make(eval.Env[*eval.Value[float64]]), Bounds: DefaultBounds}
	if err := timing.MakeUp(task.Env, p.Inputs, 3, 1); err != nil {
		t.Fatal(err)
	}
	results, err = compared(task, Table, func(string) {}, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		if mayRefuse(r) {
			continue
		}
		if r.Why != "" || slices.Equal(r.Gradient, right) {
			t.Errorf("the mistake does not show in %s: %v %s", r.Name, r.Gradient, r.Why)
		}
	}
}
