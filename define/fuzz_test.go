package define_test

import (
	"errors"
	"fmt"
	"math/rand"
	"testing"

	"egad/define"
	"egad/diag"
	"egad/internal/testflag"
	"egad/term"
	"egad/term/module"
)

// clumsy is somebody who writes definitions and knows no types, scopes or ends. It has
// some bytes to decide by.
type clumsy struct {
	data   []byte
	d      *define.Def
	values []V // of all definitions, also from functions that have ended
	depth  int
}

func (c *clumsy) pick(n int) int {
	if len(c.data) == 0 {
		return 0
	}
	b := c.data[0]
	c.data = c.data[1:]
	return int(b) % n
}

func (c *clumsy) any() any {
	switch k := c.pick(24); {
	case k < 16:
		return c.value()
	case k == 16:
		return c.pick(5) - 1
	case k == 17:
		return float64(c.pick(7)) / 2
	case k == 18:
		return c.pick(2) == 0
	case k == 19:
		return []any{c.any(), c.any()}
	case k == 20:
		return []int{c.pick(3), c.pick(3)}
	case k == 21:
		return c.function(1 + c.pick(2))
	case k == 22:
		return define.Range{Lo: c.any(), Hi: c.any()}
	}
	return nil
}

func (c *clumsy) value() V {
	if len(c.values) == 0 {
		return V{}
	}
	return c.values[len(c.values)-1-c.pick(min(len(c.values), 12))]
}

func (c *clumsy) function(arity int) any {
	switch arity {
	case 1:
		return func(x V) V { return c.body(x) }
	case 2:
		return func(x, y V) V { return c.body(x, y) }
	case 3:
		return func(x V) []V { return []V{c.body(x)} }
	}
	return func(x, y V) []V { c.values = append(c.values, x, y); return []V{x, c.value()} }
}

func (c *clumsy) body(xs ...V) V {
	c.values = append(c.values, xs...)
	if c.depth++; c.depth < 4 {
		for range c.pick(4) {
			c.step()
		}
	}
	c.depth--
	return c.value()
}

func (c *clumsy) step() {
	x := c.value()
	var r V
	switch c.pick(34) {
	case 0:
		r = x.Add(c.any())
	case 1:
		r = x.Mul(c.any())
	case 2:
		r = x.Sub(c.any())
	case 3:
		r = x.Div(c.any())
	case 4:
		r = x.Pow(c.any())
	case 5:
		r = x.Neg()
	case 6:
		r = x.Exp()
	case 7:
		r = x.Sum()
	case 8:
		r = x.Lt(c.any())
	case 9:
		r = x.Eq(c.any())
	case 10:
		r = x.And(c.any())
	case 11:
		r = x.At(c.any())
	case 12:
		r = x.At(c.any(), c.any())
	case 13:
		r = x.Part(c.pick(4) - 1)
	case 14:
		r = x.Dim(c.pick(3))
	case 15:
		r = x.Real()
	case 16:
		r = c.d.Tuple(c.any(), c.any())
	case 17:
		r = c.d.If(c.any(), c.any(), c.any())
	case 18:
		r = c.d.Value(c.any())
	case 19:
		r = x.Named([]string{"a", "t1", "exp", "i", "let"}[c.pick(5)])
	case 20, 21:
		r = c.d.Build(c.any(), c.function(1+c.pick(4)))
	case 22:
		r = x.Gather([]any{c.any()}, c.function(1+c.pick(4)))
	case 23:
		r = x.Scatter([]any{c.any()}, c.function(1+c.pick(4)))
	case 24:
		r = c.d.Fold(func(s, y V) V { return c.body(s, y) }, c.any(), c.any())
	case 25:
		r = c.d.Scan(func(s, y V) V { return c.body(s, y) }, c.any(), c.any())
	case 26:
		r = c.d.MapAccum(func(s, y V) V { return c.d.Tuple(c.body(s, y), y) }, c.any(), c.any())
	case 27:
		r = c.d.Iterate(c.any(), func(s V) V { return c.body(s) }, c.any())
	case 28:
		r = c.d.Call([]string{"map", "dot", "concat", "flat", "last", "reverse", "square", "grad", "along", "zip", "reshape", "replicate", "stack", "pipe"}[c.pick(14)], c.any(), c.any())
	case 29:
		r = c.d.Call([]string{"map", "vjp", "jacobian", "iota", "stopgrad", "along", "zip"}[c.pick(7)], c.any(), c.any(), c.any())
	case 30:
		r = c.d.Input(fmt.Sprint("x", c.pick(9)), []define.Type{define.R(), define.R(c.any()), define.I(2), define.B(), define.TupleOf(define.R(2), define.I())}[c.pick(5)])
	case 31:
		r = c.d.Size(fmt.Sprint("n", c.pick(3)))
	case 32:
		c.d.Where(c.any(), []string{"=", "<", ">="}[c.pick(3)], c.any())
	case 33:
		r = x.Min(c.any()).Max(c.any())
	}
	// Most mistakes are made in definitions of their own, so that others go on.
	if r.Type() != "" || c.pick(200) == 7 {
		c.values = append(c.values, r)
	}
}

