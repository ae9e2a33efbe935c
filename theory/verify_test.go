package theory

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
	"egad/rules/syntax"
	"egad/slot"
)

// The naive checker. It looks at what is shown of a proof, and of the engine's
// proof only at what variables stand for. Terms are compared with de Bruijn
// indices. It panics on what is no proof.
type naive struct {
	th      *Theory
	assumed [][2]string
	free    map[slot.Name]bool
}

func newNaive(res *Result) *naive {
	n := &naive{th: res.Graph.t, free: make(map[slot.Name]bool)}
	for _, e := range res.Test.assume {
		n.assumed = append(n.assumed, [2]string{n.text(res.env.term(e.a), nil), n.text(res.env.term(e.b), nil)})
	}
	for v := range res.names {
		n.free[v] = true
	}
	return n
}

func (n *naive) must(ok bool) {
	if !ok {
		panic("wrong")
	}
}

// text is equal for terms that are alpha-equivalent. It knows sorts.
func (n *naive) text(t *Term, around []variableOf) string {
	if t.Op.variable() {
		for i, v := range around {
			if v.name == t.Own {
				n.must(v.sort == t.Op.Sort)
				return fmt.Sprint(" bound ", i, ".")
			}
		}
		return fmt.Sprint(" free ", t.Own, ".")
	}
	s, inner, binder, kid := " ("+t.Op.Name, slices.Clone(around), 0, 0
	if t.Op.Number != nil {
		s += t.Op.Sort.Name
	}
	for _, o := range t.Op.Operands {
		if o.Binder {
			inner = slices.Insert(inner, 0, variableOf{t.Binders[binder], o.Sort})
			binder++
		}
	}
	for _, o := range t.Op.Operands {
		if o.Binder {
			continue
		}
		in := around
		if o.Under {
			in = inner
		}
		n.must(t.Kids[kid].Op.Sort == o.Sort)
		s += n.text(t.Kids[kid], in)
		kid++
	}
	n.must(kid == len(t.Kids) && binder == len(t.Binders))
	return s + ")"
}

type variableOf struct {
	name slot.Name
	sort *Sort
}

func (n *naive) mentions(t *Term, v slot.Name) bool {
	return strings.Contains(n.text(t, nil), fmt.Sprint(" free ", v, "."))
}

func (t *Term) with(path []int, by *Term) *Term {
	if len(path) == 0 {
		return by
	}
	u := *t
	u.Kids = slices.Clone(t.Kids)
	u.Kids[path[0]] = u.Kids[path[0]].with(path[1:], by)
	return &u
}

func (n *naive) accepts(p *Proof) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	n.proof(p, 0)
	return true
}

func (n *naive) proof(p *Proof, depth int) {
	n.must(depth < 20 && len(p.Terms) == len(p.Steps)+1)
	for i, s := range p.Steps {
		raw := &p.raw.Steps[i]
		var around []variableOf
		from := p.Terms[i]
		for _, k := range s.Path {
			if o := from.Op.Operands[from.Op.kids[k]]; o.Under {
				binder := 0
				for _, o := range from.Op.Operands {
					if o.Binder {
						n.must(!n.free[from.Binders[binder]])
						around = slices.Insert(around, 0, variableOf{from.Binders[binder], o.Sort})
						binder++
					}
				}
			}
			from = from.Kids[k]
		}
		// In the names of this term, which the next one need not have.
		to := n.th.term(raw.To)
		n.must(n.text(p.Terms[i].with(s.Path, to), nil) == n.text(p.Terms[i+1], nil))
		if s.Reverse {
			from, to = to, from
		}
		switch s.Reason {
		case Assumed:
			n.must(slices.Contains(n.assumed, [2]string{n.text(from, around), n.text(to, around)}) && len(s.Conditions) == 0)
		case Folded:
			n.must(len(s.Conditions) == 0)
			n.folded(from, to)
		default:
			k := slices.IndexFunc(n.th.Rules, func(r *Rule) bool { return r.Name == s.Reason })
			n.rule(n.th.Rules[k], raw, s.Conditions, from, to, depth)
		}
	}
}

func (n *naive) folded(from, to *Term) {
	a := from.Kids[0].Op.Number
	b := from.Kids[1].Op.Number
	n.must(from.Op.fold != nil && to.Op.Sort == from.Op.Sort)
	z := new(big.Rat)
	switch from.Op.Name {
	case "+":
		z.Add(a, b)
	case "-":
		z.Sub(a, b)
	case "*":
		z.Mul(a, b)
	case "/":
		z.Quo(a, b)
	case "==":
		n.must(to.Op.Name == fmt.Sprint(a.Cmp(b) == 0))
		return
	default:
		panic("no operation")
	}
	n.must(to.Op.Number.Cmp(z) == 0)
}

