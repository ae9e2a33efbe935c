package schedule

import "egad/kernel"

// parted is the loop of a kernel that goroutines may share: the only one that is not in
// another one, if its runs may go in any order and there is enough to do.
func (s *Schedule) parted(least float64) *kernel.Loop {
	if s.time < least || len(s.Body) == 0 {
		return nil
	}
	for _, t := range s.Body[:len(s.Body)-1] {
		if !kernel.IsLet(t) {
			return nil
		}
	}
	l, ok := s.Body[len(s.Body)-1].(*kernel.Loop)
	if !ok || l.Order != kernel.Parallel && l.Order != kernel.Parts || l.N < 2*s.Step(l) {
		return nil
	}
	return l
}

// Step is how many runs of a loop are done together.
func (s *Schedule) Step(l *kernel.Loop) int {
	c := s.Contracted[l]
	switch {
	case c == nil:
		return max(1, 2*s.Lanes[l]*max(1, s.Often[l]), s.Rows[l])
	case len(c.Rows) == 1 && c.Rows[0] == l:
		return tileRows
	case len(c.Columns) == 1 && c.Columns[0] == l:
		return tileColumns
	}
	return 1
}
