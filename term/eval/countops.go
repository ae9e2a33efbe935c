package eval

import (
	"math"

	"egad/term"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// CountOps returns what an evaluation of a closed term counts, found without data:
// both branches of a condition are evaluated, and so no count depends on values.
// Sizes are constants. A count that does not fit is math.MaxInt64. Declared
// operators count as their meanings.
func CountOps(s *term.Store, t term.Term) Counts {
	s, t, err := s.Expanded(t)
	if err != nil {
		return Counts{math.MaxInt64, math.MaxInt64, math.MaxInt64, math.MaxInt64}
	}
	c := &opCounter{store: s, runs: make(map[*term.LetScope]int64), seen: make(map[*term.Instance]bool)}
	root, top := term.PlaceLets(s, t, func(*term.Instance) bool { return false })
	c.runs[top] = 1
	c.visit(root)
	return c.out
}

type opCounter struct {
	store *term.Store
	runs  map[*term.LetScope]int64 // how often a scope is entered
	seen  map[*term.Instance]bool
	out   Counts
}

// visit counts an instance, which is evaluated once in each run of its home.
func (c *opCounter) visit(in *term.Instance) {
	if c.seen[in] {
		return
	}
	c.seen[in] = true
	runs := c.runs[in.Home]
	if in.Body != nil {
		inner := runs
		for _, n := range in.View.Op.Sizes {
			inner = mulCount(inner, constCount(n))
		}
		c.runs[in.Body] = inner
	}
	for _, k := range in.Kids {
		c.visit(k)
	}
	if !in.Leaf() {
		c.count(in, runs)
	}
}

func (c *opCounter) count(in *term.Instance, runs int64) {
	if t := c.store.Type(in.Term); t.Kind == types.KArray {
		c.out.AddRuns(in.View.Op.Sym, t, c.store.Type(in.Kids[0].Term), runs)
	}
}

// AddRuns counts so many runs of an operator with a result of type t, by the type of its first
// operand, nil if it has none.
func (c *Counts) AddRuns(sym ops.Sym, t, first *types.Type, runs int64) {
	elem, of, rows := types.NoElem, int64(0), int64(1)
	if first != nil && first.Kind == types.KArray {
		elem, of = first.Elem, mulCount(runs, constCount(first.Elements()))
		if len(first.Shape) > 0 {
			rows = constCount(first.Shape[0])
		}
	}
	c.add(sym, t.Elem, len(t.Shape), mulCount(runs, constCount(t.Elements())), elem, of, rows)
}

func constCount(s size.Size) int64 {
	n, _ := s.Const()
	return n
}

func addCount(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func mulCount(a, b int64) int64 {
	if b > 0 && a > math.MaxInt64/b {
		return math.MaxInt64
	}
	return a * b
}
