package egraph

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
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

// replace is t with the subterm at path replaced.
func (t *Tree) replace(path []int, by *Tree) *Tree {
	if len(path) == 0 {
		return by
	}
	out := *t
	out.Kids = append([]*Tree(nil), t.Kids...)
	out.Kids[path[0]] = t.Kids[path[0]].replace(path[1:], by)
	return &out
}

// formed reports a term that has operators that there are not, or children, slots
// or binders that its operators do not have, or that has itself as a subterm.
// Seen has the terms that were looked at, true for those that are well formed.
func (t *Tree) formed(sig *Signature, seen map[*Tree]bool) error {
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
	if int(t.Op) >= len(sig.ops) {
		return fmt.Errorf("there is no operator %d", t.Op)
	}
	h := sig.HeadInfo(sig.Head(t.Op))
	if len(t.Kids) != h.Arity || len(t.Own) != h.Own || len(t.Binders) != h.Binders {
		return fmt.Errorf("%s has %d children, %d slots and %d binders", h.Name, len(t.Kids), len(t.Own), len(t.Binders))
	}
	for _, k := range t.Kids {
		if err := k.formed(sig, seen); err != nil {
			return err
		}
	}
	seen[t] = true
	return nil
}

// Rename is t with other names for free variables. Variables that are bound in t
// get other names where they would capture one.
func (t *Tree) Rename(sig *Signature, is map[slot.Name]slot.Name) *Tree {
	if len(is) == 0 {
		return t
	}
	out := &Tree{Op: t.Op, Binders: t.Binders}
	for _, n := range t.Own {
		out.Own = append(out.Own, renamed(is)(n))
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
				m := unused(n, taken)
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

// swapped is t with its two children in each other's place.
func (t *Tree) swapped() *Tree {
	out := *t
	out.Kids = []*Tree{t.Kids[1], t.Kids[0]}
	return &out
}

// Names notes all names in t, bound and free.
func (t *Tree) Names(all map[slot.Name]bool) { t.names(all, make(map[*Tree]bool)) }

// names is Names but for subterms that were seen.
func (t *Tree) names(all map[slot.Name]bool, seen map[*Tree]bool) {
	if seen[t] {
		return
	}
	seen[t] = true
	for _, n := range slices.Concat(t.Own, t.Binders) {
		all[n] = true
	}
	for _, k := range t.Kids {
		k.names(all, seen)
	}
}

// unused is a name after n that is not used, and not 0.
func unused(n slot.Name, used map[slot.Name]bool) slot.Name {
	for n++; n == 0 || used[n]; n++ {
	}
	return n
}

// refresh is t in which what is not in is, bound or free, has a new name, which
// is entered there.
func (t *Tree) refresh(is map[slot.Name]slot.Name, fresh func() slot.Name) *Tree {
	names := func(ns []slot.Name) []slot.Name {
		out := make([]slot.Name, len(ns))
		for i, n := range ns {
			if _, ok := is[n]; !ok {
				is[n] = fresh()
			}
			out[i] = is[n]
		}
		return out
	}
	out := &Tree{Op: t.Op, Own: names(t.Own), Binders: names(t.Binders)}
	for _, k := range t.Kids {
		out.Kids = append(out.Kids, k.refresh(is, fresh))
	}
	return out
}

// apart is t with fresh names for what it binds.
func (t *Tree) apart(g *Graph) *Tree { return t.rebind(g, nil) }

func (t *Tree) rebind(g *Graph, is map[slot.Name]slot.Name) *Tree {
	out := &Tree{Op: t.Op}
	for _, n := range t.Own {
		out.Own = append(out.Own, renamed(is)(n))
	}
	inner := is
	if len(t.Binders) > 0 {
		inner = make(map[slot.Name]slot.Name)
		for n, m := range is {
			inner[n] = m
		}
		for _, n := range t.Binders {
			inner[n] = g.Fresh()
			out.Binders = append(out.Binders, inner[n])
		}
	}
	under := g.sig.HeadInfo(g.sig.Head(t.Op)).Under
	for k, kid := range t.Kids {
		scope := is
		if under>>k&1 != 0 {
			scope = inner
		}
		out.Kids = append(out.Kids, kid.rebind(g, scope))
	}
	return out
}

// Mentions reports whether a name is free in t.
func (t *Tree) Mentions(sig *Signature, n slot.Name) bool {
	if slices.Contains(t.Own, n) {
		return true
	}
	under := sig.HeadInfo(sig.Head(t.Op)).Under
	bound := slices.Contains(t.Binders, n)
	for k, kid := range t.Kids {
		if !(bound && under>>k&1 != 0) && kid.Mentions(sig, n) {
			return true
		}
	}
	return false
}

// At is the subterm at a path of child numbers, nil if there is none.
func (t *Tree) At(path []int) *Tree {
	for _, k := range path {
		if k < 0 || k >= len(t.Kids) {
			return nil
		}
		t = t.Kids[k]
	}
	return t
}

// Key is equal for alpha-equivalent terms and differs otherwise.
func (t *Tree) Key(sig *Signature) string { return string(t.key(sig, nil, 0, nil)) }

// treeSum stands for a key. Long proofs of large terms would fill the memory with
// keys.
type treeSum [sha256.Size]byte

func (t *Tree) sum(sig *Signature) treeSum { return sha256.Sum256(t.key(sig, nil, 0, nil)) }

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
