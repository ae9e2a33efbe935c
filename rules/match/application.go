package match

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"

	"egad/rules"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// Application is one application of a rule, with all that its variables stand for.
// It says of two terms that they are the two sides of the rule, which can be
// checked without searching for a match.
type Application struct {
	Match *Match
	// Ops are the operators at the applications and literals of the left side, from
	// the root on, each before its operands.
	Ops []ops.Op
}

// Sides makes both sides of the rule from what its variables stand for, or for a
// derivative rule the left side and the maps. It fails if they cannot stand for
// that.
func (a *Application) Sides(t Terms) (*Sides, error) {
	out := &Sides{Match: a.Match}
	in := &instantiation{b: &builder{space: t, m: a.Match}, ops: a.Ops}
	ok, err := in.b.guard(func() {
		in.variables()
		out.Lhs = in.term(a.Match.Rule.Lhs)
		if len(in.ops) > 0 {
			in.fail("there are more operators than the left side has")
		}
	})
	if err == nil && !ok {
		err = cmp.Or(in.err, errors.New("the left side has no value"))
	}
	if err != nil {
		return nil, err
	}
	a.Match.Root = out.Lhs
	ok, err = out.right(t)
	if err == nil && !ok {
		err = fmt.Errorf("the right side has no value")
	}
	return out, err
}

// Variables lists what the metavariables stand for.
func (a *Application) Variables() []Variable {
	var out []Variable
	sorts := a.Match.Rule.Vars.Sort
	for i, b := range a.Match.Vars {
		s, known := sorts[b.Name]
		if !known || a.Match.Get(b.Name) != &a.Match.Vars[i] {
			continue
		}
		v := b
		v.Sort = s
		switch s {
		case rules.SortTerm:
			v.Terms, v.Ref = []term.Term{b.Ref}, slot.Ref{}
		case rules.SortIndex, rules.SortState:
			v.Names, v.Index = []slot.Name{b.Index}, 0
		}
		out = append(out, v)
	}
	return out
}

// NewApplication returns an application of a rule in which metavariables stand for what
// is said. Whether they can is another matter: see [Application.Sides].
func NewApplication(r *rules.Rule, vars []Variable, held []ops.Op) (*Application, error) {
	m := &Match{Rule: r}
	for _, v := range vars {
		s, known := r.Vars.Sort[v.Name]
		if !known || m.Get(v.Name) != nil {
			return nil, fmt.Errorf("the rule %s has no metavariable %s, or it is there twice", r.Name, v.Name)
		}
		b, only := v, Variable{Name: v.Name, Sort: v.Sort}
		fits := true
		switch s {
		case rules.SortTerm:
			if only.Terms, fits = v.Terms, len(v.Terms) == 1; fits {
				b.Ref = v.Terms[0]
			}
		case rules.SortTerms:
			only.Terms, b.Terms = v.Terms, append([]slot.Ref{}, v.Terms...) // not nil
		case rules.SortIndex:
			only.Names, only.Sizes, only.Type = v.Names, v.Sizes, v.Type
			fits = len(v.Names) == 1 && len(v.Sizes) <= 1 && (len(v.Sizes) == 0) == (v.Type != nil) && (v.Type != nil) == (r.Language != nil)
		case rules.SortIndices:
			only.Names, only.Sizes, fits = v.Names, v.Sizes, len(v.Names) == len(v.Sizes)
		case rules.SortState:
			only.Names, only.Type, fits = v.Names, v.Type, len(v.Names) == 1 && v.Type != nil
		case rules.SortSize, rules.SortSizes:
			only.Sizes, fits = v.Sizes, s == rules.SortSizes || len(v.Sizes) == 1
		case rules.SortPerm:
			only.Perm, fits = v.Perm, ops.IsPerm(v.Perm)
		case rules.SortInt:
			only.N, fits = v.N, v.N >= 0
		case rules.SortLit:
			only.Lit, fits = v.Lit, v.Lit.Elem != types.NoElem
		case rules.SortType:
			only.Type, fits = v.Type, v.Type != nil
		case rules.SortOp:
			only.Op, fits = v.Op, v.Op != nil && v.Op.Sym != ops.SymNone
		}
		if len(v.Names) == 1 && s != rules.SortIndices {
			b.Index = v.Names[0]
		}
		if !fits || !reflect.DeepEqual(only, v) {
			return nil, fmt.Errorf("the metavariable %s of the rule %s is %s, and stands for something else", v.Name, r.Name, s)
		}
		m.Vars = append(m.Vars, b)
	}
	for _, name := range r.Vars.Order {
		if m.Get(name) == nil {
			return nil, fmt.Errorf("the metavariable %s of the rule %s stands for nothing", name, r.Name)
		}
	}
	return &Application{Match: m, Ops: held}, nil
}
