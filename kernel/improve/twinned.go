package improve

import (
	"slices"

	"egad/kernel"
	"egad/kernel/sparsity"
	"egad/kernel/vecmath"
	"egad/term/ops"
	"egad/term/types"
)

// twinned has arrays of numbers of which nobody needs but a function be what that makes of them, if a twin of
// it is computed where they are stored: as the cosine, which the derivative of a sum of sines needs later,
// takes little time beside the sine. It is computed no more often so.
func twinned(p *kernel.Program) {
	t := accessedIn(p)
	by := make(map[*kernel.Value]*kernel.Value)
	for _, a := range p.Arrays {
		for _, load := range t.twin(a) {
			for _, f := range t.users[load] {
				by[f] = load
			}
		}
	}
	if len(by) == 0 {
		return
	}
	for _, k := range p.Kernels {
		k.Body = kernel.MapValues(k.Body, make(map[*kernel.Value]bool), kernel.Substitute(by))
	}
}

// accessedIn looks through the kernels of a program.
func accessedIn(p *kernel.Program) *accessed {
	t := &accessed{places: make(map[*kernel.Array][]storeIn), loads: make(map[*kernel.Array][]*kernel.Value), users: make(map[*kernel.Value][]*kernel.Value), runs: make(map[*kernel.Value]int), whole: p.UsedWhole()}
	for _, k := range p.Kernels {
		t.body(&k.Body, 1)
	}
	return t
}

// accessed is where arrays are stored and loaded, and which values are computed of others.
type accessed struct {
	places map[*kernel.Array][]storeIn
	loads  map[*kernel.Array][]*kernel.Value
	users  map[*kernel.Value][]*kernel.Value // nil is one that is no value
	runs   map[*kernel.Value]int             // how often they are computed
	whole  map[*kernel.Array]bool            // is needed in another way
}

// storeIn is a store among statements.
type storeIn struct {
	body  *[]kernel.Stmt
	store *kernel.Store
}

// body looks through statements that are run so often.
func (t *accessed) body(body *[]kernel.Stmt, runs int) {
	for _, s := range *body {
		var by *kernel.Value
		switch s := s.(type) {
		case *kernel.Let:
			t.runs[s.Value] = runs
			if by = s.Value; by.Kind == kernel.Load {
				t.loads[by.Array] = append(t.loads[by.Array], by)
			}
		case *kernel.Store:
			t.places[s.Array] = append(t.places[s.Array], storeIn{body, s})
		case *kernel.Loop:
			t.body(&s.Body, runs*s.N)
		}
		for _, v := range kernel.Uses(s) {
			t.users[v] = append(t.users[v], by)
		}
	}
}

// twin stores a function of what is stored in an array, and returns the loads of it, if that is a
// twin of one that is computed there.
func (t *accessed) twin(a *kernel.Array) []*kernel.Value {
	loads, at := t.loads[a], t.places[a]
	if a.Role != kernel.Temp || a.Elem != types.R || t.whole[a] || len(at) != 1 || at[0].store.Add || !sparsity.IsEach(at[0].store) || len(loads) == 0 {
		return nil
	}
	op, runs, body, store := ops.Sym(0), 0, at[0].body, at[0].store
	for _, v := range loads {
		for _, f := range t.users[v] {
			if v.Checked || f == nil || f.Kind != kernel.Compute || vecmath.Twins[f.Op].Family == nil || op != 0 && f.Op != op {
				return nil
			}
			op = f.Op
			runs += t.runs[f]
		}
	}
	x := store.Value
	is := func(of func(f *kernel.Value) bool) int {
		return slices.IndexFunc(*body, func(s kernel.Stmt) bool {
			let, ok := s.(*kernel.Let)
			return ok && let.Value.Kind == kernel.Compute && len(let.Value.Args) == 1 && of(let.Value)
		})
	}
	if op == 0 || runs < a.Len() || is(func(f *kernel.Value) bool {
		of, _ := f.Twin()
		return of == x && vecmath.Twins[f.Op].Family == vecmath.Twins[op].Family
	}) < 0 {
		return nil
	}
	i := slices.IndexFunc(*body, func(s kernel.Stmt) bool { return s == store })
	function := kernel.RealOf(op, x)
	store.Value = function
	*body = slices.Insert(*body, i, kernel.Stmt(&kernel.Let{Value: function}))
	return loads
}
