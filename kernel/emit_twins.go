package kernel

import (
	"fmt"

	"egad/kernel/vecmath"
)

// twins are functions of one number, or of its negative, that are computed at once as
// they share most of what they do: see [vecmath.Family].
type twins struct {
	of      *Value
	members []*Value
}

// twins finds them among statements, by each of them.
func (e *emitter) twins(body []Stmt) map[*Value]*twins {
	out := make(map[*Value]*twins)
	if e.exact {
		return out
	}
	type kind struct {
		of     *Value
		family *vecmath.Family
	}
	kinds := make(map[kind]*twins)
	for _, s := range body {
		let, ok := s.(*Let)
		if !ok || !let.Value.function() || vecmath.Twins[let.Value.Op].Family == nil || !e.varying(let.Value) || !e.defined(let.Value) {
			continue
		}
		of, _ := let.Value.twin()
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
		_, negative := v.twin()
		name += fmt.Sprint(v.Op, negative)
	}
	return m.library.Several(name, len(t.members), wide, func(m vecmath.Vectors) []vecmath.Value {
		x := m.Param(0)
		out := make([]vecmath.Value, len(t.members))
		shared := vecmath.Twins[t.members[0].Op].Shared(m, x)
		for i, v := range t.members {
			at := x
			if _, negative := v.twin(); negative {
				at = m.Neg(x)
			}
			out[i] = vecmath.Twins[v.Op].Of(m, shared, at)
		}
		return out
	})
}
