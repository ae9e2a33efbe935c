package schedule

import (
	"slices"
	"sync"

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
	z, room := sparsity.NewZeroes(p), roomFor(p)
	for _, k := range p.Kernels {
		if k.Steps != nil {
			k = contractedSteps(k, p.Weights)
		}
		out.Kernels = append(out.Kernels, contracted(k, &out, z, room)...)
	}
	return &out
}

// contractedSteps has the step of a loop as [Contracted] makes it by the weights of the program around, if there are large
// products in it.
func contractedSteps(k *kernel.Kernel, w *cost.Weights) *kernel.Kernel {
	s, step := *k.Steps, *k.Steps.Step
	step.Weights = w
	if s.Step = Contracted(&step); slices.Equal(s.Step.Kernels, k.Steps.Step.Kernels) {
		return k
	}
	return &kernel.Kernel{Steps: &s, Fused: k.Fused, Of: k}
}

// CostContracted estimates the time of a kernel, as [Cost] does, where the host multiplies matrices.
func CostContracted(p *kernel.Program, k *kernel.Kernel) (t float64) {
	to := *p
	to.Arrays = slices.Clone(p.Arrays)
	for _, part := range contracted(k, &to, sparsity.NewZeroes(p), roomFor(p)) {
		if !seldom(part.Body) {
			t += costWith(p.Costs(), part.Body, true)
		}
	}
	return t
}

// seldom reports whether what the last loop of a body does is seldom done. A body may have no statements, as that
// of steps.
func seldom(body []kernel.Stmt) bool {
	if len(body) == 0 {
		return false
	}
	l, ok := body[len(body)-1].(*kernel.Loop)
	return ok && l.If != nil
}

// contracted are the kernels that do what k does, with new arrays of a program: k alone, if there is no large product
// in it.
func contracted(k *kernel.Kernel, to *kernel.Program, z *sparsity.Zeroes, room float64) []*kernel.Kernel {
	n := kernel.FirstLoop(k.Body)
	if n < 0 || k.Steps != nil || k.Calls() || slices.ContainsFunc(k.Body[:n], func(s kernel.Stmt) bool { return !kernel.IsLet(s) }) {
		return []*kernel.Kernel{k}
	}
	rest := kernel.Clone(k.Body)
	c := &contracting{Weights: to.Costs(), zeroes: z, of: k, lets: rest[:n:n], room: room, stored: kernel.Stores(k.Body)}
	for i := n; i < len(rest); i++ {
		l, ok := rest[i].(*kernel.Loop)
		if !ok {
			continue
		}
		for next := c.apart(l); next != nil; next = c.apart(l) {
			l = next
		}
		rest[i] = l
	}
	if len(c.made) == 0 {
		return []*kernel.Kernel{k}
	}
	to.Arrays = append(to.Arrays, c.arrays...)
	rest = kernel.DropUnused(kernel.WithoutStores(rest, func(*kernel.Store) bool { return false }))
	if kernel.FirstLoop(rest) >= 0 {
		c.kernel(rest...)
	}
	return c.made
}

// contracting takes products of matrices from a kernel.
type contracting struct {
	*cost.Weights
	zeroes *sparsity.Zeroes
	of     *kernel.Kernel
	lets   []kernel.Stmt // before all loops
	stored map[*kernel.Array]bool
	room   float64 // how many bytes more new arrays may have
	made   []*kernel.Kernel
	arrays []*kernel.Array
}

// leastRoom is how many bytes new arrays may have in any program.
const leastRoom = 1 << 24

// roomFor is how many bytes the new arrays for a kernel of a program may have together, which are needed for it alone: not
// much more than what the program has, so that there is memory for it where there was without them.
func roomFor(p *kernel.Program) float64 {
	all := 0.0
	for _, a := range p.Arrays {
		all += 8 * float64(a.Len())
	}
	return max(leastRoom, all/4)
}

// kernel adds a kernel to those that are made, with what of the lets before all loops it needs.
func (c *contracting) kernel(body ...kernel.Stmt) {
	c.made = append(c.made, &kernel.Kernel{Body: kernel.DropUnused(kernel.Clone(body)), Of: c.of})
}

