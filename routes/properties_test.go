package routes

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"egad/internal/programs"
	"egad/internal/raise"
	"egad/internal/testflag"
	"egad/rules/load"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// What holds of dual arrays and of the program that is written from them, of random
// programs.
func TestDualArrays(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	n := testflag.Count(40, 2000)
	met, kept := 0, 0
	programs.Hold(t, testflag.Seed, n, programs.GenScalar(programs.Smooth), func(c programs.Case) error {
		p := c.Program(sig)
		if !slices.ContainsFunc(p.Inputs, func(in term.Input) bool { return in.Type.Differentiable() }) {
			return nil
		}
		task := &Task{Lib: lib, Program: p, Env: c.Values(true, true), Bounds: DefaultBounds}
		met++
		for _, property := range properties {
			if err := property.holds(t, task); err != nil {
				return fmt.Errorf("%s: %w", property.name, err)
			}
		}
		if same, err := sharesToLets(t, task, ShareCopies); err != nil || same {
			kept++
		}
		return nil
	})
	if met < n/2 || kept < met/2 {
		t.Errorf("-seed %d: only %d programs, in %d of which lets take as many operations as shares", testflag.Seed, met, kept)
	}
}

// The same of programs in which all happens that may go wrong; and all routes agree that take
// them, of array programs all, and of functional programs so many.
func TestPlanted(t *testing.T) {
	for _, c := range []struct {
		text       string
		functional int
	}{
		{"def f(x: R): R = let u = x * x in let v = u * sin u in v * v + u\n", 12},
		{"def f(a: R[3]): R = let b = build 3 (\\i -> a[i] * a[2 - i]) in sum (b * b) + b[1] * a[2]\n", 9},
		{"def f(a: R[2], b: R[3]): R = sum (sum (build [2, 3] (\\[i, j] -> a[i] * b[j] * a[1 - i]))) + b[2]\n", 9},
		{"def f(a: R[3]): R = sum (gather [3] a (\\[i] -> [i + 1]) * a * a)\n", 9},
		{"def f(a: R[3], w: R): R = fold (\\s x -> sin (w * s + x * w)) 0.5 a * w\n", 1},
		{"def f(x: R, a: R[3]): R = sum (if x < 1 then a * x * x else a) + a[1]\n", 9},
	} {
		task := taskOf(t, c.text, nil)
		results, err := compared(task, Table, func(string) {}, 0)
		if err != nil {
			t.Fatal(err)
		}
		functional := 0
		for _, r := range results {
			route, err := Find(r.Name)
			if err != nil {
				t.Fatal(err)
			}
			switch {
			case r.Agreement != Equal && r.Agreement != Close && !mayRefuse(r):
				t.Errorf("%s: %s %s, by %g at %s, of %s", r.Name, r.Agreement, r.Why, r.Difference, r.Where, c.text)
			case route.functional && r.Agreement != Refused:
				functional++
			}
		}
		if functional < c.functional {
			t.Errorf("%d routes of functional programs take %s, and should %d", functional, c.text, c.functional)
		}
		for _, property := range properties {
			if err := property.holds(t, task); err != nil {
				t.Errorf("%s: %v, of %s", property.name, err, c.text)
			}
		}
	}
}

