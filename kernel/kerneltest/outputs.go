package kerneltest

import (
	"egad/kernel"
	"egad/kernel/machine"
	"egad/term/types"
)

// Outputs runs a machine on numbers.
func Outputs(m *machine.Machine, p *kernel.Program, in []Numbers) ([]machine.Elements, error) {
	var given, out []machine.Elements
	for _, x := range in {
		given = append(given, machine.Elements(x))
	}
	for _, a := range p.Result.Arrays() {
		var e machine.Elements
		if a.Elem == types.R {
			e.R = make([]float64, a.Len())
		} else {
			e.N = make([]int64, a.Len())
		}
		out = append(out, e)
	}
	err := m.RunInto(out, given)
	return out, err
}
