// Package set makes sets: maps to true.
package set

// Of is the set of some elements. The result is not nil.
func Of[X comparable](xs ...X) map[X]bool {
	s := make(map[X]bool)
	Add(s, xs...)
	return s
}

// Add puts elements into a set.
func Add[X comparable](s map[X]bool, xs ...X) {
	for _, x := range xs {
		s[x] = true
	}
}
