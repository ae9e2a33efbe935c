package egad

import (
	"errors"
	"maps"
	"slices"

	"egad/ad"
	"egad/data"
	"egad/diag"
	"egad/fusion"
	"egad/internal/interrupt"
	"egad/internal/once"
	"egad/kernel/machine"
	"egad/term"
	"egad/term/module"
	"egad/term/overflow"
	"egad/term/types"
)

// mode is what of a definition is computed.
type mode int

const (
	modeValue mode = iota
	modeGrad
	modeJVP
	modeVJP
	modeHVP
	modeJacobian
	modeHessian
	modeBlocks
	modeDiagonal
	modes
)

// sized is a definition at known sizes.
type sized struct {
	sizes    map[string]int64
	given    []int64 // by size of the definition: as it was given, or -1
	shapes   [][]int // of the leaves
	program  once.Value[*term.Program]
	compiled [modes]once.Value[*compiled]
}

// compiled is a program that is ready to be run.
type compiled struct {
	machine *machine.Machine
	more    []*tree // the inputs beside those of the definition: directions, a cotangent
	inputs  []*tree // the leaves of more
	results []*tree // the value, and derivatives, of the form of the inputs but in Jacobians
	outputs []*tree // the leaves of results
	blocks  []ad.Block
}

// get is the program of a mode, which is made if nobody has asked for it.
func (f *Func) get(s *sized, k mode) (*compiled, error) {
	if c, err, ok := s.compiled[k].Made(); ok {
		return c, err
	}
	p, err := f.program(s)
	if err != nil {
		return nil, err
	}
	return s.compiled[k].Get(f.ctx, func(stop *interrupt.Stop) (c *compiled, err error) {
		err = overflow.Guard(func() error {
			p := p.Clone()
			p.Store.Stop = stop
			c, err = f.make(p, k)
			return err
		})
		if err != nil {
			return nil, f.about(err)
		}
		return c, nil
	})
}

// program is the definition at known sizes.
func (f *Func) program(s *sized) (*term.Program, error) {
	return s.program.Get(f.ctx, func(*interrupt.Stop) (*term.Program, error) {
		p, err := f.m.Instantiate(f.info.Name, s.sizes)
		if err != nil {
			return nil, f.about(err)
		}
		return p, nil
	})
}

// derive is the program of a mode.
func (f *Func) derive(p *term.Program, k mode) (*ad.Derived, error) {
	how := [modes]func(*term.Program, ad.Options) (*ad.Derived, error){
		modeGrad: f.m.Grad, modeJVP: f.m.JVP, modeVJP: f.m.VJP, modeHVP: f.m.HVP, modeHessian: f.m.Hessian,
		modeBlocks: f.m.JacobianBlocks, modeDiagonal: f.m.HessianDiagonal,
		modeJacobian: func(p *term.Program, opt ad.Options) (*ad.Derived, error) { return f.m.Jacobian(p, opt, f.opt.mode) },
	}
	if k == modeValue {
		return ad.Value(f.m.Rules(), p, f.opt.ad), nil
	}
	return how[k](p, f.opt.ad)
}

func (f *Func) make(of *term.Program, k mode) (*compiled, error) {
	d, err := f.derive(of, k)
	if err != nil {
		return nil, err
	}
	p, c := d.Program, &compiled{blocks: d.Blocks}
	var native *machine.Native
	if f.opt.native {
		native = &machine.Native{Exact: f.opt.ad.Exact, Threads: f.opt.threads}
	}
	if c.machine, err = fusion.PrepareEither(f.m.Rules(), p, d, f.opt.weights, native); err != nil {
		return nil, err
	}
	if err := c.machine.Allow(f.opt.memory); err != nil {
		return nil, err
	}
	for i, in := range p.Inputs[len(of.Inputs):] {
		what, pos, as := "the cotangent", f.info.Pos, f.info.Result.RealPart()
		if k != modeVJP {
			what, pos, as = "the direction of "+f.wrt[i].name, f.wrt[i].pos, f.wrt[i].typ
		}
		in.Type = in.Type.WrittenAs(as)
		c.more = append(c.more, newTree(what, in, pos, &c.inputs))
	}
	results := []*types.Type{p.Store.Type(p.Root)}
	if k != modeValue {
		results = results[0].Parts
	}
	for i, t := range results {
		what, in, how := f.result(k, i), term.Input{Type: t}, newTree
		if w := i - 1 - len(f.wrt); k == modeHVP && w >= 0 {
			in, how = of.Inputs[slices.Index(f.params, f.wrt[w])], newRealTree
		}
		in.Type = in.Type.WrittenAs(f.written(k, i))
		c.results = append(c.results, how(what, in, f.info.Pos, &c.outputs))
	}
	if err := size(c.inputs); err != nil {
		return nil, err
	}
	return c, size(c.outputs)
}

