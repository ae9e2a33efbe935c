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

	"egad/bot"
	"egad/extract"
	"egad/kernel/cost"
	"egad/kernel/lower"
	"egad/loops"
	"egad/rules"
	"egad/rules/load"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// elementView names the schedule of the element view.
const elementView = "fused"

// Fuse gives the fused program of a program without linear maps, with its value, bit for
// bit. The rules are those of lib or, if that is nil, of egad; what loops keep for later ones
// is chosen by weights, those of egad if they are nil.
func Fuse(lib *rules.Library, p *term.Program, weights *cost.Weights, how extract.How) (*term.Program, error) {
	err := p.Made()
	if err != nil {
		return nil, err
	}
	if lib == nil {
		if lib, err = load.Builtin(p.Store.Signature()); err != nil {
			return nil, err
		}
	}
	if p, err = takenApart(lib, p); err != nil {
		return nil, err
	}
	residuals := weights.Residuals()
	if p, err = loops.WithResiduals(p, residuals); err != nil {
		return nil, err
	}
	if p, err = asked(lib, p); err != nil {
		return nil, err
	}
	if p, err = distances(lib, p); err != nil {
		return nil, err
	}
	if p, err = loopsOut(lib, p); err != nil {
		return nil, err
	}
	p = hoisted(p, residuals)
	if p, err = factored(lib, p); err != nil {
		return nil, err
	}
	k, err := lower.Keep(p)
	if err != nil {
		return nil, err
	}
	f := &fuser{Kept: k, lib: lib, weights: weights, how: how, arrays: make(map[uint32]array), by: make(map[string]term.Term), loops: make(map[string]term.Term)}
	var out *term.Program
	err = overflow.Guard(func() error {
		out, err = f.program()
		return err
	})
	if err != nil {
		return nil, err
	}
	return loops.WithResiduals(out, loops.Residuals{Scalars: true}) // more reads of elements show now
}

// loopsOut is a program without loops for the elements of an array, each with states of its
// own: one loop, of which the states are arrays, takes all elements on. That is the
// bulk-operation transform. Where some make more steps than others it is left, as the one
// loop would make as many for all.
func loopsOut(lib *rules.Library, p *term.Program) (*term.Program, error) {
	st := p.Store
	if !st.Contains(p.Root, func(t term.Term) bool { return st.Op(t).Sym == ops.SymStates && len(t.Args) > 0 }) {
		return p, nil
	}
	inside, counted := false, false
	seen, built := make(map[string]bool), make(map[slot.Name]bool)
	of := func(t term.Term) bool { return slices.ContainsFunc(t.Args, func(n slot.Name) bool { return built[n] }) }
	var visit func(t term.Term)
	visit = func(t term.Term) {
		key := term.TermKey(t)
		if seen[key] {
			return
		}
		seen[key] = true
		v := st.Open(t)
		switch {
		case v.Op.Sym == ops.SymBuild:
			built[v.Binders[0]] = true
		case v.Op.Sym == ops.SymStates && of(t):
			inside, counted = true, counted || of(v.Kids[1])
		}
		for _, k := range v.Kids {
			visit(k)
		}
	}
	visit(p.Root)
	if !inside || counted {
		return p, nil
	}
	out, _, err := bot.Transform(lib, p, 0)
	return out, err
}

// array is what stands for a kept term while others are fused: an input, with an axis for
// each index variable on which the term depends.
type array struct {
	name  string
	input term.Term
}

type fuser struct {
	*lower.Kept
	lib     *rules.Library
	weights *cost.Weights
	how     extract.How
	used    term.NameSet
	arrays  map[uint32]array
	by      map[string]term.Term // the fused terms, by their names
	loops   map[string]term.Term // with fused steps, by their keys
}

func (f *fuser) program() (*term.Program, error) {
	st := f.Store
	for _, leaf := range term.Leaves(f.Inputs) {
		f.used.Use(leaf.Name)
	}
	for i, t := range f.Terms {
		name, typ := f.used.Like(f.Names[i]), st.Type(t)
		shape := typ.Shape
		for j := range t.Args {
			shape = slices.Insert(slices.Clone(shape), j, st.Vars(t)[j].Size)
		}
		f.arrays[t.ID] = array{name, st.Var(name, types.ArrayOf(typ.Elem, shape...))}
	}
	names := make(map[uint32]term.Hint)
	for id, h := range f.Program.Names {
		if st.Op(term.Term{ID: id}).Sym == ops.SymConst {
			names[id] = h
		}
	}
	for _, t := range f.Terms {
		x, err := f.elements(t)
		if err != nil {
			return nil, err
		}
		a := f.arrays[t.ID]
		f.by[a.name] = f.finished(x)
		names[f.by[a.name].ID] = term.Hint{Name: a.name}
	}
	root, err := f.result(f.Root)
	if err != nil {
		return nil, err
	}
	out := *f.Program
	out.Root, out.Names, out.Indices = root, names, nil
	return &out, nil
}

