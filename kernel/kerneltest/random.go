package kerneltest

import (
	"fmt"
	"math"
	"math/rand"
	"slices"

	"egad/kernel"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// kind is what numbers a random kernel is run on, and which operators it has.
type kind int

const (
	whole      kind = iota // sums of integers have the same bits in any order
	anything               // infinities and NaN too: only exact code has the same bits
	polynomial             // what rounding makes of it is bounded by that of absolute values
	kinds
)

// randomKernel makes kernels of all shapes: nests of loops of any order, folds inside
// and around them, accesses along, across and out of axes.
type randomKernel struct {
	*rand.Rand
	kind
	b       *kernel.Builder
	p       *kernel.Program
	sources []*kernel.Array
	index   *kernel.Array // integers
	stored  int
	loops   []*kernel.Loop
	bodies  []*[]kernel.Stmt // of the loops around
	defined map[*kernel.Value]bool
	ready   []*kernel.Value // reals that are known here
	work    float64         // runs of what is innermost so far
	ops     int
}

var loopSizes = []int{0, 1, 2, 3, 4, 5, 7, 8, 9, 12, 13, 16, 17, 21, 33}

func newRandomKernel(seed int64) *randomKernel {
	r := &randomKernel{Rand: rand.New(rand.NewSource(seed)), b: kernel.NewBuilder(nil), p: &kernel.Program{Name: "random"}, defined: make(map[*kernel.Value]bool), work: 1}
	r.kind = kind(r.Intn(int(kinds)))
	for i := range 3 {
		shape := make([]int, 1+r.Intn(3))
		for j := range shape {
			shape[j] = []int{1, 4, 9, 17, 24, 40}[r.Intn(6)]
		}
		r.sources = append(r.sources, r.array(fmt.Sprint("a", i), types.R, kernel.Input, shape...))
	}
	r.index = r.array("ix", types.I, kernel.Input, 40)
	r.index.Range = ops.AnyInt
	var body []kernel.Stmt
	r.bodies = append(r.bodies, &body)
	for range 1 + r.Intn(2) {
		r.nest(r.Intn(4))
	}
	r.p.Kernels = []*kernel.Kernel{{Body: body}}
	return r
}

func (r *randomKernel) array(name string, t types.Elem, role kernel.Role, shape ...int) *kernel.Array {
	a := &kernel.Array{Name: name, Elem: t, Shape: shape, Role: role}
	r.p.Arrays = append(r.p.Arrays, a)
	return a
}

func (r *randomKernel) chance(n int) bool { return r.Intn(n) == 0 }

// open begins a loop, and close ends it.
func (r *randomKernel) open(order kernel.Order) *kernel.Loop {
	n := loopSizes[r.Intn(len(loopSizes))]
	for r.work*float64(n) > 20000 {
		n = loopSizes[r.Intn(5)]
	}
	l := &kernel.Loop{Name: fmt.Sprint("i", len(r.loops)), N: n, Order: order, Var: r.b.Variable(n, len(r.loops)+1)}
	r.loops = append(r.loops, l)
	r.bodies = append(r.bodies, &l.Body)
	r.work *= float64(max(n, 1))
	return l
}

func (r *randomKernel) close(ready []*kernel.Value) {
	l := r.loops[len(r.loops)-1]
	kernel.Walk(l.Body, func(s kernel.Stmt) {
		if s, ok := s.(*kernel.Let); ok {
			delete(r.defined, s.Value)
		}
	})
	r.loops, r.bodies = r.loops[:len(r.loops)-1], r.bodies[:len(r.bodies)-1]
	r.work /= float64(max(l.N, 1))
	r.ready = ready
	r.add(l)
}

func (r *randomKernel) add(s kernel.Stmt) {
	b := r.bodies[len(r.bodies)-1]
	*b = append(*b, s)
}

// nest adds loops in any order around folds and stores.
func (r *randomKernel) nest(parallel int) {
	ready := r.ready
	if parallel > 0 {
		r.open(kernel.Parallel)
		if r.chance(4) {
			r.real(1)
		}
		r.nest(parallel - 1)
		r.close(ready)
		return
	}
	for range 1 + r.Intn(2) {
		switch r.Intn(6) {
		case 0:
			r.store()
		case 1:
			r.scatter()
		case 2:
			r.carry()
		default:
			r.fold(r.Intn(2))
		}
	}
	r.store()
}

// fold adds a loop that folds, maybe around another one.
func (r *randomKernel) fold(inner int) {
	ready := slices.Clone(r.ready)
	known := slices.Clone(ready)
	l := r.open(kernel.Folding)
	if inner > 0 && r.chance(3) {
		r.fold(inner - 1)
		if in, ok := l.Body[len(l.Body)-1].(*kernel.Loop); ok && r.chance(2) {
			r.sums(l, in, ready)
			return
		}
	}
	for range 1 + r.Intn(2) {
		op := []ops.Sym{ops.SymSum, ops.SymSum, ops.SymSum, ops.SymMaximum, ops.SymMinimum, ops.SymArgmax}[r.Intn(6)]
		elem := types.R
		if r.kind == polynomial && op != ops.SymSum {
			op = ops.SymSum
		}
		if op == ops.SymArgmax {
			elem = types.I
			op = []ops.Sym{ops.SymArgmax, ops.SymArgmin}[r.ops%2]
		}
		r.ops += l.N
		f := kernel.Fold{Op: op, Value: r.real(1 + r.Intn(3)), Result: r.b.Atom(&kernel.Value{Kind: kernel.Folded, Elem: elem, Level: len(r.loops) - 1, Range: ops.AnyInt})}
		if outside := len(known); elem == types.R && outside > 0 && r.chance(4) {
			f.From = known[r.Intn(outside)]
			if f.Op == ops.SymSum && r.ops%2 == 0 {
				f.Op = ops.SymSub
			}
		}
		l.Folds = append(l.Folds, f)
		if elem == types.R {
			ready = append(ready, f.Result)
		} else {
			ready = append(ready, r.b.Atom(&kernel.Value{Kind: kernel.Compute, Elem: types.R, Op: ops.SymReal, Args: []*kernel.Value{f.Result}, Range: ops.AnyInt}))
		}
	}
	if r.chance(6) {
		r.store()
	}
	r.close(ready)
	for _, v := range ready {
		if v.Kind == kernel.Compute && !r.defined[v] {
			r.let(v)
		}
	}
}

// sums has a loop add up what the last one in it adds up or, of folds of other kinds, folds.
func (r *randomKernel) sums(l, in *kernel.Loop, ready []*kernel.Value) {
	for i := range in.Folds {
		f := &in.Folds[i]
		if f.Result.Elem == types.R {
			f.From = nil
			l.Folds = append(l.Folds, kernel.Fold{Op: ops.SymSum, Value: f.Result, Result: r.b.Atom(&kernel.Value{Kind: kernel.Folded, Elem: types.R, Level: len(r.loops) - 1, Range: ops.AnyInt})})
			r.ops += l.N
		}
	}
	for _, f := range l.Folds {
		ready = append(ready, f.Result)
	}
	r.close(ready)
}

// carry adds a loop that carries numbers, each of which is added to or becomes another one.
func (r *randomKernel) carry() {
	ready := slices.Clone(r.ready)
	known := slices.Clone(ready)
	from := func() *kernel.Value {
		if len(known) > 0 && r.chance(2) {
			return known[r.Intn(len(known))]
		}
		return r.b.Lit(ops.ScalarR(numeric.Int(int64(r.Intn(4)))))
	}
	l := r.open(kernel.Carrying)
	var carried []*kernel.Value
	for range 1 + r.Intn(3) {
		number := func(k kernel.Kind) *kernel.Value {
			return r.b.Atom(&kernel.Value{Kind: k, Elem: types.R, Level: len(r.loops)})
		}
		c := kernel.Carry{Value: number(kernel.Carried), From: from(), Result: number(kernel.Folded)}
		l.Carries, carried, ready = append(l.Carries, c), append(carried, c.Value), append(ready, c.Result)
	}
	if r.kind == anything { // else products of them would not stay small integers
		r.ready = append(slices.Clone(r.ready), carried...)
	}
	for i := range l.Carries {
		x := carried[r.Intn(len(carried))]
		switch r.Intn(4) {
		case 0:
			l.Carries[i].Next = x
		case 1:
			l.Carries[i].Next = r.real(2)
		default:
			r.ops += l.N
			l.Carries[i].Next = r.let(r.b.Op(ops.Op{Sym: []ops.Sym{ops.SymAdd, ops.SymSub}[r.Intn(2)]}, types.R, carried[i], r.real(2)))
		}
	}
	if r.chance(2) {
		r.store()
	}
	r.close(ready)
}

// store stores a number in an array that has an axis for each loop around.
func (r *randomKernel) store() {
	a := r.array(fmt.Sprint("t", r.stored), types.R, kernel.Temp)
	r.stored++
	s := &kernel.Store{Access: kernel.Access{Array: a}, Value: r.real(r.Intn(3))}
	for _, i := range r.Perm(len(r.loops)) {
		a.Shape = append(a.Shape, r.loops[i].N)
		s.At = append(s.At, r.loops[i].Var)
	}
	s.Checked = !kernel.Fits(s.Access)
	r.p.Result.Parts = append(r.p.Result.Parts, kernel.Result{Array: a})
	r.add(s)
}

// scatter adds numbers in the order of a loop to an array that has an axis for each of
// the others around.
func (r *randomKernel) scatter() {
	ready := r.ready
	a := r.array(fmt.Sprint("t", r.stored), types.R, kernel.Temp)
	r.stored++
	s := &kernel.Store{Access: kernel.Access{Array: a}, Add: true}
	for _, l := range r.loops {
		a.Shape, s.At = append(a.Shape, l.N), append(s.At, l.Var)
	}
	l := r.open(kernel.InOrder)
	r.ops += l.N
	s.Value = r.real(1 + r.Intn(2))
	a.Shape, s.At = append(a.Shape, 9), append(s.At, r.integer())
	s.Checked = !kernel.Fits(s.Access)
	r.p.Result.Parts = append(r.p.Result.Parts, kernel.Result{Array: a})
	r.add(s)
	r.close(ready)
}

// integer is an index: a loop's, moved, turned round, or looked up.
func (r *randomKernel) integer() *kernel.Value {
	if len(r.loops) == 0 {
		return r.b.Int(int64(r.Intn(5)))
	}
	v := r.loops[r.Intn(len(r.loops))].Var
	switch r.Intn(8) {
	case 0:
		return r.b.Add(v, r.b.Int(int64(r.Intn(7)-3)))
	case 1:
		return r.b.Linear(int64(r.Intn(9)), []int64{-1}, []*kernel.Value{v})
	case 2:
		return r.b.Linear(int64(r.Intn(3)-1), []int64{int64(1 + r.Intn(3)), 1}, []*kernel.Value{v, r.loops[r.Intn(len(r.loops))].Var})
	case 3:
		return r.let(r.b.Op(ops.Op{Sym: []ops.Sym{ops.SymIdiv, ops.SymMod}[r.Intn(2)]}, types.I, v, r.b.Int(int64(2+r.Intn(3)))))
	case 4:
		return r.let(r.b.Load(kernel.Access{Array: r.index, At: []*kernel.Value{v}}))
	case 5:
		return r.let(r.b.Op(ops.Op{Sym: ops.SymIdiv}, types.I, v, r.let(r.b.Load(kernel.Access{Array: r.index, At: []*kernel.Value{r.loops[0].Var}}))))
	case 6:
		return r.let(r.b.Op(ops.Op{Sym: ops.SymMod}, types.I, v, r.loops[0].Var))
	}
	return v
}

// let computes a value here unless it is known.
func (r *randomKernel) let(v *kernel.Value) *kernel.Value {
	if (v.Kind == kernel.Compute || v.Kind == kernel.Load) && !r.defined[v] {
		r.defined[v] = true
		r.add(&kernel.Let{Value: v})
	}
	return v
}

// real is a number made by so many operators, one in another.
func (r *randomKernel) real(depth int) *kernel.Value {
	if len(r.ready) > 0 && r.chance(6) {
		return r.ready[r.Intn(len(r.ready))]
	}
	if depth == 0 {
		if r.chance(9) {
			return r.b.Lit(ops.ScalarR(numeric.Int(int64(r.Intn(4)))))
		}
		a := r.sources[r.Intn(len(r.sources))]
		at := make([]*kernel.Value, len(a.Shape))
		for i := range at {
			at[i] = r.integer()
		}
		return r.let(r.b.Load(kernel.Access{Array: a, At: at}))
	}
	r.ops++
	binary := []ops.Sym{ops.SymMul, ops.SymMul, ops.SymMul, ops.SymAdd, ops.SymSub}
	unary := []ops.Sym{ops.SymNeg}
	if r.kind != polynomial {
		binary = append(binary, ops.SymMax, ops.SymMin)
		unary = append(unary, ops.SymAbs, ops.SymRelu)
	}
	if r.kind == anything {
		binary = append(binary, ops.SymDiv)
		unary = append(unary, ops.SymExp, ops.SymTanh, ops.SymSqrt)
	}
	x := r.real(depth - 1)
	if r.chance(5) {
		return r.let(r.b.Op(ops.Op{Sym: unary[r.Intn(len(unary))]}, types.R, x))
	}
	if len(r.loops) > 1 && r.chance(4) { // nothing but for some indices
		i, j := r.integer(), r.loops[r.Intn(len(r.loops))].Var
		args := []*kernel.Value{r.let(r.b.Op(ops.Op{Sym: []ops.Sym{ops.SymLt, ops.SymLe, ops.SymEq}[r.Intn(3)]}, types.B, i, j)), x, r.b.Lit(ops.ScalarR(numeric.Int(0)))}
		if r.chance(3) {
			args[1], args[2] = args[2], args[1]
		}
		x = r.let(r.b.Op(ops.Op{Sym: ops.SymWhere}, types.R, args...))
	}
	y := r.real(r.Intn(depth))
	if r.kind != polynomial && r.chance(8) {
		less := r.let(r.b.Op(ops.Op{Sym: ops.SymLt}, types.B, x, y))
		return r.let(r.b.Op(ops.Op{Sym: ops.SymWhere}, types.R, less, y, x))
	}
	return r.let(r.b.Op(ops.Op{Sym: binary[r.Intn(len(binary))]}, types.R, x, y))
}

// inputs are numbers for the arrays.
func (r *randomKernel) inputs() []Numbers {
	var out []Numbers
	for _, a := range r.p.Arrays {
		if a.Role != kernel.Input {
			continue
		}
		e := Numbers{R: make([]float64, a.Len())}
		if a.Elem != types.R {
			e = Numbers{N: make([]int64, a.Len())}
		}
		for i := range e.R {
			switch e.R[i] = r.NormFloat64(); {
			case r.kind == whole:
				e.R[i] = float64(r.Intn(5) - 2)
			case r.kind == anything && r.chance(30):
				e.R[i] = []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 1e300}[r.Intn(5)]
			}
		}
		for i := range e.N {
			e.N[i] = int64(r.Intn(12) - 1)
			if r.chance(20) {
				e.N[i] = []int64{math.MaxInt64, math.MinInt64, 1 << 40}[r.Intn(3)]
			}
		}
		out = append(out, e)
	}
	return out
}