// properties are what holds of every program that results in a real.
var properties = []struct {
	name  string
	holds func(t testing.TB, task *Task) error
}{
	{"dual arrays have the values of the evaluator", func(t testing.TB, task *Task) error {
		b, d := dualOf(t, task)
		want, err := eval.Interpret(b.Program.Store, b.Program.Root, eval.FloatArrays(), b.Env)
		if err == nil && !sameBits(reals(want, nil), reals(d.value.x, nil)) {
			err = fmt.Errorf("the value is %v, and over dual arrays %v", reals(want, nil), reals(d.value.x, nil))
		}
		return err
	}},
	{"dual numbers are the same if each operator is prepared once", func(t testing.TB, task *Task) (err error) {
		defer raise.Caught(&err)
		var runs [2]*arrays[float64]
		var values [2][]dual[float64]
		for i := range runs {
			alg, env := dualsOf(floats, task, true)
			p := task.Program
			var v *value[float64]
			if i == 0 {
				v, err = eval.Interpret(p.Store, p.Root, eval.Algebra[*value[float64]](alg), env)
			} else {
				v, err = eval.InterpretStaged(p.Store, p.Root, alg, env)
			}
			if err != nil {
				return err
			}
			runs[i], values[i] = alg, reals(v, nil)
		}
		a, b := runs[0], runs[1]
		for i, x := range values[0] {
			if y := values[1][i]; !sameBits([]float64{x.x}, []float64{y.x}) || x.d != y.d {
				return fmt.Errorf("number %d of the result is %v, and %v", i, x, y)
			}
		}
		x, y := a.scalars.tape, b.scalars.tape
		if *a.Counts != *b.Counts || *a.maps != *b.maps || x.cells.Len() != y.cells.Len() {
			return fmt.Errorf("counts are %v, and %v, with %d and %d Deltas", *a.Counts, *b.Counts, x.cells.Len(), y.cells.Len())
		}
		for i := range x.cells.Len() {
			c, d := *x.cells.At(i), *y.cells.At(i)
			if c.a != d.a || c.b != d.b || !sameBits([]float64{c.by}, []float64{d.by}) {
				return fmt.Errorf("Delta %d is %v, and %v", i, c, d)
			}
		}
		return nil
	}},
	{"dual numbers have the values of the evaluator", func(t testing.TB, task *Task) error {
		want, err := eval.Interpret(task.Program.Store, task.Program.Root, eval.FloatArrays(), task.Env)
		if err != nil {
			return err
		}
		run, err := runDuals(floats, task, true)
		if err != nil {
			return err
		}
		if got := run.values; !sameBits(reals(want, nil), got) {
			return fmt.Errorf("the value is %v, and over dual numbers %v", reals(want, nil), got)
		}
		return nil
	}},
	{"ids of dual arrays grow", func(t testing.TB, task *Task) error {
		_, d := dualOf(t, task)
		return increasing(d.value.d, d.next)
	}},
	{"ids of dual numbers grow", func(t testing.TB, task *Task) error {
		run, err := runDuals(floats, task, true)
		if err != nil {
			return err
		}
		return run.tape.increasing()
	}},
	{"each Share of an array is evaluated once", func(t testing.TB, task *Task) error {
		b, d := dualOf(t, task)
		p := newPass(d.below, d.cons, b.Bounds.Visits)
		if _, err := d.reverse(p, func(term.Input) *eval.Value[float64] { return &eval.Value[float64]{Elem: types.R, R: []float64{1}} }, "ct"); err != nil {
			return err
		}
		if want := visitsOf(d.value.d, make(map[*arrayDelta[*eval.Value[float64]]]bool)); p.visits != want {
			return fmt.Errorf("%d visits, where %d are enough", p.visits, want)
		}
		return nil
	}},
	{"what was evaluated is let go", func(t testing.TB, task *Task) error {
		b, d := dualOf(t, task)
		p := newPass(d.below, d.cons, b.Bounds.Visits)
		if _, err := d.reverse(p, func(term.Input) *eval.Value[float64] { return &eval.Value[float64]{Elem: types.R, R: []float64{1}} }, "ct"); err != nil {
			return err
		}
		if len(p.accum)+len(p.dfrag) > 0 {
			return fmt.Errorf("%d cotangents and %d Deltas are left", len(p.accum), len(p.dfrag))
		}
		return nil
	}},
	{"each Share of a number is evaluated once", func(t testing.TB, task *Task) error {
		run, err := runDuals(floats, task, true)
		if err != nil {
			return err
		}
		e := newEvaluator(run.tape, eval.Scalars[float64](floats), unbounded)
		if err := e.reversePass([]weighted[float64]{{1, run.roots[0]}}, e.vector()); err != nil {
			return err
		}
		if want := run.tape.visitsOf(run.roots[0], make(map[int32]bool)); e.visits != want {
			return fmt.Errorf("%d visits, where %d are enough", e.visits, want)
		}
		return nil
	}},
	{"D of a bulk program has the form (6)", func(_ testing.TB, task *Task) error {
		w, err := write(task, ShareCopies)
		if err != nil {
			return err
		}
		return w.extractedForm()
	}},
	{"what is written computes what dual arrays compute", func(t testing.TB, task *Task) error {
		w, err := write(task, ShareCopies)
		if err != nil {
			return err
		}
		q, err := w.program()
		if err != nil {
			return err
		}
		byTerms, err := tried(running(floats, one(t, q), Counts{}), task)
		if err != nil {
			return err
		}
		byFloats, err := tried(dualArraysRoute(floats, true), task)
		if err == nil && !sameBits(byTerms.gradient, byFloats.gradient) {
			err = fmt.Errorf("the gradient is %v, and by the program that is written %v", byFloats.gradient, byTerms.gradient)
		}
		return err
	}},
	{"shares of copies are lets of one value", func(t testing.TB, task *Task) error {
		_, err := sharesToLets(t, task, ShareCopies)
		return err
	}},
	{"shares of everything are lets of one value", func(t testing.TB, task *Task) error {
		_, err := sharesToLets(t, task, ShareEverything)
		return err
	}},
}

