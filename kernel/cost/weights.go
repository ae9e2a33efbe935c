package cost

import (
	"cmp"
	_ "embed"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"egad/diag"
	"egad/loops"
	"egad/term"
	"egad/term/ops"
)

// Weights are what the estimates count by which loops are shared, nested and run: of
// operations, in nanoseconds, of bytes, by the cache that they are in, and of what begins.
// They decide how kernels run and nothing else, but for the order in which code that is not
// exact adds.
type Weights struct {
	Of        [numWeights]float64
	operators map[ops.Sym]float64
	Times     map[string]float64 // of bodies, by their keys; nil: they are not kept
	Own       *Weights           // the same, without times
	Edges     bool               // of loops are done apart
}

// Weight is a number that the estimates know by a word.
type Weight int

const (
	Instruction Weight = iota
	Load
	Far
	Insert
	Check
	Run
	Loop
	Wait
	Spill
	Registers
	SumRegisters
	Function
	TimesAlone
	First
	Second
	Beyond
	Fetch
	FirstBytes
	SecondBytes
	Call
	Whole
	Host
	Multiply
	Pack
	Product
	Edge
	Nest
	Share
	Parts
	KeptBytes
	Room
	Step
	Lane
	LaneFunction
	LaneFar
	numWeights
)

// Words are the words of weights, in the same order.
var Words = []string{"instruction", "load", "far", "insert", "check", "run", "loop", "wait", "spill", "registers", "sums",
	"function", "alone", "first", "second", "beyond", "fetch", "first-bytes", "second-bytes", "call", "whole", "host", "multiply", "pack", "product", "edge", "nest", "share", "parts", "keep", "room",
	"step", "lane", "lane-function", "lane-far"}

//go:embed kernel.weights
var weightText string

// Default are those of egad.
var Default = sync.OnceValue(func() *Weights {
	w := &Weights{operators: make(map[ops.Sym]float64)}
	for i := range w.Of {
		w.Of[i] = math.NaN()
	}
	if err := w.read(&diag.Source{Name: "kernel.weights", Text: weightText}); err != nil {
		panic(err)
	}
	return w
})

// maxWeight bounds weights, so that sums of them stay finite.
const maxWeight = 1e9

// Read reads weights: lines of a word and a number, and comments that begin with --.
// The words are those of the file kernel.weights, and names of operators that are elementwise or on whole
// arrays. What is not said is as there.
//
// Errors are all that can be found: words that are not known or stand twice, numbers that
// are negative, not finite or beyond 10⁹.
func Read(src *diag.Source) (*Weights, error) {
	w := *Default()
	w.operators = maps.Clone(w.operators)
	return &w, w.read(src)
}

func (w *Weights) read(src *diag.Source) error {
	var errs diag.List
	seen, next := make(map[string]bool), 0
	for line := range strings.Lines(src.Text) {
		begin := next
		next += len(line)
		line, _, _ = strings.Cut(line, "--")
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		word := fields[0]
		at := strings.Index(line, word)
		pos := diag.Pos(begin + at)
		i, op := Weight(slices.Index(Words, word)), timedOperator(word)
		n, err := numberOf(fields)
		switch {
		case i < 0 && op == 0:
			errs.Add(src, pos, "there is no weight %s%s", word, diag.DidYouMean(word, weightNames()))
		case seen[word]:
			errs.Add(src, pos, "the weight %s is given twice", word)
		case err != "":
			if len(fields) > 1 {
				at += len(word)
				pos = diag.Pos(begin + at + strings.Index(line[at:], fields[1]))
			}
			errs.Add(src, pos, "%s", err)
		case op != 0:
			w.operators[op] = n
		default:
			w.Of[i] = n
		}
		seen[word] = true
	}
	return errs.Err()
}

// numberOf is the number of a line, or what is wrong with it.
func numberOf(fields []string) (n float64, wrong string) {
	if len(fields) != 2 {
		return 0, "expected a word and a number, as " + fields[0] + " 0.5"
	}
	n, err := strconv.ParseFloat(fields[1], 64)
	switch {
	case err != nil && !math.IsInf(n, 0) || math.IsNaN(n):
		return 0, fields[1] + " is no number"
	case n < 0:
		return 0, "a weight is not negative"
	case n > maxWeight:
		return 0, "a weight is at most 1000000000"
	}
	return n, ""
}

// timedOperator is the operator of that name that may have a weight, 0 if there is none.
func timedOperator(name string) ops.Sym {
	if o, ok := term.NewSignature().Lookup(name); ok && timed(o) {
		return o.Sym
	}
	return 0
}

// timed reports whether an operator may have a weight.
func timed(o *ops.Operator) bool { return o.Elementwise || o.Whole }

// weightNames are all words, for messages.
func weightNames() []string {
	out := slices.Clone(Words)
	for _, o := range term.NewSignature().All() {
		if timed(o) {
			out = append(out, o.Name)
		}
	}
	return out
}

// Operator says what an operator takes, of a vector, or of whole arrays an operation: a weight if nothing
// else is said of it.
func (w *Weights) Operator(op ops.Sym, otherwise Weight) float64 {
	if n, ok := w.operators[op]; ok {
		return n
	}
	return w.Of[otherwise]
}

// Function says what a function of reals takes, of a vector.
func (w *Weights) Function(op ops.Sym) float64 { return w.Operator(op, Function) }

// inStep is what an operator takes for so many elements in a step of a loop, or what the step
// takes besides.
func (w *Weights) inStep(op ops.Sym, n int64) float64 {
	one := w.Operator(op, Instruction)
	switch {
	case op == ops.SymStates:
		return w.Of[Run]
	case IsFunction(op):
		one = w.Function(op)
	}
	if n == 1 {
		return w.Of[TimesAlone] * one
	}
	return one * float64(n) / 2
}

// Residuals say which values of a loop are kept for later ones: those that take longer than
// to store and load a vector of them, beyond the caches.
func (w *Weights) Residuals() loops.Residuals {
	if w == nil {
		w = Default()
	}
	keep := 2*w.Of[Load] + 2*16*w.Of[Beyond]
	return loops.Residuals{
		Keeps:   func(op ops.Sym) bool { return IsFunction(op) && w.Function(op) > keep },
		Takes:   w.inStep,
		Moves:   func(n int64) float64 { return keep * float64(n) / 2 },
		Reduced: int64(keep/max(w.Of[Load]+2*w.Of[Instruction], 1e-3)) + 1,
		Bytes:   int64(w.Of[KeptBytes]),
	}
}

// Remembering makes weights by which a nest of loops is estimated once: while loops are shared,
// most nests are tried again and again, and programs that are lowered one after the other, not at
// one time, may have them in common. They are those of egad if w is nil.
func (w *Weights) Remembering() *Weights {
	w = cmp.Or(w, Default())
	out := *w
	out.Own, out.Times = w, make(map[string]float64)
	return &out
}

// Apart makes weights by which what holds for most runs of a loop holds for all, as if those at the
// edges were done apart, which [schedule.Interior] does at the end.
func (w *Weights) Apart() *Weights {
	out := w.Remembering()
	out.Edges = true
	return out
}
