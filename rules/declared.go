package rules

import (
	"slices"

	"egad/term"
)

// Takes reports whether a rule of the set is for outer applied to inner, as
// build of sum or lapply of lmap sum.
func (s *Set) Takes(outer, inner term.Sym) bool { return len(s.taking(outer, inner)) > 0 }

// taking lists the rules for outer applied to inner; a set that is nil has none.
func (s *Set) taking(outer, inner term.Sym) []*Rule {
	if s == nil {
		return nil
	}
	var out []*Rule
	for _, r := range s.Rules {
		if r.Nabla || r.Lhs.Kind != PApp || r.Lhs.Sym != outer || len(r.Lhs.Kids) == 0 {
			continue
		}
		if first := r.Lhs.Kids[0].Pat; first != nil && first.Kind == PApp && first.Sym == inner {
			out = append(out, r)
		}
	}
	return out
}

// Derivable reports whether the rules take a declared operator from its
// derivative to a gradient: there is a derivative rule, and rules for the
// application and the transposition of the maps of declared operators in it.
// If not, missing says what there is no rule for.
func (l *Library) Derivable(sig *term.Signature, d *term.Declared) (missing string, ok bool) {
	var maps []term.Sym
	found := false
	if nabla := l.Set("nabla"); nabla != nil {
		for _, r := range nabla.Rules {
			if r.Nabla && r.Lhs.Sym == d.Op {
				found = true
				for _, m := range r.Maps {
					maps = declaredMaps(sig, m.Pat, maps)
				}
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
		transposes := l.Set("linear_transpose").taking(term.SymLtranspose, maps[i])
		if len(transposes) == 0 {
			return "ltranspose of " + name, false
		}
		for _, r := range transposes {
			maps = declaredMaps(sig, r.Rhs, maps)
		}
	}
	return "", true
}

// declaredMaps adds the maps of declared operators in a pattern to a list.
func declaredMaps(sig *term.Signature, p *Pattern, to []term.Sym) []term.Sym {
	for q := range p.All() {
		if q.Kind != PApp || q.Name != "" {
			continue
		}
		if o := sig.Operator(q.Sym); o.Declared != nil && o.Linear && !slices.Contains(to, q.Sym) {
			to = append(to, q.Sym)
		}
	}
	return to
}