// increasing checks the invariants of Section 2.5: an id is that of one Delta, and ids in
// what is shared are smaller than its own.
func increasing[V any](d *arrayDelta[V], below int) error {
	seen := make(map[int]*arrayDelta[V])
	var ids func(d *arrayDelta[V], below int) error
	ids = func(d *arrayDelta[V], below int) error {
		if d == nil {
			return nil
		}
		if d.kind == deltaShare {
			if d.n >= below || d.n < 0 {
				return fmt.Errorf("the id %d is in what has the id %d", d.n, below)
			}
			if known, ok := seen[d.n]; ok && known != d {
				return fmt.Errorf("two have the id %d", d.n)
			} else if ok {
				return nil
			}
			seen[d.n] = d
			below = d.n
		}
		for _, e := range append([]*arrayDelta[V]{d.a, d.b}, d.of...) {
			if err := ids(e, below); err != nil {
				return err
			}
		}
		return nil
	}
	return ids(d, below)
}

// increasing is the same of Deltas of numbers, where a Share is its id.
func (t *tape[S]) increasing() error {
	for id := range t.shared.Len() {
		for _, k := range inside(t, *t.shared.At(id)) {
			if int(k) >= id {
				return fmt.Errorf("the id %d is in what has the id %d", k, id)
			}
		}
	}
	return nil
}

// visitsOf counts the visits of a pass that looks into each Share once.
func visitsOf[V any](d *arrayDelta[V], known map[*arrayDelta[V]]bool) int64 {
	if d == nil {
		return 0
	}
	n := int64(1)
	if d.kind == deltaShare {
		if known[d] {
			return n
		}
		known[d] = true
	}
	for _, e := range append([]*arrayDelta[V]{d.a, d.b}, d.of...) {
		n += visitsOf(e, known)
	}
	return n
}

func (t *tape[S]) visitsOf(d Delta, known map[int32]bool) int64 {
	c, made := t.cell(d)
	switch {
	case !made:
		return 1
	case c.b == isShare && known[c.a]:
		return 1
	case c.b == isShare:
		known[c.a] = true
		return 1 + t.visitsOf(*t.shared.At(int(c.a)), known)
	case c.b != isScale:
		return 1 + t.visitsOf(Delta(c.a), known) + t.visitsOf(Delta(c.b), known)
	}
	return 1 + t.visitsOf(Delta(c.a), known)
}

