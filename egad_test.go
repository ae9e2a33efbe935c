package egad_test

import (
	"fmt"

	"egad"
	"egad/ad"
	"egad/term"
)

// Example derives the gradient of a self-convolution and runs it.
func Example() {
	m, err := egad.Parse("selfconv.egad", `
def selfconv[n](a: R[n]): R = sum (build n (\i -> a[i] * a[n - 1 - i]))
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := m.Instantiate("selfconv", map[string]int64{"n": 4})
	if err != nil {
		fmt.Println(err)
		return
	}
	g, err := m.Grad(p, ad.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(g.Program.Text("grad_selfconv"))
	v, err := egad.Run(g.Program, egad.Env{"a": {Elem: term.R, Shape: []int{4}, R: []float64{1, 2, 3, 4}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(v.Parts[0].R, v.Parts[1].R)
	// Output:
	// def grad_selfconv(a: R[4]): (R, R[4]) =
	//   let t1 = gather [4] a (\[i] -> [3 - i]) in
	//   (sum (a * t1), t1 + scatter [4] a (\[i] -> [3 - i]))
	// [20] [8 6 4 2]
}

// ExampleModule_Stages shows the derivative of a program as a linear map.
func ExampleModule_Stages() {
	m, err := egad.Parse("f2.egad", `
def f2(x: R): R =
  let y = x * x in
  let z = x + y in
  y * z
`)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := m.Instantiate("f2", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	s, err := m.Stages(p, ad.Options{}).Stage("nabla")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(s.Text())
	// Output:
	// -- nabla: the derivative as linear maps; D_y takes a change of y to that of the result
	// def nabla_f2(x: R): R -o R =
	//   let y = x * x in
	//   let D_z = lcompose (lone @R) (lscale y) in
	//   let t1 = lcompose D_z (lone @R) in
	//   let z = x + y in
	//   let D_y = ladd t1 (lcompose (lone @R) (lscale z)) in
	//   let t2 = lcompose D_y (lscale x) in
	//   ladd (ladd t2 t2) t1
}
