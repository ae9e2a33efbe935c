package term

import "fmt"

// polynomials are what integer terms carry when their text is read.
type polynomials struct {
	of     map[*Instance]*Size
	ranges map[string]Size
}

// at is what an instance carries, nil if nothing.
func (p *polynomials) at(in *Instance) *Size {
	if s, ok := p.of[in]; ok {
		return s
	}
	s, ok := p.read(in)
	out := &s
	if !ok {
		out = nil
	}
	p.of[in] = out
	return out
}

func (p *polynomials) read(in *Instance) (Size, bool) {
	zero := SizeConst(0)
	l, r := &zero, &zero
	op := in.View.Op
	switch len(in.Kids) {
	case 0:
		switch {
		case op.Sym == SymConst && op.Type.IsScalar(I):
			return SizeConst(op.Const.Fill.Int), op.Const.Data == nil
		case op.Sym == SymVar && op.Type.IsScalar(I):
			return SizeVar(op.Name + IntegerMark), true
		case op.Sym == SymIvar:
			name := fmt.Sprintf("%d%s", in.Term.Args[0], IntegerMark)
			p.ranges[name] = op.Sizes[0]
			return SizeVar(name), true
		}
		return Size{}, false
	case 1:
		if r = p.at(in.Kids[0]); op.Sym != SymNeg || r == nil {
			return Size{}, false
		}
		return Combine("-", *l, *r)
	case 2:
		if l, r = p.at(in.Kids[0]), p.at(in.Kids[1]); l == nil || r == nil {
			return Size{}, false
		}
		if o := Builtin(op.Sym); o != nil {
			return Combine(o.Text(), *l, *r)
		}
	}
	return Size{}, false
}

// misses reports whether index is read as one that is always out of range.
func (p *Printer) misses(index *Instance) bool {
	if p.integers == nil {
		p.integers = &polynomials{make(map[*Instance]*Size), make(map[string]Size)}
	}
	shape := p.Store.Type(index.Kids[0].Term).Shape
	for k, i := range index.Kids[1:] {
		s := p.integers.at(i)
		if s == nil {
			continue
		}
		always := func(s Size, least int64) bool { return s.AtLeast(least, p.integers.ranges) }
		if before, after := Outside(always, *s, shape[k]); before || after {
			return true
		}
	}
	return false
}
