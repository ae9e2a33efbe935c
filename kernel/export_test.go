package kernel

import (
	"fmt"
	"slices"
	"strings"

	"egad/term/ops"
)

// Shared has loops be shared wherever they may be, and in blocks of so many rows along every axis,
// which are chosen first or last.
func Shared(rows int, first bool) Sizes {
	return Sizes{rows: rows, axis: 2, eager: true, first: first}
}

// Spread is how many arrays of a program lie with room between their rows.
func (p *Program) Spread() int { return len(newPlan(p).Spreads) }

// InBlocks has loops be done in blocks of so many rows, for a machine whose memory is slow.
func InBlocks(rows int) Sizes {
	w := *ownWeights()
	w.of[secondBytes], w.of[costBeyond] = w.of[firstBytes], 100
	return Sizes{rows: rows, axis: 32, cache: 1, weights: &w}
}

// Recomputed has arrays be computed where they are read, if they may be.
func Recomputed() Sizes {
	in := Usual(nil)
	in.recompute = true
	return in
}

// Alone has one kernel for each array.
func Alone() Sizes { return Sizes{apart: true} }

// CheckCycles compares cyclic with a search of all that kernels need, for a set of passes of a
// program that choose chooses, after it has chosen passes for groups.
func CheckCycles(p *Program, choose func(n int) []int) error {
	f := newFuser(p)
	f.Sizes = Sizes{rows: 1, axis: 2, eager: true, weights: ownWeights()}
	for i := range p.Kernels {
		f.place(i)
	}
	some := func() (ps []*pass) {
		for _, i := range choose(len(f.passes)) {
			ps = append(ps, f.passes[i])
		}
		return ps
	}
	for range 2 {
		ps := some()
		if !slices.ContainsFunc(ps, func(p *pass) bool { return f.in[p.members[0].number] != nil }) && !f.cyclic(ps) {
			f.group(&group{passes: ps})
		}
	}
	in, own := make([]bool, len(p.Kernels)), make(map[*group]bool) // kernels of the set, and their groups
	ps := some()
	for _, p := range ps {
		for _, i := range p.numbers() {
			in[i], own[f.in[i]] = true, true
		}
	}
	// needs[i] is 1 if kernel i is run after one of the set, and 2 if it is so by a kernel
	// that is not in the set.
	needs := make([]int, len(p.Kernels))
	for again := true; again; {
		again = false
		note := func(i, n int) {
			if n > needs[i] {
				needs[i], again = n, true
			}
		}
		for i := range p.Kernels {
			for d := range i {
				after := slices.ContainsFunc(f.writes[d], func(a *Array) bool {
					return slices.Contains(f.reads[i], a) || slices.Contains(f.writes[i], a)
				}) || slices.ContainsFunc(f.reads[d], func(a *Array) bool { return slices.Contains(f.writes[i], a) })
				switch {
				case !after:
				case in[d]:
					note(i, 1)
				default:
					note(i, 2*min(1, needs[d]))
				}
			}
			if !in[i] { // what is run with it is run after that too
				for _, j := range f.together(i, !own[f.in[i]]) {
					note(i, needs[j])
				}
			}
		}
	}
	want := false
	for i, n := range needs {
		want = want || in[i] && n == 2
	}
	if got := f.cyclic(ps); got != want {
		return fmt.Errorf("cyclic is %t for the passes of kernels %v\n%s", got, in, p)
	}
	return nil
}

// Share has loops of a program be shared, and folds and blocks be made of parts, however
// short they are.
func (p *Program) Share() {
	w := *p.costs()
	for _, i := range []weight{costShare, costParts, costFirst, costSecond, costBeyond} {
		w.of[i] = 0
	}
	p.weights = &w
}

// PartsOfBlocks is of how many parts the loops of blocks of a program are in machine code.
func (p *Program) PartsOfBlocks() int {
	n := 0
	for _, k := range p.InCode(false).Kernels {
		Walk(k.Body, func(s Stmt) {
			if l, ok := s.(*Loop); ok && l.Order == Parts {
				n += l.N
			}
		})
	}
	return n
}

// Unmasked is how many loops are done without a mask first.
func (p *Program) Unmasked() int {
	n := 0
	for _, k := range p.Kernels {
		_, masked := newZeroes(p).unmask(k.Body)
		n += len(masked)
	}
	return n
}

// WeightWords are the words of weights that are no operators.
var WeightWords = weightWords

// Cleared is how many arrays machine code of a program fills with zeros before kernels.
func (p *Program) Cleared() int {
	n := 0
	for _, z := range newPlan(p.InCode(false)).Zeroed {
		n += len(z)
	}
	return n
}

// Apart is how many more loops there are where nests of a program, and of its loops, are taken apart.
func (p *Program) Apart() int { return p.apartIn(1) }

func (p *Program) apartIn(runs int) int {
	n := 0
	for _, k := range p.Kernels {
		if k.Steps != nil {
			n += k.Steps.Step.apartIn(runsIn(runs, k.Steps.N))
		}
		w := p.costs()
		n += loopsOf(w.interior(k.Body, false, runs))
		for _, s := range k.Body {
			if l, ok := s.(*Loop); ok && !l.Order.Whole() {
				s = w.rowwise(l, false)
			}
			n -= loopsOf([]Stmt{s})
		}
	}
	return n
}

