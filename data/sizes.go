package data

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"egad/diag"
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
	for _, l := range b.leaves {
		for axis, n := range l.shape {
			name, ok := l.typ.Shape[axis].Var()
			if !ok {
				continue
			}
			t := told{int64(n), fmt.Sprintf("by %s (axis %d)", l.name, axis)}
			if old, ok := sizes[name]; !ok {
				sizes[name] = t
			} else if old.value != t.value {
				b.add(l.errorf("%s is %d %s and %d %s", name, old.value, old.by, t.value, t.by))
			}
		}
	}
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
			for _, s := range l.typ.Shape[len(l.shape):] {
				if v, ok := s.Var(); ok && v == name {
					return true
				}
			}
			return false
		})
		if at < 0 {
			b.errs.Add(nil, 0, "the size %s of %s is not known: no input has it as an axis; give its value", name, b.info.Name)
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
	var reasons []string
	for _, v := range size.Vars() {
		t, ok := sizes[v]
		if !ok {
			return // reported as missing
		}
		reasons = append(reasons, fmt.Sprintf("%s is %d %s", v, t.value, t.by))
	}
	with := ""
	if len(reasons) > 0 {
		with = ", as " + strings.Join(reasons, " and ")
	}
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
