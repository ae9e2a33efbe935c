package saturate

import (
	"encoding/binary"
	"fmt"
	"maps"
	"slices"

	"egad/egraph"
	"egad/rules"
	"egad/rules/syntax"
	"egad/slot"
	"egad/term"
)

// A rule with lists stands for one engine rule for each combination of lengths.
// The combinations that matter are those of the heads that the graph has, so
// instances are made when heads appear. What they are made of, shapes, is kept with
// the rule.

// compiled is an instance of a rule as a rule of the engine.
type compiled struct {
	*egraph.Rule
	// Complete turns a match of the engine into one of the rule; it is false if
	// an attribute or a condition does not fit.
	Complete func(m *egraph.Match) (*rules.Match, bool, error)
}

// ruleCache holds the instances of rules.
type ruleCache struct {
	lang      *lang
	instances map[instanceKey]*compiled
	expanded  map[expansionKey]*expanded
}

type instanceKey struct {
	rule   *rules.Rule
	opaque bool
	parts  string // the heads, and the lengths of lists
}

// expansionKey is a rule of an opaque set or of another, with all of its instances
// or those with one root.
type expansionKey struct {
	rule   *rules.Rule
	opaque bool
	root   int // a head, or anyRoot
}

const anyRoot = -1

// expanded lists instances as of when the operators of the left side had so many
// heads.
type expanded struct {
	heads int
	list  []*compiled
}

func newRuleCache(l *lang) *ruleCache {
	return &ruleCache{lang: l, instances: make(map[instanceKey]*compiled), expanded: make(map[expansionKey]*expanded)}
}

// instances lists the instances of a rule, all of them or those whose root is head h.
func (g *Graph) instances(r *rules.Rule, opaque bool, root int, to []*egraph.Rule) ([]*egraph.Rule, error) {
	if g.language != nil {
		return append(to, g.sorted(r)), nil
	}
	list, err := g.cache.expand(g, r, opaque, root)
	for _, x := range list {
		to = append(to, x.Rule)
	}
	return to, err
}

// applicable reports whether a rule is for rewriting.
func applicable(r *rules.Rule) bool { return !r.BySharing && !r.Nabla }

// expand makes the instances of a rule, all of them or those with one root.
func (c *ruleCache) expand(g *Graph, r *rules.Rule, opaque bool, root int) ([]*compiled, error) {
	n := c.headsOf(r)
	if n == 0 {
		return nil, nil
	}
	key := expansionKey{r, opaque, root}
	x := c.expanded[key]
	if x == nil {
		x = &expanded{}
		c.expanded[key] = x
	}
	if n != x.heads {
		shapes, err := c.shapes(r, opaque, root)
		if err != nil {
			return nil, err
		}
		x.heads, x.list = c.headsOf(r), x.list[:0:0]
		for _, sh := range shapes {
			x.list = append(x.list, c.instance(g, sh, opaque))
		}
	}
	return x.list, nil
}

// headsOf is how many heads the operators of the left side of a rule have, 0 if one
// that it needs has none. That of literals is made when it is needed.
func (c *ruleCache) headsOf(r *rules.Rule) int {
	n := 1 // there are rules for operators of a class only
	needed, others := r.Operators()
	for _, s := range needed {
		k := len(c.lang.bySym[s])
		if k == 0 && s != term.SymConst {
			return 0
		}
		n += k
	}
	for _, s := range others {
		n += len(c.lang.bySym[s])
	}
	return n
}

// A shape is an instance of a rule for any graph. The heads of its program are those
// of the graph for which it was compiled.
type shape struct {
	*instance
	prog  *egraph.Program
	sites []headKey // of symbol SymNone for operator variables
	heads map[egraph.HeadID]headKey
}

