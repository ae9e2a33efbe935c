package egraph_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	. "egad/egraph"
	"egad/egraph/proof"
	"egad/slot"
)

// bindingLang is a language with binders of several kinds, a commutative operator,
// and two operators of one head.
type bindingLang struct {
	t     *testing.T
	sig   *Signature
	ops   map[string]Op
	rules []*Rule
}

const bindingRules = `
(app (lam v ?b) ?e) => (let v ?e ?b)
(let v ?e v) => ?e
(let v ?e a) => a
(let v ?e (app ?p ?q)) => (app (let v ?e ?p) (let v ?e ?q))
(let v ?e (lam w ?b)) => (lam w (let v ?e ?b))
(lam v (id ?b)) => (id (lam v ?b))
(id (id ?a)) => ?a
(both v w ?b) => (lam v (lam w ?b))
(app ?a ?b) => (c (id ?a) ?b)
(id (lam v v)) => one
(id a) => two
`

func newBindingLang(t *testing.T) *bindingLang {
	l := &bindingLang{t: t, sig: NewSignature(), ops: make(map[string]Op)}
	for _, h := range []Head{
		{Name: "a"}, {Name: "id", Arity: 1}, {Name: "app", Arity: 2}, {Name: "c", Arity: 2, Commutative: true},
		{Name: "var", Own: 1}, {Name: "lam", Arity: 1, Binders: 1, Under: 1},
		{Name: "let", Arity: 2, Binders: 1, Under: 2}, {Name: "both", Arity: 1, Binders: 2, Under: 1}, {Name: "one"},
	} {
		id, err := l.sig.AddHead(h)
		if err != nil {
			t.Fatal(err)
		}
		l.ops[h.Name], _ = l.sig.AddOp(id)
	}
	l.ops["two"], _ = l.sig.AddOp(l.sig.Head(l.ops["one"]))
	for line := range strings.SplitSeq(strings.TrimSpace(bindingRules), "\n") {
		l.rules = append(l.rules, l.rule(line))
	}
	return l
}

// rule reads a rule; what it binds is called v and w, or like a metavariable that
// is a variable.
func (l *bindingLang) rule(text string) *Rule {
	l.t.Helper()
	lhs, rhs, _ := strings.Cut(text, " => ")
	var metas, bound []string
	left := l.pattern(ParseSexp(lhs), &metas, &bound)
	NumberPositions(left, 0)
	prog, err := Compile(l.sig, left, len(metas), len(bound))
	if err != nil {
		l.t.Fatal(text, err)
	}
	right, err := CompileTemplate(l.sig, l.pattern(ParseSexp(rhs), &metas, &bound))
	if err != nil {
		l.t.Fatal(text, err)
	}
	return &Rule{Name: lhs, Lhs: prog, Rhs: right}
}

func numberOf(name string, names *[]string) int {
	i := slices.Index(*names, name)
	if i < 0 {
		i = len(*names)
		*names = append(*names, name)
	}
	return i
}

func (l *bindingLang) pattern(s *Sexp, metas, bound *[]string) *Pattern {
	switch {
	case s.Atom[0] == '?':
		return &Pattern{Kind: PVar, Var: numberOf(s.Atom, metas)}
	case s.Atom == "v" || s.Atom == "w":
		return &Pattern{Kind: PSlot, Var: numberOf(s.Atom, bound), Op: l.ops["var"]}
	}
	p := &Pattern{Kind: PApp, Op: l.ops[s.Atom], Head: l.sig.Head(l.ops[s.Atom])}
	n := l.sig.HeadInfo(p.Head).Binders
	for i, k := range s.List {
		if i < n && k.Atom[0] == '?' {
			p.Binders = append(p.Binders, -1-numberOf(k.Atom, metas))
		} else if i < n {
			p.Binders = append(p.Binders, numberOf(k.Atom, bound))
		} else {
			p.Kids = append(p.Kids, l.pattern(k, metas, bound))
		}
	}
	return p
}

// tree reads a term; variables are x, y and z.
func (l *bindingLang) tree(text string) *Tree {
	var read func(s *Sexp) *Tree
	name := func(s *Sexp) slot.Name { return slot.Name(s.Atom[0]-'x') + 1 }
	read = func(s *Sexp) *Tree {
		op, ok := l.ops[s.Atom]
		if !ok {
			return &Tree{Op: l.ops["var"], Own: []slot.Name{name(s)}}
		}
		t := &Tree{Op: op}
		n := l.sig.HeadInfo(l.sig.Head(op)).Binders
		for i, k := range s.List {
			if i < n {
				t.Binders = append(t.Binders, name(k))
			} else {
				t.Kids = append(t.Kids, read(k))
			}
		}
		return t
	}
	return read(ParseSexp(text))
}

