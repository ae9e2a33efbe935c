package loops

import (
	"slices"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// Residuals say what loops keep for other loops.
type Residuals struct {
	// Keeps reports whether a function of reals takes so long that its values are rather
	// kept than computed again. If it is nil, no values are kept but elements of states.
	Keeps func(ops.Sym) bool
	// Takes is how long an operator takes for so many elements in a step of a loop, which waits
	// for the step before, and Moves how long it takes to store and load so many. States of loops
	// in steps are kept if they take longer; if Takes is nil, they are not.
	Takes func(op ops.Sym, elements int64) float64
	Moves func(elements int64) float64
	// Reduced is of how many elements reductions are kept, at least.
	Reduced int64
	// Bytes are how many are kept, at most.
	Bytes int64
	// Scalars says that all arrays are built of scalars.
	Scalars bool
}

// WithResiduals makes the program with loops that keep what the steps of later loops compute
// again. A gradient's loop on the way back reads in step i the states of the loop before,
// as s[n - 1 - i], and computes of them what the step that had that state has computed. That
// step keeps it then, as one more array of its state, which no step reads:
//
//	states n s (\i s -> f (tanh s))       keeps tanh s,
//	states n z (\i z -> z * tanh s[n-1-i])    reads it.
//
// So are the states of a loop in the step. Of states of which only small parts are read, as
// s[n-1-i, w[i]], these are kept.
// A value that is made of what is kept by a few operations only, and is all that is needed of
// it, is kept in its place. Every float64 stays as it is.
func WithResiduals(p *term.Program, r Residuals) (*term.Program, error) {
	if err := p.Made(); err != nil {
		return nil, err
	}
	q := *p
	return &q, overflow.Guard(func() error {
		withResiduals(&q, r, nil)
		return nil
	})
}

// withResiduals has loops keep what later ones compute again: those made of one of some
// variables, or all if there are none.
func withResiduals(p *term.Program, r Residuals, of map[slot.Name]term.Term) {
	if !p.HasLoops() {
		return
	}
	if r.Takes != nil {
		inSteps(p, r, of)
	}
	done := make(map[uint32]bool)
	for again := true; again; {
		again = false
		for _, loop := range loopsIn(p.Store, p.Root, nil) {
			if done[loop.ID] || !madeOf(p.Store, loop, of) {
				continue
			}
			done[loop.ID] = true
			if residuals(p, &r, loop) {
				again = true
				break
			}
		}
	}
}

// residuals has the loops whose states a loop reads keep what it computes again, and
// reports whether there is anything.
func residuals(p *term.Program, r *Residuals, loop term.Term) bool {
	s := p.Store
	v := s.Open(loop)
	closed, open := closing(s, v.Kids[2])
	body := s.Subst(v.Kids[2], closed)
	like := newLikeness(s, true)
	var found *keeping
	readsOfLoops(s, body, open, func(of, e term.Term) {
		if found != nil {
			return
		}
		n, _ := s.Op(of).Sizes[0].Const()
		k := &keeping{s: s, r: r, like: like, from: of, at: e, steps: n, foreign: map[uint32]bool{of.ID: true}, works: make(map[uint32]bool), slow: make(map[uint32]bool)}
		moves, inside := false, false
		for _, b := range v.Binders {
			if c, ok := closed[b]; ok {
				k.foreign[c.ID] = true
				moves, inside = moves || reaches(s, e, c), inside || reaches(s, of, c)
			}
		}
		k.foreign[e.ID] = false
		if moves && !inside && k.find(p, loop, v, closed[v.Binders[0]], body) {
			found = k
		}
	})
	if found == nil {
		return false
	}
	r.Bytes -= found.bytes
	keep(p, found, loop, v, body, open)
	return true
}

// keep puts loops that keep and read in the place of those that do not.
func keep(p *term.Program, k *keeping, loop term.Term, v term.View, body term.Term, open map[string]term.Term) {
	s := p.Store
	kept, old := k.loop()
	row := func(i int) term.Term { return s.Index(s.Proj(old+i, kept), s.Apply(ops.SymAdd, k.at, s.LitInt(1))) }
	var begin, next []term.Term
	for _, u := range k.undone {
		rows := slice.Make(len(u.spots), func(i int) term.Term { return row(u.kept + i) })
		u.now = u.back(s, rows)
		begin = append(begin, built(s, s.Index(s.Proj(u.array, kept), s.LitInt(k.steps))))
		next = append(next, u.now)
	}
	body, _ = s.Rewrite(body, func(at term.Term, v term.View) (term.Term, bool) {
		for i, t := range k.kept {
			if rest, ok := k.beyond(t, at, v); ok {
				return s.Index(s.Proj(old+i, kept), append([]term.Term{s.Apply(ops.SymAdd, k.at, s.LitInt(1))}, rest...)...), true
			}
		}
		for _, u := range k.undone {
			now, after := k.reads(at.ID)
			switch {
			case !now && !after || s.Kids(at)[0].ID != u.all.ID:
			case now:
				return u.read(s, k.at, v.Kids[2:]), true
			default:
				return part(s, u.next, v.Kids[2:]), true
			}
		}
		return term.Term{}, false
	})
	for i := range next {
		next[i] = s.SubstVars(next[i], open)
	}
	v.Kids[2] = s.SubstVars(body, open)
	reads := s.Remade(v)
	if len(next) > 0 {
		reads = wider(s, v, begin, next, func(step term.Term, more []term.Term) term.Term {
			env := make(map[string]term.Term)
			for i, u := range k.undone {
				env[s.Op(u.next).Name] = more[i]
			}
			return s.SubstVars(step, env)
		})
	}
	replaceLoop(p, loop, reads, len(s.StateOf(v.Op.Type).Types))
	replaceLoop(p, k.from, kept, old)
}

// replaceLoop has all states of a loop in the place of those of another one, whose state is the
// first n arrays of its own.
func replaceLoop(p *term.Program, loop, by term.Term, n int) {
	s := p.Store
	root, became := s.Rewrite(p.Root, func(at term.Term, _ term.View) (term.Term, bool) {
		switch {
		case s.Op(at).Sym == ops.SymProj && s.Kids(at)[0].ID == loop.ID:
			return s.Proj(s.Op(at).N, by), true
		case at.ID != loop.ID:
			return term.Term{}, false
		case s.Type(at).Equal(s.Type(by)):
			return by, true
		case s.Type(at).Kind != types.KTuple:
			return s.Proj(0, by), true
		}
		return s.Apply(ops.SymTuple, slice.Make(n, func(i int) term.Term { return s.Proj(i, by) })...), true
	})
	p.Root, p.Names = root, term.MoveHints(p.Names, became)
}

// keeping is what a loop keeps for the steps of another one.
type keeping struct {
	s     *term.Store
	r     *Residuals
	like  *likeness
	from  term.Term // the loop
	at    term.Term // the index at which the other one reads its states
	steps int64     // of the loop

	body       term.View
	i, state   term.Term                 // the variables of its step
	has, twins map[int]bool              // what its step computes, and the operands of functions that have twins
	foreign    map[uint32]bool           // whether its step cannot know a node of the other one
	known      func(term.Term) term.Term // else, the term as its step knows it
	made       func(term.Term) term.Term // a term of the other loop with what it reads of the next state as that is made
	plain      func(term.Term) term.Term // a term in the form in which terms are compared
	next       int                       // the number of the index of the next state
	works      map[uint32]bool           // whether a node takes long, or anything in it
	slow       map[uint32]bool           // whether a loop takes longer than to store and load its states

	kept   []term.Term // in the step of the other loop
	undone []*undoing
	bytes  int64
}

// find finds what is worth to be kept.
func (k *keeping) find(p *term.Program, loop term.Term, back term.View, step, body term.Term) bool {
	s := k.s
	k.body = s.Open(k.from)
	k.i = s.Ivar(k.body.Binders[0], k.body.Op.Sizes[0])
	k.state = s.Variable(k.body.Binders[1], ops.VarType{Type: k.body.Op.Type})
	next := stepAt(s, k.from, k.at)
	k.next = k.like.of(s.Apply(ops.SymAdd, k.at, s.LitInt(1)))
	// part is what is read of a state that is t.
	part := func(at term.Term, v term.View, t term.Term) term.Term {
		if of := s.Open(at).Kids[0]; of.ID != k.from.ID {
			t = s.Proj(s.Op(of).N, t)
		}
		return part(s, t, v.Kids[2:])
	}
	k.known, _ = s.Rewriter(func(at term.Term, v term.View) (term.Term, bool) {
		switch now, after := k.reads(at.ID); {
		case at.ID == k.at.ID:
			return k.i, true
		case now:
			return part(at, v, k.state), true
		case after:
			return part(at, v, k.body.Kids[2]), true
		}
		return term.Term{}, false
	})
	k.made, _ = s.Rewriter(func(at term.Term, v term.View) (term.Term, bool) {
		if _, after := k.reads(at.ID); after {
			return part(at, v, next), true
		}
		return term.Term{}, false
	})
	narrow := narrower(s)
	k.plain, _ = s.Rewriter(func(at term.Term, v term.View) (term.Term, bool) {
		if t, ok := indexOfIndex(s, v); ok {
			return t, true
		}
		return narrow(v)
	})
	k.has, k.twins = make(map[int]bool), make(map[int]bool)
	s.Walk(next, func(t term.Term) {
		if len(t.Args) > 0 {
			return
		}
		k.has[k.number(t)] = true
		if of, ok := k.twin(t); ok {
			k.twins[k.number(of)] = true
		}
	})
	for k.choose(body); k.runsAgain(body); {
		k.choose(body)
	}
	rows, all := k.rows(p, loop, body)
	k.kept = append(k.kept, rows...)
	for _, t := range all {
		if !k.r.Scalars {
			break
		}
		if u, kept := k.undo(t, back, step); u != nil {
			u.kept = len(k.kept)
			k.kept, k.undone = append(k.kept, kept...), append(k.undone, u)
		}
	}
	return len(k.kept) > 0
}

// choose chooses what is kept of what takes long.
func (k *keeping) choose(body term.Term) {
	s := k.s
	clear(k.works)
	// What is kept for one term only is kept as that, if it takes no more memory.
	whole := make(map[uint32]bool)
	for again := true; again; {
		again = false
		parents := make(map[uint32]map[uint32]bool)
		k.kept = k.frontier(body, whole, parents)
		for _, t := range k.kept {
			if len(parents[t.ID]) != 1 {
				continue
			}
			for id := range parents[t.ID] {
				up := term.Term{ID: id}
				if len(s.Vars(up)) == 0 && k.free(up) && elementsOf(s, up) <= elementsOf(s, t) {
					whole[id], again = true, true
				}
			}
		}
	}
	k.bytes = 0
	fits := k.kept[:0]
	for _, t := range k.kept {
		if n := 8 * elementsOf(s, t) * (k.steps + 1); n > 0 && k.bytes+n <= k.r.Bytes {
			k.bytes += n
			fits = append(fits, t)
		}
	}
	k.kept = fits
}

// rows are what the other loop reads of states, beside what is kept, where that is a small
// part of them and nothing else is read but the last state: the others need not be kept then.
// All are the arrays of states of which it reads more.
func (k *keeping) rows(p *term.Program, loop, body term.Term) (out, all []term.Term) {
	s := k.s
	var found []uint32                   // the arrays of all states, in order
	rows := make(map[uint32][]term.Term) // what is read of them
	whole := make(map[uint32]bool)       // and if more is,
	others := make(map[uint32]bool)      // or in another way
	seen := make(map[uint32]bool)
	var visit func(id uint32, inside bool)
	visit = func(id uint32, inside bool) {
		if seen[id] || id == k.from.ID || slices.ContainsFunc(k.kept, func(t term.Term) bool { return t.ID == id }) {
			return
		}
		seen[id] = true
		t := term.Term{ID: id}
		kids := s.Kids(t)
		if id == loop.ID {
			kids = kids[:2]
		}
		for i, c := range kids {
			switch {
			case loopOf(s, c.ID) != k.from.ID:
				visit(c.ID, inside)
			case s.Op(t).Sym == ops.SymProj || i == 0 && lastState(s, t):
			default:
				found = slice.With(found, c.ID)
				now, after := k.reads(id)
				if row, ok := k.row(t); !inside || i > 0 || !now && !after {
					others[c.ID] = true
				} else if !ok {
					whole[c.ID] = true
				} else if !slices.ContainsFunc(rows[c.ID], row.Equal) {
					rows[c.ID] = append(rows[c.ID], row)
				}
			}
		}
	}
	visit(body.ID, true)
	clear(seen)
	visit(p.Root.ID, false)
	for _, id := range found {
		n := slice.Sum(rows[id], func(t term.Term) int64 { return elementsOf(s, t) })
		switch {
		case others[id] || others[k.from.ID]:
		case !whole[id] && n*rowShare <= elementsOf(s, s.Index(term.Term{ID: id}, k.at)):
			out = append(out, rows[id]...)
		default:
			all = append(all, term.Term{ID: id})
		}
	}
	return out, all
}

// rowShare is of how much more than what is read of them states are not kept.
const rowShare = 4

// row is a part of a state that is read by indices that its step knows, at least one, of some axes: those of other
// axes, by which it is read too, may be any.
func (k *keeping) row(at term.Term) (row term.Term, ok bool) {
	now, after := k.reads(at.ID)
	if !now && !after {
		return term.Term{}, false
	}
	s, kids := k.s, k.s.Kids(at)
	all, knows := term.Term{ID: kids[0].ID}, func(i int) bool { return len(kids[i].Args) == 0 && (i == 1 || !k.isForeign(kids[i].ID)) }
	n := len(kids)
	for n > 1 && !knows(n-1) {
		n--
	}
	var with func(is []term.Term) term.Term
	with = func(is []term.Term) term.Term {
		switch i := len(is) + 1; {
		case i == n:
			return s.Index(all, is...)
		case knows(i):
			return with(append(is, term.Term{ID: kids[i].ID}))
		default:
			return s.Build(s.Type(all).Shape[i-1], func(x term.Term) term.Term { return with(append(is[:len(is):len(is)], x)) })
		}
	}
	return with(nil), n > 2
}

// beyond are the indices by which a term reads what is kept, if it does.
func (k *keeping) beyond(kept, at term.Term, v term.View) (rest []term.Term, ok bool) {
	s := k.s
	if kept.ID == at.ID {
		return nil, len(at.Args) == 0
	}
	var any []term.Term // of the axes of which all is kept
	of := s.Open(kept)
	for of.Op.Sym == ops.SymBuild {
		any = append(any, s.Ivar(of.Binders[0], of.Op.Sizes[0]))
		of = s.Open(of.Kids[0])
	}
	has := s.Kids(at)
	if s.Op(at).Sym != ops.SymIndex || of.Op.Sym != ops.SymIndex || len(has) < len(of.Kids) {
		return nil, false
	}
	for i, c := range of.Kids {
		switch {
		case len(any) > 0 && c.Equal(any[0]):
			any, rest = any[1:], append(rest, v.Kids[i])
		case len(c.Args) > 0 || c.ID != has[i].ID || len(has[i].Args) > 0:
			return nil, false
		}
	}
	return append(rest, v.Kids[len(of.Kids):]...), len(any) == 0
}

// frontier is what is needed of what the step of the loop computes, and takes long, in the
// order in which it is found; by what it is needed, too.
func (k *keeping) frontier(body term.Term, whole map[uint32]bool, parents map[uint32]map[uint32]bool) (out []term.Term) {
	s, inSegments := k.s, segmentsIn(k.s, body)
	memo.Once(func(id uint32, visit func(uint32)) {
		if id == k.from.ID {
			return
		}
		t := term.Term{ID: id}
		if len(s.Vars(t)) == 0 && (whole[id] || k.long(id)) && k.free(t) && k.varies(t) && !inSegments(t) {
			out = append(out, t)
			return
		}
		for _, c := range s.Kids(t) {
			if parents[c.ID] == nil {
				parents[c.ID] = make(map[uint32]bool)
			}
			parents[c.ID][id] = true
			visit(c.ID)
		}
	})(body.ID)
	return out
}

// long reports whether a node takes long by itself.
func (k *keeping) long(id uint32) bool {
	s, t := k.s, term.Term{ID: id}
	o := s.Signature().Operator(s.Op(t).Sym)
	if k.r.Keeps == nil || s.Type(t).Kind != types.KArray || s.Type(t).Elem != types.R {
		return false
	}
	if loop, ok := statesOf(s, t); ok {
		return k.isSlow(loop)
	}
	if o.Whole {
		return true
	}
	if o.Reduction {
		return addends(s, t) >= k.r.Reduced
	}
	return o.Elementwise && k.r.Keeps(o.Sym)
}

// addends is how many elements a reduction takes for each of its own, those of reductions in it
// too; 0 if that is not known.
func addends(s *term.Store, t term.Term) int64 {
	n := int64(1)
	for {
		o := s.Signature().Operator(s.Op(t).Sym)
		if !o.Reduction && o.Sym != ops.SymTr || o.Whole {
			return n
		}
		t = term.Term{ID: s.Kids(t)[0].ID}
		if o.Reduction {
			m, ok := s.Type(t).Shape[0].Const()
			if !ok {
				return 0
			}
			n *= m
		}
	}
}

// longInside reports whether there is anything in a term that takes long.
func (k *keeping) longInside(id uint32) bool {
	return memo.Of(k.works, id, func() bool {
		yes := k.long(id)
		if id != k.from.ID {
			for _, c := range k.s.Kids(term.Term{ID: id}) {
				yes = k.longInside(c.ID) || yes
			}
		}
		return yes
	})
}

// free reports whether the step can make a term of the other loop without more work that
// takes long: it knows all that the term is made of, and computes what takes long in it, or
// a twin of that.
func (k *keeping) free(t term.Term) bool {
	s := k.s
	if s.Type(t).Kind != types.KArray || s.Type(t).Elem != types.R || k.isForeign(t.ID) {
		return false
	}
	if k.has[k.number(k.made(t))] || !k.longInside(t.ID) || k.beside(t) {
		return true
	}
	if of, ok := k.twin(t); ok && k.twins[k.number(k.made(of))] {
		return true
	}
	if k.long(t.ID) || s.Binders(t) > 0 {
		return false
	}
	return !slices.ContainsFunc(s.Kids(t), func(c slot.Kid) bool { return k.longInside(c.ID) && !k.free(term.Term{ID: c.ID}) })
}

// varies reports whether a term that the step knows is not the same in all steps.
func (k *keeping) varies(t term.Term) bool {
	t = k.known(t)
	return t.Has(k.body.Binders[0]) || t.Has(k.body.Binders[1])
}

// reads reports whether a node reads the state of the loop that the other one reads, or the
// one after it.
func (k *keeping) reads(id uint32) (now, after bool) {
	s := k.s
	if s.Op(term.Term{ID: id}).Sym != ops.SymIndex {
		return false, false
	}
	kids := s.Kids(term.Term{ID: id})
	if len(kids) < 2 || loopOf(s, kids[0].ID) != k.from.ID || len(kids[1].Args) > 0 {
		return false, false
	}
	return kids[1].ID == k.at.ID, k.like.of(term.Term{ID: kids[1].ID}) == k.next
}

// isForeign reports whether the step cannot know a node: it is made of variables of the
// other loop, or of what comes after its own.
func (k *keeping) isForeign(id uint32) bool {
	return memo.Of(k.foreign, id, func() bool {
		kids := k.s.Kids(term.Term{ID: id})
		if now, after := k.reads(id); now || after {
			kids = kids[2:]
		}
		return slices.ContainsFunc(kids, func(c slot.Kid) bool { return k.isForeign(c.ID) })
	})
}

// twin is of what number, or of whose negative, t is a function that shares most of its work
// with others.
func (k *keeping) twin(t term.Term) (of term.Term, ok bool) {
	if !k.s.Signature().Operator(k.s.Op(t).Sym).Twins {
		return t, false
	}
	of = k.s.Open(t).Kids[0]
	if k.s.Op(of).Sym == ops.SymNeg {
		of = k.s.Open(of).Kids[0]
	}
	return of, true
}

// loop is the loop that keeps, and the number of arrays that its state had.
func (k *keeping) loop() (loop term.Term, old int) {
	s := k.s
	var first, next []term.Term
	for _, t := range k.kept {
		zeros, is := s.Zeros(s.Type(t)), k.known(t)
		if k.r.Scalars {
			zeros, is = built(s, zeros), built(s, is)
		}
		first, next = append(first, zeros), append(next, is)
	}
	return wider(s, k.body, first, next, func(step term.Term, _ []term.Term) term.Term { return k.unified(step) }), len(s.StateOf(k.body.Op.Type).Types)
}

// wider is a loop whose state has more arrays. What they are first and next follows, and what
// becomes of the step, that is given what they are in a state.
func wider(s *term.Store, v term.View, begin, then []term.Term, step func(next term.Term, more []term.Term) term.Term) term.Term {
	ts := s.StateOf(v.Op.Type).Types
	var first, next []term.Term
	for c := range ts {
		first, next = append(first, s.Component(c, v.Kids[0])), append(next, s.Component(c, v.Kids[2]))
	}
	row := slices.Concat(ts, slice.Map(begin, s.Type))
	op := v.Op
	op.Type = types.TupleOf(row...)
	state := s.Fresh()
	parts := slice.Make(len(row), func(c int) term.Term { return s.Proj(c, s.Variable(state, ops.VarType{Type: op.Type})) })
	body := s.Arrays(s.Apply(ops.SymTuple, append(next, then...)...), v.Binders[1], parts[:len(ts)])
	return s.MustMake(op, v.Own, []slot.Name{v.Binders[0], state},
		[]term.Term{s.Apply(ops.SymTuple, append(first, begin...)...), v.Kids[1], step(body, parts[len(ts):])})
}

// built is an array as it is built of its elements.
func built(s *term.Store, t term.Term) term.Term {
	if shape := s.Type(t).Shape; len(shape) > 0 {
		return s.Build(shape[0], func(i term.Term) term.Term { return built(s, s.Index(t, i)) })
	}
	return t
}

// unified has one term for all in a step that are alike.
func (k *keeping) unified(t term.Term) term.Term {
	s := k.s
	closed, open := closing(s, t)
	one := make(map[int]term.Term)
	t, _ = s.Rewrite(k.oneLoop(s.Subst(t, closed)), func(at term.Term, v term.View) (term.Term, bool) {
		if len(at.Args) > 0 {
			return term.Term{}, false
		}
		n := k.like.of(at)
		if _, ok := one[n]; !ok {
			one[n] = s.MustMake(v.Op, v.Own, v.Binders, v.Kids)
		}
		return one[n], true
	})
	return s.SubstVars(t, open)
}

// number is the same of terms that are alike.
func (k *keeping) number(t term.Term) int { return k.like.of(k.plain(t)) }

// elementsOf is how many elements an array has, 0 if that is not known.
func elementsOf(s *term.Store, t term.Term) int64 {
	_, n, err := types.ShapeOf(s.Type(t), types.DefaultMaxElements)
	if err != nil {
		return 0
	}
	return int64(n)
}
