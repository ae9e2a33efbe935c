package typing

import (
	"egad/internal/slice"
	"egad/rules"
	"egad/term"
)

// At returns the instance with its size symbols replaced. It is false if a size is
// negative or fractional, or shapes that must have equally many elements do not.
func (in *Instance) At(sizes map[string]term.Size) (*Instance, bool) {
	ok := true
	out := in.subst(sizes, func(s term.Size) {
		if c, is := s.Const(); !is || c < 0 {
			ok = false
		}
	})
	for _, p := range out.Products {
		ok = ok && term.Product(p[0]).Equal(term.Product(p[1]))
	}
	return out, ok && out.solveLiterals()
}

// subst is the instance with its size symbols replaced. It calls see for each size.
func (in *Instance) subst(sizes map[string]term.Size, see func(term.Size)) *Instance {
	fix := func(ss []term.Size) []term.Size {
		out := term.SubstSizes(ss, sizes)
		for _, s := range out {
			see(s)
		}
		return out
	}
	var fixType func(t *term.Type) *term.Type
	fixType = func(t *term.Type) *term.Type {
		if t == nil {
			return nil
		}
		out := *t
		out.Shape = fix(t.Shape)
		out.Parts = slice.Map(t.Parts, fixType)
		return &out
	}
	out := &Instance{
		Rule: in.Rule, sig: in.sig, binders: mapped(in.binders, fix), states: mapped(in.states, fixType),
		Left: rules.Left{Lets: mapped(in.Lets, fixType), Types: mapped(in.Types, fixType), Ops: mapped(in.Ops, func(op term.Op) term.Op {
			op.Sizes, op.Targets = fix(op.Sizes), fix(op.Targets)
			op.Type, op.Type2 = fixType(op.Type), fixType(op.Type2)
			return op
		})},
	}
	for _, t := range in.Terms {
		t.Type = fixType(t.Type)
		out.Terms = append(out.Terms, t)
	}
	for _, a := range in.attrs {
		a.Sizes, a.Type = fix(a.Sizes), fixType(a.Type)
		out.attrs = append(out.attrs, a)
	}
	out.literals = append(out.literals, slice.Map(in.literals, fixType)...)
	for _, p := range in.Products {
		out.Products = append(out.Products, [2][]term.Size{fix(p[0]), fix(p[1])})
	}
	return out
}

// mapped is a map with other values.
func mapped[K comparable, V any](m map[K]V, f func(V) V) map[K]V {
	out := make(map[K]V, len(m))
	for k, v := range m {
		out[k] = f(v)
	}
	return out
}
