package theory

import (
	"fmt"
	"maps"
	"math/big"
	"slices"

	"egad/diag"
	"egad/egraph"
	"egad/egraph/proof"
	"egad/rules/syntax"
)

// fold says how an operator computes with constants.
type fold struct {
	arity   int
	fn      func(a []*big.Rat) (*big.Rat, bool)
	test    func(a []*big.Rat) bool // of a comparison
	yes, no *Operator               // what a comparison gives
}

// maxBits bounds the numerator and the denominator of a folded number; beyond it
// a term stays as it is.
const maxBits = 4096

func two(f func(z, a, b *big.Rat) *big.Rat) *fold {
	return &fold{arity: 2, fn: func(a []*big.Rat) (*big.Rat, bool) { return f(new(big.Rat), a[0], a[1]), true }}
}

func compare(f func(int) bool) *fold {
	return &fold{arity: 2, test: func(a []*big.Rat) bool { return f(a[0].Cmp(a[1])) }}
}

// folds are the operations that are known, exact ones on rational numbers.
var folds = map[string]*fold{
	"+":   two((*big.Rat).Add),
	"-":   two((*big.Rat).Sub),
	"*":   two((*big.Rat).Mul),
	"/":   {arity: 2, fn: quotient},
	"neg": {arity: 1, fn: func(a []*big.Rat) (*big.Rat, bool) { return new(big.Rat).Neg(a[0]), true }},
	"^":   {arity: 2, fn: power},
	"==":  compare(func(d int) bool { return d == 0 }),
	"<":   compare(func(d int) bool { return d < 0 }),
	"<=":  compare(func(d int) bool { return d <= 0 }),
}

// quotient has no value if the divisor is 0.
func quotient(a []*big.Rat) (*big.Rat, bool) {
	if a[1].Sign() == 0 {
		return nil, false
	}
	return new(big.Rat).Quo(a[0], a[1]), true
}

// power has no value if the exponent is not an integer or the result is large;
// 0 has no power 0 or less.
func power(a []*big.Rat) (*big.Rat, bool) {
	base, e := a[0], a[1]
	if !e.IsInt() || !e.Num().IsInt64() || base.Sign() == 0 && e.Sign() <= 0 {
		return nil, false
	}
	n := e.Num().Int64()
	bits := int64(max(base.Num().BitLen(), base.Denom().BitLen()))
	if n < -maxBits || n > maxBits || max(n, -n)*(bits-1) > maxBits {
		return nil, false
	}
	exp := big.NewInt(max(n, -n))
	num, den := new(big.Int).Exp(base.Num(), exp, nil), new(big.Int).Exp(base.Denom(), exp, nil)
	if n < 0 {
		num, den = den, num
	}
	return new(big.Rat).SetFrac(num, den), true
}

func (c *checker) fold(d *syntax.Fold) {
	for _, w := range d.Ops {
		o := c.t.operators[w.Text]
		if o == nil {
			c.add(w.Pos, "there is no operator %s%s", w.Text, diag.DidYouMean(w.Text, slices.Sorted(maps.Keys(c.t.operators))))
			continue
		}
		as := w
		if d.As != nil {
			as = *d.As
		}
		f := folds[as.Text]
		if f == nil {
			c.add(as.Pos, "there is no operation %s on numbers%s; the operations are %s", as.Text, diag.DidYouMean(as.Text, slices.Sorted(maps.Keys(folds))), slices.Sorted(maps.Keys(folds)))
			continue
		}
		if !c.foldable(w, o, f) {
			continue
		}
		f = &fold{fn: f.fn, test: f.test}
		if f.test != nil {
			if d.Truth == nil {
				c.add(as.Pos, "say what the comparison gives: fold %s gives true false", w.Text)
				continue
			}
			f.yes, f.no = c.outcome(d.Truth[0], o), c.outcome(d.Truth[1], o)
		} else if !o.Sort.Numbers && o.Sort != unknownSort {
			c.add(w.Pos, "the sort %s has no numbers", sortName(o.Sort))
		}
		o.fold = f
		c.t.columns = true
	}
}

// foldable reports whether an operator has the operands of an operation.
func (c *checker) foldable(w syntax.Name, o *Operator, f *fold) bool {
	if len(o.Operands) != f.arity || len(o.binders) > 0 {
		c.add(w.Pos, "the operation has %s without binders, and %s has not", count(f.arity, "operand"), w.Text)
		return false
	}
	for _, a := range o.Operands {
		if !a.Sort.Numbers && a.Sort != unknownSort {
			c.add(w.Pos, "%s is computed with numbers, and the sort %s has none", w.Text, sortName(a.Sort))
			return false
		}
	}
	return true
}