// magnitude is the program of absolute values, which bounds what rounding does.
func (r *randomKernel) magnitude() (restore func()) {
	var turned []*kernel.Value
	var added []*kernel.Fold
	kernel.Walk(r.p.Kernels[0].Body, func(s kernel.Stmt) {
		if l, ok := s.(*kernel.Loop); ok {
			for i := range l.Folds {
				if f := &l.Folds[i]; f.Op == ops.SymSub {
					f.Op, added = ops.SymSum, append(added, f)
				}
			}
		}
		if s, ok := s.(*kernel.Let); ok && s.Value.Elem == types.R && s.Value.Kind == kernel.Compute {
			switch s.Value.Op {
			case ops.SymSub:
				s.Value.Op = ops.SymAdd
				turned = append(turned, s.Value)
			case ops.SymNeg:
				s.Value.Op = ops.SymAbs
				turned = append(turned, s.Value)
			}
		}
	})
	var negative []*kernel.Value
	for v := range kernel.NeededBy(r.p.Kernels[0].Body) {
		if v.Kind == kernel.Lit && v.Elem == types.R && v.Const.Num.Sign() < 0 {
			negative = append(negative, v)
		}
	}
	negate := func() {
		for _, v := range negative {
			v.Const.Num = v.Const.Num.Neg()
		}
	}
	negate()
	return func() {
		negate()
		for _, f := range added {
			f.Op = ops.SymSub
		}
		for _, v := range turned {
			v.Op = map[ops.Sym]ops.Sym{ops.SymAdd: ops.SymSub, ops.SymAbs: ops.SymNeg}[v.Op]
		}
	}
}

// RandomKernel is a random program of one kernel.
type RandomKernel struct{ r *randomKernel }

// NewRandomKernel makes a program.
func NewRandomKernel(seed int64) RandomKernel { return RandomKernel{newRandomKernel(seed)} }

// Program is the program.
func (r RandomKernel) Program() *kernel.Program { return r.r.p }

// Ops is how many operators compute a number at most.
func (r RandomKernel) Ops() int { return r.r.ops }

// Whole reports whether sums have the same bits in any order.
func (r RandomKernel) Whole() bool { return r.r.kind == whole }

// Polynomial reports whether what rounding does is bounded by that of absolute values.
func (r RandomKernel) Polynomial() bool { return r.r.kind == polynomial }

// Inputs are numbers for the arrays.
func (r RandomKernel) Inputs() []Numbers { return r.r.inputs() }

// Magnitude makes it the program of absolute values until it is restored.
func (r RandomKernel) Magnitude() (restore func()) { return r.r.magnitude() }

// Numbers are elements of an input, which are reals or integers.
type Numbers struct {
	R []float64
	N []int64
}
