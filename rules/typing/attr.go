package typing

import (
	"cmp"
	"slices"
	"strconv"

	"egad/internal/slice"
	"egad/rules"
	"egad/rules/match"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// attrType is what is known of an attribute; which field counts depends on the
// sort.
type attrType struct {
	sizes []size.Size
	size  size.Size // of a size and of a number
	moves []move
	lit   litType
}

func (n *unifier) attr(a *rules.AttrExpr, s rules.Sort) (v attrType) {
	switch a.Kind {
	case rules.AVar:
		switch s {
		case rules.SortSizes:
			v.sizes = n.norm(list(a.Name))
		case rules.SortPerm:
			v.moves = n.moves([]move{{name: a.Name}})
		case rules.SortLit:
			v.lit = n.lits[a.Name]
		default:
			v.size = n.size(size.Var(a.Name))
		}
	case rules.ASize:
		v.size = a.Size
		v.sizes = []size.Size{a.Size}
	case rules.AInt:
		v.size = number(a.Int)
	case rules.APerm:
		if len(a.Perm) > 0 {
			v.moves = []move{{perm: a.Perm}}
		}
	case rules.ACons:
		v.sizes = append([]size.Size{n.attr(a.Args[0], rules.SortSize).size}, n.attr(a.Args[1], rules.SortSizes).sizes...)
	case rules.ATermShape:
		v.sizes = n.norm(n.axes(a.Term, nil))
	case rules.ATermLen:
		v.size = n.size(kinds(n.list(a.List)))
	case rules.ADivisor:
		n.term(a.Term, nil)
		v.size = n.freshSize()
	case rules.APosition:
		if v.size = size.Var(positionName); n.placeNow != "" {
			k, _ := strconv.Atoi(n.placeNow)
			v.size = number(k)
		}
	case rules.ALit:
		v.lit = litType{number: true, value: &a.Lit}
	case rules.ALitOf:
		v.lit = litType{number: true}
	case rules.AFun:
		n.function(a, s, &v)
	}
	return v
}

const positionName = "position"

func (n *unifier) function(a *rules.AttrExpr, s rules.Sort, v *attrType) {
	sizes := func(i int) []size.Size { return n.attr(a.Args[i], rules.SortSizes).sizes }
	moves := func(i int) []move { return n.attr(a.Args[i], rules.SortPerm).moves }
	switch a.Name {
	case "++":
		v.sizes = slices.Concat(sizes(0), sizes(1))
	case "+", "-", "*", "/", "div", "mod":
		n.arithmetic(a, s, v)
	case "len":
		if a.Args[0].Sort == rules.SortPerm {
			v.size = n.lengthOfMoves(moves(0))
			return
		}
		v.size = n.Rank(sizes(0))
	case "take", "drop":
		at, l := n.attr(a.Args[0], rules.SortInt).size, sizes(1)
		n.assume(func() bool { return n.demand(n.Rank(l).Sub(at)) })
		front, rest := n.split(l, at)
		if v.sizes = front; a.Name == "drop" {
			v.sizes = rest
		}
	case "permute": // the rest is not in the result
		ms, l := moves(0), sizes(1)
		k := n.lengthOfMoves(ms)
		n.assume(func() bool { return n.demand(n.Rank(l).Sub(k)) })
		v.sizes, _ = n.split(n.permute(ms, l), k)
	case "product":
		v.size = n.product(sizes(0))
	case "natural":
		n.attr(a.Args[0], rules.SortLit)
		v.size = n.freshSize()
	case "compose":
		v.moves = n.moves(slices.Concat(moves(0), moves(1)))
	case "invert":
		v.moves = invert(moves(0))
	case "lift":
		if ms := moves(0); len(ms) > 0 {
			v.moves = []move{{lift: ms}}
		}
	case "rotate":
		k := n.attr(a.Args[0], rules.SortInt).size
		if !k.IsConst(0) {
			v.moves = []move{{past: &k}}
		}
	case "fold", "fold1":
		v.lit.elem = n.folded(n.op[a.Args[0].Name][0], a.Args[1:])
	default:
		panic(undecided{"the function " + a.Name})
	}
}

// folded is the element type of an operator applied to literals. A number is of the type
// of what stands beside it, and real if nothing does.
func (n *unifier) folded(op ops.Sym, args []*rules.AttrExpr) types.Elem {
	kids, beside, numbers := make([]*types.Type, len(args)), types.R, false
	for i, a := range args {
		if l := n.attr(a, rules.SortLit).lit; l.number {
			numbers = true
		} else {
			beside = l.elem
			kids[i] = types.ArrayOf(beside)
		}
	}
	for i := range kids {
		kids[i] = cmp.Or(kids[i], types.ArrayOf(beside))
	}
	var t *types.Type
	n.assume(func() bool {
		if numbers && !n.ElemIn(beside, types.R, types.I) {
			return false
		}
		var err *ops.TypeError
		t, err = ops.InferType(n, n.sig.Operator(op), ops.Op{Sym: op}, kids)
		return err == nil
	})
	return t.Elem
}

func (n *unifier) arithmetic(a *rules.AttrExpr, s rules.Sort, v *attrType) {
	x, y := n.attr(a.Args[0], s), n.attr(a.Args[1], s)
	if s == rules.SortLit {
		switch {
		case x.lit.number && y.lit.number:
			v.lit.number = true
			return
		case x.lit.number:
			v.lit.elem = y.lit.elem
		default:
			v.lit.elem = x.lit.elem
		}
		sym, _, _, _ := ops.InfixSym(a.Name)
		n.assume(func() bool {
			t := types.ArrayOf(v.lit.elem)
			r, err := ops.InferType(n, n.sig.Operator(sym), ops.Op{Sym: sym}, []*types.Type{t, t})
			if err != nil || !x.lit.number && !y.lit.number && !n.Elems(x.lit.elem, y.lit.elem) {
				return false
			}
			v.lit.elem = r.Elem
			return true
		})
		return
	}
	v.size = match.ComputedSize(a.Name, x.size, y.size)
	if s == rules.SortInt {
		n.assume(func() bool { return n.demand(v.size) })
	}
}

// typ is the type that a pattern says.
func (n *unifier) typ(p *rules.TypePat) *types.Type {
	switch p.Kind {
	case rules.TypeVar:
		return n.Resolve(variable(p.Name))
	case rules.TypeOfMeta:
		return n.here(p.Name)
	case rules.TypeOfSelf:
		return n.root
	case rules.TypeArray:
		return types.ArrayOf(p.Elem, n.attr(p.Shape, rules.SortSizes).sizes...)
	}
	return p.Made(slice.Map(p.Parts, n.typ))
}
