package ad

import (
	"fmt"
	"math"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"egad/internal/defs"
	"egad/rules"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/types"
)

// randomInputs are values of the inputs of a program; integers are from -1 to 3.
func randomInputs(t *testing.T, rng *rand.Rand, p *term.Program) env {
	return defs.Inputs(t, p, rng.NormFloat64, func() int64 { return int64(rng.Intn(5) - 1) })
}

// compareBlocks compares the blocks of the Jacobian of p with the dense one, and gives
// the number of their elements.
func compareBlocks(t *testing.T, lib *rules.Library, p *term.Program, at env, opt Options) (sparse, dense int) {
	t.Helper()
	b, err := JacobianBlocks(lib, p, opt)
	if err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	d, err := DenseJacobian(lib, p, opt, Cheapest)
	if err != nil {
		t.Fatalf("%s: %v", p.Name, err)
	}
	got, want := value(t, b.Program, at), value(t, d.Program, at)
	// The dense derivative of each real array of the value by each of the inputs.
	type pair struct{ of, by string }
	left := make(map[pair][]float64)
	for i, in := range d.Wrt {
		realAt(p.Store.Type(p.Root), want.Parts[1+i], nil, func(of []int, v *eval.Value[float64]) {
			byLeaf(in, v, func(leaf string, v *eval.Value[float64]) {
				left[pair{fmt.Sprint(of), leaf}] = slices.Clone(v.R)
				dense += len(v.R)
			})
		})
	}
	if len(got.Parts) != 1+len(b.Blocks) {
		t.Fatalf("%s: %d parts for %d blocks", p.Name, len(got.Parts), len(b.Blocks))
	}
	for i, block := range b.Blocks {
		v := got.Parts[1+i]
		sparse += len(v.Parts[0].R)
		to := left[pair{fmt.Sprint(block.Of), block.By.Name}]
		cols := 1
		for _, n := range block.Cols {
			cols *= n
		}
		EachEntry(block, v, func(row, col int, x float64) { to[row*cols+col] -= x })
	}
	for key, rest := range left {
		for i, x := range rest {
			if !(math.Abs(x) <= 1e-8) {
				t.Errorf("%s: of %s by %s, element %d: off by %g\n%s", p.Name, key.of, key.by, i, x, b.Program.Text("blocks"))
				return sparse, dense
			}
		}
	}
	return sparse, dense
}

// realAt goes through what belongs to the real arrays of a value of type t in v, which
// has no components for others.
func realAt(t *types.Type, v *eval.Value[float64], path []int, f func([]int, *eval.Value[float64])) {
	if t.Kind != types.KTuple {
		f(path, v)
		return
	}
	k := 0
	for i, p := range t.Parts {
		if p.Differentiable() {
			realAt(p, v.Parts[k], append(path[:len(path):len(path)], i), f)
			k++
		}
	}
}

// byLeaf goes through what belongs to the real arrays of an input.
func byLeaf(in term.Input, v *eval.Value[float64], f func(string, *eval.Value[float64])) {
	if in.Type.Kind != types.KTuple {
		f(in.Name, v)
		return
	}
	k := 0
	for _, p := range in.Components() {
		if p.Type.Differentiable() {
			byLeaf(p, v.Parts[k], f)
			k++
		}
	}
}

// TestBlocks compares blocks with dense Jacobians, on the programs of the tests.
func TestBlocks(t *testing.T) {
	rng := rand.New(rand.NewSource(3))
	lib, m := defs.Load(t, "testdata/programs.egad")
	defs.Each(t, m, 4, func(name string, p *term.Program) {
		if p.Store.Type(p.Root).RealPart() == nil || p.HasMaps() {
			return
		}
		if _, err := Varied(p, nil); err != nil {
			return
		}
		at := randomInputs(t, rng, p)
		for _, opt := range []Options{{}, {Direct: true}} {
			if _, err := DenseJacobian(lib, p, opt, Cheapest); err != nil {
				continue // what has no derivative
			}
			compareBlocks(t, lib, p, at, opt)
		}
	})
}

