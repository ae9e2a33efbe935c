package module

import (
	"fmt"
	"slices"

	"egad/internal/memo"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// Derivatives as functions of a change: def … with nabla \x dx -> …. The change of the
// result is what the function makes of that of the argument. It must be linear in it, and
// then it is put together from operators that are linear and from factors, which are
// slopes: so it is differentiated in turn like other derivatives of definitions.

// change is a derivative as a function of changes: what it makes of variables that stand
// for these.
type change[V any] struct {
	of  []*val[V] // by varied parameter
	val *val[V]   // of the result; nil if the derivative is not of this form
}

// changed is v with the change that c makes of those of the arguments.
func (o *owner) changed(v *val[term.Term], c *change[term.Term], args []*val[term.Term]) *val[term.Term] {
	l := &changing{owner: o, is: make(map[uint32]term.Term), has: make(map[uint32]bool), state: make(map[slot.Name]bool), moving: make(map[string]bool),
		loops: make(map[string]*changingLoop), zeros: make(map[string]bool), done: make(map[string]term.Term)}
	for i, x := range args {
		leaves := o.real(x).arrays(nil)
		for k, m := range c.of[i].arrays(nil) {
			l.is[m.v.ID] = leaves[k].v
		}
	}
	s := o.el.prog.Store
	next := c.val.arrays(nil)
	return o.each(v, func(t term.Term) term.Term {
		if o.el.typ(t).Elem != types.R || o.err != "" {
			return t
		}
		to := next[0].v
		if next = next[1:]; o.el.typ(t).HasEmptyAxis() {
			return t
		}
		s.Walk(to, func(u term.Term) { // operands first
			_, has := l.is[u.ID]
			for _, k := range s.Kids(u) {
				has = has || l.has[k.ID]
			}
			l.has[u.ID] = has
		})
		return o.with(t, l.term(to))
	})
}

// changing makes of a term of changes one that has it as its change.
type changing struct {
	*owner
	is     map[uint32]term.Term     // what has the change that a variable stands for
	has    map[uint32]bool          // by node: there are changes in it
	state  map[slot.Name]bool       // arrays of the states of loops that are changes
	moving map[string]bool          // terms that are changes, or are not
	loops  map[string]*changingLoop // by all states
	zeros  map[string]bool          // terms that are 0, or are not known to be
	done   map[string]term.Term
}

// within reports whether there are changes in a term.
func (l *changing) within(t term.Term) bool {
	return l.has[t.ID] || slices.ContainsFunc(t.Args, func(n slot.Name) bool { return l.state[n] })
}

// moves reports whether a term is a change: of all states of a loop, whether one of its
// arrays is.
func (l *changing) moves(t term.Term) bool {
	if !l.within(t) {
		return false
	}
	key := term.TermKey(t)
	m, ok := l.moving[key]
	if !ok {
		m = l.moved(t)
		l.moving[key] = m
	}
	return m
}

func (l *changing) moved(t term.Term) bool {
	s := l.el.prog.Store
	v := s.Open(t)
	switch op := s.Op(t); {
	case op.Sym == ops.SymVar, op.Sym == ops.SymLocal:
		return true
	case op.Sym == ops.SymProj && s.Op(v.Kids[0]).Sym == ops.SymStates:
		return l.loop(v.Kids[0]).moves[op.N]
	case op.Sym == ops.SymStates:
		return slices.Contains(l.loop(t).moves, true)
	}
	return slices.ContainsFunc(v.Kids, l.moves)
}

// changingLoop is a loop of which some arrays of the state are changes.
type changingLoop struct {
	view        term.View
	of          *term.State
	first, next []term.Term // by array
	moves       []bool
}

// loop finds which arrays of the state of a loop are changes: those that begin as changes
// or that a step makes of changes.
func (l *changing) loop(all term.Term) *changingLoop {
	return memo.Of(l.loops, term.TermKey(all), func() *changingLoop {
		s := l.el.prog.Store
		p := &changingLoop{view: s.Open(all)}
		p.of = s.StateOf(p.view.Op.Type)
		body := s.Arrays(p.view.Kids[2], p.view.Binders[1], p.of.Arrays)
		s.Walk(body, func(u term.Term) {
			for _, k := range s.Kids(u) {
				l.has[u.ID] = l.has[u.ID] || l.has[k.ID]
			}
		})
		for k := range p.of.Types {
			p.first, p.next = append(p.first, s.Component(k, p.view.Kids[0])), append(p.next, s.Component(k, body))
			p.moves = append(p.moves, l.moves(p.first[k]))
		}
		for more := true; more; {
			more = false
			for k, n := range p.of.Names {
				l.state[n] = p.moves[k]
			}
			l.moving = make(map[string]bool)
			for k, t := range p.next {
				if !p.moves[k] && l.moves(t) {
					p.moves[k], more = true, true
				}
			}
		}
		return p
	})
}

// looped is all states of a loop of terms that have the changes.
func (l *changing) looped(all term.Term) term.Term {
	s, p := l.el.prog.Store, l.loop(all)
	part := func(ts []term.Term) []term.Term {
		out := make([]term.Term, len(ts))
		for k, t := range ts {
			if p.moves[k] {
				out[k] = l.term(t)
			} else {
				out[k] = l.held(t)
			}
		}
		return out
	}
	first, next := s.Packed(part(p.first)), s.Packed(part(p.next))
	return l.make(p.view.Op, p.view.Binders, first, p.view.Kids[1], p.of.In(s, next, p.view.Binders[1]))
}

// held is a term that is no change. It may read arrays of loops that have changes beside.
func (l *changing) held(t term.Term) term.Term {
	if !l.within(t) {
		return t
	}
	s := l.el.prog.Store
	v := s.Open(t)
	if v.Op.Sym == ops.SymProj && s.Op(v.Kids[0]).Sym == ops.SymStates {
		return s.Proj(v.Op.N, l.term(v.Kids[0]))
	}
	for i, k := range v.Kids {
		v.Kids[i] = l.held(k)
	}
	return l.make(v.Op, v.Binders, v.Kids...)
}

// zero reports whether a term in which nothing changes is 0, as a change that does not
// arrive is, in the states of a loop too.
func (l *changing) zero(t term.Term) bool {
	s := l.el.prog.Store
	if b := s.Bounds(t).Real; b.Lo == 0 && b.Hi == 0 && b.Number {
		return true
	}
	return memo.Of(l.zeros, term.TermKey(t), func() bool {
		v := s.Open(t)
		all := func(kids []term.Term) bool {
			return !slices.ContainsFunc(kids, func(k term.Term) bool { return !l.zero(k) })
		}
		of := s.Signature().Operator(v.Op.Sym)
		switch sym := v.Op.Sym; {
		case sym == ops.SymStates || sym == ops.SymProj && s.Op(v.Kids[0]).Sym == ops.SymStates:
			loop := t
			if sym == ops.SymProj {
				loop = v.Kids[0]
			}
			p := l.loop(loop)
			l.zeros[term.TermKey(p.of.Arrays[v.Op.N])] = true // as long as it is from step to step
			return l.zero(p.first[v.Op.N]) && l.zero(p.next[v.Op.N])
		case sym == ops.SymProj && s.Op(v.Kids[0]).Sym == ops.SymTuple:
			return l.zero(s.Proj(v.Op.N, v.Kids[0]))
		case sym == ops.SymMul:
			return l.zero(v.Kids[0]) || l.zero(v.Kids[1])
		case sym == ops.SymAdd, sym == ops.SymSub, sym == ops.SymNeg, sym == ops.SymStack, sym == ops.SymBuild:
			return all(v.Kids)
		case sym == ops.SymCond, sym == ops.SymWhere:
			return all(v.Kids[1:])
		case sym == ops.SymDiv, sym == ops.SymIndex, of.Operand() >= 0:
			return l.zero(v.Kids[max(of.Operand(), 0)])
		}
		return false
	})
}

// term is a term with the change t. Its value is not looked at.
func (l *changing) term(t term.Term) term.Term {
	return memo.Of(l.done, term.TermKey(t), func() term.Term {
		if l.err != "" {
			return t
		}
		return l.linear(t)
	})
}

// linear is term of one that is met for the first time.
func (l *changing) linear(t term.Term) term.Term {
	s := l.el.prog.Store
	if x, ok := l.is[t.ID]; ok {
		return x
	}
	if !l.moves(t) {
		if !l.zero(t) {
			l.err = fmt.Sprintf("the derivative of %s is linear in the change, and this adds what does not depend on it", l.name)
		}
		return t
	}
	v := s.Open(t)
	var moving []int
	for i, k := range v.Kids {
		if l.moves(k) {
			moving = append(moving, i)
		} else if v.Op.Sym != ops.SymStates {
			v.Kids[i] = l.held(k)
		}
	}
	only := func(i int) bool { return len(moving) == 1 && moving[0] == i }
	sum := func(from int) term.Term { // linear in all operands from there on
		for i := from; i < len(v.Kids); i++ {
			v.Kids[i] = l.term(v.Kids[i])
		}
		return l.make(v.Op, v.Binders, v.Kids...)
	}
	of := s.Signature().Operator(v.Op.Sym)
	switch sym := v.Op.Sym; {
	case sym == ops.SymLocal:
		return t
	case sym == ops.SymStates:
		return l.looped(t)
	case sym == ops.SymAdd, sym == ops.SymSub, sym == ops.SymNeg, sym == ops.SymTuple, sym == ops.SymStack, sym == ops.SymProj, sym == ops.SymBuild:
		return sum(0)
	case (sym == ops.SymCond || sym == ops.SymWhere) && moving[0] > 0:
		return sum(1)
	case sym == ops.SymMul && len(moving) == 1:
		return l.factor(l.term(v.Kids[moving[0]]), v.Kids[1-moving[0]])
	case sym == ops.SymDiv && only(0):
		x := l.term(v.Kids[0])
		return l.factor(x, l.make(ops.Op{Sym: ops.SymDiv}, nil, l.filled(1, l.el.typ(x)), v.Kids[1]))
	case (sym == ops.SymIndex || of.Operand() == 0) && only(0):
		v.Kids[0] = l.term(v.Kids[0])
		return l.make(v.Op, v.Binders, v.Kids...)
	case of.Operand() > 0 && only(of.Operand()):
		return l.applied(v.Op, v.Kids[:of.Operand()], l.term(v.Kids[of.Operand()]))
	}
	l.err = fmt.Sprintf("the derivative of %s is linear in the change, and %s of it is not", l.name, of.Text())
	return t
}
