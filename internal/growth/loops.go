package growth

import "egad/kernel"

// size counts the statements of kernels, and how often they are run in all.
func size(body []kernel.Stmt, runs int64) (statements int, evaluations int64) {
	for _, s := range body {
		statements++
		evaluations += runs
		if l, ok := s.(*kernel.Loop); ok {
			n, m := size(l.Body, runs*int64(l.N))
			statements, evaluations = statements+n, evaluations+m
		}
	}
	return statements, evaluations
}
