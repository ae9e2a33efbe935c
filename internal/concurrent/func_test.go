package concurrent_test

import (
	"fmt"
	"sync"
	"testing"

	"egad"

	"gonum.org/v1/gonum/mat"
)

// TestFunc calls one function from many goroutines at once, with more choices of sizes
// than it keeps, and compares every answer with that of one goroutine.
func TestFunc(t *testing.T) {
	const text = `
def loss[m, n](w: R[n], b: R, x: R[m, n], y: R[m]): R =
  mean (build m (\i -> square (dot(x[i], w) + b - y[i])))
`
	make := func() *egad.Func {
		f, err := egad.Compile(text, "loss", egad.Wrt("b", "w"), egad.Keep(2))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	type params struct {
		W []float64
		B float64
	}
	acts := []func(f *egad.Func, g *egad.FuncOf[params], in egad.In) (any, error){
		func(f *egad.Func, _ *egad.FuncOf[params], in egad.In) (any, error) { return f.Value(in) },
		func(f *egad.Func, _ *egad.FuncOf[params], in egad.In) (any, error) {
			v, g, err := f.Grad(in)
			if err != nil {
				return nil, err
			}
			return []any{v, g.Get("w").R, g.Get("b").R}, nil
		},
		func(f *egad.Func, _ *egad.FuncOf[params], in egad.In) (any, error) {
			w, b := []float64{}, 0.0
			into := egad.Into{"w": &w, "b": &b}
			v, err := f.GradInto(into, in)
			if err == nil {
				v, err = f.GradInto(into, in)
			}
			return []any{v, w, b}, err
		},
		func(f *egad.Func, _ *egad.FuncOf[params], in egad.In) (any, error) {
			v, change, err := f.JVP(in, egad.In{"b": 1})
			return []any{v, change}, err
		},
		func(f *egad.Func, _ *egad.FuncOf[params], in egad.In) (any, error) {
			v, ct, err := f.VJP(in, 2)
			return []any{v, ct}, err
		},
		func(f *egad.Func, _ *egad.FuncOf[params], in egad.In) (any, error) {
			v, g, change, err := f.HVP(in, egad.In{"b": 1})
			return []any{v, g, change}, err
		},
		func(f *egad.Func, _ *egad.FuncOf[params], in egad.In) (any, error) {
			v, j, err := f.Jacobian(in)
			return []any{v, j}, err
		},
		func(f *egad.Func, _ *egad.FuncOf[params], in egad.In) (any, error) {
			v, j, err := f.JacobianBlocks(in)
			if err != nil {
				return nil, err
			}
			out := []any{v}
			for i := range j.Blocks {
				j.Blocks[i].Each(func(row, col int, x float64) { out = append(out, row, col, x) })
			}
			return out, f.JacobianBlocksInto(nil, j, in)
		},
		func(f *egad.Func, _ *egad.FuncOf[params], in egad.In) (any, error) {
			v, g, d, err := f.HessianDiagonal(in)
			return []any{v, g, d}, err
		},
		func(f *egad.Func, _ *egad.FuncOf[params], in egad.In) (any, error) {
			v, err := f.Vector(in)
			if err != nil {
				return nil, err
			}
			x := v.Start()
			g := append([]float64{}, x...)
			var h mat.SymDense
			v.Hess(&h, x)
			return []any{v.ValueGrad(x, g), g, h.RawSymmetric().Data}, v.Err()
		},
		func(_ *egad.Func, g *egad.FuncOf[params], in egad.In) (any, error) {
			p := params{in["w"].([]float64), in["b"].(float64)}
			v, d, err := g.Grad(p, egad.In{"x": in["x"], "y": in["y"]})
			return []any{v, d}, err
		},
		func(f *egad.Func, _ *egad.FuncOf[params], in egad.In) (any, error) {
			_, err := f.Value(egad.In{"w": in["w"]})
			return err.Error(), nil
		},
	}
	input := func(m int) egad.In {
		x := mat.NewDense(m, 2, nil)
		y := []float64{}
		for i := range m {
			x.SetRow(i, []float64{float64(i), float64(i*i - m)})
			y = append(y, float64(m-i))
		}
		return egad.In{"w": []float64{1, -2}, "b": 0.5, "x": x, "y": y}
	}
	const sizes = 3
	shown := func(f *egad.Func, g *egad.FuncOf[params], act, m int) string {
		v, err := acts[act](f, g, input(m))
		return fmt.Sprint(plain(v), err)
	}
	want := map[[2]int]string{}
	typed := func() *egad.FuncOf[params] {
		free, err := egad.Compile(text, "loss")
		if err != nil {
			t.Fatal(err)
		}
		g, err := egad.For[params](free)
		if err != nil {
			t.Fatal(err)
		}
		return g
	}
	alone := make()
	aloneTyped := typed()
	for act := range acts {
		for m := 1; m <= sizes; m++ {
			want[[2]int{act, m}] = shown(alone, aloneTyped, act, m)
		}
	}
	f := make()
	g := typed()
	var wg sync.WaitGroup
	for k := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for round := range sizes {
				for act := range acts {
					m := 1 + (k+round)%sizes
					if got := shown(f, g, act, m); got != want[[2]int{act, m}] {
						t.Errorf("%d at size %d: %s, want %s", act, m, got, want[[2]int{act, m}])
					}
				}
			}
		}()
	}
	wg.Wait()
}

// plain takes pointers out of results.
func plain(x any) any {
	switch x := x.(type) {
	case []any:
		out := []any{}
		for _, y := range x {
			out = append(out, plain(y))
		}
		return out
	case *egad.Value:
		return x.R
	case *egad.Values:
		out := []any{}
		for name, v := range x.All() {
			out = append(out, name, v.R)
		}
		return out
	}
	return x
}
