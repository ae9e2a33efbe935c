package kernel

import (
	"maps"

	"egad/internal/interrupt"
	"egad/internal/slice"
	"egad/term"
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
	*variance
	base *reg // the first index of the block
	regs map[*Value]*reg
	wide map[*Value]*reg // copies for each lane of values that do not vary
	// spreads are the values that have such copies where they are computed.
	spreads map[*Value]bool
	inLane  bool // inside the lane loop
	out     []step
}

func (x *instance) compile(k *Kernel, block int) step {
	c := &compiler{instance: x, block: block, variance: newVariance(nil), regs: make(map[*Value]*reg), wide: make(map[*Value]*reg)}
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

func newReg(e term.Elem, n int) *reg {
	if e == term.R {
		return &reg{r: make([]float64, n)}
	}
	return &reg{n: make([]int64, n)}
}

// width is how many values v needs room for.
func (c *compiler) width(v *Value) int {
	if c.varies(v) {
		return c.block
	}
	return 1
}

func (c *compiler) emit(s step) { c.out = append(c.out, s) }

// emitFor emits a step that computes v: for one lane if v does not vary.
func (c *compiler) emitFor(v *Value, s step) {
	if c.inLane && !c.varies(v) {
		c.emit(func(int) { s(1) })
		return
	}
	c.emit(s)
}

// body compiles statements, and what last adds to them. Registers that are made
// in passing are good only there.
func (c *compiler) body(stmts []Stmt, last func()) []step {
	outer, regs, wide := c.out, c.regs, c.wide
	c.out, c.regs, c.wide = nil, maps.Clone(regs), maps.Clone(wide)
	for _, s := range stmts {
		switch s := s.(type) {
		case *Let:
			c.let(s.Value)
		case *Store:
			c.store(s)
		case *Call:
			c.callee(s)
		case *Loop:
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

func (c *compiler) let(v *Value) {
	if v.Kind == Load {
		c.regs[v] = c.load(v)
	} else {
		c.regs[v] = c.compute(v)
	}
	c.spread(v)
}

// spread makes copies for each lane of a value that needs them, once, where it
// is computed.
func (c *compiler) spread(v *Value) {
	if c.spreads[v] && !c.varies(v) {
		c.copies(v)
	}
}

// nest chooses the lane loop of a nest, finds out which values are used where each lane
// needs a copy, and makes those of values that are known.
func (c *compiler) nest(l *Loop) {
	body := []Stmt{l}
	c.variance = c.prog.lane(body, c.block)
	c.spreads = make(map[*Value]bool)
	walk(body, func(s Stmt) {
		l, ok := s.(*Let)
		if !ok || l.Value.Kind != Compute || !c.varies(l.Value) || scalarForms(l.Value) {
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
func (c *compiler) reg(v *Value) *reg {
	if r, ok := c.regs[v]; ok {
		return r
	}
	r := newReg(v.Elem, c.width(v))
	c.regs[v] = r
	switch v.Kind {
	case Lit:
		if v.Elem == term.R {
			r.r[0] = v.Const.Num.Float64()
		} else {
			r.n[0] = v.Const.Int
		}
	case Linear:
		c.linear(v, r)
	case Var: // the lane's
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
func (c *compiler) each(v *Value) *reg {
	if c.varies(v) || !c.inLane {
		return c.reg(v)
	}
	if w, ok := c.wide[v]; ok {
		return w
	}
	return c.copies(v)
}

func (c *compiler) copies(v *Value) *reg {
	r, w := c.reg(v), newReg(v.Elem, c.block)
	c.wide[v] = w
	spread := func(n int) {
		if v.Elem == term.R {
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
	case v.Kind == Lit:
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

func (c *compiler) loop(l *Loop) {
	if c.lane == nil && !l.Order.whole() {
		c.nest(l)
		defer func() { c.variance, c.spreads = newVariance(nil), nil }()
	}
	folds := slice.Map(l.Folds, func(f Fold) *folder { return c.newFold(f, l) })
	carry := c.carry(l)
	holds := &reg{n: []int64{1}}
	if l.If != nil {
		holds = c.reg(l.If)
	}
	index := newReg(term.I, 1)
	if l == c.lane {
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
	if l == c.lane {
		c.inLane = false
		c.emit(func(int) {
			for i := 0; i < l.N && holds.n[0] != 0; i += c.block {
				c.poll()
				index.n[0] = int64(i)
				run(min(c.block, l.N-i))
			}
		})
	} else {
		c.emit(func(n int) {
			for i := 0; i < l.N && holds.n[0] != 0; i++ {
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
