package kernel

import (
	"slices"

	"egad/internal/slice"
	"egad/term"
)

// Only is a condition without which a run of a loop need not be done: an integer that is
// linear in indices of loops, and in integers that are known before, is less than 0. What the
// run would make is 0, which would be added, is there already, or is read by nobody.
type Only struct {
	Less *Value // Linear
	// Finite says that this is so where what is multiplied by 0 is finite, as in the rule
	// mul_zero.
	Finite bool
	// Strict says that in the other runs there may be anything in arrays that are read: see [Program.strictly].
	Strict bool
	// Sure says that no run is done in which it does not hold, so that none asks: see [sure].
	Sure bool
}

// limit is a condition on indices of loops, or on axes of an array, and on other integers: konst +
// the sum of coef[i] * args[i] is less than 0.
type limit struct {
	Form
	finite bool
}

// equal reports whether two limits are the same, but for what is finite.
func (a limit) equal(b limit) bool {
	if a.Const != b.Const || len(a.Args) != len(b.Args) {
		return false
	}
	for i, x := range a.Args {
		if j := slices.IndexFunc(b.Args, x.alike); j < 0 || a.Coef[i] != b.Coef[j] {
			return false
		}
	}
	return true
}

// alike reports whether two values are one, or the same element of an input of integers.
func (v *Value) alike(w *Value) bool {
	return v == w || v.data() && w.data() && v.Array == w.Array && slices.EqualFunc(v.At, w.At, func(x, y *Value) bool {
		f, g := FormOf(x), FormOf(y)
		return f.Const == g.Const && slices.Equal(f.Coef, g.Coef) && slices.EqualFunc(f.Args, g.Args, (*Value).alike)
	})
}

// data reports whether a value is an element of an input of integers, which all kernels may read.
func (v *Value) data() bool {
	return v.Kind == Load && v.Elem == term.I && v.Array.Role == Input && !v.Checked
}

// elsewhere is an element of an input where other indices are, or nil if one of them is not known, or there may be none.
func (v *Value) elsewhere(stands func(x *Value) *Value) *Value {
	out := *v
	out.At, out.Level, out.Serial = make([]*Value, len(v.At)), 0, 0
	for i, x := range v.At {
		f := FormOf(x)
		args := slice.Map(f.Args, func(x *Value) *Value {
			if x.Kind != Var {
				return nil
			}
			return stands(x)
		})
		y := stands(x)
		switch {
		case len(args) == 0:
			y = x
		case len(args) == 1 && f.Coef[0] == 1 && f.Const == 0:
			y = args[0]
		case !slices.Contains(args, nil):
			y = linearOf(f.Const, f.Coef, args)
			for _, a := range args {
				y.Level = max(y.Level, a.Level)
			}
		case y == x: // else a row in blocks
			y = nil
		}
		if y == nil {
			return nil
		}
		out.At[i] = y
		out.Level = max(out.Level, out.At[i].Level)
	}
	if !Fits(out.Access) {
		return nil
	}
	return &out
}

// limits are conditions that all have to hold; none says nothing.
type limits []limit

// and are conditions of which some have to hold as well as others.
func (a limits) and(b limits) limits {
	out := slices.Clone(a)
	for _, x := range b {
		if i := slices.IndexFunc(out, x.equal); i < 0 {
			out = append(out, x)
		} else if out[i].finite && !x.finite {
			out[i] = x
		}
	}
	return out
}

// or are the conditions that hold whichever of two lists does.
func (a limits) or(b limits) limits {
	var out limits
	for _, x := range a {
		if i := slices.IndexFunc(b, x.equal); i >= 0 {
			x.finite = x.finite || b[i].finite
			out = append(out, x)
		}
	}
	return out
}

