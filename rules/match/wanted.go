package match

import (
	"math"

	"egad/rules"
	"egad/term/ops"
	"egad/term/types"
)

// Want is what conditions ask of the elements of a term: bounds, of integers or of
// reals, and that they are not a number.
type Want struct {
	Int    ops.Range
	Lo, Hi float64
	Open   bool // of reals, the bounds themselves do not count
	But    []float64
	Finite bool
}

func anything() Want { return Want{Int: ops.AnyInt, Lo: math.Inf(-1), Hi: math.Inf(1)} }

// Wanted returns what the conditions and assumptions ask of numbers: for a metavariable, or for each
// element of a list of them. It looks for bounds that are numbers and sizes;
// conditions may ask for more.
func (m *Match) Wanted(s Space) map[string][]Want {
	w := wanted{b: &builder{space: s, m: m}, of: make(map[string][]Want)}
	for _, cs := range [][]rules.Cond{m.Rule.Conds, m.Rule.Assumes} {
		for i := range cs {
			// What cannot be evaluated asks for nothing here.
			_, _ = w.b.guard(func() { w.cond(&cs[i]) })
		}
	}
	return w.of
}

type wanted struct {
	b  *builder
	of map[string][]Want
}

func (w *wanted) cond(c *rules.Cond) {
	switch c.Kind {
	case rules.CondOrder:
		w.order(c)
	case rules.CondInside:
		w.inside(c)
	case rules.CondFinite:
		if c.L.Kind == rules.PMeta {
			w.at(c.L.Name, 0).Finite = true
		}
	}
}

// at is the want of an element of a list, or of a metavariable.
func (w *wanted) at(name string, place int) *Want {
	for len(w.of[name]) <= place {
		w.of[name] = append(w.of[name], anything())
	}
	return &w.of[name][place]
}

// order notes what l < r, l <= r and l != r ask of a side when the other is known.
func (w *wanted) order(c *rules.Cond) {
	if r, ok := w.constant(c.R); ok {
		w.bound(c.L, c.Op, r, true)
	}
	if l, ok := w.constant(c.L); ok {
		w.bound(c.R, c.Op, l, false)
	}
}

// constant is a number or a size.
func (w *wanted) constant(p *rules.Pattern) (element, bool) {
	switch p.Kind {
	case rules.PNumber, rules.PZero, rules.PSizeVal:
		return w.b.fact(p).number, true
	case rules.PApp:
		if n, known := w.b.wholeNumber(w.b.term(p, nil)); known {
			return element{n, float64(n), true}, true
		}
	}
	return element{}, false
}

// bound notes that p is below k, or above it, where p is a metavariable or one and
// a constant.
func (w *wanted) bound(p *rules.Pattern, op string, k element, below bool) {
	switch {
	case p.Kind == rules.PMeta:
		w.at(p.Name, 0).bound(op, k, below)
	case p.Kind == rules.PApp && (p.Sym == ops.SymAdd || p.Sym == ops.SymSub) && len(p.Kids) == 2 && p.Kids[0].Kind == rules.EOne && p.Kids[1].Kind == rules.EOne:
		d, ok := w.constant(p.Kids[1].Pat)
		if !ok {
			return
		}
		if p.Sym == ops.SymAdd {
			d.n, d.r = -d.n, -d.r
		}
		w.bound(p.Kids[0].Pat, op, element{k.n + d.n, k.r + d.r, k.whole && d.whole}, below)
	}
}

func (t *Want) bound(op string, k element, below bool) {
	less := int64(0)
	if op == "<" {
		t.Open, less = true, 1
	}
	switch {
	case op == "!=":
		t.But = append(t.But, k.r)
	case below:
		t.Hi = min(t.Hi, k.r)
		if k.whole {
			t.Int.Hi = min(t.Int.Hi, k.n-less)
		}
	default:
		t.Lo = max(t.Lo, k.r)
		if k.whole {
			t.Int.Lo = max(t.Int.Lo, k.n+less)
		}
	}
}

// inside notes what ix inside t asks of the indices; of ix outside t, that the first is
// beyond the end.
func (w *wanted) inside(c *rules.Cond) {
	axes := w.b.axes(c.Of, c.Sizes)
	at := 0
	note := func(name string, place int) {
		if at < len(axes) && (c.Op == "inside" || at == 0) {
			if n, ok := axes[at].Const(); ok {
				r := ops.Range{Lo: 0, Hi: n - 1}
				if c.Op == "outside" {
					r = ops.Range{Lo: n, Hi: n + 2}
				}
				t := w.at(name, place)
				t.Int = t.Int.Meet(r)
			}
		}
		at++
	}
	if c.Ix.Kind == rules.LVar {
		for i := range w.b.list(c.Ix) {
			note(c.Ix.Name, i)
		}
		return
	}
	for _, e := range rules.Flatten(c.Ix.Elems) {
		switch {
		case e.Kind == rules.EOne && e.Pat.Kind == rules.PMeta:
			note(e.Pat.Name, 0)
		case e.Kind == rules.ESplice && e.List.Kind == rules.LVar:
			for i := range w.b.list(e.List) {
				note(e.List.Name, i)
			}
		default:
			at += len(w.b.elems([]rules.Elem{e}, types.ArrayOf(types.I)))
		}
	}
}
