package schedule

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/sparsity"
	"egad/term/ops"
	"egad/term/types"
)

// Contracted is a program in which large products of matrices have kernels of their own: what is computed
// of the factors is stored before, and what is made of the products is done after. It is for code that is not
// exact, where the host multiplies matrices.
func Contracted(p *kernel.Program) *kernel.Program {
	out := *p
	out.Arrays, out.Kernels, out.Whole = slices.Clone(p.Arrays), nil, p
	z := sparsity.NewZeroes(p)
	for _, k := range p.Kernels {
		if k.Steps != nil {
			k = contractedSteps(k)
		}
		out.Kernels = append(out.Kernels, contracted(k, &out, z)...)
	}
	return &out
}

// contractedSteps has the step of a loop as [Contracted] makes it, if there are large products in it.
func contractedSteps(k *kernel.Kernel) *kernel.Kernel {
	s := *k.Steps
	if s.Step = Contracted(k.Steps.Step); slices.Equal(s.Step.Kernels, k.Steps.Step.Kernels) {
		return k
	}
	return &kernel.Kernel{Steps: &s, Fused: k.Fused, Of: k}
}

// CostContracted estimates the time of a kernel, as [Cost] does, where the host multiplies matrices.
func CostContracted(p *kernel.Program, k *kernel.Kernel) (t float64) {
	to, z := *p, sparsity.NewZeroes(p)
	for _, part := range contracted(k, &to, z) {
		switch s := scheduled(p.Costs(), z, part.Body, false, true); {
		case len(s.Contracted) > 0:
			t += p.Costs().Of[cost.Nest] + s.time + Traffic(p.Costs(), part.Body)
		case !seldom(part.Body):
			t += Cost(p.Costs(), part.Body)
		}
	}
	return t
}

// seldom reports whether what the last loop of a body does is seldom done.
func seldom(body []kernel.Stmt) bool {
	l, ok := body[len(body)-1].(*kernel.Loop)
	return ok && l.If != nil
}

// contracted are the kernels that do what k does, with new arrays of a program: k alone, if there is no large product
// in it.
func contracted(k *kernel.Kernel, to *kernel.Program, z *sparsity.Zeroes) []*kernel.Kernel {
	n := kernel.FirstLoop(k.Body)
	if n < 0 || k.Steps != nil || k.Calls() {
		return []*kernel.Kernel{k}
	}
	lets := k.Body[:n:n]
	stored := kernel.Stores(k.Body)
	again := true // what is before all loops may be computed again between them
	for _, s := range lets {
		let, ok := s.(*kernel.Let)
		again = again && ok && !(let.Value.Kind == kernel.Load && stored[let.Value.Array])
	}
	if !again {
		return []*kernel.Kernel{k}
	}
	part := func(body ...kernel.Stmt) *kernel.Kernel {
		return &kernel.Kernel{Body: kernel.DropUnused(kernel.Clone(slices.Concat(lets, body))), Of: k}
	}
	var out []*kernel.Kernel
	from := n
	for i, s := range k.Body[n:] {
		l, ok := s.(*kernel.Loop)
		if !ok || l.Order != kernel.Parallel {
			break // whose values are needed later
		}
		if parts := apart(l, to, z); parts != nil {
			if n+i > from {
				out = append(out, part(k.Body[from:n+i]...))
			}
			for _, p := range parts {
				out = append(out, part(p...))
			}
			from = n + i + 1
		}
	}
	switch {
	case from == n:
		return []*kernel.Kernel{k}
	case from < len(k.Body):
		out = append(out, part(k.Body[from:]...))
	}
	return out
}

// apart are the loops that do what a nest does, of which one multiplies matrices, if that pays, or nil.
func apart(l *kernel.Loop, to *kernel.Program, z *sparsity.Zeroes) [][]kernel.Stmt {
	chain, lets, rest := NestOf(l)
	at := kernel.FirstLoop(rest)
	if at < 0 || len(chain) < 2 || slices.ContainsFunc(chain, func(l *kernel.Loop) bool { return !simple(l) }) || slices.ContainsFunc(rest[:at], func(s kernel.Stmt) bool { return !kernel.IsLet(s) }) {
		return nil
	}
	c := &contracting{Weights: to.Costs(), chain: chain, lets: lets, before: rest[:at], inner: rest[at].(*kernel.Loop), after: rest[at+1:], varying: &variances{nest: l}}
	if u := z.Unmasked(c.inner); u != nil {
		c.masked, c.inner = c.inner, u
	}
	x, y := factors(c.inner)
	if x == nil {
		return nil
	}
	for _, r := range chain {
		for _, q := range chain {
			if r != q && c.between(x, r, q) && c.between(y, q, r) {
				c.rows, c.columns = r, q
				if !c.nests(x, y) || c.time >= Time(c.Weights, []kernel.Stmt{l}, false)*(1-Unsure) {
					return nil
				}
				to.Arrays = append(to.Arrays, c.arrays...)
				return c.made
			}
		}
	}
	return nil
}

