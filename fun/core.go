package fun

import (
	"cmp"
	"fmt"
	"slices"

	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/types"
)

// The forms of the core (002, Fig. 1, with functions of Section 9 and arrays of Section 7;
// 003, Fig. 2).
var (
	Var    = &Form{Name: "variable", core: cVar}
	Let    = &Form{Name: "let", Arity: 2, core: cLet}
	Lam    = &Form{Name: "\\", Arity: 1, Closed: true, core: cLam}
	Rec    = &Form{Name: "rec", Arity: 1, Closed: true, core: cRec}
	App    = &Form{Name: "apply", Arity: 2, core: cApp}
	Star   = &Form{Name: "()", core: cStar}
	Pair   = &Form{Name: "pair", Arity: 2, core: cPair}
	Fst    = &Form{Name: "fst", Arity: 1, core: cFst}
	Snd    = &Form{Name: "snd", Arity: 1, core: cSnd}
	Inl    = &Form{Name: "inl", Arity: 1, core: cInl}
	Inr    = &Form{Name: "inr", Arity: 1, core: cInr}
	Case   = &Form{Name: "case", Arity: 3, core: cCase}
	Lit    = &Form{Name: "literal", Arity: 1, core: cLit}
	Prim   = &Form{Name: "operator", Arity: 1, core: cPrim}
	Sign   = &Form{Name: "sign", Arity: 1, core: cSign}
	Build  = &Form{Name: "build", Arity: 2, core: cBuild}
	Index  = &Form{Name: "index", Arity: 2, core: cIndex}
	Length = &Form{Name: "length", Arity: 1, core: cLength}
	Reduce = &Form{Name: "reduce", Arity: 2, core: cReduce}
	List   = &Form{Name: "list", Arity: -1, core: cList}
	Whole  = &Form{Name: "whole", Arity: 1, core: cWhole}
)

// Core lists the forms of the core.
var Core = []*Form{Var, Let, Lam, Rec, App, Star, Pair, Fst, Snd, Inl, Inr, Case, Lit, Prim, Sign, Build, Index, Length, Reduce, List, Whole}

// code is by which [Machine.Eval] finds what it does for a form of the core.
type code uint8

const (
	extension code = iota
	cVar
	cLet
	cLam
	cRec
	cApp
	cStar
	cPair
	cFst
	cSnd
	cInl
	cInr
	cCase
	cLit
	cPrim
	cSign
	cBuild
	cIndex
	cLength
	cReduce
	cList
	cWhole
	cDo // which is no form of the core
)

