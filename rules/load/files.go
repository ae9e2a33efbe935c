// Package load reads rule files: declarations of package syntax become the rules, schedules,
// grammars and tests of package rules. It finds what names mean and reports what is wrong, all
// findings of a file at once.
package load

import (
	"cmp"
	"slices"

	"egad/diag"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term"
	"egad/term/module"
	"egad/term/ops"
)

// Files reads rule files over a signature. The error lists all findings, as a
// [diag.List]. A rule or set declared twice is an error.
func Files(sig *term.Signature, srcs ...*diag.Source) (*rules.Library, error) {
	lib, err := Over(nil, sig, srcs...)
	if err != nil {
		return nil, err
	}
	return lib, nil
}

// Over is [Files] for files that may use the rules of another library, which do
// not become part of the result but for the sets that use them. Beside an error
// it returns the rules that have none.
func Over(base *rules.Library, sig *term.Signature, srcs ...*diag.Source) (*rules.Library, error) {
	lib := rules.NewLibrary()
	return lib, read(lib, base, sig, srcs, false)
}

// read adds the rules of files that have no error to a library. Examples of files that are
// known to be right are read when somebody asks for them, if lazy is set.
func read(l, base *rules.Library, sig *term.Signature, srcs []*diag.Source, lazy bool) error {
	var errs diag.List
	operators := len(l.Operators)
	for _, s := range srcs {
		(&fileParser{lib: l, base: base, sig: sig, src: s, errs: &errs, lazy: lazy}).file()
	}
	families := l.Families
	if base != nil {
		families = slices.Concat(base.Families, families)
	}
	for _, d := range l.Operators[operators:] {
		for _, t := range families {
			(&fileParser{lib: l, base: base, sig: sig, src: t.Src, errs: &errs}).member(t, sig.Operator(d.Op))
		}
	}
	return errs.Err()
}

// fileParser reads the declarations of a file into a library.
type fileParser struct {
	lib  *rules.Library
	base *rules.Library // of rules that may be used; may be nil
	sig  *term.Signature
	src  *diag.Source
	lazy bool // examples are read when somebody asks for them
	errs *diag.List
	set  *rules.Set
	lang *rules.Language // that the file declares, nil if it is about arrays
	// begun has the files of languages, by name: false while they are being read.
	begun map[string]bool
	// under says that another language is over that of the file.
	under bool
	// Of a rule of a language with operator variables, what they are now, which of them have
	// been met, and its name.
	of       map[string]*ops.Operator
	met      map[string]bool
	inFamily string
	means
	uses []func() // checks of names, when all is read
	// each is the variable for linear operators of a family, and what it is now.
	each struct {
		name string
		op   *ops.Operator
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
			if !slices.ContainsFunc(f.lib.All(), func(r *rules.Rule) bool { return r.Src == f.src && (r.Known() == n.Text || r.Set.Name == n.Text) }) {
				f.errs.Add(f.src, n.Pos, "there is no rule or rule set %s in this file%s", n.Text, diag.DidYouMean(n.Text, f.lib.SetNames()))
			}
		}
	})
}

// operator declares an operator, which later rules and programs may use.
func (f *fileParser) operator(d *ops.Declared) {
	if module.Declare(f.sig, d, f.errs) {
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
func (f *fileParser) open(name syntax.Name, doc string) *rules.Set {
	f.set = f.lib.Open(&rules.Set{Name: name.Text, Doc: doc, Src: f.src, Pos: name.Pos})
	return f.set
}

// use adds a rule that is there already to the set.
func (f *fileParser) use(n syntax.Name) {
	r := cmp.Or(f.lib.Rule(n.Text), f.base.Rule(n.Text))
	if r == nil {
		f.errs.Add(f.src, n.Pos, "there is no rule %s%s", n.Text, diag.DidYouMean(n.Text, f.lib.RuleNames()))
		return
	}
	f.set.Rules = append(f.set.Rules, r)
}
