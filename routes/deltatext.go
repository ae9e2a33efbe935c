package routes

import (
	"fmt"
	"slices"
	"strings"

	"egad/internal/slice"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// deltaText prints Deltas of arrays.
type deltaText[V any] struct {
	operand func(x V) string // of a constructor
	input   func(n int) string
	id      func(n int) string
	names   map[*arrayDelta[V]]string // of those that have one
	most    int                       // constructors that are printed; what is left out is …
}

// text is a Delta, in parentheses if it is to be an operand.
func (p *deltaText[V]) text(d *arrayDelta[V], inside bool) string {
	if d == nil {
		return "Zero"
	}
	if name, ok := p.names[d]; ok {
		return name
	}
	if d.kind == deltaInput {
		return p.input(d.n)
	}
	if p.most--; p.most < 0 {
		return "…"
	}
	var s string
	switch d.kind {
	case deltaAdd:
		s = "Add " + p.text(d.a, true) + " " + p.text(d.b, true)
	case deltaShare:
		s = "Share " + p.id(d.n) + " " + p.text(d.a, true)
	case deltaBuild:
		parts := make([]string, 0, len(d.of))
		for _, e := range d.of {
			if p.most <= 0 {
				parts = append(parts, "…")
				break
			}
			parts = append(parts, p.text(e, false))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case deltaLinear:
		s = p.linear(d)
	}
	if inside {
		return "(" + s + ")"
	}
	return s
}

// linear is a constructor with its operands, and the Delta in the place of the type of what
// the map is applied to, or at the end.
func (p *deltaText[V]) linear(d *arrayDelta[V]) string {
	con := d.con
	st := con.all.store
	env := make(eval.Env[term.Term])
	for i, in := range con.inputs[1:] {
		named(st, in, p.operand(d.at[i]), env)
	}
	text := (&term.Printer{Store: st}).Term(st.SubstVars(con.m, env))
	of := p.text(d.a, true)
	sym := st.Op(con.m).Sym
	name := st.Signature().Operator(sym).Name
	rest, ok := strings.CutPrefix(text, name)
	if !ok { // lets of what the map has in several places come first
		return con.named + " (" + text + ") " + of
	}
	at := "@" + d.a.typ.String()
	if d.a.typ.Kind == types.KTuple || strings.Contains(rest, "@("+d.a.typ.String()+")") {
		at = "@(" + d.a.typ.String() + ")"
	}
	if before, after, ok := strings.Cut(rest, at); ok && st.Signature().Operator(sym).Of != ops.SymNone {
		return con.named + before + of + after
	}
	return con.named + rest + " " + of
}

// named stands for an input, under a name that may be any text.
func named(s *term.Store, in term.Input, name string, env eval.Env[term.Term]) {
	bindTerm(s, env, in, s.Input(term.Input{Name: name, Type: in.Type}))
}

// atom puts a text in parentheses, unless it is one word.
func atom(s string) string {
	if strings.ContainsAny(s, " \n") && !strings.HasPrefix(s, "[") {
		return "(" + s + ")"
	}
	return s
}

// ordered lists Deltas and what they are made of, but what has a name: each after all that it
// refers to, and how often it is referred to.
func ordered[V any](roots []*arrayDelta[V], names map[*arrayDelta[V]]string) (order []*arrayDelta[V], uses map[*arrayDelta[V]]int) {
	uses = make(map[*arrayDelta[V]]int)
	type step struct {
		d     *arrayDelta[V]
		after bool
	}
	var todo []step
	for _, d := range slices.Backward(roots) {
		todo = append(todo, step{d: d})
	}
	for len(todo) > 0 {
		s := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		switch {
		case s.d == nil || names[s.d] != "":
			continue
		case s.after:
			order = append(order, s.d)
			continue
		}
		if uses[s.d]++; uses[s.d] > 1 {
			continue
		}
		todo = append(todo, step{s.d, true})
		for _, e := range slices.Backward(s.d.of) {
			todo = append(todo, step{d: e})
		}
		todo = append(todo, step{d: s.d.b}, step{d: s.d.a})
	}
	return order, uses
}

// inParts prints Deltas, those that are referred to more than once in lines of their own
// before: d1 = Delta, by the id.
func (p *deltaText[V]) inParts(roots []*arrayDelta[V]) (lines []string, last []string) {
	p.names = make(map[*arrayDelta[V]]string)
	order, uses := ordered(roots, nil)
	for _, d := range order {
		if d.kind == deltaShare && uses[d] > 1 {
			name := fmt.Sprintf("d%d", d.n+1)
			lines = append(lines, name+" = "+p.text(d, false))
			p.names[d] = name
		}
	}
	return lines, p.texts(roots)
}

// texts prints Deltas.
func (p *deltaText[V]) texts(roots []*arrayDelta[V]) []string {
	return slice.Map(roots, func(d *arrayDelta[V]) string { return p.text(d, false) })
}

// pair is several texts as a tuple, or the only one.
func pair(texts []string) string {
	if len(texts) == 1 {
		return texts[0]
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

func idNumber(n int) string { return fmt.Sprint(n + 1) }
func idName(n int) string   { return fmt.Sprintf("id%d", n+1) }
