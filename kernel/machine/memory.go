package machine

import (
	"fmt"
	"strings"

	"egad/diag"
	"egad/kernel"
	"egad/kernel/plan"
)

// DefaultMemory is how many bytes the arrays of a run may take if [Machine.Allow] says
// nothing else.
const DefaultMemory = 2 << 30

// MemoryError says that the arrays of a program take too much memory. Nothing was taken.
type MemoryError struct {
	Program        string
	Bytes, Allowed int64
	Largest        []*kernel.Array // that take it, at most three; an input is there as a copy
}

func (e *MemoryError) Error() string {
	var each []string
	for _, a := range e.Largest {
		copied := ""
		if a.Role == kernel.Input {
			copied = ", a copy of the input"
		}
		each = append(each, fmt.Sprintf("%s: %s (%s%s)", a.Name, a.Type(), diag.Bytes(8*int64(a.Len())), copied))
	}
	return fmt.Sprintf("the arrays of %s take %s of memory at a time, more than the %s that are allowed; the largest: %s",
		e.Program, diag.BytesOver(e.Bytes, e.Allowed), diag.Bytes(e.Allowed), strings.Join(each, ", "))
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
		return &MemoryError{m.prog.Name, n, m.allowed, plan.Largest(m.prog.Program, 3, m.Native())}
	}
	return nil
}