// The naive checker. It writes terms with de Bruijn indices, and makes the sides
// of a rule by putting in what the step says. It has no cases that matter for
// speed, and panics on what is no term.

func deBruijn(sig *Signature, t *Tree, around []slot.Name) string {
	h := sig.HeadInfo(sig.Head(t.Op))
	if len(t.Kids) != h.Arity || len(t.Own) != h.Own || len(t.Binders) != h.Binders {
		panic("no term")
	}
	s := fmt.Sprint("(", t.Op)
	for _, n := range t.Own {
		if i := slices.Index(around, n); i >= 0 {
			s += fmt.Sprint(" bound ", i)
		} else {
			s += fmt.Sprint(" free ", n)
		}
	}
	inner := slices.Clone(around)
	for _, n := range t.Binders {
		inner = slices.Insert(inner, 0, n)
	}
	for k, u := range t.Kids {
		if h.Under>>k&1 != 0 {
			s += deBruijn(sig, u, inner)
		} else {
			s += deBruijn(sig, u, around)
		}
	}
	return s + ")"
}

func freeIn(sig *Signature, t *Tree, n slot.Name) bool {
	return strings.Contains(deBruijn(sig, t, nil)+" ", fmt.Sprintf(" free %d)", n))
}

func naiveSide(s *proof.Step, sig *Signature, p *Pattern, open []slot.Name, vars *Op) *Tree {
	switch p.Kind {
	case PVar:
		t := s.Vars[p.Var]
		for _, n := range s.Bound {
			if freeIn(sig, t, n) && !slices.Contains(open, n) {
				panic("a variable is out of scope")
			}
		}
		return t
	case PSlot:
		return &Tree{Op: *vars, Own: []slot.Name{s.Bound[p.Var]}}
	}
	t := &Tree{Op: p.Op}
	for _, b := range p.Binders {
		t.Binders = append(t.Binders, s.Bound[b])
	}
	for k, q := range p.Kids {
		in := open
		if sig.HeadInfo(sig.Head(p.Op)).Under>>k&1 != 0 {
			in = append(slices.Clone(open), t.Binders...)
		}
		t.Kids = append(t.Kids, naiveSide(s, sig, q, in, vars))
	}
	return t
}

// naive reports whether a proof is right, for rules without conditions.
func naive(p *proof.Proof, sig *Signature, variable Op, a, b *Tree) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	same := func(t, u *Tree) bool { return deBruijn(sig, t, nil) == deBruijn(sig, u, nil) }
	// says is equal for pairs of terms that are equal up to the names of free variables.
	says := func(t, u *Tree) string {
		deBruijn(sig, t, nil)
		deBruijn(sig, u, nil)
		return pairKey(sig, t, u)
	}
	end := func(e proof.Equation) *Tree { return e.Links[len(e.Links)-1].To }
	for k, e := range p.Equations {
		from := e.From
		for _, l := range e.Links {
			switch {
			case l.Step != nil:
				s := l.Step
				t, u := from, l.To
				if l.Reverse {
					t, u = u, t
				}
				for i, n := range s.Bound {
					if slices.Contains(s.Bound[:i], n) {
						return false
					}
				}
				if !same(naiveSide(s, sig, s.Rule.Lhs.Pattern(), nil, &variable), s.From) || !same(naiveSide(s, sig, s.Rule.Rhs.Pattern(), nil, &variable), s.To) {
					return false
				}
				if says(s.From, s.To) != says(t, u) {
					return false
				}
			case l.Kids == nil:
				if !sig.HeadInfo(sig.Head(from.Op)).Commutative || !same(&Tree{Op: from.Op, Kids: []*Tree{from.Kids[1], from.Kids[0]}}, l.To) {
					return false
				}
			default:
				if from.Op != l.To.Op || !slices.Equal(from.Own, l.To.Own) || len(l.Kids) != len(from.Kids) {
					return false
				}
				for i, n := range l.Kids {
					t, u := naiveKid(sig, from, i), naiveKid(sig, l.To, i)
					if n == -1 {
						if !same(t, u) {
							return false
						}
					} else if n >= k || says(p.Equations[n].From, end(p.Equations[n])) != says(t, u) {
						return false
					}
				}
			}
			from = l.To
		}
		says(e.From, from)
	}
	if len(p.Equations) == 0 {
		return same(a, b)
	}
	e := p.Equations[len(p.Equations)-1]
	return says(e.From, end(e)) == says(a, b)
}

