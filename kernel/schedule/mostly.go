package schedule

import (
	"egad/internal/slice"
	"egad/kernel"
	"egad/term/ops"
)

// Most are so many of 4, if there are at least so many.
const (
	mostOf4  = 3
	manyRuns = 32
)

// mostly reports whether most integers of a range are at least 0 and less than n.
func mostly(r ops.Range, n int64) bool {
	if r.Lo < -kernel.MaxIndex || r.Hi > kernel.MaxIndex {
		return false
	}
	all, in := r.Hi-r.Lo+1, min(r.Hi, n-1)-max(r.Lo, 0)+1
	return all >= manyRuns && 4*in >= mostOf4*all
}

// mostlyOf is an integer as it is in most runs: without divisions by a number that it is less than.
func mostlyOf(v *kernel.Value) *kernel.Value {
	if sym, x, d, ok := v.Division(); ok && mostly(x.Range, d) {
		if sym == ops.SymIdiv {
			return kernel.LinearOf(0, nil, nil)
		}
		return mostlyOf(x)
	}
	if v.Kind == kernel.Linear {
		return kernel.NewBuilder(nil).Linear(v.Const.Int, v.Coef, slice.Map(v.Args, mostlyOf))
	}
	return v
}

// mostlyAt is an access as it is in most runs.
func mostlyAt(a kernel.Access) kernel.Access {
	checked := false
	for i, x := range a.At {
		checked = checked || !mostly(x.Range, int64(a.Array.Shape[i])) && !kernel.FitsAxis(x, a.Array.Shape[i])
	}
	a.At, a.Checked = slice.Map(a.At, mostlyOf), a.Checked && checked
	return a
}
