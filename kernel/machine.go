package kernel

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"egad/internal/interrupt"
	"egad/term"
)

// concrete is an array with its elements, or a tuple.
type concrete = term.Value[float64]

// Machine runs a program, any number of times. Goroutines may share one, and then
// wait for each other; machines of one program run at the same time.
type Machine struct {
	prog    *Program
	block   int
	memory  map[*Array]*memory
	steps   []step
	running sync.Mutex
	peak    int // elements of arrays in use at one time
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
	if p == nil {
		return nil, errors.New("there are no kernels: Lower makes them")
	}
	if block < 1 {
		return nil, fmt.Errorf("blocks of %d: a positive number is needed", block)
	}
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
	live := int64(0) // where an int has 32 bits as well
	started := make(map[*Array]bool)
	for i, k := range m.prog.Kernels {
		for _, a := range k.Writes() {
			if !started[a] {
				started[a] = true
				live += int64(a.Len())
			}
		}
		if live > maxMemory {
			return nil, fmt.Errorf("the kernels of %s need more than %d elements of memory at one time", m.prog.Name, maxMemory)
		}
		m.peak = max(m.peak, int(live))
		for _, a := range append(k.Reads(), k.Writes()...) {
			if a.Role == Temp && !result[a] && last[a] == i {
				last[a] = -1
				free[i] = append(free[i], a)
				live -= int64(a.Len())
			}
		}
	}
	return free, nil
}

// Memory is how many bytes the arrays that a run makes take at one time.
func (m *Machine) Memory() int64 {
	if m == nil {
		return 0
	}
	return 8 * int64(m.peak)
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

// Run runs the program. Env gives every input a value of its type, and nothing
// else a value (see [term.CheckEnv]); it is only read. The result shares no memory
// with env, with the results of other runs, or among its parts.
func (m *Machine) Run(env term.Env[*term.Value[float64]]) (*term.Value[float64], error) {
	if m == nil || m.prog == nil {
		return nil, errors.New("the machine has no program: Compile makes one")
	}
	var inputs []term.Input
	for _, a := range m.prog.Arrays {
		if a.Role == Input {
			inputs = append(inputs, term.Input{Name: a.Name, Type: a.typ()})
		}
	}
	if err := term.CheckEnv(inputs, env); err != nil {
		return nil, err
	}
	m.running.Lock()
	defer m.running.Unlock()
	defer m.release()
	for _, a := range m.prog.Arrays {
		if a.Role == Input {
			*m.memory[a] = memory{env[a.Name].R, env[a.Name].N}
		}
	}
	if err := m.compute(); err != nil {
		return nil, err
	}
	given := make(map[*Array]bool)
	return m.result(m.prog.Result, given), nil
}

// compute runs the steps, unless the process is to end before.
func (m *Machine) compute() (err error) {
	defer func() {
		if r := recover(); r == error(interrupt.ErrEnded) {
			err = interrupt.ErrEnded
		} else if r != nil {
			panic(r)
		}
	}()
	for _, s := range m.steps {
		poll()
		s(1)
	}
	return nil
}

// release forgets the inputs and the results of a run.
func (m *Machine) release() {
	for a, mem := range m.memory {
		if a.Role != Literal {
			*mem = memory{}
		}
	}
}

// result is a part of the result. The memory of an array that a run makes is
// given away once; else it is copied.
func (m *Machine) result(r Result, given map[*Array]bool) *concrete {
	if r.Array == nil {
		v := &concrete{Parts: make([]*concrete, len(r.Parts))}
		for i, p := range r.Parts {
			v.Parts[i] = m.result(p, given)
		}
		return v
	}
	mem := m.memory[r.Array]
	v := &concrete{Elem: r.Array.Elem, Shape: slices.Clone(r.Array.Shape), R: mem.R, N: mem.N}
	if r.Array.Role != Temp || given[r.Array] {
		v = v.Copy()
	}
	given[r.Array] = true
	return v
}

// Run lowers, compiles and runs a program.
func Run(p *term.Program, env term.Env[*term.Value[float64]]) (*term.Value[float64], error) {
	if err := p.Made(); err != nil {
		return nil, err
	}
	if err := term.CheckEnv(p.Inputs, env); err != nil {
		return nil, err
	}
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
