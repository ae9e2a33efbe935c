package lower

import (
	"cmp"
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// sent is a scatter into an array; args are its index variables among those of the
// array.
type sent struct {
	id   uint32
	args []slot.Pos
}

// sum lists the scatters of which a node is the sum, from the last to the first, if
// what they send may be added to one array, one scatter after the other. That has
// the same bits if none but the first sends two elements to one place, as no element
// of a scatter is -0. There are none if another node uses one of them.
func (g *graph) sum(id uint32) []sent {
	if g.op(id).Sym != ops.SymAdd || g.typ(id).Elem != types.R {
		return nil
	}
	s := g.whole(id)
	var out []sent
	for g.op(s.id).Sym == ops.SymAdd {
		kids := slices.Clone(g.kids(s.id))
		if g.injective(kids[0].ID) {
			slices.Reverse(kids)
		}
		if !g.injective(kids[1].ID) || !g.summand(s, kids[0]) || !g.summand(s, kids[1]) {
			return nil
		}
		out = append(out, s.of(kids[1]))
		s = s.of(kids[0])
	}
	return append(out, s)
}

// whole is a node by itself.
func (g *graph) whole(id uint32) sent {
	s := sent{id, make([]slot.Pos, len(g.store.Vars(term.Term{ID: id})))}
	for i := range s.args {
		s.args[i] = slot.Pos(i)
	}
	return s
}

// of is an operand of a node.
func (s sent) of(kid slot.Kid) sent {
	args := slice.Map(kid.Args, func(p slot.Pos) slot.Pos { return s.args[p] })
	return sent{kid.ID, args}
}

// summand reports whether an operand of a sum is a scatter or a sum, depends on what
// the sum depends on, and is used nowhere else.
func (g *graph) summand(s sent, kid slot.Kid) bool {
	sym := g.op(kid.ID).Sym
	return (sym == ops.SymScatter || sym == ops.SymAdd) && len(kid.Args) == len(s.args) && (g.uses == nil || g.uses[kid.ID] == 1)
}

// injective reports whether a node is a scatter that sends no two elements to one place. Then each index variable is told
// by an index, beside those that are told before: of [i - s, j + 64 * s] for j < 64 first j and s, and then i.
func (g *graph) injective(id uint32) bool {
	op := g.op(id)
	if op.Sym != ops.SymScatter {
		return false
	}
	ranges := constShape(op.Sizes)
	told := slice.Map(ranges, func(n int) bool { return n <= 1 })
	var rows [][]int64 // the multiples of the variables in each index that is a sum of such
	for _, at := range g.kids(id)[1:] {
		variables := slice.Map(at.Args, func(p slot.Pos) int {
			if p&slot.Bound == 0 {
				return -1
			}
			return int(p &^ slot.Bound)
		})
		if row := make([]int64, len(ranges)); g.multiples(at.ID, variables, 1, row) {
			rows = append(rows, row)
		}
	}
	for again := true; again; {
		again = false
		rows = slices.DeleteFunc(rows, func(row []int64) bool {
			tells := apart(row, ranges, told)
			again = again || tells
			return tells
		})
	}
	return !slices.Contains(told, false)
}

// apart reports whether a sum of multiples of variables tells those that are not told yet: each multiple is more than all
// smaller ones come to together, as those of digits are. They are told then.
func apart(row []int64, ranges []int, told []bool) bool {
	var left []int
	for i, c := range row {
		if c != 0 && !told[i] {
			left = append(left, i)
		}
	}
	slices.SortFunc(left, func(i, j int) int { return cmp.Compare(max(row[i], -row[i]), max(row[j], -row[j])) })
	most := int64(0)
	for _, i := range left {
		by := max(row[i], -row[i])
		if by <= most {
			return false
		}
		most += by * int64(ranges[i]-1)
	}
	for _, i := range left {
		told[i] = true
	}
	return true
}

// scatterOrder is the order of the loops of a scatter: any, if no place is added to twice.
func (g *graph) scatterOrder(id uint32) kernel.Order {
	if g.injective(id) {
		return kernel.Parallel
	}
	return kernel.InOrder
}

// maxStride bounds the multiples of indices that are known to be as many integers as these.
const maxStride = 1 << 20

// multiples adds those of index variables to a row, times what an integer is multiplied by, and reports whether
// the integer is the sum of them and of what depends on none. Of each slot there is the number of the variable, or -1.
func (g *graph) multiples(id uint32, variables []int, times int64, row []int64) bool {
	if !slices.ContainsFunc(variables, func(i int) bool { return i >= 0 }) {
		return true
	}
	below := func(kid slot.Kid, times int64) bool {
		return g.multiples(kid.ID, slice.Map(kid.Args, func(p slot.Pos) int { return variables[p] }), times, row)
	}
	switch kids := g.kids(id); g.op(id).Sym {
	case ops.SymIvar:
		i := variables[0]
		row[i] += times
		return -maxStride <= row[i] && row[i] <= maxStride
	case ops.SymMul:
		for i, kid := range kids {
			if by := g.op(kid.ID); by.Sym == ops.SymConst && -maxStride <= by.Const.Fill.Int && by.Const.Fill.Int <= maxStride {
				times *= by.Const.Fill.Int
				return -maxStride <= times && times <= maxStride && below(kids[1-i], times)
			}
		}
	case ops.SymAdd:
		return below(kids[0], times) && below(kids[1], times)
	case ops.SymSub:
		return below(kids[0], times) && below(kids[1], -times)
	case ops.SymNeg:
		return below(kids[0], -times)
	}
	return false
}

// count counts by how many others each node below one is used.
func (l *lowering) count(id uint32) {
	for _, kid := range l.kids(id) {
		if l.uses[kid.ID]++; l.uses[kid.ID] == 1 {
			l.count(kid.ID)
		}
	}
}

// scatter makes the kernel of a scatter into an array with axes for outer, which shows it
// by views.
func (l *lowering) scatter(a *kernel.Array, outer []int, s sent, views []uint32) {
	k, at := l.nest(a, s.id, outer)
	k.scatter(at.sent(s))
	k.target = l.up(k.b, views, k.target)
}
