package extract

import (
	"fmt"
	"math"
	"slices"

	"egad/internal/slice"
	"egad/slot"
	"egad/term/ops"
)

// Variable is a variable that is in scope where a term is to stand.
type Variable struct {
	Name slot.Name
	Type ops.VarType
}

// An e-node may name variables on which its class does not depend: it is in the class whatever they are.
// A term that is made of it needs some, other than those that it names besides. So it can be chosen if
// there are as many in scope wherever its class may stand; of those the outermost are taken. States get
// slots for them, extras, beside those of their classes.
type scoping struct {
	x     *grammatical
	kinds []ops.VarType
	slots [][]int       // by class: the kinds of its slots, -1 of one that nothing names
	extra [][]int       // by class: the kinds of its extras
	names [][]slot.Name // by class: its extras
	least [][]int       // by class and kind: how many variables are in scope wherever it stands
	loose map[int]bool  // by e-node: whether it names a variable on which its class does not depend
}

// scoped finds what variables are in scope at the classes of a language, of which the first has scope;
// nil if all e-nodes name slots of their classes only.
func (x *grammatical) scoped(scope []Variable) *scoping {
	s := &scoping{x: x, loose: make(map[int]bool)}
	for i, c := range x.Classes {
		for _, n := range c.Nodes {
			s.each(n, func(a slot.Name, _ func() int) {
				if !slices.Contains(x.Classes[i].Slots, a) {
					s.loose[n.Number] = true
				}
			})
		}
	}
	if len(s.loose) == 0 {
		return nil
	}
	s.findKinds()
	s.findLeast(scope)
	s.findExtras()
	return s
}

// each calls f for the variables that an e-node names and does not bind, with their kinds.
func (s *scoping) each(n *ENode, f func(a slot.Name, kind func() int)) {
	for _, a := range n.Own {
		f(a, func() int {
			v, _ := s.x.g.TermOp(n.Op).Variable()
			return s.kind(v)
		})
	}
	for k, r := range n.Node.Kids {
		for j, a := range r.Args {
			if !slices.Contains(n.Binders, a) {
				f(a, func() int { return s.slots[n.Kids[k]][j] })
			}
		}
	}
}

// kind is the number of a kind of variables.
func (s *scoping) kind(v ops.VarType) int {
	i := slices.IndexFunc(s.kinds, v.Equal)
	if i < 0 {
		i = len(s.kinds)
		s.kinds = append(s.kinds, v)
	}
	return i
}

// bound are the kinds of what an e-node binds over a child.
func (s *scoping) bound(n *ENode, kid int) []int {
	op := s.x.g.TermOp(n.Op)
	o := s.x.g.Signature().Operator(op.Sym)
	if !o.Under(kid) {
		return nil
	}
	return slice.Make(len(n.Binders), func(b int) int { return s.kind(o.BinderType(op, b)) })
}

// passes calls f for the classes, parents first or last, until it changes nothing.
func (s *scoping) passes(parentsFirst bool, f func(i int) bool) {
	for changed := true; changed; {
		changed = false
		for i := range s.x.Classes {
			if !parentsFirst {
				i = len(s.x.Classes) - 1 - i
			}
			changed = f(i) || changed
		}
	}
}

// findKinds finds the kinds of the slots of all classes, from variables upwards.
func (s *scoping) findKinds() {
	s.slots = slice.Map(s.x.Classes, func(c *EClass) []int { return slices.Repeat([]int{-1}, len(c.Slots)) })
	s.passes(false, func(i int) (changed bool) {
		c := s.x.Classes[i]
		for _, n := range c.Nodes {
			s.each(n, func(a slot.Name, kind func() int) {
				if k := slices.Index(c.Slots, a); k >= 0 && s.slots[i][k] < 0 {
					s.slots[i][k] = kind()
					changed = changed || s.slots[i][k] >= 0
				}
			})
			for k := range n.Kids {
				s.bound(n, k) // numbers the kinds
			}
		}
		return changed
	})
}

// findLeast finds how many variables are in scope wherever a class stands.
func (s *scoping) findLeast(scope []Variable) {
	for _, v := range scope {
		s.kind(v.Type)
	}
	s.least = slice.Map(s.x.Classes, func(*EClass) []int { return slices.Repeat([]int{math.MaxInt}, len(s.kinds)) })
	clear(s.least[0])
	for _, v := range scope {
		s.least[0][s.kind(v.Type)]++
	}
	s.passes(true, func(i int) (changed bool) {
		for _, n := range s.x.Classes[i].Nodes {
			for k, c := range n.Kids {
				there := slices.Clone(s.least[i])
				for _, b := range s.bound(n, k) {
					there[b]++
				}
				for b, m := range there {
					if m < s.least[c][b] {
						s.least[c][b], changed = m, true
					}
				}
			}
		}
		return changed
	})
}

