package schedule

import (
	"egad/kernel"
	"egad/kernel/strength"
	"egad/term/ops"
)

// Pack is values of one function of reals, each of one number, that do not depend on each other:
// they are computed in the lanes of vectors at once, which takes little longer than to compute one.
type Pack struct{ Members []*kernel.Value }

// packKey is what values of a pack have in common: how many functions are computed one after the
// other before them, so that none depends on another one.
type packKey struct {
	op    ops.Sym
	n     int
	depth int
}

// PacksOf finds packs among statements that compute values, by their values; those that are not
// computed where they stand are in none, nor are powers that are a few products.
func PacksOf(lets []kernel.Stmt, defined func(*kernel.Value) bool) map[*kernel.Value]*Pack {
	packs, groups := make(map[*kernel.Value]*Pack), make(map[packKey]*Pack)
	depths := make(map[*kernel.Value]int) // functions, one after the other, up to a value
	var depth func(vs []*kernel.Value) int
	depth = func(vs []*kernel.Value) (most int) {
		for _, v := range vs {
			if most = max(most, depths[v]); v.Kind == kernel.Linear {
				most = max(most, depth(v.Args))
			}
		}
		return most
	}
	for _, s := range lets {
		v := s.(*kernel.Let).Value
		before := max(depth(v.Args), depth(v.At))
		depths[v] = before
		if _, few := strength.Power(v); few || !v.IsFunction() || !defined(v) {
			continue
		}
		depths[v]++
		k := packKey{v.Op, v.N, before}
		if p := groups[k]; p == nil || len(p.Members) == 2*VectorsAtOnce {
			groups[k] = &Pack{[]*kernel.Value{v}}
		} else {
			p.Members = append(p.Members, v)
			packs[p.Members[0]], packs[v] = p, p
		}
	}
	return packs
}

// VectorsAtOnce is how many vectors a function computes at once, at most.
const VectorsAtOnce = 4
