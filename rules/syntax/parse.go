package syntax

import (
	"maps"
	"slices"
	"strings"
	"sync"

	"egad/diag"
	"egad/term/ast"
	"egad/term/ops"
)

// parser reads the declarations of a rule file.
type parser struct {
	*ast.Parser
	lazy bool // examples are only looked for
}

// declarations read what comes after their first word.
var declarations = map[string]func(*parser, base) Decl{}

func init() {
	maps.Copy(declarations, map[string]func(*parser, base) Decl{
		"language": (*parser).language,
		"sort":     (*parser).sorts,
		"number":   func(p *parser, b base) Decl { return &Numbers{b, p.names("a sort")} },
		"symbol":   func(p *parser, b base) Decl { return p.symbols(b) },
		"op":       func(p *parser, b base) Decl { return p.op(b, true) },
		"relation": (*parser).relation,
		"fold":     (*parser).fold,
		"prune":    func(_ *parser, b base) Decl { return &Prune{b} },
		"backoff":  func(p *parser, b base) Decl { return p.backoff(b) },
		"ruleset":  (*parser).ruleset,
		"rule":     (*parser).rule,
		"fact":     func(p *parser, b base) Decl { return p.forThen(b, Fact) },
		"demand":   func(p *parser, b base) Decl { return p.forThen(b, Demand) },
		"operator": (*parser).operator,
		"test":     (*parser).test,
		"schedule": (*parser).schedule,
		"grammar":  (*parser).grammar,
	})
}

// words begin a declaration, on a line of their own.
var words = sync.OnceValue(func() map[string]bool { return firstWords(declarations) })

func firstWords[F any](readers map[string]F) map[string]bool {
	out := make(map[string]bool)
	for w := range readers {
		out[w] = true
	}
	return out
}

func newParser(src *diag.Source, errs *diag.List) *parser {
	p := &parser{Parser: ast.NewParser(src, errs)}
	p.Stop, p.StopLine, p.Inner = stop, words(), inner
	return p
}

// stop lists the words that end a term.
var stop = map[string]bool{"example": true, "use": true, "assuming": true, "guard": true}

// inner lists the words of languages that are names elsewhere, as sort is an operator on
// arrays: they begin a declaration unless they stand further to the right than the one
// before begins.
var inner = map[string]bool{"language": true, "sort": true, "number": true, "symbol": true, "op": true, "fold": true, "prune": true}

// Read reads a file and calls f for each declaration, in order, until it is false. It
// goes on after a mistake at the next declaration, unless errs is full. Of a file that is
// known to be right the examples are not read before somebody asks for them, if lazy is
// set; its declarations begin lines, and what belongs to one is further to the right.
func Read(src *diag.Source, errs *diag.List, lazy bool, f func(Decl) bool) {
	p := newParser(src, errs)
	p.lazy = lazy
	for more := true; more && !p.AtEnd() && !errs.Full(); {
		if !p.Recover(func() {
			if d := p.decl(); d != nil {
				more = f(d)
			}
		}) {
			p.skip()
		}
	}
}

// RuleNames lists the names of the rules of a file, also of those that are wrong in their form.
func RuleNames(src *diag.Source) (out []Name) {
	p := newParser(src, new(diag.List))
	for !p.AtEnd() {
		if t := p.Next(); t.Text == "rule" && p.Begins(t) && !p.NewLine() {
			name := p.Peek()
			out = append(out, Name{Pos: name.Pos, Text: name.Text})
		}
	}
	return out
}

// decl reads the declaration that is next, told by its first word. It need not be on a
// line of its own. It is nil after mistakes in statements of a test or a schedule.
func (p *parser) decl() Decl {
	t := p.Peek()
	read := declarations[t.Text]
	switch {
	case read == nil && t.Text == "use":
		p.Fail(t.Pos, misplacedUse)
	case read == nil:
		p.Fail(t.Pos, "expected a declaration%s", diag.DidYouMean(t.Text, slices.Sorted(maps.Keys(words()))))
	}
	p.Next()
	p.Left = p.Column(t)
	return read(p, base{t.Pos, p.Doc(t.Pos)})
}

// ends reports whether what is being read has ended: at a word that begins
// something else, or at the end of the file.
func (p *parser) ends() bool { return p.AtEnd() || words()[p.Peek().Text] && p.Begins(p.Peek()) }

// skip moves on to the next word that begins something, after a mistake.
func (p *parser) skip() {
	p.StopLine, p.Margin = words(), 0
	for !p.ends() {
		p.Next()
	}
}

// misplacedUse says where rules are added to a set.
const misplacedUse = "use belongs under ruleset and its name, before the rules of the set"

// operator reads an operator on arrays.
func (p *parser) operator(b base) Decl {
	d := ops.ReadDeclaration(p.Parser, b.At)
	if !p.ends() {
		p.Fail(p.Peek().Pos, "the declaration of %s ends before this", d.Name)
	}
	return &Operator{b, d}
}

// statement reads a statement, which begins with one of some words. It is false after a
// mistake; it goes on at the next line that begins with one of them, or ends the declaration.
func (p *parser) statement(first map[string]bool, read func()) bool {
	if p.Recover(read) {
		return true
	}
	for p.Margin = 0; !p.AtEnd() && !(first[p.Peek().Text] && p.Begins(p.Peek())); {
		p.Next()
	}
	return false
}

// text is what was read since start, with single spaces.
func (p *parser) text(start diag.Pos) string {
	return strings.Join(strings.Fields(p.Src.Text[start:p.Done()]), " ")
}

// endOfLine demands that what was read is the last of its line.
func (p *parser) endOfLine() {
	if !p.NewLine() {
		p.Fail(p.Peek().Pos, "expected the end of the line")
	}
}

// IsLanguage reports whether a rule file declares a language of its own.
func IsLanguage(src *diag.Source) bool { return newParser(src, new(diag.List)).Is("language") }
