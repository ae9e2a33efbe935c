package egad_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"egad"
	"egad/ad"
	"egad/term"
	"egad/term/eval"
	"egad/term/types"
)

// Programs on matrices, of a: R[k, n, n] of positive definite matrices and
// b: R[k, n, m].
var onMatrices = []struct{ name, body string }{
	{"cholesky", `sum (flat (weigh (map cholesky a)))`},
	{"one cholesky", `sum (flat (sin (cholesky a[0])))`},
	{"trisolve", `sum (flat (sin (zip trisolve a b)))`},
	{"trisolvet", `sum (flat (sin (zip trisolvet a b)))`},
	{"solve", `sum (flat (sin (zip solve a b)))`},
	{"one matrix, many sides", `sum (flat (sin (map (solve a[0]) b)))`},
	{"one matrix, of one side each", `sum (flat (sin (build k (\i -> build m (\j -> solve a[0] b[i, :, j])))))`},
	{"a vector", `sum (sin (trisolve a[0] b[0, :, 0]))`},
	{"vectors", `sum (flat (sin (build k (\i -> trisolvet (cholesky a[i]) b[i, :, 0]))))`},
	{"logdet", `sum (sin (map logdet a))`},
	{"the logarithm of a density", `sum (build k (\i -> let l = cholesky a[i] in let z = trisolve l b[i, :, 0] in
	   -0.5 * sumsq z - sum (log (diagonal l))))`},
	{"of a loop", `let f = \s x -> solve (s + x) x in sum (flat (fold f a[0] a))`},
	{"a derivative inside", `sum (flat (grad (\x -> logdet x + sum (flat (cholesky x))) a[0]))`},
}

func matrixProgram(t *testing.T, body string, k, n, m int64) (*egad.Module, *term.Program) {
	t.Helper()
	mod, err := egad.Parse("test", `
def weigh[k, n](a: R[k, n, n]): R[k, n, n] = a * build [k, n, n] (\[i, j, l] -> real (1 + i) + sin (real (j - 2 * l)))
def f[k, n, m](a: R[k, n, n], b: R[k, n, m]): R = `+body)
	if err != nil {
		t.Fatal(err)
	}
	p, err := mod.Instantiate("f", map[string]int64{"k": k, "n": n, "m": m})
	if err != nil {
		t.Fatal(err)
	}
	return mod, p
}

// matricesOf draws k positive definite matrices of n rows, and k of m columns.
func matricesOf(from *rand.Rand, k, n, m int) egad.Env {
	a := &egad.Value{Elem: types.R, Shape: []int{k, n, n}, R: make([]float64, k*n*n)}
	b := &egad.Value{Elem: types.R, Shape: []int{k, n, m}, R: make([]float64, k*n*m)}
	for i := range b.R {
		b.R[i] = from.NormFloat64()
	}
	for c := range k {
		g := mat.NewDense(n, n, nil)
		for i := range n {
			for j := range n {
				g.Set(i, j, from.NormFloat64())
			}
		}
		s := mat.NewDense(n, n, a.R[c*n*n:(c+1)*n*n])
		s.Mul(g, g.T())
		for i := range n {
			s.Set(i, i, s.At(i, i)+1)
		}
	}
	return egad.Env{"a": a, "b": b}
}

