package schedule

import (
	"cmp"
	"iter"
	"maps"
	"math"
	"slices"
	"sync"

	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/plan"
	"egad/kernel/sparsity"
	"egad/kernel/strength"
	"egad/term/ops"
	"egad/term/types"
)

// Schedule says how a kernel runs in machine code.
type Schedule struct {
	Body  []kernel.Stmt                  // of the kernel, with loops that may go in any order nested in the best one
	Lanes map[*kernel.Loop]int           // run so many vectors at once: none is in another one
	Rows  map[*kernel.Loop]int           // run so many runs in lock step: none is in another one
	Rare  map[*kernel.Loop]*Rare         // the choices of loops that are hardly ever made
	First map[*kernel.Loop]*CheckedFirst // loops of which runs are written twice, where all indices are in range and where not
	Often map[*kernel.Loop]int           // of the lane loops that are written so many times, one after the other
	// Written are loops each run of which is written for itself.
	Written map[*kernel.Loop]bool
	// Before a loop panels are filled, which are read in a fold inside it; what is dead is
	// not computed there.
	Panels     []*kernel.Panel
	Dead       map[*kernel.Value]bool
	Contracted map[*kernel.Loop]*Contraction  // nests that are products of matrices, by their outer loops
	Masked     map[*kernel.Value]*kernel.Loop // by their indices, loops that are done where a sum of what is done first is NaN
	Room       uint32                         // for panels, in bytes
	time       float64                        // that it takes, about, in nanoseconds
}

// newSchedule chooses how to run a kernel, by an estimate of the time of all choices. Loops that data limit
// take no masks where they may: estimates do not know how few runs data leave. Those that indices limit take none
// where that is better: with masks several rows of a triangle or of a band may be in lock step, and where each run is
// written for itself its masks are known.
func newSchedule(w *cost.Weights, z *sparsity.Zeroes, k *kernel.Kernel, exact, products bool) *Schedule {
	without := func(all bool) *Schedule {
		if body := withoutMasks(k.Body, all); !slices.Equal(body, k.Body) {
			if s := scheduled(w, z, body, exact, products); s.certain() {
				return s
			}
		}
		return nil
	}
	if s := without(false); s != nil {
		return s
	}
	s := scheduled(w, z, k.Body, exact, products)
	if len(s.Written) > 0 {
		return s
	}
	if other := without(true); other != nil && other.time < s.time {
		return other
	}
	return s
}

// scheduled chooses how to run the statements of a kernel.
func scheduled(w *cost.Weights, z *sparsity.Zeroes, all []kernel.Stmt, exact, products bool) *Schedule {
	body, masked := placedWith(z.Unmask(all))
	c := newChooser(w, body, exact, products)
	c.masked = masked
	best := c.best(body)
	if !inPlaceOf(best.body, masked) { // without masks, or in another order
		c := newChooser(w, body, exact, products)
		c.ordered = true
		best = c.best(body)
		body, _ = placedWith(all, nil)
		if other := newChooser(w, body, exact, products).best(body); other.time < best.time {
			best, masked = other, nil
		}
	}
	s := &Schedule{Body: best.body, time: best.time, Masked: masked, Contracted: make(map[*kernel.Loop]*Contraction), Lanes: make(map[*kernel.Loop]int), Rows: make(map[*kernel.Loop]int), Often: make(map[*kernel.Loop]int), Written: make(map[*kernel.Loop]bool), Rare: make(map[*kernel.Loop]*Rare), First: make(map[*kernel.Loop]*CheckedFirst), Dead: make(map[*kernel.Value]bool)}
	for _, t := range best.tiles {
		if t.product != nil {
			s.Contracted[t.jam] = t.product
			continue
		}
		for _, l := range t.lanes {
			s.Lanes[l] = t.width()
		}
		if t.jam != nil {
			s.Rows[t.jam] = t.rows
		}
		for _, p := range t.panels {
			s.Panels = append(s.Panels, p)
			s.Room = max(s.Room, p.At+bytes(p, t.rows))
		}
		for v, dead := range t.dead {
			s.Dead[v] = dead
		}
	}
	s.unroll(s.Body, 1)
	s.write(s.Body, exact)
	together := append(slices.Collect(maps.Keys(s.Lanes)), slices.Collect(maps.Keys(s.Rows))...)
	s.twice(z, s.Body, kernel.NewVariance(s.Body, together...), false)
	return s
}