// naiveKid is a child of a term, with other names for what is bound there.
func naiveKid(sig *Signature, t *Tree, k int) *Tree {
	kid := t.Kids[k]
	if sig.HeadInfo(sig.Head(t.Op)).Under>>k&1 == 0 {
		return kid
	}
	is := make(map[slot.Name]slot.Name)
	for i, n := range t.Binders {
		is[n] = slot.Name(1<<29 + i)
	}
	return kid.Rename(sig, is)
}

// mutator changes terms in one place.
type mutator struct {
	ops    int
	names  []slot.Name
	others []*Tree
}

// each calls f with every t that is changed in one place.
func (m *mutator) each(t *Tree, f func(*Tree)) {
	copied := func() *Tree {
		return &Tree{Op: t.Op, Own: slices.Clone(t.Own), Binders: slices.Clone(t.Binders), Kids: slices.Clone(t.Kids)}
	}
	change := func(how func(u *Tree)) {
		u := copied()
		how(u)
		f(u)
	}
	for o := range m.ops + 1 {
		change(func(u *Tree) { u.Op = Op(o) })
	}
	for _, n := range m.names {
		for k := range t.Own {
			change(func(u *Tree) { u.Own[k] = n })
		}
		for k := range t.Binders {
			change(func(u *Tree) { u.Binders[k] = n })
		}
	}
	change(func(u *Tree) { u.Own = append(u.Own, 1) })
	change(func(u *Tree) { u.Binders = append(u.Binders, 1) })
	change(func(u *Tree) { slices.Reverse(u.Binders) })
	change(func(u *Tree) { u.Own, u.Binders = nil, nil })
	change(func(u *Tree) { slices.Reverse(u.Kids) })
	change(func(u *Tree) { u.Kids = append(u.Kids, m.others[0]) })
	change(func(u *Tree) { u.Kids = u.Kids[:max(0, len(u.Kids)-1)] })
	for k, kid := range t.Kids {
		f(kid)
		change(func(u *Tree) { u.Kids[k] = nil })
		m.each(kid, func(v *Tree) { change(func(u *Tree) { u.Kids[k] = v }) })
	}
	for _, u := range m.others {
		f(u)
	}
	f(nil)
}

// everywhere is t in which n is called o, where it is bound too.
func everywhere(t *Tree, n, o slot.Name) *Tree {
	names := func(ns []slot.Name) (out []slot.Name) {
		for _, m := range ns {
			if m == n {
				m = o
			}
			out = append(out, m)
		}
		return out
	}
	u := &Tree{Op: t.Op, Own: names(t.Own), Binders: names(t.Binders)}
	for _, k := range t.Kids {
		u.Kids = append(u.Kids, everywhere(k, n, o))
	}
	return u
}

// clone is a proof that shares nothing that is changed.
func clone(p *proof.Proof) *proof.Proof {
	steps := make(map[*proof.Step]*proof.Step)
	out := &proof.Proof{Equations: slices.Clone(p.Equations)}
	for i := range out.Equations {
		e := &out.Equations[i]
		e.Links = slices.Clone(e.Links)
		for j := range e.Links {
			l := &e.Links[j]
			l.Kids = slices.Clone(l.Kids)
			if l.Step == nil {
				continue
			}
			if steps[l.Step] == nil {
				s := *l.Step
				s.Vars, s.Bound, s.Ops = slices.Clone(s.Vars), slices.Clone(s.Bound), slices.Clone(s.Ops)
				steps[l.Step] = &s
			}
			l.Step = steps[l.Step]
		}
	}
	return out
}

// trial checks mutants with both checkers.
type trial struct {
	t                  *testing.T
	l                  *bindingLang
	wrong, right, over int
}

