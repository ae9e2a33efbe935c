package kernel

import "egad/term"

// reserved is the memory before the arrays: a 0, for what is out of range.
const reserved = 64

// layout says where arrays lie in the memory of a module.
type layout struct {
	at map[*Array]uint32 // where an array begins, in bytes
	// moving are the rows of states that a step of a loop reads: at is where all states
	// begin, and a cell in memory has the distance of the row from there, in bytes.
	moving map[*Array]uint32
	end    int64
}

// take gives n elements of memory a place.
func (l *layout) take(n int64) uint32 {
	at := l.end
	l.end += 8 * n
	return uint32(at)
}

// newLayout places the arrays of a machine's program, and of the steps of its loops.
func newLayout(m *Machine) *layout {
	l := &layout{at: make(map[*Array]uint32), moving: make(map[*Array]uint32), end: reserved}
	l.place(m)
	return l
}

func (l *layout) place(m *Machine) {
	reals, ints := l.take(m.plan.reals.end), l.take(m.plan.ints.end)
	for _, a := range m.prog.Arrays {
		from, planned := m.plan.at[a]
		_, placed := l.at[a]
		switch {
		case placed: // by a loop
		case !planned:
			l.at[a] = l.take(int64(a.Len()))
		case a.Elem == term.R:
			l.at[a] = reals + 8*uint32(from)
		default:
			l.at[a] = ints + 8*uint32(from)
		}
	}
	for _, k := range m.prog.Kernels {
		if k.Steps != nil {
			l.steps(k.Steps, m.loops[k.Steps])
		}
	}
}

// steps places the inputs of a step where what they are lies.
func (l *layout) steps(s *Steps, sub *Machine) {
	cells := make([]uint32, len(s.States))
	for i, a := range sub.inputs {
		switch in := s.Inputs[i]; {
		case in.Array != nil:
			l.at[a] = l.at[in.Array]
			if cell, ok := l.moving[in.Array]; ok {
				l.moving[a] = cell
			}
		case in.State > 0:
			k := in.State - 1
			l.at[a] = l.at[s.States[k]]
			if s.All[k] || len(s.Outer) > 0 {
				if cells[k] == 0 {
					cells[k] = l.take(1)
				}
				l.moving[a] = cells[k]
			}
		default:
			l.at[a] = l.take(1)
		}
	}
	l.place(sub)
}
