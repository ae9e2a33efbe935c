package routes

import (
	"errors"
	"fmt"
	"slices"

	"egad/diag"
	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/routes/chad"
	"egad/term"
	"egad/term/eval"
)

// Costs runs a task by routes of package chad, of which nil are all, and counts the steps that
// the paper's theorems are about. Before has cotangents of inputs to begin with, of the sides
// that the inputs have; of the others they are 0.
func Costs(t *Task, names []string, before eval.Env[*eval.Value[float64]]) (_ []*chad.Cost, err error) {
	defer raise.Caught(&err)
	p, inputs, ct := t.functionalAt()
	ops := chad.NewDerivatives(t.Lib)
	var out []*chad.Cost
	for _, name := range names {
		r := chad.Find(name)
		if r == nil {
			return nil, fmt.Errorf("%s is no route whose cost is known", name)
		}
		d, err := r.Transform(ops, p)
		if _, placed := errors.AsType[*diag.Error](err); err != nil && !placed {
			err = fmt.Errorf("%s: %w", name, err)
		}
		raise.Error(err)
		o := chad.Options{Limit: t.Bounds.Operations, Ended: t.Ended}
		v := raise.Must(d.Value(inputs, o))
		x := raise.Must(chad.CotangentOf(v, p.Result, ct))
		out = append(out, raise.Must(d.Cost(inputs, x, t.cotangents(d, inputs, before), o)))
	}
	return out, nil
}

// cotangents are those of the inputs to begin with.
func (t *Task) cotangents(d *chad.Derivative, inputs []fun.Value, given eval.Env[*eval.Value[float64]]) []fun.Value {
	out := d.Zeros()
	for _, in := range t.Program.Inputs {
		arrays := slice.Map(fun.LeavesOf(in), func(leaf term.Input) *eval.Value[float64] { return given[leaf.Name] })
		if slices.Contains(arrays, nil) {
			continue
		}
		i := slices.Index(d.Program.Names, in.Name)
		of := d.Program.Context[i]
		var err error
		if out[i], err = chad.CotangentOf(inputs[i], of, fun.Leaves[float64](t.read(in.Type, arrays), of)); err != nil {
			raise.Error(fmt.Errorf("of %s: %w", in.Name, err))
		}
	}
	return out
}
