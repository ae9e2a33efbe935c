package egraph

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// Language is a signature made from terms written as S-expressions: an operator
// is a name with a number of children, and ?x is a metavariable.
type Language struct {
	Sig *Signature
	Ops map[string]Op
}

func NewLanguage() *Language { return &Language{Sig: NewSignature(), Ops: make(map[string]Op)} }

func (l *Language) Op(name string, arity int) Op {
	key := fmt.Sprint(name, "/", arity)
	if o, ok := l.Ops[key]; ok {
		return o
	}
	h, err := l.Sig.AddHead(Head{Name: name, Arity: arity})
	if err != nil {
		panic(err)
	}
	o, err := l.Sig.AddOp(h)
	if err != nil {
		panic(err)
	}
	l.Ops[key] = o
	return o
}

// Sexp is an atom, or an operator and its operands.
type Sexp struct {
	Atom string
	List []*Sexp
}

func ParseSexp(text string) *Sexp {
	tokens := strings.Fields(strings.NewReplacer("(", " ( ", ")", " ) ").Replace(text))
	var parse func() *Sexp
	parse = func() *Sexp {
		t := tokens[0]
		tokens = tokens[1:]
		if t != "(" {
			return &Sexp{Atom: t}
		}
		s := &Sexp{Atom: tokens[0]}
		tokens = tokens[1:]
		for tokens[0] != ")" {
			s.List = append(s.List, parse())
		}
		tokens = tokens[1:]
		return s
	}
	return parse()
}

func (l *Language) Add(g *Graph, s *Sexp) Ref {
	var kids []Ref
	for _, k := range s.List {
		kids = append(kids, l.Add(g, k))
	}
	return g.Add(l.Op(s.Atom, len(s.List)), nil, nil, kids)
}

func (l *Language) pattern(s *Sexp, vars *[]string) *Pattern {
	if strings.HasPrefix(s.Atom, "?") {
		i := slices.Index(*vars, s.Atom)
		if i < 0 {
			i = len(*vars)
			*vars = append(*vars, s.Atom)
		}
		return &Pattern{Kind: PVar, Var: i}
	}
	o := l.Op(s.Atom, len(s.List))
	p := &Pattern{Kind: PApp, Op: o, Head: l.Sig.Head(o)}
	for _, k := range s.List {
		p.Kids = append(p.Kids, l.pattern(k, vars))
	}
	return p
}

func NumberPositions(p *Pattern, n int) int {
	if p.Kind == PApp {
		p.Position = n
		n++
		for _, k := range p.Kids {
			n = NumberPositions(k, n)
		}
	}
	return n
}

func (l *Language) Rule(lhs, rhs string) *Rule {
	var vars []string
	left := l.pattern(ParseSexp(lhs), &vars)
	NumberPositions(left, 0)
	n := len(vars)
	right := l.pattern(ParseSexp(rhs), &vars)
	prog, err := Compile(l.Sig, left, n, 0)
	if err != nil {
		panic(err)
	}
	t, err := CompileTemplate(l.Sig, right)
	if err != nil {
		panic(err)
	}
	return &Rule{Name: lhs, Lhs: prog, Rhs: t}
}

func (l *Language) Rules(text string) []*Rule {
	var out []*Rule
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		lhs, rhs, _ := strings.Cut(line, "=>")
		out = append(out, l.Rule(lhs, rhs))
	}
	return out
}

const MicroRules = `(+ ?a ?b) => (+ ?b ?a)
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

var MicroSeeds = []string{
	"(int (ln x) x)", "(int (+ x (cos x)) x)", "(int (* (cos x) x) x)", "(d x (+ 1 (* 2 x)))",
	"(d x (- (pow x 3) (* 7 (pow x 2))))", "(+ (* y (+ x y)) (- (+ x 2) (+ x x)))",
	"(/ 1 (- (/ (+ 1 (sqrt five)) 2) (/ (- 1 (sqrt five)) 2)))",
}

// micro is egglog's math microbenchmark.
func micro() (*Graph, []*Rule) {
	l := NewLanguage()
	rules := l.Rules(MicroRules)
	g := New(l.Sig)
	for _, s := range MicroSeeds {
		l.Add(g, ParseSexp(s))
	}
	return g, rules
}

// ac is a sum of n variables, which is commutative and associative.
func ac(n int) (*Graph, []*Rule) {
	l := NewLanguage()
	rules := l.Rules("(+ ?a ?b) => (+ ?b ?a)\n(+ ?a (+ ?b ?c)) => (+ (+ ?a ?b) ?c)")
	g := New(l.Sig)
	sum := fmt.Sprint("x", n)
	for i := n - 1; i > 0; i-- {
		sum = fmt.Sprintf("(+ x%d %s)", i, sum)
	}
	l.Add(g, ParseSexp(sum))
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

func RunBenchmark(b *testing.B, lim Limits, start func() (*Graph, []*Rule)) {
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
		b.Run(fmt.Sprint(n), func(b *testing.B) { RunBenchmark(b, Limits{Iterations: n}, micro) })
	}
}

func BenchmarkAC(b *testing.B) {
	for n := 8; n <= 11; n++ {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			RunBenchmark(b, Limits{}, func() (*Graph, []*Rule) { return ac(n) })
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
			RunBenchmark(b, Limits{Iterations: 10}, func() (*Graph, []*Rule) {
				l := NewLanguage()
				if with {
					for _, h := range []Head{{Name: "var", Own: 1}, {Name: "lam", Arity: 1, Binders: 1, Under: 1}} {
						id, err := l.Sig.AddHead(h)
						if err != nil {
							b.Fatal(err)
						}
						if l.Ops[h.Name], err = l.Sig.AddOp(id); err != nil {
							b.Fatal(err)
						}
					}
				}
				rules := l.Rules(MicroRules)
				g := New(l.Sig)
				for _, s := range MicroSeeds {
					l.Add(g, ParseSexp(s))
				}
				return g, rules
			})
		})
	}
}
