package ad

import (
	"errors"
	"fmt"
	"slices"

	"egad/extract"
	"egad/proof"
	"egad/rules"
	"egad/term"
)

// Proof is a proof of a derivation, as it is written: of what every run on an e-graph
// did, in their order, and for each time that a program was differentiated, the
// derivative rule that was applied to each term. What else is done follows from them.
type Proof struct {
	Runs   []*proof.File `json:"runs"` // null where nothing was put on an e-graph
	Locals []*proof.File `json:"locals"`
}

// localsOf is the derivative rules that were applied to terms of a store.
type localsOf struct {
	store   *term.Store
	applied []*rules.Application
}

// Prove proves a derivation.
func (d *Derived) Prove() (*Proof, error) {
	out := &Proof{}
	if d == nil {
		return nil, errors.New("there is no derivation")
	}
	for _, s := range d.Stages {
		if s.Report == nil {
			continue
		}
		p, err := s.Report.Prove()
		if err != nil {
			return nil, fmt.Errorf("the stage %s has no proof: %w", s.Name, err)
		}
		var f *proof.File
		if p != nil {
			if f, err = p.Write(); err != nil {
				return nil, err
			}
		}
		out.Runs = append(out.Runs, f)
	}
	for _, l := range d.locals {
		f, err := (&proof.Proof{Store: l.store, Steps: l.applied}).Write()
		if err != nil {
			return nil, err
		}
		out.Locals = append(out.Locals, f)
	}
	return out, nil
}

// Verified is a derivation that was done again by its proof.
type Verified struct {
	*Derived
	// Runs are the proofs of the runs, nil where nothing was put on an e-graph, and
	// Locals the derivative rules.
	Runs   []*extract.Proof
	Locals []*rules.Application
}

// Verify derives a program as derive does, one of [Grad], [VJP], [JVP] and [HVP], by a
// proof: what rules do is read there and checked, and the other steps are done. No rule
// is matched, and nothing is put on an e-graph.
func Verify(lib *rules.Library, p *term.Program, opt Options, derive func(*rules.Library, *term.Program, Options) (*Derived, error), pr *Proof) (*Verified, error) {
	r := &replay{runs: extract.Replay{Rule: lib.Rule, Files: pr.Runs}, files: pr.Locals}
	opt.replay = r
	d, err := derive(lib, p, opt)
	if err == nil && len(r.runs.Files)+len(r.files) > 0 {
		err = errors.New("the proof goes on after the derivation has ended")
	}
	if err != nil {
		return nil, err
	}
	return &Verified{d, r.runs.Proofs, r.applied}, nil
}

// replay is a proof by which a derivation goes.
type replay struct {
	runs    extract.Replay
	files   []*proof.File // of derivative rules, still to come
	applied []*rules.Application
}

// way is how the next run is done.
func (l *pipeline) way(o proof.Options) extract.Way {
	switch {
	case l.opt.replay != nil:
		return l.opt.replay.runs.Way(o)
	case l.opt.Record:
		return extract.Recording
	}
	return extract.Through
}

// simplifying says what holds of the steps of simplification.
func (l *pipeline) simplifying() proof.Options {
	return proof.Options{Exact: l.opt.Exact, Finite: !l.opt.Exact}
}

// locals reads the derivative rules that the next differentiation applies, and checks
// them; nil if they are to be found.
func (r *replay) locals(lib *rules.Library) func(*term.Store) (*locals, error) {
	if r == nil {
		return nil
	}
	return func(s *term.Store) (*locals, error) {
		if len(r.files) == 0 || r.files[0] == nil {
			return nil, errors.New("the derivative rules are missing")
		}
		f := r.files[0]
		r.files = r.files[1:]
		p, err := proof.Read(f, s, lib.Rule)
		if err != nil {
			return nil, err
		}
		out := &locals{applied: p.Steps, known: make(map[uint32]*rules.Sides)}
		for i, a := range p.Steps {
			sides, err := r.local(lib, s, a)
			if err != nil {
				return nil, fmt.Errorf("derivative rule %d, %s: %w", i+1, a.Match.Rule.Name, err)
			}
			out.known[sides.Lhs.ID] = sides
		}
		r.applied = append(r.applied, p.Steps...)
		return out, nil
	}
}

// local checks an application of a derivative rule.
func (r *replay) local(lib *rules.Library, s *term.Store, a *rules.Application) (*rules.Sides, error) {
	if !slices.Contains(lib.Set("nabla").Rules, a.Match.Rule) {
		return nil, errors.New("it is not a derivative rule")
	}
	space := rules.Terms{Store: s}
	sides, err := a.Sides(space)
	if err != nil {
		return nil, err
	}
	return sides, a.Conditions(space)
}
