package typing

import (
	"cmp"
	"fmt"
	"slices"

	"egad/diag"
	"egad/internal/memo"
	"egad/rules"
	"egad/term"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// unifier finds the most general type of the metavariables of a rule, for all
// ranks and lengths of lists, and whether both sides have one type wherever the
// left side has one. It is the unifier of the typing rules.
//
// The type of an element of a list of terms may depend on its place: variables
// whose names end in [i] stand for a type at each place, those that end in [n] for
// that at place n.
type unifier struct {
	shapes
	types.ElemVars
	sig  *term.Signature
	rule *rules.Rule
	pick func(of int) int // chooses a case

	types      map[string]*types.Type      // solved type variables
	places     map[string]size.Size        // in the names of variables
	elemsAt    map[elemPlace]types.Elem    // of element types that depend on the place
	joined     map[varying][]*types.Type   // the items of lists of several parts, by the variable for an element
	value      func(s size.Size) size.Size // what a length is, as far as that is known
	normal     map[string][]size.Size      // what lists of sizes are, as instances ask
	solved     map[string]solved           // by metavariable, as instances ask
	vectors    map[string]bool             // type variables that linear maps act on
	metas      map[string]*types.Type      // of an element, of a list
	lits       map[string]litType
	op         map[string][]ops.Sym // what operator variables stand for, of one type
	binders    map[string][]size.Size
	lets       map[string]*types.Type
	locals     map[string]*types.Type // of bound variables that are no indices
	leftLocals map[string]*types.Type // of those of the left side
	root       *types.Type
	place      size.Size              // how many places the spread has that is being typed; 0 outside
	placeNow   string                 // the place in it, if their number is fixed
	deep       int                    // how many names are followed to other places
	asked      bool                   // one asks what is known at all places
	generic    string                 // each if all places are typed at once, else ""
	part       map[string]*types.Type // of a list of several parts, the elements of the one that is being typed

	// What an instance has to know of the left side.
	literals []*rules.Pattern
	littypes map[*rules.Pattern]*types.Type
	applied  []*rules.Pattern
	ops      map[*rules.Pattern]*applied
	current  *applied
}

// litType is the element type of a literal. A number has that of its context.
type litType struct {
	elem   types.Elem
	number bool
	value  *numeric.Num // if it is known
}

// applied is an operator of a pattern with the attributes that ops.Op cannot have
// as long as they are not known.
type applied struct {
	ops.Op
	moves []move
	nth   size.Size
	kids  []*types.Type
}

// untyped leaves a pattern that has no type.
type untyped struct {
	pos diag.Pos
	msg string
}

// noValue leaves a function of the right side that has no value: the rule does not
// apply.
type noValue struct{}

// undecided leaves what typing cannot decide.
type undecided struct{ why string }

func (n *unifier) fail(pos diag.Pos, format string, args ...any) {
	panic(untyped{pos, fmt.Sprintf(format, args...)})
}

func (n *unifier) need(pos diag.Pos, holds bool, format string, args ...any) {
	if !holds {
		n.fail(pos, format, args...)
	}
}

// newUnifier begins to type a rule in a case that pick chooses: among operators of
// different types, and if short is set among few elements of lists.
func newUnifier(sig *term.Signature, r *rules.Rule, short bool, pick func(of int) int) *unifier {
	n := &unifier{
		shapes: newShapes(), sig: sig, rule: r, pick: pick, types: make(map[string]*types.Type), places: make(map[string]size.Size), elemsAt: make(map[elemPlace]types.Elem), joined: make(map[varying][]*types.Type), normal: make(map[string][]size.Size), solved: make(map[string]solved), vectors: make(map[string]bool),
		metas: make(map[string]*types.Type), lits: make(map[string]litType), op: make(map[string][]ops.Sym),
		binders: make(map[string][]size.Size), lets: make(map[string]*types.Type), locals: make(map[string]*types.Type), leftLocals: make(map[string]*types.Type),
		littypes: make(map[*rules.Pattern]*types.Type), ops: make(map[*rules.Pattern]*applied),
	}
	n.shapes.typing, n.value = n, n.size
	for _, name := range r.Vars.Order {
		switch r.Vars.Sort[name] {
		case rules.SortTerm:
			n.metas[name] = cmp.Or(r.Vars.Types[name], variable(name))
		case rules.SortTerms:
			n.metas[name] = cmp.Or(r.Vars.Types[name], variable(name+each))
			if short {
				n.sizes["len "+name] = number(pick(maxRank + 1))
			}
		case rules.SortLit:
			if r.Of != nil && r.Of.Language != nil { // what it means: attributes of languages are real
				n.lits[name] = litType{elem: types.R}
			} else {
				n.lits[name] = litType{elem: n.NewElem(types.R, types.I, types.B)}
			}
		case rules.SortOp:
			groups := operatorGroups(sig, r, name)
			if len(groups) == 0 {
				n.fail(r.Pos, "no operator is in all classes of ?%s", name)
			}
			n.op[name] = groups[pick(len(groups))]
		}
	}
	return n
}

func variable(name string) *types.Type { return &types.Type{Kind: types.KVar, Name: name} }

// operatorGroups are the operators that a variable may stand for, those of one type
// together.
func operatorGroups(sig *term.Signature, r *rules.Rule, name string) [][]ops.Sym {
	var groups [][]ops.Sym
	at := make(map[string]int)
	for _, o := range sig.All() {
		in := func(c rules.Class) bool { return c.Has(o) }
		if slices.ContainsFunc(r.Vars.Class[name], func(c rules.Class) bool { return !in(c) }) {
			continue
		}
		k := memo.Place(at, &groups, elementTypes(sig, o), nil)
		groups[k] = append(groups[k], o.Sym)
	}
	return groups
}

// elementTypes says what an operator of a class makes of square matrices.
func elementTypes(sig *term.Signature, o *ops.Operator) string {
	key := ""
	kids := make([]*types.Type, o.Arity)
	var choose func(k int)
	choose = func(k int) {
		if k == len(kids) {
			if t, err := ops.TypeOf(o, ops.Op{Sym: o.Sym}, kids); err == nil {
				key += t.Key()
			}
			key += ","
			return
		}
		for _, e := range []types.Elem{types.R, types.I, types.B} {
			kids[k] = types.ArrayOf(e, number(2), number(2))
			choose(k + 1)
		}
	}
	choose(0)
	return key
}
