package egraph_test

import (
	"fmt"
	"log"
	"strings"
	"time"

	"egad/egraph"
	"egad/egraph/proof"
	"egad/slot"
)

// calculator is a language for the examples: an operator is a name with a number
// of children.
type calculator struct {
	sig   *egraph.Signature
	ops   map[string]egraph.Op
	names map[egraph.Op]string
}

func newCalculator() *calculator {
	return &calculator{egraph.NewSignature(), make(map[string]egraph.Op), make(map[egraph.Op]string)}
}

func (c *calculator) op(name string, arity int) egraph.Op {
	if o, ok := c.ops[name]; ok {
		return o
	}
	h, err := c.sig.AddHead(egraph.Head{Name: name, Arity: arity})
	if err != nil {
		log.Fatal(err)
	}
	o, err := c.sig.AddOp(h)
	if err != nil {
		log.Fatal(err)
	}
	c.ops[name], c.names[o] = o, name
	return o
}

func (c *calculator) term(name string, kids ...*egraph.Tree) *egraph.Tree {
	return &egraph.Tree{Op: c.op(name, len(kids)), Kids: kids}
}

// app is a pattern: it serves on both sides of a rule.
func (c *calculator) app(name string, kids ...*egraph.Pattern) *egraph.Pattern {
	o := c.op(name, len(kids))
	return &egraph.Pattern{Kind: egraph.PApp, Op: o, Head: c.sig.Head(o), Kids: kids}
}

func (c *calculator) rule(name string, metavariables int, left, right *egraph.Pattern) *egraph.Rule {
	lhs, err := egraph.Compile(c.sig, left, metavariables, 0)
	if err != nil {
		log.Fatal(err)
	}
	rhs, err := egraph.CompileTemplate(c.sig, right)
	if err != nil {
		log.Fatal(err)
	}
	return &egraph.Rule{Name: name, Lhs: lhs, Rhs: rhs}
}

func (c *calculator) text(t *egraph.Tree) string {
	parts := []string{c.names[t.Op]}
	for _, k := range t.Kids {
		parts = append(parts, c.text(k))
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return "(" + strings.Join(parts, " ") + ")"
}

// Twice a number, halved, is the number: the rules find it, and the graph proves it.
func Example() {
	c := newCalculator()
	x, y, z := &egraph.Pattern{Var: 0}, &egraph.Pattern{Var: 1}, &egraph.Pattern{Var: 2}
	rules := []*egraph.Rule{
		c.rule("shift", 1, c.app("*", x, c.app("2")), c.app("<<", x, c.app("1"))),
		c.rule("assoc", 3, c.app("/", c.app("*", x, y), z), c.app("*", x, c.app("/", y, z))),
		c.rule("cancel", 1, c.app("/", x, x), c.app("1")),
		c.rule("one", 1, c.app("*", x, c.app("1")), x),
	}
	g := egraph.New(c.sig)
	history := proof.Write(g)
	a := c.term("a")
	start := c.term("/", c.term("*", a, c.term("2")), c.term("2"))
	from, err := g.AddTree(start)
	if err != nil {
		log.Fatal(err)
	}
	to, err := g.AddTree(a)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.Saturate(rules, egraph.Limits{Iterations: 10, Nodes: 1000}, func() bool { return g.Same(from, to) }))
	proofs, err := history.Explain(time.Time{}, [2]*egraph.Tree{start, a})
	if err != nil {
		log.Fatal(err)
	}
	if err := proofs[0].Check(c.sig, start, a, nil); err != nil { // knows terms and rules only
		log.Fatal(err)
	}
	proofs[0].Walk(func(l *proof.Link, from *egraph.Tree, path []int) {
		fmt.Printf("%s at %v: %s = %s\n", l.Step.Reason, path, c.text(from), c.text(l.To))
	})
	// Output:
	// goal reached after 3 iterations, 8 e-nodes in 4 e-classes, 5 matches
	// assoc at []: (/ (* a 2) 2) = (* a (/ 2 2))
	// cancel at [1]: (/ 2 2) = 1
	// one at []: (* a 1) = a
}

