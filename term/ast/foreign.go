package ast

// What stands here for scatters that are no sums, and for those with a sum in their name.
const (
	scatterSum  = "scatter [n] a (\\[i] -> [k[i]]), which adds"
	scatterFold = "fold (\\s (k, x) -> build n (\\i -> if i == k then max s[k] x else s[i])) z (k, a), or another function in place of max"
)

// foreign says what stands here for words of other languages.
var foreign = map[string]string{
	"for":         "build n (\\i -> …) for an array of all i, and sum (build n (\\i -> …)) for their sum",
	"while":       "iterate n f z: a loop has a bound, and a condition in f can keep the state",
	"foreach":     "map f a, or build n (\\i -> …)",
	"reduce":      "fold f z a",
	"foldl":       "fold f z a",
	"cumulative":  "cumsum a, or scan f z a",
	"einsum":      "build [m, n] (\\[i, j] -> sum (build k (\\p -> a[i, p] * b[p, j])))",
	"matrix":      "[[1, 2], [3, 4]]",
	"vmap":        "map f a",
	"broadcast":   "replicate n a",
	"repeat":      "replicate n a",
	"tile":        "replicate n a",
	"zeros":       "replicate n 0.0",
	"ones":        "replicate n 1.0",
	"arange":      "iota n",
	"range":       "iota n",
	"linspace":    "build n (\\i -> lo + (hi - lo) * real i / real (n - 1))",
	"len":         "a size in the type of a: def f[n](a: R[n])",
	"shape":       "sizes in the type of a: def f[m, n](a: R[m, n])",
	"float":       "real k",
	"int":         "floor x, or round x",
	"ln":          "log x",
	"and":         "a && b",
	"or":          "a || b",
	"lambda":      "\\x -> …",
	"fun":         "\\x -> …",
	"fn":          "\\x -> …",
	"return":      "the result alone, as the body of the definition",
	"var":         "variance a, or of a local name let x = … in …",
	"const":       "let x = … in …",
	"elif":        "else if",
	"None":        "nan, or a truth value beside a number: there is no missing value",
	"True":        "true",
	"False":       "false",
	"flatten":     "flat a",
	"ravel":       "flat a",
	"vstack":      "concat a b, or stack 0 a b",
	"hstack":      "along 1 concat a b, or concat of vectors",
	"add":         "a + b",
	"mul":         "a * b",
	"sub":         "a - b",
	"product":     "prod a",
	"inv":         "solve a (eye n)",
	"inverse":     "solve a (eye n)",
	"trace":       "sum (diagonal a)",
	"det":         "exp (logdet a), where the determinant is positive",
	"std":         "sqrt (variance a)",
	"median":      "(sort a)[n div 2]",
	"amax":        "maximum a",
	"amin":        "minimum a",
	"clip":        "max lo (min hi x)",
	"clamp":       "max lo (min hi x)",
	"ceil":        "-(floor (-x))",
	"trunc":       "floor x, or round x",
	"log2":        "log x / log 2",
	"log10":       "log x / log 10",
	"exp2":        "2 ^ x",
	"cbrt":        "x ^ (1 / 3), where x is not negative",
	"hypot":       "norm [x, y]",
	"expit":       "sigmoid x",
	"gradient":    "grad f x",
	"derivative":  "grad f x",
	"diff":        "grad f x of a function, and a[1:] - a[:n - 1] of neighbours",
	"jacfwd":      "jacobian f x",
	"jacrev":      "jacobian f x",
	"foldr":       "fold f z (reverse a)",
	"filter":      "where m a 0: an array keeps its size",
	"head":        "a[0]",
	"tail":        "a[1:]",
	"take":        "a[:k]",
	"drop":        "a[k:]",
	"nth":         "a[i]",
	"append":      "concat a [x]",
	"flip":        "reverse a",
	"size":        "a size in the type of a: def f[n](a: R[n])",
	"length":      "a size in the type of a: def f[n](a: R[n])",
	"fill":        "replicate n a",
	"identity":    "eye n",
	"case":        "if … then … else …",
	"match":       "if … then … else …",
	"switch":      "if … then … else …",
	"null":        "nan, or a truth value beside a number: there is no missing value",
	"NaN":         "nan",
	"Inf":         "inf",
	"infinity":    "inf",
	"axis":        "along 1 sum a, which works along axis 1",
	"np":          "sin x: functions stand alone",
	"math":        "sin x: functions stand alone",
	"torch":       "sin x: functions stand alone",
	"jnp":         "sin x: functions stand alone",
	"do":          "iterate n f z, or fold f z a",
	"T":           "transpose a",
	"e":           "exp 1",
	"π":           "pi",
	"λ":           "\\x -> …",
	"scatter_add": scatterSum,
	"segment_sum": scatterSum,
	"bincount":    "scatter [n] (replicate m 1.0) (\\[i] -> [k[i]])",
	"scatter_max": scatterFold,
	"scatter_min": scatterFold,
	"scatter_mul": scatterFold,
	"segment_max": scatterFold,
	"segment_min": scatterFold,
	"dim":         "sizes in the type of a: def f[m, n](a: R[m, n])",
}

