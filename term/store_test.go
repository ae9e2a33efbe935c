package term_test

import (
	"fmt"
	"strings"
	"testing"

	"egad/slot"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// rootOf gives the terms of several bodies over the same inputs, in one store.
// A program stands for as many terms as its tuple has components.
func rootsOf(t *testing.T, text string) (*term.Store, []term.Term) {
	t.Helper()
	p := instance(t, text, nil)
	if p.Store.Op(p.Root).Sym != ops.SymTuple {
		t.Fatalf("not a tuple: %s", text)
	}
	return p.Store, p.Store.Open(p.Root).Kids
}

// Terms that differ only in the names of bound variables are one node; terms
// that differ in more are not.
func TestAlphaEquivalence(t *testing.T) {
	for _, c := range []struct {
		why  string
		body string // a pair
		same bool
	}{
		{"names of variables", `(build 3 (\i -> a[i]), build 3 (\j -> a[j]))`, true},
		{"names of two variables", `(build [3, 3] (\[i, j] -> m[i, j]), build [3, 3] (\[j, i] -> m[j, i]))`, true},
		{"the order of two variables matters", `(build [3, 3] (\[i, j] -> m[i, j]), build [3, 3] (\[i, j] -> m[j, i]))`, false},
		{"a nest of builds is a build over a list", `(build [3, 3] (\[i, j] -> m[i, j]), build 3 (\i -> build 3 (\j -> m[i, j])))`, true},
		{"an inner variable hides an outer one", `(build [3, 3] (\[i, j] -> m[j, j]), build 3 (\i -> build 3 (\i -> m[i, i])))`, true},
		{"the outer variable is another", `(build [3, 3] (\[i, j] -> m[i, i]), build 3 (\i -> build 3 (\i -> m[i, i])))`, false},
		{"lets leave no trace", `(let x = a + 1 in x * x, (a + 1) * (a + 1))`, true},
		{"calls leave no trace", `(map (\x -> x * x) a, build 3 (\k -> a[k] * a[k]))`, true},
		{"the array of a gather is outside its binders", `(build 3 (\i -> gather [3] m[i] (\[i] -> [i])), build 3 (\k -> gather [3] m[k] (\[l] -> [l])))`, true},
		{"… and its indices are inside", `(build 3 (\i -> gather [3] m[i] (\[i] -> [i])), build 3 (\k -> gather [3] m[k] (\[l] -> [k])))`, false},
		{"the same for scatter", `(build 3 (\i -> scatter [3] m[i] (\[i] -> [i])), build 3 (\k -> scatter [3] m[k] (\[l] -> [l])))`, true},
		{"the same for scatter, other index", `(build 3 (\i -> scatter [3] m[i] (\[i] -> [i])), build 3 (\k -> scatter [3] m[k] (\[l] -> [k])))`, false},
		{"binders of gather are told apart", `(gather [3, 3] m (\[i, j] -> [i, j]), gather [3, 3] m (\[i, j] -> [j, i]))`, false},
		{"an unused variable counts by its range", `(build 3 (\i -> x), build 3 (\_ -> x))`, true},
		{"a range matters", `(sum (build 3 (\i -> x)), sum (build 4 (\i -> x)))`, false},
		{"the trailing fixed axes of a permutation do not matter", `(tr [1, 0, 2] c, tr [1, 0] c)`, true},
		{"a list of permutations that differ", `(tr [1, 0, 2] c, tr [0, 2, 1] c)`, false},
		{"an array of literals is a literal", `([1.0, 1], replicate 2 1.0)`, true},
		{"nested", `([[1.0, 2], [3, 4]], let r = [1.0, 2] in [r, r + 2])`, false},
		{"a literal of rows is that of its rows", `([[1.0, 2], [3, 4]], let a = [1.0, 2] in let b = [3.0, 4] in [a, b])`, true},
		{"a literal of integers is read as one", `([[1, 2], [3, -4]], let a = 2 in [[1, a], [3, -4]])`, true},
		{"one number among reals makes all real", `([[1, 2], [3, 4.5]], let a = 2.0 in [[1, a], [3, 4.5]])`, true},
		{"a literal of truth values", `([[true], [false]], let b = true in [[b], [false]])`, true},
		{"the shape of a literal matters", `(reshape [4] [[1.0, 2], [3, 4]], [1.0, 2, 3, 4])`, false},
		{"equal literals of two spellings", `(a + 0.5, a + 1%2)`, true},
		{"a literal is not its float", `(x + 0.1, x + 3602879701896397%36028797018963968)`, false},
	} {
		s, ts := rootsOf(t, "def f(a: R[3], m: R[3, 3], c: R[3, 3, 3], x: R): "+pairType(t, c.body)+" = "+c.body)
		if got := ts[0].Equal(ts[1]); got != c.same {
			t.Errorf("%s: %s\n%s\n%s", c.why, c.body, dump(s, ts[0]), dump(s, ts[1]))
		}
	}
}

// pairType finds the type of a pair by asking for a wrong one.
func pairType(t *testing.T, body string) string {
	t.Helper()
	_, err := module.Load(term.NewSignature(), source("def f(a: R[3], m: R[3, 3], c: R[3, 3, 3], x: R): B[9] = "+body))
	if err != nil {
		if _, typ, ok := strings.Cut(err.Error(), "found a tuple "); ok {
			typ, _, _ = strings.Cut(typ, "\n")
			return strings.ReplaceAll(typ, "number", "I") // what nothing makes real
		}
	}
	t.Fatalf("no type of %s: %v", body, err)
	return ""
}

// dump prints the nodes of a term, for messages of tests.
func dump(s *term.Store, t term.Term) string {
	var b strings.Builder
	s.Walk(t, func(u term.Term) {
		fmt.Fprintf(&b, "  %d: %s %v\n", u.ID, s.Op(u).Key(), s.Kids(u))
	})
	return b.String()
}

func TestSubst(t *testing.T) {
	three := size.Const(3)
	s := term.NewStore(term.NewSignature())
	i, j, k := s.Fresh(), s.Fresh(), s.Fresh()
	vi, vj, vk := s.Ivar(i, three), s.Ivar(j, three), s.Ivar(k, three)
	a := s.Var("a", types.ArrayOf(types.R, three))
	add := func(x, y term.Term) term.Term { return s.Apply(ops.SymAdd, x, y) }
	build := func(name slot.Name, body term.Term) term.Term {
		return s.MustMake(ops.Op{Sym: ops.SymBuild, Sizes: []size.Size{three}}, nil, []slot.Name{name}, []term.Term{body})
	}
	for _, c := range []struct {
		why  string
		term term.Term
		env  map[slot.Name]term.Term
		want term.Term
	}{
		{"a variable", vi, map[slot.Name]term.Term{i: vj}, vj},
		{"no variable", a, map[slot.Name]term.Term{i: vj}, a},
		{"another variable", vj, map[slot.Name]term.Term{i: vk}, vj},
		{"inside an index", s.Index(a, vi), map[slot.Name]term.Term{i: add(vj, s.LitInt(1))}, s.Index(a, add(vj, s.LitInt(1)))},
		{"all at once, not one after the other", add(vi, add(vj, vj)), map[slot.Name]term.Term{i: vj, j: vi}, add(vj, add(vi, vi))},
		{"two variables become one", add(vi, s.Apply(ops.SymMul, vj, vi)), map[slot.Name]term.Term{i: vk, j: vk}, add(vk, s.Apply(ops.SymMul, vk, vk))},
		{"a bound variable is not replaced", build(i, vi), map[slot.Name]term.Term{i: vj}, build(k, vk)},
		{"under a binder", build(j, add(vi, vj)), map[slot.Name]term.Term{i: s.LitInt(7)}, build(j, add(s.LitInt(7), vj))},
		{"what is put in is not captured by a binder of the same name", build(j, add(vi, vj)), map[slot.Name]term.Term{i: vj}, build(k, add(vj, vk))},
		{"… by two binders", build(j, build(k, add(vi, add(vj, vk)))), map[slot.Name]term.Term{i: add(vj, vk)},
			func() term.Term {
				m, n := s.Fresh(), s.Fresh()
				return build(m, build(n, add(add(vj, vk), add(s.Ivar(m, three), s.Ivar(n, three)))))
			}()},
		{"in the array of a gather, which no binder is over", s.Gather([]size.Size{three}, add(vi, vj), func(is []term.Term) []term.Term { return nil }),
			map[slot.Name]term.Term{i: vj}, s.Gather([]size.Size{three}, add(vj, vj), func(is []term.Term) []term.Term { return nil })},
		{"in the indices of a gather", s.Gather([]size.Size{three}, a, func(is []term.Term) []term.Term { return []term.Term{add(is[0], vi)} }),
			map[slot.Name]term.Term{i: vj}, s.Gather([]size.Size{three}, a, func(is []term.Term) []term.Term { return []term.Term{add(is[0], vj)} })},
	} {
		if got := s.Subst(c.term, c.env); !got.Equal(c.want) {
			t.Errorf("%s:\n%s%v\nwant\n%s%v", c.why, dump(s, got), got, dump(s, c.want), c.want)
		}
	}
}

// A term that shares a node between loops is substituted in as many steps as it
// has nodes, not as many as it has paths.
func TestSubstSharing(t *testing.T) {
	two := size.Const(2)
	s := term.NewStore(term.NewSignature())
	x, i := s.Fresh(), s.Fresh()
	at := s.Ivar(i, two)
	f := s.Apply(ops.SymAdd, s.Ivar(x, two), at) // over x and i
	loop := func(scale int64) term.Term {
		n := s.Fresh()
		body := s.Apply(ops.SymMul, f.RenameFrom([]slot.Name{i}, []slot.Name{n}), s.Apply(ops.SymMul, s.LitInt(scale), at))
		return s.Apply(ops.SymSum, s.MustMake(ops.Op{Sym: ops.SymBuild, Sizes: []size.Size{two}}, nil, []slot.Name{n}, []term.Term{body}))
	}
	for range 200 {
		f = s.Apply(ops.SymAdd, loop(1), loop(2))
	}
	before := s.Len()
	closed := s.Subst(f, map[slot.Name]term.Term{x: s.LitInt(1), i: s.LitInt(0)})
	if n := s.Len() - before; n > 20*200 {
		t.Errorf("substitution made %d nodes", n)
	}
	if len(closed.Args) > 0 {
		t.Error("variables are left")
	}
	open := s.Var("y", types.ArrayOf(types.I))
	f = s.SubstVars(s.Subst(f, map[slot.Name]term.Term{i: open}), map[string]term.Term{"y": s.LitInt(0)})
	if got := s.Subst(f, map[slot.Name]term.Term{x: s.LitInt(1)}); !got.Equal(closed) {
		t.Error("substituting in two steps is not substituting at once")
	}
}

func TestSubstVars(t *testing.T) {
	s, ts := rootsOf(t, `def f(a: R[3], m: R[3, 3], x: R): (R[3], R[3], R[3], R[3, 3], R[3, 3]) = (
	  build 3 (\i -> a[i] * x),
	  build 3 (\i -> (a + 1)[i] * sum a),
	  gather [3] a (\[i] -> [floor x + i]),
	  build 3 (\i -> m[i] + x),
	  build 3 (\i -> m[i] + sum a))`)
	a := s.Var("a", types.ArrayOf(types.R, size.Const(3)))
	env := map[string]term.Term{
		"x": s.Apply(ops.SymSum, a),
		"a": s.Apply(ops.SymAdd, a, s.Lit(ops.ScalarR(numeric.Int(1)), size.Const(3))),
	}
	// The replacements are not replaced in.
	sum := env["x"]
	_, want := rootsOfIn(t, s, `def f(a: R[3], m: R[3, 3], x: R): (R[3], R[3, 3]) = (
	  build 3 (\i -> (a + 1)[i] * sum a),
	  build 3 (\i -> m[i] + sum a))`)
	if got := s.SubstVars(ts[0], env); !got.Equal(want[0]) {
		t.Errorf("both inputs:\n%s", dump(s, got))
	}
	if got := s.SubstVars(ts[3], map[string]term.Term{"x": sum}); !got.Equal(want[1]) {
		t.Errorf("one input, in a loop over another:\n%s", dump(s, got))
	}
	if got := s.SubstVars(ts[1], map[string]term.Term{"z": sum}); !got.Equal(ts[1]) {
		t.Errorf("none of the inputs:\n%s", dump(s, got))
	}
	// A term with free index variables keeps them.
	n := s.Fresh()
	row := s.Index(s.Var("m", types.ArrayOf(types.R, size.Const(3), size.Const(3))), s.Ivar(n, size.Const(3)))
	got := s.SubstVars(row, map[string]term.Term{"m": s.Replicate(size.Const(3), a)})
	if want := s.Index(s.Replicate(size.Const(3), a), s.Ivar(n, size.Const(3))); !got.Equal(want) {
		t.Errorf("a free index variable: %v, want %v", got, want)
	}
}

// rootsOfIn is rootsOf in a store that exists: the terms are copied over.
func rootsOfIn(t *testing.T, s *term.Store, text string) (*term.Store, []term.Term) {
	t.Helper()
	from, ts := rootsOf(t, text)
	var copied []term.Term
	for _, u := range ts {
		copied = append(copied, copyTerm(from, s, u))
	}
	return s, copied
}

// copyTerm copies a closed term from one store to another.
func copyTerm(from, to *term.Store, t term.Term) term.Term {
	if t.ID == 0 {
		panic("no term")
	}
	done := make(map[uint32]term.Term)
	free := make(map[uint32][]slot.Name)
	from.Walk(t, func(u term.Term) {
		names := to.FreshN(len(from.Vars(u)))
		free[u.ID] = names
		v := from.OpenWith(term.Term{ID: u.ID, Args: names}, to.FreshN(from.Binders(u)))
		for i, k := range v.Kids {
			v.Kids[i] = done[k.ID].RenameFrom(free[k.ID], k.Args)
		}
		done[u.ID] = to.MustMake(v.Op, v.Own, v.Binders, v.Kids)
	})
	return done[t.ID].RenameFrom(free[t.ID], t.Args)
}

// What cannot be said in a program is refused by the store as well.
func TestStoreRefuses(t *testing.T) {
	two, three := size.Const(2), size.Const(3)
	s := term.NewStore(term.NewSignature())
	n := s.Fresh()
	a := s.Var("a", types.ArrayOf(types.R, three))
	i2, i3 := s.Ivar(n, two), s.Ivar(n, three)
	for _, c := range []struct {
		op      ops.Op
		binders []slot.Name
		kids    []term.Term
		want    string
	}{
		{ops.Op{Sym: ops.SymBuild, Sizes: []size.Size{three}}, []slot.Name{n}, []term.Term{i2}, "a variable that ranges over 2 is bound to one that ranges over 3"},
		{ops.Op{Sym: ops.SymAdd}, nil, []term.Term{i2, i3}, "one variable ranges over 3 and ranges over 2"},
		{ops.Op{Sym: ops.SymStack}, nil, nil, "an array literal needs an element"},
		{ops.Op{Sym: ops.SymGather}, nil, nil, "operand 1 is missing"},
		{ops.Op{Sym: ops.SymTr, Perm: []int{0, 0}}, nil, []term.Term{a}, "[0, 0] is not a permutation"},
		{ops.Op{Sym: ops.SymTr, Perm: []int{1, 0}}, nil, []term.Term{a}, "a permutation of 2 axes for the array R[3] of rank 1"},
		{ops.Op{Sym: ops.SymStates, Sizes: []size.Size{two}, Type: types.ArrayOf(types.R)}, []slot.Name{n, n + 1}, []term.Term{a, s.LitInt(2), a}, "the state of a loop is a scalar R, and not the array R[3] of rank 1"},
		{ops.Op{Sym: ops.SymStates, Sizes: []size.Size{two}, Type: types.TupleOf(types.TupleOf())}, []slot.Name{n, n + 1}, []term.Term{s.Apply(ops.SymTuple, s.Apply(ops.SymTuple)), s.LitInt(2), s.Apply(ops.SymTuple, s.Apply(ops.SymTuple))}, "a state is an array or a tuple of arrays"},
		{ops.Op{Sym: ops.SymLstates, Sizes: []size.Size{two}}, []slot.Name{n}, []term.Term{s.LitInt(2), s.MustMake(ops.Op{Sym: ops.SymLzero, Type: types.ArrayOf(types.R), Type2: types.ArrayOf(types.R, three)}, nil, nil, nil)}, "have one type, and this map goes from R to R[3]"},
		{ops.Op{Sym: ops.SymScatter, Sizes: []size.Size{two}, Targets: []size.Size{three}}, []slot.Name{n}, []term.Term{a, i2}, "index variable 0 ranges over 2, and axis 0 has size 3"},
		{ops.Op{Sym: ops.SymScatter, Sizes: []size.Size{three, two}, Targets: []size.Size{three}}, []slot.Name{n, n + 1}, []term.Term{a, s.LitInt(0)}, "too many index variables: 2 for the array R[3] of rank 1"},
		{ops.Op{Sym: ops.SymProj, N: 2}, nil, []term.Term{s.Var("p", types.TupleOf(types.ArrayOf(types.R), types.ArrayOf(types.R)))}, "there is no component 2 in (R, R)"},
		{ops.Op{Sym: ops.SymProj}, nil, []term.Term{a}, "only a tuple has components, and this is the array R[3] of rank 1"},
		{ops.Op{Sym: ops.SymSum}, nil, []term.Term{a, a}, "sum takes 1 operand, not 2"},
		{ops.Op{Sym: ops.SymReshape, Sizes: []size.Size{two}}, nil, []term.Term{a}, "R[3] has 3 elements, and shape [2] has 2"},
	} {
		_, err := s.Make(c.op, nil, c.binders, c.kids)
		if err == nil || !strings.Contains(err.Msg, c.want) {
			t.Errorf("%s: %v, want %q", s.Signature().Operator(c.op.Sym).Name, err, c.want)
		}
	}
	defer func() {
		if r := recover(); r == nil || !strings.Contains(fmt.Sprint(r), "ill-typed sum") {
			t.Errorf("MustMake: %v", r)
		}
	}()
	s.Apply(ops.SymSum, s.LitInt(1))
}

// Every node is stored once, with children that were there before it.
func TestStoreShape(t *testing.T) {
	p := instance(t, `def f[n](a: R[n], b: R[n, n]): (R, R[n]) = (logsumexp (matvec b (softmax a)), build n (\i -> variance b[i]))`, map[string]int64{"n": 3})
	s := p.Store
	seen := make(map[string]uint32)
	s.Walk(p.Root, func(u term.Term) {
		for _, k := range s.Kids(u) {
			if k.ID >= u.ID {
				t.Errorf("node %d has child %d", u.ID, k.ID)
			}
			if s.Depth(term.Term{ID: k.ID}) >= s.Depth(u) {
				t.Errorf("node %d is no deeper than its child %d", u.ID, k.ID)
			}
		}
		key := fmt.Sprint(s.Op(u).Key(), s.Kids(u))
		if old, dup := seen[key]; dup {
			t.Errorf("nodes %d and %d are equal", old, u.ID)
		}
		seen[key] = u.ID
		// Opening a node and making it again gives the node.
		v := s.Open(u)
		if again := s.MustMake(v.Op, v.Own, v.Binders, v.Kids); !again.Equal(u) {
			t.Errorf("node %d made again is %v", u.ID, again)
		}
	})
	if len(p.Root.Args) > 0 {
		t.Error("the root has free variables")
	}
}

func TestPerm(t *testing.T) {
	for _, p := range [][]int{{}, {1, 0}, {2, 0, 1}, {0, 2, 1}, {3, 1, 0, 2}} {
		if c := ops.ComposePerm(p, ops.InvertPerm(p)); len(c) != 0 {
			t.Errorf("%v after its inverse is %v", p, c)
		}
		if c := ops.ComposePerm(ops.InvertPerm(p), p); len(c) != 0 {
			t.Errorf("the inverse of %v after it is %v", p, c)
		}
		if c := ops.ComposePerm(p, nil); fmt.Sprint(c) != fmt.Sprint(ops.CanonPerm(p)) {
			t.Errorf("%v after nothing is %v", p, c)
		}
	}
	if ops.IsPerm([]int{0, 0}) || ops.IsPerm([]int{1}) || ops.IsPerm([]int{-1, 0}) || !ops.IsPerm(nil) {
		t.Error("IsPerm")
	}
	// tr (ComposePerm p q) is tr p of tr q.
	s := term.NewStore(term.NewSignature())
	shape := []size.Size{size.Const(2), size.Const(3), size.Const(4)}
	var data []ops.Scalar
	for i := range 24 {
		data = append(data, ops.ScalarI(int64(i)))
	}
	a := s.LitData(data, shape...)
	for _, p := range [][]int{{1, 0}, {2, 0, 1}, {0, 2, 1}} {
		for _, q := range [][]int{{1, 0}, {1, 2, 0}, {2, 1, 0}} {
			var got [2]string
			for i, u := range []term.Term{s.Tr(p, s.Tr(q, a)), s.Tr(ops.ComposePerm(p, q), a)} {
				v, err := eval.Interpret(s, u, eval.FloatArrays(), nil)
				if err != nil {
					t.Fatal(err)
				}
				got[i] = showFloats(v)
			}
			if got[0] != got[1] {
				t.Errorf("tr %v of tr %v is not tr %v", p, q, ops.ComposePerm(p, q))
			}
		}
	}
}

// TestReplacedByVariable: where an input is replaced by a variable that occurs beside it,
// the two are one variable of the term.
func TestReplacedByVariable(t *testing.T) {
	s := term.NewStore(term.NewSignature())
	three := size.Const(3)
	i := s.Ivar(s.Fresh(), three)
	a, j := s.Var("a", types.ArrayOf(types.R, three)), s.Var("j", types.ArrayOf(types.I))
	sum := func(j term.Term) term.Term { return s.Apply(ops.SymAdd, s.Index(a, i), s.Index(a, j)) }
	want := s.Apply(ops.SymExp, sum(i))
	if got := s.SubstVars(s.Apply(ops.SymExp, sum(j)), map[string]term.Term{"j": i}); !got.Equal(want) {
		t.Errorf("SubstVars makes %v, and not %v", got, want)
	}
	if got := s.Replace(s.Apply(ops.SymExp, sum(j)), func(u term.Term) (term.Term, bool) { return i, u.ID == j.ID }); !got.Equal(want) {
		t.Errorf("Replace makes %v, and not %v", got, want)
	}
}
