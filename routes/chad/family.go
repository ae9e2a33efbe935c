package chad

import (
	"fmt"
	"io"
	"slices"
	"text/tabwriter"

	"egad/fun"
	"egad/internal/slice"
	"egad/term/numeric"
	"egad/term/ops"
)

// family makes programs of a size.
type family struct {
	Name string
	Make func(n int) *fun.Program
}

// wide is a product of 2^k reals.
func wide(k int) *fun.Type {
	if k == 0 {
		return fun.Real
	}
	return fun.Prod(wide(k-1), wide(k-1))
}

// ones is a value of which all numbers are 1.
func ones(t *fun.Type) fun.Value {
	switch t.Kind {
	case fun.KProd:
		return &fun.Pairing{L: ones(t.Parts[0]), R: ones(t.Parts[1])}
	case fun.KSum:
		return &fun.Side{X: ones(t.Parts[0])}
	case fun.KReal:
		return 1.0
	case fun.KInt:
		return int64(1)
	}
	return fun.Nothing{}
}

// names are n names.
func names(n int) []string {
	return slice.Make(n, func(i int) string { return "x" + string(rune('a'+i%26)) })
}

func op(sym ops.Sym, ts ...*fun.Term) *fun.Term { return fun.Operator(ops.Op{Sym: sym}, ts...) }
func mul(a, b *fun.Term) *fun.Term              { return op(ops.SymMul, a, b) }
func add(a, b *fun.Term) *fun.Term              { return op(ops.SymAdd, a, b) }
func lit(x int64) *fun.Term                     { return fun.Literal(numeric.Int(x), fun.Real) }

// scalar is a program with inputs of type R.
func scalar(body *fun.Term, names ...string) *fun.Program {
	return &fun.Program{Names: names, Context: slices.Repeat([]*fun.Type{fun.Real}, len(names)), Body: body, Result: fun.Real}
}

// chain is let x = x * x in, n times.
func chain(n int) *fun.Program {
	t := v(0)
	for range n {
		t = fun.LetIn(mul(v(0), v(0)), t)
	}
	return scalar(t, "x")
}

// repeated applies next n times.
func repeated(n int, first *fun.Term, next func(t *fun.Term) *fun.Term) *fun.Term {
	for range n {
		first = next(first)
	}
	return first
}

// families are ten families of programs with one result.
var families = []family{
	{"lets", chain},
	{"products", func(n int) *fun.Program {
		return scalar(repeated(n, v(0), func(t *fun.Term) *fun.Term { return mul(t, v(0)) }), "x")
	}},
	{"sums of a pair's halves", func(n int) *fun.Program { // op (fst x, .., fst x) of Section 4
		p := scalar(repeated(n, fun.Fst.Make(v(0)), func(t *fun.Term) *fun.Term { return add(t, fun.Fst.Make(v(0))) }), "x")
		p.Context[0] = fun.Prod(fun.Real, wide(6))
		return p
	}},
	{"many variables", func(n int) *fun.Program {
		body := v(0)
		for i := range n {
			body = add(body, v(i))
		}
		return scalar(body, names(n)...)
	}},
	{"cases", func(n int) *fun.Program {
		return scalar(repeated(n, v(0), func(t *fun.Term) *fun.Term {
			return fun.LetIn(fun.Case.Make(fun.Sign.Make(v(0)), mul(v(1), v(1)), v(1)), t)
		}), "x")
	}},
	{"pairs", func(n int) *fun.Program {
		return scalar(repeated(n, v(0), func(t *fun.Term) *fun.Term { return fun.Fst.Make(pair(t, v(0))) }), "x")
	}},
	{"sides", func(n int) *fun.Program {
		sum := fun.Sum(fun.Real, fun.Real)
		return scalar(repeated(n, v(0), func(t *fun.Term) *fun.Term {
			return fun.Case.Make(fun.Inl.Typed(sum, t), v(0), v(0))
		}), "x")
	}},
	{"integers", func(n int) *fun.Program {
		one := fun.Literal(numeric.Int(1), fun.Int)
		return scalar(fun.LetIn(repeated(n, one, func(t *fun.Term) *fun.Term { return add(t, one) }), v(1)), "x")
	}},
	{"unused lets", func(n int) *fun.Program {
		return scalar(repeated(n, v(n), func(t *fun.Term) *fun.Term { return fun.LetIn(lit(2), t) }), "x")
	}},
	{"negations", func(n int) *fun.Program {
		return scalar(repeated(n, v(0), func(t *fun.Term) *fun.Term { return op(ops.SymNeg, t) }), "x")
	}},
}

// WriteFamilies runs a route on each family at two sizes, and prints a table: the ratio of the
// steps, and how much of the bounds they take.
func (r *Route) WriteFamilies(w io.Writer, ops *Derivatives, small, large int, o Options) error {
	t := tabwriter.NewWriter(w, 0, 8, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%s\tsize\tcost(t)\twith D[t]\tratio\tof TH1\tof TH2\t\n", r.Name)
	for _, f := range families {
		for _, n := range []int{small, large} {
			p := f.Make(n)
			d, err := r.Transform(ops, p)
			if err != nil {
				return err
			}
			c, err := d.Cost(slice.Map(p.Context, ones), 1.0, nil, o)
			if err != nil {
				return err
			}
			fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%.2f\t%.3f\t%.3f\t\n", f.Name, n, c.Primal, c.Steps(), float64(c.Steps())/float64(c.Primal),
				float64(c.Left1)/float64(c.Right1), float64(c.Left2)/float64(c.Right2))
		}
	}
	return t.Flush()
}
