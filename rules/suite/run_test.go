package suite

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"egad/diag"
	"egad/egraph"
	"egad/rules/runner"
)

const header = `language l
sort E
sort F
number E
symbol x y : E
symbol p : F
op + E E : E
op lam [v : E] v.E : E
op let [v : E] E v.E : E
op f E : F
relation != E E
`

// run loads a text and runs its only test.
func run(t *testing.T, text string) *Result {
	t.Helper()
	f := loadText(t, text)
	return runTest(t, f, f.Tests[0], runner.Options{})
}

// outcomes are tests after the header with the messages of what fails, in order.
var outcomes = []struct{ name, text, want string }{
	{"a proof", "rule r A + 0 => A\ntest t\n start x + 0\n prove x + 0 = x\n refute x = y\n expect goal iterations 1", "t: end of the run: saturated, expected goal|t: iterations: 2, expected 1"},
	{"what is not proved", "rule r A + 0 => A\ntest t\n start x + 0\n prove x + 0 = y", "t: not proved: x + 0 = y; its right side is not in the e-graph (saturated)"},
	{"what should not be proved", "rule r A + 0 => A\ntest t\n start x + 0\n refute x + 0 = x", "t: proved, and should not be: x + 0 = x"},
	{"a wrong figure", "test t\n start x + y\n expect nodes 4 saturated iterations 1\n expect after 0 nodes 3 classes 3\n expect after 2 nodes 3", "t: nodes: 3, expected 4|t: nodes after iteration 2: none, expected 3"},
	{"a limit", "rule r A + B => B + (A + 1)\ntest t\n start x + y\n limit iterations 3\n expect limit iterations 3", ""},
	{"an extraction", "rule r A + 0 => A\ntest t\n start x + 0 + y\n extract x + 0 + y => x + y\n extract x + y => y + x", "t: extracted x + y, expected y + x, which is not known to be equal"},
	{"an extraction of one of several terms that cost as little", "rule r A + B => B + A\ntest t\n start x + y + 1\n extract x + y + 1 => x + y + 1\n extract x + y + 1 => 1 + (x + y)\n extract x + y + 1 => 1 + (y + x)\n extract x + y + 1 => y + (x + 1)", "t: extracted x + y + 1, expected y + (x + 1), which is not known to be equal"},
	{"an extraction where no variable is in scope", "op h E E E : E\nrule r A + B => h x x x\ntest t\n var a b : E\n start a + b\n extract a + b => a + b\n extract h x x x => h x x x", ""},
	{"an extraction of what costs more", "rule r A + 0 => A\ntest t\n start x + 0 + y\n extract x + 0 + y => x + 0 + y", "t: extracted x + y, which costs 3, expected x + 0 + y, which costs 5"},
	{"an extraction besides a proof", "rule r A + 0 => A\nrule s A + B => B + A\ntest t\n start x + 0 + (0 + y)\n prove x + 0 + (0 + y) = x + (0 + y)\n extract x + 0 + (0 + y) => x + y", ""},
	{"folding", "fold +\ntest t\n start 1 + 1%2 + 0.5\n extract 1 + 1%2 + 0.5 => 2", ""},
	// Rules that make 0 of ever larger terms stop if nobody looks into them.
	{"pruning", "fold +\nprune\nrule r A + A => A + A + 0\nrule z A + 0 => A\nrule l A + (B + c) => A + B + c\ntest t\n start 1 + (1 + x)\n start 1 + (1 + 1)\n refute x = y\n expect saturated\n prove 1 + (1 + x) = 1 + 1 + x", ""},
	{"two numbers in one class", "fold +\nrule r A + 0 => 1\ntest t\n start 2 + 0", "t: contradiction: 1 = 2"},
	{"numbers that differ", "rule r f A => p if A != 0\nfold +\ntest t\n start f (1 + 1)\n start f (x + 1)\n start f (1 + -1)\n prove f (1 + 1) = p\n refute f (x + 1) = p\n refute f (1 + -1) = p\n refute f (1 + 1) = f 0", ""},
	{"a directed run within limits of its own", "op g[n] : E\nruleset s\nrule r g[n] => g[n - 1]\nschedule c\n run s\n limits matches 3001\ntest t\n start g[3000]\n run c\n prove g[3000] = g[0]", ""},
	{"a directed run beyond its limit", "op g[n] : E\nruleset s\nrule r g[n] => g[n - 1]\nschedule c\n run s\n limits matches 5\ntest t\n start g[9]\n run c", "t: l.rules:14:6: no normal form of a term of 1 node after 5 rule applications, 5 of them by r\n    rule r g[n] => g[n - 1]\n         ^\n  g[9]\n  = g[8]\n  = g[7]\n  = g[6]\n  …\n  limits matches N, nodes N in the schedule may allow more"},
	{"a directed run of so many e-nodes", "op g[n] : E\nruleset s\nrule r g[n] => g[n - 1]\nschedule c\n run s\n limits nodes 5\ntest t\n start g[9]\n run c", "t: l.rules:14:6: no normal form of a term of 1 node after 5 rule applications, 5 of them by r\n    rule r g[n] => g[n - 1]\n         ^\n  g[9]\n  = g[8]\n  = g[7]\n  = g[6]\n  …\n  limits matches N, nodes N in the schedule may allow more"},
	{"an assumption", "rule r f A => p if A != 0\ntest t\n start f x\n start f y\n assume 0 != x\n prove f x = p\n refute f y = p", ""},
	{"an assumption and congruence", "rule r f A => p if A != 0\ntest t\n start f y\n assume x != 0\n assume x = y\n prove f y = p", ""},
	// The fact comes after all rows of the left side are old.
	{"a fact that comes late", `rule r f A => p if A != 0
rule s A + 1 => A + 2
rule u A + 2 => A + 3
fact v for A + 3 then A + 3 != 0
test t
 start f (x + 1)
 prove f (x + 1) = p`, ""},
	{"a demand", "rule r f A => p if A + 0 = A\nrule z A + 0 => A\ndemand d for f A then A + 0\ntest t\n start f x\n prove f x = p", ""},
	{"without the demand", "rule r f A => p if A + 0 = A\nrule z A + 0 => A\ntest t\n start f x\n refute f x = p", ""},
	{"a contradiction of facts", "test t\n start x\n assume x != y\n assume x = y", "t: contradiction: x != x"},
	{"equal symbols that were different", "rule r f A => p if distinct A y\nrule s A + B => A\nrule t A + B => B\ntest t\n start f x\n start x + y", "t: contradiction: x = y, and a condition rests on their being different"},
	{"equal symbols", "test t\n start x\n assume x = y\n prove x = y", ""},
	{"facts about numbers", "test t\n start 2 != 3\n assume x != y\n prove 3 != 2\n prove y != x\n refute 2 != 2", ""},
	{"facts that hold", "test t\n start x\n assume x != y\n refute 2 != 3\n refute y != x", "t: proved, and should not be: 2 != 3|t: proved, and should not be: y != x"},
	{"a term equals itself", "test t\n start x\n prove y + y = y + y\n refute y + x = y + x", "t: proved, and should not be: y + x = y + x"},
	{"by congruence outside the graph", "rule r A + A => A\ntest t\n start x + x\n refute f (x + x) = f x\n refute f (x + x) = p", "t: proved, and should not be: f (x + x) = f x"},
	{"beta", "rule beta let v = e in v => e\nrule const let v = e in B => B if v not in B\ntest t\n var a b : E\n start let z = a in z\n start let z = a in b\n prove let z = a in z = a\n prove let z = a in b = b\n refute a = b", ""},
	{"a variable", "rule r f A => p if A is variable\ntest t\n var a : E\n start f a\n start f x\n start f (a + a)\n prove f a = p\n refute f x = p\n refute f (a + a) = p", ""},
	{"a symbol or a number", "rule r A + B => 0 if A is symbol, distinct A B\ntest t\n start x + x\n start x + y\n start x + 3\n start 3 + x\n prove x + y = 0\n prove x + 3 = 0\n refute x + x = 0\n refute 3 + x = 0", ""},
	{"a binder on both sides", "rule r lam (\\v -> B + 0) => lam (\\v -> B)\ntest t\n start lam (\\a -> a + y + 0)\n prove lam (\\a -> a + y + 0) = lam (\\b -> b + y)\n refute lam (\\a -> a + y) = lam (\\a -> y + a)\n extract lam (\\a -> a + y + 0) => lam (\\b -> b + y)", ""},
	// Of (+ z z) = 0 only the variables are left that it had when it was added.
	{"redundant variables", `rule none A + A => 0
rule r f (let v = A + A in A + A) => p
rule s A + (let w = B in A + A) => B
rule u let v = e in v + (B + B) => e
test t
 var a b : E
 start a + a
 start f (let v = 0 in 0)
 start a + (let z = b in 0)
 start let v = b in v + 0
 expect saturated
 prove f (let v = 0 in 0) = p
 prove a + (let z = b in 0) = b
 prove let v = b in v + 0 = b
 refute a = b`, ""},
	{"a metavariable alone, of a sort", "rule r a => a if a : E\nrule s f a => p if a : E\nrule u a <=> a + 0 if a : E\ntest t\n start f x\n limit nodes 30\n prove f x = p\n prove x = x + 0\n expect goal", ""},
	{"a metavariable as binder", "rule r f (v + e) => f (let v = e in v) if v is variable\ntest t\n var a : E\n start f (a + x)\n prove f (a + x) = f (let a = x in a)\n refute f (a + x) = f (let b = x in a)", ""},
}

