package machine_test

import (
	"testing"

	"egad/kernel/machine"
)

// TestAsks: what asks whether to end is how many runs of loops are done, not how many there may be.
func TestAsks(t *testing.T) {
	const rows, all = 200, 1 << 21
	p, k := lowered(t, `
def f(x: R[2097152], start: I[201]): R[200] =
  build 200 (\i -> sum (build 2097152 (\e -> if start[i] <= e && e < start[i + 1] then x[e] else 0)))`)
	m, err := machine.Native{}.Compile(k)
	if err != nil {
		t.Fatal(err)
	}
	env := drawn(t, p, 1)
	for _, c := range []struct{ each, least, most int64 }{{10, 0, 0}, {all / rows, 1, 8}} {
		for i := range env["start"].N {
			env["start"].N[i] = int64(i) * c.each
		}
		before := machine.Asked()
		if _, err := m.Run(env); err != nil {
			t.Fatal(err)
		}
		if n := machine.Asked() - before; n < c.least || n > c.most {
			t.Errorf("rows of %d elements: it is asked %d times whether to end, want %d to %d", c.each, n, c.least, c.most)
		}
	}
}