func (x *trial) try(what string, p *proof.Proof, a, b *Tree) {
	x.t.Helper()
	right := a != nil && b != nil && naive(p, x.l.sig, x.l.ops["var"], a, b)
	switch err := p.Check(x.l.sig, a, b, nil); {
	case err == nil && !right:
		x.t.Errorf("%s: a wrong proof was accepted", what)
	case err == nil:
		x.right++
	case right:
		x.over++ // as a step that is called otherwise
	default:
		x.wrong++
	}
}

// alone is a step as a proof of its own.
func alone(s proof.Step) *proof.Proof {
	return clone(&proof.Proof{Equations: []proof.Equation{{From: s.From, Links: []proof.Link{{To: s.To, Step: &s}}}}})
}

// step changes one step in every way, and in pairs of ways. A proof of it says what the
// changed step says.
func (x *trial) step(s proof.Step, m *mutator, r *rand.Rand) {
	try := func(what string, how func(s *proof.Step)) {
		p := alone(s)
		e := &p.Equations[0]
		how(e.Links[0].Step)
		e.From, e.Links[0].To = e.Links[0].Step.From, e.Links[0].Step.To
		x.try(what+" of "+s.Reason, p, e.From, e.Links[0].To)
	}
	var froms, tos []*Tree
	m.each(s.From, func(t *Tree) { froms = append(froms, t) })
	m.each(s.To, func(t *Tree) { tos = append(tos, t) })
	for _, t := range froms {
		try("another From", func(s *proof.Step) { s.From = t })
	}
	for _, t := range tos {
		try("another To", func(s *proof.Step) { s.To = t })
	}
	for range 200 {
		from, to := froms[r.Intn(len(froms))], tos[r.Intn(len(tos))]
		try("other sides", func(s *proof.Step) { s.From, s.To = from, to })
		p := alone(s)
		p.Equations[0].From, p.Equations[0].Links[0].To = from, to
		x.try("other ends of the link", p, from, to)
	}
	for k, v := range s.Vars {
		var vars []*Tree
		m.each(v, func(t *Tree) { vars = append(vars, t) })
		for _, t := range vars {
			try("other Vars", func(s *proof.Step) { s.Vars[k] = t })
		}
		for range 50 {
			v, from, to := vars[r.Intn(len(vars))], froms[r.Intn(len(froms))], tos[r.Intn(len(tos))]
			try("other Vars and From", func(s *proof.Step) { s.Vars[k], s.From = v, from })
			try("other Vars and To", func(s *proof.Step) { s.Vars[k], s.To = v, to })
		}
	}
	for k := range s.Bound {
		for _, n := range m.names {
			try("other Bound", func(s *proof.Step) { s.Bound[k] = n })
		}
	}
	for k := range s.Ops {
		for o := range m.ops + 1 {
			try("other Ops", func(s *proof.Step) { s.Ops[k] = Op(o) })
		}
	}
	for _, n := range m.names {
		for _, o := range m.names {
			for bits := 1; bits < 16; bits++ {
				try("names made equal", func(s *proof.Step) {
					if bits&1 != 0 {
						s.From = everywhere(s.From, n, o)
					}
					if bits&2 != 0 {
						s.To = everywhere(s.To, n, o)
					}
					for k := range s.Vars {
						if bits&4 != 0 {
							s.Vars[k] = everywhere(s.Vars[k], n, o)
						}
					}
					for k := range s.Bound {
						if bits&8 != 0 && s.Bound[k] == n {
							s.Bound[k] = o
						}
					}
				})
			}
		}
	}
	try("no Vars", func(s *proof.Step) { s.Vars = nil })
	try("more Vars", func(s *proof.Step) { s.Vars = append(s.Vars, s.From) })
	try("Vars in another order", func(s *proof.Step) { slices.Reverse(s.Vars) })
	try("no Bound", func(s *proof.Step) { s.Bound = nil })
	try("Bound in another order", func(s *proof.Step) { slices.Reverse(s.Bound) })
	try("no Ops", func(s *proof.Step) { s.Ops = nil })
	try("more Ops", func(s *proof.Step) { s.Ops = append(s.Ops, 0) })
	try("a Shape", func(s *proof.Step) { s.Shape = []int{0} })
	try("a Left", func(s *proof.Step) { s.Left = s.From })
	try("exchanged sides", func(s *proof.Step) { s.From, s.To = s.To, s.From })
	try("no rule", func(s *proof.Step) { s.Rule = nil })
	try("a rule without sides", func(s *proof.Step) { s.Rule = &Rule{Name: s.Reason} })
	for _, r := range x.l.rules {
		try("another rule", func(s *proof.Step) { s.Rule, s.Reason = r, r.Name })
	}
	p := alone(s)
	p.Equations[0].Links[0].Reverse = true
	x.try("the other direction", p, s.From, s.To)
	p = alone(s)
	p.Equations[0].Links[0].Step = nil
	x.try("commutativity", p, s.From, s.To)
}

