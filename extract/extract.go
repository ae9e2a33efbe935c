// Package extract turns classes of an e-graph back into terms. Which terms count
// is said by a small grammar, and which are best by the costs of its productions, as
// instruction selectors do: the extractor chooses for each pair of a class and a
// nonterminal.
package extract

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"egad/egraph"
	"egad/internal/memo"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/saturate"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// Result is an extracted term.
type Result struct {
	Root  term.Term
	Names map[uint32]term.Hint // of its nodes, from the names of the classes
	Cost  float64              // of the term, its shared parts counted once
	Known string               // what else is known of the cost, after a semicolon; may be empty
	// Nodes are the e-nodes that were chosen, valid until the e-graph changes.
	Nodes map[egraph.NodeID]bool

	chosen    *chosen
	instances []saturate.Instance // that stand in the place of terms, parts first
}

// Extract finds a cheap term of the class of root that the grammar derives, and
// makes it in store. Costs count instances: a class used with other index
// variables is evaluated again, what does not depend on a loop is evaluated once
// outside it, and what is used twice with the same variables is evaluated once.
//
// A term of a language may have variables on which its class does not depend, but only such as are
// in scope where they stand: bound there, or given with scope.
func Extract(g *saturate.Graph, root egraph.Ref, gr *rules.Grammar, store *term.Store, how Choosing, scope ...Variable) (*Result, error) {
	return extracted(g, Reach(g.Graph, root), root, gr, store, how, scope)
}

// Normal is [Extract] after a directed run: it takes a term of e-nodes that no rule has rewritten.
func Normal(g *saturate.Graph, root egraph.Ref, gr *rules.Grammar, store *term.Store, how Choosing, scope ...Variable) (*Result, error) {
	return extracted(g, reach(g.Graph, g.OpenNodes, root), root, gr, store, how, scope)
}

func extracted(g *saturate.Graph, of *Reached, root egraph.Ref, gr *rules.Grammar, store *term.Store, how Choosing, scope []Variable) (*Result, error) {
	root = g.FindRef(root)
	x := newGrammatical(g, of, gr)
	if !g.Arrays() {
		x.scopes = x.scoped(scope)
	}
	x.derive()
	args := root.Args
	if x.scopes != nil {
		args = x.scopes.root(args, scope)
	}
	x.roots = []use{{x.state(0, 0), args}}
	e := x.By(how)
	if e == nil {
		return nil, fmt.Errorf("no term of the grammar %s is in the class of the result: %s", gr.Name, x.missing())
	}
	return (&chosen{x, e}).build(store)
}

// Costs says what the term costs, and what is known of that.
func (r *Result) Costs() string { return r.chosen.String() }

// chosen is a choice that a grammar leaves.
type chosen struct {
	*grammatical
	*Extraction
}

// build makes the chosen term in a store.
func (c *chosen) build(store *term.Store) (*Result, error) {
	r := &Result{Names: make(map[uint32]term.Hint), Cost: c.DAG, Known: c.Known(), Nodes: make(map[egraph.NodeID]bool), chosen: c}
	b := &termBuilder{chosen: c, out: r, store: store, memo: make([]term.Term, len(c.states))}
	return r, overflow.Guard(func() (err error) {
		defer raise.Caught(&err)
		r.Root = b.of(c.roots[0])
		return nil
	})
}

// grammatical are the choices that a grammar leaves in an e-graph of the array
// language.
type grammatical struct {
	*Choices
	*Reached
	g     *saturate.Graph
	gr    *rules.Grammar
	nodes []*ENode
	sizes [][]float64 // by class: the ranges of its slots, 0 of one that is no index
	trips []float64   // by class: how often it is evaluated
	elems []float64   // by class: how many elements an array of it has
	// scopes is nil if e-nodes name slots of their classes only, and of arrays.
	scopes *scoping
}

// newGrammatical are choices without options.
func newGrammatical(g *saturate.Graph, r *Reached, gr *rules.Grammar) *grammatical {
	x := &grammatical{Reached: r, g: g, gr: gr}
	x.Choices = x.choices(len(gr.Nonterminals))
	return x
}

