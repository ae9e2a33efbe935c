package growth

import (
	"fmt"
	"testing"

	"egad/ad"
	"egad/internal/defs"
	"egad/rules"
	"egad/term"
)

// TestDirect asserts that what is made of a build whose body has n lets, each used
// twice, grows in proportion on the direct path, forwards and in reverse, and of
// builds in builds too.
func TestDirect(t *testing.T) {
	lets := func(n int, from, use string) string {
		s := fmt.Sprintf("let a0 = %s in ", from)
		for k := range n {
			s += fmt.Sprintf("let a%d = sin a%d * a%[2]d%s in ", k+1, k, use)
		}
		return s
	}
	for name, text := range map[string]func(n int) string{
		"a body": func(n int) string {
			return fmt.Sprintf("def f(x: R[5], z: R): R = sum (build 5 (\\i -> %s a%d))\n", lets(n, "x[i]", " * z"), n)
		},
		"a body in a body": func(n int) string {
			return fmt.Sprintf("def f(x: R[5], z: R): R = sum (build 5 (\\i -> let b = x[i] * z in sum (build 3 (\\j -> %s a%d))))\n", lets(n, "b * x[j]", " * b"), n)
		},
		"bodies of bodies": func(n int) string {
			return fmt.Sprintf("def f(x: R[5], z: R): R =\n  let y = build 5 (\\i -> %s a%d) in sum (build 5 (\\i -> %s a%[2]d))\n", lets(n, "x[i]", " * z"), n, lets(n, "y[i]", " * z"))
		},
	} {
		for how, derive := range map[string]func(*rules.Library, *term.Program, ad.Options) (*ad.Derived, error){"forwards": ad.JVP, "in reverse": ad.Grad} {
			var sizes [2]int
			for i, n := range []int{12, 24} {
				lib, p := defs.Last(t, text(n))
				d, err := derive(lib, p, ad.Options{Direct: true})
				if err != nil {
					t.Fatalf("%s, %s, size %d: %v", name, how, n, err)
				}
				sizes[i] = nodes(d.Program)
			}
			if float64(sizes[1]) > bound*float64(sizes[0]) {
				t.Errorf("%s, %s: %d nodes at size 12, %d at size 24", name, how, sizes[0], sizes[1])
			}
		}
	}
}