// chain changes the order and the ends of equations and links.
func (x *trial) chain(p *proof.Proof, a, b *Tree) {
	try := func(what string, how func(q *proof.Proof)) {
		q := clone(p)
		how(q)
		x.try(what, q, a, b)
	}
	for i, e := range p.Equations {
		try("an equation less", func(q *proof.Proof) { q.Equations = slices.Delete(q.Equations, i, i+1) })
		try("an equation twice", func(q *proof.Proof) { q.Equations = slices.Insert(q.Equations, i, q.Equations[i]) })
		try("no links", func(q *proof.Proof) { q.Equations[i].Links = nil })
		for j := range p.Equations {
			try("equations in another order", func(q *proof.Proof) {
				q.Equations[i], q.Equations[j] = q.Equations[j], q.Equations[i]
			})
			try("the beginning of another equation", func(q *proof.Proof) { q.Equations[i].From = q.Equations[j].From })
			try("the links of another equation", func(q *proof.Proof) { q.Equations[i].Links = q.Equations[j].Links })
		}
		for j, l := range e.Links {
			link := func(what string, how func(l *proof.Link)) {
				try(what, func(q *proof.Proof) { how(&q.Equations[i].Links[j]) })
			}
			try("a link less", func(q *proof.Proof) { q.Equations[i].Links = slices.Delete(q.Equations[i].Links, j, j+1) })
			try("a link twice", func(q *proof.Proof) { q.Equations[i].Links = slices.Insert(q.Equations[i].Links, j, l) })
			link("the other direction", func(l *proof.Link) { l.Reverse = !l.Reverse })
			link("no step", func(l *proof.Link) { l.Step = nil })
			link("no children", func(l *proof.Link) { l.Kids = nil })
			link("more children", func(l *proof.Link) { l.Kids = append(l.Kids, -1) })
			link("no end", func(l *proof.Link) { l.To = nil })
			for k := range l.Kids {
				for n := -2; n <= len(p.Equations); n++ {
					link("another equation of a child", func(l *proof.Link) { l.Kids[k] = n })
				}
			}
			for _, f := range p.Equations {
				for _, m := range f.Links {
					link("the end of another link", func(l *proof.Link) { l.To = m.To })
					link("the step of another link", func(l *proof.Link) { l.Step = m.Step })
					link("another link", func(l *proof.Link) { *l = m })
				}
			}
		}
	}
	x.try("exchanged ends", p, b, a)
	x.try("another beginning", p, b, b)
	x.try("another end", p, a, a)
	x.try("no beginning", p, nil, b)
	x.try("no end", p, a, nil)
	x.try("no equations", &proof.Proof{}, a, b)
}

// small is a term of an e-node, of which no part is deeper than depth.
func small(g *Graph, n Node, depth int) *Tree {
	if depth == 0 {
		return nil
	}
	t := &Tree{Op: n.Op, Own: n.Own, Binders: n.Binders}
	for _, k := range n.Kids {
		var kid *Tree
		g.Nodes(k, func(m Node) bool {
			kid = small(g, m, depth-1)
			return kid == nil
		})
		if kid == nil {
			return nil
		}
		t.Kids = append(t.Kids, kid)
	}
	return t
}

