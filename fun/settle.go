package fun

import (
	"slices"

	"egad/diag"
	"egad/term/ops"
)

// pending is a type that must be known at the end.
type pending struct {
	at   diag.Pos
	typ  *Type
	what string
}

// pend notes that a type must be known at the end.
func (in *inference) pend(at diag.Pos, t *Type, what string) {
	in.pendings = append(in.pendings, pending{at, t, what})
}

// settle decides what is still open: numbers are reals, and what nothing determines is
// reported, or () where it cannot matter.
func (in *inference) settle() {
	for _, t := range in.lits {
		if h := in.head(t); h.Kind == KVar {
			in.unify(h, Real)
		}
	}
	for _, p := range in.pendings {
		if t := in.whole(p.typ); in.open(t) && !in.stop {
			in.fail(p.at, "nothing determines the other side of %s, of type %s; write it, as in %s @(R + ()) x", p.what, t, p.what)
		}
	}
}

// open reports whether there are variables in a type that may stand for anything.
func (in *inference) open(t *Type) bool {
	if t.Kind == KVar {
		return in.among[t] == 0
	}
	return slices.ContainsFunc(t.Parts, in.open)
}

// settled is a term with the types that were found, and tuples as pairs.
func (in *inference) settled(t *Term) *Term {
	out := *t
	if t.Type != nil {
		out.Type = in.pairs(t.Type)
	}
	if (t.Form == Build || t.Form == List) && !out.Type.FirstOrder() {
		in.fail(t.Pos, "the elements of an array hold no functions")
	}
	if t.Form == signOr {
		out.Form = Sign
		if out.Type.Kind == KReal {
			return on(ops.SymSign, in.settled(t.Kids[0]))
		}
	}
	out.mapKids(func(_ int, kid *Term) *Term { return in.settled(kid) })
	return &out
}

// pairs is a type with all that is known put in, tuples as pairs nested to the left.
func (in *inference) pairs(t *Type) *Type {
	t = in.head(t)
	if t.Kind == KVar {
		if in.among[t] != 0 {
			return Real
		}
		return Unit
	}
	t = t.MapParts(in.pairs)
	if t.Kind == KProd {
		return Tuple(t.Parts...)
	}
	return t
}
