package saturate_test

import (
	"fmt"
	"math/big"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"egad/diag"
	"egad/egraph"
	"egad/egraph/proof"
	"egad/rules"
	"egad/rules/runner"
	"egad/rules/saturate"
	"egad/rules/suite"
	"egad/rules/syntax"
	"egad/slot"
	"egad/term"
)

// The naive checker. It looks at what is shown of a proof, and of the engine's
// proof only at what variables stand for. Rules are those of the file, before they
// are compiled. Terms are compared with de Bruijn indices. It panics on what is no proof.
type naive struct {
	g       *saturate.Graph
	l       *saturate.Language
	assumed [][2]string
	free    map[slot.Name]bool
}

func newNaive(t *testing.T, res *suite.Result, l *saturate.Language, test *rules.Test) *naive {
	n := &naive{g: res.Graph, l: l, free: make(map[slot.Name]bool)}
	for _, e := range assumptions(t, res, test) {
		n.assumed = append(n.assumed, [2]string{n.text(e[0], nil), n.text(e[1], nil)})
	}
	for v := range test.Free {
		n.free[v] = true
	}
	return n
}

// assumptions are what a test assumes, for the engine.
func assumptions(t *testing.T, res *suite.Result, test *rules.Test) (out [][2]*egraph.Tree) {
	for _, e := range test.Assume {
		a, errA := res.Graph.Tree(test.Program.Store, e.A)
		b, errB := res.Graph.Tree(test.Program.Store, e.B)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		out = append(out, [2]*egraph.Tree{a, b})
	}
	return out
}

func (n *naive) must(ok bool) {
	if !ok {
		panic("wrong")
	}
}

// text is equal for terms that are alpha-equivalent. It knows sorts.
func (n *naive) text(t *egraph.Tree, around []variableOf) string {
	n.must(t.Formed(n.g.Graph.Signature()) == nil)
	o := n.l.Info(t.Op)
	if len(t.Own) > 0 {
		for i, v := range around {
			if v.name == t.Own[0] {
				n.must(v.sort.Equal(o.Sort))
				return fmt.Sprint(" bound ", i, ".")
			}
		}
		return fmt.Sprint(" free ", t.Own[0], ".")
	}
	s := " (" + o.Name
	if o.Number != nil {
		s += o.Sort.Name
	}
	inner := n.inside(t, around)
	for k, kid := range t.Kids {
		in := around
		if o.Sorted.Children[k].Under {
			in = inner
		}
		n.must(n.l.Info(kid.Op).Sort.Equal(o.Sorted.Children[k].Type))
		s += n.text(kid, in)
	}
	return s + ")"
}

type variableOf struct {
	name slot.Name
	sort *term.Type
}

// inside are the variables around children that are under those that t binds.
func (n *naive) inside(t *egraph.Tree, around []variableOf) []variableOf {
	around = slices.Clone(around)
	for i, b := range t.Binders {
		around = slices.Insert(around, 0, variableOf{b, n.l.Info(t.Op).Sorted.Binders[i].Type})
	}
	return around
}

func (n *naive) mentions(t *egraph.Tree, v slot.Name) bool {
	return strings.Contains(n.text(t, nil), fmt.Sprint(" free ", v, "."))
}

func (n *naive) accepts(p *saturate.Proof) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	n.proof(p, 0)
	return true
}

func (n *naive) proof(p *saturate.Proof, depth int) {
	n.must(depth < 20 && len(p.Terms) == len(p.Steps)+1)
	for i, s := range p.Steps {
		raw := &p.Raw().Steps[i]
		var around []variableOf
		from := p.Terms[i]
		for _, k := range s.Path {
			if n.l.Info(from.Op).Sorted.Children[k].Under {
				for _, b := range from.Binders {
					n.must(!n.free[b])
				}
				around = n.inside(from, around)
			}
			from = from.Kids[k]
		}
		// In the names of this term, which the next one need not have.
		to := raw.To
		n.must(n.text(p.Terms[i].Replace(s.Path, to), nil) == n.text(p.Terms[i+1], nil))
		if s.Reverse {
			from, to = to, from
		}
		switch s.Reason {
		case saturate.Assumed:
			n.must(slices.Contains(n.assumed, [2]string{n.text(from, around), n.text(to, around)}) && len(s.Conditions) == 0)
		case saturate.Folded:
			n.must(len(s.Conditions) == 0)
			n.folded(from, to)
		default:
			all := n.l.All()
			k := slices.IndexFunc(all, func(r *rules.Rule) bool { return r.Name == s.Reason })
			n.rule(all[k], raw, s.Conditions, from, to, depth)
		}
	}
}

