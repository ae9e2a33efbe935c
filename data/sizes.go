package data

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"egad/diag"
	"egad/term/size"
)

// told is the value of a size and who told it.
type told struct {
	value int64
	by    string
}

// sizesIn are the sizes that are given, and those in files with several inputs.
func (b *binder) sizesIn(given map[string]int64) map[string]told {
	out := make(map[string]told)
	for name, n := range given {
		out[name] = told{n, "as given"}
	}
	for _, name := range b.info.Sizes {
		raw := b.in.Get(name)
		if _, ok := given[name]; ok || raw == nil || !b.in.spare[name] {
			continue
		}
		n, whole := int64(0), raw.val.kind == numeric && len(raw.val.shape) == 0
		if whole {
			n, whole = raw.val.nums.integer(raw.val.from)
		}
		if !whole || n < 0 {
			b.add(raw.errorAt(raw.Pos, "%s is a size, so that a whole number that is not negative is expected, and this is %s", name, clip(raw.text())))
			continue
		}
		out[name] = told{n, "(" + raw.place() + ")"}
	}
	return out
}

// solve finds the sizes of the definition from the leaves and checks the axes of
// all leaves; what does not fit goes to the findings.
func (b *binder) solve(given map[string]told) map[string]int64 {
	sizes := make(map[string]told)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(b.info.Sizes, name) {
			b.errs.Add(nil, 0, "%s has no size %s%s", b.info.Name, name, diag.DidYouMean(name, b.info.Sizes))
			continue
		}
		if given[name].value < 0 {
			b.errs.Add(nil, 0, "the size %s is given as %d, and a size cannot be negative", name, given[name].value)
			continue
		}
		sizes[name] = given[name]
	}
	b.tell(sizes)
	known := make(map[string]int64, len(sizes))
	for name, t := range sizes {
		known[name] = t.value
	}
	b.missingSizes(known)
	for _, l := range b.leaves {
		if l.absent {
			continue
		}
		for axis := range l.typ.Rank() {
			b.checkAxis(l, axis, sizes, known)
		}
	}
	return known
}

// tell adds the sizes that the leaves tell, and reports those that are told differently.
func (b *binder) tell(sizes map[string]told) {
	var axes []size.Axis
	var at []place
	for _, l := range b.leaves {
		for axis, n := range l.shape {
			axes = append(axes, size.Axis{Declared: l.typ.Shape[axis], Is: size.Const(int64(n))})
			at = append(at, place{l, axis})
		}
	}
	axes = append(axes, b.info.Equations...)
	is := make(map[string]size.Size)
	for name, t := range sizes {
		is[name] = size.Const(t.value)
	}
	for name, i := range size.Tell(axes, is) {
		n, _ := is[name].Const()
		by := "by a condition"
		if i < len(at) {
			by = at[i].by()
		}
		sizes[name] = told{n, by}
	}
	for i, p := range at {
		name, alone := axes[i].Declared.Var()
		if t, ok := sizes[name]; alone && ok && t.value != int64(p.leaf.shape[p.axis]) {
			b.add(p.leaf.errorf("%s is %d %s and %d %s", name, t.value, t.by, p.leaf.shape[p.axis], p.by()))
		}
	}
	for _, name := range b.info.Sizes {
		if _, ok := is[name]; ok {
			continue
		}
		if i := size.Misfit(axes[:len(at)], is, name); i >= 0 {
			l, form := at[i].leaf, axes[i].Declared
			b.add(l.errorf("axis %d of %s: %s has length %d, which %s is for no size %s%s", at[i].axis, l.name, l.typ, l.shape[at[i].axis], form, name, reasons(form, sizes)))
		}
	}
}

// place is an axis of a leaf.
type place struct {
	leaf *leaf
	axis int
}

func (p place) by() string { return fmt.Sprintf("by %s (axis %d)", p.leaf.name, p.axis) }

// reasons says what is known of the names in a size, and by what.
func reasons(s size.Size, sizes map[string]told) string {
	var out []string
	for _, v := range s.Vars() {
		if t, ok := sizes[v]; ok {
			out = append(out, fmt.Sprintf("%s is %d %s", v, t.value, t.by))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return ", as " + strings.Join(out, " and ")
}

// missingSizes reports sizes that nothing tells. It says nothing if there is
// another finding, which may be the reason.
func (b *binder) missingSizes(known map[string]int64) {
	if len(b.errs) > 0 {
		return
	}
	for _, name := range b.info.Sizes {
		if _, ok := known[name]; ok {
			continue
		}
		at := slices.IndexFunc(b.leaves, func(l *leaf) bool {
			return slices.ContainsFunc(l.typ.Shape[len(l.shape):], func(s size.Size) bool { return slices.Contains(s.Vars(), name) })
		})
		if at < 0 {
			which := ""
			if b.some {
				which = " that is given"
			}
			b.errs.Add(nil, 0, "the size %s of %s is not known: no input%s has it as an axis; give its value", name, b.info.Name, which)
			continue
		}
		l := b.leaves[at]
		b.add(l.errorf("the size %s of %s is not known: %s: %s is empty and does not tell it; give its value", name, b.info.Name, l.name, l.typ))
	}
}

// checkAxis compares an axis that is not a size by itself with what was read.
func (b *binder) checkAxis(l *leaf, axis int, sizes map[string]told, known map[string]int64) {
	size := l.typ.Shape[axis]
	if _, ok := size.Var(); ok {
		return
	}
	for _, v := range size.Vars() {
		if _, ok := sizes[v]; !ok {
			return // reported as missing
		}
	}
	with := reasons(size, sizes)
	want, err := size.Eval(known)
	switch {
	case err != nil:
		b.add(l.errorf("axis %d of %s: %s: %v%s", axis, l.name, l.typ, err, with))
	case axis < len(l.shape) && want != int64(l.shape[axis]):
		text := size.String()
		if with != "" {
			text = fmt.Sprintf("%s = %d", text, want)
		}
		b.add(l.errorf("axis %d of %s: %s has length %s%s; here it is %d", axis, l.name, l.typ, text, with, l.shape[axis]))
	}
}
