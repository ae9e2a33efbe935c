package sparsity

import (
	"slices"

	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// Needs finds who needs what in a program.
func Needs(p *kernel.Program, over map[*kernel.Array]*kernel.Array, strict bool) *Bounder {
	b := BounderOf(p)
	b.Over, b.strict = over, strict
	for _, k := range slices.Backward(p.Kernels) {
		b.body(k.Body)
	}
	return b
}

// read are conditions without which nobody reads what is stored.
func (b *Bounder) read(s *kernel.Store) Limits {
	if b.Whole[s.Array] {
		return nil
	}
	return b.at(b.Reads[s.Array], s.Access)
}

// Wanted finds conditions without which a store need not be done: nobody reads it, or it is there.
// Where it is done nevertheless, what is there has to be stored.
func (b *Bounder) Wanted(s *kernel.Store) Limits {
	ls := b.read(s)
	if !b.Whole[s.Array] && !s.Add {
		ls = ls.And(b.Changed(s, b.Over[s.Array]))
	}
	return ls
}

// need notes who needs values: under these conditions.
func (b *Bounder) need(ls Limits, vs ...*kernel.Value) {
	for _, v := range vs {
		if old, ok := b.needed[v]; ok {
			b.needed[v] = old.or(ls)
		} else {
			b.needed[v] = ls
		}
		if v.Kind == kernel.Linear {
			b.need(ls, v.Args...)
		}
	}
}

// body goes backwards through statements: who needs a value comes after it.
func (b *Bounder) body(body []kernel.Stmt) {
	for _, s := range slices.Backward(body) {
		switch s := s.(type) {
		case *kernel.Store:
			b.need(nil, s.At...)
			b.need(b.read(s), s.Value)
		case *kernel.Loop:
			for _, f := range s.Folds {
				ls := b.needed[f.Result]
				if f.From != nil {
					b.need(ls, f.From)
				}
				if b.strict && f.Op == ops.SymSum {
					ls = ls.And(b.leftOut(s))
				}
				b.need(ls, f.Value)
			}
			for _, c := range s.Carries {
				b.need(nil, c.From, c.Next)
			}
			b.body(s.Body)
		case *kernel.Let:
			b.let(s.Value)
		}
	}
}

func (b *Bounder) let(v *kernel.Value) {
	ls := b.needed[v]
	if v.Kind == kernel.Load {
		b.need(nil, v.At...)
		old, ok := b.Reads[v.Array]
		if b.goesOn(v) {
			return
		}
		if now := b.Of(ls, v.Access); ok {
			b.Reads[v.Array] = old.or(now)
		} else {
			b.Reads[v.Array] = now
		}
		return
	}
	if v.Op == ops.SymWhere {
		is := ls
		if of, _, ok := chosen(v); ok { // if that is 0 too, it does not matter which one is chosen
			is = ls.And(b.Lets(of))
		}
		b.need(is, v.Args[0])
		b.need(ls.And(b.Holds(v.Args[0], true)), v.Args[1])
		b.need(ls.And(b.Holds(v.Args[0], false)), v.Args[2])
		return
	}
	if v.Kind == kernel.Compute && (v.Op == ops.SymAnd || v.Op == ops.SymOr) {
		b.need(ls, v.Args[0])
		b.need(ls.And(b.Holds(v.Args[0], v.Op == ops.SymAnd)), v.Args[1])
		return
	}
	b.need(ls, v.Args...)
}

// goesOn reports whether a load is what a fold goes on from that is stored there again.
func (b *Bounder) goesOn(v *kernel.Value) bool {
	return slices.ContainsFunc(b.Stores[v.Array], func(s *kernel.Store) bool {
		f := b.folds[s.Value]
		return f != nil && f.From == v && v.SameAs(s.Access)
	})
}

// Lets finds the comparisons of indices without which a real is +0, as nothing else is chosen then, or a
// truth value false.
func (b *Bounder) Lets(v *kernel.Value) Limits {
	if ls, other := b.Unless(v); other.IsInt(0) {
		return ls
	}
	return nil
}

// Unless finds the comparisons of indices without which a value is a literal, as nothing else is chosen then: false
// where it is a truth value.
func (b *Bounder) Unless(v *kernel.Value) (Limits, ops.Scalar) {
	if v.Elem == types.B {
		return b.Holds(v, true), ops.ScalarB(false)
	}
	of, when, other := or(v)
	if of == nil {
		return nil, ops.Scalar{}
	}
	ls := b.Holds(when.Of, when.One)
	if more, same := b.Unless(of); same == other {
		ls = ls.And(more)
	}
	return ls, other
}

// or takes a choice between a number and a literal apart, which is 0 if either is: the number, and what has to hold
// for it.
func or(v *kernel.Value) (of *kernel.Value, when Truth, other ops.Scalar) {
	if of, when, ok := OrZero(v); ok {
		return of, when, ops.ScalarZero(v.Elem)
	}
	switch {
	case v.Kind != kernel.Compute || v.Op != ops.SymWhere:
	case v.Args[2].Kind == kernel.Lit:
		return v.Args[1], Truth{v.Args[0], true}, v.Args[2].Const
	case v.Args[1].Kind == kernel.Lit:
		return v.Args[2], Truth{v.Args[0], false}, v.Args[1].Const
	}
	return nil, Truth{}, ops.Scalar{}
}
