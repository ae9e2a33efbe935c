package ad

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"egad/diag"
	"egad/extract"
	"egad/linmap"
	"egad/rules"
	"egad/rules/match"
	"egad/rules/proof"
	"egad/term"
)

// Task is what was derived: of a definition at sizes, in one of the [Modes].
type Task struct {
	Def    string           `json:"def"`
	Mode   string           `json:"mode"`
	Sizes  map[string]int64 `json:"sizes,omitempty"`
	Wrt    []string         `json:"wrt,omitempty"`
	Exact  bool             `json:"exact,omitempty"`
	Direct bool             `json:"direct,omitempty"`
	// Checkpoint is that of [Options]: what is proved is of the program in rounds.
	Checkpoint bool `json:"checkpoint,omitempty"`
}

// derivations are the ways to derive a program.
var derivations = map[string]func(*rules.Library, *term.Program, Options) (*Derived, error){
	"grad": Grad, "vjp": VJP, "jvp": JVP, "hvp": HVP, "hessian": Hessian,
	"jacobian forward":  jacobianBy(Forward),
	"jacobian reverse":  jacobianBy(Reverse),
	"jacobian cheapest": jacobianBy(Cheapest),
	"jacobian blocks":   JacobianBlocks,
	"hessian diagonal":  HessianDiagonal,
}

// Modes lists the names of the ways to derive a program.
func Modes() []string { return slices.Sorted(maps.Keys(derivations)) }

func jacobianBy(m Mode) func(*rules.Library, *term.Program, Options) (*Derived, error) {
	return func(lib *rules.Library, p *term.Program, opt Options) (*Derived, error) {
		return DenseJacobian(lib, p, opt, m)
	}
}

// Derive derives a program as the task says.
func (t Task) Derive(lib *rules.Library, p *term.Program, opt Options) (*Derived, error) {
	derive := derivations[t.Mode]
	if derive == nil {
		return nil, diag.Errorf(nil, 0, "there is no mode %q; the modes are %s", t.Mode, strings.Join(Modes(), ", "))
	}
	opt.Wrt, opt.Exact, opt.Direct, opt.Checkpoint = t.Wrt, t.Exact, t.Direct, t.Checkpoint
	return derive(lib, p, opt)
}

// Deriver derives what programs differentiate themselves, and applies the linear maps that are
// derivatives of definitions. It keeps every float64 as it
// is, so that what such a program means does not depend on how it is simplified.
func Deriver(lib *rules.Library) term.Deriver {
	return func(how string, p *term.Program, wrt []string) (*term.Program, error) {
		if how == "apply" {
			x, _, err := linmap.Apply(lib, p.Store, p.Root, p.Names, 0)
			if err != nil {
				return nil, err
			}
			q := *p
			q.Root, q.Names = x.Root, x.Names
			return &q, nil
		}
		if how == "jacobian" {
			how = "jacobian cheapest"
		}
		d, err := Task{Mode: how, Wrt: wrt, Exact: true}.Derive(lib, p, Options{})
		if err != nil {
			return nil, err
		}
		return d.Program, nil
	}
}

// Proof is a proof of a derivation, as it is written: of what every run on an e-graph
// did, in their order, and for each time that a program was differentiated, the
// derivative rule that was applied to each term. What else is done follows from them.
type Proof struct {
	Task
	Runs   []*proof.File `json:"runs"` // null where nothing was put on an e-graph
	Locals []*proof.File `json:"locals"`
}

// Locals are the derivative rules that were applied to the terms of a program.
type Locals struct {
	Store   *term.Store
	Applied []*match.Application
	Maps    []Assembled
}

// Assembled is a map that was put together from local maps by definition: F or D of a
// term.
type Assembled struct {
	Kind      string
	Term, Map term.Term
}

// Prove proves a derivation, which a task was.
func (d *Derived) Prove(t Task) (*Proof, error) {
	if d == nil {
		return nil, errors.New("there is no derivation")
	}
	out := &Proof{Task: t}
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
		f, err := (&proof.Proof{Store: l.Store, Steps: l.Applied}).Write()
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
	// Runs are the proofs of the runs, nil where nothing was put on an e-graph. Locals
	// has the derivative rules of each program that was differentiated.
	Runs   []*extract.Proof
	Locals []Locals
}

// Steps is the number of rules that were applied.
func (v *Verified) Steps() int {
	n := 0
	for _, r := range v.Runs {
		if r != nil {
			n += len(r.Steps)
		}
	}
	return n
}

// Verify derives a program by a proof: what rules do is read there and checked, and the
// other steps are done. No rule is matched, and nothing is put on an e-graph. The
// program is the definition of the proof at its sizes.
func Verify(lib *rules.Library, p *term.Program, pr *Proof) (*Verified, error) {
	if pr == nil {
		return nil, errors.New("there is no proof")
	}
	r := &replay{runs: extract.Replay{Rule: lib.Rule, Files: pr.Runs}, files: pr.Locals}
	d, err := pr.Derive(lib, p, Options{replay: r})
	if err == nil && len(r.runs.Files)+len(r.files) > 0 {
		err = errors.New("the proof goes on after the derivation has ended")
	}
	if err != nil {
		return nil, err
	}
	return &Verified{d, r.runs.Proofs, d.locals}, nil
}

// replay is a proof by which a derivation goes.
type replay struct {
	runs  extract.Replay
	files []*proof.File // of derivative rules, still to come
}

// way is how the next run is done: whether its conditions may take the reals among the inputs for
// finite, which those of rules do not that keep every float64 as it is.
func (l *pipeline) way(finite bool) extract.Way {
	if l.opt.replay != nil {
		return l.opt.replay.runs.Way(proof.Options{Exact: l.opt.Exact, Finite: finite && !l.opt.Exact})
	}
	how := l.opt.Extract
	how.Time = l.left()
	return how.Way(l.opt.Record)
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
		if len(p.Equations)+len(p.Rests) > 0 {
			return nil, errors.New("derivative rules rest on no equations")
		}
		out := &locals{applied: p.Steps, known: make(map[uint32]*match.Sides)}
		for i, a := range p.Steps {
			sides, err := r.local(lib, s, a)
			if err != nil {
				return nil, fmt.Errorf("derivative rule %d, %s: %w", i+1, a.Match.Rule.Name, err)
			}
			out.known[sides.Lhs.ID] = sides
		}
		return out, nil
	}
}

// local checks an application of a derivative rule.
func (r *replay) local(lib *rules.Library, s *term.Store, a *match.Application) (*match.Sides, error) {
	if !slices.Contains(lib.Set("nabla").Rules, a.Match.Rule) {
		return nil, errors.New("it is not a derivative rule")
	}
	space := match.Terms{Store: s}
	sides, err := a.Sides(space)
	if err != nil {
		return nil, err
	}
	return sides, errors.Join(a.Conditions(space)...)
}
