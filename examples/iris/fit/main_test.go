package main

import (
	"io"
	"math"
	"testing"

	"egad"
	"egad/data"

	"gonum.org/v1/gonum/mat"
)

func load(t *testing.T, def, start string) *model {
	t.Helper()
	m, err := egad.Load("../iris.egad")
	if err != nil {
		t.Fatal(err)
	}
	flowers, err := data.ReadCSV("../data/iris.csv")
	if err != nil {
		t.Fatal(err)
	}
	out, err := newModel(m, def, flowers, start)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestLinear compares one step of Newton's method, which ends in the minimum of a
// parabola, and a thousand against the gradient with the least squares of gonum.
func TestLinear(t *testing.T) {
	m := load(t, "linear", `{"w": [0, 0, 0], "b": 0}`)
	rows := m.env["iris"].Shape[0]
	x, y := mat.NewDense(rows, 4, nil), mat.NewVecDense(rows, nil)
	for i := range rows {
		row := m.env["iris"].R[5*i : 5*i+5]
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

	if err := m.newton(io.Discard, 1); err != nil {
		t.Fatal(err)
	}
	compare(t, append(m.env["w"].R, m.env["b"].R...), want.RawVector().Data, 1e-9)

	m = load(t, "linear", `{"w": [0, 0, 0], "b": 0}`)
	if err := m.descend(io.Discard, 0.012, 1000); err != nil {
		t.Fatal(err)
	}
	v, err := egad.Run(m.loss, m.env)
	if err != nil {
		t.Fatal(err)
	}
	if got := v.R[0]; !(got >= least && got < 1.03*least) {
		t.Errorf("after 1000 steps the loss is %v; the least is %v", got, least)
	}
}

// TestLogistic compares the fit with that of R: glm(species ~ ., binomial) has these
// coefficients, and the residual deviance 11.899, which is 200 times the loss.
func TestLogistic(t *testing.T) {
	m := load(t, "logistic", `{"w": [0, 0, 0, 0], "b": 0}`)
	if err := m.newton(io.Discard, 10); err != nil {
		t.Fatal(err)
	}
	compare(t, append(m.env["w"].R, m.env["b"].R...), []float64{-2.465, -6.681, 9.429, 18.286, -42.638}, 5e-4)
	v, err := egad.Run(m.loss, m.env)
	if err != nil {
		t.Fatal(err)
	}
	compare(t, v.R, []float64{11.899 / 200}, 1e-5)
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
