package typing

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/match"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// maxRank bounds the ranks and the lengths of lists of instances that are tried in
// order.
const maxRank = 2

// instances enumerates the instances of a rule: every length of a list
// from 0 to rank, every permutation, every operator of a class. It
// calls f for each, some more than once, until f returns false, or after so many
// tries: the number of combinations grows exponentially with the number of
// metavariables. It is false if it did not try them all.
func (g *general) instances(rank, tries int, f func(*Instance) bool) (all bool) {
	c := &chooser{rank: rank}
	for more := true; more; more = c.next() {
		if tries--; tries < 0 {
			return false
		}
		c.turn = 0
		if in := g.instance(c); in != nil && !f(in) {
			return false
		}
	}
	return true
}

// drawing makes an instance of a case of a rule: it chooses lengths of lists, and
// what else is open.
type drawing struct {
	*chooser
	*unifier
	fixed   shapes // of the sizes of the instance
	lengths map[string]size.Size
	lists   map[string][]size.Size
	moved   map[string][]int
	elems   map[types.Elem]types.Elem
	chosen  map[string]*types.Type
	deep    int // types around the one that is chosen
	within  int // types inside the outermost of these, so far
}

// solved is for which index variable, and by which literal, a rule takes a metavariable
// apart; "" if it does not.
type solved struct{ index, by string }

// mostTypes is how many types a type has inside it at most.
const mostTypes = 1000

// instance is what the choices lead to, nil if that is nothing.
func (g *general) instance(c *chooser) (in *Instance) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case giveUp, *overflow.Error, untyped, undecided:
			in = nil
		default:
			panic(e)
		}
	}()
	d := &drawing{
		chooser: c, unifier: g.cases[c.choose(len(g.cases))], fixed: newShapes(), lengths: make(map[string]size.Size),
		lists: make(map[string][]size.Size), moved: make(map[string][]int), elems: make(map[types.Elem]types.Elem), chosen: make(map[string]*types.Type),
	}
	d.value = func(s size.Size) size.Size { return number(int(d.length(s))) }
	defer func() { d.value = d.size }()
	return d.instance()
}

func (d *drawing) reject() { panic(giveUp{}) }

