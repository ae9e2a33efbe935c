package term

import (
	"fmt"
	"strings"

	"egad/slot"
)

// SortedText writes a term of a language as it is read. Free variables have the names
// that are given; bound ones are called v1, v2, … in the order of the text.
func SortedText(s *Store, t Term, free map[slot.Name]string) string {
	names, fresh := make(map[slot.Name]string), FreshNames(s.sig, free)
	for n, x := range free {
		names[n] = x
	}
	var show func(t Term) *Shown
	show = func(t Term) *Shown {
		v := s.Open(t)
		x := &Shown{Op: s.sig.Operator(v.Op.Sym).Sorted}
		switch {
		case len(v.Own) > 0:
			x.Name = "_" // any variable: the term does not depend on it
			if n, ok := names[v.Own[0]]; ok {
				x.Name = n
			}
			return x
		case v.Op.Const != nil:
			if x.Name = "holds"; v.Op.Type.Kind == KSort {
				x.Name = v.Op.Const.Fill.String()
			}
			return x
		}
		for _, b := range v.Binders {
			names[b] = fresh()
			x.Binders = append(x.Binders, names[b])
		}
		for _, k := range v.Kids {
			x.Kids = append(x.Kids, show(k))
		}
		return x
	}
	return show(t).String()
}

// FreshNames gives names for bound variables, one after the other, that are neither those of
// operators nor of free variables.
func FreshNames(sig *Signature, free map[slot.Name]string) func() string {
	taken := make(map[string]bool)
	for _, s := range free {
		taken[s] = true
	}
	bound := 0
	return func() string {
		for {
			bound++
			s := fmt.Sprint("v", bound)
			if _, op := sig.Lookup(s); !op && !taken[s] {
				return s
			}
		}
	}
}

// Shown is a term of a language to be written.
type Shown struct {
	Op      *Sorted // nil for what has only a name
	Name    string
	Binders []string // names of the variables that it binds
	Kids    []*Shown
	Mark    bool // it stands between « and »
}

// Strengths of what is not infix: what is written without parentheses wherever it
// stands, and the left operand of ^.
const (
	atomStrength     = 100
	negativeStrength = 14
)

// write writes a term that stands where one binds at least as tightly as min.
func (x *Shown) write(b *strings.Builder, min int) {
	if x.Mark {
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
	if x.Op != nil && len(x.Kids) == 2 {
		left, right, infix = InfixStrength(x.Op.Name)
	}
	switch {
	case x.Op == nil:
		b.WriteString(x.Name)
	case len(x.Kids) == 0:
		b.WriteString(x.Op.Name)
	case infix:
		x.Kids[0].write(b, left)
		b.WriteString(" " + x.Op.Name + " ")
		x.Kids[1].write(b, right)
	case x.Op.Name == "if":
		for i, word := range []string{"if ", " then ", " else "} {
			b.WriteString(word)
			x.Kids[i].write(b, 0)
		}
	case x.Op.Name == "let":
		b.WriteString("let " + x.Binders[0] + " = ")
		x.Kids[0].write(b, 0)
		b.WriteString(" in ")
		x.Kids[1].write(b, 0)
	default:
		b.WriteString(x.Op.Name)
		for i, k := range x.Kids {
			b.WriteByte(' ')
			if !x.Op.Children[i].Under {
				k.write(b, atomStrength)
				continue
			}
			b.WriteString("(\\" + strings.Join(x.Binders, " ") + " -> ")
			k.write(b, 0)
			b.WriteByte(')')
		}
	}
}

// strength says how tightly a term binds as it is written.
func (x *Shown) strength() int {
	switch {
	case len(x.Kids) == 0 && strings.HasPrefix(x.Name, "-"):
		return negativeStrength
	case len(x.Kids) == 0:
		return atomStrength
	case x.Op.Name == "if" || x.Op.Name == "let":
		return 0
	}
	if len(x.Kids) == 2 {
		switch left, right, infix := InfixStrength(x.Op.Name); {
		case infix && left == right: // comparisons, of which no operand is one
			return left - 1
		case infix:
			return min(left, right)
		}
	}
	return atomStrength - 1
}

func (x *Shown) String() string {
	var b strings.Builder
	x.write(&b, 0)
	return b.String()
}
