// Package syntax is the grammar of rule files, for arrays and for languages of
// their own: declarations, rules with conditions and examples, and tests. Terms
// are expressions of package ast. What names mean is for others to say.
package syntax

import (
	"slices"

	"egad/diag"
	"egad/term/ast"
	"egad/term/ops"
)

// Name is a name and where it stands.
type Name = ast.Name

// Decl is a declaration of a rule file.
type Decl interface{ Start() diag.Pos }

// base is where a declaration starts, and the comment before it.
type base struct {
	At  diag.Pos
	Doc string
}

// Start is where the declaration starts.
func (b *base) Start() diag.Pos { return b.At }

// The declarations.
type (
	// Language is: language NAME over NAME, ….
	Language struct {
		base
		Name Name
		Over []Name
	}
	// Sorts is: sort NAME… means TYPE.
	Sorts struct {
		base
		Names []Name
		Means *ast.TypeExpr // nil if it has no meaning
	}
	// Numbers is: number SORT…
	Numbers struct {
		base
		Sorts []Name
	}
	// Symbols is: symbol NAME… : SORT means EXPRESSION. In tests var has the same form, and
	// any type.
	Symbols struct {
		base
		Names []Name
		Type  ast.TypeExpr
		Means ast.Expr // nil if it has no meaning
	}
	// Op is: op NAME[ATTRIBUTE, …] OPERAND… : SORT means EXPRESSION, or without the sort:
	// relation NAME OPERAND… means EXPRESSION.
	Op struct {
		base
		*ast.OpDecl
		Means ast.Expr // nil if it has no meaning
	}
	// Operator is an operator on arrays.
	Operator struct {
		base
		Declared *ops.Declared
	}
	// Fold is: fold NAME… as OPERATION gives YES NO.
	Fold struct {
		base
		Ops []Name
		As  *Name
		// Truth has what a comparison gives if it holds and if not.
		Truth []Name
	}
	// Prune is: prune.
	Prune struct{ base }
	// Backoff is: backoff NAME… matches N ban N. Without names it is for all rules.
	Backoff struct {
		base
		Names        []Name
		Matches, Ban int
	}
	// Ruleset is: ruleset NAME opaque lazy use RULE, …
	Ruleset struct {
		base
		Name         Name
		Opaque, Lazy bool
		Use          []Name
	}
	// Rule is a rewrite rule, a fact or a demand.
	Rule struct {
		base
		End   diag.Pos
		Kind  RuleKind
		Name  Name
		Label string // exact, real or nothing
		Lhs   ast.Expr
		Rhs   []ast.Expr // one of a rewrite rule
		If    []Cond
		Guard []Cond // what the right side tests where it is not proved
		// Assuming has the conditions that need not be proved.
		Assuming   []Cond
		AssumingAt diag.Pos
		Examples   []Example
	}
	// Test is a run of rules, and what is to come of it.
	Test struct {
		base
		Name      Name
		Vars      []*Symbols
		Starts    []ast.Expr
		Assume    []Claim
		Prove     []Claim
		Refute    []Claim
		Extract   []Claim
		By        Name // the cost grammar by which terms are extracted, if one is named
		Limits    []Limit
		Schedule  []Step
		Backoffs  []*Backoff
		NoBackoff bool
		Naive     bool
		Expect    []Expect
	}
)

// For reports whether the back-off is for a rule of a set.
func (b *Backoff) For(rule, set string) bool {
	return len(b.Names) == 0 || slices.ContainsFunc(b.Names, func(n Name) bool { return n.Text == rule || n.Text == set })
}

// BackoffOf is the back-off of a rule of a set: the last that is for it, nil if none is.
func BackoffOf(rule, set string, all []*Backoff) *Backoff {
	for _, b := range slices.Backward(all) {
		if b.For(rule, set) {
			return b
		}
	}
	return nil
}

// RuleKind tells what a rule adds to an e-graph.
type RuleKind uint8

// The kinds of rules.
const (
	Rewrite RuleKind = iota // LHS => RHS
	Both                    // LHS <=> RHS
	Fact                    // for LHS then RHS, which holds
	Demand                  // for LHS then RHS, which is to be there
)

// Cond is a condition of a rule.
type Cond struct {
	Kind CondKind
	Pos  diag.Pos
	Text string // as it is written
	// A and B are what is compared. Of a not in b, A is a.
	A, B  ast.Expr
	Word  Name         // of CondIs and CondClass
	Not   bool         // of CondIs: A is not Word
	Type  ast.TypeExpr // of CondType
	Arity int          // of CondClass, 0 for any
}

// CondKind tells the forms of a [Cond] apart.
type CondKind uint8

// The forms of conditions.
const (
	CondExpr  CondKind = iota // A
	CondIs                    // A is Word, or is not
	CondNotIn                 // A not in B
	CondEqual                 // A = B
	CondType                  // A : Type
	CondClass                 // ?A : Word/Arity
)

// Example is a test of a rule: rewriting Lhs once at its root gives Rhs. [Example.Read] gives
// it with these.
type Example struct {
	Pos      diag.Pos
	Inputs   []ast.Param
	Lhs, Rhs ast.Expr

	src    *diag.Source // nil if it has been read
	turned bool
}

// Claim is A = B, A => B, or the fact A if B is nil.
type Claim struct {
	Pos  diag.Pos
	A, B ast.Expr
	Text string // as it is written
}

// Limit bounds something that a run uses.
type Limit struct {
	What Name
	N    int
}

// Step is a part of a schedule.
type Step struct {
	Pos   diag.Pos
	Kind  StepKind
	Names []Name // of rules and rule sets
	N     int    // of Run and Repeat
	Until *Claim
	Steps []Step
}

// All is the name of all rules, in a step.
const All = "all"

// StepKind tells the forms of a [Step] apart.
type StepKind uint8

// The forms of steps.
const (
	Run      StepKind = iota // (run NAME… N), or NAME
	Saturate                 // (saturate STEP…)
	Repeat                   // (repeat N STEP…), or (seq STEP…), which is once
	Until                    // (until (A = B) STEP…)
)

// Expect is a figure of a run: after an iteration, or at the end (-1).
type Expect struct {
	Pos   diag.Pos
	After int
	What  string // nodes, classes, matches, iterations, stop
	N     int
	Stop  string // saturated, goal, limit, end
}