// apart makes kernels of sums that are products of matrices in a nest of loops, if that pays, and a nest that does the
// rest. It is nil if there are none.
func (c *contracting) apart(l *kernel.Loop) (rest *kernel.Loop) {
	before := sync.OnceValue(func() float64 { return Time(c.Weights, []kernel.Stmt{l}, false) })
	var look func(at *kernel.Loop, path []*kernel.Loop) *kernel.Loop
	look = func(at *kernel.Loop, path []*kernel.Loop) *kernel.Loop {
		if adds(at) && len(path) > 0 {
			x := &extracted{contracting: c, nest: l, path: path, sum: at, varying: &variances{nest: l}, loads: make(map[*kernel.Value]*kernel.Value)}
			if rest := x.rest(before); rest != nil {
				return rest
			}
		}
		if !simple(at) || at.Order != kernel.Parallel && at.Order != kernel.Folding {
			return nil
		}
		for _, m := range kernel.Among[*kernel.Loop](at.Body) {
			if rest := look(m, append(path[:len(path):len(path)], at)); rest != nil {
				return rest
			}
		}
		return nil
	}
	return look(l, nil)
}

// extracted is sums that are taken from a nest of loops.
type extracted struct {
	*contracting
	nest    *kernel.Loop
	path    []*kernel.Loop // the loops of the nest around the sums, from outside on
	sum     *kernel.Loop
	varying *variances

	kernels [][]kernel.Stmt
	arrays  []*kernel.Array
	loads   map[*kernel.Value]*kernel.Value // elements of new arrays, or 0 where a mask says so, in the place of sums
	instead []kernel.Stmt                   // which compute them
	dead    []*kernel.Store                 // which the products are for
	time    float64                         // of all that is new
	bytes   float64                         // of the new arrays
}

// term is products of which a sum is the sum.
type term struct {
	inner  []*kernel.Loop // that add them up, from outside on
	x, y   *kernel.Value
	masked bool             // a mask is left out that is needed where the sum is NaN
	after  []sparsity.Truth // without which the sum is 0
}

// rest makes the kernels, and the nest without the sums, if they take less time than the nest did before.
func (x *extracted) rest(before func() float64) *kernel.Loop {
	for i := range x.sum.Folds {
		if !x.contract(i) {
			return nil
		}
	}
	rest := x.without()
	if left := []kernel.Stmt{rest}; kernel.Any(left, func(s *kernel.Store) bool { return true }) || len(rest.Folds) > 0 {
		x.time += Time(x.Weights, left, false)
	}
	if x.time >= before()*(1-Unsure) {
		return nil
	}
	for _, k := range x.kernels {
		x.kernel(slices.Concat(x.lets, k)...)
	}
	x.contracting.arrays = append(x.contracting.arrays, x.arrays...)
	x.room -= x.bytes
	return rest
}

// terms are those of a fold of the last one of some loops. It reports whether all are products.
func (x *extracted) terms(inner []*kernel.Loop, i int) (out []term, ok bool) {
	l := inner[len(inner)-1]
	of, masked := l.Folds[i].Value, false
	if u := x.zeroes.Unmasked(l); u != nil {
		of, masked = u.Folds[i].Value, u.Folds[i].Value != of
	}
	var add func(v *kernel.Value) bool
	add = func(v *kernel.Value) bool {
		switch {
		case v.Kind == kernel.Compute && v.Op == ops.SymAdd:
			return add(v.Args[0]) && add(v.Args[1])
		case v.Kind == kernel.Compute && v.Op == ops.SymMul && v.Elem == types.R && x.known(v):
			out = append(out, term{inner: inner, x: v.Args[0], y: v.Args[1], masked: masked})
			return true
		}
		if of, when, ok := sparsity.OrZero(v); ok && v.Elem == types.R && x.known(when.Of) {
			n := len(out)
			if !add(of) {
				return false
			}
			for _, when := range when.Conjuncts() {
				after := !slices.ContainsFunc(inner, func(l *kernel.Loop) bool { return x.varying.of(l).Varies(when.Of) })
				for i := range out[n:] {
					if t := &out[n+i]; after {
						t.after = append(t.after, when)
					} else if !x.mask(t, when) {
						return false
					}
				}
			}
			return true
		}
		for _, m := range kernel.Among[*kernel.Loop](l.Body) {
			if i := slices.IndexFunc(m.Folds, func(f kernel.Fold) bool { return f.Result == v }); i >= 0 {
				more, ok := x.terms(append(inner[:len(inner):len(inner)], m), i)
				out = append(out, more...)
				return ok
			}
		}
		return false
	}
	ok = add(of)
	return out, ok
}

