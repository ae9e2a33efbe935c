package egad_test

import (
	"fmt"
	"reflect"
	"slices"
	"testing"

	"egad"
	"egad/ad"
	"egad/data"
	"egad/define"
	"egad/fusion"
	"egad/kernel"
	"egad/kernel/lower"
	"egad/kernel/machine"
)

// TestNothing calls what the packages for users of the library export with nothing:
// nil, or zero values. Where there can be an error there is one; nothing panics.
func TestNothing(t *testing.T) {
	functions := []any{
		egad.Load, egad.LoadTexts, egad.Parse, egad.Run, egad.Evaluate, egad.Compile, egad.CompileFile, egad.Array, egad.Matrix,
		egad.For[struct{ X float64 }], egad.Wrt, egad.Rules, egad.RuleText, egad.Within, egad.Keep, egad.JacobianMode,
		fusion.Run, fusion.Prepare, fusion.Lower, fusion.Fuse, machine.Compile, machine.CompileNative, machine.CompileProfiled, lower.Lower,
		data.Bind, data.Part, data.Describe, data.ReadText, data.WriteJSON, data.WriteJSONValue, data.WriteNPY, data.ReadJSON, data.ReadCSV,
		data.ReadJSONValue, data.ReadNPY, data.ReadValue,
		define.New, define.TupleOf,
		ad.DenseJacobian, ad.Grad, ad.HVP, ad.Hessian, ad.JVP, ad.VJP, ad.Linearise,
	}
	for _, f := range functions {
		callWithNothing(t, fmt.Sprintf("%T", f), reflect.ValueOf(f))
	}
	types := []any{
		new(egad.Module), new(egad.Value), new(egad.Func), new(egad.FuncOf[struct{ X float64 }]), new(egad.Vector), new(egad.Values),
		new(egad.Blocks), new(define.Def), new(define.Value),
		new(kernel.Array), new(kernel.Kernel), new(machine.Machine), new(machine.Elements), new(kernel.Program), new(kernel.Access), new(kernel.Value),
		new(kernel.Loop), new(kernel.Store), new(kernel.Let), new(kernel.Fold), new(kernel.Result),
		new(data.Inputs), new(data.Raw), new(data.Reader), new(data.Result),
		new(ad.Derived), new(ad.Jacobian), new(ad.Options), new(ad.Stage), new(ad.Mode),
	}
	// Of kernels users ask these; other methods are for the packages that read kernels and write code.
	asked := []string{"Arrays", "Counting", "Counts", "Estimate", "Len", "Memory", "Reads", "String", "Text", "Time", "Work", "Writes"}
	for _, x := range types {
		v := reflect.ValueOf(x)
		kernels := v.Type().Elem().PkgPath() == "egad/kernel"
		for _, receiver := range []reflect.Value{reflect.Zero(v.Type()), v} {
			for i := range v.NumMethod() {
				m := v.Type().Method(i)
				if kernels && !slices.Contains(asked, m.Name) {
					continue
				}
				if _, onValue := v.Type().Elem().MethodByName(m.Name); onValue && receiver.IsNil() {
					continue // a method of values needs one
				}
				callWithNothing(t, fmt.Sprintf("%T.%s of %v", x, m.Name, receiver), receiver.Method(i))
			}
		}
	}
}

func callWithNothing(t *testing.T, name string, f reflect.Value) {
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s: %v", name, r)
		}
	}()
	var args []reflect.Value
	for i := range f.Type().NumIn() {
		args = append(args, reflect.Zero(f.Type().In(i)))
	}
	if f.Type().IsVariadic() {
		f.CallSlice(args)
		return
	}
	f.Call(args)
}
