package term

import (
	"strings"

	"egad/term/ops"
)

// longLiteral is how many elements a literal may have that is printed wherever it
// occurs.
const longLiteral = 1000

// Literals are the long literals of some programs. Each has a definition of its own,
// so that a text with all the programs has its elements once.
type Literals struct {
	names map[string]string // by the keys of the literals
	used  NameSet
	text  strings.Builder
}

// LongLiterals finds the long literals of programs whose texts are definitions
// called defs.
func LongLiterals(defs []string, programs ...*Program) *Literals {
	l := &Literals{names: make(map[string]string)}
	l.used.Use(defs...)
	for _, p := range programs {
		for _, in := range p.Inputs {
			l.used.Use(in.Name)
		}
	}
	for _, p := range programs {
		p.Store.Walk(p.Root, func(t Term) {
			op := p.Store.Op(t)
			if !isLong(op) || l.names[op.Key()] != "" {
				return
			}
			name := l.used.Like("literal1")
			pr := &Printer{Store: p.Store}
			l.text.WriteString(pr.Def(name, nil, t))
			l.names[op.Key()] = name
		})
	}
	return l
}

// Text returns the definitions, one after the other.
func (l *Literals) Text() string { return l.text.String() }

func isLong(op ops.Op) bool { return op.Sym == ops.SymConst && len(op.Const.Data) > longLiteral }