// where are those conditions in which other values stand for arguments, and for the indices of inputs; what
// has none is left out.
func (a limits) where(stands func(x *Value) *Value) limits {
	var out limits
next:
	for _, l := range a {
		coef, args := make([]int64, 0, len(l.Args)), make([]*Value, 0, len(l.Args))
		for i, x := range l.Args {
			var y *Value
			if x.data() {
				y = x.elsewhere(stands)
			} else {
				y = stands(x)
			}
			if y == nil {
				continue next
			}
			coef, args = append(coef, l.Coef[i]), append(args, y)
		}
		out = append(out, less(l.Const, coef, args, l.finite)...)
	}
	return out
}

// less is the condition that konst + the sum of coef[i] * args[i] is less than 0, if there are
// indices in it, and eight times what is added has 32 bits: of one number that may be large, it
// is enough to know whether it is larger than all else, but that sums with it may overflow.
func less(konst int64, coef []int64, args []*Value, finite bool) limits {
	large := 0
	for i, x := range args {
		rest, more := FormOf(x).near()
		if large += len(more); large > 1 || large == 1 && len(more) == 1 && !(unit(coef[i]) && unit(more[0])) || !rest.atMost(MaxIndex) {
			return nil
		}
	}
	f := FormOf(NewBuilder(nil).linear(konst, coef, args))
	rest, _ := f.near()
	if !slices.ContainsFunc(rest.Args, func(x *Value) bool { return x.Kind == Var }) || !rest.atMost(MaxIndex/2) {
		return nil
	}
	return limits{{f, finite}}
}

func unit(coef int64) bool { return coef == 1 || coef == -1 }

// near is a form without what may be large, and what that is multiplied by.
func (f Form) near() (rest Form, large []int64) {
	rest.Const = f.Const
	for i, x := range f.Args {
		if x.Near() {
			rest.Coef, rest.Args = append(rest.Coef, f.Coef[i]), append(rest.Args, x)
		} else {
			large = append(large, f.Coef[i])
		}
	}
	return rest, large
}

// atMost reports whether a form is an integer from -most to most.
func (f Form) atMost(most int64) bool {
	r := linearRange(f.Const, f.Coef, f.Args)
	return -most <= r.Lo && r.Hi <= most
}

// leastLeft is one of how many runs at least a condition has to leave out, of what in a loop may be
// needed for some of its runs.
const leastLeft = 8

// some are the conditions that hold in a run of a loop, if in any: those of the run for which each is
// most likely to.
func (a limits) some(l *Loop) limits {
	var out limits
	for _, x := range a {
		if slices.ContainsFunc(x.Args, func(v *Value) bool { return v.Kind != Var && needed(v)[l.Var] }) {
			continue
		}
		i := slices.Index(x.Args, l.Var)
		if i < 0 {
			out = append(out, x)
			continue
		}
		coef, args := slices.Delete(slices.Clone(x.Coef), i, i+1), slices.Delete(slices.Clone(x.Args), i, i+1)
		konst := x.Const + min(0, x.Coef[i]*int64(l.N-1))
		if r := linearRange(konst, coef, args); r.Hi >= (r.Hi-r.Lo)/leastLeft {
			out = append(out, less(konst, coef, args, x.finite)...)
		}
	}
	return out
}

// holds are the conditions under which a truth value is one.
func (b *bounder) holds(v *Value, one bool) limits {
	if v.Kind == Load && one {
		return b.at(b.filled(v.Array), v.Access)
	}
	if v.Kind != Compute || len(v.Args) == 0 {
		return nil
	}
	x, y := v.Args[0], v.Args[len(v.Args)-1]
	lt := func(x, y *Value, or int64) limits { return less(-or, []int64{1, -1}, []*Value{x, y}, false) }
	if x, y, or, ok := (truth{v, one}).less(); ok {
		return lt(x, y, or)
	}
	switch {
	case v.Op == term.SymNot:
		return b.holds(x, !one)
	case v.Op == term.SymAnd && one, v.Op == term.SymOr && !one:
		return b.holds(x, one).and(b.holds(y, one))
	case v.Op == term.SymOr, v.Op == term.SymAnd:
		return b.holds(x, one).or(b.holds(y, one))
	case x.Elem != term.I:
		return nil
	case v.Op == term.SymEq && one:
		return lt(x, y, 1).and(lt(y, x, 1))
	}
	return nil
}