func (n *naive) folded(from, to *egraph.Tree) {
	a, b := n.l.Info(from.Kids[0].Op).Number, n.l.Info(from.Kids[1].Op).Number
	o, got := n.l.Info(from.Op), n.l.Info(to.Op)
	n.must(o.Folds && got.Sort.Equal(o.Sort))
	z := new(big.Rat)
	switch o.Name {
	case "+":
		z.Add(a, b)
	case "-":
		z.Sub(a, b)
	case "*":
		z.Mul(a, b)
	case "/":
		z.Quo(a, b)
	case "==":
		n.must(got.Name == fmt.Sprint(a.Cmp(b) == 0))
		return
	default:
		panic("no operation")
	}
	n.must(got.Number.Cmp(z) == 0)
}

// instance is a rule with what its variables stand for in a step.
type instance struct {
	*naive
	r           *rules.Rule
	s           *proof.Step
	metas, vars []string
}

func (n *instance) meta(name string) *egraph.Tree { return n.s.Vars[slices.Index(n.metas, name)] }

func (n *instance) name(of string) slot.Name {
	if slices.Contains(n.metas, of) {
		n.must(len(n.meta(of).Own) > 0)
		return n.meta(of).Own[0]
	}
	v := slices.Index(n.vars, of)
	if v < len(n.s.Bound) {
		return n.s.Bound[v]
	}
	return ^slot.Name(0) - slot.Name(v)
}

func (n *instance) op(op term.Op, kids int) egraph.Op {
	o, err := n.l.Op(op, kids)
	n.must(err == nil)
	return o
}

// side is a term of a rule. Scoped is false for conditions, in which the variables
// of the left side may be anywhere.
func (n *instance) side(x *rules.Pattern, open []slot.Name, scoped bool) *egraph.Tree {
	switch x.Kind {
	case rules.PMeta:
		t := n.meta(x.Name)
		for _, b := range n.s.Bound {
			n.must(!scoped || slices.Contains(open, b) || !n.mentions(t, b))
		}
		return t
	case rules.PIvar:
		return &egraph.Tree{Op: n.op(term.Op{Sym: term.SymLocal, Type: n.r.SortOf(x.Name)}, 0), Own: []slot.Name{n.name(x.Name)}}
	case rules.PNumber:
		return &egraph.Tree{Op: n.op(term.Op{Sym: term.SymConst, Const: term.ConstFill(term.ScalarR(x.Value)), Type: x.Sort}, 0)}
	}
	t := &egraph.Tree{Op: n.op(term.Op{Sym: x.Sym}, len(x.Kids))}
	if x.Binders != nil {
		for _, b := range x.Binders.Heads {
			t.Binders = append(t.Binders, n.name(b))
		}
	}
	for k, kid := range x.Kids {
		in := open
		if n.l.Info(t.Op).Sorted.Children[k].Under {
			in = append(slices.Clone(open), t.Binders...)
		}
		t.Kids = append(t.Kids, n.side(kid.Pat, in, scoped))
	}
	return t
}

func (n *naive) rule(r *rules.Rule, s *proof.Step, conds []saturate.ProvedCondition, from, to *egraph.Tree, depth int) {
	in := &instance{naive: n, r: r, s: s}
	in.metas, in.vars = n.l.Numbered(r)
	n.must(len(s.Vars) == len(in.metas) && len(conds) == len(r.Conds) && r.Kind != syntax.Demand)
	for i, m := range in.metas {
		n.must(n.l.Info(s.Vars[i].Op).Sort.Equal(r.SortOf(m)))
	}
	for k, b := range s.Bound {
		n.must(!slices.Contains(s.Bound[:k], b) && !n.free[b])
	}
	is := func(x *rules.Pattern, t *egraph.Tree) bool {
		return n.text(in.side(x, nil, true), nil) == n.text(t, nil)
	}
	in.side(r.Lhs, nil, true)
	if r.Kind == syntax.Fact {
		n.must(is(r.Rhs, from) && to.Op == n.l.Holds())
	} else {
		n.must(is(r.Lhs, from) && is(r.Rhs, to))
	}
	for i := range r.Conds {
		for _, p := range conds[i].Proofs {
			n.proof(p, depth+1)
		}
		n.must(in.condition(&r.Conds[i], conds[i].Proofs))
	}
}

