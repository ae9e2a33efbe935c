package term_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"egad/internal/slice"
	"egad/internal/testflag"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/size"
	"egad/term/types"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/prop"
)

// holds checks a property of one generated value, about n times (less often, or many times
// with -long), and prints the seed and what failed.
func holds[T any](t *testing.T, n int, gen gopter.Gen, check func(x T) error, text func(x T) string) {
	t.Helper()
	n = testflag.Count(n*2/5, 30*n)
	params := gopter.DefaultTestParametersWithSeed(testflag.Seed)
	params.MinSuccessfulTests = n
	params.MaxShrinkCount = 2000
	params.Workers = 1
	var failed T
	var failure error
	property := prop.ForAll(func(x T) bool {
		if err := check(x); err != nil {
			failed, failure = x, err
			return false
		}
		return true
	}, gen)
	if r := property.Check(params); !r.Passed() {
		t.Fatalf("-seed %d: %v (%v)\n%s", testflag.Seed, failure, r.Error, text(failed))
	}
}

// A tree is a piece of program text with its type: form with the texts of kids
// for its verbs.
type tree struct {
	typ  *types.Type
	form string
	kids []*tree
}

func (t *tree) String() string {
	texts := make([]any, len(t.kids))
	for i, k := range t.kids {
		texts[i] = k.String()
	}
	return fmt.Sprintf(t.form, texts...)
}

func (t *tree) size() int {
	n := 1
	for _, k := range t.kids {
		n += k.size()
	}
	return n
}

// A sample is a definition without sizes.
type sample struct {
	inputs []term.Input
	body   *tree
	linear bool // it has linear maps in it, so that its value cannot be computed
}

func (s sample) String() string {
	params := make([]string, len(s.inputs))
	for i, in := range s.inputs {
		params[i] = in.Name + ": " + in.Type.String()
	}
	return fmt.Sprintf("def main(%s): %s =\n  %s\n", strings.Join(params, ", "), s.body.typ, s.body)
}

// palette says what a generator may use.
type palette struct {
	rational bool // only what rationals can do, with few and small literals
	integer  bool // prefer arithmetic on integers
	linear   bool // linear maps
}

// sampler makes random programs. Names are few, so that they hide each other.
type sampler struct {
	*rand.Rand
	palette
	env    []term.Input // names in reach, the innermost last
	budget int
	linear bool
}

// sampleGen generates programs; the first are the smallest.
func sampleGen(p palette) gopter.Gen {
	count := 0
	return func(params *gopter.GenParameters) *gopter.GenResult {
		count++
		g := &sampler{Rand: params.Rng, palette: p, budget: min(3+count, 40)}
		inputs := []term.Input{
			{Name: "x", Type: types.ArrayOf(types.R)}, {Name: "a", Type: types.ArrayOf(types.R, size.Const(3))}, {Name: "b", Type: types.ArrayOf(types.R, size.Const(2), size.Const(3))},
			{Name: "n", Type: types.ArrayOf(types.I)}, {Name: "v", Type: types.ArrayOf(types.I, size.Const(3))}, {Name: "m", Type: types.ArrayOf(types.B, size.Const(3))},
			{Name: "p", Type: types.TupleOf(types.ArrayOf(types.R, size.Const(2)), types.TupleOf(types.ArrayOf(types.I), types.ArrayOf(types.B)))},
			{Name: "e", Type: types.ArrayOf(types.R, size.Const(0))},
		}
		g.env = slices.Clone(inputs)
		s := sample{inputs: inputs}
		if g.Intn(5) == 0 {
			a, b := g.arrayType(), g.arrayType()
			s.body = piece(types.TupleOf(a, b), "(%s, %s)", g.expr(a), g.expr(b))
		} else {
			s.body = g.expr(g.arrayType())
		}
		s.linear = g.linear
		return gopter.NewGenResult(s, shrinkSample)
	}
}

