package match

import (
	"fmt"

	"egad/diag"
	"egad/egraph"
	"egad/rules"
	"egad/slot"
	"egad/term/ops"
	"egad/term/types"
)

// builder computes attributes and builds right sides under a match.
type builder struct {
	space Space
	m     *Match
	place int // the place in a spread
	// left is set while the left side of an instance is built: it knows what
	// the pattern leaves open.
	left *Left
	lets map[string]*types.Type // of let-bound variables in scope
	// find, if it is not nil, looks terms up, and adds none.
	find Finder
	// typed, unless it is nil, decides conditions about types, which may bind something.
	typed func(*rules.Cond, *types.Type) bool
	// integers says that sizes are computed as integers, which may be negative.
	integers bool
}

// failure ends the building of a right side: the rule does not apply. A
// mistake in the rule is told apart from a function that has no value.
type failure struct {
	msg     string
	mistake bool
}

// failed is the failure that was recovered, if there is one. Another panic goes on.
func failed(recovered any) (f failure, is bool) {
	if f, is = recovered.(failure); !is && recovered != nil {
		panic(recovered)
	}
	return f, is
}

func (b *builder) fail(format string, args ...any) {
	panic(failure{fmt.Sprintf(format, args...), true})
}

// noValue says that a function has no value here, as fold of a division by 0.
func (b *builder) noValue(what string) { panic(failure{what, false}) }

// A Bounded is a space that notes where a rule is kept out, since what it would make is larger than
// may be.
type Bounded interface {
	KeepOut(r *rules.Rule, what string)
}

// tooLarge leaves a function without a value that would be larger than may be.
func (b *builder) tooLarge(what string) {
	if s, ok := b.space.(Bounded); ok && b.find == nil {
		s.KeepOut(b.m.Rule, what)
	}
	b.noValue(what)
}

// Mistake is an error of a rule that shows when it is applied.
type Mistake struct {
	Rule *rules.Rule
	Msg  string
}

func (e *Mistake) Error() string {
	return diag.Errorf(e.Rule.Src, e.Rule.Pos, "rule %s: %s", e.Rule.Name, e.Msg).Error()
}

func (b *builder) guard(f func()) (ok bool, err error) {
	defer func() {
		if f, is := failed(recover()); is {
			ok = false
			if f.mistake {
				err = &Mistake{b.m.Rule, f.msg}
			}
		}
	}()
	f()
	return true, nil
}

func (b *builder) make(op ops.Op, own, binders []slot.Name, kids []slot.Ref) slot.Ref {
	if b.find != nil {
		r, ok := b.find.Lookup(op, own, binders, kids)
		if !ok {
			b.noValue("it is not in the e-graph")
		}
		return r
	}
	if len(kids) > egraph.MaxArity { // as a list of attributes that is too long
		b.tooLarge(fmt.Sprintf("an operator with more than %d operands", egraph.MaxArity))
	}
	r, err := b.space.Make(op, own, binders, kids)
	if err != nil {
		b.fail("builds an ill-typed term: %s", err.Msg)
	}
	return r
}

// value is what a metavariable stands for.
func (b *builder) value(name string) *Variable {
	x := b.m.Get(name)
	if x == nil {
		b.fail("%s has no value", name)
	}
	return x
}

// ask calls f with a builder at the match. A mistake in the rule is an error.
func (m *Match) ask(s Space, f func(b *builder)) (err error) {
	defer func() {
		if f, is := failed(recover()); is {
			err = &Mistake{m.Rule, f.msg}
		}
	}()
	f(&builder{space: s, m: m})
	return nil
}
