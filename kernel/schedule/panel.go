package schedule

import (
	"slices"

	"egad/kernel"
	"egad/term/types"
)

// bytes are how many a panel has for so many rows.
func bytes(p *kernel.Panel, rows int) uint32 {
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
	var fold *kernel.Loop
	for _, l := range kernel.Among[*kernel.Loop](lane.Body) {
		if fold != nil || l.Order != kernel.Folding || !l.Innermost() {
			return
		}
		fold = l
	}
	if fold == nil {
		return
	}
	inLane, inFold, inRow := varying.of(lane), varying.of(fold), varying.of(t.jam)
	steps := (lane.N + 3) / 4
	if len(fold.Only)+len(lane.Only) > 0 { // about half of all runs are
		steps /= 2
	}
	c.pack(t, inLane, &kernel.Panel{Before: lane, Narrow: true, Fold: fold}, steps >= 4, maxNarrow/(16*t.rows), func(v *kernel.Value) bool { return !inLane.Varies(v) && inFold.Varies(v) })
	tiles := t.jam.N / t.rows
	c.pack(t, inLane, &kernel.Panel{Before: t.jam, Lane: lane, Outer: lane.Body, Fold: fold}, tiles >= 3, maxWide/8/max(1, lane.N), func(v *kernel.Value) bool {
		if !inLane.Varies(v) || inRow.Varies(v) || !inFold.Varies(v) {
			return false
		}
		if v.Kind != kernel.Load {
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
func (t *tile) bury(fold *kernel.Loop) {
	live := make(map[*kernel.Value]bool)
	var need func(v *kernel.Value)
	need = func(v *kernel.Value) {
		if live[v] {
			return
		}
		live[v] = true
		if slices.ContainsFunc(t.panels, func(p *kernel.Panel) bool { return p.Index(v) >= 0 }) {
			return
		}
		for _, a := range slices.Concat(v.Args, v.At) {
			need(a)
		}
	}
	for _, f := range fold.Folds {
		need(f.Value)
	}
	for _, s := range kernel.Among[*kernel.Store](fold.Body) {
		need(s.Value)
		for _, a := range s.At {
			need(a)
		}
	}
	t.dead = make(map[*kernel.Value]bool)
	for _, s := range kernel.Among[*kernel.Let](fold.Body) {
		t.dead[s.Value] = !live[s.Value]
	}
}

// pack gives a tile a panel of those values that are wanted and needed by others in the
// fold, if there are any and they have room: at most so many runs of the fold.
func (c *chooser) pack(t *tile, inLane *kernel.Variance, p *kernel.Panel, pays bool, runs int, want func(v *kernel.Value) bool) {
	lane := t.lanes[0]
	defined := make(map[*kernel.Value]bool)
	for _, s := range kernel.Among[*kernel.Let](slices.Concat(p.Outer, p.Fold.Body)) {
		defined[s.Value] = true
	}
	outside := make(map[*kernel.Value]bool) // what is computed between the panel and the fold
	for _, s := range slices.Concat(t.jam.Body, lane.Body) {
		if s, ok := s.(*kernel.Let); ok && p.Lane != nil || ok && !slices.Contains(t.jam.Body, kernel.Stmt(s)) {
			outside[s.Value] = !defined[s.Value]
		}
	}
	p.Single = make(map[*kernel.Value]bool)
	wanted := func(v *kernel.Value) bool {
		return v.Elem == types.R && (v.Kind == kernel.Load || v.Kind == kernel.Compute) && want(v)
	}
	use := func(by, v *kernel.Value) {
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
		case *kernel.Let:
			for _, a := range s.Value.Args {
				use(s.Value, a)
			}
		case *kernel.Store:
			use(nil, s.Value)
		}
	}
	for _, f := range p.Fold.Folds {
		use(nil, f.Value)
	}
	needs, ok := kernel.Needed(p.Values...), true
	for v := range needs {
		ok = ok && !outside[v] && !(v.Kind == kernel.Load && c.stored[v.Array]) && (v.Kind != kernel.Folded || !makes(p, v))
	}
	if !ok || !pays || len(p.Values) == 0 || p.Fold.N*len(p.Values) > runs {
		return
	}
	p.Filled = &kernel.Loop{Var: p.Fold.Var, N: p.Fold.N, Body: append(lets(p.Fold.Body, needs), kernel.Packing{Panel: p})}
	if p.Narrow {
		p.Filled.Only = p.Fold.Only
	}
	if p.Lane != nil {
		p.Filled = &kernel.Loop{Var: p.Lane.Var, N: p.Lane.N, Body: append(lets(p.Outer, needs), p.Filled)}
		t.lanes = append(t.lanes, p.Filled)
	}
	for _, q := range t.panels {
		p.At += bytes(q, t.rows)
	}
	t.panels = append(t.panels, p)
}

// makes reports whether a value is a fold between the panel and what reads it.
func makes(p *kernel.Panel, v *kernel.Value) bool {
	return kernel.Any([]kernel.Stmt{p.Before}, func(l *kernel.Loop) bool {
		return slices.ContainsFunc(l.Folds, func(f kernel.Fold) bool { return f.Result == v })
	})
}
