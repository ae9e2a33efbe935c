package theory

import (
	"math/big"
	"strings"

	"egad/slot"
	"egad/term"
)

// shown is a term to be written.
type shown struct {
	op      *Operator // nil for a name
	name    string
	binders []string // names of the variables that it binds
	kids    []*shown
	mark    bool // it stands between « and »
}

// Strengths of what is not infix: an operand of an operator with its operands, the
// left operand of ^, and one that is written without parentheses wherever it stands.
const (
	atom     = 100
	negative = 14
)

// write writes a term that stands where one binds at least as tightly as min.
func (x *shown) write(b *strings.Builder, min int) {
	if x.mark {
		b.WriteString("«")
		defer b.WriteString("»")
		min = 0
	}
	own := x.strength()
	if own < min {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	left, right, infix := 0, 0, false
	if x.op != nil && len(x.kids) == 2 {
		left, right, infix = term.InfixStrength(x.op.Name)
	}
	switch {
	case len(x.kids) == 0:
		b.WriteString(x.name)
	case infix:
		x.kids[0].write(b, left)
		b.WriteString(" " + x.op.Name + " ")
		x.kids[1].write(b, right)
	case x.op.Name == "if":
		for i, word := range []string{"if ", " then ", " else "} {
			b.WriteString(word)
			x.kids[i].write(b, 0)
		}
	case x.op.Name == "let":
		b.WriteString("let " + x.binders[0] + " = ")
		x.kids[0].write(b, 0)
		b.WriteString(" in ")
		x.kids[1].write(b, 0)
	default:
		b.WriteString(x.op.Name)
		for i, k := range x.kids {
			b.WriteByte(' ')
			if !x.op.Operands[x.op.kids[i]].Under {
				k.write(b, atom)
				continue
			}
			b.WriteString("(\\" + strings.Join(x.binders, " ") + " -> ")
			k.write(b, 0)
			b.WriteByte(')')
		}
	}
}

// strength says how tightly a term binds as it is written.
func (x *shown) strength() int {
	switch {
	case len(x.kids) == 0 && strings.HasPrefix(x.name, "-"):
		return negative
	case len(x.kids) == 0:
		return atom
	case x.op.Name == "if" || x.op.Name == "let":
		return 0
	}
	if len(x.kids) == 2 {
		switch left, right, infix := term.InfixStrength(x.op.Name); {
		case infix && left == right: // comparisons, of which no operand is one
			return left - 1
		case infix:
			return min(left, right)
		}
	}
	return atom - 1
}

func (x *shown) String() string {
	var b strings.Builder
	x.write(&b, 0)
	return b.String()
}

// numberText writes a number as it is read: 1%3 is a third.
func numberText(r *big.Rat) string { return strings.Replace(r.RatString(), "/", "%", 1) }

// Text writes a term as it is read. Free variables have the names given; bound
// ones are called v1, v2, … in the order of the text.
func (th *Theory) Text(t *Term, free map[slot.Name]string) string { return th.marked(t, free, nil) }

// marked is Text with a subterm between « and ».
func (th *Theory) marked(t *Term, free map[slot.Name]string, mark *Term) string {
	names, fresh := make(map[slot.Name]string), th.fresh(free)
	for n, s := range free {
		names[n] = s
	}
	var show func(t *Term) *shown
	show = func(t *Term) *shown {
		x := &shown{op: t.Op, name: t.Op.Name, mark: t == mark}
		switch {
		case t.Op.variable():
			x.name = "_" // any variable: the term does not depend on it
			if s, ok := names[t.Own]; ok {
				x.name = s
			}
		case t.Op.Number != nil:
			x.name = numberText(t.Op.Number)
		}
		kid := 0
		for _, o := range t.Op.Operands {
			switch {
			case o.Binder:
				n := t.Binders[len(x.binders)]
				names[n] = fresh()
				x.binders = append(x.binders, names[n])
			default:
				x.kids = append(x.kids, show(t.Kids[kid]))
				kid++
			}
		}
		return x
	}
	return show(t).String()
}

// written is a checked term as it is read.
func (t *Theory) written(s *scope, n *node) string {
	var show func(n *node) *shown
	show = func(n *node) *shown {
		x := &shown{op: n.op}
		switch n.kind {
		case nodeMeta:
			x.name = s.metas[n.v].name
			return x
		case nodeVar:
			x.name = s.vars[n.v].name
			return x
		}
		x.name = n.op.Name
		if n.op.Number != nil {
			x.name = numberText(n.op.Number)
		}
		for _, v := range n.binders {
			if v < 0 {
				x.binders = append(x.binders, s.metas[-1-v].name)
			} else {
				x.binders = append(x.binders, s.vars[v].name)
			}
		}
		for _, k := range n.kids {
			x.kids = append(x.kids, show(k))
		}
		return x
	}
	return show(n).String()
}
