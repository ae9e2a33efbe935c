package kernel

import (
	"slices"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/term/ops"
)

// placer has what is in range accessed at its place in memory, in the place of an index of each axis,
// where less has to be divided for that: an array that is read in another shape is where it is,
// so that rows of 512 are read one after the other as rows of 16 are.
type placer struct {
	made map[*Value]*Value
	zero *Value
}

// placed are statements with such accesses, or the same if there are none. Those have the place along
// the last axis, and 0 along the others.
func placed(body []Stmt) []Stmt {
	body, _ = placedWith(body, nil)
	return body
}

// placedWith is placed of statements and of loops that may be done in the place of some of them.
func placedWith(body []Stmt, other map[*Value]*Loop) ([]Stmt, map[*Value]*Loop) {
	some := false
	Accesses(body, func(a Access) {
		_, ok := a.place()
		some = some || ok
	})
	if !some {
		return body, other
	}
	p := &placer{made: make(map[*Value]*Value), zero: NewBuilder(nil).Int(0)}
	out := make(map[*Value]*Loop, len(other))
	for v, l := range other {
		out[v] = p.body([]Stmt{l})[0].(*Loop)
	}
	return live(p.body(body)), out
}

func (p *placer) body(body []Stmt) []Stmt {
	return rewritten(body, p.value, func(s Stmt) []Stmt {
		switch old := s.(type) {
		case *Let:
			return []Stmt{&Let{p.value(old.Value)}}
		case *Store:
			copied := *old
			copied.Access, copied.Value = p.access(old.Access), p.value(old.Value)
			return []Stmt{&copied}
		}
		return []Stmt{s}
	})
}

// place is where an access is, if less is divided for that.
func (a Access) place() (at *Value, ok bool) {
	if a.Checked || len(a.At) < 2 || !a.divided() {
		return nil, false
	}
	at = NewBuilder(nil).Ravel(a.At, a.Array.Shape)
	return at, divisions(at) < divisions(a.At...)
}

// divisions is how many quotients and remainders integers are sums of.
func divisions(of ...*Value) int {
	all := make(map[*Value]bool)
	for _, x := range of {
		for _, v := range FormOf(x).Args {
			if v.Kind == Compute && (v.Op == ops.SymIdiv || v.Op == ops.SymMod) {
				all[v] = true
			}
		}
	}
	return len(all)
}

// access is an access of that kind.
func (p *placer) access(a Access) Access {
	if at, ok := a.place(); ok {
		a.At = append(slices.Repeat([]*Value{p.zero}, len(a.At)-1), p.value(at))
	} else {
		a.At = slice.Map(a.At, p.value)
	}
	return a
}

// value is a value with such accesses.
func (p *placer) value(v *Value) *Value {
	return memo.Of(p.made, v, func() *Value {
		w := v.remade(p.value)
		if a := p.access(v.Access); !slices.Equal(a.At, w.At) {
			copied := *w
			copied.Access, w = a, &copied
		}
		return w
	})
}
