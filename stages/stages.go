// Package stages shows what becomes of a program on the way to its derivatives,
// stage by stage, as Section 5 of "Automatic differentiation in Coconut" does.
// The text of all stages is again text of the language, with the figures of each
// stage as comments.
package stages

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"egad/ad"
	"egad/diag"
	"egad/extract"
	"egad/fusion"
	"egad/kernel"
	"egad/linmap"
	"egad/rules"
	"egad/term"
)

// Stage is a program on the way, with what made it.
type Stage struct {
	Name    string
	Title   string        // what the stage is, in a line
	Def     string        // what its text is called
	Program *term.Program // nil if the stage failed
	ANF     bool          // it is shown in A-normal form
	Run     *extract.Run  // nil if no e-graph was used
	// Kernels are those of Program, at the stage kernels, and Machine what they were
	// compiled to, if that was asked for.
	Kernels *kernel.Program
	Machine *kernel.Machine
}

// View is a program of which stages can be asked for, by several goroutines too.
// What they need is computed once, when it is first needed.
type View struct {
	lib  *rules.Library
	prog *term.Program
	opt  ad.Options

	// Native asks which kernels are machine code.
	Native bool

	making sync.Mutex
	back   *derived // reverse mode
	fore   *derived // forward mode
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

// kinds lists the stages in their order.
var kinds = []kind{
	{"source", "%", "the definition at these sizes, calls inlined", (*View).source},
	{"anf", "%_anf", "the same in A-normal form: every subterm has a name", (*View).source},
	{"bulk", "%_bulk", "bulk operations, by the bulk-operation transform (BOT)", reverse("bulk")},
	{"simplified", "%_simplified", "what is differentiated", reverse("simplified")},
	{"nabla", "nabla_%", "the derivative as linear maps; D_y takes a change of y to that of the result", reverse("nabla")},
	{"nabla-simplified", "nabla_simplified_%", "these maps, simplified by the laws of linear maps", (*View).lawful},
	{"transposed", "transposed_%", "the maps transposed, from cotangents of the result to those of the inputs", (*View).transposed},
	{"applied", "applied_%", "the transposed maps applied to a cotangent", reverse("applied")},
	{"gradient", "grad_%", "the value and the gradient, simplified", reverse("gradient")},
	{"fused", "fused_%", "the same as kernels compute it: what is kept is built of scalars", fused},
	{"kernels", "grad_%", "the loops that compute it", reverse("gradient")},
	{"forward-nabla", "forward_nabla_%", "the derivative put together forwards; F_y takes a change of the inputs to that of y", forward("nabla")},
	{"forward", "jvp_%", "the value and, for changes of the inputs, the change of the value", forward("gradient")},
}

// Names lists the stages in their order.
func Names() []string {
	var out []string
	for _, k := range kinds {
		out = append(out, k.name)
	}
	return out
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
	v.making.Unlock()
	if err != nil && run == nil {
		return nil, err
	}
	s := &Stage{Name: k.name, Title: k.title, Program: p, ANF: k.name == "anf", Run: run}
	def := k.def
	if k.name == "gradient" && !v.scalar() {
		def, s.Title = "vjp_%", "the value and, for a cotangent of it, those of the inputs, simplified"
	}
	s.Def = strings.ReplaceAll(def, "%", v.prog.Name)
	if k.name == "kernels" && err == nil {
		s.Run = nil // that of the stage gradient
		if s.Kernels, err = kernel.Lower(p); err == nil && v.Native {
			s.Machine, err = kernel.CompileNative(s.Kernels, v.opt.Exact)
		}
		if err != nil {
			return nil, err
		}
	}
	return s, err
}

// All lists the stages up to the first error. Where nothing that varies has
// elements, there are no stages of linear maps, and on the direct path there are
// no bulk operations.
func (v *View) All() ([]*Stage, error) {
	var out []*Stage
	for _, n := range Names() {
		s, err := v.Stage(n)
		if errors.Is(err, errNoMaps) || errors.Is(err, errNoBulk) {
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
func (v *View) scalar() bool { return v.prog.Store.Type(v.prog.Root).IsScalar(term.R) }

func (v *View) source() (*term.Program, *extract.Run, error) { return v.prog, nil, nil }

// reverse is the stage of that name on the way to the gradient.
func reverse(name string) func(*View) (*term.Program, *extract.Run, error) {
	return func(v *View) (*term.Program, *extract.Run, error) {
		if name == "bulk" && v.opt.Direct {
			return nil, nil, errNoBulk
		}
		if v.back == nil {
			how := ad.VJP
			if v.scalar() {
				how = ad.Grad
			}
			v.back = newDerived(how(v.lib, v.prog, v.opt))
		}
		return v.back.stage(name)
	}
}

// fused is the gradient as its kernels compute it.
func fused(v *View) (*term.Program, *extract.Run, error) {
	p, run, err := reverse("gradient")(v)
	if err != nil {
		return p, run, err
	}
	p, err = fusion.Fuse(v.lib, p, extract.How{})
	return p, nil, err
}

// forward is the stage of that name on the way to the forward derivative.
func forward(name string) func(*View) (*term.Program, *extract.Run, error) {
	return func(v *View) (*term.Program, *extract.Run, error) {
		if v.fore == nil {
			v.fore = newDerived(ad.JVP(v.lib, v.prog, v.opt))
		}
		return v.fore.stage(name)
	}
}

func newDerived(d *ad.Derived, err error) *derived { return &derived{d, err} }

// errNoMaps is found where nothing that varies has elements.
var errNoMaps = errors.New("no linear map is needed: nothing that varies has elements")

// errNoBulk is found where build is differentiated as it is.
var errNoBulk = errors.New("on the direct path there is no stage bulk")

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
	if d.err == nil {
		return nil, nil, errNoMaps
	}
	return nil, nil, d.err
}

// lawful simplifies the maps of the stage nabla. The way to the gradient does
// not: what the laws save, the maps when applied save as well.
func (v *View) lawful() (*term.Program, *extract.Run, error) {
	p, _, err := reverse("nabla")(v)
	if err != nil {
		return nil, nil, err
	}
	q := p.Clone()
	x, run, err := linmap.Simplify(v.opt.Extract.Way(false), v.lib, q.Store, q.Root, p.Names, v.opt.Exact, v.opt.Time)
	if err != nil {
		return nil, run, err
	}
	q.Root, q.Names = x.Root, x.Names
	return q, run, nil
}

// transposed transposes the maps of the stage nabla. The way to the gradient
// transposes and applies in one run; this is what it would transpose to.
func (v *View) transposed() (*term.Program, *extract.Run, error) {
	p, _, err := reverse("nabla")(v)
	if err != nil {
		return nil, nil, err
	}
	q := p.Clone()
	var t term.Term
	err = term.Guard(func() error {
		s := q.Store
		if s.Op(p.Root).Sym != term.SymTuple {
			t = s.Apply(term.SymLtranspose, p.Root)
			return nil
		}
		var maps []term.Term
		for _, m := range s.Open(p.Root).Kids {
			maps = append(maps, s.Apply(term.SymLtranspose, m))
		}
		t = s.Apply(term.SymTuple, maps...)
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	x, run, err := linmap.Transpose(v.opt.Extract.Way(false), v.lib, q.Store, t, p.Names, v.opt.Time)
	if err != nil {
		return nil, run, err
	}
	q.Root, q.Names = x.Root, x.Names
	return q, run, nil
}