func (n *instance) condition(k *rules.Cond, proofs []*saturate.Proof) bool {
	type test = func(*egraph.Tree) bool
	of := func(t *egraph.Tree, pred test) bool {
		return pred(t) || slices.ContainsFunc(proofs, func(p *saturate.Proof) bool {
			return n.text(p.Terms[0], nil) == n.text(t, nil) && pred(p.Terms[len(p.Terms)-1])
		})
	}
	known := func(x *rules.Pattern, pred test) bool { return of(n.side(x, nil, false), pred) }
	holds := func(t *egraph.Tree) bool { return t.Op == n.l.Holds() }
	differ := func(a, b *rules.Pattern, counts func(saturate.OpInfo) bool) bool {
		return known(a, func(t *egraph.Tree) bool {
			return counts(n.l.Info(t.Op)) && known(b, func(u *egraph.Tree) bool { return counts(n.l.Info(u.Op)) && t.Op != u.Op })
		})
	}
	switch k.Kind {
	case rules.CondLiteral:
		return known(k.L, func(t *egraph.Tree) bool { return n.l.Info(t.Op).Number != nil })
	case rules.CondSymbol:
		return known(k.L, func(t *egraph.Tree) bool { return n.l.Info(t.Op).Symbol })
	case rules.CondVariable:
		return known(k.L, func(t *egraph.Tree) bool { return len(t.Own) > 0 })
	case rules.CondNotIn:
		name := n.name(k.Name)
		return of(n.meta(k.Terms[0]), func(t *egraph.Tree) bool { return !n.mentions(t, name) })
	case rules.CondSame:
		return known(k.L, func(t *egraph.Tree) bool { return n.text(t, nil) == n.text(n.side(k.R, nil, false), nil) })
	case rules.CondDistinct:
		return differ(k.L, k.R, func(o saturate.OpInfo) bool { return o.Number != nil || o.Symbol })
	}
	if known(k.L, holds) {
		return true
	}
	if n.l.Signature.Operator(k.L.Sym).Name != "!=" {
		return false
	}
	mirror := n.side(k.L, nil, false)
	mirror = &egraph.Tree{Op: mirror.Op, Kids: []*egraph.Tree{mirror.Kids[1], mirror.Kids[0]}}
	return of(mirror, holds) || differ(k.L.Kids[0].Pat, k.L.Kids[1].Pat, func(o saturate.OpInfo) bool { return o.Number != nil })
}

// variants are a tree with one change in one place, some of them no terms.
func variants(g *saturate.Graph, l *saturate.Language, t *egraph.Tree, names []slot.Name, others []*egraph.Tree) (out []*egraph.Tree) {
	change := func(how func(u *egraph.Tree)) {
		u := &egraph.Tree{Op: t.Op, Own: slices.Clone(t.Own), Binders: slices.Clone(t.Binders), Kids: slices.Clone(t.Kids)}
		how(u)
		out = append(out, u)
	}
	odd := true // one operator with other operands
	sig := g.Graph.Signature()
	for i := range l.Ops() {
		o := egraph.Op(i)
		same := sig.Arity(o) == len(t.Kids) && sig.Binders(o) == len(t.Binders) && sig.HeadInfo(sig.Head(o)).Own == len(t.Own)
		if o != t.Op && (same || odd) {
			odd = odd && same
			change(func(u *egraph.Tree) { u.Op = o })
		}
	}
	for _, n := range names {
		for k := range t.Own {
			change(func(u *egraph.Tree) { u.Own[k] = n })
		}
		for k := range t.Binders {
			change(func(u *egraph.Tree) { u.Binders[k] = n })
		}
	}
	change(func(u *egraph.Tree) { u.Op = egraph.Op(l.Ops()) })
	change(func(u *egraph.Tree) { slices.Reverse(u.Kids) })
	change(func(u *egraph.Tree) { u.Kids = append(u.Kids, others[0]) })
	change(func(u *egraph.Tree) { u.Kids, u.Own = nil, nil })
	for k, kid := range t.Kids {
		out = append(out, kid)
		for _, v := range variants(g, l, kid, names, others) {
			change(func(u *egraph.Tree) { u.Kids[k] = v })
		}
	}
	return append(append(out, others...), nil)
}

