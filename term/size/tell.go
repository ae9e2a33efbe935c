package size

import (
	"maps"
	"slices"
)

// Axis is the size that an axis is declared with, and the one that it has.
type Axis struct{ Declared, Is Size }

// Tell adds to sizes those that axes tell, and returns which axis told each. An axis
// tells the one size in its declaration that is not known yet if it is that size alone, or
// a whole number of times that and sizes that are known: n, r + 1, 2*m, or h*e where the
// value of h is known. What stands alone goes first. No axis is checked.
func Tell(axes []Axis, sizes map[string]Size) (by map[string]int) {
	by = make(map[string]int)
	tell := func(i int) bool {
		name, n, fits := axes[i].tells(sizes)
		if fits {
			sizes[name], by[name] = n, i
		}
		return fits
	}
	left := false
	for i, a := range axes {
		if _, alone := a.Declared.Var(); alone {
			tell(i)
		} else if _, known := a.Declared.Const(); !known {
			left = true
		}
	}
	for left {
		left = false
		for i := range axes {
			left = tell(i) || left
		}
	}
	return by
}

// Misfit is the first axis that would tell a size which is not known, if it were so for any,
// or -1.
func Misfit(axes []Axis, sizes map[string]Size, name string) int {
	return slices.IndexFunc(axes, func(a Axis) bool {
		of, _, fits := a.tells(sizes)
		return of == name && !fits
	})
}

// tells is the size that an axis tells, "" if none, and its value, if there is a whole
// number for it that is not negative.
func (a Axis) tells(sizes map[string]Size) (name string, n Size, fits bool) {
	for _, v := range a.Declared.Vars() {
		if _, known := sizes[v]; !known {
			if name != "" {
				return "", Size{}, false
			}
			name = v
		}
	}
	times, rest, ok := a.Declared.linear(name)
	if !ok { // it may be so many times the size by the value of another
		times, rest, ok = a.Declared.Subst(constants(sizes)).linear(name)
	}
	if !ok || times < 1 {
		return "", Size{}, false
	}
	n = a.Is.Sub(rest.Subst(sizes))
	if times > 1 {
		all, by := n, Const(times)
		n, _ = all.FloorDiv(by)
		if !n.Mul(by).Equal(all) {
			return name, n, false
		}
	}
	c, whole := n.Const()
	return name, n, whole && c >= 0 || !whole && len(n.Vars()) > 0
}

// constants are the sizes of which the value is known.
func constants(sizes map[string]Size) map[string]Size {
	out := maps.Clone(sizes)
	maps.DeleteFunc(out, func(_ string, n Size) bool { _, known := n.Const(); return !known })
	return out
}