// form6 is Eq. (6): lets of the inputs and of the primal computation, then ids, then what
// is shared, and the pair.
var form6 = regexp.MustCompile(`^do (let \(\w+_p, \w+_d\) = \w+\n)*(let [a-z]\w* = [^\n]+\n)*((id\d+ <- genID(; )?)+\n)?(let d\d+ = (?s:.+?)\n)*return \((?s:.+)\)$`)

// extractedForm checks that the Delta is apart from the primal computation: what it refers to
// are terms of the inputs alone, with no variable that is bound, and the text is of form (6).
func (w *written) extractedForm() error {
	inputs := make(map[string]bool)
	for _, in := range w.bulk.Inputs {
		for _, leaf := range in.Leaves() {
			inputs[leaf.Name] = true
		}
	}
	for _, x := range w.operands {
		if len(x.Args) > 0 {
			return errors.New("an operand of a constructor is under a binder")
		}
		for _, in := range w.store.Inputs(x) {
			if !inputs[in.Name] {
				return fmt.Errorf("an operand of a constructor refers to %s", in.Name)
			}
		}
	}
	var text string
	if err := overflow.Guard(func() error {
		text = w.extracted()
		return nil
	}); err != nil {
		return err
	}
	if flat := strings.ReplaceAll(text, "\n   ", "\n"); !form6.MatchString(flat) {
		return fmt.Errorf("not of form (6):\n%s", text)
	}
	return nil
}

// sharesToLets checks that the program with lets has the value of what is shared, computed
// in the order of the ids, and takes no more operations. It reports whether it takes as
// many: equal terms are one, and what is shared twice may be equal.
func sharesToLets(t testing.TB, task *Task, how Sharing) (bool, error) {
	w, err := write(task, how)
	if err != nil {
		return false, err
	}
	q, err := w.program()
	if err != nil {
		return false, err
	}
	lets := one(t, q)
	want, most, err := run(floats, task, lets, task.Env)
	if err != nil {
		return false, err
	}
	env := make(eval.Env[*eval.Value[float64]])
	for name, v := range task.Env {
		env[name] = v
	}
	env[w.ct.Name] = &eval.Value[float64]{Elem: types.R, R: []float64{1}}
	alg := eval.Algebra[*eval.Value[float64]](eval.FloatArrays())
	all := []term.Term{w.value.x}
	for _, f := range w.shared {
		v, err := eval.Interpret(w.store, f.t, alg, env)
		if err == nil {
			err = eval.BindLeaves(alg, env, f.as, v)
		}
		if err != nil {
			return false, err
		}
		all = append(all, f.t)
	}
	grads := make([]term.Term, len(w.wrt))
	for i, in := range w.wrt {
		grads[i] = w.grads[in.Name]
	}
	p := &term.Program{Store: w.store}
	if err := overflow.Guard(func() error {
		p.Root = w.store.Apply(ops.SymTuple, append(all, grads...)...)
		return nil
	}); err != nil {
		return false, err
	}
	got, total, err := run(floats, task, p, env)
	if err != nil {
		return false, err
	}
	var g, h []float64
	for _, part := range got.Parts[len(all):] {
		g = reals(part, g)
	}
	for _, part := range want.Parts[1:] {
		h = reals(part, h)
	}
	switch {
	case !sameBits(g, h):
		return false, fmt.Errorf("the gradient with lets is %v, and with shares %v", h, g)
	case most > total:
		return false, fmt.Errorf("lets take %d operations, and shares %d", most, total)
	}
	return most == total, nil
}

// sameBits compares numbers; NaNs are equal, and so are zeros.
func sameBits(a, b []float64) bool {
	return slices.EqualFunc(a, b, func(x, y float64) bool { return x == y || math.IsNaN(x) && math.IsNaN(y) })
}
