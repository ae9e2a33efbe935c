package plan

import (
	"slices"

	"egad/internal/set"
	"egad/kernel"
	"egad/term/types"
)

// Plan says where the temporary arrays of a program lie, in one block of memory for
// reals and one for other elements. Arrays that are never in use at the same time
// may share it, and so may an array and what is made of it element by element.
type Plan struct {
	At          map[*kernel.Array]int // the first element
	reals, ints room
	Zeroed      [][]*kernel.Array // by kernel: the arrays that have to be zeros before it
	Spreads
}

// New plans memory for p, but for what goroutines have each of their own.
func New(p *kernel.Program) *Plan {
	last, users, private := make(map[*kernel.Array]int), make(map[*kernel.Array][]*kernel.Kernel), make(map[*kernel.Array]bool)
	for i, k := range p.Kernels {
		set.Add(private, k.Private()...)
		for _, a := range append(k.Reads(), k.Writes()...) {
			if of := users[a]; len(of) == 0 || of[len(of)-1] != k {
				users[a] = append(of, k)
			}
			last[a] = i
		}
	}
	for _, a := range p.Result.Arrays() {
		last[a] = len(p.Kernels)
	}
	pl := &Plan{At: make(map[*kernel.Array]int), Zeroed: make([][]*kernel.Array, len(p.Kernels)), Spreads: newSpreads(p)}
	var live []*kernel.Array
	dying := func(i int) []*kernel.Array {
		return slices.DeleteFunc(slices.Clone(live), func(a *kernel.Array) bool { return last[a] != i })
	}
	for i, k := range p.Kernels {
		for _, a := range k.Writes() {
			if _, started := pl.At[a]; started || private[a] || a.Role == kernel.Input {
				continue
			}
			if !Filled(a, users[a]) {
				pl.Zeroed[i] = append(pl.Zeroed[i], a)
			} else if b := inherited(k, dying(i), a); b != nil && pl.Size(a) == pl.Size(b) {
				pl.At[a] = pl.At[b]
				live[slices.Index(live, b)] = a
				continue
			}
			live = append(live, a)
			pl.At[a] = int(pl.of(a).take(pl.Size(a)))
		}
		live = slices.DeleteFunc(live, func(a *kernel.Array) bool {
			if last[a] == i {
				pl.of(a).give(gap{int64(pl.At[a]), pl.Size(a)})
			}
			return last[a] == i
		})
	}
	return pl
}

// Filled reports whether kernels, all that have to do with an array, write every element of
// it before they read or add to any: it needs no zeros.
func Filled(a *kernel.Array, by []*kernel.Kernel) bool {
	var boxes [][]gap
	left, yes := a.Len(), true
	for _, k := range by {
		if left <= 0 || !yes {
			break
		}
		if s := k.Steps; s != nil { // which makes all states but the first
			i := slices.Index(s.States, a)
			return i >= 0 && s.All[i] && left == a.Len()/(s.N+1)*s.N
		}
		loops := make(map[*kernel.Value]int)
		kernel.Walk(k.Body, func(s kernel.Stmt) {
			switch s := s.(type) {
			case *kernel.Loop:
				loops[s.Var] = s.N
			case *kernel.Let:
				if v := s.Value; v.Kind == kernel.Load && v.Array == a && left > 0 {
					box, _, ok := box(v.Access, loops)
					yes = yes && ok && !v.Checked && slices.ContainsFunc(boxes, func(b []gap) bool { return within(box, b) })
				}
			case *kernel.Store:
				if s.Array != a || left <= 0 {
					return
				}
				box, n, ok := box(s.Access, loops)
				switch {
				case !ok || s.Add || s.Checked:
					yes = false
				case slices.ContainsFunc(boxes, func(b []gap) bool { return within(box, b) }): // stored again
				case slices.ContainsFunc(boxes, func(b []gap) bool { return overlap(b, box) }):
					yes = false
				default:
					boxes = append(boxes, box)
					left -= n
				}
			case *kernel.Call:
				yes = false
			}
		})
	}
	return yes && left == 0
}

