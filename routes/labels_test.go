package routes

import (
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"egad/fun"
	"egad/internal/functional"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/internal/values"
	"egad/props"
	"egad/routes/chad"
	"egad/routes/krawiec"
)

// TestT4: on random functional programs, with sums, integers, functions and arrays, the gradients
// by CHAD's backpropagators, by Deltas, and by forward mode, an input at a time, are the same.
func TestT4(t *testing.T) {
	lib := taskOf(t, "def f(x: R): R = x\n", nil).Lib
	ops := chad.NewDerivatives(lib)
	count := testflag.Count(60, 10_000)
	for _, o := range []props.FunctionalOptions{
		{Values: values.Small, Result: fun.Real},
		{Values: values.Dyadic, Result: fun.Real, FirstOrder: true},
	} {
		programs.Hold(t, testflag.Seed, count, functional.Gen(o), func(c props.FunctionalCase) error {
			want, err := krawiec.Find("forward-dual").Gradient(&krawiec.Task{Lib: lib, Program: c.Program}, c.Inputs, nil)
			if err != nil {
				return err
			}
			same := func(name string, got []float64) error {
				for i, x := range got {
					y := want.Gradient[i]
					if x != y && math.Abs(x-y) > 1e-9*(math.Abs(x)+math.Abs(y)) && !(x != x && y != y) {
						return fmt.Errorf("%s: %v, forward mode says %v\n%s", name, got, want.Gradient, c.Text())
					}
				}
				return nil
			}
			for _, name := range []string{"monadic", "monadic-array", "overloaded"} {
				out, err := krawiec.Find(name).Gradient(&krawiec.Task{Lib: lib, Program: c.Program}, c.Inputs, nil)
				if err != nil {
					return err
				}
				if err := same(name, out.Gradient); err != nil {
					return err
				}
			}
			names := []string{"chad-closures", "chad-defunctional"}
			if o.FirstOrder {
				names = append(names, "chad", "chad-map", "chad-parallel")
			}
			for _, name := range names {
				d, err := chad.Find(name).Transform(ops, c.Program)
				if err != nil {
					return err
				}
				got, _, err := d.Gradient(c.Inputs, []float64{1}, chad.Options{})
				if err != nil {
					return err
				}
				if err := same(name, got); err != nil {
					return err
				}
			}
			return nil
		})
	}
}

// TestT6: the program of the route egraph keeps the sharing of nested doubling: each let is an
// addition and a product there, where the tree has 2^n.
func TestT6(t *testing.T) {
	route, err := Find("egraph")
	if err != nil {
		t.Fatal(err)
	}
	var nodes []int64
	for _, n := range []int{16, 32, 48, 64} {
		var text strings.Builder
		text.WriteString("def f(x0: R): R =\n")
		for i := range n {
			fmt.Fprintf(&text, "let x%d = x%d + x%d in\n", i+1, i, i)
		}
		fmt.Fprintf(&text, "sin x%d\n", n)
		results, err := Compared(taskOf(t, text.String(), nil), []*Route{route})
		if err != nil {
			t.Fatal(err)
		}
		nodes = append(nodes, results[0].Nodes)
	}
	for i := 1; i < len(nodes); i++ {
		if nodes[i]-nodes[i-1] != 2*16 {
			t.Errorf("%v nodes", nodes)
		}
	}
}

// TestLabels: each claim of the papers on functional languages is in the name of a test, as
// docs/routes.md says.
func TestLabels(t *testing.T) {
	carried := make(map[string]bool)
	name, label := regexp.MustCompile(`(?m)^func Test(\w+)\(`), regexp.MustCompile(`[CKT][0-9]+`)
	err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range name.FindAllSubmatch(text, -1) {
			for _, l := range label.FindAllString(string(m[1]), -1) {
				carried[l] = true
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for kind, n := range map[string]int{"C": 15, "K": 16, "T": 12} {
		for i := 1; i <= n; i++ {
			if l := fmt.Sprint(kind, i); !carried[l] {
				t.Errorf("no test carries %s", l)
			}
		}
	}
}
