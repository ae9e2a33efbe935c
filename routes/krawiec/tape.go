package krawiec

import (
	"math"

	"egad/fun"
	"egad/internal/growing"
)

// Tape is the bindings of Section 7.3 in a growing array, of which the first has the id
// First. Each is written as words, a constructor before what it is made of: an id is a Var.
type Tape struct {
	First int

	words  growing.List[int32]
	starts growing.List[uint32] // where each binding begins
}

// The words that are no ids.
const (
	wordZero  = -1
	wordAdd   = -2
	wordScale = -3 // the bits of the factor follow in two words
)

// Len is how many bindings there are.
func (t *Tape) Len() int { return t.starts.Len() }

// let binds a Delta to the next id.
func (t *Tape) let(d *Delta) (int, error) {
	id, err := t.begin()
	if err == nil {
		t.write(d)
	}
	return id, err
}

// begin begins the binding of the next id, which is what is written until the next one.
func (t *Tape) begin() (int, error) {
	if t.First+t.starts.Len() > math.MaxInt32-2 || t.words.Len() > math.MaxUint32-64 {
		return 0, &fun.StoppedError{Most: int64(t.starts.Len()), What: "bindings"}
	}
	t.starts.Push(uint32(t.words.Len()))
	return t.First + t.starts.Len() - 1, nil
}

// evaluate writes the Delta that a term is, the constructors of which are not made.
func (t *Tape) evaluate(m *fun.Machine, r *run, d *fun.Term, env []fun.Value) error {
	if d.Form != addForm && d.Form != scaleForm {
		x, err := m.Eval(d, env)
		if err == nil {
			t.write(x.(*Delta))
		}
		return err
	}
	if err := m.Step(1); err != nil {
		return err
	}
	r.made++
	if d.Form == addForm {
		t.words.Push(wordAdd)
		if err := t.evaluate(m, r, d.Kids[0], env); err != nil {
			return err
		}
		return t.evaluate(m, r, d.Kids[1], env)
	}
	x, err := m.Eval(d.Kids[0], env)
	if err != nil {
		return err
	}
	t.scale(x.(float64))
	return t.evaluate(m, r, d.Kids[1], env)
}

func (t *Tape) write(d *Delta) {
	switch d.Kind {
	case Zero:
		t.words.Push(wordZero)
	case Var:
		t.words.Push(int32(d.ID))
	case Scale:
		t.scale(d.X)
		t.write(d.A)
	case Add:
		t.words.Push(wordAdd)
		t.write(d.A)
		t.write(d.B)
	}
}

func (t *Tape) scale(x float64) {
	bits := math.Float64bits(x)
	t.words.Push(wordScale)
	t.words.Push(int32(bits))
	t.words.Push(int32(bits >> 32))
}

// word is that of a Var, or of no id of Zero.
func word(id uint64) int32 {
	if id == 0 {
		return wordZero
	}
	return int32(id)
}

// Array is a DeltaMap as an array by id, with a bit for each that says whether there is an
// entry: what is not touched is not evaluated, as with the map, so that an infinite factor
// does not make a NaN of its 0.
type Array struct {
	sum     []float64
	touched []bool
}

func (a *Array) add(id int, x float64) {
	a.sum[id] += x
	a.touched[id] = true
}

// run evaluates a root by a factor, and then the bindings, the highest id first.
func (t *Tape) run(e *evaluator, x float64, root *Delta) (*Array, error) {
	n := t.First + t.starts.Len()
	um := &Array{make([]float64, n), make([]bool, n)}
	switch root.Kind {
	case Zero:
		return um, e.visit()
	default: // Var, by the invariant
		um.add(root.ID, x)
		if err := e.visit(); err != nil {
			return nil, err
		}
	}
	for id := n - 1; id >= t.First; id-- {
		if !um.touched[id] {
			continue
		}
		if e.ended != nil && id&(1<<12-1) == 0 {
			if err := e.ended(); err != nil {
				return nil, err
			}
		}
		if err := t.binding(e, int(*t.starts.At(id - t.First)), um.sum[id], um); err != nil {
			return nil, err
		}
	}
	return um, nil
}

// binding evaluates the words that begin at a place.
func (t *Tape) binding(e *evaluator, at int, x float64, um *Array) error {
	var buf [8]float64
	open := buf[:0] // the factors of the right sides of Adds
	words := t.words.From(at)
	visits, most := e.visits, e.most
	for {
		if visits++; visits > most {
			e.visits = visits
			return e.tooMany()
		}
		if len(words) == 0 {
			words = t.words.From(at)
		}
		w := words[0]
		switch {
		case w >= 0:
			um.add(int(w), x)
		case w == wordScale:
			if len(words) > 2 {
				x = float64(x * factor(words[1], words[2]))
				words = words[3:]
			} else {
				x = float64(x * t.factor(at+1))
				words = t.words.From(at + 3)
			}
			at += 3
			continue
		case w == wordAdd:
			open = append(open, x)
			words = words[1:]
			at++
			continue
		}
		if len(open) == 0 {
			e.visits = visits
			return nil
		}
		x, open = open[len(open)-1], open[:len(open)-1]
		words = words[1:]
		at++
	}
}

// wrap is a root inside the Lets of all bindings.
func (t *Tape) wrap(root *Delta) *Delta {
	for i := t.starts.Len() - 1; i >= 0; i-- {
		at := int(*t.starts.At(i))
		root = &Delta{Kind: Let, ID: t.First + i, A: t.read(&at), B: root}
	}
	return root
}

// read is the Delta that is written at a place, and moves behind it.
func (t *Tape) read(at *int) *Delta {
	w := *t.words.At(*at)
	*at++
	switch w {
	case wordZero:
		return zero
	case wordAdd:
		a := t.read(at)
		return &Delta{Kind: Add, A: a, B: t.read(at)}
	case wordScale:
		x := t.factor(*at)
		*at += 2
		return &Delta{Kind: Scale, X: x, A: t.read(at)}
	}
	return &Delta{Kind: Var, ID: int(w)}
}

// factor is that of a Scale, the bits of which begin at a place.
func (t *Tape) factor(at int) float64 {
	return factor(*t.words.At(at), *t.words.At(at + 1))
}

func factor(low, high int32) float64 {
	return math.Float64frombits(uint64(uint32(low)) | uint64(uint32(high))<<32)
}
