package saturate

import (
	"strings"

	"egad/term/ast"
	"egad/term/ops"
)

// shown is a term of a language to be written.
type shown struct {
	op      *ops.Sorted // nil for what has only a name
	name    string
	binders []string // names of the variables that it binds
	kids    []*shown
}

// Strengths of what is not infix: what is written without parentheses wherever it
// stands, and the left operand of ^.
const (
	atomStrength     = 100
	negativeStrength = 14
)

// write writes a term that stands where one binds at least as tightly as min.
func (x *shown) write(b *strings.Builder, min int) {
	own := x.strength()
	if own < min {
		b.WriteByte('(')
		defer b.WriteByte(')')
	}
	left, right, infix := 0, 0, false
	if x.op != nil && len(x.kids) == 2 {
		left, right, infix = ast.InfixStrength(x.op.Name)
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
		b.WriteString(x.name)
		for i, k := range x.kids {
			b.WriteByte(' ')
			if !x.op.Child(i).Under {
				k.write(b, atomStrength)
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
		return negativeStrength
	case len(x.kids) == 0:
		return atomStrength
	case x.op.Name == "if" || x.op.Name == "let":
		return 0
	}
	if len(x.kids) == 2 {
		switch left, right, infix := ast.InfixStrength(x.op.Name); {
		case infix && left == right: // comparisons, of which no operand is one
			return left - 1
		case infix:
			return min(left, right)
		}
	}
	return atomStrength - 1
}

func (x *shown) String() string {
	var b strings.Builder
	x.write(&b, 0)
	return b.String()
}
