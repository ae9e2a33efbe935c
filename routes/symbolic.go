package routes

import (
	"fmt"
	"maps"

	"egad/ad"
	"egad/internal/raise"
	"egad/term"
	"egad/term/eval"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// Sharing says where the symbolic reverse pass shares cotangents (Section 7.3).
type Sharing string

// The ways of sharing.
const (
	ShareNothing    Sharing = "nothing"    // Section 7.2
	ShareCopies     Sharing = "copies"     // what is used more than once: Fig. 19
	ShareEverything Sharing = "everywhere" // whatever is computed
)

// written is what the symbolic reverse pass makes of a program.
type written struct {
	*arrayRun[term.Term]
	bulk   *term.Program
	store  *term.Store
	names  map[uint32]term.Hint
	ct     term.Input
	shared []fragment // by id
	visits int64
	grads  map[string]term.Term // by the leaf of an input, over the shared ones
	whole  []term.Input         // the inputs that are varied
	// what was differentiated
	operands []term.Term // of constructors
	traced   map[*arrayDual[term.Term]]*traced
	parts    map[*arrayDual[term.Term]]part // of results of operators that are tuples
}

// fragment is a cotangent that is shared, which an input stands for.
type fragment struct {
	as term.Input
	t  term.Term
}

// write is the symbolic reverse pass (Section 7): the algebra of dual arrays over terms.
func write(t *Task, how Sharing) (w *written, err error) {
	defer raise.Caught(&err)
	t = raise.Must(t.prepared(true))
	bulk := t.Program
	w = &written{
		bulk: bulk, store: bulk.Store.Clone(), names: make(map[uint32]term.Hint), grads: make(map[string]term.Term),
		traced: make(map[*arrayDual[term.Term]]*traced), parts: make(map[*arrayDual[term.Term]]part),
		whole: raise.Must(ad.Varied(bulk, t.Options.Wrt)),
	}
	maps.Copy(w.names, bulk.Names)
	return w, overflow.Guard(func() error {
		w.run(t, how)
		return nil
	})
}

func (w *written) run(t *Task, how Sharing) {
	s := w.store
	alg := eval.Algebra[term.Term](eval.Terms{Store: s})
	values := make(eval.Env[term.Term])
	for _, leaf := range term.Leaves(t.Program.Inputs) {
		values[leaf.Name] = s.Input(leaf)
	}
	w.arrayRun = raise.Must(newArrayRun(alg, t))
	w.factor = func(x term.Term) { w.operands = append(w.operands, x) }
	w.trace = func(p *term.Program, kids []*arrayDual[term.Term], out *arrayDual[term.Term]) {
		w.traced[out] = &traced{p, kids, w.next - 1}
		w.component(out)
	}
	raise.Error(w.forward(t, values))
	w.nameFactors()
	w.ct = term.Input{Name: ad.FreshInput(t.Program, "ct"), Type: w.result.RealPart()}
	p := newPass(alg, w.cons, t.Bounds.Visits)
	switch how {
	case ShareCopies:
		p.twice = w.share
	case ShareEverything:
		p.made = w.share
	}
	g := raise.Must(w.reverse(p, func(leaf term.Input) term.Term { return s.Input(leaf) }, w.ct.Name))
	w.visits = p.visits
	for i, in := range w.wrt {
		w.grads[in.Name] = g[i]
	}
}

// component notes what a tuple has the parts of.
func (w *written) component(v *arrayDual[term.Term]) {
	for i, p := range v.parts {
		w.parts[p] = part{v, i}
		w.component(p)
	}
}

// nameFactors gives the arrays of reals that are operands of constructors names, in the
// order in which they are computed, if they have none.
func (w *written) nameFactors() {
	factor := make(map[uint32]bool)
	for _, x := range w.operands {
		t := w.store.Type(x)
		factor[x.ID] = t.Kind == types.KArray && t.Elem == types.R && len(w.store.Kids(x)) > 0
	}
	seen, n := make(map[uint32]bool), 0
	for _, t := range append([]term.Term{w.value.x}, w.operands...) {
		w.store.Walk(t, func(u term.Term) {
			if factor[u.ID] && !seen[u.ID] && w.names[u.ID].Name == "" {
				n++
				w.names[u.ID] = term.Hint{Name: fmt.Sprintf("x%d", n)}
			}
			seen[u.ID] = true
		})
	}
}

// share gives a cotangent an id, larger than all before, and what stands for it.
func (w *written) share(c term.Term, t *types.Type) term.Term {
	if len(w.store.Kids(c)) == 0 {
		return c
	}
	as := term.Input{Name: fmt.Sprintf("%s%d", sharePrefix, len(w.shared)+1), Type: t}
	w.shared = append(w.shared, fragment{as, c})
	return w.store.Input(as)
}

// sharePrefix begins the names of inputs that stand for what is shared, which no program has.
const sharePrefix = "share "

// unshared puts what is shared in its place in all gradients: shareToLet of Fig. 20, where
// equal terms are one, and have a name.
func (w *written) unshared() (map[string]term.Term, map[uint32]term.Hint) {
	names := maps.Clone(w.names)
	env := make(eval.Env[term.Term])
	for i, f := range w.shared {
		t := w.store.SubstVars(f.t, env)
		bindTerm(w.store, env, f.as, t)
		if names[t.ID].Name == "" {
			names[t.ID] = term.Hint{Name: fmt.Sprintf("shared%d", i+1)}
		}
	}
	out := make(map[string]term.Term)
	for name, g := range w.grads {
		out[name] = w.store.SubstVars(g, env)
	}
	return out, names
}

// bindTerm gives the leaves of an input terms.
func bindTerm(s *term.Store, env eval.Env[term.Term], in term.Input, t term.Term) {
	if err := eval.BindLeaves(eval.Algebra[term.Term](eval.Terms{Store: s}), env, in, t); err != nil {
		panic(err) // the term has the type of the input
	}
}

// program is the wrapper of Fig. 21: value and gradient, for a cotangent ct.
func (w *written) program() (*term.Program, error) {
	p := *w.bulk
	p.Store = w.store
	p.Inputs = append(p.Inputs[:len(p.Inputs):len(p.Inputs)], w.ct)
	err := overflow.Guard(func() error {
		var grads map[string]term.Term
		grads, p.Names = w.unshared()
		p.Root = ad.Result(&p, w.value.x, w.whole, grads)
		return nil
	})
	return &p, err
}

// ofOne is a program with the cotangent 1.
func ofOne(p *term.Program) (*term.Program, error) {
	q := *p
	ct := p.Inputs[len(p.Inputs)-1]
	q.Inputs = p.Inputs[:len(p.Inputs)-1]
	err := overflow.Guard(func() error {
		q.Root = p.Store.SubstVars(p.Root, map[string]term.Term{ct.Name: p.Store.Lit(ops.ScalarR(numeric.Int(1)))})
		return nil
	})
	return &q, err
}

// symbolic is the route of Section 7, with sharing or without.
func symbolic(how Sharing) func(t *Task) (*term.Program, Counts) {
	return func(t *Task) (*term.Program, Counts) {
		w := raise.Must(write(t, how))
		p := raise.Must(w.program())
		if t.scalar() {
			p = raise.Must(ofOne(p))
		}
		if how != ShareNothing {
			p = raise.Must(ad.Simplified(t.Lib, p, t.Options))
		}
		c := sizes(p)
		if how == ShareNothing {
			c.Nodes = c.Tree
		}
		c.Made, c.Visits, c.Ids = w.made, w.visits, int64(w.next)
		return p, c
	}
}

// jacobian is the construction of App. A for a result that is one array of reals: a build
// over it, of gradients for the cotangents that are 1 at one place. It results in the value,
// and an array for each leaf of the inputs.
func (w *written) jacobian() (*term.Program, error) {
	p, err := w.program()
	if err != nil {
		return nil, err
	}
	p.Inputs = p.Inputs[:len(p.Inputs)-1]
	s := p.Store
	return p, overflow.Guard(func() error {
		shape := w.ct.Type.Shape
		parts := []term.Term{w.value.x}
		grads, _ := w.unshared()
		for _, in := range w.wrt {
			parts = append(parts, s.Builds(shape, func(is []term.Term) term.Term {
				return s.Replace(grads[in.Name], func(at term.Term) (term.Term, bool) {
					if op := s.Op(at); op.Sym != ops.SymVar || op.Name != w.ct.Name {
						return at, false
					}
					return s.OneHot(shape, is), true
				})
			}))
		}
		p.Root = s.Apply(ops.SymTuple, parts...)
		return nil
	})
}
