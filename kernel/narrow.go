package kernel

import (
	"maps"
	"slices"

	"egad/term"
)

// narrow has loops store 0 where nobody reads what they store, if they compare indices so anyway, and functions
// of reals would have to be computed for it: runs that store other elements can do without them then, see
// [zeroes.rare]. b knows who reads what.
func (p *Program) narrow(b *bounder) {
	for _, k := range p.Kernels {
		b.narrow(k.Body, nil)
	}
}

// narrow is that of statements, before which some integers are known.
func (b *bounder) narrow(body []Stmt, before []*Value) {
	before = before[:len(before):len(before)]
	for _, s := range body {
		switch s := s.(type) {
		case *Let:
			if s.Value.Elem == term.I {
				before = append(before, s.Value)
			}
		case *Loop:
			in := append(before[:len(before):len(before)], s.Var)
			if innermost(s) && s.Order == Parallel {
				s.Body = b.narrowed(s, in)
			} else {
				b.narrow(s.Body, in)
			}
		}
	}
}

// narrowed is the body of an innermost loop that stores 0 where nobody reads.
func (b *bounder) narrowed(l *Loop, before []*Value) (out []Stmt) {
	all := b.only(l)
	var tests []*Value // of integers that are known before the loop, and of its index
	for _, s := range l.Body {
		if let, ok := s.(*Let); ok && let.Value.Kind == Compute && let.Value.Args[0].Elem == term.I && !slices.ContainsFunc(let.Value.Args, func(x *Value) bool { return !x.among(before) }) {
			tests = append(tests, let.Value)
		}
	}
	there := make(map[*Value]bool)
	do := func(v *Value) *Value {
		if !there[v] {
			there[v] = true
			out = append(out, &Let{v})
		}
		return v
	}
	for _, s := range l.Body {
		let, ok := s.(*Let)
		if ok {
			do(let.Value)
			continue
		}
		if s, ok := s.(*Store); ok && !s.Add && slices.ContainsFunc(slices.Collect(maps.Keys(needed(s.Value))), (*Value).function) {
			for _, x := range b.read(s) {
				x = x.among(before)
				i := slices.IndexFunc(tests, func(v *Value) bool { ls := b.holds(v, true); return len(ls) == 1 && ls[0].equal(x) })
				if i >= 0 && !slices.ContainsFunc(all, x.equal) {
					zero := newBuilder(nil).lit(term.ScalarZero(s.Value.Elem))
					s.Value = do(&Value{Kind: Compute, Elem: s.Value.Elem, Op: term.SymWhere, Args: []*Value{do(tests[i]), s.Value, zero}, Range: s.Value.Range})
				}
			}
		}
		out = append(out, s)
	}
	return out
}

// among reports whether an integer is one of some, or a sum of them.
func (v *Value) among(some []*Value) bool {
	if v.Kind == Linear {
		return !slices.ContainsFunc(v.Args, func(x *Value) bool { return !x.among(some) })
	}
	return v.Kind == Lit || slices.Contains(some, v)
}
