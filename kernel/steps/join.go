package steps

import (
	"slices"

	"egad/internal/set"
	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/sparsity"
	"egad/term/ops"
)

// joiner writes the steps of loops as the runs of loops of one kernel.
type joiner struct {
	kernel.Nest
	b      *kernel.Builder
	exact  bool
	scopes []scope // of the loops that are open, from the outermost on
	made   map[*kernel.Value]*kernel.Value
	// places are where arrays of steps are that are others, or parts of others, and numbers
	// what those are that are a number in a register.
	places  map[*kernel.Array]func(at []*kernel.Value) kernel.Access
	numbers map[*kernel.Array]*kernel.Value
	known   map[kernel.Element]*kernel.Value // elements of arrays
	inside  map[kernel.Element]*kernel.Value // and what they are if they are in range
	lost    map[*kernel.Array]int            // how often what is known of an array was forgotten
	ages    map[*kernel.Value]int            // and how often it had been when a value was loaded
	last    map[*kernel.Array]*kernel.Store  // to an array, if it has not been loaded since, in the innermost open loop
	holds   map[*kernel.Value]bool           // truth values that are true
	own     []*kernel.Array                  // of steps
}

// scope is a loop that is open.
type scope struct {
	*kernel.Loop
	changes map[*kernel.Array]bool // by its runs
}

func newJoiner(exact bool) *joiner {
	return &joiner{Nest: kernel.NewNest(), b: kernel.NewBuilder(nil), exact: exact, made: make(map[*kernel.Value]*kernel.Value),
		places: make(map[*kernel.Array]func(at []*kernel.Value) kernel.Access), numbers: make(map[*kernel.Array]*kernel.Value), known: make(map[kernel.Element]*kernel.Value),
		inside: make(map[kernel.Element]*kernel.Value), ages: make(map[*kernel.Value]int), lost: make(map[*kernel.Array]int), last: make(map[*kernel.Array]*kernel.Store), holds: make(map[*kernel.Value]bool)}
}

// open begins a loop, of which the index is made, whose runs change arrays.
func (j *joiner) open(l *kernel.Loop, changes map[*kernel.Array]bool) *kernel.Value {
	l.Var = j.b.Variable(l.N, len(j.Bodies))
	j.Begin()
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
	j.scopes, s.Body = j.scopes[:last], j.End()
	if s.If != nil {
		j.Need(s.If)
	}
	for _, f := range s.Folds {
		if f.From != nil {
			j.Need(f.From)
		}
	}
	j.Add(s.Loop)
}

// forget forgets what is known of arrays that are changed.
func (j *joiner) forget(changed map[*kernel.Array]bool) {
	for a := range changed {
		j.lost[a]++
	}
}

// changes notes the arrays that the steps of a loop change.
func (j *joiner) changes(s *kernel.Steps, out map[*kernel.Array]bool) {
	for _, a := range s.States {
		out[j.access(kernel.Access{Array: a}).Array] = true
	}
	for _, k := range s.Step.Kernels {
		set.Add(out, k.Writes()...)
		if k.Steps != nil {
			j.changes(k.Steps, out)
		}
	}
}

// access is where an access of a step is. It is checked.
func (j *joiner) access(a kernel.Access) kernel.Access {
	for place := j.places[a.Array]; place != nil; place = j.places[a.Array] {
		a = place(a.At)
	}
	a.Checked = true
	return a
}

// element is an element of an array as it is now.
func (j *joiner) element(a kernel.Access) kernel.Element { return kernel.ElementAt(a, j.lost[a.Array]) }

