package routes

import (
	"fmt"
	"math"
	"math/big"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"egad/diag"
	"egad/internal/defs"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/internal/timing"
	"egad/rules/load"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
)

// taskOf is the last definition of a text at the given sizes, with inputs that are made up.
func taskOf(t testing.TB, text string, sizes map[string]int64) *Task {
	t.Helper()
	lib, m := defs.Read(t, text)
	info, err := m.Lookup("")
	if err != nil {
		t.Fatal(err)
	}
	p, err := m.Instantiate(info.Name, sizes)
	if err != nil {
		t.Fatal(err)
	}
	env := make(eval.Env[*eval.Value[float64]])
	if err := timing.MakeUp(env, p.Inputs, 3, 1); err != nil {
		t.Fatal(err)
	}
	return &Task{Lib: lib, Program: p, Env: env, Bounds: DefaultBounds}
}

// mayRefuse reports whether a result is of a route of functional programs that does not take
// an array program, which not all of them do.
func mayRefuse(r *Result) bool {
	route, err := Find(r.Name)
	return err == nil && route.functional && r.Agreement == Refused
}

// agree runs all routes, which have to agree.
func agree(t testing.TB, task *Task) map[string]*Result {
	t.Helper()
	results, err := Run(task, Table, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]*Result)
	for _, r := range results {
		if r.Agreement != Equal && r.Agreement != Close && !mayRefuse(r) {
			t.Errorf("%s: %s %s, by %g at %s", r.Name, r.Agreement, r.Why, r.Difference, r.Where)
		}
		out[r.Name] = r
	}
	return out
}

// What the paper says of Deltas of doubling (Section 2.5) and of the dot product
// (Section 4.1, where it should be 5n: Eq. 3 shares a sum once).
func TestCounts(t *testing.T) {
	doubling := "def f(x: R): R =\n"
	for n := 1; n <= 10; n++ {
		doubling += fmt.Sprintf("let x%d = x%s + x%[2]s in\n", n, map[bool]string{true: "", false: fmt.Sprint(n - 1)}[n == 1])
		of := agree(t, taskOf(t, doubling+fmt.Sprintf("x%d\n", n), nil))
		if got, want := of["eval3"].Visits, int64(2<<n-1); got != want {
			t.Errorf("%d doublings: eval3 makes %d visits, want %d", n, got, want)
		}
		if got, want := of["share"].Visits, int64(3*n+1); got != want {
			t.Errorf("%d doublings: share makes %d visits, want %d", n, got, want)
		}
		if got := of["share"].Ids; got != int64(n) {
			t.Errorf("%d doublings have %d ids", n, got)
		}
	}
	for n := int64(2); n <= 6; n++ {
		of := agree(t, taskOf(t, "def dot[n](a: R[n], b: R[n]): R = sum (a * b)\n", map[string]int64{"n": n}))
		if got := of["share"].Made; got != 5*n {
			t.Errorf("the dot product of %d numbers makes %d constructors, want %d", n, got, 5*n)
		}
	}
}