// twice finds the loops of which something is written twice, for what is rarely so; together says that runs of a
// loop around are in lock step, and apart what differs between them.
func (s *Schedule) twice(z *sparsity.Zeroes, body []kernel.Stmt, apart *kernel.Variance, together bool) {
	for _, l := range kernel.Among[*kernel.Loop](body) {
		in := together || s.Lanes[l] > 0 || s.Rows[l] > 0
		if !s.fills(l) {
			if r := rare(z, l); r != nil {
				s.Rare[l] = r
			} else if first := checkedFirst(l, together); first != nil && s.Rows[l] == 0 && (!together || first.alike(apart)) {
				s.First[l] = first
			}
		}
		s.twice(z, l.Body, apart, in)
	}
}

// fills reports whether panels are read in a loop, or filled before one inside it.
func (s *Schedule) fills(l *kernel.Loop) bool {
	vars := []*kernel.Value{l.Var}
	for l := range kernel.All[*kernel.Loop](l.Body) {
		vars = append(vars, l.Var)
	}
	return slices.ContainsFunc(s.Panels, func(p *kernel.Panel) bool { return slices.Contains(vars, p.Fold.Var) })
}

// inPlaceOf reports whether loops with masks can be done in the place of those without: in both are the
// same loops, as no nest of sums has got another order.
func inPlaceOf(body []kernel.Stmt, masked map[*kernel.Value]*kernel.Loop) bool {
	inside := func(l *kernel.Loop) (vars []*kernel.Value) {
		for l := range kernel.All[*kernel.Loop](l.Body) {
			vars = append(vars, l.Var)
		}
		return vars
	}
	return !kernel.Any(body, func(l *kernel.Loop) bool {
		return masked[l.Var] != nil && !slices.Equal(inside(l), inside(masked[l.Var]))
	})
}

// All are the statements of a schedule, those of masked loops too.
func (s *Schedule) All() []kernel.Stmt {
	out := slices.Clone(s.Body)
	for l := range kernel.All[*kernel.Loop](s.Body) {
		if s.Masked[l.Var] != nil {
			out = append(out, s.Masked[l.Var])
		}
		if s.First[l] != nil {
			out = append(out, s.First[l].All)
		}
	}
	return out
}

// unroll finds the short lane loops that are written several times, as most of what one run
// of such a loop takes is to begin it. So many lines are in lock step around.
func (s *Schedule) unroll(body []kernel.Stmt, lines int) {
	for _, l := range kernel.Among[*kernel.Loop](body) {
		all := max(lines, s.Rows[l])
		s.unroll(l.Body, all)
		if n := s.Lanes[l]; n > 0 {
			s.Often[l] = often(l, n, all)
		}
	}
}

// maxUnrolled bounds how many values are computed by runs of a loop that are written one after the
// other, maxLanes by those of a lane loop that is short and does little, and maxFolded by those of a
// fold inside one.
const (
	maxUnrolled = 64
	maxLanes    = 160
	maxFolded   = 512
)

// inside is how often the runs of a loop that folds may be written where so many vectors and
// lines are in lock step around: the longer the loop, the more often, as what it takes to
// begin a run would be as much as what it does.
func inside(l *kernel.Loop, vectors, lines int) int {
	size := len(l.Body) * lines * vectors
	switch {
	case l.Order.Whole() && l.Innermost() && vectors == 0: // of steps
		for _, often := range []int{4, 2} {
			if often*len(l.Body) <= maxUnrolled {
				return often
			}
		}
		return 1
	case l.Order != kernel.Folding || vectors == 0 || !l.Innermost() || size > maxUnrolled:
		return 1
	case len(l.Only) > 0 && l.N < 16: // which are often few
		return 2
	}
	if len(l.Only) == 0 && l.N <= MostRuns && l.N*size <= 2*maxFolded {
		return max(1, l.N)
	}
	often := 4
	for len(l.Only) == 0 && often < 16 && l.N >= 16*often && 2*often*size <= maxFolded {
		often *= 2
	}
	return often
}

// Repeated is how often the runs of a loop that folds are written: as inside says, which is what the
// estimate goes by, but once where they compute functions. These are long, and what it takes to begin a run
// is hidden behind them.
func Repeated(l *kernel.Loop, vectors, lines int) int {
	if functions(l) {
		return 1
	}
	return inside(l, vectors, lines)
}

// functions reports whether a loop computes functions.
func functions(l *kernel.Loop) bool {
	return slices.ContainsFunc(l.Body, func(s kernel.Stmt) bool { let, ok := s.(*kernel.Let); return ok && let.Value.IsFunction() })
}

