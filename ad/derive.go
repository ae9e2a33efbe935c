package ad

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"egad/bot"
	"egad/diag"
	"egad/extract"
	"egad/internal/slice"
	"egad/linmap"
	"egad/loops"
	"egad/rules"
	"egad/term"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// Options are the choices in deriving a program.
type Options struct {
	// Wrt names the inputs to differentiate with respect to, each once, in the
	// order in which their derivatives shall come; nil is all that have a real part,
	// in the order of the program. An empty list that is not nil is an error.
	Wrt []string
	// Exact uses only simplification rules that keep every float64 as it is.
	Exact bool
	// Direct differentiates build as it is (Coconut, Section 3.3), without the
	// bulk-operation transform.
	Direct bool
	// Checkpoint keeps of a loop of n steps the states after each of √n rounds of steps,
	// and makes those in between again when the derivative reads them; of what scan and
	// mapAccum give out after each step, what is used is kept. Values are the same but
	// for the order in which sums are added, with a second run of the loops.
	Checkpoint bool
	// Time ends all rewriting after this time; 0 is no limit. Simplification ends
	// where it is, the steps that must come to an end do not succeed. What results
	// depends on the clock then.
	Time time.Duration
	// Extract says how terms are chosen from e-graphs.
	Extract extract.Choosing
	// Grammar names the cost grammar by which simplified programs are taken, if not that
	// of the schedule simplify.
	Grammar string
	// Record keeps what [Derived.Prove] needs, so that it need not do the runs again.
	Record bool

	calls  bool    // calls are kept
	replay *replay // if the derivation goes by its proof
}

// Derived is a derivative as a program of the array language.
type Derived struct {
	// Program has the inputs of the source, and for VJP a cotangent, for JVP
	// changes. Its result is a tuple: the value, then the derivatives.
	Program *term.Program
	// Wrt are the inputs that were varied, in the order of the derivatives: that of
	// [Options.Wrt].
	Wrt []term.Input
	// Stages are the steps that were taken. They are also there if one of them
	// fails, with the e-graph of that one.
	Stages []Stage
	// Blocks tells what the blocks of a sparse Jacobian are: see [JacobianBlocks].
	Blocks []Block
	// Notes say what a caller may want to know of the cost.
	Notes []string

	locals    []Locals
	unmasked  func() (*Derived, error)
	termwise  func() (*Derived, error)
	reordered func() (*term.Program, error)
}

// Stage is one step on the way from a program to its derivative.
type Stage struct {
	Name string
	// Program is the program after the step, nil if the step failed. At the stage
	// nabla it results in linear maps: one, or a tuple.
	Program *term.Program
	Report  *extract.Run // nil if no e-graph was used
}

// pipeline carries a program through the stages.
type pipeline struct {
	lib    *rules.Library
	opt    Options
	wrt    []term.Input // what is varied
	stages []Stage
	locals []Locals
	start  time.Time
	// across says that masks are left out: see [Derived.Unmasked]. Let is set when some were.
	across, let bool
}

// left is what is left of the time of the options; 0 is no limit.
func (l *pipeline) left() time.Duration { return l.opt.from(l.start).Time }

// from is the options of a derivation that goes on from one that began at start: with
// what is left of the time, and of a program that has its rounds.
func (o Options) from(start time.Time) Options {
	o.Checkpoint = false
	if o.Time > 0 {
		o.Time = max(1, o.Time-time.Since(start))
	}
	return o
}

// note keeps a stage, and gives back the error of it.
func (l *pipeline) note(name string, p *term.Program, run *extract.Run, err error) error {
	if err == nil || run != nil {
		l.stages = append(l.stages, Stage{Name: name, Program: p, Report: run})
	}
	return err
}

// noteMaps keeps the linear maps of a primal program, if there are any.
func (l *pipeline) noteMaps(j *Jacobian, ms ...term.Term) {
	if len(ms) == 0 {
		return
	}
	q := *j.Prog
	q.Root, q.Names = q.Store.Packed(ms), j.Names
	l.stages = append(l.stages, Stage{Name: "nabla", Program: &q})
}

// partly is the result after an error: the stages up to it.
func (l *pipeline) partly(d **Derived, err *error) {
	if *err != nil {
		*d = &Derived{Stages: l.stages}
	}
}

