package stages_test

import (
	"testing"

	"egad"
	"egad/ad"
)

// BenchmarkProofs is the gradient of gmm without what a proof needs, with it, with the
// proof itself, and what checking the proof takes.
func BenchmarkProofs(b *testing.B) {
	m, err := egad.Load("../examples/gmm/gmm.egad")
	if err != nil {
		b.Fatal(err)
	}
	p, err := m.Instantiate("gmm", map[string]int64{"K": 3, "D": 3, "N": 4, "L": 6})
	if err != nil {
		b.Fatal(err)
	}
	task := ad.Task{Mode: "grad"}
	derive := func(b *testing.B, record bool) *ad.Derived {
		d, err := task.Derive(m.Rules(), p, ad.Options{Record: record})
		if err != nil {
			b.Fatal(err)
		}
		return d
	}
	b.Run("plain", func(b *testing.B) {
		for range b.N {
			derive(b, false)
		}
	})
	b.Run("kept", func(b *testing.B) {
		for range b.N {
			derive(b, true)
		}
	})
	var pr *ad.Proof
	b.Run("proved", func(b *testing.B) {
		for range b.N {
			if pr, err = derive(b, true).Prove(task); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("verify", func(b *testing.B) {
		for range b.N {
			if _, err := ad.Verify(m.Rules(), p, pr); err != nil {
				b.Fatal(err)
			}
		}
	})
}
