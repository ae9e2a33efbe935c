package steps

import (
	"slices"

	"egad/internal/slice"
	"egad/kernel"
	"egad/term/ops"
)

// maxStraight bounds the statements of steps that are written out.
const maxStraight = 4000

// straightener writes the steps of a loop out as straight-line code, in which arrays of a step are
// so many numbers.
type straightener struct {
	*writing
	of       *kernel.Steps
	outer    *straightener                     // of the loop whose step has this one
	inputs   []*kernel.Array                   // of a step
	elements map[*kernel.Array][]*kernel.Value // of what a step makes, nil where it is 0
	made     map[*kernel.Value]*kernel.Value   // by what it is in the step
}

// writing is what is written out.
type writing struct {
	b        *kernel.Builder
	body     []kernel.Stmt
	there    map[*kernel.Value]bool // computed in the body
	literals []*kernel.Array
	left     int // statements
}

func newStraightener(s *kernel.Steps) *straightener {
	return &straightener{writing: &writing{b: kernel.NewBuilder(nil)}, of: s, inputs: s.Step.Inputs()}
}

// tooMuch is what ends the writing out of a step that has too many statements, or an array of which
// it is not known which element is meant.
type tooMuch struct{}

// straight writes out a step, with what stands for the indices of the loops around and the number
// of the step, and for the numbers of the state before: next are those of the next one.
func (x *straightener) straight(vars []*kernel.Value, state [][]*kernel.Value) (next [][]*kernel.Value, ok bool) {
	defer func() {
		if r := recover(); r == any(tooMuch{}) {
			next, ok = nil, false
		} else if r != nil {
			panic(r)
		}
	}()
	x.body, x.there, x.left = nil, make(map[*kernel.Value]bool), maxStraight
	return x.step(vars, state), true
}

// step writes out a step, in as many statements as are left.
func (x *straightener) step(vars []*kernel.Value, state [][]*kernel.Value) (next [][]*kernel.Value) {
	x.elements, x.made = make(map[*kernel.Array][]*kernel.Value), make(map[*kernel.Value]*kernel.Value)
	for i, a := range x.inputs {
		switch in := x.of.Inputs[i]; {
		case in.Variable > 0:
			x.elements[a] = []*kernel.Value{vars[in.Variable-1]}
		case in.State > 0:
			x.elements[a] = state[in.State-1]
		}
	}
	for _, k := range x.of.Step.Kernels {
		switch {
		case k.Calls():
			panic(tooMuch{})
		case k.Steps != nil:
			x.steps(k.Steps)
		default:
			x.stmts(k.Body)
		}
	}
	for _, a := range x.of.Step.Result.Arrays() {
		numbers := slice.Make(a.Len(), func(i int) *kernel.Value {
			return x.load(kernel.Access{Array: a, At: x.b.Unravel(x.b.Int(int64(i)), a.Shape)})
		})
		next = append(next, numbers)
	}
	return next
}

// steps writes out the steps of a loop in the step one after the other, of which all is known: the
// numbers of its states, and of each step.
func (x *straightener) steps(s *kernel.Steps) {
	if s.Count != nil || len(s.Outer) > 0 {
		panic(tooMuch{})
	}
	y := newStraightener(s)
	y.writing, y.outer = x.writing, x
	var state [][]*kernel.Value
	for k, a := range s.Step.Result.Arrays() {
		state = append(state, x.room(s.States[k])[:a.Len()])
	}
	for i := range s.N {
		x.spend()
		next := y.step([]*kernel.Value{x.b.Int(int64(i))}, state)
		for k, numbers := range next {
			if s.All[k] {
				copy(x.elements[s.States[k]][(i+1)*len(numbers):], numbers)
			} else {
				copy(x.elements[s.States[k]], numbers)
			}
		}
		state = next
	}
}

// spend takes one off the statements that there may be.
func (x *straightener) spend() {
	if x.left--; x.left < 0 {
		panic(tooMuch{})
	}
}

func (x *straightener) stmts(body []kernel.Stmt) {
	for _, s := range body {
		x.spend()
		switch s := s.(type) {
		case *kernel.Let:
			x.made[s.Value] = x.compute(s.Value)
		case *kernel.Store:
			x.store(s)
		case *kernel.Loop:
			x.loop(s)
		}
	}
}

