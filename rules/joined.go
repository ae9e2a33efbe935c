package rules

// Joined reports whether a condition is looked for together with the left side, and may bind
// metavariables. Otherwise it is decided when these are known.
func (r *Rule) Joined(k *Cond) bool {
	if d := r.Language; !r.Joins || k.Kind == CondFact && d.Distinct() != nil && k.L.Sym == d.Distinct().Sym {
		return false
	}
	return k.Searched()
}

// Searched reports whether the terms of a fact or an equation are operators, without attributes,
// lists and functions, applied to metavariables and variables.
func (k *Cond) Searched() bool {
	if k.Kind != CondFact && k.Kind != CondSame {
		return false
	}
	other := func(p *Pattern) bool {
		switch p.Kind {
		case PMeta, PIvar, PNumber:
			return false
		}
		return p.Kind != PApp || p.Binders != nil || p.Attrs != (Attrs{}) || HasLists(p.Kids)
	}
	return Find(k.L, other) == nil && (k.R == nil || Find(k.R, other) == nil)
}