func init() {
	Let.Binding(0, 1)
	Case.Binding(0, 1, 1)
	Build.Binding(0, 1)
	Reduce.Binding(1, 0)
	Let.Bound = boundIn(1, func(_ *Term, kids []*Type) []*Type { return kids[:1] })
	Let.Result = func(_ *Term, kids []*Type) (*Type, error) { return kids[1], nil }
	Lam.Bound = func(t *Term, _ []*Type, _ int) []*Type { return []*Type{t.Type} }
	Lam.Result = func(t *Term, kids []*Type) (*Type, error) { return Fun(t.Type, kids[0]), nil }
	Rec.Bound = func(t *Term, _ []*Type, _ int) []*Type { return []*Type{t.Type, t.Type.Parts[0]} }
	Rec.Result = func(t *Term, kids []*Type) (*Type, error) {
		return t.Type, same(kids[0], t.Type.Parts[1], "the body of a recursive function")
	}
	App.Result = func(_ *Term, kids []*Type) (*Type, error) {
		if kids[0].Kind != KFun {
			return nil, fmt.Errorf("a %s is applied, which is no function", kids[0])
		}
		return kids[0].Parts[1], same(kids[1], kids[0].Parts[0], "an argument")
	}
	Star.Result = func(*Term, []*Type) (*Type, error) { return Unit, nil }
	Pair.Result = func(_ *Term, kids []*Type) (*Type, error) { return Prod(kids[0], kids[1]), nil }
	Fst.Result = component(0)
	Snd.Result = component(1)
	Inl.Result = injection(0)
	Inr.Result = injection(1)
	Case.Bound = func(_ *Term, kids []*Type, k int) []*Type {
		if k == 0 || kids[0].Kind != KSum {
			return nil
		}
		return kids[0].Parts[k-1 : k]
	}
	Case.Result = func(_ *Term, kids []*Type) (*Type, error) {
		if kids[0].Kind != KSum {
			return nil, fmt.Errorf("case of %s, which is no sum", kids[0])
		}
		return kids[1], same(kids[2], kids[1], "the second branch")
	}
	Lit.Result = func(t *Term, kids []*Type) (*Type, error) { return t.Type, same(kids[0], Unit, "of a literal") }
	Prim.Result = primitive
	Sign.Result = func(_ *Term, kids []*Type) (*Type, error) {
		return Sum(Bool, Unit), same(kids[0], Real, "the operand of sign")
	}
	Build.Bound = boundIn(1, func(*Term, []*Type) []*Type { return []*Type{Int} })
	Build.Result = func(t *Term, kids []*Type) (*Type, error) {
		return Array(t.Type), cmp.Or(same(kids[1], t.Type, "an element"), same(kids[0], Int, "the length of a build"))
	}
	Index.Result = func(t *Term, kids []*Type) (*Type, error) {
		if kids[0].Kind != KArray {
			return nil, fmt.Errorf("an index of %s, which is no array", kids[0])
		}
		return t.Type, cmp.Or(same(kids[0].Parts[0], t.Type, "an element"), same(kids[1], Int, "an index"))
	}
	Length.Result = func(_ *Term, kids []*Type) (*Type, error) {
		if kids[0].Kind != KArray {
			return nil, fmt.Errorf("the length of %s, which is no array", kids[0])
		}
		return Int, nil
	}
	// reduce (p. t) a: p is a pair of elements.
	Reduce.Bound = boundIn(0, func(t *Term, _ []*Type) []*Type { return []*Type{Prod(t.Type, t.Type)} })
	Reduce.Result = func(t *Term, kids []*Type) (*Type, error) {
		return t.Type, cmp.Or(same(kids[1], Array(t.Type), "what is reduced"), same(kids[0], t.Type, "what reduces"))
	}
	List.Result = func(t *Term, kids []*Type) (*Type, error) {
		for _, k := range kids {
			if err := same(k, t.Type, "an element"); err != nil {
				return nil, err
			}
		}
		return Array(t.Type), nil
	}
	// An operator on whole arrays, of which the types are known.
	Whole.Result = func(t *Term, kids []*Type) (*Type, error) {
		types, err := slice.Try(t.Arrays.Parts, TypeOf)
		if err != nil {
			return nil, err
		}
		return types[1], same(kids[0], types[0], "what an operator is applied to")
	}
}

// boundIn is what is bound in child n, where nothing is in the others.
func boundIn(n int, of func(t *Term, kids []*Type) []*Type) func(*Term, []*Type, int) []*Type {
	return func(t *Term, kids []*Type, k int) []*Type {
		if k != n {
			return nil
		}
		return of(t, kids)
	}
}

// same is an error if a type is not the one that must be.
func same(got, want *Type, what string) error {
	if !got.Equal(want) {
		return fmt.Errorf("%s is of type %s, where %s must be", what, got, want)
	}
	return nil
}

func component(n int) func(*Term, []*Type) (*Type, error) {
	return func(_ *Term, kids []*Type) (*Type, error) {
		if kids[0].Kind != KProd {
			return nil, fmt.Errorf("a component of %s, which is no pair", kids[0])
		}
		return kids[0].Parts[n], nil
	}
}

func injection(n int) func(*Term, []*Type) (*Type, error) {
	return func(t *Term, kids []*Type) (*Type, error) {
		if t.Type.Kind != KSum {
			return nil, fmt.Errorf("%s is no sum", t.Type)
		}
		return t.Type, same(kids[0], t.Type.Parts[n], "what is injected")
	}
}

// primitive types an operator on scalars: of one operand, or of a tuple of them.
func primitive(t *Term, kids []*Type) (*Type, error) {
	o := ops.Builtin(t.Op.Sym)
	if o == nil || !o.Elementwise {
		return nil, fmt.Errorf("%s is no operator on scalars", t.Op.Key())
	}
	operands := kids[0].Components(o.Arity)
	if operands == nil {
		return nil, fmt.Errorf("%s takes %d operands, not %s", o.Text(), o.Arity, kids[0])
	}
	elems := make([]types.Elem, o.Arity)
	for k, operand := range slices.Backward(operands) {
		var ok bool
		if elems[k], ok = operand.Elem(); !ok {
			return nil, fmt.Errorf("an operand of %s is of type %s", o.Text(), operand)
		}
	}
	e, ok := o.OnElements(elems...)
	if !ok {
		return nil, fmt.Errorf("%s of %s", o.Text(), kids[0])
	}
	return OfElem(e), nil
}