func clone(p *saturate.Proof) *saturate.Proof {
	out := *p
	out.Terms, out.Steps = slices.Clone(p.Terms), slices.Clone(p.Steps)
	raw := *p.Raw()
	raw.Steps = slices.Clone(raw.Steps)
	out.SetRaw(&raw)
	for i := range out.Steps {
		s, r := &out.Steps[i], &raw.Steps[i]
		r.Vars, r.Bound = slices.Clone(r.Vars), slices.Clone(r.Bound)
		s.Conditions = slices.Clone(s.Conditions)
		for k := range s.Conditions {
			c := &s.Conditions[k]
			c.Proofs = slices.Clone(c.Proofs)
			for j, q := range c.Proofs {
				c.Proofs[j] = clone(q)
			}
		}
	}
	return &out
}

// flat lists a proof and those of its conditions.
func flat(p *saturate.Proof) []*saturate.Proof {
	out := []*saturate.Proof{p}
	for _, s := range p.Steps {
		for _, c := range s.Conditions {
			for _, q := range c.Proofs {
				out = append(out, flat(q)...)
			}
		}
	}
	return out
}

// show makes what is shown of a proof from the engine's, as far as that can be.
func show(p *saturate.Proof) {
	defer func() { _ = recover() }()
	p.SetEnds(p.Raw().Start, p.Raw().Start)
	terms := p.Raw().Terms()
	p.SetEnds(terms[0], terms[len(terms)-1])
	p.Terms = slices.Clone(terms)
}

// trial gives mutants of a proof to both checkers.
type trial struct {
	t                  *testing.T
	res                *suite.Result
	l                  *saturate.Language
	test               *rules.Test
	naive              *naive
	rules              []*egraph.Rule
	wrong, right, over int
}

// verify checks a proof.
func (x *trial) verify(p *saturate.Proof) error {
	return x.res.Graph.Verify(saturate.Verifier{Names: x.test.Free, Free: x.test.FreeSorts, Assumed: assumptions(x.t, x.res, x.test)}, p)
}

func (x *trial) try(what string, p *saturate.Proof) {
	switch err, ok := x.verify(p), x.naive.accepts(p); {
	case err == nil && !ok:
		x.t.Errorf("%s: %s: a wrong proof was accepted", x.test.Name.Text, what)
	case err == nil:
		x.right++
	case ok:
		x.over++
	default:
		x.wrong++
	}
}

// refused are mutants that show what was not checked.
func (x *trial) refused(what string, p *saturate.Proof) {
	if x.verify(p) == nil {
		x.t.Errorf("%s: %s was accepted", x.test.Name.Text, what)
	}
	x.wrong++
}

// each calls f with a copy of p for each proof in it.
func each(p *saturate.Proof, f func(all, q *saturate.Proof)) {
	for k := range flat(p) {
		all := clone(p)
		f(all, flat(all)[k])
	}
}

// eachStep calls f with a copy of p for each step in it.
func eachStep(p *saturate.Proof, f func(all, q *saturate.Proof, i int)) {
	for k, q := range flat(p) {
		for i := range q.Steps {
			all := clone(p)
			f(all, flat(all)[k], i)
		}
	}
}

// shown changes what is shown.
func (x *trial) shown(p *saturate.Proof) {
	each(p, func(all, q *saturate.Proof) {
		q.Terms = nil
		x.refused("no terms", all)
	})
	each(p, func(all, q *saturate.Proof) {
		q.Steps = nil
		x.refused("no steps", all)
	})
	each(p, func(all, q *saturate.Proof) {
		q.SetNames(map[slot.Name]string{1 << 20: "x"})
		x.refused("other names", all)
	})
	each(p, func(all, q *saturate.Proof) {
		q.SetRaw(nil)
		x.refused("no proof", all)
	})
	eachStep(p, func(all, q *saturate.Proof, i int) {
		if a, b := q.Terms[i], q.Terms[i+1]; x.naive.text(a, nil) != x.naive.text(b, nil) {
			q.Terms[i], q.Terms[i+1] = b, a
			x.refused("terms in another order", all)
		}
	})
	eachStep(p, func(all, q *saturate.Proof, i int) {
		q.Terms[i+1] = nil
		x.refused("no term", all)
	})
	eachStep(p, func(all, q *saturate.Proof, i int) {
		q.Steps[i].Reason += "-rev"
		x.refused("another reason", all)
	})
	eachStep(p, func(all, q *saturate.Proof, i int) {
		q.Steps[i].Reverse = !q.Steps[i].Reverse
		x.refused("the other direction", all)
	})
	eachStep(p, func(all, q *saturate.Proof, i int) {
		q.Steps[i].Path = append(slices.Clone(q.Steps[i].Path), 0)
		x.refused("another path", all)
	})
	eachStep(p, func(all, q *saturate.Proof, i int) {
		q.Steps[i].Conditions = append(q.Steps[i].Conditions, saturate.ProvedCondition{})
		x.refused("a condition more", all)
	})
	eachStep(p, func(all, q *saturate.Proof, i int) {
		if q.Steps[i].Conditions != nil {
			q.Steps[i].Conditions[0].Text = "0 = 1"
			x.refused("another condition", all)
		}
	})
	eachStep(p, func(all, q *saturate.Proof, i int) {
		if q.Steps[i].Conditions != nil {
			q.Steps[i].Conditions = q.Steps[i].Conditions[1:]
			x.refused("a condition less", all)
		}
	})
}