// shapes lists the shapes of the instances of a rule. It depends on the heads of the
// operators of the rule, and on nothing else of a graph.
func (c *ruleCache) shapes(r *rules.Rule, opaque bool, root int) ([]*shape, error) {
	needed, others := r.Operators()
	key := []byte{'a'}
	if opaque {
		key[0] = 'o'
	}
	add := func(k headKey) {
		key = binary.AppendUvarint(binary.AppendUvarint(binary.AppendUvarint(key, uint64(k.sym)), uint64(k.kids)), uint64(k.binders))
	}
	if root != anyRoot {
		key = append(key, 'r')
		add(c.lang.keys[root])
		// Operators that are declared differ from signature to signature.
		key = binary.AppendUvarint(key, c.lang.eng.HeadInfo(egraph.HeadID(root)).Class)
	}
	for _, syms := range [][]term.Sym{needed, others} {
		for _, s := range syms {
			if s == term.SymConst {
				if _, err := c.lang.head(s, 0, 0); err != nil {
					return nil, err
				}
			}
			for _, h := range c.lang.bySym[s] {
				add(c.lang.keys[h])
			}
		}
	}
	if list, ok := r.Memo.Get(key).([]*shape); ok {
		return list, nil
	}
	e := &expansion{c: c, rule: r, opaque: opaque, lens: make(map[string]int)}
	e.pattern(r.Lhs, root, func(p *egraph.Pattern) { e.emit(p) })
	if e.err == nil {
		r.Memo.Put(key, e.out)
	}
	return e.out, e.err
}

// instance is the instance of a shape in a graph, the same each time.
func (c *ruleCache) instance(g *Graph, sh *shape, opaque bool) *compiled {
	var parts []byte
	for _, k := range sh.sites {
		parts = binary.AppendUvarint(parts, uint64(c.lang.heads[k]))
	}
	for _, l := range slices.Sorted(maps.Keys(sh.lens)) { // the operands of an operator variable
		parts = binary.AppendUvarint(parts, uint64(sh.lens[l]))
	}
	key := instanceKey{sh.rule, opaque, string(parts)}
	x := c.instances[key]
	if x == nil {
		x = sh.compiled(g)
		c.instances[key] = x
	}
	return x
}

// expansion enumerates the structures of one left side in continuation-passing
// style: every list gets a length.
type expansion struct {
	c      *ruleCache
	rule   *rules.Rule
	opaque bool
	lens   map[string]int // of list variables and binder lists
	sites  []headKey
	out    []*shape
	err    error
}

// pattern expands p; root restricts its head.
func (e *expansion) pattern(p *rules.Pattern, root int, k func(*egraph.Pattern)) {
	switch p.Kind {
	case rules.PMeta, rules.PElem, rules.PIvar:
		k(&egraph.Pattern{}) // filled in by emit, when variables have numbers
		return
	case rules.PNumber, rules.PTruth, rules.PZero, rules.PLit, rules.PSizeVal:
		h, err := e.c.lang.head(term.SymConst, 0, 0)
		if err != nil {
			e.err = err
			return
		}
		e.at(e.c.lang.keys[h], func(site int) {
			k(&egraph.Pattern{Kind: egraph.PApp, Head: h, Position: site})
		})
		if p.Kind == rules.PSizeVal && p.X != nil { // a literal, or arithmetic
			e.pattern(p.X, root, k)
		}
		return
	case rules.PApp:
		if p.Name != "" {
			e.operatorVariable(p, root, k)
			return
		}
		for _, h := range e.c.lang.bySym[p.Sym] {
			if root == anyRoot || root == int(h) {
				e.application(p, h, k)
			}
		}
		return
	}
	e.err = fmt.Errorf("rule %s: this form cannot stand on a left side", e.rule.Name)
}

// at notes the head at the next site for the time of k.
func (e *expansion) at(key headKey, k func(site int)) {
	e.sites = append(e.sites, key)
	k(len(e.sites) - 1)
	e.sites = e.sites[:len(e.sites)-1]
}

func (e *expansion) operatorVariable(p *rules.Pattern, root int, k func(*egraph.Pattern)) {
	var class uint64
	for _, c := range e.rule.OperatorClasses(p.Name) {
		class |= bitOf(c.Name)
	}
	least, most := 1, maxOperands
	if root != anyRoot {
		h := e.c.lang.eng.HeadInfo(egraph.HeadID(root))
		if h.Class&class != class {
			return
		}
		least, most = h.Arity, h.Arity
	}
	e.at(headKey{}, func(site int) {
		for arity := least; arity <= most; arity++ {
			e.children(p, arity, func(kids []*egraph.Pattern) {
				k(&egraph.Pattern{Kind: egraph.PApp, Class: class, Arity: arity, Kids: kids, Position: site, Opaque: e.opaque && site > 0})
			})
		}
	})
}

// maxOperands is how many operands an operator of a class has at most.
const maxOperands = 3

