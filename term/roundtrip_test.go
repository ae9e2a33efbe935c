package term_test

import (
	"fmt"
	"math/big"
	"math/rand"
	"testing"

	"github.com/google/go-cmp/cmp"

	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// loadSample is the instance of a program text, with errors as errors.
func loadSample(text string) (*term.Program, error) {
	m, err := module.Load(term.NewSignature(), source(text))
	if err != nil {
		return nil, fmt.Errorf("%v\nin\n%s", err, text)
	}
	p, err := m.Instantiate("", nil)
	if err != nil {
		return nil, fmt.Errorf("%v\nin\n%s", err, text)
	}
	return p, nil
}

// checkRoundTrip checks that what is printed of p is read as the same term, is
// printed alike, and has the same value.
func checkRoundTrip(p *term.Program, evaluate bool, seed int64) error {
	text := p.Text("main")
	q, err := loadSample(text)
	if err != nil {
		return err
	}
	if copied := copyTerm(q.Store, p.Store, q.Root); !copied.Equal(p.Root) {
		return fmt.Errorf("another term is read back from\n%s\nwhich is\n%s", text, q.Text("main"))
	}
	if again := q.Text("main"); again != text {
		return fmt.Errorf("printed again (-first +second):\n%s", cmp.Diff(text, again))
	}
	anf := (&term.Printer{Store: p.Store, Names: p.Names, Index: p.Index, ANF: true}).Def("main", p.Inputs, p.Root)
	if q, err = loadSample(anf); err != nil {
		return err
	}
	if copied := copyTerm(q.Store, p.Store, q.Root); !copied.Equal(p.Root) {
		return fmt.Errorf("another term is read back from the A-normal form\n%s", anf)
	}
	if err := checkANF(q); err != nil {
		return fmt.Errorf("%v in\n%s", err, anf)
	}
	if !evaluate {
		return nil
	}
	env := values(rand.New(rand.NewSource(seed)), p.Inputs, func(k int64) float64 { return float64(k) / 4 })
	v, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), env)
	if err != nil {
		return err
	}
	w, err := eval.Interpret(q.Store, q.Root, eval.FloatArrays(), env)
	if err != nil {
		return err
	}
	if a, b := showFloats(v), showFloats(w); a != b {
		return fmt.Errorf("the value was %s and is %s", a, b)
	}
	return nil
}

// checkANF checks that a program read from an A-normal form has a name for every
// operand that is not a variable or a literal.
func checkANF(p *term.Program) error {
	var err error
	p.Store.Walk(p.Root, func(t term.Term) {
		op := p.Store.Op(t)
		for i, k := range p.Store.Kids(t) {
			// A let of a tuple names its components.
			if p.Store.Type(term.Term{ID: k.ID}).Kind == types.KTuple {
				continue
			}
			if _, named := p.Names[k.ID]; !named && len(p.Store.Kids(term.Term{ID: k.ID})) > 0 && !p.Store.Signature().Under(op, i) {
				err = fmt.Errorf("operand %d of %s has no name", i+1, p.Store.Signature().Operator(op.Sym).Name)
			}
		}
	})
	return err
}

func TestRoundTrip(t *testing.T) {
	holds(t, 1500, sampleGen(palette{}), func(s sample) error {
		p, err := loadSample(s.String())
		if err != nil {
			return err
		}
		return checkRoundTrip(p, true, 1)
	}, sample.String)
}

func TestRoundTripLinear(t *testing.T) {
	linear := 0
	holds(t, 700, sampleGen(palette{linear: true}), func(s sample) error {
		if s.linear {
			linear++
		}
		p, err := loadSample(s.String())
		if err != nil {
			return err
		}
		return checkRoundTrip(p, !s.linear, 1)
	}, sample.String)
	if linear < 50 {
		t.Errorf("only %d programs had linear maps", linear)
	}
}

// Where all operations are rational, floats are exact on small inputs.
func TestFloatsAgreeWithRationals(t *testing.T) {
	compared := 0
	holds(t, 1000, sampleGen(palette{rational: true}), func(s sample) error {
		p, err := loadSample(s.String())
		if err != nil {
			return err
		}
		const seed = 1
		x, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), values(rand.New(rand.NewSource(seed)), p.Inputs, func(k int64) float64 { return float64(k) / 4 }))
		if err != nil {
			return err
		}
		rounded := false
		alg := eval.Arrays[*big.Rat]{Scalars: watched{&rounded, eval.Rationals{}}}
		y, err := eval.Interpret(p.Store, p.Root, alg, values(rand.New(rand.NewSource(seed)), p.Inputs, func(k int64) *big.Rat { return big.NewRat(k, 4) }))
		if err != nil {
			return err
		}
		if rounded {
			return nil
		}
		compared++
		if a, b := showFloats(unsigned(x)), showRationals(y); a != b {
			return fmt.Errorf("over floats %s, over rationals %s", a, b)
		}
		return nil
	}, sample.String)
	if compared < 200 {
		t.Errorf("only %d programs were compared", compared)
	}
}

// watched is exact arithmetic that sees where floats would round.
type watched struct {
	rounded *bool
	eval.Rationals
}

func (w watched) see(r *big.Rat) *big.Rat {
	if _, exact := r.Float64(); !exact {
		*w.rounded = true
	}
	return r
}

func (w watched) FromNum(n numeric.Num) *big.Rat { return w.see(w.Rationals.FromNum(n)) }
func (w watched) FromInt(i int64) *big.Rat       { return w.see(w.Rationals.FromInt(i)) }
func (w watched) Binary(sym ops.Sym, a, b *big.Rat) *big.Rat {
	return w.see(w.Rationals.Binary(sym, a, b))
}

// unsigned makes +0 of -0, which the rationals do not tell apart.
func unsigned(v *eval.Value[float64]) *eval.Value[float64] {
	for _, p := range v.Parts {
		unsigned(p)
	}
	for i := range v.R {
		v.R[i] += 0
	}
	return v
}
