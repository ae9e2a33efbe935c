package theory

import (
	"math/big"
	"regexp"
	"slices"

	"egad/diag"
	"egad/egraph"
)

// Theory is a language with its rules and tests. It is not safe for concurrent
// use: the numbers that a run computes are entered in it.
type Theory struct {
	Name, Doc string
	Sorts     []*Sort
	Operators []*Operator // as declared, without literals and variables
	Rules     []*Rule
	Sets      []string // the rule sets, in order
	Tests     []*Test

	sig       *egraph.Signature
	sorts     map[string]*Sort
	operators map[string]*Operator
	byOp      []*Operator // by engine operator
	holds     *Operator   // what facts equal
	distinct  *Operator   // the relation !=, nil if there is none
	constants []*Operator // numbers, and what comparisons give
	symbols   []*Operator
	// selfDistinct matches what is said to differ from itself.
	selfDistinct *egraph.Program
	prune        bool // rules do not look into terms that equal a constant
	columns      bool // whether constants are followed through the graph
	atoms        bool // whether symbols are
}

// Sort is a sort of terms. The sort of facts has no name.
type Sort struct {
	Name     string
	Numbers  bool // exact rational numbers are terms of it
	numbers  map[string]*Operator
	variable *Operator
}

// Operator is what stands at the head of a term.
type Operator struct {
	Name, Doc string
	Sort      *Sort
	// Operands are in the order of the text: children and bound variables.
	Operands []Operand
	// Symbol says that it was declared as a symbol, Number that it is a literal
	// with this value.
	Symbol bool
	Number *big.Rat
	// Relation says that its terms are facts.
	Relation bool

	kids     []int // the places of children among the operands
	binders  []int // the places of binders
	op       egraph.Op
	head     egraph.HeadID
	constant int // 1 + its place among the constants, 0 if it is none
	symbol   int // the same among the symbols
	fold     *fold
}

// variable reports whether the terms of the operator are variables.
func (o *Operator) variable() bool { return o.Sort != nil && o == o.Sort.variable }

// Operand is a child of an operator, or a variable that it binds.
type Operand struct {
	Sort   *Sort
	Binder bool
	Name   string // of a binder
	Under  bool   // a child in the scope of the binders
}

// declare adds an operator to the engine.
func (t *Theory) declare(o *Operator) error {
	h := egraph.Head{Name: o.Name}
	for i, x := range o.Operands {
		if x.Binder {
			o.binders = append(o.binders, i)
			h.Binders++
			continue
		}
		if x.Under {
			h.Under |= 1 << len(o.kids)
		}
		o.kids = append(o.kids, i)
		h.Arity++
	}
	if o.variable() {
		h.Own = 1
	}
	var err error
	if o.head, err = t.sig.AddHead(h); err != nil {
		return err
	}
	if o.op, err = t.sig.AddOp(o.head); err != nil {
		return err
	}
	t.byOp = append(t.byOp, o)
	return nil
}

// severalSorts reports whether a class may be of one sort or another.
func (t *Theory) severalSorts() bool {
	return len(t.Sorts) > 1 || slices.ContainsFunc(t.Operators, func(o *Operator) bool { return o.Relation })
}

// numberSyntax is -? digits, with a fraction after . or /, at most 1000 each.
var numberSyntax = regexp.MustCompile(`^-?[0-9]{1,1000}(\.[0-9]{1,1000}|/[0-9]{1,1000})?$`)

// number reads a literal; a fraction has no denominator 0.
func number(text string) (*big.Rat, bool) {
	if !numberSyntax.MatchString(text) {
		return nil, false
	}
	return new(big.Rat).SetString(text)
}

// literal is the operator for a number of a sort.
func (t *Theory) literal(s *Sort, n *big.Rat) *Operator {
	key := n.RatString()
	if o, ok := s.numbers[key]; ok {
		return o
	}
	o := &Operator{Name: key, Sort: s, Number: n}
	if err := t.declare(o); err != nil {
		panic(err) // there are 2^28 operators
	}
	if s.numbers == nil {
		s.numbers = make(map[string]*Operator)
	}
	s.numbers[key] = o
	t.constant(o)
	return o
}

// constant makes an operator without children a constant: two of them are never
// equal.
func (t *Theory) constant(o *Operator) {
	if o.constant == 0 {
		t.constants = append(t.constants, o)
		o.constant = len(t.constants)
	}
}

// Load reads a file. The error lists all findings, as a [diag.List].
func Load(src *diag.Source) (*Theory, error) {
	var errs diag.List
	c := &checker{src: src, errs: &errs, t: &Theory{
		sig: egraph.NewSignature(), sorts: make(map[string]*Sort), operators: make(map[string]*Operator),
	}}
	c.file(c.read())
	if err := errs.Err(); err != nil {
		return nil, err
	}
	return c.t, nil
}