// TestBlockSizes pins down how many elements there are of those of dense matrices.
func TestBlockSizes(t *testing.T) {
	rng := rand.New(rand.NewSource(4))
	for _, c := range []struct {
		def, body     string
		sparse, dense int
	}{
		{"f(x: R[6]): R[6]", "exp x", 6, 36},
		{"f(x: R[6], k: I[4]): R[4]", "build 4 (\\i -> sin x[k[i]])", 4, 24},
		{"f(x: R[6]): R[5]", "build 5 (\\i -> x[i] * x[i + 1])", 10, 30},
		{"f(x: R[6, 2], k: I[4]): R[4]", "build 4 (\\i -> prod x[k[i]])", 8, 48},
		{"f(x: R[6, 2], k: I[4]): R[4, 2]", "build 4 (\\i -> x[k[i]] * sum x[k[i]])", 16, 96},
		{"f(x: R[6], w: R[3]): R[6]", "build 6 (\\i -> sum (build 3 (\\k -> w[k] * exp x[i + k - 1])))", 36, 54},
		{"f(x: R[6], s: R): R[6]", "x * s", 12, 42},
		{"f(x: R[6]): R", "sum (x * x)", 6, 6},
		{"f(x: R[4], k: I[3]): R[3]", "let y = exp x in build 3 (\\i -> y[k[i]] * y[i])", 12, 12},
		{"f(x: R[4, 3], k: I[5]): R[5]", "let y = build 4 (\\i -> dot(x[i], x[i])) in build 5 (\\i -> y[k[i]])", 15, 60},
		{"f(x: R[4, 3]): R[3, 4]", "tr [1, 0] (exp x)", 12, 144},
		{"f(x: R[4, 3]): R[12]", "reshape [12] (exp x)", 144, 144},
		{"f(x: R[4, 3]): R[4, 3]", "along 1 softmax x", 36, 144},
		{"f(x: R[5], y: R[5]): (R[5], R[2])", "(x * y, [sum x, sum y])", 30, 70},
		// Stencils, a band, and rows of as many elements as another array says.
		{"f(u: R[6], c: R): R[6]", "build 6 (\\i -> u[i + 1] - 2 * u[i] + u[i - 1] - c * square u[i])", 24, 42},
		{"f(u: R[4, 3]): R[4, 3]", "build [4, 3] (\\[i, j] -> u[i + 1, j] + u[i - 1, j] + u[i, j + 1] + u[i, j - 1] - exp u[i, j])", 60, 144},
		{"f(a: R[6, 5], x: R[6], b: R[6]): R[6]", "build 6 (\\i -> sum (build 5 (\\k -> a[i, k] * x[i + k - 2])) - b[i])", 66, 252},
		{"f(x: R[7], start: I[3], count: I[3], col: I[7], v: R[7]): R[3]", "build 3 (\\i -> sum (build 4 (\\k -> if k < count[i] then v[start[i] + k] * square x[col[start[i] + k]] else 0)))", 24, 42},
		{"f(x: R[3], row: I[4], col: I[4], v: R[4]): R[2]", "scatter [2] (build 4 (\\k -> v[k] * square x[col[k]])) (\\[k] -> [row[k]])", 8, 14},
		{"f(x: R[3], row: I[4], col: I[4], v: R[4], b: R[2]): R[2]", "b * b - scatter [2] (build 4 (\\k -> v[k] * square x[col[k]])) (\\[k] -> [row[k]])", 10, 18},
		{"f(x: R[5, 3], k: I[5]): (R[4, 3], R)", "(scatter [4] (exp x) (\\[i] -> [k[i]]), sum (flat x))", 30, 195},
		{"f(x: R[5, 3], k: I[5], l: I[3]): R[4, 2]", "scatter [4, 2] (exp x) (\\[i, j] -> [k[i] + l[j], l[j] * i])", 15, 120},
		{"f(x: R[5], k: I[5]): R[7]", "scatter [7] (x * x) (\\[i] -> [2 * i - 1]) - scatter [7] (sin x) (\\[i] -> [k[i]])", 10, 35},
		// Elements read at several numbers from their own place, which no gather of an input says.
		{"f(x: R[9]): R[8]", "let y = exp x in build 8 (\\i -> y[i] * y[i + 1])", 16, 72},
		{"f(x: R[9]): R[9]", "let y = build 9 (\\i -> square x[i] - x[i + 1]) in build 9 (\\i -> sin y[i - 1] + y[i])", 36, 81},
		{"f(x: R[5, 4]): R[5, 4]", "let y = exp x in build [5, 4] (\\[i, j] -> y[i, j] * y[i - 1, j] + y[i, j + 1] * y[i, j])", 60, 400},
		{"f(x: R[3]): R[3]", "let y = exp x in build 3 (\\i -> y[i - 2] * y[i] + y[i + 1])", 9, 9},
		{"f(x: R[9, 2]): R[8]", "let y = exp x in build 8 (\\i -> dot(y[i], y[i + 1]))", 32, 144},
		{"f(x: R[5], k: I[5]): R[4]", "sin (scatter [4] x (\\[i] -> [k[i]]))", 20, 20},
		{"f(x: R[4], k: I[5]): R[4]", "let y = x * x in scatter [4] (gather [5] y (\\[i] -> [k[i]])) (\\[i] -> [k[i]])", 4, 16},
	} {
		text := "def " + c.def + " = " + c.body
		lib, p := defs.Last(t, text)
		sparse, dense := compareBlocks(t, lib, p, randomInputs(t, rng, p), Options{})
		if sparse != c.sparse || dense != c.dense {
			t.Errorf("%s: %d elements for %d, wanted %d for %d", strings.TrimSpace(text), sparse, dense, c.sparse, c.dense)
		}
	}
}

