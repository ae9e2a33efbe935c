package define_test

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"egad/define"
	"egad/diag"
	"egad/internal/testflag"
	"egad/term"
	"egad/term/module"
)

// V is short for a test.
type V = define.Value

// loadAt reads a definition, and one at known sizes.
func loadAt(t testing.TB, src *diag.Source, sizes map[string]int64) *term.Program {
	t.Helper()
	m, err := module.Load(signature(t), src)
	if err != nil {
		t.Fatalf("%v in\n%.2000s", err, src.Text)
	}
	p, err := m.Instantiate("", sizes)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestText writes what has to be in parentheses, or to have a name.
func TestText(t *testing.T) {
	for _, c := range []struct {
		f    func(d *define.Def, n, x, a V) any
		want string
	}{
		{func(d *define.Def, n, x, a V) any { return x.Sub(x.Sub(1)).Sub(2) }, "x - (x - 1) - 2"},
		{func(d *define.Def, n, x, a V) any { return x.Pow(x.Pow(2)).Pow(-3) }, "(x ^ x ^ 2) ^ (-3)"},
		{func(d *define.Def, n, x, a V) any { return d.Value(-2).Pow(x).Add(d.Value(-2).Neg()) }, "(-2) ^ x + -(-2)"},
		{func(d *define.Def, n, x, a V) any { return x.Neg().Neg().Pow(2).Neg() }, "-((-(-x)) ^ 2)"},
		{func(d *define.Def, n, x, a V) any { return x.Neg().Exp().Add(a.At(2).Mul(-1)) }, "exp (-x) + a[2] * -1"},
		{func(d *define.Def, n, x, a V) any { return d.If(x.Lt(1).Eq(x.Ge(2)), 1, x).Mul(2) }, "(if (x < 1) == (x >= 2) then 1 else x) * 2"},
		{func(d *define.Def, n, x, a V) any { return x.Lt(1).And(x.Gt(0)).Or(x.Ne(3)).Not() }, "not (x < 1 && x > 0 || x != 3)"},
		{func(d *define.Def, n, x, a V) any { return d.Tuple(d.Tuple(x, 1), 2.5).Part(0).Part(1) }, "let t1 = (((x, 1), 2.5).0).1 in\n  t1"},
		{func(d *define.Def, n, x, a V) any { return d.Tuple(a, a.Exp()).At(0) }, "let t1 = (a, exp a) in\n  t1[0]"},
		{func(d *define.Def, n, x, a V) any { return d.Call("stopgrad", d.Tuple(a, x)) }, "stopgrad ((a, x))"},
		{func(d *define.Def, n, x, a V) any { return d.Tuple(a) }, "(a,)"},
		{func(d *define.Def, n, x, a V) any { return a.Add(a).At(define.Range{1, nil}).Sum() }, "sum (a + a)[1:]"},
		{func(d *define.Def, n, x, a V) any { return a.At(define.Range{nil, n.Sub(1)}, define.Range{}) }, ""},
		{func(d *define.Def, n, x, a V) any { return a.At(define.Range{nil, n.Sub(1)}) }, "a[:n - 1]"},
		{func(d *define.Def, n, x, a V) any {
			return d.Build([]any{n, 2}, func(i, j V) V { return a.At(i).Mul(j.Real()) })
		}, `build [n, 2] (\i j -> a[i] * real j)`},
		{func(d *define.Def, n, x, a V) any {
			return d.Build(n, func(i V) V {
				b := a.At(i).Exp()
				return b.Mul(b).Add(d.Build(n, func(j V) V { return a.At(j).Sin() }).Sum())
			})
		}, "build n (\\i ->\n    let t1 = exp a[i] in\n    t1 * t1 + sum (build n (\\j -> sin a[j])))"},
		// What does not depend on a loop is computed once, outside it.
		{func(d *define.Def, n, x, a V) any {
			return d.Build(n, func(i V) V {
				b := a.Exp().Sum()
				return b.Mul(b).Mul(a.At(i))
			})
		}, "let t1 = sum (exp a) in\n  build n (\\i -> t1 * t1 * a[i])"},
		{func(d *define.Def, n, x, a V) any {
			return a.Gather([]any{n, n}, func(i, j V) []V { k := i.Add(j).Mod(2).Mul(i); return []V{k.Add(k)} })
		}, `gather [n, n] a (\[i, j] -> let t1 = (i + j) mod 2 * i in [t1 + t1])`},
		{func(d *define.Def, n, x, a V) any {
			return a.Scatter([]any{3}, func(i V) []V { return []V{i.Mod(3)} })
		}, `scatter [3] a (\[i] -> [i mod 3])`},
		{func(d *define.Def, n, x, a V) any { return a.Scatter([]int{}, func(i V) []V { return []V{} }) }, `scatter [] a (\[i] -> [])`},
		{func(d *define.Def, n, x, a V) any { return a.Exp().Named("e").Mul(2).Sum().Named("a") }, "let e = exp a in\n  let a2 = sum (e * 2) in\n  a2"},
		{func(d *define.Def, n, x, a V) any {
			return d.MapAccum(func(s, x V) V { return d.Tuple(s.Add(x), s.Mul(x)) }, 0, a)
		}, `mapAccum (\s t -> (s + t, s * t)) 0 a`},
		{func(d *define.Def, n, x, a V) any {
			return d.Scan(func(s, x V) V { return d.Tuple(s.Part(1), s.Part(0).Add(x)) }, d.Tuple(0.0, 1.0), a)
		}, `scan (\s t -> (s.1, s.0 + t)) (0.0, 1.0) a`},
		{func(d *define.Def, n, x, a V) any {
			return d.Fold(func(s, x V) V { return s }, a.At(define.Range{0, 0}), a)
		}, `fold (\_ _ -> 0) a[0:0] a`},
		{func(d *define.Def, n, x, a V) any {
			return d.Iterate(n.FloorDiv(2), func(s V) V { return s.Mul(2) }, x)
		}, `iterate (n div 2) (\s -> s * 2) x`},
		{func(d *define.Def, n, x, a V) any {
			return d.Call("grad", func(y V) V { return y.Mul(y).Sum() }, a)
		}, `grad (\s -> sum (s * s)) a`},
		{func(d *define.Def, n, x, a V) any {
			return d.Call("along", []int{1, 0}, func(y V) V { return y.Sum() }, d.Build([]any{n, 2}, func(i, j V) V { return x }))
		}, `along [1, 0] (\s -> sum s) (build [n, 2] (\i j -> x))`},
		{func(d *define.Def, n, x, a V) any { return d.Call("reshape", []any{a.Dim(0), 1}, a) }, "reshape [n, 1] a"},
		{func(d *define.Def, n, x, a V) any { return d.Call("concat", a, a).Dim(0).Add(1) }, "2*n + 1"},
		{func(d *define.Def, n, x, a V) any {
			return d.Tuple([]float64{1, math.Inf(-1), math.NaN(), 0.1, 1e-7, math.Copysign(0, -1)}, [][]int8{{1, -2}}, []bool{true}, []any{x, 1, float32(0.1)})
		}, "([1.0, -inf, nan, 0.1, 0.0000001, -0.0], [[1, -2]], [true], [x, 1, 0.1])"},
		{func(d *define.Def, n, x, a V) any {
			k := a.Floor().At(0)
			return d.Build(k.Sub(k).Add(n), func(i V) V { return i })
		}, "let t1 = (floor a)[0] in\n  let t2 = t1 - t1 in\n  build (t2 + n) (\\i -> i)"},
		{func(d *define.Def, n, x, a V) any { return d.Build(d.Tuple(n, 1).Part(0), func(i V) V { return i }) }, "let t1 = (n, 1).0 in\n  build t1 (\\i -> i)"},
		{func(d *define.Def, n, x, a V) any { return d.Call("pi").Mul(uint8(2)) }, "pi * 2"},
		{func(d *define.Def, n, x, a V) any { return 3 }, "3"},
		{func(d *define.Def, n, x, a V) any { return []any{x, []V{x}[0]} }, "[x, x]"},
	} {
		d := define.New(nil, "f")
		n := d.Size("n")
		src, err := d.Result(c.f(d, n, d.Input("x", define.R()), d.Input("a", define.R(n))))
		if c.want == "" {
			if err == nil {
				t.Errorf("no finding, but\n%s", src.Text)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.want, err)
			continue
		}
		_, body, _ := strings.Cut(src.Text, "=")
		if got := strings.TrimSpace(body); got != c.want {
			t.Errorf("%s\nwant\n%s", got, c.want)
		}
		loadAt(t, src, map[string]int64{"n": 3})
	}
}

// TestSharing: what is used twice is one node.
func TestSharing(t *testing.T) {
	d := define.New(nil, "double")
	x := d.Input("x", define.R())
	for range 64 {
		x = x.Add(x)
	}
	src, err := d.Result(x)
	if err != nil {
		t.Fatal(err)
	}
	p := loadAt(t, src, nil)
	if n := p.Store.Len(); n != 65 {
		t.Errorf("%d nodes, want those of the input and of 64 sums", n)
	}
	if n := strings.Count(src.Text, "+"); n != 64 {
		t.Errorf("%d sums are written", n)
	}
}

// TestMisuse uses a definition in wrong ways: each gives one finding, at its line.
func TestMisuse(t *testing.T) {
	other := define.New(nil, "other")
	stranger := other.Input("y", define.R())
	var escaped V
	for _, c := range []struct {
		f    func(d *define.Def, n, x, a V) any
		want string
	}{
		{func(d *define.Def, n, x, a V) any { return a.Add(d.Value([]int{1, 2, 3})) }, "one shape: axis 0 has size n in R[n] and 3"},
		{func(d *define.Def, n, x, a V) any { return x.And(true) }, "&& works on elements of type B, not R"},
		{func(d *define.Def, n, x, a V) any { return x.Add(stranger) }, "this value belongs to another definition, other"},
		{func(d *define.Def, n, x, a V) any { return stranger }, "this value belongs to another definition, other"},
		{func(d *define.Def, n, x, a V) any { return d.If(true, stranger, x) }, "this value belongs to another definition, other"},
		{func(d *define.Def, n, x, a V) any { return x.Add(V{}) }, "this is the zero Value, which no definition has made"},
		{func(d *define.Def, n, x, a V) any { return V{}.Add(x) }, "this is the zero Value, which no definition has made"},
		{func(d *define.Def, n, x, a V) any { return V{} }, "this is the zero Value, which no definition has made"},
		{func(d *define.Def, n, x, a V) any { return V{}.Exp().Sum().At(1) }, "this is the zero Value, which no definition has made"},
		{func(d *define.Def, n, x, a V) any { return nil }, "an operand is nil"},
		{func(d *define.Def, n, x, a V) any { return x.Add("1") }, "string cannot be an operand"},
		{func(d *define.Def, n, x, a V) any { return x.Add(&x) }, "*define.Value cannot be an operand"},
		{func(d *define.Def, n, x, a V) any { return x.Add(2i) }, "complex128 cannot be an operand"},
		{func(d *define.Def, n, x, a V) any { return x.Add(1e300) }, "1e+300 needs more than 256 bits"},
		{func(d *define.Def, n, x, a V) any { return x.Add(uint64(math.MaxUint64)) }, "18446744073709551615 does not fit 64 bits"},
		{func(d *define.Def, n, x, a V) any { return x.Add([]float64{}) }, "an array literal needs an element"},
		{func(d *define.Def, n, x, a V) any { return x.Add([][]int{{1}, {2, 3}}) }, "the elements of an array literal must have one shape"},
		{func(d *define.Def, n, x, a V) any { return d.Build(-1, func(i V) V { return i }) }, "a size cannot be negative, and this is -1"},
		{func(d *define.Def, n, x, a V) any { return d.Build(x, func(i V) V { return i }) }, "this is not a size"},
		{func(d *define.Def, n, x, a V) any { return d.Build(2.5, func(i V) V { return i }) }, "a size is a whole number"},
		{func(d *define.Def, n, x, a V) any {
			return d.Build(n.Div(2), func(i V) V { return i }).Sum().Add(n.Div(2))
		}, "a quotient of sizes is a size, and no value"},
		{func(d *define.Def, n, x, a V) any { return d.Build(2, func(i V) V { return n.Div(2) }) }, "a quotient of sizes is a size, and no value"},
		{func(d *define.Def, n, x, a V) any {
			return d.Fold(func(s, y V) V { return n.Div(-1) }, 0, a)
		}, "a quotient of sizes is a size, and no value"},
		{func(d *define.Def, n, x, a V) any {
			return a.Gather([]any{2}, func(i V) []V { return []V{n.Mul(4).Div(2)} })
		}, "a quotient of sizes is a size, and no value"},
		{func(d *define.Def, n, x, a V) any { return d.Build(n, nil) }, "an operand is nil"},
		{func(d *define.Def, n, x, a V) any { return d.Build(n, (func(V) V)(nil)) }, "this function is nil"},
		{func(d *define.Def, n, x, a V) any { return d.Build(n, func(i, j V) V { return i }) }, "this function takes 2 arguments, not 1"},
		{func(d *define.Def, n, x, a V) any { return d.Build(n, func(i int) V { return x }) }, "a function takes Values and results in a Value"},
		{func(d *define.Def, n, x, a V) any { return d.Build(n, func(i V) (V, error) { return x, nil }) }, "a function takes Values and results in a Value"},
		{func(d *define.Def, n, x, a V) any { return d.Build(n, func(is ...V) V { return x }) }, "a function takes Values and results in a Value"},
		{func(d *define.Def, n, x, a V) any { return d.Build(n, func(i V) []V { return []V{i} }) }, "a function that makes a list of indices is for gather and scatter"},
		{func(d *define.Def, n, x, a V) any { return d.Build(n, func(i V) V { return V{} }) }, "this is the zero Value, which no definition has made"},
		{func(d *define.Def, n, x, a V) any { return d.Build(n, func(i V) V { return a.At(i, i) }) }, "too many indices"},
		{func(d *define.Def, n, x, a V) any { return d.Build(n, x) }, "expected a function of 1 index variable"},
		{func(d *define.Def, n, x, a V) any { return a.Gather([]any{n}, func(i V) V { return i }) }, "expected a function to a list of indices"},
		{func(d *define.Def, n, x, a V) any { return a.Gather([]any{n}, func(i, j V) []V { return nil }) }, "expected a function of 1 index variable, and this one takes 2"},
		{func(d *define.Def, n, x, a V) any { return a.Gather([]any{n}, x) }, "expected a function of 1 index variable"},
		{func(d *define.Def, n, x, a V) any {
			return a.Scatter([]any{n}, func(i V) []V { return []V{d.Tuple(i, i)} })
		}, "expected an array, found a tuple (I, I)"},
		{func(d *define.Def, n, x, a V) any { return a.Scatter([]any{n}, 1) }, "expected a function of the leading axes"},
		{func(d *define.Def, n, x, a V) any {
			d.Build(n, func(i V) V { escaped = i.Add(1); return i })
			return escaped.Mul(2)
		}, "this value is made of variables of the function that was called in line"},
		{func(d *define.Def, n, x, a V) any {
			d.Build(n, func(i V) V { escaped = a.At(i); return i })
			return d.Build(n, func(j V) V { return escaped })
		}, "this value is made of variables of the function that was called in line"},
		{func(d *define.Def, n, x, a V) any {
			d.Build(n, func(i V) V { escaped = i; return i })
			return escaped
		}, "this value is made of variables of the function that was called in line"},
		{func(d *define.Def, n, x, a V) any {
			return d.Build(n, func(i V) V {
				if _, err := d.Result(x); err == nil {
					t.Error("a result within a function")
				}
				return i
			})
		}, "the result of f is given in a function that it calls"},
		{func(d *define.Def, n, x, a V) any { return d.Fold(func(s, x V) V { return d.Tuple(s, x) }, 0.0, a) }, "the state of a loop changes its type"},
		{func(d *define.Def, n, x, a V) any { return d.Fold(nil, 0.0, a) }, "this function is nil"},
		{func(d *define.Def, n, x, a V) any { return d.Iterate(x, func(s V) V { return s }, 0.0) }, "the number of steps of iterate is a size or an integer"},
		{func(d *define.Def, n, x, a V) any { return d.Call("expp", x) }, "unknown function expp (did you mean exp?)"},
		{func(d *define.Def, n, x, a V) any { return d.Call("exp x", x) }, `no function is called "exp x"`},
		{func(d *define.Def, n, x, a V) any { return d.Call("") }, `no function is called ""`},
		{func(d *define.Def, n, x, a V) any { return d.Call("map", func(x V) V { return x }) }, "map needs more arguments"},
		{func(d *define.Def, n, x, a V) any { return d.Call("dot", a) }, "dot needs more arguments"},
		{func(d *define.Def, n, x, a V) any { return d.Call("dot", a, a, a) }, "dot takes 2 arguments"},
		{func(d *define.Def, n, x, a V) any { return d.Call("dot", a, x) }, "argument 2 of dot (b: R[n])"},
		{func(d *define.Def, n, x, a V) any { return d.Tuple(x, a).Part(2) }, "there is no component 2 in a tuple of 2"},
		{func(d *define.Def, n, x, a V) any { return x.Part(-1) }, "there is no component -1"},
		{func(d *define.Def, n, x, a V) any { return x.Dim(0).Add(1) }, "there is no axis 0 of R"},
		{func(d *define.Def, n, x, a V) any { return d.Tuple(x).Dim(0) }, "there is no axis 0 of (R,)"},
		{func(d *define.Def, n, x, a V) any { return a.At(n) }, "this index is always out of range"},
		{func(d *define.Def, n, x, a V) any { return a.At(define.Range{"", nil}) }, "string cannot be an operand"},
		{func(d *define.Def, n, x, a V) any { return x.Add(define.Range{}) }, "a Range stands among indices only"},
		{func(d *define.Def, n, x, a V) any { return d.Input("x", define.I()) }, "x is declared twice"},
		{func(d *define.Def, n, x, a V) any { return d.Size("x") }, "x is declared twice"},
		{func(d *define.Def, n, x, a V) any { return d.Input("y", define.TupleOf(make([]define.Type, 2000)...)) }, "a tuple has at most 1000 components"},
		{func(d *define.Def, n, x, a V) any { l := []any{nil}; l[0] = l; return x.Add(l) }, "lists nest more than 64 deep"},
		{func(d *define.Def, n, x, a V) any { return a.Add(make([][1000]float32, 1<<11)) }, "a list has more than 1048576 elements"},
		{func(d *define.Def, n, x, a V) any { return d.Call("f", x) }, "unknown function f"},
		{func(d *define.Def, n, x, a V) any { return d.Input("let", define.I()) }, `a input cannot be called "let"`},
		{func(d *define.Def, n, x, a V) any { return d.Input("y z", define.I()) }, `a input cannot be called "y z"`},
		{func(d *define.Def, n, x, a V) any { return d.Input("y", define.R(-1)) }, "a size cannot be negative, and this is -1"},
		{func(d *define.Def, n, x, a V) any { return d.Input("y", define.R(x)) }, "this is not a size"},
		{func(d *define.Def, n, x, a V) any { return d.Input("y", define.R(nil)) }, "an operand is nil"},
		{func(d *define.Def, n, x, a V) any { d.Where(n, "!", 2); return x }, "a condition on sizes is one of"},
		{func(d *define.Def, n, x, a V) any { d.Where(3, "=", 2); return x }, "3 = 2 never holds"},
		{func(d *define.Def, n, x, a V) any { return x.Exp().Named("2") }, `a value cannot be called "2"`},
		{func(d *define.Def, n, x, a V) any { return d.Input("exp", define.R()).Add(x.Exp()) }, "exp is a size or an input, and what is called so in line"},
	} {
		d := define.New(nil, "f")
		n := d.Size("n")
		src, err := d.Result(c.f(d, n, d.Input("x", define.R()), d.Input("a", define.R(n))))
		if err == nil {
			t.Errorf("%s: no finding, but\n%s", c.want, src.Text)
			continue
		}
		var list diag.List
		if !errors.As(err, &list) || len(list) != 1 || !strings.Contains(list[0].Msg, c.want) {
			t.Errorf("got\n%v\nwant\n%s", err, c.want)
			continue
		}
		if file, line, _ := list[0].Position(); filepath.Base(file) != "define_test.go" || line < 100 {
			t.Errorf("%s: at %s:%d", c.want, file, line)
		}
		if src, again := d.Result(0); src != nil || again == nil || d.Err() == nil {
			t.Errorf("%s: a result after the end", c.want)
		}
	}
}

// TestAfterTheEnd uses a definition that has its result.
func TestAfterTheEnd(t *testing.T) {
	d := define.New(nil, "f")
	x := d.Input("x", define.R())
	src, err := d.Result(x.Exp())
	if err != nil || d.Err() != nil {
		t.Fatal(err, d.Err())
	}
	text := src.Text
	x.Add(1).Sum()
	d.Input("y", define.R())
	if _, err := d.Result(x); err == nil || !strings.Contains(err.Error(), "the definition f has its result") {
		t.Errorf("%v", err)
	}
	if d.Err() == nil || src.Text != text {
		t.Errorf("%v", d.Err())
	}
}

// TestNothing: what is no definition makes nothing, and says so.
func TestNothing(t *testing.T) {
	var d *define.Def
	x := d.Input("x", define.R())
	d.Where(x, "<", 2)
	y := d.Build(d.Size("n"), func(i V) V { return i }).Add(d.Call("exp", x)).Gather(2, nil).Dim(0).Named("z")
	if y.Type() != "" || y != (V{}) {
		t.Errorf("%v", y)
	}
	if _, err := d.Result(y); err == nil || d.Err() == nil {
		t.Error("no definition has a result")
	}
	for _, name := range []string{"", "let", "inf", "f g", "1"} {
		d := define.New(nil, name)
		if _, err := d.Result(d.Value(1)); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("a definition cannot be called %q", name)) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

// TestItself calls a definition that hides what it means to call.
func TestItself(t *testing.T) {
	d := define.New(nil, "dot")
	x := d.Input("x", define.R(2))
	if _, err := d.Result(d.Call("dot", x, x)); err == nil || !strings.Contains(err.Error(), "dot calls itself") {
		t.Errorf("%v", err)
	}
}

// TestPanics: a function that panics does so where it is called, and the definition goes on.
func TestPanics(t *testing.T) {
	d := define.New(nil, "f")
	n := d.Size("n")
	func() {
		defer func() {
			if r := recover(); r != "mine" {
				t.Errorf("%v", r)
			}
		}()
		d.Build(n, func(i V) V { return d.Build(n, func(j V) V { panic("mine") }) })
	}()
	src, err := d.Result(d.Build(n, func(i V) V { return i.Mul(2) }))
	if err != nil || src.Text != "def f[n]: I[n] = build n (\\i -> i * 2)\n" {
		t.Errorf("%v, %v", src, err)
	}
}

// TestLater: what is found later, at known sizes, is at a line of Go.
func TestLater(t *testing.T) {
	d := define.New(nil, "f")
	n := d.Size("n")
	a := d.Input("a", define.R(n))
	b := a.At(define.Range{Hi: n.Sub(3)})
	src, err := d.Result(b.Sum())
	if err != nil {
		t.Fatal(err)
	}
	m, err := module.Load(signature(t), src)
	if err != nil {
		t.Fatal(err)
	}
	_, err = m.Instantiate("f", map[string]int64{"n": 2})
	var e *diag.Error
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if file, line, _ := e.Position(); filepath.Base(file) != "define_test.go" || line < 250 || !strings.Contains(e.Error(), "a[:n - 3]") {
		t.Errorf("%v", e)
	}
}

// TestLarge writes 10^5 operations, or 10^6: a chain that nests too deep as a term, which
// is said, and a tree.
func TestLarge(t *testing.T) {
	n, depth := 100_000, 13
	if testflag.Long {
		n, depth = 1_000_000, 17
	}
	d := define.New(nil, "chain")
	x := d.Input("x", define.R())
	y := x.Exp()
	for range n / 2 {
		y = y.Mul(x).Add(x)
	}
	src, err := d.Result(y)
	if err != nil {
		t.Fatal(err)
	}
	m, err := module.Load(term.NewSignature(), src)
	if err != nil {
		t.Fatal(err)
	}
	var e *diag.Error
	if _, err := m.Instantiate("chain", nil); !errors.As(err, &e) || !strings.Contains(e.Msg, "terms nest more than 100000 deep") {
		t.Errorf("%.200v", err)
	}
	d = define.New(nil, "tree")
	x = d.Input("x", define.R(2))
	var sum func(depth, k int) V
	sum = func(depth, k int) V {
		if depth == 0 {
			return x.At(k % 2).Mul(k)
		}
		return sum(depth-1, 2*k).Add(sum(depth-1, 2*k+1))
	}
	if src, err = d.Result(sum(depth, 0)); err != nil {
		t.Fatal(err)
	}
	if p := loadAt(t, src, nil); p.Store.Depth(p.Root) != depth+2 {
		t.Errorf("depth %d", p.Store.Depth(p.Root))
	}
}

// TestFindings: all findings are reported, in the order in which they were made; what
// follows from one is none.
func TestFindings(t *testing.T) {
	d := define.New(nil, "f")
	x, a := d.Input("x", define.R()), d.Input("a", define.R(3))
	bad := a.Add([]int{1, 2})
	worse := d.Build(3, func(i V) V { return bad.At(i).Add(a.At(i, i)) })
	_, err := d.Result(d.Tuple(worse, bad.Mul(worse), x.Or(true)))
	var list diag.List
	if !errors.As(err, &list) || len(list) != 3 {
		t.Fatalf("%v", err)
	}
	last := 0
	for i, want := range []string{"one shape", "too many indices", "|| works on elements of type B, not R"} {
		_, line, _ := list[i].Position()
		if !strings.Contains(list[i].Msg, want) || line <= last {
			t.Errorf("%v, want %s", list[i], want)
		}
		last = line
	}
}

// network writes functions of Go that are called by others, in another file or not: the
// line is the innermost one of the caller.
func network(x V) V { return x.Add([]bool{true}) }

func TestHelpers(t *testing.T) {
	d := define.New(nil, "f")
	network(d.Input("x", define.R(1)))
	var e *diag.Error
	if !errors.As(d.Err(), &e) {
		t.Fatal(d.Err())
	}
	_, line, _ := e.Position()
	text, err := os.ReadFile("define_test.go")
	if err != nil || !strings.HasPrefix(strings.Split(string(text), "\n")[line-1], "func network") {
		t.Errorf("%v", e)
	}
}
