package egraph

// Progress is what several runs on a graph, as the steps of a schedule, know of
// their rules: which matches are old, and which rules rest by back-off. The zero
// value knows nothing, and it forgets everything when the graph is restored.
type Progress struct {
	states     map[*Rule]*ruleState
	iterations int // of all runs
	restored   int // how often the graph had been restored
}

// ruleState is what is known of a rule.
type ruleState struct {
	ban
	since uint32 // the stamp of the last search of which all matches were applied
}

// of lists the states of rules.
func (p *Progress) of(g *Graph, rules []*Rule) []*ruleState {
	if p.states == nil || p.restored != g.restored {
		p.restored = g.restored
		p.states = make(map[*Rule]*ruleState, len(rules))
	}
	block := make([]ruleState, len(rules))
	out := make([]*ruleState, len(rules))
	for i, r := range rules {
		s, ok := p.states[r]
		if !ok {
			s = &block[i]
			p.states[r] = s
		}
		out[i] = s
	}
	return out
}