// TestCheckMutants changes right proofs in every place. What is accepted must be
// right by a checker that is slow and simple.
func TestCheckMutants(t *testing.T) {
	l := newBindingLang(t)
	x := &trial{t: t, l: l}
	r := rand.New(rand.NewSource(1))
	proofs := 0
	for _, text := range []string{
		"(app (lam x (app x (lam y x))) z)",
		"(lam z (app (lam x (lam y (app x y))) z))",
		"(both x y (app (id (id y)) x))",
		"(c (id (lam x x)) (let x (lam y y) (id a)))",
		"(let x x (lam y (app x y)))",
		"(id (id (lam x x)))",
		"(id (id a))",
	} {
		g := New(l.sig)
		history := proof.Write(g)
		start := l.tree(text)
		root, err := g.AddTree(start)
		if err != nil {
			t.Fatal(err)
		}
		g.Saturate(l.rules, Limits{Iterations: 4, Nodes: 400}, nil)
		var ends []*Tree
		g.Nodes(root, func(n Node) bool {
			if u := small(g, n, 6); u != nil {
				ends = append(ends, u)
			}
			return true
		})
		for k, end := range ends {
			if k%max(1, len(ends)/3) != 0 {
				continue
			}
			p := explain(t, history, start, end)
			if err := p.Check(l.sig, start, end, nil); err != nil || !naive(p, l.sig, l.ops["var"], start, end) {
				t.Fatalf("%s: a right proof is refused: %v", text, err)
			}
			proofs++
			x.chain(p, start, end)
			steps := p.Steps()
			for i, s := range steps {
				m := &mutator{ops: len(l.ops), names: []slot.Name{0, 1, 1 << 31}}
				used := make(map[slot.Name]bool)
				for _, u := range append([]*Tree{s.From, s.To}, s.Vars...) {
					u.Names(used)
				}
				for n := range used {
					m.names = append(m.names, n)
				}
				slices.Sort(m.names)
				m.others = []*Tree{start, s.From, s.To, steps[(i+1)%len(steps)].To}
				x.step(*s, m, r)
			}
		}
	}
	t.Logf("%d proofs: %d mutants refused, %d accepted that are right, %d refused that say the wrong variables", proofs, x.wrong, x.right, x.over)
	if x.wrong < 10_000 || x.right < 100 {
		t.Error("there are too few mutants")
	}
}

// opsOf are the operators of a pattern in prefix order.
func opsOf(p *Pattern) (out []Op) {
	if p.Kind == PApp {
		out = append(out, p.Op)
	}
	for _, k := range p.Kids {
		out = append(out, opsOf(k)...)
	}
	return out
}

// TestCheckRefuses has wrong steps that need more than one change of a right one.
func TestCheckRefuses(t *testing.T) {
	l := newBindingLang(t)
	for _, c := range []struct{ rule, from, to string }{
		{"(lam v ?b) => (lam v (id ?b))", "(lam x x)", "(lam y (id x))"},
		{"(lam v ?b) => (lam w (id ?b))", "(lam x x)", "(lam y (id x))"},
		{"(lam v ?b) => (lam v (id ?b))", "(lam x (lam z x))", "(lam y (id (lam y y)))"},
		{"(lam v ?b) => (lam w (id ?b))", "(lam x (lam z x))", "(lam y (id (lam y y)))"},
		{"(lam v (lam w ?b)) => (id (lam v (lam w ?b)))", "(lam x (lam x x))", "(id (lam x (lam y x)))"},
		{"(let v ?e ?b) => ?b", "(let x a (let x x a))", "(let x x a)"},
		{"(lam v ?b) => ?b", "(lam x x)", "x"},
		{"(app ?e (lam v ?b)) => (lam v (app ?e ?b))", "(app x (lam x x))", "(lam x (app x x))"},
		{"(both v w ?b) => (lam v (lam w ?b))", "(both x x x)", "(lam x (lam y x))"},
		{"(id ?a) => one", "(id a)", "two"},
		{"(lam v v) => a", "(lam x y)", "a"},
		{"(lam v (lam v ?b)) => (id (lam v ?b))", "(lam x (lam y x))", "(id (lam z z))"},
		{"(app ?v ?b) => (lam ?v ?b)", "(app x y)", "(lam y y)"},
		{"(app ?v ?b) => (lam ?v ?b)", "(app x (app x y))", "(lam z (app x y))"},
		{"(app ?v ?b) => (lam ?v ?b)", "(app x (lam y x))", "(lam y (lam y y))"},
		{"(app ?v ?b) => (lam ?v ?b)", "(app a x)", "(lam y x)"},
		{"(lam v (app v ?b)) => (lam w ?b)", "(lam x (app x x))", "(lam x x)"},
	} {
		r := l.rule(c.rule)
		from, to := l.tree(c.from), l.tree(c.to)
		names := []slot.Name{1, 2, 3, 4}
		vars := []*Tree{l.tree("x"), l.tree("y"), l.tree("(lam z x)"), l.tree("(lam y y)"), l.tree("(let x x a)"), l.tree("a")}
		for _, u := range vars {
			for _, v := range vars {
				for _, n := range names {
					for _, m := range names {
						s := proof.Step{Rule: r, Reason: r.Name, From: from, To: to, Vars: []*Tree{u, v}[:r.Lhs.Vars()], Bound: []slot.Name{n, m}, Ops: opsOf(r.Lhs.Pattern())}
						if alone(s).Check(l.sig, from, to, nil) == nil {
							t.Fatalf("%s = %s by %s was accepted", c.from, c.to, c.rule)
						}
					}
				}
			}
		}
	}
	// A term that has itself as a subterm.
	loop := l.tree("(id a)")
	loop.Kids[0] = loop
	if (&proof.Proof{}).Check(l.sig, loop, loop, nil) == nil {
		t.Error("a term without an end was accepted")
	}
}

