package schedule

import (
	"slices"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/kernel"
	"egad/term/ops"
)

// placer has what is in range accessed at its place in memory, in the place of an index of each axis,
// where less has to be divided for that: an array that is read in another shape is where it is,
// so that rows of 512 are read one after the other as rows of 16 are.
type placer struct {
	made map[*kernel.Value]*kernel.Value
	zero *kernel.Value
}

// placed are statements with such accesses, or the same if there are none. Those have the place along
// the last axis, and 0 along the others.
func placed(body []kernel.Stmt) []kernel.Stmt {
	body, _ = placedWith(body, nil)
	return body
}

// placedWith is placed of statements and of loops that may be done in the place of some of them.
func placedWith(body []kernel.Stmt, other map[*kernel.Value]*kernel.Loop) ([]kernel.Stmt, map[*kernel.Value]*kernel.Loop) {
	some := false
	kernel.Accesses(body, func(a kernel.Access) {
		_, ok := place(a)
		some = some || ok
	})
	if !some {
		return body, other
	}
	p := &placer{made: make(map[*kernel.Value]*kernel.Value), zero: kernel.NewBuilder(nil).Int(0)}
	out := make(map[*kernel.Value]*kernel.Loop, len(other))
	for v, l := range other {
		out[v] = p.body([]kernel.Stmt{l})[0].(*kernel.Loop)
	}
	return kernel.DropUnused(p.body(body)), out
}

func (p *placer) body(body []kernel.Stmt) []kernel.Stmt {
	return kernel.Rewrite(body, p.value, func(s kernel.Stmt) []kernel.Stmt {
		switch old := s.(type) {
		case *kernel.Let:
			return []kernel.Stmt{&kernel.Let{Value: p.value(old.Value)}}
		case *kernel.Store:
			copied := *old
			copied.Access, copied.Value = p.access(old.Access), p.value(old.Value)
			return []kernel.Stmt{&copied}
		}
		return []kernel.Stmt{s}
	})
}

// place is where an access is, if less is divided for that.
func place(a kernel.Access) (at *kernel.Value, ok bool) {
	if a.Checked || len(a.At) < 2 || !a.Divided() {
		return nil, false
	}
	at = kernel.NewBuilder(nil).Ravel(a.At, a.Array.Shape)
	return at, divisions(at) < divisions(a.At...)
}

// divisions is how many quotients and remainders integers are sums of.
func divisions(of ...*kernel.Value) int {
	all := make(map[*kernel.Value]bool)
	for _, x := range of {
		for _, v := range kernel.FormOf(x).Args {
			if v.Kind == kernel.Compute && (v.Op == ops.SymIdiv || v.Op == ops.SymMod) {
				all[v] = true
			}
		}
	}
	return len(all)
}

// access is an access of that kind.
func (p *placer) access(a kernel.Access) kernel.Access {
	if at, ok := place(a); ok {
		a.At = append(slices.Repeat([]*kernel.Value{p.zero}, len(a.At)-1), p.value(at))
	} else {
		a.At = slice.Map(a.At, p.value)
	}
	return a
}

// value is a value with such accesses.
func (p *placer) value(v *kernel.Value) *kernel.Value {
	return memo.Of(p.made, v, func() *kernel.Value {
		w := v.MapArgs(p.value)
		if a := p.access(v.Access); !slices.Equal(a.At, w.At) {
			copied := *w
			copied.Access, w = a, &copied
		}
		return w
	})
}
