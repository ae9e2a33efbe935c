package rules

import (
	"slices"

	"egad/slot"
	"egad/term"
)

// digits are the numbers below a size by their digits, in rows of as many as the last digit has
// values: digits 6 2 is [[0, 1], [2, 3], [4, 5]]. They have no value if the last row is not full.
func (b *builder) digits(ks []term.Size) slot.Ref {
	k, known := ks[0].Const()
	c, also := ks[1].Const()
	if !known || !also || c == 0 || k%c != 0 {
		b.noValue("the last row is not full")
	}
	iota := b.make(term.Op{Sym: term.SymIota, Sizes: ks[:1]}, nil, nil, nil)
	return b.make(term.Op{Sym: term.SymReshape, Sizes: []term.Size{term.SizeConst(k / c), ks[1]}}, nil, nil, []slot.Ref{iota})
}

// division is one of an index variable by a number: i div 3 or i mod 3.
type division struct {
	op term.Sym
	by int64
}

// divisor is the number to take an index variable apart by. Among those that a term divides it
// by, and that divide the size of its range, it is the one of which most divisions are by a
// multiple, and the least of these: 3 of i div 9, i div 3 mod 3 and i mod 3. There is no value if
// there is none.
func (b *builder) divisor(i *Variable, t slot.Ref) term.Size {
	k, known := i.Sizes[0].Const()
	if !known {
		b.noValue("a size that is not known")
	}
	all := b.divisions(i.index, t)
	divisor, most := int64(0), 0
	for _, d := range all {
		if d.by <= 1 || d.by >= k || k%d.by != 0 {
			continue
		}
		n := 0
		for _, e := range all {
			if e.by%d.by == 0 {
				n++
			}
		}
		if n > most || n == most && d.by < divisor {
			divisor, most = d.by, n
		}
	}
	if divisor == 0 {
		b.noValue("the variable is not divided")
	}
	return term.SizeConst(divisor)
}

// divisions are those of an index variable by numbers in a term, each once.
func (b *builder) divisions(i slot.Name, t slot.Ref) (all []division) {
	type visit struct {
		id uint32
		at int
	}
	seen := make(map[visit]bool)
	var walk func(r slot.Ref)
	walk = func(r slot.Ref) {
		at := slices.Index(r.Args, i)
		if at < 0 || seen[visit{r.ID, at}] {
			return
		}
		seen[visit{r.ID, at}] = true
		b.space.Nodes(r, func(v term.View) bool {
			if (v.Op.Sym == term.SymIdiv || v.Op.Sym == term.SymMod) && b.isIndex(v.Kids[0], i) {
				d := division{v.Op.Sym, 0}
				if c := b.space.Bounds(v.Kids[1]).Int; c.Lo == c.Hi {
					d.by = c.Lo
				}
				if d.by > 0 && !slices.Contains(all, d) {
					all = append(all, d)
				}
			}
			for _, kid := range v.Kids {
				walk(kid)
			}
			return true
		})
	}
	walk(t)
	return all
}

// isIndex reports whether a term is an index variable.
func (b *builder) isIndex(r slot.Ref, i slot.Name) (is bool) {
	if len(r.Args) == 1 && r.Args[0] == i {
		b.space.Nodes(r, func(v term.View) bool {
			is = v.Op.Sym == term.SymIvar
			return !is
		})
	}
	return is
}
