package kernel

import (
	"fmt"
	"slices"

	"egad/internal/slice"
	"egad/term/ops"
)

// maxBlockParts is of how many parts a loop of blocks is made at most, sumShare which share
// of its time it may take to add up the sums of all parts, and maxSums how many bytes these may
// have.
const (
	maxBlockParts = 16
	sumShare      = 1.0 / 32
	maxSums       = 1 << 24
)

// blockParts are the kernels that do what k, a kernel of p, does, whose statement number at is
// a loop of blocks, or one in order: one that does the blocks in parts, each with sums of its own in new
// arrays of to, and one that adds these up and does what is left; or k alone, where that does not pay
// or where blocks do more than fill rows, and arrays of one block, and add to sums.
func (k *Kernel) blockParts(p, to *Program, at, threads int) []*Kernel {
	l, w := k.Body[at].(*Loop), p.costs()
	time := k.time(w)
	sums, private, ok := p.apart(k, l)
	most, size := min(maxBlockParts, l.N), slice.Sum(sums, blockSum.Len)
	for most > 1 && (w.sums(most*size) > time*sumShare || 8*most*size > maxSums) {
		most--
	}
	if !ok || most < 2 || time < w.of[costParts] {
		return []*Kernel{k}
	}
	n := evenParts(l.N, most)
	blocks := l.N / n
	part, block := NewBuilder(nil).Variable(n, 1), NewBuilder(nil).Variable(blocks, 2)
	c := l.replacer(linearOf(0, []int64{int64(blocks), 1}, []*Value{part, block}))
	c.part, c.sums = part, make(map[*Array]*Array)
	var rest []Stmt
	for _, s := range sums {
		a := &Array{Name: "parts of " + s.Array.Name, Elem: s.Array.Elem, Shape: append([]int{n}, s.Array.Shape...), Role: Temp, Range: s.Array.Range}
		to.Arrays = append(to.Arrays, a)
		c.sums[s.Array] = a
		rest = append(rest, s.joined(a)...)
	}
	inner := c.loop(l)
	inner.Var, inner.N = block, blocks
	outer := &Loop{Name: "part", Var: part, N: n, Order: Parts, Body: []Stmt{inner}}
	if threads > 1 {
		outer.Private = private
	}
	if left := l.N % n; left > 0 {
		d := NewBuilder(nil).Variable(left, 1)
		rest = append(rest, l.at(linearOf(int64(l.N-left), []int64{1}, []*Value{d}), d, left))
	}
	lets := k.Body[:at]
	return []*Kernel{{Body: slices.Concat(lets, []Stmt{outer})}, {Body: slices.Concat(lets, rest, k.Body[at+1:])}}
}

// evenParts is of how many parts, at most, a loop of n runs is best made, so that 2, 4 or 8
// goroutines have about equally much to do. The runs that are left are done after all parts.
func evenParts(n, most int) int {
	best, least := most, 0.0
	for parts := most; parts > most/2; parts-- {
		time := 0.0
		for _, goroutines := range []int{2, 4, 8} {
			time += float64(goroutines * ((parts+goroutines-1)/goroutines*(n/parts) + n%parts))
		}
		if parts == most || time < least {
			best, least = parts, time
		}
	}
	return best
}

// blockSum is an array to which each run of a loop of blocks adds.
type blockSum struct {
	*Array
	op ops.Sym
}

// sums is the time that it takes to fill n sums with zeros, to go on with what is there, and to
// read them again.
func (w *Weights) sums(n int) float64 { return 3 * w.memory(float64(n)) }

// apart tells the arrays to which a loop of blocks stores apart, if its runs can go at the
// same time: rows, of which each block has its own, those that each run fills before it reads
// them, and sums.
func (p *Program) apart(k *Kernel, l *Loop) (sums []blockSum, private []*Array, ok bool) {
	run := &Kernel{Body: l.Body}
	for _, a := range run.Writes() {
		others := slices.ContainsFunc(p.Kernels, func(o *Kernel) bool { return o != k && slices.Contains(o.Writes(), a) })
		read := slices.Contains(p.Result.Arrays(), a) || slices.ContainsFunc(p.Kernels, func(o *Kernel) bool { return o != k && slices.Contains(o.Reads(), a) })
		switch op := l.addsTo(a); {
		case l.ownRows(a):
		case !others && !read && a.filled([]*Kernel{run}):
			private = append(private, a)
		case !others && op != ops.SymNone:
			sums = append(sums, blockSum{a, op})
		default:
			return nil, nil, false
		}
	}
	return sums, private, true
}

// ownRows reports whether no two runs of a loop access the same row of an array, along some axis.
func (l *Loop) ownRows(a *Array) bool {
	of := make(map[*Value]int64)
	for s := range allOf[*Loop](l.Body) {
		of[s.Var] = int64(s.N)
	}
	yes := make([]bool, len(a.Shape))
	steps := make([]int64, len(a.Shape))
	for i := range yes {
		yes[i] = true
	}
	Accesses(l.Body, func(at Access) {
		if at.Array != a {
			return
		}
		for i, x := range at.At {
			f, step, most := FormOf(x), int64(0), int64(0)
			for j, v := range f.Args {
				switch n, loop := of[v]; {
				case v == l.Var:
					step = f.Coef[j]
				case !loop || f.Coef[j] < 0:
					yes[i] = false
				default:
					most += f.Coef[j] * max(0, n-1)
				}
			}
			yes[i] = yes[i] && f.Const == 0 && most < step && (steps[i] == 0 || steps[i] == step)
			steps[i] = step
		}
	})
	return slices.Contains(yes, true)
}

// addsTo is how the runs of a loop add to an array, if that is all that they do to it: by
// sums, or by folds which go on from what is there.
func (l *Loop) addsTo(a *Array) ops.Sym {
	folds, goesOn := make(map[*Value]Fold), make(map[*Value]bool)
	var syms []ops.Sym
	Walk(l.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Loop:
			for _, f := range s.Folds {
				folds[f.Result] = f
			}
		case *Store:
			op := ops.SymNone
			if f := folds[s.Value]; s.Add {
				op = ops.SymSum
			} else if f.From != nil && f.From.same(s.Access) {
				op, goesOn[f.From] = f.Op, true
			}
			if s.Array == a {
				syms = append(syms, op)
			}
		}
	})
	read := false
	for s := range allOf[*Let](l.Body) {
		if s.Value.Kind == Load && s.Value.Array == a {
			read = read || !goesOn[s.Value]
		}
	}
	if read || len(slices.Compact(syms)) != 1 {
		return ops.SymNone
	}
	return syms[0]
}

// joined adds up the sums of all parts.
func (s blockSum) joined(parts *Array) []Stmt {
	part := NewBuilder(nil).Variable(parts.Shape[0], 1)
	from := []*Value{part}
	var loops []*Loop
	for i, n := range s.Shape {
		v := NewBuilder(nil).Variable(n, 1)
		loops, from = append(loops, &Loop{Name: fmt.Sprint("e", i+1), Var: v, N: n}), append(from, v)
	}
	join := &Loop{Name: "part", Var: part, N: parts.Shape[0], Order: Folding}
	sum := join.joins(s.op, Access{Array: parts, At: from})
	body := []Stmt{join, &Store{Access: Access{Array: s.Array, At: from[1:]}, Value: sum}}
	for _, l := range slices.Backward(loops) {
		l.Body, body = body, []Stmt{l}
	}
	return body
}
