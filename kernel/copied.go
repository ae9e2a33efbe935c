package kernel

import "egad/term/types"

// copied has states of which all are kept, and which differ from the state before at some places only, be
// copies of that, in which these are changed then, where an estimate says that it takes less time:
//
//	t[j] := where (a < j) x s[j]
//
// is first t[j] := s[j], and then where (a < j) x t[j], of which only some runs are done.
func (s *Steps) copied(w *Weights) {
	for n, result := range s.Step.Result.Arrays() {
		in, at := s.State(n), writer(s.Step.Kernels, result)
		if in == nil || !s.All[n] || result.Role != Temp || at < 0 {
			continue
		}
		k := s.Step.Kernels[at]
		ks := k.copying(in, result)
		if ks == nil {
			continue
		}
		b, time := newBounder(), 0.0
		for _, x := range ks {
			body := b.note(cloned(x.Body))
			time += w.cost(body)
		}
		if time < w.cost(k.Body)*(1-unsure) {
			s.Step.Kernels = append(s.Step.Kernels[:at:at], append(ks, s.Step.Kernels[at+1:]...)...)
		}
	}
}

// copying are kernels that do what one does: the first copies an array, and the others change the copy;
// or nil.
func (k *Kernel) copying(in, result *Array) []*Kernel {
	made := k.wholeStore()
	if made == nil || made.Array != result || made.Value.Elem != types.R {
		return nil
	}
	old := k.load(Access{Array: in, At: made.At})
	if old == nil {
		return nil
	}
	out := []*Kernel{{Body: storingOf(k.Body, old)}}
	for _, v := range newBounder().places(made.Value, old, maxSplit) {
		out = append(out, k.going(v, old, result))
	}
	if len(out) == 1 {
		return nil
	}
	return out
}

// copies reports whether an array is a copy that is changed.
func (p *Program) copies(a *Array) bool {
	n := 0
	for _, k := range p.Kernels {
		if s := k.onlyStore(); s != nil && s.Array == a && !s.Add {
			n++
		}
	}
	return n > 1
}