// Derivable puts in the place of declared operators that the rules cannot differentiate their
// meanings, which are differentiated. Of the rules it returns those that leave it so: they
// bring in no such operators.
func Derivable(lib *rules.Library, p *term.Program) (*rules.Library, *term.Program, error) {
	sig := p.Store.Signature()
	if !sig.HasDeclared() {
		return lib, p, nil
	}
	lacks := func(sym ops.Sym) bool {
		d := sig.Operator(sym).Declared
		if d == nil {
			return false
		}
		_, ok := lib.Derivable(sig, d)
		return !ok
	}
	p, err := p.Expand(func(t term.Term) bool { return lacks(p.Store.Op(t).Sym) })
	return lib.Without(func(r *rules.Rule) bool {
		for q := range r.Rhs.All() {
			if q.Kind == rules.PApp && q.Name == "" && lacks(q.Sym) {
				return true
			}
		}
		return false
	}), p, err
}

// primal brings a program to the form that is differentiated: bulk operations, or
// what there is if Direct is set, simplified.
func (l *pipeline) primal(p *term.Program) (*term.Program, error) {
	if p.HasMaps() {
		return nil, diag.Errorf(nil, 0, "%s has linear maps that are not only applied, and is not differentiated", p.Name)
	}
	p = p.Clone()
	if l.opt.Checkpoint {
		var err error
		if p, err = loops.InRounds(p); err != nil {
			return nil, err
		}
	}
	l.stages = append(l.stages, Stage{Name: "source", Program: p})
	all := l.lib
	defer func() { l.lib = all }()
	var err error
	if l.lib, p, err = Derivable(all, p); err != nil {
		return nil, err
	}
	if !l.opt.Exact && !l.opt.Checkpoint {
		sums, changed, err := loops.Sums(p)
		if err != nil {
			return nil, err
		}
		if changed {
			p, l.stages = sums, append(l.stages, Stage{Name: "summed", Program: sums})
		}
	}
	if p, err = l.chosen(p); err != nil {
		return nil, err
	}
	if !l.opt.Direct {
		bulk, run, err := bot.TransformBy(l.way(false), l.lib, p, l.left())
		if l.note("bulk", bulk, run, err) != nil {
			return nil, err
		}
		p = bulk
	}
	return l.simplified("simplified", p, false)
}

// chosen has sums of what is chosen by remainders as sums over the indices that are chosen, and sums over parts of
// arrays, which begin and end where data say, as sums over the elements, of which kernels know where they are. They are
// stages if there may be any.
func (l *pipeline) chosen(p *term.Program) (*term.Program, error) {
	if sumsChosen(p, func(s *term.Store, cond term.Term) bool {
		return s.Contains(cond, func(t term.Term) bool { return s.Op(t).Sym == ops.SymMod && len(t.Args) > 0 })
	}) {
		var err error
		if p, err = l.last("congruent", p); err != nil {
			return nil, err
		}
	}
	if l.opt.Exact || !sumsChosen(p, func(s *term.Store, cond term.Term) bool { // the sum of an element and an index is less than another element
		v, reads := s.Open(cond), func(t term.Term) bool { return s.Op(t).Sym == ops.SymIndex }
		return v.Op.Sym == ops.SymLt && s.Op(v.Kids[0]).Sym == ops.SymAdd && slices.ContainsFunc(s.Open(v.Kids[0]).Kids, reads) && reads(v.Kids[1])
	}) {
		return p, nil
	}
	return l.last("segments", p)
}

// sumsChosen reports whether a program sums what is chosen by some conditions.
func sumsChosen(p *term.Program, by func(s *term.Store, cond term.Term) bool) bool {
	s := p.Store
	chosen := func(t term.Term) bool { return s.Op(t).Sym == ops.SymCond && by(s, s.Open(t).Kids[0]) }
	return s.Contains(p.Root, func(t term.Term) bool { return s.Op(t).Sym == ops.SymSum && s.Contains(t, chosen) })
}

// simplified simplifies a program; where loops can keep less then, or be joined, once more.
// What is to be differentiated has its loops as they were written: the cotangents of what
// two loops take from outside are added up one after the other, in rounds too.
func (l *pipeline) simplified(stage string, p *term.Program, join bool) (*term.Program, error) {
	for n := 1; ; n++ {
		out, run, err := l.way(true).Program(l.lib, "simplify", p, extract.How{Exact: l.opt.Exact, Time: l.left(), Grammar: l.opt.Grammar})
		if l.note(stage, out, run, err) != nil {
			return nil, err
		}
		less, changed, err := loops.Settle(out, l.opt.Exact, join)
		if err != nil || !changed {
			return out, err
		}
		l.stages[len(l.stages)-1].Name = fmt.Sprintf("%s %d", stage, n)
		p = less
	}
}

