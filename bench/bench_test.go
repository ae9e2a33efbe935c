package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"egad/internal/timing"
)

// TestGradients: each workload has the value and the derivatives that were written by
// hand, on both backends.
func TestGradients(t *testing.T) {
	for _, w := range workloads(true) {
		m, err := measure(w, timing.Limits{Least: 1, Time: time.Millisecond})
		if err != nil {
			t.Errorf("%s: %v", w.name, err)
			continue
		}
		if !(m.Differs <= 1e-12) {
			t.Errorf("%s: the derivatives differ by %.2g from those by hand", w.name, m.Differs)
		}
	}
}

// TestDistance: what differs is found, NaN too.
func TestDistance(t *testing.T) {
	nan := func() float64 { z := 0.0; return z / z }()
	for _, c := range []struct {
		got, want []float64
		below     float64
	}{
		{[]float64{1, 2}, []float64{1, 2}, 0},
		{[]float64{1, 2}, []float64{1, 4}, 0.5},
		{[]float64{nan}, []float64{1}, 1e300},
	} {
		if d := distance(c.got, c.want); d < c.below {
			t.Errorf("distance(%v, %v) = %g", c.got, c.want, d)
		}
	}
}

// TestCommand: there is a line for each workload that is chosen, as a table and as JSON.
func TestCommand(t *testing.T) {
	args := []string{"-tiny", "-time", "1ms", "-rounds", "1", "-only", "gmm"}
	var out, errOut bytes.Buffer
	if err := run(args, &out, &errOut); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(out.String(), "gmm d"); got != 4 {
		t.Errorf("%d lines of gmm:\n%s", got, &out)
	}
	out.Reset()
	if err := run(append(args, "-json"), &out, &errOut); err != nil {
		t.Fatal(err)
	}
	var all []struct {
		Name     string
		Hand     struct{ Grad struct{ Runs int } }
		Backends map[string]struct {
			Value struct {
				Median float64 `json:"median_ms"`
			}
			Kernels int
		}
	}
	if err := json.Unmarshal(out.Bytes(), &all); err != nil {
		t.Fatal(err)
	}
	for _, m := range all {
		for _, b := range backends {
			if x := m.Backends[b]; m.Hand.Grad.Runs < 1 || x.Kernels < 1 || !(x.Value.Median > 0) {
				t.Errorf("%s by %s: %+v", m.Name, b, x)
			}
		}
	}
	if len(all) != 4 {
		t.Errorf("%d workloads", len(all))
	}
	if err := run([]string{"-only", "("}, &out, &errOut); err == nil {
		t.Error("a regular expression that is none is no error")
	}
}
