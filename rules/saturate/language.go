package saturate

import (
	"slices"

	"egad/egraph"
	"egad/rules"
	"egad/term/ops"
)

// Language is a language that a file declares, with its operators and rules as the
// engine has them. It is not safe for concurrent use: the numbers that a run computes
// are entered in it.
type Language struct {
	*rules.Language
	lang  *lang
	rules map[ruleOf]*form
	ops   []sortedOp // by engine operator
	holds egraph.Op  // what facts equal
	// columns says that constants are followed through graphs, and atoms that symbols
	// are.
	columns, atoms bool
	// opaque says that rules do not look into what is used more than once, and least that
	// the least terms of classes are followed: for directed runs, and where rules substitute.
	opaque, least, substitutes bool
	distinct                   *ops.Operator   // the relation !=, nil if there is none
	selfDistinct               *egraph.Program // matches what is said to differ from itself
}

// sortedOp is what the analyses of a language want to know of an operator: whether it is a
// number or a symbol, and if it is one of these whether it is known from what it differs; whether it
// differs from all other constants, as numbers do and what comparisons give, or says in another
// way what it cannot equal, and whether it is computed of numbers.
type sortedOp struct{ number, symbol, valued, constant, says, folded bool }

// NewLanguage compiles the rules of a language.
func NewLanguage(l *rules.Language) (*Language, error) {
	x := &Language{Language: l, lang: newLang(l.Signature, false), rules: make(map[ruleOf]*form), distinct: l.Distinct()}
	x.columns = l.Constants() || slices.ContainsFunc(l.Operators, func(o *ops.Operator) bool { return l.Says(ops.Op{Sym: o.Sym}) })
	var err error
	if x.holds, err = x.lang.op(truth, 0); err != nil {
		return nil, err
	}
	for _, o := range l.Operators {
		if o.Arity < 0 || len(o.Sorted.Attrs) > 0 {
			continue // it is many
		}
		if _, err := x.op(ops.Op{Sym: o.Sym}, o.Arity); err != nil {
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
			x.substitutes = x.substitutes || r.Substitutes()
		}
	}
	x.least = x.substitutes || slices.ContainsFunc(l.Schedules, func(s *rules.Schedule) bool { return s.Directed })
	return x, nil
}

// truth is what facts equal.
var truth = ops.Op{Sym: ops.SymConst, Const: ops.ConstFill(ops.ScalarB(true)), Type: ops.Fact}

// op is an operator of the engine.
func (l *Language) op(op ops.Op, children int) (egraph.Op, error) {
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
		_, number := l.Number(op)
		atom := l.IsAtom(op)
		l.ops = append(l.ops, sortedOp{number, atom && !number, atom && l.Valued(op), l.IsConstant(op), l.Says(op), l.FoldOf(op.Sym) != nil})
	}
	return &l.ops[o]
}

// severalSorts reports whether a class may be of one sort or another.
func (l *Language) severalSorts() bool {
	return len(l.Sorts) > 1 || slices.ContainsFunc(l.Operators, func(o *ops.Operator) bool { return o.Sorted.Relation })
}
