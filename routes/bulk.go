package routes

import (
	"egad/ad"
	"egad/bot"
	"egad/internal/raise"
	"egad/term"
	"egad/term/eval"
	"egad/term/overflow"
	"egad/term/types"
)

// dualArraysRoute is the route over dual arrays (Section 6): of the program as it is, or after the
// bulk-operation transform.
func dualArraysRoute[S any](f field[S], bulk bool) func(t *Task) *outcome[S] {
	return func(t *Task) *outcome[S] {
		t = raise.Must(t.prepared(bulk))
		values := envOver(t, f.from)
		alg := f.counting(t)
		d := raise.Must(newArrayRun(eval.Algebra[*eval.Value[S]](alg), t))
		raise.Error(d.forward(t, values))
		ct := cotangent(f, t)
		cts := make(eval.Env[*eval.Value[S]])
		fill(cts, term.Input{Name: "ct", Type: d.result.RealPart()}, ct)
		p := newPass(eval.Algebra[*eval.Value[S]](alg), d.cons, t.Bounds.Visits)
		if forward := alg.Counts.Float; !bulk {
			// What an element is read from has a cotangent as large as it for each read.
			p.bound = func() error { return t.Bounds.operations(alg.Counts.Float - forward) }
		}
		g := raise.Must(d.reverse(p, func(leaf term.Input) *eval.Value[S] { return cts[leaf.Name] }, "ct"))
		out := &outcome[S]{Counts: Counts{Value: t.value, Total: alg.Counts.Float, Made: d.made, Visits: p.visits, Ids: int64(d.next)}}
		for _, x := range g {
			out.gradient = reals(x, out.gradient)
		}
		return out
	}
}

// prepared is the task as dual arrays take it: with declared operators that the rules can
// differentiate, and if bulk is set after the bulk-operation transform.
func (t *Task) prepared(bulk bool) (*Task, error) {
	lib, p, err := ad.Derivable(t.Lib, t.Program)
	if err == nil && bulk {
		p, _, err = bot.Transform(lib, p, t.Options.Time)
	}
	out := *t
	out.Program = p
	return &out, err
}

// arrayRun is a run of a program over dual arrays.
type arrayRun[V any] struct {
	*dualArrays[V]
	wrt    []term.Input
	inputs map[string]*arrayDual[V]
	value  *arrayDual[V]
	result *types.Type
}

// newArrayRun is a run of the program of a task over an algebra, before it is begun.
func newArrayRun[V any](below eval.Algebra[V], t *Task) (*arrayRun[V], error) {
	wrt, err := t.varied()
	return &arrayRun[V]{dualArrays: newDualArrays(below, t), wrt: wrt, result: t.Program.Store.Type(t.Program.Root)}, err
}

// forward runs the program, whose inputs have the given values.
func (r *arrayRun[V]) forward(t *Task, values eval.Env[V]) (err error) {
	env := make(eval.Env[*arrayDual[V]])
	r.inputs = env
	for _, leaf := range term.Leaves(t.Program.Inputs) {
		env[leaf.Name] = &arrayDual[V]{x: values[leaf.Name], typ: leaf.Type}
	}
	for i, in := range r.wrt {
		if !in.Type.HasEmptyAxis() {
			env[in.Name].d = &arrayDelta[V]{kind: deltaInput, typ: in.Type, n: i}
		}
	}
	r.value, err = eval.Interpret(t.Program.Store, t.Program.Root, eval.Algebra[*arrayDual[V]](r.dualArrays), env)
	return err
}

// reverse gives the gradient by each input that is varied, from the cotangent of each
// array of reals in the result: that of a leaf of an input of the given name.
func (r *arrayRun[V]) reverse(p *pass[V], ct func(leaf term.Input) V, name string) (_ []V, err error) {
	defer raise.Caught(&err)
	var roots []weightedArray[V]
	deltas := r.value.leaves(r.result, nil)
	if part := r.result.RealPart(); part != nil {
		cts := term.Input{Name: name, Type: part}.Leaves()
		for i, leaf := range (term.Input{Type: r.result}).Leaves() {
			if leaf.Type.Differentiable() {
				roots = append(roots, weightedArray[V]{ct(cts[0]), deltas[i]})
				cts = cts[1:]
			}
		}
	}
	raise.Error(p.run(roots, r.next))
	out := make([]V, len(r.wrt))
	for i, in := range r.wrt {
		g, ok := p.grad[i]
		if !ok {
			st := term.NewStore(r.sig)
			zeros := &term.Program{Store: st}
			raise.Error(overflow.Guard(func() error {
				zeros.Root = st.Zeros(in.Type)
				return nil
			}))
			g = raise.Must(evaluate(r.below, zeros, nil))
		}
		out[i] = g
	}
	return out, nil
}
