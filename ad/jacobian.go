// Package ad differentiates programs: bulk programs, and those with build
// directly.
//
// The derivative of a program is a linear map (Coconut, Section 3). It is built
// from local maps: for every use of a term v as an operand of a term u there is
// a map L(u, v) from a change of v to the change of u, which the rule set nabla
// gives. From these the Jacobian is put together twice, each time in a size
// linear in the program:
//
//   - F(v) = ⊕ L(v, j) ∘ F(j) over the operands j of v, with F of an input its
//     projection: forward mode, F(out) applied to a change of the inputs;
//   - D(v) = ⊕ D(u) ∘ L(u, v) over the uses u of v, with D(out) = 1: reverse
//     mode, D(v) transposed and applied to a cotangent of the result.
//
// Transposition and application are laws of package linmap. Because the
// cotangent of v is one class of an e-graph, contributions are added before they
// go on, as in Figs. 5 and 19 of the dual-numbers paper, without environments or
// ids.
package ad

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"egad/diag"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/rules"
	"egad/term"
	"egad/term/overflow"
	"egad/term/types"
)

// Jacobian is the derivative of a program as linear maps.
type Jacobian struct {
	Prog *term.Program // what was linearised; the maps are terms of its store
	Wrt  []term.Input  // the named inputs that are varied, leaves of tuples
	// Out is what is differentiated: the real arrays of the result, without
	// those that have no elements.
	Out []term.Term
	// Domain is the type of a change of the inputs, Codomain that of a change of
	// Out: one array's type, or a tuple of them.
	Domain, Codomain *types.Type
	// Forward is F(out): a map from Domain to Codomain. Forwards are its parts:
	// F of each array of Out, a map from Domain to its type.
	Forward  term.Term
	Forwards []term.Term
	// Reverse holds D(x) for each input x: a map from the type of x to Codomain.
	// Transposed it takes cotangents of the result to those of x.
	Reverse []term.Term
	// Names are the names of Prog, each given once, and those of the maps of what
	// has a name: F_y, and D_y.
	Names map[uint32]term.Hint

	lin *lineariser
}

// From gives the maps from the input number x alone to each array of Out; nil
// where there is no way to it, or no such input.
func (j *Jacobian) From(x int) []*term.Term {
	if j == nil || j.lin == nil || x < 0 || x >= len(j.lin.vars) {
		return nil
	}
	l := j.lin
	return found(l.forward(map[string]term.Term{term.TermKey(l.vars[x]): l.one(l.vars[x])}), j.Out)
}

// To gives the maps from each input to the array number k of Out alone; nil where
// there is no way to it, or no such array.
func (j *Jacobian) To(k int) []*term.Term {
	if j == nil || j.lin == nil || k < 0 || k >= len(j.Out) {
		return nil
	}
	l := j.lin
	return found(l.reverse(j.Out[k], l.one(j.Out[k]), nil), l.vars)
}

// found are the maps that belong to terms, nil where there is none.
func found(maps map[string]term.Term, terms []term.Term) []*term.Term {
	return slice.Map(terms, func(t term.Term) *term.Term {
		if m, ok := maps[term.TermKey(t)]; ok {
			return &m
		}
		return nil
	})
}

// Linearise finds the Jacobian of a program with respect to the inputs in wrt, in
// this order (all differentiable ones if it is nil). Inputs and results without elements are left
// out. If nothing is left on either side, there are no maps.
func Linearise(lib *rules.Library, p *term.Program, wrt []string) (*Jacobian, error) {
	if err := given(lib, p); err != nil {
		return nil, err
	}
	return lineariseBy(lib, p, wrt, nil)
}

