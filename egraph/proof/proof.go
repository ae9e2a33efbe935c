package proof

import "egad/egraph"

// Proof is a list of equations, each of which may rest on those before it. The last one is what
// is proved. There is none if both terms are the same.
type Proof struct{ Equations []Equation }

// Equation says that two terms are equal, whatever their free variables are called.
type Equation struct {
	From  *egraph.Tree
	Links []Link // from From on; at least one
}

// To is the other term of an equation.
func (e *Equation) To() *egraph.Tree { return e.Links[len(e.Links)-1].To }

// Link goes on to an equal term: by a step, by equal children, or with the two children of a
// commutative operator in each other's place.
type Link struct {
	To      *egraph.Tree
	Step    *Step // nil if it is by none
	Reverse bool  // the step is used from right to left
	// Kids has by child the number of the equation that says that it is equal, -1 if it
	// stays; nil if the children change places.
	Kids []int
}

// Walk calls f for the steps of a proof, each where it is made first: with its link, what
// that leads from, and the path to that in what the equation is about, as indices of children. They come in the
// order in which they lead from one side to the other. Steps that a term is rewritten by in
// several places are shown in the first of these.
func (p *Proof) Walk(f func(l *Link, from *egraph.Tree, path []int)) {
	seen, used := make([]bool, len(p.Equations)), make(map[*Step]bool)
	var walk func(k int, path []int)
	walk = func(k int, path []int) {
		if seen[k] {
			return
		}
		seen[k] = true
		from := p.Equations[k].From
		for i := range p.Equations[k].Links {
			l := &p.Equations[k].Links[i]
			for child, e := range l.Kids {
				if e >= 0 {
					walk(e, append(path[:len(path):len(path)], child))
				}
			}
			if l.Step != nil && !used[l.Step] {
				used[l.Step] = true
				f(l, from, path)
			}
			from = l.To
		}
	}
	if n := len(p.Equations); n > 0 {
		walk(n-1, nil)
	}
}

// Steps lists the steps of a proof, each once.
func (p *Proof) Steps() (out []*Step) {
	p.Walk(func(l *Link, _ *egraph.Tree, _ []int) { out = append(out, l.Step) })
	return out
}
