package saturate

import (
	"strings"
	"testing"

	"egad/diag"
	"egad/egraph"
	"egad/rules"
	"egad/rules/load"
	"egad/rules/match"
	"egad/slot"
	"egad/term"
	"egad/term/module"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// What makes an e-graph over arrays unsound or incomplete if it is forgotten.

type fixture struct {
	t   *testing.T
	lib *rules.Library
	s   *term.Store
	g   *Graph
}

func newFixture(t *testing.T) *fixture {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	return &fixture{t, lib, term.NewStore(sig), New(sig)}
}

func (f *fixture) add(t term.Term) slot.Ref {
	f.t.Helper()
	r, err := f.g.AddTerm(f.s, t, nil)
	if err != nil {
		f.t.Fatal(err)
	}
	return r
}

// program is the term of a program, a definition f without sizes, whose store is the fixture's then.
func (f *fixture) program(text string) term.Term {
	f.t.Helper()
	m, err := module.Load(f.s.Signature(), &diag.Source{Name: "p.egad", Text: text})
	if err != nil {
		f.t.Fatal(err)
	}
	p, err := m.Instantiate("f", nil)
	if err != nil {
		f.t.Fatal(err)
	}
	f.s = p.Store
	return p.Root
}

// set makes a rule set of built-in rules.
func (f *fixture) set(names ...string) *rules.Set {
	s := &rules.Set{Name: "test"}
	for _, n := range names {
		r := f.lib.Rule(n)
		if r == nil {
			f.t.Fatalf("no rule %s", n)
		}
		s.Rules = append(s.Rules, r)
	}
	return s
}

func (f *fixture) saturate(names ...string) *egraph.Report {
	f.t.Helper()
	rep, err := f.g.Saturate(egraph.Limits{Iterations: 20, Nodes: 2000}, nil, f.set(names...))
	if err != nil {
		f.t.Fatal(err)
	}
	return rep
}

func vec(n int64) *types.Type { return types.ArrayOf(types.R, size.Const(n)) }

func num(n int64) size.Size { return size.Const(n) }

func TestNoEmptyAxisEnters(t *testing.T) {
	f := newFixture(t)
	for _, u := range []term.Term{
		f.s.Var("x", vec(0)),
		f.s.Replicate(num(0), f.s.Var("y", types.ArrayOf(types.R))),
		f.s.Build(num(0), func(i term.Term) term.Term { return f.s.Apply(ops.SymReal, i) }),
		f.s.MustMake(ops.Op{Sym: ops.SymIota, Sizes: []size.Size{num(0)}}, nil, nil, nil),
	} {
		if _, err := f.g.AddTerm(f.s, u, nil); err == nil || !strings.Contains(err.Error(), "empty axis") {
			t.Errorf("%s: %v", (&term.Printer{Store: f.s}).Term(u), err)
		}
	}
}

// A range that becomes narrower makes a condition true without a new row.
func TestNarrowerRangeIsNoticed(t *testing.T) {
	f := newFixture(t)
	u := f.s.Var("u", types.ArrayOf(types.I))
	a := f.s.Var("a", types.ArrayOf(types.R))
	read := f.add(f.s.Index(f.s.Replicate(num(3), a), u))
	f.saturate("index_replicate", "index_nil")
	if f.g.Same(read, f.add(a)) {
		t.Fatal("the condition 0 <= u < 3 was taken for true")
	}
	f.g.Union(f.add(u), f.add(f.s.Apply(ops.SymMod, f.s.Var("v", types.ArrayOf(types.I)), f.s.LitInt(3))))
	f.saturate("index_replicate", "index_nil")
	if !f.g.Same(read, f.add(a)) {
		t.Error("u = v mod 3 lies in [0, 2], and the rule did not apply")
	}
}

// A class that loses a slot makes "i not in t" true without a new row.
func TestLostSlotIsNoticed(t *testing.T) {
	f := newFixture(t)
	x := f.s.Var("x", vec(3))
	var body slot.Ref
	build := f.add(f.s.Build(num(3), func(i term.Term) term.Term {
		b := f.s.Index(x, i)
		body = f.add(b)
		return b
	}))
	c := f.s.Var("c", types.ArrayOf(types.R))
	f.saturate("build_const")
	f.g.Union(body, f.add(c)) // x is constant
	f.saturate("build_const")
	if !f.g.Same(build, f.add(f.s.Replicate(num(3), c))) {
		t.Error("x[i] = c, and build 3 (\\i -> x[i]) is not replicate 3 c")
	}
}

// Inside a guard an index may be out of range, where a class proved equal for
// indices in range must not be used.
func TestSubstitutionUnderGuard(t *testing.T) {
	f := newFixture(t)
	u := f.s.Var("u", types.ArrayOf(types.I))
	a := f.s.Var("a", types.ArrayOf(types.R))
	// (gather [3] (replicate 3 a) (\i -> [i]))[u] is a if 0 <= u < 3, else 0.
	g := f.s.Gather([]size.Size{num(3)}, f.s.Replicate(num(3), a), func(is []term.Term) []term.Term { return is })
	root := f.add(f.s.Index(g, u))
	f.saturate("index_gather", "index_gather-guarded", "index_replicate", "index_replicate-guarded", "gather_nil", "gather_replicate", "index_nil", "index_index", "gather_const")
	if f.g.Same(root, f.add(a)) {
		t.Error("an index that may be out of range reads a")
	}
}

// An unsound union is found: two integers, or two types, in one class.
func TestContradictions(t *testing.T) {
	f := newFixture(t)
	f.g.Union(f.add(f.s.LitInt(1)), f.add(f.s.LitInt(2)))
	f.g.Rebuild()
	if err := f.g.Err(); err == nil || !strings.Contains(err.Error(), "united") {
		t.Errorf("1 = 2: %v", err)
	}
	f = newFixture(t)
	f.g.Union(f.add(f.s.Var("x", vec(2))), f.add(f.s.Var("y", vec(3))))
	f.g.Rebuild()
	if err := f.g.Err(); err == nil || !strings.Contains(err.Error(), "types") {
		t.Errorf("R[2] = R[3]: %v", err)
	}
}

// A variable replaced by another of the same range renames a class; anything
// else substitutes into a term, once.
func TestSubst(t *testing.T) {
	f := newFixture(t)
	x := f.s.Var("x", vec(3))
	i, j := f.s.Fresh(), f.s.Fresh()
	at := func(u term.Term) term.Term { return f.s.Index(x, u) }
	c := f.add(at(f.s.Ivar(i, num(3))))
	by := func(u term.Term) slot.Ref {
		return f.g.Subst(c, map[slot.Name]match.Replacement{i: {By: f.add(u), Of: ops.VarType{Size: num(3)}}})
	}
	if got := by(f.s.Ivar(j, num(3))); got.ID != c.ID || !got.Has(j) {
		t.Errorf("x[i] with j for i is class %d, not class %d renamed", got.ID, c.ID)
	}
	if got := by(f.s.Ivar(j, num(5))); !f.g.Same(got, f.add(at(f.s.Ivar(j, num(5))))) {
		t.Error("x[i] with a j of another range for i is not x[j]")
	}
	rows := 0
	for k := range 3 {
		got := by(f.s.LitInt(7))
		if !f.g.Same(got, f.add(at(f.s.LitInt(7)))) {
			t.Error("x[i] with 7 for i is not x[7]")
		}
		if k > 0 && f.g.Size() != rows {
			t.Error("the same substitution added e-nodes again")
		}
		rows = f.g.Size()
	}
}

// A fact about reals grows when classes are united, and makes a condition true
// without a new row.
func TestNarrowerIntervalIsNoticed(t *testing.T) {
	f := newFixture(t)
	lib, err := load.Files(f.s.Signature(), &diag.Source{Name: "abs.rules", Text: "ruleset s\nrule positive exact\n  abs a => a\n  if 0 < a\n"})
	if err != nil {
		t.Fatal(err)
	}
	run := func() {
		t.Helper()
		if _, err := f.g.Saturate(egraph.Limits{Iterations: 20, Nodes: 2000}, nil, lib.Sets...); err != nil {
			t.Fatal(err)
		}
	}
	x, y := f.s.Var("x", vec(2)), f.s.Var("y", vec(2))
	a := f.add(f.s.Apply(ops.SymAbs, x))
	run()
	if f.g.Same(a, f.add(x)) {
		t.Fatal("an input was taken for positive")
	}
	one := f.s.Lit(ops.ScalarR(numeric.Int(1)), num(2))
	f.g.Union(f.add(x), f.add(f.s.Apply(ops.SymAdd, one, f.s.Apply(ops.SymMul, y, y))))
	run()
	if !f.g.Same(a, f.add(x)) {
		t.Error("x = 1 + y * y is positive, and the rule did not apply")
	}
}

// Finite reals with nothing in common cannot be equal; what rounds in another way
// can, and so can what is not finite.
func TestRealContradictions(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{"2 + sin (real n)", "cos (real n) - 2", true},
		{"0.1 + 0.2", "0.3", false},
		{"0.1 + 0.2 - 0.3", "0", false},
		{"1e70 * 1e70 * 1e70 * 1e70 * 1e70", "1", false},
		{"1 / 0", "1", false},
		{"exp (real n) + 1", "0", false}, // it may be infinite
	} {
		f := newFixture(t)
		kids := f.s.Open(f.program("def f(n: I): (R, R) = (" + c.a + ", " + c.b + ")")).Kids
		f.g.Union(f.add(kids[0]), f.add(kids[1]))
		f.g.Rebuild()
		if err := f.g.Err(); (err != nil) != c.want {
			t.Errorf("%s = %s: %v", c.a, c.b, err)
		}
	}
}

