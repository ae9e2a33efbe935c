package functional

import (
	"fmt"
	"slices"

	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/props"
	"egad/term"
	"egad/term/eval"
	"egad/term/size"
	"egad/term/types"
)

// Lowered is an array program that a functional program has become.
type Lowered struct {
	Program *term.Program
	// Inputs and Result say how values stand in the arrays of the program. An input in
	// which there is no scalar is none of the program.
	Inputs []*fun.Layout
	Result *fun.Layout
	// Choices counts the cases of which both branches were evaluated.
	Choices int64
}

// Lower makes an array program of a functional one, of which the layouts of the inputs are
// given, by running it on terms (see [fun.Terms.Run]). Of the result each real is computed as
// [fun.Machine.Eval] does it, bit for bit.
func Lower(sig *term.Signature, p *fun.Program, inputs ...*fun.Layout) (*Lowered, error) {
	out := &Lowered{Program: &term.Program{Store: term.NewStore(sig), Name: "main"}}
	err := fun.OnTerms(out.Program.Store, func(d *fun.Terms) error {
		layout, terms, err := d.Run(p, func(name string, t *fun.Type) fun.Value {
			l := inputs[len(out.Inputs)]
			if !l.Type.Equal(t) {
				raise.Error(fmt.Errorf("the input %s is of type %s, and not %s", name, t, l.Type))
			}
			out.Inputs = append(out.Inputs, l)
			var leaves []term.Input
			if t := arrayType(l, nil); t != nil {
				in := term.Input{Name: name, Type: t}
				out.Program.Inputs, leaves = append(out.Program.Inputs, in), in.Leaves()
			}
			return d.Input(l, leaves)
		})
		if err == nil {
			out.Program.Root, out.Result, out.Choices = out.Program.Store.Packed(terms), layout, d.Choices
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// arrayType is the type of the arrays of a layout: one array, or a tuple, in which those of a
// tuple are tuples; nil if there are none.
func arrayType(l *fun.Layout, shape []size.Size) *types.Type {
	if e, ok := l.Type.Elem(); ok {
		return types.ArrayOf(e, shape...)
	}
	var parts []*types.Type
	switch {
	case l.Type.Kind == fun.KArray:
		shape = append(shape[:len(shape):len(shape)], size.Const(l.Length))
	case l.Type.Kind == fun.KSum && !slices.Contains(l.Parts, nil):
		parts = append(parts, types.ArrayOf(types.B, shape...))
	}
	for _, p := range spine(l) {
		if t := arrayType(p, shape); t != nil {
			parts = append(parts, t)
		}
	}
	switch len(parts) {
	case 0:
		return nil
	case 1:
		return parts[0]
	}
	return types.TupleOf(parts...)
}

// spine are the parts of a layout: those of a tuple, which is pairs nested to the left, are
// its components.
func spine(l *fun.Layout) []*fun.Layout {
	parts := slices.DeleteFunc(slices.Clone(l.Parts), func(p *fun.Layout) bool { return p == nil })
	if l.Type.Kind == fun.KProd && parts[0].Type.Kind == fun.KProd {
		return append(spine(parts[0]), parts[1])
	}
	return parts
}

// Env gives the inputs of the array program values.
func (l *Lowered) Env(inputs []fun.Value) (eval.Env[*eval.Value[float64]], error) {
	env := make(eval.Env[*eval.Value[float64]])
	rest := l.Program.Inputs
	for i, in := range l.Inputs {
		if arrayType(in, nil) == nil {
			continue
		}
		vs, err := fun.Write(fun.Floats(), in, inputs[i])
		if err != nil {
			return nil, err
		}
		for k, leaf := range rest[0].Leaves() {
			env[leaf.Name] = vs[k]
		}
		rest = rest[1:]
	}
	return env, nil
}

// result is the result of a functional program, by that of the array program.
func (l *Lowered) result(v *eval.Value[float64]) fun.Value {
	if len(v.Parts) > 0 {
		return fun.Read(l.Result, v.Parts)
	}
	return fun.Read(l.Result, []*eval.Value[float64]{v})
}

// LowerCase makes an array program of a rectangular program.
func LowerCase(sig *term.Signature, c props.FunctionalCase) (*Lowered, error) {
	layouts, err := slice.Try(c.Program.Context, func(t *fun.Type) (*fun.Layout, error) {
		return fun.LayoutOf(t, slices.Repeat([]int64{c.Length}, countArrays(t))...)
	})
	if err != nil {
		return nil, err
	}
	return Lower(sig, c.Program, layouts...)
}

func countArrays(t *fun.Type) int {
	n := 0
	if t.Kind == fun.KArray {
		n++
	}
	for _, p := range t.Parts {
		n += countArrays(p)
	}
	return n
}
