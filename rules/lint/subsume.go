package lint

import (
	"math"
	"slices"
	"sync"

	"egad/rules"
	"egad/term"
	"egad/term/ops"
)

// subsumes reports whether p matches wherever q does in an e-graph, where no size is
// 0: its left side matches that of q, and its conditions are among those of q. It may
// fail to see that.
func subsumes(p, q *rules.Rule) bool {
	found := false
	(&subsumption{p: p, q: q, run: true}).pattern(p.Lhs, q.Lhs, func(s *subsumption) bool {
		found = s.conditions()
		return found
	})
	return found
}

// Covers reports whether q says nothing that p does not: wherever q applies, p
// does, and gives the same with no weaker label. It may fail to see that.
func Covers(p, q *rules.Rule) bool {
	if p.Label > q.Label || p.Nabla != q.Nabla || p.Kind != q.Kind {
		return false
	}
	found := false
	yes := func(*subsumption) bool { found = true; return true }
	(&subsumption{p: p, q: q}).pattern(p.Lhs, q.Lhs, func(s *subsumption) bool {
		if !s.conditions() {
			return false
		}
		s.right = true
		if p.Nabla {
			return s.items(p.Maps, q.Maps, yes)
		}
		return s.pattern(p.Rhs, q.Rhs, yes)
	})
	return found
}

// duplicate reports whether two rules differ in the names of what they bind, and
// in the order of operands that commute, only.
func duplicate(p, q *rules.Rule) bool { return Covers(p, q) && Covers(q, p) }

// sameSides reports whether the sides of a rule are the same.
func sameSides(r *rules.Rule) bool {
	if r.Rhs.Kind == rules.PSelf {
		return true
	}
	s := &subsumption{p: r, q: r, right: true}
	for _, n := range r.Vars.Order {
		s.bind(n, image{name: n})
	}
	return s.pattern(r.Rhs, r.Lhs, matched)
}

// subsumption matches the left side of p with that of q, whose metavariables stand
// for themselves.
type subsumption struct {
	p, q  *rules.Rule
	run   bool // the rules are run on an e-graph
	right bool // nothing is bound any more, but what right sides bind
	vars  []named
}

type named struct {
	name string
	image
}

// image is what a metavariable of p matched: something called by a name, or a
// pattern, an attribute, or items.
type image struct {
	name  string
	index bool // it is an index variable, or a list of them
	pat   *rules.Pattern
	attr  *rules.AttrExpr
	op    ops.Sym // of an operator variable, if it has no name
}

func (s *subsumption) get(name string) *image {
	for i := len(s.vars) - 1; i >= 0; i-- {
		if s.vars[i].name == name {
			return &s.vars[i].image
		}
	}
	return nil
}

func (s *subsumption) bind(name string, im image) { s.vars = append(s.vars, named{name, im}) }

// trial runs k with what f binds, and forgets that if k fails.
func (s *subsumption) trial(f func() bool) bool {
	mark := len(s.vars)
	if f() {
		return true
	}
	s.vars = s.vars[:mark]
	return false
}

// matched ends the search at the first way.
func matched(*subsumption) bool { return true }

// pattern calls k for the ways in which p of s.p is q of s.q, until k is true.
func (s *subsumption) pattern(p, q *rules.Pattern, k func(*subsumption) bool) bool {
	if p == nil || q == nil {
		return p == q && k(s)
	}
	switch p.Kind {
	case rules.PMeta:
		return s.trial(func() bool { return s.meta(p.Name, q) && k(s) })
	case rules.PElem:
		return q.Kind == rules.PElem && s.trial(func() bool { return s.variable(p.Name, q.Name) && k(s) })
	case rules.PLetVar:
		im := s.get(p.Name)
		return q.Kind == p.Kind && im != nil && im.name == q.Name && k(s)
	case rules.PIvar:
		return q.Kind == rules.PIvar && s.trial(func() bool { return s.variable(p.Name, q.Name) && k(s) })
	case rules.PNumber:
		return q.Kind == rules.PNumber && p.Value.Key() == q.Value.Key() && p.Sort == q.Sort && s.trial(func() bool { return s.typ(p.LitFor, q.LitFor) && k(s) })
	case rules.PTruth:
		return q.Kind == rules.PTruth && p.Truth == q.Truth && k(s)
	case rules.PZero:
		zero := q.Kind == rules.PZero || q.Kind == rules.PNumber && q.Value.IsInt(0) && !s.right
		return zero && s.trial(func() bool { return s.typ(p.LitFor, q.LitFor) && k(s) })
	case rules.PLit:
		if q.Kind != rules.PLit {
			return false
		}
		return s.trial(func() bool { return s.attr(p.Lit, q.Lit) && s.typ(p.LitFor, q.LitFor) && k(s) })
	case rules.PSelf, rules.PPosition:
		return q.Kind == p.Kind && k(s)
	case rules.PSizeVal:
		return q.Kind == rules.PSizeVal && s.trial(func() bool { return s.attr(p.Lit, q.Lit) && s.typ(p.LitFor, q.LitFor) && k(s) })
	case rules.PSubst, rules.PPreimage:
		return q.Kind == p.Kind && s.pattern(p.X, q.X, func(s *subsumption) bool { return s.substitutions(p.Subs, q.Subs) && k(s) })
	case rules.PLet:
		return false
	case rules.PApp:
		return s.trial(func() bool { return s.application(p, q, k) })
	}
	if q.Kind != p.Kind {
		return false
	}
	return s.trial(func() bool {
		return s.attr(p.Lit, q.Lit) && s.typ(p.LitFor, q.LitFor) &&
			s.pattern(p.X, q.X, func(s *subsumption) bool { return s.items(p.Kids, q.Kids, k) })
	})
}

