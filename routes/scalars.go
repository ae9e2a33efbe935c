package routes

import (
	"math"

	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term/eval"
)

// evaluation is how the gradient is read from Deltas.
type evaluation uint8

const (
	byEval0 evaluation = iota
	byEval1
	byEval2
	byEval3
	byReversePass
)

// scalars is the route over dual numbers whose atoms are scalars (Sections 2 and 4.1):
// the program is run over them, and then the Deltas of its result are evaluated.
func scalars[S any](f field[S], by evaluation) func(t *Task) *outcome[S] {
	return func(t *Task) *outcome[S] {
		run := raise.Must(runDuals(f, t, by == byReversePass))
		most := t.Bounds
		if by == byReversePass {
			most = unbounded
		}
		defer run.tape.free()
		e := newEvaluator(run.tape, f, most)
		ct := cotangent(f, t)
		out := &outcome[S]{}
		if by == byReversePass {
			out.gradient = e.vector()
			roots := slice.Make(len(ct), func(i int) weighted[S] { return weighted[S]{ct[i], run.roots[i]} })
			raise.Error(e.reversePass(roots, out.gradient))
		} else {
			out.gradient = e.evaluate(by, combined(t, run, ct))
		}
		out.Counts = Counts{
			Value: run.value, Total: run.value + run.slopes + e.operations,
			Made: run.tape.made(), Visits: e.visits, Ids: int64(run.tape.shared.Len()),
		}
		return out
	}
}

// unbounded is for what is linear in the Deltas that were made.
var unbounded = Bounds{Visits: math.MaxInt64, Operations: math.MaxInt64}

// evaluate reads the gradient from one Delta, in which nothing has an id.
func (e *evaluator[S]) evaluate(by evaluation, root Delta) []S {
	switch by {
	case byEval0:
		return slice.Make(e.inputs, func(i int) S { return raise.Must(e.eval0(root, i)) })
	case byEval1:
		return raise.Must(e.eval1(root))
	}
	g := e.vector()
	if by == byEval2 {
		raise.Error(e.eval2(root, g))
	} else {
		raise.Error(e.eval3(e.one, root, g))
	}
	return g
}

// combined is one Delta of those of the result, each by its cotangent.
func combined[S any](t *Task, run *dualRun[S], ct []S) Delta {
	if t.Cotangent == nil {
		return run.roots[0]
	}
	sum := Zero
	for i, c := range ct {
		sum = run.tape.plus(sum, run.tape.scale(c, run.roots[i]))
	}
	return sum
}

// dualRun is a run of a program over dual numbers.
type dualRun[S any] struct {
	tape   *tape[S]
	values []S     // of the reals in the result
	roots  []Delta // of those
	value  int64   // operations of the program
	slopes int64   // operations of the local maps
}

// runDuals runs the program of a task over dual numbers: the wrapper of Fig. 6.
func runDuals[S any](f field[S], t *Task, ids bool) (_ *dualRun[S], err error) {
	defer raise.Caught(&err)
	alg, env := dualsOf(f, t, ids)
	v := raise.Must(eval.InterpretStaged(t.Program.Store, t.Program.Root, alg, env))
	out := &dualRun[S]{tape: alg.scalars.tape, value: alg.Counts.Float, slopes: alg.scalars.slopes.operations + alg.maps.Float}
	for _, x := range reals(v, nil) {
		out.values = append(out.values, x.x)
		out.roots = append(out.roots, x.d)
	}
	return out, nil
}

// dualsOf is the algebra of dual numbers, and the inputs of a task in it.
func dualsOf[S any](f field[S], t *Task, ids bool) (*arrays[S], eval.Env[*value[S]]) {
	wrt := raise.Must(t.varied())
	env := envOver(t, func(x float64) dual[S] { return dual[S]{x: f.from(x)} })
	tp := &tape[S]{left: t.Bounds.Made}
	for _, in := range wrt {
		for i := range env[in.Name].R {
			env[in.Name].R[i].d = tp.input(tp.inputs)
			tp.inputs++
		}
	}
	tp.left = min(tp.left, maxDeltas-int64(tp.inputs)-1)
	sig := t.Program.Store.Signature()
	a := &duals[S]{of: f, tape: tp, ids: ids, slopes: newSlopes(t.slopes(), eval.Scalars[S](f))}
	return newArrays(a, sig, t.Ended), env
}