// needed are how many extras of each kind an e-node needs itself. It is false if there may be fewer.
func (s *scoping) needed(i int, n *ENode) ([]int, bool) {
	need, have := make([]int, len(s.kinds)), make([]int, len(s.kinds))
	if !s.loose[n.Number] {
		return need, true
	}
	for _, k := range s.slots[i] {
		if k >= 0 {
			have[k]++
		}
	}
	var met []slot.Name
	known := true
	s.each(n, func(a slot.Name, kind func() int) {
		if k := kind(); !slices.Contains(s.x.Classes[i].Slots, a) && !slices.Contains(met, a) {
			met = append(met, a)
			if known = known && k >= 0; k >= 0 {
				need[k]++
			}
		}
	})
	for k := range need {
		known = known && need[k]+have[k] <= s.least[i][k]
	}
	return need, known
}

// findExtras finds how many extras the classes have: as many as what may be chosen below needs, but for what
// cannot be there.
func (s *scoping) findExtras() {
	most := slice.Map(s.x.Classes, func(*EClass) []int { return make([]int, len(s.kinds)) })
	s.passes(false, func(i int) (changed bool) {
		for _, n := range s.x.Classes[i].Nodes {
			own, ok := s.needed(i, n)
			if !ok {
				continue
			}
			for k := range own {
				below := 0
				for _, c := range n.Kids {
					below = max(below, most[c][k])
				}
				spare := s.least[i][k]
				for _, has := range s.slots[i] {
					if has == k {
						spare--
					}
				}
				if m := min(own[k]+below, spare); m > most[i][k] {
					most[i][k], changed = m, true
				}
			}
		}
		return changed
	})
	s.extra, s.names = make([][]int, len(most)), make([][]slot.Name, len(most))
	for i, of := range most {
		for k, n := range of {
			s.extra[i] = append(s.extra[i], slices.Repeat([]int{k}, n)...)
		}
		s.names[i] = s.x.g.FreshN(len(s.extra[i]))
	}
}

// formals are the slots of the states of a class.
func (s *scoping) formals(i int) []slot.Name { return slices.Concat(s.x.Classes[i].Slots, s.names[i]) }

// root is what is passed for the slots of the first class.
func (s *scoping) root(args []slot.Name, scope []Variable) []slot.Name {
	return s.pass(0, args, slice.Map(scope, func(v Variable) slot.Name { return v.Name }), slice.Map(scope, func(v Variable) int { return s.kind(v.Type) }))
}

// pass adds to what is passed to a class variables in scope for its extras.
func (s *scoping) pass(class int, args, scope []slot.Name, kinds []int) []slot.Name {
	out := slices.Clone(args)
	for _, k := range s.extra[class] {
		at := slices.IndexFunc(scope, func(n slot.Name) bool { return !slices.Contains(out, n) && kinds[slices.Index(scope, n)] == k })
		if at < 0 { // nothing that may be chosen needs it
			out = append(out, s.x.g.Fresh())
			continue
		}
		out = append(out, scope[at])
	}
	return out
}

// within makes an option of an e-node one over the slots of its state. It is false if the e-node cannot be
// chosen.
func (s *scoping) within(i int, n *ENode, o *option) bool {
	if _, ok := s.needed(i, n); !ok {
		return false
	}
	is := make(map[slot.Name]slot.Name) // what the class does not depend on
	var taken []slot.Name
	s.each(n, func(a slot.Name, kind func() int) {
		if is[a] != 0 || slices.Contains(s.x.Classes[i].Slots, a) {
			return
		}
		k := kind()
		for e, x := range s.names[i] {
			if s.extra[i][e] == k && !slices.Contains(taken, x) {
				is[a], taken = x, append(taken, x)
				return
			}
		}
	})
	rename := func(a slot.Name) slot.Name {
		if x := is[a]; x != 0 {
			return x
		}
		return a
	}
	o.own = slice.Map(n.Own, rename)
	scope, kinds := slices.Concat(s.names[i], s.x.Classes[i].Slots), slices.Concat(s.extra[i], s.slots[i])
	o.args = nil
	for k, c := range n.Kids {
		scope, kinds := scope, kinds
		if b := s.bound(n, k); b != nil {
			scope, kinds = slices.Concat(scope, n.Binders), slices.Concat(kinds, b)
		}
		o.args = append(o.args, s.pass(c, slice.Map(n.Node.Kids[k].Args, rename), scope, kinds))
	}
	return true
}

// outOfScope says what an e-node of a class lacks that cannot be chosen, empty if there is none.
func (s *scoping) outOfScope(i int) string {
	for _, n := range s.x.Classes[i].Nodes {
		if need, ok := s.needed(i, n); !ok {
			for k, m := range need {
				if m > 0 {
					return fmt.Sprintf("; %s names a variable of the sort %s on which the class does not depend, and the class may stand where there is none", opText(s.x.g.Signature(), s.x.g.TermOp(n.Op)), s.kinds[k].Type)
				}
			}
		}
	}
	return ""
}
