package improve

import (
	"slices"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/fuse"
	"egad/term/ops"
	"egad/term/types"
)

// Bounds on tables.
const (
	maxTable = 1 << 18 // elements
	maxTried = 8       // values of a kernel for which one is estimated
)

// tabulate has kernels read from a table what they compute of several indices of loops only by way of one sum of them,
// where an estimate says that this takes less time, as what depends on i - j in
//
//	build n (\i -> sum (build n (\j -> exp (neg (real ((i - j) * (i - j)))) * x[(i - j) mod n] * y[j])))
//
// of which there are n² in the loops, and 2 n - 1 in the table.
func tabulate(p *kernel.Program, in fuse.Sizes, by kernel.Names) {
	if in.Apart {
		return
	}
	for i := 0; i < len(p.Kernels); i++ {
		if k := p.Kernels[i]; k.Steps == nil && !k.Calls() {
			i += newTables(k).each(p, i, in, by)
		}
	}
}

// tables looks for what a kernel may read from tables.
type tables struct {
	*kernel.Kernel
	stored map[*kernel.Array]bool
	found  map[*kernel.Value]*depending
}

// depending is on which sums of indices of loops a value depends; it is nil for one that depends on what is found in loops.
type depending struct {
	sums  []kernel.Form // without numbers that are added
	works bool          // it is more than sums and elements at sums
}

func newTables(k *kernel.Kernel) *tables {
	return &tables{Kernel: k, stored: kernel.Stores(k.Body), found: make(map[*kernel.Value]*depending)}
}

// each makes tables for kernel number i as long as one pays, and tells how many there are.
func (t *tables) each(p *kernel.Program, i int, in fuse.Sizes, by kernel.Names) int {
	var values []*kernel.Value
	runs := make(map[*kernel.Value]float64)
	kernel.WalkRuns(t.Body, 1, func(s kernel.Stmt, r int64) {
		if l, ok := s.(*kernel.Let); ok {
			values, runs[l.Value] = append(values, l.Value), float64(r)
		}
	})
	tried := 0
	for _, v := range slices.Backward(values) { // the largest first
		x := t.table(v, runs[v])
		if x == nil {
			continue
		}
		if tried++; tried > maxTried {
			break
		}
		k := &kernel.Kernel{Body: x.fill()}
		now := *t.Kernel
		now.Body = kernel.DropUnused(kernel.MapValues(kernel.Clone(t.Body), make(map[*kernel.Value]bool), kernel.Substitute(map[*kernel.Value]*kernel.Value{v: x.load()})))
		if w := in.Weights; taken(w, []*kernel.Kernel{&now, k})+in.Least() >= taken(w, []*kernel.Kernel{t.Kernel}) {
			continue
		}
		x.array.Name = by.Fresh()
		by.Loops(slices.Collect(kernel.All[*kernel.Loop](k.Body)))
		p.Arrays = append(p.Arrays, x.array)
		p.Kernels[i] = &now
		p.Kernels = slices.Insert(p.Kernels, i, k)
		if viewed(p, &now) {
			p.Kernels = slices.Delete(p.Kernels, i+1, i+2)
			return 0
		}
		return 1 + newTables(&now).each(p, i+1, in, by)
	}
	return 0
}

