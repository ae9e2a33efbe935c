package load

import (
	"path/filepath"
	"strings"

	"egad/diag"
	"egad/rules"
	"egad/rules/syntax"
)

// Language reads a file that declares a language, and before it the languages that it
// is over: of each all but the tests, from a file beside it with its name and the ending
// .rules. The error lists all findings, as a [diag.List].
func Language(src *diag.Source) (*rules.Language, error) {
	l := rules.NewLanguage()
	var errs diag.List
	f := &fileParser{lib: l.Library, sig: l.Signature, src: src, errs: &errs, lang: l, begun: map[string]bool{filepath.Clean(src.Name): false}}
	f.language()
	return l, errs.Err()
}

// Test reads one test, beginning with "test" and its name, as it stands in the file
// of the language. It is not added to the tests of the language. The error lists all
// findings, as a [diag.List].
func Test(l *rules.Language, src *diag.Source) (*rules.Test, error) {
	var errs diag.List
	d := syntax.ParseTest(src, &errs)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	f := &fileParser{lib: l.Library, sig: l.Signature, src: src, errs: &errs, lang: l}
	t := f.newTest(d)
	for _, check := range f.uses {
		check()
	}
	return t, errs.Err()
}

// language reads a file that declares a language. Its declarations may come in any
// order: those that name sorts are looked at before those that name operators, and
// these before rules and tests.
func (f *fileParser) language() {
	var stages [5][]func()
	in := func(stage int, check func()) { stages[stage] = append(stages[stage], check) }
	first, before := true, len(*f.errs)
	syntax.Read(f.src, f.errs, false, func(d syntax.Decl) bool {
		l := f.lang
		switch d := d.(type) {
		case *syntax.Language:
			if !first || len(*f.errs) > before {
				f.errs.Add(f.src, d.Start(), "a file has one language")
			}
			if d.Name.Text == "arrays" {
				f.errs.Add(f.src, d.Name.Pos, "arrays is the language of programs, which comes with egad: operators are added to it with the word operator")
				return false
			}
			for _, n := range d.Over {
				f.over(n)
			}
			if file := strings.TrimSuffix(filepath.Base(f.src.Name), ".rules"); f.under && d.Name.Text != file {
				f.errs.Add(f.src, d.Name.Pos, "a language that others are over is called as its file: %s", file)
			}
			if l.Name, l.Src = d.Name.Text, f.src; len(*f.errs) > before {
				return false // the names of what it is over are not known
			}
		case *syntax.Sorts:
			for _, n := range d.Names {
				f.sort(n)
			}
			if d.Means != nil {
				f.values(d)
			}
		case *syntax.Numbers:
			in(0, func() { f.numbers(d) })
		case *syntax.Symbols:
			in(1, func() { f.symbols(d) })
			for _, n := range d.Names {
				if d.Means != nil {
					f.means.ops = append(f.means.ops, meansOp{f.src, n.Pos, n.Text, d.Means})
				}
			}
		case *syntax.Op:
			in(1, func() { f.sorted(d) })
			if d.Means != nil {
				f.means.ops = append(f.means.ops, meansOp{f.src, d.Name.Pos, d.Name.Text, d.Means})
			}
		case *syntax.Fold:
			in(2, func() { f.fold(d) })
		case *syntax.Prune:
			l.Prune = true
			in(4, func() { // when meanings have been read
				if !l.Constants() {
					f.errs.Add(f.src, d.Start(), "nothing is folded: there is nothing to prune")
				}
			})
		case *syntax.Ruleset:
			set := *d
			in(3, func() { f.ruleset(&set) })
		case *syntax.Rule, *syntax.Backoff, *syntax.Schedule, *syntax.Grammar:
			in(3, func() { f.declaration(d) })
		case *syntax.Test:
			if !f.under {
				in(3, func() { f.test(d) })
			}
		default:
			f.errs.Add(f.src, d.Start(), "this declaration is for arrays, and not for languages of their own")
		}
		first = false
		return true
	})
	f.open(syntax.Name{}, "")
	stages[3] = append(stages[3], func() {
		for _, check := range f.uses {
			check()
		}
		f.lang.Meaning = f.meaning()
	})
	for _, checks := range stages {
		for _, check := range checks {
			check()
		}
	}
}

// over reads the file of a language that this one is over, once.
func (f *fileParser) over(n syntax.Name) {
	path := filepath.Join(filepath.Dir(f.src.Name), n.Text+".rules")
	if done, begun := f.begun[path]; begun {
		if !done {
			f.errs.Add(f.src, n.Pos, "the language %s is over itself", n.Text)
		}
		return
	}
	f.begun[path] = false
	src, err := diag.ReadSource(path)
	switch {
	case err != nil:
		f.errs.Add(f.src, n.Pos, "%v", err)
		return
	case !syntax.IsLanguage(src):
		f.errs.Add(f.src, n.Pos, "%s declares no language", path)
		return
	}
	g := &fileParser{lib: f.lib, sig: f.sig, src: src, errs: f.errs, lang: f.lang, begun: f.begun, under: true, means: f.means}
	g.language()
	f.means, f.begun[path] = g.means, true
}

// forArrays reports what a rule of a language has that is for arrays.
func (f *fileParser) forArrays(d *syntax.Rule) bool {
	before := len(*f.errs)
	switch {
	case d.Label != "" && len(f.means.ops) == 0:
		f.errs.Add(f.src, d.Lhs.At(), "rules of a language have a label only if its operators have a meaning: their numbers are exact")
	case d.Guard != nil:
		f.errs.Add(f.src, d.Guard[0].Pos, "guards are for rules for arrays")
	case d.Assuming != nil:
		f.errs.Add(f.src, d.AssumingAt, "assumptions of rules are for arrays; a test may assume something")
	case d.Examples != nil:
		f.errs.Add(f.src, d.Examples[0].Pos, "examples are for rules for arrays; a language has tests")
	}
	return len(*f.errs) > before
}
