package maps

import (
	"errors"
	"fmt"
	"slices"

	"egad/ad"
	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/routes/chad"
	"egad/routes/krawiec"
	"egad/rules"
	"egad/stages"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// Task is a program of which maps are made.
type Task struct {
	Lib *rules.Library
	// Program is the program of the core, and Arrays the same as an array program, which has
	// the inputs; those of Program that it does not have are sizes.
	Program *fun.Program
	Arrays  *term.Program
	// Layouts say how the inputs of Program stand in those of Arrays; nil for a size.
	Layouts []*fun.Layout
	// Ended, if not nil, is asked again and again; its error ends what is done.
	Ended func() error
}

// Maps are the maps of a program, as programs with its inputs: Transposed is that of Nabla.
// Those that are not asked for are nil.
type Maps struct {
	Nabla, Transposed *term.Program
	// Chad is C[t].
	Chad *term.Program
	// Delta is h of the Delta of monadic, with Lets for what is bound, and Eval what its
	// evaluation adds to the map of Deltas.
	Delta, Eval *term.Program
}

// ErrNoReals says that there is nothing to differentiate.
var ErrNoReals = errors.New("there are no reals in the inputs, or none in the result")

// Chad makes C[t] of a program, beside ∇[t].
func Chad(t *Task) (*Maps, error) {
	return t.maps(func(b *base, out *Maps) {
		c := &combinator{maker: b.maker, lib: t.Lib, m: b.machine(t, b.d), names: make(map[uint32]term.Hint)}
		env := slice.Make(len(b.inputs), func(i int) scoped { return scoped{b.whole(b.inputs[i], t.Program.Context[i]), b.inputs[i]} })
		x := c.term(raise.Must(fun.Annotate(t.Program.Body, t.Program.Context)), b.g, env)
		p := b.sides(x.v, t.Program.Result)
		if x.c == nil {
			raise.Error(ErrNoReals)
		}
		if p != nil {
			x.c = c.after(x.c, p)
		}
		out.Chad = b.program("chad", *x.c, c.names)
		b.nabla(t, x.v, p, out, c.names)
	})
}

// Defunctional makes C[t] of a program with functions as values, as that of the program of
// first order that [chad.Defunctionalise] makes of it, beside ∇[t].
func Defunctional(t *Task) (*Maps, error) {
	first := *t
	var err error
	if first.Program, err = chad.Defunctionalise(t.Program); err != nil {
		return nil, err
	}
	return Chad(&first)
}

// Monadic makes h of the Delta of the route monadic, and its evaluation, beside ∇[t].
func Monadic(t *Task) (*Maps, error) {
	return t.maps(func(b *base, out *Maps) {
		m := b.machine(t, b.d)
		primal := raise.Must(m.Eval(t.Program.Body, b.inputs))
		p := b.sides(primal, t.Program.Result)
		ids, inputs := b.ids(t)
		v, bound, err := krawiec.Find("monadic").Trace(&krawiec.Task{Lib: t.Lib, Program: t.Program, Steps: fun.LoweringSteps, Ended: t.Ended}, &fun.Unrolled{Terms: b.d}, inputs, len(ids)+1)
		raise.Error(err)
		of := func(eval bool) *term.Term {
			return (&meaning{b.maker, eval, slices.Clone(ids)}).result(v, t.Program.Result, bound, b.g)
		}
		h, e := of(false), of(true)
		if h == nil || e == nil {
			raise.Error(ErrNoReals)
		}
		if p != nil {
			h, e = b.after(p, h), b.after(e, p)
		}
		out.Delta, out.Eval = b.program("delta", *h, nil), b.program("eval", *e, nil)
		b.nabla(t, primal, p, out, nil)
	})
}

// base is what all maps of a program have in common.
type base struct {
	maker
	p      *term.Program // with the inputs
	wrt    []term.Input  // the arrays of reals in them
	inputs []fun.Value
	g      *environment
}

func (t *Task) maps(f func(b *base, out *Maps)) (*Maps, error) {
	out := new(Maps)
	s := term.NewStore(t.Arrays.Store.Signature())
	err := fun.OnTerms(s, func(d *fun.Terms) error {
		b := &base{maker: maker{d, s}, p: &term.Program{Store: s, Name: t.Arrays.Name, Inputs: t.Arrays.Inputs}}
		var types []*types.Type
		for _, leaf := range term.Leaves(t.Arrays.Inputs) {
			if leaf.Type.Differentiable() && !leaf.Type.HasEmptyAxis() {
				b.wrt, types = append(b.wrt, leaf), append(types, leaf.Type)
			}
		}
		if len(types) == 0 {
			return ErrNoReals
		}
		b.g = &environment{all: term.PackedType(types)}
		for i, name := range t.Program.Names {
			b.inputs = append(b.inputs, t.input(d, name, t.Layouts[i]))
		}
		f(b, out)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// input is the value of an input, or of a size.
func (t *Task) input(d *fun.Terms, name string, l *fun.Layout) fun.Value {
	if l == nil {
		return t.Arrays.Sizes[name]
	}
	var arrays []term.Input
	if i := slices.IndexFunc(t.Arrays.Inputs, func(in term.Input) bool { return in.Name == name }); i >= 0 {
		arrays = fun.LeavesOf(t.Arrays.Inputs[i])
	}
	return d.Input(l, arrays)
}

func (b *base) machine(t *Task, d fun.Domain) *fun.Machine {
	return &fun.Machine{Domain: d, Limit: fun.LoweringSteps, Ended: t.Ended}
}

// place is the variable that a real of the inputs is: an array of reals, or an element of one.
func (b *base) place(x term.Term) variable {
	out := variable{at: b.g}
	switch v := b.s.Open(x); v.Op.Sym {
	case ops.SymVar:
		i := slices.IndexFunc(b.wrt, func(in term.Input) bool { return in.Name == v.Op.Name })
		if i < 0 {
			break
		}
		if len(b.wrt) == 1 {
			out.in, out.out = b.one(b.g.all), b.one(b.g.all)
			return out
		}
		out.in = b.make(ops.Op{Sym: ops.SymLinj, N: i, Type: b.g.all})
		out.out = b.make(ops.Op{Sym: ops.SymLproj, N: i, Type: b.g.all})
		return out
	case ops.SymIndex:
		all := b.place(v.Kids[0])
		op := ops.Op{Sym: b.s.Signature().Operator(ops.SymGather).Map, Type: b.s.Type(v.Kids[0])}
		read := b.make(op, v.Kids[1:]...)
		out.in = b.after(all.in, b.make(ops.Op{Sym: ops.SymLtranspose}, *read))
		out.out = b.after(read, all.out)
		return out
	}
	raise.Error(fmt.Errorf("%s is no input", (&term.Printer{Store: b.s}).Term(x)))
	return out
}

// whole is the variable that an input is.
func (b *base) whole(v fun.Value, t *fun.Type) variable {
	out := variable{at: b.g}
	switch t.Kind {
	case fun.KReal:
		return b.place(v.(term.Term))
	case fun.KArray:
		if n, each := b.d.Rows(v); n > 0 {
			return b.whole(each, t.Parts[0])
		}
	case fun.KProd, fun.KSum:
		l, r, _ := b.halves(v, t)
		x, y := b.whole(l, t.Parts[0]), b.whole(r, t.Parts[1])
		out.in, out.out = b.join(x.in, y.in), b.pair(x.out, y.out)
	}
	return out
}

// ids gives each real of the inputs an id, from 1: the variables that they stand for, and the
// inputs with the Deltas.
func (b *base) ids(t *Task) (ids []variable, inputs []fun.Value) {
	for i, v := range b.inputs {
		inputs = append(inputs, b.d.MapReals(v, t.Program.Context[i], func(x term.Term) fun.Value {
			if ids = append(ids, b.place(x)); len(ids) > mostBound {
				raise.Error(fmt.Errorf("linear maps of more than %d reals in the inputs are not written element by element", mostBound))
			}
			return &fun.Pairing{L: x, R: &krawiec.Delta{Kind: krawiec.Var, ID: len(ids)}}
		}))
	}
	return ids, inputs
}

// program is a map as a program.
func (b *base) program(name string, m term.Term, names map[uint32]term.Hint) *term.Program {
	p := *b.p
	p.Name, p.Root, p.Names = p.Name+"_"+name, m, names
	return &p
}

// nabla adds ∇[t] of a program with a value: that of package ad, of the arrays of reals in the
// value. It is only taken where the value has the side that it has, by p if that is not known.
func (b *base) nabla(t *Task, v fun.Value, p *term.Term, out *Maps, names map[uint32]term.Hint) {
	var reals []term.Term
	b.reals(v, t.Program.Result, &reals)
	if len(reals) == 0 {
		raise.Error(ErrNoReals)
	}
	q := *b.p
	q.Root = b.s.Packed(reals)
	j := raise.Must(ad.Linearise(t.Lib, &q, nil))
	in := &base{maker: maker{b.d, j.Prog.Store}, p: b.program("", j.Forward, nil)}
	in.p.Store, in.p.Name = j.Prog.Store, b.p.Name
	parts := j.Forwards
	m := in.assembled(v, t.Program.Result, &parts, b.g)
	if p != nil {
		m = in.after(p, m)
	}
	out.Nabla = in.program("nabla", *m, names)
	out.Transposed = in.program("transposed", *in.make(ops.Op{Sym: ops.SymLtranspose}, *m), names)
}

// reals lists the arrays of reals in a value.
func (b *base) reals(v fun.Value, t *fun.Type, into *[]term.Term) {
	switch t.Kind {
	case fun.KReal:
		*into = append(*into, v.(term.Term))
	case fun.KProd, fun.KSum:
		l, r, _ := b.halves(v, t)
		for i, x := range []fun.Value{l, r} {
			if x != nil {
				b.reals(x, t.Parts[i], into)
			}
		}
	case fun.KArray:
		if n, each := b.d.Rows(v); n > 0 {
			b.reals(each, t.Parts[0], into)
		}
	}
}

// assembled is the map to the changes of a value whose arrays of reals have the given maps.
func (b *base) assembled(v fun.Value, t *fun.Type, parts *[]term.Term, g *environment) *term.Term {
	switch t.Kind {
	case fun.KReal:
		m := (*parts)[0]
		*parts = (*parts)[1:]
		return &m
	case fun.KArray:
		if n, each := b.d.Rows(v); n > 0 {
			return b.assembled(each, t.Parts[0], parts, g)
		}
	case fun.KProd, fun.KSum:
		l, r, _ := b.halves(v, t)
		half := func(x fun.Value, t *fun.Type) *term.Term {
			if x == nil {
				return b.zero(g.all, b.changes(nil, t))
			}
			return b.assembled(x, t, parts, g)
		}
		return b.pair(half(l, t.Parts[0]), half(r, t.Parts[1]))
	}
	return nil
}

// sides lets those changes of a value through that are of the sides that its sums are; nil
// stands for all, where these are known.
func (b *base) sides(v fun.Value, t *fun.Type) *term.Term {
	l, r, on := b.halves(v, t)
	if l == nil && r == nil {
		return nil
	}
	var of [2]*types.Type
	var maps [2]*term.Term
	for i, x := range []fun.Value{l, r} {
		if of[i] = b.changes(x, t.Parts[i]); x != nil {
			maps[i] = b.sides(x, t.Parts[i])
		}
	}
	if on == nil && maps[0] == nil && maps[1] == nil {
		return nil
	}
	var out *term.Term
	for i := range maps {
		m := b.part(ops.SymLproj, i, of[:]...)
		if maps[i] != nil {
			m = b.after(maps[i], m)
		}
		if on != nil {
			m = b.after(b.when(on[i], of[i]), m)
		}
		out = b.pair(out, m)
	}
	return out
}

// Equation says of two maps that they are equal: it has the proof, or why there is none.
type Equation struct {
	Text  string // as f_chad = ltranspose f_nabla
	Proof *stages.Equality
	Err   error
}

// Prove proves by the laws of linear maps, on e-graphs, that what the routes make is one:
// C[t] = ∇[t]ᵀ, or h of the Delta = ∇[t] and its evaluation = ∇[t]ᵀ. Each proof has been
// checked. Sums of many paths in different orders would be too long a search: so the evaluation
// is compared with the transpose of what it evaluates; and C[t] with an evaluation, if it is not
// proved else and there is one.
func (m *Maps) Prove(lib *rules.Library, delta *Maps) []Equation {
	var out []Equation
	prove := func(a, b *term.Program, what string, by ...[2]*term.Program) error {
		e := Equation{Text: a.Name + " = " + what + m.Nabla.Name}
		e.Proof, e.Err = stages.Equal(lib, a, b, ad.Options{}, by...)
		out = append(out, e)
		return e.Err
	}
	of := func(d *Maps) [][2]*term.Program {
		return [][2]*term.Program{{d.Delta, d.Nabla}, {d.Eval, transpose(d.Delta)}}
	}
	if m.Chad != nil && prove(m.Chad, m.Transposed, "ltranspose ") != nil && delta != nil {
		out = nil
		prove(m.Chad, m.Transposed, "ltranspose ", append(of(delta), [2]*term.Program{m.Chad, delta.Eval})...)
	}
	if m.Delta != nil {
		prove(m.Delta, m.Nabla, "")
		prove(m.Eval, m.Transposed, "ltranspose ", of(m)...)
	}
	return out
}

// transpose is the transpose of a map.
func transpose(p *term.Program) *term.Program {
	out := p.Clone()
	out.Name, out.Root = "ltranspose "+p.Name, out.Store.Apply(ops.SymLtranspose, p.Root)
	return out
}
