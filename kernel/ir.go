package kernel

import (
	"cmp"
	"fmt"
	"slices"

	"egad/internal/set"
	"egad/internal/slice"
	"egad/kernel/cost"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// Program is a list of kernels to be run in order.
type Program struct {
	Name    string
	Arrays  []*Array
	Kernels []*Kernel
	Result  Result

	Weights *cost.Weights // by which its kernels were made; nil: those of egad
	Whole   *Program      // of which some kernels do parts that threads may share; nil if it is not made so
}

// Costs gives the weights of estimates.
func (p *Program) Costs() *cost.Weights { return cmp.Or(p.Weights, cost.Default()) }

// Result says which arrays a program results in: one, or a tuple of results.
type Result struct {
	Array *Array
	Parts []Result
}

// Arrays lists the arrays of a result, from left to right; one may be there twice.
func (r Result) Arrays() []*Array {
	if r.Array != nil {
		return []*Array{r.Array}
	}
	return slices.Concat(slice.Map(r.Parts, Result.Arrays)...)
}

// With puts one array in the place of another one.
func (r Result) With(old, by *Array) Result {
	if r.Array == old && old != nil {
		return Result{Array: by}
	}
	out := Result{Array: r.Array}
	for _, p := range r.Parts {
		out.Parts = append(out.Parts, p.With(old, by))
	}
	return out
}

// Role says where the elements of an array come from.
type Role uint8

// The roles of arrays.
const (
	Input   Role = iota // given when the program is run
	Literal             // in the program's text
	Temp                // computed by kernels; it starts as zeros
)

// Array is a block of memory, row-major.
type Array struct {
	Name  string
	Elem  types.Elem
	Shape []int
	Role  Role
	Const *ops.Const // of a Literal
	Range ops.Range  // of the elements, if they are integers
	// Finite says of an input, or of the states of a loop, that no mask has made an element infinite.
	Finite bool

	Padded *Padded // with zeros, if it is a copy of another array
}

// Padded is of what an array is a copy, with zeros around it.
type Padded struct {
	Of     *Array
	Part   []*Value // indices along the first axes, of the only elements of these that there are
	Before []int    // how many zeros there are before the array, along each other axis
}

// Len is the number of elements.
func (a *Array) Len() int {
	if a == nil {
		return 0
	}
	return slice.Product(a.Shape)
}

// Kernel fills arrays by loops, or by the steps of a loop whose state is arrays.
//
// A body is statements one after the other, and so is that of a loop. There may be
// several loops, stores and folds in it, side by side or nested, or none: then it is
// straight-line code. A value is computed by a Let before it is used, in the body of
// the use or of a loop around it, but for literals, variables, linear values and the
// results of folds, which are known after their loop. A store is seen by the loads
// that come after it.
//
// A loop and all that is in it, if it is not one of [Blocks] or [Parts], is a nest: a backend may
// choose for each nest which of its loops go side by side. In a nest no run of a loop
// stores what another run loads, so a statement may be run for many runs before the next
// statement is run for the same ones, unless loops InOrder are inside one another: what
// they add to an element is added in their order. The runs of a loop of Blocks, which
// is in no nest, come one after the other, each whole.
type Kernel struct {
	Body  []Stmt
	Steps *Steps // nil if there is a Body
	// Of is the kernel in whose place this one is, with others, in machine code; or nil.
	Of *Kernel
	// Less says that machine code may do less, with others.
	Less bool
	// Fused are the arrays of which there is but one element at a time, as the kernel shares its
	// loops with those that use it: by themselves, they would be in memory.
	Fused []*Array
}

// Private are the arrays of which each goroutine has its own.
func (k *Kernel) Private() (out []*Array) {
	for _, l := range Among[*Loop](k.Body) {
		out = append(out, l.Private...)
	}
	return out
}

// Stmt is a statement of a kernel: [*Let], [*Store], [*Call] or [*Loop].
type Stmt interface{ stmt() }

// Let computes a value, which later statements of this and of inner loops use.
type Let struct{ Value *Value }

// Store writes an element, or adds to it. A store whose indices may be out of
// range (Checked) is dropped where they are.
type Store struct {
	Access
	Value *Value
	Add   bool
}

// Order says in which order the runs of a loop may go.
type Order uint8

// The orders of loops.
const (
	Parallel Order = iota // any order gives the same result
	InOrder               // a scatter adds in index order
	Folding               // folds from the left
	Blocks                // one whole run after the other: they use the same arrays
	Parts                 // whole runs, that may go at the same time
	Carrying              // each goes on from what the one before leaves
)

// Whole reports whether a run of a loop is whole before another one begins in its place: the
// loop is in no nest.
func (o Order) Whole() bool { return o == Blocks || o == Parts }

// Loop runs its body for Var from 0 to N-1. The folds of a loop in order
// Folding make one value each of the values that its runs end in. One in order Carrying carries
// numbers from run to run.
type Loop struct {
	Name    string // of Var, when it is printed
	Var     *Value
	N       int
	Order   Order
	Body    []Stmt
	Folds   []Fold
	Carries []Carry
	Only    []Only // runs for which one of them does not hold need not be done
	If      *Value // a truth value that is known before: no run is done without it; nil: all are
	// Private are the arrays that a run of a loop of Parts fills before it reads them, and
	// nobody else uses, if goroutines share the loop: each has its own.
	Private []*Array
}

// Fold is a left fold over the runs of a loop by a reduction, as sum from +0 or
// maximum from -Inf, or the position of the first of the best, as argmax. It may go on
// from what a fold over other runs resulted in, but for a position. By [ops.SymSub] it takes
// the values away from that.
type Fold struct {
	Op     ops.Sym
	Value  *Value // of each run
	Result *Value
	From   *Value // what it begins with, known before the loop; nil: what Op is of nothing
}

func (*Let) stmt()   {}
func (*Store) stmt() {}
func (*Loop) stmt()  {}

// Kind tells the forms of a [Value] apart.
type Kind uint8

// The kinds of values.
const (
	Lit     Kind = iota // Const
	Var                 // the index of a loop: 0 … Range.Hi
	Linear              // an integer: Const.Int + the sum of Coef[i] * Args[i]
	Compute             // Op of Args; where is a selection
	Load                // an element of an array
	Folded              // the result of a fold, or what the last run of a loop leaves
	Carried             // what a run of a loop has from the one before
	Hole                // not decided yet
)

// Value is a scalar of a kernel: a real, an integer or a truth value (0 or 1).
type Value struct {
	Kind  Kind
	Elem  types.Elem
	Op    ops.Sym
	N     int // attribute of Op
	Args  []*Value
	Coef  []int64
	Const ops.Scalar
	Access
	Range ops.Range // of an integer

	Serial int    // creation order in its kernel
	Level  int    // how many loops of the nest it depends on
	Is     *Value // of a hole that is decided
	Plus   bool   // a real that is not -0
	Zero   bool   // a load that is 0 whatever the data
}

// Access is an element of an array, at one index an axis. A load that is out of
// range is 0.
type Access struct {
	Array   *Array
	At      []*Value
	Checked bool // At may be out of range
}

// Positional reports whether a fold finds a place.
func (f Fold) Positional() bool { return f.Op == ops.SymArgmax || f.Op == ops.SymArgmin }

// Nothing is what a fold is of no runs.
func (f Fold) Nothing() ops.Scalar { return ops.Builtin(f.Joint()).Nothing(f.Result.Elem) }

// Neutral is a value of a run that changes nothing: what the fold is of no runs or, where it finds a place, a
// number that is not better than any.
func (f Fold) Neutral() ops.Scalar {
	switch f.Op {
	case ops.SymArgmax:
		return ops.ScalarR(numeric.Inf(-1))
	case ops.SymArgmin:
		return ops.ScalarR(numeric.Inf(1))
	}
	return f.Nothing()
}

// Step returns the operator of what there is of a fold and the value of a run.
func (f Fold) Step() ops.Sym {
	if f.Op == ops.SymSub {
		return ops.SymSub
	}
	return ops.Builtin(f.Op).Fold
}

// Joint returns the reduction of what parts of the runs result in.
func (f Fold) Joint() ops.Sym {
	if f.Op == ops.SymSub {
		return ops.SymSum
	}
	return f.Op
}

// Rounds reports whether a fold in another order has other bits.
func (f Fold) Rounds() bool {
	return f.Value.Elem == types.R && (f.Joint() == ops.SymSum || f.Op == ops.SymProd)
}

// Original is the kernel in whose place another one is, or itself.
func (k *Kernel) Original() *Kernel {
	for k.Of != nil {
		k = k.Of
	}
	return k
}

// NewTemp is an array that the kernels of a program compute.
func NewTemp(program string, elem types.Elem, shape []int, r ops.Range) *Array {
	elements := 1.0
	for _, n := range shape {
		elements *= float64(n)
	}
	if elements > types.MaxElements {
		panic(&overflow.Error{Msg: fmt.Sprintf("the kernels of %s keep an array of %.3g elements, more than the %d that any may have",
			program, elements, int64(types.MaxElements))})
	}
	return &Array{Elem: elem, Shape: shape, Role: Temp, Range: r}
}

// Inputs lists the arrays that a program is given, in order.
func (p *Program) Inputs() []*Array {
	return slice.Filter(p.Arrays, func(a *Array) bool { return a.Role == Input })
}

// UsedWhole finds the arrays that are used in another way than by single elements: results, and what operators
// on whole arrays and the steps of loops read and write.
func (p *Program) UsedWhole() map[*Array]bool {
	whole := set.Of(p.Result.Arrays()...)
	for _, k := range p.Kernels {
		if k.Steps != nil || k.Calls() {
			set.Add(whole, append(k.Reads(), k.Writes()...)...)
		}
	}
	return whole
}

// Writer finds the first kernel that stores to an array: its number, or -1.
func Writer(ks []*Kernel, a *Array) int {
	return slices.IndexFunc(ks, func(k *Kernel) bool { return slices.Contains(k.Writes(), a) })
}
