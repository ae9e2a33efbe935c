package saturate

import (
	"errors"
	"math/big"
	"slices"

	"egad/egraph"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term"
)

// Language is a language that a file declares, with its operators and rules as the
// engine has them. It is not safe for concurrent use: the numbers that a run computes
// are entered in it.
type Language struct {
	*rules.Language
	lang  *lang
	rules map[*rules.Rule]*sortedRule
	ops   []sortedOp // by engine operator
	holds egraph.Op  // what facts equal
	// columns says that constants are followed through graphs, and atoms that symbols
	// are.
	columns, atoms bool
	distinct       *term.Operator  // the relation !=, nil if there is none
	selfDistinct   *egraph.Program // matches what is said to differ from itself
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
	fold     *rules.Fold
	yes, no  egraph.Op // what a comparison gives
}

// NewLanguage compiles the rules of a language.
func NewLanguage(l *rules.Language) (*Language, error) {
	x := &Language{Language: l, lang: newLang(l.Signature, false), rules: make(map[*rules.Rule]*sortedRule), distinct: l.Distinct(), columns: l.Constants()}
	var err error
	if x.holds, err = x.lang.op(truth, 0); err != nil {
		return nil, err
	}
	for _, o := range l.Operators {
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
			if _, err := x.op(op, max(0, l.Signature.Operator(op.Sym).Arity)); err != nil {
				return nil, err
			}
		}
	}
	for _, r := range l.All() {
		if x.rules[r], err = x.compile(r); err != nil {
			return nil, err
		}
	}
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
			x.symbol, x.result = d.Sorted.Symbol, d.Sorted.Result
		case op.Const != nil && op.Type.Kind == term.KSort:
			x.number, x.constant = op.Const.Fill.Num.Rat(), true
			x.name = op.Const.Fill.String()
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

// variable is the operator of the variables of a sort.
func (l *Language) variable(t *term.Type) (egraph.Op, error) {
	return l.op(term.Op{Sym: term.SymLocal, Type: t}, 0)
}

// fold notes how an operator is computed.
func (l *Language) fold(f *rules.Fold) error {
	o, err := l.op(term.Op{Sym: f.Sym}, l.Signature.Operator(f.Sym).Arity)
	if err != nil {
		return err
	}
	l.info(o).fold = f
	if !f.Compares() {
		return nil
	}
	yes, errYes := l.outcome(f.Yes)
	no, errNo := l.outcome(f.No)
	l.info(o).yes, l.info(o).no = yes, no
	return errors.Join(errYes, errNo)
}

// outcome is a symbol that a comparison gives, which is a constant.
func (l *Language) outcome(symbol term.Sym) (egraph.Op, error) {
	o, err := l.op(term.Op{Sym: symbol}, 0)
	if err == nil {
		l.info(o).constant = true
	}
	return o, err
}

// sortedRule is a rule of a language for the engine, but for what depends on the graph.
type sortedRule struct {
	rule   *rules.Rule
	number int // in the order of the file
	lhs    *egraph.Program
	// from and rhs are what is united; from is nil if it is what matched.
	from, rhs *egraph.Template
	conds     []sortedCond
	// root is the sort of what matches, if the left side is a metavariable alone.
	root *term.Type
	// variables has the metavariables that are variables, with their operators.
	variables map[int]egraph.Op

	leftSide, right       *egraph.Pattern
	metas, bound          map[string]int
	metaNames, boundNames []string // by number
	left                  int      // how many variables the left side binds
	applications          int
}

// sortedCond is a condition, about terms for the engine.
type sortedCond struct {
	kind rules.CondKind
	a, b *egraph.Pattern
	// mirror is a fact with its sides exchanged, if it is symmetric.
	mirror *egraph.Pattern
	// v is the variable that is not in b; -1-m is the one that metavariable m stands for.
	v  int
	op egraph.Op // of variables of the sort of a
}

// compile translates a rule.
func (l *Language) compile(r *rules.Rule) (*sortedRule, error) {
	x := &sortedRule{rule: r, number: len(l.rules), metas: make(map[string]int), bound: make(map[string]int)}
	left, err := l.pattern(x, r.Lhs)
	if err != nil {
		return nil, err
	}
	if x.left = len(x.bound); r.Lhs.Kind == rules.PMeta && l.severalSorts() {
		x.root = r.SortOf(r.Lhs.Name)
	}
	metas := len(x.metas)
	right, err := l.pattern(x, r.Rhs)
	if err != nil {
		return nil, err
	}
	for i := range r.Conds {
		if err := l.cond(x, &r.Conds[i]); err != nil {
			return nil, err
		}
	}
	if x.lhs, err = egraph.Compile(l.lang.eng, left, metas, x.left); err != nil {
		return nil, err
	}
	if x.rhs, err = egraph.CompileTemplate(l.lang.eng, right); err != nil {
		return nil, err
	}
	switch r.Kind {
	case syntax.Fact:
		x.from = x.rhs
		x.rhs, err = egraph.CompileTemplate(l.lang.eng, &egraph.Pattern{Kind: egraph.PApp, Op: l.holds})
	case syntax.Demand:
		x.from = x.rhs
	}
	x.leftSide, x.right = left, right
	x.metaNames, x.boundNames = inOrder(x.metas), inOrder(x.bound)
	return x, err
}