// finish applies the linear maps in the result of p, makes bulk operations of
// loops if there are any, and simplifies.
func (l *pipeline) finish(p *term.Program, loops bool) (*term.Program, error) {
	how := extract.How{Time: l.left()}
	if l.across {
		how.Without = linmap.Across
	}
	x, let, run, err := linmap.ApplyBy(l.way(false), l.lib, p.Store, p.Root, p.Names, how)
	if err != nil {
		return nil, l.note("applied", nil, run, err)
	}
	l.let = let
	q := *p
	q.Root, q.Names = x.Root, x.Names
	todo := &q
	l.stages = append(l.stages, Stage{Name: "applied", Program: todo, Report: run})
	if loops {
		todo, run, err = bot.TransformBy(l.way(false), l.lib, todo, l.left())
		if l.note("vectorised", todo, run, err) != nil {
			return nil, err
		}
	}
	out, err := l.simplified("gradient", todo, true)
	if err == nil && repeats(out) {
		out, err = l.last("gathered", out)
	}
	if err == nil && !l.opt.Exact && crosses(out) {
		out, err = l.last("crossed", out)
	}
	return out, err
}

// last does a stage after simplification.
func (l *pipeline) last(stage string, p *term.Program) (*term.Program, error) {
	out, run, err := l.way(false).Program(l.lib, stage, p, extract.How{Exact: l.opt.Exact, Time: l.left(), Grammar: l.opt.Grammar})
	return out, l.note(stage, out, run, err)
}

// repeats reports whether a program reads rows of an array more often than there are, or sorts and
// looks for the order too, where the schedule gathered looks for what need be computed once.
func repeats(p *term.Program) bool {
	s, found, sorts := p.Store, false, make(map[ops.Sym]bool)
	s.Walk(p.Root, func(t term.Term) {
		sorts[s.Op(t).Sym] = true
		if op, kids := s.Op(t), s.Open(t).Kids; !found && op.Sym == ops.SymGather && len(op.Sizes) == 1 && len(kids) > 1 {
			of := s.Type(kids[0]).Shape
			reads, _ := op.Sizes[0].Const()
			rows, _ := of[0].Const()
			found = reads > rows+2
		}
	})
	return found || sorts[ops.SymSort] && sorts[ops.SymArgsort]
}

// crosses reports whether a program adds up what it reads, or sends, along two axes, or puts in a row, sends along more
// axes than there are at the places, or sends to indices that stop at the end of an axis, where the
// schedule crossed takes sums apart.
func crosses(p *term.Program) bool {
	s, found := p.Store, false
	turned := func(k term.Term) bool { return s.Op(k).Sym == ops.SymTr }
	stops := func(k term.Term) bool {
		return slices.Contains([]ops.Sym{ops.SymMax, ops.SymMin, ops.SymMod, ops.SymAbs, ops.SymCond, ops.SymWhere}, s.Op(k).Sym)
	}
	s.Walk(p.Root, func(t term.Term) {
		if s.Op(t).Sym == ops.SymScatter {
			kids := s.Open(t).Kids
			found = found || len(kids) > 2 || len(s.Op(t).Sizes) >= len(kids) || slices.ContainsFunc(kids[1:], stops)
		}
		if !found && s.Op(t).Sym == ops.SymSum {
			of := s.Open(t).Kids[0]
			sym := s.Op(of).Sym
			found = sym == ops.SymReshape || sym == ops.SymSum && s.Type(t).IsScalar(types.R) && !turned(s.Open(of).Kids[0]) || (sym == ops.SymAdd || sym == ops.SymSub) && slices.ContainsFunc(s.Open(of).Kids, turned)
		}
	})
	return found
}

// given is an error if there is nothing to derive from.
func given(lib *rules.Library, p *term.Program) error {
	if lib == nil {
		return errors.New("there are no rules: load.Builtin reads those of egad")
	}
	return p.Made()
}

