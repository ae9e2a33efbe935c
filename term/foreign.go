package term

// foreign says what stands here for words of other languages.
var foreign = map[string]string{
	"for":        "build n (\\i -> …) makes an array of all i, and sum (build n (\\i -> …)) adds them up",
	"while":      "iterate n f z: a loop has a bound, and a condition in f can keep the state",
	"foreach":    "map f a, or build n (\\i -> …)",
	"reduce":     "fold f z a",
	"foldl":      "fold f z a",
	"cumulative": "cumsum a, or scan f z a",
	"einsum":     "build [m, n] (\\[i, j] -> sum (build k (\\p -> a[i, p] * b[p, j])))",
	"matrix":     "[[1, 2], [3, 4]]",
	"vmap":       "map f a",
	"broadcast":  "replicate n a",
	"repeat":     "replicate n a",
	"tile":       "replicate n a",
	"zeros":      "replicate n 0.0",
	"ones":       "replicate n 1.0",
	"arange":     "iota n",
	"range":      "iota n",
	"linspace":   "build n (\\i -> lo + (hi - lo) * real i / real (n - 1))",
	"len":        "a size in the type of a: def f[n](a: R[n])",
	"shape":      "sizes in the type of a: def f[m, n](a: R[m, n])",
	"float":      "real k",
	"int":        "floor x, or round x",
	"ln":         "log x",
	"and":        "a && b",
	"or":         "a || b",
	"lambda":     "\\x -> …",
	"fun":        "\\x -> …",
	"fn":         "\\x -> …",
	"return":     "the result alone, as the body of the definition",
	"var":        "let x = … in …",
	"const":      "let x = … in …",
	"elif":       "else if",
	"None":       "nan, or a truth value beside a number: there is no missing value",
	"True":       "true",
	"False":      "false",
	"flatten":    "flat a",
	"ravel":      "flat a",
	"vstack":     "concat a b, or stack 0 a b",
	"hstack":     "along 1 concat a b, or concat of vectors",
	"axis":       "along 1 sum a, which works along axis 1",
	"np":         "sin x: functions stand alone",
	"math":       "sin x: functions stand alone",
	"torch":      "sin x: functions stand alone",
	"jnp":        "sin x: functions stand alone",
}

// foreignIn is what stands for a word of another language with which the end of an
// expression begins, or "".
func foreignIn(e Expr) string {
	switch e := e.(type) {
	case *Ident:
		if say, ok := foreign[e.Name]; ok {
			return "; in place of " + e.Name + " one writes " + say
		}
	case *Call:
		if say := foreignIn(e.Fn); say != "" {
			return say
		}
		return foreignIn(e.Args[len(e.Args)-1])
	case *Binary:
		return foreignIn(e.R)
	case *Let:
		return foreignIn(e.Body)
	case *Lambda:
		return foreignIn(e.Body)
	}
	return ""
}

// alongHint says how a function of a vector, or of rows, is applied along other axes.
func alongHint(name string) string {
	return sprintf("; along 1 %s a works along axis 1, map %s a on rows, and %s (flat a) on all elements", name, name, name)
}
