package kernel

import (
	"egad/internal/slice"
	"egad/term/ops"
)

// Most are so many of 4, if there are at least so many.
const (
	mostOf4  = 3
	manyRuns = 32
)

// apart are weights by which what holds for most runs of a loop holds for all, as if those at the
// edges were done apart, which [Weights.interior] does at the end.
func (w *Weights) apart() *Weights {
	out := w.Remembering()
	out.edges = true
	return out
}

// mostly reports whether most integers of a range are at least 0 and less than n.
func mostly(r ops.Range, n int64) bool {
	if r.Lo < -MaxIndex || r.Hi > MaxIndex {
		return false
	}
	all, in := r.Hi-r.Lo+1, min(r.Hi, n-1)-max(r.Lo, 0)+1
	return all >= manyRuns && 4*in >= mostOf4*all
}

// mostly is an integer as it is in most runs: without divisions by a number that it is less than.
func (v *Value) mostly() *Value {
	if sym, x, d, ok := v.division(); ok && mostly(x.Range, d) {
		if sym == ops.SymIdiv {
			return linearOf(0, nil, nil)
		}
		return x.mostly()
	}
	if v.Kind == Linear {
		return NewBuilder(nil).linear(v.Const.Int, v.Coef, slice.Map(v.Args, (*Value).mostly))
	}
	return v
}

// mostly is an access as it is in most runs.
func (a Access) mostly() Access {
	checked := false
	for i, x := range a.At {
		checked = checked || !mostly(x.Range, int64(a.Array.Shape[i])) && !FitsAxis(x, a.Array.Shape[i])
	}
	a.At, a.Checked = slice.Map(a.At, (*Value).mostly), a.Checked && checked
	return a
}
