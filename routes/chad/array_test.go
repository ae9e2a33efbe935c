package chad

import (
	"fmt"
	"slices"
	"testing"

	"egad/fun"
	"egad/internal/functional"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/internal/values"
	"egad/props"
	"egad/term/numeric"
)

// withArrays are programs with arrays of any length.
var withArrays = props.FunctionalOptions{FirstOrder: true, Values: values.Small}

// probe passes a cotangent on and counts that it was there.
func probe(count *int64) *fun.Form {
	return &fun.Form{
		Name: "probe", Arity: 1,
		Result: func(_ *fun.Term, kids []*fun.Type) (*fun.Type, error) { return kids[0], nil },
		Eval: func(m *fun.Machine, t *fun.Term, env []fun.Value) fun.Value {
			*count++
			return m.Value(t.Kids[0], env)
		},
	}
}

// probed counts how often the primals and the backpropagators are run of the parts of a
// program for which of says so.
type probed struct{ primals, backs map[*fun.Term]*int64 }

func (p *probed) put(s, d *fun.Term) {
	// D[s] ends in a pair of a primal and a backpropagator, maybe in both branches of a case.
	p.primals[s], p.backs[s] = new(int64), new(int64)
	p.ends(s, d)
}

func (p *probed) ends(s, d *fun.Term) {
	switch d.Form {
	case fun.Let:
		p.ends(s, d.Kids[1])
	case fun.Case:
		p.ends(s, d.Kids[1])
		p.ends(s, d.Kids[2])
	default:
		back := *d.Kids[1]
		back.Kids = []*fun.Term{probe(p.backs[s]).Make(back.Kids[0])}
		d.Kids = []*fun.Term{probe(p.primals[s]).Make(d.Kids[0]), &back}
	}
}

// TestC11: on random programs with arrays, the backpropagator of each part is run at most as
// often as the part, of what is discrete never, of what the result depends on exactly as
// often, and collect visits no more constructors than were made.
func TestC11(t *testing.T) {
	lib := library(t)
	programs.Hold(t, testflag.Seed, testflag.Count(100, 10_000), functional.Gen(withArrays), func(c props.FunctionalCase) error {
		ct, before, err := cotangents(c, testflag.Seed)
		if err != nil {
			return err
		}
		d, err := Find("chad").Transform(lib, c.Program)
		if err != nil {
			return err
		}
		p := &probed{make(map[*fun.Term]*int64), make(map[*fun.Term]*int64)}
		discrete := make(map[*fun.Term]bool)
		tr := newTransformer(monadic{}, lib, c.Program.Context)
		tr.derived = func(s, d *fun.Term) {
			p.put(s, d)
			switch s.Form {
			case fun.Length, fun.Index, fun.Build:
				discrete[s.Kids[len(s.Kids)-1]] = s.Form == fun.Index
				discrete[s.Kids[0]] = s.Form != fun.Index
			}
		}
		if d.Term, err = tr.transformed(c.Program.Body); err != nil {
			return err
		}
		m, err := d.Measure(c.Inputs, copied(ct), copies(before), Options{Affine: true})
		if err != nil {
			return fmt.Errorf("%w\n%s", err, c.Text())
		}
		for s, n := range p.backs {
			if *n > *p.primals[s] || discrete[s] && *n > 0 {
				return fmt.Errorf("the backpropagator of %s ran %d times, the primal %d times\n%s", fun.Print(s, "a", "b", "c", "d", "e", "f", "g", "h"), *n, *p.primals[s], c.Text())
			}
		}
		given := ct
		made := m.Bags + bagsOf(given)
		for _, x := range before {
			made += bagsOf(x)
		}
		if m.Collected > made+2*m.Primal {
			return fmt.Errorf("collect visited %d constructors of %d\n%s", m.Collected, made, c.Text())
		}
		return nil
	})
}

// bagsOf counts the constructors of bags in a cotangent.
func bagsOf(x fun.Value) int64 { return sizeOf(x) }

// TestArraysC1C2: with arrays the value is that of the program and the backpropagator is the
// transposed derivative, by both routes with the monad.
func TestArraysC1C2(t *testing.T) {
	programs.Hold(t, testflag.Seed, testflag.Count(100, 10_000), functional.Gen(withArrays), func(c props.FunctionalCase) error {
		return holds(t, c, find("chad-map", "chad", "chad-parallel"), Options{Affine: true}, func(*Route, *Derivative, *Measured, fun.Value) error { return nil })
	})
}

func reals(xs ...float64) *fun.Elements {
	out := &fun.Elements{}
	for _, x := range xs {
		out.X = append(out.X, x)
	}
	return out
}

