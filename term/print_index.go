package term

import (
	"fmt"

	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// polynomials are what integer terms carry when their text is read.
type polynomials struct {
	of     map[*Instance]*size.Size
	ranges map[string]size.Size
}

// at is what an instance carries, nil if nothing.
func (p *polynomials) at(in *Instance) *size.Size {
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

func (p *polynomials) read(in *Instance) (size.Size, bool) {
	zero := size.Const(0)
	l, r := &zero, &zero
	op := in.View.Op
	switch len(in.Kids) {
	case 0:
		switch {
		case op.Sym == ops.SymConst && op.Type.IsScalar(types.I):
			return size.Const(op.Const.Fill.Int), op.Const.Data == nil
		case op.Sym == ops.SymVar && op.Type.IsScalar(types.I):
			return size.Var(op.Name + size.IntegerMark), true
		case op.Sym == ops.SymIvar:
			name := fmt.Sprintf("%d%s", in.Term.Args[0], size.IntegerMark)
			p.ranges[name] = op.Sizes[0]
			return size.Var(name), true
		}
		return size.Size{}, false
	case 1:
		if r = p.at(in.Kids[0]); op.Sym != ops.SymNeg || r == nil {
			return size.Size{}, false
		}
		return size.Combine("-", *l, *r)
	case 2:
		if l, r = p.at(in.Kids[0]), p.at(in.Kids[1]); l == nil || r == nil {
			return size.Size{}, false
		}
		if o := ops.Builtin(op.Sym); o != nil {
			return size.Combine(o.Text(), *l, *r)
		}
	}
	return size.Size{}, false
}

// misses reports whether index is read as one that is always out of range.
func (p *Printer) misses(index *Instance) bool {
	if p.integers == nil {
		p.integers = &polynomials{make(map[*Instance]*size.Size), make(map[string]size.Size)}
	}
	shape := p.Store.Type(index.Kids[0].Term).Shape
	for k, i := range index.Kids[1:] {
		s := p.integers.at(i)
		if s == nil {
			continue
		}
		always := func(s size.Size, least int64) bool { return s.AtLeast(least, p.integers.ranges) }
		if before, after := size.Outside(always, *s, shape[k]); before || after {
			return true
		}
	}
	return false
}