// Inputs are finite only where rules over the reals are used.
func TestTakeFinite(t *testing.T) {
	f := newFixture(t)
	x := f.s.Var("x", vec(2))
	s := f.add(f.s.Apply(ops.SymSin, x))
	if f.g.Bounds(s).Real.Finite() {
		t.Error("sin x is finite though x may not be")
	}
	f.g.TakeFinite()
	if b := f.g.Bounds(s).Real; !b.Finite() || b.Lo != -1 {
		t.Errorf("sin x is %v for a finite x", b)
	}
}

// Bounds that narrow each other in a circle end soon.
func TestNarrowingEnds(t *testing.T) {
	f := newFixture(t)
	n := f.s.Apply(ops.SymReal, f.s.Var("n", types.ArrayOf(types.I)))
	x := f.s.Apply(ops.SymTanh, n)
	triple := f.s.Apply(ops.SymMul, x, f.s.Lit(ops.ScalarR(numeric.Int(3))))
	less := f.s.Apply(ops.SymDiv, x, f.s.Lit(ops.ScalarR(numeric.Int(3))))
	f.g.Union(f.add(x), f.add(triple))
	f.g.Union(f.add(x), f.add(less))
	f.g.Rebuild()
	if b := f.g.Bounds(f.add(x)).Real; b.Hi > 1e-250 || b.Lo < -1e-250 {
		t.Errorf("x = x / 3 is %v", b)
	}
}

// TestChoiceUnderBinder: a rule that may read arithmetic in two ways matches what depends on a
// variable of the surroundings.
func TestChoiceUnderBinder(t *testing.T) {
	f := newFixture(t)
	f.add(f.program(`def f(x: R[3]): R[3, 5] = build 3 (\k -> scatter [5] (replicate 5 x[k]) (\[i] -> [min 4 (i + 1)]))`))
	if rep := f.saturate("scatter_clamped_on"); rep.Rules[0].Unions == 0 {
		t.Error("scatter_clamped_on is not applied")
	}
}