func (d *drawing) instance() *Instance {
	n, r := d.unifier, d.rule
	in := &Instance{
		Rule: r, sig: n.sig, binders: make(map[string][]size.Size), states: make(map[string]*types.Type),
		Left: match.Left{Ops: make(map[*rules.Pattern]ops.Op), Types: make(map[*rules.Pattern]*types.Type), Lets: make(map[string]*types.Type)},
	}
	called := make(map[string]ops.Op)
	for _, name := range r.Vars.Order {
		b := match.Variable{Name: name}
		switch sort := r.Vars.Sort[name]; sort {
		case rules.SortTerm, rules.SortTerms:
			ts := []*types.Type{n.metas[name]}
			if sort == rules.SortTerms {
				ts = d.items([]*types.Type{types.EachOf(lengthOf(name), n.metas[name])})
			}
			solved := memo.Of(n.solved, name, func() solved { return solved{r.SolvedFor(name), apartBy(r, name)} })
			for _, t := range ts {
				x := InstanceTerm{Name: name, List: sort == rules.SortTerms, Type: d.typ(t, false), Scope: r.Vars.Scope[name], By: solved.by}
				if i := solved.index; slices.Contains(x.Scope, i) {
					x.Index, x.Falls = i, d.choose(2) == 1
					x.Scope = slices.DeleteFunc(slices.Clone(x.Scope), func(s string) bool { return s == i })
				}
				in.Terms = append(in.Terms, x)
			}
			continue
		case rules.SortIndex, rules.SortIndices:
			in.binders[name] = d.shape(n.binders[name])
			continue
		case rules.SortState:
			in.states[name] = d.typ(n.locals[name], false)
			continue
		case rules.SortSize:
			b.Sizes = d.shape([]size.Size{size.Var(name)})
		case rules.SortSizes:
			b.Sizes = d.shape(list(name))
		case rules.SortPerm:
			b.Perm = d.perm(n.moves([]move{{name: name}}))
		case rules.SortInt:
			b.N = int(d.length(size.Var(name)))
		case rules.SortLit:
			if b.Lit = ops.ScalarZero(d.elem(n.lits[name].elem, false)); b.Lit.Elem != types.B {
				b.Lit = someLiteral(b.Lit.Elem)
			}
		case rules.SortType:
			b.Type = d.typ(variable(name), true)
		case rules.SortOp:
			op := ops.Op{Sym: n.op[name][d.choose(len(n.op[name]))]}
			called[name], b.Op = op, &op
		}
		in.attrs = append(in.attrs, b)
	}
	for name, t := range n.lets {
		if slices.Contains(r.Vars.Lets, name) {
			in.Lets[name] = d.typ(t, false)
		}
	}
	for _, p := range n.literals {
		in.Types[p] = d.typ(n.littypes[p], false)
		in.literals = append(in.literals, in.Types[p])
	}
	for _, p := range n.applied {
		in.Ops[p] = d.op(p, n.ops[p], called)
	}
	for _, e := range d.atAll(n.equal) {
		in.Products = append(in.Products, [2][]size.Size{d.shape(e[0]), d.shape(e[1])})
	}
	for _, l := range n.least {
		for _, e := range d.atAll([][2][]size.Size{{{l}}}) {
			if d.length(e[0][0]) < 0 {
				d.reject()
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(n.composed)) {
		if d.length(size.Var(name)) != int64(len(d.perm(n.moves(n.composed[name])))) {
			d.reject()
		}
	}
	for _, e := range n.alikePerms {
		if !slices.Equal(d.perm(n.moves(e[0])), d.perm(n.moves(e[1]))) {
			d.reject()
		}
	}
	for _, e := range d.atAll(n.open) {
		if x, y := d.shape(e[0]), d.shape(e[1]); len(x) != len(y) || !d.fixed.Shapes(x, y) || len(d.fixed.open) > 0 {
			d.reject()
		}
	}
	if len(d.fixed.sizes) > 0 {
		in = in.subst(d.fixed.sizes, func(size.Size) {})
	}
	return in.subst(in.names(), func(size.Size) {})
}

// op is an operator of the left side.
func (d *drawing) op(p *rules.Pattern, a *applied, ops map[string]ops.Op) ops.Op {
	op := a.Op
	if p.Name != "" {
		op.Sym = ops[p.Name].Sym
	}
	op.Sizes, op.Targets = d.shape(op.Sizes), d.shape(op.Targets)
	if p.Attrs.Perm != nil {
		op.Perm = d.perm(d.moves(a.moves))
	}
	if p.Attrs.N != nil {
		op.N = int(d.length(a.nth))
	}
	if op.Type != nil {
		op.Type = d.typ(d.at(op.Type, "0"), true)
	}
	if op.Type2 != nil {
		op.Type2 = d.typ(d.at(op.Type2, "0"), true)
	}
	return op
}

func someLiteral(e types.Elem) ops.Scalar {
	if e == types.R {
		return ops.ScalarR(numeric.Int(2))
	}
	return ops.ScalarI(2)
}

// length is the value of a length; those that are open are chosen.
func (d *drawing) length(s size.Size) int64 {
	s = d.size(s)
	for _, v := range s.Vars() {
		if _, ok := d.lengths[v]; !ok {
			d.lengths[v] = number(d.choose(d.rank + 1))
		}
	}
	c, ok := s.Subst(d.lengths).Const()
	if !ok {
		d.reject()
	}
	return c
}

// shape is a list of sizes of which the length is known.
func (d *drawing) shape(ss []size.Size) []size.Size {
	var out []size.Size
	for _, s := range d.known(ss) {
		name, is := listName(s)
		p := d.parts[name]
		switch {
		case !is:
			out = append(out, d.one(s))
		case p == nil:
			out = append(out, d.list(name)...)
		case p.moves != nil:
			of := d.shape(p.of)
			perm := d.perm(p.moves)
			if len(perm) > len(of) {
				d.reject()
			}
			for i := range of {
				if i < len(perm) {
					out = append(out, of[perm[i]])
				} else {
					out = append(out, of[i])
				}
			}
		default:
			of := d.shape(p.of)
			k := d.length(p.n)
			if k < 0 || k > int64(len(of)) {
				d.reject()
			}
			if p.drop {
				out = append(out, of[k:]...)
			} else {
				out = append(out, of[:k]...)
			}
		}
	}
	return out
}

// known is what is known of a list of sizes, which is not found out again for each
// instance.
func (d *drawing) known(ss []size.Size) []size.Size {
	if len(d.places) > 0 { // which are chosen for each
		return d.norm(ss)
	}
	key := ""
	for _, s := range ss {
		key += s.Key() + ","
	}
	out, ok := d.normal[key]
	if !ok || slices.ContainsFunc(out, func(s size.Size) bool { name, _ := listName(s); return d.unifier.lists[name] != nil }) {
		out = d.norm(ss)
		d.normal[key] = out
	}
	return out
}

// one is a size: in it a list stands for a product, and a length for its value.
func (d *drawing) one(s size.Size) size.Size {
	env := make(map[string]size.Size)
	for _, v := range s.Vars() {
		switch {
		case strings.HasSuffix(v, many):
			env[v] = size.Product(d.shape([]size.Size{size.Var(v)}))
		case strings.HasPrefix(v, "len ") || d.rule.Vars.Sort[v] == rules.SortInt:
			env[v] = size.Const(d.length(size.Var(v)))
		}
	}
	return s.Subst(env)
}

// list gives the sizes of a list names.
func (d *drawing) list(name string) []size.Size {
	return memo.Of(d.lists, name, func() []size.Size {
		k := d.length(lengthOf(name))
		if k < 0 || k > ops.MaxRank {
			d.reject()
		}
		return slice.Make(k, func(i int) size.Size { return size.Var(fmt.Sprintf("%s%d", strings.TrimSuffix(name, many), i+1)) })
	})
}

// perm is a permutation as operators store it: without axes that stay in place at
// the end.
func (d *drawing) perm(ms []move) []int {
	p := []int{}
	for i := len(ms) - 1; i >= 0; i-- {
		p = ops.ComposePerm(d.move(ms[i]), p)
	}
	return p
}

func (d *drawing) move(m move) []int {
	p := m.perm
	switch {
	case m.past != nil:
		for i := range d.length(*m.past) {
			p = append(p, int(i)+1)
		}
		p = append(p, 0)
	case m.lift != nil:
		p = []int{0}
		p = append(p, slice.Map(d.perm(m.lift), func(i int) int { return i + 1 })...)
	case m.name != "":
		if p = d.moved[m.name]; p == nil {
			p = d.choosePerm(int(d.length(lengthOf(m.name))))
			d.moved[m.name] = p
		}
	}
	if m.own && !slices.Equal(p, ops.InvertPerm(p)) {
		d.reject()
	}
	if m.inverse {
		p = ops.InvertPerm(p)
	}
	return p
}

// choosePerm chooses a permutation that moves the last of so many.
func (d *drawing) choosePerm(size int) []int {
	left := slice.Make(size, func(i int) int { return i })
	p := []int{}
	for range size {
		i := d.choose(len(left))
		p = append(p, left[i])
		left = slices.Delete(left, i, i+1)
	}
	if len(ops.CanonPerm(p)) != size {
		d.reject()
	}
	return p
}

func (d *drawing) elem(e types.Elem, linear bool) types.Elem {
	e = d.FindElem(e)
	if _, ok := d.elems[e]; !ok {
		among := d.Among(e)
		if linear {
			among = []types.Elem{types.R}
		}
		same := d.sameElems(e)
		for _, x := range same {
			among = slices.DeleteFunc(slices.Clone(among), func(a types.Elem) bool { return !slices.Contains(d.Among(x), a) })
		}
		k := d.choose(len(among))
		for _, x := range append(same, e) {
			d.elems[x] = among[k]
		}
	}
	return d.elems[e]
}

// atAll are equations at all places of lists.
func (d *drawing) atAll(es [][2][]size.Size) [][2][]size.Size {
	var out [][2][]size.Size
	for _, e := range es {
		if !slices.ContainsFunc(slices.Concat(e[0], e[1]), varies) {
			out = append(out, e)
			continue
		}
		most := 0
		for _, name := range d.rule.Vars.Order {
			if d.rule.Vars.Sort[name] == rules.SortTerms {
				most = max(most, int(d.length(lengthOf(name))))
			}
		}
		for i := range most {
			out = append(out, d.equation(e, d.atBy(fmt.Sprint(i))))
		}
	}
	return out
}

// items are the types of a list.
func (d *drawing) items(ts []*types.Type) []*types.Type {
	var out []*types.Type
	for _, t := range d.spread(ts) {
		if !isEach(t) {
			out = append(out, t)
			continue
		}
		for i := range max(0, min(ops.MaxRank, d.length(t.Shape[0]))) {
			out = append(out, d.at(t.Parts[0], fmt.Sprint(i)))
		}
	}
	return out
}

// typ follows variables inside a type; open ones are chosen, among real ones where
// linear maps act.
func (d *drawing) typ(t *types.Type, linear bool) *types.Type {
	if d.deep == 0 {
		d.within = 0
	}
	if d.within++; d.within > mostTypes { // a tuple that holds itself
		d.reject()
	}
	d.deep++
	defer func() { d.deep-- }()
	t = d.Resolve(t)
	switch t.Kind {
	case types.KVar:
		if _, ok := d.chosen[t.Name]; !ok {
			d.chosen[t.Name] = d.chooseType(t.Name, linear || d.isVector(t.Name))
		}
		return d.chosen[t.Name]
	case types.KArray:
		return types.ArrayOf(d.elem(t.Elem, linear), d.shape(t.Shape)...)
	}
	out := *t
	out.Parts = nil
	for _, p := range d.items(t.Parts) {
		out.Parts = append(out.Parts, d.typ(p, linear || t.Kind == types.KLin))
	}
	return &out
}

// chooseType chooses a type where nothing says what it is: an array, or a tuple.
// Rank 2 is enough where nothing looks at the shape.
func (d *drawing) chooseType(name string, linear bool) *types.Type {
	e := types.R
	k := d.choose(4)
	if k < 3 && !linear {
		e = []types.Elem{types.R, types.I, types.B}[d.choose(3)]
	}
	shape := []size.Size{size.Var(name + "1"), size.Var(name + "2")}
	if k == 3 {
		return types.TupleOf(types.ArrayOf(types.R), types.ArrayOf(types.R, shape[0]))
	}
	return types.ArrayOf(e, shape[:k]...)
}