// often is how often the runs of a lane loop are written, of so many vectors and lines in
// lock step.
func often(l *kernel.Loop, vectors, lines int) int {
	for _, s := range l.Body {
		switch s := s.(type) {
		case *kernel.Let:
			if s.Value.IsFunction() {
				return 1
			}
		case *kernel.Loop:
			return 1
		}
	}
	if len(l.Only) > 0 {
		return 1
	}
	runs, size := l.N/(2*vectors), (1+len(l.Body))*lines*vectors
	fits := func(often, most int) bool { return 2*vectors*often <= MostRuns && size*often <= most }
	if runs > maxCounted { // what is left does not count
		for _, often := range []int{4, 2} {
			if fits(often, maxUnrolled) {
				return often
			}
		}
		return 1
	}
	most := maxUnrolled
	if 2*size <= maxUnrolled {
		most = maxLanes
	}
	best, least := 1, runs
	for often := 2; often <= maxOften && fits(often, most); often++ {
		n := runs / often // so often it is asked whether there is more to do
		if left := runs % often; left > 0 {
			n += 1 + left
		}
		if n < least {
			best, least = often, n
		}
	}
	return best
}

// maxOften bounds how often a run of a lane loop is written that has at most maxCounted.
const (
	maxOften   = 8
	maxCounted = 64
)

// MostRuns bounds how many runs of a loop are written one after the other.
const MostRuns = 64

// tile is how one nest of loops is run: which are the lane loops, and which loop is
// jammed; or as which product of matrices all of it is done, if product is not nil: then jam is its outer loop.
type tile struct {
	product *Contraction
	lanes   []*kernel.Loop
	vectors int          // of a lane loop; 0: lockstep
	jam     *kernel.Loop // nil if there is none
	rows    int
	panels  []*kernel.Panel
	dead    map[*kernel.Value]bool // what need not be computed in the fold that reads panels
}

// width is how many vectors of a lane loop go in lock step.
func (t *tile) width() int { return cmp.Or(t.vectors, lockstep) }

// Together is how many vectors, or rows, of the runs of a loop go in lock step.
type Together struct{ Vectors, Lines int }

// Step is how many runs these are.
func (t Together) Step() int { return max(1, 2*t.Vectors, t.Lines) }

// Ways are the ways in which the runs of a loop are done that has so many vectors or rows at most in lock step, each for
// what those before have left; the last one is run by run. How many runs data leave cannot be foreseen: they are done
// by the most vectors, and one by one.
func Ways(l *kernel.Loop, vectors, rows int) iter.Seq[Together] {
	most := Together{vectors, max(1, rows)}
	return func(yield func(Together) bool) {
		more := yield(most)
		for _, n := range []int{lockstep, 1, 0} {
			if more && (n > 0 && n < vectors && !l.Sure() || n == 0 && most.Step() > 1) {
				more = yield(Together{n, 1})
			}
		}
	}
}

// choice is statements, with how their loops are run and what that takes, in
// nanoseconds.
type choice struct {
	body  []kernel.Stmt
	tiles []*tile
	time  float64
	fetch float64 // more, that depends on the order of loops
}

type chooser struct {
	*cost.Weights
	exact    bool
	products bool                           // the host multiplies matrices
	masked   map[*kernel.Value]*kernel.Loop // by their indices, loops that are done where a sum is NaN
	ordered  bool                           // sums are added up in the order in which they are written
	stored   map[*kernel.Array]bool         // in the nest of a tile
	lives    map[bodyKey]*lifetimes
	// outside are the indices of loops of blocks, by which conditions tell runs, and of how many runs
	// these are.
	outside map[*kernel.Value]int
}

func newChooser(w *cost.Weights, body []kernel.Stmt, exact, products bool) *chooser {
	return &chooser{Weights: w, exact: exact, products: products, outside: outside(body)}
}

// best chooses for each loop of a body.
func (c *chooser) best(body []kernel.Stmt) choice {
	out := choice{body: slices.Clone(body)}
	plain := c.estimator(new(tile), nil)
	for i, s := range body {
		l, ok := s.(*kernel.Loop)
		if !ok {
			out.time += plain.statement(s)
			continue
		}
		b := c.loop(l)
		out.body[i], out.time = b.body[0], out.time+b.time
		out.tiles = append(out.tiles, b.tiles...)
	}
	out.time -= plain.packs(body)
	return out
}

