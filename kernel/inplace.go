package kernel

import "slices"

// inPlace reports whether the result of a step may lie where the part of the state before
// lies that is its input in: kernels read an element of that for the last time before they
// write the same one of the result. Cleared are the arrays that are cleared before each.
func (p *Program) inPlace(in, result *Array, cleared [][]*Array) bool {
	switch {
	case in == nil:
		return true
	case slices.Contains(p.Result.Arrays(), in): // which is kept then
		return false
	}
	written := false
	for i, k := range p.Kernels {
		reads, writes := slices.Contains(k.Reads(), in), slices.Contains(k.Writes(), result)
		if reads && (written || writes && (slices.Contains(cleared[i], result) || !k.elementByElement(in, result))) {
			return false
		}
		written = written || writes
	}
	return true
}

// elementByElement reports whether k reads elements of one array only to make the same ones
// of another of them, each before that.
func (k *Kernel) elementByElement(in, result *Array) bool {
	var body []Stmt // where both are
	var at []*Value // the variables of the loops around
	places := 0
	var find func(stmts []Stmt, vars []*Value)
	find = func(stmts []Stmt, vars []*Value) {
		here := false
		for _, s := range stmts {
			switch s := s.(type) {
			case *Let:
				here = here || s.Value.Kind == Load && s.Value.Array == in
			case *Store:
				here = here || s.Array == result
			case *Loop:
				find(s.Body, append(vars[:len(vars):len(vars)], s.Var))
			}
		}
		if here {
			places++
			body, at = stmts, vars
		}
	}
	find(k.Body, nil)
	if places != 1 || k.calls() {
		return false
	}
	var first []*Value // the indices
	own := func(a Access) bool {
		if first == nil {
			first = a.At
		}
		return !a.Checked && len(a.At) == len(at) && slices.Equal(a.At, first) && !slices.ContainsFunc(at, func(v *Value) bool { return !slices.Contains(a.At, v) })
	}
	read := make(map[*Value]bool)
	written, ok := false, true
	walk(body, func(s Stmt) {
		var uses []*Value
		switch s := s.(type) {
		case *Let:
			uses = slices.Concat(s.Value.Args, s.Value.At)
			if s.Value.Kind == Load && s.Value.Array == in {
				ok = ok && !written && own(s.Value.Access)
				read[s.Value] = true
			}
		case *Store:
			uses = append(slices.Clone(s.At), s.Value)
		case *Loop:
			for _, f := range s.Folds {
				uses = append(uses, f.Value, f.From)
			}
		}
		ok = ok && !(written && slices.ContainsFunc(uses, func(v *Value) bool { return read[v] }))
		if s, isStore := s.(*Store); isStore && s.Array == result {
			ok = ok && !written && !s.Add && own(s.Access)
			written = true
		}
	})
	return ok && written
}
