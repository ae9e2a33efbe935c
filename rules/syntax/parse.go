package syntax

import (
	"maps"
	"slices"
	"strings"

	"egad/diag"
	"egad/term"
)

// Parser reads the declarations of a rule file. Its findings are those of the
// [term.Parser].
type Parser struct {
	*term.Parser
	words map[string]bool // that begin something on a line of their own
}

// declarations read what comes after their first word.
var declarations = map[string]func(*Parser, base) Decl{}

func init() {
	maps.Copy(declarations, map[string]func(*Parser, base) Decl{
		"language": (*Parser).language,
		"sort":     func(p *Parser, b base) Decl { return &Sorts{b, p.names("the name of a sort")} },
		"number":   func(p *Parser, b base) Decl { return &Numbers{b, p.names("a sort")} },
		"symbol":   func(p *Parser, b base) Decl { return p.symbols(b) },
		"op":       func(p *Parser, b base) Decl { return p.op(b, true) },
		"relation": (*Parser).relation,
		"fold":     (*Parser).fold,
		"prune":    func(_ *Parser, b base) Decl { return &Prune{b} },
		"backoff":  func(p *Parser, b base) Decl { return p.backoff(b) },
		"ruleset":  (*Parser).ruleset,
		"rule":     (*Parser).rule,
		"fact":     func(p *Parser, b base) Decl { return p.forThen(b, Fact) },
		"demand":   func(p *Parser, b base) Decl { return p.forThen(b, Demand) },
		"operator": func(p *Parser, b base) Decl { return &Operator{b, p.Declaration(b.At)} },
		"test":     (*Parser).test,
		"schedule": (*Parser).schedule,
	})
}

// NewParser starts reading a file.
func NewParser(src *diag.Source, errs *diag.List) *Parser {
	p := &Parser{Parser: term.NewParser(src, errs), words: make(map[string]bool)}
	p.Stop = map[string]bool{"example": true, "use": true, "assuming": true, "guard": true}
	for w := range declarations {
		p.words[w] = true
	}
	p.StopLine = p.words
	return p
}

// Declares reports whether a declaration is next, told by its first word.
func (p *Parser) Declares() bool {
	return declarations[p.Peek().Text] != nil
}

// Ends reports whether what is being read has ended: at a word that begins
// something else, or at the end of the file.
func (p *Parser) Ends() bool { return p.AtEnd() || p.Peek().Line && p.words[p.Peek().Text] }

// Decl reads the declaration that is next: see [Parser.Declares].
func (p *Parser) Decl() Decl {
	t := p.Next()
	return declarations[t.Text](p, base{t.Pos, p.Doc(t.Pos)})
}

// Skip moves on to the next word that begins something, after a mistake.
func (p *Parser) Skip() {
	p.StopLine, p.Margin = p.words, 0
	for !p.Ends() {
		p.Next()
	}
}

// Unknown says of the next token that no declaration begins with it.
func (p *Parser) Unknown() {
	t := p.Peek()
	p.Fail(t.Pos, "expected a declaration%s", diag.DidYouMean(t.Text, slices.Sorted(maps.Keys(p.words))))
}

// text is what was read since start, with single spaces.
func (p *Parser) text(start diag.Pos) string {
	return strings.Join(strings.Fields(p.Src.Text[start:p.Done()]), " ")
}

// newLine reports whether the next token is on a line of its own, or none is left.
func (p *Parser) newLine() bool { return p.AtEnd() || p.Peek().Line }

func (p *Parser) endOfLine() {
	if !p.newLine() {
		p.Fail(p.Peek().Pos, "expected the end of the line")
	}
}

// IsLanguage reports whether a rule file declares a language of its own.
func IsLanguage(src *diag.Source) bool { return NewParser(src, new(diag.List)).Is("language") }
