package term_test

import (
	"math"
	"testing"

	"egad/term/eval"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// textbook is a float64 that is none to the operators on matrices: they do with it as
// with any number.
type textbook float64

type textbooks struct{}

func (textbooks) FromNum(n numeric.Num) textbook { return textbook(n.Float64()) }
func (textbooks) FromInt(i int64) textbook       { return textbook(i) }
func (textbooks) Floor(a textbook) int64         { return eval.Floats{}.Floor(float64(a)) }
func (textbooks) Round(a textbook) int64         { return eval.Floats{}.Round(float64(a)) }
func (textbooks) IsNaN(a textbook) bool          { return math.IsNaN(float64(a)) }
func (textbooks) Compare(s ops.Sym, a, b textbook) bool {
	return eval.Floats{}.Compare(s, float64(a), float64(b))
}
func (textbooks) Unary(s ops.Sym, n int, a textbook) textbook {
	return textbook(eval.Floats{}.Unary(s, n, float64(a)))
}
func (textbooks) Binary(s ops.Sym, a, b textbook) textbook {
	return textbook(eval.Floats{}.Binary(s, float64(a), float64(b)))
}

// LAPACK gives what the textbook does.
func TestMatricesByTheBook(t *testing.T) {
	for _, body := range []string{
		`build k (\i -> let a = m i in cholesky (matmul a (transpose a) + build [n, n] (\p q -> if p == q then 1 else 0)))`,
		`build k (\i -> cholesky (m i))`,
		`build k (\i -> solve (m i) (m (i + 9)))`,
		`build k (\i -> solvet (m i) (m (i + 9)))`,
		`build k (\i -> lusolve (lu (m i)) (m (i + 9)))`,
		`build k (\i -> lusolvet (lu (m i)) (m (i + 9)))`,
		`build [k, n, n] (\i p q -> sum (sum (lu (m i))))`,
		`build [k, n, n] (\i p q -> lulogdet (lu (m i)))`,
		`build k (\i -> trisolve (m i) (m (i + 9)))`,

		`build k (\i -> trisolvet (m i) (m (i + 9)))`,
		`tr [2, 0, 1] (solve (tr [1, 2, 0] (build k m)) (tr [1, 2, 0] (build k (\i -> m (i + 9)))))`,
		`build [k, n, n] (\i p q -> logdet (m i))`,
	} {
		for _, n := range []int64{1, 2, 3, 6, 20} {
			p := instance(t, `def m[n](z: R[n], i: I): R[n, n] = build [n, n] (\j k -> sin (real (7 * i + 3 * j * j + 5 * k + j * k)))
def g[k, n](z: R[n], one: R[k], m: I -> R[n, n]): R[k, n, n] = `+body+`
def f[k, n](z: R[n], one: R[k]): R[k, n, n] = g z one (\i -> m z i)`, map[string]int64{"n": n, "k": 2})
			env, book := eval.Env[*eval.Value[float64]]{}, eval.Env[*eval.Value[textbook]]{}
			for name, k := range map[string]int64{"z": n, "one": 2} {
				env[name] = &eval.Value[float64]{Elem: types.R, Shape: []int{int(k)}, R: make([]float64, k)}
				book[name] = &eval.Value[textbook]{Elem: types.R, Shape: []int{int(k)}, R: make([]textbook, k)}
			}
			got, err := eval.Interpret(p.Store, p.Root, eval.FloatArrays(), env)
			if err != nil {
				t.Fatal(err)
			}
			want, err := eval.Interpret(p.Store, p.Root, eval.Arrays[textbook]{Scalars: textbooks{}}, book)
			if err != nil {
				t.Fatal(err)
			}
			for i, x := range want.R {
				if d := math.Abs(got.R[i] - float64(x)); d > 1e-6*(1+math.Abs(float64(x))) || math.IsNaN(got.R[i]) != math.IsNaN(float64(x)) {
					t.Errorf("n = %d: %s: element %d is %v, by the book %v", n, body, i, got.R[i], x)
					break
				}
			}
		}
	}
}