// product is reduce (\p -> fst p * snd p) a.
var product = &fun.Program{Names: []string{"a"}, Context: []*fun.Type{fun.Array(fun.Real)}, Result: fun.Real,
	Body: fun.Reduce.Typed(fun.Real, mul(fun.Fst.Make(v(0)), fun.Snd.Make(v(0))), v(0))}

// TestT9Reduce: a product with a zero in it, and each node's backpropagator once, also of
// a reduce inside the function of another.
func TestT9Reduce(t *testing.T) {
	lib := library(t)
	for _, name := range []string{"chad-map", "chad"} {
		d, err := Find(name).Transform(lib, product)
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Check(); err != nil {
			t.Fatal(err)
		}
		grad, m, err := d.Gradient([]fun.Value{reals(0, 2, 3)}, []float64{1}, Options{Affine: true})
		if err != nil || !slices.Equal(grad, []float64{6, 0, 0}) || m.Nodes != 2 {
			t.Errorf("%s: %v, %d nodes, %v", name, grad, m.Nodes, err)
		}
	}
	// reduce (\p -> reduce (\q -> fst q + snd q) [fst p * snd p, fst p, snd p]) (build n (\i -> x)), by n.
	inner := fun.Reduce.Typed(fun.Real, add(fun.Fst.Make(v(0)), fun.Snd.Make(v(0))),
		fun.List.Typed(fun.Real, mul(fun.Fst.Make(v(0)), fun.Snd.Make(v(0))), fun.Fst.Make(v(0)), fun.Snd.Make(v(0))))
	nested := &fun.Program{Names: []string{"x", "n"}, Context: []*fun.Type{fun.Real, fun.Int}, Result: fun.Real,
		Body: fun.Reduce.Typed(fun.Real, inner, fun.Build.Typed(fun.Real, v(0), v(2)))}
	d, err := Find("chad").Transform(lib, nested)
	if err != nil {
		t.Fatal(err)
	}
	var steps []int64
	for _, n := range []int64{8, 16, 24, 32} {
		_, m, err := d.Gradient([]fun.Value{0.01, n}, []float64{1}, Options{})
		if err != nil || m.Nodes != 3*(n-1) {
			t.Fatalf("%d nodes of %d elements, %v", m.Nodes, n, err)
		}
		steps = append(steps, m.Steps())
	}
	if steps[1]-steps[0] != steps[2]-steps[1] || steps[2]-steps[1] != steps[3]-steps[2] {
		t.Errorf("not linear: %v", steps)
	}
}

// TestMutantUnTree: with the halves of unTree swapped the gradient of a product is another.
func TestMutantUnTree(t *testing.T) {
	lib := library(t)
	d, err := Find("chad").Transform(lib, product)
	if err != nil {
		t.Fatal(err)
	}
	d.Term = mutated(d.Term, func(u *fun.Term) {
		if u.Form == tUnTree {
			u.Kids[0] = mutated(u.Kids[0], func(u *fun.Term) {
				switch u.Form {
				case lFst:
					u.Form = lSnd
				case lSnd:
					u.Form = lFst
				}
			})
		}
	})
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	grad, _, err := d.Gradient([]fun.Value{reals(1, 2, 3)}, []float64{1}, Options{})
	if err != nil || slices.Equal(grad, []float64{6, 3, 2}) {
		t.Errorf("%v %v", grad, err)
	}
}

// mutated is a term with each part changed by f.
func mutated(t *fun.Term, f func(*fun.Term)) *fun.Term {
	out := *t
	out.Kids = make([]*fun.Term, len(t.Kids))
	for i, k := range t.Kids {
		out.Kids[i] = mutated(k, f)
	}
	f(&out)
	return &out
}

// halfJoin is the linear types with a BPlus that drops a side.
type halfJoin struct{ sparse }

func (halfJoin) join(x, _ *bag) *bag { return x }

// TestMutantBPlus: a BPlus that drops a side loses gradients.
func TestMutantBPlus(t *testing.T) {
	lib := library(t)
	at := func(i int64) *fun.Term { return fun.Index.Typed(fun.Real, v(0), fun.Literal(numeric.Int(i), fun.Int)) }
	p := &fun.Program{Names: []string{"a"}, Context: []*fun.Type{fun.Array(fun.Real)}, Result: fun.Real, Body: mul(at(0), at(1))}
	for _, c := range []struct {
		l    linear
		want []float64
	}{{sparse{}, []float64{3, 2}}, {halfJoin{}, nil}} {
		r := *Find("chad")
		r.linear = c.l
		d, err := r.Transform(lib, p)
		if err != nil {
			t.Fatal(err)
		}
		grad, _, err := d.Gradient([]fun.Value{reals(2, 3)}, []float64{1}, Options{})
		if err != nil || slices.Equal(grad, []float64{3, 2}) != (c.want != nil) {
			t.Errorf("%T: %v %v", c.l, grad, err)
		}
	}
}
