package rules

import (
	"fmt"
	"slices"

	"egad/term"
)

// MaxRank bounds the ranks and the lengths of lists that rules are checked for.
const MaxRank = 3

// Instance is one way to give the metavariables of a rule types, with sizes as
// symbols: "the same type for all shapes" means for every instance.
type Instance struct {
	Rule  *Rule
	Terms []InstanceTerm
	// Products are pairs of shapes that have equally many elements.
	Products [][2][]term.Size

	// Lets gives the types of let-bound variables of the left side.
	Lets map[string]*term.Type

	sig      *term.Signature
	attrs    []binding // the metavariables that are not terms
	binders  map[string][]term.Size
	types    map[*Pattern]*term.Type // of the literals of the left side
	literals []*term.Type            // the same, from left to right
	ops      map[*Pattern]term.Op    // of its applications
}

// InstanceTerm is a term metavariable, or an element of a list of them.
type InstanceTerm struct {
	Name string
	List bool
	Type *term.Type
	// Scope lists the bound variables that the term may mention.
	Scope []string
}

// Binders gives the ranges of a bound variable, or of a list of them.
func (in *Instance) Binders(name string) []term.Size { return in.binders[name] }

// Sizes lists the symbols that stand for sizes, in a fixed order.
func (in *Instance) Sizes() []string {
	var out []string
	add := func(ss []term.Size) {
		for _, s := range ss {
			out = append(out, s.Vars()...)
		}
	}
	var types func(t *term.Type)
	types = func(t *term.Type) {
		add(t.Shape)
		for _, p := range t.Parts {
			types(p)
		}
	}
	for _, t := range in.Terms {
		types(t.Type)
	}
	for _, a := range in.attrs {
		add(a.sizes)
		if a.typ != nil {
			types(a.typ)
		}
	}
	for _, n := range in.Rule.vars.order {
		add(in.binders[n])
	}
	for _, t := range in.literals {
		types(t)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Instances enumerates the well-typed instances of a rule: every rank and list
// length from 0 to rank, every permutation, every operator of a class. It
// calls f for each until f returns false, or after so many tries: the number of
// combinations grows exponentially with the number of metavariables. It is false
// if it did not try them all.
func (r *Rule) Instances(sig *term.Signature, rank, tries int, f func(*Instance) bool) (all bool) {
	c := &chooser{rank: rank}
	seen := make(map[string]bool)
	for more := true; more; more = c.next() {
		if tries--; tries < 0 {
			return false
		}
		c.at = 0
		in := instantiate(sig, r, c)
		if in == nil {
			continue
		}
		if key := in.key(); !seen[key] {
			seen[key] = true
			if !f(in) {
				return false
			}
		}
	}
	return true
}

func (in *Instance) key() string {
	s := ""
	for _, t := range in.Terms {
		s += t.Name + ":" + t.Type.Key() + ";"
	}
	for _, a := range in.attrs {
		s += fmt.Sprint(a.name, a.perm, a.n, a.lit.Elem)
		if a.op != nil {
			s += a.op.Key()
		}
		for _, x := range a.sizes {
			s += x.Key() + ","
		}
		if a.typ != nil {
			s += a.typ.Key()
		}
	}
	for _, n := range in.Rule.vars.order {
		s += fmt.Sprint(";", len(in.binders[n]))
	}
	for _, t := range in.literals {
		s += ";" + t.Key()
	}
	return s
}

// chooser runs through all sequences of choices, whose number and bounds may
// depend on earlier choices.
type chooser struct {
	picks, bounds []int
	at            int
	rank          int             // the greatest rank and length of a list
	pick          func(n int) int // chooses at random if it is not nil
}

// choose picks one of n; it gives up on the sequence if there is none.
func (c *chooser) choose(n int) int {
	if n == 0 {
		panic(giveUp{})
	}
	if c.pick != nil {
		return c.pick(n)
	}
	if c.at == len(c.picks) {
		c.picks = append(c.picks, 0)
		c.bounds = append(c.bounds, n)
	}
	c.at++
	return c.picks[c.at-1]
}

// next moves to the next sequence.
func (c *chooser) next() bool {
	c.picks, c.bounds = c.picks[:c.at], c.bounds[:c.at]
	for i := len(c.picks) - 1; i >= 0; i-- {
		if c.picks[i]++; c.picks[i] < c.bounds[i] {
			c.picks, c.bounds = c.picks[:i+1], c.bounds[:i+1]
			return true
		}
	}
	return false
}

// giveUp leaves a sequence of choices that does not lead to an instance.
type giveUp struct{}

// inference finds the types on a left side under one sequence of choices. It is
// the unifier of the typing rules.
type inference struct {
	term.ElemVars
	term.Known
	*chooser
	sig  *term.Signature
	rule *Rule

	sol      map[string]term.Size  // solved sizes
	types    map[string]*term.Type // solved type variables
	metas    map[string][]*term.Type
	products [][2][]term.Size
	attrs    []binding
	binders  map[string][]term.Size
	lets     map[string]*term.Type
	root     *term.Type
	literals []*Pattern // of the left side, and their types
	littypes []*term.Type
	ops      map[*Pattern]term.Op
	vectors  []*term.Type // types that linear maps act on
	place    int          // in a spread
	count    int
}

func instantiate(sig *term.Signature, r *Rule, c *chooser) (in *Instance) {
	defer func() {
		if e := recover(); e != nil {
			if _, ok := e.(giveUp); !ok {
				panic(e)
			}
			in = nil
		}
	}()
	n := &inference{
		chooser: c, sig: sig, rule: r, sol: make(map[string]term.Size), types: make(map[string]*term.Type),
		metas: make(map[string][]*term.Type), binders: make(map[string][]term.Size),
		lets: make(map[string]*term.Type), ops: make(map[*Pattern]term.Op),
	}
	n.declare()
	n.root = n.infer(r.Lhs)
	if r.Nabla { // only what is real has a derivative
		n.vectors = append(n.vectors, n.root)
	}
	n.conditions()
	return n.finish()
}

func (n *inference) reject() { panic(giveUp{}) }

func (n *inference) fresh(prefix string) string {
	n.count++
	return fmt.Sprintf("%s_%d", prefix, n.count)
}

// declare chooses lengths, permutations, numbers and operators.
func (n *inference) declare() {
	for _, name := range n.rule.vars.order {
		b := binding{name: name}
		switch n.rule.vars.sort[name] {
		case SortTerm:
			n.metas[name] = []*term.Type{n.typeVar(name)}
			continue
		case SortTerms:
			ts := []*term.Type{}
			for range n.choose(n.rank + 1) {
				ts = append(ts, n.typeVar(name))
			}
			n.metas[name] = ts
			continue
		case SortIndex, SortIndices:
			continue // when the operator is met
		case SortSize:
			b.sizes = []term.Size{term.SizeVar(name)}
		case SortSizes:
			for i := range n.choose(n.rank + 1) {
				b.sizes = append(b.sizes, term.SizeVar(fmt.Sprintf("%s%d", name, i+1)))
			}
		case SortPerm:
			b.perm = n.perm()
		case SortInt:
			b.n = n.choose(3)
		case SortLit:
			b.lit = term.ScalarZero([]term.Elem{term.R, term.I, term.B}[n.choose(3)])
			if b.lit.Elem != term.B {
				b.lit = someLiteral(b.lit.Elem)
			}
		case SortType:
			b.typ = n.typeVar(name)
		case SortOp:
			ops := n.operators(name)
			b.op = &ops[n.choose(len(ops))]
		}
		n.attrs = append(n.attrs, b)
	}
}

func someLiteral(e term.Elem) term.Scalar {
	if e == term.R {
		return term.ScalarR(term.NumInt(2))
	}
	return term.ScalarI(2)
}

// operators lists the operators that a variable may stand for.
func (n *inference) operators(name string) []term.Op {
	var out []term.Op
	for _, o := range n.sig.All() {
		ok := true
		for _, c := range n.rule.vars.class[name] {
			ok = ok && c.Has(o)
		}
		if ok {
			out = append(out, term.Op{Sym: o.Sym})
		}
	}
	return out
}

// perm chooses a permutation as operators store it: without axes that stay in
// place at the end.
func (n *inference) perm() []int {
	size := n.choose(n.rank + 1)
	left := make([]int, size)
	for i := range left {
		left[i] = i
	}
	p := []int{}
	for range size {
		i := n.choose(len(left))
		p = append(p, left[i])
		left = slices.Delete(left, i, i+1)
	}
	if len(term.CanonPerm(p)) != size {
		n.reject()
	}
	return p
}

func (n *inference) typeVar(name string) *term.Type {
	return &term.Type{Kind: term.KVar, Name: n.fresh(name)}
}

func (n *inference) attr(name string) *binding {
	for i := range n.attrs {
		if n.attrs[i].name == name {
			return &n.attrs[i]
		}
	}
	return nil
}

// infer gives the type of a pattern of the left side.
func (n *inference) infer(p *Pattern) *term.Type {
	switch p.Kind {
	case PMeta:
		return n.metas[p.Name][0]
	case PElem:
		return n.metas[p.Name][n.place]
	case PIvar:
		return term.ArrayOf(term.I)
	case PLetVar:
		return n.lets[p.Name]
	case PSelf: // in a condition
		return n.root
	case PNumber:
		if r := p.Value.Rat(); r == nil || !r.IsInt() {
			return n.literal(p, term.R)
		}
		return n.literal(p, n.NewElem(term.R, term.I))
	case PTruth:
		return n.literal(p, term.B)
	case PZero:
		return n.literal(p, n.NewElem(term.R, term.I, term.B))
	case PLit:
		return n.literal(p, n.attr(p.Lit.Name).lit.Elem)
	case PSizeVal:
		if p.LitFor == nil {
			return term.ArrayOf(term.I)
		}
		return n.literal(p, n.NewElem(term.R, term.I))
	case PLet:
		// Tuples are taken apart before they are bound.
		if n.lets[p.Name] = n.Force(n.infer(p.Bound), term.KArray); n.lets[p.Name].Kind != term.KArray {
			n.reject()
		}
		return n.infer(p.Body)
	case PApp:
		return n.application(p)
	}
	n.reject()
	return nil
}

// literal is the type of a literal of any shape.
func (n *inference) literal(p *Pattern, e term.Elem) *term.Type {
	t := n.array(e, n.choose(n.rank+1))
	if p.LitFor != nil && !n.Types(t, n.typePat(p.LitFor)) {
		n.reject()
	}
	n.literals, n.littypes = append(n.literals, p), append(n.littypes, t)
	return t
}

// array is an array type of the given rank with new sizes.
func (n *inference) array(e term.Elem, rank int) *term.Type {
	shape := make([]term.Size, rank)
	for i := range shape {
		shape[i] = term.SizeVar(n.fresh("s"))
	}
	return term.ArrayOf(e, shape...)
}

func (n *inference) application(p *Pattern) *term.Type {
	op := term.Op{Sym: p.Sym}
	if p.Name != "" {
		op = *n.attr(p.Name).op
	}
	if p.Name != "" && n.operandCount(p) != n.sig.Operator(op.Sym).Arity {
		n.reject()
	}
	n.attributes(p, &op)
	n.bind(p, &op)
	var kids []*term.Type
	for _, it := range Flatten(p.Kids) {
		switch {
		case it.Kind == EOne:
			kids = append(kids, n.infer(it.Pat))
		case it.Kind == EMap:
			kids = append(kids, n.mapped(it)...)
		case it.List.Kind == LBound:
			for range n.binders[it.List.Name] {
				kids = append(kids, term.ArrayOf(term.I))
			}
		default:
			kids = append(kids, n.metas[it.List.Name]...)
		}
	}
	t, ok := term.InferType(n, n.sig, op, kids)
	if !ok {
		n.reject()
	}
	n.ops[p] = op
	return t
}

// operandCount is how many operands an operator variable is applied to.
func (n *inference) operandCount(p *Pattern) int {
	count := 0
	for _, it := range Flatten(p.Kids) {
		switch {
		case it.Kind == EOne:
			count++
		case it.Kind == EMap:
			count += len(n.metas[it.Over[0]])
		default:
			count += len(n.metas[it.List.Name]) + len(n.binders[it.List.Name])
		}
	}
	return count
}

// mapped are the types of the pattern of a spread at the places of its lists.
func (n *inference) mapped(it Elem) []*term.Type {
	out := make([]*term.Type, len(n.metas[it.Over[0]]))
	if len(out) == 0 {
		n.reject()
	}
	for _, l := range it.Over {
		if len(n.metas[l]) != len(out) {
			n.reject()
		}
	}
	outer := n.place
	for i := range out {
		n.place = i
		out[i] = n.infer(it.Pat)
	}
	n.place = outer
	return out
}

// attributes fills in the static attributes of a pattern.
func (n *inference) attributes(p *Pattern, op *term.Op) {
	if a := p.Attrs.Sizes; a != nil {
		op.Sizes = n.sizesOf(a)
	}
	if a := p.Attrs.Targets; a != nil {
		op.Targets = n.sizesOf(a)
	}
	if a := p.Attrs.Perm; a != nil {
		op.Perm = a.Perm
		if a.Kind == AVar {
			op.Perm = n.attr(a.Name).perm
		}
	}
	if a := p.Attrs.N; a != nil {
		op.N = a.Int
		if a.Kind == AVar {
			op.N = n.attr(a.Name).n
		}
	}
	_, form, _ := n.sig.Form(n.sig.Operator(op.Sym).Name)
	for _, k := range form {
		switch k {
		case term.FormType:
			op.Type = n.typeOr(p.Attrs.Type)
		case term.FormType2:
			op.Type2 = n.typeOr(p.Attrs.Type2)
		}
	}
}

// typeOr is the type that a pattern says, or any type.
func (n *inference) typeOr(p *TypePat) *term.Type {
	if p == nil {
		return n.typeVar("t")
	}
	return n.typePat(p)
}

// bind gives the binders of an application their ranges.
func (n *inference) bind(p *Pattern, op *term.Op) {
	b := p.Binders
	if b == nil {
		return
	}
	if n.sig.Operator(op.Sym).OwnRanges() {
		m := len(b.Heads)
		if b.Rest != "" {
			m += n.choose(n.rank + 1)
		}
		op.Sizes = n.array(term.R, m).Shape
	}
	if len(op.Sizes) < len(b.Heads) || b.Rest == "" && len(op.Sizes) != len(b.Heads) {
		n.reject()
	}
	for i, h := range b.Heads {
		n.bound(h, op.Sizes[i:i+1])
	}
	if b.Rest != "" {
		n.bound(b.Rest, op.Sizes[len(b.Heads):])
	}
}

// bound gives a bound variable, or a list of them, its range. Those of one name
// have one range.
func (n *inference) bound(name string, ss []term.Size) {
	old, ok := n.binders[name]
	if !ok {
		n.binders[name] = ss
		return
	}
	if !n.Shapes(old, ss) {
		n.reject()
	}
}

// sizesOf reads a list of sizes on a left side.
func (n *inference) sizesOf(a *AttrExpr) []term.Size {
	switch a.Kind {
	case AVar:
		return n.attr(a.Name).sizes
	case ASize:
		return []term.Size{a.Size}
	case ACons:
		return slices.Concat(n.sizesOf(a.Args[0]), n.sizesOf(a.Args[1]))
	case AFun: // ++
		return slices.Concat(n.sizesOf(a.Args[0]), n.sizesOf(a.Args[1]))
	}
	return nil
}

func (n *inference) typePat(p *TypePat) *term.Type {
	switch p.Kind {
	case TypeVar:
		return n.attr(p.Name).typ
	case TypeOfMeta:
		return n.metas[p.Name][0]
	case TypeArray:
		return term.ArrayOf(p.Elem, n.sizesOf(p.Shape)...)
	}
	parts := make([]*term.Type, len(p.Parts))
	for i, q := range p.Parts {
		parts[i] = n.typePat(q)
	}
	if p.Kind == TypeLin {
		return term.LinOf(parts[0], parts[1])
	}
	return term.TupleOf(parts...)
}

// conditions uses what the side conditions say about types.
func (n *inference) conditions() {
	for i := range n.rule.Conds {
		switch c := &n.rule.Conds[i]; c.Kind {
		case CondType:
			if !n.Types(n.infer(c.Of), n.typePat(c.Type)) {
				n.reject()
			}
		case CondEqual:
			n.equate(c)
		case CondInside:
			n.inside(c)
		}
	}
}

// equate makes two attributes equal, or gives up.
func (n *inference) equate(c *Cond) {
	b := n.builder()
	sort := attrSortOf(c.A, c.B)
	if sort == SortLit {
		if !b.solveLiteral(c, n.attrs) {
			n.reject()
		}
		return
	}
	var x, y attrValue
	ok, err := b.guard(func() { x, y = b.attr(c.A, sort), b.attr(c.B, sort) })
	if !ok || err != nil {
		n.reject()
	}
	if sort != SortSizes && sort != SortSize {
		if !x.equal(y) {
			n.reject()
		}
		return
	}
	if !n.Shapes(x.sizes, y.sizes) {
		n.reject()
	}
}

// inside rejects instances with more indices than axes.
func (n *inference) inside(c *Cond) {
	b := n.builder()
	var ix, axes int
	ok, err := b.guard(func() {
		ix = len(b.list(c.Ix))
		axes = len(b.axes(c.Of, c.Sizes))
	})
	if !ok || err != nil || ix > axes {
		n.reject()
	}
}

// builder evaluates attributes over variables of the types inferred so far.
func (n *inference) builder() *builder {
	in := n.finish()
	s := term.NewStore(n.sig)
	s.Unify = assumed{products: in.Products}
	return &builder{space: Terms{Store: s}, m: in.variables(s)}
}

// finish resolves all types. What is still open is chosen: linear maps and
// arguments of them range over a few types.
func (n *inference) finish() *Instance {
	in := &Instance{
		Rule: n.rule, sig: n.sig, Lets: make(map[string]*term.Type), binders: make(map[string][]term.Size),
		types: make(map[*Pattern]*term.Type), ops: make(map[*Pattern]term.Op),
	}
	for _, t := range n.vectors {
		if !(term.Equality{}).Vector(n.resolveAll(t, true)) {
			n.reject()
		}
	}
	for _, name := range n.rule.vars.order {
		ts, ok := n.metas[name]
		if !ok {
			continue
		}
		list := n.rule.vars.sort[name] == SortTerms
		for _, t := range ts {
			in.Terms = append(in.Terms, InstanceTerm{Name: name, List: list, Type: n.resolveAll(t, false), Scope: n.rule.vars.scope[name]})
		}
	}
	for _, a := range n.attrs {
		if a.typ != nil {
			a.typ = n.resolveAll(a.typ, true)
		}
		a.sizes = n.normAll(a.sizes)
		in.attrs = append(in.attrs, a)
	}
	for name, ss := range n.binders {
		in.binders[name] = n.normAll(ss)
	}
	for name, t := range n.lets {
		in.Lets[name] = n.resolveAll(t, false)
	}
	for i, p := range n.literals {
		in.types[p] = n.resolveAll(n.littypes[i], false)
		in.literals = append(in.literals, in.types[p])
	}
	for p, op := range n.ops {
		op.Sizes, op.Targets = n.normAll(op.Sizes), n.normAll(op.Targets)
		if op.Type != nil {
			op.Type = n.resolveAll(op.Type, true)
		}
		if op.Type2 != nil {
			op.Type2 = n.resolveAll(op.Type2, true)
		}
		in.ops[p] = op
	}
	for _, p := range n.products {
		in.Products = append(in.Products, [2][]term.Size{n.normAll(p[0]), n.normAll(p[1])})
	}
	return in
}

func (n *inference) normAll(ss []term.Size) []term.Size { return term.SubstSizes(ss, n.sol) }

// resolveAll follows variables inside a type; open ones are chosen, among real
// ones at the ends of linear maps.
func (n *inference) resolveAll(t *term.Type, linear bool) *term.Type {
	t = n.Resolve(t)
	elem := func() term.Elem {
		if linear {
			return term.R
		}
		return n.NewElem(term.R, term.I, term.B)
	}
	if t.Kind == term.KVar {
		// Nothing says what it is: an array, or for a linear map's end a
		// tuple. Rank 2 is enough where nothing looks at the shape.
		var choice *term.Type
		switch n.choose(4) {
		case 0:
			choice = term.ArrayOf(elem())
		case 1:
			choice = n.array(elem(), 1)
		case 2:
			choice = n.array(elem(), 2)
		case 3:
			choice = term.TupleOf(term.ArrayOf(term.R), n.array(term.R, 1))
		}
		n.types[t.Name] = choice
		t = choice
	}
	out := *t
	out.Shape = n.normAll(t.Shape)
	if t.Kind == term.KArray {
		among := n.Among(t.Elem)
		e := among[n.choose(len(among))]
		if !n.Elems(t.Elem, e) {
			n.reject()
		}
		out.Elem = e
		return &out
	}
	out.Parts = make([]*term.Type, len(t.Parts))
	for i, p := range t.Parts {
		out.Parts[i] = n.resolveAll(p, linear || t.Kind == term.KLin)
	}
	return &out
}

// The methods of [term.Unifier].

// Sizes makes two sizes equal.
func (n *inference) Sizes(a, b term.Size) bool {
	if a.Equal(b) {
		return true
	}
	d := a.Sub(b).Subst(n.sol)
	if d.IsConst(0) {
		return true
	}
	for _, v := range d.Vars() {
		if s, ok := d.Solve(v); ok {
			one := map[string]term.Size{v: s}
			for k, old := range n.sol {
				n.sol[k] = old.Subst(one)
			}
			n.sol[v] = s
			return true
		}
	}
	return false
}

// Shapes makes two shapes equal.
func (n *inference) Shapes(a, b []term.Size) bool { return slices.EqualFunc(a, b, n.Sizes) }

// Products notes that two shapes have equally many elements.
func (n *inference) Products(a, b []term.Size) bool {
	x, y := term.Product(n.normAll(a)), term.Product(n.normAll(b))
	if x.Equal(y) {
		return true
	}
	_, c1 := x.Const()
	_, c2 := y.Const()
	if c1 && c2 {
		return false
	}
	n.products = append(n.products, [2][]term.Size{a, b})
	return true
}

// Types makes two types equal.
func (n *inference) Types(a, b *term.Type) bool {
	a, b = n.Resolve(a), n.Resolve(b)
	switch {
	case a.Kind == term.KVar && b.Kind == term.KVar && a.Name == b.Name:
		return true
	case a.Kind == term.KVar:
		return n.solve(a.Name, b)
	case b.Kind == term.KVar:
		return n.solve(b.Name, a)
	case a.Kind != b.Kind || len(a.Parts) != len(b.Parts):
		return false
	case a.Kind == term.KArray && !n.Elems(a.Elem, b.Elem):
		return false
	}
	if !n.Shapes(a.Shape, b.Shape) {
		return false
	}
	for i := range a.Parts {
		if !n.Types(a.Parts[i], b.Parts[i]) {
			return false
		}
	}
	return true
}

// solve gives a type variable its type; it is false if the type has the variable in
// it.
func (n *inference) solve(name string, t *term.Type) bool {
	if n.occurs(name, t) {
		return false
	}
	n.types[name] = t
	return true
}

func (n *inference) occurs(name string, t *term.Type) bool {
	t = n.Resolve(t)
	return t.Kind == term.KVar && t.Name == name || slices.ContainsFunc(t.Parts, func(p *term.Type) bool { return n.occurs(name, p) })
}

// Vector notes that linear maps act on t.
func (n *inference) Vector(t *term.Type) bool {
	n.vectors = append(n.vectors, t)
	return true
}

// Resolve follows a solved type variable.
func (n *inference) Resolve(t *term.Type) *term.Type {
	for t.Kind == term.KVar {
		u, ok := n.types[t.Name]
		if !ok {
			return t
		}
		t = u
	}
	return t
}

// Force gives an open variable the kind that is needed.
func (n *inference) Force(t *term.Type, kind term.TypeKind) *term.Type {
	t = n.Resolve(t)
	if t.Kind != term.KVar {
		return t
	}
	var u *term.Type
	switch kind {
	case term.KLin:
		u = term.LinOf(n.typeVar("s"), n.typeVar("t"))
		n.vectors = append(n.vectors, u.Parts...)
	case term.KTuple:
		u = term.TupleOf()
		for range 1 + n.choose(n.rank) {
			u.Parts = append(u.Parts, n.typeVar("p"))
		}
	default:
		u = n.array(n.NewElem(term.R, term.I, term.B), n.choose(n.rank+1))
	}
	n.types[t.Name] = u
	return u
}
