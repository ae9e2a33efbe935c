package match

import (
	"slices"

	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// digits are the numbers below a size by their digits, in rows of as many as the last digit has
// values: digits 6 2 is [[0, 1], [2, 3], [4, 5]]. They have no value if the last row is not full.
func (b *builder) digits(ks []size.Size) slot.Ref {
	k, known := ks[0].Const()
	c, also := ks[1].Const()
	if !known || !also || c == 0 || k%c != 0 {
		b.noValue("the last row is not full")
	}
	iota := b.make(ops.Op{Sym: ops.SymIota, Sizes: ks[:1]}, nil, nil, nil)
	return b.make(ops.Op{Sym: ops.SymReshape, Sizes: []size.Size{size.Const(k / c), ks[1]}}, nil, nil, []slot.Ref{iota})
}

// divisor is the least number by which a term divides an index variable, as in i div 3 and i mod 3.
// There is no value unless it takes the range of the variable apart, all that the term divides it
// by are multiples of it, there are quotients and remainders, and the variable stands in no other
// sum that is not divided: x[i - 1] is best read along i. Nor if a sum that is divided is kept within
// bounds: max 0 ((i - 1) div 2) is no sum of the digits.
//
// A term that equals t by the rules about digits divides by the same numbers: (a * 3 + b) div 6 divides
// a by 2.
func (b *builder) divisor(i *Variable, t slot.Ref) size.Size {
	k, known := i.Sizes[0].Const()
	if !known {
		b.noValue("a size that is not known")
	}
	if !b.space.Uses(ops.SymIdiv) || !b.space.Uses(ops.SymMod) {
		b.noValue("nothing is divided")
	}
	d := &divisions{b: b, of: i.Index, ops: make(map[ops.Sym]bool), seen: make(map[visit]bool)}
	d.walk(t)
	if d.inSum || !d.ops[ops.SymIdiv] || !d.ops[ops.SymMod] {
		b.noValue("the variable is not divided")
	}
	least := slices.Min(d.by)
	if least >= k || k%least != 0 || slices.ContainsFunc(d.by, func(c int64) bool { return c%least != 0 }) {
		b.noValue("the variable is not divided by multiples of one number")
	}
	return size.Const(least)
}

// divisions looks for those of an index variable in a term.
type divisions struct {
	b     *builder
	of    slot.Name
	by    []int64
	ops   map[ops.Sym]bool // that divide it
	inSum bool
	bound bool // what is walked through is an operand of max or min of integers
	seen  map[visit]bool
}

// visit is a term, with the place of the variable among those that it mentions.
type visit struct {
	id    uint32
	at    int
	bound bool
	op    ops.Sym // that divides it, by a number
	by    int64
}

func (d *divisions) walk(r slot.Ref) {
	if d.visit(r, ops.SymNone, 0) {
		d.b.space.Nodes(r, func(v term.View) bool {
			d.node(r, v)
			return true
		})
	}
}

// visit reports whether a term mentions the variable, and has not been visited like this.
func (d *divisions) visit(r slot.Ref, op ops.Sym, by int64) bool {
	v := visit{r.ID, slices.Index(r.Args, d.of), d.bound, op, by}
	if v.at < 0 || d.seen[v] {
		return false
	}
	d.seen[v] = true
	return true
}

// node walks through one way to make a term.
func (d *divisions) node(r slot.Ref, v term.View) {
	kids := v.Kids
	switch v.Op.Sym {
	case ops.SymIdiv, ops.SymMod:
		if c, ok := d.b.wholeNumber(kids[1]); ok && c > 0 {
			d.divided(v.Op.Sym, kids[0], c)
			return
		}
	case ops.SymAdd, ops.SymSub:
		d.inSum = d.inSum || d.isIndex(kids[0]) || d.isIndex(kids[1])
	case ops.SymMax, ops.SymMin:
		around := d.bound
		defer func() { d.bound = around }()
		d.bound = d.b.space.Type(r).IsScalar(types.I)
	}
	for _, kid := range kids {
		d.walk(kid)
	}
}

// divided walks through what is divided by a number, digit by digit.
func (d *divisions) divided(op ops.Sym, r slot.Ref, by int64) {
	if d.isIndex(r) {
		if by > 1 {
			d.by, d.ops[op] = append(d.by, by), true
		}
		return
	}
	x, y, c, ok := d.digits(r)
	switch {
	case !ok || by%c != 0:
		d.summed(op, r, by)
	case op == ops.SymIdiv:
		d.divided(op, x, by/c)
	case by == c:
		d.walk(y)
	default:
		d.inSum = d.inSum || d.isIndex(y)
		d.divided(op, x, by/c)
		d.walk(y)
	}
}

// summed walks through a sum that is divided by a number: a variable in it is, too.
func (d *divisions) summed(op ops.Sym, r slot.Ref, by int64) {
	if !d.visit(r, op, by) {
		return
	}
	d.b.space.Nodes(r, func(v term.View) bool {
		if v.Op.Sym != ops.SymAdd && v.Op.Sym != ops.SymSub {
			d.node(r, v)
			return true
		}
		for _, kid := range v.Kids {
			if d.isIndex(kid) {
				d.inSum = d.inSum || d.bound
				d.divided(op, kid, by)
			} else {
				d.summed(op, kid, by)
			}
		}
		return true
	})
}

// digits takes x * c + y apart, where y is a digit.
func (d *divisions) digits(r slot.Ref) (x, y slot.Ref, c int64, ok bool) {
	d.b.space.Nodes(r, func(v term.View) bool {
		if v.Op.Sym != ops.SymAdd {
			return true
		}
		for i, kid := range v.Kids {
			y = v.Kids[1-i]
			d.b.space.Nodes(kid, func(w term.View) bool {
				for j := 0; w.Op.Sym == ops.SymMul && j < 2 && !ok; j++ {
					if c, ok = d.b.wholeNumber(w.Kids[j]); ok {
						r := d.b.space.Bounds(y).Int
						x, ok = w.Kids[1-j], c > 0 && r.Lo >= 0 && r.Hi < c
					}
				}
				return !ok
			})
			if ok {
				return false
			}
		}
		return true
	})
	return x, y, c, ok
}

// isIndex reports whether a term is the index variable.
func (d *divisions) isIndex(r slot.Ref) (is bool) {
	if len(r.Args) == 1 && r.Args[0] == d.of {
		d.b.space.Nodes(r, func(v term.View) bool {
			is = v.Op.Sym == ops.SymIvar
			return !is
		})
	}
	return is
}

// wholeNumber is the number that an integer is known to be.
func (b *builder) wholeNumber(r slot.Ref) (n int64, known bool) {
	x := b.space.Bounds(r).Int
	return x.Lo, x.Lo == x.Hi
}
