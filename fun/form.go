package fun

import (
	"errors"
	"slices"

	"egad/diag"
	"egad/internal/slice"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// Term is a term of the core, or of the target language of a transformation: a form with
// operands. Terms are immutable, and may share parts.
//
// Variables are numbers: 0 is the innermost. The body of a closure ([Lam], [Rec]) has
// variables of its own: its argument is 0, and then come those that it captures.
type Term struct {
	Form   *Form
	Kids   []*Term
	N      int         // of [Var] which variable it is; forms may use it as they like
	Caps   []int       // of a closure the variables outside that it captures
	Num    numeric.Num // of [Lit]
	Op     ops.Op      // of [Prim]
	Type   *Type       // what the form needs to know to be typed
	Arrays *types.Type // of [Whole] the types in the array language, operand -o result
	Name   []string    // what the variables that it binds are called, if the text says so

	// constant is the function that a closure is which captures nothing, if it was made of
	// these operands: a copy of the term with others has another.
	constant *Function

	// Src and Pos are where it stands in a text, if it is of one.
	Src *diag.Source
	Pos diag.Pos
}

// placed gives t, and those of its parts that have none, a place in a text.
func (t *Term) placed(src *diag.Source, pos diag.Pos) *Term {
	if t.Src != nil || src == nil {
		return t
	}
	out := *t
	out.Src, out.Pos = src, pos
	out.mapKids(func(_ int, kid *Term) *Term { return kid.placed(src, pos) })
	return &out
}

// mapKids gives a term, which is a copy, what f makes of each operand in the place of it.
func (t *Term) mapKids(f func(k int, kid *Term) *Term) {
	t.Kids = slices.Clone(t.Kids)
	for k, kid := range t.Kids {
		t.Kids[k] = f(k, kid)
	}
}

// Locate is an error with the place in a text where t stands, if it is of one: unless err has
// a place, or is of the bounds of a run and of none of its terms.
func (t *Term) Locate(err error) error {
	var stopped *StoppedError
	var ended *endedError
	if t.Src == nil || placed(err) || errors.As(err, &stopped) || errors.As(err, &ended) {
		return err
	}
	out := diag.Errorf(t.Src, t.Pos, "%v", err)
	out.Err = err
	return out
}

// Called is what a message calls the operation that t is.
func (t *Term) Called() string {
	switch t.Form {
	case Whole, Fold:
		return ops.Builtin(t.Op.Sym).Text() + " on arrays"
	case States:
		return "loops that pass a state on (fold, scan, iterate, states)"
	case Lam:
		return "functions as values"
	case Rec:
		return "functions that call themselves"
	}
	return t.Form.Name
}

// Form is a former of terms, as "pair": all that is known of it.
type Form struct {
	Name  string
	Arity int
	// Closed says that the last operand has no variables but what the form binds, and
	// those that it captures.
	Closed bool
	// Bound gives the types of the variables that the form binds in operand k, the
	// outermost first; nil if it binds none. The types of the operands before k are known.
	Bound func(t *Term, kids []*Type, k int) []*Type
	// Result gives the type of the form, by those of its operands.
	Result func(t *Term, kids []*Type) (*Type, error)
	// Eval evaluates it. The step for the form itself has been counted. Errors are raised (see
	// package raise).
	Eval func(m *Machine, t *Term, env []Value) Value
	// Run runs the computation that it is, if it is one: then it has no Eval.
	Run func(m *Machine, t *Term, env []Value) Value
	// Print writes it, if it is not written as the name with the operands.
	Print func(p *Printer, t *Term, prec int)

	binds []int // how many variables it binds in each operand
	core  code
}

// binding is how many variables a form binds in operand k.
func (f *Form) binding(k int) int {
	if f.binds == nil {
		return 0
	}
	return f.binds[k]
}

// Binding declares how many variables a form binds in each of its operands.
func (f *Form) Binding(counts ...int) *Form {
	f.binds = counts
	return f
}

// Rename gives t other variables: those that are free in it are replaced by f. What is
// captured is renamed where it is captured, so that bodies of closures stay as they are.
func (t *Term) Rename(f func(v int) int) *Term { return t.rename(f, 0) }

// Shift makes place for n variables further in than the first innermost ones.
func (t *Term) Shift(n, innermost int) *Term {
	return t.Rename(func(v int) int {
		if v >= innermost {
			return v + n
		}
		return v
	})
}

func (t *Term) rename(f func(int) int, depth int) *Term {
	at := func(v int) int {
		if v < depth {
			return v
		}
		return f(v-depth) + depth
	}
	out := *t
	if t.Form == Var {
		if out.N = at(t.N); out.N == t.N {
			return t
		}
		return &out
	}
	if len(t.Caps) > 0 {
		out.Caps = slice.Map(t.Caps, at)
	}
	if kids := t.unclosed(); len(kids) > 0 {
		out.Kids = slices.Clone(t.Kids)
		for k, kid := range kids {
			out.Kids[k] = kid.rename(f, depth+t.Form.binding(k))
		}
	}
	return &out
}

// unclosed are the operands that have variables of the term: not the body of a closure.
func (t *Term) unclosed() []*Term {
	if t.Form.Closed {
		return t.Kids[:len(t.Kids)-1]
	}
	return t.Kids
}

// Free lists the free variables of t, the innermost first.
func (t *Term) Free() []int {
	var seen []bool
	t.free(0, func(v int) {
		for len(seen) <= v {
			seen = append(seen, false)
		}
		seen[v] = true
	})
	var out []int
	for v, is := range seen {
		if is {
			out = append(out, v)
		}
	}
	return out
}

func (t *Term) free(depth int, see func(v int)) {
	if t.Form == Var {
		if t.N >= depth {
			see(t.N - depth)
		}
		return
	}
	for _, v := range t.Caps {
		if v >= depth {
			see(v - depth)
		}
	}
	for k, kid := range t.unclosed() {
		kid.free(depth+t.Form.binding(k), see)
	}
}

// Size is how many forms there are in t, as a tree.
func (t *Term) Size() int {
	n := 1
	for _, k := range t.Kids {
		n += k.Size()
	}
	return n
}
