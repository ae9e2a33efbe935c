package extract

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"egad/slot"
)

// Choices says what can be chosen: for each state (an e-class that is to be derived
// from a nonterminal) the options that derive it. A choice takes an option for each
// state that it needs, without cycles. Where nothing tells nonterminals apart, states
// are e-classes.
type Choices struct {
	roots   []use
	states  []state
	leaves  []user // the options without children
	options int
	// slotted says that instances count: a state that is used with other variables is
	// computed again.
	slotted bool
	// symmetric says that slots of some state may change places. Then a choice may stand for a DAG that
	// costs less, in which two instances are one that differ in that.
	symmetric bool
	// inOrder says that of options that cost the same the first counts, and not the
	// one that is found first.
	inOrder bool
	trees   *costs // the least ones, once they are known
	mark    []int  // by state: the last option that had it as a child
}

// state is an e-class to be derived from a nonterminal.
type state struct {
	slots   []slot.Name // of the class, and extras
	extra   int         // how many slots are extras, which the chosen term need not name
	options []option
	users   []user // the options that have it as a child
}

// option is an e-node, with the states of its children.
type option struct {
	node   int // what it is to those who made it; negative for a chain, to another state of its class
	number int
	cost   float64
	own    []slot.Name   // of a variable
	all    []int         // the children as they are, for trees
	args   [][]slot.Name // for each child, what is passed for its slots; nil if no child has slots
	kids   []int         // each once
	apart  []int         // each as often as other variables are passed for its slots, for what is shared
}

// use is a state with what is passed for its slots.
type use struct {
	state int
	args  []slot.Name
}

// user is an option of a state.
type user struct{ state, index int }

// newChoices has n states without options.
func newChoices(n int) *Choices { return &Choices{states: make([]state, n), mark: make([]int, n)} }

// add adds an option to a state.
func (c *Choices) add(s int, o option) {
	u := user{s, len(c.states[s].options)}
	o.number = c.options
	c.options++
	o.kids = o.all[:0:0]
	for i, k := range o.all {
		switch {
		case c.mark[k] == c.options:
			continue
		case len(o.kids) == i:
			o.kids = o.all[: i+1 : i+1]
		default:
			o.kids = append(o.kids, k)
		}
		c.mark[k] = c.options
		c.states[k].users = append(c.states[k].users, u)
	}
	o.apart = o.instances()
	if len(o.all) == 0 {
		c.leaves = append(c.leaves, u)
	}
	c.states[s].options = append(c.states[s].options, o)
}

// instances are the children, each as often as other variables are passed for its slots.
func (o *option) instances() (out []int) {
	if o.args == nil || len(o.kids) == len(o.all) {
		return o.kids
	}
	met := make(map[string]bool)
	for i, k := range o.all {
		if key := string(instanceKey(nil, use{k, o.args[i]})); !met[key] {
			met[key] = true
			out = append(out, k)
		}
	}
	return out
}

// Extraction is a choice of options.
type Extraction struct {
	// Tree is the cost of the terms of the roots as trees, DAG with what is shared
	// counted once. A tree may cost +Inf, as no float64 can say.
	Tree, DAG float64
	// Bound is a cost below which no DAG is; Optimal says that DAG is the least.
	Bound   float64
	Optimal bool
	Stopped bool // the budget ended first
	c       *Choices
	tree    amount
	pick    []int // by state: the place of the chosen option, -1 if there is none
}

// finish computes what a choice costs. It is false if the choice has a cycle or
// lacks something.
func (c *Choices) finish(pick []int) (*Extraction, bool) {
	e := &Extraction{c: c, pick: pick}
	order, ok := c.order(pick)
	if !ok {
		return nil, false
	}
	tree := make([]amount, len(c.states))
	for _, s := range order {
		o := &c.states[s].options[pick[s]]
		tree[s] = o.tree(tree)
		e.DAG += o.cost
	}
	if c.slotted {
		e.DAG = max(e.DAG, c.measure(pick, nil))
	}
	for _, r := range c.roots {
		e.tree = e.tree.add(tree[r.state])
	}
	e.Tree = e.tree.float()
	return e, true
}