// foreignSigns says what stands here for signs of other languages, that are none or do
// not stand where they are met.
var foreignSigns = map[string]string{
	"#":  "a comment begins with --",
	"//": "a comment begins with --, and whole numbers are divided by a div b",
	"/*": "a comment begins with --",
	"%":  "the remainder is a mod b",
	"!":  "the negation is not a",
	"'":  "there are no texts",
	"×":  "a product is a * b",
	"·":  "a product is a * b",
	"⋅":  "a product is a * b",
	"÷":  "a quotient is a / b",
	"−":  "the minus is -",
	"–":  "the minus is -",
	"≤":  "one writes <=",
	"≥":  "one writes >=",
	"≠":  "one writes !=",
	"²":  "a power is x ^ 2",
	"³":  "a power is x ^ 3",
	"∑":  "a sum is sum (build n (\\i -> …))",
	"√":  "a root is sqrt x",
	"∞":  "infinity is inf",
	"=":  "a local name is bound by let x = … in …",
	":=": "a local name is bound by let x = … in …",
	";":  "local names are bound by let x = … in …, without a semicolon",
	"{":  "expressions are put together by parentheses",
	"=>": "a function is \\x -> …",
	"->": "a function is \\x -> …",
	"**": "a power is a ^ b",
	"|>": "functions are applied one after the other by pipe [f, g] x",
	"|":  "an array is made by build n (\\i -> …), or map f a",
	"if": "the condition comes first: if c then x else y",
	"in": "an array is made by build n (\\i -> …), or map f a",
	":":  "a slice stands in brackets right after an array: a[1:3]",
}

// instead says what is written in place of what is next, where other languages have it.
func (p *Parser) instead() string {
	if p.Stop != nil { // files of rules have signs of their own
		return ""
	}
	t, next, before := p.Peek(), p.Ahead(1), Token{}
	if p.at > 0 {
		before = p.toks[p.at-1]
	}
	point := t.Text == "."
	joins := func(s Token) bool { return !s.Space && s.Kind == tokPunct }
	say, ok := foreignSigns[before.Text+t.Text]
	switch {
	case t.Kind == tokString:
		say, ok = "there are no texts", true
		if called := p.at > 1 && before.Text == "("; called && foreign[p.toks[p.at-2].Text] != "" {
			say = "in place of " + p.toks[p.at-2].Text + " one writes " + foreign[p.toks[p.at-2].Text]
		}
	case point && next.Kind == tokNumber && !next.Space:
		say, ok = "a number has a digit before the point, as 0."+next.Text, true
	case point && before.Kind == tokNumber:
		say, ok = "a number has a digit behind the point, as 2.0", true
	case point && next.Text == "T" && !next.Space:
		say, ok = "a matrix is transposed by transpose a, and axes by tr [1, 0] a", true
	case point && next.Kind == tokIdent && !next.Space && foreign[next.Text] != "":
		say, ok = "in place of "+next.Text+" one writes "+foreign[next.Text], true
	case point && next.Kind == tokIdent && !next.Space:
		say, ok = "there are no methods: a function stands before its arguments, as in sum a", true
	case point && joins(next):
		say, ok = "operators on arrays are the same as on numbers, and work element by element", true
	case ok && joins(t):
	default:
		if say, ok = foreignSigns[t.Text+next.Text]; !ok || !joins(next) {
			say, ok = foreignSigns[t.Text]
		}
	}
	if !ok {
		return ""
	}
	return "; " + say
}

// Instead says what stands here for a word of another language, or nothing of a word that is
// none.
func Instead(word string) string { return foreign[word] }

// InPlaceOf says what stands here for a word of another language, as a message ends with it,
// or nothing of a word that is none.
func InPlaceOf(word string) string {
	if say, ok := foreign[word]; ok {
		return "; in place of " + word + " one writes " + say
	}
	return ""
}

// foreignIn is what stands for a word of another language with which the end of an
// expression begins, or "".
func foreignIn(e Expr) string {
	for l, ok := e.(*Let); ok; l, ok = e.(*Let) {
		e = l.Body
	}
	switch e := e.(type) {
	case *Ident:
		return InPlaceOf(e.Name)
	case *Call:
		if say := foreignIn(e.Fn); say != "" || len(e.Args) == 0 {
			return say
		}
		return foreignIn(e.Args[len(e.Args)-1])
	case *Binary:
		return foreignIn(e.R)
	case *Lambda:
		return foreignIn(e.Body)
	}
	return ""
}
