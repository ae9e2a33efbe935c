package extract

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"egad/egraph"
	"egad/rules/proof"
	"egad/rules/saturate"
	"egad/term"
)

// Contradiction says that rules prove what cannot be: of two different literals,
// types or ranges that they are equal. At least one of the rules is unsound.
type Contradiction struct {
	Err   error    // what was united
	Rules []string // of the proof, in the order in which they first occur
	Proof string   // its steps
}

func (c *Contradiction) Error() string {
	err := c.Err
	if inner := errors.Unwrap(err); inner != nil {
		err = inner // the number of the class says nothing to a reader
	}
	return fmt.Sprintf("contradiction: %v; of these rules one is unsound: %s\n%s", err, strings.Join(c.Rules, ", "), c.Proof)
}

func (c *Contradiction) Unwrap() error { return c.Err }

// blame repeats a run that ended with a contradiction, and proves it. If that cannot be done
// the error stays as it is.
func (r *Run) blame(cause error) error {
	again := *r
	again.store, again.kept = r.store.Clone(), &kept{}
	s, err := again.Before()
	if err != nil {
		return cause
	}
	if rep, _ := r.stage(s.Graph, s.Root); rep == nil || rep.Stop != egraph.Contradiction {
		return cause
	}
	return Blame(s.Graph, again.kept.store, cause)
}

// Blame proves the contradiction with which a run on a graph ended that was recorded in a
// store. If that cannot be done the error stays as it is.
func Blame(g *saturate.Graph, kept *term.Store, cause error) error {
	known, err := g.Recorded(time.Time{})
	if err != nil {
		return cause
	}
	p, err := saturate.Known{Equations: known}.Clash(kept)
	if err != nil {
		return cause
	}
	var b strings.Builder
	proof.NewText(&b, p, proof.Naming{}).Chain(p.Chain(p.Last()), 0)
	return &Contradiction{Err: cause, Rules: p.Rules(), Proof: strings.TrimSuffix(strings.ReplaceAll("\n"+b.String(), "\n-- ", "\n"), "\n")[1:]}
}