// shrinkSample puts parts of a tree in the place of the tree, as far as that
// makes a program.
func shrinkSample(v any) gopter.Shrink {
	s := v.(sample)
	var smaller []sample
	var visit func(t *tree, put func(*tree) *tree)
	visit = func(t *tree, put func(*tree) *tree) {
		try := func(u *tree) {
			if u.size() < t.size() {
				smaller = append(smaller, sample{s.inputs, put(u), s.linear})
			}
		}
		if t.typ.Kind == types.KArray {
			try(zeroTree(t.typ))
		}
		for i, k := range t.kids {
			if k.typ.Equal(t.typ) {
				try(k)
			}
			for _, l := range k.kids {
				if l.typ.Equal(t.typ) {
					try(l)
				}
			}
			visit(k, func(u *tree) *tree {
				kids := slices.Clone(t.kids)
				kids[i] = u
				return put(&tree{t.typ, t.form, kids})
			})
		}
	}
	visit(s.body, func(u *tree) *tree { return u })
	at := 0
	return func() (any, bool) {
		for at < len(smaller) {
			c := smaller[at]
			at++
			if _, err := module.Load(term.NewSignature(), source(c.String())); err == nil {
				return c, true
			}
		}
		return nil, false
	}
}

func piece(t *types.Type, form string, kids ...*tree) *tree { return &tree{t, form, kids} }

// zeroTree is the shortest text of a type.
func zeroTree(t *types.Type) *tree {
	zero := map[types.Elem]string{types.R: "0.0", types.I: "0", types.B: "false"}[t.Elem]
	if len(t.Shape) > 0 {
		zero = "(replicate " + types.ShapeText(t.Shape) + " " + zero + ")"
	}
	return piece(t, zero)
}

func (g *sampler) pick(options ...string) string { return options[g.Intn(len(options))] }

func (g *sampler) size() size.Size { return size.Const(int64([]int{1, 2, 2, 3, 3, 3, 0}[g.Intn(7)])) }

func (g *sampler) shape() []size.Size {
	out := make([]size.Size, []int{0, 0, 0, 1, 1, 2, 2, 3}[g.Intn(8)])
	for i := range out {
		out[i] = g.size()
	}
	return out
}

func (g *sampler) elem() types.Elem {
	if g.integer {
		return []types.Elem{types.I, types.I, types.I, types.R, types.B}[g.Intn(5)]
	}
	return []types.Elem{types.R, types.R, types.R, types.I, types.B}[g.Intn(5)]
}

func (g *sampler) arrayType() *types.Type { return types.ArrayOf(g.elem(), g.shape()...) }

// under makes a tree with more names in reach.
func (g *sampler) under(names []term.Input, f func() *tree) *tree {
	n := len(g.env)
	g.env = append(g.env, names...)
	defer func() { g.env = g.env[:n] }()
	return f()
}

func (g *sampler) name() string {
	return g.pick("x", "y", "z", "a", "t1", "t2", "i", "o", "main", "concat", "pi", "x'", "acc", "i2")
}

func (g *sampler) index() string { return g.pick("i", "j", "k", "row", "i2", "x", "t1") }