// lineariseBy is Linearise; read gives the local maps, if they need not be found.
func lineariseBy(lib *rules.Library, p *term.Program, wrt []string, read func(s *term.Store) (*locals, error)) (*Jacobian, error) {
	whole, err := Varied(p, wrt)
	if err != nil {
		return nil, err
	}
	inputs := slice.Filter(term.Leaves(whole), func(leaf term.Input) bool {
		return leaf.Type.Differentiable() && !leaf.Type.HasEmptyAxis()
	})
	set, err := derivatives(lib)
	if err != nil {
		return nil, err
	}
	p = p.Clone()
	l := newLineariser(set, p)
	if read != nil {
		if l.found, err = read(l.s); err != nil {
			return nil, err
		}
	}
	j := &Jacobian{Prog: p, Wrt: inputs, Names: l.names, lin: l}
	var types []*types.Type
	for _, in := range inputs {
		types = append(types, in.Type)
		v := l.s.Var(in.Name, in.Type)
		l.input[term.TermKey(v)] = len(l.vars)
		l.vars = append(l.vars, v)
	}
	err = overflow.Guard(func() (err error) {
		defer raise.Caught(&err)
		j.Out = leaves(l.s, p.Root)
		if len(j.Out) == 0 || len(inputs) == 0 {
			return nil
		}
		j.Domain = term.PackedType(types)
		root := l.s.Packed(j.Out)
		j.Codomain = l.s.Type(root)
		l.walkAll(append(j.Out, root))
		l.whole(j, root)
		return nil
	})
	return j, err
}

// leaves lists the real arrays with elements that a result consists of.
func leaves(s *term.Store, t term.Term) []term.Term {
	return slice.Map(places(s.Type(t)), func(at []int) term.Term { return componentAt(s, t, at) })
}

// Varied lists the inputs that a derivative is for: those that wrt names, in its
// order, or if it is nil all that have a real part.
func Varied(p *term.Program, wrt []string) ([]term.Input, error) {
	at, _, err := Chosen(p.Name, p.Inputs, slices.Sorted(maps.Keys(p.Sizes)), wrt)
	if err == nil && len(at) == 0 {
		err = diag.Errorf(nil, 0, "%s has no real input to differentiate with respect to", p.Name)
	}
	if err != nil {
		return nil, err
	}
	return slice.Map(at, func(k int) term.Input { return p.Inputs[k] }), nil
}

// Chosen finds among the inputs of a definition those that wrt names, in its order, or
// if it is nil all that have a real part. An error tells which input it is about, or -1.
func Chosen(def string, inputs []term.Input, sizes, wrt []string) (chosen []int, about int, err error) {
	if wrt != nil && len(wrt) == 0 {
		return nil, -1, diag.Errorf(nil, 0, "no input of %s is named to differentiate with respect to", def)
	}
	names := make([]string, len(inputs))
	for i, in := range inputs {
		names[i] = in.Name
		if wrt == nil && in.Type.Differentiable() {
			chosen = append(chosen, i)
		}
	}
	for k, w := range wrt {
		i := slices.Index(names, w)
		whole, _, component := strings.Cut(w, ".")
		switch {
		case i >= 0 && slices.Contains(wrt[:k], w):
			return nil, i, diag.Errorf(nil, 0, "the input %s is named twice among those to differentiate with respect to", w)
		case i >= 0 && !inputs[i].Type.Differentiable():
			return nil, i, diag.Errorf(nil, 0, "%s: %s has no real part to differentiate with respect to", w, inputs[i].Type)
		case i >= 0:
			chosen = append(chosen, i)
			continue
		case slices.Contains(sizes, w):
			return nil, -1, diag.Errorf(nil, 0, "%s has no input %s to differentiate with respect to: %[2]s is a size, a whole number", def, w)
		case component && slices.Contains(names, whole):
			return nil, slices.Index(names, whole), diag.Errorf(nil, 0, "derivatives are by whole inputs of %s, as %s, and not by a component, as %s", def, whole, w)
		}
		return nil, -1, diag.Errorf(nil, 0, "%s has no input %s to differentiate with respect to%s", def, cmp.Or(w, `""`), diag.DidYouMean(w, names))
	}
	return chosen, -1, nil
}
