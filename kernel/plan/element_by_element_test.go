package plan

import (
	"testing"

	"egad/kernel"
	"egad/term/types"
)

// TestElementByElement: what is made of an array may lie there if nothing that is computed where it
// is used, as an index is, still needs elements that are written over.
func TestElementByElement(t *testing.T) {
	b := kernel.NewBuilder(nil)
	j := b.Variable(9, 1)
	in, made := &kernel.Array{Name: "in", Elem: types.I, Shape: []int{9}, Role: kernel.Temp}, &kernel.Array{Name: "made", Elem: types.I, Shape: []int{9}, Role: kernel.Temp}
	x, y := &kernel.Array{Name: "x", Elem: types.R, Shape: []int{30}, Role: kernel.Input}, &kernel.Array{Name: "y", Elem: types.R, Shape: []int{9}, Role: kernel.Temp}
	v := b.Load(kernel.Access{Array: in, At: []*kernel.Value{j}})
	twice := b.Linear(0, []int64{2}, []*kernel.Value{v})
	read := b.Load(kernel.Access{Array: x, At: []*kernel.Value{twice}, Checked: true})
	write, keep := &kernel.Store{Access: kernel.Access{Array: made, At: []*kernel.Value{j}}, Value: twice}, &kernel.Store{Access: kernel.Access{Array: y, At: []*kernel.Value{j}}, Value: read}
	for _, c := range []struct {
		body []kernel.Stmt
		want bool
	}{
		{[]kernel.Stmt{&kernel.Let{Value: v}, &kernel.Let{Value: read}, &kernel.Store{Access: keep.Access, Value: read}, write}, true},
		{[]kernel.Stmt{&kernel.Let{Value: v}, write, &kernel.Let{Value: read}, keep}, false},
	} {
		k := &kernel.Kernel{Body: []kernel.Stmt{&kernel.Loop{Name: "j", Var: j, N: 9, Body: c.body}}}
		if got := ElementByElement(k, in, made); got != c.want {
			t.Errorf("%v, want %v:\n%s", got, c.want, &kernel.Program{Kernels: []*kernel.Kernel{k}})
		}
	}
}