// loop chooses for a loop: as it is, with the best choices inside it, or any of the
// tiles of the nest that begins with it.
func (c *chooser) loop(l *kernel.Loop) choice {
	best := c.inOrder(l)
	if c.exact || c.ordered {
		return best
	}
	// Sums are added up in another order where that is much better.
	least := (best.time + best.fetch) * (1 - Unsure)
	note := func(t choice) {
		if all := t.time + t.fetch; all < least {
			best, least = t, all
		}
	}
	for _, x := range exchanged(l) {
		note(c.inOrder(x))
	}
	if chain, lets, rest := NestOf(l); len(chain) > 0 {
		for _, other := range orders(rest)[1:] {
			note(c.tiles(c.nested(nestIn(chain, lets, other, &variances{nest: l})[0]), best, true))
		}
	}
	if c.products {
		if p := ContractionOf(l); p != nil && !slices.ContainsFunc(p.Inner, func(l *kernel.Loop) bool { return c.masked[l.Var] != nil }) {
			note(choice{body: []kernel.Stmt{l}, tiles: []*tile{{product: p, jam: l}}, time: p.time(c.Weights)})
		}
	}
	return best
}

// inOrder chooses for a loop, with the sums that it is in their order.
func (c *chooser) inOrder(l *kernel.Loop) choice {
	inner := c.best(l.Body)
	sums := float64(len(l.Folds) + len(l.Carries))
	plain := c.estimator(new(tile), nil)
	each := inner.time + c.Of[cost.Run] - plain.checkedOnce(l) + sums*c.Of[cost.Instruction] + plain.spills(l.Body, sums)
	runs := Trips(l, c.exact, plain.runs)
	best := choice{body: []kernel.Stmt{l.With(inner.body)}, tiles: inner.tiles, time: c.Of[cost.Loop] + runs*each}
	n := c.nested(l)
	if !slices.ContainsFunc(inner.tiles, func(t *tile) bool { return t.product != nil }) { // which counts what it fetches
		best.fetch = fetching(c.Weights, new(tile), n.chain, n)
	}
	return c.tiles(n, best, false)
}

// nested is a nest of loops that is taken apart, with what it accesses.
type nested struct {
	*kernel.Loop
	chain      []*kernel.Loop
	lets, rest []kernel.Stmt
	all        []touch
	trips      map[*kernel.Value]trips
}

func (c *chooser) nested(l *kernel.Loop) *nested {
	chain, lets, rest := NestOf(l)
	return &nested{l, chain, lets, rest, touches(chain, []kernel.Stmt{l}), c.tripsIn(l)}
}

// way is a way to run a nest: its loops, from outside on, in their order, and how they are run.
type way struct {
	*kernel.Loop
	order  []*kernel.Loop
	tile   *tile
	filled func() *tile // the tile with the panels that pay, if there may be some
}

// tiles chooses one of the tiles of a nest, if it is better than the best choice so far: of those by
// lanes of folds alone, if inside is set.
func (c *chooser) tiles(n *nested, best choice, inside bool) choice {
	varying := &variances{nest: n.Loop}
	for _, w := range c.nests(n, varying, inside) {
		fetch := fetching(c.Weights, w.tile, w.order, n)
		if fetch >= best.time+best.fetch {
			continue
		}
		if w.filled != nil {
			t := w.filled()
			w.tile.lanes, w.tile.panels, w.tile.dead = t.lanes, t.panels, t.dead
		}
		if time := c.estimator(w.tile, varying).loop(w.Loop); time+fetch < best.time+best.fetch && w.certain() {
			best = choice{body: []kernel.Stmt{w.Loop}, tiles: []*tile{w.tile}, time: time, fetch: fetch}
		}
	}
	return best
}

// maxChain bounds the loops of a nest that are permuted, and MaxNest its statements.
const (
	maxChain = 4
	MaxNest  = 2000
)

