// Package extract turns classes of an e-graph back into terms. Which terms count
// is said by a small grammar, and which are best by the costs of its rules, as
// instruction selectors do: the extractor chooses for each pair of a class and a
// nonterminal.
package extract

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"egad/diag"
	"egad/term"
)

// Grammar is a cost grammar.
type Grammar struct {
	Name  string
	Doc   string
	names []string // of the nonterminals
	start int
	rules []production
}

// production says that a nonterminal derives an operator applied to
// nonterminals, or (chain) another nonterminal.
type production struct {
	from  int
	op    string // name of an operator, or of a class of them; "" for a chain
	named bool   // chain: only for classes that have a name
	to    int    // chain
	kids  []int
	rest  bool // the last of kids stands for any number of children
	cost  cost
}

// cost is N·n + M·m + C, in elements.
type cost struct{ n, m, c float64 }

//go:embed files/*.grammar
var files embed.FS

// builtin reads the grammars that come with egad, once: nothing changes them.
var builtin = sync.OnceValue(func() []*Grammar {
	b, err := files.ReadFile("files/stages.grammar")
	if err != nil {
		panic(fmt.Sprintf("embedded file: %v", err))
	}
	gs, err := Load(&diag.Source{Name: "stages.grammar", Text: string(b)})
	if err != nil {
		panic(fmt.Sprintf("embedded grammar: %v", err))
	}
	return gs
})

// Builtin returns a grammar that comes with egad: bulk, nolinear, linear or applied.
// It is an error if there is none of the name.
func Builtin(name string) (*Grammar, error) {
	var names []string
	for _, g := range builtin() {
		if g.Name == name {
			return g, nil
		}
		names = append(names, g.Name)
	}
	return nil, fmt.Errorf("there is no grammar %s%s", name, diag.DidYouMean(name, names))
}

// Load reads grammars. The form of a file:
//
//	grammar NAME
//	start NONTERMINAL
//	A -> op B C | op B... : 2 * n + m + 1
//	A -> named B
//
// An operator is named as in rules; elementwise is any elementwise operator that
// no earlier line of the nonterminal names, declared any operator that a rule file
// declares, and lmap the linear map of any operator. B... is any number of children.
func Load(src *diag.Source) ([]*Grammar, error) {
	var errs diag.List
	p := &grammarParser{Parser: term.NewParser(src, &errs), sig: term.NewSignature()}
	p.Recover(p.file)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return p.out, nil
}

type grammarParser struct {
	*term.Parser
	sig *term.Signature
	out []*Grammar
	g   *Grammar
}

func (p *grammarParser) file() {
	for !p.AtEnd() {
		switch {
		case p.Is("grammar"):
			doc := p.Doc(p.Peek().Pos)
			p.Next()
			p.g = &Grammar{Name: p.ExpectName("the name of the grammar").Text, Doc: doc}
			p.out = append(p.out, p.g)
			p.Expect("start", "after the name of the grammar")
			p.g.start = p.nonterminal()
		case p.g == nil:
			p.Fail(p.Peek().Pos, "expected grammar NAME")
		default:
			p.line()
		}
	}
	for _, g := range p.out {
		for i, n := range g.names {
			derives := false
			for _, r := range g.rules {
				derives = derives || r.from == i
			}
			if !derives {
				p.Fail(0, "grammar %s: the nonterminal %s derives nothing", g.Name, n)
			}
		}
	}
}

func (p *grammarParser) nonterminal() int {
	t := p.ExpectName("a nonterminal")
	for i, n := range p.g.names {
		if n == t.Text {
			return i
		}
	}
	p.g.names = append(p.g.names, t.Text)
	return len(p.g.names) - 1
}

// line reads "A -> alternatives : cost".
func (p *grammarParser) line() {
	from := p.nonterminal()
	p.Expect("->", "after a nonterminal")
	first := len(p.g.rules)
	for {
		p.g.rules = append(p.g.rules, p.alternative(from))
		if !p.Accept("|") {
			break
		}
	}
	var c cost
	if p.Accept(":") {
		c = p.cost()
	}
	for i := first; i < len(p.g.rules); i++ {
		p.g.rules[i].cost = c
	}
}

func (p *grammarParser) alternative(from int) production {
	r := production{from: from}
	t := p.ExpectName("an operator")
	if t.Text == "named" {
		r.named, r.to = true, p.nonterminal()
		return r
	}
	if _, ok := p.sig.Lookup(t.Text); !ok && classes[t.Text] == nil {
		names := slices.Sorted(maps.Keys(classes))
		for _, o := range p.sig.All() {
			names = append(names, o.Name)
		}
		p.Fail(t.Pos, "unknown operator %s%s", t.Text, diag.DidYouMean(t.Text, names))
	}
	r.op = t.Text
	// A nonterminal on a new line starts the next rule.
	for t := p.Peek(); t.Text != "|" && t.Text != ":" && !t.Line && !p.AtEnd(); t = p.Peek() {
		r.kids = append(r.kids, p.nonterminal())
		if p.Accept("...") {
			r.rest = true
			break
		}
	}
	return r
}

// cost reads a sum of terms k, k * n, n, m.
func (p *grammarParser) cost() cost {
	var c cost
	for {
		k := 1.0
		if t := p.Peek(); t.Text >= "0" && t.Text <= "9~" {
			p.Next()
			v, err := strconv.ParseFloat(t.Text, 64)
			if err != nil {
				p.Fail(t.Pos, "%s is not a number", t.Text)
			}
			k = v
			if !p.Accept("*") {
				c.c += k
				if !p.Accept("+") {
					return c
				}
				continue
			}
		}
		switch t := p.ExpectName("n or m"); t.Text {
		case "n":
			c.n += k
		case "m":
			c.m += k
		default:
			p.Fail(t.Pos, "a cost is in n and m, not %s", t.Text)
		}
		if !p.Accept("+") {
			return c
		}
	}
}

// classes are the names that stand for many operators.
var classes = map[string]func(o *term.Operator) bool{
	"elementwise": func(o *term.Operator) bool { return o.Elementwise },
	"reduction":   func(o *term.Operator) bool { return o.Reduction },
	"columnwise":  func(o *term.Operator) bool { return o.Columnwise },
	"matrixwise":  func(o *term.Operator) bool { return o.Matrixwise },
	"declared":    func(o *term.Operator) bool { return o.Declared != nil && !o.Linear },
	term.Lmap:     func(o *term.Operator) bool { return o.Of != term.SymNone },
}

// accepts reports whether the production derives an operator with n children.
func (r *production) accepts(o *term.Operator, n int) bool {
	if class := classes[r.op]; r.op != o.Name && (class == nil || !class(o)) {
		return false
	}
	if r.rest {
		return n >= len(r.kids)-1
	}
	return n == len(r.kids)
}

// kid is the nonterminal of child i.
func (r *production) kid(i int) int { return r.kids[min(i, len(r.kids)-1)] }
