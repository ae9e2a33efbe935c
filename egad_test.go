package egad_test

import (
	"fmt"

	"egad"
	"egad/ad"
)

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

// ExampleModule_Routes counts what dual arrays make for a gradient, and what the program
// that egad derives computes.
func ExampleModule_Routes() {
	m, err := egad.Parse("dot.egad", "def dot[n](a: R[n], b: R[n]): R = sum (a * b)")
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := m.Instantiate("dot", map[string]int64{"n": 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := m.Routes(p, egad.Env{"a": egad.Array([]float64{1, 2, 3}, 3), "b": egad.Array([]float64{4, 5, 6}, 3)}, nil, ad.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range results {
		if r.Name == "egraph" || r.Name == "dual" {
			fmt.Println(r.Name, r.Agreement, r.Gradient, r.Total, "operations,", r.Made, "constructors")
		}
	}
	// Output:
	// egraph = [4 5 6 1 2 3] 6 operations, 0 constructors
	// dual = [4 5 6 1 2 3] 12 operations, 6 constructors
}
