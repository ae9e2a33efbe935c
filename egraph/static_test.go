package egraph

import (
	"slices"
	"testing"
)

// TestStatics matches patterns for static terms, of which some variables are known before.
func TestStatics(t *testing.T) {
	sig := NewSignature()
	a, b, c := sig.NewAtom(), sig.NewAtom(), sig.NewAtom()
	list := sig.ListOf
	variable := func(v int) *StaticPattern { return &StaticPattern{Kind: StaticVar, Var: v} }
	of := func(kids ...*StaticPattern) *StaticPattern { return &StaticPattern{Kind: StaticList, Kids: kids} }
	join := func(front, rest *StaticPattern) *StaticPattern {
		return &StaticPattern{Kind: StaticJoin, Var: 2, Kids: []*StaticPattern{front, rest}}
	}
	constant := &StaticPattern{Kind: StaticIs, Is: []int{0, 1}} // a or b
	none := []Static{0, 0, 0}
	for _, x := range []struct {
		name  string
		p     *StaticPattern
		known []Static
		in    Static
		want  []Static // nil if it does not match
	}{
		{"a variable", variable(0), none, a, []Static{a, 0, 0}},
		{"a known variable", variable(0), []Static{a, 0, 0}, a, []Static{a, 0, 0}},
		{"a variable that is something else", variable(0), []Static{b, 0, 0}, a, nil},
		{"a constant", constant, none, b, none},
		{"no constant", constant, none, c, nil},
		{"a list", of(variable(0), variable(1), variable(0)), none, list(a, b, a), []Static{a, b, 0}},
		{"a list in which two differ", of(variable(0), variable(0)), none, list(a, b), nil},
		{"a list that is too long", of(variable(0)), none, list(a, b), nil},
		{"an atom for a list", of(), none, a, nil},
		{"a front of one", join(of(variable(0)), variable(1)), none, list(a, b, c), []Static{a, list(b, c), 0}},
		{"a rest of one", join(variable(0), of(variable(1))), none, list(a, b, c), []Static{list(a, b), c, 0}},
		{"a front of one of nothing", join(of(variable(0)), variable(1)), none, list(), nil},
		{"a known front", join(variable(0), variable(1)), []Static{list(a), 0, 0}, list(a, b), []Static{list(a), list(b), 0}},
		{"another front", join(variable(0), variable(1)), []Static{list(b), 0, 0}, list(a, b), nil},
		{"a known rest", join(variable(0), variable(1)), []Static{0, list(b, c), 0}, list(a, b, c), []Static{list(a), list(b, c), 0}},
		{"a rest that is too long", join(variable(0), variable(1)), []Static{0, list(a, b), 0}, list(b), nil},
		{"parts of which no length is known", join(variable(0), variable(1)), none, list(a, b), []Static{0, 0, list(a, b)}},
		{"a whole that is something else", join(variable(0), variable(1)), []Static{0, 0, list(b)}, list(a, b), nil},
	} {
		s := &Statics{Sig: sig, Constants: []Static{a, b}, Vars: slices.Clone(x.known)}
		mark := s.mark()
		if ok := s.Match(x.p, x.in); ok != (x.want != nil) || ok && !slices.Equal(s.Vars, x.want) {
			t.Errorf("%s: %v, and variables stand for %v, wanted %v", x.name, ok, s.Vars, x.want)
		}
		if s.back(mark); !slices.Equal(s.Vars, x.known) {
			t.Errorf("%s: back at the mark variables stand for %v, not %v", x.name, s.Vars, x.known)
		}
	}
}

// TestStaticAlternatives matches e-nodes in two ways: a variable for what an operator carries
// stands for it in the alternative that says so, and for nothing in the other.
func TestStaticAlternatives(t *testing.T) {
	sig := NewSignature()
	carried := sig.NewAtom()
	sig.Slots, sig.Carries = 1, func(Op, int) Static { return carried }
	f, err := sig.AddHead(Head{Name: "f", Arity: 1})
	if err != nil {
		t.Fatal(err)
	}
	x, err := sig.AddHead(Head{Name: "x"})
	if err != nil {
		t.Fatal(err)
	}
	ops := make([]Op, 2)
	for i, h := range []HeadID{f, x} {
		if ops[i], err = sig.AddOp(h); err != nil {
			t.Fatal(err)
		}
	}
	g := New(sig)
	g.Add(ops[0], nil, nil, []Ref{g.Add(ops[1], nil, nil, nil)})
	leaf := &Pattern{Kind: PApp, Head: x, Position: 1}
	asks := &Pattern{Kind: PApp, Head: x, Position: 2, Statics: []*StaticPattern{{Kind: StaticVar}}}
	either := &Pattern{Kind: PEither, Kids: []*Pattern{asks, leaf}}
	prog, err := Compile(sig, &Pattern{Kind: PApp, Head: f, Kids: []*Pattern{either}}, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	var got []Static
	g.Matches(&Rule{Name: "r", Lhs: prog}, func(m *Match) bool {
		got = append(got, m.Static(0))
		return true
	})
	if !slices.Equal(got, []Static{carried, 0}) {
		t.Errorf("the variable stands for %v, wanted what is carried and then nothing", got)
	}
}