// derive lists the options of all states.
func (x *grammatical) derive() {
	g, gr := x.g, x.gr
	if x.scopes != nil {
		for s := range x.states {
			i := s / len(gr.Nonterminals)
			x.states[s].slots, x.states[s].extra = x.scopes.formals(i), len(x.scopes.extra[i])
			x.slotted = x.slotted || len(x.states[s].slots) > 0
		}
	}
	x.elems = make([]float64, len(x.Classes))
	for i, c := range x.Classes {
		x.elems[i] = x.elements(c.ID)
		x.nodes = append(x.nodes, c.Nodes...)
	}
	x.slotSizes()
	x.loops()
	for i, c := range x.Classes {
		for k := range gr.Productions {
			if r := &gr.Productions[k]; r.Chain && (!r.Named || x.isNamed(c.ID)) {
				o := option{node: -1, all: []int{x.state(i, r.To)}, cost: x.own(i, x.elems[i], nil, r)}
				if s := x.states[x.state(i, r.To)]; len(s.slots) > 0 {
					o.args = [][]slot.Name{s.slots}
				}
				x.add(x.state(i, r.From), o)
			}
		}
	}
	type form struct {
		sym  ops.Sym
		kids int
	}
	forms := make(map[form][]*rules.Production)
	for i, c := range x.Classes {
		for _, n := range c.Nodes {
			op := g.TermOp(n.Op)
			f := form{op.Sym, len(n.Kids)}
			of := memo.Of(forms, f, func() (of []*rules.Production) {
				for nt := range gr.Nonterminals {
					of = append(of, x.productions(nt, f.sym, f.kids)...)
				}
				return of
			})
			first := x.elems[i]
			if len(n.Kids) > 0 {
				first = x.elems[n.Kids[0]]
			}
			for _, r := range of {
				o := x.option(n, len(gr.Nonterminals), r.Kid, x.own(i, first, &op, r))
				if x.scopes == nil || x.scopes.within(i, n, &o) {
					x.add(x.state(i, r.From), o)
				}
			}
		}
	}
}

func (x *grammatical) state(class, nt int) int { return class*len(x.gr.Nonterminals) + nt }

// slotSizes finds the ranges of the slots of all classes, from index variables
// upwards.
func (x *grammatical) slotSizes() {
	x.sizes = make([][]float64, len(x.Classes))
	users := make([][]int, len(x.Classes)) // the classes that have it as a child
	queued := make([]bool, len(x.Classes))
	var queue []int
	push := func(c int) {
		if !queued[c] {
			queued[c] = true
			queue = append(queue, c)
		}
	}
	for i, c := range x.Classes {
		if x.sizes[i] = make([]float64, len(c.Slots)); len(c.Slots) == 0 {
			continue
		}
		push(i)
		for _, n := range c.Nodes {
			for _, k := range n.Kids {
				if u := users[k]; len(u) == 0 || u[len(u)-1] != i {
					users[k] = append(u, i)
				}
			}
		}
	}
	for ; len(queue) > 0; queue = queue[1:] {
		i := queue[0]
		queued[i] = false
		changed := false
		set := func(n slot.Name, size float64) {
			if k := slices.Index(x.Classes[i].Slots, n); k >= 0 && x.sizes[i][k] == 0 && size > 0 {
				x.sizes[i][k] = size
				changed = true
			}
		}
		for _, n := range x.Classes[i].Nodes {
			for _, o := range n.Own {
				if v, _ := x.g.TermOp(n.Op).Variable(); v.Type == nil { // a state is one value at a time
					set(o, sizeOf(v.Size))
				}
			}
			for j, k := range n.Node.Kids {
				for m, a := range k.Args {
					set(a, x.sizes[n.Kids[j]][m])
				}
			}
		}
		if changed {
			for _, u := range users[i] {
				push(u)
			}
		}
	}
}

func sizeOf(s size.Size) float64 {
	if c, ok := s.Const(); ok {
		return float64(c)
	}
	return 1
}

// own is what a production itself costs, with an operator, if it derives one, and so many elements of
// the first operand, over all runs of the loops around it.
func (x *grammatical) own(class int, first float64, op *ops.Op, r *rules.Production) float64 {
	return min(x.trips[class]*r.Cost.Of(op, x.elems[class], first), maxCost)
}

func (x *grammatical) elements(id egraph.ClassID) float64 {
	t := x.g.Type(egraph.Ref{ID: id})
	if t == nil || t.Kind == types.KLin || t.Kind == types.KSort {
		return 1
	}
	return sizeOf(t.Elements())
}

