package extract

import (
	"math"
	"time"

	"egad/internal/interrupt"
)

// Budget bounds the work of [Choices.Exact] and [Choices.Greedy], with what
// they prepare. A 0 is no bound. The steps decide what is found; the clock only
// stops.
type Budget struct {
	Steps int // choices that are tried; other work counts too, 64 classes or nodes looked at as a step
	Time  time.Duration
}

// DefaultSteps is a bound for [Budget.Steps] of about seconds.
const DefaultSteps = 1_000_000

const (
	stepWork   = 64      // units of work that count as a step
	clockEvery = 1 << 14 // units of work after which the clock is looked at
)

// meter counts work, in classes and nodes that are looked at.
type meter struct {
	used, limit int64
	clock       bool
	deadline    time.Time
	look        int64 // what used is when the clock is looked at next
	over        bool
}

func newMeter(b Budget) *meter {
	m := &meter{limit: math.MaxInt64}
	if b.Steps > 0 && int64(b.Steps) < math.MaxInt64/stepWork-1 {
		m.limit = (int64(b.Steps)+1)*stepWork - 1 // less than a step is free
	}
	if b.Time > 0 {
		m.clock, m.deadline = true, time.Now().Add(b.Time)
	}
	return m
}

// spend counts n units. It is false if the budget has ended.
func (m *meter) spend(n int) bool {
	m.used += int64(n)
	if m.used > m.limit {
		m.over = true
	}
	if m.used >= m.look {
		m.look = m.used + clockEvery
		if interrupt.Requested() || m.clock && !time.Now().Before(m.deadline) {
			m.over = true
		}
	}
	return !m.over
}

// part is a meter for a part of what is left.
func (m *meter) part(share int64) *meter {
	return &meter{limit: max(0, m.limit-m.used) / share, clock: m.clock, deadline: m.deadline, over: m.over}
}

// add counts what was spent on a part.
func (m *meter) add(part *meter) {
	m.look = 0 // the part may have ended by the clock
	m.spend(int(part.used))
}
