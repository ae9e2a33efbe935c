package kernel

import (
	"slices"

	"egad/internal/slice"
	"egad/term/ops"
	"egad/term/types"
)

// note notes at loops the conditions that a bounder finds.
func (p *Program) note(b *bounder) {
	for _, k := range p.Kernels {
		k.Body = b.note(k.Body)
	}
}

// unbound forgets what is noted at loops.
func (p *Program) unbound() {
	for _, k := range p.Kernels {
		for l := range allOf[*Loop](k.Body) {
			l.Only = nil
		}
	}
}

// boundSums notes at loops that add up which of their runs need not be done, as far as the
// statements alone tell: a sum that is done together with others has to do the runs of all.
// The notes are there until undo is called.
func boundSums(body []Stmt) (undo func()) {
	b := newBounder()
	var all []*Loop
	for l := range allOf[*Loop](body) {
		if len(l.Only) == 0 && (l.Order == Folding || l.adds()) {
			for i, f := range l.Folds {
				b.folds[f.Result], b.inside[f.Result] = &l.Folds[i], l
			}
			all = append(all, l)
		}
	}
	for _, l := range all {
		l.Only = b.only(l).notes()
	}
	return func() {
		for _, l := range all {
			l.Only = nil
		}
	}
}

// adds reports whether all that a loop stores is added to what is there.
func (l *Loop) adds() bool {
	adds := false
	for _, s := range l.Body {
		switch s := s.(type) {
		case *Store:
			if adds = s.Add; !adds {
				return false
			}
		case *Loop:
			return false
		}
	}
	return adds && len(l.Folds) == 0
}

// notes are the conditions as they stand at a loop.
func (ls limits) notes() []Only {
	return slice.Map(ls, func(x limit) Only {
		return Only{Less: &Value{Kind: Linear, Elem: types.I, Const: ops.ScalarI(x.Const), Coef: x.Coef, Args: x.Args}, Finite: x.finite}
	})
}

// note notes at loops what the conditions of their runs are. It gives the statements, in which data of
// conditions are loaded before the loops.
func (b *bounder) note(body []Stmt) []Stmt {
	out := b.noteIn(body, nil, nil)
	var loads []*Value
	last := 0
	Walk(out, func(s Stmt) {
		if let, ok := s.(*Let); ok && let.Value.Serial == 0 {
			loads = append(loads, let.Value)
		} else if ok {
			for v := range needed(let.Value) {
				last = max(last, v.Serial)
			}
		} else if l, ok := s.(*Loop); ok {
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
func (b *bounder) noteIn(body []Stmt, before []*Value, around limits) (out []Stmt) {
	before = before[:len(before):len(before)]
	for _, s := range body {
		if let, ok := s.(*Let); ok && let.Value.Elem == types.I {
			before = append(before, let.Value)
		}
		l, ok := s.(*Loop)
		if !ok {
			out = append(out, s)
			continue
		}
		in, own := append(before[:len(before):len(before)], l.Var), around
		for _, x := range b.only(l) {
			x = x.among(in)
			for _, v := range x.Args {
				if v.data() && !slices.Contains(in, v) && slices.Contains(x.Args, l.Var) && v.loadable(before) {
					out, before, in = append(out, &Let{v}), append(before, v), append(in, v)
				}
			}
			if slices.ContainsFunc(x.Args, func(v *Value) bool { return v.Kind != Var && !slices.Contains(in, v) }) {
				continue
			}
			if !slices.ContainsFunc(around, x.equal) {
				l.Only = append(l.Only, limits{x}.notes()...)
			}
			if !slices.ContainsFunc(x.Args, func(v *Value) bool { return !slices.Contains(in, v) }) {
				own = append(own[:len(own):len(own)], x)
			}
		}
		l.Body = b.noteIn(l.Body, in, own)
		out = append(out, s)
	}
	return out
}
