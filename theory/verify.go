package theory

import (
	"errors"
	"fmt"
	"math/big"

	"egad/egraph"
)

// Verify checks a proof of a goal of a test, step by step, with the proofs of
// conditions. It knows terms, rules, arithmetic and the assumptions of the test,
// and no e-graph.
func (res *Result) Verify(p *Proof) error {
	v := &verifier{g: res.Graph, assumed: make(map[string]bool)}
	sig := res.Graph.Signature()
	for _, e := range res.Test.assume {
		a, b := res.env.tree(e.a).Key(sig), res.env.tree(e.b).Key(sig)
		v.assumed[a+"="+b], v.assumed[b+"="+a] = true, true
	}
	return v.proof(p, -1)
}

type verifier struct {
	g       *Graph
	assumed map[string]bool
	depth   int
}

// proof checks a proof of which all steps must be from before a moment, unless
// that is negative: so no step rests on itself.
func (v *verifier) proof(p *Proof, moment int) error {
	if v.depth++; v.depth > maxNesting {
		return errors.New("conditions are nested too deep")
	}
	defer func() { v.depth-- }()
	at := 0
	for i := range p.raw.Steps {
		if s := &p.raw.Steps[i]; moment >= 0 && s.Moment >= moment {
			return fmt.Errorf("step %d, %s, rests on what came later", i+1, s.Reason)
		}
	}
	return p.raw.Check(v.g.Signature(), p.from, p.to, func(s *egraph.Step) error {
		for &p.raw.Steps[at] != s {
			at++
		}
		return v.step(s, p.Steps[at].Conditions)
	})
}

func (v *verifier) step(s *egraph.Step, conds []ProvedCondition) error {
	sig := v.g.Signature()
	switch {
	case s.Rule != nil:
		return v.rule(s, conds)
	case s.Reason == Assumed && v.assumed[s.From.Key(sig)+"="+s.To.Key(sig)]:
		return nil
	case s.Reason == Folded:
		return v.folded(s)
	}
	return errors.New("nobody said so")
}

// folded computes again.
func (v *verifier) folded(s *egraph.Step) error {
	from, to := s.From, s.To
	if s.Reverse {
		from, to = to, from
	}
	th := v.g.t
	o := th.byOp[from.Op]
	if o.fold == nil {
		return fmt.Errorf("%s is not computed", o.Name)
	}
	var args []*big.Rat
	for _, k := range from.Kids {
		if th.byOp[k.Op].Number == nil {
			return errors.New("an operand is no number")
		}
		args = append(args, th.byOp[k.Op].Number)
	}
	want := o.fold.no
	if o.fold.test == nil {
		x, ok := o.fold.fn(args)
		if !ok {
			return errors.New("it has no value")
		}
		want = th.literal(o.Sort, x)
	} else if o.fold.test(args) {
		want = o.fold.yes
	}
	if th.byOp[to.Op] != want {
		return fmt.Errorf("the value is %s", want.Name)
	}
	return nil
}

// rule checks what the engine cannot see of a rule: conditions, right sides that
// are built term by term, and that the variables stand for what they are said to.
func (v *verifier) rule(s *egraph.Step, conds []ProvedCondition) error {
	sig := v.g.Signature()
	r := v.g.source[s.Rule]
	if r == nil {
		return errors.New("the rule is not of the file")
	}
	in := &instance{t: v.g.t, r: r, step: s}
	from, to := s.From, s.To
	if s.Reverse {
		from, to = to, from
	}
	if s.Rule.From == nil && in.tree(r.lhs).Key(sig) != from.Key(sig) {
		return errors.New("the left side is another term")
	}
	if s.Rule.Apply != nil {
		built := false
		for _, n := range r.rhs {
			built = built || in.tree(n).Key(sig) == to.Key(sig)
		}
		if !built {
			return errors.New("the right side is another term")
		}
	}
	if len(conds) != len(r.conds) {
		return fmt.Errorf("%d conditions of %d are proved", len(conds), len(r.conds))
	}
	for i := range r.conds {
		if err := v.condition(in, &r.conds[i], conds[i]); err != nil {
			return fmt.Errorf("%s: %w", conds[i].Text, err)
		}
		for _, p := range conds[i].Proofs {
			if err := v.proof(p, s.Moment); err != nil {
				return fmt.Errorf("%s: %w", conds[i].Text, err)
			}
		}
	}
	return nil
}

// condition checks that the equations that are proved for a condition give it.
func (v *verifier) condition(in *instance, k *cond, c ProvedCondition) error {
	sig, th := v.g.Signature(), v.g.t
	// What a term equals: itself, or the other end of a proof.
	ends := func(t *egraph.Tree) []*egraph.Tree {
		out := []*egraph.Tree{t}
		for _, p := range c.Proofs {
			if p.from.Key(sig) == t.Key(sig) {
				out = append(out, p.to)
			}
		}
		return out
	}
	apart := func(a, b *egraph.Tree) bool {
		for _, x := range ends(a) {
			for _, y := range ends(b) {
				if atom(th.byOp[x.Op]) && atom(th.byOp[y.Op]) && x.Op != y.Op {
					return true
				}
			}
		}
		return false
	}
	ok := false
	switch k.kind {
	case condIs:
		for _, t := range ends(in.tree(k.a)) {
			o := th.byOp[t.Op]
			ok = ok || k.word == "number" && o.Number != nil || k.word == "symbol" && o.Symbol || k.word == "variable" && o.variable()
		}
	case condNotIn:
		for _, t := range ends(in.tree(k.b)) {
			ok = ok || !t.Mentions(sig, in.variable(k.a))
		}
	case condEqual:
		for _, t := range ends(in.tree(k.a)) {
			ok = ok || t.Key(sig) == in.tree(k.b).Key(sig)
		}
	case condDistinct:
		ok = apart(in.tree(k.a), in.tree(k.b))
	case condFact:
		facts := []*egraph.Tree{in.tree(k.a)}
		if f := facts[0]; f.Op == v.distinct() {
			ok = apart(f.Kids[0], f.Kids[1])
			facts = append(facts, &egraph.Tree{Op: f.Op, Kids: []*egraph.Tree{f.Kids[1], f.Kids[0]}})
		}
		for _, f := range facts {
			for _, t := range ends(f) {
				ok = ok || t.Op == th.holds.op
			}
		}
	}
	if !ok {
		return errors.New("what is proved does not give it")
	}
	return nil
}

// distinct is the operator !=, or none.
func (v *verifier) distinct() egraph.Op {
	if d := v.g.t.distinct; d != nil {
		return d.op
	}
	return ^egraph.Op(0)
}

// atom reports whether a term is a number or a symbol.
func atom(o *Operator) bool { return o.Number != nil || o.Symbol }
