package main

import (
	"io"
	"math"
	"testing"

	"egad"
	"egad/data"
	"egad/term/types"

	"gonum.org/v1/gonum/mat"
)

func load(t *testing.T, def string, weights int) *egad.Vector {
	t.Helper()
	v, err := loss("..", def, make([]float64, weights))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestLinear compares one step of Newton's method, which ends in the minimum of a
// parabola, and a thousand against the gradient with the least squares of gonum.
func TestLinear(t *testing.T) {
	flowers, err := data.ReadCSV("../data/iris.csv")
	if err != nil {
		t.Fatal(err)
	}
	var table data.Array
	if err := table.Read(flowers, types.R); err != nil {
		t.Fatal(err)
	}
	rows := table.Shape[0]
	all, _ := table.Elements()
	x, y := mat.NewDense(rows, 4, nil), mat.NewVecDense(rows, nil)
	for i := range rows {
		row := all[5*i : 5*i+5]
		x.SetRow(i, []float64{row[0], row[1], row[2], 1})
		y.SetVec(i, row[3])
	}
	var want mat.VecDense
	if err := want.SolveVec(x, y); err != nil {
		t.Fatal(err)
	}
	var residual mat.VecDense
	residual.MulVec(x, &want)
	residual.SubVec(&residual, y)
	least := mat.Dot(&residual, &residual) / float64(rows)

	m := load(t, "linear", 3)
	got, err := newton(io.Discard, m, 1)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, got, want.RawVector().Data, 1e-9)
	if got := m.Func(descend(io.Discard, m, 0.012, 1000)); !(got >= least && got < 1.03*least) {
		t.Errorf("after 1000 steps the loss is %v; the least is %v", got, least)
	}
}

// TestLogistic compares the fits with that of R: glm(species ~ ., binomial) has these
// coefficients, and the residual deviance 11.899, which is 200 times the loss.
func TestLogistic(t *testing.T) {
	m := load(t, "logistic", 4)
	for _, fit := range []func() ([]float64, error){
		func() ([]float64, error) { return newton(io.Discard, m, 10) },
		func() ([]float64, error) { return lbfgs(io.Discard, m) },
	} {
		x, err := fit()
		if err != nil {
			t.Fatal(err)
		}
		compare(t, x, []float64{-2.465, -6.681, 9.429, 18.286, -42.638}, 1e-3)
		compare(t, []float64{m.Func(x)}, []float64{11.899 / 200}, 1e-5)
	}
}

func compare(t *testing.T, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d numbers, want %d", len(got), len(want))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tolerance) {
			t.Errorf("number %d is %v, want %v", i, got[i], want[i])
		}
	}
}
