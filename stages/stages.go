// Package stages shows what becomes of a program on the way to its derivatives,
// stage by stage, as Section 5 of "Automatic differentiation in Coconut" does.
// The text of all stages is again text of the language, with the figures of each
// stage as comments.
package stages

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"egad/ad"
	"egad/diag"
	"egad/extract"
	"egad/fusion"
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/cost"
	"egad/kernel/machine"
	"egad/linmap"
	"egad/rules"
	"egad/term"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// Stage is a program on the way, with what made it.
type Stage struct {
	Name    string
	Title   string        // what the stage is, in a line
	Def     string        // what its text is called
	Program *term.Program // nil if the stage failed
	ANF     bool          // it is shown in A-normal form
	Tree    bool          // it is shown without names for common subterms
	Run     *extract.Run  // nil if no e-graph was used
	// Took has how long kernels took, if somebody has measured them.
	Took map[*kernel.Kernel]time.Duration
	// Kernels are those of Program, at the stage kernels, and Machine what they were
	// compiled to, if that was asked for.
	Kernels *kernel.Program
	Machine *machine.Machine
	// Unmasked is set if masks were left out: see [ad.Derived.Unmasked].
	Unmasked bool
	// Termwise is set if sums of what data choose are made term by term: see [ad.Derived.Termwise].
	Termwise bool
}

// View is a program of which stages can be asked for, by several goroutines too.
// What they need is computed once, when it is first needed.
type View struct {
	lib  *rules.Library
	prog *term.Program
	opt  ad.Options

	// Native asks which kernels are machine code, and from the stage applied on for what that
	// computes first: see [fusion.Either].
	Native bool
	// Weights are what estimates of kernels count, those of egad if they are nil.
	Weights *cost.Weights

	making             sync.Mutex
	derived            map[string]*derived // by mode
	first              *derived            // what machine code computes first, nil if nobody has asked
	unmasked, termwise bool                // which of them that is
	laws               *simplified
}

// simplified is what has been made of the maps of the stage nabla.
type simplified struct {
	maps *term.Program
	run  *extract.Run
	err  error
}

type derived struct {
	*ad.Derived
	err error
}

// New is a view of p. The options are those of the derivatives.
func New(lib *rules.Library, p *term.Program, opt ad.Options) *View {
	return &View{lib: lib, prog: p, opt: opt}
}

// kind says how a stage is made. In def, % stands for the name of the source.
type kind struct {
	name, def, title string
	of               func(v *View) (*term.Program, *extract.Run, error)
}

// kinds lists the stages in their order: in it are the twelve displays of Section 5 of
// the Coconut paper.
var kinds = []kind{
	{"source", "%", "the definition at these sizes, calls inlined", (*View).source},
	{"anf", "%_anf", "the same in A-normal form: every subterm has a name", (*View).source},
	{"summed", "%_summed", "the same with sums in the place of loops that only add up", gradient("summed")},
	{"congruent", "%_congruent", "the same with sums of what is chosen by remainders over the indices that are chosen", gradient("congruent")},
	{"segments", "%_segments", "the same with sums over parts of arrays over the elements that are there", gradient("segments")},
	{"bulk", "%_bulk", "bulk operations, by the bulk-operation transform (BOT)", (*View).bulk},
	{"simplified", "%_simplified", "what is differentiated", gradient("simplified")},
	{"nabla", "nabla_%", "the derivative as linear maps; D_y takes a change of y to that of the result", gradient("nabla")},
	{"nabla-simplified", "nabla_simplified_%", "these maps, simplified by the laws of linear maps", (*View).lawful},
	{"forward-nabla", "forward_nabla_%", "the derivative put together forwards; F_y takes a change of the inputs to that of y", of(forwards, "nabla")},
	{"forward-unoptimised", "forward_unoptimised_%", "the simplified maps and changes of the inputs that they are to be applied to", (*View).pushed},
	{"forward-tree", "jvp_tree_%", "the value and its change, simplified, before common subterms have names", of(forwards, "gradient")},
	{"forward", "jvp_%", "the value and, for changes of the inputs, the change of the value", of(forwards, "gradient")},
	{"transpose", "transpose_%", "the simplified maps, to be transposed", (*View).transpose},
	{"transposed", "transposed_%", "the maps transposed, from cotangents of the result to those of the inputs", (*View).transposed},
	{"reverse-unoptimised", "reverse_unoptimised_%", "the transposed maps and a cotangent that they are to be applied to", (*View).pulled},
	{"reverse-tree", "reverse_tree_%", "the value and the cotangents, simplified, before common subterms have names", of(backwards, "gradient")},
	{"reverse", "reverse_%", "the value and, for a cotangent of it, those of the inputs", of(backwards, "gradient")},
	{"applied", "applied_%", "the transposed maps of the way to the gradient applied to a cotangent", computed("applied")},
	{"vectorised", "vectorised_%", "bulk operations again, of what the derivatives of loops have come to", computed("vectorised")},
	{"gradient", "grad_%", "the value and the gradient, simplified", computed("gradient")},
	{"gathered", "gathered_%", "the same with what is computed of rows that are read often computed once for each row", computed("gathered")},
	{"crossed", "crossed_%", "the same with sums of what is read along two axes taken apart", computed("crossed")},
	{"termwise", "termwise_%", "the same with what is made of sums of what data choose made of each term", computed("termwise")},
	{"fused", "fused_%", "the same as kernels compute it: what is kept is built of scalars", fused},
	{"kernels", "grad_%", "the loops that compute it", last},
}

