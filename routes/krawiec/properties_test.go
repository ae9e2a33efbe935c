package krawiec

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"egad/fun"
	"egad/internal/raise"
	"egad/internal/testflag"
	"egad/internal/values"
	"egad/props"
	"egad/term/ops"
)

// primalOp selects the primal components (Fig. 1).
var primalOp = &polytypic{"primal", dual, itself,
	func(_ *fun.Machine, r *representation, a *fun.Type, x fun.Value) fun.Value {
		return fun.MapLeaves(r.apart(x, a), a, func(p *fun.Pairing) fun.Value { return p.L })
	}}

var (
	// toReal has the result R, so that Fig. 11 is the wrapper.
	toReal = props.FunctionalOptions{Operators: props.AllOperators, Values: values.Dyadic, Result: fun.Real, Recursion: true}
)

// TestK1Differences: gradients are those of central differences, where operators are
// polynomials and nothing is chosen by a real.
func TestK1Differences(t *testing.T) {
	o := props.FunctionalOptions{Values: values.Dyadic, NoSums: true, Size: 20}
	hold(t, 150, o, func(c props.FunctionalCase, task *Task, ct []float64) error {
		out, err := Find("monadic").Gradient(task, c.Inputs, ct)
		if err != nil {
			return err
		}
		in := task.inputs()
		s := fun.TupleValue(c.Inputs...)
		at := fun.Leaves[float64](s, in)
		dot := func(xs []float64) float64 {
			inputs := components(filled(s, in, xs), len(c.Inputs))
			v, err := task.Value(inputs)
			if err != nil {
				return math.NaN()
			}
			sum := 0.0
			for j, y := range fun.Leaves[float64](v, c.Program.Result) {
				sum += ct[j] * y
			}
			return sum
		}
		for i, x := range at {
			const h = 1e-4
			at[i] = x + h
			up := dot(at)
			at[i] = x - h
			down := dot(at)
			at[i] = x
			d, scale := (up-down)/(2*h), math.Abs(up)+math.Abs(down)+math.Abs(out.Gradient[i])
			if scale > 1e4 || math.IsNaN(scale) { // too large for differences
				continue
			}
			if math.Abs(d-out.Gradient[i]) > 1e-3*(1+scale) {
				return fmt.Errorf("by real %d: %v, differences say %v", i, out.Gradient[i], d)
			}
		}
		return nil
	})
}

// components are those of a tuple of n.
func components(v fun.Value, n int) []fun.Value {
	out := make([]fun.Value, n)
	for i := n - 1; i > 0; i-- {
		p := v.(*fun.Pairing)
		v, out[i] = p.L, p.R
	}
	if n > 0 {
		out[0] = v
	}
	return out
}

// TestK2Transposed: dt . F{e}(s, ds) = R{e}(s, dt) . ds (Lemma 1).
func TestK2Transposed(t *testing.T) {
	hold(t, 200, everything, func(c props.FunctionalCase, task *Task, ct []float64) error {
		w, _, err := Find("forward-dual").Wrap(task)
		if err != nil {
			return err
		}
		m, _ := task.machine()
		f, err := m.Eval(w, nil)
		if err != nil {
			return err
		}
		in, s := task.inputs(), fun.TupleValue(c.Inputs...)
		ds := make([]float64, len(fun.Leaves[float64](s, in)))
		for i := range ds {
			ds[i] = float64(i%7) - 2.5
		}
		dv, err := m.Call(f, &fun.Pairing{L: s, R: filled(s, in, ds)})
		if err != nil {
			return err
		}
		forward := 0.0
		for j, y := range fun.Leaves[float64](dv, c.Program.Result) {
			forward += ct[j] * y
		}
		out, err := Find("monadic").Gradient(task, c.Inputs, ct)
		if err != nil {
			return err
		}
		reverse, scale := 0.0, 1.0
		for i, g := range out.Gradient {
			reverse += g * ds[i]
			scale += math.Abs(g * ds[i])
		}
		if math.Abs(forward-reverse) > 1e-9*(scale+math.Abs(forward)) {
			return fmt.Errorf("dt . F = %v, R . ds = %v", forward, reverse)
		}
		return nil
	})
}

// translated is a run of D{e} on inputs that are dualised from an id on.
type translated struct {
	value  fun.Value // of D{T}
	binds  *listed
	rep    *representation
	result *fun.Type
}

