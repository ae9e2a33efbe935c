package chad

import (
	"errors"
	"fmt"
	"io"
	"math/rand"
	"text/tabwriter"

	"egad/fun"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/props"
)

// Cost is what both theorems of the paper say of a run (002, Section 6 and Appendix B).
type Cost struct {
	Route string
	*Measured
	Larger        Constant // which operators need a larger constant than the paper's
	Left1, Right1 int64    // of TH1
	Left2, Right2 int64    // of TH2
}

// Cost runs a derivative on inputs and a cotangent of the result, and counts. TH1 is for the
// inputs' cotangents before, nil for zeros; TH2 for zeros. By a route without the monad the left side of TH2 is what the value
// and the derivative take.
func (d *Derivative) Cost(inputs []fun.Value, ct fun.Value, before []fun.Value, o Options) (*Cost, error) {
	m, err := d.Measure(inputs, ct, before, o)
	if err != nil {
		return nil, err
	}
	out := &Cost{Route: d.Route.Name, Measured: m, Larger: d.Constant, Left2: m.Steps(), Right2: m.Theorem2()}
	out.Left1, out.Right1 = m.Theorem1()
	if d.Route.cells != nil {
		out.Left2, err = d.Whole(inputs, ct, o)
	}
	return out, err
}

// Write prints a table of what was counted.
func (c *Cost) Write(w io.Writer) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	line := func(n int64, what string) { fmt.Fprintf(t, "%d\t  %s\n", n, what) }
	fmt.Fprintf(t, "\t  %s\n", c.Route)
	line(c.Primal, "cost(t), steps of the program")
	line(c.Run, "steps of D[t]")
	line(c.Call, "steps of calling its backpropagator")
	line(c.Monad, "steps of running what that gives")
	line(c.Cotangent, "size and potential of the result's cotangent")
	line(c.In, "potential of the inputs' cotangents before")
	line(c.Out, "and after")
	line(c.Inputs, "inputs")
	for _, o := range c.Larger.Operators {
		line(c.Larger.Each[o], "the constant that "+o+" needs")
	}
	holds := func(left, right int64) string {
		if left > right {
			return "VIOLATED"
		}
		return "holds"
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(w, `TH1  %d + %d + %d - %d - %d + %d - %d = %d ≤ %d cost(t) = %d: %s
TH2  %d ≤ 5 + %d cost(t) + %d + 4 · %d = %d: %s
`, c.Run, c.Call, c.Monad, c.Cotangent, c.In, c.Out, c.Inputs, c.Left1, c.Constant, c.Right1, holds(c.Left1, c.Right1),
		c.Left2, c.Constant, c.Cotangent, c.Inputs, c.Right2, holds(c.Left2, c.Right2))
	return err
}

// Worst is the random program for which a side of a theorem is nearest to its bound.
type Worst struct {
	Programs int
	TH1, TH2 float64 // the largest ratios of the sides
	// Text1 and Text2 are the programs.
	Text1, Text2 string
}

// Random runs a route on n random first-order programs without arrays, with the operators of
// the paper, on random sparse cotangents of the result and of the inputs.
func (r *Route) Random(ops *Derivatives, n int, seed int64, o Options) (_ *Worst, err error) {
	defer raise.Caught(&err)
	if r.cells == nil {
		return nil, errors.New("the theorems are about the monadic transformation")
	}
	rng := rand.New(rand.NewSource(seed))
	out := &Worst{Programs: n}
	for range n {
		c := props.RandomFunctional(rng, props.FunctionalOptions{FirstOrder: true, NoArrays: true})
		d := raise.Must(r.Transform(ops, c.Program))
		v := raise.Must(c.Program.Run(&fun.Machine{Domain: fun.Floats(), Ended: o.Ended}, c.Inputs))
		ct := randomCotangent(rng, v, c.Program.Result)
		before := slice.Make(len(c.Inputs), func(i int) fun.Value { return randomCotangent(rng, c.Inputs[i], c.Program.Context[i]) })
		m := raise.Must(d.Measure(c.Inputs, ct, before, o))
		whole := raise.Must(d.Whole(c.Inputs, ct, o))
		left, right := m.Theorem1()
		if ratio := float64(left) / float64(right); ratio > out.TH1 {
			out.TH1, out.Text1 = ratio, c.Text()
		}
		if ratio := float64(whole) / float64(m.Theorem2()); ratio > out.TH2 {
			out.TH2, out.Text2 = ratio, c.Text()
		}
	}
	return out, nil
}
