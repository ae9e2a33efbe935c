package krawiec

import (
	"fmt"
	"strings"

	"egad/fun"
	"egad/internal/raise"

	"egad/term"
)

// DeltaKind is a constructor of Deltas (Figs. 7 and 10).
type DeltaKind uint8

// The constructors.
const (
	Zero DeltaKind = iota
	OneHot
	Scale
	Add
	Var
	Let
	If // on terms alone, where it is not known which one it is
)

// Delta describes how a real changes with the inputs.
type Delta struct {
	Kind DeltaKind
	X    float64 // of Scale
	ID   int     // of OneHot, Var and Let
	A, B *Delta  // of Scale A, of Add both; Let ID A B binds A in B; If is A or B
	// By is the factor of a Scale of a run on terms, and the condition of If.
	By *term.Term
}

var zero = &Delta{}

// String writes a Delta, a Let a line (Fig. 12).
func (d *Delta) String() string {
	var b strings.Builder
	for ; d.Kind == Let; d = d.B {
		fmt.Fprintf(&b, "Let %d = ", d.ID)
		d.A.write(&b, false)
		b.WriteString(" in\n")
	}
	d.write(&b, false)
	return b.String()
}

func (d *Delta) write(b *strings.Builder, inside bool) {
	if d.Kind == Zero {
		b.WriteString("Zero")
		return
	}
	if inside {
		b.WriteByte('(')
	}
	switch d.Kind {
	case OneHot:
		fmt.Fprintf(b, "OneHot %d", d.ID)
	case Var:
		fmt.Fprintf(b, "Var %d", d.ID)
	case Let:
		fmt.Fprintf(b, "Let %d ", d.ID)
	case Scale:
		fmt.Fprintf(b, "Scale %.6g ", d.X)
	case Add:
		b.WriteString("Add ")
	}
	if d.A != nil {
		d.A.write(b, true)
	}
	if d.B != nil {
		b.WriteByte(' ')
		d.B.write(b, true)
	}
	if inside {
		b.WriteByte(')')
	}
}

// evaluator evaluates Deltas: it counts how often a Delta is looked at,
// and keeps in a list of its own what is left to do, so that a Delta may be as deep as memory
// allows.
type evaluator struct {
	visits int64
	most   int64
	ended  func() error
	todo   []pending
	// factors are those of the right sides of Adds in a binding of a [Tape].
	factors []float64
}

// pending is a Delta to evaluate by a factor; or with bound set, what a Let binds, to evaluate
// by what its variable has come to.
type pending struct {
	x     float64
	d     *Delta
	bound bool
}

func (e *evaluator) tooMany() { raise.Error(&fun.StoppedError{Most: e.most, What: "visits"}) }

func (e *evaluator) visit() {
	if e.visits++; e.visits > e.most {
		e.tooMany()
	}
	if e.ended != nil && e.visits&(1<<12-1) == 0 {
		raise.Error(e.ended())
	}
}

func (e *evaluator) push(x float64, d *Delta) { e.todo = append(e.todo, pending{x: x, d: d}) }

func (e *evaluator) pop() pending {
	p := e.todo[len(e.todo)-1]
	e.todo = e.todo[:len(e.todo)-1]
	return p
}

// Map is a DeltaMap (Fig. 10): what each id contributes.
type Map map[int]float64

// eval adds x times a Delta to v, for each OneHot, and to um, for each Var, in place (Figs. 8 and
// 10): of a Let first the body, and then what it binds, by the sum that the body has left for it,
// if it has left one.
func (e *evaluator) eval(x float64, d *Delta, v []float64, um Map) {
	for e.push(x, d); len(e.todo) > 0; {
		p := e.pop()
		x, d := p.x, p.d
		if p.bound {
			y, ok := um[d.ID]
			if !ok {
				continue
			}
			delete(um, d.ID)
			x, d = y, d.A
		}
		e.visit()
		switch d.Kind {
		case OneHot:
			v[d.ID-1] += x
		case Scale:
			e.push(float64(x*d.X), d.A)
		case Add:
			e.push(x, d.B)
			e.push(x, d.A)
		case Var:
			um[d.ID] += x
		case Let:
			e.todo = append(e.todo, pending{d: d, bound: true})
			e.push(x, d.B)
		}
	}
}
