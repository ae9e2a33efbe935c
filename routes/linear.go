package routes

import (
	"fmt"
	"slices"
	"strings"

	"egad/diag"
	"egad/fun"
	"egad/internal/raise"
	"egad/routes/maps"
	"egad/term"
)

// showMaps is the stage of what a route makes, read as linear maps, with what is proved of
// them.
func showMaps(t *Task, make func(*maps.Task) (*maps.Maps, error)) Shown {
	out := Shown{Name: "maps", Title: "as linear maps"}
	m, err := t.maps(make)
	if err != nil {
		out.Text = fmt.Sprintf("-- not written: %v\n", err)
		return out
	}
	var b strings.Builder
	for _, p := range []*term.Program{m.Chad, m.Delta, m.Eval, m.Nabla} {
		if p != nil {
			b.WriteString(p.Text(p.Name))
		}
	}
	if n := sizes(m.Nabla).Nodes; n > mostProved {
		fmt.Fprintf(&b, "-- nothing is proved of maps of more than %d nodes; %s has %d\n", mostProved, m.Nabla.Name, n)
		out.Text = b.String()
		return out
	}
	delta := m
	if m.Delta == nil {
		if delta, err = t.maps(maps.Monadic); err != nil {
			delta = nil
		}
	}
	for _, e := range m.Prove(t.Lib, delta) {
		if e.Err != nil {
			fmt.Fprintf(&b, "-- %s: not proved: %v\n", e.Text, e.Err)
			continue
		}
		fmt.Fprintf(&b, "-- %s: proved in %s\n", e.Text, diag.Count(len(e.Proof.Steps), "step"))
	}
	out.Text = b.String()
	return out
}

func (t *Task) maps(make func(*maps.Task) (*maps.Maps, error)) (_ *maps.Maps, err error) {
	defer raise.Caught(&err)
	if t.Unlowered != nil {
		return nil, fmt.Errorf("maps are those of array programs, and this is none: %w", t.Unlowered)
	}
	p, inputs := t.functional()
	k := &maps.Task{Lib: t.Lib, Program: p, Arrays: t.Program, Ended: t.Ended}
	for i, name := range p.Names {
		at := slices.IndexFunc(t.Program.Inputs, func(in term.Input) bool { return in.Name == name })
		var l *fun.Layout
		switch {
		case at < 0:
		case t.Functional != nil:
			l = raise.Must(fun.Declared(t.Program.Inputs[at].Type))
		default:
			l = raise.Must(fun.LayoutOf(p.Context[i], raise.Must(fun.Lengths(inputs[i], p.Context[i]))...))
		}
		k.Layouts = append(k.Layouts, l)
	}
	return make(k)
}
