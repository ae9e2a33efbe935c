package fun

import (
	"strconv"
	"strings"

	"egad/internal/slice"
	"egad/term/ast"
	"egad/term/numeric"
	"egad/term/ops"
)

// The strengths with which terms bind.
const (
	PrecExpr = iota // anything
	PrecArg  = 100  // an operand of a function
	precApp  = 90
)

// Printer writes terms, a let a line.
type Printer struct {
	b      strings.Builder
	scope  []string
	used   map[string]int // how often a name is in scope, also outside of a closure
	indent int
}

// Print writes a term; names are those of its free variables, the outermost first.
func Print(t *Term, names ...string) string {
	p := &Printer{used: make(map[string]int)}
	p.bind(names...)
	p.Term(t, PrecExpr)
	return p.b.String()
}

// excerpt is the beginning of a term in a message.
func excerpt(t *Term, free int) string {
	names := slice.Make(free, func(i int) string { return "v" + strconv.Itoa(free-1-i) })
	s := strings.Join(strings.Fields(Print(t, names...)), " ")
	if r := []rune(s); len(r) > 120 {
		s = string(r[:119]) + "…"
	}
	return s
}

// Text writes text.
func (p *Printer) Text(s string) { p.b.WriteString(s) }

// Line begins a new line.
func (p *Printer) Line() { p.b.WriteString("\n" + strings.Repeat("  ", p.indent)) }

// Indented writes lines further in.
func (p *Printer) Indented(f func()) {
	p.indent++
	f()
	p.indent--
}

// Paren writes f, in parentheses if the operand must bind more tightly than at.
func (p *Printer) Paren(prec, at int, f func()) {
	if prec > at {
		p.Text("(")
	}
	f()
	if prec > at {
		p.Text(")")
	}
}

// Fresh is a name that no variable in scope has, made of one that the text had, if it had one.
func (p *Printer) Fresh(t *Term, k int) string {
	base := "x"
	if k < len(t.Name) && t.Name[k] != "" {
		base = t.Name[k]
	} else {
		base += strconv.Itoa(len(p.scope) + 1)
	}
	name := base
	for n := 1; p.used[name] > 0 || ast.IsKeyword(name); n++ {
		name = base + "_" + strconv.Itoa(n)
	}
	return name
}

// bind takes names into scope.
func (p *Printer) bind(names ...string) {
	p.scope = append(p.scope, names...)
	for _, n := range names {
		p.used[n]++
	}
}

// leave ends the scope of all but n variables.
func (p *Printer) leave(n int) {
	for _, name := range p.scope[n:] {
		p.used[name]--
	}
	p.scope = p.scope[:n]
}

// Under writes f where variables are bound.
func (p *Printer) Under(names []string, f func()) {
	n := len(p.scope)
	p.bind(names...)
	f()
	p.leave(n)
}

// Closure writes f, the body of a closure, where its own variables are bound, and what it
// captures.
func (p *Printer) Closure(t *Term, own []string, f func()) {
	scope := p.scope
	p.scope = nil
	for i := len(t.Caps) - 1; i >= 0; i-- {
		p.scope = append(p.scope, scope[len(scope)-1-t.Caps[i]])
	}
	p.Under(own, f)
	p.scope = scope
}

// Apply writes a name with operands.
func (p *Printer) Apply(prec int, name string, kids ...*Term) {
	if len(kids) == 0 {
		p.Text(name)
		return
	}
	p.Paren(prec, precApp, func() {
		p.Text(name)
		for _, k := range kids {
			p.Text(" ")
			p.Term(k, PrecArg)
		}
	})
}

// Term writes a term.
func (p *Printer) Term(t *Term, prec int) {
	if t.Form.Print != nil {
		t.Form.Print(p, t, prec)
		return
	}
	p.Apply(prec, t.Form.Name, t.Kids...)
}

