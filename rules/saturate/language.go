package saturate

import (
	"errors"
	"math/big"
	"slices"

	"egad/egraph"
	"egad/rules"
	"egad/term"
)

// Language is a language that a file declares, with its operators and rules as the
// engine has them. It is not safe for concurrent use: the numbers that a run computes
// are entered in it.
type Language struct {
	*rules.Language
	lang  *lang
	rules map[ruleOf]*form
	ops   []sortedOp             // by engine operator
	folds map[term.Sym]computing // by operator, whatever its attributes and the number of its operands
	holds egraph.Op              // what facts equal
	// columns says that constants are followed through graphs, and atoms that symbols
	// are.
	columns, atoms bool
	// opaque says that rules do not look into what is used more than once, and least that
	// the least terms of classes are followed: for directed runs, and for substitution.
	opaque, least bool
	distinct      *term.Operator  // the relation !=, nil if there is none
	selfDistinct  *egraph.Program // matches what is said to differ from itself
}

// sortedOp is what the analyses of a language want to know of an operator.
type sortedOp struct {
	name   string
	sorted *term.Sorted // as it is declared; nil of literals and variables
	result *term.Type
	number *big.Rat // of a literal
	symbol bool
	// constant says that it differs from all other constants: numbers, and what
	// comparisons give.
	constant bool
	computing
}

// computing is how an operator is computed of numbers: not at all if fold is nil.
type computing struct {
	fold    *rules.Fold
	yes, no egraph.Op // what a comparison gives
}

// NewLanguage compiles the rules of a language.
func NewLanguage(l *rules.Language) (*Language, error) {
	x := &Language{Language: l, lang: newLang(l.Signature, false), rules: make(map[ruleOf]*form), distinct: l.Distinct(), columns: l.Constants(), folds: make(map[term.Sym]computing)}
	var err error
	if x.holds, err = x.lang.op(truth, 0); err != nil {
		return nil, err
	}
	for _, o := range l.Operators {
		if o.Arity < 0 || len(o.Sorted.Attrs) > 0 {
			continue // it is many
		}
		if _, err := x.op(term.Op{Sym: o.Sym}, o.Arity); err != nil {
			return nil, err
		}
	}
	for i := range l.Folds {
		if err := x.fold(&l.Folds[i]); err != nil {
			return nil, err
		}
	}
	if d := x.distinct; d != nil {
		a := &egraph.Pattern{Kind: egraph.PVar}
		if x.selfDistinct, err = egraph.Compile(x.lang.eng, &egraph.Pattern{Kind: egraph.PApp, Head: x.lang.head(d.Sym), Kids: []*egraph.Pattern{a, a}}, 1, 0); err != nil {
			return nil, err
		}
	}
	for _, t := range l.Tests { // their operators are entered, so that runs enter numbers only
		for _, op := range t.Program.Store.Ops() {
			o := l.Signature.Operator(op.Sym)
			if o.Arity < 0 && o.Sorted != nil {
				continue // the numbers of operands are those of terms
			}
			if _, err := x.op(op, max(0, o.Arity)); err != nil {
				return nil, err
			}
		}
	}
	for _, s := range l.Sets {
		x.opaque = x.opaque || s.Opaque
		for _, r := range s.Rules {
			of := ruleOf{r, s.Opaque}
			if x.rules[of], err = compile(x.lang, x, r, s.Opaque); err != nil {
				return nil, err
			}
			x.least = x.least || r.Substitutes()
		}
	}
	x.least = x.least || slices.ContainsFunc(l.Schedules, func(s *rules.Schedule) bool { return s.Directed })
	return x, nil
}

// truth is what facts equal.
var truth = term.Op{Sym: term.SymConst, Const: term.ConstFill(term.ScalarB(true)), Type: term.Fact}

// op is an operator of the engine.
func (l *Language) op(op term.Op, children int) (egraph.Op, error) {
	o, err := l.lang.op(op, children)
	if err == nil {
		l.info(o)
	}
	return o, err
}

// info is what is known of an operator.
func (l *Language) info(o egraph.Op) *sortedOp {
	for len(l.ops) <= int(o) {
		op := l.lang.terms[len(l.ops)]
		d := l.Signature.Operator(op.Sym)
		x := sortedOp{name: d.Name, sorted: d.Sorted, result: op.Type}
		switch {
		case d.Sorted != nil:
			x.computing = l.folds[op.Sym]
			x.symbol, x.result, x.name = d.Sorted.Symbol, d.Sorted.Result, d.Sorted.Text(op)
		case op.Const != nil && op.Type.Kind == term.KSort:
			x.number, x.constant = op.Const.Fill.Num.Rat(), true
			x.name = op.Const.Fill.String()
		case op.Name != "": // what is left out of a term in a message
			x.name = op.Name
		case op.Const != nil:
			x.name = "holds"
		}
		l.ops = append(l.ops, x)
	}
	return &l.ops[o]
}

// number is the operator of a literal.
func (l *Language) number(t *term.Type, r *big.Rat) (egraph.Op, error) {
	return l.op(term.Op{Sym: term.SymConst, Const: term.ConstFill(term.ScalarR(term.NumOf(r))), Type: t}, 0)
}

// fold notes how an operator is computed.
func (l *Language) fold(f *rules.Fold) error {
	x := computing{fold: f}
	if f.Compares() {
		yes, errYes := l.outcome(f.Yes)
		no, errNo := l.outcome(f.No)
		if err := errors.Join(errYes, errNo); err != nil {
			return err
		}
		x.yes, x.no = yes, no
	}
	l.folds[f.Sym] = x
	for i := range l.ops {
		if l.lang.terms[i].Sym == f.Sym {
			l.ops[i].computing = x
		}
	}
	return nil
}

// outcome is a symbol that a comparison gives, which is a constant.
func (l *Language) outcome(symbol term.Sym) (egraph.Op, error) {
	o, err := l.op(term.Op{Sym: symbol}, 0)
	if err == nil {
		l.info(o).constant = true
	}
	return o, err
}

// severalSorts reports whether a class may be of one sort or another.
func (l *Language) severalSorts() bool {
	return len(l.Sorts) > 1 || slices.ContainsFunc(l.Operators, func(o *term.Operator) bool { return o.Sorted.Relation })
}
