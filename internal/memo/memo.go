// Package memo remembers what was made.
package memo

// Get is what known has for a key, or else what make gives, which known has then. An error
// is not remembered.
func Get[K comparable, V any](known map[K]V, key K, make func() (V, error)) (V, error) {
	v, ok := known[key]
	if ok {
		return v, nil
	}
	v, err := make()
	if err == nil {
		known[key] = v
	}
	return v, err
}

// Of is [Get] of what is always made.
func Of[K comparable, V any](known map[K]V, key K, make func() V) V {
	v, ok := known[key]
	if !ok {
		v = make()
		known[key] = v
	}
	return v
}

// Place is where the list has what belongs to a key; x is put at its end for a key that has no place.
func Place[K comparable, X any](places map[K]int, list *[]X, key K, x X) int {
	return Of(places, key, func() int {
		*list = append(*list, x)
		return len(*list) - 1
	})
}

// Once makes a visitor, which calls f for each thing that it is given for the first time, with itself.
func Once[X comparable](f func(x X, visit func(X))) func(X) {
	seen := make(map[X]bool)
	var visit func(x X)
	visit = func(x X) {
		if !seen[x] {
			seen[x] = true
			f(x, visit)
		}
	}
	return visit
}

// Set sets what known has for a key; known is made if it is nil.
func Set[K comparable, V any](known *map[K]V, key K, v V) {
	if *known == nil {
		*known = make(map[K]V)
	}
	(*known)[key] = v
}
