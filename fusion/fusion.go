// Package fusion writes a program as its kernels compute it: what is kept in memory is an
// array of scalars,
//
//	build n (\i -> sum (build k (\j -> x[i, j] * y[j])))
//
// and all else is scalars, computed where they are used. What an element of an operation is
// say rules, those of Fig. 10 of the dual-numbers paper: index is pushed down.
package fusion

import (
	"slices"

	"egad/extract"
	"egad/kernel"
	"egad/rules"
	"egad/term"
)

// schedule names the schedule of the element view.
const schedule = "fused"

// Fuse gives the fused program of a bulk program, with its value, bit for bit.
func Fuse(lib *rules.Library, p *term.Program, how extract.How) (*term.Program, error) {
	k, err := kernel.Keep(p)
	if err != nil {
		return nil, err
	}
	f := &fuser{Kept: k, lib: lib, how: how, arrays: make(map[uint32]array), by: make(map[string]term.Term)}
	var out *term.Program
	err = term.Guard(func() error {
		out, err = f.program()
		return err
	})
	return out, err
}

// array is what stands for a kept term while others are fused: an input.
type array struct {
	name  string
	input term.Term
}

type fuser struct {
	*kernel.Kept
	lib    *rules.Library
	how    extract.How
	arrays map[uint32]array
	by     map[string]term.Term // the fused terms, by their names
}

func (f *fuser) program() (*term.Program, error) {
	st := f.Store
	used := term.NameSet{}
	for _, in := range f.Inputs {
		for _, leaf := range in.Leaves() {
			used.Use(leaf.Name)
		}
	}
	for i, t := range f.Terms {
		name := used.Like(f.Names[i])
		f.arrays[t.ID] = array{name, st.Var(name, st.Type(t))}
	}
	names := make(map[uint32]term.Hint)
	for _, t := range f.Terms {
		x, err := f.run(f.elements(t))
		if err != nil {
			return nil, err
		}
		a := f.arrays[t.ID]
		f.by[a.name] = f.finished(x)
		names[f.by[a.name].ID] = term.Hint{Name: a.name}
	}
	out := *f.Program
	out.Root = f.finished(f.others(f.Root))
	out.Names, out.Indices = names, nil
	return &out, nil
}

// run pushes index down by the rules, and puts operands in order.
func (f *fuser) run(t term.Term) (term.Term, error) {
	x, _, err := extract.Way(extract.Through).Run(f.lib, schedule, f.Store, t, nil, f.how)
	if err != nil {
		return term.Term{}, err
	}
	o := &orderer{st: f.Store, done: make(map[string]term.Term)}
	return o.of(x.Root, nil), nil
}

// others is t with inputs in the place of what is kept.
func (f *fuser) others(t term.Term) term.Term {
	return f.Store.Replace(t, func(u term.Term) (term.Term, bool) {
		a, ok := f.arrays[u.ID]
		return a.input, ok
	})
}

// finished is t with fused terms in the place of these inputs.
func (f *fuser) finished(t term.Term) term.Term {
	return f.Store.Replace(t, func(u term.Term) (term.Term, bool) {
		x, ok := f.by[f.Store.Op(u).Name]
		return x, ok && f.Store.Op(u).Sym == term.SymVar
	})
}

// elements is a kept term as its elements. What it is made of has inputs in the place of
// what is kept.
func (f *fuser) elements(t term.Term) term.Term {
	st := f.Store
	v := st.Open(t)
	for i, k := range v.Kids {
		v.Kids[i] = f.others(k)
	}
	return f.parts(st.MustMake(v.Op, v.Own, v.Binders, v.Kids))
}

// parts is an array of elements, or what is made of such.
func (f *fuser) parts(t term.Term) term.Term {
	st := f.Store
	v := st.Open(t)
	o := st.Signature().Operator(v.Op.Sym)
	switch {
	case v.Op.Sym == term.SymStates || v.Op.Sym == term.SymProj || v.Op.Sym == term.SymConst:
	case v.Op.Sym == term.SymScatter:
		v.Kids[0] = f.each(v.Kids[0])
	case f.scatters(t): // transposed, or added up
		for i, k := range v.Kids {
			v.Kids[i] = f.parts(k)
		}
	case o.Whole || v.Op.Sym == term.SymStack:
		for i, k := range v.Kids {
			v.Kids[i] = f.each(k)
		}
	default:
		return f.each(t)
	}
	return st.MustMake(v.Op, v.Own, v.Binders, v.Kids)
}

// scatters reports whether t is a scatter, or a sum of them, or shows one transposed.
func (f *fuser) scatters(t term.Term) bool {
	switch v := f.Store.Open(t); v.Op.Sym {
	case term.SymScatter:
		return true
	case term.SymTr, term.SymAdd:
		return !slices.ContainsFunc(v.Kids, func(k term.Term) bool { return !f.scatters(k) })
	}
	return false
}

// each is an array as a build of its elements.
func (f *fuser) each(t term.Term) term.Term { return f.build(t, f.Store.Type(t).Shape, nil) }

func (f *fuser) build(t term.Term, shape []term.Size, at []term.Term) term.Term {
	if len(shape) == 0 {
		return f.element(t, at)
	}
	return f.Store.Build(shape[0], func(i term.Term) term.Term {
		return f.build(t, shape[1:], append(at[:len(at):len(at)], i))
	})
}

// element is an element of an array, which for a reduction is one of elements.
func (f *fuser) element(t term.Term, at []term.Term) term.Term {
	st := f.Store
	op := st.Op(t)
	o := st.Signature().Operator(op.Sym)
	switch {
	case o.Reduction:
		kid := st.Open(t).Kids[0]
		return st.MustMake(op, nil, nil, []term.Term{st.Build(st.Type(kid).Shape[0], func(i term.Term) term.Term {
			return f.element(kid, append([]term.Term{i}, at...))
		})})
	case op.Sym == term.SymTr:
		from := append([]term.Term{}, at...)
		for i, p := range op.Perm {
			from[p] = at[i]
		}
		return f.element(st.Open(t).Kids[0], from)
	}
	if len(at) == 0 {
		return t
	}
	return st.Index(t, at...)
}