// runTranslated runs the translation of a route with reverse changes, after it has been
// changed by mutate; let says how bindings are made, nil for as they are.
func runTranslated(route string, task *Task, inputs []fun.Value, first *listed, mutate func(*fun.Term) *fun.Term, let func(*listed) binds) (*translated, error) {
	r := Find(route)
	d, _, _, err := r.Translate(task)
	if err != nil {
		return nil, err
	}
	if mutate != nil {
		d = mutate(d)
	}
	m, state := task.machine()
	rep := r.represent(task.inputs())
	state.binds = first
	if let != nil {
		state.binds = let(first)
	}
	n := int64(0)
	var env []fun.Value
	for i, x := range inputs {
		p := initVarsOp.apply(m, rep, task.Program.Context[i], &fun.Pairing{L: x, R: n}).(*fun.Pairing)
		env, n = append(env, p.L), p.R.(int64)
	}
	first.next = max(first.next, int(n)+1)
	out := &translated{binds: first, rep: rep, result: task.Program.Result}
	if rep.monadic {
		out.value, err = m.Run(d, env)
	} else {
		out.value, err = m.Eval(d, env)
	}
	return out, err
}

// TestK3Primal: the primal values of D{e} are those of e, bit for bit.
func TestK3Primal(t *testing.T) {
	o := everything
	o.Operators, o.Values = props.AllOperators, values.Wild
	hold(t, 200, o, func(c props.FunctionalCase, task *Task, _ []float64) error {
		want, err := task.Value(c.Inputs)
		if err != nil {
			return err
		}
		for _, route := range []string{"delta", "monadic", "monadic-array"} {
			got, err := runTranslated(route, task, c.Inputs, &listed{}, nil, nil)
			if err != nil {
				return err
			}
			v := primalOp.apply(nil, got.rep, got.result, got.value)
			a, b := fun.Leaves[float64](v, got.result), fun.Leaves[float64](want, got.result)
			for i := range a {
				if math.Float64bits(a[i]) != math.Float64bits(b[i]) && !(math.IsNaN(a[i]) && math.IsNaN(b[i])) {
					return fmt.Errorf("%s: %v, want %v", route, a, b)
				}
			}
		}
		return nil
	})
}

// counted counts executed real primitives.
type counted struct {
	*fun.Concrete[float64]
	n int64
}

func (d *counted) Op(op ops.Op, xs []fun.Value) fun.Value {
	v := d.Concrete.Op(op, xs)
	if _, ok := v.(float64); ok {
		for _, x := range xs {
			if _, ok := x.(float64); ok {
				d.n++
				break
			}
		}
	}
	return v
}

func primitives(c props.FunctionalCase) (int64, error) {
	d := &counted{Concrete: fun.Floats()}
	_, err := c.Program.Run(&fun.Machine{Domain: d}, c.Inputs)
	return d.n, err
}

// oneEach is an error if there is not one binding for each executed real primitive.
func oneEach(c props.FunctionalCase, bindings int64) error {
	n, err := primitives(c)
	if err == nil && n != bindings {
		err = fmt.Errorf("%d bindings, %d real primitives", bindings, n)
	}
	return err
}

// TestK7Bindings: there is one for each executed real primitive, and none for literals.
func TestK7Bindings(t *testing.T) {
	hold(t, 300, toReal, func(c props.FunctionalCase, task *Task, ct []float64) error {
		for _, route := range []string{"monadic", "monadic-array", "overloaded"} {
			out, err := Find(route).Gradient(task, c.Inputs, ct)
			if err != nil {
				return err
			}
			if err := oneEach(c, out.Bindings); err != nil {
				return fmt.Errorf("%s: %w", route, err)
			}
		}
		return nil
	})
}

// TestK8Visits: eval visits no part of a Delta twice; + takes 4 visits, * 6, and an operator
// of one operand 3.
func TestK8Visits(t *testing.T) {
	hold(t, 200, toReal, func(c props.FunctionalCase, task *Task, ct []float64) error {
		out, err := Find("monadic").Gradient(task, c.Inputs, ct)
		if err == nil && out.Visits > int64(out.Delta.Size()) {
			err = fmt.Errorf("%d visits of %d constructors", out.Visits, out.Delta.Size())
		}
		return err
	})
	for _, c := range []struct {
		t      *fun.Term
		visits int64
	}{{plus(fun.V(0), fun.V(0)), 4}, {times(fun.V(0), fun.V(0)), 6}, {op(ops.SymSin, fun.V(0)), 3}} {
		if out := gradient(t, "monadic", program(c.t, "x"), nil, 2.0); out.Visits != c.visits+1 {
			t.Errorf("%d visits, want %d and one of the result", out.Visits, c.visits)
		}
	}
}