// write makes definitions until the bytes are used up. A finding ends one. What has a
// result is read as a text, with the type that it says, or does not fit 64 bits.
func write(data []byte) (results int, err error) {
	c := &clumsy{data: data}
	for len(c.data) > 0 {
		c.d = define.New(nil, "f")
		n := c.d.Size("n")
		c.values = append(c.values, n, c.d.Input("a", define.R(n)), c.d.Input("b", define.R(n, 2)), c.d.Input("k", define.I()), c.d.Input("x", define.R()))
		for range 3 + c.pick(20) {
			if c.d.Err() == nil {
				c.step()
			}
		}
		src, err := c.d.Result(c.value())
		if err != nil {
			var list diag.List
			if !errors.As(err, &list) || len(list) == 0 {
				return results, fmt.Errorf("a finding of another kind: %v", err)
			}
			for _, e := range list {
				if file, line, _ := e.Position(); e.Msg == "" || line == 0 {
					return results, fmt.Errorf("at %s:%d: %v", file, line, e)
				}
			}
			continue
		}
		results++
		m, err := module.Load(term.NewSignature(), src)
		if err != nil {
			return results, fmt.Errorf("%v\nin\n%s", err, src.Text)
		}
		if p, err := m.Instantiate("f", map[string]int64{"n": 2}); err == nil {
			if _, err := loadAgain(p); err != nil {
				return results, err
			}
		}
	}
	return results, nil
}

// loadAgain reads what is printed of a program.
func loadAgain(p *term.Program) (*term.Program, error) {
	m, err := module.Load(p.Store.Signature(), &diag.Source{Name: "f.egad", Text: p.Text("f")})
	if err != nil {
		return nil, fmt.Errorf("%v\nin\n%s", err, p.Text("f"))
	}
	return m.Instantiate("f", nil)
}

// TestClumsy: whoever writes a definition gets one that is read, or a finding.
func TestClumsy(t *testing.T) {
	n, results := testflag.Count(1000, 100_000), 0
	r := rand.New(rand.NewSource(testflag.Seed))
	for range n {
		data := make([]byte, 20+r.Intn(300))
		r.Read(data)
		k, err := write(data)
		if err != nil {
			t.Fatalf("-seed %d: %v", testflag.Seed, err)
		}
		results += k
	}
	if results < n/4 {
		t.Errorf("only %d definitions have a result", results)
	}
}

// FuzzDefine is TestClumsy for any bytes.
func FuzzDefine(f *testing.F) {
	f.Add([]byte("a definition"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 2000 {
			return
		}
		if _, err := write(data); err != nil {
			t.Error(err)
		}
	})
}
