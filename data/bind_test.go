package data

import (
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"egad/diag"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/size"
	"egad/term/types"
)

func real(shape []int, elems ...float64) *eval.Value[float64] {
	return &eval.Value[float64]{Elem: types.R, Shape: shape, R: elems}
}

func whole(shape []int, elems ...int64) *eval.Value[float64] {
	return &eval.Value[float64]{Elem: types.I, Shape: shape, N: elems}
}

func truths(shape []int, elems ...int64) *eval.Value[float64] {
	return &eval.Value[float64]{Elem: types.B, Shape: shape, N: elems}
}

type env = eval.Env[*eval.Value[float64]]

func TestBind(t *testing.T) {
	scalar := []int{}
	for _, c := range []struct {
		name, def, json string
		csv             map[string]string
		given           map[string]int64
		sizes           map[string]int64
		env             env
	}{
		{
			name: "scalars of every type", def: "def f(x: R, i: I, b: B): R = x",
			json:  `{"x": -0.5e1, "i": 9007199254740993, "b": true}`,
			sizes: map[string]int64{},
			env:   env{"x": real(scalar, -5), "i": whole(scalar, 9007199254740993), "b": truths(scalar, 1)},
		},
		{
			name: "numbers that JSON has no form for", def: "def f[n](x: R[n]): R = 0.0",
			json:  `{"x": ["Infinity", "-Infinity", -0]}`,
			sizes: map[string]int64{"n": 3},
			env:   env{"x": real([]int{3}, math.Inf(1), math.Inf(-1), math.Copysign(0, -1))},
		},
		{
			name: "every int64 is exact", def: "def f[n](x: I[n]): R = 0.0",
			json:  `{"x": [9223372036854775807, -9223372036854775808, -0, 1.5e1, 100e-2, 0.0]}`,
			sizes: map[string]int64{"n": 6},
			env:   env{"x": whole([]int{6}, math.MaxInt64, math.MinInt64, 0, 15, 1, 0)},
		},
		{
			name: "sizes come from any input", def: "def f[m, n](x: R[2*m, n], y: B[m], z: I[n, 3]): R = 0.0",
			json:  `{"z": [[1, 2, 3]], "y": [true, false], "x": [[1], [2], [3], [4]]}`,
			sizes: map[string]int64{"m": 2, "n": 1},
			env: env{
				"x": real([]int{4, 1}, 1, 2, 3, 4), "y": truths([]int{2}, 1, 0), "z": whole([]int{1, 3}, 1, 2, 3),
			},
		},
		{
			name: "sizes in axes", def: "def f[k, m](n: size, x: R[k + 1], y: R[k, 2*n], z: R[3*n + k + 2*m]): R = 0.0",
			json:  `{"x": [1, 2], "y": [[1, 2]], "z": [1, 2, 3, 4]}`,
			sizes: map[string]int64{"k": 1, "m": 0, "n": 1},
			env:   env{"x": real([]int{2}, 1, 2), "y": real([]int{1, 2}, 1, 2), "z": real([]int{4}, 1, 2, 3, 4)},
		},
		{
			name: "sizes given otherwise", def: "def f(n: size, x: R[2*n]): R = 0.0",
			json:  `{"x": [1, 2]}`,
			given: map[string]int64{"n": 1},
			sizes: map[string]int64{"n": 1},
			env:   env{"x": real([]int{2}, 1, 2)},
		},
		{
			name: "empty arrays of either type", def: "def f[k, m, n](x: R[k], y: B[k], z: I[m, n], w: R[m, n + 1]): R = 0.0",
			json:  `{"x": [], "y": [], "z": [[], []], "w": [[1], [2]]}`,
			sizes: map[string]int64{"k": 0, "m": 2, "n": 0},
			env: env{
				"x": real([]int{0}), "y": truths([]int{0}), "z": whole([]int{2, 0}), "w": real([]int{2, 1}, 1, 2),
			},
		},
		{
			name: "an empty list for a matrix", def: "def f[m, n](x: R[m, n], y: R[n]): R = 0.0",
			json:  `{"x": [], "y": [1, 2, 3]}`,
			sizes: map[string]int64{"m": 0, "n": 3},
			env:   env{"x": real([]int{0, 3}), "y": real([]int{3}, 1, 2, 3)},
		},
		{
			name: "an empty list whose other axes are given", def: "def f[m, n](x: R[m, n, 2]): R = 0.0",
			json:  `{"x": []}`,
			given: map[string]int64{"n": 5},
			sizes: map[string]int64{"m": 0, "n": 5},
			env:   env{"x": real([]int{0, 5, 2})},
		},
		{
			name: "a tuple of different shapes", def: "def f[n](p: (R, (I[n], B))): R = 0.0",
			json:  `{"p": [1, [[2, 3], false]]}`,
			sizes: map[string]int64{"n": 2},
			env:   env{"p.0": real(scalar, 1), "p.1.0": whole([]int{2}, 2, 3), "p.1.1": truths(scalar, 0)},
		},
		{
			name: "a tuple that looks like an array", def: "def f[n](p: (R[n], I[n], R[n])): R = 0.0",
			json:  `{"p": [[0.5, 1], [9007199254740993, 2], [3, 4]]}`,
			sizes: map[string]int64{"n": 2},
			env:   env{"p.0": real([]int{2}, 0.5, 1), "p.1": whole([]int{2}, 9007199254740993, 2), "p.2": real([]int{2}, 3, 4)},
		},
		{
			name: "a tuple of arrays of which one is empty", def: "def f[m, n](p: (R[m], R[n, m])): R = 0.0",
			json:  `{"p": [[1], []]}`,
			sizes: map[string]int64{"m": 1, "n": 0},
			env:   env{"p.0": real([]int{1}, 1), "p.1": real([]int{0, 1})},
		},
		{
			name: "components by themselves", def: "def f[n](p: (R, (I[n], B))): R = 0.0",
			json:  `{"p.0": 1, "p.1": [[2], true]}`,
			sizes: map[string]int64{"n": 1},
			env:   env{"p.0": real(scalar, 1), "p.1.0": whole([]int{1}, 2), "p.1.1": truths(scalar, 1)},
		},
		{
			name: "tables", def: "def f[k, m, n](a: R[m, n], row: I[n], column: R[m], one: R[k], scalar: R): R = 0.0",
			json: `{}`,
			csv: map[string]string{
				"a": "# a comment\nwidth, height\n\n1, -2.5\n.5,+1e2\n3.,nan\n", "row": "9007199254740993,2\n", "column": "1\n2\ninf\n", "one": "7\n", "scalar": "\"8\"\r\n",
			},
			sizes: map[string]int64{"k": 1, "m": 3, "n": 2},
			env: env{
				"a": real([]int{3, 2}, 1, -2.5, 0.5, 100, 3, math.NaN()), "row": whole([]int{2}, 9007199254740993, 2),
				"column": real([]int{3}, 1, 2, math.Inf(1)), "one": real([]int{1}, 7), "scalar": real(scalar, 8),
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, err := ReadJSON(&diag.Source{Name: "in.json", Text: c.json})
			if err != nil {
				t.Fatal(err)
			}
			for name, text := range c.csv {
				raw, err := new(Reader).csv(&diag.Source{Name: name + ".csv", Text: text}, MaxElements)
				if err != nil {
					t.Fatal(err)
				}
				if err := in.Add(name, raw); err != nil {
					t.Fatal(err)
				}
			}
			sizes, got, err := Bind(define(t, c.def), in, c.given)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(sizes, c.sizes) {
				t.Errorf("sizes are %v, want %v", sizes, c.sizes)
			}
			if len(got) != len(c.env) {
				t.Errorf("%d inputs, want %d", len(got), len(c.env))
			}
			for name, want := range c.env {
				if !sameBits(got[name], want) {
					t.Errorf("%s is %+v, want %+v", name, got[name], want)
				}
			}
		})
	}
}

