package term

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// Program is one definition at known sizes: calls are inlined, scalars are
// replicated where arrays are needed, and no subterm has an axis of size 0.
type Program struct {
	Store  *Store
	Name   string
	Inputs []Input
	Root   Term
	// Result is the type of the result as its definition declares it, if that has sums.
	Result *types.Type
	// Names are the names that lets and parameters gave to nodes. A named node
	// is an atom: somebody thought it worth a name.
	Names map[uint32]Hint
	// Index names the index variables that range over a size.
	Index *IndexNames
	Sizes map[string]int64
	// Indices tells where the text has the indices of nodes: see [eval.CheckIndices].
	Indices map[uint32]Indexing
}

// ResultText is the type of the result as the program writes it.
func (p *Program) ResultText() string {
	if p.Result != nil {
		return p.Result.Written()
	}
	return p.Store.Type(p.Root).Written()
}

// Made returns an error if p is nil or was not made: the zero value is no program.
func (p *Program) Made() error {
	if p == nil || p.Store == nil || p.Root.ID == 0 || int(p.Root.ID) >= len(p.Store.nodes) {
		return errors.New("there is no program: Module.Instantiate and the derivations make one")
	}
	return nil
}

// HasLoops reports whether there is a loop in the program.
func (p *Program) HasLoops() bool {
	return p.Store.Contains(p.Root, func(t Term) bool { return p.Store.Op(t).Sym == ops.SymStates })
}

// HasCalls reports whether there are calls in the program that are kept.
func (p *Program) HasCalls() bool {
	return p.Store.Contains(p.Root, func(t Term) bool { return p.Store.Signature().Operator(p.Store.Op(t).Sym).Call })
}

// HasMaps reports whether there are linear maps in the program.
func (p *Program) HasMaps() bool {
	return p.Store.Contains(p.Root, func(t Term) bool { return p.Store.Type(t).Has(types.KLin) })
}

// AppliesMaps reports whether there are linear maps in the program and all that is
// done with them is to apply them: none is an input, in the result, or an operand
// of lreached.
func (p *Program) AppliesMaps() bool {
	if !p.HasMaps() || p.Store.Type(p.Root).Has(types.KLin) || slices.ContainsFunc(p.Inputs, func(in Input) bool { return in.Type.Has(types.KLin) }) {
		return false
	}
	return !p.Store.Contains(p.Root, func(t Term) bool { return p.Store.Op(t).Sym == ops.SymLreached })
}

// Clone returns p in a store of its own: what is done to it does not change p.
func (p *Program) Clone() *Program {
	q := *p
	q.Store = p.Store.Clone()
	return &q
}

// Input is a parameter of a program. The leaves of a tuple x are the named
// inputs x.0, x.1, ….
type Input struct {
	Name string
	Type *types.Type
}

// Leaves lists the named inputs an input stands for, with their types.
func (in Input) Leaves() []Input {
	if in.Type.Kind != types.KTuple {
		return []Input{in}
	}
	return Leaves(in.Components())
}

// Leaves lists the leaves of all of some inputs.
func Leaves(ins []Input) []Input {
	var out []Input
	for _, in := range ins {
		out = append(out, in.Leaves()...)
	}
	return out
}

// Components returns the parts of a tuple x, as inputs x.0, x.1, …
func (in Input) Components() []Input {
	return slice.Make(len(in.Type.Parts), func(i int) Input { return Input{fmt.Sprintf("%s.%d", in.Name, i), in.Type.Parts[i]} })
}

// Expand returns the program with the meanings of declared operators in their place
// where which says so; nil is everywhere.
func (p *Program) Expand(which func(Term) bool) (*Program, error) {
	if !p.Store.sig.HasDeclared() {
		return p, nil
	}
	out := *p
	err := overflow.Guard(func() error {
		var became map[uint32]Term
		out.Root, became = p.Store.expand(p.Root, which)
		out.Names = MoveHints(p.Names, became)
		for _, id := range slices.Sorted(maps.Keys(became)) {
			if place, ok := p.Store.places[id]; ok {
				p.Store.SetPlace(became[id], place)
			}
		}
		return nil
	})
	return &out, err
}

// Text prints the program as a definition called name.
func (p *Program) Text(name string) string {
	pr := &Printer{Store: p.Store, Names: p.Names, Index: p.Index}
	return pr.Def(name, p.Inputs, p.Root)
}

// Input is the term of an input: a variable, or a tuple of its leaves.
func (s *Store) Input(in Input) Term {
	if in.Type.Kind != types.KTuple {
		return s.Var(in.Name, in.Type)
	}
	return s.Apply(ops.SymTuple, slice.Map(in.Components(), s.Input)...)
}
