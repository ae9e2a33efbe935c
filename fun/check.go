package fun

import (
	"egad/internal/raise"
	"fmt"
	"slices"
)

// Typed is a term with the types of all its parts.
type Typed struct {
	*Term
	Of    *Type
	Parts []*Typed // the operands
}

// Check types a term in a context of variables, the outermost first. The error tells the
// innermost part that is not well typed.
func Check(t *Term, context []*Type) (_ *Type, err error) {
	defer raise.Caught(&err)
	return annotate(t, slices.Clone(context)).Of, nil
}

// Annotate types a term and its parts as [Check] does.
func Annotate(t *Term, context []*Type) (_ *Typed, err error) {
	defer raise.Caught(&err)
	return annotate(t, slices.Clone(context)), nil
}

func annotate(t *Term, context []*Type) *Typed {
	out := &Typed{Term: t}
	at := out
	for at.Form == Let { // chains of lets are long
		a := annotate(at.Kids[0], context)
		context = append(context, a.Of)
		at.Parts = []*Typed{a, {Term: at.Kids[1]}}
		at = at.Parts[1]
	}
	at.annotate(context)
	for let := out; let != at; let = let.Parts[1] {
		let.Of = at.Of
	}
	return out
}

// annotate types a term that is no let.
func (at *Typed) annotate(context []*Type) {
	f := at.Form
	if f == Var {
		if at.N >= len(context) {
			raise.Error(fmt.Errorf("variable %d is not bound", at.N))
		}
		at.Of = context[len(context)-1-at.N]
		return
	}
	if f.Arity >= 0 && len(at.Kids) != f.Arity {
		raise.Error(fmt.Errorf("%s has %d operands, not %d", f.Name, f.Arity, len(at.Kids)))
	}
	at.Parts = make([]*Typed, len(at.Kids))
	kids := make([]*Type, len(at.Kids))
	for k, kid := range at.Kids {
		at.Parts[k] = annotate(kid, raise.Must(at.Scope(context, kids[:k], k)))
		kids[k] = at.Parts[k].Of
	}
	var err error
	if at.Of, err = f.Result(at.Term, kids); err != nil {
		raise.Error(fmt.Errorf("%w, in %s", err, excerpt(at.Term, len(context))))
	}
}

// Scope is the context of operand k of a term that stands in a context; kids are the types
// of the operands before k.
func (t *Term) Scope(context, kids []*Type, k int) ([]*Type, error) {
	scope := context
	if t.Form.Closed && k == len(t.Kids)-1 {
		scope = make([]*Type, 0, len(t.Caps)+2)
		for i := len(t.Caps) - 1; i >= 0; i-- {
			v := t.Caps[i]
			if v >= len(context) {
				return nil, fmt.Errorf("captured variable %d is not bound", v)
			}
			scope = append(scope, context[len(context)-1-v])
		}
	}
	if t.Form.Bound != nil {
		scope = append(scope[:len(scope):len(scope)], t.Form.Bound(t, kids, k)...)
	}
	return scope, nil
}
