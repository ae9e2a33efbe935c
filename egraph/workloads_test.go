package egraph

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// language is a signature made from terms written as S-expressions: an operator
// is a name with a number of children, and ?x is a metavariable.
type language struct {
	sig *Signature
	ops map[string]Op
}

func newLanguage() *language { return &language{sig: NewSignature(), ops: make(map[string]Op)} }

func (l *language) op(name string, arity int) Op {
	key := fmt.Sprint(name, "/", arity)
	if o, ok := l.ops[key]; ok {
		return o
	}
	h, err := l.sig.AddHead(Head{Name: name, Arity: arity})
	if err != nil {
		panic(err)
	}
	o, err := l.sig.AddOp(h)
	if err != nil {
		panic(err)
	}
	l.ops[key] = o
	return o
}

// sexp is an atom, or an operator and its operands.
type sexp struct {
	atom string
	list []*sexp
}

func parseSexp(text string) *sexp {
	tokens := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
	var parse func() *sexp
	parse = func() *sexp {
		t := tokens[0]
		tokens = tokens[1:]
		if t != "(" {
			return &sexp{atom: t}
		}
		s := &sexp{atom: tokens[0]}
		tokens = tokens[1:]
		for tokens[0] != ")" {
			s.list = append(s.list, parse())
		}
		tokens = tokens[1:]
		return s
	}
	return parse()
}

func (l *language) add(g *Graph, s *sexp) Ref {
	var kids []Ref
	for _, k := range s.list {
		kids = append(kids, l.add(g, k))
	}
	return g.Add(l.op(s.atom, len(s.list)), nil, nil, kids)
}

func (l *language) pattern(s *sexp, vars *[]string) *Pattern {
	if strings.HasPrefix(s.atom, "?") {
		i := slices.Index(*vars, s.atom)
		if i < 0 {
			i = len(*vars)
			*vars = append(*vars, s.atom)
		}
		return &Pattern{Kind: PVar, Var: i}
	}
	o := l.op(s.atom, len(s.list))
	p := &Pattern{Kind: PApp, Op: o, Head: l.sig.Head(o)}
	for _, k := range s.list {
		p.Kids = append(p.Kids, l.pattern(k, vars))
	}
	return p
}

func sites(p *Pattern, n int) int {
	if p.Kind == PApp {
		p.Position = n
		n++
		for _, k := range p.Kids {
			n = sites(k, n)
		}
	}
	return n
}

func (l *language) rule(lhs, rhs string) *Rule {
	var vars []string
	left := l.pattern(parseSexp(lhs), &vars)
	sites(left, 0)
	n := len(vars)
	right := l.pattern(parseSexp(rhs), &vars)
	prog, err := Compile(l.sig, left, n, 0)
	if err != nil {
		panic(err)
	}
	t, err := CompileTemplate(l.sig, right)
	if err != nil {
		panic(err)
	}
	return &Rule{Name: lhs, Lhs: prog, Rhs: t}
}

func (l *language) rules(text string) []*Rule {
	var out []*Rule
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		lhs, rhs, _ := strings.Cut(line, "=>")
		out = append(out, l.rule(lhs, rhs))
	}
	return out
}

const microRules = `(+ ?a ?b) => (+ ?b ?a)
(* ?a ?b) => (* ?b ?a)
(+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)
(* ?a (* ?b ?c)) => (* (* ?a ?b) ?c)
(- ?a ?b) => (+ ?a (* -1 ?b))
(+ ?a 0) => ?a
(* ?a 0) => 0
(* ?a 1) => ?a
(- ?a ?a) => 0
(* ?a (+ ?b ?c)) => (+ (* ?a ?b) (* ?a ?c))
(+ (* ?a ?b) (* ?a ?c)) => (* ?a (+ ?b ?c))
(* (pow ?a ?b) (pow ?a ?c)) => (pow ?a (+ ?b ?c))
(pow ?x 1) => ?x
(pow ?x 2) => (* ?x ?x)
(d ?x (+ ?a ?b)) => (+ (d ?x ?a) (d ?x ?b))
(d ?x (* ?a ?b)) => (+ (* ?a (d ?x ?b)) (* ?b (d ?x ?a)))
(d ?x (sin ?x)) => (cos ?x)
(d ?x (cos ?x)) => (* -1 (sin ?x))
(int 1 ?x) => ?x
(int (cos ?x) ?x) => (sin ?x)
(int (sin ?x) ?x) => (* -1 (cos ?x))
(int (+ ?f ?g) ?x) => (+ (int ?f ?x) (int ?g ?x))
(int (- ?f ?g) ?x) => (- (int ?f ?x) (int ?g ?x))
(int (* ?a ?b) ?x) => (- (* ?a (int ?b ?x)) (int (* (d ?x ?a) (int ?b ?x)) ?x))`

var microSeeds = []string{
	"(int (ln x) x)", "(int (+ x (cos x)) x)", "(int (* (cos x) x) x)", "(d x (+ 1 (* 2 x)))",
	"(d x (- (pow x 3) (* 7 (pow x 2))))", "(+ (* y (+ x y)) (- (+ x 2) (+ x x)))",
	"(/ 1 (- (/ (+ 1 (sqrt five)) 2) (/ (- 1 (sqrt five)) 2)))",
}

