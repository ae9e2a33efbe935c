package fun

import (
	"fmt"
	"slices"

	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// Declared is the layout of a type that a text declares, at known sizes.
func Declared(t *types.Type) (_ *Layout, err error) {
	defer raise.Caught(&err)
	return LayoutOf(written(t), declaredLengths(t, nil)...)
}

// Held is the layout of a type as array programs hold it, at known sizes: an array of tuples
// is a tuple of arrays.
func Held(t *types.Type) (*Layout, error) { return Declared(withoutRows(t)) }

func withoutRows(t *types.Type) *types.Type {
	if t.Kind != types.KTuple {
		return t
	}
	return types.TupleOf(slice.Map(t.Parts, withoutRows)...)
}

// written is the type that a text declares: with arrays of tuples, and sums.
func written(t *types.Type) *Type {
	if t.Kind != types.KTuple {
		return raise.Must(TypeOf(t))
	}
	of := t
	if t.Rows > 0 {
		of, _ = t.Element()
	}
	parts := slice.Map(of.Parts, written)
	out := Tuple(parts...)
	if of.Sum {
		out = Sum(parts[1], parts[2])
	}
	return nested(out, t.Rows)
}

// declaredLengths appends the lengths of the arrays in a type.
func declaredLengths(t *types.Type, out []int64) []int64 {
	shape := t.Shape
	parts := t.Parts
	if t.Kind == types.KTuple && t.Rows > 0 {
		var one *types.Type
		one, shape = t.Element()
		parts = one.Parts
	}
	for _, s := range shape {
		n, ok := s.Const()
		if !ok {
			raise.Error(fmt.Errorf("the size %s has no value", s))
		}
		out = append(out, n)
	}
	for _, p := range parts {
		out = declaredLengths(p, out)
	}
	return out
}

// LeavesOf are the arrays of an input that values of its type stand in, as those of a layout
// are: none without elements.
func LeavesOf(in term.Input) []term.Input {
	return slices.DeleteFunc(in.Leaves(), func(leaf term.Input) bool { return leaf.Type.HasEmptyAxis() })
}

// Given are the inputs of a program, those and the sizes of a definition, whose arrays env
// has; layout says how values of a type stand in arrays: [Declared] or [Held].
func (p *Program) Given(inputs []term.Input, sizes map[string]int64, env eval.Env[*eval.Value[float64]], layout func(*types.Type) (*Layout, error)) ([]Value, error) {
	return slice.Try(p.Names, func(name string) (Value, error) {
		k := slices.IndexFunc(inputs, func(in term.Input) bool { return in.Name == name })
		if k < 0 {
			return sizes[name], nil // an integer here
		}
		l, err := layout(inputs[k].Type)
		if err != nil {
			return nil, err
		}
		return Read(l, slice.Map(LeavesOf(inputs[k]), func(leaf term.Input) *eval.Value[float64] { return env[leaf.Name] })), nil
	})
}

// Interpret computes a definition of which no array program can be made, by running it as it
// is. It gives the value as the arrays of the type that is declared.
func (p *Program) Interpret(m *Machine, of *module.NotLoweredError, env eval.Env[*eval.Value[float64]]) (_ *eval.Value[float64], err error) {
	defer raise.Caught(&err)
	inputs := raise.Must(p.Given(of.Outline.Inputs, of.Outline.Sizes, env, Declared))
	v := raise.Must(p.Run(m, inputs))
	arrays := raise.Must(Write(Floats(), raise.Must(Declared(of.Result)), v))
	return assembled(of.Result, &arrays), nil
}

// assembled is a value of a type of the first arrays, which it takes. Those without elements
// are not among them.
func assembled(t *types.Type, arrays *[]*eval.Value[float64]) *eval.Value[float64] {
	if t.Kind == types.KTuple {
		return &eval.Value[float64]{Parts: slice.Map(t.Parts, func(p *types.Type) *eval.Value[float64] { return assembled(p, arrays) })}
	}
	if t.HasEmptyAxis() {
		return raise.Must(eval.FloatArrays().New(t))
	}
	out := (*arrays)[0]
	*arrays = (*arrays)[1:]
	return out
}

// lowerDeclared makes a term of a program, for the inputs that a definition declares.
func lowerDeclared(p *Program, s *term.Store, sizes map[string]int64, inputs []term.Input, result *types.Type) term.Term {
	d := &symbolic{store: s}
	layout, terms, err := d.Run(p, func(name string, _ *Type) Value {
		i := slices.IndexFunc(inputs, func(in term.Input) bool { return in.Name == name })
		if i < 0 { // a size
			return d.Literal(numeric.Int(sizes[name]), Int)
		}
		return d.input(raise.Must(Declared(inputs[i].Type)), LeavesOf(inputs[i]))
	})
	raise.Error(err)
	return d.declared(layout, result, &terms)
}

// taken says that values are of one side of sums, and zeros where a sum is the other side.
type taken struct {
	right term.Term // whether a sum is its right side
	side  bool      // the side that is taken
}

// masked is an array with zeros where it is not taken; right has the first axes of x.
func (d *symbolic) masked(x, right term.Term, side bool) term.Term {
	if t := d.store.Type(right); len(t.Shape) > 0 {
		return d.store.Build(t.Shape[0], func(i term.Term) term.Term {
			return d.masked(d.store.Index(x, i), d.store.Index(right, i), side)
		})
	}
	zeros := d.store.Zeros(d.store.Type(x))
	if side {
		return d.chooseTerm(right, x, zeros)
	}
	return d.chooseTerm(right, zeros, x)
}

// declared is a result in the form that its definition declares: of a sum the side that it is
// not is zeros.
func (d *symbolic) declared(of *Layout, t *types.Type, terms *[]term.Term, in ...taken) term.Term {
	if of.empty() {
		return d.store.Zeros(t)
	}
	next := func() term.Term {
		out := (*terms)[0]
		*terms = (*terms)[1:]
		for _, c := range in {
			out = d.masked(out, c.right, c.side)
		}
		return out
	}
	if t.Kind != types.KTuple {
		out := next()
		if got := d.store.Type(out); !got.Equal(t) {
			raise.Error(fmt.Errorf("the result is declared as %s, and is %s", t, got))
		}
		return out
	}
	for range t.Rows {
		of = of.Parts[0]
	}
	kids := make([]term.Term, len(t.Parts))
	if !t.Sum {
		for i, p := range of.components(len(t.Parts)) {
			kids[i] = d.declared(p, t.Parts[i], terms, in...)
		}
		return d.store.Apply(ops.SymTuple, kids...)
	}
	if of.known() {
		kids[0] = d.store.Lit(ops.ScalarB(of.Parts[0] == nil), t.Parts[0].Shape...)
	} else {
		kids[0] = next()
	}
	for i, p := range of.Parts {
		if p == nil {
			kids[1+i] = d.store.Zeros(t.Parts[1+i])
			continue
		}
		inside := in
		if !of.known() {
			inside = append(in[:len(in):len(in)], taken{kids[0], i == 1})
		}
		kids[1+i] = d.declared(p, t.Parts[1+i], terms, inside...)
	}
	return d.store.Apply(ops.SymTuple, kids...)
}

// empty reports whether the layout is of arrays, around others or not, without elements.
func (l *Layout) empty() bool {
	return l.Type.Kind == KArray && (l.Length == 0 || l.Parts[0].empty())
}

// components are the layouts of the n components of a tuple.
func (l *Layout) components(n int) []*Layout {
	if n < 2 {
		return []*Layout{l}[:n]
	}
	return append(l.Parts[0].components(n-1), l.Parts[1])
}
