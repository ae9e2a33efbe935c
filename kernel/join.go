package kernel

import (
	"fmt"
	"slices"

	"egad/internal/set"
	"egad/internal/slice"
	"egad/term/ops"
)

// joiner writes the steps of loops as the runs of loops of one kernel.
type joiner struct {
	nest
	b      *Builder
	exact  bool
	scopes []scope // of the loops that are open, from the outermost on
	made   map[*Value]*Value
	// places are where arrays of steps are that are others, or parts of others, and numbers
	// what those are that are a number in a register.
	places  map[*Array]func(at []*Value) Access
	numbers map[*Array]*Value
	known   map[element]*Value // elements of arrays
	inside  map[element]*Value // and what they are if they are in range
	lost    map[*Array]int     // how often what is known of an array was forgotten
	ages    map[*Value]int     // and how often it had been when a value was loaded
	last    map[*Array]*Store  // to an array, if it has not been loaded since, in the innermost open loop
	holds   map[*Value]bool    // truth values that are true
	own     []*Array           // of steps
}

// scope is a loop that is open.
type scope struct {
	*Loop
	changes map[*Array]bool // by its runs
}

func newJoiner(exact bool) *joiner {
	return &joiner{nest: newNest(), b: NewBuilder(nil), exact: exact, made: make(map[*Value]*Value),
		places: make(map[*Array]func(at []*Value) Access), numbers: make(map[*Array]*Value), known: make(map[element]*Value),
		inside: make(map[element]*Value), ages: make(map[*Value]int), lost: make(map[*Array]int), last: make(map[*Array]*Store), holds: make(map[*Value]bool)}
}

// open begins a loop, of which the index is made, whose runs change arrays.
func (j *joiner) open(l *Loop, changes map[*Array]bool) *Value {
	l.Var = j.b.Variable(l.N, len(j.bodies))
	j.begin()
	j.scopes = append(j.scopes, scope{l, changes})
	j.forget(changes)
	clear(j.last)
	return l.Var
}

// close ends the innermost open loop.
func (j *joiner) close() {
	last := len(j.scopes) - 1
	s := j.scopes[last]
	j.forget(s.changes)
	clear(j.last)
	j.scopes, s.Body = j.scopes[:last], j.end()
	if s.If != nil {
		j.need(s.If)
	}
	for _, f := range s.Folds {
		if f.From != nil {
			j.need(f.From)
		}
	}
	j.add(s.Loop)
}

// forget forgets what is known of arrays that are changed.
func (j *joiner) forget(changed map[*Array]bool) {
	for a := range changed {
		j.lost[a]++
	}
}

// changes notes the arrays that the steps of a loop change.
func (j *joiner) changes(s *Steps, out map[*Array]bool) {
	for _, a := range s.States {
		out[j.access(Access{Array: a}).Array] = true
	}
	for _, k := range s.Step.Kernels {
		set.Add(out, k.Writes()...)
		if k.Steps != nil {
			j.changes(k.Steps, out)
		}
	}
}

// access is where an access of a step is. It is checked.
func (j *joiner) access(a Access) Access {
	for place := j.places[a.Array]; place != nil; place = j.places[a.Array] {
		a = place(a.At)
	}
	a.Checked = true
	return a
}

// element is an element of an array as it is now.
func (j *joiner) element(a Access) element { return elementAt(a, j.lost[a.Array]) }

// elementAt is an element of an array as it was when so much was forgotten of it.
func elementAt(a Access, lost int) element {
	at := slice.Map(a.At, func(v *Value) int { return v.Serial })
	return element{a.Array, fmt.Sprint(lost, at)}
}

// load is an element, if it is in range, or what is known to be there.
func (j *joiner) load(a Access) *Value {
	if v := j.numbers[a.Array]; v != nil {
		return v
	}
	if a.Array.Role == Literal && !slices.Contains(j.own, a.Array) {
		j.own = append(j.own, a.Array)
	}
	if a.Array.Const != nil {
		return j.b.Load(a)
	}
	key := j.element(a)
	v := j.known[key]
	if v == nil {
		a.Checked = !Fits(a)
		v = &Value{Kind: Load, Elem: a.Array.Elem, Access: a, Range: a.Array.Range}
		if a.Checked {
			v.Range = v.Range.Join(ops.Range{})
		}
		for _, x := range a.At {
			v.Level = max(v.Level, x.Level)
		}
		for i, s := range j.scopes {
			if s.changes[a.Array] {
				v.Level = max(v.Level, i+1)
			}
		}
		j.known[key] = j.b.Atom(v)
		j.inside[key], j.ages[v] = v, j.lost[a.Array]
		delete(j.last, a.Array)
	}
	j.need(v)
	return v
}

// store writes a store. What is added to an element that is known is stored, and what is not loaded before
// another store to the same element is not.
func (j *joiner) store(a Access, v *Value, add bool) {
	a.Checked = !Fits(a)
	if a.Checked && v.Kind == Compute && v.Op == ops.SymWhere && a.inBounds(v.Args[0]) {
		v = v.Args[1]
	}
	v = j.chosen(a, v)
	if old := j.inside[j.element(a)]; add && old != nil {
		if add = false; j.exact || !old.isZero() { // which tells 0 from -0
			v = j.b.Op(ops.Op{Sym: ops.SymAdd}, v.Elem, old, v)
		}
	}
	if s := j.last[a.Array]; s != nil && !add && slices.Equal(s.At, a.At) {
		in := &j.bodies[len(j.bodies)-1]
		*in = slices.DeleteFunc(*in, func(t Stmt) bool { return t == s })
	}
	j.need(a.At...)
	j.need(v)
	s := &Store{Access: a, Value: v, Add: add}
	j.add(s)
	j.lost[a.Array]++
	delete(j.last, a.Array)
	if add {
		return
	}
	j.last[a.Array], j.inside[j.element(a)] = s, v
	if !a.Checked {
		j.known[j.element(a)] = v
	}
}

