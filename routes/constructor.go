package routes

import (
	"strconv"
	"strings"

	"egad/ad"
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/linmap"
	"egad/rules"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// constructor is a constructor of Deltas of arrays that is a linear map: Scale, Gather,
// Sum. Its operands, the factors and indices, are inputs a0, a1, … of the map.
type constructor struct {
	all   *constructors
	m     term.Term // in the store of all
	named string
	// inputs are those of the transpose: ct, and the operands.
	inputs []term.Input
	at     *term.Program // the transpose, applied to ct; nil until it is asked for
}

// constructors are those that were met, in a store of their own.
type constructors struct {
	lib   *rules.Library
	store *term.Store
	known map[uint32]*constructor
	sums  map[string]*term.Program // by type
}

func newConstructors(lib *rules.Library, sig *term.Signature) *constructors {
	return &constructors{lib: lib, store: term.NewStore(sig), known: make(map[uint32]*constructor), sums: make(map[string]*term.Program)}
}

// of gives the constructor of a local map of another store, with the terms that are its
// operands.
func (c *constructors) of(s *term.Store, m term.Term) (*constructor, []term.Term) {
	var at []term.Term
	index := make(map[string]int)
	inputs := []term.Input{{Name: "ct", Type: s.Type(m).Parts[1]}}
	skeleton := s.Outermost(m, func(t term.Term) term.Term {
		i := memo.Place(index, &at, term.TermKey(t), t)
		if i+1 == len(inputs) {
			inputs = append(inputs, term.Input{Name: "a" + strconv.Itoa(i), Type: s.Type(t)})
		}
		return s.Input(inputs[i+1])
	})
	own := c.store.Import(s, skeleton, nil)
	con := memo.Of(c.known, own.ID, func() *constructor { return &constructor{all: c, m: own, named: constructorName(s, m), inputs: inputs} })
	return con, at
}

// constructorName is the name of the operator: Scale of lscale, Gather of lmap gather.
func constructorName(s *term.Store, m term.Term) string {
	op := s.Signature().Operator(s.Op(m).Sym)
	name := op.Name
	if op.Of != ops.SymNone {
		name = s.Signature().Operator(op.Of).Name
	} else {
		name = strings.TrimPrefix(name, "l")
	}
	return strings.ToUpper(name[:1]) + name[1:]
}

// adjoint is the program that applies the transpose to ct.
func (c *constructor) adjoint() (*term.Program, error) {
	if c.at != nil {
		return c.at, nil
	}
	st := c.all.store
	var out *term.Program
	err := overflow.Guard(func() error {
		ct := st.Input(c.inputs[0])
		x, _, err := linmap.Apply(c.all.lib, st, st.Apply(ops.SymLapply, st.Apply(ops.SymLtranspose, c.m), ct), nil, 0)
		if err == nil {
			out = small(st, x.Root, c.inputs)
		}
		if err == nil && out.HasLoops() {
			// A loop computes with changes that most of its steps leave as they are.
			out, err = ad.Simplified(c.all.lib, out, ad.Options{})
		}
		return err
	})
	c.at = out
	return out, err
}

// small is a program of a term, in a store of its own.
func small(s *term.Store, t term.Term, inputs []term.Input) *term.Program {
	st := term.NewStore(s.Signature())
	return &term.Program{Store: st, Root: st.Import(s, t, nil), Inputs: inputs}
}

// evaluate is the value of a program of which the inputs are given, in order. It may share
// memory with them, as values are never overwritten.
func evaluate[V any](alg eval.Algebra[V], p *term.Program, xs []V) (V, error) {
	env := make(eval.Env[V])
	for i, in := range p.Inputs {
		if err := eval.BindLeaves(alg, env, in, xs[i]); err != nil {
			return xs[i], err
		}
	}
	if staged, ok := any(alg).(eval.Staged[float64]); ok {
		r, err := eval.NewRunner(p.Store, p.Root, staged)
		var v *eval.Value[float64]
		if err == nil {
			v, err = r.Run(any(env).(eval.Env[*eval.Value[float64]]))
		}
		return any(v).(V), err
	}
	return eval.Interpret(p.Store, p.Root, alg, env)
}

// plus is the program that adds a1 to a0, both of type t.
func (c *constructors) plus(t *types.Type) (*term.Program, error) {
	return memo.Get(c.sums, t.String(), func() (*term.Program, error) {
		p := &term.Program{Store: term.NewStore(c.store.Signature()), Inputs: []term.Input{{Name: "a0", Type: t}, {Name: "a1", Type: t}}}
		return p, overflow.Guard(func() error {
			p.Root = sum(p.Store, p.Store.Input(p.Inputs[0]), p.Store.Input(p.Inputs[1]))
			return nil
		})
	})
}

// sum adds arrays, or tuples of them.
func sum(s *term.Store, a, b term.Term) term.Term {
	t := s.Type(a)
	if t.Kind != types.KTuple {
		return s.Apply(ops.SymAdd, a, b)
	}
	parts := slice.Make(len(t.Parts), func(i int) term.Term { return sum(s, s.Proj(i, a), s.Proj(i, b)) })
	return s.Apply(ops.SymTuple, parts...)
}
