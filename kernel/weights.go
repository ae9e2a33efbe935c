package kernel

import (
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
	of        [numWeights]float64
	operators map[ops.Sym]float64
	times     map[string]float64 // of bodies, by their keys; nil: they are not kept
	own       *Weights           // the same, without times
	edges     bool               // of loops are done apart
}

// weight is a number that the estimates know by a word.
type weight int

const (
	costInstruction weight = iota
	costLoad
	costFar
	costInsert
	costCheck
	costRun
	costLoop
	costWait
	costSpill
	registers
	sumRegisters
	costFunction
	timesAlone
	costFirst
	costSecond
	costBeyond
	costFetch
	firstBytes
	secondBytes
	costCall
	costWhole
	costNest
	costShare
	costParts
	keptBytes
	costRoom
	costStep
	costLane
	costLaneFunction
	costLaneFar
	numWeights
)

// weightWords are the words of weights, in the same order.
var weightWords = []string{"instruction", "load", "far", "insert", "check", "run", "loop", "wait", "spill", "registers", "sums",
	"function", "alone", "first", "second", "beyond", "fetch", "first-bytes", "second-bytes", "call", "whole", "nest", "share", "parts", "keep", "room",
	"step", "lane", "lane-function", "lane-far"}

//go:embed kernel.weights
var weightText string

// ownWeights are those of egad.
var ownWeights = sync.OnceValue(func() *Weights {
	w := &Weights{operators: make(map[ops.Sym]float64)}
	for i := range w.of {
		w.of[i] = math.NaN()
	}
	if err := w.read(&diag.Source{Name: "kernel.weights", Text: weightText}); err != nil {
		panic(err)
	}
	return w
})

// maxWeight bounds weights, so that sums of them stay finite.
const maxWeight = 1e9

// ReadWeights reads weights: lines of a word and a number, and comments that begin with --.
// The words are those of kernel/kernel.weights, and names of operators that are elementwise or on whole
// arrays. What is not said is as there.
//
// Errors are all that can be found: words that are not known or stand twice, numbers that
// are negative, not finite or beyond 10⁹.
func ReadWeights(src *diag.Source) (*Weights, error) {
	w := *ownWeights()
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
		i, op := weight(slices.Index(weightWords, word)), timedOperator(word)
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
			w.of[i] = n
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
	out := slices.Clone(weightWords)
	for _, o := range term.NewSignature().All() {
		if timed(o) {
			out = append(out, o.Name)
		}
	}
	return out
}

// operator is what an operator takes, of a vector, or of whole arrays an operation: a weight if nothing
// else is said of it.
func (w *Weights) operator(op ops.Sym, otherwise weight) float64 {
	if n, ok := w.operators[op]; ok {
		return n
	}
	return w.of[otherwise]
}

// function is what a function of reals takes, of a vector.
func (w *Weights) function(op ops.Sym) float64 { return w.operator(op, costFunction) }

// inStep is what an operator takes for so many elements in a step of a loop, or what the step
// takes besides.
func (w *Weights) inStep(op ops.Sym, n int64) float64 {
	one := w.operator(op, costInstruction)
	switch {
	case op == ops.SymStates:
		return w.of[costRun]
	case functionOf(op):
		one = w.function(op)
	}
	if n == 1 {
		return w.of[timesAlone] * one
	}
	return one * float64(n) / 2
}

// Residuals say which values of a loop are kept for later ones: those that take longer than
// to store and load a vector of them, beyond the caches.
func (w *Weights) Residuals() loops.Residuals {
	if w == nil {
		w = ownWeights()
	}
	keep := 2*w.of[costLoad] + 2*16*w.of[costBeyond]
	return loops.Residuals{
		Keeps:   func(op ops.Sym) bool { return functionOf(op) && w.function(op) > keep },
		Takes:   w.inStep,
		Moves:   func(n int64) float64 { return keep * float64(n) / 2 },
		Reduced: int64(keep/max(w.of[costLoad]+2*w.of[costInstruction], 1e-3)) + 1,
		Bytes:   int64(w.of[keptBytes]),
	}
}
