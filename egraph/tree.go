package egraph

import (
	"fmt"
	"slices"

	"egad/internal/memo"
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

// Names notes all names in t, bound and free.
func (t *Tree) Names(all map[slot.Name]bool) {
	memo.Once(func(t *Tree, walk func(*Tree)) {
		for _, n := range slices.Concat(t.Own, t.Binders) {
			all[n] = true
		}
		for _, k := range t.Kids {
			walk(k)
		}
	})(t)
}
