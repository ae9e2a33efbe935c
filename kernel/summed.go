package kernel

import (
	"cmp"
	"slices"

	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/types"
)

// sum has kernels add to what another one makes, instead of to zeros that it adds: to one array
// instead of two, if that one adds arrays that others have added to. It is for code that is not
// exact, as sums are added in another order.
func (p *Program) sum() {
	for i := 0; i < len(p.Kernels); i++ {
		if p.sumAt(i) {
			i = -1 // arrays are fewer now
		}
	}
}

// sumAt does that for what kernel i makes, if it can.
func (p *Program) sumAt(i int) bool {
	k := p.Kernels[i]
	made := k.wholeStore()
	if made == nil {
		return false
	}
	sums, rest := p.summands(made, i)
	if len(sums) == 0 {
		return false
	}
	first := len(p.Kernels)
	for _, x := range sums {
		first = min(first, writer(p.Kernels, x.Array))
	}
	ks := slices.Clone(p.Kernels)
	if rest == nil {
		ks = slices.Delete(ks, i, i+1)
	} else {
		ks[i] = &Kernel{Fused: k.Fused, of: k, Body: storingOf(k.Body, rest)}
		ks = before(ks, first, i)
		if at := writer(ks, made.Array); slices.ContainsFunc(sums, func(x signed) bool { return writer(ks, x.Array) < at }) {
			return false
		}
	}
	for j := range ks {
		for _, x := range sums {
			ks[j] = ks[j].addingTo(x.Array, made.Array, x.minus)
		}
	}
	p.Kernels = ks
	return true
}

// summands takes what kernel i makes apart: into elements of arrays that others have added to, and
// the sum of the rest, nil if there is none.
func (p *Program) summands(made *Store, i int) (sums []signed, rest *Value) {
	all := signedSum(made.Value, false, nil)
	for n, x := range all {
		others := slice.Map(slices.Delete(slices.Clone(all), n, n+1), func(x signed) *Value { return x.Value })
		switch {
		case !needed(others...)[x.Value] && p.onlyAdded(x.Value, made, i):
			sums = append(sums, x)
		case rest == nil && x.minus:
			rest = realOf(ops.SymNeg, x.Value)
		case rest == nil:
			rest = x.Value
		case x.minus:
			rest = realOf(ops.SymSub, rest, x.Value)
		default:
			rest = realOf(ops.SymAdd, rest, x.Value)
		}
	}
	return sums, rest
}

// signed is a summand, or what is taken away.
type signed struct {
	*Value
	minus bool
}

// signedSum lists the summands of a real.
func signedSum(v *Value, minus bool, to []signed) []signed {
	if v.Kind != Compute || v.Op != ops.SymAdd && v.Op != ops.SymSub {
		return append(to, signed{v, minus})
	}
	return signedSum(v.Args[1], minus != (v.Op == ops.SymSub), signedSum(v.Args[0], minus, to))
}

// storingOf are the statements of a kernel in which another value is stored, which is computed of
// those there.
func storingOf(body []Stmt, v *Value) []Stmt {
	there := make(map[*Value]bool)
	for l := range allOf[*Let](body) {
		there[l.Value] = true
	}
	return live(rewritten(body, itself, func(s Stmt) (out []Stmt) {
		t, ok := s.(*Store)
		if !ok {
			return []Stmt{s}
		}
		var need func(v *Value)
		need = func(v *Value) {
			if v.Kind != Compute || there[v] {
				return
			}
			there[v] = true
			for _, a := range v.Args {
				need(a)
			}
			out = append(out, &Let{v})
		}
		need(v)
		other := *t
		other.Value = v
		return append(out, &other)
	}))
}

// wholeStore is the store of a kernel that makes each element of an array by itself, in loops
// that may go in any order; or nil.
func (k *Kernel) wholeStore() *Store {
	s := k.onlyStore()
	if s == nil || s.Add || s.Array.Role != Temp || s.Value.Elem != types.R || !s.each() || k.Steps != nil {
		return nil
	}
	for i, x := range s.At {
		if x.Range.Lo != 0 || x.Range.Hi != int64(s.Array.Shape[i]-1) {
			return nil
		}
	}
	for l := range allOf[*Loop](k.Body) {
		if l.Order != Parallel || len(l.Folds) > 0 || len(l.Only) > 0 || !slices.Contains(s.At, l.Var) {
			return nil
		}
	}
	return s
}

// onlyAdded reports whether a value is an element, at the place of a store of kernel i, of an array
// that begins with zeros and to which kernels do nothing but add, and that nothing else reads.
func (p *Program) onlyAdded(v *Value, made *Store, i int) bool {
	if v.Kind != Load || v.Array.Role != Temp || v.Checked || !slices.Equal(v.At, made.At) || !slices.Equal(v.Array.Shape, made.Array.Shape) || slices.Contains(p.Result.Arrays(), v.Array) {
		return false
	}
	ok := true
	for j, k := range p.Kernels {
		writes := slices.Contains(k.Writes(), v.Array)
		ok = ok && (j != i || !writes) && (j == i || !slices.Contains(k.Reads(), v.Array)) && (!writes || k.Steps == nil && !k.Calls())
		if j == i || writes {
			Walk(k.Body, func(s Stmt) {
				switch s := s.(type) {
				case *Store:
					ok = ok && (s.Array != v.Array || s.Add)
				case *Loop:
					ok = ok && s.Order != Blocks
				case *Let:
					ok = ok && (s.Value == v || s.Value.Kind != Load || s.Value.Array != v.Array)
				}
			})
		}
	}
	return ok
}

// addingTo is a kernel that adds to another array what it adds to one, or takes it away.
func (k *Kernel) addingTo(from, to *Array, minus bool) *Kernel {
	if k.Steps != nil || !slices.Contains(k.Writes(), from) {
		return k
	}
	body := rewritten(k.Body, itself, func(s Stmt) []Stmt {
		t, ok := s.(*Store)
		if !ok || t.Array != from {
			return []Stmt{s}
		}
		other := *t
		if other.Array = to; !minus {
			return []Stmt{&other}
		}
		other.Value = realOf(ops.SymNeg, t.Value)
		return []Stmt{&Let{other.Value}, &other}
	})
	return &Kernel{Body: body, Fused: k.Fused, of: cmp.Or(k.of, k)}
}
