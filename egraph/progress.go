package egraph

import "slices"

// Progress is what several runs on a graph, as the steps of a schedule, know of
// their rules: which matches are old, and which rules rest by back-off. The zero
// value knows nothing, and it forgets everything when the graph is restored.
type Progress struct {
	rules      []*Rule // of the last run
	states     []*ruleState
	known      map[*Rule]*ruleState // of all rules, once there were others
	iterations int                  // of all runs
	restored   int                  // how often the graph had been restored
}

// ruleState is what is known of a rule.
type ruleState struct {
	ban
	since uint32 // the stamp of the last search of which all matches were applied
}

// of lists the states of rules.
func (p *Progress) of(g *Graph, rules []*Rule) []*ruleState {
	if p.restored != g.restored {
		p.forget()
		p.restored = g.restored
	}
	switch {
	case p.rules != nil && slices.Equal(p.rules, rules):
		return p.states
	case p.rules != nil && p.known == nil:
		p.known = make(map[*Rule]*ruleState)
		for i, r := range p.rules {
			p.known[r] = p.states[i]
		}
	}
	block := make([]ruleState, len(rules))
	p.rules, p.states = slices.Clone(rules), make([]*ruleState, len(rules))
	for i, r := range rules {
		s := p.known[r]
		if s == nil {
			s = &block[i]
			if p.known != nil {
				p.known[r] = s
			}
		}
		p.states[i] = s
	}
	return p.states
}

// forget makes all matches new.
func (p *Progress) forget() { p.rules, p.states, p.known = nil, nil, nil }
