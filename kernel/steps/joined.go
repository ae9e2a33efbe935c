package steps

import (
	"slices"

	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/plan"
	"egad/kernel/schedule"
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
func Joined(p *kernel.Program, exact bool) *kernel.Program {
	out := *p
	out.Arrays, out.Kernels = slices.Clone(p.Arrays), slices.Clone(p.Kernels)
	for i, k := range p.Kernels {
		if k.Steps == nil {
			continue
		}
		if body, arrays := JoinedSteps(k.Steps, p.Costs(), exact); body != nil {
			out.Kernels[i] = &kernel.Kernel{Body: body, Fused: k.Fused, Of: k}
			for _, a := range arrays {
				if !slices.Contains(out.Arrays, a) {
					out.Arrays = append(out.Arrays, a)
				}
			}
			continue
		}
		s := *k.Steps
		s.Step = Joined(s.Step, exact)
		out.Kernels[i] = &kernel.Kernel{Steps: &s, Fused: k.Fused, Of: k}
	}
	turned(&out)
	return &out
}

// JoinedSteps writes a loop whose steps are short as statements, and the arrays of its steps that are left; or nil.
func JoinedSteps(s *kernel.Steps, w *cost.Weights, exact bool) (body []kernel.Stmt, arrays []*kernel.Array) {
	if !few(s, new(int)) {
		return nil, nil
	}
	if body, arrays = newJoiner(exact).loop(s); !short(w, body) {
		return nil, nil
	}
	return body, arrays
}

// few reports whether the steps of a loop may be those of a loop of one kernel, and adds up their statements.
func few(s *kernel.Steps, all *int) bool {
	if n := s.Runs(); s.Count != nil || n == 0 || n > kernel.MaxIndex {
		return false
	}
	for _, k := range s.Step.Kernels {
		*all += kernel.CountStatements(k.Body)
		if *all > maxJoined || k.Calls() || k.Steps != nil && !few(k.Steps, all) {
			return false
		}
	}
	return true
}

// short reports whether it would be much of what each nest of loops in the runs of others takes to call a
// kernel for it.
func short(w *cost.Weights, body []kernel.Stmt) bool {
	return !slices.ContainsFunc(body, func(s kernel.Stmt) bool {
		l, ok := s.(*kernel.Loop)
		return ok && (l.Order.Whole() && !short(w, l.Body) || !l.Order.Whole() && schedule.Time(w, []kernel.Stmt{l}, false) > joinedTime)
	})
}

// loop is a loop as statements, and the arrays of its steps that are left.
func (j *joiner) loop(s *kernel.Steps) (body []kernel.Stmt, arrays []*kernel.Array) {
	j.steps(s)
	for again := true; again; { // what is stored for nobody
		again = false
		body = kernel.DropUnused(j.Bodies[0])
		loaded := make(map[*kernel.Array]bool)
		for t := range kernel.All[*kernel.Let](body) {
			if t.Value.Kind == kernel.Load {
				loaded[t.Value.Array] = true
			}
		}
		j.Bodies[0] = kernel.WithoutStores(body, func(t *kernel.Store) bool {
			dead := !loaded[t.Array] && slices.Contains(j.own, t.Array)
			again = again || dead
			return dead
		})
	}
	used := make(map[*kernel.Array]bool)
	kernel.Accesses(body, func(a kernel.Access) { used[a.Array] = true })
	return body, slices.DeleteFunc(j.own, func(a *kernel.Array) bool { return !used[a] })
}

// joining are the steps of a loop that are written.
type joining struct {
	*joiner
	*kernel.Steps
	inputs, results []*kernel.Array
	indices         []*kernel.Value // of the loops around, and the number of the step
	there           []bool          // by state: it is made where it is to be
	carries         []*kernel.Carry // by state: of one number, nil of another one
}

// steps writes the steps of a loop.
func (j *joiner) steps(s *kernel.Steps) {
	x := &joining{joiner: j, Steps: s, results: s.Step.Result.Arrays(), there: make([]bool, len(s.States)), carries: make([]*kernel.Carry, len(s.States))}
	for _, a := range s.Step.Arrays {
		if a.Role == kernel.Input {
			x.inputs = append(x.inputs, a)
		} else {
			j.own = append(j.own, a)
		}
	}
	changes := make(map[*kernel.Array]bool)
	j.changes(s, changes)
	for i, n := range s.Outer {
		x.indices = append(x.indices, j.open(&kernel.Loop{Name: x.Name(i), N: n, Order: kernel.Blocks}, changes))
	}
	for k, a := range x.results {
		if len(a.Shape) == 0 {
			x.carries[k] = &kernel.Carry{From: j.load(x.place(k, j.b.Int(0))(nil))}
		}
	}
	l := &kernel.Loop{Name: x.Name(len(s.Outer)), N: s.N, Order: kernel.Blocks}
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

// run is the number of the step.
func (x *joining) run() *kernel.Value { return x.indices[len(x.Outer)] }

// place says where elements of state k are after some steps.
func (x *joining) place(k int, steps *kernel.Value) func(at []*kernel.Value) kernel.Access {
	return func(at []*kernel.Value) kernel.Access {
		first := slices.Clone(x.indices[:len(x.Outer)])
		if x.All[k] {
			first = append(first, steps)
		}
		return x.access(kernel.Access{Array: x.States[k], At: append(first, at...)})
	}
}

// step writes what a step does.
func (x *joining) step() {
	for k, c := range x.carries {
		if c != nil {
			c.Value = x.b.Atom(&kernel.Value{Kind: kernel.Carried, Elem: c.From.Elem, Range: x.States[k].Range, Level: len(x.Bodies) - 1})
		}
	}
	for i, a := range x.inputs {
		switch in := x.Inputs[i]; {
		case in.Variable > 0:
			x.numbers[a] = x.indices[in.Variable-1]
		case in.Array != nil && x.numbers[in.Array] != nil:
			x.numbers[a] = x.numbers[in.Array]
		case in.Array != nil:
			x.places[a] = func(at []*kernel.Value) kernel.Access { return x.access(kernel.Access{Array: in.Array, At: at}) }
		case x.carries[in.State-1] != nil:
			x.numbers[a] = x.carries[in.State-1].Value
		default:
			x.places[a] = x.place(in.State-1, x.run())
		}
	}
	laid := plan.New(x.Step)
	last := plan.InPlace(x.Steps, laid.Zeroed)
	for k, a := range x.results {
		if a.Role == kernel.Temp && x.carries[k] == nil && x.places[a] == nil && (last[k] || x.All[k] && !x.Step.OfSteps(a)) {
			x.places[a], x.there[k] = x.place(k, x.after()), true
		}
	}
	for i, k := range x.Step.Kernels {
		for _, a := range laid.Zeroed[i] {
			x.fill(kernel.Access{Array: a}, a.Shape, func([]*kernel.Value) *kernel.Value { return x.b.Lit(ops.ScalarZero(a.Elem)) })
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
func (x *joining) after() *kernel.Value { return x.b.Add(x.run(), x.b.Int(1)) }

// next writes the next state. A part of the state that is another part of the one before is put aside,
// as that may be overwritten.
func (x *joining) next(l *kernel.Loop) {
	from := slices.Clone(x.results)
	for k, a := range x.results {
		if a.Role == kernel.Input && a != x.State(k) && x.carries[k] == nil {
			from[k] = kernel.NewTemp(x.Step.Name, a.Elem, a.Shape, a.Range)
			from[k].Name = a.Name
			x.own = append(x.own, from[k])
			x.fill(kernel.Access{Array: from[k]}, a.Shape, func(at []*kernel.Value) *kernel.Value { return x.load(x.access(kernel.Access{Array: a, At: at})) })
		}
	}
	for k, a := range from {
		load := func(at []*kernel.Value) *kernel.Value { return x.load(x.access(kernel.Access{Array: a, At: at})) }
		if x.carries[k] != nil {
			x.carries[k].Next = load(nil)
		}
		if !x.there[k] && (x.All[k] || x.carries[k] == nil && a != x.State(k)) {
			x.fill(x.place(k, x.after())(nil), a.Shape, load)
		}
	}
	for _, c := range x.carries {
		if c != nil {
			x.Need(c.Next)
		}
	}
	for k, c := range x.carries {
		if c == nil || x.All[k] && !x.Nest.There[len(x.Bodies)-1][c.Value] {
			continue // it is stored only
		}
		c.Result = x.b.Atom(&kernel.Value{Kind: kernel.Folded, Elem: c.Value.Elem, Range: x.States[k].Range, Level: len(x.Bodies) - 2})
		l.Carries = append(l.Carries, *c)
	}
}
