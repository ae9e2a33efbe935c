package extract

import (
	"slices"
)

// loops finds how often each class is evaluated. What depends on the state of a loop is
// evaluated in each of its steps, for each run of the loops around it, whether or not it
// mentions their index variables.
//
// A class that is used in several places is looked at in the first.
func (x *grammatical) loops() {
	x.trips = make([]float64, len(x.Classes))
	states := false // whether there are variables of states
	for i, sizes := range x.sizes {
		x.trips[i] = 1
		for _, s := range sizes {
			x.trips[i] *= max(s, 1)
			states = states || s == 0
		}
	}
	if !states || !x.g.Arrays() { // what an operator of a language binds is not gone through
		return
	}
	var lengths []float64                     // of loops
	around := make([][][]int, len(x.Classes)) // by class: the loops on which what stands for each slot depends
	for i, c := range x.Classes {
		if around[i] == nil {
			around[i] = make([][]int, len(c.Slots)) // of a root
		}
		all := union(around[i])
		x.trips[i] = 1
		for _, l := range all {
			x.trips[i] *= lengths[l]
		}
		for _, n := range c.Nodes {
			first := len(lengths)
			for b := range n.Binders {
				lengths = append(lengths, 1)
				if op := x.g.TermOp(n.Op); b == 0 && len(op.Sizes) > 0 {
					lengths[first] = sizeOf(op.Sizes[0])
				}
			}
			for j, kid := range n.Kids {
				if around[kid] != nil {
					continue
				}
				around[kid] = make([][]int, len(x.Classes[kid].Slots))
				for m, a := range n.Node.Kids[j].Args {
					b := slices.Index(n.Binders, a)
					size := x.sizes[kid][m]
					switch {
					case b < 0:
						if at := slices.Index(c.Slots, a); at >= 0 { // or the class does not depend on it
							around[kid][m] = around[i][at]
						}
					case size > 0:
						lengths[first+b] = size
						around[kid][m] = []int{first + b}
					default: // a state
						around[kid][m] = union([][]int{all, {first}})
					}
				}
			}
		}
	}
}

// union is all that is in some lists, in order.
func union(of [][]int) []int {
	out := slices.Concat(of...)
	slices.Sort(out)
	return slices.Compact(out)
}