// mask has a factor of a term be 0 where a mask leaves the term out, if the mask depends on no other loop than the factor. It
// reports whether there is one.
func (x *extracted) mask(t *term, when sparsity.Truth) bool {
	for _, of := range []**kernel.Value{&t.x, &t.y} {
		if slices.ContainsFunc(slices.Concat(x.path, t.inner), func(l *kernel.Loop) bool {
			v := x.varying.of(l)
			return v.Varies(when.Of) && !v.Varies(*of)
		}) {
			continue
		}
		*of, t.masked = orZero(*of, when), true
		return true
	}
	return false
}

// orZero is a number where something holds, else 0.
func orZero(v *kernel.Value, when sparsity.Truth) *kernel.Value {
	yes, no := v, kernel.NewBuilder(nil).Lit(ops.ScalarZero(types.R))
	if !when.One {
		yes, no = no, yes
	}
	return kernel.RealOf(ops.SymWhere, when.Of, yes, no)
}

// maxTerms bounds how many products are added up to one.
const maxTerms = 8

// contract makes kernels that compute a sum as a product of matrices, or as a few. It reports whether it is one.
func (x *extracted) contract(i int) bool {
	terms, ok := x.terms([]*kernel.Loop{x.sum}, i)
	if !ok || len(terms) > maxTerms {
		return false
	}
	var product *kernel.Store
	var order []*kernel.Loop
	masked := false
	for n, t := range terms {
		if !slices.Equal(t.after, terms[0].after) {
			return false
		}
		batch, rows, columns := x.sides(t)
		if len(rows) == 0 || len(columns) == 0 {
			return false
		}
		all := slices.Concat(batch, rows, columns)
		if kernel.Runs(columns) > kernel.Runs(rows) { // goroutines share the outer loops, and each packs the other side
			all = slices.Concat(batch, columns, rows)
		}
		if n == 0 {
			order = all
			product = x.product(x.sum.Folds[i].Result, t, all, rows, columns)
		}
		if product == nil || len(all) != len(order) || slices.ContainsFunc(all, func(l *kernel.Loop) bool { return !slices.Contains(order, l) }) {
			return false
		}
		store := *product
		store.Add = store.Add || n > 0
		body, v := x.adding(t, x.factor(t.x, t), x.factor(t.y, t))
		store.Value = v
		nest := kernel.Around(all, append(body, &store))[0].(*kernel.Loop)
		p := ContractionOf(at(nest, len(batch)))
		if masked = masked || t.masked; p == nil || masked && product.Add {
			return false
		}
		x.kernels = append(x.kernels, []kernel.Stmt{nest})
		x.time += p.time(x.Weights) * kernel.Runs(batch)
	}
	if masked {
		outwards(product.Access, order)
		return x.mend(product, order, i)
	}
	return true
}

// sides tells the loops around a sum apart: those on which both factors of a term depend, and those of the rows and of
// the columns of the product.
func (x *extracted) sides(t term) (batch, rows, columns []*kernel.Loop) {
	for _, l := range x.path {
		switch left, right := x.varying.of(l).Varies(t.x), x.varying.of(l).Varies(t.y); {
		case left && right:
			batch = append(batch, l)
		case left:
			rows = append(rows, l)
		case right:
			columns = append(columns, l)
		}
	}
	return batch, rows, columns
}

// product is where a sum is stored, or a new array for it, or nil if that would be too large. Masks that depend on no loop
// of the sum come after it.
func (x *extracted) product(result *kernel.Value, t term, all, rows, columns []*kernel.Loop) *kernel.Store {
	if len(t.after) == 0 {
		if s := x.storedAs(result, all, [2][]*kernel.Loop{rows, columns}); s != nil {
			return s
		}
	}
	a := x.array("product", slice.Filter(slices.Clone(x.path), func(l *kernel.Loop) bool { return slices.Contains(all, l) }))
	if a.Array == nil {
		return nil
	}
	v := loaded(a)
	x.instead = append(x.instead, &kernel.Let{Value: v})
	for _, when := range t.after {
		v = orZero(v, when)
		x.instead = append(append(x.instead, letsFor(when.Of, t.inner)...), &kernel.Let{Value: v})
	}
	x.loads[result] = v
	x.time += MemoryTime(x.Weights, float64(a.Array.Len()))
	return &kernel.Store{Access: a}
}

