// Package slice makes slices by functions.
package slice

import (
	"fmt"
	"slices"
	"strings"
)

// Map lists what f makes of each element of xs. The result is not nil.
func Map[X, Y any](xs []X, f func(X) Y) []Y {
	out := make([]Y, len(xs))
	for i, x := range xs {
		out[i] = f(x)
	}
	return out
}

// Make lists f(0) to f(n-1). The result is not nil.
func Make[N int | int64, Y any](n N, f func(i int) Y) []Y {
	out := make([]Y, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

// Try is [Map] of a function that can fail. The first error ends it.
func Try[X, Y any](xs []X, f func(X) (Y, error)) ([]Y, error) {
	out := make([]Y, len(xs))
	for i, x := range xs {
		var err error
		if out[i], err = f(x); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Each gives the elements of xs one after the other; it is false when there are no more.
func Each[X any](xs []X) func() (any, bool) {
	return func() (any, bool) {
		if len(xs) == 0 {
			return nil, false
		}
		x := xs[0]
		xs = xs[1:]
		return x, true
	}
}

// Index is where element number i of an array is, of a shape.
func Index(shape []int, i int) []int {
	ix := make([]int, len(shape))
	for k := len(shape) - 1; k >= 0; k-- {
		ix[k], i = i%shape[k], i/shape[k]
	}
	return ix
}

// Sum adds what f gives for the elements of xs.
func Sum[X any, N int | int64 | float64](xs []X, f func(X) N) (sum N) {
	for _, x := range xs {
		sum += f(x)
	}
	return sum
}

// Filter lists the elements of xs that keep holds of; nil if there are none.
func Filter[X any](xs []X, keep func(X) bool) (out []X) {
	for _, x := range xs {
		if keep(x) {
			out = append(out, x)
		}
	}
	return out
}

// Product multiplies the sizes of axes.
func Product(shape []int) int {
	n := 1
	for _, k := range shape {
		n *= k
	}
	return n
}

// With is xs with x at its end, unless x is in it.
func With[X comparable](xs []X, x X) []X {
	if slices.Contains(xs, x) {
		return xs
	}
	return append(xs, x)
}

// Count lists the whole numbers from one up to below another.
func Count(from, to int) []int { return Make(max(to-from, 0), func(i int) int { return from + i }) }

// At returns what stands at some places.
func At[X any](xs []X, places []int) []X {
	return Map(places, func(k int) X { return xs[k] })
}

// Strided copies to to what stands at from[i], from[i+step], ….
func Strided[X any](to, from []X, i, step int) {
	if step == 1 {
		copy(to, from[i:])
		return
	}
	for k := range to {
		to[k] = from[i]
		i += step
	}
}

// Text prints a list of numbers, "[1, 0]".
func Text(ns []int) string { return strings.ReplaceAll(fmt.Sprint(ns), " ", ", ") }
