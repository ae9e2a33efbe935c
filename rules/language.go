package rules

import (
	"maps"
	"path/filepath"
	"slices"

	"egad/diag"
	"egad/egraph"
	"egad/rules/syntax"
	"egad/term"
	"egad/term/ast"
	"egad/term/numeric"
)

// Language is a language of its own that a rule file declares, with its rules and
// tests.
type Language struct {
	*Library
	Name      string
	Src       *diag.Source
	Signature *term.Signature
	Sorts     []*term.Type // in the order of the file
	// Operators are those of the file, relations and symbols among them.
	Operators []*term.Operator
	Folds     []Fold
	// Prune says that rules do not look into what equals a constant.
	Prune bool
	// Meaning is that of its operators, nil if none has one.
	Meaning *Meaning

	read    map[string]bool // files, by name: false while they are being read
	sorts   map[string]*term.Type
	elem    map[*term.Type]term.Elem // what the values of a sort are, if something says so
	numbers map[*term.Type]bool
	bound   map[*term.Type]bool // sorts of which there are variables
}

// Fold is an operator of a language that is computed of numbers, as an operator of
// programs is.
type Fold struct {
	Sym term.Sym
	// As is the operator of programs, SymNone if Meaning says how it is computed.
	As      term.Sym
	Meaning *Meaning
	// Yes and No are the symbols that a comparison gives.
	Yes, No term.Sym
}

// Numbers reports whether exact rational numbers are terms of a sort.
func (l *Language) Numbers(t *term.Type) bool { return l.numbers[t] }

// HasNumber reports whether a number is among the values of a sort with numbers: all are, but
// for fractions and large numbers where the values are integers.
func (l *Language) HasNumber(t *term.Type, n numeric.Num) bool {
	_, whole := n.Int64()
	return whole || l.elem[t] != term.I
}

// Sort is the sort of a name, nil if there is none.
func (l *Language) Sort(name string) *term.Type { return l.sorts[name] }

// Bound reports whether there are variables of a sort.
func (l *Language) Bound(t *term.Type) bool { return l.bound[t] }

// Symbols lists the symbols of a sort, in the order of the file.
func (l *Language) Symbols(t *term.Type) []*term.Operator {
	var out []*term.Operator
	for _, o := range l.Operators {
		if o.Sorted.Symbol && o.Sorted.Result == t {
			out = append(out, o)
		}
	}
	return out
}

// LoadLanguage reads a file that declares a language, and before it the languages that it
// is over: of each all but the tests, from a file beside it with its name and the ending
// .rules. The error lists all findings, as a [diag.List].
func LoadLanguage(src *diag.Source) (*Language, error) {
	l := &Language{
		Library: &Library{byName: make(map[string]*Set), rules: make(map[string]*Rule)}, Signature: term.NewLanguage(),
		read: map[string]bool{filepath.Clean(src.Name): false}, sorts: make(map[string]*term.Type), elem: map[*term.Type]term.Elem{term.Fact: term.B}, numbers: make(map[*term.Type]bool), bound: make(map[*term.Type]bool),
	}
	var errs diag.List
	f := &fileParser{lib: l.Library, sig: l.Signature, src: src, errs: &errs, lang: l}
	f.language()
	return l, errs.Err()
}

