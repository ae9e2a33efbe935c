package chad

import (
	"fmt"
	"slices"

	"egad/fun"
)

// The variables of typing rules. The last one is the type that a term has with it.
var (
	typA, typB = variableType("a"), variableType("b")
	typCtx     = variableType("Γ")
	typOwn     = variableType("t")
)

func variableType(name string) *fun.Type { return &fun.Type{Kind: fun.KVar, Name: name} }

// form is a form of operands of given types with a result, in which there may be variables.
func form(name string, result *fun.Type, eval evaluation, operands ...*fun.Type) *fun.Form {
	return formAt(typOwn, name, result, eval, operands...)
}

// formAt is a form of which terms have a type of a given form with them.
func formAt(own *fun.Type, name string, result *fun.Type, eval evaluation, operands ...*fun.Type) *fun.Form {
	return &fun.Form{Name: name, Arity: len(operands), Eval: eval, Result: func(t *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		known := make(map[string]*fun.Type)
		if !matches(own, t.Type, known) {
			return nil, fmt.Errorf("%s is at type %s, where %s must be", name, t.Type, own)
		}
		for i, of := range operands {
			if !matches(of, kids[i], known) {
				return nil, fmt.Errorf("operand %d of %s is of type %s, where %s must be", i+1, name, kids[i], filledIn(of, known))
			}
		}
		return filledIn(result, known), nil
	}}
}

// matches reports whether t is an instance of a type with variables, some of which are known.
func matches(of, t *fun.Type, known map[string]*fun.Type) bool {
	if of.Kind != fun.KVar {
		return of.Kind == t.Kind && of.Form == t.Form &&
			slices.EqualFunc(of.Parts, t.Parts, func(p, q *fun.Type) bool { return matches(p, q, known) })
	}
	if was, ok := known[of.Name]; ok {
		return was.Equal(t)
	}
	known[of.Name] = t
	return true
}

// filledIn is a type with what its variables stand for, as far as it is known.
func filledIn(of *fun.Type, known map[string]*fun.Type) *fun.Type {
	if t, ok := known[of.Name]; ok && of.Kind == fun.KVar {
		return t
	}
	return of.MapParts(func(p *fun.Type) *fun.Type { return filledIn(p, known) })
}