// side is a term of a rule. Under is false for conditions, in which the variables
// of the left side may be anywhere.
func (n *naive) side(x *node, s *proof.Step, open []slot.Name, scoped bool) *Term {
	name := func(v int) slot.Name {
		switch {
		case v < 0:
			n.must(n.th.byOp[s.Vars[-1-v].Op].variable())
			return s.Vars[-1-v].Own[0]
		case v < len(s.Bound):
			return s.Bound[v]
		}
		return ^slot.Name(0) - slot.Name(v)
	}
	switch x.kind {
	case nodeMeta:
		t := n.th.term(s.Vars[x.v])
		for _, b := range s.Bound {
			n.must(!scoped || slices.Contains(open, b) || !n.mentions(t, b))
		}
		return t
	case nodeVar:
		return &Term{Op: x.op, Own: name(x.v)}
	}
	t := &Term{Op: x.op}
	for _, b := range x.binders {
		t.Binders = append(t.Binders, name(b))
	}
	for k, kid := range x.kids {
		in := open
		if x.op.Operands[x.op.kids[k]].Under {
			in = append(slices.Clone(open), t.Binders...)
		}
		t.Kids = append(t.Kids, n.side(kid, s, in, scoped))
	}
	return t
}

func (n *naive) rule(r *Rule, s *proof.Step, conds []ProvedCondition, from, to *Term, depth int) {
	n.must(len(s.Vars) == len(r.scope.metas) && len(conds) == len(r.conds) && r.kind != syntax.Demand)
	for i, m := range r.scope.metas {
		n.must(n.th.byOp[s.Vars[i].Op].Sort == m.sort)
	}
	for k, b := range s.Bound {
		n.must(!slices.Contains(s.Bound[:k], b) && !n.free[b])
	}
	is := func(x *node, t *Term) bool { return n.text(n.side(x, s, nil, true), nil) == n.text(t, nil) }
	n.side(r.lhs, s, nil, true)
	ok := false
	for _, x := range r.rhs {
		if r.kind == syntax.Fact {
			ok = ok || is(x, from) && to.Op == n.th.holds
		} else {
			ok = ok || is(r.lhs, from) && is(x, to)
		}
	}
	n.must(ok)
	for i, k := range r.conds {
		for _, p := range conds[i].Proofs {
			n.proof(p, depth+1)
		}
		n.must(n.condition(k, s, conds[i].Proofs))
	}
}

func (n *naive) condition(k cond, s *proof.Step, proofs []*Proof) bool {
	known := func(x *node, pred func(*Term) bool) bool {
		t := n.side(x, s, nil, false)
		return pred(t) || slices.ContainsFunc(proofs, func(p *Proof) bool {
			return n.text(p.Terms[0], nil) == n.text(t, nil) && pred(p.Terms[len(p.Terms)-1])
		})
	}
	holds := func(t *Term) bool { return t.Op == n.th.holds }
	differ := func(a, b *node, counts func(*Operator) bool) bool {
		return known(a, func(t *Term) bool {
			return counts(t.Op) && known(b, func(u *Term) bool { return counts(u.Op) && t.Op != u.Op })
		})
	}
	switch k.kind {
	case condIs:
		return known(k.a, func(t *Term) bool {
			return map[string]bool{"number": t.Op.Number != nil, "symbol": t.Op.Symbol, "variable": t.Op.variable()}[k.word]
		})
	case condNotIn:
		v := k.a
		if v.kind == nodeMeta {
			v = &node{kind: nodeVar, v: -1 - v.v, op: n.th.byOp[s.Vars[v.v].Op]}
		}
		name := n.side(v, s, nil, false).Own
		return known(k.b, func(t *Term) bool { return !n.mentions(t, name) })
	case condEqual:
		return known(k.a, func(t *Term) bool { return n.text(t, nil) == n.text(n.side(k.b, s, nil, false), nil) })
	case condDistinct:
		return differ(k.a, k.b, func(o *Operator) bool { return o.Number != nil || o.Symbol })
	}
	if known(k.a, holds) {
		return true
	}
	return k.a.op.Name == "!=" && (differ(k.a.kids[0], k.a.kids[1], func(o *Operator) bool { return o.Number != nil }) ||
		known(&node{op: k.a.op, kids: []*node{k.a.kids[1], k.a.kids[0]}}, holds))
}

