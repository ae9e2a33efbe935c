package egad

import (
	"math"
	"slices"
	"sync/atomic"

	"egad/internal/pool"
	"egad/kernel/machine"
	"egad/term/types"

	"gonum.org/v1/gonum/mat"
)

// Vector is a definition that results in a real scalar as a function of one vector: the
// real numbers of all that it is differentiated by, one after the other, while
// the other inputs keep their values. Its methods are what the optimizers of
// gonum/optimize ask for. Goroutines may share it.
type Vector struct {
	f     *Func
	s     *sized
	in    []machine.Elements // of the leaves; those of the vector are left out
	parts []part
	outs  int // how many leaves the value and the gradient have
	start []float64
	err   atomic.Pointer[error]
	// sessions are those of programs where the inputs that keep their values lie.
	sessions [modes]pool.Pool[machine.Session]
}

// part is a leaf whose elements are in the vector.
type part struct {
	leaf     int // among the leaves of the inputs
	from, to int // in the vector
	wrt      int // whose leaf it is
	out      int // among the leaves of the value and the gradient
}

// Vector gives the definition as a function of one vector. In gives all inputs their
// values: those of what is differentiated by are where an optimizer may start, the
// others stay. They are copied. The calls of the vector have the context of f.
func (f *Func) Vector(in In) (*Vector, error) {
	if !f.made() {
		return nil, errNoFunc
	}
	if !f.info.Result.IsScalar(types.R) {
		return nil, f.errorf(f.info.Pos, "R", "%s results in %s, and an optimizer needs a real scalar", f.info.Name, f.info.Result)
	}
	if len(f.wrt) == 0 {
		return nil, f.errorf(f.info.Pos, "", "%s has no real input to be varied", f.info.Name)
	}
	c := f.newCall()
	s, err := f.bind(c, &request{in: in})
	if err != nil {
		return nil, err
	}
	v := &Vector{f: f, s: s, outs: 1, in: make([]machine.Elements, len(c.in))}
	for i := range c.in {
		r, n := c.in[i].Elements()
		v.in[i] = machine.Elements{R: slices.Clone(r), N: slices.Clone(n)}
	}
	for i, w := range f.wrt {
		v.add(w, i)
	}
	return v, nil
}

// add puts the real leaves of an input into the vector.
func (v *Vector) add(t *tree, wrt int) {
	for _, p := range t.parts {
		v.add(p, wrt)
	}
	if t.parts != nil {
		return
	}
	if t.typ.Elem == types.R {
		from := len(v.start)
		v.start = append(v.start, v.in[t.leaf].R...)
		v.parts = append(v.parts, part{t.leaf, from, len(v.start), wrt, v.outs})
		v.in[t.leaf] = machine.Elements{}
	}
	v.outs++
}

// Start is the vector of the values that [Func.Vector] was given.
func (v *Vector) Start() []float64 {
	if v == nil {
		return nil
	}
	return slices.Clone(v.start)
}

// Values are the inputs that are in a vector, by name; their elements are memory of x.
// There are none if x has another length.
func (v *Vector) Values(x []float64) *Values {
	if v == nil || v.f == nil || len(x) != len(v.start) {
		return &Values{}
	}
	leaves := make(map[int]*Value)
	for i, e := range v.in {
		leaves[i] = &Value{Elem: v.f.leaves[i].typ.Elem, Shape: slices.Clone(v.s.shapes[i]), N: slices.Clone(e.N)}
	}
	for _, p := range v.parts {
		leaves[p.leaf].R = x[p.from:p.to:p.to]
	}
	out := &Values{names: v.f.opt.ad.Wrt}
	for _, w := range v.f.wrt {
		out.values = append(out.values, w.value(leaves))
	}
	return out
}

// value puts the values of leaves together.
func (t *tree) value(leaves map[int]*Value) *Value {
	if t.parts == nil {
		return leaves[t.leaf]
	}
	v := &Value{Parts: make([]*Value, len(t.parts))}
	for i, p := range t.parts {
		v.Parts[i] = p.value(leaves)
	}
	return v
}

// Err is the first error of a call, or nil. What an optimizer calls cannot give one:
// the value is NaN then, and so are derivatives.
func (v *Vector) Err() error {
	if v == nil {
		return errNoFunc
	}
	if e := v.err.Load(); e != nil {
		return *e
	}
	return nil
}

