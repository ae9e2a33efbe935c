package ad

import (
	"slices"

	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// cut is a gather of an input that is a variable of its own.
type cut struct {
	input term.Input
	view  term.View
}

// piece is a part of an array of the value, which is the sum of its parts.
type piece struct {
	of    []int       // where the array is in the value
	array *types.Type // of the array
	t     term.Term   // what is differentiated
	sent  *term.View  // the scatter of t that is the part, nil if t is
}

// cutter makes variables of gathers of inputs, and takes apart what scatters add up.
type cutter struct {
	of     map[string]*cut // by the name of the variable
	terms  map[string]term.Term
	varied map[string]*types.Type // by the name of what is differentiated by, an array each
	value  term.Term
	pieces []piece // of the value
}

// gathers makes a variable of each gather of what is differentiated by, and names all
// that is to be differentiated by then.
func (c *cutter) gathers(p *term.Program, wrt []term.Input) (*term.Program, []string) {
	q := p.Clone()
	q.Inputs = slices.Clone(q.Inputs)
	c.terms = make(map[string]term.Term)
	leaves := make(map[string]term.Input)
	var names []string
	for _, in := range wrt {
		names = append(names, in.Name)
		for _, leaf := range in.Leaves() {
			leaves[leaf.Name], c.varied[leaf.Name] = leaf, leaf.Type
		}
	}
	known := make(map[string]term.Term)
	q.Root = q.Store.Replace(q.Root, func(t term.Term) (term.Term, bool) {
		if q.Store.Op(t).Sym != ops.SymGather || len(t.Args) > 0 {
			return t, false
		}
		v := q.Store.Open(t)
		of := q.Store.Op(v.Kids[0])
		leaf, ok := leaves[of.Name]
		if of.Sym != ops.SymVar || !ok || !leaf.Type.Differentiable() {
			return t, false
		}
		key := term.TermKey(t)
		if x, ok := known[key]; ok {
			return x, true
		}
		in := term.Input{Name: FreshInput(q, "at_"+leaf.Name), Type: q.Store.Type(t)}
		q.Inputs = append(q.Inputs, in)
		names = append(names, in.Name)
		c.of[in.Name], c.terms[in.Name], c.varied[in.Name] = &cut{leaf, v}, t, in.Type
		known[key] = q.Store.Var(in.Name, in.Type)
		return known[key], true
	})
	return q, names
}

// scatters makes the program result in the pieces of its value alone.
func (c *cutter) scatters(q *term.Program) {
	c.value = q.Root
	s := q.Store
	var parts []term.Term
	for _, of := range places(s.Type(q.Root)) {
		t := componentAt(s, q.Root, of)
		for _, p := range c.apart(s, t) {
			p.of, p.array = of, s.Type(t)
			c.pieces, parts = append(c.pieces, p), append(parts, p.t)
		}
	}
	if len(parts) > 0 {
		q.Root = s.Packed(parts)
	}
}

// apart are the pieces of an array: what its scatters add and the rest, if the blocks of
// these have fewer elements than those of the array, which is the only one otherwise.
func (c *cutter) apart(s *term.Store, t term.Term) []piece {
	var out []piece
	var rest *term.Term
	size := 0.0
	for _, x := range summands(s, t) {
		v := s.Open(x)
		if v.Op.Sym == ops.SymScatter {
			out, size = append(out, piece{t: v.Kids[0], sent: &v}), size+c.size(s, v.Kids[0])
			continue
		}
		if rest != nil {
			x = s.Apply(ops.SymAdd, *rest, x)
		}
		rest = &x
	}
	if rest != nil {
		out, size = append(out, piece{t: *rest}), size+c.size(s, *rest)
	}
	if size >= c.size(s, t) {
		return []piece{{t: t}}
	}
	return out
}

// size is how many elements the blocks of an array have.
func (c *cutter) size(s *term.Store, t term.Term) float64 {
	rows := axes(s, s.Type(t).Shape)
	all := 0.0
	for name, read := range readsOf(s, t, rows) {
		typ, ok := c.varied[name]
		if !ok {
			continue
		}
		n := float64(count(rows)) * float64(len(read.places))
		for i, x := range read.places[0] {
			if k, ok := typ.Shape[i].Const(); ok && x == nil {
				n *= float64(k)
			}
		}
		all += n
	}
	return all
}

// maxSummands is how many terms a sum is taken apart into.
const maxSummands = 16

// summands are terms whose sum is t, scatters or what has none that is a summand.
func summands(s *term.Store, t term.Term) []term.Term {
	var out []term.Term
	var visit func(t term.Term, negative bool)
	visit = func(t term.Term, negative bool) {
		v := s.Open(t)
		switch sym := v.Op.Sym; {
		case len(out) > maxSummands:
		case sym == ops.SymAdd || sym == ops.SymSub:
			visit(v.Kids[0], negative)
			visit(v.Kids[1], negative != (sym == ops.SymSub))
			return
		case sym == ops.SymNeg:
			visit(v.Kids[0], !negative)
			return
		case sym == ops.SymScatter && negative:
			t = s.MustMake(v.Op, v.Own, v.Binders, append([]term.Term{s.Apply(ops.SymNeg, v.Kids[0])}, v.Kids[1:]...))
		case negative:
			t = s.Apply(ops.SymNeg, t)
		}
		out = append(out, t)
	}
	if visit(t, false); len(out) > maxSummands {
		return []term.Term{t}
	}
	return out
}