// load is an element, if it is in range, or what is known to be there.
func (j *joiner) load(a kernel.Access) *kernel.Value {
	if v := j.numbers[a.Array]; v != nil {
		return v
	}
	if a.Array.Role == kernel.Literal && !slices.Contains(j.own, a.Array) {
		j.own = append(j.own, a.Array)
	}
	if a.Array.Const != nil {
		return j.b.Load(a)
	}
	key := j.element(a)
	v := j.known[key]
	if v == nil {
		a.Checked = !kernel.Fits(a)
		v = &kernel.Value{Kind: kernel.Load, Elem: a.Array.Elem, Access: a, Range: a.Array.Range}
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
	j.Need(v)
	return v
}

// store writes a store. What is added to an element that is known is stored, and what is not loaded before
// another store to the same element is not.
func (j *joiner) store(a kernel.Access, v *kernel.Value, add bool) {
	a.Checked = !kernel.Fits(a)
	if a.Checked && v.Kind == kernel.Compute && v.Op == ops.SymWhere && a.InBounds(v.Args[0]) {
		v = v.Args[1]
	}
	v = j.chosen(a, v)
	if old := j.inside[j.element(a)]; add && old != nil {
		if add = false; j.exact || !old.IsZero() { // which tells 0 from -0
			v = j.b.Op(ops.Op{Sym: ops.SymAdd}, v.Elem, old, v)
		}
	}
	if s := j.last[a.Array]; s != nil && !add && slices.Equal(s.At, a.At) {
		in := &j.Bodies[len(j.Bodies)-1]
		*in = slices.DeleteFunc(*in, func(t kernel.Stmt) bool { return t == s })
	}
	j.Need(a.At...)
	j.Need(v)
	s := &kernel.Store{Access: a, Value: v, Add: add}
	j.Add(s)
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
func (j *joiner) chosen(to kernel.Access, v *kernel.Value) *kernel.Value {
	if v.Kind != kernel.Compute || v.Op != ops.SymWhere || v.Args[0].Kind != kernel.Compute || v.Args[0].Op != ops.SymEq || v.Args[1].Kind != kernel.Load {
		return v
	}
	same, yes, no := v.Args[0].Args, v.Args[1], v.Args[2]
	other := func(x *kernel.Value) *kernel.Value {
		at := yes.Access
		at.At = slice.Map(at.At, func(v *kernel.Value) *kernel.Value {
			if i := slices.Index(same, v); i >= 0 {
				return same[1-i]
			}
			return v
		})
		return j.inside[kernel.ElementAt(at, j.ages[x])]
	}
	if w := other(yes); w != nil && (!yes.Checked || yes.Array == to.Array && slices.Equal(yes.At, to.At)) {
		yes = w
	}
	if yes == no || yes.Kind == kernel.Load && other(yes) == no {
		return no
	}
	return j.b.Op(ops.Op{Sym: ops.SymWhere}, v.Elem, v.Args[0], yes, no)
}

// fill writes a loop that stores to all elements behind a place what of makes.
func (j *joiner) fill(to kernel.Access, shape []int, of func(at []*kernel.Value) *kernel.Value) {
	to = j.access(to)
	if len(shape) == 0 {
		j.store(to, of(nil), false)
		return
	}
	at := j.b.Unravel(j.open(&kernel.Loop{Name: "i", N: slice.Product(shape)}, map[*kernel.Array]bool{to.Array: true}), shape)
	j.store(kernel.Access{Array: to.Array, At: slices.Concat(to.At, at)}, of(at), false)
	j.close()
}

// value is what a value of a step is.
func (j *joiner) value(v *kernel.Value) *kernel.Value { return j.b.There(v, j.made) }

// at is an access of a step.
func (j *joiner) at(a kernel.Access) kernel.Access {
	return j.access(kernel.Access{Array: a.Array, At: slice.Map(a.At, j.value)})
}

// stmts writes statements of a step.
func (j *joiner) stmts(body []kernel.Stmt) {
	for _, s := range body {
		if l, ok := s.(*kernel.Loop); !ok || !j.pinned(l) {
			j.stmt(s, nil)
		}
		if l, ok := s.(*kernel.Loop); ok {
			delete(j.made, l.Var)
			kernel.Walk(l.Body, func(s kernel.Stmt) {
				switch s := s.(type) {
				case *kernel.Let:
					delete(j.made, s.Value)
				case *kernel.Loop:
					delete(j.made, s.Var)
				}
			})
		}
	}
}

// knows reports whether a value is known here.
func (j *joiner) knows(v *kernel.Value) bool {
	switch v.Kind {
	case kernel.Lit:
		return true
	case kernel.Linear:
		return !slices.ContainsFunc(v.Args, func(v *kernel.Value) bool { return !j.knows(v) })
	}
	return j.made[v] != nil
}

// stmt writes a statement of a step: of a loop all runs, if that is so.
func (j *joiner) stmt(s kernel.Stmt, so *kernel.Value) {
	switch s := s.(type) {
	case *kernel.Let:
		j.made[s.Value] = j.let(s.Value)
	case *kernel.Store:
		j.store(j.at(s.Access), j.value(s.Value), s.Add)
	case *kernel.Loop:
		j.every(s, so)
	}
}

func (j *joiner) let(v *kernel.Value) *kernel.Value {
	if v.Kind == kernel.Load {
		return j.load(j.at(v.Access))
	}
	w := j.b.Computed(v, j.value)
	if j.holds[w] {
		return j.b.Lit(ops.ScalarB(true))
	}
	return w
}

// every writes all runs of a loop of a step, if that is so.
func (j *joiner) every(l *kernel.Loop, so *kernel.Value) {
	out := &kernel.Loop{Name: l.Name, N: l.N, Order: l.Order, Private: l.Private, If: so}
	changes := make(map[*kernel.Array]bool)
	for a := range kernel.Stores(l.Body) {
		changes[j.access(kernel.Access{Array: a}).Array] = true
	}
	level := len(j.Bodies)
	carries := l.MapCarries(kernel.Itself)
	for i, c := range carries {
		carries[i].From = j.value(c.From)
		j.Need(carries[i].From)
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
		j.Need(of.Value)
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
		j.Need(carries[i].Next)
		w := *c.Result
		w.Level = level - 1
		carries[i].Result = j.b.Atom(&w)
		j.made[c.Result] = carries[i].Result
	}
	out.Carries = carries
	j.close()
}

// only is a condition on the runs of a loop.
func (j *joiner) only(o kernel.Only) kernel.Only {
	coef, args, konst := j.value(o.Less).Sum()
	out := sparsity.Limits{{Form: kernel.Form{Const: konst, Coef: coef, Args: args}, Finite: o.Finite}}.Notes()[0]
	out.Strict = o.Strict
	return out
}
