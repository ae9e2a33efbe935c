package kernel

import (
	"slices"

	"egad/kernel/vecmath"
	"egad/term/ops"
	"egad/term/types"
)

// twinned has arrays of numbers of which nobody needs but a function be what that makes of them, if a twin of
// it is computed where they are stored: as the cosine, which the derivative of a sum of sines needs later,
// takes little time beside the sine.
func (p *Program) twinned() {
	t := p.accessed()
	by := make(map[*Value]*Value)
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
		k.Body = remade(k.Body, make(map[*Value]bool), instead(by))
	}
}

// accessed looks through the kernels of a program.
func (p *Program) accessed() *accessed {
	t := &accessed{places: make(map[*Array][]storeIn), loads: make(map[*Array][]*Value), users: make(map[*Value][]*Value), whole: p.usedWhole()}
	for _, k := range p.Kernels {
		t.body(&k.Body)
	}
	return t
}

// accessed is where arrays are stored and loaded, and which values are computed of others.
type accessed struct {
	places map[*Array][]storeIn
	loads  map[*Array][]*Value
	users  map[*Value][]*Value // nil is one that is no value
	whole  map[*Array]bool     // is needed in another way
}

// storeIn is a store among statements.
type storeIn struct {
	body  *[]Stmt
	store *Store
}

func (t *accessed) body(body *[]Stmt) {
	for _, s := range *body {
		var by *Value
		switch s := s.(type) {
		case *Let:
			if by = s.Value; by.Kind == Load {
				t.loads[by.Array] = append(t.loads[by.Array], by)
			}
		case *Store:
			t.places[s.Array] = append(t.places[s.Array], storeIn{body, s})
		case *Loop:
			t.body(&s.Body)
		}
		for _, v := range uses(s) {
			t.users[v] = append(t.users[v], by)
		}
	}
}

// twin stores a function of what is stored in an array, and returns the loads of it, if that is a
// twin of one that is computed there.
func (t *accessed) twin(a *Array) []*Value {
	loads, at := t.loads[a], t.places[a]
	if a.Role != Temp || a.Elem != types.R || t.whole[a] || len(at) != 1 || at[0].store.Add || !at[0].store.each() || len(loads) == 0 {
		return nil
	}
	op, body, store := ops.Sym(0), at[0].body, at[0].store
	for _, v := range loads {
		for _, f := range t.users[v] {
			if v.Checked || f == nil || f.Kind != Compute || vecmath.Twins[f.Op].Family == nil || op != 0 && f.Op != op {
				return nil
			}
			op = f.Op
		}
	}
	x := store.Value
	is := func(of func(f *Value) bool) int {
		return slices.IndexFunc(*body, func(s Stmt) bool {
			let, ok := s.(*Let)
			return ok && let.Value.Kind == Compute && len(let.Value.Args) == 1 && of(let.Value)
		})
	}
	if op == 0 || is(func(f *Value) bool {
		of, _ := f.Twin()
		return of == x && vecmath.Twins[f.Op].Family == vecmath.Twins[op].Family
	}) < 0 {
		return nil
	}
	i := slices.IndexFunc(*body, func(s Stmt) bool { return s == store })
	function := realOf(op, x)
	store.Value = function
	*body = slices.Insert(*body, i, Stmt(&Let{function}))
	return loads
}

// Twin is the number of which, or of whose negative, v is a function.
func (v *Value) Twin() (of *Value, negative bool) {
	of = v.Args[0]
	if of.Kind == Compute && of.Op == ops.SymNeg {
		return of.Args[0], true
	}
	return of, false
}
