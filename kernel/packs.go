package kernel

import "egad/term"

// pack is values of one function of reals, each of one number, that do not depend on each other:
// they are computed in the lanes of vectors at once, which takes little longer than to compute one.
type pack struct{ members []*Value }

// packKey is what values of a pack have in common: how many functions are computed one after the
// other before them, so that none depends on another one.
type packKey struct {
	op    term.Sym
	n     int
	depth int
}

// packsOf finds packs among statements that compute values, by their values; those that are not
// computed where they stand are in none, nor are powers that are a few products.
func packsOf(lets []Stmt, defined func(*Value) bool) map[*Value]*pack {
	packs, groups := make(map[*Value]*pack), make(map[packKey]*pack)
	depths := make(map[*Value]int) // functions, one after the other, up to a value
	var depth func(vs []*Value) int
	depth = func(vs []*Value) (most int) {
		for _, v := range vs {
			if most = max(most, depths[v]); v.Kind == Linear {
				most = max(most, depth(v.Args))
			}
		}
		return most
	}
	for _, s := range lets {
		v := s.(*Let).Value
		before := max(depth(v.Args), depth(v.At))
		depths[v] = before
		if _, few := v.power(); few || !v.function() || !defined(v) {
			continue
		}
		depths[v]++
		k := packKey{v.Op, v.N, before}
		if p := groups[k]; p == nil || len(p.members) == 2*wide {
			groups[k] = &pack{[]*Value{v}}
		} else {
			p.members = append(p.members, v)
			packs[p.members[0]], packs[v] = p, p
		}
	}
	return packs
}

// wide is how many vectors a function computes at once, at most.
const wide = 4
