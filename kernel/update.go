package kernel

import (
	"slices"

	"egad/term"
)

// updated is a program in which steps of loops change the last state where it lies, if they
// add to a few elements of it: there is one kernel instead of one that adds to zeros, and one
// that adds these sums to the whole state. It is for code that is not exact, as sums are added in
// another order.
func (p *Program) updated() *Program {
	out := *p
	out.Kernels = slices.Clone(p.Kernels)
	for i, k := range p.Kernels {
		if k.Steps == nil {
			continue
		}
		s := *k.Steps
		s.Step = s.Step.updated()
		for n, result := range s.Step.Result.Arrays() {
			if in := s.state(n); in != nil && !s.All[n] {
				s.Step.update(in, result)
			}
		}
		out.Kernels[i] = &Kernel{Steps: &s, Fused: k.Fused}
	}
	return &out
}

// update has the kernels of a step change an input, a part of the state, and not make the next
// one, if they can.
func (p *Program) update(in, result *Array) {
	i := slices.IndexFunc(p.Kernels, func(k *Kernel) bool { return slices.Contains(k.Writes(), result) })
	if i < 1 || !p.inPlace(in, result, make([][]*Array, len(p.Kernels))) {
		return
	}
	sum, old := p.Kernels[i].adds(in)
	if sum == nil || slices.Contains(p.Result.Arrays(), sum) {
		return
	}
	for j, k := range p.Kernels {
		if slices.Contains(k.Reads(), sum) != (j == i) || slices.Contains(k.Writes(), sum) != (j == i-1) || slices.Contains(k.Reads(), result) {
			return
		}
	}
	body, last, ok := p.Kernels[i-1].addingLast(sum, in, len(old) == 0)
	if !ok {
		return
	}
	p.Kernels = slices.Replace(slices.Clone(p.Kernels), i-1, i+1, &Kernel{
		Body:  slices.Concat(body, old, storing(last, sum, in, nil)),
		Fused: slices.Concat(p.Kernels[i-1].Fused, p.Kernels[i].Fused),
	})
	p.Result = p.Result.with(result, in)
}

// adds finds which sums a kernel adds to an array, or to what it makes of it element by
// element: the statements old put that in its place, none if it is just the array.
func (k *Kernel) adds(in *Array) (sum *Array, old []Stmt) {
	var made *Store
	stores, ok := 0, true
	walk(k.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Store:
			made = s
			stores++
		case *Loop:
			ok = ok && s.Order == Parallel && len(s.Folds) == 0
		case *Call:
			ok = false
		}
	})
	if !ok || stores != 1 || made.Value.Kind != Compute || made.Value.Op != term.SymAdd || made.Value.Elem != term.R {
		return nil, nil
	}
	there := Access{Array: in, At: made.At}
	b := &bounder{over: map[*Array]*Array{in: in}}
	for n, x := range made.Value.Args {
		rest := made.Value.Args[1-n]
		if x.Kind != Load || x.Array.Role != Temp || x.Checked || !slices.Equal(x.At, made.At) {
			continue
		}
		if rest.same(there) {
			return x.Array, nil
		}
		if changes, _ := b.changes(rest, there); len(changes) > 0 {
			old := live(storing(k.Body, made.Array, in, rest))
			b.note(old, nil, nil)
			return x.Array, old
		}
	}
	return nil, nil
}

// storing are statements in which what goes to one array goes to another one, or another value
// if it is not nil.
func storing(body []Stmt, from, to *Array, value *Value) []Stmt {
	out := slices.Clone(body)
	for i, s := range out {
		switch s := s.(type) {
		case *Store:
			if s.Array == from {
				t := *s
				t.Array = to
				if value != nil {
					t.Value = value
				}
				out[i] = &t
			}
		case *Loop:
			l := *s
			l.Body, l.Only = storing(s.Body, from, to, value), nil
			out[i] = &l
		}
	}
	return out
}

// addingLast takes a kernel apart into what does not add to an array of sums, and what does,
// if that may come last, and add to the array in instead: what is read of in is read before. If
// it is there as it was, that may be between what is added at other places of it.
func (k *Kernel) addingLast(sum, in *Array, there bool) (body, last []Stmt, ok bool) {
	ok = true
	for _, s := range k.Body {
		adds, other := false, false
		walk([]Stmt{s}, func(s Stmt) {
			switch s := s.(type) {
			case *Store:
				adds, other = adds || s.Array == sum, other || s.Array != sum
				ok = ok && (s.Array != sum || s.Add)
			case *Loop:
				other = other || len(s.Folds) > 0 || s.Order.whole()
			case *Call:
				ok = false
			}
		})
		if !adds {
			body = append(body, s)
			continue
		}
		ok = ok && !other
		if l, isLoop := s.(*Loop); isLoop {
			reads := false
			accesses(l.Body, func(a Access) { reads = reads || a.Array == in })
			if reads {
				l = l.columns(sum, in)
				ok = ok && l != nil && there && len(last) == 0
			}
			s = l
		}
		last = append(last, s)
	}
	return body, last, ok
}

// columns is a nest whose runs read and change other elements of two arrays each, for they stand
// for the same axes of both, with the stores of a run after all that it reads; or nil.
func (l *Loop) columns(of ...*Array) *Loop {
	out := *l
	out.Body = nil
	var stores []Stmt
	var inner *Loop
	for _, s := range l.Body {
		switch s := s.(type) {
		case *Let:
			out.Body = append(out.Body, s)
		case *Store:
			stores = append(stores, s)
		case *Loop:
			if inner != nil {
				return nil
			}
			inner = s
		}
	}
	axis := -1
	ok := l.Order == Parallel && (inner == nil || len(stores) == 0)
	accesses(l.Body, func(a Access) {
		if !slices.Contains(of, a.Array) {
			return
		}
		for i, x := range a.At {
			switch {
			case x == l.Var && axis < 0:
				axis = i
			case (x == l.Var) != (i == axis), x != l.Var && needed(x)[l.Var]:
				ok = false
			}
		}
		ok = ok && axis >= 0
	})
	switch {
	case !ok:
		return nil
	case inner == nil:
		out.Body = append(out.Body, stores...)
	default:
		if inner = inner.columns(of...); inner == nil {
			return nil
		}
		out.Body = append(out.Body, inner)
	}
	return &out
}