func (e *expansion) application(p *rules.Pattern, h egraph.HeadID, k func(*egraph.Pattern)) {
	key := e.c.lang.keys[h]
	e.at(key, func(site int) {
		e.binders(p, key.binders, func() {
			e.children(p, key.kids, func(kids []*egraph.Pattern) {
				k(&egraph.Pattern{Kind: egraph.PApp, Head: h, Kids: kids, Position: site, Opaque: e.opaque && site > 0})
			})
		})
	})
}

// binders fixes the length of a binder list.
func (e *expansion) binders(p *rules.Pattern, n int, k func()) {
	b := p.Binders
	switch {
	case b == nil:
		if n == 0 {
			k()
		}
	case b.Rest == "":
		if n == len(b.Heads) {
			k()
		}
	case n >= len(b.Heads):
		e.with(b.Rest, n-len(b.Heads), k)
	}
}

// with fixes the length of a list for the time of k.
func (e *expansion) with(list string, n int, k func()) {
	if old, ok := e.lens[list]; ok {
		if old == n {
			k()
		}
		return
	}
	e.lens[list] = n
	k()
	delete(e.lens, list)
}

// children expands the children of a node of n children.
func (e *expansion) children(p *rules.Pattern, n int, k func([]*egraph.Pattern)) {
	items := rules.Flatten(p.Kids)
	known := 0
	var open []string
	for _, it := range items {
		if it.Kind == rules.EOne {
			known++
		} else if m, ok := e.lens[listOf(it)]; ok {
			known += m
		} else {
			open = append(open, listOf(it))
		}
	}
	switch {
	case known > n || len(open) == 0 && known != n:
		return
	case len(open) == 0:
		e.items(items, nil, k)
	case len(open) == 1:
		e.with(open[0], n-known, func() { e.items(items, nil, k) })
	default: // operands of an operator variable, which are few
		for m := range n - known + 1 {
			e.with(open[0], m, func() { e.children(p, n, k) })
		}
	}
}

func (e *expansion) items(items []rules.Elem, done []*egraph.Pattern, k func([]*egraph.Pattern)) {
	if len(items) == 0 {
		k(append([]*egraph.Pattern(nil), done...))
		return
	}
	it := items[0]
	if it.Kind == rules.EOne {
		e.pattern(it.Pat, anyRoot, func(q *egraph.Pattern) { e.items(items[1:], append(done, q), k) })
		return
	}
	n := e.lens[listOf(it)]
	if it.Kind == rules.EMap {
		e.mapped(it, n, func(qs []*egraph.Pattern) { e.items(items[1:], append(done, qs...), k) })
		return
	}
	for range n {
		done = append(done, &egraph.Pattern{})
	}
	e.items(items[1:], done, k)
}

// listOf is a list that has the length of an item.
func listOf(it rules.Elem) string {
	if it.Kind == rules.EMap {
		return it.Over[0]
	}
	return it.List.Name
}

// mapped expands the pattern of a spread once for each of n places.
func (e *expansion) mapped(it rules.Elem, n int, k func([]*egraph.Pattern)) {
	if n == 0 {
		return
	}
	var lists func(over []string)
	lists = func(over []string) {
		if len(over) > 0 {
			e.with(over[0], n, func() { lists(over[1:]) })
			return
		}
		copies := make([]rules.Elem, n)
		for i := range copies {
			copies[i] = rules.Elem{Kind: rules.EOne, Pat: it.Pat}
		}
		e.items(copies, nil, k)
	}
	lists(it.Over)
}

// emit numbers the variables of a structure and compiles it.
func (e *expansion) emit(p *egraph.Pattern) {
	in := &instance{rule: e.rule, lens: maps.Clone(e.lens), binder: make(map[string]int), sites: make([]*rules.Pattern, 0, len(e.sites)), binders: make([][]int, 0, len(e.sites))}
	in.number(e.rule.Lhs, p)
	prog, err := egraph.Compile(e.c.lang.eng, p, in.vars, in.bound)
	if err != nil {
		e.err = fmt.Errorf("rule %s: %w", e.rule.Name, err)
		return
	}
	sh := &shape{instance: in, prog: prog, sites: slices.Clone(e.sites), heads: make(map[egraph.HeadID]headKey)}
	for _, k := range e.sites {
		if k.sym != term.SymNone {
			sh.heads[e.c.lang.heads[k]] = k
		}
	}
	e.out = append(e.out, sh)
}

