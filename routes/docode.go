package routes

import (
	"fmt"
	"strings"

	"egad/term"
	"egad/term/eval"
	"egad/term/types"
)

// traced is an operator that was differentiated.
type traced struct {
	p    *term.Program
	kids []*arrayDual[term.Term]
	id   int // the last one
}

// part is a component of a tuple.
type part struct {
	of *arrayDual[term.Term]
	at int
}

// doCode prints D of a program as Figs. 14 and 15 make it: in do-notation, each operand
// differentiated where it stands. What is used more than once comes first.
type doCode struct {
	w     *written
	of    map[*arrayDual[term.Term]]*traced
	uses  map[*arrayDual[term.Term]]int
	bound map[*arrayDual[term.Term]]bool // has been printed
	input map[*arrayDual[term.Term]]string
	first []string
}

// text is the program, a statement of do-notation.
func (c *doCode) text() string {
	c.count(c.w.value)
	c.uses[c.w.value] = 0
	last := c.code(c.w.value)
	return strings.Join(do(append(c.first, last...)), "\n")
}

// count counts the uses of what was differentiated.
func (c *doCode) count(v *arrayDual[term.Term]) {
	if c.uses[v]++; c.uses[v] > 1 {
		return
	}
	if t := c.of[v]; t != nil {
		for _, k := range t.kids {
			c.count(k)
		}
		return
	}
	if whole, ok := c.w.parts[v]; ok {
		c.count(whole.of)
		return
	}
	for _, p := range v.parts {
		c.count(p)
	}
}

// hung puts a prefix before the first of some lines, and as much space before the others.
func hung(prefix string, lines []string) []string {
	for i := range lines {
		lines[i] = prefix + lines[i]
		prefix = strings.Repeat(" ", len(prefix))
	}
	return lines
}

// do puts do before statements, which may have several lines.
func do(statements []string) []string {
	return hung("do ", strings.Split(strings.Join(statements, "\n"), "\n"))
}

// statement is a statement that takes apart what an expression of some lines gives.
func statement(names string, lines []string) string {
	return strings.Join(hung(names+" <- ", lines), "\n")
}

// expr is D of a value as an expression.
func (c *doCode) expr(v *arrayDual[term.Term]) []string {
	if name, ok := c.input[v]; ok {
		return []string{"return " + name}
	}
	if whole, ok := c.w.parts[v]; ok {
		c.expr(whole.of)
		x, d := c.names(v)
		return []string{"return (" + x + ", " + d + ")"}
	}
	if t := c.of[v]; t != nil && (c.uses[v] > 1 || v.typ.Kind == types.KTuple) {
		if !c.bound[v] {
			c.bound[v] = true
			code := do(c.code(v))
			c.first = append(c.first, statement(c.pair(t), code))
		}
		return []string{"return " + c.pair(t)}
	}
	return do(c.code(v))
}

// pair is what the result of an operator and its Delta are called.
func (c *doCode) pair(t *traced) string { return fmt.Sprintf("(x%d, d%[1]d)", t.id+1) }

// names are what a value and its Delta are called; "" if it is no result of an operator.
func (c *doCode) names(v *arrayDual[term.Term]) (x, d string) {
	if whole, ok := c.w.parts[v]; ok {
		x, d := c.names(whole.of)
		return fmt.Sprintf("%s.%d", x, whole.at), fmt.Sprintf("%s.%d", d, whole.at)
	}
	if t := c.of[v]; t != nil {
		return fmt.Sprintf("x%d", t.id+1), fmt.Sprintf("d%d", t.id+1)
	}
	return "", ""
}

// code is D of a value as statements.
func (c *doCode) code(v *arrayDual[term.Term]) []string {
	t := c.of[v]
	switch {
	case t != nil:
		return c.operator(v, t)
	case c.input[v] != "":
		return []string{"return " + c.input[v]}
	case v.parts == nil:
		return []string{"return (" + c.w.print(v.x, nil) + ", Zero)"}
	}
	var out, xs []string
	for i, p := range v.parts {
		x, d := c.names(p)
		if x == "" {
			x, d = fmt.Sprintf("y%d", i+1), fmt.Sprintf("dy%d", i+1)
		}
		out = append(out, statement("("+x+", "+d+")", c.expr(p)))
		xs = append(xs, "("+x+", "+d+")")
	}
	return append(out, "return ("+strings.Join(xs, ", ")+")")
}

func (c *doCode) operator(v *arrayDual[term.Term], t *traced) []string {
	var out []string
	names := make(map[*arrayDelta[term.Term]]string)
	called := make(map[uint32]string) // terms
	env := make(eval.Env[term.Term])
	st := t.p.Store.Clone()
	others := 0
	for i, k := range t.kids {
		if !k.changes() {
			named(st, t.p.Inputs[i], atom(c.w.print(k.x, called)), env)
			continue
		}
		x, d := c.names(k)
		if x == "" {
			suffix := ""
			if others++; others > 1 {
				suffix = fmt.Sprintf("_%d", others)
			}
			x, d = fmt.Sprintf("y%d%s", t.id+1, suffix), fmt.Sprintf("dy%d%s", t.id+1, suffix)
		}
		if called[k.x.ID] == "" {
			// What is bound already is its own D.
			if pair, code := "("+x+", "+d+")", c.expr(k); len(code) != 1 || code[0] != "return "+pair {
				out = append(out, statement(pair, code))
			}
			called[k.x.ID] = x
		}
		named(st, t.p.Inputs[i], called[k.x.ID], env)
		if k.d != nil {
			names[k.d] = d
		}
		for j, part := range k.leaves(k.typ, nil) {
			if k.d == nil && part != nil {
				names[part] = fmt.Sprintf("%s.%d", d, j)
			}
		}
	}
	p := &deltaText[term.Term]{
		operand: func(x term.Term) string { return atom(c.w.print(x, called)) },
		id:      idName, names: names, most: mostShown, input: func(n int) string { return c.w.wrt[n].Name + "_d" },
	}
	roots := v.leaves(v.typ, nil)
	out = append(out, p.generated(roots)...)
	delta := pair(p.texts(roots))
	return append(out, "return ("+oneLine((&term.Printer{Store: st}).Term(st.SubstVars(t.p.Root, env)))+", "+delta+")")
}

// generated is the statement that makes the ids in Deltas, if there are any.
func (p *deltaText[V]) generated(roots []*arrayDelta[V]) []string {
	var gen []string
	order, _ := ordered(roots, p.names)
	for _, d := range order {
		if d.kind == deltaShare {
			gen = append(gen, p.id(d.n)+" <- genID")
		}
	}
	if gen == nil {
		return nil
	}
	return []string{strings.Join(gen, "; ")}
}

// oneLine is a text in one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// over replaces closed arrays that have names, by their ids.
func (w *written) over(names map[uint32]string) func(at term.Term) (term.Term, bool) {
	s := w.store
	return func(at term.Term) (term.Term, bool) {
		name, ok := names[at.ID]
		if !ok || len(at.Args) > 0 || s.Type(at).Kind != types.KArray {
			return at, false
		}
		return s.Var(name, s.Type(at)), true
	}
}

// print is a term over names.
func (w *written) print(t term.Term, names map[uint32]string) string {
	return oneLine((&term.Printer{Store: w.store}).Term(w.store.Replace(t, w.over(names))))
}
