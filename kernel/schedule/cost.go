package schedule

import (
	"egad/internal/set"
	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/sparsity"
)

// Cost estimates the time of statements, with that of the memory that they go through.
func Cost(w *cost.Weights, body []kernel.Stmt) float64 { return costWith(w, body, false) }

// costWith is Cost, where the host multiplies matrices if products is set.
func costWith(w *cost.Weights, body []kernel.Stmt, products bool) float64 {
	bound := sparsity.BoundSums(body)
	defer sparsity.Unbind(bound)
	here := set.Of(bound...)
	dropIdleLimits(body, func(l *kernel.Loop) bool { return here[l] }, make(map[*kernel.Value]int))
	return Total(body, w.Of[cost.Lane], w.Of[cost.Nest], func(nest []kernel.Stmt) float64 {
		multiplies := products && kernel.Any(nest, func(l *kernel.Loop) bool { return ContractionOf(l) != nil })
		return timeWith(w, nest, false, multiplies) + Traffic(w, nest)
	})
}

// Total adds up what statements take: one that is no loop, and nests of loops, to begin the
// first run of which takes some time too.
func Total(body []kernel.Stmt, one, begin float64, nest func([]kernel.Stmt) float64) float64 {
	t := 0.0
	for _, s := range body {
		switch l, ok := s.(*kernel.Loop); {
		case !ok:
			t += one
		case l.Order.Whole():
			t += begin + float64(l.N)*Total(l.Body, one, 0, nest)
		default:
			t += begin + nest([]kernel.Stmt{s})
		}
	}
	return t
}

// Traffic estimates the time that the memory takes through which a nest goes.
func Traffic(w *cost.Weights, nest []kernel.Stmt) float64 {
	loops := make(map[*kernel.Value]float64)
	touched := make(map[*kernel.Array]float64)
	var order []*kernel.Array
	note := func(a kernel.Access) {
		if touched[a.Array] == 0 {
			order = append(order, a.Array)
		}
		n := 1.0
		for v := range kernel.Needed(a.At...) {
			n *= max(1, loops[v])
		}
		touched[a.Array] = min(touched[a.Array]+n, float64(a.Array.Len()))
	}
	for s := range kernel.All[*kernel.Loop](nest) {
		loops[s.Var] = float64(s.N)
	}
	kernel.Accesses(nest, note)
	return slice.Sum(order, func(a *kernel.Array) float64 { return MemoryTime(w, touched[a]) })
}

// MemoryTime estimates the time that n elements take to come from memory.
func MemoryTime(w *cost.Weights, n float64) float64 {
	bytes := 8 * n
	switch {
	case bytes <= w.Of[cost.FirstBytes]:
		return bytes * w.Of[cost.First]
	case bytes <= w.Of[cost.SecondBytes]:
		return bytes * w.Of[cost.Second]
	}
	return bytes * w.Of[cost.Beyond]
}

// Costs estimates the time of kernels, as [Cost] does.
func Costs(w *cost.Weights, kernels []*kernel.Kernel) float64 {
	return slice.Sum(kernels, func(k *kernel.Kernel) float64 { return Cost(w, k.Body) })
}
