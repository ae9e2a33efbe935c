package proof

import (
	"iter"

	"egad/egraph"
	"egad/slot"
)

// Entry is why two terms are equal, as a log says it: an application of a rule, or that
// somebody said so.
type Entry struct {
	A, B   egraph.Ref
	Rule   *egraph.Rule // nil if somebody said so
	Reason string       // the rule's name, or what was said of why
	// Vars are what the metavariables of the rule stand for, and Bound its bound variables.
	Vars  []egraph.Ref
	Bound []slot.Name
	ops   map[*egraph.Pattern]egraph.Op
}

// Op is the operator that a part of the left side of the rule matched.
func (e *Entry) Op(p *egraph.Pattern) egraph.Op { return e.ops[p] }

// Entries lists why terms are equal, in the order in which it was said. Two terms of which
// the children are equal are not mentioned.
func (x *Explainer) Entries() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for i, e := range x.edges {
			if e.rule == byCongruence {
				continue
			}
			ap := &application{x: x, limit: i, names: make(map[egraph.Pos]slot.Name)}
			out := &Entry{A: ap.ref(egraph.Term{ID: e.a, Args: e.av}), B: ap.ref(egraph.Term{ID: e.b, Args: e.bv})}
			if e.rule == byUser {
				out.Reason = x.log.reasons[e.data-1]
			} else {
				out.Rule = x.log.list[e.rule]
				left, _ := ap.read(out.Rule, leg{edge: i})
				if ap.matched != nil {
					left = *ap.matched
				}
				out.Reason, out.Vars, out.Bound = out.Rule.Name, ap.vars, ap.bound
				out.ops = make(map[*egraph.Pattern]egraph.Op, len(left.terms))
				for p, t := range left.terms {
					out.ops[p] = x.opOf(t.ID)
				}
			}
			if !yield(out) {
				return
			}
		}
	}
}

// Open is the operator, the own slots and the children of a term, in which what it binds is
// called as nothing else. A slot of a child on which that does not depend any more has a
// name of its own.
func (x *Explainer) Open(r egraph.Ref) (op egraph.Op, own, binders []slot.Name, kids []egraph.Ref) {
	binders = x.binders(x.opOf(r.ID))
	op, own, kids = x.term(r, binders)
	return op, own, binders, kids
}
