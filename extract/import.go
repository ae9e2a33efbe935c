package extract

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"egad/diag"
	"egad/egraph"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/saturate"
	"egad/slot"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// Into adds what was read to an e-graph, of arrays or of a language, and gives its root
// classes. With same, which may be nil, classes are united by it: it is told of two e-nodes
// of a class. The error lists all findings, as a [diag.List]; a contradiction is one.
func (in *Graph) Into(g *saturate.Graph, same func(a, b egraph.Ref)) ([]egraph.Ref, error) {
	if same == nil {
		same = func(a, b egraph.Ref) { g.Union(a, b) }
	}
	im := &importer{
		g: g, in: in, same: same, classes: make(map[string]*Class), class: make(map[string]string),
		refs: make(map[string]egraph.Ref), names: make(map[string][]slot.Name), vars: make(map[slot.Name]ops.VarType),
	}
	for i := range in.Classes {
		im.classes[in.Classes[i].ID] = &in.Classes[i]
	}
	for i := range in.Nodes {
		im.class[in.Nodes[i].ID] = in.Nodes[i].Class
	}
	if err := overflow.Guard(func() error { im.nodes(); return nil }); err != nil {
		return nil, err
	}
	if err := im.errs.Err(); err != nil {
		return nil, err
	}
	im.symmetries()
	g.Rebuild()
	if err := g.Err(); err != nil { // it follows from several nodes
		im.errs.Add(in.src, 0, "contradiction: %v", errors.Unwrap(err))
		return nil, im.errs.Err()
	}
	roots := slice.Map(in.Roots, func(c string) egraph.Ref { return g.FindRef(im.refs[c]) })
	return roots, nil
}

type importer struct {
	g       *saturate.Graph
	in      *Graph
	same    func(a, b egraph.Ref)
	classes map[string]*Class
	class   map[string]string // of a node
	// refs has the classes that are there, with names for their slots and
	// perhaps for others on which they do not depend.
	refs  map[string]egraph.Ref
	names map[string][]slot.Name // for the slots of classes
	vars  map[slot.Name]ops.VarType
	facts map[string]bool // the classes that have a fact, nil if nobody has asked
	errs  diag.List
}

func (im *importer) fail(n *Node, format string, args ...any) {
	im.errs.Add(im.in.src, n.pos, "node %s: %s", n.ID, fmt.Sprintf(format, args...))
}

// nodes adds nodes when their children are there: a class in a cycle has a node
// outside it.
func (im *importer) nodes() {
	missing := make([]int, len(im.in.Nodes))
	users := make(map[string][]int) // of a class
	var ready []int
	for i := range im.in.Nodes {
		n := &im.in.Nodes[i]
		for _, k := range n.Children {
			missing[i]++
			users[im.class[k]] = append(users[im.class[k]], i)
		}
		if missing[i] == 0 {
			ready = append(ready, i)
		}
	}
	for ; len(ready) > 0; ready = ready[1:] {
		n := &im.in.Nodes[ready[0]]
		if im.add(n); im.errs.Full() || im.g.Err() != nil {
			return
		}
		if _, there := im.refs[n.Class]; !there {
			continue
		}
		for _, u := range users[n.Class] {
			if missing[u]--; missing[u] == 0 {
				ready = append(ready, u)
			}
		}
		delete(users, n.Class)
	}
	for i := range im.in.Nodes {
		if n := &im.in.Nodes[i]; missing[i] > 0 && len(im.errs) == 0 {
			im.fail(n, "the class %s has no term without an end", n.Class)
			return
		}
	}
}

// operator is the operator of a node.
func (im *importer) operator(n *Node) (ops.Op, error) {
	if n.Operator != nil {
		return n.Operator.Read(im.g.Signature())
	}
	typ := ""
	if c := im.classes[n.Class]; c != nil {
		typ = c.Type
	}
	sort, known := im.g.Sort(typ)
	if n.Slots != nil && len(n.Slots.Own) > 0 {
		if !known {
			return ops.Op{}, fmt.Errorf("it is a variable of the type %q, which has none", typ)
		}
		return ops.Op{Sym: ops.SymLocal, Type: sort}, nil
	}
	if sort, ok := im.g.NumberSort(typ); ok && numeral.MatchString(n.Op) {
		v, err := numeric.Read(strings.Replace(n.Op, "/", "%", 1), rules.MaxFoldedBits)
		if err == nil && !im.g.HasNumber(sort, v) {
			err = fmt.Errorf("the values of the sort %s are integers of 64 bits, and %s is none", rules.SortName(sort), n.Op)
		}
		return ops.Op{Sym: ops.SymConst, Const: ops.ConstFill(ops.ScalarR(v)), Type: sort}, err
	}
	o, ok := im.g.Signature().Lookup(n.Op)
	if n.Op == "true" && im.truth(n, typ, o) {
		return ops.Op{Sym: ops.SymConst, Const: ops.ConstFill(ops.ScalarB(true)), Type: ops.Fact}, nil
	}
	switch {
	case !ok && n.Op == "variable":
		return ops.Op{}, errors.New(`a variable lacks its slot: it is said by the field slots, as {"own": ["s"]}`)
	case !ok:
		return ops.Op{}, fmt.Errorf("there is no operator %s", n.Op)
	case !o.Complete(ops.Op{Sym: o.Sym}):
		return ops.Op{}, fmt.Errorf("%s lacks its attributes: they are said by the field operator", n.Op)
	}
	return ops.Op{Sym: o.Sym}, nil
}

