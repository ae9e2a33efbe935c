// Package ad differentiates bulk programs.
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
	"fmt"
	"slices"
	"strconv"
	"strings"

	"egad/diag"
	"egad/rules"
	"egad/term"
)

// Jacobian is the derivative of a bulk program as linear maps.
type Jacobian struct {
	Prog *term.Program
	Wrt  []term.Input // the named inputs that are varied, leaves of tuples
	// Out is what is differentiated: the real arrays of the result, without
	// those that have no elements.
	Out []term.Term
	// Domain is the type of a change of the inputs, Codomain that of a change of
	// Out: one array's type, or a tuple of them.
	Domain, Codomain *term.Type
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
// where there is no way to it.
func (j *Jacobian) From(x int) []*term.Term {
	l := j.lin
	id := l.vars[x]
	f := l.forward(map[uint32]term.Term{id: l.one(id)})
	out := make([]*term.Term, len(j.Out))
	for i, o := range j.Out {
		if m, ok := f[o.ID]; ok {
			out[i] = &m
		}
	}
	return out
}

// To gives the maps from each input to the array number k of Out alone; nil where
// there is no way to it.
func (j *Jacobian) To(k int) []*term.Term {
	l := j.lin
	d := l.reverse(j.Out[k].ID)
	out := make([]*term.Term, len(l.vars))
	for i, x := range l.vars {
		if m, ok := d[x]; ok {
			out[i] = &m
		}
	}
	return out
}

// edge is the use of a term as an operand.
type edge struct {
	kid   uint32
	local term.Term // L(u, kid)
}

// Linearise finds the Jacobian of a bulk program with respect to the inputs in
// wrt (all differentiable ones if it is nil). Inputs and results without elements
// are left out. If nothing is left on either side, there are no maps.
func Linearise(lib *rules.Library, p *term.Program, wrt []string) (*Jacobian, error) {
	inputs, err := selectInputs(p, wrt)
	if err != nil {
		return nil, err
	}
	set := lib.Set("nabla")
	if set == nil {
		return nil, fmt.Errorf("there is no rule set nabla")
	}
	l := &lineariser{
		lib: lib, set: set, p: p, s: p.Store, names: distinct(p), active: make(map[uint32]bool), edges: make(map[uint32][]edge),
	}
	j := &Jacobian{Prog: p, Wrt: inputs, Names: l.names, lin: l}
	var types []*term.Type
	for _, in := range inputs {
		types = append(types, in.Type)
		l.vars = append(l.vars, l.s.Var(in.Name, in.Type).ID)
	}
	err = term.Guard(func() error {
		j.Out = leaves(l.s, p.Root)
		if len(j.Out) == 0 || len(inputs) == 0 {
			return nil
		}
		j.Domain = one(types)
		l.root = j.Out[0]
		if len(j.Out) > 1 {
			l.root = l.s.Apply(term.SymTuple, j.Out...)
		}
		j.Codomain = l.s.Type(l.root)
		if err := l.walk(l.root); err != nil {
			return err
		}
		l.whole(j)
		return nil
	})
	return j, err
}

// one is the type of one array, or of a tuple of several.
func one(types []*term.Type) *term.Type {
	if len(types) == 1 {
		return types[0]
	}
	return term.TupleOf(types...)
}

// leaves lists the real arrays with elements that a result consists of.
func leaves(s *term.Store, t term.Term) []term.Term {
	typ := s.Type(t)
	if typ.Kind != term.KTuple {
		if typ.Differentiable() && !typ.HasEmptyAxis() {
			return []term.Term{t}
		}
		return nil
	}
	var out []term.Term
	for i := range typ.Parts {
		out = append(out, leaves(s, s.Proj(i, t))...)
	}
	return out
}

// selectInputs finds the leaves of the inputs named in wrt.
func selectInputs(p *term.Program, wrt []string) ([]term.Input, error) {
	var out []term.Input
	var names []string
	used, differentiable := make(map[string]bool), false
	for _, in := range p.Inputs {
		names = append(names, in.Name)
		if wrt != nil && !slices.Contains(wrt, in.Name) {
			continue
		}
		used[in.Name] = true
		if !in.Type.Differentiable() {
			if wrt != nil {
				return nil, fmt.Errorf("%s: %s has no real part to differentiate with respect to", in.Name, in.Type)
			}
			continue
		}
		differentiable = true
		for _, leaf := range in.Leaves() {
			if leaf.Type.Differentiable() && !leaf.Type.HasEmptyAxis() {
				out = append(out, leaf)
			}
		}
	}
	for _, w := range wrt {
		if !used[w] {
			return nil, fmt.Errorf("there is no input %s%s", w, diag.DidYouMean(w, names))
		}
	}
	if !differentiable {
		return nil, fmt.Errorf("%s has no real input to differentiate with respect to", p.Name)
	}
	return out, nil
}

type lineariser struct {
	lib    *rules.Library
	set    *rules.Set
	p      *term.Program
	s      *term.Store
	root   term.Term
	vars   []uint32        // the inputs, by node
	active map[uint32]bool // depends on an input by a real path; absent if not visited
	edges  map[uint32][]edge
	order  []uint32 // active nodes, operands first
	names  map[uint32]term.Hint
}

// name names map m of node id after it, if it has a name.
func (l *lineariser) name(kind string, id uint32, m term.Term) {
	h := l.names[id]
	if slices.Contains(l.vars, id) {
		h = term.NewHint(strings.ReplaceAll(l.s.Op(term.Term{ID: id}).Name, ".", "_"), slices.Index(l.vars, id))
	}
	if h.Name == "" {
		return
	}
	h.Name = kind + "_" + h.Name
	if old, ok := l.names[m.ID]; !ok || h.Before(old) {
		l.names[m.ID] = h
	}
}

// distinct gives the names of p that occur several times numbers, as the printer
// does, so that the names of maps tell which of them is meant.
func distinct(p *term.Program) map[uint32]term.Hint {
	out := make(map[uint32]term.Hint)
	used := make(map[string]bool)
	for _, in := range p.Inputs {
		used[in.Name] = true
	}
	p.Store.Walk(p.Root, func(t term.Term) {
		h, ok := p.Names[t.ID]
		if !ok {
			return
		}
		for k, name := 2, h.Name; h.Name != "" && used[h.Name]; k++ {
			h.Name = strings.TrimRight(name, "0123456789") + strconv.Itoa(k)
		}
		used[h.Name] = true
		out[t.ID] = h
	})
	return out
}

// walk finds the local maps of all active nodes.
func (l *lineariser) walk(t term.Term) error {
	if _, seen := l.active[t.ID]; seen {
		return nil
	}
	l.active[t.ID] = false
	if len(t.Args) > 0 {
		return fmt.Errorf("a term under a binder cannot be differentiated; the program is not a bulk program")
	}
	if !l.s.Type(t).Differentiable() {
		return nil
	}
	if slices.Contains(l.vars, t.ID) {
		l.activate(t.ID)
		return nil
	}
	v := l.s.Open(t)
	var varied []int
	for i, k := range v.Kids {
		if v.Op.Under(i) && v.Op.Sym != term.SymBuild || !l.s.Type(k).Differentiable() {
			continue // an index function
		}
		if err := l.walk(k); err != nil {
			return err
		}
		if l.active[k.ID] {
			varied = append(varied, i)
		}
	}
	if len(varied) == 0 {
		return nil
	}
	maps, err := l.local(t)
	if err != nil {
		return err
	}
	for _, i := range varied {
		if m, ok := maps[i]; ok {
			l.edges[t.ID] = append(l.edges[t.ID], edge{v.Kids[i].ID, m})
		}
	}
	if len(l.edges[t.ID]) > 0 {
		l.activate(t.ID)
	}
	return nil
}

func (l *lineariser) activate(id uint32) {
	l.active[id] = true
	l.order = append(l.order, id)
}

// local finds the derivative rule for a node and its maps.
func (l *lineariser) local(t term.Term) (map[int]term.Term, error) {
	space := rules.Terms{Store: l.s}
	for _, r := range l.set.Rules {
		var maps map[int]term.Term
		var ok bool
		var buildErr error
		err := rules.FindMatches(space, r, t, false, func(m *rules.Match) bool {
			maps, ok, buildErr = m.BuildMaps(space)
			return !ok && buildErr == nil
		})
		if err == nil {
			err = buildErr
		}
		if err != nil {
			return nil, err
		}
		if ok {
			return maps, nil
		}
	}
	return nil, fmt.Errorf("there is no derivative rule for %s", l.s.Signature().Operator(l.s.Op(t).Sym).Name)
}

// whole puts the maps of all inputs to all of the result together.
func (l *lineariser) whole(j *Jacobian) {
	start := make(map[uint32]term.Term)
	for i, x := range l.vars {
		if start[x] = l.one(x); len(l.vars) > 1 {
			start[x] = l.s.MustMake(term.Op{Sym: term.SymLproj, N: i, Type: j.Domain}, nil, nil, nil)
		}
	}
	orZero := func(m map[uint32]term.Term, at uint32, from, to *term.Type) term.Term {
		if t, ok := m[at]; ok {
			return t
		}
		return l.s.MustMake(term.Op{Sym: term.SymLzero, Type: from, Type2: to}, nil, nil, nil)
	}
	f := l.forward(start)
	j.Forward = orZero(f, l.root.ID, j.Domain, j.Codomain)
	for _, o := range j.Out {
		j.Forwards = append(j.Forwards, orZero(f, o.ID, j.Domain, l.s.Type(o)))
	}
	d := l.reverse(l.root.ID)
	for i, x := range l.vars {
		j.Reverse = append(j.Reverse, orZero(d, x, j.Wrt[i].Type, j.Codomain))
	}
}

// forward puts F together, operands first, from what it is at some nodes.
func (l *lineariser) forward(start map[uint32]term.Term) map[uint32]term.Term {
	f := make(map[uint32]term.Term)
	for _, id := range l.order {
		if m, ok := start[id]; ok {
			f[id] = m
			continue
		}
		var parts []term.Term
		for _, e := range l.edges[id] {
			if m, ok := f[e.kid]; ok {
				parts = append(parts, l.s.Apply(term.SymLcompose, e.local, m))
			}
		}
		if len(parts) > 0 {
			f[id] = l.sum(parts)
			l.name("F", id, f[id])
		}
	}
	return f
}

// reverse puts D together, uses first, from a node whose D is 1.
func (l *lineariser) reverse(root uint32) map[uint32]term.Term {
	// The uses of each node, in the order of the nodes that use it.
	type use struct {
		by    uint32
		local term.Term
	}
	uses := make(map[uint32][]use)
	for _, id := range l.order {
		for _, e := range l.edges[id] {
			uses[e.kid] = append(uses[e.kid], use{id, e.local})
		}
	}
	d := make(map[uint32]term.Term)
	for i := len(l.order) - 1; i >= 0; i-- {
		id := l.order[i]
		if id == root {
			d[id] = l.one(id)
			continue
		}
		var parts []term.Term
		for _, u := range uses[id] {
			// A use that does not reach the root adds nothing.
			if m, ok := d[u.by]; ok {
				parts = append(parts, l.s.Apply(term.SymLcompose, m, u.local))
			}
		}
		if len(parts) > 0 {
			d[id] = l.sum(parts)
			l.name("D", id, d[id])
		}
	}
	return d
}

// one is the identity on the type of a node.
func (l *lineariser) one(id uint32) term.Term {
	return l.s.MustMake(term.Op{Sym: term.SymLone, Type: l.s.Type(term.Term{ID: id})}, nil, nil, nil)
}

// sum adds maps from the left.
func (l *lineariser) sum(maps []term.Term) term.Term {
	t := maps[0]
	for _, m := range maps[1:] {
		t = l.s.Apply(term.SymLadd, t, m)
	}
	return t
}