// less is the comparison of two integers that a truth value says: x is less than y, or, if or is 1, at
// most y.
func (t truth) less() (x, y *Value, or int64, ok bool) {
	v := t.of
	if v.Kind != Compute || v.Op != term.SymLt && v.Op != term.SymLe || v.Args[0].Elem != term.I {
		return nil, nil, 0, false
	}
	x, y = v.Args[0], v.Args[1]
	if v.Op == term.SymLe {
		or = 1
	}
	if !t.one {
		return y, x, 1 - or, true
	}
	return x, y, or, true
}

// bounder finds what need not be run: what adds 0, and what fills elements that nobody
// reads.
type bounder struct {
	stores map[*Array][]*Store
	folds  map[*Value]*Fold
	inside map[*Value]*Loop    // of the result of a fold
	axes   map[*Array][]*Value // which stand for the axes of an array
	zero   map[*Value]limits   // without which a value is 0
	zeros  map[*Array]limits
	busy   map[*Array]bool
	// needed are the conditions without which nobody needs a value, or an element.
	needed map[*Value]limits
	reads  map[*Array]limits
	whole  map[*Array]bool // is read, or filled, in another way
	// blocks are the indices of the loops of blocks in which all accesses to an array are: of its
	// elements there are those of one run at a time.
	blocks map[*Array]*Value
	// strict says that sums leave out what a factor 0 does: see [Program.strictly].
	strict bool
	// over are arrays that lie where others do, of which they have all elements that are not
	// stored.
	over map[*Array]*Array
}

func newBounder() *bounder {
	return &bounder{stores: make(map[*Array][]*Store), folds: make(map[*Value]*Fold), inside: make(map[*Value]*Loop),
		axes: make(map[*Array][]*Value), zero: make(map[*Value]limits), zeros: make(map[*Array]limits), busy: make(map[*Array]bool),
		needed: make(map[*Value]limits), reads: make(map[*Array]limits), whole: make(map[*Array]bool), blocks: make(map[*Array]*Value)}
}

// inBlocks notes in which loops of blocks arrays are accessed.
func (b *bounder) inBlocks(p *Program) {
	seen := make(map[*Array]bool)
	for _, k := range p.Kernels {
		for _, s := range k.Body {
			var in *Value
			if l, ok := s.(*Loop); ok && l.Order == Blocks {
				in = l.Var
			}
			Accesses([]Stmt{s}, func(a Access) {
				if !seen[a.Array] {
					seen[a.Array], b.blocks[a.Array] = true, in
				} else if b.blocks[a.Array] != in {
					b.blocks[a.Array] = nil
				}
			})
		}
	}
}

// bound notes at loops which of their runs need not be done, and is who needs what: over are the results that
// lie where other arrays do.
func (p *Program) bound(over map[*Array]*Array) *bounder {
	b := p.needs(over, false)
	p.note(b)
	p.strictly(b)
	return b
}

// note notes at loops the conditions that a bounder finds.
func (p *Program) note(b *bounder) {
	for _, k := range p.Kernels {
		k.Body = b.note(k.Body)
	}
}

// needs is who needs what in a program.
func (p *Program) needs(over map[*Array]*Array, strict bool) *bounder {
	b := p.bounder()
	b.over, b.strict = over, strict
	for _, k := range slices.Backward(p.Kernels) {
		b.body(k.Body)
	}
	return b
}

// bounder knows the arrays of a program, and what is stored there.
func (p *Program) bounder() *bounder {
	b := newBounder()
	for _, a := range p.Arrays {
		b.whole[a] = a.Role != Temp
		axes := NewBuilder(nil)
		for _, n := range a.Shape {
			b.axes[a] = append(b.axes[a], axes.Variable(n, 1))
		}
	}
	for _, a := range p.Result.Arrays() {
		b.reads[a] = limits{}
	}
	for _, k := range p.Kernels {
		if k.Steps != nil || k.Calls() {
			for _, a := range append(k.Reads(), k.Writes()...) {
				b.whole[a] = true
			}
		}
		Walk(k.Body, func(s Stmt) {
			switch s := s.(type) {
			case *Store:
				b.stores[s.Array] = append(b.stores[s.Array], s)
			case *Loop:
				for i, f := range s.Folds {
					b.folds[f.Result], b.inside[f.Result] = &s.Folds[i], s
				}
			}
		})
	}
	b.inBlocks(p)
	return b
}

