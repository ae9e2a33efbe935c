package rules

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules/syntax"
	"egad/term"
	"egad/term/ast"
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
	return lib, lib.read(base, sig, srcs, false)
}

// read adds the rules of files that have no error. Examples of files that are known to be
// right are read when somebody asks for them, if lazy is set.
func (l *Library) read(base *Library, sig *term.Signature, srcs []*diag.Source, lazy bool) error {
	var errs diag.List
	operators := len(l.Operators)
	for _, s := range srcs {
		(&fileParser{lib: l, base: base, sig: sig, src: s, errs: &errs, lazy: lazy}).file()
	}
	families := l.families
	if base != nil {
		families = slices.Concat(base.families, families)
	}
	for _, d := range l.Operators[operators:] {
		for _, t := range families {
			(&fileParser{lib: l, base: base, sig: sig, src: t.src, errs: &errs}).member(t, sig.Operator(d.Op))
		}
	}
	return errs.Err()
}

type fileParser struct {
	lib  *Library
	base *Library // of rules that may be used; may be nil
	sig  *term.Signature
	src  *diag.Source
	lazy bool // examples are read when somebody asks for them
	errs *diag.List
	set  *Set
	lang *Language // that the file declares, nil if it is about arrays
	// under says that another language is over that of the file.
	under bool
	// Of a rule of a language with operator variables, what they are now, which of them have
	// been met, and its name.
	of       map[string]*term.Operator
	met      map[string]bool
	inFamily string
	means
	uses []func() // checks of names, when all is read
	// each is the variable for linear operators of a family, and what it is now.
	each struct {
		name string
		op   *term.Operator
	}
}

// file reads a file, going on after an error at the next declaration.
func (f *fileParser) file() {
	syntax.Read(f.src, f.errs, f.lazy, f.declaration)
	for _, check := range f.uses {
		check()
	}
}

// declaration reads a declaration. It is false if the rest of the file is not to be
// read.
func (f *fileParser) declaration(d syntax.Decl) bool {
	switch d := d.(type) {
	case *syntax.Language:
		// One finding: the rest of the file is about other terms.
		if !syntax.IsLanguage(f.src) {
			f.errs.Add(f.src, d.Start(), "a language is declared at the beginning of its file, and this file begins with something else")
			return false
		}
		f.errs.Add(f.src, d.Start(), "this file declares a language of its own, and has no rules for arrays: egad check reads it, and egad saturate runs its tests")
		return false
	case *syntax.Ruleset:
		f.ruleset(d)
	case *syntax.Rule:
		f.rule(d)
	case *syntax.Operator:
		f.operator(d.Declared)
	case *syntax.Schedule:
		f.schedule(d)
	case *syntax.Grammar:
		f.grammar(d)
	case *syntax.Backoff:
		f.backoff(d)
	case *syntax.Test:
		f.test(d)
	default:
		f.errs.Add(f.src, d.Start(), "this declaration is for languages of their own, and a file that declares one begins with language and its name")
	}
	return true
}

// backoff sets the back-off of rules of the file, when all is read.
func (f *fileParser) backoff(d *syntax.Backoff) {
	f.uses = append(f.uses, func() {
		for _, r := range f.lib.All() {
			if r.Src == f.src && d.For(r.Known(), r.Set.Name) {
				r.Backoff = d
			}
		}
		for _, n := range d.Names {
			if !slices.ContainsFunc(f.lib.All(), func(r *Rule) bool { return r.Src == f.src && (r.Known() == n.Text || r.Set.Name == n.Text) }) {
				f.errs.Add(f.src, n.Pos, "there is no rule or rule set %s in this file%s", n.Text, diag.DidYouMean(n.Text, f.lib.SetNames()))
			}
		}
	})
}

// operator declares an operator, which later rules and programs may use.
func (f *fileParser) operator(d *term.Declared) {
	if f.sig.Declare(d, f.errs) {
		f.lib.Operators = append(f.lib.Operators, d)
	}
}

func (f *fileParser) ruleset(d *syntax.Ruleset) {
	s := f.open(d.Name, d.Doc)
	s.Opaque, s.Lazy = s.Opaque || d.Opaque, s.Lazy || d.Lazy
	for _, n := range d.Use {
		f.use(n)
	}
}

// open makes later rules those of the set called name.
func (f *fileParser) open(name syntax.Name, doc string) *Set {
	s := f.lib.byName[name.Text]
	if s == nil {
		s = &Set{Name: name.Text, Doc: doc, Src: f.src, Pos: name.Pos}
		f.lib.byName[s.Name] = s
		f.lib.Sets = append(f.lib.Sets, s)
	}
	f.set = s
	return s
}

