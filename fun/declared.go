package fun

import (
	"errors"
	"fmt"

	"egad/term"
)

// Declared is the layout of a type that a text declares, at known sizes.
func Declared(t *term.Type) (*Layout, error) {
	of, err := written(t)
	if err != nil {
		return nil, err
	}
	lengths, err := declaredLengths(t)
	if err != nil {
		return nil, err
	}
	return LayoutOf(of, lengths...)
}

// written is the type that a text declares: with arrays of tuples, and sums.
func written(t *term.Type) (*Type, error) {
	if t.Kind != term.KTuple {
		return TypeOf(t)
	}
	of := t
	if t.Rows > 0 {
		of, _ = t.Element()
	}
	parts := make([]*Type, len(of.Parts))
	for i, p := range of.Parts {
		var err error
		if parts[i], err = written(p); err != nil {
			return nil, err
		}
	}
	out := Tuple(parts...)
	if of.Sum {
		out = Sum(parts[1], parts[2])
	}
	for range t.Rows {
		out = Array(out)
	}
	return out, nil
}

func declaredLengths(t *term.Type) ([]int64, error) {
	var out []int64
	shape := t.Shape
	parts := t.Parts
	if t.Kind == term.KTuple && t.Rows > 0 {
		var one *term.Type
		one, shape = t.Element()
		parts = one.Parts
	}
	for _, s := range shape {
		n, ok := s.Const()
		if !ok {
			return nil, fmt.Errorf("the size %s has no value", s)
		}
		out = append(out, n)
	}
	for _, p := range parts {
		more, err := declaredLengths(p)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

// lowering runs a program on terms for the inputs that a definition declares.
type lowering struct {
	symbolic
	sizes map[string]int64
}

func (l *lowering) run(p *Program, inputs []term.Input, result *term.Type) (term.Term, error) {
	byName := make(map[string]term.Input)
	for _, in := range inputs {
		byName[in.Name] = in
	}
	env := make([]Value, 0, len(p.Names)+16)
	for _, name := range p.Names {
		in, ok := byName[name]
		if !ok { // a size
			v, err := l.Literal(term.NumInt(l.sizes[name]), Int)
			if err != nil {
				return term.Term{}, err
			}
			env = append(env, v)
			continue
		}
		layout, err := Declared(in.Type)
		if err != nil {
			return term.Term{}, err
		}
		leaves := in.Leaves()
		env = append(env, layout.value(func(*Type, []term.Size) Value {
			leaf := leaves[0]
			leaves = leaves[1:]
			return l.store.Var(leaf.Name, leaf.Type)
		}))
	}
	m := &Machine{Domain: &l.symbolic, Limit: LoweringSteps}
	v, err := m.Eval(p.Body, env)
	var steps *StepsError
	if errors.As(err, &steps) {
		err = fmt.Errorf("an array program of this functional program takes %w", err)
	}
	if err != nil {
		return term.Term{}, err
	}
	layout, terms := l.layout(v, p.Result)
	if l.err != nil {
		return term.Term{}, l.err
	}
	return l.declared(layout, result, &terms)
}

// declared is a result in the form that its definition declares: of a sum of which the side
// is known the other one is zeros.
func (l *lowering) declared(of *Layout, t *term.Type, terms *arrays) (term.Term, error) {
	if of.Type.Kind == KArray && of.Length == 0 {
		return l.store.Zeros(t), nil
	}
	if t.Kind != term.KTuple {
		out := (*terms)[0]
		*terms = (*terms)[1:]
		if got := l.store.Type(out); !got.Equal(t) {
			return out, fmt.Errorf("the result is declared as %s, and is %s", t, got)
		}
		return out, nil
	}
	for range t.Rows {
		of = of.Parts[0]
	}
	parts := of.components(len(t.Parts))
	kids := make([]term.Term, len(t.Parts))
	if t.Sum {
		parts = append([]*Layout{nil}, of.Parts...)
		if of.known() {
			kids[0] = l.store.Lit(term.ScalarB(of.Parts[0] == nil), t.Parts[0].Shape...)
		} else {
			kids[0] = (*terms)[0]
			*terms = (*terms)[1:]
		}
	}
	for i, p := range parts {
		switch {
		case i == 0 && t.Sum:
		case p == nil:
			kids[i] = l.store.Zeros(t.Parts[i])
		default:
			var err error
			if kids[i], err = l.declared(p, t.Parts[i], terms); err != nil {
				return kids[i], err
			}
		}
	}
	return l.store.Apply(term.SymTuple, kids...), nil
}

// components are the layouts of the n components of a tuple.
func (l *Layout) components(n int) []*Layout {
	if n < 2 {
		return []*Layout{l}[:n]
	}
	return append(l.Parts[0].components(n-1), l.Parts[1])
}