// kid is child i of an option of a state.
func (c *Choices) kid(o *option, i int) use {
	u := use{state: o.all[i]}
	if o.args != nil {
		u.args = o.args[i]
	}
	return u
}

// order lists the states that a choice needs, children first.
func (c *Choices) order(pick []int) ([]int, bool) {
	const (
		open = iota + 1
		done
	)
	state := make([]uint8, len(c.states))
	var out []int
	type frame struct{ state, next int }
	for _, r := range c.roots {
		stack := []frame{{r.state, 0}}
		for len(stack) > 0 {
			f := &stack[len(stack)-1]
			if f.next == 0 {
				if state[f.state] == done {
					stack = stack[:len(stack)-1]
					continue
				}
				if state[f.state] == open || pick[f.state] < 0 {
					return nil, false
				}
				state[f.state] = open
			}
			kids := c.states[f.state].options[pick[f.state]].kids
			if f.next < len(kids) {
				f.next++
				k := kids[f.next-1]
				if state[k] == open {
					return nil, false
				}
				if state[k] == 0 {
					stack = append(stack, frame{k, 0})
				}
				continue
			}
			if state[f.state] != done {
				state[f.state] = done
				out = append(out, f.state)
			}
			stack = stack[:len(stack)-1]
		}
	}
	return out, true
}

// once is the cost of a choice in which each state counts once: no DAG of these options costs less.
func (c *Choices) once(pick []int) (total float64) {
	order, _ := c.order(pick)
	for _, s := range order {
		total += c.states[s].options[pick[s]].cost
	}
	return total
}

// maxInstances bounds the instances of states with slots that are counted apart. A
// DAG of more costs at least what is said.
const maxInstances = 1 << 18

// measure is the cost of a choice, in which instances count: a state that is used
// with other variables is computed again. Uses counts the uses of each state, unless
// it is nil.
func (c *Choices) measure(pick []int, uses []float64) float64 {
	t := newTour(c)
	t.all, t.idle = uses != nil, c.idle(pick)
	for _, r := range slices.Backward(c.roots) {
		t.stack = append(t.stack, r)
	}
	total := 0.0
	for len(t.stack) > 0 {
		u := t.next()
		o := &c.states[u.state].options[pick[u.state]]
		for ; uses != nil && o.node < 0; o = &c.states[u.state].options[pick[u.state]] {
			uses[u.state]++
			if o.cost > 0 && t.meets(u) {
				total += o.cost
			}
			u.state = o.all[0]
		}
		if uses != nil {
			uses[u.state]++
		}
		if t.meets(u) {
			total += o.cost
			t.push(u, o)
		}
	}
	return total
}

// idle are the slots of each state that its chosen term does not name, nil if there are no extras: instances
// that differ in these only are one.
func (c *Choices) idle(pick []int) [][]bool {
	if !slices.ContainsFunc(c.states, func(s state) bool { return s.extra > 0 }) {
		return nil
	}
	idle := make([][]bool, len(c.states))
	order, _ := c.order(pick)
	for _, s := range order { // children first
		x := &c.states[s]
		o := &x.options[pick[s]]
		idle[s] = make([]bool, len(x.slots))
		for j, n := range x.slots {
			named := j < len(x.slots)-x.extra || slices.Contains(o.own, n)
			for i := range o.all {
				k := c.kid(o, i)
				at := slices.Index(k.args, n)
				named = named || at >= 0 && !idle[k.state][at]
			}
			idle[s][j] = !named
		}
	}
	return idle
}

// tour goes through instances of states, each once.
type tour struct {
	c     *Choices
	seen  []int // by state without slots: the last walk that met it
	walk  int
	met   map[string]bool // the others, in this walk
	key   []byte
	stack []use
	all   bool     // children are met as often as they are there
	idle  [][]bool // by state: the slots that do not tell instances apart; may be nil
}

