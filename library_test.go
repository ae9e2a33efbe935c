package egad_test

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"egad"
	"egad/ad"
	"egad/define"
	"egad/kernel"
	"egad/kernel/lower"
	"egad/kernel/machine"
	"egad/stages"
	"egad/term"
	"egad/term/types"
)

// TestEnvironment gives inputs values that do not fit: an error says which and why.
func TestEnvironment(t *testing.T) {
	_, p := instance(t, `def f(x: R[2, 3], k: I[2], c: B, p: (R, R[0])): R = sum (sum x) + real k[0] + (if c then 1 else p.0) + sum p.1`)
	reals := func(shape ...int) *egad.Value {
		n := 1
		for _, d := range shape {
			n *= max(d, 0)
		}
		return &egad.Value{Elem: types.R, Shape: shape, R: make([]float64, n)}
	}
	ints := func(e types.Elem, shape []int, n ...int64) *egad.Value {
		return &egad.Value{Elem: e, Shape: shape, N: n}
	}
	for _, c := range []struct {
		name  string
		value *egad.Value
		want  string
	}{
		{"x", nil, "no value for input x: R[2, 3]"},
		{"p.1", nil, "no value for input p.1: R[0]"},
		{"x", reals(3, 2), "input x: R[2, 3], and its value is R[3, 2]"},
		{"x", reals(6), "input x: R[2, 3], and its value is R[6]"},
		{"x", reals(2, 3, 1), "input x: R[2, 3], and its value is R[2, 3, 1]"},
		{"x", reals(-2, -3), "input x: R[2, 3], and its value is of shape [-2 -3]"},
		{"x", reals(), "input x: R[2, 3], and its value is R"},
		{"x", &egad.Value{Elem: types.R, Shape: []int{2, 3}}, "input x: R[2, 3], and its value is R[2, 3] with 0 elements"},
		{"x", &egad.Value{Elem: types.R, Shape: []int{2, 3}, R: make([]float64, 7)}, "input x: R[2, 3], and its value is R[2, 3] with 7 elements"},
		{"x", &egad.Value{Elem: types.R, Shape: []int{2, 3}, N: make([]int64, 6)}, "input x: R[2, 3], and its value is R[2, 3] with 0 elements"},
		{"x", &egad.Value{Elem: types.R, Shape: []int{1 << 30, 1 << 30, 1 << 30}}, "input x: R[2, 3], and its value is of shape [1073741824 1073741824 1073741824], which is more than 134217728 elements"},
		{"x", ints(types.I, []int{2, 3}, 1, 2, 3, 4, 5, 6), "input x: R[2, 3], and its value is I[2, 3]"},
		{"x", &egad.Value{}, "input x: R[2, 3], and its value is an array of no element type"},
		{"x", &egad.Value{Elem: 77, Shape: []int{2, 3}}, "input x: R[2, 3], and its value is an array of no element type"},
		{"x", &egad.Value{Parts: []*egad.Value{reals(2, 3)}}, "input x: R[2, 3], and its value is a tuple of 1"},
		{"x", &egad.Value{Map: 1}, "input x: R[2, 3], and its value is no array"},
		{"k", ints(types.B, []int{2}, 1, 0), "input k: I[2], and its value is B[2]"},
		{"c", ints(types.I, nil, 1), "input c: B, and its value is I"},
		{"c", ints(types.B, nil, 2), "input c: B, and its value is B with the element 2, neither 0 nor 1"},
		{"c", ints(types.B, nil), "input c: B, and its value is B with 0 elements"},
		{"p.0", ints(types.I, nil, 1), "input p.0: R, and its value is I"},
		{"p", reals(), "input p is a tuple (R, R[0]): its components have values, as p.0"},
		{"p.2", reals(), "there is no input p.2 (did you mean p.0?)"},
		{"q", reals(), "there is no input q"},
	} {
		env := sample(p)
		env[c.name] = c.value
		for how, run := range ways(t, p) {
			if how == "Interpret" && slices.Contains([]string{"p", "p.1", "p.2", "q"}, c.name) {
				continue // it has no list of inputs
			}
			if how == "Machine.Run" && c.name == "p" {
				continue // kernels know no tuples
			}
			v, err := run(env)
			if v != nil || err == nil || err.Error() != c.want {
				t.Errorf("%s: %s: %v, %v; want %s", how, c.name, v, err, c.want)
			}
		}
	}
	for how, run := range ways(t, p) {
		if v, err := run(nil); err == nil {
			t.Errorf("%s without an environment: %v", how, v)
		}
		if _, err := run(sample(p)); err != nil {
			t.Errorf("%s: %v", how, err)
		}
	}
}

