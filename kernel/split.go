package kernel

import (
	"slices"

	"egad/term"
)

// maxSplit is how many kernels make a state, at most.
const maxSplit = 4

// split has several kernels make a result of a step that is the state before but for elements
// at several places, one for each, so that each does the runs for its own where the result lies in
// the place of the state:
//
//	t[j] := where (j == a) x (where (j == b) y s[j])
//
// is first where (j == a) x s[j], and then where (j == a) t[j] (where (j == b) y t[j]).
func (s *Steps) split() {
	p := s.Step
	for in, result := range s.lastOnly() {
		at := writer(p.Kernels, result)
		if at < 0 || !p.Kernels[at].elementByElement(in, result) {
			continue
		}
		ks := []*Kernel{p.Kernels[at]}
		for len(ks) < maxSplit {
			first, rest := ks[len(ks)-1].split(in, result)
			if rest == nil {
				break
			}
			ks = append(ks[:len(ks)-1], first, rest)
		}
		p.Kernels = slices.Replace(p.Kernels, at, at+1, ks...)
	}
}

// split is a kernel as one that makes the outermost choice of its value that changes an element,
// and one that makes the others in what that has made; rest is nil if there is one choice only.
func (k *Kernel) split(in, result *Array) (first, rest *Kernel) {
	made := k.onlyStore()
	var old []*Value // what is loaded of the state
	walk(k.Body, func(s Stmt) {
		if s, ok := s.(*Let); ok && s.Value.Kind == Load && (s.Value.Array == in || s.Value.Array == result) {
			old = append(old, s.Value)
		}
	})
	if made == nil || len(old) != 1 || !slices.Equal(old[0].At, made.At) {
		return nil, nil
	}
	choice := made.Value
	for choice.Op == term.SymWhere && choice.Args[1] == old[0] {
		choice = choice.Args[2]
	}
	if choice.Op != term.SymWhere || choice.Args[2].Op != term.SymWhere || len(holds(choice.Args[0], true)) == 0 || len(holds(choice.Args[2].Args[0], true)) == 0 {
		return nil, nil
	}
	now := *old[0]
	now.Array = result
	return k.choosing(choice, old[0], old[0], false), k.choosing(choice, old[0], &now, true)
}

// choosing is a kernel in which a choice is between its first operand and what is there, or that and
// its second one: is, which is loaded instead of old.
func (k *Kernel) choosing(choice, old, is *Value, second bool) *Kernel {
	made := map[*Value]*Value{old: is}
	var f func(v *Value) *Value
	f = func(v *Value) *Value {
		w, ok := made[v]
		switch {
		case ok:
			return w
		case v != choice:
			w = v.remade(f)
		default:
			copied := *v
			if w = &copied; second {
				w.Args = []*Value{f(v.Args[0]), is, f(v.Args[2])}
			} else {
				w.Args = []*Value{v.Args[0], v.Args[1], is}
			}
		}
		made[v] = w
		return w
	}
	return &Kernel{Body: live(remade(cloned(k.Body), make(map[*Value]bool), f))}
}

// cloned are statements with loops of their own.
func cloned(body []Stmt) []Stmt {
	out := slices.Clone(body)
	for i, s := range out {
		if l, ok := s.(*Loop); ok {
			l := *l
			l.Body, l.Folds, l.Carries, l.Only = cloned(l.Body), slices.Clone(l.Folds), slices.Clone(l.Carries), slices.Clone(l.Only)
			out[i] = &l
		}
	}
	return out
}
