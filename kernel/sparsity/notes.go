package sparsity

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// Note notes at loops the conditions that a bounder finds.
func Note(p *kernel.Program, b *Bounder) {
	for _, k := range p.Kernels {
		k.Body = b.Note(k.Body)
	}
}

// Unbound forgets what is noted at loops.
func Unbound(p *kernel.Program) {
	for _, k := range p.Kernels {
		Unbind(slices.Collect(kernel.All[*kernel.Loop](k.Body)))
	}
}

// BoundSums notes at loops that add up which of their runs need not be done, as far as the
// statements alone tell: a sum that is done together with others has to do the runs of all.
// It lists these loops, at which [Unbind] takes the notes away again.
func BoundSums(body []kernel.Stmt) []*kernel.Loop {
	b := NewBounder()
	var all []*kernel.Loop
	for l := range kernel.All[*kernel.Loop](body) {
		if len(l.Only) == 0 && (l.Order == kernel.Folding || adds(l)) {
			for _, f := range l.Folds {
				b.folds[f.Result], b.inside[f.Result] = &f, l
			}
			all = append(all, l)
		}
	}
	for _, l := range all {
		l.Only = b.only(l).Notes()
	}
	return all
}

// Unbind takes the notes away at some loops.
func Unbind(loops []*kernel.Loop) {
	for _, l := range loops {
		l.Only = nil
	}
}

// adds reports whether all that a loop does is to add to what is there.
func adds(l *kernel.Loop) bool {
	body := []kernel.Stmt{l}
	return kernel.Any(body, func(*kernel.Store) bool { return true }) && !kernel.Any(body, func(s *kernel.Store) bool { return !s.Add }) &&
		!kernel.Any(body, func(l *kernel.Loop) bool { return len(l.Folds) > 0 })
}

// Notes lists the conditions as they stand at a loop.
func (ls Limits) Notes() []kernel.Only {
	return slice.Map(ls, func(x Limit) kernel.Only {
		return kernel.Only{Less: &kernel.Value{Kind: kernel.Linear, Elem: types.I, Const: ops.ScalarI(x.Const), Coef: x.Coef, Args: x.Args}, Finite: x.Finite}
	})
}

// Note notes at loops what the conditions of their runs are. It gives the statements, in which data of
// conditions are loaded before the loops.
func (b *Bounder) Note(body []kernel.Stmt) []kernel.Stmt {
	out := b.noteIn(body, nil, nil)
	var loads []*kernel.Value
	last := 0
	kernel.Walk(out, func(s kernel.Stmt) {
		if let, ok := s.(*kernel.Let); ok && let.Value.Serial == 0 {
			loads = append(loads, let.Value)
		} else if ok {
			for v := range kernel.Needed(let.Value) {
				last = max(last, v.Serial)
			}
		} else if l, ok := s.(*kernel.Loop); ok {
			last = max(last, l.Var.Serial)
		}
	})
	for _, v := range loads {
		for _, x := range append(slices.Clone(v.At), v) {
			if x.Serial == 0 {
				last++
				x.Serial = last
			}
		}
	}
	return out
}

// noteIn is note where before the statements are some values, and the loops around are run only under some
// conditions.
func (b *Bounder) noteIn(body []kernel.Stmt, before []*kernel.Value, around Limits) (out []kernel.Stmt) {
	before = before[:len(before):len(before)]
	for _, s := range body {
		if let, ok := s.(*kernel.Let); ok && let.Value.Elem == types.I {
			before = append(before, let.Value)
		}
		l, ok := s.(*kernel.Loop)
		if !ok {
			out = append(out, s)
			continue
		}
		in, own := append(before[:len(before):len(before)], l.Var), around
		for _, x := range b.only(l) {
			x = x.Among(in)
			for _, v := range x.Args {
				if IsData(v) && !slices.Contains(in, v) && slices.Contains(x.Args, l.Var) && loadable(v, before) {
					out, before, in = append(out, &kernel.Let{Value: v}), append(before, v), append(in, v)
				}
			}
			if slices.ContainsFunc(x.Args, func(v *kernel.Value) bool { return v.Kind != kernel.Var && !slices.Contains(in, v) }) {
				continue
			}
			if !slices.ContainsFunc(around, x.Equal) {
				l.Only = append(l.Only, Limits{x}.Notes()...)
			}
			if !slices.ContainsFunc(x.Args, func(v *kernel.Value) bool { return !slices.Contains(in, v) }) {
				own = append(own[:len(own):len(own)], x)
			}
		}
		l.Body = b.noteIn(l.Body, in, own)
		out = append(out, s)
	}
	return out
}

// leftOut are the conditions without which strict sums leave a run of a loop out.
func (b *Bounder) leftOut(l *kernel.Loop) (out Limits) {
	if l.Order != kernel.Folding {
		return nil
	}
	all := b.only(l)
	for i, o := range all.Notes() {
		if IsStrict(l, o) {
			out = append(out, all[i])
		}
	}
	return out
}

// IsStrict reports whether a condition of a loop is one by which a sum can leave runs out: where indices of loops
// tell that a factor is 0.
func IsStrict(l *kernel.Loop, o kernel.Only) bool {
	return o.Finite && l.Order == kernel.Folding && slices.Contains(o.Less.Args, l.Var) &&
		!slices.ContainsFunc(o.Less.Args, func(v *kernel.Value) bool { return v.Kind != kernel.Var })
}
