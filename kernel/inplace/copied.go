package inplace

import (
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/schedule"
	"egad/kernel/sparsity"
	"egad/term/types"
)

// CopyStates has states of which all are kept, and which differ from the state before at some places only, be
// copies of that, in which these are changed then, where an estimate says that it takes less time:
//
//	t[j] := where (a < j) x s[j]
//
// is first t[j] := s[j], and then where (a < j) x t[j], of which only some runs are done.
func CopyStates(s *kernel.Steps, w *cost.Weights) {
	for n, result := range s.Step.Result.Arrays() {
		in, at := s.State(n), kernel.Writer(s.Step.Kernels, result)
		if in == nil || !s.All[n] || result.Role != kernel.Temp || at < 0 {
			continue
		}
		k := s.Step.Kernels[at]
		ks := copying(k, in, result)
		if ks == nil {
			continue
		}
		b, time := sparsity.NewBounder(), 0.0
		for _, x := range ks {
			body := b.Note(kernel.Clone(x.Body))
			time += schedule.Cost(w, body)
		}
		if time < schedule.Cost(w, k.Body)*(1-schedule.Unsure) {
			s.Step.Kernels = append(s.Step.Kernels[:at:at], append(ks, s.Step.Kernels[at+1:]...)...)
		}
	}
}

// copying are kernels that do what one does: the first copies an array, and the others change the copy;
// or nil.
func copying(k *kernel.Kernel, in, result *kernel.Array) []*kernel.Kernel {
	made := wholeStore(k)
	if made == nil || made.Array != result || made.Value.Elem != types.R {
		return nil
	}
	old := load(k, kernel.Access{Array: in, At: made.At})
	if old == nil {
		return nil
	}
	out := []*kernel.Kernel{{Body: storingOf(k.Body, old)}}
	for _, v := range places(sparsity.NewBounder(), made.Value, old, maxSplit) {
		out = append(out, going(k, v, old, result))
	}
	if len(out) == 1 {
		return nil
	}
	return out
}

// copies reports whether an array is a copy that is changed.
func copies(p *kernel.Program, a *kernel.Array) bool {
	n := 0
	for _, k := range p.Kernels {
		if s := onlyStore(k); s != nil && s.Array == a && !s.Add {
			n++
		}
	}
	return n > 1
}
