package krawiec

import (
	"fmt"
	"strings"

	"egad/fun"
	"egad/internal/raise"
)

// Shown is a stage of what a route makes, as text.
type Shown struct {
	Name, Title, Text string
}

// mostShown is how many visits to a Delta may be made that is written.
const mostShown = 5000

// Show says what a route makes of a program, stage by stage; inputs and cotangent are for the
// Delta, which is of a run.
func (r *Route) Show(t *Task, inputs []fun.Value, cotangent []float64) (_ []Shown, err error) {
	defer raise.Caught(&err)
	raise.Error(t.check())
	p := t.Program
	out := []Shown{{"core", "the program", fun.Print(p.Body, p.Names...) + "\n"}}
	if r.represent != nil {
		d, context, promised, err := r.Translate(t)
		raise.Error(err)
		names := p.Names
		if len(context) > len(names) {
			names = append([]string{"zero"}, names...)
		}
		var b strings.Builder
		for i, name := range names {
			b.WriteString(name + ": " + context[i].String() + "\n")
		}
		b.WriteString("|- " + promised.String() + "\n" + fun.Print(d, names...) + "\n")
		out = append(out, Shown{"D", "the transformation, in its context and of its type", b.String()})
		w, promised, err := r.Wrap(t)
		raise.Error(err)
		out = append(out, Shown{"wrapper", "the derivative: " + promised.String(), fun.Print(w) + "\n"})
	}
	if r.forward || r.Name == "vectors" {
		return out, nil
	}
	o := raise.Must(r.Gradient(t, inputs, cotangent))
	d := o.Delta
	text := fmt.Sprintf("of %d visits, too many to be written\n", o.Visits)
	if o.Visits <= mostShown {
		if o.Tape != nil {
			d = o.Tape.wrap(d)
		}
		text = d.String() + "\n"
	}
	return append(out, Shown{"delta", "the Delta of the result, at these inputs", text}), nil
}
