package schedule

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// Replacer makes those values anew that depend on the index of a loop, and those that are
// sums, of which each part has its own.
type Replacer struct {
	*kernel.Variance
	done  map[*kernel.Value]*kernel.Value
	part  *kernel.Value
	sums  map[*kernel.Array]*kernel.Array
	loops map[*kernel.Value]*kernel.Loop // by their indices, with the index and the number of runs instead
	there map[*kernel.Value]bool         // what has been computed
}

// access is an access in the place of a.
func (c *Replacer) access(a kernel.Access) kernel.Access {
	at := a.Map(c.value)
	if s := c.sums[a.Array]; s != nil {
		at.Array, at.At = s, append([]*kernel.Value{c.part}, at.At...)
	}
	return at
}

// Loop makes a loop in the place of l.
func (c *Replacer) Loop(l *kernel.Loop) *kernel.Loop {
	for _, x := range l.Carries {
		v, r := *x.Value, *x.Result
		c.done[x.Value], c.done[x.Result] = &v, &r
	}
	body := make([]kernel.Stmt, 0, len(l.Body))
	for _, s := range l.Body {
		switch s := s.(type) {
		case *kernel.Let:
			// No division has become an index, and no choice what there is.
			if v := c.value(s.Value); v.Kind == s.Value.Kind && !c.there[v] {
				c.there[v] = true
				body = append(body, &kernel.Let{Value: v})
			}
		case *kernel.Store:
			t := *s
			t.Access, t.Value = c.access(s.Access), c.value(s.Value)
			body = append(body, &t)
		case *kernel.Loop:
			body = append(body, c.Loop(s))
		}
	}
	out := l.Map(body, c.value)
	if of := c.loops[l.Var]; of != nil {
		out.Var, out.N = of.Var, of.N
	}
	out.Only = slices.DeleteFunc(out.Only, func(o kernel.Only) bool { return o.Less.Range.Hi < 0 })
	for i, x := range out.Carries {
		out.Carries[i].Value, out.Carries[i].Result = c.done[x.Value], c.done[x.Result]
	}
	for i, f := range l.Folds {
		r := *f.Result
		c.done[f.Result] = &r
		out.Folds[i].Result = &r
	}
	return out
}

func (c *Replacer) value(v *kernel.Value) *kernel.Value {
	if w, ok := c.done[v]; ok {
		return w
	}
	if !c.Varies(v) && c.sums[v.Array] == nil {
		return v
	}
	w := *v
	w.Args, w.Access = slice.Map(v.Args, c.value), c.access(v.Access)
	if v.Kind == kernel.Linear { // sums of sums are one
		sum := kernel.NewBuilder(nil).Linear(v.Const.Int, v.Coef, w.Args)
		w.Coef, w.Args, w.Const.Int = sum.Sum()
		w.Range = sum.Range
	}
	c.done[v] = w.Undivided()
	if w.Kind == kernel.Compute && (w.Elem == types.B || w.Op == ops.SymWhere || w.Elem == types.I && c.done[v] == &w) {
		c.done[v] = w.With(w.Args)
	}
	return c.done[v]
}

// NewReplacer makes one for l, in the place of whose index comes another value.
func NewReplacer(l *kernel.Loop, index *kernel.Value) *Replacer {
	return &Replacer{Variance: kernel.NewVariance([]kernel.Stmt{l}, l), done: map[*kernel.Value]*kernel.Value{l.Var: index}, there: make(map[*kernel.Value]bool)}
}

// loopAt is a loop of n runs whose index is v and which does what l does where its index is
// another value.
func loopAt(l *kernel.Loop, index, v *kernel.Value, n int) *kernel.Loop {
	out := NewReplacer(l, index).Loop(l)
	out.Var, out.N = v, n
	return out
}
