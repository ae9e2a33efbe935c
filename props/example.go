package props

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"

	"egad/diag"
	"egad/internal/raise"
	"egad/rules"
	"egad/rules/match"
	"egad/rules/saturate"
	"egad/rules/syntax"
	"egad/term"
	"egad/term/ast"
	"egad/term/eval"
	"egad/term/module"
)

// CheckExamples runs the examples of a rule: the rule applied once at the root of
// the left side must give the right side. Of a derivative rule these are the maps.
// Both sides of an example of a rule about let, which is never applied, must have
// one value.
func CheckExamples(sig *term.Signature, r *rules.Rule) error {
	var errs diag.List
	for _, ex := range r.Examples {
		ex = ex.Read()
		err := checkExample(sig, r, &ex)
		var mistake *match.Mistake
		if list, ok := err.(diag.List); ok {
			errs = append(errs, list...)
		} else if errors.As(err, &mistake) {
			errs.Add(r.Src, ex.Pos, "rule %s: %s", r.Name, mistake.Msg)
		} else if err != nil {
			errs.Add(r.Src, ex.Pos, "%v", err)
		}
	}
	return errs.Err()
}

func checkExample(sig *term.Signature, r *rules.Rule, ex *syntax.Example) error {
	wrong := func(format string, args ...any) error {
		return diag.List{diag.Errorf(r.Src, ex.Pos, format, args...)}
	}
	lhs, right := ex.Lhs, []ast.Expr{ex.Rhs}
	var at []int // the operands that the right sides are for
	if r.Nabla {
		call, ok := lhs.(*ast.Call)
		list, isList := ex.Rhs.(*ast.ListLit)
		if !ok || !ast.IsIdent(call.Fn, "nabla") || len(call.Args) != 1 || !isList {
			return wrong("an example of a derivative rule is nabla of an operation => its linear maps, in a list")
		}
		lhs, right = call.Args[0], nil
		for i, m := range list.Elems {
			if !ast.IsIdent(m, "none") {
				right, at = append(right, m), append(at, i)
			}
		}
	}
	p, ts, err := module.Elaborate(sig, r.Src, ex.Inputs, !r.Nabla, append([]ast.Expr{lhs}, right...)...)
	if err != nil {
		return err
	}
	x := &example{space: match.Terms{Store: p.Store}, of: ts[0], want: make(products)}
	if !r.Nabla {
		at = []int{0}
	}
	for i, operand := range at {
		x.want[operand] = ts[1+i]
	}
	if r.BySharing {
		if same, err := x.sameValue(p.Inputs); err != nil || same {
			return err
		}
		return wrong("the sides of this example have different values")
	}
	got, err := x.results(r)
	if g := r.Guarded; got == nil && err == nil && g != nil {
		got, err = x.results(g)
	}
	switch {
	case err != nil:
		return err
	case got == nil && x.of.Equal(x.want[0]): // as a component of a tuple, and a copy of a literal
		return nil
	case got == nil:
		return wrong("the rule %s does not match this example", r.Name)
	case !x.wanted(got):
		return wrong("the rule %s gives %s in this example", r.Name, x.text(r, got))
	}
	return nil
}

// example is one that is run.
type example struct {
	space match.Terms
	of    term.Term
	want  products
}

// products is what a rule makes: number 0 is its right side, or of a derivative rule
// each is the map of an operand.
type products map[int]term.Term

func (x *example) wanted(got products) bool {
	s := term.NewStore(x.space.Signature()) // in which the components of tuples are taken out of them
	return maps.EqualFunc(got, x.want, func(a, b term.Term) bool {
		return s.Import(x.space.Store, a, nil).Equal(s.Import(x.space.Store, b, nil))
	})
}

// results is what a rule makes of the term, as wanted if it makes that; nil if the
// rule does not match.
func (x *example) results(r *rules.Rule) (got products, err error) {
	var wrong error
	err = saturate.NewMatcher(x.space).Matches(r, x.of, false, func(a *match.Application) bool {
		var ok bool
		var one products
		if r.Nabla {
			one, ok, wrong = a.Match.BuildMaps(x.space)
		} else {
			one = make(products)
			one[0], ok, wrong = a.Match.Build(x.space)
		}
		if ok {
			got = one
		}
		return wrong == nil && !(ok && x.wanted(got))
	})
	return got, cmp.Or(err, wrong)
}

func (x *example) text(r *rules.Rule, got products) string {
	pr := &term.Printer{Store: x.space.Store}
	if !r.Nabla {
		return pr.Term(got[0])
	}
	var out []string
	for i := range x.space.Kids(x.of) {
		if t, ok := got[i]; ok {
			out = append(out, pr.Term(t))
		} else {
			out = append(out, "none")
		}
	}
	return "[" + strings.Join(out, ", ") + "]"
}

// sameValue reports whether both sides have one value, for inputs of small numbers.
func (x *example) sameValue(inputs []term.Input) (_ bool, err error) {
	defer raise.Caught(&err)
	env := make(eval.Env[*eval.Value[float64]])
	n := 0
	for _, leaf := range term.Leaves(inputs) {
		v := raise.Must(eval.FloatArrays().New(leaf.Type))
		for i := range v.R {
			n++
			v.R[i] = float64(n) / 2
		}
		for i := range v.N {
			n++
			v.N[i] = int64(n % 2)
		}
		env[leaf.Name] = v
	}
	value := func(t term.Term) *eval.Value[float64] {
		return raise.Must(eval.Interpret(x.space.Store, t, eval.FloatArrays(), env))
	}
	return equalValues(value(x.of), value(x.want[0])), nil
}

// equalValues compares arrays and tuples of them, all NaNs being one value.
func equalValues(a, b *eval.Value[float64]) bool {
	number := func(x, y float64) bool { return x == y || x != x && y != y }
	return a.Map == nil && b.Map == nil && slices.EqualFunc(a.R, b.R, number) && slices.Equal(a.N, b.N) && slices.EqualFunc(a.Parts, b.Parts, equalValues)
}