// nests are the ways to run a nest; or, if inside is set, those in which what is in it runs in lanes.
func (c *chooser) nests(of *nested, varying *variances, inside bool) []way {
	var out []way
	order, l := of.chain, of.Loop
	add := func(l *kernel.Loop, t tile) { out = append(out, way{l, order, &t, nil}) }
	if c.vectors(l) && !inside {
		add(l, tile{lanes: []*kernel.Loop{l}})
		if l.Order == kernel.Folding {
			add(l, tile{lanes: []*kernel.Loop{l}, vectors: 2 * lockstep})
		} else {
			add(l, tile{lanes: []*kernel.Loop{l}, vectors: 1}) // for which fewer registers do
		}
	}
	c.stored = kernel.Stores(l.Body)
	if len(of.chain) == 0 || kernel.CountStatements(l.Body) > MaxNest {
		return out
	}
	within := func(body []kernel.Stmt) (out [][]*kernel.Loop) { // those that can run in lanes, or innermost ones in them
		var lanes, deep []*kernel.Loop
		for _, l := range kernel.Among[*kernel.Loop](body) {
			if c.vectors(l) {
				lanes = append(lanes, l)
			}
			if nest, _, _ := sumsOf(l); len(nest) > 1 {
				l = nest[len(nest)-1]
			}
			if c.vectors(l) {
				deep = append(deep, l)
			}
		}
		if len(lanes) > 0 {
			out = append(out, lanes)
		}
		if len(deep) > 0 && !slices.Equal(deep, lanes) {
			out = append(out, deep)
		}
		return out
	}
	for k, chosen := range innermost2(of.chain) {
		order = chosen
		n := len(order)
		if inside && k%max(n-1, 1) > 0 { // the innermost loop is that of the order before
			continue
		}
		made := nestIn(order, of.lets, of.rest, varying)
		in := made[n-1 : n : n]
		more := func(v int) bool { // whether more vectors than is usual go together in the innermost loop
			even := v&(v-1) == 0 || order[n-1].N%(2*v) == 0 // nothing is left, or it is done by half as many
			return even && order[n-1].N >= 2*v && folds(of.rest)
		}
		for v := lockstep; v <= 4*lockstep && !inside; v++ {
			if v == lockstep && n > 1 || v > lockstep && more(v) {
				add(made[0], tile{lanes: in, vectors: v})
			}
		}
		for _, rows := range []int{4, 2} {
			if n > 1 && order[n-2].N >= rows && !inside {
				t := tile{lanes: in, jam: made[n-2], rows: rows}
				filled := sync.OnceValue(func() *tile {
					f := t
					c.fill(&f, varying)
					return &f
				})
				for t.vectors = lockstep; float64(t.vectors*rows) <= c.Of[cost.SumRegisters]; t.vectors++ {
					if t.vectors > lockstep && order[n-1].N < 2*t.vectors {
						break // however many registers the weights say
					}
					if t.vectors == lockstep || more(t.vectors) {
						add(made[0], t)
						out[len(out)-1].filled = filled
					}
				}
			}
			if order[n-1].N >= rows {
				for _, lanes := range within(made[n-1].Body) {
					add(made[0], tile{lanes: lanes, jam: made[n-1], rows: rows})
				}
			}
		}
		if n > 1 {
			for _, lanes := range within(made[n-1].Body) {
				add(made[0], tile{lanes: lanes})
			}
		}
	}
	return out
}

// folds reports whether there is a loop that folds.
func folds(body []kernel.Stmt) bool {
	return slices.ContainsFunc(body, func(s kernel.Stmt) bool { l, ok := s.(*kernel.Loop); return ok && l.Order == kernel.Folding })
}

// vectors reports whether a loop may run in vectors: what it adds in order it adds lane
// by lane, which keeps the order of one addition, but not that of several to one array, unless each lane adds to elements of its own.
func (c *chooser) vectors(l *kernel.Loop) bool {
	ok, added := !l.Order.Whole() && l.Order != kernel.Carrying, make(map[*kernel.Array][]kernel.Access)
	kernel.Walk(l.Body, func(s kernel.Stmt) {
		switch s := s.(type) {
		case *kernel.Loop:
			ok = ok && !s.Order.Whole() && (l.Order == kernel.Parallel || s.Order != kernel.InOrder)
		case *kernel.Store:
			if s.Add {
				added[s.Array] = append(added[s.Array], s.Access)
				ok = ok && (l.Order == kernel.Parallel || len(added[s.Array]) == 1 || moveWith(l.Var, added[s.Array]))
			}
		}
	})
	return ok
}

// moveWith reports whether accesses to an array move along one axis as an index does.
func moveWith(v *kernel.Value, all []kernel.Access) bool {
	for axis := range all[0].At {
		if !slices.ContainsFunc(all, func(a kernel.Access) bool { return a.At[axis] != v }) {
			return true
		}
	}
	return false
}

// NestOf takes a nest of loops that may go in any order apart: the loops from outside
// on, what is computed between them, and what the innermost one does.
func NestOf(l *kernel.Loop) (chain []*kernel.Loop, lets, rest []kernel.Stmt) {
	if l.Order != kernel.Parallel {
		return nil, nil, nil
	}
	return chainOf(l, maxChain, func(_, next *kernel.Loop) bool { return next.Order == kernel.Parallel })
}

