package term

import (
	"fmt"
	"strings"
	"testing"

	"egad/slot"
	"egad/term/numeric"
)

// rootOf gives the terms of several bodies over the same inputs, in one store.
// A program stands for as many terms as its tuple has components.
func rootsOf(t *testing.T, text string) (*Store, []Term) {
	t.Helper()
	p := instance(t, text, nil)
	if p.Store.Op(p.Root).Sym != SymTuple {
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
	_, err := LoadModule(NewSignature(), source("def f(a: R[3], m: R[3, 3], c: R[3, 3, 3], x: R): B[9] = "+body))
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
func dump(s *Store, t Term) string {
	var b strings.Builder
	s.Walk(t, func(u Term) {
		fmt.Fprintf(&b, "  %d: %s %v\n", u.ID, s.Op(u).Key(), s.Kids(u))
	})
	return b.String()
}

func TestSubst(t *testing.T) {
	three := SizeConst(3)
	s := NewStore(NewSignature())
	i, j, k := s.Fresh(), s.Fresh(), s.Fresh()
	vi, vj, vk := s.Ivar(i, three), s.Ivar(j, three), s.Ivar(k, three)
	a := s.Var("a", ArrayOf(R, three))
	add := func(x, y Term) Term { return s.Apply(SymAdd, x, y) }
	build := func(name slot.Name, body Term) Term {
		return s.MustMake(Op{Sym: SymBuild, Sizes: []Size{three}}, nil, []slot.Name{name}, []Term{body})
	}
	for _, c := range []struct {
		why  string
		term Term
		env  map[slot.Name]Term
		want Term
	}{
		{"a variable", vi, map[slot.Name]Term{i: vj}, vj},
		{"no variable", a, map[slot.Name]Term{i: vj}, a},
		{"another variable", vj, map[slot.Name]Term{i: vk}, vj},
		{"inside an index", s.Index(a, vi), map[slot.Name]Term{i: add(vj, s.LitInt(1))}, s.Index(a, add(vj, s.LitInt(1)))},
		{"all at once, not one after the other", add(vi, add(vj, vj)), map[slot.Name]Term{i: vj, j: vi}, add(vj, add(vi, vi))},
		{"two variables become one", add(vi, s.Apply(SymMul, vj, vi)), map[slot.Name]Term{i: vk, j: vk}, add(vk, s.Apply(SymMul, vk, vk))},
		{"a bound variable is not replaced", build(i, vi), map[slot.Name]Term{i: vj}, build(k, vk)},
		{"under a binder", build(j, add(vi, vj)), map[slot.Name]Term{i: s.LitInt(7)}, build(j, add(s.LitInt(7), vj))},
		{"what is put in is not captured by a binder of the same name", build(j, add(vi, vj)), map[slot.Name]Term{i: vj}, build(k, add(vj, vk))},
		{"… by two binders", build(j, build(k, add(vi, add(vj, vk)))), map[slot.Name]Term{i: add(vj, vk)},
			func() Term {
				m, n := s.Fresh(), s.Fresh()
				return build(m, build(n, add(add(vj, vk), add(s.Ivar(m, three), s.Ivar(n, three)))))
			}()},
		{"in the array of a gather, which no binder is over", s.Gather([]Size{three}, add(vi, vj), func(is []Term) []Term { return nil }),
			map[slot.Name]Term{i: vj}, s.Gather([]Size{three}, add(vj, vj), func(is []Term) []Term { return nil })},
		{"in the indices of a gather", s.Gather([]Size{three}, a, func(is []Term) []Term { return []Term{add(is[0], vi)} }),
			map[slot.Name]Term{i: vj}, s.Gather([]Size{three}, a, func(is []Term) []Term { return []Term{add(is[0], vj)} })},
	} {
		if got := s.Subst(c.term, c.env); !got.Equal(c.want) {
			t.Errorf("%s:\n%s%v\nwant\n%s%v", c.why, dump(s, got), got, dump(s, c.want), c.want)
		}
	}
}

// A term that shares a node between loops is substituted in as many steps as it
// has nodes, not as many as it has paths.
func TestSubstSharing(t *testing.T) {
	two := SizeConst(2)
	s := NewStore(NewSignature())
	x, i := s.Fresh(), s.Fresh()
	at := s.Ivar(i, two)
	f := s.Apply(SymAdd, s.Ivar(x, two), at) // over x and i
	loop := func(scale int64) Term {
		n := s.Fresh()
		body := s.Apply(SymMul, f.RenameFrom([]slot.Name{i}, []slot.Name{n}), s.Apply(SymMul, s.LitInt(scale), at))
		return s.Apply(SymSum, s.MustMake(Op{Sym: SymBuild, Sizes: []Size{two}}, nil, []slot.Name{n}, []Term{body}))
	}
	for range 200 {
		f = s.Apply(SymAdd, loop(1), loop(2))
	}
	before := s.Len()
	closed := s.Subst(f, map[slot.Name]Term{x: s.LitInt(1), i: s.LitInt(0)})
	if n := s.Len() - before; n > 20*200 {
		t.Errorf("substitution made %d nodes", n)
	}
	if len(closed.Args) > 0 {
		t.Error("variables are left")
	}
	open := s.Var("y", ArrayOf(I))
	f = s.SubstVars(s.Subst(f, map[slot.Name]Term{i: open}), map[string]Term{"y": s.LitInt(0)})
	if got := s.Subst(f, map[slot.Name]Term{x: s.LitInt(1)}); !got.Equal(closed) {
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
	a := s.Var("a", ArrayOf(R, SizeConst(3)))
	env := map[string]Term{
		"x": s.Apply(SymSum, a),
		"a": s.Apply(SymAdd, a, s.Lit(ScalarR(numeric.Int(1)), SizeConst(3))),
	}
	// The replacements are not replaced in.
	sum := env["x"]
	_, want := rootsOfIn(t, s, `def f(a: R[3], m: R[3, 3], x: R): (R[3], R[3, 3]) = (
	  build 3 (\i -> (a + 1)[i] * sum a),
	  build 3 (\i -> m[i] + sum a))`)
	if got := s.SubstVars(ts[0], env); !got.Equal(want[0]) {
		t.Errorf("both inputs:\n%s", dump(s, got))
	}
	if got := s.SubstVars(ts[3], map[string]Term{"x": sum}); !got.Equal(want[1]) {
		t.Errorf("one input, in a loop over another:\n%s", dump(s, got))
	}
	if got := s.SubstVars(ts[1], map[string]Term{"z": sum}); !got.Equal(ts[1]) {
		t.Errorf("none of the inputs:\n%s", dump(s, got))
	}
	// A term with free index variables keeps them.
	n := s.Fresh()
	row := s.Index(s.Var("m", ArrayOf(R, SizeConst(3), SizeConst(3))), s.Ivar(n, SizeConst(3)))
	got := s.SubstVars(row, map[string]Term{"m": s.Replicate(SizeConst(3), a)})
	if want := s.Index(s.Replicate(SizeConst(3), a), s.Ivar(n, SizeConst(3))); !got.Equal(want) {
		t.Errorf("a free index variable: %v, want %v", got, want)
	}
}

// rootsOfIn is rootsOf in a store that exists: the terms are copied over.
func rootsOfIn(t *testing.T, s *Store, text string) (*Store, []Term) {
	t.Helper()
	from, ts := rootsOf(t, text)
	var copied []Term
	for _, u := range ts {
		copied = append(copied, copyTerm(from, s, u))
	}
	return s, copied
}

// copyTerm copies a closed term from one store to another.
func copyTerm(from, to *Store, t Term) Term {
	if t.ID == 0 {
		panic("no term")
	}
	done := make(map[uint32]Term)
	free := make(map[uint32][]slot.Name)
	from.Walk(t, func(u Term) {
		names := to.FreshN(len(from.Vars(u)))
		free[u.ID] = names
		v := from.OpenWith(Term{ID: u.ID, Args: names}, to.FreshN(from.Binders(u)))
		for i, k := range v.Kids {
			v.Kids[i] = done[k.ID].RenameFrom(free[k.ID], k.Args)
		}
		done[u.ID] = to.MustMake(v.Op, v.Own, v.Binders, v.Kids)
	})
	return done[t.ID].RenameFrom(free[t.ID], t.Args)
}

// What cannot be said in a program is refused by the store as well.
func TestStoreRefuses(t *testing.T) {
	two, three := SizeConst(2), SizeConst(3)
	s := NewStore(NewSignature())
	n := s.Fresh()
	a := s.Var("a", ArrayOf(R, three))
	i2, i3 := s.Ivar(n, two), s.Ivar(n, three)
	for _, c := range []struct {
		op      Op
		binders []slot.Name
		kids    []Term
		want    string
	}{
		{Op{Sym: SymBuild, Sizes: []Size{three}}, []slot.Name{n}, []Term{i2}, "a variable that ranges over 2 is bound to one that ranges over 3"},
		{Op{Sym: SymAdd}, nil, []Term{i2, i3}, "one variable ranges over 3 and ranges over 2"},
		{Op{Sym: SymStack}, nil, nil, "an array literal needs an element"},
		{Op{Sym: SymGather}, nil, nil, "operand 1 is missing"},
		{Op{Sym: SymTr, Perm: []int{0, 0}}, nil, []Term{a}, "[0, 0] is not a permutation"},
		{Op{Sym: SymTr, Perm: []int{1, 0}}, nil, []Term{a}, "a permutation of 2 axes for the array R[3] of rank 1"},
		{Op{Sym: SymStates, Sizes: []Size{two}, Type: ArrayOf(R)}, []slot.Name{n, n + 1}, []Term{a, s.LitInt(2), a}, "the state of a loop is a scalar R, and not the array R[3] of rank 1"},
		{Op{Sym: SymStates, Sizes: []Size{two}, Type: TupleOf(TupleOf())}, []slot.Name{n, n + 1}, []Term{s.Apply(SymTuple, s.Apply(SymTuple)), s.LitInt(2), s.Apply(SymTuple, s.Apply(SymTuple))}, "a state is an array or a tuple of arrays"},
		{Op{Sym: SymLstates, Sizes: []Size{two}}, []slot.Name{n}, []Term{s.LitInt(2), s.MustMake(Op{Sym: SymLzero, Type: ArrayOf(R), Type2: ArrayOf(R, three)}, nil, nil, nil)}, "have one type, and this map goes from R to R[3]"},
		{Op{Sym: SymScatter, Sizes: []Size{two}, Targets: []Size{three}}, []slot.Name{n}, []Term{a, i2}, "index variable 0 ranges over 2, and axis 0 has size 3"},
		{Op{Sym: SymScatter, Sizes: []Size{three, two}, Targets: []Size{three}}, []slot.Name{n, n + 1}, []Term{a, s.LitInt(0)}, "too many index variables: 2 for the array R[3] of rank 1"},
		{Op{Sym: SymProj, N: 2}, nil, []Term{s.Var("p", TupleOf(ArrayOf(R), ArrayOf(R)))}, "there is no component 2 in (R, R)"},
		{Op{Sym: SymProj}, nil, []Term{a}, "only a tuple has components, and this is the array R[3] of rank 1"},
		{Op{Sym: SymSum}, nil, []Term{a, a}, "sum takes 1 operand, not 2"},
		{Op{Sym: SymReshape, Sizes: []Size{two}}, nil, []Term{a}, "R[3] has 3 elements, and shape [2] has 2"},
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
	s.Apply(SymSum, s.LitInt(1))
}

// Every node is stored once, with children that were there before it.
func TestStoreShape(t *testing.T) {
	p := instance(t, `def f[n](a: R[n], b: R[n, n]): (R, R[n]) = (logsumexp (matvec b (softmax a)), build n (\i -> variance b[i]))`, map[string]int64{"n": 3})
	s := p.Store
	seen := make(map[string]uint32)
	s.Walk(p.Root, func(u Term) {
		for _, k := range s.Kids(u) {
			if k.ID >= u.ID {
				t.Errorf("node %d has child %d", u.ID, k.ID)
			}
			if s.Depth(Term{ID: k.ID}) >= s.Depth(u) {
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
		if c := ComposePerm(p, InvertPerm(p)); len(c) != 0 {
			t.Errorf("%v after its inverse is %v", p, c)
		}
		if c := ComposePerm(InvertPerm(p), p); len(c) != 0 {
			t.Errorf("the inverse of %v after it is %v", p, c)
		}
		if c := ComposePerm(p, nil); fmt.Sprint(c) != fmt.Sprint(CanonPerm(p)) {
			t.Errorf("%v after nothing is %v", p, c)
		}
	}
	if IsPerm([]int{0, 0}) || IsPerm([]int{1}) || IsPerm([]int{-1, 0}) || !IsPerm(nil) {
		t.Error("IsPerm")
	}
	// tr (ComposePerm p q) is tr p of tr q.
	s := NewStore(NewSignature())
	shape := []Size{SizeConst(2), SizeConst(3), SizeConst(4)}
	var data []Scalar
	for i := range 24 {
		data = append(data, ScalarI(int64(i)))
	}
	a := s.LitData(data, shape...)
	for _, p := range [][]int{{1, 0}, {2, 0, 1}, {0, 2, 1}} {
		for _, q := range [][]int{{1, 0}, {1, 2, 0}, {2, 1, 0}} {
			var got [2]string
			for i, u := range []Term{s.Tr(p, s.Tr(q, a)), s.Tr(ComposePerm(p, q), a)} {
				v, err := Interpret(s, u, FloatArrays(), nil)
				if err != nil {
					t.Fatal(err)
				}
				got[i] = showFloats(v)
			}
			if got[0] != got[1] {
				t.Errorf("tr %v of tr %v is not tr %v", p, q, ComposePerm(p, q))
			}
		}
	}
}

// TestReplacedByVariable: where an input is replaced by a variable that occurs beside it,
// the two are one variable of the term.
func TestReplacedByVariable(t *testing.T) {
	s := NewStore(NewSignature())
	three := SizeConst(3)
	i := s.Ivar(s.Fresh(), three)
	a, j := s.Var("a", ArrayOf(R, three)), s.Var("j", ArrayOf(I))
	sum := func(j Term) Term { return s.Apply(SymAdd, s.Index(a, i), s.Index(a, j)) }
	want := s.Apply(SymExp, sum(i))
	if got := s.SubstVars(s.Apply(SymExp, sum(j)), map[string]Term{"j": i}); !got.Equal(want) {
		t.Errorf("SubstVars makes %v, and not %v", got, want)
	}
	if got := s.Replace(s.Apply(SymExp, sum(j)), func(u Term) (Term, bool) { return i, u.ID == j.ID }); !got.Equal(want) {
		t.Errorf("Replace makes %v, and not %v", got, want)
	}
}
