package kernel

import (
	"slices"

	"egad/internal/set"
)

// RemoveCopies removes kernels that only copy a computed array or an input to an
// array of the same shape, which is then the array that was copied, and tells which
// array became which. There are some because a result is kept in memory, whatever it
// is. The states of a loop are no copies of what it begins with.
func (p *Program) RemoveCopies() map[*Array]*Array {
	same := make(map[*Array]*Array)
	stepped := make(map[*Array]bool)
	for _, k := range p.Kernels {
		if k.Steps != nil {
			set.Add(stepped, k.Steps.States...)
		}
	}
	p.Kernels = slices.DeleteFunc(p.Kernels, func(k *Kernel) bool {
		if k.Steps != nil {
			k.Steps.replace(same)
			return false
		}
		Walk(k.Body, func(s Stmt) {
			switch s := s.(type) {
			case *Let:
				if a, ok := same[s.Value.Array]; ok && s.Value.Kind == Load {
					s.Value.Array = a
				}
			case *Call:
				for i, a := range s.Args {
					if b, ok := same[a]; ok {
						s.Args[i] = b
					}
				}
			}
		})
		from, to, ok := k.copies()
		if ok = ok && !stepped[to]; ok {
			same[to] = from
		}
		return ok
	})
	p.Arrays = slices.DeleteFunc(p.Arrays, func(a *Array) bool { return same[a] != nil })
	p.Result.replace(same)
	return same
}

// replace reads copied arrays in the place of copies.
func (s *Steps) replace(same map[*Array]*Array) {
	if a, ok := same[s.Count]; ok {
		s.Count = a
	}
	for i, in := range s.Inputs {
		if a, ok := same[in.Array]; ok {
			s.Inputs[i].Array = a
		}
	}
}

func (r *Result) replace(same map[*Array]*Array) {
	if a, ok := same[r.Array]; ok {
		r.Array = a
	}
	for i := range r.Parts {
		r.Parts[i].replace(same)
	}
}

// copies reports whether the kernel is a copy of all of an array to another.
func (k *Kernel) copies() (from, to *Array, ok bool) {
	var vars []*Value
	body := k.Body
	for len(body) == 1 {
		l, loop := body[0].(*Loop)
		if !loop || l.Order != Parallel {
			return nil, nil, false
		}
		vars, body = append(vars, l.Var), l.Body
	}
	if len(body) != 2 {
		return nil, nil, false
	}
	let, ok1 := body[0].(*Let)
	st, ok2 := body[1].(*Store)
	if !ok1 || !ok2 || st.Value != let.Value || let.Value.Kind != Load {
		return nil, nil, false
	}
	from, to = let.Value.Array, st.Array
	ok = !st.Add && from.Role != Literal && slices.Equal(from.Shape, to.Shape) &&
		slices.Equal(let.Value.At, vars) && slices.Equal(st.At, vars)
	return from, to, ok
}
