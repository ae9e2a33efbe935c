package machine

import (
	"egad/internal/slice"
	"egad/kernel"
	"egad/term/ops"
)

// loop makes a step that runs a loop.
func (x *instance) loop(s *kernel.Steps, m *Machine) step {
	body, err := m.instance(x.stop)
	if err != nil {
		panic(err)
	}
	in, out := make([]Elements, len(s.Inputs)), make([]Elements, len(s.States))
	variables := make([]int64, len(s.Outer)+1)
	row := func(k, round, i int) Elements {
		e, n := *x.memory[s.States[k]], m.prog.Results[k].Len()
		if s.All[k] {
			i += round * (s.N + 1)
		} else {
			i = round
		}
		return e.part(i*n, (i+1)*n)
	}
	rounds := slice.Product(s.Outer)
	return func(int) {
		for round := range rounds {
			rest := round
			for j := len(s.Outer) - 1; j >= 0; j-- {
				variables[j], rest = int64(rest%s.Outer[j]), rest/s.Outer[j]
			}
			steps := int64(s.N)
			if s.Count != nil {
				var err error
				if steps, err = ops.StepCount(steps, x.memory[s.Count].N[round]); err != nil {
					panic(failure{err})
				}
			}
			for i := range int(steps) {
				variables[len(s.Outer)] = int64(i)
				for k, from := range s.Inputs {
					switch {
					case from.Array != nil:
						in[k] = *x.memory[from.Array]
					case from.State > 0:
						in[k] = row(from.State-1, round, i)
					default:
						in[k] = Elements{N: variables[from.Variable-1 : from.Variable]}
					}
				}
				for k := range out {
					out[k] = row(k, round, i+1)
				}
				if err := body.run(out, in); err != nil {
					panic(failure{err})
				}
			}
			for i := int(steps); i < s.N; i++ {
				for k, all := range s.All {
					if all {
						row(k, round, i+1).copy(row(k, round, i))
					}
				}
			}
		}
	}
}
