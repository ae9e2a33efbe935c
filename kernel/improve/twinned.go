package improve

import (
	"maps"
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
		t.twin(a, by)
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

// twin stores a function of what is stored in an array, by the loads of which it is, if that is a twin of one that
// is computed there.
func (t *accessed) twin(a *kernel.Array, by map[*kernel.Value]*kernel.Value) {
	loads, at := t.loads[a], t.places[a]
	if a.Role != kernel.Temp || a.Elem != types.R || t.whole[a] || len(at) != 1 || at[0].store.Add || !sparsity.IsEach(at[0].store) || len(loads) == 0 {
		return
	}
	var is *kernel.Value // a function of what is loaded, as all are
	all, runs := make(map[*kernel.Value]*kernel.Value), 0
	for _, v := range loads {
		for _, f := range t.functions(v) {
			if v.Checked || f == nil || f.Kind != kernel.Compute || vecmath.Twins[f.Op].Family == nil || is != nil && (f.Op != is.Op || negative(f) != negative(is)) {
				return
			}
			is = f
			all[f] = v
			runs += t.runs[f]
		}
	}
	body, store := at[0].body, at[0].store
	if is == nil || runs < a.Len() || !slices.ContainsFunc(*body, func(s kernel.Stmt) bool {
		let, ok := s.(*kernel.Let)
		if !ok || let.Value.Kind != kernel.Compute || vecmath.Twins[let.Value.Op].Family != vecmath.Twins[is.Op].Family {
			return false
		}
		of, _ := let.Value.Twin()
		return of == store.Value
	}) {
		return
	}
	i := slices.IndexFunc(*body, func(s kernel.Stmt) bool { return s == store })
	values := []*kernel.Value{store.Value}
	if negative(is) {
		values = append(values, kernel.RealOf(ops.SymNeg, store.Value))
	}
	values = append(values, kernel.RealOf(is.Op, values[len(values)-1]))
	store.Value = values[len(values)-1]
	for _, v := range values[1:] {
		*body = slices.Insert(*body, i, kernel.Stmt(&kernel.Let{Value: v}))
		i++
	}
	maps.Copy(by, all)
}

// functions are what is computed of a value, or of its negative if that is all that is.
func (t *accessed) functions(v *kernel.Value) []*kernel.Value {
	var out []*kernel.Value
	for _, f := range t.users[v] {
		if f != nil && f.Kind == kernel.Compute && f.Op == ops.SymNeg {
			out = append(out, t.users[f]...)
		} else {
			out = append(out, f)
		}
	}
	return out
}

// negative reports whether a function is of the negative of a value.
func negative(f *kernel.Value) bool {
	_, yes := f.Twin()
	return yes
}