// TestWrt: derivatives come in the order in which inputs are named.
func TestWrt(t *testing.T) {
	m, p := instance(t, `def f(a: R[2], k: I, b: (R[2], R), c: R): R = sum (a * b.0) * b.1 * c + c * c + real k`)
	names := func(d *ad.Derived) string {
		var out []string
		for _, in := range d.Wrt {
			out = append(out, in.Name)
		}
		return strings.Join(out, " ")
	}
	// What a derivative is by each input, whatever the order.
	by := func(how string, d *ad.Derived) map[string]string {
		env := sample(d.Program)
		v, err := egad.Run(d.Program, env)
		if err != nil {
			t.Fatal(err)
		}
		parts := v.Parts[1:]
		if strings.HasPrefix(how, "HVP") || how == "Hessian" {
			parts = parts[:len(d.Wrt)]
		}
		out := make(map[string]string)
		for i, in := range d.Wrt {
			out[in.Name] = fmt.Sprint(flat(parts[i]))
			if how == "JVP" {
				out[in.Name] = fmt.Sprint(flat(parts[0]))
				break
			}
		}
		return out
	}
	for how := range derivations(m, ad.Options{}) {
		whole, err := derivations(m, ad.Options{})[how](p)
		if err != nil {
			t.Fatal(err)
		}
		if got := names(whole); got != "a b c" {
			t.Errorf("%s: by %s", how, got)
		}
		for _, wrt := range []string{"c b a", "b a c", "a b c", "c a", "b"} {
			order := strings.Fields(wrt)
			d, err := derivations(m, ad.Options{Wrt: order})[how](p)
			if err != nil {
				t.Fatal(err)
			}
			if got := names(d); got != wrt {
				t.Errorf("%s by %s: by %s", how, wrt, got)
			}
			if how == "JVP" || how == "HVP" {
				var changes []string
				for _, in := range d.Program.Inputs[len(p.Inputs):] {
					changes = append(changes, strings.TrimPrefix(in.Name, "d_"))
				}
				if !slices.Equal(changes, order) {
					t.Errorf("%s by %s: the changes %v", how, wrt, changes)
				}
			}
			if how == "JVP" {
				continue // the changes differ
			}
			for name, v := range by(how, d) {
				if w := by(how, whole)[name]; strings.HasPrefix(how, "Jacobian") || how == "Grad" || how == "VJP" || how == "HVP" || how == "Hessian" {
					if v != w {
						t.Errorf("%s by %s: by %s it is %s, and by all %s", how, wrt, name, v, w)
					}
				}
			}
		}
		for _, c := range []struct {
			wrt  []string
			want string
		}{
			{[]string{}, "no input of f is named to differentiate with respect to"},
			{[]string{"a", "x"}, "f has no input x to differentiate with respect to"},
			{[]string{""}, `f has no input "" to differentiate with respect to`},
			{[]string{"k"}, "k: I has no real part to differentiate with respect to"},
			{[]string{"a", "c", "a"}, "the input a is named twice among those to differentiate with respect to"},
			{[]string{"b.0"}, "derivatives are by whole inputs of f, as b, and not by a component, as b.0"},
		} {
			d, err := derivations(m, ad.Options{Wrt: c.wrt})[how](p)
			var e *egad.Error
			if !errors.As(err, &e) || e.Msg != c.want {
				t.Errorf("%s by %q: %v, %v; want %s", how, c.wrt, d, err, c.want)
			}
		}
	}
}

