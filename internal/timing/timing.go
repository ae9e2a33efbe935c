// Package timing measures how long programs run.
package timing

import (
	"cmp"
	"encoding/json"
	"runtime"
	"slices"
	"time"
)

// Times are how long the runs of something took.
type Times []time.Duration

// at is the time below which a share of all are.
func (t Times) at(share float64) time.Duration {
	if len(t) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(t))
	return sorted[int(share*float64(len(t)-1)+0.5)]
}

// Median is the time that half of the runs took at most.
func (t Times) Median() time.Duration { return t.at(0.5) }

// Spread is how far the middle half of the times lies apart.
func (t Times) Spread() time.Duration { return t.at(0.75) - t.at(0.25) }

// Milliseconds is a time as a number.
func Milliseconds(d time.Duration) float64 { return float64(d) / 1e6 }

// MarshalJSON writes the times as median, minimum and spread in milliseconds, and their
// number.
func (t Times) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		Median  float64 `json:"median_ms"`
		Minimum float64 `json:"minimum_ms"`
		Spread  float64 `json:"spread_ms"`
		Runs    int     `json:"runs"`
	}{Milliseconds(t.Median()), Milliseconds(t.at(0)), Milliseconds(t.Spread()), len(t)})
}

// Limits say how long to measure: some rounds at least, and more as long as there is time.
type Limits struct {
	Least int
	Time  time.Duration
	// Batch is how long one measurement takes at least, 200 µs if it is 0: what runs for a
	// shorter time is run several times. In a longer one it counts less that data which other
	// functions have driven out of caches come back from memory.
	Batch time.Duration
}

// most is how many rounds there are at most.
const most = 1000

const batch = 200 * time.Microsecond

// Alternate measures functions by running them in turn, after a run of each that does
// not count: what disturbs the machine for a while disturbs all of them. After each
// round it tells, if progress is not nil, which share is done. An error of one of
// them ends it.
func Alternate(l Limits, progress func(share float64), fs ...func() error) ([]Times, error) {
	times, runs := make([]Times, len(fs)), make([]int, len(fs))
	for i, f := range fs {
		if err := f(); err != nil {
			return nil, err
		}
		d, err := measure(f, 1)
		if err != nil {
			return nil, err
		}
		runs[i] = 1 + int(cmp.Or(l.Batch, batch)/(d+1))
	}
	runtime.GC()
	start := time.Now()
	for round := 0; round < l.Least || round < most && time.Since(start) < l.Time; round++ {
		for i, f := range fs {
			d, err := measure(f, runs[i])
			if err != nil {
				return nil, err
			}
			times[i] = append(times[i], d)
		}
		if progress != nil {
			done := float64(round + 1)
			progress(min(1, done/float64(l.Least), max(done/most, float64(time.Since(start)+1)/float64(l.Time+1))))
		}
	}
	return times, nil
}

// measure is how long a run of f takes, of some.
func measure(f func() error, runs int) (time.Duration, error) {
	start := time.Now()
	for range runs {
		if err := f(); err != nil {
			return 0, err
		}
	}
	return time.Since(start) / time.Duration(runs), nil
}
