package module

import (
	"egad/diag"
	"egad/term/ast"
)

// scope is the names in reach of an expression: one, and those of its parent.
type scope[V any] struct {
	name   string
	val    *val[V]
	pos    diag.Pos
	parent *scope[V]
	ctx    *context
	depth  int         // how many names there are
	index  *indexed[V] // of every so many names, all up to here
	let    ast.Expr    // what let binds the name to, nil if no let does
}

// indexEvery is how many names are looked through one by one at most.
const indexEvery = 32

// indexed is a search tree of names. It is not balanced: hashes take care of that.
// Adding a name makes a new tree, which shares most of the old one.
type indexed[V any] struct {
	hash        uint64
	bound       *scope[V]
	left, right *indexed[V]
}

// bind is the scope with one more name, which hides a size of that name.
func (s *scope[V]) bind(name string, v *val[V], pos diag.Pos) *scope[V] {
	b := &scope[V]{name, v, pos, s, s.ctx.without(name), s.depth + 1, s.index, nil}
	if b.depth%indexEvery == 0 {
		b.index = b.indexed(indexEvery)
	}
	return b
}

// indexed is the index of a scope of which the last n names are in none.
func (s *scope[V]) indexed(n int) *indexed[V] {
	if n == 0 {
		return s.index
	}
	return s.parent.indexed(n-1).with(hashOf(s.name), s)
}

func (t *indexed[V]) with(hash uint64, b *scope[V]) *indexed[V] {
	if t == nil {
		return &indexed[V]{hash: hash, bound: b}
	}
	u := *t
	switch {
	case hash == t.hash && b.name == t.bound.name:
		u.bound = b
	case hash < t.hash:
		u.left = t.left.with(hash, b)
	default:
		u.right = t.right.with(hash, b)
	}
	return &u
}

// lookup finds the innermost binding of a name.
func (s *scope[V]) lookup(name string) (*scope[V], bool) {
	for b := s; b != nil && (b == s || b.depth%indexEvery != 0); b = b.parent {
		if b.name == name {
			return b, true
		}
	}
	hash := hashOf(name)
	for t := s.index; t != nil; {
		switch {
		case hash == t.hash && name == t.bound.name:
			return t.bound, true
		case hash < t.hash:
			t = t.left
		default:
			t = t.right
		}
	}
	return nil, false
}

// hashOf is the hash FNV-1a of a name.
func hashOf(name string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	return h
}
