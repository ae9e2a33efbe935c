package schedule

import (
	"slices"

	"egad/kernel"
	"egad/kernel/cost"
	"egad/term/ops"
	"egad/term/types"
)

// Contraction is a nest of two loops, with a sum in it, that multiplies two matrices, as
//
//	for i < m
//	  for j < n
//	    fold p < k
//	      v = sum (a[i, p] * b[p, j])
//	    c[i, j] := v
type Contraction struct {
	Rows, Columns, Inner *kernel.Loop // those of i, j and p
	Left, Right          Factor
	Product              kernel.Access
	Add                  bool // to what is there
}

// Factor is elements of an array, each of them multiplied by a number.
type Factor struct {
	kernel.Access
	Scale float64
}

// ContractionOf finds what the nest that begins with a loop multiplies, or nil. Columns of the product are one after the
// other in memory: where those of the nest are not, it is the transposed product.
func ContractionOf(l *kernel.Loop) *Contraction {
	chain, _, rest := NestOf(l)
	if len(chain) != 2 || slices.ContainsFunc(chain, func(l *kernel.Loop) bool { return !simple(l) }) {
		return nil
	}
	at := kernel.FirstLoop(rest)
	if at < 0 || at == len(rest)-1 {
		return nil
	}
	inner := rest[at].(*kernel.Loop)
	store, ok := rest[len(rest)-1].(*kernel.Store)
	if !adds(inner) || len(inner.Folds) != 1 || !ok {
		return nil
	}
	x, y := factors(inner.Folds[0])
	if x == nil || store.Value != inner.Folds[0].Result || slices.ContainsFunc(rest[at+1:len(rest)-1], func(s kernel.Stmt) bool { return !kernel.IsLet(s) }) {
		return nil
	}
	c := &Contraction{Rows: chain[0], Columns: chain[1], Inner: inner, Left: factorOf(x), Right: factorOf(y), Product: store.Access, Add: store.Add}
	if c.dependsOn(c.Left.Access, c.Columns) {
		c.Left, c.Right = c.Right, c.Left
	}
	if step, _ := stride(c.Product, kernel.NewVariance(nil, c.Columns)); step != 1 {
		c.Rows, c.Columns, c.Left, c.Right = c.Columns, c.Rows, c.Right, c.Left
	}
	if step, _ := stride(c.Product, kernel.NewVariance(nil, c.Columns)); step != 1 {
		return nil
	}
	for _, a := range []struct {
		kernel.Access
		not *kernel.Loop
	}{{c.Left.Access, c.Columns}, {c.Right.Access, c.Rows}, {c.Product, c.Inner}} {
		if !c.regular(a.Access) || c.dependsOn(a.Access, a.not) {
			return nil
		}
	}
	return c
}

// simple reports whether all runs of a loop are done, and there are some.
func simple(l *kernel.Loop) bool {
	return l.N > 0 && l.If == nil && len(l.Only) == 0 && len(l.Private) == 0
}

// adds reports whether all that a loop does is to add up numbers.
func adds(l *kernel.Loop) bool {
	return l.Order == kernel.Folding && simple(l) && l.Innermost() && len(l.Carries) == 0 && !slices.ContainsFunc(l.Body, func(s kernel.Stmt) bool { return !kernel.IsLet(s) })
}

// factors are those of the products of two reals that a fold adds up, or nil.
func factors(f kernel.Fold) (x, y *kernel.Value) {
	if v := f.Value; f.Op == ops.SymSum && f.From == nil && v.Kind == kernel.Compute && v.Op == ops.SymMul && v.Elem == types.R {
		return v.Args[0], v.Args[1]
	}
	return nil, nil
}

// factorOf is a value as a factor, without an array if it is something else.
func factorOf(v *kernel.Value) Factor {
	switch {
	case v.Kind == kernel.Load:
		return Factor{v.Access, 1}
	case v.Kind != kernel.Compute:
		return Factor{}
	}
	x := v.Args[len(v.Args)-1]
	switch {
	case x.Kind != kernel.Load:
	case v.Op == ops.SymNeg:
		return Factor{x.Access, -1}
	case v.Op == ops.SymAdd && v.Args[0] == x:
		return Factor{x.Access, 2}
	case v.Op == ops.SymMul && v.Args[0].Kind == kernel.Lit:
		return Factor{x.Access, v.Args[0].Const.Num.Float64()}
	}
	return Factor{}
}

// dependsOn reports whether an access depends on the index of a loop.
func (c *Contraction) dependsOn(a kernel.Access, l *kernel.Loop) bool {
	return slices.ContainsFunc(a.At, kernel.NewVariance(nil, l).Varies)
}

// regular reports whether an access is to elements at equal distances, upwards in memory.
func (c *Contraction) regular(a kernel.Access) bool {
	return regular(a, kernel.NewVariance([]kernel.Stmt{c.Rows, c.Columns}, c.Rows, c.Columns, c.Inner))
}

func regular(a kernel.Access, loops *kernel.Variance) bool {
	if a.Array == nil || a.Checked || a.Array.Elem != types.R {
		return false
	}
	for _, x := range a.At {
		coef, args, _ := x.Sum()
		for i, v := range args {
			if loops.Varies(v) && (!loops.Vars[v] || coef[i] < 0) {
				return false
			}
		}
	}
	return true
}

// Tiles of products are up to so large: what is over is filled up.
const (
	tileRows    = 8
	tileColumns = 24
	stripe      = 1536 // columns, for each of which the left factor is packed again
)

// time estimates what a contraction takes.
func (c *Contraction) time(w *cost.Weights) float64 {
	up := func(n, by int) float64 { return float64((n + by - 1) / by * by) }
	m, n, k := c.Rows.N, c.Columns.N, c.Inner.N
	packed := up(m, tileRows)*up(n, stripe)/stripe + up(n, tileColumns)
	return w.Of[cost.Call] + float64(k)*(up(m, tileRows)*up(n, tileColumns)*w.Of[cost.Multiply]+packed*w.Of[cost.Pack])
}