// conditions changes the proofs of conditions.
func (x *trial) conditions(p *saturate.Proof) {
	proofs := append(flat(clone(p)), nil)
	eachStep(p, func(all, q *saturate.Proof, i int) {
		for k := range q.Steps[i].Conditions {
			c := &q.Steps[i].Conditions[k]
			keep := c.Proofs
			c.Proofs = nil
			x.try("no proofs of a condition", all)
			for _, r := range append(proofs, q) { // q would rest on itself
				c.Proofs = []*saturate.Proof{r}
				x.try("another proof of a condition", all)
				for j := range keep {
					c.Proofs = slices.Clone(keep)
					c.Proofs[j] = r
					x.try("one proof of a condition is another", all)
				}
			}
			c.Proofs = keep
		}
		if n := len(q.Steps[i].Conditions); n > 1 {
			c, d := &q.Steps[i].Conditions[0], &q.Steps[i].Conditions[1]
			c.Proofs, d.Proofs = d.Proofs, c.Proofs
			x.try("exchanged proofs of conditions", all)
		}
	})
	for _, moment := range []int{-1, 0, 1 << 30} {
		eachStep(p, func(all, q *saturate.Proof, i int) {
			q.Raw().Steps[i].Moment = moment
			x.try("another moment", all)
		})
	}
}

// chain changes the order of steps and what they are by.
func (x *trial) chain(p *saturate.Proof) {
	eachStep(p, func(all, q *saturate.Proof, i int) {
		q.Raw().Steps, q.Steps = slices.Delete(q.Raw().Steps, i, i+1), slices.Delete(q.Steps, i, i+1)
		q.Terms = slices.Delete(q.Terms, i+1, i+2)
		x.try("a step less", all)
	})
	eachStep(p, func(all, q *saturate.Proof, i int) {
		q.Raw().Steps, q.Steps = slices.Insert(q.Raw().Steps, i, q.Raw().Steps[i]), slices.Insert(q.Steps, i, q.Steps[i])
		q.Terms = slices.Insert(q.Terms, i, q.Terms[i])
		x.try("a step twice", all)
	})
	eachStep(p, func(all, q *saturate.Proof, i int) {
		if i > 0 {
			q.Raw().Steps[i], q.Raw().Steps[i-1] = q.Raw().Steps[i-1], q.Raw().Steps[i]
			q.Steps[i], q.Steps[i-1] = q.Steps[i-1], q.Steps[i]
			from, to := q.Ends()
			if q.Raw().Steps[i-1].From != nil {
				show(q)
			}
			q.SetEnds(from, to)
			x.try("steps in another order", all)
		}
	})
	for _, r := range append(x.rules, nil, &egraph.Rule{Name: "forged"}) {
		eachStep(p, func(all, q *saturate.Proof, i int) {
			reason := saturate.Assumed
			if r != nil {
				reason = r.Name
			}
			q.Raw().Steps[i].Rule, q.Raw().Steps[i].Reason, q.Steps[i].Reason = r, reason, reason
			x.try("by another rule", all)
		})
		eachStep(p, func(all, q *saturate.Proof, i int) {
			if r != nil && r.Name != q.Steps[i].Reason {
				q.Raw().Steps[i].Reason, q.Steps[i].Reason = r.Name, r.Name
				x.refused("another reason", all)
			}
		})
	}
	eachStep(p, func(all, q *saturate.Proof, i int) {
		if r := q.Raw().Steps[i].Rule; r != nil {
			any, err := egraph.Compile(x.res.Graph.Graph.Signature(), &egraph.Pattern{Kind: egraph.PVar}, 1, 0)
			if err != nil {
				x.t.Fatal(err)
			}
			s := &q.Raw().Steps[i]
			s.Rule = &egraph.Rule{Name: r.Name, Lhs: any, Rhs: r.Rhs, Apply: r.Apply}
			s.Vars, s.Bound = []*egraph.Tree{s.From}, nil
			x.refused("a rule that is not of the file", all)
		}
	})
	eachStep(p, func(all, q *saturate.Proof, i int) {
		s := &q.Raw().Steps[i]
		s.Reverse = !s.Reverse
		q.Steps[i].Reverse = s.Reverse
		x.try("the other direction", all)
	})
	eachStep(p, func(all, q *saturate.Proof, i int) {
		s := &q.Raw().Steps[i]
		s.From, s.To = s.To, s.From
		x.try("exchanged sides", all)
	})
	each(p, func(all, q *saturate.Proof) {
		from, to := q.Ends()
		q.SetEnds(to, from)
		if len(q.Steps) > 0 {
			x.refused("exchanged ends", all)
		}
	})
}

