package kernel

import (
	"egad/internal/interrupt"
	"egad/slot"
	"egad/term"
)

// Steps runs a program again and again: it makes the states of a loop, each of the
// one before.
type Steps struct {
	// Outer are the ranges of the index variables on which the states depend, and N is
	// the number of steps.
	Outer []int
	N     int
	// Step is the program of one step. It results in the next state.
	Step *Program
	// States are the arrays of all states, one for each array of a state, with the axes
	// Outer, N + 1, and its own.
	States []*Array
	// Inputs tell what the inputs of Step are, in order.
	Inputs []StepInput
}

// StepInput is what an input of a step is: an array from outside, an array of the
// state, or the value of a variable, those of Steps.Outer and after them the number of
// the step. The numbers of states and variables begin with 1.
type StepInput struct {
	Array    *Array
	State    int
	Variable int
}

// reads lists the arrays from outside.
func (s *Steps) reads() []*Array {
	out := append([]*Array{}, s.States...)
	for _, in := range s.Inputs {
		if in.Array != nil {
			out = append(out, in.Array)
		}
	}
	return out
}

// runs is how often the step is run.
func (s *Steps) runs() int64 {
	n := int64(s.N)
	for _, k := range s.Outer {
		n *= int64(k)
	}
	return n
}

// stepping is a loop whose step is lowered when the rest is.
type stepping struct {
	*Steps
	prog  *term.Program
	nodes []*node // of the inputs that are arrays from outside, else nil
}

// loop makes the kernels of node n, all states of a loop: of the arrays that have been
// asked for, and the others.
func (l *lowering) loop(n *node, outer []int) {
	t := term.Term{ID: n.id, Args: l.store.FreshN(len(outer))}
	v := l.store.OpenWith(t, l.store.FreshN(2))
	shape := constShape(v.Op.Sizes)
	s := &stepping{Steps: &Steps{Outer: outer, N: shape[0]}}
	types := l.arrays(l.typ(n.id))
	arrays := l.states[n.id]
	for k, typ := range types {
		a := arrays[k]
		if a == nil {
			a = &Array{Elem: typ.Elem, Shape: append(outer[:len(outer):len(outer)], constShape(typ.Shape)...), Role: Temp, Range: term.AnyInt}
			l.made = append(l.made, made{n.id, a})
		}
		s.States = append(s.States, a)
	}
	l.nests = append(l.nests, &nest{l: l, steps: s})
	// The first state is stored before.
	begin, slots := l.kids(n.id)[0], len(outer)
	for k, a := range s.States {
		nest := l.nest(a)
		at := nest.addLoops(outer, Parallel)
		id, from := begin.ID, kidSlots(begin.Args, at, nil)
		if len(types) > 1 || l.typ(id).Kind == term.KTuple {
			part := l.kids(id)[k]
			id, from = part.ID, kidSlots(part.Args, from, nil)
		}
		rest := nest.addLoops(a.Shape[slots+1:], Parallel)
		nest.target = append(append(at, nest.b.int(0)), rest...)
		nest.value = nest.element(id, from, rest, nil)
	}
	l.step(s, v, t)
}

// arrays are the types of the arrays of a state, or of all states.
func (l *lowering) arrays(t *term.Type) []*term.Type {
	if t.Kind == term.KTuple {
		return t.Parts
	}
	return []*term.Type{t}
}

