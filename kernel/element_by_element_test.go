package kernel

import (
	"testing"

	"egad/term/types"
)

// TestElementByElement: what is made of an array may lie there if nothing that is computed where it
// is used, as an index is, still needs elements that are written over.
func TestElementByElement(t *testing.T) {
	b := NewBuilder(nil)
	j := b.Variable(9, 1)
	in, made := &Array{Name: "in", Elem: types.I, Shape: []int{9}, Role: Temp}, &Array{Name: "made", Elem: types.I, Shape: []int{9}, Role: Temp}
	x, y := &Array{Name: "x", Elem: types.R, Shape: []int{30}, Role: Input}, &Array{Name: "y", Elem: types.R, Shape: []int{9}, Role: Temp}
	v := b.Load(Access{Array: in, At: []*Value{j}})
	twice := b.linear(0, []int64{2}, []*Value{v})
	read := b.Load(Access{Array: x, At: []*Value{twice}, Checked: true})
	write, keep := &Store{Access: Access{Array: made, At: []*Value{j}}, Value: twice}, &Store{Access: Access{Array: y, At: []*Value{j}}, Value: read}
	for _, c := range []struct {
		body []Stmt
		want bool
	}{
		{[]Stmt{&Let{v}, &Let{read}, &Store{Access: keep.Access, Value: read}, write}, true},
		{[]Stmt{&Let{v}, write, &Let{read}, keep}, false},
	} {
		k := &Kernel{Body: []Stmt{&Loop{Name: "j", Var: j, N: 9, Body: c.body}}}
		if got := k.elementByElement(in, made); got != c.want {
			t.Errorf("%v, want %v:\n%s", got, c.want, &Program{Kernels: []*Kernel{k}})
		}
	}
}