// chainOf takes a nest of loops apart, at most so many, as long as there is nothing in one but the next
// one, which goes on in the way it must, and what is computed before that.
func chainOf(l *kernel.Loop, most int, goesOn func(l, next *kernel.Loop) bool) (chain []*kernel.Loop, lets, rest []kernel.Stmt) {
	for {
		chain, rest = append(chain, l), l.Body
		n := len(rest) - 1
		if n < 0 || len(chain) == most {
			return chain, lets, rest
		}
		next, ok := rest[n].(*kernel.Loop)
		if !ok || !goesOn(l, next) || slices.ContainsFunc(rest[:n], func(s kernel.Stmt) bool { return !kernel.IsLet(s) }) {
			return chain, lets, rest
		}
		l, lets = next, append(lets, rest[:n]...)
	}
}

// innermost2 are the orders of loops in which any two of them are innermost.
func innermost2(chain []*kernel.Loop) [][]*kernel.Loop {
	if len(chain) == 1 {
		return [][]*kernel.Loop{chain}
	}
	var out [][]*kernel.Loop
	for i := len(chain) - 1; i >= 0; i-- {
		for j := len(chain) - 1; j >= 0; j-- {
			if i == j {
				continue
			}
			var order []*kernel.Loop
			for k, l := range chain {
				if k != i && k != j {
					order = append(order, l)
				}
			}
			out = append(out, append(order, chain[j], chain[i]))
		}
	}
	return out
}

// nestIn nests loops in an order. What is computed between them is computed in the
// outermost one in which it can be.
func nestIn(order []*kernel.Loop, lets, rest []kernel.Stmt, varying *variances) []*kernel.Loop {
	made := make([]*kernel.Loop, len(order))
	at := make([][]kernel.Stmt, len(order))
	for i, l := range order {
		made[i] = l.With(nil)
	}
	for _, s := range lets {
		level := 0
		for i, l := range order {
			if varying.of(l).Varies(s.(*kernel.Let).Value) {
				level = i
			}
		}
		at[level] = append(at[level], s)
	}
	for i := len(order) - 1; i >= 0; i-- {
		if i == len(order)-1 {
			if made[i].Body = rest[:len(rest):len(rest)]; len(at[i]) > 0 {
				made[i].Body = append(at[i], rest...)
			}
		} else {
			made[i].Body = append(at[i], made[i+1])
		}
	}
	return made
}

// estimator adds up what a nest of loops takes, in nanoseconds.
type estimator struct {
	*cost.Weights
	lane, row      *kernel.Variance
	tile           *tile
	exact          bool
	vectors, lines int
	filling        *kernel.Panel
	outside        map[*kernel.Value]int // the indices of loops of blocks around, and of how many runs these are
	around         []*kernel.Loop        // the other loops around
	lives          map[bodyKey]*lifetimes
}

func (c *chooser) estimator(t *tile, varying *variances) *estimator {
	if c.lives == nil {
		c.lives = make(map[bodyKey]*lifetimes)
	}
	e := &estimator{Weights: c.Weights, tile: t, exact: c.exact, lines: 1, lives: c.lives, outside: c.outside}
	if len(t.lanes) > 0 {
		e.lane = varying.of(t.lanes...)
	}
	if t.jam != nil {
		e.row = varying.of(t.jam)
	}
	return e
}

func (e *estimator) varying(v *kernel.Value) bool { return e.vectors > 0 && e.lane.Varies(v) }

// places are how many values of v there are here.
func (e *estimator) places(v *kernel.Value) float64 { return float64(e.copies(v, e.vectors)) }

// copies is in how many lines v differs, times so many if it varies along a line.
func (e *estimator) copies(v *kernel.Value, along int) int {
	n := 1
	if e.lines > 1 && e.row.Varies(v) {
		n = e.lines
	}
	if e.varying(v) {
		n *= along
	}
	return n
}

func (e *estimator) body(body []kernel.Stmt) float64 {
	return slice.Sum(body, e.statement) - e.packs(body)
}