// Grad derives the program that computes the value of p, which must be a real
// scalar, and its gradient: (value, gradient by the first input, …).
func Grad(lib *rules.Library, p *term.Program, opt Options) (*Derived, error) {
	if err := given(lib, p); err != nil {
		return nil, err
	}
	if t := p.Store.Type(p.Root); !t.IsScalar(types.R) {
		return nil, diag.Errorf(nil, 0, "%s results in %s; a gradient is of a real scalar (a Jacobian is of any real result)", p.Name, p.ResultText())
	}
	return reverse(lib, p, opt, func(q *term.Program) (term.Term, []term.Input) {
		return q.Store.Lit(ops.ScalarR(numeric.Int(1))), nil
	})
}

// VJP derives the program that computes the value of p and, for a cotangent of
// it (a further input, ct, for the real part of the value), the cotangents of
// the inputs.
func VJP(lib *rules.Library, p *term.Program, opt Options) (*Derived, error) {
	t, err := realPart(lib, p)
	if err != nil {
		return nil, err
	}
	return reverse(lib, p, opt, func(q *term.Program) (term.Term, []term.Input) {
		in := Cotangent(q, t)
		return q.Store.Input(in), []term.Input{in}
	})
}

// Cotangent is a further input of p, a cotangent of a result of which t is the real part.
func Cotangent(p *term.Program, t *types.Type) term.Input {
	return term.Input{Name: FreshInput(p, "ct"), Type: t}
}

// realPart is the real part of the type of what p results in, if there is one to derive from.
func realPart(lib *rules.Library, p *term.Program) (*types.Type, error) {
	if err := given(lib, p); err != nil {
		return nil, err
	}
	t := p.Store.Type(p.Root).RealPart()
	if t == nil {
		return nil, noRealPart(p)
	}
	return t, nil
}

func noRealPart(p *term.Program) error {
	return diag.Errorf(nil, 0, "%s results in %s, which has no real part to differentiate", p.Name, p.ResultText())
}

// derive brings p to its primal form and takes its derivative. What build makes of
// a copy of the primal, with linear maps, is finished; loops says whether it has
// some.
func derive(lib *rules.Library, p *term.Program, opt Options, loops bool, build func(l *pipeline, j *Jacobian, q *term.Program) error) (d *Derived, err error) {
	return deriveCut(lib, p, opt, loops, func(p *term.Program) (*term.Program, []string) { return p, opt.Wrt }, build)
}

// deriveCut is derive of what cut makes of the primal form, by the inputs that it
// names.
func deriveCut(lib *rules.Library, p *term.Program, opt Options, loops bool, cut func(*term.Program) (*term.Program, []string), build func(l *pipeline, j *Jacobian, q *term.Program) error) (d *Derived, err error) {
	l := &pipeline{lib: lib, opt: opt, start: time.Now()}
	defer l.partly(&d, &err)
	primal, err := l.primal(p)
	if err != nil {
		return nil, err
	}
	if l.wrt, err = Varied(p, opt.Wrt); err != nil {
		return nil, err
	}
	primal, wrt := cut(primal)
	j, err := lineariseBy(lib, primal, wrt, opt.replay.locals(lib))
	if err != nil {
		return nil, err
	}
	l.locals = append(l.locals, Locals{j.Prog.Store, j.lin.found.applied, j.lin.found.maps})
	q := *j.Prog
	if err := overflow.Guard(func() error { return build(l, j, &q) }); err != nil {
		return nil, err
	}
	// Calls stay in the loops in which they are.
	bulk := !opt.calls && (loops || primal.HasLoops())
	out, err := l.finish(&q, bulk)
	if err != nil {
		return nil, err
	}
	return &Derived{Program: out, Wrt: l.wrt, Stages: l.stages, locals: l.locals,
		unmasked: sync.OnceValues(func() (*Derived, error) { return l.without(&q, bulk) }),
		termwise: sync.OnceValues(func() (*Derived, error) { return l.byTerm(out) })}, nil
}

// without is what finish makes without masks, or nil if there are none to be left out.
func (l *pipeline) without(p *term.Program, loops bool) (*Derived, error) {
	return l.other(nil, func(again *pipeline) (*term.Program, error) {
		again.across = true
		out, err := again.finish(p, loops)
		if !again.let {
			return nil, err
		}
		return out, err
	})
}