// invariant is an error if a root is not Zero or a Var, an id is not new, or a right side
// mentions an id that is not smaller.
func invariant(roots []*Delta, binds []binding, first int) error {
	for _, r := range roots {
		if r.Kind != Zero && r.Kind != Var {
			return fmt.Errorf("the Delta of a real is %s", r)
		}
	}
	var below func(d *Delta, id int) error
	below = func(d *Delta, id int) error {
		if d == nil {
			return nil
		}
		if d.Kind == Var && d.ID >= id {
			return fmt.Errorf("the binding of %d mentions %d", id, d.ID)
		}
		if err := below(d.A, id); err != nil {
			return err
		}
		return below(d.B, id)
	}
	for i, b := range binds {
		if b.id != first+i {
			return fmt.Errorf("binding %d has the id %d", first+i, b.id)
		}
		if err := below(b.delta, b.id); err != nil {
			return err
		}
	}
	return nil
}

// roots are the Deltas of the reals in a result.
func (t *translated) roots() []*Delta {
	var out []*Delta
	for _, p := range fun.Leaves[*fun.Pairing](t.rep.apart(t.value, t.result), t.result) {
		out = append(out, p.R.(*Delta))
	}
	return out
}

// TestK9Invariant: the Delta of each real is Zero or a Var, ids are new, and right sides
// mention smaller ones.
func TestK9Invariant(t *testing.T) {
	hold(t, 200, everything, func(c props.FunctionalCase, task *Task, _ []float64) error {
		for _, route := range []string{"monadic", "monadic-array"} {
			got, err := runTranslated(route, task, c.Inputs, &listed{}, nil, nil)
			if err != nil {
				return err
			}
			if err := invariant(got.roots(), got.binds.of, got.binds.next-len(got.binds.of)); err != nil {
				return fmt.Errorf("%s: %w", route, err)
			}
		}
		return nil
	})
}

// TestK9OneDelta: overloading makes the Delta of monadic, id for id; and so do bindings in an
// array, and arrays as pairs of arrays.
func TestK9OneDelta(t *testing.T) {
	o := everything
	o.Recursion = true
	hold(t, 200, o, func(c props.FunctionalCase, task *Task, ct []float64) error {
		text := ""
		for _, route := range []string{"monadic", "overloaded", "monadic-array"} {
			for _, apart := range []bool{false, true} {
				task.PairOfArrays = apart
				out, err := Find(route).Gradient(task, c.Inputs, ct)
				if err != nil {
					return err
				}
				d := out.Delta
				if out.Tape != nil {
					d = out.Tape.wrap(d)
				}
				if text == "" {
					text = d.String()
				} else if got := d.String(); got != text {
					return fmt.Errorf("%s:\n%s\nwant\n%s", route, got, text)
				}
			}
		}
		return nil
	})
}

// randomDelta is a Delta over the free variables 1 … free, that binds ids from next on.
func randomDelta(rng *rand.Rand, depth, free int, next *int, bound []int) *Delta {
	k := rng.Intn(5)
	if depth == 0 {
		k = rng.Intn(2)
	}
	part := func() *Delta { return randomDelta(rng, depth-1, free, next, bound) }
	switch k {
	case 0:
		return zero
	case 1:
		if n := rng.Intn(free + len(bound)); n >= free {
			return &Delta{Kind: Var, ID: bound[n-free]}
		}
		return &Delta{Kind: Var, ID: 1 + rng.Intn(free)}
	case 2:
		return &Delta{Kind: Scale, X: float64(rng.Intn(9) - 4), A: part()}
	case 3:
		return &Delta{Kind: Add, A: part(), B: part()}
	}
	a := part()
	id := *next
	*next++
	return &Delta{Kind: Let, ID: id, A: a, B: randomDelta(rng, depth-1, free, next, append(bound[:len(bound):len(bound)], id))}
}

// meaning is [[d]] in an environment of vectors (Section 9).
func meaning(d *Delta, env map[int][]float64, n int) []float64 {
	out := make([]float64, n)
	switch d.Kind {
	case Var:
		copy(out, env[d.ID])
	case Scale:
		for i, x := range meaning(d.A, env, n) {
			out[i] = d.X * x
		}
	case Add:
		b := meaning(d.B, env, n)
		for i, x := range meaning(d.A, env, n) {
			out[i] = x + b[i]
		}
	case Let:
		in := map[int][]float64{}
		for k, v := range env {
			in[k] = v
		}
		in[d.ID] = meaning(d.A, env, n)
		return meaning(d.B, in, n)
	}
	return out
}