func TestOutcomes(t *testing.T) {
	for _, c := range outcomes {
		if got := messages(run(t, header+c.text+"\n").Failed); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

// Numbers differ, whether or not a language computes with them or has the relation !=.
func TestNumbersOnly(t *testing.T) {
	const plain = "language l\nsort E\nnumber E\nop f E : E\nrule one f A => 1\n"
	for _, c := range []struct{ name, text, want string }{
		{"by a rule and an assumption", "test t\n start f 2\n assume f 2 = 2\n prove f 2 = 1", "t: contradiction: 1 = 2"},
		{"by assumptions", "test t\n start 3\n assume 3 = 4", "t: contradiction: 3 = 4"},
		{"one number", "test t\n start f 1\n start f 2\n prove f 1 = 1\n prove f 2 = 1", ""},
	} {
		if got := messages(run(t, plain+c.text+"\n").Failed); got != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, got, c.want)
		}
	}
}

const scheduled = `language l
sort E
symbol a b c d e : E
op s E : E
rule ab a => b
rule bc b => c
ruleset late
rule cd c => d
rule de d => e
rule up s m => s (s m)
test t
  start a
  start e
`

// Every limit stops a run without end, inside a schedule too, and says so.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		limit string
		stop  egraph.Stop
	}{
		{"iterations 3 nodes 0", egraph.IterLimit}, {"iterations 0 nodes 3000", egraph.NodeLimit},
		{"iterations 0 nodes 0 matches 1000", egraph.MatchLimit}, {"iterations 0 nodes 0 work 50000", egraph.WorkLimit},
		{"iterations 0 nodes 0 bytes 500000", egraph.MemoryLimit},
	} {
		for _, run := range []string{"", "\n  run (saturate all)", "\n  run (repeat 1000 all)"} {
			f := loadText(t, "language l\nsort E\nsymbol a : E\nop + E E : E\ndemand more for m + n then m + n + m, n + (n + m)\n"+
				"test t\n  start a + a\n  limit "+c.limit+run)
			if rep := runTest(t, f, f.Tests[0], runner.Options{}).Report; rep.Stop != c.stop || rep.Nodes > 200_000 {
				t.Errorf("limit %s%s: %v", c.limit, run, rep)
			}
		}
	}
}