// other is what is derived in another way after some stages, or nil if that makes no program.
func (l *pipeline) other(stages []Stage, derive func(again *pipeline) (*term.Program, error)) (d *Derived, err error) {
	again := pipeline{lib: l.lib, opt: l.opt, wrt: l.wrt, start: time.Now(), stages: stages}
	again.opt.Record, again.opt.replay = false, nil
	defer again.partly(&d, &err)
	var out *term.Program
	err = overflow.Guard(func() error {
		out, err = derive(&again)
		return err
	})
	if err != nil || out == nil {
		return nil, err
	}
	return &Derived{Program: out, Wrt: l.wrt, Stages: again.stages}, nil
}

// Unmasked derives again without masks that take a pass over an array, and gives the stages from
// applied on; it is nil if there are none to be left out. Where a sum, a scatter or a read of
// cotangents (of changes, forward) is 0 because nothing arrives there, that is multiplied by
// factors like all others. So an element of a derivative is what it is with all masks, or NaN,
// as 0 times infinity is. What was differentiated before has all masks, as the gradient of
// which a Hessian is the Jacobian: of what is no number it could have parts that are.
func (d *Derived) Unmasked() (*Derived, error) {
	if d == nil || d.unmasked == nil {
		return nil, nil
	}
	return d.unmasked()
}

// UnmaskedProgram is the program of [Derived.Unmasked], nil if there is none.
func (d *Derived) UnmaskedProgram() (*term.Program, error) {
	return programOf(d.Unmasked())
}

func programOf(d *Derived, err error) (*term.Program, error) {
	if d == nil || err != nil {
		return nil, err
	}
	return d.Program, nil
}

// Termwise is what is derived, with what is made of sums of what a mask chooses made of each term, and no count of
// what is chosen; it is nil if there are no such sums. The values are the same, but that sums are added in
// another order, and that an element may be infinite or NaN where a term overflows.
func (d *Derived) Termwise() (*Derived, error) {
	if d == nil || d.termwise == nil {
		return nil, nil
	}
	return d.termwise()
}

// TermwiseProgram is the program of [Derived.Termwise], nil if there is none.
func (d *Derived) TermwiseProgram() (*term.Program, error) {
	return programOf(d.Termwise())
}

// byTerm is a derivative by the schedule termwise, or nil if it counts no terms of a sum.
func (l *pipeline) byTerm(p *term.Program) (*Derived, error) {
	s := p.Store
	kid := func(t term.Term, sym ops.Sym, i int) (term.Term, bool) {
		if s.Op(t).Sym != sym {
			return t, false
		}
		return s.Open(t).Kids[i], true
	}
	counts := func(t term.Term) bool {
		t, yes := kid(t, ops.SymWhere, 0)
		for _, at := range []struct {
			sym ops.Sym
			kid int
		}{{ops.SymLt, 1}, {ops.SymSum, 0}, {ops.SymWhere, 0}} {
			if yes {
				t, yes = kid(t, at.sym, at.kid)
			}
		}
		return yes
	}
	if l.opt.Exact || !s.Contains(p.Root, counts) {
		return nil, nil
	}
	return l.other(slices.Clone(l.stages), func(again *pipeline) (*term.Program, error) { return again.last("termwise", p) })
}

// ReorderedProgram is a program of the same values, but that sums may be added in another order, of what is
// no derivative (see [Value]); else it is nil, as in derivatives sums are taken apart already.
func (d *Derived) ReorderedProgram() (*term.Program, error) {
	if d == nil || d.reordered == nil {
		return nil, nil
	}
	return d.reordered()
}

func reverse(lib *rules.Library, p *term.Program, opt Options, cotangent func(*term.Program) (term.Term, []term.Input)) (*Derived, error) {
	return derive(lib, p, opt, false, func(l *pipeline, j *Jacobian, q *term.Program) error {
		l.noteMaps(j, j.Reverse...)
		s := q.Store
		whole, inputs := cotangent(q)
		q.Inputs = append(q.Inputs[:len(q.Inputs):len(q.Inputs)], inputs...)
		byLeaf := make(map[string]term.Term)
		if len(j.Reverse) > 0 {
			ct := s.Packed(leaves(s, whole))
			for i, in := range j.Wrt {
				byLeaf[in.Name] = s.Apply(ops.SymLapply, s.Apply(ops.SymLtranspose, j.Reverse[i]), ct)
			}
		}
		q.Root = Result(q, q.Root, l.wrt, byLeaf)
		return nil
	})
}

