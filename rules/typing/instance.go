package typing

import (
	"fmt"
	"slices"
	"strings"

	"egad/internal/slice"
	"egad/rules"
	"egad/rules/match"
	"egad/term"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// Instance is one way to give the metavariables of a rule types, with sizes as
// symbols: "the same type for all shapes" means for every instance.
type Instance struct {
	Rule  *rules.Rule
	Terms []InstanceTerm
	// Products are pairs of shapes that have equally many elements.
	Products [][2][]size.Size
	match.Left

	sig      *term.Signature
	attrs    []match.Variable // the metavariables that are not terms
	binders  map[string][]size.Size
	states   map[string]*types.Type // of the states of loops
	literals []*types.Type          // the types of the literals of the left side, from left to right
}

// InstanceTerm is a term metavariable, or an element of a list of them.
type InstanceTerm struct {
	Name string
	List bool
	Type *types.Type
	// Scope lists the bound variables that the term may mention.
	Scope []string
	// Index is a variable to which the term is added, "" if there is none: the metavariable
	// stands for the sum. If Falls is set, the variable is subtracted from the term.
	Index string
	Falls bool
	// By is a literal, a multiple of which is added to the term: the metavariable stands for a sum that
	// the rule takes apart; "" if it does not.
	By string
}

// State gives the type of the state of a loop, nil of other variables.
func (in *Instance) State(name string) *types.Type { return in.states[name] }

// Binders gives the ranges of a bound variable, or of a list of them.
func (in *Instance) Binders(name string) []size.Size { return in.binders[name] }

// Sizes lists the symbols that stand for sizes, in a fixed order.
func (in *Instance) Sizes() []string {
	out := in.mentioned()
	slices.Sort(out)
	return out
}

// mentioned lists the symbols that stand for sizes, as they come.
func (in *Instance) mentioned() []string {
	var out []string
	add := func(ss []size.Size) {
		for _, s := range ss {
			for _, v := range s.Vars() {
				out = slice.With(out, v)
			}
		}
	}
	var walk func(t *types.Type)
	walk = func(t *types.Type) {
		add(t.Shape)
		for _, p := range t.Parts {
			walk(p)
		}
	}
	for _, t := range in.Terms {
		walk(t.Type)
	}
	for _, a := range in.attrs {
		add(a.Sizes)
		if a.Type != nil {
			walk(a.Type)
		}
	}
	for _, n := range in.Rule.Vars.Order {
		add(in.binders[n])
		if t := in.states[n]; t != nil {
			walk(t)
		}
	}
	for _, t := range in.literals {
		walk(t)
	}
	return out
}

func (in *Instance) key() string {
	s := ""
	for _, t := range in.Terms {
		s += t.Name + ":" + t.Type.Key() + ";"
		if t.Falls {
			s += "-"
		}
	}
	for _, a := range in.attrs {
		s += fmt.Sprint(a.Name, a.Perm, a.N, a.Lit.Elem)
		if a.Op != nil {
			s += a.Op.Key()
		}
		for _, x := range a.Sizes {
			s += x.Key() + ","
		}
		if a.Type != nil {
			s += a.Type.Key()
		}
	}
	for _, n := range in.Rule.Vars.Order {
		s += fmt.Sprint(";", len(in.binders[n]))
	}
	for _, t := range in.literals {
		s += ";" + t.Key()
	}
	return s
}

// names gives the sizes names that the rule does not name.
func (in *Instance) names() map[string]size.Size {
	names, k := in.mentioned(), 0
	env := make(map[string]size.Size)
	for _, old := range names {
		if !generated(old) && !strings.Contains(old, "[") {
			continue
		}
		for k++; slices.Contains(names, fmt.Sprintf("s%d", k)); k++ {
		}
		env[old] = size.Var(fmt.Sprintf("s%d", k))
	}
	return env
}

// Attributes lists what an instance gives the metavariables that are not terms:
// "k = 2", "p = [1, 0]", "?op = mul".
func (in *Instance) Attributes(sig *term.Signature) []string {
	var out []string
	for _, a := range in.attrs {
		text, name := "", a.Name
		switch in.Rule.Vars.Sort[a.Name] {
		case rules.SortSize:
			text = a.Sizes[0].String()
		case rules.SortSizes:
			text = types.ShapeText(a.Sizes)
		case rules.SortPerm:
			text = strings.Join(strings.Fields(fmt.Sprint(a.Perm)), ", ")
		case rules.SortInt:
			text = fmt.Sprint(a.N)
		case rules.SortLit:
			text = a.Lit.String()
		case rules.SortType:
			text = a.Type.String()
		case rules.SortOp:
			text, name = sig.Operator(a.Op.Sym).Text(), "?"+a.Name
		default:
			continue
		}
		out = append(out, name+" = "+text)
	}
	return out
}

// axes counts the axes of the metavariables, and those themselves.
func (in *Instance) axes() int {
	n := len(in.Terms)
	var count func(t *types.Type)
	count = func(t *types.Type) {
		n += len(t.Shape)
		for _, p := range t.Parts {
			n++
			count(p)
		}
	}
	for _, t := range in.Terms {
		count(t.Type)
	}
	for _, a := range in.attrs {
		n += len(a.Sizes) + len(a.Perm)
	}
	for _, b := range in.binders {
		n += len(b)
	}
	return n
}

// String lists the types of the metavariables.
func (in *Instance) String() string {
	if len(in.Terms) == 0 {
		return "no metavariables"
	}
	return strings.Join(slice.Map(in.Terms, func(t InstanceTerm) string { return t.Name + " : " + t.Type.String() }), ", ")
}

// At returns the instance with its size symbols replaced. It is false if a size is
// negative or fractional, or shapes that must have equally many elements do not.
func (in *Instance) At(sizes map[string]size.Size) (*Instance, bool) {
	ok := true
	out := in.subst(sizes, func(s size.Size) {
		if c, is := s.Const(); !is || c < 0 {
			ok = false
		}
	})
	for _, p := range out.Products {
		ok = ok && size.Product(p[0]).Equal(size.Product(p[1]))
	}
	return out, ok && out.solveLiterals()
}

// subst is the instance with its size symbols replaced. It calls see for each size.
func (in *Instance) subst(sizes map[string]size.Size, see func(size.Size)) *Instance {
	fix := func(ss []size.Size) []size.Size {
		out := types.SubstSizes(ss, sizes)
		for _, s := range out {
			see(s)
		}
		return out
	}
	var fixType func(t *types.Type) *types.Type
	fixType = func(t *types.Type) *types.Type {
		if t == nil {
			return nil
		}
		out := *t
		out.Shape = fix(t.Shape)
		out.Parts = slice.Map(t.Parts, fixType)
		return &out
	}
	out := &Instance{
		Rule: in.Rule, sig: in.sig, binders: mapped(in.binders, fix), states: mapped(in.states, fixType),
		Left: match.Left{Lets: mapped(in.Lets, fixType), Types: mapped(in.Types, fixType), Ops: mapped(in.Ops, func(op ops.Op) ops.Op {
			op.Sizes, op.Targets = fix(op.Sizes), fix(op.Targets)
			op.Type, op.Type2 = fixType(op.Type), fixType(op.Type2)
			return op
		})},
	}
	for _, t := range in.Terms {
		t.Type = fixType(t.Type)
		out.Terms = append(out.Terms, t)
	}
	for _, a := range in.attrs {
		a.Sizes, a.Type = fix(a.Sizes), fixType(a.Type)
		out.attrs = append(out.attrs, a)
	}
	out.literals = append(out.literals, slice.Map(in.literals, fixType)...)
	for _, p := range in.Products {
		out.Products = append(out.Products, [2][]size.Size{fix(p[0]), fix(p[1])})
	}
	return out
}

// mapped is a map with other values.
func mapped[K comparable, V any](m map[K]V, f func(V) V) map[K]V {
	out := make(map[K]V, len(m))
	for k, v := range m {
		out[k] = f(v)
	}
	return out
}
