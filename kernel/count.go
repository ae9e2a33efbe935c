package kernel

import (
	"slices"

	"egad/term"
)

// Counts says how much work a program is, without running it: the operations
// that term.Counting counts, and the elements of the temporary arrays.
func (p *Program) Counts() term.Counts {
	var c term.Counts
	if p == nil {
		return c
	}
	for _, a := range p.Arrays {
		if a.Role == Temp && a.Elem == term.R && len(a.Shape) > 0 {
			c.Elements += int64(a.Len())
		}
	}
	for _, k := range p.Kernels {
		c.AddTimes(k.Counts(), 1)
	}
	return c
}

// Counts says how much work a kernel is: its operations.
func (k *Kernel) Counts() term.Counts {
	var c term.Counts
	if k == nil {
		return c
	}
	count(k.Body, &c)
	if s := k.Steps; s != nil {
		c.AddTimes(s.Step.Counts(), s.runs())
	}
	return c
}

// Sure reports whether Counts and Traffic are what a run does, and not the most that it may
// do: data, or the number of a step, tell no loop how many steps it makes, or which of its runs
// need not be done.
func (p *Program) Sure() bool {
	return p == nil || !slices.ContainsFunc(p.Kernels, func(k *Kernel) bool { return !k.Sure() })
}

// Sure is as [Program.Sure].
func (k *Kernel) Sure() bool {
	switch {
	case k == nil:
		return true
	case k.Steps != nil:
		return k.Steps.Count == nil && k.Steps.Step.Sure()
	}
	sure := !k.less
	walk(k.Body, func(s Stmt) {
		if l, ok := s.(*Loop); ok {
			for _, o := range l.Only {
				sure = sure && !slices.ContainsFunc(o.Less.Args, func(v *Value) bool { return v.Kind != Var })
			}
		}
	})
	return sure
}

// Traffic is how many bytes a program moves at least: each kernel reads the elements that
// it loads once, and writes those that it stores to.
func (p *Program) Traffic() int64 {
	n := int64(0)
	if p == nil {
		return n
	}
	for _, k := range p.Kernels {
		n += k.Traffic()
	}
	return n
}

// Traffic is how many bytes a kernel moves at least, as [Program.Traffic].
func (k *Kernel) Traffic() int64 {
	if k == nil {
		return 0
	}
	if s := k.Steps; s != nil {
		return s.runs() * s.Step.Traffic()
	}
	read, written := make(map[*Array]int64), make(map[*Array]int64)
	touch := func(in map[*Array]int64, a *Array, n int64) { in[a] = min(in[a]+n, int64(a.Len())) }
	walkRuns(k.Body, 1, func(s Stmt, runs int64) {
		switch s := s.(type) {
		case *Let:
			if v := s.Value; v.Kind == Load {
				touch(read, v.Array, runs)
			}
		case *Store:
			touch(written, s.Array, runs)
		case *Call:
			for _, a := range s.Args {
				touch(read, a, int64(a.Len()))
			}
			touch(written, s.Array, int64(s.Array.Len()))
		}
	})
	n := int64(0)
	for _, in := range []map[*Array]int64{read, written} {
		for _, elements := range in {
			n += 8 * elements
		}
	}
	return n
}

func count(body []Stmt, c *term.Counts) {
	walkRuns(body, 1, func(s Stmt, runs int64) {
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
			first := s.parts()[0]
			c.Whole(s.Op.Sym, s.Array.Elem, first.Elem, runs*int64(s.Array.Len()), runs*int64(s.runs()*elements(first.Shape)), first.Shape)
		case *Loop:
			for _, f := range s.Folds {
				add(f.Value.Elem, runs*int64(s.N), c)
			}
		}
	})
}

func add(e term.Elem, n int64, c *term.Counts) {
	if e == term.R {
		c.Float += n
	} else {
		c.Int += n
	}
}