// Func is the value at x.
func (v *Vector) Func(x []float64) float64 {
	value, err := v.run(modeValue, x, nil, nil)
	return v.or(value, err)
}

// Grad puts the gradient at x into grad, which is as long as x.
func (v *Vector) Grad(grad, x []float64) { v.ValueGrad(x, grad) }

// ValueGrad is the value at x, and puts the gradient into grad unless that is nil.
func (v *Vector) ValueGrad(x, grad []float64) float64 {
	if grad == nil {
		return v.Func(x)
	}
	value, err := v.run(modeGrad, x, grad, nil)
	if err != nil {
		nan(grad)
	}
	return v.or(value, err)
}

// Hess puts the matrix of second derivatives at x into hess, which has as many rows as
// x has elements, or is empty.
func (v *Vector) Hess(hess *mat.SymDense, x []float64) {
	if hess != nil && hess.IsEmpty() && len(x) > 0 {
		hess.ReuseAsSym(len(x))
	}
	_, err := v.run(modeHessian, x, nil, hess)
	if err != nil && hess != nil {
		nan(hess.RawSymmetric().Data)
	}
	v.or(0, err)
}

func nan(x []float64) {
	for i := range x {
		x[i] = math.NaN()
	}
}

// or is the value, or NaN after an error, which it keeps.
func (v *Vector) or(value float64, err error) float64 {
	if err == nil {
		return value
	}
	if v != nil {
		first := err // err itself would take memory at each call
		v.err.CompareAndSwap(nil, &first)
	}
	return math.NaN()
}

func (v *Vector) run(k mode, x, grad []float64, hess *mat.SymDense) (float64, error) {
	if v == nil || v.f == nil {
		return 0, errNoFunc
	}
	n := len(v.start)
	if len(x) != n || grad != nil && len(grad) != n || k == modeHessian && (hess == nil || hess.SymmetricDim() != n) {
		return 0, plain("the vector of %s has %d elements, and other vectors or matrices are given", v.f.info.Name, n)
	}
	p, err := v.f.get(v.s, k)
	if err != nil {
		return 0, err
	}
	m := v.sessions[k].Take()
	if m == nil {
		if m, err = v.session(p.machine); err != nil {
			return 0, v.f.about(err)
		}
	}
	value, err := v.compute(m, k, x, grad, hess)
	v.sessions[k].Give(m)
	return value, v.f.ended(err)
}

// session makes a session in which the inputs that keep their values have them.
func (v *Vector) session(of *machine.Machine) (*machine.Session, error) {
	m, err := of.Take()
	if err != nil {
		return nil, err
	}
	for i, e := range v.in {
		m.Bind(i, e)
	}
	return m, nil
}

func (v *Vector) compute(m *machine.Session, k mode, x, grad []float64, hess *mat.SymDense) (float64, error) {
	for _, a := range v.parts {
		m.Bind(a.leaf, machine.Elements{R: x[a.from:a.to]})
	}
	err := v.f.strictly(v.s, m.In)
	if err == nil {
		err = m.Run(v.f.ctx)
	}
	for _, a := range v.parts {
		m.Bind(a.leaf, machine.Elements{})
	}
	switch {
	case err != nil:
		return 0, v.f.about(err)
	case k == modeGrad:
		for _, a := range v.parts {
			copy(grad[a.from:a.to], m.Out[a.out].R)
		}
	case k == modeHessian:
		v.eachBlock(func(out int, a, b part) {
			cols := b.to - b.from
			for i := a.from; i < a.to; i++ {
				for j := max(i, b.from); j < b.to; j++ {
					hess.SetSym(i, j, m.Out[out].R[(i-a.from)*cols+j-b.from])
				}
			}
		})
	}
	return m.Out[0].R[0], nil
}

// eachBlock goes through the second derivatives in the order in which the program
// results in them: by two leaves.
func (v *Vector) eachBlock(f func(out int, a, b part)) {
	out := v.outs
	for i := range v.f.wrt {
		for j := range v.f.wrt {
			for _, a := range v.parts {
				for _, b := range v.parts {
					if a.wrt == i && b.wrt == j {
						f(out, a, b)
						out++
					}
				}
			}
		}
	}
}