// known reports whether a value is known before the kernel has stored anything, and without sums.
func (x *extracted) known(v *kernel.Value) bool {
	for v := range kernel.Needed(v) {
		if v.Kind == kernel.Folded || v.Kind == kernel.Carried || v.Kind == kernel.Load && x.stored[v.Array] {
			return false
		}
	}
	return true
}

// adding are the loops that add up the products of two factors, and the sum.
func (x *extracted) adding(t term, left, right *kernel.Value) ([]kernel.Stmt, *kernel.Value) {
	v := kernel.RealOf(ops.SymMul, left, right)
	body := slices.Concat(x.computing(left, t), x.computing(right, t), []kernel.Stmt{&kernel.Let{Value: v}})
	for _, l := range slices.Backward(t.inner) {
		body, v = added(l, body, v)
	}
	return body, v
}

// added is a loop that adds up what a body computes, and the sum.
func added(l *kernel.Loop, body []kernel.Stmt, v *kernel.Value) ([]kernel.Stmt, *kernel.Value) {
	sum := &kernel.Value{Kind: kernel.Folded, Elem: types.R, Range: ops.AnyInt, Plus: true}
	return []kernel.Stmt{&kernel.Loop{Name: l.Name, Var: l.Var, N: l.N, Order: kernel.Folding, Body: body, Folds: []kernel.Fold{{Op: ops.SymSum, Value: v, Result: sum}}}}, sum
}

// at is the loop that so many loops of a nest are around.
func at(l *kernel.Loop, depth int) *kernel.Loop {
	for range depth {
		l = l.Body[0].(*kernel.Loop)
	}
	return l
}

// factor is a factor that the host can read: v, or else an element of a new array in which it is.
func (x *extracted) factor(v *kernel.Value, t term) *kernel.Value {
	all := slices.Concat(x.path, t.inner)
	if regular(factorOf(v).Access, x.varying.of(all...)) {
		return v
	}
	loops := slice.Filter(all, func(l *kernel.Loop) bool { return x.varying.of(l).Varies(v) })
	a := x.array("factor", loops)
	if a.Array == nil {
		return v
	}
	fill := kernel.Around(loops, append(x.computing(v, t), &kernel.Store{Access: a, Value: v}))
	x.kernels = append(x.kernels, fill)
	x.time += Time(x.Weights, fill, false) + MemoryTime(x.Weights, float64(a.Array.Len()))
	return loaded(a)
}

// computing are the statements that compute a value of a term.
func (x *extracted) computing(v *kernel.Value, t term) []kernel.Stmt {
	made := letsFor(v, slices.Concat(x.path, t.inner))
	if !slices.ContainsFunc(made, func(s kernel.Stmt) bool { return s.(*kernel.Let).Value == v }) { // an element of a new array, or what a mask is put before
		made = append(made, &kernel.Let{Value: v})
	}
	return made
}

// letsFor are the statements in some loops that compute what a value needs.
func letsFor(v *kernel.Value, loops []*kernel.Loop) (out []kernel.Stmt) {
	needed := kernel.Needed(v)
	for _, l := range loops {
		out = append(out, lets(l.Body, needed)...)
	}
	return out
}

// lets are the statements of a body that compute some values.
func lets(body []kernel.Stmt, of map[*kernel.Value]bool) (out []kernel.Stmt) {
	for _, let := range kernel.Among[*kernel.Let](body) {
		if of[let.Value] {
			out = append(out, let)
		}
	}
	return out
}

// array makes an array with an axis for each of some loops, if there is room.
func (x *extracted) array(name string, loops []*kernel.Loop) (at kernel.Access) {
	if x.bytes += 8 * kernel.Runs(loops); x.bytes > x.room {
		return at
	}
	at.Array = &kernel.Array{Name: name, Elem: types.R, Role: kernel.Temp, Range: ops.AnyInt}
	x.arrays = append(x.arrays, at.Array)
	for _, l := range loops {
		at.Array.Shape, at.At = append(at.Array.Shape, l.N), append(at.At, l.Var)
	}
	return at
}

