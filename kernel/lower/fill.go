package lower

import (
	"encoding/binary"
	"fmt"
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/slot"
	"egad/term/ops"
	"egad/term/overflow"
)

// site is a node where the index variables on which it depends have values.
type site struct {
	id    uint32
	slots []*kernel.Value
}

// kid is an operand of a node, whose binders have the values bound.
func (p site) kid(k slot.Kid, bound ...*kernel.Value) site {
	return site{k.ID, kidSlots(k.Args, p.slots, bound)}
}

// sent is a node among those that a node is of.
func (p site) sent(s sent) site { return site{s.id, kidSlots(s.args, p.slots, nil)} }

// kidSlots are the values of the index variables of a child.
func kidSlots(ps []slot.Pos, free, bound []*kernel.Value) []*kernel.Value {
	out := make([]*kernel.Value, len(ps))
	for i, p := range ps {
		if p&slot.Bound != 0 {
			out[i] = bound[p&^slot.Bound]
		} else {
			out[i] = free[p]
		}
	}
	return out
}

// fill makes the kernels of a kept node.
func (r *reading) fill(n *stored) {
	if n.array != nil {
		r.made = append(r.made, made{n.id, n.array})
	}
	op, kids := r.op(n.id), r.kids(n.id)
	switch {
	case op.Sym == ops.SymProj:
		r.keepState(kids[0].ID, op.N, n.array)
		return
	case op.Sym == ops.SymStates:
		if n.array != nil {
			r.keepState(n.id, 0, n.array)
		}
		r.loop(n)
		return
	case op.Sym == ops.SymStack:
		r.stack(n.array, n.id, r.outer(n.id))
		return
	case ops.Builtin(op.Sym).Whole:
		r.call(n.array, n.id, r.outer(n.id), r.step)
		return
	}
	id, views := r.shows(n.id)
	write := func(fill func(k *nest, at site)) {
		k, at := r.nest(n.array, id, r.outer(id))
		outer := len(k.target)
		fill(k, at)
		k.target = slices.Concat(k.target[:outer], r.up(k.b, views, k.target[outer:]))
	}
	sum, ok := r.summed(id)
	if !ok {
		write((*nest).body)
	}
	for _, s := range sum {
		write(func(k *nest, at site) { k.scatter(k.built(at).sent(s)) })
	}
}

// summed are the scatters of which a node is the sum, another one for each index of the
// builds around it.
func (r *reading) summed(id uint32) ([]sent, bool) {
	id, each := r.built(id)
	if !each {
		return nil, false
	}
	if r.op(id).Sym == ops.SymScatter {
		return []sent{r.whole(id)}, true
	}
	sum := r.sum(id)
	return sum, sum != nil
}

// scatter makes loops that add to elements.
func (k *nest) scatter(p site) {
	op, kids := k.op(p.id), k.kids(p.id)
	is := k.addLoops(constShape(op.Sizes), k.scatterOrder(p.id))
	rest := k.addLoops(k.shape(p.id)[len(kids)-1:], kernel.Parallel)
	k.add = true
	for _, f := range kids[1:] {
		k.target = append(k.target, k.element(p.kid(f, is...), nil))
	}
	k.target = append(k.target, rest...)
	k.value = k.element(p.kid(kids[0]), slices.Concat(is, rest))
}

// reduce folds what makes the element at of a reduction.
func (k *nest) reduce(p site, at []*kernel.Value) {
	kid := k.kids(p.id)[0]
	along := k.addLoops(k.shape(kid.ID)[:1], kernel.Folding)
	k.fold = k.op(p.id).Sym
	k.value = k.element(p.kid(kid), append(along, at...))
}

// built makes the loops of the builds around what there is at a site, and gives that.
func (k *nest) built(p site) site {
	for k.op(p.id).Sym == ops.SymBuild {
		v := k.addLoops(constShape(k.op(p.id).Sizes), kernel.Parallel)
		k.target = append(k.target, v...)
		p = p.kid(k.kids(p.id)[0], v...)
	}
	return p
}

// body makes the loops over an array, and what is in them.
func (k *nest) body(p site) {
	reduced, kept := false, false
	if r := k.r; r != nil {
		_, reduced = r.reduced(p.id)
		n := r.nodes[p.id]
		if kept = reduced && p.id != k.top && n != nil && n.array != nil; !kept {
			p = k.built(p)
		}
	}
	at := k.addLoops(k.shape(p.id), kernel.Parallel)
	k.target = append(k.target, at...)
	switch {
	case kept:
		k.value = k.fetch(p, at)
	case reduced:
		k.reduce(p, at)
	case k.r != nil && p.id == k.top && len(at) == 0:
		k.value = k.compute(p)
	default:
		k.value = k.element(p, at)
	}
}

