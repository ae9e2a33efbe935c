package egraph

// Progress is what several runs on a graph, as the steps of a schedule, know of
// their rules: which matches are old, and which rules rest by back-off. The zero
// value knows nothing. It is of no use after the graph has been restored.
type Progress struct {
	states     map[*Rule]*ruleState
	iterations int // of all runs
}

// ruleState is what is known of a rule.
type ruleState struct {
	ban
	since uint32 // the stamp of the last search of which all matches were applied
}

// of lists the states of rules.
func (p *Progress) of(rules []*Rule) []*ruleState {
	if p.states == nil {
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