// truth reports whether a node that is called true is what facts are. A language may have a symbol of
// that name, o, and a sort that is called as the type of facts is: then there is a fact in the class.
func (im *importer) truth(n *Node, typ string, o *ops.Operator) bool {
	if o == nil || o.Sorted == nil {
		return typ == ops.Fact.String() || typ == "" && !im.g.Arrays()
	}
	if im.facts == nil {
		im.facts = make(map[string]bool)
		for i := range im.in.Nodes {
			x := &im.in.Nodes[i]
			if r, ok := im.g.Signature().Lookup(x.Op); ok && r.Sorted != nil && r.Sorted.Relation {
				im.facts[x.Class] = true
			}
		}
	}
	return im.facts[n.Class] || typ == ops.Fact.String() && rules.SortName(o.Sorted.Result) != typ
}

// numeral is how numbers begin.
var numeral = regexp.MustCompile(`^[+-]?[.]?[0-9]`)

func (im *importer) add(n *Node) {
	op, err := im.operator(n)
	if err != nil {
		im.fail(n, "%v", err)
		return
	}
	o, s := im.g.Signature().Operator(op.Sym), cmp.Or(n.Slots, &Slots{})
	variable, isVariable := op.Variable()
	if len(s.Bind) != o.Binders(op) || isVariable != (len(s.Own) == 1) || len(s.Own) > 1 {
		im.fail(n, "%s binds %s", n.Op, diag.Count(o.Binders(op), "variable"))
		return
	}
	before := len(im.errs)
	names := make(map[string]slot.Name)
	formals := im.formals(n.Class)
	if c := im.classes[n.Class]; c != nil {
		for i, x := range c.Slots {
			names[x] = formals[i]
		}
	}
	is := func(x slot.Name, v ops.VarType) {
		if was, met := im.vars[x]; met && !was.Equal(v) {
			im.fail(n, "a slot stands for two kinds of variables: one %s, and one %s", was, v)
		} else if !met {
			im.vars[x] = v
		}
	}
	for i, x := range s.Bind { // hides a slot of that name
		names[x] = im.g.Fresh()
		is(names[x], o.BinderType(op, i))
	}
	all := func(xs []string) []slot.Name {
		var out []slot.Name
		for _, x := range xs {
			if _, ok := names[x]; !ok {
				names[x] = im.g.Fresh()
			}
			out = append(out, names[x])
		}
		return out
	}
	kids := make([]egraph.Ref, len(n.Children))
	types := make([]*types.Type, len(n.Children))
	for i, k := range n.Children {
		var args []slot.Name
		if i < len(s.Args) {
			args = all(s.Args[i])
		}
		for j, f := range im.formals(im.class[k]) {
			if v, ok := im.vars[f]; ok {
				is(args[j], v)
			}
		}
		kids[i] = im.g.FindRef(im.refs[im.class[k]]).RenameFrom(im.formals(im.class[k]), args)
		types[i] = im.g.Type(kids[i])
	}
	if isVariable {
		is(all(s.Own)[0], variable)
	}
	if len(im.errs) > before {
		return
	}
	if _, err := ops.TypeOf(im.g.Signature().Operator(op.Sym), op, types); err != nil {
		im.fail(n, "%s", err.Msg)
		return
	}
	r, terr := im.g.Make(op, all(s.Own), all(s.Bind), kids)
	if terr != nil {
		im.fail(n, "%s", terr.Msg)
		return
	}
	if ref, ok := im.refs[n.Class]; !ok {
		im.refs[n.Class] = r
	} else if got, want := im.g.Type(r), im.g.Type(ref); !got.Equal(want) {
		im.fail(n, "it has the type %s, and its class %s", got, want)
		return
	} else {
		im.same(ref, r)
	}
	im.drop(n.Class)
	if err := im.g.Err(); err != nil {
		im.fail(n, "contradiction: %v", errors.Unwrap(err))
	}
}

// formals are the names for the slots of a class.
func (im *importer) formals(class string) []slot.Name {
	c := im.classes[class]
	if c == nil {
		return nil
	}
	if _, ok := im.names[class]; !ok {
		im.names[class] = im.g.FreshN(len(c.Slots))
	}
	return im.names[class]
}

// drop makes a class independent of what is no slot of it.
func (im *importer) drop(class string) {
	r := im.g.FindRef(im.refs[class])
	formals := im.formals(class)
	other := r.Rename(func(n slot.Name) slot.Name {
		if slices.Contains(formals, n) {
			return n
		}
		return im.g.Fresh()
	})
	if !other.Equal(r) {
		im.same(r, other)
	}
	im.refs[class] = im.g.FindRef(r)
}

// symmetries says of classes that their slots may change places.
func (im *importer) symmetries() {
	for _, c := range im.in.Classes {
		formals := im.formals(c.ID)
		for _, p := range c.Symmetries {
			to := slice.Map(p, func(k int) slot.Name { return formals[k] })
			r := im.g.FindRef(im.refs[c.ID])
			im.same(r, r.RenameFrom(formals, to))
		}
	}
}
