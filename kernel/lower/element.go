package lower

import (
	"encoding/binary"
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// trialFetch is an element of an array in memory. The array's own bounds may be all
// that is tested.
func (k *nest) trialFetch(a *kernel.Array, at []*kernel.Value, t kernel.Conditions) *kernel.Value {
	v := k.b.Load(kernel.Access{Array: a, At: at})
	bounds := k.b.InRange(at, a.Shape)
	if !slices.ContainsFunc(t, func(u *kernel.Value) bool { return !slices.Contains(bounds, u) }) {
		return v
	}
	return k.b.Guarded(t, v)
}

// trialElement is the element at of node id, on trial, where the index variables on which
// it depends have the values slots; it is 0 where a test fails. If at is out of range, a
// test fails or the element does not matter.
func (k *nest) trialElement(id uint32, slots, at []*kernel.Value, t kernel.Conditions) *kernel.Value {
	if t.Never() {
		k.l.unread(id)
		return k.b.Lit(ops.ScalarZero(k.l.typ(id).Elem))
	}
	key := binary.AppendUvarint(make([]byte, 0, 64), uint64(id))
	for _, vs := range [][]*kernel.Value{slots, at, t} {
		for _, v := range vs {
			key = binary.AppendUvarint(key, uint64(v.Serial))
		}
	}
	if v, ok := k.elements[string(key)]; ok {
		return v
	}
	var v *kernel.Value
	if op := k.l.op(id); op.Sym == ops.SymStack && at[0].Kind == kernel.Lit && kernel.FitsAxis(at[0], k.l.shape(id)[0]) {
		for n, kid := range k.l.kids(id) {
			if n == int(at[0].Const.Int) {
				v = k.trialElement(kid.ID, kidSlots(kid.Args, slots, nil), at[1:], t)
			} else {
				k.l.unread(kid.ID)
			}
		}
	} else if k.l.view(id) {
		v = k.define(id, slots, at, t)
	} else {
		v = k.request(id, slots, at, t)
	}
	k.elements[string(key)] = v
	return v
}

// unread keeps what an element is made of that is never in range, or is not the one that is read of an array
// literal: the rules that fuse a program may not see that, and leave it where it is read.
func (l *lowering) unread(id uint32) {
	if l.left[id] {
		return
	}
	l.left[id] = true
	if keeps(l.op(id).Sym) {
		l.node(id)
		return
	}
	for _, kid := range l.kids(id) {
		l.unread(kid.ID)
	}
}

// request is a use of a node about which nothing is decided yet.
func (k *nest) request(id uint32, slots, at []*kernel.Value, t kernel.Conditions) *kernel.Value {
	v := &kernel.Value{Kind: kernel.Hole, Elem: k.l.typ(id).Elem, Range: ops.AnyInt}
	vars := k.l.store.Vars(term.Term{ID: id})
	known := v.Elem == types.I
	for i, x := range slots {
		n, _ := vars[i].Size.Const()
		known = known && kernel.FitsAxis(x, int(n))
	}
	if known {
		v.Range = k.l.store.Range(term.Term{ID: id}).Join(ops.Range{})
	}
	for _, vs := range [][]*kernel.Value{slots, at, t} {
		for _, x := range vs {
			v.Level = max(v.Level, x.Level)
		}
	}
	k.b.Atom(v)
	n := k.l.node(id)
	n.requests = append(n.requests, &request{k, v, slots, at, t})
	return v
}

// define computes an element of a node from elements of its children.
func (k *nest) define(id uint32, slots, at []*kernel.Value, t kernel.Conditions) *kernel.Value {
	l := k.l
	op, kids := l.op(id), l.kids(id)
	kid := func(i int, bound, at []*kernel.Value, t kernel.Conditions) *kernel.Value {
		return k.trialElement(kids[i].ID, kidSlots(kids[i].Args, slots, bound), at, t)
	}
	switch op.Sym {
	case ops.SymIvar:
		return k.b.Guarded(t, slots[0])
	case ops.SymVar:
		return k.trialFetch(l.inputs[op.Name], at, t)
	case ops.SymConst:
		if op.Const.Data == nil {
			return k.b.Guarded(t, k.b.Lit(op.Const.Fill))
		}
		return k.trialFetch(l.literal(id, op), at, t)
	case ops.SymIota:
		return k.b.Guarded(t, at[0])
	case ops.SymIndex, ops.SymGather:
		n := len(op.Sizes)
		ix := make([]*kernel.Value, 0, len(kids)-1+len(at)-n)
		for i := range kids[1:] {
			ix = append(ix, kid(i+1, at[:n], nil, nil))
		}
		t = t.And(k.b.InRange(ix, l.shape(kids[0].ID)))
		return kid(0, nil, append(ix, at[n:]...), t)
	case ops.SymReplicate:
		return kid(0, nil, at[1:], t)
	case ops.SymTr, ops.SymReshape:
		return kid(0, nil, k.below(id, at), t)
	case ops.SymBuild:
		return kid(0, at[:1], at[1:], t)
	case ops.SymCond:
		b := kid(0, nil, nil, nil)
		return k.b.Op(ops.Op{Sym: ops.SymWhere}, l.typ(id).Elem, b, kid(1, nil, at, t), kid(2, nil, at, t))
	}
	// An elementwise operator: of zeros it is zero, or it is tested itself.
	inner := t
	if !l.store.Signature().Operator(op.Sym).ZeroKeeping {
		inner = nil
	}
	args := slice.Make(len(kids), func(i int) *kernel.Value { return kid(i, nil, at, inner) })
	v := k.b.Op(op, l.typ(id).Elem, args...)
	if inner == nil {
		v = k.b.Guarded(t, v)
	}
	return v
}
