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
