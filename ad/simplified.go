package ad

import (
	"time"

	"egad/bot"
	"egad/extract"
	"egad/internal/slice"
	"egad/loops"
	"egad/rules"
	"egad/term"
	"egad/term/ops"
)

// Simplified brings a program that was not derived here to the form in which derived
// programs are: bulk operations, simplified.
func Simplified(lib *rules.Library, p *term.Program, opt Options) (*term.Program, error) {
	l := &pipeline{lib: lib, opt: opt, start: time.Now()}
	p = p.Clone()
	out, run, err := l.way(false).Program(lib, "cotangents", p, extract.How{Exact: opt.Exact, Time: l.left(), Grammar: opt.Grammar})
	if l.note("cotangents", out, run, err) != nil {
		return nil, err
	}
	return l.finish(out, p.HasLoops())
}

// Result is the result of a derived program: the value of p, and the derivative by each
// varied input, of which by gives that of each leaf that is an array of reals.
func Result(p *term.Program, value term.Term, wrt []term.Input, by map[string]term.Term) term.Term {
	gradients := slice.Map(wrt, func(in term.Input) term.Term { return assemble(p.Store, in, by) })
	return p.Store.Apply(ops.SymTuple, append([]term.Term{value}, gradients...)...)
}

// Value is a program of which nothing is derived, with what may compute its value in another order: see
// [Derived.ReorderedProgram]: loops that only add up are sums, and bulk operations are simplified by rules
// that keep every float64 as it is, and have sums taken apart as those of a derivative have.
func Value(lib *rules.Library, p *term.Program, opt Options) *Derived {
	return &Derived{Program: p, reordered: func() (*term.Program, error) {
		l := &pipeline{lib: lib, opt: Options{Time: opt.Time, Extract: opt.Extract}, start: time.Now()}
		p, sums, err := loops.Sums(p)
		if err != nil {
			return nil, err
		}
		if p, err = l.chosen(p); err != nil {
			return nil, err
		}
		q, _, err := bot.TransformBy(l.way(false), lib, p, l.left())
		switch {
		case err == nil:
		case sums: // a value needs no bulk operations
			return p, nil
		default:
			return nil, nil
		}
		exact := *l
		exact.opt.Exact = true
		if q, err = exact.simplified("simplified", q, true); err == nil && crosses(q) {
			return l.last("crossed", q)
		}
		return q, err
	}}
}