func (e *estimator) statement(s kernel.Stmt) float64 {
	switch s := s.(type) {
	case *kernel.Let:
		return e.value(s.Value)
	case *kernel.Store:
		n := float64(e.lines * max(1, e.vectors))
		one := e.access(s.Access)
		if s.Add {
			add := e.Of[cost.Instruction] + e.Of[cost.Load]
			switch step, regular := e.step(s.Access); {
			case e.vectors > 0 && regular && step == 0:
				add = 2 * (e.Of[cost.Insert] + e.Of[cost.Wait])
			case e.vectors > 0 && !(regular && step == 1 && !s.Checked):
				add = 2 * (e.Of[cost.Insert] + add)
			case e.vectors == 0:
				add += e.Of[cost.Insert]
			}
			one += add
		}
		return n * one
	case kernel.Packing:
		n := slice.Sum(s.Values, e.places)
		if s.Narrow {
			n *= 2
		}
		return n * e.Of[cost.Load]
	case *kernel.Loop:
		return e.loop(s)
	}
	return 0
}

func (e *estimator) value(v *kernel.Value) float64 {
	if e.filling == nil {
		if e.tile.dead[v] {
			return 0
		}
		if slices.ContainsFunc(e.tile.panels, func(p *kernel.Panel) bool { return p.Index(v) >= 0 }) {
			return e.places(v) * e.Of[cost.Load]
		}
	}
	n, spread := e.places(v), 0.0
	if e.vectors > 0 && !e.varying(v) {
		spread = 2 * e.Of[cost.Insert]
	}
	if twice, ok := strength.Power(v); ok && !e.exact {
		return n * (strength.CostOfPower(twice)*e.Of[cost.Instruction] + spread)
	}
	switch {
	case v.Kind == kernel.Load:
		if spread > 0 && !v.Checked { // loaded twice
			spread = e.Of[cost.Load] + e.Of[cost.Instruction]
		}
		return n * (e.access(v.Access) + spread)
	case v.Elem == types.R && v.Args[0].Elem == types.R && cost.IsInstruction(v.Op), v.Elem == types.B, v.Op == ops.SymWhere:
		return n * (e.Operator(v.Op, cost.Instruction) + spread)
	case v.ByBits():
		return n * (costOfMaking*e.Of[cost.Instruction] + spread)
	case v.Elem == types.R && cost.Rounds(v.Op):
		return n * (strength.CostOfRounding*e.Of[cost.Instruction] + spread)
	case v.Elem == types.R && v.Op != ops.SymReal:
		if e.vectors == 0 {
			return n * e.Function(v.Op) * e.Of[cost.TimesAlone]
		}
		return n * (e.Function(v.Op) + spread)
	}
	if e.Edges && mostlyOf(v) != v {
		return 0
	}
	if e.varying(v) { // integers, lane by lane
		n *= 2
	}
	if _, _, ok := v.Inverted(); ok {
		return n * (costOfReciprocal*e.Of[cost.Instruction] + spread)
	}
	return n * (2*e.Operator(v.Op, cost.Instruction) + spread)
}

// access is what it takes to load or store at one place.
func (e *estimator) access(a kernel.Access) float64 {
	if e.Edges {
		a = mostlyAt(a)
	}
	t := e.Of[cost.Load]
	if a.Checked {
		t += e.Of[cost.Check]
	}
	step, regular := e.step(a)
	if step == 0 {
		return t
	}
	if regular && step == 1 {
		return t
	}
	one := e.Of[cost.Insert] + t
	if !regular || step >= plan.CacheLine {
		one += e.Of[cost.Far]
	}
	return 2 * one
}

// step is how far the elements for neighbouring lanes are apart, and whether they are
// equally far.
func (e *estimator) step(a kernel.Access) (elements float64, regular bool) {
	if e.vectors == 0 {
		return 0, true
	}
	return stride(a, e.lane)
}

// stride is how far an access moves when the index of a loop does, the lane loop of v.
func stride(a kernel.Access, v *kernel.Variance) (elements float64, regular bool) {
	size := 1.0
	regular = true
	for i := len(a.At) - 1; i >= 0; i-- {
		coef, args, _ := a.At[i].Sum()
		for j, x := range args {
			switch {
			case v.Vars[x]:
				elements += float64(coef[j]) * size
			case v.Varies(x):
				elements, regular = math.Inf(1), false
			}
		}
		size *= float64(a.Array.Shape[i])
	}
	return math.Abs(elements), regular
}

