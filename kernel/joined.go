package kernel

import (
	"slices"

	"egad/term/ops"
)

// Bounds on the steps of a loop that are runs of a loop of one kernel.
const (
	maxJoined  = 400  // statements of a step
	joinedTime = 1000 // of a nest of loops in a step, in nanoseconds
)

// Joined is a program in which loops whose steps are short are loops of one kernel each: no kernel
// of a step has to be called then, what several of them load is loaded once, and numbers of the
// state are in registers. If the code is to be exact, results are the same bit for bit.
func (p *Program) Joined(exact bool) *Program {
	out := *p
	out.Arrays, out.Kernels = slices.Clone(p.Arrays), slices.Clone(p.Kernels)
	for i, k := range p.Kernels {
		if k.Steps == nil {
			continue
		}
		if body, arrays := k.Steps.joined(p.costs(), exact); body != nil {
			out.Kernels[i] = &Kernel{Body: body, Fused: k.Fused, of: k}
			for _, a := range arrays {
				if !slices.Contains(out.Arrays, a) {
					out.Arrays = append(out.Arrays, a)
				}
			}
			continue
		}
		s := *k.Steps
		s.Step = s.Step.Joined(exact)
		out.Kernels[i] = &Kernel{Steps: &s, Fused: k.Fused, of: k}
	}
	out.turned()
	return &out
}

// joined is a loop whose steps are short as statements, and the arrays of its steps that are left; or nil.
func (s *Steps) joined(w *Weights, exact bool) (body []Stmt, arrays []*Array) {
	if !s.few(new(int)) {
		return nil, nil
	}
	if body, arrays = newJoiner(exact).loop(s); !w.short(body) {
		return nil, nil
	}
	return body, arrays
}

// few reports whether the steps of a loop may be those of a loop of one kernel, and adds up their statements.
func (s *Steps) few(all *int) bool {
	if n := s.runs(); s.Count != nil || n == 0 || n > MaxIndex {
		return false
	}
	for _, k := range s.Step.Kernels {
		*all += statements(k.Body)
		if *all > maxJoined || k.Calls() || k.Steps != nil && !k.Steps.few(all) {
			return false
		}
	}
	return true
}

// short reports whether it would be much of what each nest of loops in the runs of others takes to call a
// kernel for it.
func (w *Weights) short(body []Stmt) bool {
	return !slices.ContainsFunc(body, func(s Stmt) bool {
		l, ok := s.(*Loop)
		return ok && (l.Order.Whole() && !w.short(l.Body) || !l.Order.Whole() && w.best([]Stmt{l}, false) > joinedTime)
	})
}

// loop is a loop as statements, and the arrays of its steps that are left.
func (j *joiner) loop(s *Steps) (body []Stmt, arrays []*Array) {
	j.steps(s)
	for again := true; again; { // what is stored for nobody
		again = false
		body = live(j.bodies[0])
		loaded := make(map[*Array]bool)
		for t := range allOf[*Let](body) {
			if t.Value.Kind == Load {
				loaded[t.Value.Array] = true
			}
		}
		j.bodies[0] = without(body, func(t *Store) bool {
			dead := !loaded[t.Array] && slices.Contains(j.own, t.Array)
			again = again || dead
			return dead
		})
	}
	used := make(map[*Array]bool)
	Accesses(body, func(a Access) { used[a.Array] = true })
	return body, slices.DeleteFunc(j.own, func(a *Array) bool { return !used[a] })
}

// without leaves out some stores, and loops in which nothing is left then.
func without(body []Stmt, dead func(s *Store) bool) []Stmt {
	var out []Stmt
	for _, s := range body {
		switch s := s.(type) {
		case *Store:
			if dead(s) {
				continue
			}
		case *Loop:
			s.Body = without(s.Body, dead)
			if len(s.Folds)+len(s.Carries) == 0 && !slices.ContainsFunc(s.Body, func(s Stmt) bool { return !isLet(s) }) {
				continue
			}
		}
		out = append(out, s)
	}
	return out
}

// joining are the steps of a loop that are written.
type joining struct {
	*joiner
	*Steps
	inputs, results []*Array
	indices         []*Value // of the loops around, and the number of the step
	there           []bool   // by state: it is made where it is to be
	carries         []*Carry // by state: of one number, nil of another one
}