// evaluation adds x times a Delta to a map.
type evaluation func(x float64, d *Delta, um Map) error

func evaluated(x float64, d *Delta, um Map) (err error) {
	defer raise.Caught(&err)
	(&evaluator{most: 1 << 40}).eval(x, d, nil, um)
	return nil
}

// printed is eval as Fig. 10 prints it; the flags are mistakes.
func printed(keeps, bindingFirst bool) evaluation {
	var eval func(x float64, d *Delta, um Map) error
	eval = func(x float64, d *Delta, um Map) error {
		switch d.Kind {
		case Scale:
			return eval(x*d.X, d.A, um)
		case Add:
			if err := eval(x, d.A, um); err != nil {
				return err
			}
			return eval(x, d.B, um)
		case Var:
			um[d.ID] += x
		case Let:
			if !bindingFirst {
				if err := eval(x, d.B, um); err != nil {
					return err
				}
			}
			if y, ok := um[d.ID]; ok {
				if !keeps {
					delete(um, d.ID)
				}
				if err := eval(y, d.A, um); err != nil {
					return err
				}
			}
			if bindingFirst {
				return eval(x, d.B, um)
			}
		}
		return nil
	}
	return eval
}

// lemma6 is an error if eval does not add x times the meaning of a random Delta: for x, u, g
// and m, x * [[u]]g is the sum over a of (eval x u m - m)(a) * g(a), and no other id has come.
func lemma6(rng *rand.Rand, eval evaluation) error {
	const free, n = 4, 3
	next := free + 1
	d := randomDelta(rng, 5, free, &next, nil)
	env, um, before := map[int][]float64{}, Map{}, Map{}
	for id := 1; id <= free; id++ {
		for range n {
			env[id] = append(env[id], float64(rng.Intn(9)-4))
		}
		um[id] = float64(rng.Intn(9) - 4)
		before[id] = um[id]
	}
	x := float64(rng.Intn(9) - 4)
	if err := eval(x, d, um); err != nil {
		return err
	}
	want, got := meaning(d, env, n), make([]float64, n)
	for id, y := range um {
		if id > free {
			return fmt.Errorf("%s leaves the id %d", d, id)
		}
		for i, g := range env[id] {
			got[i] += (y - before[id]) * g
		}
	}
	for i := range want {
		if got[i] != x*want[i] {
			return fmt.Errorf("%s by %v: %v, want %v", d, x, got, want)
		}
	}
	return nil
}

func lemma6Often(eval evaluation) error {
	n := testflag.Count(600, 20_000)
	rng := rand.New(rand.NewSource(testflag.Seed))
	for range n {
		if err := lemma6(rng, eval); err != nil {
			return err
		}
	}
	return nil
}

// TestK10Lemma6: eval adds what a Delta means.
func TestK10Lemma6(t *testing.T) {
	if err := lemma6Often(evaluated); err != nil {
		t.Error(err)
	}
	if err := lemma6Often(printed(false, false)); err != nil {
		t.Errorf("as printed: %v", err)
	}
}

// TestK10Stale: Lemma 6 needs bound ids that are no keys of the map.
func TestK10Stale(t *testing.T) {
	um := Map{99: 5}
	if err := evaluated(1, &Delta{Kind: Let, ID: 99, A: &Delta{Kind: Var, ID: 1}, B: zero}, um); err != nil || um[1] != 5 {
		t.Error(um, err)
	}
}

// TestT2EvalMutants: eval that forgets delete, or visits what a Let binds first, breaks
// Lemma 6.
func TestT2EvalMutants(t *testing.T) {
	if lemma6Often(printed(true, false)) == nil {
		t.Error("without delete nothing breaks")
	}
	if lemma6Often(printed(false, true)) == nil {
		t.Error("with the binding first nothing breaks")
	}
}