// All routes agree, also where derivatives are no sums of products of scalars: one branch
// of a conditional, columns, matrices, loops, ties, results that are tuples.
func TestRoutesAgree(t *testing.T) {
	for _, c := range []struct {
		text  string
		sizes map[string]int64
		ct    []float64
	}{
		{"def f(x: R): R = if x < 0.5 then sin x else x * x\n", nil, nil},
		{"def f(a: R[4]): R = logsumexp a + norm a + prod a + maximum (a * a) + sum (sort a * cumprod a)\n", nil, nil},
		{"def f(a: R[3], b: R[3, 3]): R = logdet (b + 3 * eye 3) + sum (solve (b + 2 * eye 3) a)\n", nil, nil},
		{"def f[n](a: R[n]): R = fold (\\s x -> tanh (s + x * s)) 1.5 a + sum (scan (\\s x -> s * x + 1) 0.5 a)\n", map[string]int64{"n": 5}, nil},
		{"def f(a: R[3]): R = let s = fold (\\(x, y) u -> (x * u + y, y * x)) (1.0, 2.0) a in s.0 + s.1\n", nil, nil},
		{"def f(a: R[2], b: R[2]): R = let s = iterate 3 (\\(x, y) -> (y, x)) (a, b) in sum (s.0 * s.0 * b) - sum s.1\n", nil, nil},
		{"def f(a: R[3]): R = let s = fold (\\(x, k) u -> (x * u + a[k], k + 1)) (1.0, 0) a in s.0 + a[s.1 - 1]\n", nil, nil},
		{"def f(a: R[3], k: I[3]): R = sum (build 3 (\\i -> a[k[i]] * a[i])) + maximum [a[0], a[0]]\n", nil, nil},
		{"def f(p: (R, I, R[2])): (R[2], I, R) = (p.2 * p.0, p.1, p.0 * p.0)\n", nil, []float64{1, -2, 0.5}},
		{"def f(a: R[2]): R[2] = sin a * a\n", nil, []float64{3, 4}},
	} {
		task := taskOf(t, c.text, c.sizes)
		task.Cotangent = c.ct
		agree(t, task)
	}
}

// The first of equal elements takes the change of a maximum and of a minimum, in all routes,
// and the first that is no number if there is one.
func TestTies(t *testing.T) {
	nan := math.NaN()
	for _, name := range []string{"maximum", "minimum"} {
		for _, a := range [][]float64{{1, 1, 1, 1, 1}, {2, 1, 1, 2, 2}, {1, 2, 2, 1, 1}, {0, math.Copysign(0, -1), 0, 0, 0}, {1, nan, 2, nan, 1}} {
			task := taskOf(t, "def f(a: R[5]): R = "+name+" a\n", nil)
			copy(task.Env["a"].R, a)
			at := slices.IndexFunc(a, math.IsNaN)
			if at < 0 {
				at = slices.Index(a, map[string]func([]float64) float64{"maximum": slices.Max[[]float64], "minimum": slices.Min[[]float64]}[name](a))
			}
			want := make([]float64, 5)
			want[at] = 1
			for _, r := range agree(t, task) {
				if r.Agreement != Refused && !slices.Equal(r.Gradient, want) {
					t.Errorf("%s %v: the gradient of %s is %v", name, a, r.Name, r.Gradient)
				}
			}
		}
	}
}

// All routes agree on random programs, in rational numbers where operators allow.
func TestRandomPrograms(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	n := testflag.Count(60, 2000)
	applied, exact, infinite := 0, 0, 0
	var worst struct {
		ratio float64
		text  string
	}
	programs.Hold(t, testflag.Seed, n, programs.GenScalar(programs.Smooth), func(c programs.Case) error {
		p := c.Program(sig)
		if !slices.ContainsFunc(p.Inputs, func(in term.Input) bool { return in.Type.Differentiable() }) {
			return nil
		}
		results, err := compared(&Task{Lib: lib, Program: p, Env: c.Values(true, true), Bounds: DefaultBounds}, Table, func(string) {}, 0)
		if err != nil {
			return err
		}
		of := make(map[string]*Result)
		for _, r := range results {
			of[r.Name] = r
			switch r.Agreement {
			case Differs:
				if route, _ := Find(r.Name); route.functional && r.Difference == math.MaxFloat64 {
					infinite++ // a change of 0 times an infinite factor, which array routes hold back
					continue
				}
				return fmt.Errorf("%s differs by %g at %s from %s, with the inputs %v of\n%s", r.Name, r.Difference, r.Where, results[0].Name, c.Values(true, true), p.Text("differs"))
			case Refused:
				if mayRefuse(r) {
					continue
				}
				return fmt.Errorf("%s %s: %s", r.Name, r.Agreement, r.Why)
			case Equal:
				exact++
			}
			applied++
		}
		if a, b := of["egraph"].Total, of["symbolic"].Total; float64(b) > worst.ratio*float64(max(a, 1)) {
			worst.ratio = float64(b) / float64(max(a, 1))
			worst.text = fmt.Sprintf("%s%d operations, and %d as egad grad writes it", p.Text("worst"), b, a)
		}
		return nil
	})
	t.Logf("the worst program that is written takes %.2f times the operations:\n%s", worst.ratio, worst.text)
	if applied < 4*n || exact < n || infinite > applied/1000 {
		t.Errorf("-seed %d: only %d results, %d of them in rationals, and %d that are not finite", testflag.Seed, applied, exact, infinite)
	}
}

