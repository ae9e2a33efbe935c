package routes

import (
	"fmt"

	"egad/routes/chad"
)

// Costs runs a task by routes of package chad, of which nil are all, and counts the steps that
// the paper's theorems are about.
func Costs(t *Task, names []string) ([]*chad.Cost, error) {
	p, inputs, err := t.functional()
	if err != nil {
		return nil, err
	}
	ct, err := t.functionalCotangent(p, inputs)
	if err != nil {
		return nil, err
	}
	ops := chad.NewDerivatives(t.Lib)
	var out []*chad.Cost
	for _, name := range names {
		r := chad.Find(name)
		if r == nil {
			return nil, fmt.Errorf("%s is no route whose cost is known", name)
		}
		d, err := r.Transform(ops, p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		o := chad.Options{Limit: t.Bounds.Operations, Ended: t.Ended}
		v, err := d.Value(inputs, o)
		if err != nil {
			return nil, err
		}
		x, err := chad.CotangentOf(v, p.Result, ct)
		if err != nil {
			return nil, err
		}
		c, err := d.Cost(inputs, x, o)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}
