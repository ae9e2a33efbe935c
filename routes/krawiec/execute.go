package krawiec

import (
	"errors"
	"math"

	"egad/fun"
	"egad/internal/raise"
)

// The bounds of a run of code: how many calls may be open, and how many registers they take.
const (
	mostFrames    = 400_000
	mostRegisters = 1 << 25
)

// frame is a call that is open.
type frame struct {
	code        *code
	next        int
	words, refs int // where its registers begin
}

// thread runs code.
type thread struct {
	m      *fun.Machine
	state  *run
	words  []uint64
	refs   []*object
	frames []frame
}

// execute applies the code of a closed function of a type to a value.
func execute(m *fun.Machine, f *code, x fun.Value, of *fun.Type) fun.Value {
	t := &thread{m: m, state: stateOf(m)}
	outer := t.state.binds
	defer func() { t.state.binds = outer }()
	m.Step(1) // of the function, which a machine would make
	t.reserve(0, 0, f)
	f.put(x, of.Parts[0], t.words[f.argument.words:], t.refs[f.argument.refs:])
	t.run(f)
	return f.get(of.Parts[1], t.words, t.refs)
}

// reserve makes registers for a frame that begins at a place.
func (t *thread) reserve(words, refs int, f *code) {
	words, refs = words+int(f.frame.words), refs+int(f.frame.refs)
	if max(words, refs) > mostRegisters {
		raise.Error(&fun.StoppedError{Most: mostRegisters, What: "registers of calls inside each other"})
	}
	if words > len(t.words) {
		t.words = append(t.words, make([]uint64, max(words, 256))...)
	}
	if refs > len(t.refs) {
		t.refs = append(t.refs, make([]*object, max(refs, 256))...)
	}
}

// enter writes what a function has captured into its frame.
func (g *object) enter(words []uint64, refs []*object) {
	to := g.code
	for k, w := range g.words {
		words[int(to.captured.words)+k] = w
	}
	for k, r := range g.refs {
		refs[int(to.captured.refs)+k] = r
	}
	if to.recursive {
		refs[to.self] = g
	}
}

// run runs the code of a function, the argument of which is in the first frame, until it
// returns; the result is there then.
func (t *thread) run(f *code) {
	m, state := t.m, t.state
	var tape *Tape
	atW, atR := 0, 0
	words, refs := t.words, t.refs
	for pc := 0; ; pc++ {
		i := &f.ins[pc]
		switch i.op {
		case opSteps:
			state.made += int64(i.b)
			m.Step(int64(i.a))
		case opConst:
			words[i.a] = f.constants[i.b]
		case opWords:
			for k := range i.c {
				words[i.a+k] = words[i.b+k]
			}
		case opRefs:
			for k := range i.c {
				refs[i.a+k] = refs[i.b+k]
			}
		case opJump:
			pc = int(i.a) - 1
		case opBranch:
			if words[i.a] != 0 {
				pc = int(i.b) - 1
			}
		case opFail:
			raise.Error(f.errs[i.a])

		case opAdd:
			words[i.a] = bits(float(words[i.b]) + float(words[i.c]))
		case opSub:
			words[i.a] = bits(float(words[i.b]) - float(words[i.c]))
		case opMul:
			words[i.a] = bits(float(words[i.b]) * float(words[i.c]))
		case opDiv:
			words[i.a] = bits(float(words[i.b]) / float(words[i.c]))
		case opNeg:
			words[i.a] = bits(-float(words[i.b]))
		case opLess:
			words[i.a] = truth(float(words[i.b]) < float(words[i.c]))
		case opUnary:
			words[i.a] = f.unary[i.d](words[i.b])
		case opBinary:
			words[i.a] = f.binary[i.d](words[i.b], words[i.c])
		case opSelect:
			if words[i.b] == 0 {
				words[i.a] = words[i.c]
			} else {
				words[i.a] = words[i.d]
			}
		case opSign:
			switch x := float(words[i.b]); {
			case x < 0:
				words[i.a], words[i.a+1] = 0, 0
			case x > 0:
				words[i.a], words[i.a+1] = 0, 1
			default:
				words[i.a] = 1
			}

		case opClosure:
			of := &f.closures[i.b]
			g := &object{code: of.code}
			for _, s := range of.captured {
				g.words = append(g.words, words[s.words:s.words+s.shape.words]...)
				g.refs = append(g.refs, refs[s.refs:s.refs+s.shape.refs]...)
			}
			refs[i.a] = g
		case opCall:
			g := refs[i.a]
			to := g.code
			if len(t.frames) == mostFrames {
				raise.Error(&fun.StoppedError{Most: mostFrames, What: "calls inside each other"})
			}
			t.frames = append(t.frames, frame{f, pc, atW, atR})
			w, r := int(f.frame.words), int(f.frame.refs)
			t.reserve(atW+w, atR+r, to)
			words, refs = t.words[atW:], t.refs[atR:]
			copyWords(words[w+int(to.argument.words):], words[i.b:], to.argument.shape.words)
			copyRefs(refs[r+int(to.argument.refs):], refs[i.c:], to.argument.shape.refs)
			atW, atR, words, refs = atW+w, atR+r, words[w:], refs[r:]
			g.enter(words, refs)
			f, pc = to, -1
		case opTail:
			g := refs[i.a]
			to := g.code
			t.reserve(atW, atR, to)
			words, refs = t.words[atW:], t.refs[atR:]
			copy(words[to.argument.words:], words[i.b:i.b+to.argument.shape.words])
			copy(refs[to.argument.refs:], refs[i.c:i.c+to.argument.shape.refs])
			g.enter(words, refs)
			f, pc = to, -1
		case opReturn:
			if len(t.frames) == 0 {
				return
			}
			clear(refs[f.result.refs:f.frame.refs])
			back := t.frames[len(t.frames)-1]
			t.frames = t.frames[:len(t.frames)-1]
			f, pc, atW, atR = back.code, back.next, back.words, back.refs
			words, refs = t.words[atW:], t.refs[atR:]
		case opBox:
			s := f.parts[i.d]
			box := &object{words: make([]uint64, s.shape.words), refs: make([]*object, s.shape.refs)}
			copy(box.words, words[i.b:])
			copy(box.refs, refs[i.c:])
			refs[i.a] = box
		case opUnbox:
			s, box := f.parts[i.d], refs[i.c]
			copyWords(words[i.a:], box.words[s.words:], s.shape.words)
			copyRefs(refs[i.b:], box.refs[s.refs:], s.shape.refs)
		case opArray:
			raise.Must(fun.Floats().Count(int64(words[i.b])))
			refs[i.a] = &object{}
		case opAppend:
			s, a := f.parts[i.d].shape, refs[i.a]
			a.n++
			a.words = append(a.words, words[i.b:i.b+s.words]...)
			a.refs = append(a.refs, refs[i.c:i.c+s.refs]...)
		case opIndex:
			e, a, at := &f.elements[i.e], refs[i.a], int64(words[i.b])
			if at < 0 || at >= int64(a.n) {
				raise.Error(e.err)
				a, at = e.outside, 0
			}
			copyWords(words[i.c:], a.words[at*int64(e.words):], e.words)
			copyRefs(refs[i.d:], a.refs[at*int64(e.refs):], e.refs)
		case opLength:
			words[i.a] = uint64(refs[i.b].n)
		case opUntil:
			if int64(words[i.a]) >= int64(words[i.b]) {
				pc = int(i.c) - 1
			}
		case opNext:
			words[i.a]++
			pc = int(i.b) - 1
		case opReduction:
			a := refs[i.b]
			if a.n == 0 {
				raise.Error(errors.New("reduce of an empty array"))
			}
			refs[i.a] = &object{other: &reduction{shape: f.parts[i.d].shape, of: a, todo: []int{a.n}}}
		case opPairs:
			if !refs[i.a].other.(*reduction).pair(words[i.b:], refs[i.c:]) {
				pc = int(i.d) - 1
			}
		case opCombined:
			refs[i.a].other.(*reduction).push(words[i.b:], refs[i.c:])

		case opBind:
			state.bound()
			id := tape.begin()
			made := &f.templates[i.b]
			to := tape.words.Grow(len(made.words))
			for k, w := range made.words {
				to[k] = w.base + w.times*int32(words[w.id])
			}
			by := tape.factors.Grow(len(made.factors))
			for k, at := range made.factors {
				by[k] = float(words[at])
			}
			words[i.a] = uint64(id)
		case opLet:
			state.bound()
			words[i.a] = uint64(tape.begin())
		case opAddDelta:
			tape.open.words = append(tape.open.words, wordAdd)
		case opScale:
			tape.open.scale(float(words[i.a]))
		case opVar:
			tape.open.id(int32(words[i.a]))
		case opBound:
			tape.end()
		case opBegin:
			tape = &Tape{First: int(words[i.a])}
			state.binds = tape
		case opEnd:
			refs[i.a] = &object{other: tape}
		case opForeign:
			t.evaluate(f, &f.foreign[i.a], words, refs)
		}
	}
}