// viewed has kernels read elsewhere what a kernel does no more than to copy from there, and reports whether nobody needs the
// copy then.
func viewed(p *kernel.Program, k *kernel.Kernel) bool {
	var copied *kernel.Store
	for s := range kernel.All[kernel.Stmt](k.Body) {
		switch s := s.(type) {
		case *kernel.Store:
			if copied != nil || s.Add || s.Checked || s.Value.Kind != kernel.Load || s.Value.Checked {
				return false
			}
			copied = s
		case *kernel.Loop:
			if len(s.Folds)+len(s.Carries) > 0 || s.If != nil {
				return false
			}
		}
	}
	a := copied.Array
	if a.Role != kernel.Temp || p.UsedWhole()[a] || !copied.ByLoops() {
		return false
	}
	for _, x := range copied.Value.At {
		if slices.ContainsFunc(kernel.FormOf(x).Args, func(i *kernel.Value) bool { return !slices.Contains(copied.At, i) }) {
			return false
		}
	}
	for _, other := range p.Kernels {
		if other != k && slices.Contains(other.Writes(), a) {
			return false
		}
		whole := true
		loadsOf(other, a, func(v *kernel.Value, _ float64) { whole = whole && !v.Checked })
		if !whole {
			return false
		}
	}
	for _, other := range p.Kernels {
		other.Body = kernel.MapValues(other.Body, make(map[*kernel.Value]bool), kernel.Remade(make(map[*kernel.Value]*kernel.Value), func(_, v *kernel.Value) *kernel.Value {
			if v.Kind != kernel.Load || v.Array != a {
				return v
			}
			read := *v
			read.Access = kernel.Access{Array: copied.Value.Array, At: slice.Map(copied.Value.At, func(x *kernel.Value) *kernel.Value {
				f := kernel.FormOf(x)
				return kernel.NewBuilder(nil).Linear(f.Const, f.Coef, slice.Map(f.Args, func(i *kernel.Value) *kernel.Value { return v.At[slices.Index(copied.At, i)] }))
			})}
			return &read
		}))
	}
	p.Arrays = slices.DeleteFunc(p.Arrays, func(b *kernel.Array) bool { return b == a })
	return true
}

// of is on what a value depends.
func (t *tables) of(v *kernel.Value) *depending {
	return memo.Of(t.found, v, func() *depending {
		out := &depending{works: v.Kind == kernel.Compute && (v.Elem == types.I || v.Elem == types.R && (v.Op == ops.SymWhere || !cost.IsInstruction(v.Op)))}
		args := operands(v)
		switch v.Kind {
		case kernel.Lit, kernel.Compute:
		case kernel.Load:
			if t.stored[v.Array] {
				return nil
			}
		case kernel.Var, kernel.Linear:
			sum, rest := indices(v)
			args = rest.Args
			out.add(sum)
		default:
			return nil
		}
		for _, x := range args {
			d := t.of(x)
			if d == nil {
				return nil
			}
			out.works = out.works || d.works
			for _, f := range d.sums {
				out.add(f)
			}
		}
		return out
	})
}

// indices takes an integer apart into a sum of indices of loops, and what is added to it.
func indices(v *kernel.Value) (sum, rest kernel.Form) {
	f := kernel.FormOf(v)
	rest.Const = f.Const
	for i, x := range f.Args {
		of := &rest
		if x.Kind == kernel.Var {
			of = &sum
		}
		of.Coef, of.Args = append(of.Coef, f.Coef[i]), append(of.Args, x)
	}
	return sum, rest
}

// operands are the values of which a value is made: of integers that are compared how far they are apart, unless that
// might wrap.
func operands(v *kernel.Value) []*kernel.Value {
	if v.Kind == kernel.Load {
		return v.At
	}
	if v.Kind == kernel.Compute && v.Elem == types.B && v.Args[0].Elem == types.I {
		coef, args := []int64{-1, 1}, v.Args
		if kernel.LinearRange(0, coef, args) != ops.AnyInt {
			b := kernel.NewBuilder(nil)
			return []*kernel.Value{b.Int(0), b.Linear(0, coef, args)}
		}
	}
	return v.Args
}

// add adds a sum, unless it or its opposite is there.
func (d *depending) add(f kernel.Form) {
	if len(f.Args) > 0 && !slices.ContainsFunc(d.sums, func(g kernel.Form) bool { return signOf(f, g) != 0 }) {
		d.sums = append(d.sums, f)
	}
}

