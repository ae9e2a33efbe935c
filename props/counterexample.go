package props

import (
	"fmt"
	"slices"
	"strings"

	"egad/internal/slice"
	"egad/linmap"
	"egad/rules"
	"egad/rules/match"
	"egad/rules/typing"
	"egad/slot"
	"egad/term"
	"egad/term/eval"
	"egad/term/types"
)

// Evaluation is an instance of a rule with the values of both sides; of a
// derivative rule, a map applied to a change, and the difference quotient.
type Evaluation struct {
	// Bindings say what the metavariables stand for, one a line: "k = 2",
	// "a : R[2] = [1, 2]", "t : R = v1[i]". What a metavariable under a binder
	// reads, as v1, follows.
	Bindings    []string
	Left, Right Side
}

// Side is a side of a rule at an instance.
type Side struct{ Name, Term, Value string }

// String is an evaluation on several lines.
func (e *Evaluation) String() string {
	lines := slices.Clone(e.Bindings)
	width := max(len(e.Left.Name), len(e.Right.Name))
	for _, s := range []Side{e.Left, e.Right} {
		lines = append(lines, fmt.Sprintf("%-*s  %s", width, s.Name, s.Term), fmt.Sprintf("%*s= %s", width, "", s.Value))
	}
	return strings.Join(lines, "\n")
}

// Counterexample is an instance on which the sides of a rule differ.
type Counterexample struct {
	Evaluation
	First string // the first element that differs
}

// String is a counterexample on several lines.
func (c *Counterexample) String() string { return c.Evaluation.String() + "\n" + c.First }

// compareValues counts the elements that were compared, and finds the first that
// differs.
func compareValues[S any](b *caseBuilder, x, y *eval.Value[S], same func(a, c S) agreement, show func(...any) string) (int, *Counterexample) {
	if b.explain {
		b.said = Evaluation{
			Left:  Side{"left", b.print(b.shown.Lhs), showValue(x, show)},
			Right: Side{"right", b.print(b.shown.Rhs), showValue(y, show)},
		}
	}
	c := comparison[S]{same: same, show: show}
	if first := c.first(x, y, ""); first != "" {
		return c.compared, &Counterexample{First: first}
	}
	return c.compared, nil
}

// readable builds the sides again with names for metavariables that depend on no
// index variable.
func (b *caseBuilder) readable(sides *match.Sides) *match.Sides {
	n := 0
	shown, ok, err := b.in.Build(b.s, func(_ typing.InstanceTerm, scope map[string][]slot.Name) (term.Term, error) {
		x := b.bound[n]
		n++
		if len(x.term.Args) == 0 {
			return b.s.Var(x.name, b.s.Type(x.term)), nil
		}
		env := make(map[slot.Name]term.Term)
		for i, old := range x.vars {
			v := x.in[i]
			env[old] = v.term(b.s, scope[v.name][v.at])
		}
		return b.s.Subst(x.term, env), nil
	})
	if err != nil || !ok {
		return sides
	}
	return shown
}

// print prints a closed term on a line.
func (b *caseBuilder) print(t term.Term) string {
	return strings.Join(strings.Fields((&term.Printer{Store: b.s}).Term(t)), " ")
}

// describe lists what the metavariables stand for, and what is read in them.
func (b *caseBuilder) describe() []string {
	out := b.in.Attributes(b.s.Signature())
	vars := b.in.Rule.Vars
	for _, name := range vars.Order {
		if vars.Sort[name] == rules.SortTerms && !slices.ContainsFunc(b.in.Terms, func(t typing.InstanceTerm) bool { return t.Name == name }) {
			out = append(out, name+" = []")
		}
	}
	read := make(map[string]bool)
	for _, x := range b.bound {
		out = append(out, fmt.Sprintf("%s : %s = %s", x.name, b.s.Type(x.term), b.text(x)))
		if len(x.term.Args) > 0 {
			for _, op := range b.s.Inputs(x.term) {
				read[op.Name] = true
			}
		}
	}
	for _, l := range b.leaves {
		if read[l.name] {
			out = append(out, fmt.Sprintf("%s : %s = %s", l.name, l.typ, showValue(l.value, fmt.Sprint)))
		}
	}
	return out
}