// result is a result, or the tuple of them: of what is not kept, its elements.
func (f *fuser) result(t term.Term) (term.Term, error) {
	st := f.Store
	if typ := st.Type(t); typ.Kind == types.KTuple { // a tuple, or all states of a loop
		kids := make([]term.Term, len(typ.Parts))
		for i := range kids {
			var err error
			if kids[i], err = f.result(st.Proj(i, t)); err != nil {
				return t, err
			}
		}
		return st.Apply(ops.SymTuple, kids...), nil
	}
	if a, ok := f.arrays[t.ID]; ok {
		return f.by[a.name], nil
	}
	if st.Op(t).Sym == ops.SymVar {
		return t, nil
	}
	x, err := f.run(f.each(f.others(t)))
	return f.finished(x), err
}

// run pushes index down by the rules, into what reductions and whole operators take too,
// and puts operands in order.
func (f *fuser) run(t term.Term) (term.Term, error) {
	for more := true; more; {
		x, _, err := extract.Way(extract.Through).Run(f.lib, elementView, f.Store, t, nil, f.how)
		if err != nil {
			return term.Term{}, err
		}
		more = false
		t = f.Store.Replace(x.Root, func(u term.Term) (term.Term, bool) {
			st := f.Store
			if o := st.Signature().Operator(st.Op(u).Sym); !o.Reduction && !o.Whole {
				return u, false
			}
			v, made := st.Open(u), false
			for i, k := range v.Kids {
				if st.Type(k).Kind == types.KArray && !f.read(k) {
					v.Kids[i], made = f.each(k), true
				}
			}
			more = more || made
			return st.MustMake(v.Op, v.Own, v.Binders, v.Kids), made
		})
	}
	o := &orderer{st: f.Store, done: make(map[string]term.Term)}
	return o.of(t, nil), nil
}

// read reports whether kernels read the elements of an array as it is: of a build, of what
// is in memory, or of what is computed of these element by element. What is kept they read by index,
// as they compute the elements of a build where it stands.
func (f *fuser) read(t term.Term) bool {
	st := f.Store
	op, kids := st.Op(t), st.Kids(t)
	all := func() bool {
		return !slices.ContainsFunc(kids, func(k slot.Kid) bool { return !f.read(term.Term{ID: k.ID}) })
	}
	switch {
	case len(st.Type(t).Shape) == 0:
		return true
	case op.Sym == ops.SymBuild:
		return all()
	case op.Sym == ops.SymIndex:
		return st.Op(term.Term{ID: kids[0].ID}).Sym == ops.SymVar || f.read(term.Term{ID: kids[0].ID})
	case op.Sym == ops.SymVar:
		_, kept := f.by[op.Name]
		return !kept
	case op.Sym == ops.SymConst, op.Sym == ops.SymIota:
		return true
	}
	return st.Signature().Operator(op.Sym).Elementwise && all()
}

// others is t with inputs in the place of what is kept.
func (f *fuser) others(t term.Term) term.Term {
	return f.Store.Replace(t, func(u term.Term) (term.Term, bool) {
		a, ok := f.arrays[u.ID]
		if !ok || len(u.Args) == 0 {
			return a.input, ok
		}
		return f.Store.Index(a.input, f.Store.Ivars(u)...), true
	})
}

// finished is t with fused terms in the place of these inputs.
func (f *fuser) finished(t term.Term) term.Term {
	return f.Store.Replace(t, func(u term.Term) (term.Term, bool) {
		x, ok := f.by[f.Store.Op(u).Name]
		return x, ok && f.Store.Op(u).Sym == ops.SymVar
	})
}

// elements is a kept term as its elements. What it is made of has inputs in the place of
// what is kept.
func (f *fuser) elements(t term.Term) (term.Term, error) {
	st := f.Store
	v := st.Open(t)
	if v.Op.Sym != ops.SymStates {
		for i, k := range v.Kids {
			if st.Type(k).Kind == types.KArray {
				v.Kids[i] = f.others(k)
			}
		}
	}
	x, err := f.parts(st.MustMake(v.Op, v.Own, v.Binders, v.Kids))
	if err != nil {
		return x, err
	}
	return st.BuildOver(t, x), nil
}

