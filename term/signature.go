package term

import (
	"fmt"
	"maps"
	"slices"

	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// Signature is the set of operators that a [Store] knows: the built-in ones and
// those that a user's file declares.
type Signature struct {
	ops      []*ops.Operator
	byName   map[string]*ops.Operator
	meanings map[ops.Sym]Meaning // of the declared ones
	// Deriver derives the functions that a program applies grad and the like to; nil if
	// there are no rules to do so.
	Deriver Deriver
	// Functional makes what types the functional programs among definitions, while these are
	// being loaded; nil if there are to be none.
	Functional func(defs Definitions, sig *Signature) Functional
	// Plain says that whole real numbers are written without a point, as by a language that a
	// file declares, of which the operators mean the declared ones.
	Plain bool
}

// NewSignature returns the built-in operators.
func NewSignature() *Signature {
	g := &Signature{ops: ops.Builtins(), byName: make(map[string]*ops.Operator)}
	for _, o := range g.All() {
		g.byName[o.Name] = o
	}
	return g
}

// Operator returns the entry of s.
func (g *Signature) Operator(s ops.Sym) *ops.Operator { return g.ops[s] }

// Lookup finds an operator by name.
func (g *Signature) Lookup(name string) (*ops.Operator, bool) {
	o, ok := g.byName[name]
	return o, ok
}

// All lists the operators in the order of their Syms, without SymNone.
func (g *Signature) All() []*ops.Operator { return g.ops[1:] }

// Meaning is what a declared operator means.
type Meaning interface {
	// Operands returns the types of the operands where the list of sizes has so many.
	Operands(rank int) []*types.Type
	// Apply makes the term that the operator is of operands, at the sizes that these have.
	Apply(s *Store, sizes map[string]size.Size, rank int, operands []Term) Term
}

// MaxDeclared bounds the operators and linear maps that rule files declare.
const MaxDeclared = 200

// Full reports whether no more operators can be declared.
func (g *Signature) Full() bool { return len(g.ops) >= len(ops.Builtins())+MaxDeclared }

// AddDeclared adds a declared operator, and its map if it is linear. In the types of its operands
// and of its result a size whose name ends in three dots stands for the list of sizes.
func (g *Signature) AddDeclared(d *ops.Declared, operands []*types.Type, result *types.Type, m Meaning) {
	d.Op = g.add(d.Descriptor(operands, result))
	if g.meanings == nil {
		g.meanings = make(map[ops.Sym]Meaning)
	}
	g.meanings[d.Op] = m
	if d.Linear {
		o := g.Operator(d.Op)
		d.Map = g.add(ops.MapOf(o))
		o.Map = d.Map
	}
}

// HasDeclared reports whether there are declared operators.
func (g *Signature) HasDeclared() bool { return len(g.meanings) > 0 }

// Meaning returns what a declared operator means, nil of others.
func (g *Signature) Meaning(s ops.Sym) Meaning { return g.meanings[s] }

func (g *Signature) add(o ops.Operator) ops.Sym {
	s := ops.Sym(len(g.ops))
	g.ops = append(g.ops, o.At(s))
	g.byName[o.Name] = g.ops[s]
	return s
}

// Clone returns a signature to which operators can be added that g does not get.
func (g *Signature) Clone() *Signature {
	c := *g
	c.ops, c.byName, c.meanings = slices.Clip(g.ops), maps.Clone(g.byName), maps.Clone(g.meanings)
	return &c
}

// CallName is how rules write the operator of a call. No text of a user can.
func CallName(s ops.Sym) string { return fmt.Sprintf("call'%d", s) }

// AddCall adds the operator of calls of a definition with parameters of these types.
func (g *Signature) AddCall(name string, params []*types.Type, result *types.Type) ops.Sym {
	s := ops.Sym(len(g.ops))
	o := ops.CallOf(name, params, result)
	g.ops = append(g.ops, o.At(s))
	g.byName[CallName(s)] = g.ops[s]
	return s
}

// Binders returns how many variables op binds in its children.
func (g *Signature) Binders(op ops.Op) int { return g.ops[op.Sym].Binders(op) }

// Under reports whether the binders of op scope over child number kid.
func (g *Signature) Under(op ops.Op, kid int) bool { return g.ops[op.Sym].Under(kid) }
