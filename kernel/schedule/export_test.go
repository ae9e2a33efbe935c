package schedule

import (
	"fmt"
	"strings"

	"egad/kernel"
	"egad/kernel/sparsity"
	"egad/term/ops"
)

// Apart is how many more loops there are where nests of a program, and of its loops, are taken apart.
func Apart(p *kernel.Program) int { return apartIn(p, 1) }

func apartIn(p *kernel.Program, runs int) int {
	n := 0
	for _, k := range p.Kernels {
		if k.Steps != nil {
			n += apartIn(k.Steps.Step, runsIn(runs, k.Steps.N))
		}
		w := p.Costs()
		n += loopsOf(Interior(w, k.Body, false, runs))
		for _, s := range k.Body {
			if l, ok := s.(*kernel.Loop); ok && !l.Order.Whole() {
				s = rowwise(w, l, false)
			}
			n -= loopsOf([]kernel.Stmt{s})
		}
	}
	return n
}

// loopsOf is how many loops there are in a body.
func loopsOf(body []kernel.Stmt) (n int) {
	kernel.Walk(body, func(s kernel.Stmt) {
		if _, ok := s.(*kernel.Loop); ok {
			n++
		}
	})
	return n
}

// Rowwise is how many loops of a program machine code has over rows, and how many divisions
// of indices are left in these.
func Rowwise(p *kernel.Program) (loops, divisions int) {
	for _, k := range p.Kernels {
		for _, s := range k.Body {
			l, ok := s.(*kernel.Loop)
			if !ok {
				continue
			}
			r := rowwise(p.Costs(), l, false)
			if r == l {
				continue
			}
			loops++
			kernel.Walk(placed([]kernel.Stmt{r}), func(s kernel.Stmt) {
				if let, ok := s.(*kernel.Let); ok && (let.Value.Op == ops.SymIdiv || let.Value.Op == ops.SymMod) {
					divisions++
				}
			})
		}
	}
	return loops, divisions
}

// Written is how many loops of a kernel machine code has of which each run is written for itself.
func Written(p *kernel.Program, k *kernel.Kernel) int {
	return len(newSchedule(p.Costs(), sparsity.NewZeroes(p), k, false, false).Written)
}

// Describe says how machine code runs a kernel of the program: the order of its loops where
// they are nested in another one than that in which they are printed, the loops whose runs
// go in vectors or in lock step, and what is put into panels.
func Describe(p *kernel.Program, k *kernel.Kernel, exact bool) string {
	if p == nil || k == nil || k.Steps != nil || k.Calls() {
		return ""
	}
	s := newSchedule(p.Costs(), sparsity.NewZeroes(p), k, exact, false)
	var out []string
	kernel.Walk(s.Body, func(st kernel.Stmt) {
		l, ok := st.(*kernel.Loop)
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
			if v.Kind == kernel.Load {
				out = append(out, "a panel of "+v.Array.Name)
			} else {
				out = append(out, "a panel of "+ops.Builtin(v.Op).Name)
			}
		}
	}
	return strings.Join(out, "; ")
}

// CheckedFirstOf is how many loops of a program in machine code check first whether indices are in range, and how many
// accesses are checked where they are.
func CheckedFirstOf(p *kernel.Program) (loops, checked int) {
	for _, k := range p.Kernels {
		kernel.Walk(k.Body, func(s kernel.Stmt) {
			l, ok := s.(*kernel.Loop)
			if !ok {
				return
			}
			if c := checkedFirst(l, false); c != nil {
				loops++
				kernel.Accesses(c.All.Body, func(a kernel.Access) {
					if a.Checked {
						checked++
					}
				})
			}
		})
	}
	return loops, checked
}

// RareOf is, of each loop of a kernel that jumps over what a rare choice is for, how many statements are left then.
func RareOf(p *kernel.Program, k *kernel.Kernel) (never []int) {
	for _, r := range newSchedule(p.Costs(), sparsity.NewZeroes(p), k, true, false).Rare {
		never = append(never, len(r.Never))
	}
	return never
}

// Products is how many products of matrices a program has that machine code computes as such.
func Products(p *kernel.Program) int { return products(Contracted(p)) }

func products(p *kernel.Program) (n int) {
	x := NewScheduler(p, false, true)
	for _, k := range p.Kernels {
		switch {
		case k.Steps != nil:
			n += products(k.Steps.Step)
		case !k.Calls():
			for _, piece := range x.Pieces(k) {
				n += len(x.Schedule(piece).Contracted)
			}
		}
	}
	return n
}

// FoldsCheckedFirst is how many loops that add up check first whether indices are in range, as a program is run.
func FoldsCheckedFirst(p *kernel.Program) (n int) {
	for _, k := range p.Kernels {
		for l := range newSchedule(p.Costs(), sparsity.NewZeroes(p), k, false, false).First {
			if len(l.Folds) > 0 {
				n++
			}
		}
	}
	return n
}

// LoopsInCode is how many loops machine code has in the place of those of a kernel.
func LoopsInCode(p *kernel.Program, k *kernel.Kernel) (n int) {
	for _, piece := range NewScheduler(p, false, false).Pieces(k) {
		n += loopsOf(piece.Body)
	}
	return n
}
