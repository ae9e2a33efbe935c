package rules

import (
	"slices"
	"strings"

	"egad/diag"
	"egad/term"
)

// Load reads rule files over a signature. The error lists all findings, as a
// [diag.List]. A rule or set declared twice is an error.
func Load(sig *term.Signature, srcs ...*diag.Source) (*Library, error) {
	lib, err := LoadOver(nil, sig, srcs...)
	if err != nil {
		return nil, err
	}
	return lib, nil
}

// LoadOver is Load for files that may use the rules of another library, which do
// not become part of the result but for the sets that use them. Beside an error
// it returns the rules that have none.
func LoadOver(base *Library, sig *term.Signature, srcs ...*diag.Source) (*Library, error) {
	lib := &Library{byName: make(map[string]*Set), rules: make(map[string]*Rule)}
	return lib, lib.read(base, sig, srcs)
}

// read adds the rules of files that have no error.
func (l *Library) read(base *Library, sig *term.Signature, srcs []*diag.Source) error {
	var errs diag.List
	for _, s := range srcs {
		(&fileParser{lib: l, base: base, sig: sig, src: s, errs: &errs}).file()
	}
	return errs.Err()
}

type fileParser struct {
	lib  *Library
	base *Library // of rules that may be used; may be nil
	sig  *term.Signature
	src  *diag.Source
	errs *diag.List
	p    *term.Parser
	set  *Set
	uses []func() // checks of names, when all is read
}

// file reads a file, going on after an error at the next rule.
func (f *fileParser) file() {
	f.p = term.NewParser(f.src, f.errs)
	f.p.Stop = map[string]bool{"rule": true, "ruleset": true, "schedule": true, "operator": true, "example": true, "use": true, "assuming": true}
	if t := f.p.Peek(); t.Text == "language" {
		// One finding: the rest of the file is in another syntax.
		f.errs.Add(f.src, t.Pos, "this file declares a language of its own, and has no rules for arrays: egad check reads it, and egad saturate runs its tests")
		return
	}
	for !f.p.AtEnd() {
		ok := f.p.Recover(func() {
			switch {
			case f.p.Is("ruleset"):
				f.ruleset()
			case f.p.Is("rule"):
				f.rule()
			case f.p.Is("schedule"):
				f.schedule()
			case f.p.Is("operator"):
				f.operator()
			default:
				hint := ""
				if slices.Contains([]string{"sort", "number", "symbol", "op", "relation"}, f.p.Peek().Text) {
					hint = " (a file that declares a language of its own begins with language and its name)"
				}
				f.p.Fail(f.p.Peek().Pos, "expected rule, ruleset, schedule or operator%s", hint)
			}
		})
		if !ok {
			f.skip()
		}
	}
	for _, check := range f.uses {
		check()
	}
}

// starts reports whether a rule, a set, a schedule or an operator is next, or the
// end.
func (f *fileParser) starts() bool {
	return f.p.AtEnd() || f.p.Peek().Line && slices.ContainsFunc([]string{"rule", "ruleset", "schedule", "operator"}, f.p.Is)
}

// skip moves on to the next word that starts something on its line.
func (f *fileParser) skip() {
	for !f.starts() {
		f.p.Next()
	}
}

// operator declares an operator, which later rules and programs may use.
func (f *fileParser) operator() {
	d := f.p.Declaration()
	if !f.starts() {
		f.p.Fail(f.p.Peek().Pos, "the declaration of %s ends before this", d.Name)
	}
	if f.sig.Declare(d, f.errs) {
		f.lib.Operators = append(f.lib.Operators, d)
	}
}

func (f *fileParser) ruleset() {
	doc := f.p.Doc(f.p.Peek().Pos)
	f.p.Next()
	n := f.p.ExpectName("the name of the rule set")
	s := f.lib.byName[n.Text]
	if s == nil {
		s = &Set{Name: n.Text, Doc: doc, Src: f.src, Pos: n.Pos}
		f.lib.byName[n.Text] = s
		f.lib.Sets = append(f.lib.Sets, s)
	}
	for {
		switch {
		case f.p.Accept("opaque"):
			s.Opaque = true
		case f.p.Accept("lazy"):
			s.Lazy = true
		default:
			f.set = s
			if f.p.Accept("use") {
				f.use()
			}
			return
		}
	}
}

// use adds rules that are there already to the set.
func (f *fileParser) use() {
	for {
		n := f.p.ExpectName("the name of a rule")
		if f.p.Is("-") && f.p.Ahead(1).Text == reversed[1:] {
			f.p.Next()
			n.Text += "-" + f.p.Next().Text
		}
		r := f.lib.rules[n.Text]
		if r == nil && f.base != nil {
			r = f.base.rules[n.Text]
		}
		if r != nil {
			f.set.Rules = append(f.set.Rules, r)
		} else {
			var names []string
			for name := range f.lib.rules {
				names = append(names, name)
			}
			f.errs.Add(f.src, n.Pos, "there is no rule %s%s", n.Text, diag.DidYouMean(n.Text, names))
		}
		if !f.p.Accept(",") {
			return
		}
	}
}

