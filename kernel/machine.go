package kernel

import (
	"fmt"

	"egad/term"
)

// concrete is an array with its elements, or a tuple.
type concrete = term.Value[float64]

// Machine runs a program, any number of times; one run at a time.
type Machine struct {
	prog   *Program
	block  int
	memory map[*Array]*memory
	steps  []step
}

// memory is an array's elements, in R if they are real, else in N.
type memory struct {
	R []float64
	N []int64
}

// step does a part of a run, for n lanes.
type step func(n int)

// maxMemory bounds the elements of all temporary arrays that are in use at once.
const maxMemory = 1 << 28

// Compile prepares a program for running. Block, [DefaultBlock] or any positive
// number, changes how fast it runs and nothing else. It fails if the temporary
// arrays take more than 2 GiB at one time.
func Compile(p *Program, block int) (*Machine, error) {
	m := &Machine{prog: p, block: block, memory: make(map[*Array]*memory)}
	for _, a := range p.Arrays {
		m.memory[a] = new(memory)
		if a.Role == Literal {
			m.memory[a].fill(a.Const, a)
		}
	}
	free, err := m.lifetimes()
	if err != nil {
		return nil, err
	}
	started := make(map[*Array]bool)
	for i, k := range p.Kernels {
		for _, a := range k.Writes() {
			if !started[a] {
				started[a] = true
				m.steps = append(m.steps, func(int) { m.memory[a].zero(a) })
			}
		}
		m.steps = append(m.steps, m.compile(k))
		for _, a := range free[i] {
			m.steps = append(m.steps, func(int) { *m.memory[a] = memory{} })
		}
	}
	return m, nil
}

// lifetimes lists the arrays that nobody needs after each kernel.
func (m *Machine) lifetimes() ([][]*Array, error) {
	last, result := make(map[*Array]int), make(map[*Array]bool)
	var results func(r Result)
	results = func(r Result) {
		if r.Array != nil {
			result[r.Array] = true
		}
		for _, p := range r.Parts {
			results(p)
		}
	}
	results(m.prog.Result)
	for i, k := range m.prog.Kernels {
		for _, a := range append(k.Reads(), k.Writes()...) {
			last[a] = i
		}
	}
	free := make([][]*Array, len(m.prog.Kernels))
	live := 0
	started := make(map[*Array]bool)
	for i, k := range m.prog.Kernels {
		for _, a := range k.Writes() {
			if !started[a] {
				started[a] = true
				live += a.Len()
			}
		}
		if live > maxMemory {
			return nil, fmt.Errorf("the kernels of %s need more than %d elements of memory at one time", m.prog.Name, maxMemory)
		}
		for _, a := range append(k.Reads(), k.Writes()...) {
			if a.Role == Temp && !result[a] && last[a] == i {
				last[a] = -1
				free[i] = append(free[i], a)
				live -= a.Len()
			}
		}
	}
	return free, nil
}

func (m *memory) zero(a *Array) {
	if a.Elem == term.R {
		m.R = make([]float64, a.Len())
	} else {
		m.N = make([]int64, a.Len())
	}
}

func (m *memory) fill(c *term.Const, a *Array) {
	m.zero(a)
	for i, s := range c.Data {
		if a.Elem == term.R {
			m.R[i] = s.Num.Float64()
		} else {
			m.N[i] = s.Int
		}
	}
}

// Run runs the program. Env gives every input a value of its type; the result
// may share memory with it.
func (m *Machine) Run(env term.Env[*term.Value[float64]]) (*term.Value[float64], error) {
	for _, a := range m.prog.Arrays {
		if a.Role != Input {
			continue
		}
		v, ok := env[a.Name]
		if !ok {
			return nil, fmt.Errorf("no value for input %s", a.Name)
		}
		if v.Elem != a.Elem || v.Len() != a.Len() {
			return nil, fmt.Errorf("input %s: %d elements of %s, expected %s", a.Name, v.Len(), v.Elem, typeText(a))
		}
		*m.memory[a] = memory{v.R, v.N}
	}
	for _, s := range m.steps {
		s(1)
	}
	return m.result(m.prog.Result), nil
}

func (m *Machine) result(r Result) *concrete {
	if r.Array == nil {
		v := &concrete{Parts: make([]*concrete, len(r.Parts))}
		for i, p := range r.Parts {
			v.Parts[i] = m.result(p)
		}
		return v
	}
	mem := m.memory[r.Array]
	return &concrete{Elem: r.Array.Elem, Shape: r.Array.Shape, R: mem.R, N: mem.N}
}

// Run lowers, compiles and runs a program.
func Run(p *term.Program, env term.Env[*term.Value[float64]]) (*term.Value[float64], error) {
	k, err := Lower(p)
	if err != nil {
		return nil, err
	}
	m, err := Compile(k, DefaultBlock)
	if err != nil {
		return nil, err
	}
	return m.Run(env)
}