// Declared operators go through all routes by their rules, or where there are none by their
// meanings. A linear one that has rules is one constructor.
func TestDeclared(t *testing.T) {
	whole, err := diag.ReadSource("../examples/running/running.rules")
	if err != nil {
		t.Fatal(err)
	}
	meaning, _, ok := strings.Cut(whole.Text, "\nruleset ")
	if !ok {
		t.Fatal("no rules")
	}
	const swap = "\noperator swap[n](a: R[n], b: R[n]): R[n] = gather [n] (a * a * b) (\\[i] -> [n - 1 - i])\n"
	for _, c := range []struct {
		rules, text string
		made        int64 // constructors of dual
	}{
		{whole.Text, "def f[n](a: R[n]): R = sum (running a * a)\n", 8},
		{meaning, "def f[n](a: R[n]): R = sum (running a * a)\n", 0},
		{whole.Text, "def f[n](a: R[n], b: R[n, 2]): R = sum (build n (\\i -> sum (running (a * b[i, 1])) * a[i])) + sum (sum (running b * running b))\n", 0},
		{whole.Text + swap, "def f[n](a: R[n]): R = fold (\\s x -> sum (swap(running a, a * s)) * x) 1.5 a\n", 0},
	} {
		for _, n := range []int64{0, 1, 3, 5} {
			sig := term.NewSignature()
			lib, err := load.Files(sig, append(load.Sources(), &diag.Source{Name: "test.rules", Text: c.rules})...)
			if err != nil {
				t.Fatal(err)
			}
			m, err := module.Load(sig, &diag.Source{Name: "test.egad", Text: c.text})
			if err != nil {
				t.Fatal(err)
			}
			p, err := m.Instantiate("f", map[string]int64{"n": n})
			if err != nil {
				t.Fatal(err)
			}
			task := &Task{Lib: lib, Program: p, Env: make(eval.Env[*eval.Value[float64]]), Bounds: DefaultBounds}
			if err := timing.MakeUp(task.Env, p.Inputs, 3, 1); err != nil {
				t.Fatal(err)
			}
			if made := agree(t, task)["dual"].Made; n > 1 && c.made != 0 && made != c.made {
				t.Errorf("dual makes %d constructors, want %d, of %s", made, c.made, c.text)
			}
		}
	}
}

// randomTape is a Delta on a tape with some inputs. Of what is made so many halves have ids.
func randomTape(rng *rand.Rand, ids int) (*tape[*big.Rat], Delta) {
	tp := &tape[*big.Rat]{inputs: 1 + rng.Intn(3), left: 1000}
	last := tp.input(0)
	known := []Delta{Zero, last}
	old := func() Delta { return known[rng.Intn(len(known))] }
	for range rng.Intn(12) {
		switch rng.Intn(3) {
		case 0:
			last = tp.scale(big.NewRat(int64(rng.Intn(7)-3), 2), old())
		default:
			last = tp.add(old(), last)
		}
		if rng.Intn(2) < ids {
			last = tp.share(last)
		}
		known = append(known, last)
	}
	return tp, last
}

// The evaluators of Section 2 agree as its equations say, from any vector.
func TestEvaluators(t *testing.T) {
	rng := rand.New(rand.NewSource(testflag.Seed))
	for range 500 {
		tp, d := randomTape(rng, 0)
		e := newEvaluator(tp, eval.Scalars[*big.Rat](rationals), unbounded)
		start := e.vector()
		for i := range start {
			start[i] = big.NewRat(int64(rng.Intn(9)), 1)
		}
		one, err := e.eval1(d)
		two, three := slices.Clone(start), slices.Clone(start)
		if err == nil {
			err = e.eval2(d, two)
		}
		if err == nil {
			err = e.eval3(e.one, d, three)
		}
		for i := range one {
			zero, err0 := e.eval0(d, i)
			if err != nil || err0 != nil {
				t.Fatal(err, err0)
			}
			sum := new(big.Rat).Add(start[i], one[i])
			if zero.Cmp(one[i]) != 0 || two[i].Cmp(sum) != 0 || three[i].Cmp(sum) != 0 {
				t.Fatalf("-seed %d: input %d: eval0 %v, eval1 %v; from %v: eval2 %v, eval3 %v", testflag.Seed, i, zero, one[i], start[i], two[i], three[i])
			}
		}
	}
}

