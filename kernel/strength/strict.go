package strength

import (
	"slices"

	"egad/kernel"
	"egad/term/ops"
	"egad/term/types"
)

// strict is a kernel whose sums leave out what they have to, as what else is folded with them does, or itself if
// there is none.
func strict(k *kernel.Kernel, exact bool) *kernel.Kernel {
	isStrict := func(o kernel.Only) bool { return o.Strict }
	if exact || !kernel.Any(k.Body, func(l *kernel.Loop) bool { return slices.ContainsFunc(l.Only, isStrict) }) {
		return k
	}
	out := k.With(kernel.Clone(k.Body))
	for l := range kernel.All[*kernel.Loop](out.Body) {
		zero := kernel.NewBuilder(nil).Int(0)
		do := func(v *kernel.Value) *kernel.Value {
			l.Body = append(l.Body, &kernel.Let{Value: v})
			return v
		}
		for _, o := range l.Only {
			if !o.Strict {
				continue
			}
			in := do(&kernel.Value{Kind: kernel.Compute, Elem: types.B, Op: ops.SymLt, Args: []*kernel.Value{o.Less, zero}, Range: ops.AnyInt})
			for i, f := range l.Folds {
				out := kernel.NewBuilder(nil).Lit(f.Neutral())
				l.Folds[i].Value = do(&kernel.Value{Kind: kernel.Compute, Elem: f.Value.Elem, Op: ops.SymWhere, Args: []*kernel.Value{in, f.Value, out}, Range: f.Value.Range.Join(out.Range)})
			}
		}
	}
	return out
}