// steps makes each step a proof of its own, and changes its terms.
func (x *trial) steps(p *saturate.Proof, r *rand.Rand, n int) {
	for _, q := range flat(p) {
		for i := range q.Raw().Steps {
			s := q.Raw().Steps[i]
			s.Path = nil
			step := q.Steps[i]
			step.Path = nil
			one := clone(saturate.NewProof(q.Names(), &proof.Proof{Start: s.From, Steps: []proof.Step{s}}, []saturate.ProofStep{step}))
			show(one)
			if err := x.verify(one); err != nil || !x.naive.accepts(one) {
				continue // a variable of the test is bound around it
			}
			names := []slot.Name{0, 1, 1 << 31}
			for v := range x.naive.free {
				names = append(names, v)
			}
			used := make(map[slot.Name]bool)
			for _, t := range append([]*egraph.Tree{s.From, s.To}, s.Vars...) {
				t.Names(used)
			}
			for v := range used {
				names = append(names, v)
			}
			slices.Sort(names)
			others := []*egraph.Tree{s.From, s.To, q.Raw().Start}
			from, to := variants(x.res.Graph, x.l, s.From, names, others), variants(x.res.Graph, x.l, s.To, names, others)
			var vars [][]*egraph.Tree
			for _, v := range s.Vars {
				vars = append(vars, variants(x.res.Graph, x.l, v, names, others))
			}
			pick := func(ts []*egraph.Tree) *egraph.Tree { return ts[r.Intn(len(ts))] }
			for range n {
				m := clone(one)
				u := &m.Raw().Steps[0]
				what := 1 + r.Intn(15)
				if what&1 != 0 {
					u.From = pick(from)
				}
				if what&2 != 0 {
					u.To = pick(to)
				}
				if what&4 != 0 && len(vars) > 0 {
					k := r.Intn(len(vars))
					u.Vars[k] = pick(vars[k])
				}
				if what == 15 && len(vars) > 0 { // the same everywhere
					k := r.Intn(len(vars))
					old, by := s.Vars[k], pick(vars[k])
					u.From, u.To, u.Vars[k] = x.replaced(s.From, old, by), x.replaced(s.To, old, by), by
				} else if what&8 != 0 && len(u.Bound) > 0 {
					u.Bound[r.Intn(len(u.Bound))] = names[r.Intn(len(names))]
				}
				m.Raw().Start = u.From
				show(m)
				x.texts(m)
				x.try("other terms of "+u.Reason, m)
			}
		}
	}
}

// replaced is t with one term for another.
func (x *trial) replaced(t, old, by *egraph.Tree) *egraph.Tree {
	sig := x.res.Graph.Graph.Signature()
	if t.Key(sig) == old.Key(sig) {
		return by
	}
	u := *t
	u.Kids = nil
	for _, k := range t.Kids {
		u.Kids = append(u.Kids, x.replaced(k, old, by))
	}
	return &u
}

// texts shows conditions as they are now, if they can be shown.
func (x *trial) texts(p *saturate.Proof) {
	defer func() { _ = recover() }()
	texts, err := x.res.Graph.Conditions(&p.Raw().Steps[0], p.Names())
	if err != nil {
		return
	}
	for k := range p.Steps[0].Conditions {
		p.Steps[0].Conditions[k].Text = texts[k]
	}
}