// unbound forgets what is noted at loops.
func (p *Program) unbound() {
	for _, k := range p.Kernels {
		Walk(k.Body, func(s Stmt) {
			if l, ok := s.(*Loop); ok {
				l.Only = nil
			}
		})
	}
}

// boundSums notes at loops that add up which of their runs need not be done, as far as the
// statements alone tell: a sum that is done together with others has to do the runs of all.
// The notes are there until undo is called.
func boundSums(body []Stmt) (undo func()) {
	b := newBounder()
	var all []*Loop
	Walk(body, func(s Stmt) {
		if l, ok := s.(*Loop); ok && len(l.Only) == 0 && (l.Order == Folding || l.adds()) {
			for i, f := range l.Folds {
				b.folds[f.Result], b.inside[f.Result] = &l.Folds[i], l
			}
			all = append(all, l)
		}
	})
	for _, l := range all {
		l.Only = b.only(l).notes()
	}
	return func() {
		for _, l := range all {
			l.Only = nil
		}
	}
}

// adds reports whether all that a loop stores is added to what is there.
func (l *Loop) adds() bool {
	adds := false
	for _, s := range l.Body {
		switch s := s.(type) {
		case *Store:
			if adds = s.Add; !adds {
				return false
			}
		case *Loop:
			return false
		}
	}
	return adds && len(l.Folds) == 0
}

// notes are the conditions as they stand at a loop.
func (ls limits) notes() []Only {
	return slice.Map(ls, func(x limit) Only {
		return Only{Less: &Value{Kind: Linear, Elem: term.I, Const: term.ScalarI(x.Const), Coef: x.Coef, Args: x.Args}, Finite: x.finite}
	})
}

// note notes at loops what the conditions of their runs are. It gives the statements, in which data of
// conditions are loaded before the loops.
func (b *bounder) note(body []Stmt) []Stmt {
	out := b.noteIn(body, nil, nil)
	var loads []*Value
	last := 0
	Walk(out, func(s Stmt) {
		if let, ok := s.(*Let); ok && let.Value.Serial == 0 {
			loads = append(loads, let.Value)
		} else if ok {
			for v := range needed(let.Value) {
				last = max(last, v.Serial)
			}
		} else if l, ok := s.(*Loop); ok {
			last = max(last, l.Var.Serial)
		}
	})
	for _, v := range loads {
		for _, x := range append(slices.Clone(v.At), v) {
			if x.Serial == 0 {
				last++
				x.Serial = last
			}
		}
	}
	return out
}

// noteIn is note where before the statements are some values, and the loops around are run only under some
// conditions.
func (b *bounder) noteIn(body []Stmt, before []*Value, around limits) (out []Stmt) {
	before = before[:len(before):len(before)]
	for _, s := range body {
		if let, ok := s.(*Let); ok && let.Value.Elem == term.I {
			before = append(before, let.Value)
		}
		l, ok := s.(*Loop)
		if !ok {
			out = append(out, s)
			continue
		}
		in, own := append(before[:len(before):len(before)], l.Var), around
		for _, x := range b.only(l) {
			x = x.among(in)
			for _, v := range x.Args {
				if v.data() && !slices.Contains(in, v) && slices.Contains(x.Args, l.Var) && v.loadable(before) {
					out, before, in = append(out, &Let{v}), append(before, v), append(in, v)
				}
			}
			if slices.ContainsFunc(x.Args, func(v *Value) bool { return v.Kind != Var && !slices.Contains(in, v) }) {
				continue
			}
			if !slices.ContainsFunc(around, x.equal) {
				l.Only = append(l.Only, limits{x}.notes()...)
			}
			if !slices.ContainsFunc(x.Args, func(v *Value) bool { return !slices.Contains(in, v) }) {
				own = append(own[:len(own):len(own)], x)
			}
		}
		l.Body = b.noteIn(l.Body, in, own)
		out = append(out, s)
	}
	return out
}

