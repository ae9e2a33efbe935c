package ad

import (
	"testing"

	"egad/bot"
	"egad/egraph"
	"egad/internal/defs"
	"egad/rules"
	"egad/rules/saturate"
	"egad/term"
	"egad/term/ops"
)

// in is a term in a store.
type in struct {
	s *term.Store
	t term.Term
}

// proves puts two terms on an e-graph and saturates until they are in one class.
func proves(t *testing.T, lib *rules.Library, a, b in, sets ...string) (*egraph.Report, bool) {
	t.Helper()
	g := saturate.New(a.s.Signature())
	x, err := g.AddTerm(a.s, a.t, nil)
	if err != nil {
		t.Fatal(err)
	}
	y, err := g.AddTerm(b.s, b.t, nil)
	if err != nil {
		t.Fatal(err)
	}
	if g.Same(x, y) {
		t.Error("both sides are one term")
	}
	var rs []*rules.Set
	for _, n := range sets {
		rs = append(rs, lib.Set(n))
	}
	same := func() bool { return g.Same(x, y) }
	rep, err := g.Saturate(egraph.Limits{Iterations: 20, Nodes: 20_000}, same, rs...)
	if err != nil {
		t.Fatal(err)
	}
	return rep, same()
}

// bulk is the bulk program of p.
func bulk(t *testing.T, lib *rules.Library, p *term.Program) *term.Program {
	t.Helper()
	q, _, err := bot.Transform(lib, p, 0)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

func linearise(t *testing.T, lib *rules.Library, p *term.Program) *Jacobian {
	t.Helper()
	j, err := Linearise(lib, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// join is the map from all inputs whose parts are maps from one.
func join(s *term.Store, maps ...term.Term) term.Term {
	if len(maps) == 1 {
		return maps[0]
	}
	return s.Apply(ops.SymLjoin, maps...)
}

// TestForwardIsReverse proves F(out) = ⋈ D(inputs) by the laws of linear maps: the
// derivative put together from the inputs on is the one put together from the
// result back.
func TestForwardIsReverse(t *testing.T) {
	for _, text := range []string{
		`def f(x: R): R = sin (exp x) * x`,
		`def f(x: R): R = let y = x * x in y * y + y`,
		`def f(x: R): R = let y = x * x in let z = x + y in y * z`,
		`def f(x: R, y: R): R = x * y`,
		`def f(x: R, y: R): R = sin (x * y) + x`,
		`def f(x: R, y: R, z: R): R = x * y + z`,
		`def f(x: R): (R, R) = (sin x, x * x)`,
		`def f(x: R, y: R): (R, R) = (x * y, x + y)`,
		`def f(x: R[3], y: R[3]): R = sum (x * y)`,
		`def f(x: R[3]): R = sum (build 3 (\i -> x[i] * x[2 - i]))`,
		`def f(x: R[2, 3], y: R[3]): R[2] = build 2 (\i -> sum (build 3 (\j -> x[i, j] * y[j])))`,
	} {
		lib, p := defs.Last(t, text)
		p = bulk(t, lib, p)
		j := linearise(t, lib, p)
		s := j.Prog.Store
		if rep, ok := proves(t, lib, in{s, j.Forward}, in{s, join(s, j.Reverse...)}, "linear_laws"); !ok {
			t.Errorf("%s\nnot proved: %v", text, rep)
		} else {
			t.Logf("%s\n%v", text, rep)
		}
	}
}

// TestForwardIsNotReverse sees that what is false is not proved: with the inputs
// changed over.
func TestForwardIsNotReverse(t *testing.T) {
	lib, p := defs.Last(t, `def f(x: R, y: R): R = sin (x * y) + x`)
	j := linearise(t, lib, p)
	s := j.Prog.Store
	rep, ok := proves(t, lib, in{s, j.Forward}, in{s, join(s, j.Reverse[1], j.Reverse[0])}, "linear_laws")
	if ok || rep.Stop != egraph.Saturated {
		t.Errorf("proved: %v (%v)", ok, rep)
	}
}

// directSets are rules that prove what the direct path and the path by the
// bulk-operation transform have in common.
var directSets = []string{
	"linear_transpose", "linear_apply", "linear_masks", "linear_chains", "linear_reached", "linear_reached_across", "masks", "bot_build", "bot_build_index", "bot_index", "arrays", "builds", "compositions", "scalars",
}

// TestDirectIsBulk proves that the gradient of the direct path (build
// differentiated as B, transposed to B') is that of the bulk program.
func TestDirectIsBulk(t *testing.T) {
	for _, text := range []string{
		`def f(x: R[3], y: R[3]): R = sum (build 3 (\i -> x[i] * y[i]))`,
		`def f(x: R[2, 3], y: R[3]): R[2] = build 2 (\i -> sum (build 3 (\j -> x[i, j] * y[j])))`,
		`def f(x: R[4]): R = sum (build 4 (\i -> x[i] * x[3 - i]))`,
		`def f(x: R[4], k: I[5]): R = let s = exp x in sum (build 5 (\i -> s[k[i]]))`,
		`def f(x: R[2, 3], y: R[3, 4]): R[2, 4] = build [2, 4] (\[i, k] -> sum (build 3 (\j -> x[i, j] * y[j, k])))`,
		`def f(x: R[6], y: R[3]): R[4] = build 4 (\i -> sum (build 3 (\j -> x[i + j] * y[j])))`,
		`def f(x: R[4], y: R): R[4] = build 4 (\i -> x[i] * y + sin x[i])`,
	} {
		lib, p := defs.Last(t, text)
		gradient := func(p *term.Program) in {
			j := linearise(t, lib, p)
			s := j.Prog.Store
			ct := s.Var("ct", j.Codomain)
			var parts []term.Term
			for _, m := range j.Reverse {
				parts = append(parts, s.Apply(ops.SymLapply, s.Apply(ops.SymLtranspose, m), ct))
			}
			return in{s, s.Packed(parts)}
		}
		if rep, ok := proves(t, lib, gradient(p), gradient(bulk(t, lib, p)), directSets...); !ok {
			t.Errorf("%s\nnot proved: %v", text, rep)
		} else {
			t.Logf("%s\n%v", text, rep)
		}
	}
}

// TestDirect keeps gradients of the direct path: sums of one-hots have become
// single scatters, or nothing.
func TestDirect(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`def f(x: R[4]): R = sum (build 4 (\i -> x[i] * x[3 - i]))`, `def grad_f(x: R[4]): (R, R[4]) =
  (sum (build 4 (\i -> x[i] * x[3 - i])), build 4 (\i -> x[3 - i]) + gather [4] x (\[i] -> [3 - i]))
`},
		{`def f(x: R[2, 3], y: R[3]): R = sum (build 2 (\i -> sum (build 3 (\j -> x[i, j] * y[j]))))`, `def grad_f(x: R[2, 3], y: R[3]): (R, R[2, 3], R[3]) =
  (sum (build 2 (\i -> sum (build 3 (\j -> x[i, j] * y[j])))), replicate 2 y, sum x)
`},
		{`def f(x: R[4], k: I[5]): R = let s = exp x in sum (build 5 (\i -> s[k[i]]))`, `def grad_f(x: R[4], k: I[5]): (R, R[4]) =
  let s = exp x in
  (sum (build 5 (\i -> s[k[i]])), where (0 < scatter [4] (replicate 5 1) (\[i] -> [k[i]])) (s * scatter [4] (replicate 5 1.0) (\[i] -> [k[i]])) 0.0)
`},
	} {
		lib, p := defs.Last(t, c.text)
		d, err := Grad(lib, p, Options{Direct: true})
		if err != nil {
			t.Fatal(err)
		}
		if got := d.Program.Text("grad_f"); got != c.want {
			t.Errorf("%s\nhas the gradient\n%s\nwant\n%s", c.text, got, c.want)
		}
	}
}