// small has what the examples have not: metavariables that are bound, several
// sorts, facts with metavariables that they do not mention, comparisons.
const small = `language small
sort E
sort F
sort B
number E
symbol x y : E
symbol u p q : F
symbol true false : B
op / E E : E
op * E E : E
op + E E : E
op == E E : B
op d E : E
op wrap E : F
op lam [v : E] v.E : E
op let [v : E] E v.E : E
op app E E : E
op pair [v : E] [w : F] v.w.E v.w.F : E
relation != E E
relation R E E
relation P E
fold + *
fold == gives true false
rule one f => u if P (lam (\v -> v))
rule cancel A / A => 1 if A != 0
rule lam0 lam (\v -> A / B) => lam (\v -> A) / B if v not in B
rule beta app (lam (\v -> B)) e => let v = e in B
rule subst let v = e in A + B => (let v = e in A) + (let v = e in B)
rule var let v = e in v => e
rule const let v = e in B => B if v not in B
rule bind app v (d B) => lam (\v -> B) if v is variable
rule drop d (app v B) => B if v is variable, v not in B
rule differ d (A * B) => 0 if distinct A B
rule same wrap A => p if A = 1 * x, A is symbol
rule unit 1 * A => A
fact chain for A + B then R A A if R A B
fact hid for app (lam (\v -> B)) h then P (lam (\v -> B))
fact product for A * B then A * B != 0 if A != 0, B != 0
test mirrored
  start x / x
  assume 0 != x
  prove x / x = 1
test product
  start x * y / (x * y)
  assume x != 0
  assume y != 0
  prove x * y / (x * y) = 1
test numbers
  start 2 * 3
  start 0 * x
  start 2 * 3 == 6
  prove 2 * 3 != 0
  prove 2 * 3 == 6 = true
test binders
  start app (lam (\v -> v + x / x)) x
  assume x != 0
  prove app (lam (\v -> v + x / x)) x = x + 1
test under
  start lam (\v -> v / (x / x))
  assume x != 0
  prove lam (\v -> v / (x / x)) = lam (\v -> v) / 1
test bound
  var z w : E
  start lam (\k -> app z (d (z + k)))
  start d (app z (w + 1))
  prove lam (\k -> app z (d (z + k))) = lam (\k -> lam (\v -> v + k))
  prove d (app z (w + 1)) = w + 1
test sorts
  start wrap x
  start q
  start 1 * x
  start d (x * 2)
  start d (x * y)
  assume P (lam (\v -> v))
  prove q = u
  prove d (x * 2) = d (x * y)
test equal
  start wrap x
  start 1 * x
  prove wrap x = p
test hidden2
  var z : E
  start app (lam (\v -> d v)) z
  prove P (lam (\v -> d v))
test hidden
  start x + (x + y)
  assume R x (x + y)
  prove R x x
`

// TestVerifyMutants changes right proofs in every place. What is accepted must be
// right by a checker that is slow and simple.
func TestVerifyMutants(t *testing.T) {
	f := loadText(t, small)
	sum := &trial{}
	x := mutate(t, f, f.Tests, 300)
	sum.wrong, sum.right, sum.over = x.wrong, x.right, x.over
	for _, c := range []struct {
		file  string
		tests []string
	}{
		{"math", []string{"diff_power_simple", "product_not_zero", "assoc_adds", "simplify_factor"}},
		{"lambda", nil},
		{"prop", nil},
	} {
		src, err := diag.ReadSource("../../examples/rewriting/" + c.file + ".rules")
		if err != nil {
			t.Fatal(err)
		}
		f := loadText(t, src.Text)
		var tests []*rules.Test
		for _, y := range f.Tests {
			if c.tests == nil || slices.Contains(c.tests, y.Name.Text) {
				tests = append(tests, y)
			}
		}
		x := mutate(t, f, tests, 30)
		sum.wrong, sum.right, sum.over = sum.wrong+x.wrong, sum.right+x.right, sum.over+x.over
	}
	t.Logf("%d mutants refused, %d accepted that are right, %d refused that are not wrong otherwise", sum.wrong, sum.right, sum.over)
	if sum.wrong < 10_000 || sum.right < 100 {
		t.Error("there are too few mutants")
	}
}