// productions lists the rules by which a nonterminal derives an operator with so many
// children. A rule for a class of operators does not count beside one that names the
// operator.
func (x *grammatical) productions(nt int, sym ops.Sym, kids int) []*rules.Production {
	o := x.g.Signature().Operator(sym)
	var out []*rules.Production
	for i := range x.gr.Productions {
		r := &x.gr.Productions[i]
		if r.From == nt && r.Accepts(o, kids) && !(r.Class && len(out) > 0) {
			out = append(out, r)
		}
	}
	return out
}

func (x *grammatical) isNamed(c egraph.ClassID) bool {
	_, ok := x.hint(c)
	return ok
}

// hint is the name that a program gives a class, if it does.
func (x *grammatical) hint(c egraph.ClassID) (h term.Hint, ok bool) {
	if !x.g.Arrays() {
		return h, false
	}
	return x.g.Hint(c)
}

// missing says why there is no term of the first root: of what the grammar does not
// derive, something that is needed.
func (x *grammatical) missing() string {
	least := x.least().pick
	s := x.roots[0].state
	why := ""
	for seen := make(map[int]bool); ; {
		if seen[s] = true; x.scopes != nil {
			why = cmp.Or(why, x.scopes.outOfScope(s/len(x.gr.Nonterminals)))
		}
		next := -1
		for _, o := range x.states[s].options {
			for _, k := range o.all {
				if next < 0 && least[k] < 0 && !seen[k] {
					next = k
				}
			}
		}
		if next < 0 {
			break
		}
		s = next
	}
	var ops []string
	for _, n := range x.Classes[s/len(x.gr.Nonterminals)].Nodes {
		if o := opText(x.g.Signature(), x.g.TermOp(n.Op)); !slices.Contains(ops, o) {
			ops = append(ops, o)
		}
	}
	slices.Sort(ops)
	if len(ops) > maxOps {
		ops = append(ops[:maxOps], "…")
	}
	return fmt.Sprintf("%s derives no term of a class that has %s%s", x.gr.Nonterminals[s%len(x.gr.Nonterminals)], strings.Join(ops, ", "), why)
}

// maxOps is how many operators of a class a message names.
const maxOps = 8

// termBuilder builds the chosen term.
type termBuilder struct {
	*chosen
	out   *Result
	store *term.Store
	memo  []term.Term // by state, over the names of the class; of id 0 if there is none
}

// of is the chosen term of a state with what is passed for its slots.
func (b *termBuilder) of(u use) term.Term {
	s := u.state
	o := &b.states[s].options[b.pick[s]]
	for o.node < 0 {
		s = o.all[0]
		o = &b.states[s].options[b.pick[s]]
	}
	t := b.memo[s]
	if t.ID == 0 {
		t = b.make(s, o)
		b.memo[s] = t
		if h, named := b.hint(b.Classes[s/len(b.gr.Nonterminals)].ID); named && len(o.all) > 0 {
			if old, has := b.out.Names[t.ID]; !has || h.Before(old) {
				b.out.Names[t.ID] = h
			}
		}
	}
	return t.RenameFrom(b.states[s].slots, u.args)
}

// make builds an e-node. A variable that the class does not have can be anything: of arrays
// 0 in the instance that is taken, of a language a slot of the state.
func (b *termBuilder) make(s int, o *option) term.Term {
	n := b.nodes[o.node]
	op := b.g.TermOp(n.Op)
	slots := b.states[s].slots
	b.out.Nodes[n.ID] = true
	kids := slice.Make(len(n.Kids), func(i int) term.Term { return b.of(b.kid(o, i)) })
	t, err := b.store.Make(op, o.own, n.Binders, kids)
	if err != nil {
		raise.Error(fmt.Errorf("extraction makes an ill-typed %s: %s", b.g.Signature().Operator(op.Sym).Name, err.Msg))
	}
	if !b.g.Arrays() {
		return t
	}
	env := make(map[slot.Name]term.Term)
	for i, v := range b.store.Vars(t) {
		if !slices.Contains(slots, t.Args[i]) {
			env[t.Args[i]] = b.store.ZeroOf(v)
		}
	}
	if len(env) == 0 {
		return t
	}
	is := b.store.Subst(t, env)
	b.out.instances = append(b.out.instances, saturate.Instance{Of: t, Is: is, For: env})
	return is
}
