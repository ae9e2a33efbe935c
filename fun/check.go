package fun

import (
	"fmt"
	"slices"
)

// Check types a term in a context of variables, the outermost first. The error tells the
// innermost part that is not well typed.
func Check(t *Term, context []*Type) (*Type, error) {
	return check(t, slices.Clone(context))
}

func check(t *Term, context []*Type) (*Type, error) {
	for t.Form == Let { // chains of lets are long
		a, err := check(t.Kids[0], context)
		if err != nil {
			return nil, err
		}
		context, t = append(context, a), t.Kids[1]
	}
	if t.Form == Var {
		if t.N >= len(context) {
			return nil, fmt.Errorf("variable %d is not bound", t.N)
		}
		return context[len(context)-1-t.N], nil
	}
	f := t.Form
	if f.Arity >= 0 && len(t.Kids) != f.Arity {
		return nil, fmt.Errorf("%s has %d operands, not %d", f.Name, f.Arity, len(t.Kids))
	}
	kids := make([]*Type, len(t.Kids))
	for k, kid := range t.Kids {
		scope, err := t.Scope(context, kids[:k], k)
		if err != nil {
			return nil, err
		}
		if kids[k], err = check(kid, scope); err != nil {
			return nil, err
		}
	}
	out, err := f.Result(t, kids)
	if err != nil {
		return nil, fmt.Errorf("%w, in %s", err, excerpt(t, len(context)))
	}
	return out, nil
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