func evaluated(t *testing.T, p *term.Program, env egad.Env) *egad.Value {
	t.Helper()
	v, err := egad.Evaluate(p, env)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// difference is the difference quotient of a program by element j of the input x.
func difference(t *testing.T, p *term.Program, env egad.Env, x *egad.Value, j int) float64 {
	const h = 1e-5
	defer func(was float64) { x.R[j] = was }(x.R[j])
	x.R[j] += h
	above := evaluated(t, p, env).R[0]
	x.R[j] -= 2 * h
	return (above - evaluated(t, p, env).R[0]) / (2 * h)
}

// Gradients of programs on matrices are what differences say, and so are second
// derivatives; forward and reverse mode agree.
func TestMatrixDerivatives(t *testing.T) {
	from := rand.New(rand.NewPCG(1, 2))
	for _, c := range onMatrices {
		t.Run(c.name, func(t *testing.T) {
			for _, size := range [][3]int{{1, 1, 1}, {2, 3, 2}} {
				k, n, m := size[0], size[1], size[2]
				mod, p := matrixProgram(t, c.body, int64(k), int64(n), int64(m))
				env := matricesOf(from, k, n, m)
				g, err := mod.Grad(p, ad.Options{})
				if err != nil {
					t.Fatal(err)
				}
				v := run(t, g.Program, env)
				forward, err := mod.JVP(p, ad.Options{})
				if err != nil {
					t.Fatal(err)
				}
				second, err := mod.HVP(p, ad.Options{})
				if err != nil {
					t.Fatal(err)
				}
				along := egad.Env{}
				sum := 0.0
				for i, in := range g.Wrt {
					x := env[in.Name]
					d := &egad.Value{Elem: types.R, Shape: x.Shape, R: make([]float64, len(x.R))}
					for j := range d.R {
						if want := difference(t, p, env, x, j); !closeTo(v.Parts[1+i].R[j], want) {
							t.Errorf("n = %d: by %s[%d]: %v, by differences %v", n, in.Name, j, v.Parts[1+i].R[j], want)
						}
						d.R[j] = from.NormFloat64()
						sum += d.R[j] * v.Parts[1+i].R[j]
					}
					along[in.Name], along["d_"+in.Name] = x, d
				}
				w := run(t, forward.Program, along)
				if got := w.Parts[1].R[0]; !closeTo(got, sum) {
					t.Errorf("n = %d: forward mode gives %v, reverse mode %v", n, got, sum)
				}
				const h = 1e-5
				moved := func(step float64) *egad.Value {
					at := egad.Env{}
					for _, in := range g.Wrt {
						x := env[in.Name].Copy()
						for j := range x.R {
							x.R[j] += step * along["d_"+in.Name].R[j]
						}
						at[in.Name] = x
					}
					return evaluated(t, g.Program, at)
				}
				above, below := moved(h), moved(-h)
				h2 := run(t, second.Program, along)
				for i := range g.Wrt {
					got := h2.Parts[1+len(g.Wrt)+i].R
					for j := range got {
						if want := (above.Parts[1+i].R[j] - below.Parts[1+i].R[j]) / (2 * h); math.Abs(got[j]-want) > 1e-5*(1+math.Abs(want)) {
							t.Errorf("n = %d: second derivative by %s[%d]: %v, by differences %v", n, g.Wrt[i].Name, j, got[j], want)
						}
					}
				}
			}
		})
	}
}

// Values are those of gonum's own factorisations, in the sizes where LAPACK works in
// blocks too.
func TestMatrixValues(t *testing.T) {
	from := rand.New(rand.NewPCG(3, 4))
	mod, err := egad.Parse("test", `
def f[n, m](a: R[n, n], b: R[n, m]): (R[n, n], R[n, m], R[n, m], R[n, m], R) =
  (cholesky a, solve a b, trisolve a b, trisolvet a b, logdet a)`)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int{1, 2, 5, 100} {
		env := matricesOf(from, 1, n, 3)
		env["a"].Shape, env["b"].Shape = []int{n, n}, []int{n, 3}
		p, err := mod.Instantiate("f", map[string]int64{"n": int64(n), "m": 3})
		if err != nil {
			t.Fatal(err)
		}
		v := run(t, p, env)
		a, b := mat.NewDense(n, n, env["a"].R), mat.NewDense(n, 3, env["b"].R)
		lower := mat.NewTriDense(n, mat.Lower, nil)
		for i := range n {
			for j := range i + 1 {
				lower.SetTri(i, j, a.At(i, j))
			}
		}
		var l mat.Dense
		factor := mat.NewDense(n, n, v.Parts[0].R)
		l.Mul(factor, factor.T())
		value, sign := mat.LogDet(a)
		var solved, left, right mat.Dense
		if solved.Mul(a, mat.NewDense(n, 3, v.Parts[1].R)); sign != 1 {
			t.Errorf("n = %d: the determinant is negative", n)
		}
		left.Mul(lower, mat.NewDense(n, 3, v.Parts[2].R))
		right.Mul(lower.T(), mat.NewDense(n, 3, v.Parts[3].R))
		for _, c := range []struct {
			what      string
			got, want mat.Matrix
		}{{"cholesky", &l, a}, {"solve", &solved, b}, {"trisolve", &left, b}, {"trisolvet", &right, b}} {
			var off mat.Dense
			if off.Sub(c.got, c.want); mat.Max(&off) > 1e-9*(1+mat.Max(c.want)) || -mat.Min(&off) > 1e-9*(1+mat.Max(c.want)) {
				t.Errorf("n = %d: %s is off by up to %v", n, c.what, mat.Max(&off))
			}
		}
		if got := v.Parts[4].R[0]; math.Abs(got-value) > 1e-12*(1+math.Abs(value)) {
			t.Errorf("n = %d: logdet is %v, by gonum %v", n, got, value)
		}
	}
}

// A gradient through a system of equations costs a small multiple of its value, and one
// matrix with many right sides is decomposed once.
func TestMatrixCosts(t *testing.T) {
	for _, c := range []struct {
		body string
		most int64
	}{
		{`sum (flat (sin (map (solve a[0]) b)))`, 6},
		{`sum (map logdet a)`, 6},
		{`sum (flat (map cholesky a))`, 8},
	} {
		mod, p := matrixProgram(t, c.body, 4, 10, 5)
		g, err := mod.Grad(p, ad.Options{})
		if err != nil {
			t.Fatal(err)
		}
		counted := func(p *term.Program) int64 { return eval.CountOps(p.Store, p.Root).Float }
		if of, got := counted(p), counted(g.Program); got > c.most*of {
			t.Errorf("%s: the gradient takes %d operations, the value %d", c.body, got, of)
		}
	}
	mod, p := matrixProgram(t, `sum (flat (map (solve a[0]) b))`, 50, 10, 2)
	g, err := mod.Grad(p, ad.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := eval.CountOps(g.Program.Store, g.Program.Root).Float; got > 50_000 {
		t.Errorf("the gradient of systems with one matrix takes %d operations:\n%s", got, g.Program.Text("f"))
	}
}
