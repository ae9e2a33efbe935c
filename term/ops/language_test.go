package ops

import (
	"strings"
	"testing"

	"egad/diag"
	"egad/term/size"
	"egad/term/types"
)

// TestSchemes has the types of operators as they are declared, one of each form: what it is
// applied to, what that results in, and how it is called.
func TestSchemes(t *testing.T) {
	n, m := size.Const(3), size.Var("m")
	r := func(sizes ...size.Size) *types.Type { return types.ArrayOf(types.R, sizes...) }
	i := types.ArrayOf(types.I)
	for _, c := range []struct {
		op   Op
		kids []*types.Type
		want string // the type, or what is wrong
		form string
	}{
		{Op{Sym: SymSum}, []*types.Type{types.ArrayOf(types.I, n, m)}, "I[m]", "v"},
		{Op{Sym: SymSum}, []*types.Type{types.ArrayOf(types.B, n)}, "sum works on elements of type R or I, not B (write where … 1 0)", "v"},
		{Op{Sym: SymArgmax}, []*types.Type{r(n, m)}, "I[m]", "v"},
		{Op{Sym: SymLogdet}, []*types.Type{r(n, n, m)}, "R[m]", "v"},
		{Op{Sym: SymLu}, []*types.Type{r(m, m, n)}, "R[m, m + 1, 3]", "v"},
		{Op{Sym: SymLusolve}, []*types.Type{r(n, size.Const(4)), r(n, m)}, "R[3, m]", "vv"},
		{Op{Sym: SymLusolve}, []*types.Type{r(n, n), r(n, m)}, "axis 1 of operand 1 of lusolve (factors) has size 4, not 3", "vv"},
		{Op{Sym: SymWhere}, []*types.Type{types.ArrayOf(types.B, n), types.ArrayOf(types.I, n), types.ArrayOf(types.I, n)}, "I[3]", "vvv"},
		{Op{Sym: SymWhere}, []*types.Type{types.ArrayOf(types.B, n), types.ArrayOf(types.I, n), r(n)}, "elements of type I and of type R do not go together (an I becomes an R by real, an R an I by floor or round)", "vvv"},
		{Op{Sym: SymIndex}, []*types.Type{types.ArrayOf(types.B, n, m), i}, "B[m]", "vi"},
		{Op{Sym: SymIndex}, []*types.Type{r(n, m), i, i, i}, "too many indices: 3 for the array R[3, m] of rank 2", "vi"},
		{Op{Sym: SymGather, Sizes: []size.Size{m, m}}, []*types.Type{r(n, m), i}, "R[m, m, m]", "SvF"},
		{Op{Sym: SymScatter, Sizes: []size.Size{n}, Targets: []size.Size{m, m}}, []*types.Type{r(n, n), i, i}, "R[m, m, 3]", "tvF"},
		{Op{Sym: SymScatter, Sizes: []size.Size{n}, Targets: []size.Size{m, m}}, []*types.Type{r(n, n), i}, "the function gives 1 index and the result has 2 axes", "tvF"},
		{Op{Sym: SymStack}, []*types.Type{i, i}, "I[2]", "*"},
		{Op{Sym: SymReplicate, Sizes: []size.Size{n, m}}, []*types.Type{r(m)}, "R[3, m, m]", "sv"},
		{Op{Sym: SymTr, Perm: []int{1, 0}}, []*types.Type{r(n, m, n)}, "R[m, 3, 3]", "pv"},
		{Op{Sym: SymTr, Perm: []int{1, 1}}, []*types.Type{r(n, m, n)}, "[1, 1] is not a permutation: it must have each of 0 to 1 once", "pv"},
		{Op{Sym: SymReshape, Sizes: []size.Size{m, n}}, []*types.Type{r(n, m)}, "R[m, 3]", "Sv"},
		{Op{Sym: SymLscale}, []*types.Type{r(n)}, "R[3] -o R[3]", "v"},
		{Op{Sym: SymLscale}, []*types.Type{i}, "a linear map acts on arrays of R, not on I", "v"},
		{Op{Sym: SymLzero, Type: r(n), Type2: types.TupleOf(r(), r())}, nil, "R[3] -o (R, R)", "@2"},
		{Op{Sym: SymLcond, Type: r(n)}, []*types.Type{types.ArrayOf(types.B)}, "R[3] -o R[3]", "v@"},
		{Op{Sym: SymLcompose}, []*types.Type{types.LinOf(r(n), r()), types.LinOf(r(m), r(n))}, "R[m] -o R", "vv"},
		{Op{Sym: SymLbuildT, Sizes: []size.Size{m}}, []*types.Type{types.LinOf(r(n), r())}, "R[m, 3] -o R", "kf"},
		{Op{Sym: SymLreached}, []*types.Type{types.LinOf(r(), r(n))}, "B[3]", "v"},
		{Op{Sym: SymIota, Sizes: []size.Size{m}}, nil, "I[m]", "k"},
		{Op{Sym: SymIota}, nil, "iota has 1 size", "k"},
	} {
		o, got := Builtin(c.op.Sym), ""
		if typ, err := TypeOf(o, c.op, c.kids); err != nil {
			got = err.Msg
		} else {
			got = typ.String()
		}
		if form := o.formText(); got != c.want || form != c.form {
			t.Errorf("%s %v: %s, called %s; want %s, called %s", o.Name, c.kids, got, form, c.want, c.form)
		}
	}
}

// What is declared that no descriptor is there for, or not declared, ends the program.
func TestWrongDeclarations(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"sort R I B\nop plus R : R\n", "there is no descriptor of plus"},
		{"sort R I B\nop exp R[sh...] : Q[sh...]\n", "there is no sort Q"},
		{"sort R I B\nop exp R[k + 1] : R\n", "expected a size, as in R[n, n + 1, sh...]: k is not a size"},
		{"sort R I B\nop exp R : R growing\n", "there is no class growing"},
		{"sort T among types\nop exp T : U\n", "there is no sort U"},
		{"sort R I B\nop exp R[n] : R[m]\n", "nothing says what the result of exp is"},
		{"sort T U among types\nop exp T : U\n", "nothing says what the result of exp is"},
		{"rule exp\n", "expected a sort or an operator"},
		{"op exp :\n", "expected a sort"},
		{"sort R\n", "is not declared"},
	} {
		func() {
			defer func() {
				if got, _ := recover().(string); !strings.Contains(got, c.want) {
					t.Errorf("%q: %s, want %s", c.text, got, c.want)
				}
			}()
			readLanguage(&diag.Source{Name: "operators.rules", Text: c.text}, map[string]*Operator{"exp": {Name: "exp"}})
		}()
	}
}
