package timing

import (
	"encoding/json"
	"errors"
	"slices"
	"testing"
	"time"
)

// TestTimes: the median is in the middle, and the spread leaves out a quarter on each side.
func TestTimes(t *testing.T) {
	times := Times{5e6, 1e6, 3e6, 100e6, 2e6}
	if m, s := times.Median(), times.Spread(); m != 3e6 || s != 3e6 {
		t.Errorf("median %v, spread %v", m, s)
	}
	if times[0] != 5e6 {
		t.Error("the times are in another order")
	}
	if m := (Times{}).Median(); m != 0 {
		t.Errorf("of nothing: %v", m)
	}
	got, err := json.Marshal(times)
	if want := `{"median_ms":3,"minimum_ms":1,"spread_ms":3,"runs":5}`; err != nil || string(got) != want {
		t.Errorf("%s, wanted %s (%v)", got, want, err)
	}
}

// TestAlternate: functions run in turn, as often as the limits say; errors end it.
func TestAlternate(t *testing.T) {
	var order []int
	f := func(i int) func() error {
		return func() error {
			order = append(order, i)
			time.Sleep(2 * batch)
			return nil
		}
	}
	rounds, last := 0, 0.0
	times, err := Alternate(Limits{Least: 3}, func(share float64) { rounds++; last = share }, f(1), f(2))
	if err != nil || len(times) != 2 || len(times[0]) != 3 || rounds != 3 || last != 1 {
		t.Fatalf("%v, %d rounds, %v", times, rounds, err)
	}
	if want := []int{1, 1, 2, 2, 1, 2, 1, 2, 1, 2}; !slices.Equal(order, want) {
		t.Errorf("in the order %v, wanted %v", order, want)
	}
	failed := errors.New("failed")
	for _, c := range []struct {
		Limits
		calls int
	}{{Limits{Least: 3}, 4}, {Limits{Least: 1, Time: time.Hour}, 9}} { // with time left there are more rounds than the least
		calls := 0
		_, err = Alternate(c.Limits, nil, func() error {
			if calls++; calls == c.calls {
				return failed
			}
			time.Sleep(2 * batch)
			return nil
		})
		if err != failed || calls != c.calls {
			t.Errorf("%v after %d calls", err, calls)
		}
	}
}
