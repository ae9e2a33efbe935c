package extract

import (
	"egad/proof"
	"egad/saturate"
	"egad/term"
)

// Proof is a proof that a run rewrote what was put on the e-graph to what was
// extracted from it.
type Proof struct {
	*proof.Proof
	From, To term.Term
}

// Prove does the run again and proves it. The terms of the proof are in a store of
// its own, which begins with those of s; nil is nothing to be proved: nothing was put
// on an e-graph.
func (r *Run) Prove() (*Proof, error) {
	if r.in == nil {
		return nil, nil
	}
	again := *r
	again.store = r.store.Clone()
	again.store.AsWritten = true
	again.record = true
	snap, _, err := again.repeat()
	if err != nil {
		return nil, err
	}
	p, err := saturate.Prove(again.store, snap.Graph.Recorded(), *r.in, snap.Result.Root)
	if err != nil {
		return nil, err
	}
	return &Proof{p, *r.in, again.store.Literals(snap.Result.Root)}, nil
}
