package egraph

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"egad/slot"
)

// Tree is a term. Names of variables that are bound at different places differ,
// and differ from free ones. Equal subterms may be one Tree.
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

// Rename is t with other names for free variables.
func (t *Tree) Rename(is map[slot.Name]slot.Name) *Tree {
	if len(is) == 0 {
		return t
	}
	names := func(ns []slot.Name) []slot.Name {
		out := make([]slot.Name, len(ns))
		for i, n := range ns {
			out[i] = n
			if m, ok := is[n]; ok {
				out[i] = m
			}
		}
		return out
	}
	out := &Tree{Op: t.Op, Own: names(t.Own), Binders: t.Binders}
	for _, k := range t.Kids {
		out.Kids = append(out.Kids, k.Rename(is))
	}
	return out
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
func (t *Tree) Mentions(n slot.Name) bool {
	if slices.Contains(t.Binders, n) {
		return false // a name that is bound is not used elsewhere
	}
	return slices.Contains(t.Own, n) || slices.ContainsFunc(t.Kids, func(k *Tree) bool { return k.Mentions(n) })
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
