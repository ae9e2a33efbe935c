package egraph

import (
	"encoding/binary"
	"slices"

	"egad/slot"
)

// Rename returns t with other names for free variables. Variables that are bound in t
// get other names where they would capture one.
func (t *Tree) Rename(sig *Signature, is map[slot.Name]slot.Name) *Tree {
	if len(is) == 0 {
		return t
	}
	out := &Tree{Op: t.Op, Binders: t.Binders}
	for _, n := range t.Own {
		out.Own = append(out.Own, slot.Renamed(is, n))
	}
	inner := is
	if len(t.Binders) > 0 {
		inner = make(map[slot.Name]slot.Name)
		taken := make(map[slot.Name]bool)
		for n, m := range is {
			if !slices.Contains(t.Binders, n) {
				inner[n], taken[m] = m, true
			}
		}
		if slices.ContainsFunc(t.Binders, func(n slot.Name) bool { return taken[n] }) {
			t.Names(taken)
			out.Binders = nil
			for _, n := range t.Binders {
				m := slot.Unused(n, taken)
				taken[m], inner[n] = true, m
				out.Binders = append(out.Binders, m)
			}
		}
	}
	under := sig.HeadInfo(sig.Head(t.Op)).Under
	for k, kid := range t.Kids {
		scope := is
		if under>>k&1 != 0 {
			scope = inner
		}
		out.Kids = append(out.Kids, kid.Rename(sig, scope))
	}
	return out
}

// Key returns a text that is equal for alpha-equivalent terms and differs otherwise.
func (t *Tree) Key(sig *Signature) string { return string(t.key(sig, nil, 0, nil)) }

func (t *Tree) key(sig *Signature, bound map[slot.Name]int, depth int, out []byte) []byte {
	head := sig.HeadInfo(sig.Head(t.Op))
	name := func(n slot.Name) {
		if k, ok := bound[n]; ok {
			out = binary.AppendUvarint(append(out, 'b'), uint64(k))
		} else {
			out = binary.AppendUvarint(append(out, 'f'), uint64(n))
		}
	}
	out = binary.AppendUvarint(append(out, '('), uint64(t.Op))
	for _, n := range t.Own {
		name(n)
	}
	inner := bound
	if len(t.Binders) > 0 {
		inner = make(map[slot.Name]int, len(bound)+len(t.Binders))
		for n, k := range bound {
			inner[n] = k
		}
		for k, n := range t.Binders {
			inner[n] = depth + k
		}
	}
	for k, kid := range t.Kids {
		scope := bound
		if head.Under>>k&1 != 0 {
			scope = inner
		}
		out = kid.key(sig, scope, depth+len(t.Binders), out)
	}
	return append(out, ')')
}
