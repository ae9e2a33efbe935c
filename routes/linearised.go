package routes

import (
	"fmt"

	"egad/ad"
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// linearised is what the changes of an operator's results are made of: steps, the last of
// which are those results.
type linearised struct {
	steps [][]localUse // each the sum of these
	// operands are those of the constructors, as a program of the operands and the result
	// of the operator: nothing, one value, or a tuple of count values.
	operands *term.Program
	count    int
	// out tells which Delta is that of each array of reals in the result; -1 is Zero.
	// They are numbered from the leaves of the operands on.
	out []int
}

// localUse is a Delta, by its number, or a sum, through local maps, the last one first.
type localUse struct {
	of  int
	sum []localUse // if not empty, in the place of a Delta
	by  []*localMap
}

// localMap is a local map as constructors.
type localMap struct {
	kind mapKind
	p, q []*localMap // of add: each a composition, the last one first
	con  *constructor
	at   []int // the operands of con
	to   *types.Type
}

type mapKind uint8

const (
	mapZero mapKind = iota
	mapOne
	mapAdd
	mapLinear
)

// linearise finds the local maps of an operator by the operands that change, which are
// marked x.
func linearise(cons *constructors, p *term.Program, changing []byte) (*linearised, error) {
	wrt := []string{}
	for i, in := range p.Inputs {
		if changing[i] == 'x' {
			wrt = append(wrt, in.Name)
		}
	}
	j, err := ad.Linearise(cons.lib, p, wrt)
	if err != nil {
		return nil, err
	}
	s := j.Prog.Store
	at := make(map[string]int)
	number := 0
	for _, leaf := range term.Leaves(p.Inputs) {
		at[term.TermKey(s.Input(leaf))] = number
		number++
	}
	r := &mapReader{cons: cons, s: s, index: make(map[string]int)}
	out := &linearised{}
	err = overflow.Guard(func() error {
		for _, step := range j.Steps() {
			var uses []chain
			for _, u := range step.Uses {
				of, ok := at[term.TermKey(u.Of)]
				if !ok {
					return fmt.Errorf("the change of an operand of %s is not known", p.Name)
				}
				uses = append(uses, chain{of, r.factors(u.Map, nil)})
			}
			out.steps = append(out.steps, r.sum(uses))
			at[term.TermKey(step.Term)] = number
			number++
		}
		for _, t := range j.Out {
			n, ok := at[term.TermKey(t)]
			if !ok {
				n = -1
			}
			out.out = append(out.out, n)
		}
		out.count = len(r.operands)
		out.operands = r.program(p, j.Prog.Root)
		return nil
	})
	return out, err
}

// mapReader takes local maps apart.
type mapReader struct {
	cons     *constructors
	s        *term.Store
	operands []term.Term
	index    map[string]int // of operands
}

// chain is a Delta, by its number, through maps, the last one first.
type chain struct {
	of   int
	maps []term.Term
}

// factors are the maps that a composition is made of, the last one first.
func (r *mapReader) factors(m term.Term, into []term.Term) []term.Term {
	v := r.s.Open(m)
	if v.Op.Sym != ops.SymLcompose {
		return append(into, m)
	}
	return r.factors(v.Kids[1], r.factors(v.Kids[0], into))
}

// sum is the sum of chains. Those that end in the same map have it once, after their sum:
// a loop is one map of all that it takes from outside, and runs back once.
func (r *mapReader) sum(of []chain) []localUse {
	var out []localUse
	for len(of) > 0 {
		first := of[0]
		var same, others []chain
		for _, c := range of {
			if len(first.maps) > 0 && len(c.maps) > 0 && c.maps[0].Equal(first.maps[0]) {
				same = append(same, chain{c.of, c.maps[1:]})
			} else {
				others = append(others, c)
			}
		}
		if len(same) > 1 {
			out = append(out, localUse{sum: r.sum(same), by: []*localMap{r.read(first.maps[0])}})
			of = others
			continue
		}
		out = append(out, localUse{of: first.of, by: slice.Map(first.maps, r.read)})
		of = of[1:]
	}
	return out
}

func (r *mapReader) read(m term.Term) *localMap {
	v := r.s.Open(m)
	out := &localMap{kind: mapLinear, to: r.s.Type(m).Parts[1]}
	switch v.Op.Sym {
	case ops.SymLzero:
		out.kind = mapZero
	case ops.SymLone:
		out.kind = mapOne
	case ops.SymLadd:
		out.kind = mapAdd
		out.p, out.q = slice.Map(r.factors(v.Kids[0], nil), r.read), slice.Map(r.factors(v.Kids[1], nil), r.read)
	default:
		con, at := r.cons.of(r.s, m)
		out.con = con
		for _, t := range at {
			out.at = append(out.at, memo.Place(r.index, &r.operands, term.TermKey(t), t))
		}
	}
	return out
}

// program is that of the operands, in which the result of the operator is an input.
func (r *mapReader) program(p *term.Program, root term.Term) *term.Program {
	if len(r.operands) == 0 {
		return nil
	}
	inputs := append(p.Inputs[:len(p.Inputs):len(p.Inputs)], term.Input{Name: "self", Type: p.Store.Type(p.Root)})
	self := r.s.Input(inputs[len(p.Inputs)])
	t := r.operands[0]
	if len(r.operands) > 1 {
		t = r.s.Apply(ops.SymTuple, r.operands...)
	}
	t = r.s.Replace(t, func(t term.Term) (term.Term, bool) { return self, t.Equal(root) })
	return small(r.s, t, inputs)
}

// operands are the values of those of the constructors.
func operands[V any](alg eval.Algebra[V], l *linearised, xs []V) ([]V, error) {
	if l.count == 0 {
		return nil, nil
	}
	v, err := evaluate(alg, l.operands, xs)
	if err != nil || l.count == 1 {
		return []V{v}, err
	}
	out := make([]V, l.count)
	for i, t := range l.operands.Store.Type(l.operands.Root).Parts {
		if out[i], err = alg.Apply(ops.Op{Sym: ops.SymProj, N: i}, []V{v}, nil, t); err != nil {
			return nil, err
		}
	}
	return out, nil
}