// TestProducts: in what is computed one product after the other nothing is multiplied by the
// zeros and ones that it begins with.
func TestProducts(t *testing.T) {
	for _, text := range []string{
		`def f(x: R[6, 2], k: I[4]): R[4, 2] = build 4 (\i -> x[k[i]] * sum x[k[i]])`,
		`def f(x: R[4, 3], k: I[5]): R[5] = let y = build 4 (\i -> dot(x[i], x[i])) in build 5 (\i -> y[k[i]])`,
		`def f(x: R[4, 3]): R[4, 3] = along 1 softmax x`,
	} {
		lib, p := defs.Last(t, text)
		d, err := JacobianBlocks(lib, p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		pr := &term.Printer{Store: d.Program.Store, Names: d.Program.Names}
		if s := pr.Def("j", d.Program.Inputs, d.Program.Root); strings.Contains(s, "1.0") {
			t.Errorf("ones are left in\n%s", s)
		}
	}
}

// TestHessianDiagonalTooLarge: a diagonal that takes too many terms, where the gradient does not,
// says what takes fewer.
func TestHessianDiagonalTooLarge(t *testing.T) {
	lib, p := defs.Last(t, "def f(x: R[5]): R = square (sum (sin x))")
	for nodes := 20; ; nodes += 20 {
		small := p.Clone()
		small.Store.MaxNodes = nodes
		if _, err := Grad(lib, small, Options{}); err != nil {
			continue
		}
		_, err := HessianDiagonal(lib, small, Options{})
		if err == nil || !strings.HasPrefix(err.Error(), "the diagonal of the Hessian of f: the program has more than ") ||
			!strings.HasSuffix(err.Error(), "; the whole Hessian, and its products with directions, may do with fewer") {
			t.Errorf("of %d terms: %v", nodes, err)
		}
		return
	}
}

// TestHessianDiagonal compares diagonals with those of dense Hessians, and pins down
// what they cost.
func TestHessianDiagonal(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	for _, c := range []struct{ def, body, notes string }{
		{"f(x: R[5]): R", "sum (exp x)", ""},
		{"f(x: R): R", "sin x * x", ""},
		{"f(x: R[5], y: R[5]): R", "sum (sin x * y) + sum (x * x * y * y)", ""},
		{"f(x: R[3], k: I[4]): R", "sum (build 4 (\\i -> exp x[k[i]]))", ""},
		{"f(x: R[3, 2], k: I[4]): R", "sum (build 4 (\\i -> prod x[k[i]]))", "by x takes 2"},
		{"f(x: R[4, 2], p: R[6, 2]): R", "sum (build 6 (\\i -> minimum (build 4 (\\k -> sum (square (p[i] - x[k]))))))", ""},
		{"f(x: R[5]): R", "square (sum x)", "by x takes 5"},
		{"f(x: R[4, 5]): R", "square (norm (flat x))", "by x takes 20"},
		{"f(w: R[3], x: R[4, 3]): R", "sum (build 4 (\\i -> softplus (dot(w, x[i]))))", "by w takes 3, by x takes 3"},
		{"f(p: (I, R[2], R)): R", "p.2 * sum (exp p.1)", ""},
		{"f(x: R[3]): R", "sum x", ""},
		{"f(x: R[9]): R", "sum (build 8 (\\i -> let d = x[i + 1] - x[i] in d * d * d * d))", "by x takes 2"},
		{"f(x: R[9]): R", "let d = x[1:9] - x[0:8] in sum (exp d)", "by x takes 2"},
		{"f(x: R[9]): R", "sum (build 7 (\\i -> exp (x[i + 2] * x[i])))", "by x takes 3"},
		{"f(x: R[5, 4]): R", "sum (flat (build [5, 4] (\\[i, j] -> exp (x[i, j] * x[i + 1, j] + x[i, j + 1]))))", "by x takes 4"},
	} {
		lib, p := defs.Last(t, "def "+c.def+" = "+c.body)
		at := randomInputs(t, rng, p)
		d, err := HessianDiagonal(lib, p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		h, err := Hessian(lib, p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		n := len(d.Wrt)
		got, want := value(t, d.Program, at), value(t, h.Program, at)
		for i, in := range d.Wrt {
			if in.Type.Kind == types.KTuple {
				compareDiagonal(t, c.body, got.Parts[1+n].Parts[1], want.Parts[1+n].Parts[0].Parts[0])
				compareDiagonal(t, c.body, got.Parts[1+n].Parts[2], want.Parts[1+n].Parts[1].Parts[1])
				continue
			}
			compareDiagonal(t, c.body, got.Parts[1+n+i], want.Parts[1+n+i*n+i])
		}
		var notes []string
		for _, note := range d.Notes {
			notes = append(notes, strings.TrimSuffix(strings.TrimPrefix(note, "the diagonal "), " products of the Hessian with directions"))
		}
		if s := strings.Join(notes, ", "); s != c.notes {
			t.Errorf("%s: %q, wanted %q", c.body, s, c.notes)
		}
	}
}

// TestDiagonalOfLoops: the products that a diagonal takes are made by loops whose states have an axis for them, and
// not an array for each.
func TestDiagonalOfLoops(t *testing.T) {
	count := func(n int) int {
		lib, p := defs.Last(t, fmt.Sprintf("def f(w: R[%d]): R = sumsq (iterate 9 (\\w -> w - 0.1 * exp w * square (sum (exp w))) w)", n))
		d, err := HessianDiagonal(lib, p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		arrays := 0
		s := d.Program.Store
		s.Walk(d.Program.Root, func(x term.Term) {
			if s.Op(x).Sym == ops.SymStates {
				arrays += max(1, len(s.Type(x).Parts))
			}
		})
		return arrays
	}
	if two, eight := count(2), count(8); eight > two {
		t.Errorf("%d arrays for 2 products, %d for 8", two, eight)
	}
}

func compareDiagonal(t *testing.T, what string, got, want *eval.Value[float64]) {
	t.Helper()
	n := len(got.R)
	if len(want.R) != n*n {
		t.Fatalf("%s: %d elements of %d", what, n, len(want.R))
	}
	for i, x := range got.R {
		if !(math.Abs(x-want.R[i*n+i]) <= 1e-8) {
			t.Errorf("%s: element %d is %v, and %v in the matrix", what, i, x, want.R[i*n+i])
		}
	}
}
