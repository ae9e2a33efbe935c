package chad

import (
	"errors"
	"testing"

	"egad/fun"
)

// magic is t_magic of Appendix A: a balanced tree of sums of 2^r variables, in an order that
// makes the keys of two sides alternate.
func magic(r int) *fun.Program {
	var tree func(first, step, n int) *fun.Term
	tree = func(first, step, n int) *fun.Term {
		if n == 1 {
			return v(first)
		}
		return add(tree(first, 2*step, n/2), tree(first+step, 2*step, n/2))
	}
	return scalar(tree(0, 1, 1<<r), names(1<<r)...)
}

func measured(t testing.TB, r *Route, p *fun.Program, o Options) (*Derivative, *Measured) {
	t.Helper()
	d, err := r.Transform(library(t), p)
	if err != nil {
		t.Fatal(err)
	}
	var inputs []fun.Value
	for _, typ := range p.Context {
		inputs = append(inputs, ones(typ))
	}
	m, err := d.Measure(inputs, 1.0, nil, o)
	if err != nil {
		t.Fatal(err)
	}
	return d, m
}

// TestC4Families: on ten families of programs the cost grows in proportion, with constant
// first differences, and the ratio is no larger at ten times the size.
func TestC4Families(t *testing.T) {
	for _, f := range families {
		at := func(n int) int64 {
			_, m := measured(t, Find("chad"), f.Make(n), Options{})
			left, right := m.Theorem1()
			if left > right || m.Steps() > m.Theorem2() {
				t.Errorf("%s of %d: %d > %d", f.Name, n, left, right)
			}
			if n >= 100 {
				t.Logf("%s of %d: %d steps for %d, %.2f", f.Name, n, m.Steps(), m.Primal, float64(m.Steps())/float64(m.Primal))
			}
			return m.Steps()
		}
		if a, b, c := at(10), at(20), at(30); b-a != c-b {
			t.Errorf("%s: %d, %d, %d steps", f.Name, a, b, c)
		}
		at(100)
		at(1000)
	}
}

// TestC8Dense: pairs of zeros cost more than the bound on large products, which the sparse
// types keep.
func TestC8Dense(t *testing.T) {
	p := families[2].Make(100)
	_, dense := measured(t, Find("chad-dense"), p, Options{})
	_, best := measured(t, Find("chad"), p, Options{})
	if dense.Steps() <= dense.Theorem2() || best.Steps() > best.Theorem2() {
		t.Errorf("%d and %d steps, of at most %d", dense.Steps(), best.Steps(), best.Theorem2())
	}
}

// TestC9Magic: on 2^r - 1 additions of different variables the unions join r 2^(r-1) entries
// of the smaller map (002, Appendix A); with the monad the cost of an addition is constant.
func TestC9Magic(t *testing.T) {
	var sparse, best []int64
	for r := 1; r <= 10; r++ {
		_, m := measured(t, Find("chad-sparse"), magic(r), Options{})
		if m.Unions != 1<<r-1 || m.Joined != int64(r)<<(r-1) {
			t.Errorf("r = %d: %d unions of %d entries", r, m.Unions, m.Joined)
		}
		sparse = append(sparse, m.Steps())
		_, m = measured(t, Find("chad"), magic(r), Options{})
		best = append(best, m.Steps())
	}
	for r := 2; r < len(best)-1; r++ {
		if best[r+1]-2*best[r] != best[r]-2*best[r-1] {
			t.Errorf("r = %d: %v", r, best)
		}
		// what is over doubling grows with the size
		if r > 3 && sparse[r+1]-2*sparse[r] < 3*(sparse[r]-2*sparse[r-1])/2 {
			t.Errorf("r = %d: %v", r, sparse)
		}
	}
}

// copying is a state that is copied at each addition.
type copying struct{ array }

func (c *copying) add(s *state, n int, x fun.Value) int64 {
	c.xs = append([]fun.Value(nil), c.xs...)
	return c.array.add(s, n, x) + int64(len(c.xs))
}

// TestMutantCopies: a state that is copied breaks the bound.
func TestMutantCopies(t *testing.T) {
	r := *Find("chad")
	r.cells = func() store { return &copying{} }
	_, m := measured(t, &r, families[3].Make(1000), Options{})
	if left, right := m.Theorem1(); left <= right {
		t.Errorf("%d ≤ %d", left, right)
	}
}

// walking is an addition that looks at the whole of both sides, in steps.
type walking struct{ array }

func (w *walking) add(s *state, n int, x fun.Value) int64 {
	c := w.array.add(s, n, x)
	return c + sizeOf(w.xs[len(w.xs)-1-n])
}