// evaluate has a form evaluated by a machine.
func (t *thread) evaluate(f *code, form *foreign, words []uint64, refs []*object) {
	env := make([]fun.Value, len(form.operands), len(form.operands)+16)
	for k, s := range form.operands {
		env[k] = f.get(form.types[k], words[s.words:], refs[s.refs:])
	}
	eval := t.m.Value
	if form.term.Form.Run != nil {
		eval = t.m.Result
	}
	f.put(eval(form.term, env), form.of, words[form.result.words:], refs[form.result.refs:])
}

// pair gives the next two neighbours to be combined; if there are none, it gives the result.
func (r *reduction) pair(words []uint64, refs []*object) bool {
	for len(r.todo) > 0 {
		n := r.todo[len(r.todo)-1]
		r.todo = r.todo[:len(r.todo)-1]
		switch n {
		case 0:
			r.pop(2, words, refs)
			return true
		case 1:
			r.push(r.of.words[r.next*int(r.shape.words):], r.of.refs[r.next*int(r.shape.refs):])
			r.next++
		default:
			r.todo = append(r.todo, 0, n/2, (n+1)/2)
		}
	}
	r.pop(1, words, refs)
	return false
}

// push pushes an element.
func (r *reduction) push(words []uint64, refs []*object) {
	r.words = append(r.words, words[:r.shape.words]...)
	r.refs = append(r.refs, refs[:r.shape.refs]...)
}

// pop takes the last n elements.
func (r *reduction) pop(n int, words []uint64, refs []*object) {
	w, k := len(r.words)-n*int(r.shape.words), len(r.refs)-n*int(r.shape.refs)
	copy(words, r.words[w:])
	copy(refs, r.refs[k:])
	r.words, r.refs = r.words[:w], r.refs[:k]
}

// copyWords and copyRefs copy a few registers, faster than copy.
func copyWords(to, from []uint64, n int32) {
	for k := range n {
		to[k] = from[k]
	}
}

func copyRefs(to, from []*object, n int32) {
	for k := range n {
		to[k] = from[k]
	}
}

func float(w uint64) float64 { return math.Float64frombits(w) }
func bits(x float64) uint64  { return math.Float64bits(x) }

// truth is the tag of a truth value.
func truth(is bool) uint64 {
	if is {
		return 0
	}
	return 1
}
