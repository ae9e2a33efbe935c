package krawiec

import (
	"testing"

	"egad/fun"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// TestFig14Whole: an operator from many reals to many binds one Delta for each real of its
// result, of as many Scales as partial derivatives are not 0.
func TestFig14Whole(t *testing.T) {
	row := types.ArrayOf(types.R, size.Const(3))
	matrix := types.ArrayOf(types.R, size.Const(2), size.Const(3))
	list := func(xs ...fun.Value) fun.Value { return &fun.Elements{X: xs} }
	a, b := list(list(1.0, 2.0, 3.0), list(4.0, 5.0, 6.0)), list(7.0, 8.0, 9.0)
	for _, c := range []struct {
		op       ops.Op
		of, to   *types.Type
		inputs   []fun.Value
		ct, grad []float64
		bindings int64
	}{
		{ops.Op{Sym: ops.SymSum}, matrix, row, []fun.Value{a}, []float64{1, 10, 100}, []float64{1, 10, 100, 1, 10, 100}, 3},
		{ops.Op{Sym: ops.SymMul}, &types.Type{Kind: types.KTuple, Parts: []*types.Type{row, row}}, row, []fun.Value{b, b}, []float64{1, 0, 2}, []float64{7, 0, 18, 7, 0, 18}, 3},
	} {
		p := &fun.Program{Names: []string{"a", "b"}[:len(c.inputs)]}
		body := fun.V(0)
		ts := []*types.Type{c.of}
		if len(c.inputs) > 1 {
			ts, body = c.of.Parts, fun.Pair.Make(fun.V(1), fun.V(0))
		}
		for _, typ := range ts {
			in, err := fun.TypeOf(typ)
			if err != nil {
				t.Fatal(err)
			}
			p.Context = append(p.Context, in)
		}
		p.Body = &fun.Term{Form: fun.Whole, Op: c.op, Kids: []*fun.Term{body}, Arrays: types.LinOf(c.of, c.to)}
		p.Result, _ = fun.TypeOf(c.to)
		want(t, p, c.ct, c.grad, c.inputs...)
		got, err := runTranslated("monadic", &Task{Lib: lib, Program: p}, c.inputs, &listed{}, nil, nil)
		if err != nil || int64(len(got.binds.of)) != c.bindings {
			t.Errorf("%d bindings, want %d: %v", len(got.binds.of), c.bindings, err)
		}
		text := gradient(t, "monadic", p, c.ct, c.inputs...).Delta.String()
		if over := gradient(t, "overloaded", p, c.ct, c.inputs...).Delta.String(); over != text {
			t.Errorf("overloaded:\n%s\nwant\n%s", over, text)
		}
	}
}

// TestShow: all stages of all routes are printed.
func TestShow(t *testing.T) {
	for _, r := range Routes {
		shown, err := r.Show(&Task{Lib: lib, Program: doubling(2)}, []fun.Value{1.0}, nil)
		if err != nil {
			t.Fatal(err)
		}
		names := ""
		for _, s := range shown {
			names += s.Name + " "
			if s.Text == "" {
				t.Errorf("%s: nothing at %s", r.Name, s.Name)
			}
		}
		want := map[string]string{"forward-dual": "core D wrapper ", "vectors": "core D wrapper ", "overloaded": "core delta "}[r.Name]
		if want == "" {
			want = "core D wrapper delta "
		}
		if names != want {
			t.Errorf("%s: %s, want %s", r.Name, names, want)
		}
	}
}