// result says in messages what a program of a mode results in at place i.
func (f *Func) result(k mode, i int) string {
	n := len(f.wrt)
	switch {
	case i == 0:
		return "the value"
	case k == modeJVP:
		return "the change of the value"
	case k == modeBlocks:
		return "a block of the Jacobian"
	case i <= n:
		return "the derivative by " + f.wrt[i-1].name
	case k == modeDiagonal:
		return "the diagonal by " + f.wrt[i-1-n].name
	case k == modeHVP:
		return "the change of the derivative by " + f.wrt[i-1-n].name
	}
	i -= 1 + n
	return "the derivative by " + f.wrt[i/n].name + " and " + f.wrt[i%n].name
}

// written is the type of the definition in whose form result i of a mode is, nil if it is
// that of none.
func (f *Func) written(k mode, i int) *types.Type {
	switch {
	case i == 0:
		return f.info.Result
	case k == modeJVP:
		return f.info.Result.RealPart()
	case k == modeGrad || k == modeVJP || k == modeHVP || k == modeDiagonal:
		return f.wrt[(i-1)%len(f.wrt)].typ
	}
	return nil
}

// fits reports whether the leaves of a call have the shapes of s, and the sizes are
// told in the same way.
func (s *sized) fits(c *call) bool {
	for i, shape := range s.shapes {
		if !slices.Equal(c.in[i].Shape, shape) {
			return false
		}
	}
	return slices.Equal(s.given, c.given)
}

// size finds the definition at the sizes of a call that is the first of its shapes.
func (f *Func) size(c *call) (*sized, error) {
	sizes, err := f.solve(c, nil)
	if err != nil {
		return nil, err
	}
	return f.programs.Get(func(s *sized) bool { return maps.Equal(s.sizes, sizes) }, func() (*sized, error) {
		s := &sized{sizes: sizes, given: slices.Clone(c.given)}
		for i := range c.in {
			s.shapes = append(s.shapes, slices.Clone(c.in[i].Shape))
		}
		return s, nil
	})
}

// solve infers the sizes from the leaves of a call, or says what does not fit, as that
// inputs are missing, or that the definition does not have others that are there.
func (f *Func) solve(c *call, others []string) (map[string]int64, error) {
	in := &data.Inputs{}
	for i, l := range f.leaves {
		if c.in[i].Elem == types.NoElem {
			continue
		}
		if err := in.Add(l.name, c.in[i].Raw(f.info.Src, l.pos)); err != nil {
			return nil, f.about(err)
		}
	}
	for _, name := range others {
		if err := in.Add(name, new(data.Array).Raw(f.info.Src, f.info.Pos)); err != nil {
			return nil, f.about(err)
		}
	}
	given := make(map[string]int64)
	for i, name := range f.info.Sizes {
		if c.given[i] >= 0 {
			given[name] = c.given[i]
		}
	}
	sizes, _, err := data.Bind(f.info, in, given)
	if err != nil {
		return nil, f.about(err)
	}
	return sizes, nil
}

// about gives an error the type [Error], and findings that are at no place in a text
// that of the definition.
func (f *Func) about(err error) error {
	switch err.(type) {
	case *Error, Errors:
		return placed(err, f.info)
	}
	return f.errorf(f.info.Pos, "", "%w", err)
}

// placed gives findings that are at no place in a text, and the bounds of terms that are
// reached, that of a definition. Other errors are as they were.
func placed(err error, info module.DefInfo) error {
	var all Errors
	switch e := err.(type) {
	case *Error:
		all = Errors{e}
	case Errors:
		all = e
	default:
		if _, ok := errors.AsType[*overflow.Error](err); ok {
			err = diag.Errorf(info.Src, info.Pos, "%w", err)
		}
		return err
	}
	out := make(Errors, len(all))
	for i, e := range all {
		x := *e
		if x.Src == nil {
			x.Src, x.Pos = info.Src, info.Pos
		}
		out[i] = &x
	}
	if len(out) == 1 {
		return out[0]
	}
	return out
}
