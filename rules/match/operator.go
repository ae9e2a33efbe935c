package match

import (
	"egad/rules"
	"egad/slot"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// variable is a bound variable.
func (b *builder) variable(x *Variable) slot.Ref {
	if x.Type != nil {
		return b.make(ops.Op{Sym: ops.SymLocal, Type: x.Type}, []slot.Name{x.Index}, nil, nil)
	}
	return b.ivar(x.Index, x.Sizes[0])
}

func (b *builder) ivar(n slot.Name, length size.Size) slot.Ref {
	return b.make(ops.Op{Sym: ops.SymIvar, Sizes: []size.Size{length}}, []slot.Name{n}, nil, nil)
}

func (b *builder) apply(sym ops.Sym, kids ...slot.Ref) slot.Ref {
	return b.make(ops.Op{Sym: sym}, nil, nil, kids)
}

func (b *builder) application(p *rules.Pattern, expect *types.Type) slot.Ref {
	op := ops.Op{Sym: p.Sym}
	if p.Name != "" {
		x := b.m.Get(p.Name)
		op.Sym, op.N = x.Op.Sym, x.Op.N
	}
	if b.left != nil {
		if x, ok := b.left.Ops[p]; ok {
			op = x
		}
	}
	o := b.space.Signature().Operator(op.Sym)
	if o.Sorted != nil {
		return b.sorted(p, op, o.Sorted)
	}
	if o.Elementwise || op.Sym == ops.SymCond {
		if a := p.Attrs.N; a != nil {
			op.N = b.attr(a, rules.SortInt).n
		}
		return b.pointwise(p, op, expect)
	}
	return b.structural(p, op)
}

// pointwise builds elementwise operators and cond. A literal operand gets its
// type from the others.
func (b *builder) pointwise(p *rules.Pattern, op ops.Op, expect *types.Type) slot.Ref {
	kids, literals := Apart(p.Kids, func(e rules.Elem) []slot.Ref { return b.elems([]rules.Elem{e}, expect) })
	types := make([]*types.Type, len(kids))
	for i, k := range kids {
		if literals[i] == nil {
			types[i] = b.space.Type(k)
		}
	}
	if len(literals) > 0 && len(kids) != len(p.Kids) {
		b.fail("a literal beside a list of operands has no type")
	}
	for i := range kids {
		if q := literals[i]; q != nil {
			kids[i] = b.literal(q, Sibling(op, types, i, expect))
		}
	}
	return b.make(op, nil, nil, kids)
}

// structural builds every other operator.
func (b *builder) structural(p *rules.Pattern, op ops.Op) slot.Ref {
	if b.attributes(p, &op); p.Binders == nil {
		return b.make(op, nil, nil, b.elems(p.Kids, nil))
	}
	return b.binding(p, op)
}

// attributes computes the attributes of an operator.
func (b *builder) attributes(p *rules.Pattern, op *ops.Op) {
	if a := p.Attrs.Sizes; a != nil {
		op.Sizes = b.sizes(a)
	}
	if a := p.Attrs.Targets; a != nil {
		op.Targets = b.sizes(a)
	}
	if a := p.Attrs.Perm; a != nil {
		op.Perm = b.attr(a, rules.SortPerm).perm
	}
	if a := p.Attrs.N; a != nil {
		op.N = b.attr(a, rules.SortInt).n
	}
	if a := p.Attrs.Lit; a != nil {
		op.Const = ops.ConstFill(b.literalOf(b.attr(a, rules.SortLit), types.R))
	}
	if t := p.Attrs.Type; t != nil {
		op.Type = b.typ(t)
	}
	if t := p.Attrs.Type2; t != nil {
		op.Type2 = b.typ(t)
	}
}

// binding builds an operator with binders. Binders of the left side keep their
// variables; others get fresh ones.
func (b *builder) binding(p *rules.Pattern, op ops.Op) slot.Ref {
	mark := len(b.m.Vars)
	defer func() { b.m.Vars = b.m.Vars[:mark] }()
	var kids []slot.Ref
	body := p.Kids
	o := b.space.Signature().Operator(op.Sym)
	for _, e := range p.Kids[:o.Outer()] { // outside the binders, and the ranges may come from it
		kids = append(kids, b.term(e.Pat, nil))
		body = body[1:]
	}
	if o.OwnRanges() {
		t := op.Type
		if len(kids) > 0 {
			t = b.space.Type(kids[0])
		}
		n := len(p.Binders.Heads)
		if p.Binders.Rest != "" {
			x := b.m.Get(p.Binders.Rest)
			if x == nil {
				b.fail("the number of binders of a scatter is not known")
			}
			n += len(x.Names)
		}
		if n > len(t.Shape) {
			b.fail("more binders than axes")
		}
		if b.left == nil {
			op.Sizes = t.Shape[:n]
		}
	}
	if p.Binders.State != "" && b.left == nil {
		op.Type = b.space.Type(kids[0])
	}
	heads := len(p.Binders.Heads)
	if len(op.Sizes) < heads || p.Binders.Rest == "" && len(op.Sizes) != heads {
		b.fail("%d sizes for %d binders", len(op.Sizes), heads)
	}
	names := make([]slot.Name, len(op.Sizes))
	for i, h := range p.Binders.Heads {
		if x := b.m.Get(h); x != nil {
			names[i] = x.Index
		} else {
			names[i] = b.space.Fresh()
		}
		b.m.Vars = append(b.m.Vars, Variable{Name: h, Index: names[i], Sizes: op.Sizes[i : i+1]})
	}
	if r := p.Binders.Rest; r != "" {
		old := b.m.Get(r)
		if old != nil && len(old.Names) != len(op.Sizes)-heads {
			b.fail("%d sizes for %d binders", len(op.Sizes), heads+len(old.Names))
		}
		for i := heads; i < len(names); i++ {
			if old != nil {
				names[i] = old.Names[i-heads]
			} else {
				names[i] = b.space.Fresh()
			}
		}
		b.m.Vars = append(b.m.Vars, Variable{Name: r, Names: names[heads:], Sizes: op.Sizes[heads:]})
	}
	if s := p.Binders.State; s != "" {
		name := b.space.Fresh()
		if x := b.m.Get(s); x != nil && x.Type.Equal(op.Type) {
			name = x.Index
		}
		names = append(names, name)
		b.m.Vars = append(b.m.Vars, Variable{Name: s, Index: name, Type: op.Type})
	}
	kids = append(kids, b.elems(body, nil)...)
	return b.make(op, nil, names, kids)
}

// sorted builds an operator of a language. What it binds is a variable of the left side
// or of a metavariable, or a new one.
func (b *builder) sorted(p *rules.Pattern, op ops.Op, d *ops.Sorted) slot.Ref {
	mark := len(b.m.Vars)
	defer func() { b.m.Vars = b.m.Vars[:mark] }()
	var names []slot.Name
	if p.Binders != nil {
		for i, h := range p.Binders.Heads {
			x := b.m.Get(h)
			switch {
			case x == nil:
				x = &Variable{Name: h, Index: b.space.Fresh(), Type: d.Binders[i].Type}
				b.m.Vars = append(b.m.Vars, *x)
				names = append(names, x.Index)
			case x.Type != nil:
				names = append(names, x.Index)
			case len(x.Ref.Args) == 0:
				b.noValue(h + " is no variable")
			default:
				names = append(names, x.Ref.Args[0])
			}
		}
	}
	b.attributes(p, &op)
	return b.make(op, nil, names, b.elems(p.Kids, nil))
}