// meta is a metavariable for a term.
func (s *subsumption) meta(name string, q *rules.Pattern) bool {
	is := image{pat: q}
	if q.Kind == rules.PMeta {
		is.name = q.Name
	}
	return s.stands(name, is, func(im *image) bool {
		if im.pat == nil {
			return q.Kind == rules.PMeta && im.name == q.Name
		}
		return equalPatterns(im.pat, q)
	})
}

// stands reports whether a variable stands for something, as the images that are so do. On the
// left side one that has none yet is bound.
func (s *subsumption) stands(name string, is image, so func(*image) bool) bool {
	if im := s.get(name); im != nil {
		return so(im)
	}
	if !s.right {
		s.bind(name, is)
	}
	return !s.right
}

// called reports whether a variable stands for what has a name.
func (s *subsumption) called(p, q string) bool {
	return s.stands(p, image{name: q}, func(im *image) bool { return im.name == q })
}

func (s *subsumption) application(p, q *rules.Pattern, k func(*subsumption) bool) bool {
	if q.Kind != rules.PApp || !s.operator(p, q) {
		return false
	}
	a, b := &p.Attrs, &q.Attrs
	if !slices.EqualFunc(a.Exprs(), b.Exprs(), s.attrIf) || !s.typeIf(a.Type, b.Type) || !s.typeIf(a.Type2, b.Type2) || !s.binders(p.Binders, q.Binders) {
		return false
	}
	x, y := rules.Flatten(p.Kids), rules.Flatten(q.Kids)
	if s.items(x, y, k) {
		return true
	}
	return len(y) == 2 && s.commutes(q) && s.items(x, []rules.Elem{y[1], y[0]}, k)
}

// commutes reports whether the operands of q may change places.
func (s *subsumption) commutes(q *rules.Pattern) bool {
	if q.Name != "" {
		return slices.ContainsFunc(s.q.Vars.Class[q.Name], func(c rules.Class) bool { return c.Name == "commutative" })
	}
	o := ops.Builtin(q.Sym)
	if l := s.q.Language; l != nil {
		o = l.Signature.Operator(q.Sym)
	}
	return o != nil && o.Commutative
}

// operator is an operator, or a variable for operators.
func (s *subsumption) operator(p, q *rules.Pattern) bool {
	if p.Name == "" {
		return q.Name == "" && p.Sym == q.Sym
	}
	if im := s.get(p.Name); im != nil {
		return im.name == q.Name && im.op == q.Sym
	}
	if s.right {
		return false
	}
	for _, c := range s.p.Vars.Class[p.Name] {
		if q.Name == "" {
			has := func(o *ops.Operator) bool { return o.Sym == q.Sym && c.Has(o) }
			if !slices.ContainsFunc(plainSignature().All(), has) {
				return false
			}
			continue
		}
		if !slices.ContainsFunc(s.q.Vars.Class[q.Name], c.Includes) {
			return false
		}
	}
	s.bind(p.Name, image{name: q.Name, op: q.Sym})
	return true
}

// plainSignature has the operators of egad, among which are all that are
// elementwise.
var plainSignature = sync.OnceValue(term.NewSignature)

func (s *subsumption) binders(p, q *rules.BinderList) bool {
	if p == nil || q == nil {
		return p == q
	}
	if (p.Rest == "") != (q.Rest == "") || (p.State == "") != (q.State == "") {
		return false
	}
	return slices.EqualFunc(p.Heads, q.Heads, s.variable) && (p.Rest == "" || s.variable(p.Rest, q.Rest)) && (p.State == "" || s.variable(p.State, q.State))
}

