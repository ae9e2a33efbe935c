package rules

import (
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/term"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// Language is a language of its own that a rule file declares, with its rules and
// tests.
type Language struct {
	*Library
	Name      string
	Src       *diag.Source
	Signature *term.Signature
	Sorts     []*types.Type // in the order of the file
	// Operators are those of the file, relations and symbols among them.
	Operators []*ops.Operator
	Folds     []Fold
	// Prune says that rules do not look into what equals a constant.
	Prune bool
	// Meaning is that of its operators, nil if none has one.
	Meaning *Meaning
	// Elem says what the values of a sort are, if something says so.
	Elem map[*types.Type]types.Elem
	// Numbers has the sorts of which exact rational numbers are terms, Bound those of
	// which there are variables.
	Numbers, Bound map[*types.Type]bool
}

// Fold is an operator of a language that is computed of numbers, as an operator of
// programs is.
type Fold struct {
	Sym ops.Sym
	// As is the operator of programs, SymNone if Meaning says how it is computed.
	As      ops.Sym
	Meaning *Meaning
	// Yes and No are the symbols that a comparison gives.
	Yes, No ops.Sym
}

// HasNumber reports whether a number is among the values of a sort with numbers: all are, but
// for fractions and large numbers where the values are integers.
func (l *Language) HasNumber(t *types.Type, n numeric.Num) bool {
	_, whole := n.Int64()
	return whole || l.Elem[t] != types.I
}

// Sort finds a sort by name, nil if there is none.
func (l *Language) Sort(name string) *types.Type {
	if i := slices.IndexFunc(l.Sorts, func(t *types.Type) bool { return t.Name == name }); i >= 0 {
		return l.Sorts[i]
	}
	return nil
}

// NewLanguage returns a language without operators.
func NewLanguage() *Language {
	return &Language{
		Library: NewLibrary(), Signature: term.NewLanguage(), Elem: map[*types.Type]types.Elem{ops.Fact: types.B},
		Numbers: make(map[*types.Type]bool), Bound: make(map[*types.Type]bool),
	}
}

// Symbols lists the symbols of a sort, in the order of the file.
func (l *Language) Symbols(t *types.Type) []*ops.Operator {
	return slice.Filter(l.Operators, func(o *ops.Operator) bool { return o.Sorted.Symbol && o.Sorted.Result == t })
}

// Constants reports whether constants are followed through an e-graph, whatever the rules
// ask for.
func (l *Language) Constants() bool {
	return len(l.Folds) > 0 || l.Distinct() != nil || len(l.Numbers) > 0 // two numbers are never equal, computed or not
}

// Distinct returns the relation !=, of which more is known than of others, nil if there is
// none: constants differ, and it is symmetric.
func (l *Language) Distinct() *ops.Operator {
	if o, ok := l.Signature.Lookup("!="); ok && o.Sorted.Relation {
		return o
	}
	return nil
}

// SortName returns a sort in messages.
func SortName(t *types.Type) string {
	if t.Kind == types.KArray {
		return "fact"
	}
	return t.Name
}