// TestMutantWalks: an addition that takes as many steps as its result has constructors, and not
// only as many as vanish in it, breaks the bound where a large cotangent is added to again
// and again.
func TestMutantWalks(t *testing.T) {
	r := *Find("chad")
	r.cells = func() store { return &walking{} }
	p := families[2].Make(200) // sums of a half of a pair, of which the other is large
	d, err := r.Transform(library(t), p)
	if err != nil {
		t.Fatal(err)
	}
	good, err := Find("chad").Transform(library(t), p)
	if err != nil {
		t.Fatal(err)
	}
	before := []fun.Value{full(p.Context[0])}
	for name, c := range map[string]struct {
		d     *Derivative
		holds bool
	}{"as it is": {good, true}, "walking": {d, false}} {
		m, err := c.d.Measure([]fun.Value{ones(p.Context[0])}, 1.0, before, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if left, right := m.Theorem1(); left <= right != c.holds {
			t.Errorf("%s: %d and %d", name, left, right)
		}
	}
}

// full is a cotangent without zeros of pairs, of a product of reals.
func full(t *fun.Type) fun.Value {
	if t.Kind == fun.KProd {
		return &lpair{l: full(t.Parts[0]), r: full(t.Parts[1])}
	}
	return 1.0
}

// bottom pops the outermost variable.
type bottom struct{ array }

func (b *bottom) pop() (fun.Value, int64) {
	x := b.xs[0]
	b.xs = b.xs[1:]
	return x, 0
}

// TestMutantScope: a scope that pops the wrong variable gives another gradient.
func TestMutantScope(t *testing.T) {
	r := *Find("chad")
	r.cells = func() store { return &bottom{} }
	d, err := r.Transform(library(t), chain(2))
	if err != nil {
		t.Fatal(err)
	}
	if grad, _, err := d.Gradient([]fun.Value{1.0}, []float64{1}, Options{}); err == nil && grad[0] == 4 {
		t.Error("the gradient is right")
	}
}

// TestMutantCast: a cast to the wrong side is found when it happens.
func TestMutantCast(t *testing.T) {
	d, err := Find("chad").Transform(library(t), families[6].Make(1))
	if err != nil {
		t.Fatal(err)
	}
	d.Term = mutated(d.Term, func(u *fun.Term) {
		if u.Form == lCastl {
			u.Form = lCastr
		}
	})
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	var side *SideError
	if _, _, err := d.Gradient([]fun.Value{1.0}, []float64{1}, Options{}); !errors.As(err, &side) {
		t.Error(err)
	}
}

// TestMutantAffine: a cotangent of a pair that is used twice is found.
func TestMutantAffine(t *testing.T) {
	p := scalar(fun.LetIn(pair(v(0), v(0)), add(fun.Fst.Make(v(0)), fun.Snd.Make(v(0)))), "x")
	d, err := Find("chad").Transform(library(t), p)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.Gradient([]fun.Value{1.0}, []float64{1}, Options{Affine: true}); err != nil {
		t.Fatal(err)
	}
	d.Term = mutated(d.Term, func(u *fun.Term) {
		if u.Form == lSnd {
			u.Form = lFst
		}
	})
	var twice *AffineError
	if _, _, err := d.Gradient([]fun.Value{1.0}, []float64{1}, Options{Affine: true}); !errors.As(err, &twice) {
		t.Error(err)
	}
}

// TestMutantCapture: a closure that captures a variable too few is not well typed.
func TestMutantCapture(t *testing.T) {
	for i := range 8 {
		d, err := Find("chad").Transform(library(t), chain(2))
		if err != nil {
			t.Fatal(err)
		}
		at, done := 0, false
		d.Term = mutated(d.Term, func(u *fun.Term) {
			if u.Form == fun.Lam && len(u.Caps) > 0 {
				if at == i {
					u.Caps, done = u.Caps[:len(u.Caps)-1], true
				}
				at++
			}
		})
		if err := d.Check(); done && err == nil {
			t.Errorf("closure %d may capture less", i)
		}
	}
}

// TestMutantSign: the backpropagator of the operand of sign is run, with zero: it belongs to
// the cost model (Appendix B), and to what is counted here.
func TestMutantSign(t *testing.T) {
	p := scalar(fun.Case.Make(fun.Sign.Make(v(0)), v(1), v(1)), "x")
	d, m := measured(t, Find("chad"), p, Options{})
	left, _ := m.Theorem1()
	d.Term = mutated(d.Term, func(u *fun.Term) {
		if u.Form == fun.Pair && u.Kids[0].Form == fun.Sign {
			back := *u.Kids[1]
			back.Kids = []*fun.Term{evmPure.Typed(d.inner, fun.Star.Make())}
			u.Kids[1] = &back
		}
	})
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	less, err := d.Measure([]fun.Value{1.0}, 1.0, nil, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if other, _ := less.Theorem1(); left != 59 || other >= left {
		t.Errorf("%d steps, and %d without", left, other)
	}
}
