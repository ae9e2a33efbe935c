package estimate

import (
	"egad/kernel"
	"egad/kernel/inplace"
	"egad/kernel/schedule"
	"egad/term/eval"
)

// Work is what a run of a program or of a kernel does: the operations of Counts, but for those
// of runs of loops that need not be done, and the bytes that are moved at least.
type Work struct {
	eval.Counts
	// Bytes are those of the elements that each kernel loads, once, and of those that it stores to.
	Bytes int64
	// Unsure says that this is the most that may be done: data tell a loop how many steps it
	// makes or which of its runs need be done, or that would take long to count.
	Unsure bool
}

func (w *Work) add(more Work, times int64) {
	w.AddTimes(more.Counts, times)
	w.Bytes += times * more.Bytes
	w.Unsure = w.Unsure || more.Unsure
}

// WorkOf counts what machine code does if native is set, be it exact or not, and else the interpreter. Each is
// the work of all runs of a kernel: where machine code has one in the place of several, nobody is sure of it.
func WorkOf(p *kernel.Program, native, exact bool) (all Work, each map[*kernel.Kernel]Work) {
	if p == nil {
		return Work{}, nil
	}
	run := p
	if native && !exact {
		run = inplace.Updated(p)
	}
	w := &works{native: native, exact: exact, minded: make(map[any]bool), numbers: make(map[any]int64), left: mostBodies, of: make(map[*kernel.Kernel]Work)}
	w.mind(run)
	all = w.program(run, 1)
	if run != p {
		w.replaced(p)
	}
	return all, w.of
}

// replaced notes of which kernels machine code has others in the place.
func (w *works) replaced(p *kernel.Program) {
	for _, k := range p.Kernels {
		if k.Steps != nil {
			w.replaced(k.Steps.Step)
		} else if k.Less {
			w.of[k] = Work{Unsure: true}
		}
	}
}

// works counts work.
type works struct {
	native, exact bool
	// minded are the indices of loops, and the arrays of one number, that conditions on runs
	// of loops inside mention, and numbers are the values that they have.
	minded  map[any]bool
	numbers map[any]int64
	left    int // how many bodies of loops may be looked at
	of      map[*kernel.Kernel]Work
}

// mostBodies bounds what it takes to count work.
const mostBodies = 1 << 20

// leaves reports whether runs for which a condition does not hold are not done.
func (w *works) leaves(o kernel.Only) bool {
	return w.native && !(w.exact && o.Finite)
}

// number is what the value of x is called in the numbers.
func number(x *kernel.Value) any {
	if x.Kind == kernel.Load && len(x.At) == 0 {
		return x.Array
	}
	return x
}

// mind notes what the conditions on runs of the loops of a program mention.
func (w *works) mind(p *kernel.Program) {
	for _, k := range p.Kernels {
		if s := k.Steps; s != nil {
			w.mind(s.Step)
			tell(s, func(a *kernel.Array, is kernel.StepInput) {
				if w.minded[a] && is.Array != nil {
					w.minded[is.Array] = true
				}
			})
		}
		for l := range kernel.All[*kernel.Loop](k.Body) {
			for _, o := range l.Only {
				for _, x := range o.Less.Args {
					if x != l.Var && w.leaves(o) {
						w.minded[number(x)] = true
					}
				}
			}
		}
	}
}

// program is the work of one run of a program, of so many.
func (w *works) program(p *kernel.Program, times int64) (out Work) {
	for _, k := range p.Kernels {
		out.add(w.kernel(k, times), 1)
	}
	return out
}

// kernel is the work of one run of a kernel, of so many, and adds up that of all.
func (w *works) kernel(k *kernel.Kernel, times int64) (out Work) {
	if k.Steps != nil {
		out = w.steps(k.Steps, times)
	} else {
		out = w.body(k.Body)
	}
	if k.Of != nil {
		k = k.Of
	}
	all := w.of[k]
	all.add(out, times)
	w.of[k] = all
	return out
}

