package egad

import (
	"runtime"
	"slices"
	"weak"

	"egad/fusion"
	"egad/internal/recent"
	"egad/kernel/machine"
	"egad/term"
)

// prepared is a program that was run, as long as there is its store.
type prepared struct {
	store   weak.Pointer[term.Store]
	root    uint32
	inputs  []term.Input
	machine *machine.Machine
}

// runs are the programs that were run last.
var runs = recent.List[*prepared]{Max: 64}

// Run runs a program by kernels. Env gives each leaf of each input (see
// [term.Input.Leaves]) a value of its type, and nothing else a value; it is only
// read. The result shares no memory with it, nor do its parts with each other.
// What was run lately is not compiled again; its memory is kept for the next run as
// long as the program is in use.
func Run(p *term.Program, env Env) (*Value, error) {
	if err := runnable(p, env); err != nil {
		return nil, err
	}
	store := weak.Make(p.Store)
	is := func(r *prepared) bool {
		return r.store == store && r.root == p.Root.ID && slices.EqualFunc(r.inputs, p.Inputs, func(a, b term.Input) bool {
			return a.Name == b.Name && a.Type.Equal(b.Type)
		})
	}
	r, ok := runs.Find(is)
	if !ok {
		m, err := fusion.Prepare(nil, p, nil, nil)
		if err != nil {
			return nil, err
		}
		r, _ = runs.Get(is, func() (*prepared, error) {
			runtime.AddCleanup(p.Store, func(store weak.Pointer[term.Store]) {
				runs.Drop(func(r *prepared) bool { return r.store == store })
			}, store)
			return &prepared{store, p.Root.ID, slices.Clone(p.Inputs), m}, nil
		})
	}
	return r.machine.Run(env)
}
