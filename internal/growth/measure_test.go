package growth

import (
	"egad/ad"
	"egad/diag"
	"egad/fusion"
	"egad/kernel"
	"egad/rules/load"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
)

// counts is what it took to differentiate a program, and what came of it.
type counts struct {
	Source     int   // nodes of the program
	ENodes     int   // of the e-graphs of all stages
	Matches    int   // of rules in all stages
	Gradient   int   // nodes of the gradient program
	Operations int64 // on reals, that the gradient program does

	Statements  int   // of the kernels of the gradient
	Evaluations int64 // of these statements
}

// derive differentiates a program text and counts.
func derive(text string) (*counts, error) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		return nil, err
	}
	m, err := module.Load(sig, &diag.Source{Name: "f", Text: text})
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
	c := &counts{Source: nodes(p), Gradient: nodes(d.Program)}
	for _, s := range d.Stages {
		if s.Report == nil {
			continue
		}
		c.ENodes += s.Report.Nodes
		c.Matches += s.Report.Matches()
	}
	if c.Operations, err = operations(d.Program); err != nil {
		return nil, err
	}
	kernels, err := fusion.Lower(nil, d.Program, nil)
	if err != nil {
		return nil, err
	}
	for _, k := range kernels.Kernels {
		n, m := size(k.Body, 1)
		c.Statements += n
		c.Evaluations += m
	}
	return c, nil
}

// operations runs a program on inputs of 0.5 and counts.
func operations(p *term.Program) (int64, error) {
	alg := eval.NewCounting()
	env := make(eval.Env[*eval.Value[float64]])
	for _, in := range p.Inputs {
		v, err := eval.FloatArrays().New(in.Type)
		if err != nil {
			return 0, err
		}
		for i := range v.R {
			v.R[i] = 0.5
		}
		env[in.Name] = v
	}
	_, err := eval.Interpret(p.Store, p.Root, alg, env)
	return alg.Counts.Float, err
}

func nodes(p *term.Program) int {
	n := 0
	p.Store.Walk(p.Root, func(term.Term) { n++ })
	return n
}

// size counts the statements of kernels, and how often they are run in all.
func size(body []kernel.Stmt, runs int64) (statements int, evaluations int64) {
	for _, s := range body {
		statements++
		evaluations += runs
		if l, ok := s.(*kernel.Loop); ok {
			n, m := size(l.Body, runs*int64(l.N))
			statements, evaluations = statements+n, evaluations+m
		}
	}
	return statements, evaluations
}