// loopsOf is how many loops there are in a body.
func loopsOf(body []Stmt) (n int) {
	Walk(body, func(s Stmt) {
		if _, ok := s.(*Loop); ok {
			n++
		}
	})
	return n
}

// Rowwise is how many loops of a program machine code has over rows, and how many divisions
// of indices are left in these.
func (p *Program) Rowwise() (loops, divisions int) {
	for _, k := range p.Kernels {
		for _, s := range k.Body {
			l, ok := s.(*Loop)
			if !ok {
				continue
			}
			r := p.costs().rowwise(l, false)
			if r == l {
				continue
			}
			loops++
			Walk(placed([]Stmt{r}), func(s Stmt) {
				if let, ok := s.(*Let); ok && (let.Value.Op == ops.SymIdiv || let.Value.Op == ops.SymMod) {
					divisions++
				}
			})
		}
	}
	return loops, divisions
}

// Remembering are weights of egad by which each nest of loops is estimated once.
func Remembering() *Weights { return ownWeights().Remembering() }

// OwnWeights are those of egad.
func OwnWeights() *Weights { return ownWeights() }

// Costs are the times of the kernels of a program by weights.
func (p *Program) Costs(w *Weights) []float64 {
	var out []float64
	for _, k := range p.Kernels {
		if k.Steps != nil {
			out = append(out, k.Steps.Step.Costs(w)...)
		}
		out = append(out, w.cost(k.Body))
	}
	return out
}

// ByItself reports whether machine code that is not exact runs a kernel of a step by itself.
func (s *Steps) ByItself(k *Kernel) bool {
	return slices.ContainsFunc(s.updated().Kernels, func(x *Kernel) bool { return x == k || x.of == k })
}

// Fewer is how many kernels less the steps of a program's loops have if they change states
// where they lie.
func (p *Program) Fewer() (n int) {
	for _, k := range p.Kernels {
		if k.Steps != nil {
			n += len(k.Steps.Step.Kernels) - len(k.Steps.updated().Kernels)
		}
	}
	return n
}

// Summed is how many kernels of a program there are and how many in machine code that is not exact,
// and how many arrays these write.
func (p *Program) Summed() (kernels, now, arrays int) {
	q, seen := p.Updated(), make(map[*Array]bool)
	for _, k := range q.Kernels {
		for _, a := range k.Writes() {
			seen[a] = true
		}
	}
	return len(p.Kernels), len(q.Kernels), len(seen)
}

// Weigh has the code of a program be chosen by weights.
func (p *Program) Weigh(w *Weights) { p.weights = w }

// Schedule says how machine code runs a kernel of the program: the order of its loops where
// they are nested in another one than that in which they are printed, the loops whose runs
// go in vectors or in lock step, and what is put into panels.
func (p *Program) Schedule(k *Kernel, exact bool) string {
	if p == nil || k == nil || k.Steps != nil || k.Calls() {
		return ""
	}
	s := newSchedule(p.costs(), newZeroes(p), k, exact)
	var out []string
	Walk(s.Body, func(st Stmt) {
		l, ok := st.(*Loop)
		switch {
		case !ok:
		case s.Lanes[l] > 0:
			out = append(out, fmt.Sprintf("%s by vectors, %d at once", l.Name, s.Lanes[l]))
		case s.Rows[l] > 0:
			out = append(out, fmt.Sprintf("%s by %d in lock step", l.Name, s.Rows[l]))
		default:
			out = append(out, l.Name+" one by one")
		}
	})
	for _, p := range s.Panels {
		for _, v := range p.Values {
			if v.Kind == Load {
				out = append(out, "a panel of "+v.Array.Name)
			} else {
				out = append(out, "a panel of "+ops.Builtin(v.Op).Name)
			}
		}
	}
	return strings.Join(out, "; ")
}

// CheckedFirst is how many loops of a program in machine code check first whether indices are in range, and how many
// accesses are checked where they are.
func (p *Program) CheckedFirst() (loops, checked int) {
	for _, k := range p.Kernels {
		Walk(k.Body, func(s Stmt) {
			l, ok := s.(*Loop)
			if !ok {
				return
			}
			if c := l.checkedFirst(); c != nil {
				loops++
				Accesses(c.All.Body, func(a Access) {
					if a.Checked {
						checked++
					}
				})
			}
		})
	}
	return loops, checked
}

// InCode is a program as machine code does it, with short steps as loops of kernels.
func (p *Program) InCode(exact bool) *Program {
	if !exact {
		p = p.Updated().Partial(1)
	}
	return p.Joined(exact)
}

// Rare is, of each loop of a kernel that jumps over what a rare choice is for, how many statements are left then.
func (p *Program) Rare(k *Kernel) (never []int) {
	for _, r := range newSchedule(p.costs(), newZeroes(p), k, true).Rare {
		never = append(never, len(r.Never))
	}
	return never
}

// Bound notes at loops of a program which of their runs need not be done, and puts loops that are idle for some apart.
func (p *Program) Bound() { p.idle(p.bound(nil), ownWeights()) }