// TestZeroValues: what was not made is an error, not a panic.
func TestZeroValues(t *testing.T) {
	m, p := instance(t, `def f(x: R): R = x * x`)
	other, err := egad.Load("examples/running/running.rules")
	if err != nil {
		t.Fatal(err)
	}
	calls := map[string]func() error{
		"Run nil":      func() error { _, err := egad.Run(nil, nil); return err },
		"Run zero":     func() error { _, err := egad.Run(&term.Program{}, nil); return err },
		"Run store":    func() error { _, err := egad.Run(&term.Program{Store: p.Store}, nil); return err },
		"Evaluate nil": func() error { _, err := egad.Evaluate(nil, nil); return err },
		"Lower":        func() error { _, err := lower.Lower(nil, nil); return err },
		"Compile":      func() error { _, err := machine.Compile(nil, 1); return err },
		"block":        func() error { _, err := machine.Compile(&kernel.Program{}, 0); return err },
		"Machine":      func() error { _, err := new(machine.Machine).Run(nil); return err },
		"View":         func() error { _, err := new(stages.View).All(); return err },
		"Stage":        func() error { _, err := m.Stages(nil, ad.Options{}).Stage("gradient"); return err },
		"no Stages":    func() error { _, err := (&egad.Module{}).Stages(p, ad.Options{}).Stage("gradient"); return err },
		"Instantiate":  func() error { _, err := (&egad.Module{}).Instantiate("f", nil); return err },
		"Lookup":       func() error { _, err := (&egad.Module{}).Lookup("f"); return err },
		"sizes":        func() error { _, err := m.Instantiate("f", map[string]int64{"n": 3}); return err },
		"mode":         func() error { _, err := m.Jacobian(p, ad.Options{}, 7); return err },
		"other module": func() error { _, err := other.Grad(p, ad.Options{}); return err },
		"no Kernels":   func() error { _, err := egad.Run(&term.Program{Root: p.Root}, nil); return err },
		"no files": func() error {
			m, err := egad.Load()
			_, err2 := m.Instantiate("", nil)
			return fmt.Errorf("%v %w", err, err2)
		},
	}
	for name, x := range map[string]*egad.Module{"no module": nil, "empty module": {}} {
		for how, derive := range derivations(x, ad.Options{}) {
			calls[name+" "+how] = func() error { _, err := derive(p); return err }
		}
	}
	for how, derive := range derivations(m, ad.Options{}) {
		calls["no program "+how] = func() error { _, err := derive(nil); return err }
		calls["empty program "+how] = func() error { _, err := derive(&term.Program{}); return err }
	}
	for name, call := range calls {
		if err := call(); err == nil || err.Error() == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := (&egad.Module{}).Defs(); got != nil {
		t.Errorf("no module defines %v", got)
	}
}

// TestWith adds definitions to a module, which stays as it is.
func TestWith(t *testing.T) {
	m, err := egad.Parse("f.egad", `def f(x: R): R = x * x`)
	if err != nil {
		t.Fatal(err)
	}
	d := m.Define("g")
	g, err := d.Result(d.Call("f", d.Input("x", define.R())).Exp())
	if err != nil {
		t.Fatal(err)
	}
	both, err := m.With(g)
	if err != nil || !slices.Equal(both.Defs(), []string{"f", "g"}) || !slices.Equal(m.Defs(), []string{"f"}) {
		t.Fatal(both, m, err)
	}
	p, err := both.Instantiate("g", nil)
	if err != nil || !both.Knows(p) || both.Rules() != m.Rules() {
		t.Fatal(err)
	}
	dp, err := m.Grad(p, ad.Options{}) // which has the same rules
	if err != nil {
		t.Fatal(err)
	}
	if v, err := egad.Run(dp.Program, egad.Env{"x": egad.Array([]float64{2})}); err != nil || v.Parts[1].R[0] != 4*math.Exp(4) {
		t.Errorf("%v, %v", v, err)
	}
	for _, c := range []struct {
		texts []*egad.Source
		want  string
	}{
		{[]*egad.Source{nil}, "a text is nil"},
		{[]*egad.Source{{Name: "a.rules"}}, "a module has its rules"},
		{[]*egad.Source{g, g}, "g is defined twice"},
		{[]*egad.Source{{Name: "f.egad", Text: "def f: R = 1"}}, "f is defined twice"},
		{[]*egad.Source{{Name: "h.egad", Text: "def h: R = k 1"}}, "unknown function k"},
	} {
		if _, err := m.With(c.texts...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
