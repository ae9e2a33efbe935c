package extract

import (
	"fmt"
	"testing"

	"egad/egraph"
	"egad/rules"
	"egad/rules/load"
	"egad/rules/saturate"
	"egad/slot"
	"egad/term"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

type fixture struct {
	t *testing.T
	s *term.Store
	g *saturate.Graph
}

func newFixture(t *testing.T) *fixture {
	sig := term.NewSignature()
	return &fixture{t, term.NewStore(sig), saturate.New(sig)}
}

func (f *fixture) add(t term.Term) slot.Ref {
	f.t.Helper()
	r, err := f.g.AddTerm(f.s, t, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

func grammarOf(t testing.TB, name string) *rules.Grammar {
	t.Helper()
	lib, err := load.Builtin(term.NewSignature())
	if err != nil {
		t.Fatal(err)
	}
	g, err := lib.Grammar(name)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func (f *fixture) extract(r slot.Ref, grammar string) *Result {
	f.t.Helper()
	f.g.Rebuild()
	x, err := Extract(f.g, r, grammarOf(f.t, grammar), f.s, Choosing{})
	if err != nil {
		f.t.Fatal(err)
	}
	return x
}

func (f *fixture) text(t term.Term) string { return (&term.Printer{Store: f.s}).Term(t) }

func (f *fixture) vec(name string, n int64) term.Term {
	return f.s.Var(name, types.ArrayOf(types.R, size.Const(n)))
}

// Whether an index is allowed depends on what it indexes: index (a * b) [3] is
// cheap, and not a bulk program.
func TestBulkIsAboutParentAndChild(t *testing.T) {
	f := newFixture(t)
	a, b, i := f.vec("a", 5), f.vec("b", 5), f.s.LitInt(3)
	inside := f.s.Index(f.s.Apply(ops.SymMul, a, b), i)
	root := f.add(inside)
	if _, err := Extract(f.g, root, grammarOf(t, "bulk"), f.s, Choosing{}); err == nil {
		t.Fatal("index (a * b) [3] was extracted as a bulk program")
	}
	outside := f.s.Apply(ops.SymMul, f.s.Index(a, i), f.s.Index(b, i))
	f.g.Union(root, f.add(outside))
	if x := f.extract(root, "bulk"); !x.Root.Equal(outside) {
		t.Errorf("extracted %s", f.text(x.Root))
	}
}

// A class in a cycle is extracted by a node that leads out of it.
func TestCycles(t *testing.T) {
	f := newFixture(t)
	a := f.vec("a", 3)
	zero := f.s.Lit(ops.ScalarR(numeric.Int(0)), size.Const(3))
	f.g.Union(f.add(a), f.add(f.s.Apply(ops.SymAdd, a, zero)))
	root := f.add(f.s.Apply(ops.SymExp, a))
	if x := f.extract(root, "nolinear"); f.text(x.Root) != "exp a" {
		t.Errorf("extracted %s", f.text(x.Root))
	}
}

// What is shared is paid for once: two exps of one array against four products.
func TestSharingIsFree(t *testing.T) {
	f := newFixture(t)
	a := f.vec("a", 100)
	e := f.s.Apply(ops.SymExp, a)
	other := f.s.Apply(ops.SymExp, f.vec("b", 100))
	shared := f.s.Apply(ops.SymMul, e, e)
	f.g.Union(f.add(shared), f.add(f.s.Apply(ops.SymMul, other, f.s.Apply(ops.SymSin, a))))
	root := f.add(f.s.Apply(ops.SymTuple, e, shared))
	x := f.extract(root, "nolinear")
	if want := f.s.Apply(ops.SymTuple, e, shared); !x.Root.Equal(want) {
		t.Errorf("extracted %s", f.text(x.Root))
	}
	// exp: 8 * 100 + 1, mul: 2 * 100 + 1, a and the tuple.
	if want := 801.0 + 201 + 1 + 1; x.Cost != want {
		t.Errorf("cost %v, want %v", x.Cost, want)
	}
}

// A term in a loop costs once for each run, unless it does not depend on it.
func TestLoopsAndInvariants(t *testing.T) {
	f := newFixture(t)
	a := f.vec("a", 10)
	invariant := f.s.Apply(ops.SymSum, a)
	root := f.add(f.s.Build(size.Const(7), func(i term.Term) term.Term {
		return f.s.Apply(ops.SymMul, invariant, f.s.Index(a, i))
	}))
	x := f.extract(root, "nolinear")
	// sum once: 2 * 10 + 1; in the loop, 7 times: mul 3, index 2, i 1; the array
	// a once, and build 7 + 2.
	if want := 21.0 + 7*(3+2+1) + 1 + 9; x.Cost != want {
		t.Errorf("cost %v, want %v", x.Cost, want)
	}
}

// What depends on the state of a loop costs once for each step, in each run of the loops
// around it.
func TestLoopsWithStates(t *testing.T) {
	f := newFixture(t)
	a := f.vec("a", 7)
	n := size.Const(5)
	root := f.add(f.s.Build(size.Const(7), func(i term.Term) term.Term {
		z := f.s.Index(a, i)
		s := f.s.Fresh()
		j := f.s.Fresh()
		step := f.s.Apply(ops.SymSin, f.s.Variable(s, ops.VarType{Type: types.ArrayOf(types.R)}))
		op := ops.Op{Sym: ops.SymStates, Sizes: []size.Size{n}, Type: types.ArrayOf(types.R)}
		return f.s.MustMake(op, nil, []slot.Name{j, s}, []term.Term{z, f.s.LitInt(5), step})
	}))
	x := f.extract(root, "nolinear")
	// In each of 7 runs: a[i] 2, i 1, the states 6 + 2, and in each of 5 steps the state 1
	// and its sine 13; the number 5 and the array a once, and build 42 + 2.
	if want := 7.0*(2+1+8+5*(1+13)) + 1 + 1 + 44; x.Cost != want {
		t.Errorf("cost %v, want %v", x.Cost, want)
	}
}

// An index variable of which a class does not depend can be anything in range.
func TestRedundantVariable(t *testing.T) {
	f := newFixture(t)
	a := f.vec("a", 4)
	i := f.s.Fresh()
	element := f.add(f.s.Index(a, f.s.Ivar(i, size.Const(4))))
	j := f.s.Fresh()
	f.g.Union(element, f.add(f.s.Index(a, f.s.Ivar(j, size.Const(4))))) // all elements are equal
	f.g.Rebuild()
	x := f.extract(f.g.FindRef(element), "nolinear")
	if got := f.text(x.Root); got != "a[0]" {
		t.Errorf("extracted %s", got)
	}
}

// The names of classes come back as names of terms.
func TestNames(t *testing.T) {
	f := newFixture(t)
	e := f.s.Apply(ops.SymExp, f.vec("a", 3))
	root, err := f.g.AddTerm(f.s, f.s.Apply(ops.SymSum, e), map[uint32]term.Hint{e.ID: term.NewHint("weights", 1)})
	if err != nil {
		t.Fatal(err)
	}
	x := f.extract(root, "nolinear")
	if x.Names[e.ID].Name != "weights" {
		t.Errorf("names %v", x.Names)
	}
}

// Parts without elements stay aside.
func TestThroughEmptyParts(t *testing.T) {
	f := newFixture(t)
	empty := f.s.Zeros(types.ArrayOf(types.R, size.Const(0)))
	a := f.vec("a", 2)
	whole := f.s.Apply(ops.SymTuple, empty, f.s.Apply(ops.SymTuple, a, empty))
	x, _, err := Through(f.s, whole, nil, grammarOf(t, "nolinear"), func(g *saturate.Graph, _ egraph.Ref) (*egraph.Report, error) {
		g.Rebuild()
		return &egraph.Report{}, nil
	})
	if err != nil || !x.Root.Equal(whole) {
		t.Errorf("%v, %v", x, err)
	}
	x, _, err = Through(f.s, empty, nil, grammarOf(t, "nolinear"), func(*saturate.Graph, egraph.Ref) (*egraph.Report, error) {
		t.Error("an empty array was put on an e-graph")
		return nil, nil
	})
	if err != nil || !x.Root.Equal(empty) {
		t.Errorf("%v, %v", x, err)
	}
}

// A class of many nodes takes time for each of them; with time for each pair this
// would be a slow test.
func TestManyNodes(t *testing.T) {
	f := newFixture(t)
	const n = 16000
	i := f.s.Fresh()
	at := f.s.Ivar(i, size.Const(3))
	var root slot.Ref
	for k := range n {
		r := f.add(f.s.Apply(ops.SymExp, f.s.Index(f.vec(fmt.Sprint("a", k), 3), at)))
		if k == 0 {
			root = r
		} else {
			f.g.Union(root, r)
		}
	}
	x := f.extract(root, "nolinear")
	if got := f.text(x.Root); got != "exp a0[]" { // the variable is free, and has no name
		t.Errorf("extracted %s", got)
	}
}
