package growth

import (
	"egad/ad"
	"egad/diag"
	"egad/rules"
	"egad/term"
)

// Counts is what it took to differentiate a program, and what came of it.
type Counts struct {
	Source     int   // nodes of the program
	ENodes     int   // of the e-graphs of all stages
	Matches    int   // of rules in all stages
	Gradient   int   // nodes of the gradient program
	Operations int64 // on reals that the gradient program does
	Stages     []StageCounts
}

// StageCounts is the part of a stage that used an e-graph.
type StageCounts struct {
	Name            string
	ENodes, Matches int
	Stop            string
}

// Measure differentiates a program text and counts.
func Measure(text string) (*Counts, error) {
	sig := term.NewSignature()
	lib, err := rules.Builtin(sig)
	if err != nil {
		return nil, err
	}
	m, err := term.LoadModule(sig, &diag.Source{Name: "f", Text: text})
	if err != nil {
		return nil, err
	}
	p, err := m.Instantiate("f", nil)
	if err != nil {
		return nil, err
	}
	d, err := ad.Grad(lib, p, ad.Options{})
	if err != nil {
		return nil, err
	}
	c := &Counts{Source: nodes(p), Gradient: nodes(d.Program)}
	for _, s := range d.Stages {
		if s.Report == nil {
			continue
		}
		c.Stages = append(c.Stages, StageCounts{s.Name, s.Report.Rows, s.Report.Matches(), string(s.Report.Stop)})
		c.ENodes += s.Report.Rows
		c.Matches += s.Report.Matches()
	}
	alg := term.NewCounting()
	env := make(term.Env[*term.Value[float64]])
	for _, in := range d.Program.Inputs {
		v, err := term.FloatArrays().New(in.Type)
		if err != nil {
			return nil, err
		}
		for i := range v.R {
			v.R[i] = 0.5
		}
		env[in.Name] = v
	}
	if _, err := term.Interpret(d.Program.Store, d.Program.Root, alg, env); err != nil {
		return nil, err
	}
	c.Operations = alg.Counts.Float
	return c, nil
}

func nodes(p *term.Program) int {
	n := 0
	p.Store.Walk(p.Root, func(term.Term) { n++ })
	return n
}