// Each schedule with what it proves of a = b, a = c, a = d, a = e, and how many
// iterations it takes.
func TestSchedules(t *testing.T) {
	for _, c := range []struct {
		run        string
		proved     string
		iterations int
	}{
		{"", "bcde", 5},
		{"ab", "b", 1},
		{"bc ab", "b", 2},
		{"ab bc", "bc", 2},
		{"(run ab bc)", "b", 1},
		{"(run ab bc 2)", "bc", 2},
		{"(saturate (run ab bc))", "bc", 3},
		{"(repeat 2 cd ab bc)", "bcd", 6},
		{"(repeat 2 (seq cd ab) bc)", "bcd", 6},
		{"late", "", 1},
		{"ab bc (run late 2)", "bcde", 4},
		{"(until (a = c) (run all))", "bc", 2},
		{"(until (a = e) (run ab))", "b", 2},
	} {
		text := scheduled
		if c.run != "" {
			text += "  run " + c.run + "\n"
		}
		f := loadText(t, text)
		asked, err := f.ParseTest(&diag.Source{Name: "q", Text: "test q\n  start a\n  prove a = b\n  prove a = c\n  prove a = d\n  prove a = e"})
		if err != nil {
			t.Fatal(err)
		}
		res := runTest(t, f, f.Tests[0], runner.Options{})
		proved := ""
		for i, e := range asked.Prove {
			if (&attempt{Result: res, store: asked.Program.Store}).holds(e) {
				proved += "bcde"[i : i+1]
			}
		}
		if proved != c.proved || len(res.Report.Iterations) != c.iterations {
			t.Errorf("%q proves %q after %d iterations, expected %q after %d", c.run, proved, len(res.Report.Iterations), c.proved, c.iterations)
		}
	}
}

