package saturate

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"egad/egraph"
	"egad/internal/memo"
	"egad/term/ops"
)

// folding is the analysis that follows constants: the fact about a class is 1 + the
// operator of the constant that it equals, or 0; and above 32 bits of it the same of a symbol in it
// that means a known value, unless the constant says that.
type folding struct {
	l      *Language
	column *egraph.Column[int]
	facts  []int // a buffer, as args is
	args   []ops.Op
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
	case o.says:
		return (1 + int(op)) << 32
	case !o.folded:
		return 0
	}
	key := foldedKey{op: op}
	f.facts = f.facts[:0]
	for k, id := range kids {
		d := constantIn(c.Get(id))
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
		memo.Set(&f.done, key, out)
	}
	return out
}

func (f *folding) compute(op egraph.Op, kids []int) int {
	f.args = f.args[:0]
	for _, x := range kids {
		f.args = append(f.args, f.l.lang.terms[x-1])
	}
	v, err := f.l.Folded(f.l.lang.terms[op], f.args)
	if err != nil {
		return 0
	}
	c, err := f.l.op(v, 0)
	if err != nil {
		panic(err) // there are 2^28 operators
	}
	return 1 + int(c)
}

// constantIn is the part of a fact that is about a constant.
func constantIn(fact int) int { return fact & math.MaxUint32 }

// Merge finds that two constants are said to be equal, or symbols that mean different values.
func (f *folding) Merge(a, b int) (int, error) {
	for _, x := range []int{constantIn(a), a >> 32} {
		for _, y := range []int{constantIn(b), b >> 32} {
			if x > 0 && y > 0 && f.l.Contradict(f.l.lang.terms[x-1], f.l.lang.terms[y-1]) {
				names := []string{f.l.called(f.l.lang.terms[x-1]), f.l.called(f.l.lang.terms[y-1])}
				slices.Sort(names)
				return a, fmt.Errorf("%s = %s", names[0], names[1])
			}
		}
	}
	is, means := max(constantIn(a), constantIn(b)), min(a>>32, b>>32)
	switch {
	case is > 0 && f.l.ops[is-1].valued:
		return is, nil
	case means == 0:
		means = max(a>>32, b>>32)
	}
	return means<<32 | is, nil
}

// Equal reports whether two facts are the same.
func (f *folding) Equal(a, b int) bool { return a == b }

// Modify adds the constant to the class. A proof needs to know of what it was computed: one
// of the e-nodes does not rest on the constant of the class itself.
func (f *folding) Modify(e *egraph.Graph, class egraph.Ref, d int) {
	if d = constantIn(d); d == 0 {
		return
	}
	constant := egraph.Op(d - 1)
	if c := e.Owner.(*Graph).record; c != nil {
		e.Nodes(class, func(n egraph.Node) bool {
			if f.l.info(n.Op).folded && f.column.Of(n) == d {
				x := folded{after: c.history.Count(), op: n.Op, is: constant}
				for _, k := range n.Kids {
					x.kids = append(x.kids, egraph.Op(constantIn(f.column.Get(k.ID))-1))
				}
				c.folded = append(c.folded, x)
			}
			return true
		})
	}
	e.Union(class, e.Add(constant, nil, nil, nil))
}
