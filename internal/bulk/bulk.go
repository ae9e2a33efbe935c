// Package bulk says what Theorem 5.1 of the dual-numbers paper demands of a bulk
// program, and finds one without an e-graph.
package bulk

import (
	"fmt"

	"egad/bot"
	"egad/internal/normalise"
	"egad/rules"
	"egad/rules/match"
	"egad/term"
	"egad/term/ops"
)

// Normalise gives a bulk program of p by rewriting terms with the rules of the
// transform.
func Normalise(lib *rules.Library, p *term.Program) (*term.Program, normalise.Stats, error) {
	p, ss, names, err := bot.Prepare(lib, p)
	if err != nil {
		return nil, normalise.Stats{}, err
	}
	root, stats, err := normalise.Term(match.Terms{Store: p.Store, Names: names}, p.Root, ss...)
	if err != nil {
		return nil, stats, err
	}
	out := *p
	out.Root, out.Names = root, names
	return &out, stats, nil
}

// Is decides whether a term is a normal form as Theorem 5.1 of the
// dual-numbers paper says:
//
//  1. build does not occur in it;
//  2. every index stands before a variable, a literal, an array literal (with
//     one index), a scatter or a declared operator, and has at least one index.
//
// A node that names marks as let-bound counts as a variable. The error names the
// first violation.
func Is(s *term.Store, t term.Term, names map[uint32]term.Hint) error {
	var err error
	s.Walk(t, func(u term.Term) {
		if err == nil {
			err = violation(s, u, names)
		}
	})
	return err
}

func violation(s *term.Store, u term.Term, names map[uint32]term.Hint) error {
	switch s.Op(u).Sym {
	case ops.SymBuild:
		return fmt.Errorf("a build is left")
	case ops.SymIndex:
		kids := s.Kids(u)
		if len(kids) == 1 {
			return fmt.Errorf("an index without indices is left")
		}
		of := term.Term{ID: kids[0].ID}
		if _, named := names[of.ID]; named {
			return nil
		}
		o := s.Signature().Operator(s.Op(of).Sym)
		switch {
		case o.Opaque, o.Sym == ops.SymProj, o.Sym == ops.SymStack && len(kids) == 2:
			return nil
		case o.Sym == ops.SymStack:
			return fmt.Errorf("an array literal with %d indices is left", len(kids)-1)
		}
		return fmt.Errorf("an index of %s is left", o.Name)
	}
	return nil
}
