package linmap

import (
	"fmt"
	"math/big"
	"math/rand"
	"slices"
	"testing"

	"egad/extract"
	"egad/rules/load"
	"egad/slot"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// mapMaker makes random linear maps.
type mapMaker struct {
	s    *term.Store
	rng  *rand.Rand
	env  eval.Env[*eval.Value[*big.Rat]]
	vars []ranged // index variables in scope
}

type ranged struct {
	name slot.Name
	size size.Size
}

func (m *mapMaker) value(t *types.Type) *eval.Value[*big.Rat] {
	if t.Kind == types.KTuple {
		v := &eval.Value[*big.Rat]{}
		for _, p := range t.Parts {
			v.Parts = append(v.Parts, m.value(p))
		}
		return v
	}
	v, err := eval.RationalArrays().New(t)
	if err != nil {
		panic(err)
	}
	for i := range v.R {
		v.R[i] = big.NewRat(int64(m.rng.Intn(7)-3), 1)
	}
	for i := range v.N {
		v.N[i] = int64(m.rng.Intn(4) - 1)
		if t.Elem == types.B {
			v.N[i] &= 1
		}
	}
	return v
}

// input is a term of a real, integer or boolean array that depends on the index
// variables in scope.
func (m *mapMaker) input(t *types.Type) term.Term {
	var shape []size.Size
	var ix []term.Term
	for _, v := range m.vars {
		shape = append(shape, v.size)
		ix = append(ix, m.s.Ivar(v.name, v.size))
	}
	whole := types.ArrayOf(t.Elem, slices.Concat(shape, t.Shape)...)
	name := fmt.Sprintf("v%d", len(m.env))
	m.env[name] = m.value(whole)
	x := m.s.Var(name, whole)
	if len(ix) == 0 {
		return x
	}
	return m.s.Index(x, ix...)
}

func (m *mapMaker) size() size.Size { return size.Const(int64(1 + m.rng.Intn(3))) }

func (m *mapMaker) shape() []size.Size {
	var out []size.Size
	for range m.rng.Intn(3) {
		out = append(out, m.size())
	}
	return out
}

func (m *mapMaker) typ() *types.Type {
	if m.rng.Intn(5) == 0 {
		return types.TupleOf(types.ArrayOf(types.R, m.shape()...), types.ArrayOf(types.R, m.shape()...))
	}
	return types.ArrayOf(types.R, m.shape()...)
}

func (m *mapMaker) make(op ops.Op, kids ...term.Term) term.Term {
	return m.s.MustMake(op, nil, nil, kids)
}

// from makes a map from type t to whatever type it has.
func (m *mapMaker) from(t *types.Type, depth int) term.Term {
	if depth > 0 {
		switch m.rng.Intn(7) {
		case 0, 1:
			first := m.from(t, depth-1)
			return m.make(ops.Op{Sym: ops.SymLcompose}, m.from(m.s.Type(first).Parts[1], depth-1), first)
		case 2:
			return m.make(ops.Op{Sym: ops.SymLpair}, m.from(t, depth-1), m.from(t, depth-1))
		case 3:
			f := m.from(t, depth-1)
			return m.make(ops.Op{Sym: ops.SymLadd}, f, m.between(t, m.s.Type(f).Parts[1], depth-1))
		case 4:
			return m.make(ops.Op{Sym: ops.SymLtranspose}, m.between(m.typ(), t, depth-1))
		case 5: // B
			k := m.size()
			n := m.s.Fresh()
			m.vars = append(m.vars, ranged{n, k})
			body := m.between(t, types.ArrayOf(types.R, m.shape()...), depth-1)
			m.vars = m.vars[:len(m.vars)-1]
			return m.s.MustMake(ops.Op{Sym: ops.SymLbuild, Sizes: []size.Size{k}}, nil, []slot.Name{n}, []term.Term{body})
		}
	}
	if t.Kind == types.KTuple {
		if m.rng.Intn(2) == 0 {
			return m.make(ops.Op{Sym: ops.SymLproj, N: m.rng.Intn(len(t.Parts)), Type: t})
		}
		to := m.typ()
		var ms []term.Term
		for _, p := range t.Parts {
			ms = append(ms, m.between(p, to, depth-1))
		}
		return m.make(ops.Op{Sym: ops.SymLjoin}, ms...)
	}
	return m.arrayMap(t, depth)
}

// arrayMap makes a map from arrays.
func (m *mapMaker) arrayMap(t *types.Type, depth int) term.Term {
	for {
		switch m.rng.Intn(10) {
		case 0:
			return m.make(ops.Op{Sym: ops.SymLone, Type: t})
		case 1:
			return m.make(ops.Op{Sym: ops.SymLscale}, m.input(t))
		case 2:
			return m.make(ops.Op{Sym: ops.SymLmask}, m.input(types.ArrayOf(types.B, t.Shape...)))
		case 3:
			return m.make(ops.Op{Sym: ops.SymLcond, Type: t}, m.input(types.ArrayOf(types.B)))
		case 4:
			return m.make(ops.Op{Sym: ops.SymReplicate, Sizes: []size.Size{m.size()}}.MapOn(t))
		case 5:
			if len(t.Shape) > 0 {
				return m.make(ops.Op{Sym: ops.SymSum}.MapOn(t))
			}
		case 6:
			return m.make(ops.Op{Sym: ops.SymTr, Perm: m.rng.Perm(len(t.Shape))}.MapOn(t))
		case 7:
			return m.make(ops.Op{Sym: ops.SymReshape, Sizes: []size.Size{size.Product(t.Shape)}}.MapOn(t))
		case 8: // a gather: every index reads at random places
			ks := m.shape()
			return m.indexed(ops.Op{Sym: ops.SymGather, Sizes: ks}.MapOn(t), m.rng.Intn(len(t.Shape)+1))
		case 9:
			n := m.rng.Intn(len(t.Shape) + 1)
			targets := m.shape()
			return m.indexed(ops.Op{Sym: ops.SymScatter, Sizes: t.Shape[:n], Targets: targets}.MapOn(t), len(targets))
		}
	}
}

// indexed makes a gather or scatter with n index functions.
func (m *mapMaker) indexed(op ops.Op, n int) term.Term {
	names := m.s.FreshN(len(op.Sizes))
	depth := len(m.vars)
	for i, x := range names {
		m.vars = append(m.vars, ranged{x, op.Sizes[i]})
	}
	var kids []term.Term
	for range n {
		kids = append(kids, m.input(types.ArrayOf(types.I)))
	}
	m.vars = m.vars[:depth]
	return m.s.MustMake(op, nil, names, kids)
}

// between makes a map between two types.
func (m *mapMaker) between(from, to *types.Type, depth int) term.Term {
	switch {
	case from.Equal(to) && m.rng.Intn(2) == 0:
		return m.make(ops.Op{Sym: ops.SymLone, Type: from})
	case to.Kind == types.KTuple && m.rng.Intn(4) > 0:
		var ms []term.Term
		for _, p := range to.Parts {
			ms = append(ms, m.between(from, p, depth-1))
		}
		return m.make(ops.Op{Sym: ops.SymLpair}, ms...)
	case to.Kind == types.KTuple:
		n := m.rng.Intn(len(to.Parts))
		return m.make(ops.Op{Sym: ops.SymLcompose}, m.make(ops.Op{Sym: ops.SymLinj, N: n, Type: to}), m.between(from, to.Parts[n], depth-1))
	case from.Kind == types.KTuple && m.rng.Intn(2) == 0:
		var ms []term.Term
		for _, p := range from.Parts {
			ms = append(ms, m.between(p, to, depth-1))
		}
		return m.make(ops.Op{Sym: ops.SymLjoin}, ms...)
	case m.rng.Intn(6) == 0:
		return m.make(ops.Op{Sym: ops.SymLzero, Type: from, Type2: to})
	}
	// Sum everything up, and spread it out again.
	f := m.from(from, depth-1)
	cod := m.s.Type(f).Parts[1]
	for cod.Kind == types.KTuple {
		f = m.make(ops.Op{Sym: ops.SymLcompose}, m.make(ops.Op{Sym: ops.SymLproj, Type: cod}), f)
		cod = cod.Parts[0]
	}
	for len(cod.Shape) > 0 {
		f = m.make(ops.Op{Sym: ops.SymLcompose}, m.make(ops.Op{Sym: ops.SymSum}.MapOn(cod)), f)
		cod = types.ArrayOf(types.R, cod.Shape[1:]...)
	}
	for i := len(to.Shape) - 1; i >= 0; i-- {
		r := m.make(ops.Op{Sym: ops.SymReplicate, Sizes: to.Shape[i : i+1]}.MapOn(cod))
		f = m.make(ops.Op{Sym: ops.SymLcompose}, r, f)
		cod = m.s.Type(r).Parts[1]
	}
	return m.make(ops.Op{Sym: ops.SymLcompose}, m.make(ops.Op{Sym: ops.SymLscale}, m.input(to)), f)
}

func equalValues(a, b *eval.Value[*big.Rat]) bool {
	if len(a.Parts) != len(b.Parts) || len(a.R) != len(b.R) {
		return false
	}
	for i := range a.Parts {
		if !equalValues(a.Parts[i], b.Parts[i]) {
			return false
		}
	}
	for i := range a.R {
		if a.R[i].Cmp(b.R[i]) != 0 {
			return false
		}
	}
	return true
}

// linear combines values: a*x + y.
func combine(a *big.Rat, x, y *eval.Value[*big.Rat]) *eval.Value[*big.Rat] {
	out := &eval.Value[*big.Rat]{Elem: x.Elem, Shape: x.Shape}
	for i := range x.Parts {
		out.Parts = append(out.Parts, combine(a, x.Parts[i], y.Parts[i]))
	}
	for i := range x.R {
		out.R = append(out.R, new(big.Rat).Add(new(big.Rat).Mul(a, x.R[i]), y.R[i]))
	}
	return out
}

// bind gives the leaves of an input called x their values.
func bind(env eval.Env[*eval.Value[*big.Rat]], in term.Input, v *eval.Value[*big.Rat]) {
	if in.Type.Kind != types.KTuple {
		env[in.Name] = v
		return
	}
	for i, p := range in.Type.Parts {
		bind(env, term.Input{Name: fmt.Sprintf("%s.%d", in.Name, i), Type: p}, v.Parts[i])
	}
}

// TestMapsAreTheirMatrices makes random linear maps and applies them by rules:
// the result is what the matrix says, for a map and for its transpose, and it is
// linear (LM1 and LM2 of Coconut, Section 2): m (a * x + y) = a * (m x) + m y.
func TestMapsAreTheirMatrices(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	alg := Algebra[*big.Rat]{Arrays: eval.RationalArrays()}
	for seed := range 300 {
		m := &mapMaker{s: term.NewStore(sig), rng: rand.New(rand.NewSource(int64(seed))), env: eval.Env[*eval.Value[*big.Rat]]{}}
		f := m.from(m.typ(), 4)
		if seed%2 == 1 {
			f = m.make(ops.Op{Sym: ops.SymLtranspose}, f)
		}
		pr := &term.Printer{Store: m.s}
		dom := m.s.Type(f).Parts[0]
		in := term.Input{Name: "x", Type: dom}
		applied := m.s.Apply(ops.SymLapply, f, m.s.Input(in))
		x, _, err := Apply(lib, m.s, applied, nil, 0)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, pr.Term(f))
		}
		run := func(u term.Term, v *eval.Value[*big.Rat]) *eval.Value[*big.Rat] {
			bind(m.env, in, v)
			r, err := eval.Interpret(m.s, u, alg, m.env)
			if err != nil {
				t.Fatalf("seed %d: %v\n%s", seed, err, pr.Term(u))
			}
			return r
		}
		a, v, w := big.NewRat(3, 2), m.value(dom), m.value(dom)
		if !equalValues(run(x.Root, v), run(applied, v)) {
			t.Fatalf("seed %d: the rules and the matrix disagree on\n%s\napplied\n%s", seed, pr.Term(f), pr.Term(x.Root))
		}
		if !equalValues(run(x.Root, combine(a, v, w)), combine(a, run(x.Root, v), run(x.Root, w))) {
			t.Fatalf("seed %d: not linear\n%s\napplied\n%s", seed, pr.Term(f), pr.Term(x.Root))
		}
		// Pushing transposes to the leaves keeps the matrix.
		y, _, err := Transpose(extract.Through, lib, m.s, f, nil, 0)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, pr.Term(f))
		}
		matrix := func(of term.Term) *Matrix[*big.Rat] {
			v, err := eval.Interpret(m.s, of, alg, m.env)
			if err != nil {
				t.Fatal(err)
			}
			return matrixOf(v)
		}
		p, q := matrix(f), matrix(y.Root)
		if p.Rows != q.Rows || p.Cols != q.Cols || !slices.EqualFunc(p.At, q.At, func(a, b *big.Rat) bool { return a.Cmp(b) == 0 }) {
			t.Fatalf("seed %d: transposition changes the matrix of\n%s\nto that of\n%s", seed, pr.Term(f), pr.Term(y.Root))
		}
	}
}
