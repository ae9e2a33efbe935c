package schedule_test

import (
	"testing"

	"egad/kernel"
	"egad/kernel/schedule"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// TestContractionOf: a nest is a product only if nothing else is stored in it.
func TestContractionOf(t *testing.T) {
	const m, n, k = 5, 6, 7
	for name, c := range map[string]struct {
		before, after bool // another store
		add, product  bool
		overlaps      bool // rows of the product
	}{
		"plain":        {product: true},
		"added":        {add: true, product: true},
		"overlapping":  {add: true, overlaps: true},
		"store before": {before: true},
		"store after":  {after: true},
	} {
		b := kernel.NewBuilder(nil)
		array := func(name string, shape ...int) *kernel.Array {
			return &kernel.Array{Name: name, Elem: types.R, Shape: shape, Range: ops.AnyInt}
		}
		i, j, p := b.Variable(m, 1), b.Variable(n, 2), b.Variable(k, 3)
		x := b.Load(kernel.Access{Array: array("a", m, k), At: []*kernel.Value{i, p}})
		y := b.Load(kernel.Access{Array: array("b", k, n), At: []*kernel.Value{p, j}})
		xy := kernel.RealOf(ops.SymMul, x, y)
		sum := b.Atom(&kernel.Value{Kind: kernel.Folded, Elem: types.R, Level: 2, Range: ops.AnyInt})
		to, at := array("c", m, n), []*kernel.Value{i, j}
		if c.overlaps {
			to, at = array("c", m+n), []*kernel.Value{kernel.LinearOf(0, []int64{1, 1}, at)}
		}
		other := &kernel.Store{Access: kernel.Access{Array: array("other", m, n), At: []*kernel.Value{i, j}}, Value: b.Lit(ops.ScalarR(numeric.Int(1)))}
		var body []kernel.Stmt
		if c.before {
			body = append(body, other)
		}
		body = append(body, &kernel.Loop{Name: "p", Var: p, N: k, Order: kernel.Folding, Body: []kernel.Stmt{&kernel.Let{Value: x}, &kernel.Let{Value: y}, &kernel.Let{Value: xy}}, Folds: []kernel.Fold{{Op: ops.SymSum, Value: xy, Result: sum}}})
		if c.after {
			body = append(body, other)
		}
		body = append(body, &kernel.Store{Access: kernel.Access{Array: to, At: at}, Value: sum, Add: c.add})
		nest := &kernel.Loop{Name: "i", Var: i, N: m, Body: []kernel.Stmt{&kernel.Loop{Name: "j", Var: j, N: n, Body: body}}}
		if got := schedule.ContractionOf(nest) != nil; got != c.product {
			t.Errorf("%s: %v\n%s", name, got, (&kernel.Program{Kernels: []*kernel.Kernel{{Body: []kernel.Stmt{nest}}}}).String())
		}
	}
}
