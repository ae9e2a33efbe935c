package kernel

import (
	"slices"

	"egad/internal/slice"
	"egad/term/types"
)

// Panel is memory for values that a fold inside a lane loop needs again and again: they
// are computed before, once, and lie in the order in which they are needed.
type Panel struct {
	Before *Loop           // where it is filled
	Narrow bool            // the values are the same for all lanes: there are two copies of each
	Lane   *Loop           // for whose lanes they are, else
	outer  []Stmt          // what is computed there before the fold
	Fold   *Loop           // that needs them
	Values []*Value        // those that it needs
	Single map[*Value]bool // those that are needed by what is the same for all lanes, too
	Filled *Loop           // fills it
	At     uint32          // where it begins, in bytes from the room that the kernel has
}

// Packing stores the values of a panel.
type Packing struct{ *Panel }

func (Packing) stmt() {}

// Index is the place of v among the values of a panel, or -1.
func (p *Panel) Index(v *Value) int { return slices.Index(p.Values, v) }

// bytes are how many a panel has for so many rows.
func (p *Panel) bytes(rows int) uint32 {
	if p.Narrow {
		return uint32(16 * rows * p.Fold.N * len(p.Values))
	}
	return uint32(8 * p.Fold.N * p.Lane.N * len(p.Values))
}

// Bounds on panels, in bytes.
const (
	maxNarrow = 1 << 18
	maxWide   = 1 << 26
)

// fill gives a tile the panels that pay: for what is the same in all lanes, if it is
// needed for many of them, and for what is the same in all rows, if it lies far apart.
func (c *chooser) fill(t *tile, varying *variances) {
	if len(t.lanes) != 1 {
		return
	}
	lane := t.lanes[0]
	var fold *Loop
	for _, s := range lane.Body {
		if l, ok := s.(*Loop); ok {
			if fold != nil || l.Order != Folding || !l.Innermost() {
				return
			}
			fold = l
		}
	}
	if fold == nil {
		return
	}
	inLane, inFold, inRow := varying.of(lane), varying.of(fold), varying.of(t.jam)
	steps := (lane.N + 3) / 4
	if len(fold.Only)+len(lane.Only) > 0 { // about half of all runs are
		steps /= 2
	}
	c.pack(t, inLane, &Panel{Before: lane, Narrow: true, Fold: fold}, steps >= 4, maxNarrow/(16*t.rows), func(v *Value) bool { return !inLane.Varies(v) && inFold.Varies(v) })
	tiles := t.jam.N / t.rows
	c.pack(t, inLane, &Panel{Before: t.jam, Lane: lane, outer: lane.Body, Fold: fold}, tiles >= 3, maxWide/8/max(1, lane.N), func(v *Value) bool {
		if !inLane.Varies(v) || inRow.Varies(v) || !inFold.Varies(v) {
			return false
		}
		if v.Kind != Load {
			return true
		}
		along, _ := stride(v.Access, inLane)
		apart, _ := stride(v.Access, inFold)
		return along != 1 || tiles >= 8 && apart >= 64 && fold.N >= 16
	})
	t.bury(fold)
}

// bury notes what a fold need not compute, as it reads it, or what is made of it, in
// panels.
func (t *tile) bury(fold *Loop) {
	live := make(map[*Value]bool)
	var need func(v *Value)
	need = func(v *Value) {
		if live[v] {
			return
		}
		live[v] = true
		if slices.ContainsFunc(t.panels, func(p *Panel) bool { return p.Index(v) >= 0 }) {
			return
		}
		for _, a := range slices.Concat(v.Args, v.At) {
			need(a)
		}
	}
	for _, f := range fold.Folds {
		need(f.Value)
	}
	for _, s := range fold.Body {
		if s, ok := s.(*Store); ok {
			need(s.Value)
			for _, a := range s.At {
				need(a)
			}
		}
	}
	t.dead = make(map[*Value]bool)
	for _, s := range fold.Body {
		if s, ok := s.(*Let); ok {
			t.dead[s.Value] = !live[s.Value]
		}
	}
}

// pack gives a tile a panel of those values that are wanted and needed by others in the
// fold, if there are any and they have room: at most so many runs of the fold.
func (c *chooser) pack(t *tile, inLane *Variance, p *Panel, pays bool, runs int, want func(v *Value) bool) {
	lane := t.lanes[0]
	defined := make(map[*Value]bool)
	for _, s := range slices.Concat(p.outer, p.Fold.Body) {
		if s, ok := s.(*Let); ok {
			defined[s.Value] = true
		}
	}
	outside := make(map[*Value]bool) // what is computed between the panel and the fold
	for _, s := range slices.Concat(t.jam.Body, lane.Body) {
		if s, ok := s.(*Let); ok && p.Lane != nil || ok && !slices.Contains(t.jam.Body, Stmt(s)) {
			outside[s.Value] = !defined[s.Value]
		}
	}
	p.Single = make(map[*Value]bool)
	wanted := func(v *Value) bool { return v.Elem == types.R && (v.Kind == Load || v.Kind == Compute) && want(v) }
	use := func(by, v *Value) {
		if !wanted(v) || by != nil && wanted(by) {
			return
		}
		if p.Index(v) < 0 {
			p.Values = append(p.Values, v)
		}
		if p.Narrow && by != nil && !inLane.Varies(by) {
			p.Single[v] = true
		}
	}
	for _, s := range p.Fold.Body {
		switch s := s.(type) {
		case *Let:
			for _, a := range s.Value.Args {
				use(s.Value, a)
			}
		case *Store:
			use(nil, s.Value)
		}
	}
	for _, f := range p.Fold.Folds {
		use(nil, f.Value)
	}
	needs, ok := needed(p.Values...), true
	for v := range needs {
		ok = ok && !outside[v] && !(v.Kind == Load && c.stored[v.Array]) && (v.Kind != Folded || !p.makes(v))
	}
	if !ok || !pays || len(p.Values) == 0 || p.Fold.N*len(p.Values) > runs {
		return
	}
	lets := func(body []Stmt) []Stmt {
		return slice.Filter(body, func(s Stmt) bool {
			let, ok := s.(*Let)
			return ok && needs[let.Value]
		})
	}
	p.Filled = &Loop{Var: p.Fold.Var, N: p.Fold.N, Body: append(lets(p.Fold.Body), Packing{p})}
	if p.Narrow {
		p.Filled.Only = p.Fold.Only
	}
	if p.Lane != nil {
		p.Filled = &Loop{Var: p.Lane.Var, N: p.Lane.N, Body: append(lets(p.outer), p.Filled)}
		t.lanes = append(t.lanes, p.Filled)
	}
	for _, q := range t.panels {
		p.At += q.bytes(t.rows)
	}
	t.panels = append(t.panels, p)
}

// makes reports whether a value is a fold between the panel and what reads it.
func (p *Panel) makes(v *Value) bool {
	return some([]Stmt{p.Before}, func(l *Loop) bool {
		return slices.ContainsFunc(l.Folds, func(f Fold) bool { return f.Result == v })
	})
}