// TestK11Extension: D{e} run from any state extends it by bindings with new ids, and what it
// gives has the meaning of a gradient there (Theorem 5).
func TestK11Extension(t *testing.T) {
	hold(t, 200, everything, func(c props.FunctionalCase, task *Task, ct []float64) error {
		fresh, err := runTranslated("monadic", task, c.Inputs, &listed{}, nil, nil)
		if err != nil {
			return err
		}
		old := []binding{{id: 1000, delta: &Delta{Kind: Scale, X: 2, A: &Delta{Kind: Var, ID: 1}}}, {id: 1001, delta: zero}}
		got, err := runTranslated("monadic", task, c.Inputs, &listed{next: 1002, of: append([]binding{}, old...)}, nil, nil)
		if err != nil {
			return err
		}
		if len(got.binds.of) != len(fresh.binds.of)+2 || got.binds.of[0] != old[0] || got.binds.of[1] != old[1] {
			return fmt.Errorf("%d bindings after 2, %d from nothing", len(got.binds.of), len(fresh.binds.of))
		}
		if err := invariant(got.roots(), got.binds.of[2:], 1002); err != nil {
			return err
		}
		out, err := Find("forward-dual").Gradient(task, c.Inputs, ct)
		if err != nil {
			return err
		}
		um := Map{}
		sum := zero
		for i, r := range got.roots() {
			sum = &Delta{Kind: Add, A: sum, B: &Delta{Kind: Scale, X: ct[i], A: r}}
		}
		if err := evaluated(1, got.binds.wrap(sum), um); err != nil {
			return err
		}
		g := make([]float64, len(out.Gradient))
		for i := range g {
			g[i] = um[i+1]
		}
		if !same(g, out.Gradient) {
			return fmt.Errorf("%v, want %v", g, out.Gradient)
		}
		return nil
	})
}

// stuck gives the same id again and again.
type stuck struct{ *listed }

func (s stuck) let(d *Delta) int {
	s.of = append(s.of, binding{s.next, d})
	return s.next
}

// rewritten changes a term from the leaves up.
func rewritten(t *fun.Term, f func(*fun.Term) *fun.Term) *fun.Term {
	out := *t
	out.Kids = make([]*fun.Term, len(t.Kids))
	for i, k := range t.Kids {
		out.Kids[i] = rewritten(k, f)
	}
	return f(&out)
}

// literalsBound binds literals to Zero, as the program of Fig. 12 does.
func literalsBound(d *fun.Term) *fun.Term {
	return rewritten(d, func(t *fun.Term) *fun.Term {
		if t.Form != fun.Pure || t.Kids[0].Form != fun.Pair || t.Kids[0].Kids[0].Form != fun.Lit {
			return t
		}
		return fun.Do.Make(deltaLetForm.Make(zeroForm.Make()), fun.Pure.Make(fun.Pair.Make(t.Kids[0].Kids[0], varForm.Make(fun.V(0)))))
	})
}

// unshared forgets deltaLet for products: what they make is no Var.
func unshared(d *fun.Term) *fun.Term {
	return rewritten(d, func(t *fun.Term) *fun.Term {
		if t.Form != fun.Let || t.Kids[0].Form != fun.Prim || t.Kids[0].Op.Sym != ops.SymMul || t.Kids[1].Form != fun.Do || t.Kids[1].Kids[0].Form != deltaLetForm {
			return t
		}
		change := t.Kids[1].Kids[0].Kids[0]
		return fun.LetIn(t.Kids[0], fun.Pure.Make(fun.Pair.Make(fun.V(0), change)))
	})
}

// TestT2TranslationMutants: ids that are not new, deltaLet that is forgotten for one
// operator, and literals that are bound are found by K9 and K7.
func TestT2TranslationMutants(t *testing.T) {
	// let y = x * x in y * y + 2.0
	p := program(fun.LetIn(times(fun.V(0), fun.V(0)), plus(times(fun.V(0), fun.V(0)), number(2))), "x")
	c := props.FunctionalCase{Program: p, Inputs: []fun.Value{3.0}}
	task := &Task{Lib: lib, Program: p}
	check := func(mutate func(*fun.Term) *fun.Term, let func(*listed) binds) (k9, k7 error) {
		got, err := runTranslated("monadic", task, c.Inputs, &listed{}, mutate, let)
		if err != nil {
			t.Fatal(err)
		}
		return invariant(got.roots(), got.binds.of, 2), oneEach(c, int64(len(got.binds.of)))
	}
	if k9, k7 := check(nil, nil); k9 != nil || k7 != nil {
		t.Error(k9, k7)
	}
	if k9, _ := check(nil, func(l *listed) binds { return stuck{l} }); k9 == nil {
		t.Error("ids that are not new are not found")
	}
	if k9, k7 := check(unshared, nil); k9 == nil && k7 == nil {
		t.Error("deltaLet that is forgotten is not found")
	}
	if _, k7 := check(literalsBound, nil); k7 == nil {
		t.Error("literals that are bound are not found")
	}
}
