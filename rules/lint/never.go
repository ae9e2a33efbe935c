package lint

import (
	"math"
	"slices"

	"egad/rules"
	"egad/term/ops"
	"egad/term/types"
)

// Never reports whether a condition of a rule is seen not to hold, ever.
func Never(r *rules.Rule) bool { return never(r) != nil }

// never is a condition of a rule that cannot hold, nil if none is found: alone, or
// beside those before it.
func never(r *rules.Rule) *rules.Cond {
	n := &bounds{size: 1} // no axis of size 0 enters an e-graph
	if r.Language != nil || r.Of != nil && r.Of.Language != nil {
		n.size = 0 // it is an attribute
	}
	for i := range r.Conds {
		if c := &r.Conds[i]; !n.possible(r, c) || cyclic(c, r.Conds[:i]) {
			return c
		}
		// What c says of one side bounds what others compare with it.
		for range i {
			if slices.ContainsFunc(r.Conds[:i+1], func(d rules.Cond) bool { return !n.possible(r, &d) }) {
				return &r.Conds[i]
			}
		}
	}
	return nil
}

// cyclic reports whether an order closes a circle with others in which something is less
// than itself: a < b, b <= c, c <= a.
func cyclic(c *rules.Cond, others []rules.Cond) bool {
	order := func(d *rules.Cond) bool { return d.Kind == rules.CondOrder && d.Op != "!=" }
	if !order(c) {
		return false
	}
	seen := [2][]bool{make([]bool, len(others)), make([]bool, len(others))} // without and with a less
	var leads func(p *rules.Pattern, less int) bool
	leads = func(p *rules.Pattern, less int) bool {
		if less == 1 && equalPatterns(p, c.L) {
			return true
		}
		for i := range others {
			d := &others[i]
			if !order(d) || !equalPatterns(d.L, p) {
				continue
			}
			at := less
			if d.Op == "<" {
				at = 1
			}
			if !seen[at][i] {
				if seen[at][i] = true; leads(d.R, at) {
					return true
				}
			}
		}
		return false
	}
	if c.Op == "<" {
		return leads(c.R, 1)
	}
	return leads(c.R, 0)
}

// bounds collects what conditions say of numbers: of patterns and of attributes.
type bounds struct {
	items []*bounded
	size  float64 // the least value of a size
}

// bounded is something that conditions compare, with where it lies.
type bounded struct {
	pat  *rules.Pattern
	attr *rules.AttrExpr
	is   *bounded // what it is equal to, and what is known is known of that
	span
}

// span is an interval, which may be open at an end.
type span struct {
	lo, hi         float64
	openLo, openHi bool
}

func (s span) empty() bool { return s.lo > s.hi || s.lo == s.hi && (s.openLo || s.openHi) }

// possible notes a condition, and reports whether it may hold.
func (n *bounds) possible(r *rules.Rule, c *rules.Cond) bool {
	switch c.Kind {
	case rules.CondClass:
		return n.operator(r, c)
	case rules.CondOrder:
		if equalPatterns(c.L, c.R) {
			return c.Op == "<="
		}
		return n.compare(c.Op, n.pattern(c.L), n.pattern(c.R))
	case rules.CondEqual, rules.CondDiffer:
		if c.Kind == rules.CondDiffer && equalAttrs(c.A, c.B) {
			return false
		}
		a, b := n.attribute(c.A), n.attribute(c.B)
		return a == nil || b == nil || n.compare(map[rules.CondKind]string{rules.CondEqual: "=", rules.CondDiffer: "!="}[c.Kind], a, b)
	case rules.CondSame:
		return n.compare("=", n.pattern(c.L), n.pattern(c.R))
	case rules.CondDistinct:
		return n.compare("!=", n.pattern(c.L), n.pattern(c.R))
	case rules.CondFact:
		if l := r.Language; l != nil && l.Distinct() != nil && c.L.Kind == rules.PApp && c.L.Sym == l.Distinct().Sym {
			return n.compare("!=", n.pattern(c.L.Kids[0].Pat), n.pattern(c.L.Kids[1].Pat))
		}
	}
	return true
}

