package kernel

import (
	"egad/internal/slice"
	"egad/term/eval"
	"egad/term/types"
)

// Counts says how much work a program is, without running it: the operations
// that eval.Counting counts, and the elements of the temporary arrays.
func (p *Program) Counts() eval.Counts {
	var c eval.Counts
	if p == nil {
		return c
	}
	for _, a := range p.Arrays {
		if a.Role == Temp && a.Elem == types.R && len(a.Shape) > 0 {
			c.Elements += int64(a.Len())
		}
	}
	for _, k := range p.Kernels {
		c.AddTimes(k.Counts(), 1)
	}
	return c
}

// Counts says how much work a kernel is: its operations.
func (k *Kernel) Counts() eval.Counts {
	var c eval.Counts
	if k == nil {
		return c
	}
	count(k.Body, &c)
	if s := k.Steps; s != nil {
		c.AddTimes(s.Step.Counts(), s.Runs())
	}
	return c
}

func count(body []Stmt, c *eval.Counts) {
	WalkRuns(body, 1, func(s Stmt, runs int64) {
		inside := int64(0)
		if l, ok := s.(*Loop); ok {
			inside = runs * int64(l.N)
		}
		Tally(s, runs, inside, c)
	})
}

// Tally counts the operations of so many runs of a statement, of which a loop runs its body so
// often; those of the body are not among them.
func Tally(s Stmt, runs, inside int64, c *eval.Counts) {
	switch s := s.(type) {
	case *Let:
		if v := s.Value; v.Kind == Compute {
			c.Elementwise(v.Op, v.Elem, runs)
		}
	case *Store:
		if s.Add {
			add(s.Value.Elem, runs, c)
		}
	case *Call:
		first := s.Parts()[0]
		c.Whole(s.Op.Sym, s.Array.Elem, first.Elem, runs*int64(s.Array.Len()), runs*int64(s.Runs()*slice.Product(first.Shape)), first.Shape)
	case *Loop:
		for _, f := range s.Folds {
			add(f.Value.Elem, inside, c)
		}
	}
}

func add(e types.Elem, n int64, c *eval.Counts) {
	if e == types.R {
		c.Float += n
	} else {
		c.Int += n
	}
}
