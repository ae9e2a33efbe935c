package theory

import "egad/diag"

// The syntax of a file, before names mean anything.

// sexp is an atom or a list, which has at least one element.
type sexp struct {
	pos  diag.Pos
	atom string
	list []*sexp
}

// word is a name and where it stands.
type word struct {
	pos  diag.Pos
	text string
	doc  string
}

type file struct {
	name      word
	sorts     []word
	numbers   []word // sorts
	symbols   []symbolDecl
	operators []operatorDecl
	folds     []foldDecl
	prune     []diag.Pos
	rules     []ruleDecl
	backoffs  []backoffDecl
	tests     []testDecl
}

type symbolDecl struct {
	names []word
	sort  word
}

// operatorDecl is an operator, or a relation, which has no sort.
type operatorDecl struct {
	name     word
	operands []operandDecl
	sort     *word
}

// operandDecl is [name : sort], or a sort under the variables in scope.
type operandDecl struct {
	sort   word
	binder *word
	under  []word
}

type foldDecl struct {
	ops []word
	as  *word
	// truth has what a comparison gives if it holds and if not.
	truth []word
}

type ruleKind uint8

const (
	ruleRewrite ruleKind = iota // lhs => rhs
	ruleBoth                    // lhs <=> rhs
	ruleFact                    // for lhs then rhs, which is a fact
	ruleDemand                  // for lhs then adds terms
)

type ruleDecl struct {
	kind  ruleKind
	name  word
	set   string
	lhs   *sexp
	rhs   []*sexp
	conds []condDecl
}

type condKind uint8

const (
	condIs       condKind = iota // a is word
	condDistinct                 // distinct a b
	condNotIn                    // a not in b
	condFact                     // a
	condEqual                    // a = b
)

type condDecl struct {
	kind condKind
	pos  diag.Pos
	a, b *sexp
	word word
}

// backoffDecl sets the back-off of rules; without names, of all.
type backoffDecl struct {
	names        []word
	matches, ban int
}

// claim is a = b, or the fact a if b is nil.
type claim struct {
	pos  diag.Pos
	a, b *sexp
}

type testDecl struct {
	name      word
	vars      []symbolDecl
	starts    []*sexp
	assume    []claim
	prove     []claim
	refute    []claim
	extract   []claim
	limits    []limitDecl
	schedule  []*sexp
	backoffs  []backoffDecl
	noBackoff bool
	naive     bool
	expect    []expectDecl
}

type limitDecl struct {
	what word
	n    int
}

// expectDecl is a golden figure: after an iteration, or at the end (-1).
type expectDecl struct {
	pos   diag.Pos
	after int
	what  string // nodes, classes, matches, iterations, stop
	n     int
	text  string
}