// Reverse passes visit what has an id once, and give what evaluation without ids gives;
// what is shared by an id has smaller ids in it.
func TestReversePass(t *testing.T) {
	rng := rand.New(rand.NewSource(testflag.Seed))
	for range 500 {
		tp, d := randomTape(rng, 1+rng.Intn(2))
		e := newEvaluator(tp, eval.Scalars[*big.Rat](rationals), unbounded)
		want, got := e.vector(), e.vector()
		if err := e.eval3(e.one, d, want); err != nil {
			t.Fatal(err)
		}
		e.visits = 0
		if err := e.reversePass([]weighted[*big.Rat]{{e.one, d}}, got); err != nil {
			t.Fatal(err)
		}
		for i := range want {
			if want[i].Cmp(got[i]) != 0 {
				t.Fatalf("-seed %d: input %d: %v without ids, %v with", testflag.Seed, i, want[i], got[i])
			}
		}
		if want := tp.visitsOf(d, make(map[int32]bool)); e.visits != want {
			t.Fatalf("-seed %d: %d visits, where %d are enough", testflag.Seed, e.visits, want)
		}
		if err := tp.increasing(); err != nil {
			t.Fatalf("-seed %d: %v", testflag.Seed, err)
		}
	}
}

// inside lists the ids in a Delta that are not under others.
func inside[S any](tp *tape[S], d Delta) []int32 {
	c, made := tp.cell(d)
	switch {
	case !made:
		return nil
	case c.b == isShare:
		return []int32{c.a}
	case c.b != isScale:
		return append(inside(tp, Delta(c.a)), inside(tp, Delta(c.b))...)
	}
	return inside(tp, Delta(c.a))
}

// As printed, eval2 (Scale r d) = (r ·) ∘ eval2 d multiplies also what was there before:
// of Add (Input 0) (Scale 2 (Input 0)) it makes 4, where eval1 makes 3.
func TestEval2AsPrinted(t *testing.T) {
	tp := &tape[float64]{inputs: 1, left: 10}
	x := tp.input(0)
	twice := tp.scale(2, x)
	sum := tp.add(x, twice)
	e := newEvaluator(tp, eval.Scalars[float64](floats), unbounded)
	var printed func(d Delta, tg float64) float64
	printed = func(d Delta, tg float64) float64 {
		c, made := tp.cell(d)
		switch {
		case d == Zero:
			return tg
		case !made:
			return tg + 1
		case c.b != isScale:
			return printed(Delta(c.b), printed(Delta(c.a), tg))
		}
		return c.by * printed(Delta(c.a), tg)
	}
	one, err := e.eval1(sum)
	if err != nil || one[0] != 3 || printed(sum, 0) != 4 {
		t.Errorf("eval1 is %v, eval2 as printed %v; %v", one, printed(sum, 0), err)
	}
}

// A chain of ten million operations overflows no stack.
func TestDeep(t *testing.T) {
	const n = 10_000_000
	tp := &tape[float64]{inputs: 1, left: 2 * n}
	d := tp.input(0)
	for range n {
		d = tp.scale(1, d)
	}
	e := newEvaluator(tp, eval.Scalars[float64](floats), unbounded)
	g := e.vector()
	if err := e.eval3(1, d, g); err != nil || g[0] != 1 {
		t.Errorf("eval3: %v, %v", g, err)
	}
	if x, err := e.eval0(d, 0); err != nil || x != 1 {
		t.Errorf("eval0: %v, %v", x, err)
	}
}