// parts is an array of elements, or what is made of such.
func (f *fuser) parts(t term.Term) (term.Term, error) {
	st := f.Store
	v := st.Open(t)
	o := st.Signature().Operator(v.Op.Sym)
	switch {
	case v.Op.Sym == ops.SymStates:
		return f.loop(t)
	case v.Op.Sym == ops.SymProj:
		x, err := f.loop(v.Kids[0])
		return st.Proj(v.Op.N, x), err
	case v.Op.Sym == ops.SymConst:
		return t, nil
	case f.scatters(t): // one, or transposed or added up, which takes one run for all
		return f.run(st.Replace(t, func(u term.Term) (term.Term, bool) {
			if st.Op(u).Sym != ops.SymScatter {
				return u, false
			}
			w := st.Open(u)
			w.Kids[0] = f.each(w.Kids[0])
			return st.MustMake(w.Op, w.Own, w.Binders, w.Kids), true
		}))
	case o.Whole || v.Op.Sym == ops.SymStack || v.Op.Sym == ops.SymReshape && f.reduces(t):
		for i, k := range v.Kids {
			v.Kids[i] = f.each(k)
		}
	default:
		return f.run(f.each(t))
	}
	return f.run(st.MustMake(v.Op, v.Own, v.Binders, v.Kids))
}

// reduces reports whether t is a reduction, or shows one.
func (f *fuser) reduces(t term.Term) bool {
	st := f.Store
	for sym := st.Op(t).Sym; sym == ops.SymTr || sym == ops.SymReshape; sym = st.Op(t).Sym {
		t = st.Open(t).Kids[0]
	}
	o := st.Signature().Operator(st.Op(t).Sym)
	return o.Reduction && !o.Whole
}

// loop is a loop with a fused step. It is asked for once for each component that is kept.
func (f *fuser) loop(t term.Term) (term.Term, error) {
	key := term.TermKey(t)
	x, ok := f.loops[key]
	if ok {
		return x, nil
	}
	x, err := f.fusedLoop(t)
	if err == nil {
		f.loops[key] = x
	}
	return x, err
}

func (f *fuser) fusedLoop(t term.Term) (term.Term, error) {
	st := f.Store
	v := st.Open(t)
	init, err := f.begin(v.Kids[0])
	if err != nil {
		return t, err
	}
	count, err := f.run(f.others(v.Kids[1]))
	if err != nil {
		return t, err
	}
	step, err := f.step(st.MustMake(v.Op, v.Own, v.Binders, []term.Term{v.Kids[0], v.Kids[1], f.others(v.Kids[2])}))
	if err != nil {
		return t, err
	}
	return st.MustMake(v.Op, v.Own, step.Binders, []term.Term{init, count, step.Kids[2]}), nil
}

// begin is a first state by its elements.
func (f *fuser) begin(t term.Term) (term.Term, error) {
	st := f.Store
	if st.Type(t).Kind == types.KArray {
		return f.run(f.each(f.others(t)))
	}
	v := st.Open(t)
	for i, k := range v.Kids {
		var err error
		if v.Kids[i], err = f.begin(k); err != nil {
			return t, err
		}
	}
	return st.MustMake(v.Op, v.Own, v.Binders, v.Kids), nil
}

// step fuses the step of a loop, as a program by itself.
func (f *fuser) step(t term.Term) (term.View, error) {
	st := f.Store
	used := f.used.Clone()
	opened := lower.OpenStep(st, t, used.Like)
	p := &term.Program{Store: st, Name: f.Name, Root: opened.Body, Inputs: slices.Clone(opened.Inputs), Index: f.Index}
	own := make(map[string]bool)
	back := make(map[string]term.Term)
	for i, in := range p.Inputs {
		own[in.Name], back[in.Name] = true, opened.Stands[i]
	}
	st.Walk(opened.Body, func(u term.Term) {
		if op := st.Op(u); op.Sym == ops.SymVar && !own[op.Name] {
			own[op.Name] = true
			p.Inputs = append(p.Inputs, term.Input{Name: op.Name, Type: st.Type(u)})
		}
	})
	q, err := Fuse(f.lib, p, f.weights, f.how)
	if err != nil {
		return term.View{}, err
	}
	v := opened.View
	v.Kids[2] = st.SubstVars(st.Import(q.Store, q.Root, nil), back)
	return v, nil
}

// scatters reports whether t is a scatter, or a sum of them, or shows one transposed.
func (f *fuser) scatters(t term.Term) bool {
	switch v := f.Store.Open(t); v.Op.Sym {
	case ops.SymScatter:
		return true
	case ops.SymTr, ops.SymAdd:
		return !slices.ContainsFunc(v.Kids, func(k term.Term) bool { return !f.scatters(k) })
	}
	return false
}

// each is an array as a build of its elements.
func (f *fuser) each(t term.Term) term.Term { return f.build(t, f.Store.Type(t).Shape, nil) }

func (f *fuser) build(t term.Term, shape []size.Size, at []term.Term) term.Term {
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
	case op.Sym == ops.SymTr:
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
