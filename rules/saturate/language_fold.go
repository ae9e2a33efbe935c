package saturate

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"

	"egad/egraph"
	"egad/rules"
)

// folding is the analysis that follows constants: the fact about a class is 1 + the
// operator of the constant that it equals, 0 if none is known.
type folding struct {
	l      *Language
	column *egraph.Column[int]
	facts  []int // a buffer, as args is
	args   []*big.Rat
	done   map[foldedKey]int // facts that have been computed
}

// foldedKey is an operator, and the facts about its children, the first two by themselves.
type foldedKey struct {
	op   egraph.Op
	kids [2]int
	more string
}

// MakeOp computes with exact numbers.
func (f *folding) MakeOp(c *egraph.Column[int], op egraph.Op, kids []egraph.ClassID) int {
	o := f.l.info(op)
	switch {
	case o.constant:
		return 1 + int(op)
	case o.fold == nil:
		return 0
	}
	key := foldedKey{op: op}
	f.facts = f.facts[:0]
	for k, id := range kids {
		d := c.Get(id)
		if d == 0 {
			return 0
		}
		if f.facts = append(f.facts, d); k < len(key.kids) {
			key.kids[k] = d
		} else {
			key.more += strconv.Itoa(d) + ","
		}
	}
	out, ok := f.done[key]
	if !ok {
		out = f.compute(op, f.facts)
		if f.done == nil {
			f.done = make(map[foldedKey]int)
		}
		f.done[key] = out
	}
	return out
}

func (f *folding) compute(op egraph.Op, kids []int) int {
	f.args = f.args[:0]
	for _, x := range kids {
		n := f.l.ops[x-1].number
		if n == nil {
			return 0
		}
		f.args = append(f.args, n)
	}
	if c, ok := f.l.folded(op, f.args); ok {
		return 1 + int(c)
	}
	return 0
}

// folded is what an operator gives for numbers; it is false if that has no value.
func (l *Language) folded(op egraph.Op, args []*big.Rat) (egraph.Op, bool) {
	o := l.info(op)
	v, holds, ok := o.fold.Compute(l.lang.terms[op], args)
	switch {
	case !ok:
		return 0, false
	case o.fold.Compares() && holds:
		return o.yes, true
	case o.fold.Compares():
		return o.no, true
	case v.Num().BitLen() > rules.MaxFoldedBits || v.Denom().BitLen() > rules.MaxFoldedBits:
		return 0, false
	}
	c, err := l.number(l.Signature.Operator(o.fold.Sym).Sorted.Result, v)
	if err != nil {
		panic(err) // there are 2^28 operators
	}
	return c, true
}

// Merge finds that two constants are said to be equal.
func (f *folding) Merge(a, b int) (int, error) {
	switch {
	case a == 0 || a == b:
		return b, nil
	case b == 0:
		return a, nil
	}
	names := []string{f.l.ops[a-1].name, f.l.ops[b-1].name}
	slices.Sort(names)
	return a, fmt.Errorf("%s = %s", names[0], names[1])
}

// Equal reports whether two facts are the same.
func (f *folding) Equal(a, b int) bool { return a == b }

// Modify adds the constant to the class. A proof needs to know of what it was computed: one
// of the e-nodes does not rest on the constant of the class itself.
func (f *folding) Modify(e *egraph.Graph, class egraph.Ref, d int) {
	if d == 0 {
		return
	}
	constant := egraph.Op(d - 1)
	if c := e.Owner.(*Graph).record; c != nil {
		e.Nodes(class, func(n egraph.Node) bool {
			if f.l.info(n.Op).fold != nil && f.column.Of(n) == d {
				x := folded{after: c.history.Count(), op: n.Op, is: constant}
				for _, k := range n.Kids {
					x.kids = append(x.kids, egraph.Op(f.column.Get(k.ID)-1))
				}
				c.folded = append(c.folded, x)
			}
			return true
		})
	}
	e.Union(class, e.Add(constant, nil, nil, nil))
}