func init() {
	Var.Print = func(p *Printer, t *Term, _ int) { p.Text(p.scope[len(p.scope)-1-t.N]) }
	Let.Print = func(p *Printer, t *Term, prec int) {
		p.Paren(prec, PrecExpr, func() { p.chain(t, "let ", " = ", " in") })
	}
	Lam.Print = func(p *Printer, t *Term, prec int) {
		p.Paren(prec, PrecExpr, func() {
			name := p.Fresh(t, 0)
			p.Text("\\(" + name + ": " + t.Type.String() + ") -> ")
			p.Closure(t, []string{name}, func() { p.Term(t.Kids[0], PrecExpr) })
		})
	}
	Rec.Print = func(p *Printer, t *Term, prec int) {
		p.Paren(prec, PrecExpr, func() {
			self, arg := p.Fresh(t, 0), ""
			p.Under([]string{self}, func() { arg = p.Fresh(t, 1) })
			p.Text("rec " + self + "(" + arg + ": " + t.Type.Parts[0].String() + "): " + t.Type.Parts[1].String() + " = ")
			p.Closure(t, []string{self, arg}, func() { p.Term(t.Kids[0], PrecExpr) })
		})
	}
	App.Print = func(p *Printer, t *Term, prec int) {
		p.Paren(prec, precApp, func() {
			f := precApp
			if t.Kids[0].Form != App {
				f = PrecArg
			}
			p.Term(t.Kids[0], f)
			p.Text(" ")
			p.operand(t.Kids[1])
		})
	}
	Star.Print = func(p *Printer, _ *Term, _ int) { p.Text("()") }
	Pair.Print = func(p *Printer, t *Term, _ int) { p.list("(", t.Kids, ")") }
	for _, f := range []*Form{Inl, Inr} {
		f.Print = func(p *Printer, t *Term, prec int) {
			if t.Type.Equal(Bool) && t.Kids[0].Form == Star {
				p.Text(strconv.FormatBool(f == Inl))
				return
			}
			p.Paren(prec, precApp, func() {
				p.Text(f.Name + " @")
				p.Text("(" + t.Type.Parts[0].in(typeSum) + " + " + t.Type.Parts[1].in(typeProd) + ") ")
				p.operand(t.Kids[0])
			})
		}
	}
	for _, f := range []*Form{Fst, Snd, Length, Sign} {
		f.Print = func(p *Printer, t *Term, prec int) {
			p.Paren(prec, precApp, func() {
				p.Text(f.Name + " ")
				p.operand(t.Kids[0])
			})
		}
	}
	Case.Print = func(p *Printer, t *Term, prec int) {
		p.Paren(prec, PrecExpr, func() {
			p.Text("case ")
			p.Term(t.Kids[0], PrecExpr+1)
			p.Text(" of")
			p.Indented(func() {
				for k, side := range []string{"inl ", "| inr "} {
					p.Line()
					if k == 0 {
						p.Text("  ")
					}
					name := p.Fresh(t, k)
					p.Text(side + name + " -> ")
					p.Under([]string{name}, func() { p.Term(t.Kids[1+k], PrecExpr+1-k) })
				}
			})
		})
	}
	Lit.Print = func(p *Printer, t *Term, prec int) { p.Text(literalText(t.Num, t.Type)) }
	Prim.Print = func(p *Printer, t *Term, prec int) { p.operator(t, prec) }
	Build.Print = func(p *Printer, t *Term, prec int) {
		p.Paren(prec, precApp, func() {
			p.Text("build ")
			p.Term(t.Kids[0], PrecArg)
			p.Text(" ")
			p.function(t, 1)
		})
	}
	for _, f := range []*Form{Reduce, ReduceM} {
		f.Print = func(p *Printer, t *Term, prec int) {
			p.Paren(prec, precApp, func() {
				p.Text(f.Name + " ")
				p.function(t, 0)
				p.Text(" ")
				p.Term(t.Kids[1], PrecArg)
			})
		}
	}
	Index.Print = func(p *Printer, t *Term, _ int) {
		p.Term(t.Kids[0], PrecArg)
		p.Text("[")
		p.Term(t.Kids[1], PrecExpr)
		p.Text("]")
	}
	List.Print = func(p *Printer, t *Term, _ int) { p.list("[", t.Kids, "]") }
	for _, f := range []*Form{Whole, Fold} {
		f.Print = func(p *Printer, t *Term, prec int) { p.Apply(prec, ops.Builtin(t.Op.Sym).Text(), t.Kids...) }
	}
}

// chain writes what a chain of t's form binds, a line each, and its body.
func (p *Printer) chain(t *Term, before, sign, end string) {
	n, f := len(p.scope), t.Form
	for ; t.Form == f; t = t.Kids[1] {
		name := p.Fresh(t, 0)
		p.Text(before + name + sign)
		p.Indented(func() { p.Term(t.Kids[0], PrecExpr) })
		p.Text(end)
		p.Line()
		p.bind(name)
	}
	p.Term(t, PrecExpr)
	p.leave(n)
}

// list writes terms with commas between them.
func (p *Printer) list(open string, ts []*Term, end string) {
	p.Text(open)
	for i, t := range ts {
		if i > 0 {
			p.Text(", ")
		}
		p.Term(t, PrecExpr)
	}
	p.Text(end)
}

// function writes operand k, in which one variable is bound, as a function of that.
func (p *Printer) function(t *Term, k int) {
	name := p.Fresh(t, 0)
	p.Text("(\\" + name + " -> ")
	p.Under([]string{name}, func() { p.Term(t.Kids[k], PrecExpr) })
	p.Text(")")
}

// operand writes an argument: f (a, b) has two, and f ((a, b)) one pair.
func (p *Printer) operand(t *Term) {
	if t.Form == Pair {
		p.list("(", []*Term{t}, ")")
		return
	}
	p.Term(t, PrecArg)
}

// literalText writes a number so that its type shows.
func literalText(n numeric.Num, t *Type) string {
	s := n.String()
	if t.Kind == KReal && !strings.ContainsAny(s, ".eE%in") {
		s += ".0"
	}
	if strings.HasPrefix(s, "-") || strings.Contains(s, "/") {
		s = "(" + s + ")"
	}
	return s
}

// operator writes an operator on scalars.
func (p *Printer) operator(t *Term, prec int) {
	o := ops.Builtin(t.Op.Sym)
	operands := t.Operands()
	if operands == nil { // a pair that is computed
		p.Paren(prec, precApp, func() {
			if _, _, infix := ast.InfixStrength(o.Text()); infix {
				p.Text("(" + o.Text() + ") ")
			} else {
				p.Text(o.Name + " ")
			}
			p.operand(t.Kids[0])
		})
		return
	}
	left, right, infix := ast.InfixStrength(o.Text())
	switch {
	case infix && o.Arity == 2:
		p.Paren(prec, left, func() {
			p.Term(operands[0], left)
			p.Text(" " + o.Text() + " ")
			p.Term(operands[1], right)
		})
	case o.Sym == ops.SymNeg:
		p.Paren(prec, ast.PrefixMinus, func() {
			p.Text("-")
			p.Term(operands[0], PrecArg)
		})
	case o.Sym == ops.SymPolygamma:
		p.Apply(prec, o.Name+" "+strconv.Itoa(t.Op.N), operands...)
	default:
		p.Apply(prec, o.Name, operands...)
	}
}
