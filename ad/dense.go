package ad

import (
	"fmt"
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules"
	"egad/term"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// MaxDense bounds the elements of a dense Jacobian or Hessian, of all arrays of it together:
// 32 MiB of float64. A Hessian by 2048 numbers has as many.
const MaxDense = 1 << 22

// Mode is the direction in which a dense Jacobian is computed.
type Mode uint8

// The modes.
const (
	Cheapest Mode = iota // Forward or Reverse, by which side has fewer elements
	Forward              // a column for each element of the inputs
	Reverse              // a row for each element of the value
)

func (m Mode) String() string {
	names := [...]string{"cheapest", "forward", "reverse"}
	if int(m) >= len(names) {
		return fmt.Sprintf("Mode(%d)", m)
	}
	return names[m]
}

// Check is an error if m is no mode.
func (m Mode) Check() error {
	if m > Reverse {
		return diag.Errorf(nil, 0, "there is no %s: a Jacobian is computed forward, in reverse, or the cheapest way", m)
	}
	return nil
}

// DenseJacobian derives the program that computes the value of p and its partial
// derivatives (App. A of the dual-numbers paper): (value, derivative by the first
// input, …). For a value R[sh] and an input R[sh'] the derivative is R[sh, sh'];
// for tuples it is a tuple over the components of the value, of tuples over those
// of the input, without the components that are not real.
//
// All columns, or rows, are one loop over one-hot changes, or cotangents, to
// which the linear map of p is applied: build n (\i -> J (onehot i)). The
// bulk-operation transform makes operations on whole arrays of it, so that an
// intermediate result may be kept once for each of them.
func DenseJacobian(lib *rules.Library, p *term.Program, opt Options, mode Mode) (*Derived, error) {
	return dense(lib, p, opt, mode, func(s *term.Store, value term.Term, by []term.Term) term.Term {
		return s.Apply(ops.SymTuple, append([]term.Term{value}, by...)...)
	})
}

// Hessian derives the program that computes the value of p, which must be a real
// scalar, its gradient, and its second derivatives: (value, gradient by the first
// input x, …, derivative of the gradient by x by each input, …). For inputs
// x: R[sh] and y: R[sh'] that derivative is R[sh, sh']. It is the Jacobian, in
// forward mode, of the gradient.
func Hessian(lib *rules.Library, p *term.Program, opt Options) (*Derived, error) {
	if err := given(lib, p); err != nil {
		return nil, err
	}
	n, err := variedElements(p, opt)
	if err != nil {
		return nil, err
	}
	if n > 0 && n > MaxDense/n {
		return nil, diag.Errorf(nil, 0, "the Hessian of %s has %d rows of as many elements; the bound is %d elements in all (a Hessian-vector product needs no matrix)", p.Name, n, MaxDense)
	}
	return ofGradient(lib, p, opt, func(g *term.Program, opt Options) (*Derived, error) {
		return dense(lib, g, opt, Forward, func(s *term.Store, value term.Term, by []term.Term) term.Term {
			parts := components(s, value)
			for i := range parts[1:] {
				for _, b := range by {
					parts = append(parts, s.Proj(i+1, b))
				}
			}
			return s.Apply(ops.SymTuple, parts...)
		})
	})
}

// elements counts the reals of inputs.
func elements(ins ...term.Input) (int64, error) {
	sum := size.Const(0)
	for _, in := range ins {
		if t := in.Type.RealPart(); t != nil {
			sum = sum.Add(t.Elements())
		}
	}
	return sum.Eval(nil)
}

// variedElements counts the reals of the inputs that a derivative is for.
func variedElements(p *term.Program, opt Options) (int64, error) {
	wrt, err := Varied(p, opt.Wrt)
	if err != nil {
		return 0, err
	}
	return elements(wrt...)
}

// dense derives the Jacobian of p; result puts it together with the value, given
// what belongs to each input.
func dense(lib *rules.Library, p *term.Program, opt Options, mode Mode, result func(s *term.Store, value term.Term, by []term.Term) term.Term) (*Derived, error) {
	if err := mode.Check(); err != nil {
		return nil, err
	}
	t, err := realPart(lib, p)
	if err != nil {
		return nil, err
	}
	n, err := variedElements(p, opt)
	if err != nil {
		return nil, err
	}
	m, err := elements(term.Input{Type: t})
	if err != nil {
		return nil, err
	}
	if m > 0 && n > MaxDense/m {
		return nil, diag.Errorf(nil, 0, "the Jacobian of %s has %d elements for each of %d real inputs; the bound is %d in all", p.Name, m, n, MaxDense)
	}
	if mode == Cheapest {
		mode = Reverse
		if n <= m {
			mode = Forward
		}
	}
	return derive(lib, p, opt, true, func(l *pipeline, j *Jacobian, q *term.Program) error {
		b := newBlocks(q.Store, j, mode)
		l.noteMaps(j, b.all...)
		var by []term.Term
		for _, in := range l.wrt {
			b.out = 0
			by = append(by, b.ofValue(t, in))
		}
		q.Root = result(b.s, q.Root, by)
		return nil
	})
}

// blocks makes the parts of a Jacobian, one for each array of the value and each
// array of the inputs.
type blocks struct {
	s    *term.Store
	j    *Jacobian
	mode Mode
	maps [][]*term.Term // by the place in j.Out and in j.Wrt
	all  []term.Term    // of maps, those that are not 0
	out  int            // the next array of the value with elements, a place in j.Out
}

func newBlocks(s *term.Store, j *Jacobian, mode Mode) *blocks {
	b := &blocks{s: s, j: j, mode: mode}
	if len(j.Reverse) == 0 {
		return b
	}
	b.maps = make([][]*term.Term, len(j.Out))
	for k := range j.Out {
		if mode == Reverse {
			b.maps[k] = j.To(k)
		} else {
			b.maps[k] = make([]*term.Term, len(j.Wrt))
		}
	}
	if mode == Forward {
		for x := range j.Wrt {
			for k, m := range j.From(x) {
				b.maps[k][x] = m
			}
		}
	}
	for _, row := range b.maps {
		for _, m := range row {
			if m != nil {
				b.all = append(b.all, *m)
			}
		}
	}
	return b
}

// ofValue is the derivative of a part of the value, of real type t, by an input.
func (b *blocks) ofValue(t *types.Type, in term.Input) term.Term {
	if t.Kind == types.KTuple {
		return b.s.Apply(ops.SymTuple, slice.Map(t.Parts, func(p *types.Type) term.Term { return b.ofValue(p, in) })...)
	}
	d := b.byInput(t, in)
	if !t.HasEmptyAxis() {
		b.out++
	}
	return d
}

// byInput is the derivative of array b.out of the value, of type t.
func (b *blocks) byInput(t *types.Type, in term.Input) term.Term {
	if in.Type.Kind == types.KTuple {
		var parts []term.Term
		for _, p := range in.Components() {
			if p.Type.Differentiable() {
				parts = append(parts, b.byInput(t, p))
			}
		}
		return b.s.Apply(ops.SymTuple, parts...)
	}
	x := slices.IndexFunc(b.j.Wrt, func(leaf term.Input) bool { return leaf.Name == in.Name })
	if x < 0 || t.HasEmptyAxis() || b.maps[b.out][x] == nil {
		return b.s.Zeros(types.ArrayOf(types.R, slices.Concat(t.Shape, in.Type.Shape)...))
	}
	if b.mode == Reverse {
		return b.rows(*b.maps[b.out][x], t.Shape)
	}
	return b.columns(*b.maps[b.out][x], t.Shape, in.Type.Shape)
}

// columns applies a map to each one-hot of an input.
func (b *blocks) columns(m term.Term, out, in []size.Size) term.Term {
	a := b.s.Builds(in, func(is []term.Term) term.Term {
		return b.s.Apply(ops.SymLapply, m, b.s.OneHot(in, is))
	})
	// The axes of the value come first.
	n := len(in) + len(out)
	return b.s.Tr(slice.Make(n, func(i int) int { return (len(in) + i) % n }), a)
}

// rows applies a transposed map to each one-hot of the value.
func (b *blocks) rows(m term.Term, out []size.Size) term.Term {
	back := b.s.Apply(ops.SymLtranspose, m)
	return b.s.Builds(out, func(is []term.Term) term.Term {
		return b.s.Apply(ops.SymLapply, back, b.s.OneHot(out, is))
	})
}