// Names lists the stages in their order.
func Names() []string {
	return slice.Map(kinds, func(k kind) string { return k.name })
}

// Known is an error if there is no stage called name.
func Known(name string) error {
	if slices.Contains(Names(), name) {
		return nil
	}
	return fmt.Errorf("there is no stage %s%s; the stages are %s", name, diag.DidYouMean(name, Names()), strings.Join(Names(), ", "))
}

// Stage is the stage called name. Besides an error there may be a stage without
// a program: the one that failed.
func (v *View) Stage(name string) (*Stage, error) {
	if err := Known(name); err != nil {
		return nil, err
	}
	if err := v.prog.Made(); err != nil {
		return nil, err
	}
	k := kinds[slices.Index(Names(), name)]
	v.making.Lock()
	p, run, err := k.of(v)
	first := name == "applied" || name == "kernels"
	if first {
		v.computed()
	}
	unmasked, termwise := first && v.unmasked, name == "kernels" && v.termwise
	v.making.Unlock()
	if err != nil && run == nil {
		return nil, err
	}
	s := &Stage{Name: k.name, Title: k.title, Program: p, ANF: k.name == "anf", Tree: strings.HasSuffix(k.name, "-tree"), Run: run, Unmasked: unmasked, Termwise: termwise}
	if s.Tree && err == nil {
		s.Run = nil // that of the stage after it
	}
	def := k.def
	if k.name == "gradient" && !v.scalar() {
		def, s.Title = "vjp_%", "the value and, for a cotangent of it, those of the inputs, simplified"
	}
	s.Def = strings.ReplaceAll(def, "%", v.prog.Name)
	if k.name == "kernels" && err == nil {
		s.Run = nil // that of the stage gradient
		if s.Kernels, err = fusion.Lower(v.lib, p, v.Weights); err == nil && v.Native {
			s.Machine, err = machine.CompileNative(s.Kernels, v.opt.Exact)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, err
}

// All lists the stages up to the first error, without those that there are not for the
// program.
func (v *View) All() ([]*Stage, error) {
	var out []*Stage
	for _, n := range Names() {
		s, err := v.Stage(n)
		if none := absent(""); errors.As(err, &none) {
			continue
		}
		if s != nil {
			out = append(out, s)
		}
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// scalar reports whether the program has a gradient, and not only cotangents.
func (v *View) scalar() bool { return v.prog.Store.Type(v.prog.Root).IsScalar(types.R) }

func (v *View) source() (*term.Program, *extract.Run, error) { return v.prog, nil, nil }

func (v *View) bulk() (*term.Program, *extract.Run, error) {
	if v.opt.Direct {
		return nil, nil, absent("on the direct path there is no stage bulk")
	}
	return gradient("bulk")(v)
}

// The modes of derivation.
const (
	backwards = "reverse"
	forwards  = "forward"
	gradients = "gradient"
)

// of is the stage of that name on the way to a derivative.
func of(mode, name string) func(*View) (*term.Program, *extract.Run, error) {
	return func(v *View) (*term.Program, *extract.Run, error) { return v.mode(mode).stage(name) }
}

func gradient(name string) func(*View) (*term.Program, *extract.Run, error) {
	return of(gradients, name)
}

// computed is a stage from applied on, of what is computed.
func computed(name string) func(*View) (*term.Program, *extract.Run, error) {
	return func(v *View) (*term.Program, *extract.Run, error) { return v.computed().stage(name) }
}

// computed is the way to the gradient, or to what machine code computes first.
func (v *View) computed() *derived {
	d := v.mode(gradients)
	if v.first != nil || !v.Native || v.opt.Exact || d.err != nil {
		return cmp.Or(v.first, d)
	}
	v.first = d
	_, _, from, err := fusion.Either(v.lib, d.Program, d, v.Weights)
	of := func(other func() (*ad.Derived, error)) bool {
		u, _ := other()
		found := err == nil && u != nil && u.Program == from
		if found {
			v.first = &derived{Derived: u}
		}
		return found
	}
	v.unmasked, v.termwise = of(d.Unmasked), of(d.Termwise)
	return v.first
}

// gradients is the mode of the way to the gradient: of what is no real scalar, to its
// cotangents.
func (v *View) gradients() string {
	if v.scalar() {
		return gradients
	}
	return backwards
}

// mode is the derivation of a mode.
func (v *View) mode(mode string) *derived {
	if mode == gradients {
		mode = v.gradients()
	}
	if d := v.derived[mode]; d != nil {
		return d
	}
	how := map[string]func(*rules.Library, *term.Program, ad.Options) (*ad.Derived, error){backwards: ad.VJP, forwards: ad.JVP, gradients: ad.Grad}[mode]
	d, err := how(v.lib, v.prog, v.opt)
	memo.Set(&v.derived, mode, &derived{d, err})
	return v.derived[mode]
}

// last is what the way to the gradient ends with.
func last(v *View) (*term.Program, *extract.Run, error) {
	for _, name := range []string{"termwise", "crossed", "gathered"} {
		if p, run, err := computed(name)(v); p != nil {
			return p, run, err
		}
	}
	return computed("gradient")(v)
}

// fused is the gradient as its kernels compute it.
func fused(v *View) (*term.Program, *extract.Run, error) {
	p, run, err := last(v)
	if err != nil {
		return p, run, err
	}
	p, err = fusion.Fuse(v.lib, p, v.Weights, extract.How{})
	return p, nil, err
}

// absent says why there is no such stage for a program.
type absent string

func (a absent) Error() string { return string(a) }

func (d *derived) stage(name string) (*term.Program, *extract.Run, error) {
	if d.Derived != nil {
		for _, s := range d.Stages {
			if s.Name == name && s.Program != nil {
				return s.Program, s.Report, nil
			} else if s.Name == name {
				return nil, s.Report, d.err
			}
		}
	}
	switch {
	case name == "summed" && d.Derived != nil:
		return nil, nil, absent("there is no stage summed: no loop only adds up")
	case name == "congruent" && d.Derived != nil:
		return nil, nil, absent("there is no stage congruent: no sum is of what is chosen by remainders of its index")
	case name == "segments" && d.Derived != nil:
		return nil, nil, absent("there is no stage segments: no sum is over a part of an array that begins and ends where data say")
	case d.err != nil:
		if d.Derived != nil && len(d.Stages) > 0 && d.Stages[len(d.Stages)-1].Program == nil {
			return nil, d.Stages[len(d.Stages)-1].Report, d.err // of a step before it
		}
		return nil, nil, d.err
	case name == "vectorised":
		return nil, nil, absent("there is no stage vectorised: there is no loop")
	case name == "crossed":
		return nil, nil, absent("there is no stage crossed: nothing is added up that is read, or sent, along two axes")
	case name == "termwise":
		return nil, nil, absent("there is no stage termwise: no sum of what data choose is counted, or it takes less time as it is")
	case name == "gathered":
		return nil, nil, absent("there is no stage gathered: no array has rows that are read more often than there are")
	}
	return nil, nil, absent("no linear map is needed: nothing that varies has elements")
}

// with makes a program that results in what root says, of the linear maps of a stage.
func with(of func() (*term.Program, *extract.Run, error), root func(q *term.Program, maps []term.Term) term.Term) (*term.Program, *extract.Run, error) {
	p, _, err := of()
	if err != nil {
		return nil, nil, err
	}
	q := p.Clone()
	return q, nil, overflow.Guard(func() error {
		q.Root = root(q, maps(p))
		return nil
	})
}

// maps are the linear maps in which a program results, one for each array of the inputs.
func maps(p *term.Program) []term.Term {
	if p.Store.Op(p.Root).Sym == ops.SymTuple {
		return p.Store.Open(p.Root).Kids
	}
	return []term.Term{p.Root}
}

// together puts linear maps side by side, or one above the other: one alone is what it is.
func together(s *term.Store, sym ops.Sym, ms []term.Term) term.Term {
	if len(ms) == 1 {
		return ms[0]
	}
	return s.Apply(sym, ms...)
}

// lawful simplifies the maps of the stage nabla. The way to the gradient does
// not: what the laws save, the maps when applied save as well.
func (v *View) lawful() (*term.Program, *extract.Run, error) {
	if v.laws == nil {
		v.laws = &simplified{}
		if v.laws.maps, _, v.laws.err = gradient("nabla")(v); v.laws.err == nil {
			v.laws.maps, v.laws.run, v.laws.err = v.rewritten(v.laws.maps, func(q *term.Program) (*extract.Result, *extract.Run, error) {
				return linmap.Simplify(v.opt.Extract.Way(false), v.lib, q.Store, q.Root, q.Names, v.opt.Exact, v.opt.Time)
			})
		}
	}
	return v.laws.maps, v.laws.run, v.laws.err
}

// rewritten is what a run makes of a program.
func (v *View) rewritten(p *term.Program, run func(q *term.Program) (*extract.Result, *extract.Run, error)) (*term.Program, *extract.Run, error) {
	q := p.Clone()
	x, report, err := run(q)
	if err != nil {
		return nil, report, err
	}
	q.Root, q.Names = x.Root, x.Names
	return q, report, nil
}

// transpose is the maps of the stage nabla-simplified, each under a transposition.
func (v *View) transpose() (*term.Program, *extract.Run, error) {
	return with(v.lawful, func(q *term.Program, ms []term.Term) term.Term {
		return q.Store.Packed(slice.Map(ms, func(m term.Term) term.Term { return q.Store.Apply(ops.SymLtranspose, m) }))
	})
}

// transposed transposes the maps of the stage nabla-simplified. The way to the gradient
// transposes and applies in one run.
func (v *View) transposed() (*term.Program, *extract.Run, error) {
	p, _, err := v.transpose()
	if err != nil {
		return nil, nil, err
	}
	return v.rewritten(p, func(q *term.Program) (*extract.Result, *extract.Run, error) {
		return linmap.Transpose(v.opt.Extract.Way(false), v.lib, q.Store, q.Root, q.Names, v.opt.Time)
	})
}

// pushed is the forward derivative before anything is done: the maps, side by side, and
// what they are applied to.
func (v *View) pushed() (*term.Program, *extract.Run, error) {
	wrt, err := ad.Varied(v.prog, v.opt.Wrt)
	if err != nil {
		return nil, nil, err
	}
	return with(v.lawful, func(q *term.Program, ms []term.Term) term.Term {
		dx := ad.Changes(q, wrt)
		return q.Store.Apply(ops.SymLapply, together(q.Store, ops.SymLjoin, ms), dx)
	})
}

// pulled is the reverse derivative before anything is done.
func (v *View) pulled() (*term.Program, *extract.Run, error) {
	return with(v.transposed, func(q *term.Program, ms []term.Term) term.Term {
		ct := ad.Cotangent(q, v.prog.Store.Type(v.prog.Root).RealPart())
		q.Inputs = append(slices.Clip(q.Inputs), ct)
		return q.Store.Apply(ops.SymLapply, together(q.Store, ops.SymLpair, ms), ad.Arrays(q.Store, ct))
	})
}
