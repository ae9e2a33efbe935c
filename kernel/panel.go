package kernel

import (
	"slices"

	"egad/term"
)

// panel is memory for values that a fold inside a lane loop needs again and again: they
// are computed before, once, and lie in the order in which they are needed.
type panel struct {
	before *Loop           // where it is filled
	narrow bool            // the values are the same for all lanes: there are two copies of each
	lane   *Loop           // for whose lanes they are, else
	outer  []Stmt          // what is computed there before the fold
	fold   *Loop           // that needs them
	values []*Value        // those that it needs
	single map[*Value]bool // those that are needed by what is the same for all lanes, too
	filled *Loop           // fills it
	at     uint32          // where it begins, in bytes from the room that the kernel has
}

// packing stores the values of a panel.
type packing struct{ *panel }

func (packing) stmt() {}

// index is the place of v among the values of a panel, or -1.
func (p *panel) index(v *Value) int { return slices.Index(p.values, v) }

// bytes are how many a panel has for so many rows.
func (p *panel) bytes(rows int) uint32 {
	if p.narrow {
		return uint32(16 * rows * p.fold.N * len(p.values))
	}
	return uint32(8 * p.fold.N * p.lane.N * len(p.values))
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
			if fold != nil || l.Order != Folding || !l.innermost() {
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
	c.pack(t, inLane, &panel{before: lane, narrow: true, fold: fold}, steps >= 4, maxNarrow/(16*t.rows), func(v *Value) bool { return !inLane.varies(v) && inFold.varies(v) })
	tiles := t.jam.N / t.rows
	c.pack(t, inLane, &panel{before: t.jam, lane: lane, outer: lane.Body, fold: fold}, tiles >= 3, maxWide/8/max(1, lane.N), func(v *Value) bool {
		if !inLane.varies(v) || inRow.varies(v) || !inFold.varies(v) {
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
		if slices.ContainsFunc(t.panels, func(p *panel) bool { return p.index(v) >= 0 }) {
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
func (c *chooser) pack(t *tile, inLane *variance, p *panel, pays bool, runs int, want func(v *Value) bool) {
	lane := t.lanes[0]
	defined := make(map[*Value]bool)
	for _, s := range slices.Concat(p.outer, p.fold.Body) {
		if s, ok := s.(*Let); ok {
			defined[s.Value] = true
		}
	}
	outside := make(map[*Value]bool) // what is computed between the panel and the fold
	for _, s := range slices.Concat(t.jam.Body, lane.Body) {
		if s, ok := s.(*Let); ok && p.lane != nil || ok && !slices.Contains(t.jam.Body, Stmt(s)) {
			outside[s.Value] = !defined[s.Value]
		}
	}
	p.single = make(map[*Value]bool)
	wanted := func(v *Value) bool { return v.Elem == term.R && (v.Kind == Load || v.Kind == Compute) && want(v) }
	use := func(by, v *Value) {
		if !wanted(v) || by != nil && wanted(by) {
			return
		}
		if p.index(v) < 0 {
			p.values = append(p.values, v)
		}
		if p.narrow && by != nil && !inLane.varies(by) {
			p.single[v] = true
		}
	}
	for _, s := range p.fold.Body {
		switch s := s.(type) {
		case *Let:
			for _, a := range s.Value.Args {
				use(s.Value, a)
			}
		case *Store:
			use(nil, s.Value)
		}
	}
	for _, f := range p.fold.Folds {
		use(nil, f.Value)
	}
	needs, ok := needed(p.values...), true
	for v := range needs {
		ok = ok && !outside[v] && !(v.Kind == Load && c.stored[v.Array]) && (v.Kind != Folded || !p.makes(v))
	}
	if !ok || !pays || len(p.values) == 0 || p.fold.N*len(p.values) > runs {
		return
	}
	lets := func(body []Stmt) (out []Stmt) {
		for _, s := range body {
			if s, ok := s.(*Let); ok && needs[s.Value] {
				out = append(out, s)
			}
		}
		return out
	}
	p.filled = &Loop{Var: p.fold.Var, N: p.fold.N, Body: append(lets(p.fold.Body), packing{p})}
	if p.narrow {
		p.filled.Only = p.fold.Only
	}
	if p.lane != nil {
		p.filled = &Loop{Var: p.lane.Var, N: p.lane.N, Body: append(lets(p.outer), p.filled)}
		t.lanes = append(t.lanes, p.filled)
	}
	for _, q := range t.panels {
		p.at += q.bytes(t.rows)
	}
	t.panels = append(t.panels, p)
}

// makes reports whether a value is a fold between the panel and what reads it.
func (p *panel) makes(v *Value) bool {
	yes := false
	walk([]Stmt{p.before}, func(s Stmt) {
		if l, ok := s.(*Loop); ok {
			yes = yes || slices.ContainsFunc(l.Folds, func(f Fold) bool { return f.Result == v })
		}
	})
	return yes
}