func (f *fileParser) rule() {
	start := f.p.Next().Pos
	r := &Rule{Doc: f.p.Doc(start), Src: f.src, Set: f.set, Start: start}
	n := f.p.ExpectName("the name of the rule")
	r.Name, r.Pos = n.Text, n.Pos
	switch {
	case f.p.Accept("exact"):
	case f.p.Accept("real"):
		r.Label = Real
	default:
		f.p.Fail(f.p.Peek().Pos, "expected the label exact or real after the name of a rule")
	}
	if f.set == nil {
		f.p.Fail(r.Pos, "a rule belongs to a ruleset; write one above it")
	}
	lhs := f.p.Expr()
	both := f.p.Accept("<=>")
	if !both {
		f.p.Expect("=>", "between the sides of a rule")
	}
	rhs := f.p.Expr()
	var conds, assumed []func(c *converter)
	if f.p.Accept("if") {
		conds = f.conditions()
	}
	if f.p.Is("assuming") {
		if r.Label == Exact {
			f.p.Fail(f.p.Peek().Pos, "an exact rule holds without assumptions; write a condition (after if), or label the rule real")
		}
		f.p.Next()
		assumed = f.conditions()
	}
	for f.p.Is("example") {
		r.Examples = append(r.Examples, f.example())
	}
	if !f.starts() {
		f.p.Fail(f.p.Peek().Pos, "expected a condition (after if or assuming), an example or the next rule")
	}
	r.End = f.p.Done()
	if old, dup := f.lib.rules[r.Name]; dup {
		line, _ := old.Src.LineCol(old.Pos)
		f.errs.Add(f.src, r.Pos, "the rule %s is there already (%s, line %d)", r.Name, old.Src.Name, line)
		return
	}
	back := *r
	if f.convert(r, lhs, rhs, conds, assumed) && both {
		back.Name, back.Reversed, back.Examples = r.Name+reversed, true, nil
		back.Doc = r.Name + " from right to left."
		for _, x := range r.Examples {
			x.Lhs, x.Rhs = x.Rhs, x.Lhs
			back.Examples = append(back.Examples, x)
		}
		f.convert(&back, rhs, lhs, conds, assumed)
	}
}

// reversed ends the name of a rule that is read from right to left.
const reversed = "-rev"

// convert adds the rule with the given sides to the set, if nothing is wrong with
// it.
func (f *fileParser) convert(r *Rule, lhs, rhs term.Expr, conds, assumed []func(*converter)) bool {
	before := len(*f.errs)
	newConverter(f, r).rule(lhs, rhs, conds, assumed)
	if len(*f.errs) > before || f.errs.Full() { // a full list takes no findings
		return false
	}
	f.lib.rules[r.Name] = r
	f.set.Rules = append(f.set.Rules, r)
	return true
}

func (f *fileParser) example() Example {
	ex := Example{Pos: f.p.Next().Pos}
	if f.p.Is("(") && f.declares() {
		f.p.Next()
		for !f.p.Is(")") {
			n := f.p.ExpectName("an input of the example")
			f.p.Expect(":", "and a type after the input")
			ex.Inputs = append(ex.Inputs, term.Param{Pos: n.Pos, Name: n.Text, Type: f.p.Type()})
			if !f.p.Accept(",") {
				break
			}
		}
		f.p.Expect(")", "after the inputs")
	}
	ex.Lhs = f.p.Expr()
	f.p.Expect("=>", "between the sides of an example")
	ex.Rhs = f.p.Expr()
	return ex
}

// declares reports whether the parenthesis that is next declares inputs.
func (f *fileParser) declares() bool {
	return f.p.Ahead(2).Text == ":"
}

// conditions reads side conditions, separated by commas.
func (f *fileParser) conditions() []func(c *converter) {
	var out []func(c *converter)
	for {
		start := f.p.Peek().Pos
		cond := f.condition()
		text := strings.Join(strings.Fields(f.src.Text[start:f.p.Done()]), " ")
		out = append(out, func(c *converter) {
			n := len(c.conds)
			cond(c)
			for i := range c.conds[n:] {
				c.conds[n+i].Text = text
			}
		})
		if !f.p.Accept(",") {
			return out
		}
	}
}

// condition reads one side condition. What it means depends on the sorts of
// the variables, which are known when the left side has been converted.
func (f *fileParser) condition() func(c *converter) {
	start := f.p.Peek()
	if f.p.Accept("?") {
		op := f.p.ExpectName("an operator variable")
		f.p.Expect(":", "and a class after the operator variable")
		class := f.class()
		return func(c *converter) {
			c.conds = append(c.conds, Cond{Kind: CondClass, Pos: start.Pos, Name: op.Text, Class: class})
		}
	}
	e := f.p.Expr()
	switch {
	case f.p.Accept("in"):
		t := f.p.ExpectName("a metavariable")
		return func(c *converter) { c.notIn(e, t) }
	case f.p.Accept(":"):
		t := f.p.Type()
		return func(c *converter) { c.typeCond(e, t) }
	case f.p.Accept("="):
		r := f.p.Expr()
		return func(c *converter) { c.equalCond(CondEqual, e, r) }
	}
	return func(c *converter) { c.exprCond(e) }
}

// class reads elementwise/2, zero-preserving/1.
func (f *fileParser) class() Class {
	n := f.p.ExpectName("a class of operators")
	name := n.Text
	for f.p.Accept("-") {
		name += "-" + f.p.ExpectName("the rest of the name").Text
	}
	known := []string{"elementwise", "zero-preserving", "commutative"}
	ok := false
	for _, k := range known {
		ok = ok || k == name
	}
	if !ok {
		f.p.Fail(n.Pos, "unknown class %s of operators%s; there are %s", name, diag.DidYouMean(name, known), strings.Join(known, ", "))
	}
	f.p.Expect("/", "and the number of operands after the class")
	d := f.p.Next()
	if d.Text < "1" || d.Text > "3" || len(d.Text) != 1 {
		f.p.Fail(d.Pos, "elementwise operators have 1, 2 or 3 operands")
	}
	return Class{name, int(d.Text[0] - '0')}
}
