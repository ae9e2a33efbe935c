package schedule

import (
	"cmp"
	"math"
	"slices"

	"egad/kernel"
	"egad/kernel/cost"
	"egad/term/ops"
	"egad/term/types"
)

// Contraction is a nest of loops, with sums in it, that multiplies two matrices, as
//
//	for i < m
//	  for j < n
//	    fold p < k
//	      v = sum (a[i, p] * b[p, j])
//	    c[i, j] := v
//
// There may be several loops for the rows of the product, for its columns, and for the sums.
type Contraction struct {
	Rows, Columns, Inner []*kernel.Loop // those of i, of j and of p
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
	if l.Order != kernel.Parallel {
		return nil
	}
	chain, _, rest := chainOf(l, maxLoops, func(_, next *kernel.Loop) bool { return next.Order == kernel.Parallel })
	at := kernel.FirstLoop(rest)
	if at < 0 || at == len(rest)-1 || slices.ContainsFunc(chain, func(l *kernel.Loop) bool { return !simple(l) }) {
		return nil
	}
	inner := addsUp(rest[at].(*kernel.Loop))
	store, ok := rest[len(rest)-1].(*kernel.Store)
	if inner == nil || len(inner[0].Folds) != 1 || !ok || store.Value != inner[0].Folds[0].Result || slices.ContainsFunc(rest[at+1:len(rest)-1], func(s kernel.Stmt) bool { return !kernel.IsLet(s) }) {
		return nil
	}
	x, y := factors(inner[len(inner)-1].Folds[0])
	if x == nil {
		return nil
	}
	c := &Contraction{Inner: inner, Left: factorOf(x), Right: factorOf(y), Product: store.Access, Add: store.Add}
	for _, l := range chain {
		switch left, right := dependsOn(c.Left.Access, l), dependsOn(c.Right.Access, l); {
		case left == right:
			return nil
		case left:
			c.Rows = append(c.Rows, l)
		default:
			c.Columns = append(c.Columns, l)
		}
	}
	if len(c.Rows) == 0 || len(c.Columns) == 0 {
		return nil
	}
	loops := kernel.NewVariance(nil, slices.Concat(chain, inner)...)
	if !regular(c.Left.Access, loops) || !regular(c.Right.Access, loops) || !regular(c.Product, loops) || slices.ContainsFunc(inner, func(l *kernel.Loop) bool { return dependsOn(c.Product, l) }) {
		return nil
	}
	outwards(c.Product, c.Rows)
	if outwards(c.Product, c.Columns) != 1 {
		c.Rows, c.Columns, c.Left, c.Right = c.Columns, c.Rows, c.Right, c.Left
	}
	if outwards(c.Product, c.Columns) != 1 {
		return nil
	}
	if c.Add && !c.distinct() {
		return nil
	}
	larger := c.Left.Access // of which more is to be packed
	if kernel.Runs(c.Columns) > kernel.Runs(c.Rows) {
		larger = c.Right.Access
	}
	outwards(larger, c.Inner)
	return c
}

// maxLoops bounds the loops of a contraction of each kind.
const maxLoops = 8

// outwards has the loops along which what is accessed lies farthest apart first, and says how far apart it is along the
// last one.
func outwards(a kernel.Access, loops []*kernel.Loop) float64 {
	apart := func(l *kernel.Loop) float64 {
		step, _ := stride(a, kernel.NewVariance(nil, l))
		return step
	}
	slices.SortStableFunc(loops, func(l, m *kernel.Loop) int { return cmp.Compare(apart(m), apart(l)) })
	return apart(loops[len(loops)-1])
}

// distinct reports whether the elements of the product are sure to be as many as its places.
func (c *Contraction) distinct() bool {
	loops, reach := slices.Concat(c.Rows, c.Columns), 0.0
	outwards(c.Product, loops)
	for _, l := range slices.Backward(loops) {
		step, _ := stride(c.Product, kernel.NewVariance(nil, l))
		if step <= reach && l.N > 1 {
			return false
		}
		reach += float64(l.N-1) * step
	}
	return true
}

// simple reports whether all runs of a loop may be done, and there are some. Those that need not be done add 0, or make
// what nobody reads; or they are to be left out.
func simple(l *kernel.Loop) bool {
	return l.N > 0 && l.If == nil && len(l.Private) == 0 && !slices.ContainsFunc(l.Only, func(o kernel.Only) bool { return o.Strict || o.Sure })
}

// adds reports whether all that a nest does is to add up numbers.
func adds(l *kernel.Loop) bool {
	ok := true
	kernel.Walk([]kernel.Stmt{l}, func(s kernel.Stmt) {
		m, loop := s.(*kernel.Loop)
		ok = ok && (kernel.IsLet(s) || loop && sums(m) && simple(m) && len(m.Carries) == 0 && !slices.ContainsFunc(m.Folds, func(f kernel.Fold) bool { return f.From != nil }))
	})
	return ok
}

// addsUp are the loops of a nest that adds up numbers, each of which adds up what the next one results in, from outside
// on, or nil.
func addsUp(l *kernel.Loop) []*kernel.Loop {
	if !adds(l) {
		return nil
	}
	chain, _, rest := chainOf(l, maxLoops, addsOn)
	if kernel.FirstLoop(rest) >= 0 {
		return nil
	}
	return chain
}

// factors are those of the products of two reals that a fold adds up, or nil.
func factors(f kernel.Fold) (x, y *kernel.Value) {
	if v := f.Value; v.Kind == kernel.Compute && v.Op == ops.SymMul && v.Elem == types.R {
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
func dependsOn(a kernel.Access, l *kernel.Loop) bool {
	return slices.ContainsFunc(a.At, kernel.NewVariance(nil, l).Varies)
}

// regular reports whether an access is to elements of an array of reals that are at equal distances, upwards in
// memory, along some loops.
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

// time estimates what a contraction takes, and the memory that the product goes through.
func (c *Contraction) time(w *cost.Weights) float64 {
	up := func(n, by float64) float64 { return math.Ceil(n/by) * by }
	m, n, k := kernel.Runs(c.Rows), kernel.Runs(c.Columns), kernel.Runs(c.Inner)
	packed := up(m, tileRows)*up(n, stripe)/stripe + up(n, tileColumns)
	whole := math.Floor(m/tileRows) * tileRows * math.Floor(n/tileColumns) * tileColumns
	return w.Of[cost.Host] + k*(up(m, tileRows)*up(n, tileColumns)*w.Of[cost.Multiply]+packed*w.Of[cost.Pack]) +
		whole*w.Of[cost.Product] + (m*n-whole)*w.Of[cost.Edge] + MemoryTime(w, m*n)
}