// depth is an analysis: the depth of the least deep term of a class.
type depth struct{}

func (depth) Make(c *egraph.Column[int], n egraph.Node) int {
	d := 0
	for _, k := range n.Kids {
		d = max(d, c.Get(k.ID))
	}
	return d + 1
}

func (depth) Merge(a, b int) (int, error) { return min(a, b), nil }

func (depth) Equal(a, b int) bool { return a == b }

// An analysis says something of every class, and is kept up to date.
func ExampleAttach() {
	c := newCalculator()
	g := egraph.New(c.sig)
	depths := egraph.Attach(g, depth{})
	deep, err := g.AddTree(c.term("f", c.term("f", c.term("f", c.term("a")))))
	if err != nil {
		log.Fatal(err)
	}
	flat, err := g.AddTree(c.term("b"))
	if err != nil {
		log.Fatal(err)
	}
	top := g.Add(c.op("g", 1), nil, nil, []egraph.Ref{deep})
	fmt.Println(depths.Get(deep.ID), depths.Get(top.ID))
	g.Union(deep, flat)
	g.Rebuild()
	fmt.Println(depths.Get(deep.ID), depths.Get(top.ID))
	// Output:
	// 4 5
	// 1 2
}

// Binders are part of the graph: λx. λy. x and λy. λx. y are one e-node, and a
// class tells which variables its terms depend on.
func ExampleGraph_Add() {
	sig := egraph.NewSignature()
	add := func(h egraph.Head) egraph.Op {
		head, err := sig.AddHead(h)
		if err != nil {
			log.Fatal(err)
		}
		op, err := sig.AddOp(head)
		if err != nil {
			log.Fatal(err)
		}
		return op
	}
	variable := add(egraph.Head{Name: "var", Own: 1})
	lambda := add(egraph.Head{Name: "lam", Arity: 1, Binders: 1, Under: 1}) // its child is under the binder
	g := egraph.New(sig)
	x, y := slot.Name(1), slot.Name(2)
	lam := func(v slot.Name, body egraph.Ref) egraph.Ref {
		return g.Add(lambda, nil, []slot.Name{v}, []egraph.Ref{body})
	}
	vx, vy := g.Add(variable, []slot.Name{x}, nil, nil), g.Add(variable, []slot.Name{y}, nil, nil)
	fmt.Println(g.Same(lam(x, lam(y, vx)), lam(y, lam(x, vy))))
	fmt.Println(g.Same(lam(x, lam(y, vx)), lam(x, lam(y, vy))))
	fmt.Println(lam(x, vy).Has(y), lam(y, vy).Has(y))
	fmt.Println(g.Size(), "e-nodes")
	// Output:
	// true
	// false
	// true false
	// 5 e-nodes
}

// What happened between two moments, and by which rule; and back to the first.
func ExampleGraph_Snapshot() {
	c := newCalculator()
	x, y := &egraph.Pattern{Var: 0}, &egraph.Pattern{Var: 1}
	rules := []*egraph.Rule{
		c.rule("commute", 2, c.app("+", x, y), c.app("+", y, x)),
		c.rule("double", 1, c.app("+", x, x), c.app("*", c.app("2"), x)),
	}
	g := egraph.New(c.sig)
	if _, err := g.AddTree(c.term("+", c.term("+", c.term("a"), c.term("b")), c.term("+", c.term("b"), c.term("a")))); err != nil {
		log.Fatal(err)
	}
	before := g.Snapshot()
	g.Saturate(rules, egraph.Limits{Iterations: 5}, nil)
	d, err := g.Snapshot().Since(before)
	if err != nil {
		log.Fatal(err)
	}
	for _, by := range d.By {
		fmt.Printf("%s: %d classes added, %d merged\n", by.Cause, len(by.Added), len(by.Merged))
	}
	fmt.Print(g.Size(), " e-nodes, ")
	if err := g.Restore(before); err != nil {
		log.Fatal(err)
	}
	fmt.Println("then", g.Size())
	// Output:
	// commute: 1 classes added, 2 merged
	// double: 2 classes added, 1 merged
	// 7 e-nodes, then 5
}