// TestCheckAccepts has right steps in which names are the same that need not differ.
func TestCheckAccepts(t *testing.T) {
	l := newBindingLang(t)
	for _, c := range []struct{ rule, from, to, b string }{
		{"(lam v ?b) => (lam v (id ?b))", "(lam x x)", "(lam y (id y))", "x"},
		{"(lam v ?b) => (lam v (id ?b))", "(lam x (lam x x))", "(lam z (id (lam z z)))", "(lam y y)"},
		{"(let v ?e ?b) => (let v ?e (id ?b))", "(let z x (lam z z))", "(let x x (id (lam x x)))", "(lam z z)"},
		{"(lam v (let w ?e ?b)) => (lam v ?e)", "(lam x (let x x x))", "(lam y y)", "y"},
		{"(app ?v ?b) => (lam ?v ?b)", "(app x (app x y))", "(lam z (app z y))", "(app x y)"},
		{"(app ?v ?b) => (lam ?v ?b)", "(app x (lam y (app x y)))", "(lam y (lam z (app y z)))", "(lam y (app x y))"},
	} {
		r := l.rule(c.rule)
		s := proof.Step{Rule: r, Reason: r.Name, From: l.tree(c.from), To: l.tree(c.to), Bound: []slot.Name{1, 2}, Ops: opsOf(r.Lhs.Pattern())}
		s.Vars = []*Tree{l.tree(c.b)}
		if r.Lhs.Vars() == 2 {
			s.Vars = []*Tree{l.tree("x"), l.tree(c.b)}
			if r.Lhs.Bound() < 2 {
				s.Bound = []slot.Name{3}
			}
		}
		if err := alone(s).Check(l.sig, s.From, s.To, nil); err != nil {
			t.Errorf("%s = %s by %s: %v", c.from, c.to, c.rule, err)
		}
	}
}

// TestTemplateOperator: a right side names an operator, and need not name its head.
func TestTemplateOperator(t *testing.T) {
	l := newBindingLang(t)
	r := l.rule("(id ?a) => one")
	var err error
	if r.Rhs, err = CompileTemplate(l.sig, &Pattern{Kind: PApp, Op: l.ops["two"]}); err != nil {
		t.Fatal(err)
	}
	g := New(l.sig)
	history := proof.Write(g)
	from, to := l.tree("(id a)"), l.tree("two")
	if _, err := g.AddTree(from); err != nil {
		t.Fatal(err)
	}
	g.Saturate([]*Rule{r}, Limits{Iterations: 2}, nil)
	p := explain(t, history, from, to)
	if err := p.Check(l.sig, from, to, nil); err != nil {
		t.Error(err)
	}
}

// TestRename: names that are bound stay, and capture none that comes in.
func TestRename(t *testing.T) {
	l := newBindingLang(t)
	x, y := slot.Name(1), slot.Name(2)
	for _, c := range []struct{ term, want string }{
		{"x", "y"},
		{"(lam x x)", "(lam x x)"},
		{"(let x x x)", "(let x y x)"},
		{"(lam y (app x y))", "(lam z (app y z))"},
		{"(lam y (lam x (app x y)))", "(lam y (lam x (app x y)))"},
		{"(both y z (app x (app y z)))", "(both z x (app y (app z x)))"},
		{"(let y (app x y) (lam z (app x y)))", "(let z (app y y) (lam x (app y z)))"},
	} {
		got := l.tree(c.term).Rename(l.sig, map[slot.Name]slot.Name{x: y})
		if deBruijn(l.sig, got, nil) != deBruijn(l.sig, l.tree(c.want), nil) {
			t.Errorf("%s with y for x is not %s", c.term, c.want)
		}
	}
}
