package rules

import (
	"slices"

	"egad/term"
)

// Takes reports whether a rule of the set is for outer applied to inner, as
// build of sum or lapply of lsum.
func (s *Set) Takes(outer, inner term.Sym) bool {
	return slices.ContainsFunc(s.Rules, func(r *Rule) bool {
		if r.Nabla || r.Lhs.Sym != outer || len(r.Lhs.Kids) == 0 {
			return false
		}
		first := r.Lhs.Kids[0].Pat
		return first != nil && first.Kind == PApp && first.Sym == inner
	})
}

// Derivable reports whether the rules take a declared operator from its
// derivative to a gradient: there is a derivative rule, and rules for the
// application and the transposition of the maps of declared operators in it.
// If not, missing says what there is no rule for.
func (l *Library) Derivable(sig *term.Signature, d *term.Declared) (missing string, ok bool) {
	var maps []term.Sym
	found := false
	for _, r := range l.Set("nabla").Rules {
		if r.Nabla && r.Lhs.Sym == d.Op {
			found = true
			for _, m := range r.Maps {
				maps = declaredMaps(sig, m.Pat, maps)
			}
		}
	}
	if !found {
		return "nabla of " + d.Name, false
	}
	for i := 0; i < len(maps); i++ { // grows
		name := sig.Operator(maps[i]).Name
		if !l.Set("linear_apply").Takes(term.SymLapply, maps[i]) {
			return "lapply of " + name, false
		}
		if !l.Set("linear_transpose").Takes(term.SymLtranspose, maps[i]) {
			return "ltranspose of " + name, false
		}
		for _, r := range l.Set("linear_transpose").Rules {
			if first := r.Lhs.Kids[0].Pat; first != nil && first.Sym == maps[i] {
				maps = declaredMaps(sig, r.Rhs, maps)
			}
		}
	}
	return "", true
}

// declaredMaps adds the maps of declared operators in a pattern to a list.
func declaredMaps(sig *term.Signature, p *Pattern, to []term.Sym) []term.Sym {
	if p == nil {
		return to
	}
	if p.Kind == PApp && p.Name == "" {
		if o := sig.Operator(p.Sym); o.Declared != nil && o.Linear && !slices.Contains(to, p.Sym) {
			to = append(to, p.Sym)
		}
	}
	for _, k := range p.Kids {
		to = declaredMaps(sig, k.Pat, to)
	}
	return to
}
