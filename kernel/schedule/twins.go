package schedule

import (
	"egad/kernel"
	"egad/kernel/vecmath"
)

// Twins are functions of one number, or of its negative, that are computed at once in vectors as they share most of
// what they do: see [vecmath.Family].
type Twins struct {
	Of      *kernel.Value
	Members []*kernel.Value
}

// TwinsOf finds twins among statements, by their values: of those that are computed where they stand.
func TwinsOf(body []kernel.Stmt, defined func(*kernel.Value) bool) map[*kernel.Value]*Twins {
	type kind struct {
		of     *kernel.Value
		family *vecmath.Family
	}
	kinds, out := make(map[kind]*Twins), make(map[*kernel.Value]*Twins)
	for _, let := range kernel.Among[*kernel.Let](body) {
		if !let.Value.IsFunction() || vecmath.Twins[let.Value.Op].Family == nil || !defined(let.Value) {
			continue
		}
		of, _ := let.Value.Twin()
		k := kind{of, vecmath.Twins[let.Value.Op].Family}
		t := kinds[k]
		if t == nil {
			t = &Twins{Of: of}
			kinds[k] = t
		}
		if t.Members = append(t.Members, let.Value); len(t.Members) > 1 {
			out[t.Members[0]], out[let.Value] = t, t
		}
	}
	return out
}