// signOf is 1 if two sums are the same, -1 if one is the opposite of the other, and else 0.
func signOf(f, g kernel.Form) int64 {
	if !slices.Equal(f.Args, g.Args) {
		return 0
	}
	for _, sign := range []int64{1, -1} {
		if slices.EqualFunc(f.Coef, g.Coef, func(x, y int64) bool { return x == sign*y }) {
			return sign
		}
	}
	return 0
}

// table is one of what a value is for each sum of indices, and for each index that is not in it.
type table struct {
	of    *kernel.Value
	sum   kernel.Form
	least int64           // of the sum
	other []*kernel.Value // indices
	array *kernel.Array
}

// table is that of a value that is computed so often, or nil if there is none that is much smaller.
func (t *tables) table(v *kernel.Value, runs float64) *table {
	d := t.of(v)
	if v.Elem != types.R || d == nil || !d.works {
		return nil
	}
	x := &table{of: v}
	for _, f := range d.sums {
		switch {
		case len(f.Args) == 1:
			if !slices.Contains(x.other, f.Args[0]) {
				x.other = append(x.other, f.Args[0])
			}
		case len(x.sum.Args) > 0:
			return nil
		default:
			x.sum = f
		}
	}
	if len(x.sum.Args) == 0 || slices.ContainsFunc(x.other, func(i *kernel.Value) bool { return slices.Contains(x.sum.Args, i) }) {
		return nil
	}
	r := kernel.LinearRange(0, x.sum.Coef, x.sum.Args)
	size := float64(r.Hi) - float64(r.Lo) + 1
	shape := []int(nil)
	for _, i := range x.other {
		shape, size = append(shape, int(i.Range.Hi)+1), size*float64(i.Range.Hi+1)
	}
	if size > maxTable || minReads*size > runs {
		return nil
	}
	x.least = r.Lo
	x.array = &kernel.Array{Elem: types.R, Shape: append(shape, int(r.Hi-r.Lo)+1), Role: kernel.Temp, Range: ops.AnyInt}
	return x
}

// load is the element of the table where the value is needed.
func (x *table) load() *kernel.Value {
	b := kernel.NewBuilder(nil)
	return b.Load(kernel.Access{Array: x.array, At: append(slices.Clone(x.other), b.Linear(-x.least, x.sum.Coef, x.sum.Args))})
}

// fill are the loops that make the table.
func (x *table) fill() []kernel.Stmt {
	b := kernel.NewBuilder(nil)
	made := make(map[*kernel.Value]*kernel.Value)
	var at []*kernel.Value
	for axis, n := range x.array.Shape {
		at = append(at, b.Variable(n, axis+1))
		if axis < len(x.other) {
			made[x.other[axis]] = at[axis]
		}
	}
	sum := b.Linear(x.least, []int64{1}, at[len(at)-1:])
	var value func(v *kernel.Value) *kernel.Value
	value = func(v *kernel.Value) *kernel.Value {
		return memo.Of(made, v, func() *kernel.Value {
			switch v.Kind {
			case kernel.Linear:
				f, rest := indices(v)
				if sign := signOf(f, x.sum); sign != 0 {
					return b.Linear(rest.Const, append(rest.Coef, sign), append(slice.Map(rest.Args, value), sum))
				}
			case kernel.Load:
				return b.Load(kernel.Access{Array: v.Array, At: slice.Map(v.At, value)})
			case kernel.Compute:
				return b.Op(ops.Op{Sym: v.Op, N: v.N}, v.Elem, slice.Map(operands(v), value)...)
			}
			return b.Computed(v, value)
		})
	}
	result := value(x.of)
	var loops []*kernel.Loop
	for i, n := range x.array.Shape {
		loops = append(loops, &kernel.Loop{Var: at[i], N: n})
	}
	store := &kernel.Store{Access: kernel.Access{Array: x.array, At: at}, Value: result}
	return kernel.Around(loops, append(kernel.Computing(make(map[*kernel.Value]bool), result), store))
}
