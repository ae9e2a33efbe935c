package schedule_test

import (
	"testing"

	"egad/kernel"
	"egad/kernel/kerneltest"
	"egad/term"
)

// TestTwins: functions of one number, or of its negative, that share what they compute are estimated to take
// less time than those of two numbers.
func TestTwins(t *testing.T) {
	const text = `
def twins[n](x: R[n], y: R[n]): R[n] = sigmoid x * sigmoid (neg x) + y
def waves[n](x: R[n], y: R[n]): R[n] = sin x * cos x + y
def apart[n](x: R[n], y: R[n]): R[n] = sigmoid x * sigmoid (neg y) + y
def other[n](x: R[n], y: R[n]): R[n] = sin x * cos y + y
`
	took := make(map[string]float64)
	kerneltest.EachLowered(t, text, []map[string]int64{{"n": 1000}}, func(p *term.Program, k *kernel.Program, _ map[string]int64) {
		for _, c := range kerneltest.Costs(k, k.Costs()) {
			took[p.Name] += c
		}
	})
	if took["twins"] > 0.8*took["apart"] || took["waves"] > 0.8*took["other"] {
		t.Errorf("estimates %v", took)
	}
}