// box is the part of its array that an access in loops goes to, an interval for each axis, and
// how many elements it has, if that shows.
func box(a kernel.Access, loops map[*kernel.Value]int) (box []gap, n int, ok bool) {
	n, ok = 1, true
	seen := make(map[*kernel.Value]bool)
	for _, x := range a.At {
		f := kernel.FormOf(x)
		g := gap{f.Const, 1}
		// The range of the last variable is what the one before moves by: rows of a block.
		for i := len(f.Args) - 1; i >= 0; i-- {
			least := -1
			for j, v := range f.Args {
				if !seen[v] && (least < 0 || magnitude(f.Coef[j]) < magnitude(f.Coef[least])) {
					least = j
				}
			}
			if least < 0 || magnitude(f.Coef[least]) != g.n || loops[f.Args[least]] == 0 {
				return nil, 0, false
			}
			seen[f.Args[least]] = true
			runs := int64(loops[f.Args[least]])
			if f.Coef[least] < 0 {
				g.from -= g.n * (runs - 1)
			}
			g.n *= runs
		}
		box = append(box, g)
		n *= int(g.n)
	}
	return box, n, ok
}

func magnitude(n int64) int64 { return max(n, -n) }

// overlap reports whether two parts of an array have elements in common.
func overlap(a, b []gap) bool {
	for i := range a {
		if a[i].from+a[i].n <= b[i].from || b[i].from+b[i].n <= a[i].from {
			return false
		}
	}
	return true
}

// within reports whether a part of an array is in another one.
func within(a, b []gap) bool {
	for i := range a {
		if a[i].from < b[i].from || a[i].from+a[i].n > b[i].from+b[i].n {
			return false
		}
	}
	return true
}

// Sizes are how many elements there are in all, of reals and others.
func (pl *Plan) Sizes() (reals, ints int64) { return pl.reals.end, pl.ints.end }

// of is the room for the elements of a.
func (pl *Plan) of(a *kernel.Array) *room {
	if a.Elem == types.R {
		return &pl.reals
	}
	return &pl.ints
}

// room is memory for elements of one type. It is as long as need be: there are
// gaps in it, which are free, in order. (Where an int has 32 bits, int64 is needed.)
type room struct {
	end  int64
	gaps []gap
}

// gap is n elements.
type gap struct{ from, n int64 }

// take finds a place for n elements: the least gap that is large enough, or the end. What
// is as long as a line of the cache begins one, so that no vector lies across two.
func (r *room) take(n int64) (from int64) {
	before := func(g gap) int64 { // what has to be left free
		if n < CacheLine {
			return 0
		}
		return -g.from & (CacheLine - 1)
	}
	best := -1
	for i, g := range r.gaps {
		if g.n >= before(g)+n && (best < 0 || g.n < r.gaps[best].n) {
			best = i
		}
	}
	if best < 0 {
		best = len(r.gaps) - 1
		if best < 0 || r.gaps[best].from+r.gaps[best].n < r.end {
			best = len(r.gaps)
			r.gaps = append(r.gaps, gap{from: r.end})
		}
		g := &r.gaps[best]
		g.n = before(*g) + n
		r.end = g.from + g.n
	}
	g := r.gaps[best]
	r.gaps = slices.Delete(r.gaps, best, best+1)
	from = g.from + before(g)
	r.give(gap{g.from, from - g.from})
	r.give(gap{from + n, g.from + g.n - from - n})
	return from
}

// give makes a place a gap, one with its neighbours.
func (r *room) give(g gap) {
	if g.n == 0 {
		return
	}
	i, _ := slices.BinarySearchFunc(r.gaps, g.from, func(x gap, from int64) int { return int(min(1, max(-1, x.from-from))) })
	if i < len(r.gaps) && g.from+g.n == r.gaps[i].from {
		g.n += r.gaps[i].n
		r.gaps = slices.Delete(r.gaps, i, i+1)
	}
	if i > 0 && r.gaps[i-1].from+r.gaps[i-1].n == g.from {
		r.gaps[i-1].n += g.n
		return
	}
	r.gaps = slices.Insert(r.gaps, i, g)
}

// CacheLine is how many numbers come from memory at once.
const CacheLine = 8
