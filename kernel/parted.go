package kernel

// parted is the loop of a kernel that goroutines may share: the only one that is not in
// another one, if its runs may go in any order and there is enough to do.
func (s *schedule) parted(least float64) *Loop {
	if s.time < least || len(s.body) == 0 {
		return nil
	}
	for _, t := range s.body[:len(s.body)-1] {
		if !isLet(t) {
			return nil
		}
	}
	l, ok := s.body[len(s.body)-1].(*Loop)
	if !ok || l.Order != Parallel && l.Order != Parts || l.N < 2*s.step(l) {
		return nil
	}
	return l
}

// step is how many runs of a loop are done together.
func (s *schedule) step(l *Loop) int {
	return max(1, 2*s.lanes[l]*max(1, s.often[l]), s.rows[l])
}