// tell calls f for the inputs of a step and what they are.
func tell(s *kernel.Steps, f func(a *kernel.Array, is kernel.StepInput)) {
	for i, a := range s.Step.Inputs() {
		f(a, s.Inputs[i])
	}
}

// steps is the work of all steps: it is counted for each value of those variables that
// conditions mention.
func (w *works) steps(s *kernel.Steps, times int64) Work {
	var vary []*kernel.Array
	var ranges []int
	tell(s, func(a *kernel.Array, is kernel.StepInput) {
		switch n, known := w.numbers[is.Array]; {
		case !w.minded[a]:
		case is.Array != nil && known:
			w.numbers[a] = n
		case is.Variable > len(s.Outer):
			vary, ranges = append(vary, a), append(ranges, s.N)
		case is.Variable > 0:
			vary, ranges = append(vary, a), append(ranges, s.Outer[is.Variable-1])
		}
	})
	var from func(i int, runs int64) Work
	from = func(i int, runs int64) (out Work) {
		if i == len(vary) {
			out.add(w.program(s.Step, times*runs), runs)
			return out
		}
		for n := range ranges[i] {
			if w.left < 0 {
				out.Unsure = true
				break
			}
			w.numbers[vary[i]] = int64(n)
			out.add(from(i+1, runs/int64(ranges[i])), 1)
		}
		delete(w.numbers, vary[i])
		return out
	}
	out := from(0, s.Runs())
	out.Unsure = out.Unsure || s.Count != nil
	return out
}

// body is the work of a kernel that is no loop of steps.
func (w *works) body(body []kernel.Stmt) (out Work) {
	read, written := make(map[*kernel.Array]int64), make(map[*kernel.Array]int64)
	touch := func(in map[*kernel.Array]int64, a *kernel.Array, n int64) { in[a] = min(in[a]+n, int64(a.Len())) }
	w.walk(body, 1, &out, func(s kernel.Stmt, runs, inside int64) {
		kernel.Tally(s, runs, inside, &out.Counts)
		switch s := s.(type) {
		case *kernel.Let:
			if v := s.Value; v.Kind == kernel.Load {
				touch(read, v.Array, runs)
			}
		case *kernel.Store:
			touch(written, s.Array, runs)
		case *kernel.Call:
			for _, a := range s.Args {
				touch(read, a, int64(a.Len()))
			}
			touch(written, s.Array, int64(s.Array.Len()))
		}
	})
	for _, in := range []map[*kernel.Array]int64{read, written} {
		for _, elements := range in {
			out.Bytes += 8 * elements
		}
	}
	return out
}

// walk is [kernel.WalkRuns] without the runs of loops that need not be done. Inside is how often the
// body of a loop is run in all.
func (w *works) walk(body []kernel.Stmt, runs int64, out *Work, f func(s kernel.Stmt, runs, inside int64)) {
	w.left--
	for _, s := range body {
		l, ok := s.(*kernel.Loop)
		if !ok {
			f(s, runs, 0)
			continue
		}
		from, to, sure := w.span(l)
		out.Unsure = out.Unsure || !sure
		if f(s, runs, runs*(to-from)); from == to {
			continue
		}
		if !w.minded[l.Var] {
			w.walk(l.Body, runs*(to-from), out, f)
			continue
		}
		for i := from; i < to; i++ {
			if w.left < 0 {
				out.Unsure = true
				break
			}
			w.numbers[l.Var] = i
			w.walk(l.Body, runs, out, f)
		}
		delete(w.numbers, l.Var)
	}
}

// span are the runs of a loop that are done, from one up to another.
func (w *works) span(l *kernel.Loop) (from, to int64, sure bool) {
	if !w.native {
		return 0, int64(l.N), true
	}
	by := schedule.LimitingOf(l, w.exact, func(v *kernel.Value) bool { _, known := w.numbers[number(v)]; return known })
	first, last := schedule.Span(l.N, by, func(v *kernel.Value) (least, most int64, ok bool) {
		n := w.numbers[number(v)]
		return n, n, true
	})
	return int64(first), int64(last), len(by) == len(schedule.All(l, w.exact))
}