// inOrder is names by number.
func inOrder(of map[string]int) []string {
	out := make([]string, len(of))
	for n, i := range of {
		out[i] = n
	}
	return out
}

// severalSorts reports whether a class may be of one sort or another.
func (l *Language) severalSorts() bool {
	return len(l.Sorts) > 1 || slices.ContainsFunc(l.Operators, func(o *term.Operator) bool { return o.Sorted.Relation })
}

// pattern is a pattern for the engine, as a left side and as a right side.
func (l *Language) pattern(x *sortedRule, p *rules.Pattern) (*egraph.Pattern, error) {
	switch p.Kind {
	case rules.PMeta:
		return &egraph.Pattern{Kind: egraph.PVar, Var: numbered(x.metas, p.Name)}, nil
	case rules.PIvar:
		op, err := l.variable(x.rule.SortOf(p.Name))
		return &egraph.Pattern{Kind: egraph.PSlot, Var: numbered(x.bound, p.Name), Op: op}, err
	}
	op := term.Op{Sym: p.Sym}
	if p.Kind == rules.PNumber {
		op = term.Op{Sym: term.SymConst, Const: term.ConstFill(term.ScalarR(p.Value)), Type: p.Sort}
	}
	o, err := l.op(op, len(p.Kids))
	if err != nil {
		return nil, err
	}
	q := &egraph.Pattern{Kind: egraph.PApp, Op: o, Head: l.lang.eng.Head(o), Position: x.applications, Opaque: len(p.Kids) > 0}
	x.applications++
	if p.Binders != nil {
		for _, h := range p.Binders.Heads {
			v := 0
			if m, meta := x.metas[h]; meta {
				v = -1 - m
			} else {
				v = numbered(x.bound, h)
			}
			q.Binders = append(q.Binders, v)
		}
	}
	for _, k := range p.Kids {
		kid, err := l.pattern(x, k.Pat)
		if err != nil {
			return nil, err
		}
		q.Kids = append(q.Kids, kid)
	}
	return q, nil
}

// numbered is the number of a name, the next if it has none.
func numbered(of map[string]int, name string) int {
	n, ok := of[name]
	if !ok {
		n = len(of)
		of[name] = n
	}
	return n
}

func (l *Language) cond(x *sortedRule, c *rules.Cond) error {
	k := sortedCond{kind: c.Kind}
	var err error
	if c.L != nil {
		if k.a, err = l.pattern(x, c.L); err != nil {
			return err
		}
	}
	if c.R != nil {
		if k.b, err = l.pattern(x, c.R); err != nil {
			return err
		}
	}
	switch c.Kind {
	case rules.CondLiteral:
		l.columns = true
	case rules.CondSymbol:
		l.atoms = true
	case rules.CondDistinct:
		l.columns, l.atoms = true, true
	case rules.CondVariable:
		if k.op, err = l.variable(x.rule.SortOf(c.L.Name)); err != nil {
			return err
		}
		if x.variables == nil {
			x.variables = make(map[int]egraph.Op)
		}
		x.variables[k.a.Var] = k.op
	case rules.CondNotIn:
		k.b = &egraph.Pattern{Kind: egraph.PVar, Var: x.metas[c.Terms[0]]}
		if m, meta := x.metas[c.Name]; meta {
			k.v = -1 - m
		} else {
			k.v = x.bound[c.Name]
		}
	case rules.CondFact:
		if l.distinct != nil && c.L.Sym == l.distinct.Sym {
			m := *k.a
			m.Kids = []*egraph.Pattern{k.a.Kids[1], k.a.Kids[0]}
			k.mirror = &m
		}
	}
	x.conds = append(x.conds, k)
	return nil
}

// stable reports whether what the conditions say of a match changes only with the
// e-nodes of the match. The sort of a class never changes; what equals a constant goes
// on to; and a class that no longer depends on a variable changes the e-nodes that
// pass it the variable.
func (x *sortedRule) stable() bool {
	return !slices.ContainsFunc(x.conds, func(k sortedCond) bool { return k.kind != rules.CondNotIn || k.v < 0 })
}

// sorted is a rule of a language for the engine.
func (g *Graph) sorted(r *rules.Rule) *egraph.Rule {
	x := g.language.rules[r]
	if g.sortedRules == nil {
		g.sortedRules = make([]egraph.Rule, len(g.language.rules))
	}
	y := &g.sortedRules[x.number]
	if y.Lhs != nil {
		return y
	}
	*y = egraph.Rule{Name: r.Name, Lhs: x.lhs, From: x.from, Rhs: x.rhs, Stable: x.stable(), Variables: x.variables}
	if x.root != nil || len(x.conds) > 0 {
		y.Guard = func(m *egraph.Match) bool { return g.holds(x, m) }
	}
	if len(r.Lhs.Kids) > 0 {
		y.Atom = g.atom
	}
	if g.source != nil {
		g.source[y] = x
	}
	return y
}
