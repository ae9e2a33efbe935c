package ad

import (
	"cmp"
	"slices"
	"strings"

	"egad/internal/set"
	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// place is an index into an array, a term for each axis; nil stands for any index.
type place []*term.Term

// reading is where an element of a term reads an input.
type reading struct {
	places []place
	// bands are nil for an axis along which all places are the same.
	bands []*band
}

// band is an axis along which places are at the index of an axis of the term and
// numbers from lo to hi.
type band struct {
	row    slot.Name
	lo, hi int64
}

// width is how many indices next to each other have all places of an element.
func (b *band) width() int64 { return b.hi - b.lo + 1 }

// reads finds out which elements of inputs an element of a term depends on by a real
// path, as indices in terms of its own index: from the root down, an operator says
// where it reads its operands. What is not known is any element, so that there may
// be less than what is found, and never more.
type reads struct {
	s       *term.Store
	of      map[string][]place // by input
	seen    map[string]bool    // terms at places
	count   map[uint32]int     // places of a node
	unknown map[slot.Name]bool // variables that stand for any index
}

// maxPlaces is how many places of one term are told apart.
const maxPlaces = 32

// readsOf are the elements of inputs that the element of t at the index of its axes
// depends on.
func readsOf(s *term.Store, t term.Term, rows []axis) map[string]*reading {
	at := slice.Make(len(rows), func(i int) *term.Term { return &rows[i].at })
	r := &reads{s: s, of: make(map[string][]place), seen: make(map[string]bool), count: make(map[uint32]int), unknown: make(map[slot.Name]bool)}
	r.visit(t, at, nil)
	out := make(map[string]*reading)
	for name, places := range r.of {
		out[name] = r.reading(places)
	}
	return out
}

// reading is what places are together: any index along axes where they differ, if not
// by numbers.
func (r *reads) reading(places []place) *reading {
	for i, p := range places {
		places[i] = r.known(p)
	}
	out := &reading{bands: make([]*band, len(places[0]))}
	for i := range out.bands {
		along := slice.Map(places, func(p place) *term.Term { return p[i] })
		var ok bool
		if out.bands[i], ok = r.bandOf(along); !ok || len(places) > maxPlaces {
			out.bands[i] = nil
			for _, p := range places {
				p[i] = nil
			}
		}
	}
	slices.SortStableFunc(places, func(a, b place) int {
		for i, band := range out.bands {
			if band != nil {
				x, _ := affineOf(r.s, *a[i])
				y, _ := affineOf(r.s, *b[i])
				if c := cmp.Compare(x.c, y.c); c != 0 {
					return c
				}
			}
		}
		return 0
	})
	out.places = slices.CompactFunc(places, place.same)
	return out
}

// bandOf is the band of indices along an axis, nil if they are one; false if they
// differ, and not by numbers.
func (r *reads) bandOf(along []*term.Term) (*band, bool) {
	one, b := true, (*band)(nil)
	for _, x := range along {
		if x == nil {
			return nil, false
		}
		one = one && x.Equal(*along[0])
	}
	if one {
		return nil, true
	}
	for _, x := range along {
		a, ok := affineOf(r.s, *x)
		if !ok || len(a.by) != 1 {
			return nil, false
		}
		for n := range a.by {
			if !a.plain(n) || b != nil && b.row != n {
				return nil, false
			}
			if b == nil {
				b = &band{n, a.c, a.c}
			}
			b.lo, b.hi = min(b.lo, a.c), max(b.hi, a.c)
		}
	}
	return b, true
}

// same reports whether two places have the same form.
func (p place) same(q place) bool {
	return slices.EqualFunc(p, q, func(x, y *term.Term) bool {
		return (x == nil) == (y == nil) && (x == nil || x.Equal(*y))
	})
}

// same is an equation between indices: what is sent to an element is sent there by an
// index function that has its index as value.
type same struct{ from, to term.Term }

// known is a place without variables that stand for any index.
func (r *reads) known(p place) place {
	p = slices.Clone(p)
	for i, x := range p {
		if x != nil && slices.ContainsFunc(x.Args, func(n slot.Name) bool { return r.unknown[n] }) {
			p[i] = nil
		}
	}
	return p
}

func (r *reads) visit(t term.Term, at place, eqs []same) {
	typ := r.s.Type(t)
	if !typ.Differentiable() {
		return
	}
	var key strings.Builder
	key.WriteString(term.TermKey(t))
	for _, x := range at {
		key.WriteByte(';')
		if x != nil {
			key.WriteString(term.TermKey(*x))
		}
	}
	for _, e := range eqs {
		key.WriteString("|" + term.TermKey(e.from) + "=" + term.TermKey(e.to))
	}
	if r.seen[key.String()] {
		return
	}
	r.seen[key.String()] = true
	if r.count[t.ID]++; r.count[t.ID] > maxPlaces {
		at, eqs = make(place, len(at)), nil
	}
	v := r.s.Open(t)
	d := r.s.Signature().Operator(v.Op.Sym)
	kid := func(i int, at place) { r.visit(v.Kids[i], at, eqs) }
	rank := func(i int) int { return r.s.Type(v.Kids[i]).Rank() }
	switch sym := v.Op.Sym; {
	case sym == ops.SymVar:
		r.read(v.Op.Name, at)
	case d.Elementwise:
		for i := range v.Kids {
			kid(i, at)
		}
	case sym == ops.SymTuple:
		for i := range v.Kids {
			kid(i, make(place, rank(i)))
		}
	case sym == ops.SymCond:
		kid(1, at)
		kid(2, at)
	case sym == ops.SymStack:
		for i := range v.Kids {
			kid(i, at[1:])
		}
	case sym == ops.SymReplicate:
		kid(0, at[1:])
	case sym == ops.SymTr:
		to := slices.Clone(at)
		for i, p := range v.Op.Perm {
			to[p] = at[i]
		}
		kid(0, to)
	case sym == ops.SymReshape:
		kid(0, reshaped(at, typ.Shape, r.s.Type(v.Kids[0]).Shape))
	case d.Reduction || sym == ops.SymLogsumexp:
		kid(0, append(place{nil}, at...))
	case d.Columnwise:
		for i := range v.Kids {
			kid(i, append(place{nil}, at[1:]...))
		}
	case sym == ops.SymIndex:
		kid(0, append(r.indices(v.Kids[1:], eqs), at...))
	case sym == ops.SymBuild:
		n := len(v.Op.Sizes)
		r.visit(r.bind(v, at[:n], v.Kids)[0], at[n:], eqs)
	case sym == ops.SymGather:
		n := len(v.Op.Sizes)
		kid(0, append(r.indices(r.bind(v, at[:n], v.Kids[1:]), eqs), at[n:]...))
	case sym == ops.SymScatter:
		n := len(v.Op.Targets)
		to, eqs := r.sent(v, at[:n], eqs)
		r.visit(v.Kids[0], append(to, at[n:]...), eqs)
	default:
		for i, k := range v.Kids {
			r.any(v.Binders)
			if t := r.s.Type(k); t.Kind == types.KArray || t.Kind == types.KTuple {
				kid(i, make(place, rank(i)))
			}
		}
	}
}

// read notes that an element of an input is read.
func (r *reads) read(name string, at place) {
	if !slices.ContainsFunc(r.of[name], at.same) {
		r.of[name] = append(r.of[name], slices.Clone(at))
	}
}

// any makes variables stand for any index.
func (r *reads) any(names []slot.Name) { set.Add(r.unknown, names...) }

// bind gives the binders of v, in terms, the indices at a place.
func (r *reads) bind(v term.View, at place, terms []term.Term) []term.Term {
	env := make(map[slot.Name]term.Term)
	for i, x := range at {
		if x == nil {
			r.any(v.Binders[i : i+1])
		} else {
			env[v.Binders[i]] = *x
		}
	}
	return slice.Map(terms, func(t term.Term) term.Term { return r.s.Subst(t, env) })
}

// indices are a place of indices, each in one form, by the equations that hold.
func (r *reads) indices(ts []term.Term, eqs []same) place {
	out := make(place, len(ts))
	for i, t := range ts {
		t = canonical(r.s, t)
		for _, e := range eqs {
			if term.TermKey(e.from) == term.TermKey(t) {
				t = e.to
			}
		}
		if len(eqs) > 0 || r.known(place{&t})[0] != nil {
			out[i] = &t
		}
	}
	return out
}

// sent is where scatter v takes the elements from that it sends to a place: that the
// index function has the place as value is all that is known.
func (r *reads) sent(v term.View, at place, eqs []same) (place, []same) {
	eqs = slices.Clone(eqs)
	from := make(place, len(v.Binders))
	for i, n := range v.Binders {
		x := r.s.Ivar(n, v.Op.Sizes[i])
		from[i] = &x
	}
	r.any(v.Binders)
	for a, f := range v.Kids[1:] {
		if at[a] == nil {
			continue
		}
		f = canonical(r.s, f)
		// An index that is a variable and a number tells the variable.
		for i, n := range v.Binders {
			if form, ok := affineOf(r.s, f); ok && form.plain(n) {
				x := canonical(r.s, r.s.Apply(ops.SymSub, *at[a], r.s.LitInt(form.c)))
				from[i] = &x
			}
		}
		eqs = append(eqs, same{f, *at[a]})
	}
	return from, eqs
}

// reshaped is a place in an array of shape from, for one in the same elements in
// shape to: the first and the last axes may be the same.
func reshaped(at place, to, from []size.Size) place {
	out := make(place, len(from))
	for i := 0; i < min(len(to), len(from)) && to[i].Equal(from[i]); i++ {
		out[i] = at[i]
	}
	for i, j := len(to)-1, len(from)-1; i >= 0 && j >= 0 && to[i].Equal(from[j]); i, j = i-1, j-1 {
		out[j] = at[i]
	}
	return out
}

// affine is a sum of index variables with factors, and a number.
type affine struct {
	by map[slot.Name]int64
	of map[slot.Name]term.Term
	c  int64
}

// plain reports whether a sum is a variable and a number.
func (a affine) plain(n slot.Name) bool { return len(a.by) == 1 && a.by[n] == 1 }

// affineOf is the sum that an index is, if it is one.
func affineOf(s *term.Store, t term.Term) (affine, bool) {
	a := affine{by: make(map[slot.Name]int64), of: make(map[slot.Name]term.Term)}
	return a, a.add(s, t, 1)
}

func (a *affine) add(s *term.Store, t term.Term, by int64) bool {
	v := s.Open(t)
	lit := func(t term.Term) (int64, bool) {
		op := s.Op(t)
		if op.Sym != ops.SymConst || op.Const.Data != nil || op.Const.Fill.Elem != types.I {
			return 0, false
		}
		return op.Const.Fill.Int, true
	}
	switch v.Op.Sym {
	case ops.SymIvar:
		n := v.Own[0]
		a.of[n] = t
		if a.by[n] += by; a.by[n] == 0 {
			delete(a.by, n)
		}
		return true
	case ops.SymAdd:
		return a.add(s, v.Kids[0], by) && a.add(s, v.Kids[1], by)
	case ops.SymSub:
		return a.add(s, v.Kids[0], by) && a.add(s, v.Kids[1], -by)
	case ops.SymNeg:
		return a.add(s, v.Kids[0], -by)
	case ops.SymMul:
		for i, k := range v.Kids {
			if n, ok := lit(k); ok {
				return a.add(s, v.Kids[1-i], by*n)
			}
		}
	case ops.SymConst:
		n, ok := lit(t)
		a.c += by * n
		return ok
	}
	return false
}

// canonical writes an index that is a sum in one way.
func canonical(s *term.Store, t term.Term) term.Term {
	a, ok := affineOf(s, t)
	if !ok {
		return t
	}
	var out *term.Term
	plus := func(x term.Term) {
		if out != nil {
			x = s.Apply(ops.SymAdd, *out, x)
		}
		out = &x
	}
	names := make([]slot.Name, 0, len(a.by))
	for n := range a.by {
		names = append(names, n)
	}
	slices.Sort(names)
	for _, n := range names {
		x := a.of[n]
		if a.by[n] != 1 {
			x = s.Apply(ops.SymMul, s.LitInt(a.by[n]), x)
		}
		plus(x)
	}
	if a.c != 0 || out == nil {
		plus(s.LitInt(a.c))
	}
	return *out
}
