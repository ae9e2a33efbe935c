package module

import (
	"fmt"
	"slices"

	"egad/internal/slice"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// Calls that are kept. Where a program is differentiated definition by definition (Coconut,
// Section 3), calls are not inlined: a definition at known sizes is an operator of the
// arrays that its arguments have, and so are its derivatives.

// Kept is a definition at known sizes that others call.
type Kept struct {
	// Program is the definition, in which calls are kept too. It is named as it is called:
	// as the definition is, or with its sizes, if there are several.
	Program *term.Program
	// Call is the operator of its calls. Its operands are the arrays of the arguments, and it
	// results in one array or in a tuple of arrays.
	Call ops.Sym

	keeper *keeper
}

// keeper keeps the calls of a program.
type keeper struct {
	mod   *Module
	by    map[string]*Kept // by definition and sizes; nil while it is made, or if it cannot be kept
	all   []*Kept          // those that are called first
	names term.NameSet
	own   map[*checkedDef]bool // whose own names are in use
}

// Whole instantiates a definition with all that it calls, by what it has of itself, as
// programs that call each other: those that are called come first. Inlined are calls that
// take or result in functions, linear maps or arrays without elements, calls of what has no
// parameters, and those within derivatives (of functions, and own ones).
func (m *Module) Whole(name string, sizes map[string]int64) ([]*Kept, error) {
	d, err := m.lookup(name)
	if err != nil {
		return nil, err
	}
	if _, err := m.Instantiate(name, sizes); err != nil {
		return nil, err
	}
	c := *m
	c.sig = m.sig.Clone()
	k := &keeper{mod: &c, by: make(map[string]*Kept), names: c.sig.Words(), own: make(map[*checkedDef]bool)}
	c.keeper = k
	for _, d := range m.all {
		k.names.Use(d.Name)
	}
	err = overflow.Guard(func() error {
		_, err := k.keep(d, sizes)
		return err
	})
	return k.all, err
}

// keep instantiates a definition, and makes it an operator.
func (k *keeper) keep(d *checkedDef, sizes map[string]int64) (*Kept, error) {
	key := d.Name
	if d.Prelude {
		key += "!"
	}
	name := d.Name
	for _, s := range d.sizes {
		n := fmt.Sprint(sizes[s])
		key, name = key+","+n, name+"_"+n
	}
	if old, met := k.by[key]; met {
		return old, nil
	}
	k.by[key] = nil
	p, err := k.mod.instantiate(d, sizes)
	if err != nil {
		return nil, err
	}
	if k.own[d] || d.Prelude && k.mod.user[d.Name] != nil {
		name = k.names.Like(name)
	} else {
		name = d.Name
	}
	k.own[d] = true
	p.Name = name
	if t := p.Store.Type(p.Root); t.Kind == types.KTuple && (len(t.Parts) == 1 || slices.ContainsFunc(t.Parts, func(p *types.Type) bool { return p.Kind == types.KTuple })) {
		p.Root = flatOf(p.Store, p.Root)
	}
	params := slice.Map(p.Inputs, func(in term.Input) *types.Type { return in.Type })
	kept := &Kept{Program: p, keeper: k}
	kept.Call = k.mod.sig.AddCall(name, params, p.Store.Type(p.Root))
	k.by[key] = kept
	k.all = append(k.all, kept)
	return kept, nil
}

// Like is a name for something else that is called, as hint if nothing is called so.
func (k *Kept) Like(hint string) string { return k.keeper.names.Like(hint) }

// Operator makes an operator of what is called so, with parameters of these types. The
// program can be printed as a definition that others call.
func (k *Kept) Operator(name string, params []*types.Type, result *types.Type) ops.Sym {
	return k.keeper.mod.sig.AddCall(name, params, result)
}

// Signature has the operators of all calls.
func (k *Kept) Signature() *term.Signature { return k.keeper.mod.sig }

// flatOf is the array of a tuple, or a tuple of all arrays in it.
func flatOf(s *term.Store, t term.Term) term.Term {
	var parts []term.Term
	var add func(t term.Term)
	add = func(t term.Term) {
		if s.Type(t).Kind != types.KTuple {
			parts = append(parts, t)
			return
		}
		for i := range s.Type(t).Parts {
			add(s.Proj(i, t))
		}
	}
	add(t)
	return s.Packed(parts)
}

// kept is the call of a definition as an operator; ok is false if it is inlined.
func (el *elaborator) kept(d *checkedDef, sizes map[string]size.Size, args []*val[term.Term]) (v *val[term.Term], ok bool) {
	if el.keeper == nil || el.nested > 0 || len(el.owns) > 0 {
		return nil, false
	}
	known := make(map[string]int64)
	for name, s := range sizes {
		n, ok := s.Const()
		if !ok {
			return nil, false
		}
		known[name] = n
	}
	var kids []term.Term
	whole := func(t *types.Type) bool { return t.Kind == types.KArray && !t.HasEmptyAxis() }
	for i, a := range args {
		if d.params[i] == nil {
			continue
		}
		if d.params[i].Has(types.KFun) || d.params[i].Has(types.KLin) {
			return nil, false
		}
		for _, x := range a.arrays(nil) {
			if !whole(el.typ(x.v)) {
				return nil, false
			}
			kids = append(kids, x.v)
		}
	}
	result := d.result.Subst(sizes)
	if len(kids) == 0 || result.Has(types.KFun) || result.Has(types.KLin) {
		return nil, false
	}
	leaves := (term.Input{Name: "", Type: result}).Leaves()
	for _, leaf := range leaves {
		if !whole(leaf.Type) {
			return nil, false
		}
	}
	k, err := el.keeper.keep(d, known)
	if err != nil || k == nil || len(leaves) == 0 {
		return nil, false // an error is found again where it is called
	}
	t, bad := el.make(ops.Op{Sym: k.Call}, nil, nil, kids)
	if bad != nil {
		return nil, false
	}
	arrays := el.split(t).arrays(nil)
	var nest func(t *types.Type) *val[term.Term]
	nest = func(t *types.Type) *val[term.Term] {
		if t.Kind != types.KTuple {
			first := arrays[0]
			arrays = arrays[1:]
			return first
		}
		return &val[term.Term]{tuple: true, parts: slice.Map(t.Parts, nest)}
	}
	return nest(result), true
}
