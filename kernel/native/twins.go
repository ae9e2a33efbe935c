package native

import (
	"fmt"

	"egad/kernel/schedule"
	"egad/kernel/vecmath"
)

// twins is the number of the function that computes twins, of so many vectors.
func (m *module) twins(t *schedule.Twins, wide int) uint32 {
	name := ""
	for _, v := range t.Members {
		_, negative := v.Twin()
		name += fmt.Sprint(v.Op, negative)
	}
	return m.library.Several(name, len(t.Members), wide, func(m vecmath.Vectors) []vecmath.Value {
		x := m.Param(0)
		out := make([]vecmath.Value, len(t.Members))
		shared := vecmath.Twins[t.Members[0].Op].Shared(m, x)
		for i, v := range t.Members {
			at := x
			if _, negative := v.Twin(); negative {
				at = m.Neg(x)
			}
			out[i] = vecmath.Twins[v.Op].Of(m, shared, at)
		}
		return out
	})
}
