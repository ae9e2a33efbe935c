package term

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"egad/internal/slice"
	"egad/internal/testflag"

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
	typ  *Type
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
	inputs []Input
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
	env    []Input // names in reach, the innermost last
	budget int
	linear bool
}

// sampleGen generates programs; the first are the smallest.
func sampleGen(p palette) gopter.Gen {
	count := 0
	return func(params *gopter.GenParameters) *gopter.GenResult {
		count++
		g := &sampler{Rand: params.Rng, palette: p, budget: min(3+count, 40)}
		inputs := []Input{
			{"x", ArrayOf(R)}, {"a", ArrayOf(R, SizeConst(3))}, {"b", ArrayOf(R, SizeConst(2), SizeConst(3))},
			{"n", ArrayOf(I)}, {"v", ArrayOf(I, SizeConst(3))}, {"m", ArrayOf(B, SizeConst(3))},
			{"p", TupleOf(ArrayOf(R, SizeConst(2)), TupleOf(ArrayOf(I), ArrayOf(B)))},
			{"e", ArrayOf(R, SizeConst(0))},
		}
		g.env = slices.Clone(inputs)
		s := sample{inputs: inputs}
		if g.Intn(5) == 0 {
			a, b := g.arrayType(), g.arrayType()
			s.body = piece(TupleOf(a, b), "(%s, %s)", g.expr(a), g.expr(b))
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
		if t.typ.Kind == KArray {
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
			if _, err := LoadModule(NewSignature(), source(c.String())); err == nil {
				return c, true
			}
		}
		return nil, false
	}
}

func piece(t *Type, form string, kids ...*tree) *tree { return &tree{t, form, kids} }

// zeroTree is the shortest text of a type.
func zeroTree(t *Type) *tree {
	zero := map[Elem]string{R: "0.0", I: "0", B: "false"}[t.Elem]
	if len(t.Shape) > 0 {
		zero = "(replicate " + ShapeText(t.Shape) + " " + zero + ")"
	}
	return piece(t, zero)
}

func (g *sampler) pick(options ...string) string { return options[g.Intn(len(options))] }

func (g *sampler) size() Size { return SizeConst(int64([]int{1, 2, 2, 3, 3, 3, 0}[g.Intn(7)])) }

func (g *sampler) shape() []Size {
	out := make([]Size, []int{0, 0, 0, 1, 1, 2, 2, 3}[g.Intn(8)])
	for i := range out {
		out[i] = g.size()
	}
	return out
}

func (g *sampler) elem() Elem {
	if g.integer {
		return []Elem{I, I, I, R, B}[g.Intn(5)]
	}
	return []Elem{R, R, R, I, B}[g.Intn(5)]
}

func (g *sampler) arrayType() *Type { return ArrayOf(g.elem(), g.shape()...) }

// under makes a tree with more names in reach.
func (g *sampler) under(names []Input, f func() *tree) *tree {
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
func (g *sampler) leaf(t *Type) *tree {
	var names []string
	seen := make(map[string]bool)
	add := func(in Input) {
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
			kids[i] = g.leaf(ArrayOf(t.Elem, t.Shape[1:]...))
		}
		return piece(t, "["+strings.TrimSuffix(strings.Repeat("%s, ", int(n)), ", ")+"]", kids...)
	}
	return piece(t, "(replicate "+ShapeText(t.Shape)+" %s)", g.leaf(ArrayOf(t.Elem)))
}

func (g *sampler) literal(e Elem) string {
	switch {
	case e == B:
		return g.pick("true", "false")
	case e == R && g.rational:
		return g.pick("0.0", "1.0", "2.0", "0.5", "(-1.5)", "(-3.0)", "0.25")
	case e == R:
		return g.pick("0.0", "1.0", "(-1.5)", "0.1", "1%3", "2.5e-7", "1e20", "123456789.125", "(-7%11)", "inf", "(-inf)", "nan", "(-0.0)")
	}
	return g.pick("0", "1", "2", "3", "(-1)", "(-5)", "7", "1000000007", "9223372036854775807", "(-9223372036854775808)")
}

// expr is a random expression of type t.
func (g *sampler) expr(t *Type) *tree {
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
func (g *sampler) form(t *Type) *tree {
	elem, shape := t.Elem, t.Shape
	scalar := func(e Elem) *Type { return ArrayOf(e) }
	same := func(e Elem) *Type { return ArrayOf(e, shape...) }
	// some operand may be a scalar, which is replicated
	operands := func(e Elem, n int) []*tree {
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
		return piece(t, "(let "+name+" = %s in %s)", g.expr(bound), g.under([]Input{{name, bound}}, func() *tree { return g.expr(t) }))
	case 2: // let of a pair
		names := g.names(2, g.name)
		a, b := g.arrayType(), g.arrayType()
		ta, tb := g.expr(a), g.expr(b)
		body := g.under([]Input{{names[0], a}, {names[1], b}}, func() *tree { return g.expr(t) })
		return piece(t, "(let ("+names[0]+", "+names[1]+") = (%s, %s) in %s)", ta, tb, body)
	case 3: // a pair, one of them
		other := g.arrayType()
		if g.Intn(2) == 0 {
			return piece(t, "(%s, %s).0", g.expr(t), g.expr(other))
		}
		return piece(t, "(if %s then (%s, %s) else (%s, %s)).1", g.expr(scalar(B)), g.expr(other), g.expr(t), g.expr(other), g.expr(t))
	case 4:
		return piece(t, "(if %s then %s else %s)", g.expr(scalar(B)), g.expr(t), g.expr(t))
	case 5:
		return piece(t, "(where %s %s %s)", g.expr(same(B)), g.expr(t), g.expr(t))
	case 6, 7, 8: // operators
		switch elem {
		case B:
			switch g.Intn(5) {
			case 0:
				kids := operands(I, 3)
				return piece(t, "(%s < %s <= %s)", kids...)
			case 1:
				return piece(t, "(%s "+g.pick("&&", "||")+" %s)", operands(B, 2)...)
			case 2:
				return piece(t, "(not %s)", g.expr(t))
			case 3:
				return piece(t, "(%s "+g.pick("==", "!=")+" %s)", operands(g.elem(), 2)...)
			}
			return piece(t, "(%s "+g.pick("<", "<=", ">", ">=", "==", "!=")+" %s)", operands([]Elem{R, I}[g.Intn(2)], 2)...)
		case I:
			return piece(t, g.pick("(%s + %s)", "(%s - %s)", "(%s * %s)", "(%s div %s)", "(%s mod %s)", "(min %s %s)", "(max %s %s)"), operands(I, 2)...)
		}
		forms := []string{"(%s + %s)", "(%s - %s)", "(%s * %s)", "(min %s %s)", "(max %s %s)"}
		if !g.rational {
			forms = append(forms, "(%s / %s)", "(%s ^ %s)", "(atan2 %s %s)")
		}
		return piece(t, g.pick(forms...), operands(R, 2)...)
	case 9, 10: // functions of one operand
		switch elem {
		case B:
			return nil
		case I:
			if g.Intn(2) == 0 {
				return piece(t, g.pick("(floor %s)", "(round %s)"), g.expr(same(R)))
			}
			return piece(t, g.pick("(-%s)", "(abs %s)", "(neg %s)"), g.expr(t))
		}
		forms := []string{"(-%s)", "(abs %s)", "(neg (neg %s))"}
		if g.Intn(4) == 0 {
			return piece(t, "(real %s)", g.expr(same(I)))
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
		axes := make([]Size, extra)
		kids := make([]*tree, 1+extra)
		for i := range axes {
			axes[i] = g.size()
			kids[1+i] = g.expr(scalar(I))
		}
		kids[0] = g.expr(ArrayOf(elem, slices.Concat(axes, shape)...))
		if kids[0].form[0] == '-' {
			return nil
		}
		if g.Intn(2) == 0 {
			return piece(t, "(index %s ["+strings.TrimSuffix(strings.Repeat("%s, ", extra), ", ")+"])", kids...)
		}
		// a[i] must not be out of range for all values, as can be seen.
		return piece(t, "%s["+strings.TrimSuffix(strings.Repeat("(%s mod 3), ", extra), ", ")+"]", kids...)
	case 12: // reductions
		of := func(e Elem) *tree { return g.expr(ArrayOf(e, slices.Concat([]Size{g.size()}, shape)...)) }
		switch {
		case len(shape) == 3 || elem == B:
			return nil
		case elem == I && g.Intn(2) == 0:
			return piece(t, "(argmax %s)", of(R))
		case elem == I || g.Intn(2) == 0:
			return piece(t, "(sum %s)", of(elem))
		}
		if g.rational {
			return nil // of nothing they are infinite
		}
		return piece(t, g.pick("(maximum %s)", "(minimum %s)"), of(R))
	case 13, 14, 15: // build
		if len(shape) == 0 {
			return nil
		}
		k := 1
		if len(shape) > 1 {
			k += g.Intn(len(shape))
		}
		names := g.names(k, g.index)
		var vars []Input
		for _, n := range names {
			vars = append(vars, Input{n, ArrayOf(I)})
		}
		body := g.under(vars, func() *tree { return g.expr(ArrayOf(elem, shape[k:]...)) })
		if k == 1 {
			return piece(t, "(build "+shape[0].String()+" (\\"+names[0]+" -> %s))", body)
		}
		return piece(t, "(build "+ShapeText(shape[:k])+" (\\["+strings.Join(names, ", ")+"] -> %s))", body)
	case 16, 17: // gather
		k := g.Intn(len(shape) + 1)
		m := g.Intn(3)
		if m+len(shape)-k > 3 {
			return nil
		}
		axes := make([]Size, m)
		for i := range axes {
			axes[i] = g.size()
		}
		from := g.expr(ArrayOf(elem, slices.Concat(axes, shape[k:])...))
		vars, kids := g.indexed(k, m)
		return piece(t, "(gather "+ShapeText(shape[:k])+" %s "+vars+")", append([]*tree{from}, kids...)...)
	case 18: // scatter
		if elem == B {
			return nil
		}
		m := g.Intn(len(shape) + 1)
		k := g.Intn(3)
		if k+len(shape)-m > 3 {
			return nil
		}
		axes := make([]Size, k)
		for i := range axes {
			axes[i] = g.size()
		}
		from := g.expr(ArrayOf(elem, slices.Concat(axes, shape[m:])...))
		vars, kids := g.indexed(k, m)
		return piece(t, "(scatter "+ShapeText(shape[:m])+" %s "+vars+")", append([]*tree{from}, kids...)...)
	case 19: // replicate, stack, iota
		if len(shape) == 0 {
			return nil
		}
		if elem == I && len(shape) == 1 && g.Intn(2) == 0 {
			return piece(t, "(iota "+shape[0].String()+")")
		}
		n, _ := shape[0].Const()
		if n > 0 && g.Intn(2) == 0 {
			kids := make([]*tree, n)
			for i := range kids {
				kids[i] = g.expr(ArrayOf(elem, shape[1:]...))
			}
			return piece(t, "["+strings.TrimSuffix(strings.Repeat("%s, ", int(n)), ", ")+"]", kids...)
		}
		k := 1 + g.Intn(len(shape))
		return piece(t, "(replicate "+ShapeText(shape[:k])+" %s)", g.expr(ArrayOf(elem, shape[k:]...)))
	case 20: // tr
		if len(shape) < 2 {
			return nil
		}
		perm := g.Perm(len(shape) - g.Intn(2))
		from := slices.Clone(shape)
		for i, p := range perm {
			from[p] = shape[i]
		}
		return piece(t, "(tr "+slice.Text(perm)+" %s)", g.expr(ArrayOf(elem, from...)))
	case 21: // reshape
		n, _ := Product(shape).Const()
		from := [][]Size{{SizeConst(n)}, {SizeConst(1), SizeConst(n)}, {SizeConst(n), SizeConst(1), SizeConst(1)}}[g.Intn(3)]
		return piece(t, "(reshape "+ShapeText(shape)+" %s)", g.expr(ArrayOf(elem, from...)))
	case 22, 23: // definitions of the prelude
		return g.prelude(t)
	case 24, 25:
		if g.palette.linear && elem == R {
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
	var vars []Input
	for _, n := range names {
		vars = append(vars, Input{n, ArrayOf(I)})
	}
	kids := make([]*tree, m)
	for i := range kids {
		kids[i] = g.under(vars, func() *tree { return g.expr(ArrayOf(I)) })
	}
	return "(\\[" + strings.Join(names, ", ") + "] -> [" + strings.TrimSuffix(strings.Repeat("%s, ", m), ", ") + "])", kids
}

// prelude is a call of a definition of the prelude.
func (g *sampler) prelude(t *Type) *tree {
	if t.Elem != R {
		return nil
	}
	n := g.size()
	vec := ArrayOf(R, n)
	switch len(t.Shape) {
	case 0:
		switch g.Intn(4) {
		case 0:
			return piece(t, "(dot %s %s)", g.expr(vec), g.expr(vec))
		case 1:
			return piece(t, g.pick("(square %s)", "(relu %s)"), g.expr(t))
		case 2:
			name := g.name()
			return piece(t, "(sum (map (\\"+name+" -> %s) %s))", g.under([]Input{{name, t}}, func() *tree { return g.expr(t) }), g.expr(vec))
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
			return piece(t, "(matvec %s %s)", g.expr(ArrayOf(R, t.Shape[0], n)), g.expr(vec))
		case 2:
			return piece(t, "(slice("+t.Shape[0].String()+", %s, %s))", g.expr(vec), g.expr(ArrayOf(I)))
		}
		names := g.names(2, g.name)
		f := g.under([]Input{{names[0], ArrayOf(R)}, {names[1], ArrayOf(R)}}, func() *tree { return g.expr(ArrayOf(R)) })
		return piece(t, "(zip (\\"+names[0]+" "+names[1]+" -> %s) %s %s)", f, g.expr(t), g.expr(t))
	case 2:
		if g.Intn(2) == 0 {
			return piece(t, "(transpose %s)", g.expr(ArrayOf(R, t.Shape[1], t.Shape[0])))
		}
		return piece(t, "(outer %s %s)", g.expr(ArrayOf(R, t.Shape[0])), g.expr(ArrayOf(R, t.Shape[1])))
	}
	return nil
}

// vectorType is a type that linear maps act on. Axes are not empty: programs
// keep those out of terms, but not out of linear maps.
func (g *sampler) vectorType() *Type {
	array := func() *Type {
		shape := make([]Size, g.Intn(3))
		for i := range shape {
			shape[i] = SizeConst(int64(1 + g.Intn(3)))
		}
		return ArrayOf(R, shape...)
	}
	if g.Intn(4) == 0 {
		return TupleOf(array(), array())
	}
	return array()
}

func (g *sampler) vector(t *Type) *tree {
	if t.Kind == KTuple {
		return piece(t, "(%s, %s)", g.vector(t.Parts[0]), g.vector(t.Parts[1]))
	}
	return g.expr(t)
}

// linearMap is an expression for a linear map.
func (g *sampler) linearMap(from, to *Type, depth int) *tree {
	t := LinOf(from, to)
	at := func(t *Type) string {
		text := t.String()
		if t.Kind == KLin || t.Kind == KFun {
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
			if to.Kind == KTuple {
				return piece(t, "(lpair %s %s)", g.linearMap(from, to.Parts[0], depth-1), g.linearMap(from, to.Parts[1], depth-1))
			}
			if len(to.Shape) > 0 {
				name := g.index()
				body := g.under([]Input{{name, ArrayOf(I)}}, func() *tree {
					return g.linearMap(from, ArrayOf(R, to.Shape[1:]...), depth-1)
				})
				return piece(t, "(lbuild "+to.Shape[0].String()+" (\\"+name+" -> %s))", body)
			}
		case 4:
			if from.Kind == KTuple {
				return piece(t, "(ljoin %s %s)", g.linearMap(from.Parts[0], to, depth-1), g.linearMap(from.Parts[1], to, depth-1))
			}
			if len(from.Shape) > 0 {
				name := g.index()
				body := g.under([]Input{{name, ArrayOf(I)}}, func() *tree {
					return g.linearMap(ArrayOf(R, from.Shape[1:]...), to, depth-1)
				})
				return piece(t, "(lbuildt "+from.Shape[0].String()+" (\\"+name+" -> %s))", body)
			}
		}
	}
	if from.Kind == KTuple && g.Intn(2) == 0 {
		for i, p := range from.Parts {
			if p.Equal(to) {
				return piece(t, fmt.Sprintf("(lproj %d %s)", i, at(from)))
			}
		}
	}
	if to.Kind == KTuple && g.Intn(2) == 0 {
		for i, p := range to.Parts {
			if p.Equal(from) {
				return piece(t, fmt.Sprintf("(linj %d %s)", i, at(to)))
			}
		}
	}
	if from.Kind == KArray && to.Kind == KArray {
		switch {
		case from.Equal(to) && g.Intn(2) == 0:
			switch g.Intn(4) {
			case 0:
				return piece(t, "(lone "+at(from)+")")
			case 1:
				return piece(t, "(lmask %s)", g.expr(ArrayOf(B, from.Shape...)))
			case 2:
				return piece(t, "(lcond %s "+at(from)+")", g.expr(ArrayOf(B)))
			}
			return piece(t, "(lscale %s)", g.expr(from))
		case len(from.Shape) > 0 && SizesEqual(from.Shape[1:], to.Shape) && g.Intn(2) == 0:
			return piece(t, "(lmap sum "+at(from)+")")
		case len(to.Shape) > 0 && SizesEqual(to.Shape[1:], from.Shape) && g.Intn(2) == 0:
			return piece(t, "(lmap replicate "+to.Shape[0].String()+" "+at(from)+")")
		case len(from.Shape) == 2 && SizesEqual(to.Shape, []Size{from.Shape[1], from.Shape[0]}):
			return piece(t, "(lmap tr [1, 0] "+at(from)+")")
		case Product(from.Shape).Equal(Product(to.Shape)):
			return piece(t, "(lmap reshape "+ShapeText(to.Shape)+" "+at(from)+")")
		case g.Intn(3) > 0:
			k := g.Intn(min(len(from.Shape), len(to.Shape)) + 1)
			rest := from.Shape[len(from.Shape)-k:]
			if SizesEqual(rest, to.Shape[len(to.Shape)-k:]) {
				vars, kids := g.indexed(len(to.Shape)-k, len(from.Shape)-k)
				return piece(t, "(lmap gather "+ShapeText(to.Shape[:len(to.Shape)-k])+" "+at(from)+" "+vars+")", kids...)
			}
		default:
			k := len(from.Shape)
			vars, kids := g.indexed(k, len(to.Shape))
			return piece(t, "(lmap scatter "+ShapeText(to.Shape)+" "+at(from)+" "+vars+")", kids...)
		}
	}
	return piece(t, "(lzero "+at(from)+" "+at(to)+")")
}

// values are random inputs of a program; S makes a real of a small multiple of 1/4.
func values[S any](rng *rand.Rand, inputs []Input, real func(quarters int64) S) Env[*Value[S]] {
	env := make(Env[*Value[S]])
	for _, in := range inputs {
		for _, l := range in.Leaves() {
			shape, n, err := ShapeOf(l.Type, 1000)
			if err != nil {
				panic(err)
			}
			v := &Value[S]{Elem: l.Type.Elem, Shape: shape}
			for range n {
				k := rng.Int63n(25) - 12
				switch l.Type.Elem {
				case R:
					v.R = append(v.R, real(k))
				case I:
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
