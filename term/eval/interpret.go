package eval

import (
	"encoding/binary"
	"errors"
	"fmt"

	"egad/internal/memo"
	"egad/internal/raise"
	"egad/slot"
	"egad/term"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// Interpret gives the meaning of t in alg. A subterm is evaluated once for each
// binding of the index variables that occur in it: what a term shares is shared,
// and what does not depend on a loop is evaluated once outside it. Declared
// operators are evaluated by their meanings, if alg does not take them as a whole.
//
// A value that can be copied (as [Value.Copy]) is: the result shares no memory with
// env, nor do its parts with each other. Env and the store are only read.
//
// A term with free index variables has no value, nor one whose arrays have more
// than [MaxTotalElements] elements together.
func Interpret[V any](s *term.Store, t term.Term, alg Algebra[V], env Env[V]) (V, error) {
	var zero V
	if _, ok := alg.(Wholly[V]); !ok {
		var err error
		if s, t, err = s.Expanded(t); err != nil {
			return zero, err
		}
	}
	return interpret(s, t, alg, env, nil)
}

// interpret is Interpret without declared operators, unless alg takes them as a whole; the
// indices of some nodes are checked.
func interpret[V any](s *term.Store, t term.Term, alg Algebra[V], env Env[V], checked map[uint32]term.Indexing) (v V, err error) {
	defer raise.Caught(&err)
	in := newInterpreter(s, t, alg)
	in.env, in.checked = env, checked
	in.checkEnv()
	root := &frame[V]{}
	v = in.eval(t.ID, nil, root, root)
	if c, ok := any(v).(interface{ Copy() V }); ok {
		v = c.Copy()
	}
	return v, nil
}

// newInterpreter is ready to evaluate t, which is not too large, once it has its inputs.
func newInterpreter[V any](s *term.Store, t term.Term, alg Algebra[V]) *interpreter[V] {
	if len(t.Args) > 0 {
		raise.Error(errors.New("a term with free index variables has no value"))
	}
	in := &interpreter[V]{store: s, alg: alg, uses: make(map[uint32]int)}
	in.chooser, _ = alg.(Chooser[V])
	in.wholly, _ = alg.(Wholly[V])
	in.count(t.ID)
	if in.total > MaxTotalElements {
		raise.Error(fmt.Errorf("the arrays of the program have more than the %d elements together that are allowed", MaxTotalElements))
	}
	return in
}

// ref is a node by itself, whatever its slots stand for.
func ref(id uint32) term.Term { return term.Term{ID: id} }

// checkEnv reports inputs without a value, or with one that is not of their type, where
// values are arrays.
func (in *interpreter[V]) checkEnv() {
	for _, id := range in.inputs {
		name, typ := in.store.Op(ref(id)).Name, in.store.Type(ref(id))
		v, ok := in.env[name]
		if !ok {
			raise.Error(noValue(name, typ))
		}
		if a, ok := any(v).(interface {
			check(string, *types.Type) error
		}); ok && typ.Kind == types.KArray {
			raise.Error(a.check(name, typ))
		}
	}
}

// Elements returns how many elements the arrays that [Interpret] makes have together,
// at most; beyond [MaxTotalElements] it is no more exact.
func Elements(s *term.Store, t term.Term) (int64, error) {
	s, t, err := s.Expanded(t)
	if err != nil {
		return 0, err
	}
	in := &interpreter[*Value[float64]]{store: s, uses: make(map[uint32]int)}
	in.count(t.ID)
	return in.total, nil
}

type interpreter[V any] struct {
	store *term.Store
	alg   Algebra[V]
	// chooser is alg if it needs not all operands, else nil.
	chooser Chooser[V]
	// wholly is alg if it takes operators as a whole, else nil.
	wholly Wholly[V]
	closer *closer
	env    Env[V]
	uses   map[uint32]int // how many children are this node, over the whole term
	inputs []uint32       // the nodes that are inputs
	total  int64          // elements of the arrays of all nodes
	// checked are the nodes whose indices must be in range.
	checked map[uint32]term.Indexing
	serial  uint64
}

// MaxTotalElements bounds the arrays of one evaluation: 4 GiB of float64. Of
// each node there is at most one array at a time, but for copies.
const MaxTotalElements = 1 << 29

// frame is one run of a binder's body.
type frame[V any] struct {
	memo map[string]V
	// first is the least serial of the variables bound by this run.
	first uint64
}

// binding is the value of an index variable in one run of its binder.
type binding[V any] struct {
	value  V
	serial uint64
	frame  *frame[V]
}

func (in *interpreter[V]) count(id uint32) {
	in.uses[id]++
	if in.uses[id] > 1 {
		return
	}
	if in.store.Op(ref(id)).Sym == ops.SymVar {
		in.inputs = append(in.inputs, id)
	}
	if t := in.store.Type(ref(id)); t.Kind == types.KArray && in.total <= MaxTotalElements {
		// What has no shape is refused where it is made.
		if _, elements, err := types.ShapeOf(t, types.MaxElements); err == nil {
			in.total += int64(elements)
		}
	}
	for _, k := range in.store.Kids(ref(id)) {
		in.count(k.ID)
	}
}

// eval evaluates node id whose free slots are bound as slots says. The result is
// remembered in the frame of its innermost variable if somebody may ask again.
func (in *interpreter[V]) eval(id uint32, slots []binding[V], root, current *frame[V]) V {
	if len(in.store.Kids(ref(id))) == 0 {
		return in.leaf(id, slots)
	}
	home := root
	for _, b := range slots {
		if b.frame.first >= home.first {
			home = b.frame
		}
	}
	if home == current && in.uses[id] == 1 {
		return in.apply(id, slots, root, current)
	}
	var buf [64]byte
	key := binary.AppendUvarint(buf[:0], uint64(id))
	for _, b := range slots {
		key = binary.AppendUvarint(key, b.serial)
	}
	if v, ok := home.memo[string(key)]; ok {
		return v
	}
	v := in.apply(id, slots, root, home)
	memo.Set(&home.memo, string(key), v)
	return v
}

func (in *interpreter[V]) leaf(id uint32, slots []binding[V]) V {
	op := in.store.Op(ref(id))
	switch op.Sym {
	case ops.SymIvar, ops.SymLocal:
		return slots[0].value
	case ops.SymVar:
		return in.env[op.Name]
	}
	return raise.Must(in.alg.Apply(op, nil, nil, in.store.Type(ref(id))))
}

// apply evaluates the children of a node, and applies its operator.
func (in *interpreter[V]) apply(id uint32, slots []binding[V], root, current *frame[V]) V {
	op, typ, kids := in.store.Op(ref(id)), in.store.Type(ref(id)), in.store.Kids(ref(id))
	// The children that no binder scopes over.
	o := in.store.Signature().Operator(op.Sym)
	if (o.Binds() || o.Declared != nil) && in.wholly != nil && in.wholly.Whole(op) {
		return in.whole(id, slots, root, current)
	}
	outer := make([]V, 0, len(kids))
	inner := 0
	for i, k := range kids {
		if o.Under(i) {
			break
		}
		if i == 1 && in.chooser != nil && in.chooser.Chooses(op) {
			k := kids[in.chooser.Choose(op, outer[0])]
			return in.eval(k.ID, slot.Names(k.Args, slots, nil), root, current)
		}
		outer = append(outer, in.eval(k.ID, slot.Names(k.Args, slots, nil), root, current))
		inner++
	}
	if !o.Binds() {
		if len(outer) > 1 && in.checked != nil {
			in.outside(id, outer[1:])
		}
		return raise.Must(in.alg.Apply(op, outer, nil, typ))
	}
	valued(op.Sizes)
	return raise.Must(in.alg.Apply(op, outer, func(is []int64, others ...V) []V {
		bound := make([]V, len(is), len(is)+len(others))
		for i, v := range is {
			bound[i] = in.alg.Int(v)
		}
		out := in.body(id, inner, slots, append(bound, others...), root, current)
		if in.checked != nil {
			in.outside(id, out)
		}
		return out
	}, typ))
}

// whole evaluates a node as a program of its operands.
func (in *interpreter[V]) whole(id uint32, slots []binding[V], root, current *frame[V]) V {
	if in.closer == nil {
		in.closer = &closer{work: in.store.Clone(), known: make(map[uint32]*closed)}
	}
	c := in.closer.of(id)
	kids := make([]V, len(c.kids))
	for i, k := range c.kids {
		kids[i] = in.eval(k.ID, slot.Names(k.Args, slots, nil), root, current)
	}
	return raise.Must(in.wholly.ApplyWhole(c.program, kids))
}

// body evaluates the children from number inner on, with the node's binders
// bound to values in a new frame.
func (in *interpreter[V]) body(id uint32, inner int, slots []binding[V], values []V, root, current *frame[V]) []V {
	var bound []binding[V]
	if len(values) > 0 {
		f := &frame[V]{first: in.serial + 1}
		bound = make([]binding[V], len(values))
		for i, v := range values {
			in.serial++
			bound[i] = binding[V]{v, in.serial, f}
		}
		current = f
	}
	kids := in.store.Kids(ref(id))[inner:]
	out := make([]V, 0, len(kids))
	for _, k := range kids {
		out = append(out, in.eval(k.ID, slot.Names(k.Args, slots, bound), root, current))
	}
	return out
}

// valued raises an error if a size has no value.
func valued(ss []size.Size) {
	for _, s := range ss {
		if c, ok := s.Const(); !ok || c < 0 {
			raise.Error(fmt.Errorf("size %s has no value", s))
		}
	}
}