// operator reports whether some operator is in all classes of a variable.
func (n *bounds) operator(r *rules.Rule, c *rules.Cond) bool {
	return slices.ContainsFunc(plainSignature().All(), func(o *ops.Operator) bool {
		return !slices.ContainsFunc(r.Vars.Class[c.Name], func(k rules.Class) bool { return !k.Has(o) })
	})
}

// compare notes that x op y, and reports whether it may be so.
func (n *bounds) compare(op string, x, y *bounded) bool {
	x, y = x.root(), y.root()
	switch op {
	case "!=":
		return x != y && !(x.lo == x.hi && y.lo == y.hi && x.lo == y.lo)
	case "=":
		if x == y {
			return true
		}
		n.above(x, y.lo, y.openLo)
		n.below(x, y.hi, y.openHi)
		n.above(y, x.lo, x.openLo)
		n.below(y, x.hi, x.openHi)
		x.is = y
	default:
		if x == y {
			return op == "<="
		}
		n.below(x, y.hi, y.openHi || op == "<")
		n.above(y, x.lo, x.openLo || op == "<")
	}
	return !x.empty() && !y.empty()
}

// root is what stands for all that x is equal to.
func (x *bounded) root() *bounded {
	for x.is != nil {
		x = x.is
	}
	return x
}

func (n *bounds) above(x *bounded, lo float64, open bool) {
	if lo > x.lo || lo == x.lo && open {
		x.lo, x.openLo = lo, open && !math.IsInf(lo, 0)
	}
}

func (n *bounds) below(x *bounded, hi float64, open bool) {
	if hi < x.hi || hi == x.hi && open {
		x.hi, x.openHi = hi, open && !math.IsInf(hi, 0)
	}
}

// pattern is what is known of a side of a comparison.
func (n *bounds) pattern(p *rules.Pattern) *bounded {
	switch p.Kind {
	case rules.PNumber:
		return point(p.Value.Float64())
	case rules.PZero:
		return point(0)
	case rules.PSizeVal, rules.PLit:
		return n.attribute(p.Lit)
	}
	for _, x := range n.items {
		if x.pat != nil && equalPatterns(x.pat, p) {
			return x
		}
	}
	x := &bounded{pat: p, span: span{lo: math.Inf(-1), hi: math.Inf(1)}}
	if o := ops.Builtin(p.Sym); p.Kind == rules.PApp && o != nil && o.Elementwise && o.Arity == 1 {
		r := ops.BoundsOf(ops.Op{Sym: p.Sym}, types.ArrayOf(types.R), []ops.Operand{{Bounds: ops.Unbounded}}, false).Real
		x.lo, x.hi = r.Lo, r.Hi
	}
	n.items = append(n.items, x)
	return x
}

// attribute is what is known of a size, a number or a literal; nil of others.
func (n *bounds) attribute(a *rules.AttrExpr) *bounded {
	x := &bounded{attr: a, span: span{lo: math.Inf(-1), hi: math.Inf(1)}}
	switch a.Kind {
	case rules.ALit:
		return point(a.Lit.Float64())
	case rules.AInt:
		return point(float64(a.Int))
	case rules.ASize:
		if k, ok := a.Size.Const(); ok {
			return point(float64(k))
		}
	case rules.ALitOf:
		return n.attribute(a.Args[0])
	case rules.AVar:
		switch a.Sort {
		case rules.SortSize:
			x.lo = n.size
		case rules.SortInt:
			x.lo = 0
		case rules.SortLit:
		default:
			return nil
		}
	case rules.ATermLen:
		x.lo = 0
	case rules.AFun:
		if s := rules.AttrSortOf(a); s != rules.SortSize && s != rules.SortInt && s != rules.SortLit {
			return nil
		}
	default:
		return nil
	}
	for _, y := range n.items {
		if y.attr != nil && equalAttrs(y.attr, a) {
			return y
		}
	}
	n.items = append(n.items, x)
	return x
}

func point(v float64) *bounded { return &bounded{span: span{lo: v, hi: v}} }