// variants are a tree with one change in one place, some of them no terms.
func variants(th *Theory, t *egraph.Tree, names []slot.Name, others []*egraph.Tree) (out []*egraph.Tree) {
	change := func(how func(u *egraph.Tree)) {
		u := &egraph.Tree{Op: t.Op, Own: slices.Clone(t.Own), Binders: slices.Clone(t.Binders), Kids: slices.Clone(t.Kids)}
		how(u)
		out = append(out, u)
	}
	odd := true // one operator with other operands
	for _, o := range th.byOp {
		same := len(o.kids) == len(t.Kids) && len(o.binders) == len(t.Binders) && o.variable() == (len(t.Own) > 0)
		if o.op != t.Op && (same || odd) {
			odd = odd && same
			change(func(u *egraph.Tree) { u.Op = o.op })
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
	change(func(u *egraph.Tree) { u.Op = egraph.Op(len(th.byOp)) })
	change(func(u *egraph.Tree) { slices.Reverse(u.Kids) })
	change(func(u *egraph.Tree) { u.Kids = append(u.Kids, others[0]) })
	change(func(u *egraph.Tree) { u.Kids, u.Own = nil, nil })
	for k, kid := range t.Kids {
		out = append(out, kid)
		for _, v := range variants(th, kid, names, others) {
			change(func(u *egraph.Tree) { u.Kids[k] = v })
		}
	}
	return append(append(out, others...), nil)
}

func (p *Proof) clone() *Proof {
	out := *p
	out.Terms, out.Steps = slices.Clone(p.Terms), slices.Clone(p.Steps)
	raw := *p.raw
	raw.Steps = slices.Clone(raw.Steps)
	out.raw = &raw
	for i := range out.Steps {
		s, r := &out.Steps[i], &raw.Steps[i]
		r.Vars, r.Bound = slices.Clone(r.Vars), slices.Clone(r.Bound)
		s.Conditions = slices.Clone(s.Conditions)
		for k := range s.Conditions {
			c := &s.Conditions[k]
			c.Proofs = slices.Clone(c.Proofs)
			for j, q := range c.Proofs {
				c.Proofs[j] = q.clone()
			}
		}
	}
	return &out
}

// flat lists a proof and those of its conditions.
func (p *Proof) flat() []*Proof {
	out := []*Proof{p}
	for _, s := range p.Steps {
		for _, c := range s.Conditions {
			for _, q := range c.Proofs {
				out = append(out, q.flat()...)
			}
		}
	}
	return out
}

// show makes what is shown of a proof from the engine's, as far as that can be.
func (p *Proof) show(th *Theory) {
	defer func() { _ = recover() }()
	p.from, p.to = p.raw.Start, p.raw.Start
	p.to = p.raw.Terms()[len(p.raw.Steps)]
	var terms []*Term
	for _, t := range p.raw.Terms() {
		terms = append(terms, th.term(t))
	}
	p.Terms = terms
}

// trial gives mutants of a proof to both checkers.
type trial struct {
	t                  *testing.T
	res                *Result
	naive              *naive
	rules              []*egraph.Rule
	wrong, right, over int
}

func (x *trial) try(what string, p *Proof) {
	switch err, ok := x.res.Verify(p), x.naive.accepts(p); {
	case err == nil && !ok:
		x.t.Errorf("%s: %s: a wrong proof was accepted", x.res.Test.Name, what)
	case err == nil:
		x.right++
	case ok:
		x.over++
	default:
		x.wrong++
	}
}

// refused are mutants that show what was not checked.
func (x *trial) refused(what string, p *Proof) {
	if x.res.Verify(p) == nil {
		x.t.Errorf("%s: %s was accepted", x.res.Test.Name, what)
	}
	x.wrong++
}

// each calls f with a copy of p for each proof in it.
func each(p *Proof, f func(all, q *Proof)) {
	for k := range p.flat() {
		all := p.clone()
		f(all, all.flat()[k])
	}
}

// eachStep calls f with a copy of p for each step in it.
func eachStep(p *Proof, f func(all, q *Proof, i int)) {
	for k, q := range p.flat() {
		for i := range q.Steps {
			all := p.clone()
			f(all, all.flat()[k], i)
		}
	}
}

// shown changes what is shown.
func (x *trial) shown(p *Proof) {
	each(p, func(all, q *Proof) {
		q.Terms = nil
		x.refused("no terms", all)
	})
	each(p, func(all, q *Proof) {
		q.Steps = nil
		x.refused("no steps", all)
	})
	each(p, func(all, q *Proof) {
		q.names = map[slot.Name]string{1 << 20: "x"}
		x.refused("other names", all)
	})
	each(p, func(all, q *Proof) {
		q.raw = nil
		x.refused("no proof", all)
	})
	eachStep(p, func(all, q *Proof, i int) {
		if a, b := q.Terms[i], q.Terms[i+1]; x.naive.text(a, nil) != x.naive.text(b, nil) {
			q.Terms[i], q.Terms[i+1] = b, a
			x.refused("terms in another order", all)
		}
	})
	eachStep(p, func(all, q *Proof, i int) {
		q.Terms[i+1] = nil
		x.refused("no term", all)
	})
	eachStep(p, func(all, q *Proof, i int) {
		q.Steps[i].Reason += "-rev"
		x.refused("another reason", all)
	})
	eachStep(p, func(all, q *Proof, i int) {
		q.Steps[i].Reverse = !q.Steps[i].Reverse
		x.refused("the other direction", all)
	})
	eachStep(p, func(all, q *Proof, i int) {
		q.Steps[i].Path = append(slices.Clone(q.Steps[i].Path), 0)
		x.refused("another path", all)
	})
	eachStep(p, func(all, q *Proof, i int) {
		q.Steps[i].Conditions = append(q.Steps[i].Conditions, ProvedCondition{})
		x.refused("a condition more", all)
	})
	eachStep(p, func(all, q *Proof, i int) {
		if q.Steps[i].Conditions != nil {
			q.Steps[i].Conditions[0].Text = "0 = 1"
			x.refused("another condition", all)
		}
	})
	eachStep(p, func(all, q *Proof, i int) {
		if q.Steps[i].Conditions != nil {
			q.Steps[i].Conditions = q.Steps[i].Conditions[1:]
			x.refused("a condition less", all)
		}
	})
}

// conditions changes the proofs of conditions.
func (x *trial) conditions(p *Proof) {
	proofs := append(p.clone().flat(), nil)
	eachStep(p, func(all, q *Proof, i int) {
		for k := range q.Steps[i].Conditions {
			c := &q.Steps[i].Conditions[k]
			keep := c.Proofs
			c.Proofs = nil
			x.try("no proofs of a condition", all)
			for _, r := range append(proofs, q) { // q would rest on itself
				c.Proofs = []*Proof{r}
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
		eachStep(p, func(all, q *Proof, i int) {
			q.raw.Steps[i].Moment = moment
			x.try("another moment", all)
		})
	}
}

// chain changes the order of steps and what they are by.
func (x *trial) chain(p *Proof) {
	th := x.res.Graph.t
	eachStep(p, func(all, q *Proof, i int) {
		q.raw.Steps, q.Steps = slices.Delete(q.raw.Steps, i, i+1), slices.Delete(q.Steps, i, i+1)
		q.Terms = slices.Delete(q.Terms, i+1, i+2)
		x.try("a step less", all)
	})
	eachStep(p, func(all, q *Proof, i int) {
		q.raw.Steps, q.Steps = slices.Insert(q.raw.Steps, i, q.raw.Steps[i]), slices.Insert(q.Steps, i, q.Steps[i])
		q.Terms = slices.Insert(q.Terms, i, q.Terms[i])
		x.try("a step twice", all)
	})
	eachStep(p, func(all, q *Proof, i int) {
		if i > 0 {
			q.raw.Steps[i], q.raw.Steps[i-1] = q.raw.Steps[i-1], q.raw.Steps[i]
			q.Steps[i], q.Steps[i-1] = q.Steps[i-1], q.Steps[i]
			from, to := q.from, q.to
			if q.raw.Steps[i-1].From != nil {
				q.show(th)
			}
			q.from, q.to = from, to
			x.try("steps in another order", all)
		}
	})
	for _, r := range append(x.rules, nil, &egraph.Rule{Name: "forged"}) {
		eachStep(p, func(all, q *Proof, i int) {
			reason := Assumed
			if r != nil {
				reason = r.Name
			}
			q.raw.Steps[i].Rule, q.raw.Steps[i].Reason, q.Steps[i].Reason = r, reason, reason
			x.try("by another rule", all)
		})
		eachStep(p, func(all, q *Proof, i int) {
			if r != nil && r.Name != q.Steps[i].Reason {
				q.raw.Steps[i].Reason, q.Steps[i].Reason = r.Name, r.Name
				x.refused("another reason", all)
			}
		})
	}
	eachStep(p, func(all, q *Proof, i int) {
		if r := q.raw.Steps[i].Rule; r != nil {
			any, err := egraph.Compile(th.sig, &egraph.Pattern{Kind: egraph.PVar}, 1, 0)
			if err != nil {
				x.t.Fatal(err)
			}
			s := &q.raw.Steps[i]
			s.Rule = &egraph.Rule{Name: r.Name, Lhs: any, Rhs: r.Rhs, Apply: r.Apply}
			s.Vars, s.Bound = []*egraph.Tree{s.From}, nil
			x.refused("a rule that is not of the file", all)
		}
	})
	eachStep(p, func(all, q *Proof, i int) {
		s := &q.raw.Steps[i]
		s.Reverse = !s.Reverse
		q.Steps[i].Reverse = s.Reverse
		x.try("the other direction", all)
	})
	eachStep(p, func(all, q *Proof, i int) {
		s := &q.raw.Steps[i]
		s.From, s.To = s.To, s.From
		x.try("exchanged sides", all)
	})
	each(p, func(all, q *Proof) {
		q.from, q.to = q.to, q.from
		if len(q.Steps) > 0 {
			x.refused("exchanged ends", all)
		}
	})
}

// steps makes each step a proof of its own, and changes its terms.
func (x *trial) steps(p *Proof, r *rand.Rand, n int) {
	th := x.res.Graph.t
	for _, q := range p.flat() {
		for i := range q.raw.Steps {
			s := q.raw.Steps[i]
			s.Path = nil
			step := q.Steps[i]
			step.Path = nil
			one := (&Proof{names: q.names, raw: &proof.Proof{Start: s.From, Steps: []proof.Step{s}}, Steps: []ProofStep{step}}).clone()
			one.show(th)
			if err := x.res.Verify(one); err != nil || !x.naive.accepts(one) {
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
			others := []*egraph.Tree{s.From, s.To, q.raw.Start}
			from, to := variants(th, s.From, names, others), variants(th, s.To, names, others)
			var vars [][]*egraph.Tree
			for _, v := range s.Vars {
				vars = append(vars, variants(th, v, names, others))
			}
			pick := func(ts []*egraph.Tree) *egraph.Tree { return ts[r.Intn(len(ts))] }
			for range n {
				m := one.clone()
				u := &m.raw.Steps[0]
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
				m.raw.Start = u.From
				m.show(th)
				x.texts(m)
				x.try("other terms of "+u.Reason, m)
			}
		}
	}
}

// replaced is t with one term for another.
func (x *trial) replaced(t, old, by *egraph.Tree) *egraph.Tree {
	sig := x.res.Graph.Signature()
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
func (x *trial) texts(p *Proof) {
	defer func() { _ = recover() }()
	s := &p.raw.Steps[0]
	in, err := x.res.Graph.instance(x.res.Graph.source[s.Rule], s)
	if err != nil {
		return
	}
	for k := range p.Steps[0].Conditions {
		p.Steps[0].Conditions[k].Text = in.text(&in.r.conds[k], p.names)
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
	th, err := Load(&diag.Source{Name: "small", Text: small})
	if err != nil {
		t.Fatal(err)
	}
	sum := &trial{}
	x := mutate(t, th, th.Tests, 300)
	sum.wrong, sum.right, sum.over = x.wrong, x.right, x.over
	for _, c := range []struct {
		file  string
		tests []string
	}{
		{"math", []string{"diff_power_simple", "product_not_zero", "assoc_adds", "simplify_factor"}},
		{"lambda", nil},
		{"prop", nil},
	} {
		th := load(t, "../examples/rewriting/"+c.file+".rules")
		var tests []*Test
		for _, y := range th.Tests {
			if c.tests == nil || slices.Contains(c.tests, y.Name) {
				tests = append(tests, y)
			}
		}
		x := mutate(t, th, tests, 30)
		sum.wrong, sum.right, sum.over = sum.wrong+x.wrong, sum.right+x.right, sum.over+x.over
	}
	t.Logf("%d mutants refused, %d accepted that are right, %d refused that are not wrong otherwise", sum.wrong, sum.right, sum.over)
	if sum.wrong < 10_000 || sum.right < 100 {
		t.Error("there are too few mutants")
	}
}

func mutate(t *testing.T, th *Theory, tests []*Test, n int) *trial {
	sum := &trial{}
	r := rand.New(rand.NewSource(1))
	for _, test := range tests {
		res := th.Run(test, Options{Proofs: true})
		proofs, err := res.Proofs()
		if err != nil {
			t.Errorf("%s: %v", test.Name, err)
			continue
		}
		if len(proofs) < len(test.prove) {
			t.Errorf("%s: %d proofs of %d", test.Name, len(proofs), len(test.prove))
		}
		x := &trial{t: t, res: res, naive: newNaive(res)}
		for r := range res.Graph.source {
			x.rules = append(x.rules, r)
		}
		slices.SortFunc(x.rules, func(a, b *egraph.Rule) int { return strings.Compare(a.Name, b.Name) })
		for _, p := range proofs {
			if !x.naive.accepts(p) {
				t.Errorf("%s: the naive checker refuses a proof", test.Name)
				continue
			}
			if len(p.flat()) > 6 || len(p.Steps) > 8 {
				x.steps(p, r, 2)
				continue
			}
			x.shown(p)
			x.conditions(p)
			x.chain(p)
			x.steps(p, r, n)
			keep := test.assume
			for i := range keep {
				test.assume = slices.Delete(slices.Clone(keep), i, i+1)
				x.naive = newNaive(res)
				x.try("an assumption less", p)
			}
			test.assume = keep
			x.naive = newNaive(res)
		}
		sum.wrong, sum.right, sum.over = sum.wrong+x.wrong, sum.right+x.right, sum.over+x.over
	}
	return sum
}

// TestVerifyCapture: what is assumed of a variable of the test does not hold of
// one that is bound and called the same, around a step or by its rule.
func TestVerifyCapture(t *testing.T) {
	th, err := Load(&diag.Source{Name: "capture", Text: `language capture
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
`})
	if err != nil {
		t.Fatal(err)
	}
	// A test cannot say so, but the verifier does not know.
	app := func(op string, kids ...*node) *node { return &node{op: th.operators[op], kids: kids} }
	free := &node{kind: nodeVar, op: th.sorts["E"].variable}
	th.Tests[0].assume = []equation{
		{a: app("f", free), b: app("x")},
		{a: app("!=", free, &node{op: th.literal(th.sorts["E"], new(big.Rat))}), b: &node{op: th.holds}},
	}
	res := th.Run(th.Tests[0], Options{Proofs: true})
	tree := func(op string, kids ...*egraph.Tree) *egraph.Tree {
		return &egraph.Tree{Op: th.operators[op].op, Kids: kids}
	}
	z := slot.Name(0)
	for n := range res.names {
		z = n
	}
	v := &egraph.Tree{Op: th.sorts["E"].variable.op, Own: []slot.Name{z}}
	zero := &egraph.Tree{Op: th.literal(th.sorts["E"], new(big.Rat)).op}
	holds := &egraph.Tree{Op: th.holds.op}
	chain := func(from *egraph.Tree, steps ...proof.Step) *Proof {
		p := &Proof{names: res.names, raw: &proof.Proof{Start: from, Steps: steps}}
		for _, s := range steps {
			p.Steps = append(p.Steps, ProofStep{Reason: s.Reason, Path: s.Path})
		}
		p.show(th)
		return p
	}
	open := chain(tree("f", v), proof.Step{Reason: Assumed, From: tree("f", v), To: tree("x")})
	if err := res.Verify(open); err != nil {
		t.Error(err)
	}
	under := tree("lam", tree("f", v))
	under.Binders = []slot.Name{z}
	if res.Verify(chain(under, proof.Step{Path: []int{0}, Reason: Assumed, From: tree("f", v), To: tree("x")})) == nil {
		t.Error("a variable of the test was captured by a binder around a step")
	}
	nonzero := tree("!=", v, zero)
	fact := chain(nonzero, proof.Step{Reason: Assumed, From: nonzero, To: holds})
	if err := res.Verify(fact); err != nil {
		t.Error(err)
	}
	id := tree("lam", v)
	id.Binders = []slot.Name{z}
	for r := range res.Graph.source {
		p := chain(id, proof.Step{Rule: r, Reason: "r", From: id, To: tree("x"), Vars: []*egraph.Tree{v}, Bound: []slot.Name{z}, Moment: 1})
		p.Steps[0].Conditions = []ProvedCondition{{Text: "z != 0", Proofs: []*Proof{fact}}}
		if res.Verify(p) == nil {
			t.Error("a variable of the test was captured by a rule")
		}
	}
}