// loadable reports whether the indices of an element are made of those of loops around.
func (v *Value) loadable(around []*Value) bool {
	for x := range needed(v.At...) {
		if x.Kind != Lit && x.Kind != Linear && !slices.Contains(around, x) {
			return false
		}
	}
	return true
}

// among is a condition with those values that are alike in the place of its own.
func (x limit) among(there []*Value) limit {
	x.Args = slice.Map(x.Args, func(v *Value) *Value {
		if i := slices.IndexFunc(there, v.alike); i >= 0 {
			return there[i]
		}
		return v
	})
	return x
}

// only are the conditions without which a run of a loop need not be done.
func (b *bounder) only(l *Loop) limits {
	var all limits
	first := true
	also := func(ls limits) {
		if first {
			all, first = ls, false
		} else {
			all = all.or(ls)
		}
	}
	Walk(l.Body, func(s Stmt) {
		if s, ok := s.(*Store); ok && s.Add { // a sum from +0 is never -0
			also(b.wanted(s).and(b.nonzero(s.Value)))
		} else if ok {
			also(b.wanted(s))
		}
	})
	for _, f := range l.Folds {
		if f.Op != term.SymSum {
			also(b.needed[f.Result].where(func(x *Value) *Value {
				if x == l.Var {
					return nil
				}
				return x
			}))
			continue
		}
		also(b.nonzero(f.Value).and(b.needed[f.Result]))
	}
	if l.Order.Whole() || l.Order == Carrying {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(all), func(x limit) bool {
		i := slices.Index(x.Args, l.Var)
		return i < 0 && l.Order != Folding || i >= 0 && !unit(x.Coef[i]) ||
			slices.ContainsFunc(x.Args, func(v *Value) bool { return v.Kind != Var && needed(v)[l.Var] }) // which is not known before
	})
}

// at are limits on the axes of an array as limits on the indices of an access to it.
func (b *bounder) at(ls limits, a Access) limits {
	return ls.where(func(x *Value) *Value {
		if i := slices.Index(b.axes[a.Array], x); i >= 0 {
			return a.At[i]
		}
		return x // of a loop of blocks
	})
}

// of are limits on the indices of an access as limits on the axes of its array.
func (b *bounder) of(ls limits, a Access) limits {
	axes := b.axes[a.Array]
	return ls.along(a.At, axes).where(func(x *Value) *Value {
		if i := slices.Index(a.At, x); i >= 0 {
			return axes[i]
		}
		if x == b.blocks[a.Array] || slices.Contains(axes, x) {
			return x
		}
		return nil
	})
}

// along are conditions in which axes stand for the sums that their indices are, as those of rows
// in blocks are.
func (a limits) along(at, axes []*Value) limits {
	out := slices.Clone(a)
	for i, x := range out {
		for k, v := range at {
			f := FormOf(v)
			if v.Kind != Linear || len(f.Args) == 0 {
				continue
			}
			if times, rest, ok := x.without(f); ok {
				x.Form = Form{rest.Const, append(rest.Coef, times), append(rest.Args, axes[k])}
			}
		}
		out[i] = x
	}
	return out
}

// without takes a multiple of g out of a form, so that nothing of its integers is left, and tells
// which one.
func (f Form) without(g Form) (times int64, rest Form, ok bool) {
	rest.Const = f.Const
	taken := 0
	for i, x := range f.Args {
		j := slices.Index(g.Args, x)
		switch {
		case j < 0:
			rest.Coef, rest.Args = append(rest.Coef, f.Coef[i]), append(rest.Args, x)
			continue
		case taken == 0:
			times = f.Coef[i] / g.Coef[j]
		}
		if taken++; times*g.Coef[j] != f.Coef[i] {
			return 0, f, false
		}
	}
	rest.Const -= times * g.Const
	return times, rest, taken == len(g.Args)
}