// element is an element of an array that loops run through: of a build, or of what is in
// memory.
func (k *nest) element(p site, at []*kernel.Value) *kernel.Value {
	r := k.r
	if r == nil {
		return k.trialElement(p.id, p.slots, at, nil)
	}
	for len(at) > 0 && r.op(p.id).Sym == ops.SymBuild {
		p, at = p.kid(r.kids(p.id)[0], at[0]), at[1:]
	}
	if len(at) == 0 {
		return k.scalar(p)
	}
	op, kids := r.op(p.id), r.kids(p.id)
	if !r.elementwise(op.Sym) {
		return k.fetch(p, at)
	}
	return k.once(p, at, func() *kernel.Value {
		args := slice.Map(kids, func(f slot.Kid) *kernel.Value { return k.element(p.kid(f), at) })
		return k.b.Op(op, r.typ(p.id).Elem, args...)
	})
}

// once is an element of what stands at a site, which is made when it is first asked for.
func (k *nest) once(p site, at []*kernel.Value, make func() *kernel.Value) *kernel.Value {
	key := binary.AppendUvarint(nil, uint64(p.id))
	for _, v := range slices.Concat(p.slots, at) {
		key = binary.AppendUvarint(key, uint64(v.Serial))
	}
	v, ok := k.elements[string(key)]
	if !ok {
		v = make()
		k.elements[string(key)] = v
	}
	return v
}

// fetch is an element of what is in memory, or needs none; what is out of range is 0.
func (k *nest) fetch(p site, at []*kernel.Value) *kernel.Value {
	r := k.r
	op, kids := r.op(p.id), r.kids(p.id)
	switch {
	case op.Sym == ops.SymIndex:
		ix := make([]*kernel.Value, 0, len(kids)-1+len(at))
		for _, f := range kids[1:] {
			ix = append(ix, k.scalar(p.kid(f)))
		}
		if r.last(p.id) && !r.nodes[kids[0].ID].whole {
			ix = ix[1:]
		}
		return k.fetch(p.kid(kids[0]), append(ix, at...))
	case op.Sym == ops.SymVar:
		return k.b.Load(kernel.Access{Array: r.inputs[op.Name], At: at})
	case op.Sym == ops.SymConst && op.Const.Data == nil:
		return k.b.Guarded(k.b.InRange(at, r.shape(p.id)), k.b.Lit(op.Const.Fill))
	case op.Sym == ops.SymConst:
		return k.b.Load(kernel.Access{Array: r.literal(p.id, op), At: at})
	case op.Sym == ops.SymIota:
		return k.b.Guarded(k.b.InRange(at, r.shape(p.id)), at[0])
	}
	if n := r.nodes[p.id]; n != nil && n.array != nil && p.id != k.top {
		return k.b.Load(kernel.Access{Array: n.array, At: slices.Concat(p.slots, at)})
	}
	panic(&overflow.Error{Msg: fmt.Sprintf("the program is not fused: no rule says the elements of %s", r.store.Signature().Operator(op.Sym).Name)})
}

// scalar is the value of a scalar, which is in memory or is computed.
func (k *nest) scalar(p site) *kernel.Value {
	return k.once(p, nil, func() *kernel.Value {
		if n := k.r.nodes[p.id]; n != nil && n.array != nil {
			return k.fetch(p, nil)
		}
		return k.compute(p)
	})
}

// compute is a scalar by what it is made of.
func (k *nest) compute(p site) *kernel.Value {
	r := k.r
	op, kids := r.op(p.id), r.kids(p.id)
	switch {
	case op.Sym == ops.SymIvar:
		return p.slots[0]
	case op.Sym == ops.SymConst && op.Const.Data == nil:
		return k.b.Lit(op.Const.Fill)
	case op.Sym != ops.SymCond && !r.elementwise(op.Sym):
		if n, ok := r.chosen(p.id); ok {
			return k.scalar(p.kid(kids[0]).kid(r.kids(kids[0].ID)[n]))
		}
		return k.fetch(p, nil)
	}
	args := slice.Map(kids, func(f slot.Kid) *kernel.Value { return k.scalar(p.kid(f)) })
	if op.Sym == ops.SymCond {
		op = ops.Op{Sym: ops.SymWhere}
	}
	return k.b.Op(op, r.typ(p.id).Elem, args...)
}
