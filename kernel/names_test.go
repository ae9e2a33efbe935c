package kernel_test

import (
	"regexp"
	"strings"
	"testing"

	"egad/internal/defs"
	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term/ops"
	"egad/term/types"
)

var arrayName = regexp.MustCompile(`^\pL[\pL\pN_']*$`)

// TestShown: in the kernels of gradients every array has a name, in loops inside loops too,
// where it is that of the array outside; and each kernel stores something.
func TestShown(t *testing.T) {
	for _, text := range []string{
		`def f[n, m](x: R[n], y: R[m]): R =
  let row = \prev xi -> concat [9] (scan (\left (diag, up, c) -> c + min left (min diag up)) 9 (prev[:m], prev[1:], square (xi - y))) in
  last (fold row (concat [0] (replicate m 9)) x)
def g(x: R[5], y: R[4]): R = f x y`,
		`def f[l, n](rule: R[n, n], word: R[l, n]): R =
  let start = build [l, l, n] (\s i a -> if s == 0 then exp word[i, a] else 0) in
  let grow = \chart s -> build [l, l, n] (\t i a -> if t == s then sum (build n (\b -> rule[a, b] * chart[s - 1, i, b])) else chart[t, i, a]) in
  let chart = fold grow start (build (l - 1) (\s -> s + 1)) in
  chart[l - 1, 0, 0]
def g(rule: R[2, 2], word: R[4, 2]): R = f rule word`,
	} {
		lib, p := defs.Last(t, text)
		_, k := kerneltest.Gradient(t, lib, p)
		var check func(p *kernel.Program)
		check = func(p *kernel.Program) {
			for _, k := range p.Kernels {
				if len(k.Writes()) == 0 {
					t.Errorf("a kernel stores nothing:\n%s", k)
				}
				if k.Steps == nil {
					continue
				}
				inputs := k.Steps.Inputs
				for _, a := range k.Steps.Step.Arrays {
					if a.Role != kernel.Input {
						continue
					}
					if from := inputs[0].Array; !arrayName.MatchString(a.Name) || from != nil && from.Name != a.Name {
						t.Errorf("an input of a step is called %q, and stands for %v", a.Name, from)
					}
					inputs = inputs[1:]
				}
				check(k.Steps.Step)
			}
		}
		check(k)
	}
}

// TestLoopNames: a loop in one that is called the same has another name.
func TestLoopNames(t *testing.T) {
	b := kernel.NewBuilder(nil)
	i, j := b.Variable(2, 1), b.Variable(3, 2)
	a := &kernel.Array{Name: "a", Elem: types.R, Shape: []int{2, 3}, Role: kernel.Temp}
	store := &kernel.Store{Access: kernel.Access{Array: a, At: []*kernel.Value{i, j}}, Value: b.Lit(ops.ScalarZero(types.R))}
	inner := &kernel.Loop{Name: "j", Var: j, N: 3, Body: []kernel.Stmt{store}}
	k := &kernel.Kernel{Body: []kernel.Stmt{&kernel.Loop{Name: "j", Var: i, N: 2, Body: []kernel.Stmt{inner}}}}
	if text := k.String(); !strings.Contains(text, "for j2 < 3\n") || !strings.Contains(text, "a[j, j2] := 0") {
		t.Error(text)
	}
}
