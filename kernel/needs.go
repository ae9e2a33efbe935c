package kernel

import (
	"slices"

	"egad/term/ops"
)

// needs finds who needs what in a program.
func (p *Program) needs(over map[*Array]*Array, strict bool) *bounder {
	b := p.bounder()
	b.over, b.strict = over, strict
	for _, k := range slices.Backward(p.Kernels) {
		b.body(k.Body)
	}
	return b
}

// read are conditions without which nobody reads what is stored.
func (b *bounder) read(s *Store) limits {
	if b.whole[s.Array] {
		return nil
	}
	return b.at(b.reads[s.Array], s.Access)
}

// wanted are conditions without which a store need not be done: nobody reads it, or it is there.
// Where it is done nevertheless, what is there has to be stored.
func (b *bounder) wanted(s *Store) limits {
	ls := b.read(s)
	if !b.whole[s.Array] && !s.Add {
		ls = ls.and(b.changed(s, b.over[s.Array]))
	}
	return ls
}

// need notes who needs values: under these conditions.
func (b *bounder) need(ls limits, vs ...*Value) {
	for _, v := range vs {
		if old, ok := b.needed[v]; ok {
			b.needed[v] = old.or(ls)
		} else {
			b.needed[v] = ls
		}
		if v.Kind == Linear {
			b.need(ls, v.Args...)
		}
	}
}

// body goes backwards through statements: who needs a value comes after it.
func (b *bounder) body(body []Stmt) {
	for _, s := range slices.Backward(body) {
		switch s := s.(type) {
		case *Store:
			b.need(nil, s.At...)
			b.need(b.read(s), s.Value)
		case *Loop:
			for _, f := range s.Folds {
				ls := b.needed[f.Result]
				if f.From != nil {
					b.need(ls, f.From)
				}
				if b.strict && f.Op == ops.SymSum {
					ls = ls.and(b.leftOut(s))
				}
				b.need(ls, f.Value)
			}
			for _, c := range s.Carries {
				b.need(nil, c.From, c.Next)
			}
			b.body(s.Body)
		case *Let:
			b.let(s.Value)
		}
	}
}

func (b *bounder) let(v *Value) {
	ls := b.needed[v]
	if v.Kind == Load {
		b.need(nil, v.At...)
		old, ok := b.reads[v.Array]
		if b.goesOn(v) {
			return
		}
		if now := b.of(ls, v.Access); ok {
			b.reads[v.Array] = old.or(now)
		} else {
			b.reads[v.Array] = now
		}
		return
	}
	if v.Op == ops.SymWhere {
		is := ls
		if of, _, ok := chosen(v); ok { // if that is 0 too, it does not matter which one is chosen
			is = ls.and(b.lets(of))
		}
		b.need(is, v.Args[0])
		b.need(ls.and(b.holds(v.Args[0], true)), v.Args[1])
		b.need(ls.and(b.holds(v.Args[0], false)), v.Args[2])
		return
	}
	if v.Kind == Compute && (v.Op == ops.SymAnd || v.Op == ops.SymOr) {
		b.need(ls, v.Args[0])
		b.need(ls.and(b.holds(v.Args[0], v.Op == ops.SymAnd)), v.Args[1])
		return
	}
	b.need(ls, v.Args...)
}

// goesOn reports whether a load is what a fold goes on from that is stored there again.
func (b *bounder) goesOn(v *Value) bool {
	return slices.ContainsFunc(b.stores[v.Array], func(s *Store) bool {
		f := b.folds[s.Value]
		return f != nil && f.From == v && v.same(s.Access)
	})
}
