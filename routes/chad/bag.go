package chad

import (
	"errors"
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
				n += sizeOf(x)
			}
		case b.pairs != nil:
			for _, x := range b.pairs {
				n += sizeOf(x.(*fun.Pairing).R)
			}
		default:
			n += sizeOf(b.x)
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
	bOne = form("BOne", formBag.Of(typA), withOperand(func(m *fun.Machine, _ *fun.Term, x fun.Value) (fun.Value, error) {
		stateOf(m).Bags++
		p := x.(*fun.Pairing)
		return &bag{i: p.L.(int64), x: p.R}, nil
	}), fun.Prod(fun.Int, typA))
	bArray   = form("BArray", formBag.Of(typA), inBag(func(xs []fun.Value) *bag { return &bag{pairs: xs} }), fun.Array(fun.Prod(fun.Int, typA)))
	bWhole   = form("arrayToBag", formBag.Of(typA), inBag(func(xs []fun.Value) *bag { return &bag{all: xs} }), fun.Array(typA))
	bCollect = form("collect", fun.Array(fun.Prod(fun.Int, typA)), withOperand(func(m *fun.Machine, _ *fun.Term, x fun.Value) (fun.Value, error) {
		out := &fun.Elements{}
		n, err := bagOf(x).collect(func(i int64, x fun.Value) error {
			out.X = append(out.X, &fun.Pairing{L: i, R: x})
			return nil
		})
		if err != nil {
			return nil, err
		}
		stateOf(m).Collected += n
		return out, m.Step(n)
	}), formBag.Of(typA))
	aUnzip = form("unzip", fun.Prod(fun.Array(typA), fun.Array(typB)), withOperand(func(m *fun.Machine, _ *fun.Term, x fun.Value) (fun.Value, error) {
		xs := x.(*fun.Elements).X
		l, r := make([]fun.Value, len(xs)), make([]fun.Value, len(xs))
		for i, x := range xs {
			p := x.(*fun.Pairing)
			l[i], r[i] = p.L, p.R
		}
		return &fun.Pairing{L: &fun.Elements{X: l}, R: &fun.Elements{X: r}}, m.Step(int64(len(xs)))
	}), fun.Array(fun.Prod(typA, typB)))
	// Contributions to elements that the array does not have, read as zero, are held back.
	aScatter = form("scatter", fun.Array(typA), withOperands(func(m *fun.Machine, _ *fun.Term, a, b fun.Value) (fun.Value, error) {
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
	}), fun.Array(typA), fun.Array(fun.Prod(fun.Int, typA)))
	aSeq = ofBuild(form("sequence", formEVM.Of(typCtx, fun.Array(typA)), func(m *fun.Machine, t *fun.Term, env []fun.Value) (fun.Value, error) {
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
	}, fun.Array(formEVM.Of(typCtx, typA))))
)

// ofBuild is a form of which the operand must be a build.
func ofBuild(f *fun.Form) *fun.Form {
	rule := f.Result
	f.Result = func(t *fun.Term, kids []*fun.Type) (*fun.Type, error) {
		if t.Kids[0].Form != fun.Build {
			return nil, errors.New(f.Name + " of what is no build")
		}
		return rule(t, kids)
	}
	return f
}

// inBag is the evaluation of a form that makes a bag of an array; of no elements it is the
// empty one.
func inBag(of func(xs []fun.Value) *bag) evaluation {
	return withOperand(func(m *fun.Machine, _ *fun.Term, x fun.Value) (fun.Value, error) {
		stateOf(m).Bags++
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
