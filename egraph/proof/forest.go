package proof

import "egad/egraph"

// vertex is a term, in the graph that the edges are.
type vertex struct {
	edges []int // in the order of time
	// Up is the edge towards the root in a spanning forest, and depth how far that
	// is; it is 0 for a root.
	up, depth int
	// The terms that are connected before some moment: leader is that of a larger
	// part, which this one was made part of by edge when.
	leader     *vertex
	when, size int
	seen       bool
}

// vertex is the vertex of a term.
func (x *search) vertex(c egraph.ClassID) *vertex { return &x.vertices[c] }

// other is the other end of an edge.
func (x *search) other(i int, v *vertex) *vertex {
	if a := x.vertex(x.log.edges[i].a); a != v {
		return a
	}
	return x.vertex(x.log.edges[i].b)
}

// component is equal for terms that are connected by edges before a moment, without
// regard to names. A part never joins another before those below it have joined it.
func (v *vertex) component(limit int) *vertex {
	for v.leader != nil && v.when < limit {
		v = v.leader
	}
	return v
}

// connect fills in the vertices.
func (x *search) connect() {
	for i := range x.log.edges {
		a, b := x.vertex(x.log.edges[i].a), x.vertex(x.log.edges[i].b)
		a.edges = append(a.edges, i)
		if a == b {
			continue
		}
		b.edges = append(b.edges, i)
		if a, b = a.component(i), b.component(i); a != b {
			if a.size > b.size {
				a, b = b, a
			}
			a.leader, a.when = b, i
			b.size += a.size + 1
		}
	}
	for c := range x.vertices {
		if x.vertices[c].seen {
			continue
		}
		x.vertices[c].seen = true
		for queue := []*vertex{&x.vertices[c]}; len(queue) > 0; queue = queue[1:] {
			for _, i := range queue[0].edges {
				if d := x.other(i, queue[0]); !d.seen {
					d.seen, d.up, d.depth = true, i, queue[0].depth+1
					queue = append(queue, d)
				}
			}
		}
	}
}
