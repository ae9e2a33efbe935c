package schedule

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
)

// maxWritten bounds how many values the instructions compute of a loop of which each run is written for itself.
const maxWritten = 2048

// write finds the loops of few runs of which each is written for itself, as their indices alone tell how often
// short loops in them run, such as sums over rows of a triangle: to ask that for each would take about as long as
// they do.
func (s *Schedule) write(body []kernel.Stmt, exact bool) {
	for _, l := range kernel.Among[*kernel.Loop](body) {
		if l.Order == kernel.Parallel && len(l.Only) == 0 && s.Lanes[l] == 0 && s.few(l, exact) {
			s.Written[l] = true
		} else {
			s.write(l.Body, exact)
		}
	}
}

// few reports whether the index of a loop tells how often loops in it run, and few values are computed in all.
func (s *Schedule) few(l *kernel.Loop, exact bool) bool {
	lines := max(1, s.Rows[l])
	values, told := 0, false
	var count func(body []kernel.Stmt, at, times int)
	count = func(body []kernel.Stmt, at, times int) {
		for _, t := range body {
			in, ok := t.(*kernel.Loop)
			if !ok {
				values += times
				continue
			}
			if lanes := s.Lanes[in]; lanes > 0 || !in.Innermost() {
				ways := 1
				if lanes > 0 {
					ways = slice.Sum(slices.Collect(Ways(in, lanes, 0)), func(t Together) int { return max(1, t.Vectors) })
				}
				count(in.Body, at, times*ways)
				continue
			}
			from, to := 0, in.N
			if !in.Sure() {
				from, to = Span(in.N, All(in, exact), func(v *kernel.Value) (least, most int64, ok bool) {
					return int64(at), int64(at + lines - 1), v == l.Var
				})
			}
			told = told || to-from < in.N
			values += (to - from) * len(in.Body) * times
		}
	}
	for at := 0; at < l.N && values <= maxWritten; at += lines {
		count(l.Body, at, lines)
	}
	return told && values <= maxWritten
}
