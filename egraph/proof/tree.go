package proof

import (
	"crypto/sha256"
	"errors"

	"egad/egraph"
	"egad/slot"
)

// formed reports a term that has operators that there are not, or children, slots
// or binders that its operators do not have, or that has itself as a subterm.
// Seen has the terms that were looked at, true for those that are well formed.
func formed(t *egraph.Tree, sig *egraph.Signature, seen map[*egraph.Tree]bool) error {
	if t == nil {
		return errors.New("a term is missing")
	}
	if done, ok := seen[t]; ok {
		if !done {
			return errors.New("a term is a subterm of itself")
		}
		return nil
	}
	seen[t] = false
	if err := t.Formed(sig); err != nil {
		return err
	}
	for _, k := range t.Kids {
		if err := formed(k, sig, seen); err != nil {
			return err
		}
	}
	seen[t] = true
	return nil
}

// swapped is t with its two children in each other's place.
func swapped(t *egraph.Tree) *egraph.Tree {
	out := *t
	out.Kids = []*egraph.Tree{t.Kids[1], t.Kids[0]}
	return &out
}

// apart is t with fresh names for what it binds.
func apart(t *egraph.Tree, g *egraph.Graph) *egraph.Tree {
	out, is := &egraph.Tree{Op: t.Op, Own: t.Own}, make(map[slot.Name]slot.Name)
	for _, n := range t.Binders {
		is[n] = g.Fresh()
		out.Binders = append(out.Binders, is[n])
	}
	under := g.Signature().HeadInfo(g.Signature().Head(t.Op)).Under
	for k, kid := range t.Kids {
		kid = apart(kid, g)
		if under>>k&1 != 0 {
			kid = kid.Rename(g.Signature(), is)
		}
		out.Kids = append(out.Kids, kid)
	}
	return out
}

// treeSum stands for a key. Long proofs of large terms would fill the memory with
// keys.
type treeSum [sha256.Size]byte

func sum(t *egraph.Tree, sig *egraph.Signature) treeSum { return sha256.Sum256(t.AppendKey(sig, nil)) }
