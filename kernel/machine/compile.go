package machine

import (
	"maps"

	"egad/internal/interrupt"
	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/schedule"
	"egad/term/types"
)

// reg holds the values of one scalar of a kernel: one for each lane if it
// varies over lanes, else one.
type reg struct {
	r []float64
	n []int64
}

// compiler makes steps of a kernel. One loop of each nest, the lane loop, is run in
// blocks: what depends on its variable is computed for a block at once, by a step that
// is called once. Loops around it and inside it run one by one.
type compiler struct {
	*instance
	block int // the number of lanes
	*kernel.Variance
	base *reg // the first index of the block
	regs map[*kernel.Value]*reg
	wide map[*kernel.Value]*reg // copies for each lane of values that do not vary
	// spreads are the values that have such copies where they are computed.
	spreads map[*kernel.Value]bool
	inLane  bool // inside the lane loop
	out     []step
}

func (x *instance) compile(k *kernel.Kernel, block int) step {
	c := &compiler{instance: x, block: block, Variance: kernel.NewVariance(nil), regs: make(map[*kernel.Value]*reg), wide: make(map[*kernel.Value]*reg)}
	return sequence(c.body(k.Body, nil))
}

func sequence(steps []step) step {
	if len(steps) == 1 {
		return steps[0]
	}
	return func(n int) {
		for _, s := range steps {
			s(n)
		}
	}
}

func newReg(e types.Elem, n int) *reg {
	if e == types.R {
		return &reg{r: make([]float64, n)}
	}
	return &reg{n: make([]int64, n)}
}

// width is how many values v needs room for.
func (c *compiler) width(v *kernel.Value) int {
	if c.Varies(v) {
		return c.block
	}
	return 1
}

func (c *compiler) emit(s step) { c.out = append(c.out, s) }

// emitFor emits a step that computes v: for one lane if v does not vary.
func (c *compiler) emitFor(v *kernel.Value, s step) {
	if c.inLane && !c.Varies(v) {
		c.emit(func(int) { s(1) })
		return
	}
	c.emit(s)
}

// body compiles statements, and what last adds to them. Registers that are made
// in passing are good only there.
func (c *compiler) body(stmts []kernel.Stmt, last func()) []step {
	outer, regs, wide := c.out, c.regs, c.wide
	c.out, c.regs, c.wide = nil, maps.Clone(regs), maps.Clone(wide)
	for _, s := range stmts {
		switch s := s.(type) {
		case *kernel.Let:
			c.let(s.Value)
		case *kernel.Store:
			c.store(s)
		case *kernel.Call:
			c.callee(s)
		case *kernel.Loop:
			c.loop(s)
		}
	}
	if last != nil {
		last()
	}
	steps := c.out
	c.out, c.regs, c.wide = outer, regs, wide
	return steps
}

func (c *compiler) let(v *kernel.Value) {
	if v.Kind == kernel.Load {
		c.regs[v] = c.load(v)
	} else {
		c.regs[v] = c.compute(v)
	}
	c.spread(v)
}

// spread makes copies for each lane of a value that needs them, once, where it
// is computed.
func (c *compiler) spread(v *kernel.Value) {
	if c.spreads[v] && !c.Varies(v) {
		c.copies(v)
	}
}

// nest chooses the lane loop of a nest, finds out which values are used where each lane
// needs a copy, and makes those of values that are known.
func (c *compiler) nest(l *kernel.Loop) {
	body := []kernel.Stmt{l}
	c.Variance = schedule.Lane(c.prog.Program, body, c.block)
	c.spreads = make(map[*kernel.Value]bool)
	kernel.Walk(body, func(s kernel.Stmt) {
		l, ok := s.(*kernel.Let)
		if !ok || l.Value.Kind != kernel.Compute || !c.Varies(l.Value) || scalarForms(l.Value) {
			return
		}
		for _, a := range l.Value.Args {
			if _, known := c.regs[a]; known && !c.spreads[a] {
				c.copies(a)
			}
			c.spreads[a] = true
		}
	})
}

// reg is where the value of v is: one value, or one for each lane if v varies.
func (c *compiler) reg(v *kernel.Value) *reg {
	if r, ok := c.regs[v]; ok {
		return r
	}
	r := newReg(v.Elem, c.width(v))
	c.regs[v] = r
	switch v.Kind {
	case kernel.Lit:
		if v.Elem == types.R {
			r.r[0] = v.Const.Num.Float64()
		} else {
			r.n[0] = v.Const.Int
		}
	case kernel.Linear:
		c.linear(v, r)
	case kernel.Var: // the lane's
		base := c.base // other nests of the kernel have their own
		c.emit(func(n int) {
			for i := range n {
				r.n[i] = base.n[0] + int64(i)
			}
		})
	}
	return r
}

// each is where the value of v is for each of the lanes that a step is run for.
func (c *compiler) each(v *kernel.Value) *reg {
	if c.Varies(v) || !c.inLane {
		return c.reg(v)
	}
	if w, ok := c.wide[v]; ok {
		return w
	}
	return c.copies(v)
}

func (c *compiler) copies(v *kernel.Value) *reg {
	r, w := c.reg(v), newReg(v.Elem, c.block)
	c.wide[v] = w
	spread := func(n int) {
		if v.Elem == types.R {
			x := r.r[0]
			for i := range w.r[:n] {
				w.r[i] = x
			}
			return
		}
		x := r.n[0]
		for i := range w.n[:n] {
			w.n[i] = x
		}
	}
	switch {
	case v.Kind == kernel.Lit:
		spread(c.block)
	case c.inLane:
		c.emit(spread)
	default:
		c.emit(func(int) { spread(c.block) })
	}
	return w
}

// poll ends the run, by a panic that compute expects, if it is to end: what a
// loop that stops early has computed may be no index.
func (x *instance) poll() {
	if x.stop.Requested() {
		panic(interrupt.ErrEnded)
	}
}

func (c *compiler) loop(l *kernel.Loop) {
	if c.Lane == nil && !l.Order.Whole() {
		c.nest(l)
		defer func() { c.Variance, c.spreads = kernel.NewVariance(nil), nil }()
	}
	folds := slice.Map(l.Folds, func(f kernel.Fold) *folder { return c.newFold(f, l) })
	carry := c.carry(l)
	holds := &reg{n: []int64{1}}
	if l.If != nil {
		holds = c.reg(l.If)
	}
	span := c.span(l)
	index := newReg(types.I, 1)
	if l == c.Lane {
		c.base, c.inLane = index, true
	} else {
		c.regs[l.Var] = index
	}
	// Copies of the index are made in each run.
	run := sequence(c.body(l.Body, func() {
		for _, f := range folds {
			f.fold()
		}
		carry()
	}))
	if l == c.Lane {
		c.inLane = false
		c.emit(func(int) {
			from, to := span(1)
			for i := from; i < to && holds.n[0] != 0; i += c.block {
				c.poll()
				index.n[0] = int64(i)
				run(min(c.block, to-i))
			}
		})
	} else {
		c.emit(func(n int) {
			from, to := span(n)
			for i := from; i < to && holds.n[0] != 0; i++ {
				c.poll()
				index.n[0] = int64(i)
				run(n)
			}
		})
	}
	for _, f := range folds {
		c.regs[f.result] = f.acc
		c.spread(f.result)
	}
	for _, x := range l.Carries {
		c.regs[x.Result] = c.regs[x.Value]
		c.spread(x.Result)
	}
}