func loadText(t *testing.T, text string) *suite.File {
	t.Helper()
	f, err := suite.Load(&diag.Source{Name: "l.rules", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func runTest(t *testing.T, f *suite.File, test *rules.Test) *suite.Result {
	t.Helper()
	res, err := f.Run(test, runner.Options{Proofs: true})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func mutate(t *testing.T, f *suite.File, tests []*rules.Test, n int) *trial {
	sum := &trial{}
	r := rand.New(rand.NewSource(1))
	for _, test := range tests {
		res := runTest(t, f, test)
		proofs, err := res.LanguageProofs()
		if err != nil {
			t.Errorf("%s: %v", test.Name.Text, err)
			continue
		}
		if len(proofs) < len(test.Prove) {
			t.Errorf("%s: %d proofs of %d", test.Name.Text, len(proofs), len(test.Prove))
		}
		x := &trial{t: t, res: res, l: f.Language, test: test, naive: newNaive(t, res, f.Language, test), rules: res.Graph.EngineRules()}
		for _, p := range proofs {
			if !x.naive.accepts(p) {
				t.Errorf("%s: the naive checker refuses a proof", test.Name.Text)
				continue
			}
			if len(flat(p)) > 6 || len(p.Steps) > 8 {
				x.steps(p, r, 2)
				continue
			}
			x.shown(p)
			x.conditions(p)
			x.chain(p)
			x.steps(p, r, n)
			keep := test.Assume
			for i := range keep {
				test.Assume = slices.Delete(slices.Clone(keep), i, i+1)
				x.naive = newNaive(t, res, f.Language, test)
				x.try("an assumption less", p)
			}
			test.Assume = keep
			x.naive = newNaive(t, res, f.Language, test)
		}
		sum.wrong, sum.right, sum.over = sum.wrong+x.wrong, sum.right+x.right, sum.over+x.over
	}
	return sum
}

// TestVerifyCapture: what is assumed of a variable of the test does not hold of
// one that is bound and called the same, around a step or by its rule.
func TestVerifyCapture(t *testing.T) {
	f := loadText(t, `language capture
sort E
number E
symbol x : E
op f E : E
op lam [v : E] v.E : E
relation != E E
rule r lam (\v -> B) => x if B != 0
test t
  var z : E
  start lam (\v -> f v)
  start lam (\v -> v)
  prove f z = x
  prove z != 0
`)
	// A test cannot assume so, but the verifier does not know.
	test := f.Tests[0]
	test.Assume, test.Prove = test.Prove, nil
	res := runTest(t, f, test)
	x := &trial{t: t, res: res, l: f.Language, test: test}
	given := assumptions(t, res, test)
	fz, sym := given[0][0], given[0][1]
	nonzero, holds := given[1][0], given[1][1]
	v := fz.Kids[0]
	lam := func(body *egraph.Tree) *egraph.Tree {
		o, ok := f.Language.Signature.Lookup("lam")
		if !ok {
			t.Fatal("no lam")
		}
		op, err := f.Language.Op(term.Op{Sym: o.Sym}, 1)
		if err != nil {
			t.Fatal(err)
		}
		return &egraph.Tree{Op: op, Binders: v.Own, Kids: []*egraph.Tree{body}}
	}
	chain := func(from *egraph.Tree, steps ...proof.Step) *saturate.Proof {
		var shown []saturate.ProofStep
		for _, s := range steps {
			shown = append(shown, saturate.ProofStep{Reason: s.Reason, Path: s.Path})
		}
		p := saturate.NewProof(test.Free, &proof.Proof{Start: from, Steps: steps}, shown)
		show(p)
		return p
	}
	open := chain(fz, proof.Step{Reason: saturate.Assumed, From: fz, To: sym})
	if err := x.verify(open); err != nil {
		t.Error(err)
	}
	if x.verify(chain(lam(fz), proof.Step{Path: []int{0}, Reason: saturate.Assumed, From: fz, To: sym})) == nil {
		t.Error("a variable of the test was captured by a binder around a step")
	}
	fact := chain(nonzero, proof.Step{Reason: saturate.Assumed, From: nonzero, To: holds})
	if err := x.verify(fact); err != nil {
		t.Error(err)
	}
	for _, r := range res.Graph.EngineRules() {
		p := chain(lam(v), proof.Step{Rule: r, Reason: "r", From: lam(v), To: sym, Vars: []*egraph.Tree{v}, Bound: v.Own, Moment: 1})
		p.Steps[0].Conditions = []saturate.ProvedCondition{{Text: "z != 0", Proofs: []*saturate.Proof{fact}}}
		if x.verify(p) == nil {
			t.Error("a variable of the test was captured by a rule")
		}
	}
}