// variable is a bound variable, a list of them, or one of which an element is meant.
func (s *subsumption) variable(p, q string) bool {
	if im := s.get(p); im != nil {
		return im.name == q
	}
	if slices.ContainsFunc(s.vars, func(v named) bool { return v.index && v.image.name == q }) {
		return false // two of p are not one of q
	}
	s.bind(p, image{name: q, index: true})
	return true
}

// items matches lists of children. A list metavariable of p matches all that is
// left, or one list metavariable of q.
func (s *subsumption) items(p, q []rules.Elem, k func(*subsumption) bool) bool {
	p, q = rules.Flatten(p), rules.Flatten(q)
	if len(p) == 0 {
		return len(q) == 0 && k(s)
	}
	if e := p[0]; e.Kind == rules.ESplice && e.List.Kind == rules.LVar && !s.right && s.get(e.List.Name) == nil {
		if len(p) == 1 {
			return s.trial(func() bool {
				s.bind(e.List.Name, image{name: onlyList(q)})
				return k(s)
			})
		}
	}
	if len(q) == 0 || p[0].Kind != q[0].Kind {
		return false
	}
	rest := func(s *subsumption) bool { return s.items(p[1:], q[1:], k) }
	switch p[0].Kind {
	case rules.EOne:
		return s.pattern(p[0].Pat, q[0].Pat, rest)
	case rules.ESplice:
		return s.trial(func() bool { return s.list(p[0].List, q[0].List) && rest(s) })
	case rules.ENone:
		return rest(s)
	}
	return s.pattern(p[0].Pat, q[0].Pat, rest) // EMap
}

// onlyList is the name of the list that items are, "" if they are not one.
func onlyList(es []rules.Elem) string {
	if len(es) == 1 && es[0].Kind == rules.ESplice && (es[0].List.Kind == rules.LVar || es[0].List.Kind == rules.LBound) {
		return es[0].List.Name
	}
	return ""
}

func (s *subsumption) list(p, q *rules.ListPat) bool {
	if p.Kind != q.Kind {
		return false
	}
	switch p.Kind {
	case rules.LVar, rules.LBound:
		return s.called(p.Name, q.Name)
	case rules.LPermute, rules.LUnpermute:
		return s.attr(p.Perm, q.Perm) && s.list(p.Arg, q.Arg)
	case rules.LSubst:
		return s.list(p.Arg, q.Arg) && s.substitutions(p.Subs, q.Subs)
	}
	return false
}

// substitutions are those of right sides, one by one.
func (s *subsumption) substitutions(ps, qs []rules.Binding) bool {
	if len(ps) != len(qs) {
		return false
	}
	for i, p := range ps {
		q := qs[i]
		im := s.get(p.Var)
		if im == nil || im.name != q.Var || p.List != q.List || !s.pattern(p.By, q.By, matched) || p.List && !s.items(rules.Splice(p.ByL), rules.Splice(q.ByL), matched) {
			return false
		}
	}
	return true
}

// attrIf is attr where p may leave the attribute out.
func (s *subsumption) attrIf(p, q *rules.AttrExpr) bool { return p == nil && !s.right || s.attr(p, q) }

func (s *subsumption) attr(p, q *rules.AttrExpr) bool {
	if p == nil || q == nil {
		return p == q
	}
	if p.Kind == rules.AVar {
		is := image{attr: q}
		if q.Kind == rules.AVar {
			is.name = q.Name
		}
		return s.stands(p.Name, is, func(im *image) bool {
			return im.attr != nil && equalAttrs(im.attr, q) || im.attr == nil && im.name == q.Name && q.Kind == rules.AVar
		})
	}
	if p.Kind != q.Kind || p.Name != q.Name || p.Int != q.Int || !slices.Equal(p.Perm, q.Perm) || !p.Size.Equal(q.Size) || p.Lit.Key() != q.Lit.Key() {
		return false
	}
	if !slices.EqualFunc(p.Args, q.Args, s.attr) {
		return false
	}
	if (p.Term == nil) != (q.Term == nil) || (p.List == nil) != (q.List == nil) {
		return false
	}
	return (p.Term == nil || s.pattern(p.Term, q.Term, matched)) && (p.List == nil || s.items(rules.Splice(p.List), rules.Splice(q.List), matched))
}

func (s *subsumption) typeIf(p, q *rules.TypePat) bool { return p == nil && !s.right || s.typ(p, q) }

func (s *subsumption) typ(p, q *rules.TypePat) bool {
	if p == nil || q == nil {
		return p == q
	}
	switch p.Kind {
	case rules.TypeVar, rules.TypeOfMeta:
		if im := s.get(p.Name); im != nil {
			return q.Kind == p.Kind && im.name == q.Name
		}
		return q.Kind == rules.TypeVar && s.called(p.Name, q.Name)
	}
	return p.Kind == q.Kind && p.Elem == q.Elem && slices.EqualFunc(p.Parts, q.Parts, s.typ) && s.attr(p.Shape, q.Shape)
}

