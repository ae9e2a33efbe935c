package kernel

import "slices"

// Around has a body in loops that may go in any order, the first one outside.
func Around(loops []*Loop, body []Stmt) []Stmt {
	for _, l := range slices.Backward(loops) {
		body = []Stmt{&Loop{Name: l.Name, Var: l.Var, N: l.N, Body: body}}
	}
	return body
}

// Runs is how often the innermost of nested loops is run.
func Runs(loops []*Loop) float64 {
	n := 1.0
	for _, l := range loops {
		n *= float64(l.N)
	}
	return n
}

// Computing are the statements that compute values, each after what it is computed of, but for what is there, which they
// are then.
func Computing(there map[*Value]bool, vs ...*Value) (out []Stmt) {
	var need func(vs []*Value)
	need = func(vs []*Value) {
		for _, v := range vs {
			if there[v] {
				continue
			}
			there[v] = true
			need(v.Args)
			need(v.At)
			if v.Kind == Compute || v.Kind == Load {
				out = append(out, &Let{v})
			}
		}
	}
	need(vs)
	return out
}

// Nest is where statements are written: in loops that are open, and around them.
type Nest struct {
	Bodies [][]Stmt          // by how many loops are around
	There  []map[*Value]bool // what is computed in each
}

// NewNest has no loop open.
func NewNest() Nest { return Nest{make([][]Stmt, 1), []map[*Value]bool{make(map[*Value]bool)}} }

// Begin begins the body of a loop inside the innermost open one.
func (n *Nest) Begin() {
	n.Bodies, n.There = append(n.Bodies, nil), append(n.There, make(map[*Value]bool))
}

// End gives the body of the innermost open loop, which is closed.
func (n *Nest) End() []Stmt {
	last := len(n.Bodies) - 1
	body := n.Bodies[last]
	n.Bodies, n.There = n.Bodies[:last], n.There[:last]
	return body
}

// Close ends the innermost open loop, which is written.
func (n *Nest) Close(l *Loop) {
	l.Body = n.End()
	n.Add(l)
}

// Add writes a statement in the innermost open loop.
func (n *Nest) Add(s Stmt) {
	last := len(n.Bodies) - 1
	n.Bodies[last] = append(n.Bodies[last], s)
}

// Need computes values, each in the outermost loop in which it can be.
func (n *Nest) Need(vs ...*Value) {
	for _, v := range vs {
		if n.There[v.Level][v] {
			continue
		}
		n.There[v.Level][v] = true
		n.Need(v.Args...)
		n.Need(v.At...)
		if v.Kind == Compute || v.Kind == Load {
			n.Bodies[v.Level] = append(n.Bodies[v.Level], &Let{v})
		}
	}
}