// micro is egglog's math microbenchmark.
func micro() (*Graph, []*Rule) {
	l := newLanguage()
	rules := l.rules(microRules)
	g := New(l.sig)
	for _, s := range microSeeds {
		l.add(g, parseSexp(s))
	}
	return g, rules
}

// ac is a sum of n variables, which is commutative and associative.
func ac(n int) (*Graph, []*Rule) {
	l := newLanguage()
	rules := l.rules("(+ ?a ?b) => (+ ?b ?a)\n(+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)")
	g := New(l.sig)
	sum := fmt.Sprint("x", n)
	for i := n - 1; i > 0; i-- {
		sum = fmt.Sprintf("(+ x%d %s)", i, sum)
	}
	l.add(g, parseSexp(sum))
	return g, rules
}

// TestMicro: three other engines agree on these sizes.
func TestMicro(t *testing.T) {
	g, rules := micro()
	if g.Size() != 35 || g.Classes() != 35 {
		t.Errorf("%d e-nodes and %d classes at first", g.Size(), g.Classes())
	}
	want := []Iteration{
		{69, 50, 20}, {118, 71, 64}, {208, 116, 129}, {389, 197, 268}, {784, 361, 627}, {1576, 666, 1495},
		{3160, 1347, 3453}, {8113, 3576, 7797}, {28303, 12445, 23804},
	}
	rep := g.Saturate(rules, Limits{Iterations: len(want)}, nil)
	for i, it := range rep.Iterations {
		if it.Nodes != want[i].Nodes || it.Classes != want[i].Classes {
			t.Errorf("iteration %d: %+v, want %+v", i+1, it, want[i])
		}
	}
}

// TestAC: a sum of n has 2^n - 1 classes and 3^n - 2^(n+1) + 1 + n nodes.
func TestAC(t *testing.T) {
	for n := 2; n <= 9; n++ {
		g, rules := ac(n)
		rep := g.Saturate(rules, Limits{}, nil)
		nodes := int(math.Pow(3, float64(n))) - 1<<(n+1) + 1 + n
		if rep.Stop != Saturated || rep.Classes != 1<<n-1 || rep.Nodes != nodes {
			t.Errorf("%d: %v", n, rep)
		}
	}
}

func benchmarkRun(b *testing.B, lim Limits, start func() (*Graph, []*Rule)) {
	b.ReportAllocs()
	var rep *Report
	for b.Loop() {
		g, rules := start()
		rep = g.Saturate(rules, lim, nil)
	}
	b.ReportMetric(float64(rep.Nodes), "e-nodes")
	b.ReportMetric(float64(rep.Matches()), "matches")
	b.ReportMetric(float64(rep.Rebuilt), "e-nodes-rebuilt")
}

func BenchmarkMicro(b *testing.B) {
	for n := 8; n <= 11; n++ {
		b.Run(fmt.Sprint(n), func(b *testing.B) { benchmarkRun(b, Limits{Iterations: n}, micro) })
	}
}

func BenchmarkAC(b *testing.B) {
	for n := 8; n <= 11; n++ {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			benchmarkRun(b, Limits{}, func() (*Graph, []*Rule) { return ac(n) })
		})
	}
}

// TestNaive: finding only what is new makes the same graph in every iteration.
func TestNaive(t *testing.T) {
	for name, start := range map[string]func() (*Graph, []*Rule){
		"micro": micro, "ac": func() (*Graph, []*Rule) { return ac(7) },
	} {
		g, rules := start()
		fast := g.Saturate(rules, Limits{Iterations: 8}, nil)
		g, rules = start()
		g.patience = 0 // and rebuilding by lists of parents
		slow := g.Saturate(rules, Limits{Iterations: 8, Naive: true}, nil)
		if len(fast.Iterations) != len(slow.Iterations) || fast.Stop != slow.Stop {
			t.Errorf("%s: %v, and naively %v", name, fast, slow)
		}
		for i := range min(len(fast.Iterations), len(slow.Iterations)) {
			a, b := fast.Iterations[i], slow.Iterations[i]
			if a.Nodes != b.Nodes || a.Classes != b.Classes || a.Matches > b.Matches {
				t.Errorf("%s, iteration %d: %+v, and naively %+v", name, i+1, a, b)
			}
		}
	}
}

// BenchmarkBinder runs slot-free terms in a language that has a binder, and in
// one without.
func BenchmarkBinder(b *testing.B) {
	for _, with := range []bool{false, true} {
		b.Run(fmt.Sprint("binder=", with), func(b *testing.B) {
			benchmarkRun(b, Limits{Iterations: 10}, func() (*Graph, []*Rule) {
				l := newLanguage()
				if with {
					for _, h := range []Head{{Name: "var", Own: 1}, {Name: "lam", Arity: 1, Binders: 1, Under: 1}} {
						id, err := l.sig.AddHead(h)
						if err != nil {
							b.Fatal(err)
						}
						if l.ops[h.Name], err = l.sig.AddOp(id); err != nil {
							b.Fatal(err)
						}
					}
				}
				rules := l.rules(microRules)
				g := New(l.sig)
				for _, s := range microSeeds {
					l.add(g, parseSexp(s))
				}
				return g, rules
			})
		})
	}
}