// contracting takes a nest apart that multiplies matrices.
type contracting struct {
	*cost.Weights
	chain         []*kernel.Loop // those that may go in any order
	lets          []kernel.Stmt  // between them
	before, after []kernel.Stmt  // the inner loop, in the innermost one of the chain
	inner         *kernel.Loop
	masked        *kernel.Loop // in the place of the inner loop, where a sum is NaN; nil if it is not needed
	varying       *variances
	rows, columns *kernel.Loop

	made   [][]kernel.Stmt // the new loops, with what is before and after them
	arrays []*kernel.Array
	time   float64 // of all
}

// between reports whether v depends on the index of one loop, and not on that of another.
func (c *contracting) between(v *kernel.Value, on, not *kernel.Loop) bool {
	return c.varying.of(on).Varies(v) && !c.varying.of(not).Varies(v)
}

// nests makes loops that store factors that are computed, one that multiplies, and one that does what is done with
// the product. It reports whether the product is one that the host can compute.
func (c *contracting) nests(x, y *kernel.Value) bool {
	left, right := c.factor(x), c.factor(y)
	result := c.inner.Folds[0].Result
	product := c.stored(result)
	last := product != nil
	if !last {
		product = &kernel.Store{Access: c.array("product", c.chain...), Value: result}
	}
	v := kernel.RealOf(ops.SymMul, left, right)
	sum := *c.inner
	sum.Folds = []kernel.Fold{{Op: ops.SymSum, Value: v, Result: result}}
	sum.Body = slices.Concat(c.computing(left), c.computing(right), []kernel.Stmt{&kernel.Let{Value: v}})
	order := append(c.around(func(l *kernel.Loop) bool { return l != c.rows && l != c.columns }), c.rows, c.columns)
	nest := nestIn(order, nil, []kernel.Stmt{&sum, product}, c.varying)
	p := ContractionOf(nest[len(nest)-2])
	if p == nil || c.masked != nil && product.Add {
		return false
	}
	each := p.time(c.Weights)
	for _, l := range order[:len(order)-2] {
		each *= float64(l.N)
	}
	c.made, c.time = append(c.made, []kernel.Stmt{nest[0]}), c.time+each
	if c.masked != nil {
		c.mend(product)
	}
	if !last {
		c.time += MemoryTime(c.Weights, float64(product.Array.Len()))
		load := loaded(product.Access)
		f := kernel.Substitute(map[*kernel.Value]*kernel.Value{result: load})
		body := slices.Concat([]kernel.Stmt{&kernel.Let{Value: load}}, c.before, c.after)
		c.add(nestIn(c.chain, c.lets, kernel.MapValues(body, make(map[*kernel.Value]bool), f), c.varying)[0])
	}
	return true
}

// add adds a loop to those that are made.
func (c *contracting) add(l *kernel.Loop) {
	c.made, c.time = append(c.made, []kernel.Stmt{l}), c.time+Time(c.Weights, []kernel.Stmt{l}, false)
}

// factor is a factor that the host can read: v, or else an element of a new array in which it is.
func (c *contracting) factor(v *kernel.Value) *kernel.Value {
	if regular(factorOf(v).Access, c.varying.of(slices.Concat(c.chain, []*kernel.Loop{c.inner})...)) {
		return v
	}
	inner := *c.inner
	inner.Order, inner.Folds = kernel.Parallel, nil
	loops := append(c.around(func(l *kernel.Loop) bool { return c.varying.of(l).Varies(v) }), &inner)
	a := c.array("factor", loops...)
	c.add(nestIn(loops, nil, append(c.computing(v), &kernel.Store{Access: a, Value: v}), c.varying)[0])
	c.time += MemoryTime(c.Weights, float64(a.Array.Len()))
	return loaded(a)
}

