package extract

import (
	"errors"
	"time"

	"egad/rules"
	"egad/rules/proof"
	"egad/rules/saturate"
	"egad/term"
	"egad/term/overflow"
)

// Proof is a proof that a run rewrote what was put on the e-graph to what was
// extracted from it.
type Proof struct {
	*proof.Proof
	From, To term.Term
}

// kept is what is kept of a run for a proof: the e-graph with its history, until somebody
// asks for the proof. Its terms are as they are written, also arrays of literals, in a store
// that begins with what was there before the run.
type kept struct {
	store *term.Store
	after *Snapshot // nil when known has been taken from it
	known saturate.Known
	to    term.Term
}

// take takes from the e-graph what a run has recorded. The term is chosen once.
func (k *kept) take() error {
	if k.after == nil {
		return nil
	}
	x, err := k.after.Result.chosen.build(k.store)
	if err != nil {
		return err
	}
	k.known, k.to = saturate.Known{Instances: x.instances}, x.Root
	if k.known.Equations, err = k.after.Graph.Recorded(time.Time{}); err == nil {
		k.after = nil
	}
	return err
}

// Prove proves what the run did. It does the run again, unless that was recorded.
// Nothing is to be proved, and there is no proof, if nothing was put on an e-graph.
func (r *Run) Prove() (*Proof, error) {
	if r.in == nil {
		return nil, nil
	}
	k := r.kept
	if k == nil {
		again := *r
		again.store, again.kept = r.store.Clone(), &kept{}
		if _, _, err := again.repeat(); err != nil {
			return nil, err
		}
		k = again.kept
	}
	if err := k.take(); err != nil {
		return nil, err
	}
	p, err := k.known.Prove(k.store, *r.in, k.to)
	if err != nil {
		return nil, err
	}
	return &Proof{p, *r.in, k.store.Literals(k.to)}, nil
}

// Replay goes through stages by their proofs, as they were written: it checks each,
// and takes its result. No rule is matched, and there is no e-graph.
type Replay struct {
	Rule  func(name string) *rules.Rule
	Files []*proof.File // of the stages that are still to come
	// Proofs are those that were checked, nil where there was nothing to prove.
	Proofs []*Proof
}

// Way goes through the next stage.
func (r *Replay) Way(o proof.Options) Way {
	return func(s *term.Store, t term.Term, names map[uint32]term.Hint, _ *rules.Grammar, _ Stage) (*Result, *Run, error) {
		if len(r.Files) == 0 {
			return nil, nil, errors.New("the proof of a stage is missing")
		}
		f := r.Files[0]
		r.Files = r.Files[1:]
		inside, assemble := setAside(s, t)
		if inside == nil || f == nil {
			if inside != nil || f != nil {
				return nil, nil, errors.New("the proof is not of this stage")
			}
			r.Proofs = append(r.Proofs, nil)
			return &Result{Root: t, Names: names}, nil, nil
		}
		x, err := r.replay(s, *inside, f, o)
		if err != nil {
			return nil, nil, err
		}
		err = overflow.Guard(func() error {
			x = assemble(x)
			return nil
		})
		return &Result{Root: x, Names: names}, nil, err
	}
}

// replay checks the proof of a stage that begins with t, and gives what it ends with.
func (r *Replay) replay(s *term.Store, t term.Term, f *proof.File, o proof.Options) (term.Term, error) {
	s.AsWritten = true
	defer func() { s.AsWritten = false }()
	p, err := proof.Read(f, s, r.Rule)
	if err != nil {
		return t, err
	}
	if err := p.Check(o); err != nil {
		return t, err
	}
	out := &Proof{p, t, t}
	if n := len(p.Equations); n > 0 {
		if !p.Equations[n-1].From.Equal(t) {
			return t, errors.New("the proof begins with another term")
		}
		out.To = p.Equations[n-1].To()
	}
	r.Proofs = append(r.Proofs, out)
	return out.To, nil
}