// Bounds end what would take too long, and say where.
func TestStopped(t *testing.T) {
	text := "def f(x0: R): R =\n"
	for n := 1; n <= 40; n++ {
		text += fmt.Sprintf("let x%d = x%d + x%[2]d in\n", n, n-1)
	}
	results, err := Run(taskOf(t, text+"x40\n", nil), Table, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range results {
		stopped := slices.Contains([]string{"eval0", "eval1", "eval2", "eval3", "delta"}, r.Name)
		if (r.Agreement == Stopped) != stopped || stopped && r.Why != "after 10000000 visits" {
			t.Errorf("%s: %s %s", r.Name, r.Agreement, r.Why)
		}
	}
}

// Without the bulk-operation transform each element that is read has a cotangent of all.
func TestDualBuildStopped(t *testing.T) {
	task := taskOf(t, "def f(a: R[2000]): R = sum (build 2000 (\\i -> a[i] * a[i]))\n", nil)
	task.Bounds.Operations = 1_000_000
	var of []*Route
	for _, name := range []string{"dual", "dual-build"} {
		r, err := Find(name)
		if err != nil {
			t.Fatal(err)
		}
		of = append(of, r)
	}
	results, err := Run(task, of, func(string) {})
	if err != nil {
		t.Fatal(err)
	}
	if results[0].Agreement != Equal || results[1].Why != "after 1000000 operations" {
		t.Errorf("dual: %s %s, dual-build: %s %s", results[0].Agreement, results[0].Why, results[1].Agreement, results[1].Why)
	}
}

func TestGrowth(t *testing.T) {
	for _, c := range []struct {
		counts []int64
		want   Growth
	}{
		{[]int64{7, 7, 7, 7}, Constant},
		{[]int64{1, 3, 5, 7, 9}, Linear},
		{[]int64{2, 3, 5, 7, 9, 11}, Linear},
		{[]int64{1, 4, 9, 16, 25, 36}, Quadratic},
		{[]int64{3, 7, 15, 31, 63, 127}, Exponential},
		{[]int64{1, 8, 27, 64, 125, 216, 343}, Unclear},
		{[]int64{1, 2}, Unclear},
	} {
		if got := GrowthOf(c.counts); got != c.want {
			t.Errorf("%v is %s, want %s", c.counts, got, c.want)
		}
	}
}

// What differs is said where that is most: of floats beside what rounding may amount to.
func TestWhereTheyDiffer(t *testing.T) {
	task := taskOf(t, "def f(a: R[2]): R = 1000000 * a[0] + a[1]\n", nil)
	numbers := func(xs ...int64) (out []*big.Rat) {
		for _, x := range xs {
			out = append(out, big.NewRat(x, 1))
		}
		return out
	}
	for _, c := range []struct {
		gradient  []float64
		exact     []*big.Rat
		agreement Agreement
		apart     float64
		where     string
	}{
		{[]float64{1e6, 1}, nil, Close, 0, ""},
		{[]float64{1e6 + 0x1p-23, 1}, nil, Close, 0x1p-23, "a[0]"},
		{[]float64{1e6 + 0x1p-23, 1 + 0x1p-42}, nil, Close, 0x1p-42, "a[1]"},
		{[]float64{1e6 + 0x1p-23, 1.5}, nil, Differs, 0.5, "a[1]"},
		{[]float64{math.NaN(), 1.5}, nil, Differs, math.MaxFloat64, "a[0]"},
		{[]float64{1e6, 1}, numbers(1e6, 1), Equal, 0, ""},
		{[]float64{1e6, 1}, numbers(1e6-1, -3), Differs, 4, "a[1]"},
	} {
		first := &comparison{task: task, floats: []float64{1e6, 1}, exact: numbers(1e6, 1)}
		r := &Result{Gradient: c.gradient}
		first.compare(r, c.exact)
		if r.Agreement != c.agreement || r.Difference != c.apart || r.Where != c.where {
			t.Errorf("%v, %v: %s %g at %s", c.gradient, c.exact, r.Agreement, r.Difference, r.Where)
		}
	}
}
