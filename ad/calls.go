package ad

import (
	"fmt"
	"slices"
	"strings"

	"egad/internal/slice"
	"egad/rules"
	"egad/term"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/overflow"
)

// Derivatives that call those of other definitions (Coconut, Section 3): what a definition
// calls is an operator, whose derivative is the linear map that another one is.

// Pushforward derives the program that computes, for changes of the real arrays of the
// inputs (further inputs, d_x for x), the changes of those of the result: one array, or a
// tuple. It differentiates build as it is.
func Pushforward(lib *rules.Library, p *term.Program, opt Options) (*Derived, error) {
	return byArrays(lib, p, opt, func(l *pipeline, j *Jacobian, q *term.Program) error {
		q.Root = applied(q.Store, j.Forwards, Changes(q, j.Wrt))
		return nil
	})
}

// Pullback derives the program that computes, for cotangents of the real arrays of the
// result (further inputs, ct), those of the inputs: one array, or a tuple. The stage nabla
// has the linear maps from the inputs to the result.
func Pullback(lib *rules.Library, p *term.Program, opt Options) (*Derived, error) {
	return byArrays(lib, p, opt, func(l *pipeline, j *Jacobian, q *term.Program) error {
		l.noteMaps(j, j.Reverse...)
		var out []term.Input
		for i, t := range j.Out {
			name := ""
			if len(j.Out) > 1 {
				name = fmt.Sprint(i)
			}
			out = append(out, term.Input{Name: name, Type: q.Store.Type(t)})
		}
		turned := slice.Map(j.Reverse, func(m term.Term) term.Term { return q.Store.Apply(ops.SymLtranspose, m) })
		q.Root = applied(q.Store, turned, further(q, "ct", out))
		return nil
	})
}

func byArrays(lib *rules.Library, p *term.Program, opt Options, build func(l *pipeline, j *Jacobian, q *term.Program) error) (*Derived, error) {
	if err := given(lib, p); err != nil {
		return nil, err
	}
	opt.Direct, opt.calls = true, true
	return derive(lib, p, opt, false, func(l *pipeline, j *Jacobian, q *term.Program) error {
		if len(j.Reverse) == 0 {
			return noRealPart(p)
		}
		return build(l, j, q)
	})
}

// further gives p an input like each of some others, or of their components, and makes one
// array or a tuple of the real arrays in them.
func further(p *term.Program, prefix string, like []term.Input) term.Term {
	p.Inputs = slices.Clip(p.Inputs)
	var parts []term.Term
	for _, x := range like {
		in := term.Input{Name: FreshInput(p, prefix+strings.ReplaceAll(x.Name, ".", "_")), Type: x.Type}
		p.Inputs = append(p.Inputs, in)
		parts = append(parts, leaves(p.Store, p.Store.Input(in))...)
	}
	return p.Store.Packed(parts)
}

// applied applies each of several maps to x: one value, or a tuple.
func applied(s *term.Store, maps []term.Term, x term.Term) term.Term {
	return s.Packed(slice.Map(maps, func(m term.Term) term.Term { return s.Apply(ops.SymLapply, m, x) }))
}

// GradientOf is the program of the value of p, a real scalar, and its gradient, as calls:
// of p itself, and of what gives the cotangents of its arrays.
func GradientOf(p *term.Program, value, pullback ops.Sym) (*term.Program, error) {
	wrt, err := Varied(p, nil)
	if err != nil {
		return nil, err
	}
	q := &term.Program{Store: term.NewStore(p.Store.Signature()), Name: p.Name, Inputs: p.Inputs, Sizes: p.Sizes}
	s := q.Store
	err = overflow.Guard(func() error {
		var operands, varied []term.Term
		for _, in := range p.Inputs {
			operands = append(operands, slice.Map(in.Leaves(), s.Input)...)
			varied = append(varied, leaves(s, s.Input(in))...)
		}
		back := s.Apply(pullback, append(operands[:len(operands):len(operands)], s.Lit(ops.ScalarR(numeric.Int(1))))...)
		byLeaf := make(map[string]term.Term)
		for i, x := range varied {
			byLeaf[s.Op(x).Name] = back
			if len(varied) > 1 {
				byLeaf[s.Op(x).Name] = s.Proj(i, back)
			}
		}
		q.Root = Result(q, s.Apply(value, operands...), wrt, byLeaf)
		return nil
	})
	return q, err
}
