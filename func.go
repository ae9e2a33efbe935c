package egad

// Value computes the definition.
func (f *Func) Value(in In) (*Value, error) {
	v := new(Value)
	if err := f.ValueInto(v, in); err != nil {
		return nil, err
	}
	return v, nil
}

// ValueInto is [Func.Value] with a place for the value, as those in [Into].
func (f *Func) ValueInto(to any, in In) error {
	_, err := f.run(&request{mode: modeValue, in: in, value: to})
	return err
}

// Grad computes a definition that results in a real scalar, and its gradient.
func (f *Func) Grad(in In) (float64, *Values, error) {
	g := f.values()
	v, err := f.run(&request{mode: modeGrad, in: in, to: g.places()})
	if err != nil {
		return 0, nil, err
	}
	return v, g, nil
}

// GradInto is [Func.Grad] with places for the gradient.
func (f *Func) GradInto(to Into, in In) (float64, error) {
	return f.run(&request{mode: modeGrad, in: in, into: to})
}

// JVP computes the definition, and how its value changes when the inputs move in a
// direction: the Jacobian times the direction, in forward mode. Inputs that have no
// direction stay where they are.
func (f *Func) JVP(in, dir In) (value, change *Value, err error) {
	value, change = new(Value), new(Value)
	if err := f.JVPInto(value, change, in, dir); err != nil {
		return nil, nil, err
	}
	return value, change, nil
}

// JVPInto is [Func.JVP] with places for the value and its change, as those in [Into];
// nil for what is not wanted.
func (f *Func) JVPInto(value, change any, in, dir In) error {
	_, err := f.run(&request{mode: modeJVP, in: in, dir: dir, value: value, moved: change})
	return err
}

// VJP computes the definition, and for a cotangent of its value, a weight of each real
// number there, the cotangents of the inputs: the transposed Jacobian times the
// cotangent, in reverse mode.
func (f *Func) VJP(in In, ct any) (*Value, *Values, error) {
	v, g := new(Value), f.values()
	_, err := f.run(&request{mode: modeVJP, in: in, ct: ct, value: v, to: g.places()})
	if err != nil {
		return nil, nil, err
	}
	return v, g, nil
}

// VJPInto is [Func.VJP] with places for the value, which may be nil, and the
// cotangents.
func (f *Func) VJPInto(value any, to Into, in In, ct any) error {
	_, err := f.run(&request{mode: modeVJP, in: in, ct: ct, value: value, into: to})
	return err
}

// HVP computes a definition that results in a real scalar, its gradient, and how the
// gradient changes when the inputs move in a direction: the Hessian times the
// direction. Inputs that have no direction stay where they are.
func (f *Func) HVP(in, dir In) (value float64, grad, change *Values, err error) {
	grad, change = f.values(), f.values()
	value, err = f.run(&request{mode: modeHVP, in: in, dir: dir, to: grad.places(), change: change.places()})
	if err != nil {
		return 0, nil, nil, err
	}
	return value, grad, change, nil
}

// HVPInto is [Func.HVP] with places for the gradient and its change.
func (f *Func) HVPInto(grad, change Into, in, dir In) (float64, error) {
	return f.run(&request{mode: modeHVP, in: in, dir: dir, into: grad, by: change})
}

// Jacobian computes the definition and all its partial derivatives. The derivative of
// a value R[sh] by an input R[sh'] is an array R[sh, sh']; of a tuple it is a
// tuple over its real components, and by a tuple one over those of the tuple. All arrays
// together have at most [ad.MaxDense] elements; more are an error, and
// [Func.JacobianBlocks] makes fewer where most are 0.
func (f *Func) Jacobian(in In) (*Value, *Values, error) {
	v, g := new(Value), f.values()
	_, err := f.run(&request{mode: modeJacobian, in: in, value: v, to: g.places()})
	if err != nil {
		return nil, nil, err
	}
	return v, g, nil
}

// JacobianInto is [Func.Jacobian] with places for the value, which may be nil, and the
// derivatives.
func (f *Func) JacobianInto(value any, to Into, in In) error {
	_, err := f.run(&request{mode: modeJacobian, in: in, value: value, into: to})
	return err
}

// Hessian computes a definition that results in a real scalar, its gradient, and its
// second derivatives: for inputs x: R[sh] and y: R[sh'] an array R[sh, sh'], which
// is Get("x").Get("y"). All arrays together have at most [ad.MaxDense] elements, those of
// 2048 numbers in the inputs; more are an error, and [Func.HVP] needs no matrix.
func (f *Func) Hessian(in In) (value float64, grad *Values, hess *Blocks, err error) {
	grad, hess = f.values(), &Blocks{}
	to := grad.places()
	for range grad.names {
		row := f.values()
		hess.names, hess.rows = grad.names, append(hess.rows, row)
		to = append(to, row.places()...)
	}
	value, err = f.run(&request{mode: modeHessian, in: in, to: to})
	if err != nil {
		return 0, nil, nil, err
	}
	return value, grad, hess, nil
}

// HessianDiagonal computes a definition that results in a real scalar, its gradient, and
// its second derivatives by each element of the inputs twice. It takes one product
// of the Hessian with a direction where the Hessian is diagonal as far as that follows
// from where the operators of the definition read, else several, up to one for each
// element of an input.
func (f *Func) HessianDiagonal(in In) (value float64, grad, diagonal *Values, err error) {
	grad, diagonal = f.values(), f.values()
	value, err = f.run(&request{mode: modeDiagonal, in: in, to: grad.places(), change: diagonal.places()})
	if err != nil {
		return 0, nil, nil, err
	}
	return value, grad, diagonal, nil
}

// HessianDiagonalInto is [Func.HessianDiagonal] with places for the gradient and the
// diagonal.
func (f *Func) HessianDiagonalInto(grad, diagonal Into, in In) (float64, error) {
	return f.run(&request{mode: modeDiagonal, in: in, into: grad, by: diagonal})
}

// JacobianBlocks computes the definition and its partial derivatives where they can
// differ from 0, as far as that follows from where its operators read. No matrix is
// made.
func (f *Func) JacobianBlocks(in In) (*Value, *JacobianBlocks, error) {
	v, b := new(Value), new(JacobianBlocks)
	if err := f.JacobianBlocksInto(v, b, in); err != nil {
		return nil, nil, err
	}
	return v, b, nil
}

// JacobianBlocksInto is [Func.JacobianBlocks] with places for the value, which may be
// nil, and for the blocks: the zero value, or what an earlier call gave, whose memory
// is used again if the sizes are the same.
func (f *Func) JacobianBlocksInto(value any, to *JacobianBlocks, in In) error {
	if to == nil {
		return plain("there is no place for the blocks")
	}
	_, err := f.run(&request{mode: modeBlocks, in: in, value: value, blocks: to})
	return err
}
