package egad_test

import (
	"errors"
	"fmt"
	"math/rand"
	"testing"

	"egad"
	"egad/data"
	"egad/diag"
	"egad/internal/testflag"
	"egad/term/types"

	"gonum.org/v1/gonum/mat"
)

// anything makes a random Go value, most of which fit nothing.
func anything(rng *rand.Rand, depth int) any {
	n := rng.Intn(4)
	floats := make([]float64, n)
	for i := range floats {
		floats[i] = float64(rng.Intn(5))
	}
	list := func() []any {
		out := make([]any, n)
		for i := range out {
			if depth > 0 {
				out[i] = anything(rng, depth-1)
			}
		}
		return out
	}
	switch rng.Intn(34) {
	case 0:
		return nil
	case 1:
		return floats
	case 2:
		return &floats
	case 3:
		return [][]float64{floats, floats}
	case 4:
		return &[][]float64{floats, {1}}
	case 5:
		return float64(n)
	case 6:
		return new(float64)
	case 7:
		return (*float64)(nil)
	case 8:
		return n
	case 9:
		return []int{n, n}
	case 10:
		return n > 1
	case 11:
		return []bool{true}
	case 12:
		return list()
	case 13:
		return &egad.Value{Elem: types.Elem(n), Shape: []int{n}, R: floats, N: []int64{int64(n)}}
	case 14:
		return &egad.Value{Parts: []*egad.Value{nil, egad.Array(floats, n)}}
	case 15:
		return egad.Array(floats, n-2, rng.Intn(3))
	case 16:
		return mat.NewDense(2, 2, nil)
	case 17:
		return new(mat.Dense)
	case 18:
		return mat.NewDense(3, 3, nil).Slice(0, 2, 0, 2)
	case 19:
		return mat.NewVecDense(2, nil)
	case 20:
		return (*mat.VecDense)(nil)
	case 21:
		return new(*mat.Dense)
	case 22:
		return mat.NewSymDense(2, nil)
	case 23:
		return struct {
			A float64
			B any
		}{1, floats}
	case 24:
		return &struct {
			A float64
			B []float64
		}{1, floats}
	case 25:
		return "text"
	case 26:
		return map[string]any{"x": floats}
	case 27:
		return func() {}
	case 28:
		return new(any)
	case 29:
		return new([2]float64)
	case 30:
		return &[]string{"a"}
	case 31:
		return errors.New("an error")
	case 32:
		r, err := data.ReadJSONValue(&diag.Source{Name: "v", Text: []string{"[1, 2]", "[[1], 2]", "true", "[]"}[n]})
		if err != nil {
			return err
		}
		return r
	}
	return &data.Raw{}
}

// TestAnything calls with any values and places: what does not fit is an Error, and
// nothing panics.
func TestAnything(t *testing.T) {
	f := compiled(t, `def f[m, n](a: R[m, n], v: R[n], k: I, c: B, p: (R, R[2]), s: R): R =
		sum (sum a) * s + sum v + real k + (if c then p.0 else sum p.1)`, "")
	rng := rand.New(rand.NewSource(testflag.Seed))
	names := []string{"a", "v", "k", "c", "p", "s", "p.0", "p.1", "m", "n", "q", ""}
	good := func() map[string]any {
		return map[string]any{"a": mat.NewDense(2, 2, nil), "v": []float64{1, 2}, "k": 1, "c": true, "p": []any{1.0, []float64{1, 2}}, "s": 1.0}
	}
	spoiled := func(x map[string]any, changes int) map[string]any {
		for range rng.Intn(changes + 1) {
			name := names[rng.Intn(len(names))]
			x[name] = anything(rng, 3)
			if rng.Intn(5) == 0 {
				delete(x, name)
			}
		}
		return x
	}
	fit := 0
	for range 3000 {
		in, dir := egad.In(spoiled(good(), 2)), egad.In(spoiled(map[string]any{}, 2))
		into, more := egad.Into(spoiled(map[string]any{}, 2)), egad.Into(spoiled(map[string]any{}, 2))
		place, ct := anything(rng, 2), anything(rng, 2)
		var err error
		what := rng.Intn(9)
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Fatalf("-seed %d: %d panics with %v:\n%#v\n%#v\n%#v\n%#v\n%#v\n%#v", testflag.Seed, what, r, in, dir, into, more, place, ct)
				}
			}()
			switch what {
			case 0:
				err = f.ValueInto(place, in)
			case 1:
				_, err = f.GradInto(into, in)
			case 2:
				err = f.JVPInto(place, anything(rng, 2), in, dir)
			case 3:
				err = f.VJPInto(place, into, in, ct)
			case 4:
				_, err = f.HVPInto(into, more, in, dir)
			case 5:
				err = f.JacobianInto(place, into, in)
			case 6:
				_, _, _, err = f.Hessian(in)
			case 7:
				_, err = f.Vector(in)
			default:
				_, err = f.Value(in)
			}
		}()
		var e *egad.Error
		switch {
		case err == nil:
			fit++
		case !errors.As(err, &e) || e.Msg == "" || e.Src == nil:
			t.Errorf("-seed %d: %d gives %v, with %s", testflag.Seed, what, err, fmt.Sprint(in))
		}
	}
	if fit < 200 || fit > 2800 {
		t.Errorf("%d of 3000 calls fit", fit)
	}
}

// TestStrict: a strict function reports an index that an input makes out of range, with
// its place, in each of its methods.
func TestStrict(t *testing.T) {
	const text = "def f[n](x: R[n], k: I): R =\n  sum (x * x[k])"
	in := egad.In{"x": []float64{1, 2}, "k": 2}
	if v, _, err := compiled(t, text, "").Grad(in); v != 0 || err != nil {
		t.Errorf("%v %v, wanted 0: such a read is 0", v, err)
	}
	f := compiled(t, text, "", egad.Strict())
	const want = "program.egad:2:14: this index is out of range: it is 2, and axis 0 has size 2\n      sum (x * x[k])\n                 ^"
	_, _, grad := f.Grad(in)
	_, value := f.Value(in)
	_, _, _, diagonal := f.HessianDiagonal(in)
	vec, vector := f.Vector(egad.In{"x": []float64{1, 2}, "k": 2})
	if vector == nil {
		vec.Func(vec.Start())
		vector = vec.Err()
	}
	for i, err := range []error{grad, value, diagonal, vector} {
		if err == nil || err.Error() != want {
			t.Errorf("method %d: %v\nwanted\n%s", i, err, want)
		}
	}
	in["k"] = 1
	if v, _, err := f.Grad(in); v != 6 || err != nil {
		t.Errorf("%v %v, wanted 6", v, err)
	}
}