// sameBits reports whether two values are the same, NaN being equal to itself
// and -0 different from 0.
func sameBits(v, w *eval.Value[float64]) bool {
	if v == nil || w == nil || v.Elem != w.Elem || len(v.Parts) != len(w.Parts) || len(v.R) != len(w.R) || len(v.N) != len(w.N) {
		return false
	}
	for i := range v.Parts {
		if !sameBits(v.Parts[i], w.Parts[i]) {
			return false
		}
	}
	if v.Elem != types.NoElem && !reflect.DeepEqual(v.Shape, w.Shape) {
		return false
	}
	for i := range v.R {
		if math.Float64bits(v.R[i]) != math.Float64bits(w.R[i]) {
			return false
		}
	}
	for i := range v.N {
		if v.N[i] != w.N[i] {
			return false
		}
	}
	return true
}

// TestBoundProgram runs a definition on what Bind gives it.
func TestBoundProgram(t *testing.T) {
	src := &diag.Source{Name: "dot.egad", Text: "def f[m, n](p: (R[n], R[m, n])): R[m] = build m (\\i -> sum (build n (\\j -> p.0[j] * p.1[i, j])))"}
	m, err := module.Load(term.NewSignature(), src)
	if err != nil {
		t.Fatal(err)
	}
	info, err := m.Lookup("f")
	if err != nil {
		t.Fatal(err)
	}
	in, err := ReadJSON(&diag.Source{Name: "in.json", Text: `{"p": [[1, 2], [[3, 4], [5, 6]]]}`})
	if err != nil {
		t.Fatal(err)
	}
	sizes, values, err := Bind(info, in, nil)
	if err != nil {
		t.Fatal(err)
	}
	prog, err := m.Instantiate("f", sizes)
	if err != nil {
		t.Fatal(err)
	}
	got, err := eval.Interpret(prog.Store, prog.Root, eval.FloatArrays(), values)
	if err != nil {
		t.Fatal(err)
	}
	if want := real([]int{2}, 11, 17); !sameBits(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestComponents: a tuple may be an object of its components, and an array of tuples one of
// arrays.
func TestComponents(t *testing.T) {
	n := size.Var("n")
	rows := *types.TupleOf(types.ArrayOf(types.R, n), types.ArrayOf(types.R, n, size.Const(2)))
	rows.Rows = 1
	info := module.DefInfo{Name: "f", Sizes: []string{"n"}, Params: []term.Input{
		{Name: "p", Type: types.TupleOf(types.ArrayOf(types.R), types.TupleOf(types.ArrayOf(types.I)))}, {Name: "rows", Type: &rows}}}
	for _, c := range []struct{ text, want string }{
		{`{"p": [1, [2]], "rows": [[3, [4, 5]], [6, [7, 8]]]}`, ""},
		{`{"p": {"1": {"0": 2}, "0": 1}, "rows": [{"0": 3, "1": [4, 5]}, [6, [7, 8]]]}`, ""},
		{`{"p": {"0": 1, "1": [2]}, "rows": {"1": [[4, 5], [7, 8]], "0": [3, 6]}}`, ""},
		{`{"p": {"0": 1}, "rows": []}`, "p is a tuple (R, (I,)) of 2 components, and this has 1"},
		{`{"p": {"0": 1, "2": 1}, "rows": []}`, "the object p has no component 1"},
		{`{"p": {"0": 1, "0": 1}, "rows": []}`, `stands twice`},
		{`{"p": {"0": 1, "01": 1}, "rows": []}`, `is no number of a component`},
		{`{"p": {"0": 1, "x": 1}, "rows": []}`, `is no number of a component`},
		{`{"p": {"0": {"0": 1}, "1": [2]}, "rows": []}`, "p.0 is R, and this is an object of 1 component"},
		{`{"p": [1, [2]], "rows": {"0": [3], "1": [[4, 5], [7, 8]]}}`, "n is 1"},
		{`{"p": {"0": 1, "1": [2]`, "a comma or }"},
	} {
		in, err := ReadJSON(&diag.Source{Name: "in.json", Text: c.text})
		var env eval.Env[*eval.Value[float64]]
		if err == nil {
			_, env, err = Bind(info, in, nil)
		}
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.text, err)
		case c.want == "":
			got := fmt.Sprint(env["p.0"].R, env["p.1.0"].N, env["rows.0"].R, env["rows.1"].R)
			if got != "[1] [2] [3 6] [4 5 7 8]" {
				t.Errorf("%s: %s", c.text, got)
			}
		case err == nil || !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: %v; want %s", c.text, err, c.want)
		}
	}
}

