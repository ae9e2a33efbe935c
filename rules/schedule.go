package rules

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"egad/diag"
)

// Schedule says what rules are run on the e-graph of a program, how far, and what
// is taken from it then.
type Schedule struct {
	Name string
	Doc  string
	Src  *diag.Source
	Pos  diag.Pos // of the name, where the schedule is opened first
	Sets []string
	// Directed rules rewrite until none applies; the others saturate within limits.
	Directed bool
	// Limits of the iterations, the e-nodes and the matches, by "iterations", "nodes"
	// and "matches".
	Limits map[string]*Bound
	// Finite says that numbers are taken for finite, unless only exact rules are used.
	Finite bool
	// Grammar is the cost grammar by which a term is extracted.
	Grammar string
}

// Bound is a number that depends on the number n of e-nodes at the start, as
// 200 * min n 500 + 2000.
type Bound struct{ terms []boundTerm }

// boundTerm is a factor times n, of which at most so many count, or if that is 0 the
// factor alone.
type boundTerm struct{ factor, most int64 }

// At is the bound for n e-nodes at the start.
func (b *Bound) At(n int) int {
	if b == nil {
		return 0
	}
	sum := int64(0)
	for _, t := range b.terms {
		k := int64(1)
		if t.most > 0 {
			k = min(int64(n), t.most)
		}
		sum = min(sum+t.factor*k, maxBound) // a product has 60 bits at most
	}
	return int(sum)
}

// maxBound bounds limits, and the numbers in them.
const maxBound = 1 << 30

// limitWords are what a schedule may limit.
var limitWords = []string{"iterations", "nodes", "matches"}

// schedule reads a schedule, or more of one.
func (f *fileParser) schedule() {
	doc := f.p.Doc(f.p.Peek().Pos)
	f.p.Next()
	n := f.p.ExpectName("the name of the schedule")
	s := &Schedule{Name: n.Text, Doc: doc, Src: f.src, Pos: n.Pos, Limits: make(map[string]*Bound)}
	f.set = nil
	known := f.lib.Schedule(s.Name)
	if known == nil {
		known = f.base.Schedule(s.Name)
	}
	for !f.p.Ends() {
		switch word := f.p.Peek(); {
		case f.p.Accept("run"), f.p.Accept("saturate"):
			if len(s.Sets) == 0 {
				s.Directed = word.Text == "run"
			}
			if s.Directed != (word.Text == "run") || known != nil && len(known.Sets) > 0 && s.Directed != known.Directed {
				f.p.Fail(word.Pos, "the sets of a schedule are all run, or all saturate")
			}
			f.scheduled(s)
		case f.p.Accept("limits"):
			f.limits(s)
		case f.p.Accept("finite"):
			s.Finite = true
		case f.p.Accept("extract"):
			s.Grammar = f.p.ExpectName("the name of a cost grammar").Text
		default:
			f.p.Fail(word.Pos, "expected run, saturate, limits, finite or extract")
		}
	}
	f.lib.addSchedule(s)
}

// scheduled reads the sets of a schedule.
func (f *fileParser) scheduled(s *Schedule) {
	for {
		n := f.p.ExpectName("the name of a rule set")
		f.uses = append(f.uses, func() {
			if f.lib.Set(n.Text) == nil && f.base.Set(n.Text) == nil {
				f.errs.Add(f.src, n.Pos, "there is no rule set %s%s", n.Text, diag.DidYouMean(n.Text, f.lib.SetNames()))
			}
		})
		if !slices.Contains(s.Sets, n.Text) {
			s.Sets = append(s.Sets, n.Text)
		}
		if !f.p.Accept(",") {
			return
		}
	}
}

func (f *fileParser) limits(s *Schedule) {
	for {
		n := f.p.ExpectName("what is limited")
		if !slices.Contains(limitWords, n.Text) {
			f.p.Fail(n.Pos, "expected iterations, nodes or matches%s", diag.DidYouMean(n.Text, limitWords))
		}
		s.Limits[n.Text] = f.bound()
		if !f.p.Accept(",") {
			return
		}
	}
}

// bound reads a sum of products, as 12 * n + 200 * min n 500 + 2000.
func (f *fileParser) bound() *Bound {
	b := &Bound{}
	for {
		t := boundTerm{factor: 1}
		if f.p.Is("n") || f.p.Is("min") {
			t.most = f.startNodes()
		} else {
			t.factor = f.whole()
			if f.p.Accept("*") {
				t.most = f.startNodes()
			}
		}
		b.terms = append(b.terms, t)
		if !f.p.Accept("+") {
			return b
		}
	}
}

// startNodes reads n, the number of e-nodes at the start, or min n and a number.
func (f *fileParser) startNodes() (most int64) {
	if f.p.Accept("min") {
		f.p.Expect("n", "for the number of e-nodes at the start")
		return f.whole()
	}
	f.p.Expect("n", "for the number of e-nodes at the start")
	return maxBound
}

func (f *fileParser) whole() int64 {
	t := f.p.Peek()
	n, err := strconv.ParseInt(t.Text, 10, 64)
	if err != nil || n <= 0 || n > maxBound {
		f.p.Fail(t.Pos, "expected a whole number from 1 to %d", maxBound)
	}
	f.p.Next()
	return n
}

// Schedule finds a schedule by name, nil if there is none.
func (l *Library) Schedule(name string) *Schedule {
	if l == nil {
		return nil
	}
	if i := slices.IndexFunc(l.Schedules, func(s *Schedule) bool { return s.Name == name }); i >= 0 {
		return l.Schedules[i]
	}
	return nil
}

// Scheduled gives a schedule with its rule sets, of exact rules only if exact is
// set.
func (l *Library) Scheduled(name string, exact bool) (*Schedule, []*Set, error) {
	s := l.Schedule(name)
	if s == nil {
		return nil, nil, fmt.Errorf("there is no schedule %s", name)
	}
	var sets []*Set
	for _, n := range s.Sets {
		set := l.Set(n)
		if set == nil {
			return nil, nil, fmt.Errorf("there is no rule set %s", n)
		}
		if i := slices.IndexFunc(set.Rules, (*Rule).General); i >= 0 && s.Directed {
			r := set.Rules[i]
			return nil, nil, diag.Errorf(r.Src, r.Pos, "the schedule %s runs the set %s until no rule applies, and %s always does: its left side is any term", name, n, r.Name)
		}
		sets = append(sets, set)
	}
	if exact {
		sets = OnlyExact(sets)
	}
	return s, sets, nil
}

func (s *Schedule) clone() *Schedule {
	c := *s
	c.Sets, c.Limits = slices.Clip(c.Sets), maps.Clone(c.Limits)
	return &c
}

// addSchedule adds a schedule, or more of one: sets, and other limits.
func (l *Library) addSchedule(m *Schedule) {
	s := l.Schedule(m.Name)
	if s == nil {
		l.Schedules = append(l.Schedules, m.clone())
		return
	}
	if len(s.Sets) == 0 {
		s.Directed = m.Directed
	}
	for _, n := range m.Sets {
		if !slices.Contains(s.Sets, n) {
			s.Sets = append(s.Sets, n)
		}
	}
	maps.Copy(s.Limits, m.Limits)
	s.Finite = s.Finite || m.Finite
	if m.Grammar != "" {
		s.Grammar = m.Grammar
	}
}