// steps writes the steps of a loop.
func (j *joiner) steps(s *Steps) {
	x := &joining{joiner: j, Steps: s, results: s.Step.Result.Arrays(), there: make([]bool, len(s.States)), carries: make([]*Carry, len(s.States))}
	for _, a := range s.Step.Arrays {
		if a.Role == Input {
			x.inputs = append(x.inputs, a)
		} else {
			j.own = append(j.own, a)
		}
	}
	changes := make(map[*Array]bool)
	j.changes(s, changes)
	for i, n := range s.Outer {
		x.indices = append(x.indices, j.open(&Loop{Name: x.name(i), N: n, Order: Blocks}, changes))
	}
	for k, a := range x.results {
		if len(a.Shape) == 0 {
			x.carries[k] = &Carry{From: j.load(x.place(k, j.b.Int(0))(nil))}
		}
	}
	l := &Loop{Name: x.name(len(s.Outer)), N: s.N, Order: Blocks}
	x.indices = append(x.indices, j.open(l, changes))
	x.step()
	x.next(l)
	j.close()
	for k, c := range x.carries {
		if c != nil && !s.All[k] {
			j.store(x.place(k, nil)(nil), c.Result, false)
		}
	}
	for range s.Outer {
		j.close()
	}
}

// name is that of index i of the loops around, or of the number of the step.
func (x *joining) name(i int) string {
	return x.inputs[slices.IndexFunc(x.Inputs, func(in StepInput) bool { return in.Variable == i+1 })].Name
}

// run is the number of the step.
func (x *joining) run() *Value { return x.indices[len(x.Outer)] }

// place says where elements of state k are after some steps.
func (x *joining) place(k int, steps *Value) func(at []*Value) Access {
	return func(at []*Value) Access {
		first := slices.Clone(x.indices[:len(x.Outer)])
		if x.All[k] {
			first = append(first, steps)
		}
		return x.access(Access{Array: x.States[k], At: append(first, at...)})
	}
}

// step writes what a step does.
func (x *joining) step() {
	for k, c := range x.carries {
		if c != nil {
			c.Value = x.b.Atom(&Value{Kind: Carried, Elem: c.From.Elem, Range: x.States[k].Range, Level: len(x.bodies) - 1})
		}
	}
	for i, a := range x.inputs {
		switch in := x.Inputs[i]; {
		case in.Variable > 0:
			x.numbers[a] = x.indices[in.Variable-1]
		case in.Array != nil && x.numbers[in.Array] != nil:
			x.numbers[a] = x.numbers[in.Array]
		case in.Array != nil:
			x.places[a] = func(at []*Value) Access { return x.access(Access{Array: in.Array, At: at}) }
		case x.carries[in.State-1] != nil:
			x.numbers[a] = x.carries[in.State-1].Value
		default:
			x.places[a] = x.place(in.State-1, x.run())
		}
	}
	plan := newPlan(x.Step)
	last := x.InPlace(plan.Zeroed)
	for k, a := range x.results {
		if a.Role == Temp && x.carries[k] == nil && x.places[a] == nil && (last[k] || x.All[k] && !x.Step.OfSteps(a)) {
			x.places[a], x.there[k] = x.place(k, x.after()), true
		}
	}
	for i, k := range x.Step.Kernels {
		for _, a := range plan.Zeroed[i] {
			x.fill(Access{Array: a}, a.Shape, func([]*Value) *Value { return x.b.Lit(ops.ScalarZero(a.Elem)) })
		}
		if k.Steps != nil {
			x.steps(k.Steps)
		} else {
			clear(x.made)
			x.stmts(k.Body)
		}
	}
}

// after is the number of the next step.
func (x *joining) after() *Value { return x.b.add(x.run(), x.b.Int(1)) }

// next writes the next state. A part of the state that is another part of the one before is put aside,
// as that may be overwritten.
func (x *joining) next(l *Loop) {
	from := slices.Clone(x.results)
	for k, a := range x.results {
		if a.Role == Input && a != x.State(k) && x.carries[k] == nil {
			from[k] = NewTemp(x.Step.Name, a.Elem, a.Shape, a.Range)
			from[k].Name = a.Name
			x.own = append(x.own, from[k])
			x.fill(Access{Array: from[k]}, a.Shape, func(at []*Value) *Value { return x.load(x.access(Access{Array: a, At: at})) })
		}
	}
	for k, a := range from {
		load := func(at []*Value) *Value { return x.load(x.access(Access{Array: a, At: at})) }
		if x.carries[k] != nil {
			x.carries[k].Next = load(nil)
		}
		if !x.there[k] && (x.All[k] || x.carries[k] == nil && a != x.State(k)) {
			x.fill(x.place(k, x.after())(nil), a.Shape, load)
		}
	}
	for _, c := range x.carries {
		if c != nil {
			x.need(c.Next)
		}
	}
	for k, c := range x.carries {
		if c == nil || x.All[k] && !x.nest.there[len(x.bodies)-1][c.Value] {
			continue // it is stored only
		}
		c.Result = x.b.Atom(&Value{Kind: Folded, Elem: c.Value.Elem, Range: x.States[k].Range, Level: len(x.bodies) - 2})
		l.Carries = append(l.Carries, *c)
	}
}
