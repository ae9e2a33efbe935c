package rules

import (
	"slices"

	"egad/term"
)

// Spliced is what the items of a list of children are, one after the other.
func Spliced[T any](es []Elem, expect *term.Type, one func(*Pattern, *term.Type) T, list func(*ListPat) []T, each func(Elem, *term.Type) []T) (out []T) {
	for _, e := range es {
		switch e.Kind {
		case EOne:
			out = append(out, one(e.Pat, expect))
		case ESplice:
			out = append(out, list(e.List)...)
		case EMap:
			out = append(out, each(e, expect)...)
		}
	}
	return out
}

// isLiteral reports whether the type of p has to come from its context.
func isLiteral(p *Pattern) bool {
	switch p.Kind {
	case PNumber, PTruth, PZero, PLit:
		return p.LitFor == nil
	}
	return false
}

// Apart makes something of all operands but literals, which it gives by place.
func Apart[T any](es []Elem, make func(Elem) []T) (kids []T, literals map[int]*Pattern) {
	literals = map[int]*Pattern{}
	for _, e := range es {
		if e.Kind == EOne && isLiteral(e.Pat) {
			literals[len(kids)] = e.Pat
			kids = append(kids, *new(T))
			continue
		}
		kids = append(kids, make(e)...)
	}
	return kids, literals
}

// Flatten dissolves literal lists in a list of items.
func Flatten(es []Elem) []Elem {
	splice := func(e Elem) bool { return e.Kind == ESplice && e.List.Kind == LLit }
	if !slices.ContainsFunc(es, splice) {
		return es
	}
	var out []Elem
	for _, e := range es {
		if splice(e) {
			out = append(out, Flatten(e.List.Elems)...)
		} else {
			out = append(out, e)
		}
	}
	return out
}

// Splice is the children that are those of a list.
func Splice(l *ListPat) []Elem { return []Elem{{Kind: ESplice, List: l}} }

// HasLists reports whether there are lists among children.
func HasLists(es []Elem) bool {
	return slices.ContainsFunc(es, func(e Elem) bool { return e.Kind != EOne })
}
