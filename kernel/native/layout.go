package native

import (
	"maps"

	"egad/kernel"
	"egad/kernel/plan"
	"egad/term/types"
)

// The memory before the arrays: a 0, for what is out of range, and cells.
const (
	reserved = 64 // how many bytes it is
	roomCell = 8  // where the room for panels is
	NameCell = 16 // the number of the kernel that runs
)

// zeros is how many elements are 0 that stand in the place of a part of an array.
const zeros = 64

// layout says where arrays lie in the memory of a module.
type layout struct {
	at map[*kernel.Array]uint32 // where an array begins, in bytes
	plan.Spreads
	// moving are the rows of states that a step of a loop reads: at is where all states
	// begin, and a cell in memory has the distance of the row from there, in bytes.
	moving map[*kernel.Array]uint32
	// far is, of each such cell, how many elements the distance is at most.
	far  map[uint32]int64
	rows map[*kernel.Steps]*rows
	// own is how many bytes the arrays of a kernel take of which each goroutine has its own: so
	// far apart they are.
	own   map[*kernel.Kernel]int64
	zeros uint32 // where so many zeros are, in place of a part of an array
	end   int64
}

// rows say of each state of a loop in which cell its row is, 0 if there is one only, and
// whether a step makes the next row where it is to be.
type rows struct {
	cells []uint32
	there []bool
}

// take gives n elements of memory a place, which begins a line of the cache.
func (l *layout) take(n int64) uint32 {
	at := (l.end + 63) &^ 63
	l.end = at + 8*n
	return uint32(at)
}

// newLayout places the arrays of a program, and of the steps of its loops, for so many
// goroutines.
func newLayout(p *plan.Planned, threads int) *layout {
	l := &layout{at: make(map[*kernel.Array]uint32), Spreads: make(plan.Spreads), moving: make(map[*kernel.Array]uint32), far: make(map[uint32]int64), rows: make(map[*kernel.Steps]*rows), own: make(map[*kernel.Kernel]int64), end: reserved}
	maps.Copy(l.Spreads, p.Plan.Spreads)
	l.private(p.Kernels, int64(threads))
	l.place(p)
	l.zeros = l.take(zeros)
	return l
}

// private places the arrays of which each goroutine has its own: those of a kernel where those
// of another one were.
func (l *layout) private(kernels []*kernel.Kernel, threads int64) {
	from := l.end
	end := from
	for _, k := range kernels {
		l.end = from
		for _, a := range k.Private() {
			l.at[a] = l.take(l.Size(a))
		}
		l.own[k] = (l.end - from + 63) &^ 63
		end = max(end, from+l.own[k]*threads)
	}
	l.end = end
}

func (l *layout) place(p *plan.Planned) {
	maps.Copy(l.Spreads, p.Plan.Spreads)
	r, n := p.Plan.Sizes()
	reals, ints := l.take(r), l.take(n)
	for _, a := range p.Arrays {
		from, planned := p.Plan.At[a]
		_, placed := l.at[a]
		switch {
		case placed: // by a loop
		case !planned:
			l.at[a] = l.take(l.Size(a))
		case a.Elem == types.R:
			l.at[a] = reals + 8*uint32(from)
		default:
			l.at[a] = ints + 8*uint32(from)
		}
	}
	for _, k := range p.Kernels {
		if k.Steps != nil {
			l.steps(k.Steps, p.Loops[k.Steps])
		}
	}
}

// steps places the inputs of a step where what they are lies, and its results where the
// next states do, unless the states before are there and still needed.
func (l *layout) steps(s *kernel.Steps, sub *plan.Planned) {
	r := &rows{make([]uint32, len(s.States)), make([]bool, len(s.States))}
	l.rows[s] = r
	for k, all := range s.All {
		if all || len(s.Outer) > 0 {
			r.cells[k] = l.take(1)
			l.far[r.cells[k]] = int64(s.States[k].Len())
		}
	}
	for i, a := range sub.Inputs {
		switch in := s.Inputs[i]; {
		case in.Array != nil:
			l.same(a, l.at[in.Array], l.moving[in.Array])
		case in.State > 0:
			l.same(a, l.at[s.States[in.State-1]], r.cells[in.State-1])
		default:
			l.at[a] = l.take(1)
		}
	}
	there := plan.InPlace(s, sub.Plan.Zeroed)
	for k, a := range sub.Results {
		_, placed := l.at[a]
		if s.All[k] && !placed && a.Role == kernel.Temp && !sub.OfSteps(a) {
			l.same(a, l.at[s.States[k]]+8*uint32(a.Len()), r.cells[k])
			r.there[k] = true
		} else if there[k] {
			l.same(a, l.at[s.States[k]], r.cells[k])
			r.there[k] = true
		}
	}
	l.place(sub)
}

// same places an array at, or where a cell says from there.
func (l *layout) same(a *kernel.Array, at, cell uint32) {
	if l.at[a] = at; cell != 0 {
		l.moving[a] = cell
	}
}
