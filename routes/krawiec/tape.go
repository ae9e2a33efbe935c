package krawiec

import (
	"math"
	"slices"

	"egad/fun"
	"egad/internal/growing"
	"egad/internal/raise"
)

// Tape is the bindings of Section 7.3 in a growing array, of which the first has the id
// First. A binding has a word for each constructor, which stands before what it is made of,
// and the factors of its Scales. It is written backward, since it is read from the end of the
// tape, with the highest id, to the beginning.
type Tape struct {
	First int

	bindings int
	words    growing.Stack[int32]
	factors  growing.Stack[float64]
	open     open
}

// open is a binding that is not yet at its end.
type open struct {
	words   []int32
	factors []float64
}

// The words of constructors. That of a Var is its id, which is more than 0.
const (
	wordZero  = 0
	wordAdd   = -1
	wordScale = -2
	// wordScaled less an id is a Scale of the Var of the id; of Zero, less 0.
	wordScaled = -3
)

// mostID is the largest id that there are words for.
const mostID = math.MaxInt32 + wordScaled

// Len is how many bindings there are.
func (t *Tape) Len() int { return t.bindings }

// let binds a Delta to the next id.
func (t *Tape) let(d *Delta) int {
	id := t.begin()
	t.open.write(d)
	t.end()
	return id
}

// begin begins the binding of the next id: it is written to open.
func (t *Tape) begin() int {
	id := t.First + t.bindings
	if id > mostID {
		raise.Error(&fun.StoppedError{Most: int64(t.bindings), What: "bindings"})
	}
	t.bindings++
	return id
}

// end ends the binding that is open.
func (t *Tape) end() {
	slices.Reverse(t.open.words)
	slices.Reverse(t.open.factors)
	copy(t.words.Grow(len(t.open.words)), t.open.words)
	copy(t.factors.Grow(len(t.open.factors)), t.open.factors)
	t.open.words, t.open.factors = t.open.words[:0], t.open.factors[:0]
}

func (o *open) write(d *Delta) {
	switch d.Kind {
	case Zero, Var:
		o.id(int32(d.ID))
	case Scale:
		o.scale(d.X)
		o.write(d.A)
	case Add:
		o.words = append(o.words, wordAdd)
		o.write(d.A)
		o.write(d.B)
	}
}

// scale writes a Scale, without what is scaled.
func (o *open) scale(x float64) {
	o.words, o.factors = append(o.words, wordScale), append(o.factors, x)
}

// id writes the Var of an id, or Zero for 0; after a Scale in one word with it.
func (o *open) id(id int32) {
	if n := len(o.words) - 1; n >= 0 && o.words[n] == wordScale {
		o.words[n] = wordScaled - id
		return
	}
	o.words = append(o.words, id)
}

// Array is a DeltaMap as an array by id, with a bit for each that says whether there is an
// entry: what is not touched is not evaluated, as with the map, so that an infinite factor
// does not make a NaN of its 0. It lies in blocks, of which there are those that have entries.
type Array struct {
	blocks []*entries
	free   *entries // a block without entries
}

const (
	blockBits = 10
	blockMask = 1<<blockBits - 1
)

type entries struct {
	sum     [blockMask + 1]float64
	touched [blockMask + 1]bool
}

func (a *Array) add(id int, x float64) {
	b := a.blocks[id>>blockBits]
	if b == nil {
		b = a.block(id >> blockBits)
	}
	b.sum[id&blockMask] += x
	b.touched[id&blockMask] = true
}

// block makes a block.
func (a *Array) block(k int) *entries {
	b := a.free
	if a.free = nil; b == nil {
		b = new(entries)
	}
	a.blocks[k] = b
	return b
}

// at is the entry of an id, 0 if there is none.
func (a *Array) at(id int) (x float64, touched bool) {
	b := a.blocks[id>>blockBits]
	if b == nil {
		return 0, false
	}
	return b.sum[id&blockMask], b.touched[id&blockMask]
}

// end ends the use of the block that begins with an id.
func (a *Array) end(id int) {
	if b := a.blocks[id>>blockBits]; b != nil {
		*b = entries{}
		a.free, a.blocks[id>>blockBits] = b, nil
	}
}

// run evaluates a root by a factor, and then the bindings, the highest id first. The map that
// it gives has entries of smaller ids alone.
func (t *Tape) run(e *evaluator, x float64, root *Delta) *Array {
	n := t.First + t.bindings
	um := &Array{blocks: make([]*entries, n>>blockBits+1)}
	if root.Kind == Var { // or Zero, by the invariant
		um.add(root.ID, x)
	}
	e.visit()
	words, factors := t.words.Reader(), t.factors.Reader()
	for id := n - 1; id >= t.First; id-- {
		if x, touched := um.at(id); touched {
			e.binding(words, factors, x, um)
		} else {
			skip(words, factors)
		}
		if e.visits > e.most {
			e.tooMany()
		}
		if id&blockMask == 0 {
			um.end(id)
			if e.ended != nil {
				raise.Error(e.ended())
			}
		}
	}
	return um
}

// binding evaluates a binding by a factor.
func (e *evaluator) binding(words *growing.Reader[int32], factors *growing.Reader[float64], x float64, um *Array) {
	if len(words.Rest) == 0 {
		words.Down()
	}
	// The words of a binding lie side by side.
	w := words.Rest
	open := e.factors[:0] // those of the right sides of Adds
	for {
		n := len(w) - 1
		word := w[n]
		w = w[:n]
		e.visits++
		switch {
		case word > 0:
			um.add(int(word), x)
		case word <= wordScaled:
			e.visits++
			y := float64(x * factors.Next())
			if id := wordScaled - word; id > 0 {
				um.add(int(id), y)
			}
		case word == wordAdd:
			open = append(open, x)
			continue
		case word == wordScale:
			x = float64(x * factors.Next())
			continue
		}
		if len(open) == 0 {
			words.Rest = w
			e.factors = open
			return
		}
		x, open = open[len(open)-1], open[:len(open)-1]
	}
}

// skip passes by a binding.
func skip(words *growing.Reader[int32], factors *growing.Reader[float64]) {
	for open := 1; open > 0; {
		switch word := words.Next(); {
		case word <= wordScaled:
			factors.Next()
			open--
		case word == wordScale:
			factors.Next()
		case word == wordAdd:
			open++
		default:
			open--
		}
	}
}

// wrap is a root inside the Lets of all bindings.
func (t *Tape) wrap(root *Delta) *Delta {
	words, factors := t.words.Reader(), t.factors.Reader()
	all := make([]*Delta, t.bindings)
	for i := range slices.Backward(all) {
		all[i] = read(words, factors)
	}
	for i, d := range slices.Backward(all) {
		root = &Delta{Kind: Let, ID: t.First + i, A: d, B: root}
	}
	return root
}

// read is the Delta that is written next.
func read(words *growing.Reader[int32], factors *growing.Reader[float64]) *Delta {
	switch w := words.Next(); {
	case w == wordAdd:
		a := read(words, factors)
		return &Delta{Kind: Add, A: a, B: read(words, factors)}
	case w == wordScale:
		x := factors.Next()
		return &Delta{Kind: Scale, X: x, A: read(words, factors)}
	case w <= wordScaled:
		x := factors.Next()
		return &Delta{Kind: Scale, X: x, A: ofID(wordScaled - w)}
	default:
		return ofID(w)
	}
}

// ofID is the Var of an id, or Zero for 0.
func ofID(id int32) *Delta {
	if id == 0 {
		return zero
	}
	return &Delta{Kind: Var, ID: int(id)}
}