// chosen is what is stored to an element, if that is a choice by whether two indices are equal: what is loaded at one of
// them is what is at the other one where they are.
func (j *joiner) chosen(to Access, v *Value) *Value {
	if v.Kind != Compute || v.Op != ops.SymWhere || v.Args[0].Kind != Compute || v.Args[0].Op != ops.SymEq || v.Args[1].Kind != Load {
		return v
	}
	same, yes, no := v.Args[0].Args, v.Args[1], v.Args[2]
	other := func(x *Value) *Value {
		at := yes.Access
		at.At = slice.Map(at.At, func(v *Value) *Value {
			if i := slices.Index(same, v); i >= 0 {
				return same[1-i]
			}
			return v
		})
		return j.inside[elementAt(at, j.ages[x])]
	}
	if w := other(yes); w != nil && (!yes.Checked || yes.Array == to.Array && slices.Equal(yes.At, to.At)) {
		yes = w
	}
	if yes == no || yes.Kind == Load && other(yes) == no {
		return no
	}
	return j.b.Op(ops.Op{Sym: ops.SymWhere}, v.Elem, v.Args[0], yes, no)
}

// fill writes a loop that stores to all elements behind a place what of makes.
func (j *joiner) fill(to Access, shape []int, of func(at []*Value) *Value) {
	to = j.access(to)
	if len(shape) == 0 {
		j.store(to, of(nil), false)
		return
	}
	at := j.b.Unravel(j.open(&Loop{Name: "i", N: slice.Product(shape)}, map[*Array]bool{to.Array: true}), shape)
	j.store(Access{Array: to.Array, At: slices.Concat(to.At, at)}, of(at), false)
	j.close()
}

// value is what a value of a step is.
func (j *joiner) value(v *Value) *Value { return j.b.there(v, j.made) }

// at is an access of a step.
func (j *joiner) at(a Access) Access {
	return j.access(Access{Array: a.Array, At: slice.Map(a.At, j.value)})
}

// stmts writes statements of a step.
func (j *joiner) stmts(body []Stmt) {
	for _, s := range body {
		if l, ok := s.(*Loop); !ok || !j.pinned(l) {
			j.stmt(s, nil)
		}
		if l, ok := s.(*Loop); ok {
			delete(j.made, l.Var)
			Walk(l.Body, func(s Stmt) {
				switch s := s.(type) {
				case *Let:
					delete(j.made, s.Value)
				case *Loop:
					delete(j.made, s.Var)
				}
			})
		}
	}
}

// knows reports whether a value is known here.
func (j *joiner) knows(v *Value) bool {
	switch v.Kind {
	case Lit:
		return true
	case Linear:
		return !slices.ContainsFunc(v.Args, func(v *Value) bool { return !j.knows(v) })
	}
	return j.made[v] != nil
}

// stmt writes a statement of a step: of a loop all runs, if that is so.
func (j *joiner) stmt(s Stmt, so *Value) {
	switch s := s.(type) {
	case *Let:
		j.made[s.Value] = j.let(s.Value)
	case *Store:
		j.store(j.at(s.Access), j.value(s.Value), s.Add)
	case *Loop:
		j.every(s, so)
	}
}

func (j *joiner) let(v *Value) *Value {
	if v.Kind == Load {
		return j.load(j.at(v.Access))
	}
	w := j.b.computed(v, j.value)
	if j.holds[w] {
		return j.b.Lit(ops.ScalarB(true))
	}
	return w
}

// every writes all runs of a loop of a step, if that is so.
func (j *joiner) every(l *Loop, so *Value) {
	out := &Loop{Name: l.Name, N: l.N, Order: l.Order, Private: l.Private, If: so}
	changes := make(map[*Array]bool)
	for a := range Stores(l.Body) {
		changes[j.access(Access{Array: a}).Array] = true
	}
	level := len(j.bodies)
	carries := l.carries(itself)
	for i, c := range carries {
		carries[i].From = j.value(c.From)
		j.need(carries[i].From)
	}
	j.made[l.Var] = j.open(out, changes)
	for _, o := range l.Only {
		if j.knows(o.Less) {
			out.Only = append(out.Only, j.only(o))
		}
	}
	for i, c := range carries {
		w := *c.Value
		w.Level = level
		carries[i].Value = j.b.Atom(&w)
		j.made[c.Value] = carries[i].Value
	}
	j.stmts(l.Body)
	for _, f := range l.Folds {
		of := f
		of.Value = j.value(f.Value)
		j.need(of.Value)
		if f.From != nil {
			of.From = j.value(f.From)
		}
		w := *f.Result
		w.Level = level - 1
		of.Result = j.b.Atom(&w)
		j.made[f.Result] = of.Result
		out.Folds = append(out.Folds, of)
	}
	for i, c := range carries {
		carries[i].Next = j.value(c.Next)
		j.need(carries[i].Next)
		w := *c.Result
		w.Level = level - 1
		carries[i].Result = j.b.Atom(&w)
		j.made[c.Result] = carries[i].Result
	}
	out.Carries = carries
	j.close()
}

// only is a condition on the runs of a loop.
func (j *joiner) only(o Only) Only {
	coef, args, konst := j.value(o.Less).sum()
	out := limits{{Form{konst, coef, args}, o.Finite}}.notes()[0]
	out.Strict = o.Strict
	return out
}