// names are n different names.
func (g *sampler) names(n int, one func() string) []string {
	var out []string
	for len(out) < n {
		if s := one(); !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// leaf is a name of the type, or a literal.
func (g *sampler) leaf(t *types.Type) *tree {
	var names []string
	seen := make(map[string]bool)
	add := func(in term.Input) {
		for _, l := range in.Leaves() {
			if l.Type.Equal(t) {
				names = append(names, l.Name)
			}
		}
	}
	for i := len(g.env) - 1; i >= 0; i-- {
		if in := g.env[i]; !seen[in.Name] {
			seen[in.Name] = true
			add(in)
		}
	}
	if len(names) > 0 && g.Intn(8) > 0 {
		// Near names are likelier.
		return piece(t, names[min(g.Intn(len(names)), g.Intn(len(names)))])
	}
	if len(t.Shape) == 0 {
		return piece(t, strings.ReplaceAll(g.literal(t.Elem), "%", "%%"))
	}
	n, _ := t.Shape[0].Const()
	if n > 0 && g.Intn(2) == 0 {
		kids := make([]*tree, n)
		for i := range kids {
			kids[i] = g.leaf(types.ArrayOf(t.Elem, t.Shape[1:]...))
		}
		return piece(t, "["+strings.TrimSuffix(strings.Repeat("%s, ", int(n)), ", ")+"]", kids...)
	}
	return piece(t, "(replicate "+types.ShapeText(t.Shape)+" %s)", g.leaf(types.ArrayOf(t.Elem)))
}

func (g *sampler) literal(e types.Elem) string {
	switch {
	case e == types.B:
		return g.pick("true", "false")
	case e == types.R && g.rational:
		return g.pick("0.0", "1.0", "2.0", "0.5", "(-1.5)", "(-3.0)", "0.25")
	case e == types.R:
		return g.pick("0.0", "1.0", "(-1.5)", "0.1", "1%3", "2.5e-7", "1e20", "123456789.125", "(-7%11)", "inf", "(-inf)", "nan", "(-0.0)")
	}
	return g.pick("0", "1", "2", "3", "(-1)", "(-5)", "7", "1000000007", "9223372036854775807", "(-9223372036854775808)")
}

// expr is a random expression of type t.
func (g *sampler) expr(t *types.Type) *tree {
	g.budget--
	if g.budget <= 0 || g.Intn(12) == 0 {
		return g.leaf(t)
	}
	for {
		if e := g.form(t); e != nil {
			return e
		}
	}
}

// form is an expression of type t of a random form, nil if that form makes no
// such type.
func (g *sampler) form(t *types.Type) *tree {
	elem, shape := t.Elem, t.Shape
	scalar := func(e types.Elem) *types.Type { return types.ArrayOf(e) }
	same := func(e types.Elem) *types.Type { return types.ArrayOf(e, shape...) }
	// some operand may be a scalar, which is replicated
	operands := func(e types.Elem, n int) []*tree {
		kids := make([]*tree, n)
		whole := g.Intn(n)
		for i := range kids {
			if i != whole && g.Intn(3) == 0 {
				kids[i] = g.expr(scalar(e))
			} else {
				kids[i] = g.expr(same(e))
			}
		}
		return kids
	}
	switch g.Intn(26) {
	case 0, 1: // let
		name, bound := g.name(), g.arrayType()
		return piece(t, "(let "+name+" = %s in %s)", g.expr(bound), g.under([]term.Input{{Name: name, Type: bound}}, func() *tree { return g.expr(t) }))
	case 2: // let of a pair
		names := g.names(2, g.name)
		a, b := g.arrayType(), g.arrayType()
		ta, tb := g.expr(a), g.expr(b)
		body := g.under([]term.Input{{Name: names[0], Type: a}, {Name: names[1], Type: b}}, func() *tree { return g.expr(t) })
		return piece(t, "(let ("+names[0]+", "+names[1]+") = (%s, %s) in %s)", ta, tb, body)
	case 3: // a pair, one of them
		other := g.arrayType()
		if g.Intn(2) == 0 {
			return piece(t, "(%s, %s).0", g.expr(t), g.expr(other))
		}
		return piece(t, "(if %s then (%s, %s) else (%s, %s)).1", g.expr(scalar(types.B)), g.expr(other), g.expr(t), g.expr(other), g.expr(t))
	case 4:
		return piece(t, "(if %s then %s else %s)", g.expr(scalar(types.B)), g.expr(t), g.expr(t))
	case 5:
		return piece(t, "(where %s %s %s)", g.expr(same(types.B)), g.expr(t), g.expr(t))
	case 6, 7, 8: // operators
		switch elem {
		case types.B:
			switch g.Intn(5) {
			case 0:
				kids := operands(types.I, 3)
				return piece(t, "(%s < %s <= %s)", kids...)
			case 1:
				return piece(t, "(%s "+g.pick("&&", "||")+" %s)", operands(types.B, 2)...)
			case 2:
				return piece(t, "(not %s)", g.expr(t))
			case 3:
				return piece(t, "(%s "+g.pick("==", "!=")+" %s)", operands(g.elem(), 2)...)
			}
			return piece(t, "(%s "+g.pick("<", "<=", ">", ">=", "==", "!=")+" %s)", operands([]types.Elem{types.R, types.I}[g.Intn(2)], 2)...)
		case types.I:
			return piece(t, g.pick("(%s + %s)", "(%s - %s)", "(%s * %s)", "(%s div %s)", "(%s mod %s)", "(min %s %s)", "(max %s %s)"), operands(types.I, 2)...)
		}
		forms := []string{"(%s + %s)", "(%s - %s)", "(%s * %s)", "(min %s %s)", "(max %s %s)"}
		if !g.rational {
			forms = append(forms, "(%s / %s)", "(%s ^ %s)", "(atan2 %s %s)")
		}
		return piece(t, g.pick(forms...), operands(types.R, 2)...)
	case 9, 10: // functions of one operand
		switch elem {
		case types.B:
			return nil
		case types.I:
			if g.Intn(2) == 0 {
				return piece(t, g.pick("(floor %s)", "(round %s)"), g.expr(same(types.R)))
			}
			return piece(t, g.pick("(-%s)", "(abs %s)", "(neg %s)"), g.expr(t))
		}
		forms := []string{"(-%s)", "(abs %s)", "(neg (neg %s))"}
		if g.Intn(4) == 0 {
			return piece(t, "(real %s)", g.expr(same(types.I)))
		}
		if !g.rational {
			forms = append(forms, "(exp %s)", "(log %s)", "(sqrt %s)", "(sin %s)", "(cos %s)", "(tan %s)", "(tanh %s)", "(sigmoid %s)", "(lgamma %s)", "(polygamma 1 %s)",
				"(erf %s)", "(log1p %s)", "(expm1 %s)", "(asin %s)", "(acos %s)", "(atan %s)", "(sinh %s)", "(cosh %s)", "(softplus %s)")
		}
		return piece(t, g.pick(forms...), g.expr(t))
	case 11: // index
		extra := 1 + g.Intn(2)
		if len(shape)+extra > 3 {
			return nil
		}
		axes := make([]size.Size, extra)
		kids := make([]*tree, 1+extra)
		for i := range axes {
			axes[i] = g.size()
			kids[1+i] = g.expr(scalar(types.I))
		}
		kids[0] = g.expr(types.ArrayOf(elem, slices.Concat(axes, shape)...))
		if kids[0].form[0] == '-' {
			return nil
		}
		if g.Intn(2) == 0 {
			return piece(t, "(index %s ["+strings.TrimSuffix(strings.Repeat("%s, ", extra), ", ")+"])", kids...)
		}
		// a[i] must not be out of range for all values, as can be seen.
		return piece(t, "%s["+strings.TrimSuffix(strings.Repeat("(%s mod 3), ", extra), ", ")+"]", kids...)
	case 12: // reductions
		of := func(e types.Elem) *tree {
			return g.expr(types.ArrayOf(e, slices.Concat([]size.Size{g.size()}, shape)...))
		}
		switch {
		case len(shape) == 3 || elem == types.B:
			return nil
		case elem == types.I && g.Intn(2) == 0:
			return piece(t, "(argmax %s)", of(types.R))
		case elem == types.I || g.Intn(2) == 0:
			return piece(t, "(sum %s)", of(elem))
		}
		if g.rational {
			return nil // of nothing they are infinite
		}
		return piece(t, g.pick("(maximum %s)", "(minimum %s)"), of(types.R))
	case 13, 14, 15: // build
		if len(shape) == 0 {
			return nil
		}
		k := 1
		if len(shape) > 1 {
			k += g.Intn(len(shape))
		}
		names := g.names(k, g.index)
		var vars []term.Input
		for _, n := range names {
			vars = append(vars, term.Input{Name: n, Type: types.ArrayOf(types.I)})
		}
		body := g.under(vars, func() *tree { return g.expr(types.ArrayOf(elem, shape[k:]...)) })
		if k == 1 {
			return piece(t, "(build "+shape[0].String()+" (\\"+names[0]+" -> %s))", body)
		}
		return piece(t, "(build "+types.ShapeText(shape[:k])+" (\\["+strings.Join(names, ", ")+"] -> %s))", body)
	case 16, 17: // gather
		k := g.Intn(len(shape) + 1)
		m := g.Intn(3)
		if m+len(shape)-k > 3 {
			return nil
		}
		axes := make([]size.Size, m)
		for i := range axes {
			axes[i] = g.size()
		}
		from := g.expr(types.ArrayOf(elem, slices.Concat(axes, shape[k:])...))
		vars, kids := g.indexed(k, m)
		return piece(t, "(gather "+types.ShapeText(shape[:k])+" %s "+vars+")", append([]*tree{from}, kids...)...)
	case 18: // scatter
		if elem == types.B {
			return nil
		}
		m := g.Intn(len(shape) + 1)
		k := g.Intn(3)
		if k+len(shape)-m > 3 {
			return nil
		}
		axes := make([]size.Size, k)
		for i := range axes {
			axes[i] = g.size()
		}
		from := g.expr(types.ArrayOf(elem, slices.Concat(axes, shape[m:])...))
		vars, kids := g.indexed(k, m)
		return piece(t, "(scatter "+types.ShapeText(shape[:m])+" %s "+vars+")", append([]*tree{from}, kids...)...)
	case 19: // replicate, stack, iota
		if len(shape) == 0 {
			return nil
		}
		if elem == types.I && len(shape) == 1 && g.Intn(2) == 0 {
			return piece(t, "(iota "+shape[0].String()+")")
		}
		n, _ := shape[0].Const()
		if n > 0 && g.Intn(2) == 0 {
			kids := make([]*tree, n)
			for i := range kids {
				kids[i] = g.expr(types.ArrayOf(elem, shape[1:]...))
			}
			return piece(t, "["+strings.TrimSuffix(strings.Repeat("%s, ", int(n)), ", ")+"]", kids...)
		}
		k := 1 + g.Intn(len(shape))
		return piece(t, "(replicate "+types.ShapeText(shape[:k])+" %s)", g.expr(types.ArrayOf(elem, shape[k:]...)))
	case 20: // tr
		if len(shape) < 2 {
			return nil
		}
		perm := g.Perm(len(shape) - g.Intn(2))
		from := slices.Clone(shape)
		for i, p := range perm {
			from[p] = shape[i]
		}
		return piece(t, "(tr "+slice.Text(perm)+" %s)", g.expr(types.ArrayOf(elem, from...)))
	case 21: // reshape
		n, _ := size.Product(shape).Const()
		from := [][]size.Size{{size.Const(n)}, {size.Const(1), size.Const(n)}, {size.Const(n), size.Const(1), size.Const(1)}}[g.Intn(3)]
		return piece(t, "(reshape "+types.ShapeText(shape)+" %s)", g.expr(types.ArrayOf(elem, from...)))
	case 22, 23: // definitions of the prelude
		return g.prelude(t)
	case 24, 25:
		if g.palette.linear && elem == types.R {
			g.linear = true
			from := g.vectorType()
			return piece(t, "(lapply %s %s)", g.linearMap(from, t, 3), g.vector(from))
		}
	}
	return nil
}

// indexed is a function of k index variables to m indices.
func (g *sampler) indexed(k, m int) (string, []*tree) {
	names := g.names(k, g.index)
	var vars []term.Input
	for _, n := range names {
		vars = append(vars, term.Input{Name: n, Type: types.ArrayOf(types.I)})
	}
	kids := make([]*tree, m)
	for i := range kids {
		kids[i] = g.under(vars, func() *tree { return g.expr(types.ArrayOf(types.I)) })
	}
	return "(\\[" + strings.Join(names, ", ") + "] -> [" + strings.TrimSuffix(strings.Repeat("%s, ", m), ", ") + "])", kids
}

// prelude is a call of a definition of the prelude.
func (g *sampler) prelude(t *types.Type) *tree {
	if t.Elem != types.R {
		return nil
	}
	n := g.size()
	vec := types.ArrayOf(types.R, n)
	switch len(t.Shape) {
	case 0:
		switch g.Intn(4) {
		case 0:
			return piece(t, "(dot %s %s)", g.expr(vec), g.expr(vec))
		case 1:
			return piece(t, g.pick("(square %s)", "(relu %s)"), g.expr(t))
		case 2:
			name := g.name()
			return piece(t, "(sum (map (\\"+name+" -> %s) %s))", g.under([]term.Input{{Name: name, Type: t}}, func() *tree { return g.expr(t) }), g.expr(vec))
		}
		if g.rational {
			return piece(t, "(sumsq %s)", g.expr(vec))
		}
		return piece(t, g.pick("(logsumexp %s)", "(mean %s)", "(variance %s)", "(norm %s)"), g.expr(vec))
	case 1:
		switch g.Intn(4) {
		case 0:
			return piece(t, "(reverse %s)", g.expr(t))
		case 1:
			return piece(t, "(matvec %s %s)", g.expr(types.ArrayOf(types.R, t.Shape[0], n)), g.expr(vec))
		case 2:
			return piece(t, "(slice("+t.Shape[0].String()+", %s, %s))", g.expr(vec), g.expr(types.ArrayOf(types.I)))
		}
		names := g.names(2, g.name)
		f := g.under([]term.Input{{Name: names[0], Type: types.ArrayOf(types.R)}, {Name: names[1], Type: types.ArrayOf(types.R)}}, func() *tree { return g.expr(types.ArrayOf(types.R)) })
		return piece(t, "(zip (\\"+names[0]+" "+names[1]+" -> %s) %s %s)", f, g.expr(t), g.expr(t))
	case 2:
		if g.Intn(2) == 0 {
			return piece(t, "(transpose %s)", g.expr(types.ArrayOf(types.R, t.Shape[1], t.Shape[0])))
		}
		return piece(t, "(outer %s %s)", g.expr(types.ArrayOf(types.R, t.Shape[0])), g.expr(types.ArrayOf(types.R, t.Shape[1])))
	}
	return nil
}

// vectorType is a type that linear maps act on. Axes are not empty: programs
// keep those out of terms, but not out of linear maps.
func (g *sampler) vectorType() *types.Type {
	array := func() *types.Type {
		shape := make([]size.Size, g.Intn(3))
		for i := range shape {
			shape[i] = size.Const(int64(1 + g.Intn(3)))
		}
		return types.ArrayOf(types.R, shape...)
	}
	if g.Intn(4) == 0 {
		return types.TupleOf(array(), array())
	}
	return array()
}

func (g *sampler) vector(t *types.Type) *tree {
	if t.Kind == types.KTuple {
		return piece(t, "(%s, %s)", g.vector(t.Parts[0]), g.vector(t.Parts[1]))
	}
	return g.expr(t)
}

// linearMap is an expression for a linear map.
func (g *sampler) linearMap(from, to *types.Type, depth int) *tree {
	t := types.LinOf(from, to)
	at := func(t *types.Type) string {
		text := t.String()
		if t.Kind == types.KLin || t.Kind == types.KFun {
			text = "(" + text + ")"
		}
		return "@" + strings.ReplaceAll(text, "%", "%%")
	}
	if depth > 0 {
		switch g.Intn(6) {
		case 0:
			mid := g.vectorType()
			return piece(t, "(lcompose %s %s)", g.linearMap(mid, to, depth-1), g.linearMap(from, mid, depth-1))
		case 1:
			return piece(t, "(ladd %s %s)", g.linearMap(from, to, depth-1), g.linearMap(from, to, depth-1))
		case 2:
			return piece(t, "(ltranspose %s)", g.linearMap(to, from, depth-1))
		case 3:
			if to.Kind == types.KTuple {
				return piece(t, "(lpair %s %s)", g.linearMap(from, to.Parts[0], depth-1), g.linearMap(from, to.Parts[1], depth-1))
			}
			if len(to.Shape) > 0 {
				name := g.index()
				body := g.under([]term.Input{{Name: name, Type: types.ArrayOf(types.I)}}, func() *tree {
					return g.linearMap(from, types.ArrayOf(types.R, to.Shape[1:]...), depth-1)
				})
				return piece(t, "(lbuild "+to.Shape[0].String()+" (\\"+name+" -> %s))", body)
			}
		case 4:
			if from.Kind == types.KTuple {
				return piece(t, "(ljoin %s %s)", g.linearMap(from.Parts[0], to, depth-1), g.linearMap(from.Parts[1], to, depth-1))
			}
			if len(from.Shape) > 0 {
				name := g.index()
				body := g.under([]term.Input{{Name: name, Type: types.ArrayOf(types.I)}}, func() *tree {
					return g.linearMap(types.ArrayOf(types.R, from.Shape[1:]...), to, depth-1)
				})
				return piece(t, "(lbuildt "+from.Shape[0].String()+" (\\"+name+" -> %s))", body)
			}
		}
	}
	if from.Kind == types.KTuple && g.Intn(2) == 0 {
		for i, p := range from.Parts {
			if p.Equal(to) {
				return piece(t, fmt.Sprintf("(lproj %d %s)", i, at(from)))
			}
		}
	}
	if to.Kind == types.KTuple && g.Intn(2) == 0 {
		for i, p := range to.Parts {
			if p.Equal(from) {
				return piece(t, fmt.Sprintf("(linj %d %s)", i, at(to)))
			}
		}
	}
	if from.Kind == types.KArray && to.Kind == types.KArray {
		switch {
		case from.Equal(to) && g.Intn(2) == 0:
			switch g.Intn(4) {
			case 0:
				return piece(t, "(lone "+at(from)+")")
			case 1:
				return piece(t, "(lmask %s)", g.expr(types.ArrayOf(types.B, from.Shape...)))
			case 2:
				return piece(t, "(lcond %s "+at(from)+")", g.expr(types.ArrayOf(types.B)))
			}
			return piece(t, "(lscale %s)", g.expr(from))
		case len(from.Shape) > 0 && size.Equal(from.Shape[1:], to.Shape) && g.Intn(2) == 0:
			return piece(t, "(lmap sum "+at(from)+")")
		case len(to.Shape) > 0 && size.Equal(to.Shape[1:], from.Shape) && g.Intn(2) == 0:
			return piece(t, "(lmap replicate "+to.Shape[0].String()+" "+at(from)+")")
		case len(from.Shape) == 2 && size.Equal(to.Shape, []size.Size{from.Shape[1], from.Shape[0]}):
			return piece(t, "(lmap tr [1, 0] "+at(from)+")")
		case size.Product(from.Shape).Equal(size.Product(to.Shape)):
			return piece(t, "(lmap reshape "+types.ShapeText(to.Shape)+" "+at(from)+")")
		case g.Intn(3) > 0:
			k := g.Intn(min(len(from.Shape), len(to.Shape)) + 1)
			rest := from.Shape[len(from.Shape)-k:]
			if size.Equal(rest, to.Shape[len(to.Shape)-k:]) {
				vars, kids := g.indexed(len(to.Shape)-k, len(from.Shape)-k)
				return piece(t, "(lmap gather "+types.ShapeText(to.Shape[:len(to.Shape)-k])+" "+at(from)+" "+vars+")", kids...)
			}
		default:
			k := len(from.Shape)
			vars, kids := g.indexed(k, len(to.Shape))
			return piece(t, "(lmap scatter "+types.ShapeText(to.Shape)+" "+at(from)+" "+vars+")", kids...)
		}
	}
	return piece(t, "(lzero "+at(from)+" "+at(to)+")")
}

// values are random inputs of a program; S makes a real of a small multiple of 1/4.
func values[S any](rng *rand.Rand, inputs []term.Input, real func(quarters int64) S) eval.Env[*eval.Value[S]] {
	env := make(eval.Env[*eval.Value[S]])
	for _, in := range inputs {
		for _, l := range in.Leaves() {
			shape, n, err := types.ShapeOf(l.Type, 1000)
			if err != nil {
				panic(err)
			}
			v := &eval.Value[S]{Elem: l.Type.Elem, Shape: shape}
			for range n {
				k := rng.Int63n(25) - 12
				switch l.Type.Elem {
				case types.R:
					v.R = append(v.R, real(k))
				case types.I:
					v.N = append(v.N, k/3)
				default:
					v.N = append(v.N, k&1)
				}
			}
			env[l.Name] = v
		}
	}
	return env
}
