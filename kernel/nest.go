package kernel

// nest is where statements are written: in loops that are open, and around them.
type nest struct {
	bodies [][]Stmt          // by how many loops are around
	there  []map[*Value]bool // what is computed in each
}

// newNest has no loop open.
func newNest() nest { return nest{make([][]Stmt, 1), []map[*Value]bool{make(map[*Value]bool)}} }

// begin begins the body of a loop inside the innermost open one.
func (n *nest) begin() {
	n.bodies, n.there = append(n.bodies, nil), append(n.there, make(map[*Value]bool))
}

// end gives the body of the innermost open loop, which is closed.
func (n *nest) end() []Stmt {
	last := len(n.bodies) - 1
	body := n.bodies[last]
	n.bodies, n.there = n.bodies[:last], n.there[:last]
	return body
}

// add writes a statement in the innermost open loop.
func (n *nest) add(s Stmt) {
	last := len(n.bodies) - 1
	n.bodies[last] = append(n.bodies[last], s)
}

// need computes values, each in the outermost loop in which it can be.
func (n *nest) need(vs ...*Value) {
	for _, v := range vs {
		if n.there[v.Level][v] {
			continue
		}
		n.there[v.Level][v] = true
		n.need(v.Args...)
		n.need(v.At...)
		if v.Kind == Compute || v.Kind == Load {
			n.bodies[v.Level] = append(n.bodies[v.Level], &Let{v})
		}
	}
}
