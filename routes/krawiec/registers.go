package krawiec

import (
	"egad/fun"
	"egad/internal/memo"
)

// object is what a register refers to: an array, a function with what it has captured, a pair
// or a sum that is too wide for registers, or a value of another kind.
type object struct {
	words []uint64
	refs  []*object
	n     int // the length of an array
	code  *code
	other fun.Value
}

// shape is how a value stands in registers: reals, integers and tags of sums are words, a Delta
// is the word of its id (0 is Zero: there are no others, by the invariant of Fig. 9), and
// functions and arrays are references. The parts of a pair follow each other, and the sides of
// a sum lie in one place behind its tag.
type shape struct{ words, refs int32 }

func (s shape) then(t shape) shape { return shape{s.words + t.words, s.refs + t.refs} }

var reference = shape{refs: 1}

// shapes are those of types.
type shapes struct {
	known map[*fun.Type]shape
	// widest is how many registers a value has at most. One that would have more is boxed: it
	// is a reference to an object, so that what is done with a value takes no longer for a
	// larger one.
	widest int32
}

// of is the shape of values of a type.
func (s *shapes) of(t *fun.Type) shape {
	if inside := s.inside(t); !s.boxed(inside) {
		return inside
	}
	return reference
}

// boxed reports whether a value is boxed, of the shape of what makes it up.
func (s *shapes) boxed(inside shape) bool { return inside.words+inside.refs > s.widest }

// inside is the shape of what makes up a value of a type, even if that is boxed.
func (s *shapes) inside(t *fun.Type) shape {
	return memo.Of(s.known, t, func() shape {
		switch {
		case t.Kind == fun.KReal || t.Kind == fun.KInt || t.Form == deltaForm:
			return shape{words: 1}
		case t.Kind == fun.KUnit:
			return shape{}
		case t.Kind == fun.KProd:
			return s.of(t.Parts[0]).then(s.of(t.Parts[1]))
		case t.Kind == fun.KSum:
			l, r := s.of(t.Parts[0]), s.of(t.Parts[1])
			return shape{1 + max(l.words, r.words), max(l.refs, r.refs)}
		case t.Form == fun.MonadForm:
			return s.inside(t.Parts[0])
		}
		return reference
	})
}

// put writes a value into registers.
func (s *shapes) put(v fun.Value, t *fun.Type, words []uint64, refs []*object) {
	if t.Form == fun.MonadForm {
		t = t.Parts[0]
	}
	if inside := s.inside(t); s.boxed(inside) {
		box := &object{words: make([]uint64, inside.words), refs: make([]*object, inside.refs)}
		refs[0] = box
		words, refs = box.words, box.refs
	}
	switch v := v.(type) {
	case float64:
		words[0] = bits(v)
	case int64:
		words[0] = uint64(v)
	case *Delta:
		words[0] = uint64(v.ID)
	case fun.Nothing:
	case *fun.Pairing:
		s.put(v.L, t.Parts[0], words, refs)
		l := s.of(t.Parts[0])
		s.put(v.R, t.Parts[1], words[l.words:], refs[l.refs:])
	case *fun.Side:
		words[0] = uint64(fun.Place(v.Right))
		s.put(v.X, t.Parts[fun.Place(v.Right)], words[1:], refs)
	case *fun.Elements:
		elem := s.of(t.Parts[0])
		a := &object{n: len(v.X), words: make([]uint64, len(v.X)*int(elem.words)), refs: make([]*object, len(v.X)*int(elem.refs))}
		for i, x := range v.X {
			s.put(x, t.Parts[0], a.words[i*int(elem.words):], a.refs[i*int(elem.refs):])
		}
		refs[0] = a
	default:
		refs[0] = &object{other: v}
	}
}

// get reads a value from registers.
func (s *shapes) get(t *fun.Type, words []uint64, refs []*object) fun.Value {
	if t.Form == fun.MonadForm {
		t = t.Parts[0]
	}
	if s.boxed(s.inside(t)) {
		words, refs = refs[0].words, refs[0].refs
	}
	switch {
	case t.Kind == fun.KReal:
		return float(words[0])
	case t.Kind == fun.KInt:
		return int64(words[0])
	case t.Form == deltaForm:
		if words[0] == 0 {
			return zero
		}
		return &Delta{Kind: Var, ID: int(words[0])}
	case t.Kind == fun.KUnit:
		return fun.Nothing{}
	case t.Kind == fun.KProd:
		l := s.of(t.Parts[0])
		return &fun.Pairing{L: s.get(t.Parts[0], words, refs), R: s.get(t.Parts[1], words[l.words:], refs[l.refs:])}
	case t.Kind == fun.KSum:
		x := s.get(t.Parts[words[0]], words[1:], refs)
		if t.Equal(fun.Bool) {
			return fun.Truth(words[0] == 0)
		}
		return &fun.Side{Right: words[0] != 0, X: x}
	case t.Kind == fun.KArray:
		elem, a := s.of(t.Parts[0]), refs[0]
		out := make([]fun.Value, a.n)
		for i := range out {
			out[i] = s.get(t.Parts[0], a.words[i*int(elem.words):], a.refs[i*int(elem.refs):])
		}
		return &fun.Elements{X: out}
	}
	return refs[0].other
}
