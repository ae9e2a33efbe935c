package rules

import (
	"slices"

	"egad/term"
	"egad/term/numeric"
	"egad/term/ops"
)

// Numbers lists the literals and the constant sizes that a rule speaks of: in its sides, in its
// conditions, and in what its operators mean.
func (r *Rule) Numbers(sig *term.Signature) (out []numeric.Num) {
	var attrs []*AttrExpr
	for _, c := range slices.Concat(r.Conds, r.Assumes) {
		attrs = append(attrs, c.A, c.B)
	}
	var met []ops.Sym
	operator := func(s ops.Sym) {
		if d := sig.Operator(s).Declared; d != nil && !slices.Contains(met, s) {
			met, out = append(met, s), append(out, sig.Numbers(d)...)
		}
	}
	for q := range r.All() {
		switch {
		case q.Kind == PNumber:
			out = append(out, q.Value)
		case q.Kind == PMeant:
			operator(q.Meant.As)
		case q.Kind == PApp && q.Sym != ops.SymNone:
			operator(q.Sym)
		}
		attrs = append(append(attrs, q.Attrs.Exprs()...), q.Lit)
	}
	for ; len(attrs) > 0; attrs = attrs[1:] {
		a := attrs[0]
		if a == nil {
			continue
		}
		switch k, is := a.Size.Const(); {
		case a.Kind == ASize && is:
			out = append(out, numeric.Int(k))
		case a.Kind == AInt:
			out = append(out, numeric.Int(int64(a.Int)))
		case a.Kind == ALit:
			out = append(out, a.Lit)
		}
		attrs = append(attrs, a.Args...)
	}
	return out
}

// Meaningless returns a relation without a meaning that a rule mentions, nil if there is none.
func (r *Rule) Meaningless(sig *term.Signature) *ops.Declared {
	for p := range r.All() {
		if p.Kind != PApp || p.Name != "" {
			continue
		}
		if d := sig.Operator(p.Sym).Declared; d != nil && d.Meaningless() {
			return d
		}
	}
	return nil
}
