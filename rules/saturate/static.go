package saturate

import (
	"reflect"
	"slices"
	"strconv"

	"egad/egraph"
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/match"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// What operators carry, by slot: see [egraph.Signature].
const (
	slotOperator = iota // its symbol, and the number that belongs to it
	slotSizes
	slotTargets
	slotPerm
	slotN
	slotType
	slotType2
	slotLit    // a list of a literal element; an atom if there is none
	slotNumber // the same as a number, or a truth value, whatever its type
	slots
)

// statics are the static terms of operators for the engine.
type statics struct {
	l      *lang
	atoms  map[atomKey]egraph.Static
	values []*match.Variable          // by number; nil if nobody has asked
	known  map[sizeList]egraph.Static // lists whose sizes are parts of those of values
}

// sizeList is where a list of sizes lies: what stands there does not change.
type sizeList struct {
	first *size.Size
	n     int
}

func listAt(list []size.Size) sizeList { return sizeList{&list[0], len(list)} }

// atomKey tells atoms apart: by their sort, and a number or a text.
type atomKey struct {
	sort byte
	n    int64
	text string
}

// atom is the static term with a key, which is something for rules unless that is nil.
func (s *statics) atom(sort byte, n int64, text string, is func() match.Variable) egraph.Static {
	if s.atoms == nil {
		s.atoms = make(map[atomKey]egraph.Static)
	}
	return memo.Of(s.atoms, atomKey{sort, n, text}, func() egraph.Static {
		a := s.l.eng.NewAtom()
		if is != nil {
			s.set(a, is())
		}
		return a
	})
}

// numberKey is a number as a part of a key.
func numberKey(n numeric.Num) (whole int64, text string) {
	if k, ok := n.Int64(); ok {
		return k, ""
	}
	return 0, n.Key()
}

func (s *statics) set(a egraph.Static, v match.Variable) {
	for int(a) >= len(s.values) {
		s.values = append(s.values, nil)
	}
	s.values[a] = &v
}

// is reports whether it is known what a static term is.
func (s *statics) is(a egraph.Static) bool { return int(a) < len(s.values) && s.values[a] != nil }

// value is what a static term is: of a list, sizes. Those of the lists that it ends with are
// parts of them.
func (s *statics) value(a egraph.Static) *match.Variable {
	if s.is(a) {
		return s.values[a]
	}
	elems := s.l.eng.Elements(a)
	sizes := make([]size.Size, 0, len(elems))
	for _, e := range elems {
		sizes = append(sizes, s.value(e).Sizes...)
	}
	for l := a; !s.is(l); l, elems = s.l.eng.Rest(l), elems[1:] {
		s.set(l, match.Variable{Sizes: sizes})
		if len(elems) == 0 {
			break
		}
		if len(sizes) > 0 {
			memo.Set(&s.known, listAt(sizes), l)
		}
		sizes = sizes[len(s.value(elems[0]).Sizes):]
	}
	return s.values[a]
}

// none is what an operator carries that has nothing.
func (s *statics) none() egraph.Static { return s.atom('-', 0, "", nil) }

func (s *statics) int(n int) egraph.Static {
	return s.atom('n', int64(n), "", func() match.Variable { return match.Variable{N: n} })
}

func (s *statics) perm(p []int) egraph.Static {
	p = ops.CanonPerm(p)
	text := ""
	for _, i := range p {
		text += strconv.Itoa(i) + ","
	}
	return s.atom('p', 0, text, func() match.Variable { return match.Variable{Perm: p} })
}

func (s *statics) size(n size.Size) egraph.Static {
	k, ok := n.Const()
	text := ""
	if !ok {
		text = n.Key()
	}
	return s.atom('s', k, text, func() match.Variable { return match.Variable{Sizes: []size.Size{n}} })
}

func (s *statics) sizes(list []size.Size) egraph.Static {
	if len(list) > 0 {
		if l, ok := s.known[listAt(list)]; ok {
			return l
		}
	}
	return s.l.eng.ListOf(slice.Map(list, s.size)...)
}

// typ is a list: of what sort the type is, and what it is made of.
func (s *statics) typ(t *types.Type) egraph.Static {
	if t == nil {
		return s.none()
	}
	elems := []egraph.Static{s.kind(t.Kind, t.Elem, t.Name)}
	if t.Kind == types.KArray {
		elems = append(elems, s.sizes(t.Shape))
	}
	a := s.l.eng.ListOf(append(elems, slice.Map(t.Parts, s.typ)...)...)
	if !s.is(a) {
		s.set(a, match.Variable{Type: t})
	}
	return a
}

func (s *statics) kind(k types.Kind, e types.Elem, name string) egraph.Static {
	return s.atom('t', int64(k)<<8|int64(e), name, nil)
}

func (s *statics) number(n numeric.Num) egraph.Static {
	k, text := numberKey(n)
	return s.atom('#', k, text, nil)
}

func (s *statics) truth(b bool) egraph.Static { return s.atom('b', 0, strconv.FormatBool(b), nil) }

// lit is a literal element, and the same as a number or a truth value.
func (s *statics) lit(x ops.Scalar) (lit, number egraph.Static) {
	k, text := x.Int, ""
	switch x.Elem {
	case types.R:
		k, text = numberKey(x.Num)
		number = s.number(x.Num)
	case types.B:
		number = s.truth(x.IsInt(1))
	default:
		number = s.number(numeric.Int(x.Int))
	}
	return s.l.eng.ListOf(s.atom('L'+byte(x.Elem), k, text, func() match.Variable { return match.Variable{Lit: x} })), number
}

// carries is what an operator carries.
func (l *lang) carries(o egraph.Op, slot int) egraph.Static {
	s, op := &l.statics, &l.terms[o]
	switch slot {
	case slotOperator:
		return s.atom('o', int64(op.Sym)<<32|int64(uint32(op.N)), "", func() match.Variable { return match.Variable{Op: op} })
	case slotSizes:
		return s.sizes(op.Sizes)
	case slotTargets:
		return s.sizes(op.Targets)
	case slotPerm:
		return s.perm(op.Perm)
	case slotN:
		return s.int(op.N)
	case slotType:
		return s.typ(op.Type)
	case slotType2:
		return s.typ(op.Type2)
	}
	if op.Const == nil || op.Const.Data != nil {
		return s.none()
	}
	lit, number := s.lit(op.Const.Fill)
	if slot == slotLit {
		return lit
	}
	return number
}

// staticVar is a variable of a rule for a static term.
type staticVar struct {
	name string // "" if there is only what else it has to be
	// bound and list are 1 + the number of a bound variable, or of a list of them, of which
	// it is the range or the type; 0 if it is of none.
	bound, list int
	// What it has to be, as is seen when more is known: a size, see [match.Reader], or a list
	// of two parts.
	size *rules.Pattern
	join *egraph.StaticPattern
}

// constant is a static term of a rule, which each language has with a number of its own.
type constant func(s *statics) egraph.Static

// in are the constants of a rule in a language.
func (f *form) in(l *lang) []egraph.Static {
	return slice.Map(f.constants, func(c constant) egraph.Static { return c(&l.statics) })
}

// is matches one of some constants, or nothing if there are none.
func (c *compiler) is(of ...constant) *egraph.StaticPattern {
	p := &egraph.StaticPattern{Kind: egraph.StaticIs}
	for _, x := range of {
		p.Is = append(p.Is, len(c.constants))
		c.constants = append(c.constants, x)
	}
	return p
}

// number matches a number: there is one constant for each, so that the engine sees where a left side
// repeats itself.
func (c *compiler) number(n any, x constant) *egraph.StaticPattern {
	at, met := c.numbers[n]
	if !met {
		at = len(c.constants)
		c.constants = append(c.constants, x)
		memo.Set(&c.numbers, n, at)
	}
	return &egraph.StaticPattern{Kind: egraph.StaticIs, Is: []int{at}}
}

// static is a variable, the same for the same name.
func (c *compiler) static(v staticVar) *egraph.StaticPattern {
	p := &egraph.StaticPattern{Kind: egraph.StaticVar, Var: len(c.statics)}
	for i := range c.statics {
		if v.name != "" && c.statics[i].name == v.name {
			p.Var = i
			return p
		}
	}
	c.statics = append(c.statics, v)
	return p
}

func staticList(elems ...*egraph.StaticPattern) *egraph.StaticPattern {
	return &egraph.StaticPattern{Kind: egraph.StaticList, Kids: elems}
}

// join is a list of two parts. It may be seen only when more is known whether it is one,
// unless one part has a length of its own.
func (c *compiler) join(front, rest *egraph.StaticPattern) *egraph.StaticPattern {
	if front.Kind == egraph.StaticList && rest.Kind == egraph.StaticList {
		return staticList(slices.Concat(front.Kids, rest.Kids)...)
	}
	p := &egraph.StaticPattern{Kind: egraph.StaticJoin, Kids: []*egraph.StaticPattern{front, rest}}
	if p.Var = slices.IndexFunc(c.statics, func(s staticVar) bool { return s.join != nil && reflect.DeepEqual(s.join.Kids, p.Kids) }); p.Var >= 0 {
		return p
	}
	p.Var = c.static(staticVar{}).Var
	c.statics[p.Var].join = p
	c.open = c.open || front.Kind != egraph.StaticList && rest.Kind != egraph.StaticList
	return p
}

// attr translates an attribute of a left side.
func (c *compiler) attr(a *rules.AttrExpr) *egraph.StaticPattern {
	switch a.Kind {
	case rules.AVar:
		return c.static(staticVar{name: a.Name})
	case rules.ASize:
		return c.number(a.Size.Key(), func(s *statics) egraph.Static { return s.size(a.Size) })
	case rules.AInt:
		return c.number(a.Int, func(s *statics) egraph.Static { return s.int(a.Int) })
	case rules.ALit:
		return c.number(a.Lit, func(s *statics) egraph.Static { return s.number(a.Lit) })
	case rules.APerm:
		return c.is(func(s *statics) egraph.Static { return s.perm(a.Perm) })
	case rules.ANil:
		return staticList()
	case rules.ACons:
		return c.join(staticList(c.attr(a.Args[0])), c.attr(a.Args[1]))
	case rules.AFun: // ++ is the only function of left sides
		return c.join(c.attr(a.Args[0]), c.attr(a.Args[1]))
	}
	return c.is()
}

// typ translates a type of a left side.
func (c *compiler) typ(t *rules.TypePat) *egraph.StaticPattern {
	kind := func(k types.Kind) *egraph.StaticPattern {
		return c.is(func(s *statics) egraph.Static { return s.kind(k, t.Elem, "") })
	}
	switch t.Kind {
	case rules.TypeVar:
		return c.static(staticVar{name: t.Name})
	case rules.TypeArray:
		return staticList(kind(types.KArray), c.attr(t.Shape))
	case rules.TypeTuple, rules.TypeLin:
		of := kind(types.KTuple)
		if t.Kind == rules.TypeLin {
			of = kind(types.KLin)
		}
		return staticList(append([]*egraph.StaticPattern{of}, slice.Map(t.Parts, c.typ)...)...)
	}
	return c.is()
}

// carried are the patterns for what the operator of an application, or a literal, carries.
func (c *compiler) carried(p *rules.Pattern) (out []*egraph.StaticPattern) {
	at := func(slot int, s *egraph.StaticPattern) {
		s.Slot = slot
		out = append(out, s)
	}
	attr := func(slot int, a *rules.AttrExpr) {
		if a != nil {
			at(slot, c.attr(a))
		}
	}
	typ := func(slot int, t *rules.TypePat) {
		if t != nil {
			at(slot, c.typ(t))
		}
	}
	number := func(of ...constant) { at(slotNumber, c.is(of...)) }
	switch p.Kind {
	case rules.PNumber:
		at(slotNumber, c.number(p.Value, func(s *statics) egraph.Static { return s.number(p.Value) }))
	case rules.PTruth:
		number(func(s *statics) egraph.Static { return s.truth(p.Truth) })
	case rules.PZero:
		number(func(s *statics) egraph.Static { return s.number(numeric.Int(0)) }, func(s *statics) egraph.Static { return s.truth(false) })
	case rules.PLit:
		at(slotLit, staticList(c.static(staticVar{name: p.Lit.Name})))
	case rules.PSizeVal:
		at(slotLit, staticList(c.static(staticVar{size: p})))
		if p.LitFor == nil {
			at(slotType, c.is(func(s *statics) egraph.Static { return s.typ(types.ArrayOf(types.I)) }))
		}
	case rules.PApp:
		if p.Name != "" {
			at(slotOperator, c.static(staticVar{name: p.Name}))
		}
		attr(slotSizes, p.Attrs.Sizes)
		attr(slotTargets, p.Attrs.Targets)
		attr(slotPerm, p.Attrs.Perm)
		attr(slotN, p.Attrs.N)
		switch l := p.Attrs.Lit; {
		case l == nil:
		case l.Kind == rules.ALit:
			attr(slotNumber, l)
		default:
			at(slotLit, staticList(c.attr(l)))
		}
		typ(slotType, p.Attrs.Type)
		typ(slotType2, p.Attrs.Type2)
		if p.Binders != nil && c.language == nil {
			c.ranges(p.Binders, at)
		}
		return out
	}
	typ(slotType, p.LitFor)
	return out
}

// ranges are the ranges of the variables that an operator binds, and the type of its state.
func (c *compiler) ranges(b *rules.BinderList, at func(int, *egraph.StaticPattern)) {
	if b.State != "" {
		at(slotType, c.static(staticVar{name: b.State, bound: 1 + number(&c.boundNames, b.State)}))
	}
	heads := slice.Map(b.Heads, func(h string) *egraph.StaticPattern {
		return c.static(staticVar{name: h, bound: 1 + number(&c.boundNames, h)})
	})
	if b.Rest == "" {
		at(slotSizes, staticList(heads...))
		return
	}
	at(slotSizes, c.join(staticList(heads...), c.static(staticVar{name: b.Rest, list: 1 + number(&c.boundLists, b.Rest)})))
}
