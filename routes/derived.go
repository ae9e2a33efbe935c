package routes

import (
	"fmt"
	"slices"

	"egad/ad"
	"egad/diag"
	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// reverse derives the gradient in package ad, with loops as they are if direct is set.
func reverse(direct bool) func(t *Task) *ad.Derived {
	return func(t *Task) *ad.Derived {
		opt := t.Options
		opt.Direct = direct
		derive := ad.VJP
		if t.scalar() {
			derive = ad.Grad
		}
		return raise.Must(derive(t.Lib, t.Program, opt))
	}
}

// forward derives the change of the result.
func forward(t *Task) *ad.Derived { return raise.Must(ad.JVP(t.Lib, t.Program, t.Options)) }

// derived is the route of package ad.
func derived(direct bool) func(t *Task) (*term.Program, Counts) {
	return func(t *Task) (*term.Program, Counts) {
		p := reverse(direct)(t).Program
		return p, sizes(p)
	}
}

// running runs a program of value and gradient, which has a cotangent as last input if the
// task needs one, and has been written with these counts.
func running[S any](f field[S], p *term.Program, counts Counts) func(t *Task) *outcome[S] {
	return func(t *Task) *outcome[S] {
		env := envOver(t, f.from)
		if !t.scalar() {
			fill(env, p.Inputs[len(p.Inputs)-1], cotangent(f, t))
		}
		v, total, err := run(f, t, p, env)
		raise.Error(err)
		out := &outcome[S]{program: p, Counts: counts}
		out.Value, out.Total = t.value, total
		for _, g := range v.Parts[1:] {
			out.gradient = reals(g, out.gradient)
		}
		return out
	}
}

// fill gives the leaves of an input that are reals numbers, in order, and returns those
// that are left.
func fill[S any](env eval.Env[*eval.Value[S]], in term.Input, xs []S) []S {
	for _, leaf := range in.Leaves() {
		shape, n, _ := types.ShapeOf(leaf.Type, types.DefaultMaxElements)
		v := &eval.Value[S]{Elem: leaf.Type.Elem, Shape: shape}
		if v.Elem == types.R {
			v.R, xs = xs[:n], xs[n:]
		} else {
			v.N = make([]int64, n)
		}
		env[leaf.Name] = v
	}
	return xs
}

// run evaluates a program and counts its operations on reals.
func run[S any](f field[S], t *Task, p *term.Program, env eval.Env[*eval.Value[S]]) (*eval.Value[S], int64, error) {
	alg := f.counting(t)
	v, err := eval.InterpretStaged(p.Store, p.Root, alg, env)
	return v, alg.Counts.Float, err
}

// columns is the forward derivative, run once for each real number of the inputs.
func columns[S any](f field[S]) func(t *Task) *outcome[S] {
	return func(t *Task) *outcome[S] {
		d := forward(t)
		env := envOver(t, f.from)
		ct := cotangent(f, t)
		zero, one := f.FromInt(0), f.FromInt(1)
		out := &outcome[S]{Counts: sizes(d.Program)}
		out.Value = t.value
		changes := d.Program.Inputs[len(t.Program.Inputs):]
		n := slice.Sum(changes, func(in term.Input) int { return elements(in.Type.RealPart()) })
		all := slices.Repeat([]S{zero}, n) // the changes of all inputs that are varied
		left := all
		for _, in := range changes {
			left = fill(env, in, left)
		}
		for i := range all {
			all[i] = one
			v, total, err := run(f, t, d.Program, env)
			raise.Error(err)
			all[i] = zero
			out.Total += total
			// All columns take as many.
			if i == 0 && total > t.Bounds.Operations/int64(n) {
				raise.Error(&fun.StoppedError{Most: total, What: fmt.Sprintf("operations, for one of %s", diag.Count(n, "column"))})
			}
			sum := zero
			for k, dy := range reals(v.Parts[1], nil) {
				if t.Cotangent != nil {
					dy = f.Binary(ops.SymMul, dy, ct[k])
				}
				if k == 0 {
					sum = dy
				} else {
					sum = f.Binary(ops.SymAdd, sum, dy)
				}
			}
			out.gradient = append(out.gradient, sum)
		}
		return out
	}
}

// sizes counts the nodes of a program: as it is shared, and as a tree.
func sizes(p *term.Program) (c Counts) {
	p.Store.Walk(p.Root, func(term.Term) { c.Nodes++ })
	c.Tree = p.Store.TreeSizes().Of(p.Root)
	return c
}
