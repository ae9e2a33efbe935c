// Package slot holds what terms and e-graph rows have in common: binders
// without variable names.
//
// A node may have free slots, the places where names of index variables are
// passed to it, and bound slots, one per binder it introduces. A child is a
// [Ref]: an id together with the names it passes for the free slots of that id.
// [Canonicalise] numbers the names of a row in a way that depends only on how
// they occur, so that alpha-equivalent rows become equal data. The idea is that
// of Slotted E-Graphs (Schneider et al., PLDI 2025).
package slot

import (
	"slices"

	"egad/internal/slice"
)

// Name is a slot as its context calls it. Names only need to be distinct within
// one context; they never reach a stored row.
type Name uint32

// Ref is an id together with the names it passes for that id's free slots, in
// the order in which the id numbers them. A closed thing has no Args.
type Ref struct {
	ID   uint32
	Args []Name
}

// Has reports whether n is among the names r passes: whether n occurs free in
// what r stands for.
func (r Ref) Has(n Name) bool { return slices.Contains(r.Args, n) }

// Equal reports whether r and s are the same id with the same names.
func (r Ref) Equal(s Ref) bool { return r.ID == s.ID && slices.Equal(r.Args, s.Args) }

// Rename returns r with every name passed through f.
func (r Ref) Rename(f func(Name) Name) Ref {
	if len(r.Args) == 0 {
		return r
	}
	args := make([]Name, len(r.Args))
	for i, n := range r.Args {
		args[i] = f(n)
	}
	return Ref{ID: r.ID, Args: args}
}

// RenameFrom returns r with the names from replaced by the names to, in parallel.
func (r Ref) RenameFrom(from, to []Name) Ref {
	return r.Rename(func(n Name) Name {
		if i := slices.Index(from, n); i >= 0 {
			return to[i]
		}
		return n
	})
}

// Pos is a name in a stored row: the number of a free slot, or [Bound] plus the
// position of the binder that binds it.
type Pos uint16

// Bound marks a [Pos] that refers to one of the row's own binders.
const Bound Pos = 1 << 15

// Kid is a child in a stored row.
type Kid struct {
	ID   uint32
	Args []Pos
}

// Row is the canonical form of a node without its operator: free slots are
// numbered by first occurrence, own slots first and then child by child; bound
// slots are numbered by the position of their binder.
type Row struct {
	Own  []Pos // slots the node itself names (an index variable has one)
	Kids []Kid
	Free []Name // the names that the free slots 0, 1, … had in the context
}

// Source is a node before canonicalisation. Under says for each child whether
// the binders scope over it; nil means over none.
type Source struct {
	Own     []Name
	Kids    []Ref
	Binders []Name
	Under   func(kid int) bool
}

// Canonicalise numbers the names of s. A binder's name in a child that it does
// not scope over is an ordinary free name.
func Canonicalise(s Source) Row {
	var r Row
	free := func(n Name) Pos {
		if i := slices.Index(r.Free, n); i >= 0 {
			return Pos(i)
		}
		r.Free = append(r.Free, n)
		return Pos(len(r.Free) - 1)
	}
	args := make([]Pos, 0, slice.Sum(s.Kids, func(k Ref) int { return len(k.Args) })+len(s.Own))
	for _, n := range s.Own {
		args = append(args, free(n))
	}
	r.Own = args[:len(args):len(args)]
	r.Kids = make([]Kid, len(s.Kids))
	for i, k := range s.Kids {
		from := len(args)
		under := s.Under != nil && s.Under(i)
		for _, n := range k.Args {
			if under {
				// The innermost binder of a name wins, as in \i -> \i -> i.
				if b := lastIndex(s.Binders, n); b >= 0 {
					args = append(args, Bound|Pos(b))
					continue
				}
			}
			args = append(args, free(n))
		}
		r.Kids[i] = Kid{ID: k.ID, Args: args[from:len(args):len(args)]}
	}
	return r
}

// Open is the inverse of [Canonicalise]: it names the free slots of a row free
// and its bound slots binders, and returns the children in those names.
func Open(kids []Kid, free, binders []Name) []Ref {
	out := make([]Ref, len(kids))
	args := make([]Name, 0, slice.Sum(kids, func(k Kid) int { return len(k.Args) }))
	for i, k := range kids {
		out[i].ID = k.ID
		if len(k.Args) == 0 {
			continue
		}
		from := len(args)
		for _, p := range k.Args {
			args = append(args, At(p, free, binders))
		}
		out[i].Args = args[from:len(args):len(args)]
	}
	return out
}

// Names turns positions into the names they have in a context, or into what stands for these.
func Names[N any](ps []Pos, free, binders []N) []N {
	if len(ps) == 0 {
		return nil
	}
	out := make([]N, len(ps))
	for i, p := range ps {
		out[i] = At(p, free, binders)
	}
	return out
}

// At is what stands at a position.
func At[N any](p Pos, free, binders []N) N {
	if p&Bound != 0 {
		return binders[p&^Bound]
	}
	return free[p]
}

func lastIndex(s []Name, n Name) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == n {
			return i
		}
	}
	return -1
}

// Renamed is what a name is called: itself, unless is has another name for it.
func Renamed(is map[Name]Name, n Name) Name {
	if m, ok := is[n]; ok {
		return m
	}
	return n
}

// Alike reports whether c and d are a and b with other names, different ones for different
// ones.
func Alike(a, b, c, d Ref) bool {
	if a.ID != c.ID || b.ID != d.ID {
		return false
	}
	to, back := make(map[Name]Name), make(map[Name]Name)
	for i, n := range slices.Concat(a.Args, b.Args) {
		m := slices.Concat(c.Args, d.Args)[i]
		x, ok := to[n]
		y, used := back[m]
		if ok && x != m || used && y != n {
			return false
		}
		to[n], back[m] = m, n
	}
	return true
}

// Numbering gives names small numbers: the number of a name is its place.
type Numbering []Name

// Of is the number of a name. A name that has none gets the next one.
func (ns *Numbering) Of(n Name) int {
	k := slices.Index(*ns, n)
	if k < 0 {
		k = len(*ns)
		*ns = append(*ns, n)
	}
	return k
}

// Unused is a name after n that is not used, and not 0.
func Unused(n Name, used map[Name]bool) Name {
	for n++; n == 0 || used[n]; n++ {
	}
	return n
}