// compiled is the instance in a graph.
func (sh *shape) compiled(g *Graph) *compiled {
	in, l := sh.instance, g.lang
	x := &compiled{Complete: func(m *egraph.Match) (*rules.Match, bool, error) { return in.complete(g, m) }}
	x.Rule = &egraph.Rule{
		Name: in.rule.Name, Lhs: sh.prog.Move(func(h egraph.HeadID) egraph.HeadID { return l.heads[sh.heads[h]] }), Stable: in.rule.Local(),
		Atom: func(c egraph.ClassID) bool { return g.atom(c) },
	}
	plain, right := in.plain(), (*template)(nil)
	side := func() { // of the first match: operators of right sides that nobody needs are not made
		if right = in.template(g); right != nil {
			x.Rhs = right.Template
		} else {
			x.Apply = in.apply(g)
		}
	}
	x.Guard = func(m *egraph.Match) bool {
		if plain && x.Apply == nil {
			if right == nil {
				side()
			}
			if right != nil && right.fits(m) {
				return true
			}
		}
		full, ok, err := in.complete(g, m)
		if (ok || err != nil) && right == nil && x.Apply == nil {
			side()
		}
		if right == nil {
			m.Note = g.found.keep(full)
			return ok || err != nil // a mistake shows when the rule is applied
		}
		if ok && !right.fits(m) {
			_, _, err = full.Build(g) // says what does not fit
		}
		if g.mistake == nil {
			g.mistake = err
		}
		return ok && err == nil
	}
	return x
}

// apply computes the right side of a match.
func (in *instance) apply(g *Graph) func(*egraph.Graph, *egraph.Match) (egraph.Ref, bool, error) {
	return func(_ *egraph.Graph, m *egraph.Match) (egraph.Ref, bool, error) {
		full, err := g.found.take(m.Note), error(nil)
		if full == nil {
			var ok bool
			if full, ok, err = in.complete(g, m); err != nil || !ok {
				return egraph.Ref{}, false, err
			}
		}
		r, ok, err := full.Build(g)
		root := full.Root
		if ok && err == nil && in.rule.Kind == syntax.Fact {
			root = r
			r, ok, err = full.True(g, root)
		}
		if !ok || err != nil {
			return r, false, err
		}
		switch in.rule.Kind {
		case syntax.Demand:
			return full.Root, true, nil
		case syntax.Fact:
			m.Side = &root
		}
		err = g.noteAssumptions(full, r)
		if g.record != nil && err == nil {
			err = g.record.applied(full, in.operators(g, m), root, r)
		}
		return r, ok, err
	}
}

// completed are the matches that guards have accepted and that are not applied
// yet, as many as there is room for: the others are completed again.
type completed struct {
	list  []*rules.Match
	taken bool // matches are being applied
}

const maxCompleted = 1 << 12

// keep gives the number of a match, 0 if it is not kept.
func (c *completed) keep(m *rules.Match) uint32 {
	if c.taken {
		c.list, c.taken = c.list[:0], false
	}
	if m == nil || len(c.list) == maxCompleted {
		return 0
	}
	c.list = append(c.list, m)
	return uint32(len(c.list))
}

// take is the match of a number, nil if it was not kept.
func (c *completed) take(n uint32) *rules.Match {
	c.taken = true
	if n == 0 {
		return nil
	}
	return c.list[n-1]
}

// instance is a rule with lengths for its lists.
type instance struct {
	rule        *rules.Rule
	lens        map[string]int
	order       []occurrence   // in order of first
	binder      map[string]int // the first engine variable of the binder of this name that is in scope
	vars, bound int
	place       int   // in a spread
	same        []int // by engine variable of a binder: that of the first one of its name
	sites       []*rules.Pattern
	binders     [][]int // by site
}

// occurrence is a metavariable, for each way to name the variables in its scope:
// where several binders have one name, it occurs below several.
type occurrence struct {
	name, scope string
	first       int  // engine variable
	n           int  // of a list
	list        bool // it is a list
}