// conditions reports whether the conditions of p are among those of q.
func (s *subsumption) conditions() bool {
	for i := range s.p.Conds {
		if !s.condition(&s.p.Conds[i]) {
			return false
		}
	}
	for i := range s.p.Assumes {
		if !slices.ContainsFunc(s.q.Assumes, func(d rules.Cond) bool { return s.same(&s.p.Assumes[i], &d) }) {
			return false
		}
	}
	return true
}

func (s *subsumption) condition(c *rules.Cond) bool {
	switch c.Kind {
	case rules.CondClass:
		return true // looked at when the operator was bound
	case rules.CondNotIn:
		v := s.get(c.Name)
		for _, t := range c.Terms {
			im := s.get(t)
			switch {
			case v == nil || im == nil || im.name == "":
				return false
			case s.q.Vars.Variable[v.name]: // it is no bound variable, and in no scope
				if !slices.ContainsFunc(s.q.Conds, func(d rules.Cond) bool {
					return d.Kind == c.Kind && d.Name == v.name && slices.Contains(d.Terms, im.name)
				}) {
					return false
				}
			case slices.Contains(s.q.Vars.Scope[im.name], v.name):
				return false
			}
		}
		return true
	case rules.CondOrder:
		if s.run && c.Op == "<" && (c.L.Kind == rules.PZero || c.L.Kind == rules.PNumber && c.L.Value.IsInt(0)) && c.R.Kind == rules.PSizeVal && positive(c.R.Lit) {
			return true
		}
	}
	return slices.ContainsFunc(s.q.Conds, func(d rules.Cond) bool { return s.same(c, &d) || s.weaker(c, &d) })
}

// positive reports whether a number is a size, or a product of sizes.
func positive(a *rules.AttrExpr) bool {
	return a.Kind == rules.AVar && a.Sort == rules.SortSize || a.Kind == rules.AFun && a.Name == "product"
}

// weaker reports whether an order c follows from d, which has one side in common
// and no less narrow a number, or a stricter sign, for the other.
func (s *subsumption) weaker(c, d *rules.Cond) bool {
	if c.Kind != rules.CondOrder || d.Kind != rules.CondOrder || c.Op == "!=" && d.Op != "<" || d.Op == "!=" {
		return false
	}
	stricter := c.Op == d.Op || d.Op == "<"
	one := func(p, q *rules.Pattern) bool { return s.trial(func() bool { return s.pattern(p, q, matched) }) }
	number := func(p *rules.Pattern) float64 {
		switch p.Kind {
		case rules.PNumber:
			return p.Value.Float64()
		case rules.PZero:
			return 0
		}
		return math.NaN()
	}
	within := func(far, near float64) bool { return c.Op != "!=" && far < near || far == near && stricter }
	return stricter && one(c.L, d.L) && one(c.R, d.R) || within(number(c.L), number(d.L)) && one(c.R, d.R) || within(-number(c.R), -number(d.R)) && one(c.L, d.L)
}

// same reports whether two conditions say the same.
func (s *subsumption) same(c, d *rules.Cond) bool {
	if c.Kind != d.Kind || c.Op != d.Op {
		return false
	}
	return s.trial(func() bool {
		return s.pattern(c.L, d.L, matched) && s.pattern(c.R, d.R, matched) && s.pattern(c.Of, d.Of, matched) && s.attr(c.Sizes, d.Sizes) &&
			s.attr(c.A, d.A) && s.attr(c.B, d.B) && s.typ(c.Type, d.Type) &&
			(c.Ix == nil) == (d.Ix == nil) && (c.Ix == nil || s.items(rules.Splice(c.Ix), rules.Splice(d.Ix), matched))
	})
}

// equalPatterns reports whether two patterns of one rule are the same.
func equalPatterns(p, q *rules.Pattern) bool {
	s := &subsumption{p: &rules.Rule{Vars: &rules.Variables{}}, q: &rules.Rule{Vars: &rules.Variables{}}}
	ok := s.pattern(p, q, matched)
	return ok && s.identity()
}

func equalAttrs(p, q *rules.AttrExpr) bool {
	s := &subsumption{p: &rules.Rule{Vars: &rules.Variables{}}, q: &rules.Rule{Vars: &rules.Variables{}}}
	return s.attr(p, q) && s.identity()
}

// identity reports whether all variables stand for themselves.
func (s *subsumption) identity() bool {
	return !slices.ContainsFunc(s.vars, func(v named) bool { return v.name != v.image.name })
}