// step makes the program of a step, whose inputs are the variables, the state, and
// what is computed before the loop: that does not depend on them.
func (l *lowering) step(s *stepping, v term.View, t term.Term) {
	st := l.store
	input := func(hint string, typ *term.Type, in StepInput, n *node) term.Term {
		name := l.namer.used.Like(hint)
		s.prog.Inputs = append(s.prog.Inputs, term.Input{Name: name, Type: typ})
		s.Inputs = append(s.Inputs, in)
		s.nodes = append(s.nodes, n)
		return st.Var(name, typ)
	}
	s.prog = &term.Program{Store: st, Name: l.out.Name, Names: l.namer.hints, Index: l.namer.index}
	env := make(map[slot.Name]term.Term)
	for i, a := range append(t.Args[:len(t.Args):len(t.Args)], v.Binders[0]) {
		env[a] = input("i", term.ArrayOf(term.I), StepInput{Variable: i + 1}, nil)
	}
	var parts []term.Term
	for k, typ := range l.arrays(v.Op.Type) {
		parts = append(parts, input("s", typ, StepInput{State: k + 1}, nil))
	}
	if env[v.Binders[1]] = parts[0]; v.Op.Type.Kind == term.KTuple {
		env[v.Binders[1]] = st.Apply(term.SymTuple, parts...)
	}
	own := make(map[string]bool) // the names of the inputs so far
	for _, in := range s.prog.Inputs {
		own[in.Name] = true
	}
	body := st.Subst(v.Kids[1], env)
	depends := make(map[uint32]bool)
	st.Walk(body, func(u term.Term) {
		op := st.Op(u)
		d := op.Sym == term.SymVar && own[op.Name]
		for _, k := range st.Kids(u) {
			d = d || depends[k.ID]
		}
		depends[u.ID] = d
	})
	s.prog.Root = st.Replace(body, func(u term.Term) (term.Term, bool) {
		op, typ := st.Op(u), st.Type(u)
		switch {
		case depends[u.ID] || len(u.Args) > 0 || typ.Kind != term.KArray:
			return u, false
		case op.Sym == term.SymVar:
			return input(op.Name, typ, StepInput{Array: l.inputs[op.Name]}, nil), true
		case l.view(u.ID):
			return u, false
		}
		n := l.node(u.ID)
		n.kept = true
		return input(op.Name, typ, StepInput{}, n), true
	})
}

// resolve sets the arrays from outside, which are known now.
func (s *stepping) resolve() {
	for i, n := range s.nodes {
		if n != nil {
			s.Inputs[i].Array = n.array
		}
	}
}

// lower makes the kernels of the step, whose arrays are not called like those that
// have names.
func (s *stepping) lower(used term.NameSet) error {
	ranges := make(map[string]term.Range)
	for i, in := range s.Inputs {
		if v := in.Variable; v > 0 {
			n := append(s.Outer[:len(s.Outer):len(s.Outer)], s.N)[v-1]
			ranges[s.prog.Inputs[i].Name] = term.Range{Hi: int64(max(n-1, 0))}
		} else if in.Array != nil {
			ranges[s.prog.Inputs[i].Name] = in.Array.Range
		}
	}
	p, err := lower(s.prog, ranges, used)
	if err != nil {
		return err
	}
	s.Step = p
	k := 0
	for _, a := range p.Arrays {
		if a.Role == Input {
			if from := s.Inputs[k].Array; from != nil {
				a.Name = from.Name
			}
			k++
		}
	}
	return nil
}

// machines prepares the steps of loops for running.
func (m *Machine) machines() error {
	m.loops = make(map[*Steps]*Machine)
	for _, k := range m.prog.Kernels {
		if k.Steps == nil {
			continue
		}
		sub, err := Compile(k.Steps.Step, m.block)
		if err != nil {
			return err
		}
		m.loops[k.Steps] = sub
	}
	return nil
}

// loop makes a step that runs a loop.
func (x *instance) loop(s *Steps, m *Machine) step {
	body, err := m.instance()
	if err != nil {
		panic(err)
	}
	in, out := make([]Elements, len(s.Inputs)), make([]Elements, len(s.States))
	variables := make([]int64, len(s.Outer)+1)
	row := func(k, i int) Elements {
		e, n := *x.memory[s.States[k]], m.results[k].Len()
		if e.R != nil {
			return Elements{R: e.R[i*n : (i+1)*n : (i+1)*n]}
		}
		return Elements{N: e.N[i*n : (i+1)*n : (i+1)*n]}
	}
	rounds := 1
	for _, n := range s.Outer {
		rounds *= n
	}
	return func(int) {
		for round := range rounds {
			rest := round
			for j := len(s.Outer) - 1; j >= 0; j-- {
				variables[j], rest = int64(rest%s.Outer[j]), rest/s.Outer[j]
			}
			for i := range s.N {
				variables[len(s.Outer)] = int64(i)
				at := round*(s.N+1) + i
				for k, from := range s.Inputs {
					switch {
					case from.Array != nil:
						in[k] = *x.memory[from.Array]
					case from.State > 0:
						in[k] = row(from.State-1, at)
					default:
						in[k] = Elements{N: variables[from.Variable-1 : from.Variable]}
					}
				}
				for k := range out {
					out[k] = row(k, at+1)
				}
				if body.run(out, in) != nil {
					panic(interrupt.ErrEnded)
				}
			}
		}
	}
}