// computing are the statements that compute a value.
func (c *contracting) computing(v *kernel.Value) []kernel.Stmt {
	needed := kernel.Needed(v)
	made := slice.Filter(slices.Concat(c.lets, c.before, c.inner.Body), func(s kernel.Stmt) bool { return needed[s.(*kernel.Let).Value] })
	if len(made) == 0 {
		return []kernel.Stmt{&kernel.Let{Value: v}} // of a new array
	}
	return made
}

// mend makes loops that put sums with masks where those without are NaN, if there are any: a sum of all tells that.
func (c *contracting) mend(product *kernel.Store) {
	any := kernel.Access{Array: &kernel.Array{Name: "infinite", Elem: types.R, Role: kernel.Temp, Range: ops.AnyInt}}
	c.arrays = append(c.arrays, any.Array)
	x := loaded(product.Access)
	v := kernel.RealOf(ops.SymSub, x, x) // 0, or NaN
	body := []kernel.Stmt{&kernel.Let{Value: x}, &kernel.Let{Value: v}}
	for _, l := range slices.Backward(c.chain) {
		sum := &kernel.Value{Kind: kernel.Folded, Elem: types.R, Range: ops.AnyInt}
		body = []kernel.Stmt{&kernel.Loop{Name: l.Name, Var: l.Var, N: l.N, Order: kernel.Folding, Body: body, Folds: []kernel.Fold{{Op: ops.SymSum, Value: v, Result: sum}}}}
		v = sum
	}
	c.made = append(c.made, append(body, &kernel.Store{Access: any, Value: v}))

	number, masked := loaded(product.Access), *c.masked
	is := equal(number)
	result := kernel.RealOf(ops.SymWhere, is, number, masked.Folds[0].Result)
	body = slices.Concat([]kernel.Stmt{&kernel.Let{Value: number}, &kernel.Let{Value: is}}, c.before,
		[]kernel.Stmt{&masked, &kernel.Let{Value: result}, &kernel.Store{Access: product.Access, Value: result}})
	known := loaded(any)
	all := equal(known)
	some := &kernel.Value{Kind: kernel.Compute, Elem: types.B, Op: ops.SymNot, Args: []*kernel.Value{all}, Range: all.Range}
	nest := nestIn(c.chain, c.lets, body, c.varying)[0]
	nest.If = some
	c.made = append(c.made, []kernel.Stmt{&kernel.Let{Value: known}, &kernel.Let{Value: all}, &kernel.Let{Value: some}, nest})
}

// equal is whether a number is itself: whether it is not NaN.
func equal(x *kernel.Value) *kernel.Value {
	return &kernel.Value{Kind: kernel.Compute, Elem: types.B, Op: ops.SymEq, Args: []*kernel.Value{x, x}, Range: ops.Range{Hi: 1}}
}

// around are the loops of the chain that are wanted.
func (c *contracting) around(want func(l *kernel.Loop) bool) []*kernel.Loop {
	return slice.Filter(slices.Clone(c.chain), want)
}

// array makes an array with an axis for each of some loops.
func (c *contracting) array(name string, loops ...*kernel.Loop) kernel.Access {
	a := &kernel.Array{Name: name, Elem: types.R, Role: kernel.Temp, Range: ops.AnyInt}
	c.arrays = append(c.arrays, a)
	at := kernel.Access{Array: a}
	for _, l := range loops {
		a.Shape, at.At = append(a.Shape, l.N), append(at.At, l.Var)
	}
	return at
}

// stored is the only thing that is done with a value, if that is to store it where a product may be.
func (c *contracting) stored(v *kernel.Value) *kernel.Store {
	if len(c.after) != 1 {
		return nil
	}
	s, ok := c.after[0].(*kernel.Store)
	if !ok || s.Value != v || !regular(s.Access, c.varying.of(c.chain...)) {
		return nil
	}
	for _, l := range []*kernel.Loop{c.rows, c.columns} {
		if step, _ := stride(s.Access, c.varying.of(l)); step == 1 {
			return s
		}
	}
	return nil
}

// loaded is an element of an array of reals.
func loaded(a kernel.Access) *kernel.Value {
	return &kernel.Value{Kind: kernel.Load, Elem: types.R, Access: a, Range: ops.AnyInt}
}
