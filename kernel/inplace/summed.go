package inplace

import (
	"cmp"
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/sparsity"
	"egad/term/ops"
	"egad/term/types"
)

// sum has kernels add to what another one makes, instead of to zeros that it adds: to one array
// instead of two, if that one adds arrays that others have added to. It is for code that is not
// exact, as sums are added in another order.
func sum(p *kernel.Program) {
	for i := 0; i < len(p.Kernels); i++ {
		if sumAt(p, i) {
			i = -1 // arrays are fewer now
		}
	}
}

// sumAt does that for what kernel i makes, if it can.
func sumAt(p *kernel.Program, i int) bool {
	k := p.Kernels[i]
	made := wholeStore(k)
	if made == nil {
		return false
	}
	sums, rest := summands(p, made, i)
	if len(sums) == 0 {
		return false
	}
	first := len(p.Kernels)
	for _, x := range sums {
		first = min(first, kernel.Writer(p.Kernels, x.Array))
	}
	ks := slices.Clone(p.Kernels)
	if rest == nil {
		ks = slices.Delete(ks, i, i+1)
	} else {
		ks[i] = &kernel.Kernel{Fused: k.Fused, Of: k, Body: storingOf(k.Body, rest)}
		ks = before(ks, first, i)
		if at := kernel.Writer(ks, made.Array); slices.ContainsFunc(sums, func(x signed) bool { return kernel.Writer(ks, x.Array) < at }) {
			return false
		}
	}
	for j := range ks {
		for _, x := range sums {
			ks[j] = addingTo(ks[j], x.Array, made.Array, x.minus)
		}
	}
	p.Kernels = ks
	return true
}

// summands takes what kernel i makes apart: into elements of arrays that others have added to, and
// the sum of the rest, nil if there is none.
func summands(p *kernel.Program, made *kernel.Store, i int) (sums []signed, rest *kernel.Value) {
	all := signedSum(made.Value, false, nil)
	for n, x := range all {
		alone := func() bool {
			others := slice.Map(slices.Delete(slices.Clone(all), n, n+1), func(x signed) *kernel.Value { return x.Value })
			return !kernel.Needed(others...)[x.Value]
		}
		switch {
		case onlyAdded(p, x.Value, made, i) && alone():
			sums = append(sums, x)
		case rest == nil && x.minus:
			rest = kernel.RealOf(ops.SymNeg, x.Value)
		case rest == nil:
			rest = x.Value
		case x.minus:
			rest = kernel.RealOf(ops.SymSub, rest, x.Value)
		default:
			rest = kernel.RealOf(ops.SymAdd, rest, x.Value)
		}
	}
	return sums, rest
}

// signed is a summand, or what is taken away.
type signed struct {
	*kernel.Value
	minus bool
}

// signedSum lists the summands of a real.
func signedSum(v *kernel.Value, minus bool, to []signed) []signed {
	if v.Kind != kernel.Compute || v.Op != ops.SymAdd && v.Op != ops.SymSub {
		return append(to, signed{v, minus})
	}
	return signedSum(v.Args[1], minus != (v.Op == ops.SymSub), signedSum(v.Args[0], minus, to))
}

// storingOf are the statements of a kernel in which another value is stored, which is computed of
// those there.
func storingOf(body []kernel.Stmt, v *kernel.Value) []kernel.Stmt {
	there := make(map[*kernel.Value]bool)
	for l := range kernel.All[*kernel.Let](body) {
		there[l.Value] = true
	}
	return kernel.DropUnused(kernel.Rewrite(body, kernel.Itself, func(s kernel.Stmt) (out []kernel.Stmt) {
		t, ok := s.(*kernel.Store)
		if !ok {
			return []kernel.Stmt{s}
		}
		other := *t
		other.Value = v
		return append(kernel.Computing(there, v), &other)
	}))
}

// wholeStore is the store of a kernel that makes each element of an array by itself, in loops
// that may go in any order; or nil.
func wholeStore(k *kernel.Kernel) *kernel.Store {
	s := onlyStore(k)
	if s == nil || s.Add || s.Array.Role != kernel.Temp || s.Value.Elem != types.R || !sparsity.IsEach(s) || k.Steps != nil {
		return nil
	}
	for i, x := range s.At {
		if x.Range.Lo != 0 || x.Range.Hi != int64(s.Array.Shape[i]-1) {
			return nil
		}
	}
	for l := range kernel.All[*kernel.Loop](k.Body) {
		if l.Order != kernel.Parallel || len(l.Folds) > 0 || len(l.Only) > 0 || !slices.Contains(s.At, l.Var) {
			return nil
		}
	}
	return s
}

// onlyAdded reports whether a value is an element, at the place of a store of kernel i, of an array
// that begins with zeros and to which kernels do nothing but add, and that nothing else reads.
func onlyAdded(p *kernel.Program, v *kernel.Value, made *kernel.Store, i int) bool {
	if v.Kind != kernel.Load || v.Array.Role != kernel.Temp || v.Checked || !slices.Equal(v.At, made.At) || !slices.Equal(v.Array.Shape, made.Array.Shape) || slices.Contains(p.Result.Arrays(), v.Array) {
		return false
	}
	for j, k := range p.Kernels {
		if k.Steps != nil {
			if slices.Contains(k.Writes(), v.Array) || j != i && slices.Contains(k.Reads(), v.Array) {
				return false
			}
			continue
		}
		adds := false
		other := kernel.Any(k.Body, func(s kernel.Stmt) bool {
			switch s := s.(type) {
			case *kernel.Store:
				adds = adds || s.Array == v.Array
				return s.Array == v.Array && (j == i || !s.Add)
			case *kernel.Let:
				return s.Value.Kind == kernel.Load && s.Value.Array == v.Array && (j != i || s.Value != v)
			case *kernel.Call:
				return s.Array == v.Array || j != i && slices.Contains(s.Args, v.Array)
			}
			return false
		})
		blocks := func(l *kernel.Loop) bool { return l.Order == kernel.Blocks }
		if other || (adds || j == i) && kernel.Any(k.Body, blocks) || adds && k.Calls() {
			return false
		}
	}
	return true
}

// addingTo is a kernel that adds to another array what it adds to one, or takes it away.
func addingTo(k *kernel.Kernel, from, to *kernel.Array, minus bool) *kernel.Kernel {
	if k.Steps != nil || !slices.Contains(k.Writes(), from) {
		return k
	}
	body := kernel.Rewrite(k.Body, kernel.Itself, func(s kernel.Stmt) []kernel.Stmt {
		t, ok := s.(*kernel.Store)
		if !ok || t.Array != from {
			return []kernel.Stmt{s}
		}
		other := *t
		if other.Array = to; !minus {
			return []kernel.Stmt{&other}
		}
		other.Value = kernel.RealOf(ops.SymNeg, t.Value)
		return []kernel.Stmt{&kernel.Let{Value: other.Value}, &other}
	})
	return &kernel.Kernel{Body: body, Fused: k.Fused, Of: cmp.Or(k.Of, k)}
}
