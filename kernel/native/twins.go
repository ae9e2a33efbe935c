package native

import (
	"fmt"

	"egad/kernel"
	"egad/kernel/vecmath"
)

// twins are functions of one number, or of its negative, that are computed at once as
// they share most of what they do: see [vecmath.Family].
type twins struct {
	of      *kernel.Value
	members []*kernel.Value
}

// twins finds them among statements, by each of them.
func (e *emitter) twins(body []kernel.Stmt) map[*kernel.Value]*twins {
	out := make(map[*kernel.Value]*twins)
	if e.Exact {
		return out
	}
	type kind struct {
		of     *kernel.Value
		family *vecmath.Family
	}
	kinds := make(map[kind]*twins)
	for _, s := range body {
		let, ok := s.(*kernel.Let)
		if !ok || !let.Value.IsFunction() || vecmath.Twins[let.Value.Op].Family == nil || !e.varying(let.Value) || !e.defined(let.Value) {
			continue
		}
		of, _ := let.Value.Twin()
		k := kind{of, vecmath.Twins[let.Value.Op].Family}
		t := kinds[k]
		if t == nil {
			t = &twins{of: of}
			kinds[k] = t
		}
		t.members = append(t.members, let.Value)
		if len(t.members) > 1 {
			out[t.members[0]], out[let.Value] = t, t
		}
	}
	return out
}

// twins is the number of the function that computes twins, of so many vectors.
func (m *module) twins(t *twins, wide int) uint32 {
	name := ""
	for _, v := range t.members {
		_, negative := v.Twin()
		name += fmt.Sprint(v.Op, negative)
	}
	return m.library.Several(name, len(t.members), wide, func(m vecmath.Vectors) []vecmath.Value {
		x := m.Param(0)
		out := make([]vecmath.Value, len(t.members))
		shared := vecmath.Twins[t.members[0].Op].Shared(m, x)
		for i, v := range t.members {
			at := x
			if _, negative := v.Twin(); negative {
				at = m.Neg(x)
			}
			out[i] = vecmath.Twins[v.Op].Of(m, shared, at)
		}
		return out
	})
}