// The same run gives the same graph.
func TestDeterminism(t *testing.T) {
	f := loadFile(t, "../../examples/rewriting/micro.rules")
	a := runTest(t, f, f.Tests[0], runner.Options{Iterations: 7})
	b := runTest(t, f, f.Tests[0], runner.Options{Iterations: 7})
	for i := range a.Roots {
		if a.Graph.Find(a.Roots[i].ID) != b.Graph.Find(b.Roots[i].ID) || a.Smallest(a.Roots[i]) != b.Smallest(b.Roots[i]) {
			t.Errorf("root %d differs", i)
		}
	}
}

// Back-off goes on from step to step of a schedule, and limits hold across steps.
func TestScheduleState(t *testing.T) {
	const text = "language l\nsort E\nsymbol a b c : E\nop + E E : E\nrule comm A + B => B + A\nrule nope A + A => A\n"
	for _, c := range []struct {
		test string
		want string
	}{
		{"backoff matches 1 ban 1\n limit iterations 0\n run (saturate comm)", "saturated after 3 iterations, 7 e-nodes in 5 e-classes, 4 matches"},
		{"backoff matches 1 ban 1\n run comm comm comm comm", "saturated after 4 iterations, 7 e-nodes in 5 e-classes, 4 matches"},
		{"limit iterations 1\n run nope nope comm", "iteration limit after 1 iteration, 5 e-nodes in 5 e-classes, 0 matches"},
		{"limit matches 2\n run comm comm", "match limit after 1 iteration, 7 e-nodes in 5 e-classes, 2 matches"},
		{"run comm nope", "end of the schedule after 2 iterations, 7 e-nodes in 5 e-classes, 2 matches"},
		{"run comm comm comm nope", "saturated after 4 iterations, 7 e-nodes in 5 e-classes, 4 matches"},
		{"run comm comm comm", "saturated after 3 iterations, 7 e-nodes in 5 e-classes, 4 matches"},
	} {
		f := loadText(t, text+"test t\n start a + (b + c)\n "+c.test)
		if rep := runTest(t, f, f.Tests[0], runner.Options{}).Report; rep.String() != c.want {
			t.Errorf("%s: %v, expected %s", c.test, rep, c.want)
		}
	}
}

