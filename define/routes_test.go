package define_test

import (
	"testing"

	"egad"
	"egad/ad"
	"egad/define"
	"egad/internal/timing"
	"egad/routes"
)

// TestRoutes differentiates what Go has written by all routes: a network whose depth is a Go
// int, a loop, a function in Go as the body of a build, a conditional, and doublings without
// a let.
func TestRoutes(t *testing.T) {
	network, err := perceptron(3, 4)
	if err != nil {
		t.Fatal(err)
	}
	texts := []*egad.Source{network}
	for name, write := range map[string]func(d *define.Def, n, c, x V) V{
		"loop": func(d *define.Def, _, c, x V) V {
			return d.Fold(func(s, a V) V { return s.Mul(x).Add(a.Sin()) }, 0.5, c)
		},
		"built": func(d *define.Def, n, c, x V) V {
			return d.Build(n, func(i V) V { return c.At(i).Mul(c.At(n.Sub(1).Sub(i))).Mul(x) }).Sum()
		},
		"choice": func(d *define.Def, _, c, x V) V {
			return d.If(x.Lt(0.5), sillyAlt(4, c).Mul(x), c).Sum()
		},
		"doublings": func(_ *define.Def, _, c, x V) V {
			for range 64 {
				x = x.Add(x)
			}
			return x.Add(c.Sum())
		},
	} {
		d := define.New(nil, name)
		n := d.Size("n")
		text, err := d.Result(write(d, n, d.Input("c", define.R(n)), d.Input("x", define.R())))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, text)
	}
	for _, text := range texts {
		m, err := egad.LoadTexts(text)
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Instantiate("", map[string]int64{"n": 3})
		if err != nil {
			t.Fatal(err)
		}
		env := make(egad.Env)
		if err := timing.MakeUp(env, p.Inputs, 3, 1); err != nil {
			t.Fatal(err)
		}
		results, err := m.Routes(p, env, nil, ad.Options{})
		if err != nil {
			t.Fatal(err)
		}
		applied := 0
		for _, r := range results {
			switch {
			case r.Agreement == routes.Differs:
				t.Errorf("%s: %s differs by %g at %s", p.Name, r.Name, r.Difference, r.Where)
			case r.Agreement == routes.Equal || r.Agreement == routes.Close:
				applied++
			}
			if r.Name == "share" && p.Name == "doublings" && r.Visits > 3*64+20 {
				t.Errorf("share makes %d visits of 64 doublings", r.Visits)
			}
		}
		if applied < 8 {
			t.Errorf("%s: only %d routes apply", p.Name, applied)
		}
	}
}
