package chad

import (
	"errors"
	"fmt"
	"slices"

	"egad/fun"
)

// bag is a cotangent of an array (002, Section 7): contributions to elements, put together
// in constant time. nil is the empty one, l and r those of BPlus, pairs those of BArray
// (Section 8.1), all a cotangent for each element, from the first, and else it is BOne.
type bag struct {
	l, r  *bag
	pairs []fun.Value
	all   []fun.Value
	i     int64
	x     fun.Value
}

func (b *bag) size() int64 {
	n := int64(0)
	for todo := []*bag{b}; len(todo) > 0; {
		b, todo = todo[len(todo)-1], todo[:len(todo)-1]
		n++
		switch {
		case b.l != nil:
			todo = append(todo, b.l, b.r)
		case b.all != nil:
			for _, x := range b.all {
				n += Size(x)
			}
		case b.pairs != nil:
			for _, x := range b.pairs {
				n += Size(x.(*fun.Pairing).R)
			}
		default:
			n += Size(b.x)
		}
	}
	return n
}

// collect gives f the contributions, from the left, and says how many constructors were
// visited.
func (b *bag) collect(f func(i int64, x fun.Value) error) (int64, error) {
	n := int64(0)
	if b == nil {
		return 1, nil
	}
	for todo := []*bag{b}; len(todo) > 0; {
		b, todo = todo[len(todo)-1], todo[:len(todo)-1]
		n++
		switch {
		case b.l != nil:
			todo = append(todo, b.r, b.l)
		case b.all != nil:
			for i, x := range b.all {
				n++
				if err := f(int64(i), x); err != nil {
					return n, err
				}
			}
		case b.pairs != nil:
			for _, x := range b.pairs {
				n++
				p := x.(*fun.Pairing)
				if err := f(p.L.(int64), p.R); err != nil {
					return n, err
				}
			}
		default:
			if err := f(b.i, b.x); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}

func bagOf(v fun.Value) *bag {
	b, _ := v.(*bag)
	return b
}

// The forms on arrays and bags (002, Section 7 and Fig. 9).
var (
	bOne     = &fun.Form{Name: "BOne", Arity: 1}
	bArray   = &fun.Form{Name: "BArray", Arity: 1}
	bWhole   = &fun.Form{Name: "arrayToBag", Arity: 1}
	bCollect = &fun.Form{Name: "collect", Arity: 1}
	aUnzip   = &fun.Form{Name: "unzip", Arity: 1}
	aScatter = &fun.Form{Name: "scatter", Arity: 2}
	aSeq     = &fun.Form{Name: "sequence", Arity: 1}
)

func element(t *fun.Type, what string) (*fun.Type, error) {
	if t.Kind != fun.KArray {
		return nil, fmt.Errorf("%s of %s, which is no array", what, t)
	}
	return t.Parts[0], nil
}

func init() {
	bOne.Result = func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		if kids[0].Kind != fun.KProd {
			return nil, fmt.Errorf("BOne of %s", kids[0])
		}
		return formBag.Of(kids[0].Parts[1]), must(kids[0].Parts[0], fun.Int, "an index")
	}
	bOne.Eval = withOperand(func(m *fun.Machine, t *fun.Term, x fun.Value) (fun.Value, error) {
		stateOf(m).made(1)
		p := x.(*fun.Pairing)
		return &bag{i: p.L.(int64), x: p.R}, nil
	})
	bArray.Result = func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		x, err := element(kids[0], "BArray")
		if err != nil || x.Kind != fun.KProd {
			return nil, fmt.Errorf("BArray of %s", kids[0])
		}
		return formBag.Of(x.Parts[1]), must(x.Parts[0], fun.Int, "an index")
	}
	bArray.Eval = inBag(func(xs []fun.Value) *bag { return &bag{pairs: xs} })
	bWhole.Result = func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		x, err := element(kids[0], "arrayToBag")
		return formBag.Of(x), err
	}
	bWhole.Eval = inBag(func(xs []fun.Value) *bag { return &bag{all: xs} })
	bCollect.Result = func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		if kids[0].Form != formBag {
			return nil, fmt.Errorf("collect of %s", kids[0])
		}
		return fun.Array(fun.Prod(fun.Int, kids[0].Parts[0])), nil
	}
	bCollect.Eval = withOperand(func(m *fun.Machine, t *fun.Term, x fun.Value) (fun.Value, error) {
		out := &fun.Elements{}
		n, err := bagOf(x).collect(func(i int64, x fun.Value) error {
			out.X = append(out.X, &fun.Pairing{L: i, R: x})
			return nil
		})
		if err != nil {
			return nil, err
		}
		stateOf(m).collected(n)
		return out, m.Step(n)
	})
	aUnzip.Result = func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		x, err := element(kids[0], "unzip")
		if err != nil || x.Kind != fun.KProd {
			return nil, fmt.Errorf("unzip of %s", kids[0])
		}
		return fun.Prod(fun.Array(x.Parts[0]), fun.Array(x.Parts[1])), nil
	}
	aUnzip.Eval = withOperand(func(m *fun.Machine, t *fun.Term, x fun.Value) (fun.Value, error) {
		xs := x.(*fun.Elements).X
		l, r := make([]fun.Value, len(xs)), make([]fun.Value, len(xs))
		for i, x := range xs {
			p := x.(*fun.Pairing)
			l[i], r[i] = p.L, p.R
		}
		return &fun.Pairing{L: &fun.Elements{X: l}, R: &fun.Elements{X: r}}, m.Step(int64(len(xs)))
	})
	aScatter.Result = func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		x, err := element(kids[0], "scatter")
		if err != nil {
			return nil, err
		}
		return kids[0], must(kids[1], fun.Array(fun.Prod(fun.Int, x)), "what is scattered")
	}
	// Contributions to elements that the array does not have, read as zero, are held back.
	aScatter.Eval = withOperands(func(m *fun.Machine, t *fun.Term, a, b fun.Value) (fun.Value, error) {
		s, pairs := stateOf(m), b.(*fun.Elements).X
		out := append([]fun.Value(nil), a.(*fun.Elements).X...)
		cost := int64(len(out)) + int64(len(pairs))
		for _, x := range pairs {
			p := x.(*fun.Pairing)
			if i := p.L.(int64); 0 <= i && i < int64(len(out)) {
				z, c, err := s.plus(p.R, out[i])
				if err != nil {
					return nil, err
				}
				out[i] = z
				cost += c
			}
		}
		return &fun.Elements{X: out}, m.Step(cost)
	})
	aSeq.Result = func(t *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		x, err := element(kids[0], "sequence")
		if err != nil {
			return nil, err
		}
		if t.Kids[0].Form != fun.Build {
			return nil, errors.New("sequence of what is no build")
		}
		ctx, out, err := computation(x)
		if err != nil {
			return nil, err
		}
		return formEVM.Of(ctx, fun.Array(out)), nil
	}
	aSeq.Eval = func(m *fun.Machine, t *fun.Term, env []fun.Value) (fun.Value, error) {
		if err := m.Step(1); err != nil { // of the build
			return nil, err
		}
		build := t.Kids[0]
		x, err := m.Eval(build.Kids[0], env)
		if err != nil {
			return nil, err
		}
		n, err := fun.Floats().Count(x.(int64))
		return &action{kind: aAll, x: &sequence{int(n), build.Kids[1], slices.Clone(env)}, weight: n + 1}, err
	}
}

// inBag is the evaluation of a form that makes a bag of an array; of no elements it is the
// empty one.
func inBag(of func(xs []fun.Value) *bag) evaluation {
	return withOperand(func(m *fun.Machine, _ *fun.Term, x fun.Value) (fun.Value, error) {
		stateOf(m).made(1)
		if xs := x.(*fun.Elements).X; len(xs) > 0 {
			return of(xs), nil
		}
		return nil, nil
	})
}

// wholeBag has a cotangent for each element.
func wholeBag(xs []fun.Value) fun.Value {
	if len(xs) == 0 {
		return nil
	}
	return &bag{all: xs}
}