// outcome is a symbol that a comparison gives.
func (c *checker) outcome(w syntax.Name, of *Operator) *Operator {
	o := c.t.operators[w.Text]
	if o == nil || !o.Symbol || o.Sort != of.Sort {
		c.add(w.Pos, "%s is not a symbol of the sort %s", w.Text, sortName(of.Sort))
		return nil
	}
	c.t.constant(o)
	return o
}

// folding is the analysis that follows constants: the fact about a class is 1 +
// the place of the constant that it equals, 0 if none is known.
type folding struct {
	t      *Theory
	column *egraph.Column[int]
	args   []*big.Rat       // a buffer
	done   map[folded]int   // facts that have been computed
	busy   []egraph.ClassID // classes that get their constants now
}

// folded is an operator, and the facts about up to two children.
type folded struct {
	op   egraph.Op
	kids [2]int
}

// MakeOp computes with exact numbers.
func (f *folding) MakeOp(c *egraph.Column[int], op egraph.Op, kids []egraph.ClassID) int {
	o := f.t.byOp[op]
	if o.constant > 0 || o.fold == nil {
		return o.constant
	}
	key := folded{op: op}
	for k, id := range kids {
		if key.kids[k] = c.Get(id); key.kids[k] == 0 {
			return 0
		}
	}
	out, ok := f.done[key]
	if !ok {
		out = f.compute(o, key.kids[:len(kids)])
		if f.done == nil {
			f.done = make(map[folded]int)
		}
		f.done[key] = out
	}
	return out
}

func (f *folding) compute(o *Operator, kids []int) int {
	f.args = f.args[:0]
	for _, x := range kids {
		if f.t.constants[x-1].Number == nil {
			return 0
		}
		f.args = append(f.args, f.t.constants[x-1].Number)
	}
	if c := f.t.folded(o, f.args); c != nil {
		return c.constant
	}
	return 0
}

// folded is what an operator gives for numbers, nil if it has no value.
func (t *Theory) folded(o *Operator, args []*big.Rat) *Operator {
	switch {
	case o.fold.test == nil:
		v, ok := o.fold.fn(args)
		if !ok || v.Num().BitLen() > maxBits || v.Denom().BitLen() > maxBits {
			return nil
		}
		return t.literal(o.Sort, v)
	case o.fold.test(args):
		return o.fold.yes
	}
	return o.fold.no
}

// Merge finds that two constants are said to be equal.
func (f *folding) Merge(a, b int) (int, error) {
	switch {
	case a == 0 || a == b:
		return b, nil
	case b == 0:
		return a, nil
	}
	names := []string{f.t.constants[a-1].Name, f.t.constants[b-1].Name}
	slices.Sort(names)
	return a, fmt.Errorf("%s = %s", names[0], names[1])
}

// Equal reports whether two facts are the same.
func (f *folding) Equal(a, b int) bool { return a == b }

// Modify adds the constant to the class.
func (f *folding) Modify(g *egraph.Graph, class egraph.Ref, d int) {
	if d == 0 {
		return
	}
	constant := f.t.constants[d-1].op
	log := proof.Of(g)
	if log == nil {
		g.Union(class, g.Add(constant, nil, nil, nil))
		return
	}
	// A proof needs the term that was computed, with the constants of its children,
	// which may have to be united with theirs before.
	if id := g.Find(class.ID); !slices.Contains(f.busy, id) {
		f.busy = append(f.busy, id)
		defer func() { f.busy = f.busy[:len(f.busy)-1] }()
	}
	var nodes []egraph.Node
	g.Nodes(class, func(n egraph.Node) bool {
		if o := f.t.byOp[n.Op]; o.fold != nil && f.column.Of(n) == d {
			nodes = append(nodes, n)
		}
		return true
	})
	for _, n := range nodes {
		if u := f.computed(g, n); u != nil {
			log.EquateNode(n, class, u, &egraph.Tree{Op: constant}, Folded) // the terms are well formed
			return
		}
	}
	if g.Err() != nil {
		return // facts may be about other terms than those that are there
	}
	// The class has been merged with the constant's.
	g.Union(class, g.Add(constant, nil, nil, nil))
}

// computed is a node with the constants that its children equal, nil if they do not
// equal them yet.
func (f *folding) computed(g *egraph.Graph, n egraph.Node) *egraph.Tree {
	u := &egraph.Tree{Op: n.Op}
	for _, k := range n.Kids {
		d := f.column.Get(k.ID)
		if d == 0 {
			return nil
		}
		c := f.t.constants[d-1].op
		if !f.united(g, k, c) && !slices.Contains(f.busy, g.Find(k.ID)) {
			f.Modify(g, k, d)
		}
		if !f.united(g, k, c) {
			return nil
		}
		u.Kids = append(u.Kids, &egraph.Tree{Op: c})
	}
	return u
}

func (f *folding) united(g *egraph.Graph, k egraph.Ref, c egraph.Op) bool {
	r, ok := g.Lookup(c, nil, nil, nil)
	return ok && g.Same(r, k)
}