// storedAs is a store that is all that is done with a sum, if a product may be stored there whose rows and columns some loops are.
func (x *extracted) storedAs(v *kernel.Value, loops []*kernel.Loop, sides [2][]*kernel.Loop) *kernel.Store {
	var store *kernel.Store
	uses := 0
	kernel.Walk([]kernel.Stmt{x.nest}, func(s kernel.Stmt) {
		if slices.Contains(kernel.Uses(s), v) {
			uses++
		}
		if t, ok := s.(*kernel.Store); ok && t.Value == v {
			store = t
		}
	})
	if store == nil || uses > 1 || len(loops) < len(x.path) || slices.Contains(x.of.Reads(), store.Array) || !regular(store.Access, x.varying.of(loops...)) {
		return nil
	}
	all := 0
	for t := range kernel.All[*kernel.Store](x.of.Body) {
		if t.Array == store.Array {
			all++
		}
	}
	for _, side := range sides {
		for _, l := range side {
			if step, _ := stride(store.Access, x.varying.of(l)); step == 1 && all == 1 {
				x.dead = append(x.dead, store)
				return store
			}
		}
	}
	return nil
}

// without is the nest with elements of new arrays in the place of the sums.
func (x *extracted) without() *kernel.Loop {
	var copied func(l *kernel.Loop) *kernel.Loop
	copied = func(l *kernel.Loop) *kernel.Loop {
		out := l.With(nil)
		for _, s := range l.Body {
			m, ok := s.(*kernel.Loop)
			switch {
			case ok && m == x.sum:
				out.Body = append(out.Body, x.instead...)
			case ok:
				out.Body = append(out.Body, copied(m))
			default:
				if t, ok := s.(*kernel.Store); !ok || !slices.Contains(x.dead, t) {
					out.Body = append(out.Body, s)
				}
			}
		}
		return out
	}
	body := kernel.MapValues([]kernel.Stmt{copied(x.nest)}, make(map[*kernel.Value]bool), kernel.Substitute(x.loads))
	return kernel.DropUnused(body)[0].(*kernel.Loop)
}

// mend makes loops that put sums with masks where those without are NaN, if there are any: a sum of all tells that. It
// reports whether there is room for it.
func (x *extracted) mend(product *kernel.Store, loops []*kernel.Loop, i int) bool {
	any := x.array("infinite", nil)
	if any.Array == nil {
		return false
	}
	v := loaded(product.Access)
	zero := kernel.RealOf(ops.SymSub, v, v) // or NaN
	body := []kernel.Stmt{&kernel.Let{Value: v}, &kernel.Let{Value: zero}}
	v = zero
	for _, l := range slices.Backward(loops) {
		body, v = added(l, body, v)
	}
	x.kernels = append(x.kernels, append(body, &kernel.Store{Access: any, Value: v}))

	number := loaded(product.Access)
	is := equal(number)
	result := kernel.RealOf(ops.SymWhere, is, number, x.sum.Folds[i].Result)
	body = []kernel.Stmt{&kernel.Let{Value: number}, &kernel.Let{Value: is}}
	needed := kernel.NeededBy([]kernel.Stmt{x.sum})
	for _, l := range x.path {
		body = append(body, lets(l.Body, needed)...)
	}
	body = append(body, x.sum, &kernel.Let{Value: result}, &kernel.Store{Access: product.Access, Value: result})
	known := loaded(any)
	all := equal(known)
	some := &kernel.Value{Kind: kernel.Compute, Elem: types.B, Op: ops.SymNot, Args: []*kernel.Value{all}, Range: all.Range}
	nest := kernel.Around(loops, body)[0].(*kernel.Loop)
	nest.If = some
	x.kernels = append(x.kernels, []kernel.Stmt{&kernel.Let{Value: known}, &kernel.Let{Value: all}, &kernel.Let{Value: some}, nest})
	return true
}

// equal is whether a number is itself: whether it is not NaN.
func equal(x *kernel.Value) *kernel.Value {
	return &kernel.Value{Kind: kernel.Compute, Elem: types.B, Op: ops.SymEq, Args: []*kernel.Value{x, x}, Range: ops.Range{Hi: 1}}
}

// loaded is an element of an array.
func loaded(a kernel.Access) *kernel.Value {
	return &kernel.Value{Kind: kernel.Load, Elem: a.Array.Elem, Access: a, Range: ops.AnyInt}
}