// nonzero are conditions without which a number is 0.
func (b *bounder) nonzero(v *Value) limits {
	ls, ok := b.zero[v]
	if ok {
		return ls
	}
	switch {
	case v.Kind == Load:
		ls = b.at(b.filled(v.Array), v.Access)
	case v.Kind == Folded:
		f, l := b.folds[v], b.inside[v]
		if f == nil || f.Op != term.SymSum {
			break
		}
		ls = b.nonzero(f.Value).some(l) // what it goes on from is 0 where it stores: see filled
	case v.Elem == term.B:
		ls = b.holds(v, true)
	case v.Kind != Compute:
	case v.Op == term.SymWhere:
		yes, no := v.Args[1], v.Args[2]
		switch {
		case no.isZero():
			ls = b.holds(v.Args[0], true).and(b.nonzero(yes))
		case yes.isZero():
			ls = b.holds(v.Args[0], false).and(b.nonzero(no))
		default:
			ls = b.nonzero(yes).or(b.nonzero(no))
		}
	case v.Op == term.SymNeg:
		ls = b.nonzero(v.Args[0])
	case v.Op == term.SymAdd || v.Op == term.SymSub:
		ls = b.nonzero(v.Args[0]).or(b.nonzero(v.Args[1]))
	case v.Op == term.SymMul:
		ls = slices.Clone(b.nonzero(v.Args[0]).and(b.nonzero(v.Args[1])))
		for i := range ls {
			ls[i].finite = true
		}
	}
	b.zero[v] = ls
	return ls
}

// filled are conditions on the axes of an array without which an element is 0.
func (b *bounder) filled(a *Array) limits {
	ls, ok := b.zeros[a]
	if ok || b.whole[a] || b.busy[a] || len(b.stores[a]) == 0 {
		return ls
	}
	b.busy[a] = true
	for i, s := range b.stores[a] {
		one := limits(nil)
		if f := b.folds[s.Value]; f == nil || f.From == nil || f.From.same(s.Access) {
			one = b.of(b.nonzero(s.Value), s.Access)
		}
		if i == 0 {
			ls = one
		} else {
			ls = ls.or(one)
		}
	}
	delete(b.busy, a)
	b.zeros[a] = ls
	return ls
}

// same reports whether v is the element of an access.
func (v *Value) same(a Access) bool {
	return v.Kind == Load && v.Array == a.Array && slices.Equal(v.At, a.At)
}

// read are conditions without which nobody reads what is stored.
func (b *bounder) read(s *Store) limits {
	if b.whole[s.Array] {
		return nil
	}
	return b.at(b.reads[s.Array], s.Access)
}

// wanted are conditions without which a store need not be done: nobody reads it, or it is there.
// Where it is done nevertheless, what is there has to be stored.
func (b *bounder) wanted(s *Store) limits {
	ls := b.read(s)
	if !b.whole[s.Array] && !s.Add {
		ls = ls.and(b.changed(s, b.over[s.Array]))
	}
	return ls
}

// changed are conditions without which a store stores what is there: an element of its array, or
// of one that lies in its place, if it is not nil.
func (b *bounder) changed(s *Store, in *Array) limits {
	ls, _ := b.changes(s.Value, s.Access)
	if in != nil {
		more, _ := b.changes(s.Value, Access{Array: in, At: s.At})
		ls = ls.and(more)
	}
	return ls
}

// changes are conditions without which a value is an element of an array; always says that it
// is that, whatever holds.
func (b *bounder) changes(v *Value, of Access) (ls limits, never bool) {
	c := &changes{bounder: b, of: of, done: make(map[*Value]change)}
	is := c.change(v)
	return is.limits, is.never
}

// changes are those of values that store an element.
type changes struct {
	*bounder
	of   Access
	done map[*Value]change
}

// change is what [bounder.changes] tells.
type change struct {
	limits
	never bool
}

