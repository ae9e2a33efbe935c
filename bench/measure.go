package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"egad"
	"egad/ad"
	"egad/bench/hand"
	"egad/internal/timing"
	"egad/kernel/machine"
	"egad/term"
)

// backends are the ways in which kernels are run.
var backends = []string{"blocks", "native"}

// measured is what came of a workload.
type measured struct {
	Name string `json:"name"`
	// Hand is the fastest way by hand.
	Hand     pair            `json:"hand"`
	Backends map[string]pair `json:"backends"`
	// Moved is how long it takes to read the inputs and to write as much as there are derivatives, by copy.
	Moved timing.Times `json:"moved"`
	// Derive is how long it took to derive the gradient program.
	Derive float64 `json:"derive_ms"`
	// Differs is the largest difference of a gradient from that by hand, relative to the
	// largest of its numbers.
	Differs float64               `json:"differs"`
	Others  map[string][2]float64 `json:"others_ms,omitempty"`
	// Rivals are other libraries, measured beside the rest.
	Rivals map[string]pair `json:"rivals,omitempty"`
}

// pair are the times of a value, and of value and gradient together.
type pair struct {
	Value timing.Times `json:"value"`
	Grad  timing.Times `json:"grad"`
	// Kernels are those of value and gradient, and Compile how long it took to make them.
	Kernels int     `json:"kernels,omitempty"`
	Memory  int64   `json:"memory_bytes,omitempty"`
	Compile float64 `json:"compile_ms,omitempty"`
}

// measure runs a workload by all ways in turn.
func measure(w workload, l timing.Limits) (*measured, error) {
	m, err := egad.Load(w.file)
	if err != nil {
		return nil, err
	}
	value, err := m.Instantiate(w.def, w.sizes)
	if err != nil {
		return nil, err
	}
	derive := m.Grad
	if w.jacobian {
		derive = m.JacobianBlocks
	}
	start := time.Now()
	d, err := derive(value, ad.Options{Wrt: w.wrt})
	if err != nil {
		return nil, err
	}
	out := &measured{Name: w.name, Derive: timing.Milliseconds(time.Since(start)), Backends: make(map[string]pair), Others: w.others}
	var runs []func() error
	for _, h := range w.byHand {
		runs = append(runs, func() error { h.Value(); return nil }, func() error { h.Grad(); return nil })
	}
	for _, b := range backends {
		p := pair{}
		for _, program := range []*term.Program{value, d.Program} {
			others := d
			if program == value {
				others = ad.Value(m.Rules(), value, ad.Options{})
			}
			var native *machine.Native
			if b == "native" {
				native = new(machine.Native)
			}
			t, err := timing.Prepare(m.Rules(), program, others, w.inputs, nil, native, machine.DefaultMemory)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", b, err)
			}
			runs = append(runs, t.Run)
			p.Kernels, p.Memory, p.Compile = len(t.Kernels.Kernels), t.Memory(), timing.Milliseconds(t.Lower+t.Compile)
			if program != value {
				differs, err := difference(w, d, t.Machine)
				if err != nil {
					return nil, err
				}
				out.Differs = max(out.Differs, differs)
			}
		}
		out.Backends[b] = p
	}
	var rivals []string
	for _, r := range rivalsOf(w) {
		if r.err != nil {
			return nil, fmt.Errorf("%s: %w", r.name, r.err)
		}
		rivals = append(rivals, r.name)
		runs = append(runs, func() error { r.Value(); return nil }, func() error { r.Grad(); return nil })
		value, gradient := r.Grad()
		for _, h := range w.byHand[:1] {
			v, g := h.Grad()
			out.Differs = max(out.Differs, distance([]float64{value}, []float64{v}), distance(gradient, g))
		}
	}
	_, gradient := w.byHand[0].Grad()
	runs = append(runs, moving(w.inputs, len(gradient)))
	times, err := timing.Alternate(l, nil, runs...)
	if err != nil {
		return nil, err
	}
	n := len(w.byHand)
	out.Hand, out.Moved = pair{Value: times[0], Grad: times[1]}, times[len(times)-1]
	for i := range n {
		if times[2*i].Median() < out.Hand.Value.Median() {
			out.Hand.Value = times[2*i]
		}
		if times[2*i+1].Median() < out.Hand.Grad.Median() {
			out.Hand.Grad = times[2*i+1]
		}
	}
	for i, b := range backends {
		p := out.Backends[b]
		p.Value, p.Grad = times[2*(n+i)], times[2*(n+i)+1]
		out.Backends[b] = p
	}
	out.Rivals = make(map[string]pair)
	for i, r := range rivals {
		at := 2 * (n + len(backends) + i)
		out.Rivals[r] = pair{Value: times[at], Grad: times[at+1]}
	}
	return out, nil
}

// moving copies the reals of inputs to n numbers, over and over, or what is left of them to a small buffer.
func moving(in egad.Env, n int) func() error {
	to, buffer := make([]float64, n), make([]float64, 1<<12)
	from := slices.Collect(maps.Values(in))
	return func() error {
		at := 0
		for again := true; again; again = at > 0 && at < n {
			for _, v := range from {
				for r := v.R; len(r) > 0; {
					if k := copy(to[at:], r); k > 0 {
						at, r = at+k, r[k:]
					} else {
						r = r[copy(buffer, r):]
					}
				}
			}
		}
		return nil
	}
}

// difference is how far a gradient is from that by hand, relative to the largest number
// there: of an array of inputs, or in a Jacobian of all.
func difference(w workload, d *ad.Derived, machine *machine.Machine) (float64, error) {
	v, err := machine.Run(w.inputs)
	if err != nil {
		return 0, err
	}
	worst := 0.0
	for _, h := range w.byHand {
		value, gradient := h.Grad()
		if w.jacobian {
			worst = max(worst, distance(rows(w, d, v), gradient))
			continue
		}
		worst = max(worst, distance(v.Parts[0].R, []float64{value}))
		for _, p := range v.Parts[1:] {
			worst = max(worst, distance(p.R, gradient[:len(p.R)]))
			gradient = gradient[len(p.R):]
		}
		if len(gradient) > 0 {
			return 0, fmt.Errorf("the gradient by hand has %d numbers more", len(gradient))
		}
	}
	return worst, nil
}

// distance is the largest difference relative to the largest number.
func distance(got, want []float64) float64 {
	worst, scale := 0.0, 0.0
	for i, x := range want {
		d := math.Abs(got[i] - x)
		if math.IsNaN(d) {
			return math.Inf(1)
		}
		worst, scale = max(worst, d), max(scale, math.Abs(x))
	}
	if scale == 0 {
		return worst
	}
	return worst / scale
}

// rows are the blocks of the Jacobian of bundle adjustment in the order of [hand.Bundle].
func rows(w workload, d *ad.Derived, v *egad.Value) []float64 {
	p := int(w.sizes["p"])
	out := make([]float64, hand.BundleRow*p)
	for i, b := range d.Blocks {
		ad.EachEntry(b, v.Parts[1+i], func(row, col int, x float64) {
			at := hand.BundleRow*row + hand.BundleRow - 1 // of 1 - w²
			if b.Of[0] == 0 {
				at = hand.BundleRow*(row/2) + 15*(row%2)
				switch b.By.Name {
				case "cams":
					at += col % 11
				case "points":
					at += 11 + col%3
				default:
					at += 14
				}
			}
			out[at] += x
		})
	}
	return out
}