func (e *estimator) loop(l *kernel.Loop) float64 {
	t := e.Of[cost.Loop]
	for _, p := range e.tile.panels {
		if p.Before == l {
			e.filling = p
			t += e.loop(p.Filled)
			e.filling = nil
		}
	}
	e.around = append(e.around, l)
	defer func() { e.around = e.around[:len(e.around)-1] }()
	trips := func(step int) float64 {
		return tripsTogether(l, e.exact, e.runs, func(by *kernel.Value) int { return e.together(by) - 1 }, step-1)
	}
	all, lanes, vectors, lines := trips(1), slices.Contains(e.tile.lanes, l), e.vectors, e.lines
	bounded, left := all < float64(l.N), l.N
	width, rows := 0, 0
	if lanes {
		width = e.tile.width()
	} else if l == e.tile.jam {
		rows = e.tile.rows
	}
	first := true
	for w := range Ways(l, width, rows) {
		e.vectors, e.lines = max(vectors, w.Vectors), max(lines, w.Lines)
		n, step := 0.0, float64(w.Step())
		switch {
		case !bounded:
			n = float64(left / w.Step())
			left %= w.Step()
		case lanes && l.Sure(): // of more, half are left on average
			n = max(0, all-(step-1)/2) / step
			all -= n * step
		case !first: // the most vectors or rows do what they need not
		case lanes || rows > 0:
			n = trips(w.Step()) / step
		default:
			n = trips(e.written(l))
		}
		if n > 0 {
			t += n * e.run(l)
		}
		if w.Vectors > 0 && (n > 0 || bounded && l.Sure()) {
			t += float64(len(l.Folds)) * e.joining(w.Vectors)
		}
		first = false
	}
	e.vectors, e.lines = vectors, lines
	return t
}

// runs is how many runs the loop around has whose index v is, 0 if it is of none; and of an integer that
// data say 1 if it is one number where the loop begins.
func (e *estimator) runs(v *kernel.Value) int {
	if v.Kind != kernel.Var {
		return 2 - min(2, e.copies(v, 2))
	}
	for _, l := range slices.Backward(e.around) {
		if l.Var == v {
			return l.N
		}
	}
	return e.outside[v]
}

// together is how many runs of a loop around go in lock step by whose index v changes.
func (e *estimator) together(v *kernel.Value) int { return e.copies(v, 2*e.vectors) }

// joining is what it takes to make one number of a sum in so many vectors, in each line.
func (e *estimator) joining(vectors int) float64 {
	lines := float64(e.lines)
	return lines * (float64(vectors-1)*e.Of[cost.Instruction] + 2*(e.Of[cost.Insert]+e.Of[cost.Instruction]))
}

// written is how often the runs of a loop are written one after the other.
func (e *estimator) written(l *kernel.Loop) int {
	switch {
	case e.filling != nil && e.filling.Narrow && e.filling.Filled == l:
		return inside(e.filling.Fold, e.tile.width(), e.lines)
	case !slices.Contains(e.tile.lanes, l):
		return inside(l, e.vectors, e.lines)
	case e.vectors == e.tile.width():
		return often(l, e.vectors, e.lines)
	}
	return 1
}

// run is what one run of a loop takes.
func (e *estimator) run(l *kernel.Loop) float64 {
	t, wait, sums := e.body(l.Body)+e.Of[cost.Run]-e.checkedOnce(l), 0.0, 0.0
	t -= e.Of[cost.Run] * (1 - 1/float64(e.written(l)))
	for _, f := range l.Folds {
		n := 1.0
		wide := e.vectors > 0
		if wide {
			n = float64(e.vectors)
		}
		n *= float64(e.lines)
		sums += n
		t += n * e.Of[cost.Instruction]
		wait = e.Of[cost.Wait]
		along := slices.Contains(e.tile.lanes, l)
		switch {
		case f.Positional() && wide && (along || e.varying(f.Result)):
			t += e.search(l, along)
			if along && !Seldom(l, e.vectors, along) {
				wait = 2 * float64(e.vectors) * e.Of[cost.Wait]
			}
		case along && wide && e.exact && f.Rounds():
			t += 2 * n * e.Of[cost.Insert]
			wait = 2 * float64(e.vectors) * e.Of[cost.Wait] // one after the other
		}
	}
	for _, c := range l.Carries {
		sums += e.places(c.Value)
	}
	return max(t+e.spills(l.Body, sums), wait)
}

// lockstep is how many vectors go in lock step: the time of one instruction is hidden
// behind that of others.
const lockstep = 2

// costOfMaking is how many instructions it takes to make an integer of a real, or a real of it.
const costOfMaking = 2

// costOfReciprocal is how many instructions take about as long as a division by a reciprocal.
const costOfReciprocal = 6

// Unsure is which part of the time blocks that are chosen first have to save: so far estimates
// are off.
const Unsure = 1.0 / 16