// number walks the pattern and its structure together and gives variables their
// numbers.
func (in *instance) number(p *rules.Pattern, q *egraph.Pattern) {
	switch p.Kind {
	case rules.PMeta:
		q.Kind, q.Var = egraph.PVar, in.variable(p.Name, 1)
		return
	case rules.PElem:
		q.Kind, q.Var = egraph.PVar, in.variable(p.Name, in.lens[p.Name])+in.place
		return
	case rules.PIvar:
		q.Kind, q.Var = egraph.PSlot, in.binder[p.Name]
		return
	case rules.PSizeVal:
		if len(q.Kids) > 0 {
			p = p.X
		}
	}
	in.sites = append(in.sites, p)
	in.binders = append(in.binders, nil)
	site := len(in.sites) - 1
	inside := func() {}
	if b := p.Binders; b != nil {
		own := make(map[string]int)
		q.Binders = nil // an earlier sibling of what has several structures is numbered again
		for _, h := range b.Heads {
			own[h] = in.bind(h, 1)
			q.Binders = append(q.Binders, own[h])
		}
		if b.Rest != "" {
			own[b.Rest] = in.bind(b.Rest, in.lens[b.Rest])
			for i := range in.lens[b.Rest] {
				q.Binders = append(q.Binders, own[b.Rest]+i)
			}
		}
		in.binders[site] = q.Binders
		// A child may have binders of the same names.
		inside = func() { maps.Copy(in.binder, own) }
	}
	at := 0
	for _, it := range rules.Flatten(p.Kids) {
		inside()
		if it.Kind == rules.EOne {
			in.number(it.Pat, q.Kids[at])
			at++
			continue
		}
		n := in.lens[listOf(it)]
		if it.Kind == rules.EMap {
			for i := range n {
				in.place = i
				inside()
				in.number(it.Pat, q.Kids[at+i])
			}
			at += n
			continue
		}
		if it.List.Kind == rules.LBound {
			for i := range n {
				q.Kids[at+i].Kind, q.Kids[at+i].Var = egraph.PSlot, in.binder[it.List.Name]+i
			}
		} else {
			v := in.variable(it.List.Name, n)
			for i := range n {
				q.Kids[at+i].Var = v + i
			}
		}
		at += n
	}
}

// variable is the first engine variable of a metavariable, or of a list of n.
func (in *instance) variable(name string, n int) int {
	var scope []byte
	for _, b := range in.rule.Scope(name) {
		scope = binary.AppendUvarint(scope, uint64(in.binder[b]))
	}
	for i := range in.order {
		if o := &in.order[i]; o.name == name && o.scope == string(scope) {
			return o.first
		}
	}
	_, list := in.lens[name]
	in.order = append(in.order, occurrence{name, string(scope), in.vars, n, list})
	in.vars += n
	return in.vars - n
}

func (in *instance) bind(name string, n int) int {
	first := in.bound
	if before, again := in.binder[name]; again && n > 0 {
		first = in.same[before]
	}
	for i := range n {
		in.same = append(in.same, first+i)
	}
	in.binder[name] = in.bound
	in.bound += n
	return in.binder[name]
}

// operators lists the operators of a match, in the order of the left side.
func (in *instance) operators(g *Graph, m *egraph.Match) []term.Op {
	var out []term.Op
	for i := range in.sites {
		out = append(out, g.TermOp(m.Op(i)))
	}
	return out
}

// complete turns a match of the engine into a match of the rule.
func (in *instance) complete(g *Graph, m *egraph.Match) (*rules.Match, bool, error) {
	c := &g.completer
	c.Begin(g, in.rule)
	for i, p := range in.sites {
		var binders []slot.Name
		if in.binders[i] != nil {
			binders = make([]slot.Name, len(in.binders[i]))
			for k, b := range in.binders[i] {
				binders[k] = m.Bound(in.same[b])
			}
		}
		if !c.Operator(p, &g.lang.terms[m.Op(i)], binders) {
			return nil, false, nil
		}
	}
	var again, first []slot.Name // names of binders, and those of the first of their name
	for i, k := range in.same {
		if i != k {
			again, first = append(again, m.Bound(i)), append(first, m.Bound(k))
		}
	}
	for _, o := range in.order {
		ok := false
		if !o.list {
			ok = c.Term(o.name, m.Var(o.first).RenameFrom(again, first))
		} else {
			refs := make([]slot.Ref, o.n)
			for i := range refs {
				refs[i] = m.Var(o.first+i).RenameFrom(again, first)
			}
			ok = c.Terms(o.name, refs)
		}
		if !ok {
			return nil, false, nil
		}
	}
	return c.End(m.Root())
}
