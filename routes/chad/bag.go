package chad

import (
	"errors"
	"slices"

	"egad/fun"
	"egad/internal/raise"
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
	nodes, _ := b.each(func(_ int64, x fun.Value) { n += sizeOf(x) })
	return nodes + n
}

// collect gives f the contributions, from the left, and says how many constructors were
// visited.
func (b *bag) collect(f func(i int64, x fun.Value)) int64 {
	if b == nil {
		return 1
	}
	nodes, listed := b.each(f)
	return nodes + listed
}

// each gives f the contributions, from the left, and counts the constructors of the bag, and
// what is in lists.
func (b *bag) each(f func(i int64, x fun.Value)) (nodes, listed int64) {
	for todo := []*bag{b}; len(todo) > 0; {
		b, todo = todo[len(todo)-1], todo[:len(todo)-1]
		nodes++
		listed += int64(len(b.all) + len(b.pairs))
		switch {
		case b.l != nil:
			todo = append(todo, b.r, b.l)
		case b.all != nil:
			for i, x := range b.all {
				f(int64(i), x)
			}
		case b.pairs != nil:
			for _, x := range b.pairs {
				p := x.(*fun.Pairing)
				f(p.L.(int64), p.R)
			}
		default:
			f(b.i, b.x)
		}
	}
	return nodes, listed
}

func bagOf(v fun.Value) *bag {
	b, _ := v.(*bag)
	return b
}

// The forms on arrays and bags (002, Section 7 and Fig. 9).
var (
	bOne = form("BOne", formBag.Of(typA), withOperand(func(m *fun.Machine, _ *fun.Term, x fun.Value) fun.Value {
		stateOf(m).Bags++
		p := x.(*fun.Pairing)
		return &bag{i: p.L.(int64), x: p.R}
	}), fun.Prod(fun.Int, typA))
	bArray   = form("BArray", formBag.Of(typA), inBag(func(xs []fun.Value) *bag { return &bag{pairs: xs} }), fun.Array(fun.Prod(fun.Int, typA)))
	bWhole   = form("arrayToBag", formBag.Of(typA), inBag(func(xs []fun.Value) *bag { return &bag{all: xs} }), fun.Array(typA))
	bCollect = form("collect", fun.Array(fun.Prod(fun.Int, typA)), withOperand(func(m *fun.Machine, _ *fun.Term, x fun.Value) fun.Value {
		out := &fun.Elements{}
		n := bagOf(x).collect(func(i int64, x fun.Value) { out.X = append(out.X, &fun.Pairing{L: i, R: x}) })
		stateOf(m).Collected += n
		m.Step(n)
		return out
	}), formBag.Of(typA))
	aUnzip = form("unzip", fun.Prod(fun.Array(typA), fun.Array(typB)), withOperand(func(m *fun.Machine, _ *fun.Term, x fun.Value) fun.Value {
		xs := x.(*fun.Elements).X
		l, r := make([]fun.Value, len(xs)), make([]fun.Value, len(xs))
		for i, x := range xs {
			p := x.(*fun.Pairing)
			l[i], r[i] = p.L, p.R
		}
		m.Step(int64(len(xs)))
		return &fun.Pairing{L: &fun.Elements{X: l}, R: &fun.Elements{X: r}}
	}), fun.Array(fun.Prod(typA, typB)))
	// Contributions to elements that the array does not have, read as zero, are held back.
	aScatter = form("scatter", fun.Array(typA), withOperands(func(m *fun.Machine, _ *fun.Term, a, b fun.Value) fun.Value {
		s, pairs := stateOf(m), b.(*fun.Elements).X
		out := append([]fun.Value(nil), a.(*fun.Elements).X...)
		cost := int64(len(out)) + int64(len(pairs))
		for _, x := range pairs {
			p := x.(*fun.Pairing)
			if i := p.L.(int64); 0 <= i && i < int64(len(out)) {
				z, c := s.plus(p.R, out[i])
				out[i] = z
				cost += c
			}
		}
		m.Step(cost)
		return &fun.Elements{X: out}
	}), fun.Array(typA), fun.Array(fun.Prod(fun.Int, typA)))
	aSeq = ofBuild(form("sequence", formEVM.Of(typCtx, fun.Array(typA)), func(m *fun.Machine, t *fun.Term, env []fun.Value) fun.Value {
		m.Step(1) // of the build
		build := t.Kids[0]
		x := m.Value(build.Kids[0], env)
		n := raise.Must(fun.Floats().Count(x.(int64)))
		return &action{kind: aAll, x: &sequence{int(n), build.Kids[1], slices.Clone(env)}, weight: n + 1}
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
	return withOperand(func(m *fun.Machine, _ *fun.Term, x fun.Value) fun.Value {
		stateOf(m).Bags++
		if xs := x.(*fun.Elements).X; len(xs) > 0 {
			return of(xs)
		}
		return nil
	})
}

// wholeBag has a cotangent for each element.
func wholeBag(xs []fun.Value) fun.Value {
	if len(xs) == 0 {
		return nil
	}
	return &bag{all: xs}
}