// text is the value of a metavariable, or a term if it depends on index
// variables.
func (b *caseBuilder) text(x bound) string {
	if len(x.term.Args) == 0 {
		floats := linmap.Algebra[float64]{Arrays: eval.FloatArrays()}
		if v, err := eval.Interpret(b.s, x.term, floats, b.env()); err == nil {
			return showValue(v, fmt.Sprint)
		}
		return b.print(x.term)
	}
	env := make(map[slot.Name]term.Term)
	for i, n := range x.vars {
		says := x.in[i].name
		if x.in[i].many {
			says = fmt.Sprintf("%s%d", says, x.in[i].at+1)
		}
		typ := x.in[i].of.Type
		if typ == nil {
			typ = types.ArrayOf(types.I)
		}
		env[n] = b.s.Var(says, typ)
	}
	return b.print(b.s.Subst(x.term, env))
}

// comparison compares values element by element.
type comparison[S any] struct {
	same     func(a, c S) agreement
	show     func(...any) string
	compared int // the elements of which something was learnt
}

// equal compares two elements.
func (c *comparison[S]) equal(x, y S) bool {
	switch c.same(x, y) {
	case differs:
		return false
	case agrees:
		c.compared++
	}
	return true
}

// first describes the first element that differs, "" if there is none.
func (c *comparison[S]) first(x, y *eval.Value[S], at string) string {
	if m, ok := x.Map.(*linmap.Matrix[S]); ok {
		n := y.Map.(*linmap.Matrix[S])
		if m.Rows != n.Rows || m.Cols != n.Cols {
			return fmt.Sprintf("matrices of %d × %d and %d × %d", m.Rows, m.Cols, n.Rows, n.Cols)
		}
		for i := range m.At {
			if !c.equal(m.At[i], n.At[i]) {
				return fmt.Sprintf("entry (%d, %d) is %s on the left and %s on the right", i/m.Cols, i%m.Cols, c.show(m.At[i]), c.show(n.At[i]))
			}
		}
		return ""
	}
	if x.Parts != nil {
		for i := range x.Parts {
			if d := c.first(x.Parts[i], y.Parts[i], fmt.Sprintf("%s.%d", at, i)); d != "" {
				return d
			}
		}
		return ""
	}
	if x.Len() != y.Len() {
		return fmt.Sprintf("%d elements on the left and %d on the right", x.Len(), y.Len())
	}
	for i := range x.Len() {
		if x.Elem == types.R && !c.equal(x.R[i], y.R[i]) {
			return fmt.Sprintf("%s is %s on the left and %s on the right", place(at, x.Shape, i), c.show(x.R[i]), c.show(y.R[i]))
		}
		if x.Elem == types.R {
			continue
		}
		if c.compared++; x.N[i] != y.N[i] {
			return fmt.Sprintf("%s is %s on the left and %s on the right", place(at, x.Shape, i), showWhole(x, i), showWhole(y, i))
		}
	}
	return ""
}

// place names element number i of a component at of a value.
func place(at string, shape []int, i int) string {
	if at == "" && len(shape) == 0 {
		return "the value"
	}
	ix := ""
	if len(shape) > 0 {
		ix = strings.Join(strings.Fields(fmt.Sprint(slice.Index(shape, i))), ", ")
	}
	return "element " + at + ix
}

// showWhole prints element i of an array of integers or truth values.
func showWhole[S any](v *eval.Value[S], i int) string {
	if v.Elem == types.B {
		return fmt.Sprint(v.N[i] != 0)
	}
	return fmt.Sprint(v.N[i])
}

// showValue prints a value on a line.
func showValue[S any](v *eval.Value[S], show func(...any) string) string {
	if m, ok := v.Map.(*linmap.Matrix[S]); ok {
		v = &eval.Value[S]{Elem: types.R, Shape: []int{m.Rows, m.Cols}, R: m.At}
	}
	if v.Parts != nil {
		parts := slice.Map(v.Parts, func(p *eval.Value[S]) string { return showValue(p, show) })
		return "(" + strings.Join(parts, ", ") + ")"
	}
	var nest func(shape []int, from, n int) string
	nest = func(shape []int, from, n int) string {
		if len(shape) == 0 {
			if v.Elem == types.R {
				return show(v.R[from])
			}
			return showWhole(v, from)
		}
		parts := make([]string, shape[0])
		step := 0
		if shape[0] > 0 {
			step = n / shape[0]
		}
		for i := range parts {
			parts[i] = nest(shape[1:], from+i*step, step)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return nest(v.Shape, 0, v.Len())
}
