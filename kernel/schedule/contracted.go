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

// apart are the loops that do what a nest does, of which some multiply matrices, if that pays, or nil.
func apart(l *kernel.Loop, to *kernel.Program, z *sparsity.Zeroes) [][]kernel.Stmt {
	chain, lets, rest := NestOf(l)
	at := kernel.FirstLoop(rest)
	if at < 0 || len(chain) < 2 || slices.ContainsFunc(chain, func(l *kernel.Loop) bool { return !simple(l) }) || slices.ContainsFunc(rest[:at], func(s kernel.Stmt) bool { return !kernel.IsLet(s) }) {
		return nil
	}
	inner := rest[at].(*kernel.Loop)
	if !adds(inner) || len(inner.Folds) == 0 {
		return nil
	}
	c := &contracting{Weights: to.Costs(), chain: chain, lets: lets, before: rest[:at], masked: inner, after: rest[at+1:], varying: &variances{nest: l}, products: make(map[*kernel.Value]*kernel.Value)}
	if c.inner = z.Unmasked(inner); c.inner == nil {
		c.inner = inner
	}
	for i := range inner.Folds {
		if !c.contract(i) {
			return nil
		}
	}
	if c.finish(); c.time >= Time(c.Weights, []kernel.Stmt{l}, false)*(1-Unsure) {
		return nil
	}
	to.Arrays = append(to.Arrays, c.arrays...)
	return c.made
}

// contracting takes a nest apart that multiplies matrices.
type contracting struct {
	*cost.Weights
	chain         []*kernel.Loop // those that may go in any order
	lets          []kernel.Stmt  // between them
	before, after []kernel.Stmt  // the inner loop, in the innermost one of the chain
	inner         *kernel.Loop
	masked        *kernel.Loop // which has sums with masks, in the place of those that are NaN
	varying       *variances

	made     [][]kernel.Stmt // the new loops, with what is before and after them
	arrays   []*kernel.Array
	products map[*kernel.Value]*kernel.Value // elements of new arrays, for sums
	time     float64                         // of all
}

// contract makes a loop that computes all sums of a fold as a product of matrices, after loops that store factors
// that are computed. It reports whether there is such a product.
func (c *contracting) contract(i int) bool {
	x, y := factors(c.inner.Folds[i])
	if x == nil {
		return false
	}
	between := func(v *kernel.Value, on, not *kernel.Loop) bool {
		return c.varying.of(on).Varies(v) && !c.varying.of(not).Varies(v)
	}
	for _, r := range c.chain {
		for _, q := range c.chain {
			if r != q && between(x, r, q) && between(y, q, r) {
				return c.multiply(i, x, y, r, q)
			}
		}
	}
	return false
}

// multiply is [contracting.contract] for the factors, and the loops on which they depend.
func (c *contracting) multiply(i int, x, y *kernel.Value, rows, columns *kernel.Loop) bool {
	left, right, result := c.factor(x), c.factor(y), c.inner.Folds[i].Result
	product := c.stored(result, rows, columns)
	if product == nil {
		product = &kernel.Store{Access: c.array("product", c.chain...), Value: result}
		c.products[result] = loaded(product.Access)
		c.time += MemoryTime(c.Weights, float64(product.Array.Len()))
	}
	v := kernel.RealOf(ops.SymMul, left, right)
	sum := *c.inner
	sum.Folds = []kernel.Fold{{Op: ops.SymSum, Value: v, Result: result}}
	sum.Body = slices.Concat(c.computing(left), c.computing(right), []kernel.Stmt{&kernel.Let{Value: v}})
	order := append(c.around(func(l *kernel.Loop) bool { return l != rows && l != columns }), rows, columns)
	nest := nestIn(order, nil, []kernel.Stmt{&sum, product}, c.varying)
	p := ContractionOf(nest[len(nest)-2])
	masked := c.masked.Folds[i].Value != c.inner.Folds[i].Value
	if p == nil || masked && product.Add {
		return false
	}
	each := p.time(c.Weights)
	for _, l := range order[:len(order)-2] {
		each *= float64(l.N)
	}
	c.made, c.time = append(c.made, []kernel.Stmt{nest[0]}), c.time+each
	if masked {
		c.mend(product, c.masked.Folds[i])
	}
	return true
}

// finish makes a loop that does what is done with the sums, but for what is stored already.
func (c *contracting) finish() {
	if !slices.ContainsFunc(c.after, func(s kernel.Stmt) bool { return !kernel.IsLet(s) }) {
		return
	}
	var body []kernel.Stmt
	for _, f := range c.inner.Folds {
		if x := c.products[f.Result]; x != nil {
			body = append(body, &kernel.Let{Value: x})
		}
	}
	body = slices.Concat(body, c.before, c.after)
	body = kernel.MapValues(body, make(map[*kernel.Value]bool), kernel.Substitute(c.products))
	c.add(nestIn(c.chain, c.lets, body, c.varying)[0])
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
func (c *contracting) mend(product *kernel.Store, f kernel.Fold) {
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
	masked.Folds = []kernel.Fold{f}
	is := equal(number)
	result := kernel.RealOf(ops.SymWhere, is, number, f.Result)
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

// stored takes the store of a sum from what is done with it, if that is all, and a product may be stored there.
func (c *contracting) stored(v *kernel.Value, rows, columns *kernel.Loop) *kernel.Store {
	at := slices.IndexFunc(c.after, func(s kernel.Stmt) bool {
		t, ok := s.(*kernel.Store)
		return ok && t.Value == v
	})
	if at < 0 {
		return nil
	}
	s := c.after[at].(*kernel.Store)
	rest := slices.Concat(c.after[:at], c.after[at+1:])
	if kernel.NeededBy(rest)[v] || kernel.Stores(rest)[s.Array] || !regular(s.Access, c.varying.of(c.chain...)) {
		return nil
	}
	for _, l := range []*kernel.Loop{rows, columns} {
		if step, _ := stride(s.Access, c.varying.of(l)); step == 1 {
			c.after = rest
			return s
		}
	}
	return nil
}

// loaded is an element of an array of reals.
func loaded(a kernel.Access) *kernel.Value {
	return &kernel.Value{Kind: kernel.Load, Elem: types.R, Access: a, Range: ops.AnyInt}
}