// ParseTest reads one test, beginning with "test" and its name, as it stands in the file
// of the language. It is not added to the tests of the language. The error lists all
// findings, as a [diag.List].
func (l *Language) ParseTest(src *diag.Source) (*Test, error) {
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
	first := true
	syntax.Read(f.src, f.errs, false, func(d syntax.Decl) bool {
		l := f.lang
		switch d := d.(type) {
		case *syntax.Language:
			if !first || len(*f.errs) > 0 {
				f.errs.Add(f.src, d.Start(), "a file has one language")
			}
			if d.Name.Text == "arrays" {
				f.errs.Add(f.src, d.Name.Pos, "arrays is the language of programs, which comes with egad: operators are added to it with the word operator")
				return false
			}
			for _, n := range d.Over {
				f.over(n)
			}
			if l.Name, l.Src = d.Name.Text, f.src; len(*f.errs) > 0 {
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
	if done, begun := f.lang.read[path]; begun {
		if !done {
			f.errs.Add(f.src, n.Pos, "the language %s is over itself", n.Text)
		}
		return
	}
	f.lang.read[path] = false
	src, err := diag.ReadSource(path)
	switch {
	case err != nil:
		f.errs.Add(f.src, n.Pos, "%v", err)
		return
	case !syntax.IsLanguage(src):
		f.errs.Add(f.src, n.Pos, "%s declares no language", path)
		return
	}
	g := &fileParser{lib: f.lib, sig: f.sig, src: src, errs: f.errs, lang: f.lang, under: true, means: f.means}
	g.language()
	f.means, f.lang.read[path] = g.means, true
}

// Constants reports whether constants are followed through an e-graph, whatever the rules
// ask for.
func (l *Language) Constants() bool {
	return len(l.Folds) > 0 || l.Distinct() != nil || len(l.numbers) > 0 // two numbers are never equal, computed or not
}

// Distinct returns the relation !=, of which more is known than of others, nil if there is
// none: constants differ, and it is symmetric.
func (l *Language) Distinct() *term.Operator {
	if o, ok := l.Signature.Lookup("!="); ok && o.Sorted.Relation {
		return o
	}
	return nil
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

func (f *fileParser) sort(n syntax.Name) {
	l := f.lang
	if l.sorts[n.Text] != nil {
		f.errs.Add(f.src, n.Pos, "the sort %s is declared twice", n.Text)
		return
	}
	l.sorts[n.Text] = term.SortOf(n.Text)
	l.Sorts = append(l.Sorts, l.sorts[n.Text])
}

// sortOf is the sort of a name, nil with a finding if there is none.
func (f *fileParser) sortOf(n syntax.Name) *term.Type {
	t := f.lang.sorts[n.Text]
	if t == nil {
		f.errs.Add(f.src, n.Pos, "there is no sort %s%s", n.Text, diag.DidYouMean(n.Text, slices.Sorted(maps.Keys(f.lang.sorts))))
	}
	return t
}

// sortNamed is the sort that a type names.
func (f *fileParser) sortNamed(t ast.TypeExpr) *term.Type {
	if t.Kind != ast.TyName || len(t.Sizes) > 0 {
		f.errs.Add(f.src, t.Pos, "expected a sort")
		return nil
	}
	return f.sortOf(syntax.Name{Pos: t.Pos, Text: t.Name})
}

func (f *fileParser) numbers(d *syntax.Numbers) {
	for _, n := range d.Sorts {
		switch t := f.sortOf(n); {
		case t == nil:
		case f.lang.elem[t] == term.B:
			f.errs.Add(f.src, n.Pos, "the values of the sort %s are truth values, and no numbers", n.Text)
		default:
			f.lang.numbers[t] = true
		}
	}
}

func (f *fileParser) symbols(d *syntax.Symbols) {
	t := f.sortNamed(d.Type)
	for _, n := range d.Names {
		f.declare(n, &term.Sorted{Name: n.Text, Doc: d.Doc, Result: t, Symbol: true})
	}
}

// declare adds an operator. Where a sort is missing there has been a finding, and the
// name is known all the same.
func (f *fileParser) declare(n syntax.Name, d *term.Sorted) {
	if _, taken := f.sig.Lookup(n.Text); taken {
		f.errs.Add(f.src, n.Pos, "%s is declared twice", n.Text)
		return
	}
	if form := d.Form(); form != "" {
		f.errs.Add(f.src, n.Pos, "%s has the operands that it has in: %s", n.Text, form)
	}
	if len(d.Children) > egraph.MaxArity {
		f.errs.Add(f.src, n.Pos, "%s: an operator has 0 to %d children, not %d", n.Text, egraph.MaxArity, len(d.Children))
	}
	o, err := f.sig.DeclareSorted(d)
	if err != nil {
		f.errs.Add(f.src, n.Pos, "%v", err)
		return
	}
	f.lang.Operators = append(f.lang.Operators, o)
}

// sorted declares an operator or a relation.
func (f *fileParser) sorted(d *syntax.Op) {
	o := &term.Sorted{Name: d.Name.Text, Doc: d.Doc, Attrs: f.attrs(d.Attrs), Result: term.Fact, Relation: d.Result == nil}
	if d.Result != nil {
		o.Result = f.sortNamed(*d.Result)
	}
	var names []string
	for _, x := range d.Operands {
		if x.Binder != nil {
			if slices.Contains(names, x.Binder.Text) {
				f.errs.Add(f.src, x.Binder.Pos, "%s is bound twice", x.Binder.Text)
			}
			names = append(names, x.Binder.Text)
		}
	}
	used := false
	for at, x := range d.Operands {
		t := f.sortNamed(x.Type)
		if x.List && at < len(d.Operands)-1 {
			f.errs.Add(f.src, x.Type.Pos, "a list of operands is the last of them")
			return
		}
		if x.Count != nil {
			f.errs.Add(f.src, x.Count.Pos, "a list of operands is as long as it may be: write %s...", x.Type.Name)
		}
		if x.Binder != nil {
			o.Binders = append(o.Binders, term.Binder{Name: x.Binder.Text, Type: t})
			f.lang.bound[t] = true
			continue
		}
		for i, n := range x.Under {
			if i >= len(names) || names[i] != n.Text {
				f.errs.Add(f.src, n.Pos, "%s is not the variable number %d that %s binds", n.Text, i+1, d.Name.Text)
			}
		}
		if len(x.Under) > 0 && len(x.Under) < len(names) {
			f.errs.Add(f.src, x.Type.Pos, "a child is in the scope of all variables of %s or of none", d.Name.Text)
		}
		used = used || len(x.Under) > 0
		o.Children = append(o.Children, term.Child{Type: t, Under: len(x.Under) > 0, List: x.List})
	}
	for _, c := range d.Classes {
		if o.Classes = append(o.Classes, c.Text); c.Text == syntax.Commutative && !pair(o) {
			f.errs.Add(f.src, c.Pos, "a commutative operator has two operands of one sort")
			o.Classes = nil
		} else if c.Text == syntax.Commutative {
			f.means.note(commutes, f.src, c, o.Name)
		}
	}
	switch {
	case len(names) > 0 && !used:
		f.errs.Add(f.src, d.Name.Pos, "%s binds %s in no child: write the sort of a child as %s.%s", d.Name.Text, names[0], names[0], d.Operands[len(d.Operands)-1].Type.Name)
	case o.Relation && len(d.Operands) == 0:
		f.errs.Add(f.src, d.Name.Pos, "a relation is between terms: %s has none", d.Name.Text)
	case o.Relation && o.Name == "!=" && !pair(o):
		f.errs.Add(f.src, d.Name.Pos, "!= is between two terms of one sort")
	case o.Relation && o.Name == "!=":
		f.means.note(differs, f.src, d.Name, o.Name)
	}
	f.declare(d.Name, o)
}

// pair reports whether an operator is between two terms of one sort, and has nothing else.
func pair(o *term.Sorted) bool {
	return len(o.Children) == 2 && o.Children[0].Type == o.Children[1].Type && len(o.Binders)+len(o.Attrs) == 0 && !o.List()
}

// attrs are the attributes of an operator. There are as many as a term has place for.
func (f *fileParser) attrs(all []ast.AttrDecl) []term.Attr {
	var out []term.Attr
	kinds := map[string]term.AttrKind{"number": term.AttrNumber, "permutation": term.AttrPerm}
	count := make(map[term.AttrKind]int)
	for _, x := range all {
		a := term.Attr{Name: x.Name.Text}
		if x.List {
			a.Kind = term.AttrNaturals
		} else if x.Kind != nil {
			known := false
			if a.Kind, known = kinds[x.Kind.Name]; !known {
				names := slices.Sorted(maps.Keys(kinds))
				f.errs.Add(f.src, x.Kind.Pos, "an attribute is a number or a permutation, not %s%s", x.Kind.Name, diag.DidYouMean(x.Kind.Name, names))
			}
		}
		if count[a.Kind]++; count[a.Kind] > 1 && a.Kind != term.AttrNatural {
			f.errs.Add(f.src, x.Name.Pos, "among attributes there is one list, one number with a sign or a fraction, and one permutation at most")
		}
		out = append(out, a)
	}
	return out
}