// JVP derives the program that computes the value of p and, for changes of the
// inputs (further inputs, d_x for x), the change of the real part of the value.
func JVP(lib *rules.Library, p *term.Program, opt Options) (*Derived, error) {
	return forward(lib, p, opt, func(s *term.Store, value, change term.Term) term.Term {
		return s.Apply(ops.SymTuple, value, change)
	})
}

// HVP derives the program that computes the value of p, which must be a real
// scalar, its gradient, and for changes of the inputs (further inputs, d_x for x)
// the change of the gradient: the Hessian times the direction d. The result is
// (value, gradient by the first input, …, change of the gradient by the first
// input, …). It is forward mode over the gradient program of reverse mode.
func HVP(lib *rules.Library, p *term.Program, opt Options) (*Derived, error) {
	return ofGradient(lib, p, opt, func(g *term.Program, opt Options) (*Derived, error) {
		return forward(lib, g, opt, func(s *term.Store, value, change term.Term) term.Term {
			parts := components(s, value)
			return s.Apply(ops.SymTuple, append(parts, components(s, change)[1:]...)...)
		})
	})
}

// ofGradient derives from the gradient of p, with the stages of that first.
func ofGradient(lib *rules.Library, p *term.Program, opt Options, derive func(g *term.Program, opt Options) (*Derived, error)) (*Derived, error) {
	start := time.Now()
	g, err := Grad(lib, p, opt)
	if err != nil {
		return g, err
	}
	d, err := derive(g.Program, opt.from(start))
	if d == nil {
		d = &Derived{}
	}
	d.Stages = slices.Concat(g.Stages, d.Stages)
	d.locals = slices.Concat(g.locals, d.locals)
	return d, err
}

// components takes a tuple apart.
func components(s *term.Store, t term.Term) []term.Term {
	return slice.Make(len(s.Type(t).Parts), func(i int) term.Term { return s.Proj(i, t) })
}

// forward is forward mode; result puts value and change together.
func forward(lib *rules.Library, p *term.Program, opt Options, result func(s *term.Store, value, change term.Term) term.Term) (*Derived, error) {
	t, err := realPart(lib, p)
	if err != nil {
		return nil, err
	}
	return derive(lib, p, opt, false, func(l *pipeline, j *Jacobian, q *term.Program) error {
		l.noteMaps(j, j.Forwards...)
		s := q.Store
		dx := Changes(q, l.wrt)
		change := s.Zeros(t)
		if len(j.Reverse) > 0 {
			next := 0
			change = spreadOut(s, t, func() term.Term {
				next++
				return s.Apply(ops.SymLapply, j.Forwards[next-1], dx)
			})
		}
		q.Root = result(s, q.Root, change)
		return nil
	})
}

// Changes gives q an input d_x for a change of each of the inputs wrt. It is the change of
// their real arrays together, as maps take it: of one array, or a tuple.
func Changes(q *term.Program, wrt []term.Input) term.Term { return further(q, "d_", wrt) }

// Arrays are the real arrays with elements of an input, as maps take them: one, or a tuple.
func Arrays(s *term.Store, in term.Input) term.Term { return s.Packed(leaves(s, s.Input(in))) }

// spreadOut makes a term of type t whose arrays with elements are what next
// gives, one after the other.
func spreadOut(s *term.Store, t *types.Type, next func() term.Term) term.Term {
	switch {
	case t.Kind == types.KTuple:
		return s.Apply(ops.SymTuple, slice.Map(t.Parts, func(p *types.Type) term.Term { return spreadOut(s, p, next) })...)
	case t.HasEmptyAxis():
		return s.Zeros(t)
	}
	return next()
}

// assemble is the cotangent of an input from those of its leaves; a leaf without
// a real part has 0.
func assemble(s *term.Store, in term.Input, byLeaf map[string]term.Term) term.Term {
	if in.Type.Kind != types.KTuple {
		if t, ok := byLeaf[in.Name]; ok {
			return t
		}
		return s.Zeros(in.Type)
	}
	return s.Apply(ops.SymTuple, slice.Map(in.Components(), func(c term.Input) term.Term { return assemble(s, c, byLeaf) })...)
}

// FreshInput is a name like hint that no input of p has.
func FreshInput(p *term.Program, hint string) string {
	name := hint
	taken := func(in term.Input) bool { return in.Name == name }
	for k := 2; slices.ContainsFunc(p.Inputs, taken); k++ {
		name = fmt.Sprintf("%s%d", hint, k)
	}
	return name
}