// TestSums: a value of a sum is an object of one member; the other side is zeros.
func TestSums(t *testing.T) {
	side := types.SumOf(types.ArrayOf(types.R), types.TupleOf(types.ArrayOf(types.R, size.Var("n")), types.SumOf(types.ArrayOf(types.I), types.ArrayOf(types.B))))
	many := *types.TupleOf(types.ArrayOf(types.B, size.Var("m")), types.ArrayOf(types.R, size.Var("m")), types.ArrayOf(types.I, size.Var("m")))
	many.Sum, many.Rows = true, 1
	info := module.DefInfo{Name: "f", Sizes: []string{"m", "n"}, Params: []term.Input{
		{Name: "s", Type: side}, {Name: "a", Type: types.ArrayOf(types.R, size.Var("n"))}, {Name: "rows", Type: &many}}}
	for _, c := range []struct{ text, want string }{
		{`{"s": {"inl": 2.5}, "a": [1, 2], "rows": [{"inl": 1.5}, {"inr": 7}]}`, "map[m:2 n:2] [] [0] [] [2.5] [2] [0 0] [] [0] [] [0] [] [0] [2] [0 1] [2] [1.5 0] [2] [0 7]"},
		{`{"s": {"inr": [[3], {"inr": true}]}, "a": [1], "rows": []}`, "map[m:0 n:1] [] [1] [] [0] [1] [3] [] [1] [] [0] [] [1] [0] [] [0] [] [0] []"},
		{`{"s": 3, "a": [1], "rows": []}`, `{"inl": …} or {"inr": …} is expected`},
		{`{"s": {"inl": 1, "inr": 2}, "a": [1], "rows": []}`, `s is an object of the members inl, inr, and a value of a sum has exactly one, "inl" or "inr"`},
		{`{"s": {"inr": 1, "x": [{}, {}]}, "a": [1], "rows": []}`, `s is an object of the members inr, x, and a value of a sum has exactly one`},
		{`{"s": {"x": 1, "inl": 1}, "a": [1], "rows": []}`, `s is an object of the members x, inl, and a value of a sum has exactly one`},
		{`{"s": {}, "a": [1], "rows": []}`, `s is an empty object, and a number, a list, components {"0": …, "1": …}, or of a sum exactly one of {"inl": …} and {"inr": …} is expected`},
		{`{"s": {"x": 1}, "a": [1], "rows": []}`, `s is an object, and a number, a list, components {"0": …, "1": …}, or of a sum exactly one`},
		{`{"s": {"inr": [{"inl": 1}, {"inl": 1}]}, "a": [1], "rows": []}`, "s.2.0 is R[n], and this is a value inl of a sum"},
		{`{"s": {"inl": {"inr": 1}}, "a": [1], "rows": []}`, "and this is a value inr of a sum"},
	} {
		got := ""
		in, err := ReadJSON(&diag.Source{Name: "in.json", Text: c.text})
		if err == nil {
			var sizes map[string]int64
			var env eval.Env[*eval.Value[float64]]
			if sizes, env, err = Bind(info, in, nil); err == nil {
				got = fmt.Sprint(sizes)
				for _, p := range info.Params {
					for _, l := range p.Leaves() {
						v := env[l.Name]
						if p.Name == "a" {
							continue
						}
						got += fmt.Sprint(" ", v.Shape, " ")
						if v.Elem == types.R {
							got += fmt.Sprint(v.R)
						} else {
							got += fmt.Sprint(v.N)
						}
					}
				}
			}
		}
		if err != nil {
			got = err.Error()
		}
		if err == nil && got != c.want || err != nil && !strings.Contains(got, c.want) {
			t.Errorf("%s: %s, want %s", c.text, got, c.want)
		}
	}
}
