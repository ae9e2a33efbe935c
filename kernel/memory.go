package kernel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"egad/diag"
)

// DefaultMemory is how many bytes the arrays of a run may take if [Machine.Allow] says
// nothing else.
const DefaultMemory = 2 << 30

// MemoryError says that the arrays of a program take too much memory. Nothing was taken.
type MemoryError struct {
	Program        string
	Bytes, Allowed int64
	Largest        []*Array // that take it, at most three; an input is there as a copy
}

func (e *MemoryError) Error() string {
	var each []string
	for _, a := range e.Largest {
		copied := ""
		if a.Role == Input {
			copied = ", a copy of the input"
		}
		each = append(each, fmt.Sprintf("%s: %s (%s%s)", a.Name, a.typ(), diag.Bytes(8*int64(a.Len())), copied))
	}
	return fmt.Sprintf("the arrays of %s take %s of memory at a time, more than the %s that are allowed; the largest: %s",
		e.Program, diag.BytesOver(e.Bytes, e.Allowed), diag.Bytes(e.Allowed), strings.Join(each, ", "))
}

// Memory is how many bytes the arrays that kernels fill take at one time, by the plan
// that the interpreter follows.
func (p *Program) Memory() int64 {
	if p == nil {
		return 0
	}
	pl := newPlan(p)
	n := 8 * (pl.reals.end + pl.ints.end)
	for _, k := range p.Kernels {
		if k.Steps != nil {
			n += k.Steps.Step.Memory()
		}
	}
	return n
}

// largest are the n largest arrays that a program computes, those of its loops too, and of
// inputs if there are copies.
func (p *Program) largest(n int, copies bool) []*Array {
	var all, inputs []*Array
	for _, a := range p.Arrays {
		switch {
		case a.Role == Temp:
			all = append(all, a)
		case a.Role == Input && copies:
			inputs = append(inputs, a)
		}
	}
	for _, k := range p.Kernels {
		if k.Steps != nil {
			all = append(all, k.Steps.Step.largest(n, false)...)
		}
	}
	all = append(all, inputs...)
	slices.SortStableFunc(all, func(a, b *Array) int { return cmp.Compare(b.Len(), a.Len()) })
	return all[:min(n, len(all))]
}

// Allow says how many bytes the arrays of a run may take ([Machine.Memory]), and fails
// with a [*MemoryError] if they take more. Before the first run it is [DefaultMemory].
func (m *Machine) Allow(bytes int64) error {
	if m == nil || m.prog == nil {
		return errNoProgram
	}
	m.allowed = bytes
	return m.fits()
}

// fits checks that the memory of a run is allowed.
func (m *Machine) fits() error {
	if n := m.Memory(); n > m.allowed {
		return &MemoryError{m.prog.Name, n, m.allowed, m.prog.largest(3, m.native != nil)}
	}
	return nil
}