func newTour(c *Choices) *tour { return &tour{c: c, seen: make([]int, len(c.states)), walk: 1} }

// begin begins another walk.
func (t *tour) begin() {
	t.walk++
	clear(t.met)
	t.stack = t.stack[:0]
}

// next takes an instance off the stack.
func (t *tour) next() use {
	u := t.stack[len(t.stack)-1]
	t.stack = t.stack[:len(t.stack)-1]
	return u
}

// meets reports whether an instance is new to the walk.
func (t *tour) meets(u use) bool {
	if len(u.args) == 0 {
		if t.seen[u.state] == t.walk {
			return false
		}
		t.seen[u.state] = t.walk
		return true
	}
	if t.idle != nil {
		idle := t.idle[u.state]
		u.args = slices.Clone(u.args)
		for j := range u.args {
			if idle[j] {
				u.args[j] = 0
			}
		}
	}
	t.key = instanceKey(t.key[:0], u)
	if t.met == nil {
		t.met = make(map[string]bool)
	}
	if t.met[string(t.key)] || len(t.met) == maxInstances {
		return false
	}
	t.met[string(t.key)] = true
	return true
}

// instanceKey appends to key what is the same for equal instances only.
func instanceKey(key []byte, u use) []byte {
	key = binary.AppendUvarint(key, uint64(u.state))
	for _, a := range u.args {
		key = binary.AppendUvarint(key, uint64(a))
	}
	return key
}

// push puts the children of an option of an instance on the stack, the first on top.
func (t *tour) push(u use, o *option) {
	kids := o.all
	if o.args == nil && !t.all {
		kids = o.kids
	}
	for k, s := range slices.Backward(kids) {
		v := use{state: s}
		if o.args != nil {
			v.args = slot.Ref{Args: o.args[k]}.RenameFrom(t.c.states[u.state].slots, u.args).Args
		}
		t.stack = append(t.stack, v)
	}
}

// Nodes lists the e-nodes that make up the terms, as places in what the choices were
// made of, children first.
func (e *Extraction) Nodes() []int {
	order, _ := e.c.order(e.pick)
	var out []int
	for _, s := range order {
		if n := e.c.states[s].options[e.pick[s]].node; n >= 0 {
			out = append(out, n)
		}
	}
	return out
}

// String returns a line for people.
func (e *Extraction) String() string {
	return fmt.Sprintf("cost %s as a DAG, %s as a tree%s", number(e.DAG), e.tree, e.Known())
}

// Known says what is known of the cost as a DAG, after a semicolon; it is empty if
// that is nothing.
func (e *Extraction) Known() string {
	switch {
	case e.Optimal && e.tied():
		return "; no DAG costs less, another costs as much"
	case e.Optimal:
		return "; no DAG costs less"
	case e.Bound > 0:
		return fmt.Sprintf("; no DAG costs less than %s", number(e.Bound))
	case e.Stopped:
		return "; the steps or the time ended the search"
	}
	return ""
}

// tiedWork bounds how many states are looked at for another choice.
const tiedWork = 1 << 24

// tied reports whether a choice of other e-nodes is found that costs as much as a DAG: one
// that takes another option of one state, and least trees for what was not needed before.
func (e *Extraction) tied() bool {
	order, _ := e.c.order(e.pick)
	nodes, pick := e.Nodes(), slices.Clone(e.c.least().pick)
	for _, s := range order {
		pick[s] = e.pick[s]
	}
	work := 0
	for _, s := range order {
		for i := range e.c.states[s].options {
			if i == e.pick[s] {
				continue // the choice itself
			}
			if work += len(pick); work > tiedWork {
				return false
			}
			pick[s] = i
			if x, ok := e.c.finish(pick); ok && x.DAG == e.DAG && !slices.Equal(x.Nodes(), nodes) {
				return true
			}
		}
		pick[s] = e.pick[s]
	}
	return false
}

func number(x float64) string {
	if x == math.Trunc(x) && math.Abs(x) < 1e15 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%g", x)
}