func (c *changes) change(v *Value) (is change) {
	if is, ok := c.done[v]; ok {
		return is
	}
	switch {
	case v.same(c.of):
		is.never = true
	case v.Kind == Folded: // nothing, if the sum goes on from the element and adds 0
		if f := c.folds[v]; f != nil && f.Op == term.SymSum && f.From != nil && f.From.same(c.of) {
			is.limits = slices.Clone(c.nonzero(f.Value).some(c.inside[v]))
			for i := range is.limits {
				is.limits[i].finite = true // as is -0 + 0
			}
		}
	case v.Kind != Compute:
	case v.Op == term.SymWhere:
		yes, no := c.change(v.Args[1]), c.change(v.Args[2])
		switch {
		case yes.never && no.never:
			is.never = true
		case yes.never:
			is.limits = c.holds(v.Args[0], false).and(no.limits)
		case no.never:
			is.limits = c.holds(v.Args[0], true).and(yes.limits)
		default:
			is.limits = c.holds(v.Args[0], true).and(yes.limits).or(c.holds(v.Args[0], false).and(no.limits))
		}
	case v.Op == term.SymAdd:
		for i, x := range v.Args {
			if c.change(x).never {
				// -0 + 0 is 0, which only exact code tells from it.
				is.limits = slices.Clone(c.nonzero(v.Args[1-i]))
				for i := range is.limits {
					is.limits[i].finite = true
				}
			}
		}
	}
	c.done[v] = is
	return is
}

// need notes who needs values: under these conditions.
func (b *bounder) need(ls limits, vs ...*Value) {
	for _, v := range vs {
		if old, ok := b.needed[v]; ok {
			b.needed[v] = old.or(ls)
		} else {
			b.needed[v] = ls
		}
		if v.Kind == Linear {
			b.need(ls, v.Args...)
		}
	}
}

// body goes backwards through statements: who needs a value comes after it.
func (b *bounder) body(body []Stmt) {
	for _, s := range slices.Backward(body) {
		switch s := s.(type) {
		case *Store:
			b.need(nil, s.At...)
			b.need(b.read(s), s.Value)
		case *Loop:
			for _, f := range s.Folds {
				ls := b.needed[f.Result]
				if f.From != nil {
					b.need(ls, f.From)
				}
				if b.strict && f.Op == term.SymSum {
					ls = ls.and(b.leftOut(s))
				}
				b.need(ls, f.Value)
			}
			for _, c := range s.Carries {
				b.need(nil, c.From, c.Next)
			}
			b.body(s.Body)
		case *Let:
			b.let(s.Value)
		}
	}
}

func (b *bounder) let(v *Value) {
	ls := b.needed[v]
	if v.Kind == Load {
		b.need(nil, v.At...)
		old, ok := b.reads[v.Array]
		if b.goesOn(v) {
			return
		}
		if now := b.of(ls, v.Access); ok {
			b.reads[v.Array] = old.or(now)
		} else {
			b.reads[v.Array] = now
		}
		return
	}
	if v.Op == term.SymWhere {
		is := ls
		if of, _, ok := chosen(v); ok { // if that is 0 too, it does not matter which one is chosen
			is = ls.and(b.lets(of))
		}
		b.need(is, v.Args[0])
		b.need(ls.and(b.holds(v.Args[0], true)), v.Args[1])
		b.need(ls.and(b.holds(v.Args[0], false)), v.Args[2])
		return
	}
	if v.Kind == Compute && (v.Op == term.SymAnd || v.Op == term.SymOr) {
		b.need(ls, v.Args[0])
		b.need(ls.and(b.holds(v.Args[0], v.Op == term.SymAnd)), v.Args[1])
		return
	}
	b.need(ls, v.Args...)
}

// goesOn reports whether a load is what a fold goes on from that is stored there again.
func (b *bounder) goesOn(v *Value) bool {
	return slices.ContainsFunc(b.stores[v.Array], func(s *Store) bool {
		f := b.folds[s.Value]
		return f != nil && f.From == v && v.same(s.Access)
	})
}