// use adds a rule that is there already to the set.
func (f *fileParser) use(n syntax.Name) {
	r := cmp.Or(f.lib.Rule(n.Text), f.base.Rule(n.Text))
	if r == nil {
		f.errs.Add(f.src, n.Pos, "there is no rule %s%s", n.Text, diag.DidYouMean(n.Text, slices.Collect(maps.Keys(f.lib.rules))))
		return
	}
	f.set.Rules = append(f.set.Rules, r)
}

func (f *fileParser) rule(d *syntax.Rule) {
	i := slices.IndexFunc(d.If, func(c syntax.Cond) bool { return c.Kind == syntax.CondClass && c.Word.Text == syntax.Linear })
	if i >= 0 && f.each.op == nil && f.set != nil {
		f.family(d, i)
		return
	}
	if f.lang != nil && slices.ContainsFunc(d.If, func(c syntax.Cond) bool { return c.Kind == syntax.CondClass }) {
		f.members(d)
		return
	}
	switch {
	case f.lang != nil && f.forArrays(d):
		return
	case f.lang == nil && d.Label == "" && d.Kind != syntax.Demand:
		f.errs.Add(f.src, d.Lhs.At(), "expected the label exact or real after the name of a rule")
		return
	case f.set == nil:
		f.errs.Add(f.src, d.Name.Pos, "a rule belongs to a ruleset; write one above it")
		return
	case d.Guard != nil && d.Kind == syntax.Both:
		f.errs.Add(f.src, d.Guard[0].Pos, "a rule with a guard goes one way: write => for <=>")
		return
	case d.Label == "exact" && d.Assuming != nil:
		f.errs.Add(f.src, d.AssumingAt, "an exact rule holds without assumptions; write a condition (after if), or label the rule real")
		return
	}
	r := &Rule{Name: d.Name.Text, Family: f.inFamily, Doc: d.Doc, Src: f.src, Pos: d.Name.Pos, Set: f.set, Start: d.Start(), End: d.End, Examples: d.Examples}
	switch {
	case d.Label == "real" || f.lang != nil && d.Label == "":
		r.Label = Real
	case d.Label == syntax.Agreed:
		if call, ok := d.Lhs.(*ast.Call); !ok || !ast.IsIdent(call.Fn, "nabla") {
			f.errs.Add(f.src, d.Lhs.At(), "only what a derivative is may be agreed upon: nabla (…) => […]; label other rules exact or real")
			return
		}
		r.Label = Agreed
	}
	if old, dup := f.lib.rules[r.Name]; dup {
		f.errs.Add(f.src, r.Pos, "the rule %s is there already (%s, line %d)", r.Name, old.Src.Name, old.Src.Line(old.Pos))
		return
	}
	if d.Kind == syntax.Fact || d.Kind == syntax.Demand {
		r.Kind = d.Kind
		for i, x := range d.Rhs {
			one := *r
			if i > 0 {
				one.Name = fmt.Sprintf("%s-%d", r.Name, i+1)
			}
			f.convert(&one, d.Lhs, x, d.If, nil, nil)
		}
		return
	}
	made, conds := *r, slices.Concat(d.If, d.Guard)
	made.Of, made.Examples = r, nil
	if !f.convert(r, d.Lhs, d.Rhs[0], conds, d.Assuming, nil) {
		return
	}
	if d.Kind == syntax.Both {
		made.Name = r.Name + syntax.Reversed
		made.Doc = r.Name + " from right to left."
		made.Examples = slice.Map(r.Examples, syntax.Example.Turned)
		f.convert(&made, d.Rhs[0], d.Lhs, conds, d.Assuming, nil)
	}
	if d.Guard != nil {
		made.Name = r.Name + syntax.Guarded
		made.Doc = r.Name + " where its guard is not proved."
		r.guarded = &made
		f.convert(&made, d.Lhs, d.Rhs[0], d.If, d.Assuming, d.Guard)
	}
}

// convert adds the rule with the given sides, and a guard if it has one, to the set,
// if nothing is wrong with it.
func (f *fileParser) convert(r *Rule, lhs, rhs ast.Expr, conds, assumed, guard []syntax.Cond) bool {
	errs := f.errs
	f.errs = new(diag.List) // what is wrong may have been found of another rule of the same text
	r.OfClass = f.each.op != nil && f.each.op.Declared != nil
	r.Language = f.lang
	newConverter(f, r).rule(lhs, rhs, conds, assumed, guard)
	whole := f.lang == nil || r.Lhs != nil && r.Rhs != nil // or it has an operator that is wrong itself
	if f.lang != nil && len(*f.errs) == 0 && whole {
		f.sorts(r)
	}
	own := *f.errs
	if r.Reversed() { // the other direction has been read: what is wrong is not wrong there
		for _, e := range own {
			e.Msg = "read from right to left, " + e.Msg
		}
	}
	f.errs = errs
	f.errs.AddError(own...)
	if len(own) > 0 || !whole || f.errs.Full() || f.covered(r) {
		return false
	}
	f.lib.rules[r.Name] = r
	f.set.Rules = append(f.set.Rules, r)
	return true
}
