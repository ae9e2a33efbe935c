package egraph

import (
	"encoding/binary"
	"fmt"
	"slices"

	"egad/slot"
)

// Tree is a term. Names are those of the binders around, innermost first, or of
// free variables. Equal subterms may be one Tree.
type Tree struct {
	Op      Op
	Own     []slot.Name
	Binders []slot.Name
	Kids    []*Tree
}

// Formed reports an operator that there is not, or children, slots or binders that
// it does not have. It looks at the root of t only.
func (t *Tree) Formed(sig *Signature) error {
	if int(t.Op) >= len(sig.ops) {
		return fmt.Errorf("there is no operator %d", t.Op)
	}
	h := sig.HeadInfo(sig.Head(t.Op))
	if len(t.Kids) != sig.Arity(t.Op) || len(t.Own) != h.Own || len(t.Binders) != sig.Binders(t.Op) {
		return fmt.Errorf("%s has %d children, %d slots and %d binders", h.Name, len(t.Kids), len(t.Own), len(t.Binders))
	}
	return nil
}

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

// Names notes all names in t, bound and free.
func (t *Tree) Names(all map[slot.Name]bool) {
	seen := make(map[*Tree]bool)
	var walk func(t *Tree)
	walk = func(t *Tree) {
		if seen[t] {
			return
		}
		seen[t] = true
		for _, n := range slices.Concat(t.Own, t.Binders) {
			all[n] = true
		}
		for _, k := range t.Kids {
			walk(k)
		}
	}
	walk(t)
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
