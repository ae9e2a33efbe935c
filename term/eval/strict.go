package eval

import (
	"egad/diag"
	"egad/internal/raise"
	"egad/term"
	"egad/term/ops"
)

// CheckIndices evaluates a program, and reports an index that is out of range, with its
// place in the text, its value and the size of the axis. Only those that depend on
// inputs are looked at, of a[i], slices, gather and scatter: what index variables and
// sizes alone make out of range is meant to be, and index a [i] asks for it.
func CheckIndices[V any](p *term.Program, alg Algebra[V], env Env[V]) error {
	if len(p.Indices) == 0 {
		return nil
	}
	s, t, err := p.Store.Expanded(p.Root)
	if err != nil {
		return err
	}
	checked := make(map[uint32]term.Indexing)
	depends := make(map[uint32]bool)
	s.Walk(t, func(t term.Term) {
		op, kids := s.Op(t), s.Kids(t)
		depends[t.ID] = op.Sym == ops.SymVar || op.Sym == ops.SymLocal
		for _, k := range kids {
			depends[t.ID] = depends[t.ID] || depends[k.ID]
		}
		at, ok := p.Indices[t.ID]
		for _, k := range kids[min(1, len(kids)):] {
			if ok && depends[k.ID] {
				checked[t.ID] = at
			}
		}
	})
	if len(checked) == 0 {
		return nil
	}
	_, err = interpret(s, t, alg, env, checked)
	return err
}

// outside raises that an index of a node is out of range.
func (in *interpreter[V]) outside(id uint32, is []V) {
	at, ok := in.checked[id]
	if !ok {
		return
	}
	axes := in.store.Type(ref(in.store.Kids(ref(id))[0].ID)).Shape
	if op := in.store.Op(ref(id)); op.Sym == ops.SymScatter {
		axes = op.Targets
	}
	for k, v := range is {
		i, ok := any(v).(interface{ integer() int64 })
		size, known := axes[k].Const()
		if ok && known && (i.integer() < 0 || i.integer() >= size) {
			raise.Error(diag.Errorf(at.Src, at.At[k], "this index is out of range: it is %d, and axis %d has size %d", i.integer(), k, size))
		}
	}
}

// integer is the element of a scalar.
func (v *Value[S]) integer() int64 { return v.N[0] }
