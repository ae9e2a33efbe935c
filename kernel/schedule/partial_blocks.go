package schedule

import (
	"fmt"
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/plan"
	"egad/term/ops"
)

// MaxBlockParts is of how many parts a loop of blocks is made at most, sumShare which share
// of its time it may take to add up the sums of all parts, and maxSums how many bytes these may
// have.
const (
	MaxBlockParts = 16
	sumShare      = 1.0 / 32
	maxSums       = 1 << 24
)

// blockParts are the kernels that do what k, a kernel of p, does, whose statement number at is
// a loop of blocks, or one in order: one that does the blocks in parts, each with sums of its own in new
// arrays of to, and one that adds these up and does what is left; or k alone, where that does not pay
// or where blocks do more than fill rows, and arrays of one block, and add to sums.
func blockParts(k *kernel.Kernel, p, to *kernel.Program, at, threads int) []*kernel.Kernel {
	l, w := k.Body[at].(*kernel.Loop), p.Costs()
	time := KernelTime(k, w)
	sums, private, ok := sumsApart(p, k, l)
	most, size := min(MaxBlockParts, l.N), slice.Sum(sums, blockSum.Len)
	for most > 1 && (timeOfSums(w, most*size) > time*sumShare || 8*most*size > maxSums) {
		most--
	}
	if !ok || most < 2 || time < w.Of[cost.Parts] {
		return []*kernel.Kernel{k}
	}
	n := evenParts(l.N, most)
	blocks := l.N / n
	part, block := kernel.NewBuilder(nil).Variable(n, 1), kernel.NewBuilder(nil).Variable(blocks, 2)
	c := NewReplacer(l, kernel.LinearOf(0, []int64{int64(blocks), 1}, []*kernel.Value{part, block}))
	c.part, c.sums = part, make(map[*kernel.Array]*kernel.Array)
	var rest []kernel.Stmt
	for _, s := range sums {
		a := &kernel.Array{Name: "parts of " + s.Array.Name, Elem: s.Array.Elem, Shape: append([]int{n}, s.Array.Shape...), Role: kernel.Temp, Range: s.Array.Range}
		to.Arrays = append(to.Arrays, a)
		c.sums[s.Array] = a
		rest = append(rest, s.joined(a)...)
	}
	inner := c.Loop(l)
	inner.Var, inner.N = block, blocks
	outer := &kernel.Loop{Name: "part", Var: part, N: n, Order: kernel.Parts, Body: []kernel.Stmt{inner}}
	if threads > 1 {
		outer.Private = private
	}
	if left := l.N % n; left > 0 {
		d := kernel.NewBuilder(nil).Variable(left, 1)
		rest = append(rest, loopAt(l, kernel.LinearOf(int64(l.N-left), []int64{1}, []*kernel.Value{d}), d, left))
	}
	lets := k.Body[:at]
	return []*kernel.Kernel{{Body: slices.Concat(lets, []kernel.Stmt{outer})}, {Body: slices.Concat(lets, rest, k.Body[at+1:])}}
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
	*kernel.Array
	op ops.Sym
}

// timeOfSums is the time that it takes to fill n sums with zeros, to go on with what is there, and to
// read them again.
func timeOfSums(w *cost.Weights, n int) float64 { return 3 * MemoryTime(w, float64(n)) }

// sumsApart tells the arrays to which a loop of blocks stores apart, if its runs can go at the
// same time: rows, of which each block has its own, those that each run fills before it reads
// them, and sums.
func sumsApart(p *kernel.Program, k *kernel.Kernel, l *kernel.Loop) (sums []blockSum, private []*kernel.Array, ok bool) {
	run := &kernel.Kernel{Body: l.Body}
	for _, a := range run.Writes() {
		others := slices.ContainsFunc(p.Kernels, func(o *kernel.Kernel) bool { return o != k && slices.Contains(o.Writes(), a) })
		read := slices.Contains(p.Result.Arrays(), a) || slices.ContainsFunc(p.Kernels, func(o *kernel.Kernel) bool { return o != k && slices.Contains(o.Reads(), a) })
		switch op := addsTo(l, a); {
		case ownRows(l, a):
		case !others && !read && plan.Filled(a, []*kernel.Kernel{run}):
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
func ownRows(l *kernel.Loop, a *kernel.Array) bool {
	of := make(map[*kernel.Value]int64)
	for s := range kernel.All[*kernel.Loop](l.Body) {
		of[s.Var] = int64(s.N)
	}
	yes := make([]bool, len(a.Shape))
	steps := make([]int64, len(a.Shape))
	for i := range yes {
		yes[i] = true
	}
	kernel.Accesses(l.Body, func(at kernel.Access) {
		if at.Array != a {
			return
		}
		for i, x := range at.At {
			f, step, most := kernel.FormOf(x), int64(0), int64(0)
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
func addsTo(l *kernel.Loop, a *kernel.Array) ops.Sym {
	folds, goesOn := make(map[*kernel.Value]kernel.Fold), make(map[*kernel.Value]bool)
	var syms []ops.Sym
	kernel.Walk(l.Body, func(s kernel.Stmt) {
		switch s := s.(type) {
		case *kernel.Loop:
			for _, f := range s.Folds {
				folds[f.Result] = f
			}
		case *kernel.Store:
			op := ops.SymNone
			if f := folds[s.Value]; s.Add {
				op = ops.SymSum
			} else if f.From != nil && f.From.SameAs(s.Access) {
				op, goesOn[f.From] = f.Joint(), true
			}
			if s.Array == a {
				syms = append(syms, op)
			}
		}
	})
	read := false
	for s := range kernel.All[*kernel.Let](l.Body) {
		if s.Value.Kind == kernel.Load && s.Value.Array == a {
			read = read || !goesOn[s.Value]
		}
	}
	if read || len(slices.Compact(syms)) != 1 {
		return ops.SymNone
	}
	return syms[0]
}

// joined adds up the sums of all parts.
func (s blockSum) joined(parts *kernel.Array) []kernel.Stmt {
	part := kernel.NewBuilder(nil).Variable(parts.Shape[0], 1)
	from := []*kernel.Value{part}
	var loops []*kernel.Loop
	for i, n := range s.Shape {
		v := kernel.NewBuilder(nil).Variable(n, 1)
		loops, from = append(loops, &kernel.Loop{Name: fmt.Sprint("e", i+1), Var: v, N: n}), append(from, v)
	}
	join := &kernel.Loop{Name: "part", Var: part, N: parts.Shape[0], Order: kernel.Folding}
	sum := joins(join, s.op, kernel.Access{Array: parts, At: from})
	return kernel.Around(loops, []kernel.Stmt{join, &kernel.Store{Access: kernel.Access{Array: s.Array, At: from[1:]}, Value: sum}})
}