// loop writes out the runs of a loop one after the other.
func (x *straightener) loop(l *kernel.Loop) {
	for _, f := range l.Folds {
		switch {
		case f.Positional():
			panic(tooMuch{})
		case f.From != nil:
			x.made[f.Result] = x.value(f.From)
		default:
			x.made[f.Result] = x.b.Lit(f.Nothing())
		}
	}
	for _, c := range l.Carries {
		x.made[c.Value] = x.value(c.From)
	}
	for i := range l.N {
		x.spend()
		x.made[l.Var] = x.b.Int(int64(i))
		x.stmts(l.Body)
		for _, f := range l.Folds {
			x.made[f.Result] = x.add(x.b.Op(ops.Op{Sym: f.Step()}, f.Result.Elem, x.made[f.Result], x.value(f.Value)))
		}
		next := slice.Map(l.Carries, func(c kernel.Carry) *kernel.Value { return x.value(c.Next) })
		for k, c := range l.Carries {
			x.made[c.Value] = next[k]
		}
	}
	for _, c := range l.Carries {
		x.made[c.Result] = x.made[c.Value]
	}
}

// value is what a value of the step is.
func (x *straightener) value(v *kernel.Value) *kernel.Value { return x.b.There(v, x.made) }

func (x *straightener) compute(v *kernel.Value) *kernel.Value {
	switch v.Kind {
	case kernel.Load:
		return x.load(kernel.Access{Array: v.Array, At: slice.Map(v.At, x.value), Checked: v.Checked})
	case kernel.Compute:
		return x.add(x.b.Computed(v, x.value))
	}
	return x.value(v)
}

// add adds to the body what computes a value, with all that it is computed of.
func (x *straightener) add(v *kernel.Value) *kernel.Value {
	x.body = append(x.body, kernel.Computing(x.there, v)...)
	return v
}

// load is an element of an array of the step.
func (x *straightener) load(a kernel.Access) *kernel.Value {
	i := slices.Index(x.inputs, a.Array)
	switch {
	case a.Array.Role == kernel.Literal:
		x.literals = slice.With(x.literals, a.Array)
	case i >= 0 && x.of.Inputs[i].Array != nil:
		a.Array = x.of.Inputs[i].Array
		if x.outer != nil {
			return x.outer.load(a)
		}
	default:
		at, in := x.number(a)
		if elements := x.elements[a.Array]; in && elements != nil && elements[at] != nil {
			return elements[at]
		}
		return x.b.Lit(ops.ScalarZero(a.Array.Elem))
	}
	v := x.b.Load(a)
	v.Checked = v.Checked && a.Checked
	return x.add(v)
}

// number is which element of its array an access is to, if it is in range.
func (x *straightener) number(a kernel.Access) (i int, in bool) {
	if slices.ContainsFunc(a.At, func(v *kernel.Value) bool { return v.Kind != kernel.Lit }) {
		panic(tooMuch{})
	}
	for k, v := range a.At {
		if !kernel.FitsAxis(v, a.Array.Shape[k]) {
			return 0, false
		}
		i = i*a.Array.Shape[k] + int(v.Const.Int)
	}
	return i, true
}

func (x *straightener) store(s *kernel.Store) {
	at, in := x.number(kernel.Access{Array: s.Array, At: slice.Map(s.At, x.value)})
	if !in {
		return
	}
	elements := x.room(s.Array)
	v := x.value(s.Value)
	if s.Add {
		old := elements[at]
		if old == nil {
			old = x.b.Lit(ops.ScalarZero(s.Array.Elem))
		}
		v = x.add(x.b.Op(ops.Op{Sym: ops.SymAdd}, s.Array.Elem, old, v))
	}
	elements[at] = v
}

// room is where the elements of an array of the step are noted.
func (x *straightener) room(a *kernel.Array) []*kernel.Value {
	if x.elements[a] == nil {
		if a.Len() > maxStraight {
			panic(tooMuch{})
		}
		x.elements[a] = make([]*kernel.Value, a.Len())
	}
	return x.elements[a]
}
