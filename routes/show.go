package routes

import (
	"fmt"
	"slices"
	"strings"

	"egad/ad"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// Shown is a stage of what a route makes, as text.
type Shown struct {
	Name, Title, Text string
}

// Show says what a route makes of the program of a task, stage by stage; how says where a
// route that writes programs by dual arrays shares cotangents.
func (r *Route) Show(t *Task, how Sharing) (_ []Shown, err error) {
	defer raise.Caught(&err)
	raise.Error(t.differentiable())
	raise.Error(r.takes(t))
	return r.show(t, how), nil
}

// showWritten shows the symbolic reverse pass.
func showWritten(t *Task, how Sharing) []Shown {
	w := raise.Must(write(t, how))
	name := t.Program.Name
	out := []Shown{
		{"bulk", "after the bulk-operation transform", w.bulk.Text(name)},
	}
	raise.Error(overflow.Guard(func() error {
		out = append(out,
			Shown{"D", "the transformation of Figs. 14 and 15", w.doText() + "\n"},
			Shown{"extracted", "form (6): the primal computation, ids, and a pair", w.extracted() + "\n"},
			Shown{"delta", "the Delta, with numbers for ids", w.delta()},
			Shown{"shared", "the reverse pass of Fig. 19 on it", w.sharedText()},
			Shown{"lets", "with lets for what is shared (Fig. 20)", w.lets()})
		return nil
	}))
	p := raise.Must(w.program())
	out = append(out, Shown{"program", "the wrapper of Fig. 21: value and gradient", p.Text(name + "_gradient")})
	if how != ShareNothing {
		q := raise.Must(ad.Simplified(t.Lib, p, t.Options))
		out = append(out, Shown{"simplified", "the same, simplified", q.Text(name + "_simplified")})
	}
	if t := w.result; t.Kind == types.KArray && t.Rank() > 0 {
		j := raise.Must(w.jacobian())
		operations, printed := eval.CountOps(j.Store, j.Root).Float, eval.CountOps(p.Store, p.Root).Float
		out = append(out, Shown{"jacobian", fmt.Sprintf("the wrapper inside a build over the result (App. A): %d operations, and as printed, with the value in it, %d times %d",
			operations, elements(t), printed), j.Text(name + "_jacobian")})
	}
	return out
}

// showStages shows the stages of a derivation.
func showStages(derive func(t *Task) *ad.Derived) func(t *Task, how Sharing) []Shown {
	return func(t *Task, _ Sharing) []Shown {
		var out []Shown
		for _, s := range derive(t).Stages {
			if s.Program != nil {
				out = append(out, Shown{s.Name, "as egad stages has it", s.Program.Text(t.Program.Name)})
			}
		}
		return out
	}
}

// showScalars shows the Delta of a program whose atoms are scalars: of each real in the
// result, and before them what has an id.
func showScalars(ids bool) func(t *Task, how Sharing) []Shown {
	return func(t *Task, _ Sharing) []Shown {
		run := raise.Must(runDuals(floats, t, ids))
		return []Shown{
			{"source", "the program", t.Program.Text(t.Program.Name)},
			{"delta", "the Delta of the result, at these inputs", scalarDelta(t, run)},
		}
	}
}

// showArrays shows the Delta of a program over dual arrays.
func showArrays(bulk bool) func(t *Task, how Sharing) []Shown {
	return func(t *Task, _ Sharing) []Shown {
		t = raise.Must(t.prepared(bulk))
		d := raise.Must(newArrayRun(eval.Algebra[*eval.Value[float64]](floats.counting(t)), t))
		raise.Error(d.forward(t, t.Env))
		p := &deltaText[*eval.Value[float64]]{
			operand: shortValue, id: idNumber, most: mostShown,
			input: func(n int) string { return "(Input " + d.wrt[n].Name + ")" },
		}
		lets, last := p.inParts(d.value.leaves(d.result, nil))
		name := "bulk"
		if !bulk {
			name = "source"
		}
		return []Shown{
			{name, "the program", t.Program.Text(t.Program.Name)},
			{"delta", "the Delta of the result, at these inputs", strings.Join(append(lets, last...), "\n") + "\n"},
		}
	}
}

// shortValue is a value, or the first of its elements.
func shortValue(v *eval.Value[float64]) string {
	if v.Parts != nil {
		return "(" + strings.Join(slice.Map(v.Parts, shortValue), ", ") + ")"
	}
	var out []string
	for i := range v.Len() {
		switch {
		case i == mostElements:
			out = append(out, "…")
			return "[" + strings.Join(out, ", ") + "]"
		case v.Elem == types.R:
			out = append(out, fmt.Sprintf("%.6g", v.R[i]))
		case v.Elem == types.B:
			out = append(out, fmt.Sprint(v.N[i] != 0))
		default:
			out = append(out, fmt.Sprint(v.N[i]))
		}
	}
	if len(v.Shape) == 0 {
		return out[0]
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// mostElements is how many elements of an array are shown.
const mostElements = 6

// scalarDelta is the text of the Deltas of a run.
func scalarDelta(t *Task, run *dualRun[float64]) string {
	var b strings.Builder
	left := mostShown
	var text func(d Delta, inside bool) string
	text = func(d Delta, inside bool) string {
		c, made := run.tape.cell(d)
		switch {
		case d == Zero:
			return "Zero"
		case !made:
			return "(Input " + t.place(int(d)-1) + ")"
		}
		if left--; left < 0 {
			return "…"
		}
		var s string
		switch {
		case c.b == isShare:
			return fmt.Sprintf("d%d", c.a+1)
		case c.b == isScale:
			s = fmt.Sprintf("Scale %.6g %s", c.by, text(Delta(c.a), true))
		default:
			s = "Add " + text(Delta(c.a), true) + " " + text(Delta(c.b), true)
		}
		if inside {
			return "(" + s + ")"
		}
		return s
	}
	for i := range run.tape.shared.Len() {
		if left <= 0 {
			fmt.Fprintf(&b, "…\n")
			break
		}
		fmt.Fprintf(&b, "d%d = Share %[1]d %s\n", i+1, text(*run.tape.shared.At(i), true))
	}
	for _, d := range run.roots {
		fmt.Fprintf(&b, "%s\n", text(d, false))
	}
	return b.String()
}

func (w *written) doText() string {
	c := &doCode{
		w: w, of: w.traced, uses: make(map[*arrayDual[term.Term]]int), bound: make(map[*arrayDual[term.Term]]bool), input: make(map[*arrayDual[term.Term]]string),
	}
	for name, v := range w.inputs {
		if v.d != nil {
			c.input[v] = name
		}
	}
	return c.text()
}

// itself is what an input is called in most texts.
func itself(name string) string { return name }

// primals are the values that have a name, operands first, and those names; inputs have
// the given ones.
func (w *written) primals(input func(name string) string) (order []term.Term, names map[uint32]string) {
	s := w.store
	names = make(map[uint32]string)
	used := make(map[string]bool)
	root := w.value.x
	all := append([]term.Term{root}, w.operands...)
	seen := make(map[uint32]bool)
	for _, t := range all {
		s.Walk(t, func(u term.Term) {
			if seen[u.ID] {
				return
			}
			seen[u.ID] = true
			if op := s.Op(u); op.Sym == ops.SymVar {
				names[u.ID] = input(op.Name)
				return
			}
			name := w.names[u.ID].Name
			if name == "" || len(u.Args) > 0 || s.Type(u).Kind != types.KArray || u.ID == root.ID {
				return
			}
			for k := 2; used[name]; k++ {
				name = fmt.Sprintf("%s%d", w.names[u.ID].Name, k)
			}
			used[name] = true
			names[u.ID] = name
			order = append(order, u)
		})
	}
	return order, names
}

// equations are lines name = term, of primal values.
func (w *written) equations(order []term.Term, names map[uint32]string) []string {
	var out []string
	for _, u := range order {
		name := names[u.ID]
		delete(names, u.ID)
		out = append(out, name+" = "+w.print(u, names))
		names[u.ID] = name
	}
	return out
}

func (w *written) extracted() string {
	lines := slice.Map(w.wrt, func(in term.Input) string { return fmt.Sprintf("let (%[1]s_p, %[1]s_d) = %[1]s", in.Name) })
	order, names := w.primals(func(name string) string {
		if slices.ContainsFunc(w.wrt, func(in term.Input) bool { return in.Name == name }) {
			return name + "_p"
		}
		return name
	})
	for _, e := range w.equations(order, names) {
		lines = append(lines, "let "+e)
	}
	p := &deltaText[term.Term]{
		operand: func(x term.Term) string { return atom(w.print(x, names)) }, id: idName, most: mostShown,
		input: func(n int) string { return w.wrt[n].Name + "_d" },
	}
	roots := w.value.leaves(w.result, nil)
	lines = append(lines, p.generated(roots)...)
	lets, last := p.inParts(roots)
	lines = append(lines, slice.Map(lets, func(l string) string { return "let " + l })...)
	return strings.Join(do(append(lines, "return ("+w.print(w.value.x, names)+", "+pair(last)+")")), "\n")
}

// mostShown is how many constructors of a Delta are printed.
const mostShown = 1000

func (w *written) delta() string {
	_, names := w.primals(itself)
	p := &deltaText[term.Term]{
		operand: func(x term.Term) string { return atom(w.print(x, names)) }, id: idNumber, most: mostShown,
		input: func(n int) string { return "(Input " + w.wrt[n].Name + ")" },
	}
	lets, last := p.inParts(w.value.leaves(w.result, nil))
	return strings.Join(append(lets, last...), "\n") + "\n"
}

// sharedText is the gradient by each input, over share. What is shared stands where it is
// used, but for what is long, or has other shares in it: that has a line of its own before.
func (w *written) sharedText() string {
	_, names := w.primals(itself)
	text := make(eval.Env[term.Term]) // what stands for what is shared
	over := func(t term.Term) string { return w.print(w.store.SubstVars(t, text), names) }
	var b strings.Builder
	for i, f := range w.shared {
		s := atom(over(f.t))
		short := fmt.Sprintf("share %d", i+1)
		nested := slices.ContainsFunc(w.store.Inputs(f.t), func(in ops.Op) bool { return strings.HasPrefix(in.Name, sharePrefix) })
		if nested || len(s) > mostInPlace {
			fmt.Fprintf(&b, "%s %s\n", short, s)
			s = "…"
		}
		named(w.store, f.as, "("+short+" "+s+")", text)
	}
	for _, in := range w.wrt {
		fmt.Fprintf(&b, "%s: %s\n", in.Name, over(w.grads[in.Name]))
	}
	return b.String()
}

// mostInPlace is how long a text is that stands in several places.
const mostInPlace = 80

// lets is the gradient over names for what is shared, and for primal values.
func (w *written) lets() string {
	_, names := w.primals(itself)
	grads, hints := w.unshared()
	parts := slice.Map(w.wrt, func(in term.Input) term.Term { return grads[in.Name] })
	s := w.store
	t := parts[0]
	if len(parts) > 1 {
		t = s.Apply(ops.SymTuple, parts...)
	}
	replaced := make(map[uint32]term.Hint)
	by := w.over(names)
	for id, h := range hints {
		t := term.Term{ID: id}
		switch _, known := names[id]; {
		case len(s.Vars(t)) > 0:
			replaced[id] = h
		case !known:
			replaced[s.Replace(t, by).ID] = h
		}
	}
	return (&term.Printer{Store: s, Names: replaced}).Term(s.Replace(t, by)) + "\n"
}