// Folding many constants at once takes linear time, with proofs too.
func TestManyFolds(t *testing.T) {
	const lang = "language l\nsort E\nnumber E\nop + E E : E\nop half E : E\nfold +\nrule half half A => A + 1%2\n"
	for _, n := range []int{100, 1000, 4000} {
		var b strings.Builder
		b.WriteString(lang + "test t\n limit nodes 100000\n")
		for i := range n {
			fmt.Fprintf(&b, " start half %d\n", i)
		}
		f := loadText(t, b.String())
		for _, proofs := range []bool{false, true} {
			rep := runTest(t, f, f.Tests[0], runner.Options{Proofs: proofs}).Report
			if rep.Stop != egraph.Saturated || rep.Rebuilt > 100*n {
				t.Errorf("%d constants: %v, %d e-nodes were looked at", n, rep, rep.Rebuilt)
			}
		}
	}
}

// TestOtherLimits: what a test expects of its end counts unless another limit than its own decided where that was.
func TestOtherLimits(t *testing.T) {
	const grows = "rule r A + B => B + (A + 1)\n"
	for _, c := range []struct {
		text    string
		options runner.Options
		want    string
	}{
		{"test t\n start x + y\n expect goal nodes 4", runner.Options{Time: time.Hour}, "t: end of the run: saturated, expected goal|t: nodes: 3, expected 4"},
		{"test t\n start x + y\n expect goal", runner.Options{Iterations: 50, Nodes: 50, Work: 5000}, "t: end of the run: saturated, expected goal"},
		{grows + "test t\n start x + y\n limit iterations 3\n expect saturated", runner.Options{Nodes: 9999}, "t: end of the run: limit, expected saturated"},
		{grows + "test t\n start x + y\n limit iterations 3\n expect iterations 4", runner.Options{Iterations: 2}, ""},
		{grows + "test t\n start x + y\n limit iterations 3\n expect iterations 4", runner.Options{Iterations: 5}, ""},
		{grows + "test t\n start x + y\n limit iterations 3\n expect iterations 4", runner.Options{Nodes: 5}, ""},
		{grows + "test t\n start x + y\n limit iterations 3\n expect iterations 4", runner.Options{Time: 1}, ""},
		{grows + "test t\n start x + y\n limit nodes 12 iterations 3\n expect iterations 4", runner.Options{Nodes: -1}, ""},
		{grows + "test t\n start x + y\n limit iterations 3\n expect after 1 nodes 4", runner.Options{Iterations: 2}, "t: nodes after iteration 1: 6, expected 4"},
	} {
		f := loadText(t, header+c.text)
		if got := messages(runTest(t, f, f.Tests[0], c.options).Failed); got != c.want {
			t.Errorf("%s with %+v: %q, want %q", c.text, c.options, got, c.want)
		}
	}
}

// TestGoalInSchedules: a run is over when what is to be proved is proved, also in a schedule that it names, or before one.
func TestGoalInSchedules(t *testing.T) {
	const rest = "ruleset one\nrule r A + 0 => A\nruleset two\nrule s A + A => A\nschedule first\n saturate one\nschedule both\n steps (repeat 3 one) (saturate two)\n" +
		"schedule directed\n run one\ntest t\n start x + 0 + (y + y)\n prove x + 0 = x\n expect goal iterations %d\n run %s"
	for run, n := range map[string]int{"first both": 1, "both": 1, "first directed both": 1, "directed both": 0, "one both": 1, "(repeat 2 first two)": 1} {
		f := loadText(t, header+fmt.Sprintf(rest, n, run))
		if got := messages(runTest(t, f, f.Tests[0], runner.Options{}).Failed); got != "" {
			t.Errorf("%s: %s", run, got)
		}
	}
}
