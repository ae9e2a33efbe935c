package egad

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"egad/ad"
	"egad/diag"
	"egad/internal/pool"
	"egad/internal/recent"
	"egad/internal/slice"
	"egad/kernel/cost"
	"egad/kernel/machine"
	"egad/term/module"
	"egad/term/types"
)

// Error is a finding: what is wrong, where ([Error.Position]) if it is in a text, and
// of a value what was expected (Want). Errors of this package that are about texts,
// definitions or inputs are of this type, or [Errors]: errors.As finds the first. They wrap
// their causes: errors.Is finds fs.ErrNotExist where a file is not there.
type Error = diag.Error

// Errors are several findings, by position.
type Errors = diag.List

// plain is an [Error] at no place in a text.
func plain(format string, args ...any) error { return diag.Errorf(nil, 0, format, args...) }

// Func is a definition to be called with Go values, and its derivatives. Sizes come
// from the values; for each it keeps the programs that it has compiled, each when it
// is first asked for. Goroutines may share it and call it at the same time.
type Func struct {
	*function
	ctx context.Context // that of its calls
}

// function is what a Func has in common with those of it that have another context.
type function struct {
	m      *Module
	info   module.DefInfo
	params []*tree
	leaves []*tree
	wrt    []*tree
	opt    options

	programs recent.List[*sized]
	latest   atomic.Pointer[sized]
	calls    pool.Pool[call]
}

// options are what options set.
type options struct {
	wrt   []string // nil if it is not given
	once  []string // the options that were given, of those that are given once
	rules []*Source
	files []string
	keep  int

	strict  bool
	native  bool // machine code
	threads int
	weights *cost.Weights
	memory  int64
	mode    ad.Mode
	ad      ad.Options
}

// Option is a choice in compiling a definition.
type Option func(*options) error

// single is an option that is given once.
func single(name string, set func(*options) error) Option {
	return func(o *options) error {
		if slices.Contains(o.once, name) {
			return plain("%s is given twice", name)
		}
		o.once = append(o.once, name)
		return set(o)
	}
}

// flag is an option that is on or off.
func flag(of func(o *options) *bool) Option {
	return func(o *options) error {
		*of(o) = true
		return nil
	}
}

// amount is an option that is given once, with a number that fits or the error of what it needs.
func amount[T any](name string, x T, fits bool, need string, of func(o *options) *T) Option {
	return single(name, func(o *options) error {
		if !fits {
			return plain("%s %v: %s", name, x, need)
		}
		*of(o) = x
		return nil
	})
}

// Wrt names the inputs to differentiate with respect to, in the order in which their
// derivatives come. Without it these are all that have a real part.
func Wrt(names ...string) Option {
	return single("Wrt", func(o *options) error {
		o.wrt = append([]string{}, names...)
		return nil
	})
}

// Rules names files of rules (.rules) that are used beside those of egad.
func Rules(files ...string) Option {
	return func(o *options) error {
		o.files = append(o.files, files...)
		return nil
	}
}

// RuleText gives rules that are used beside those of egad; name stands for the text
// in messages.
func RuleText(name, text string) Option {
	return func(o *options) error {
		o.rules = append(o.rules, &Source{Name: name, Text: text})
		return nil
	}
}

// Weights names a file of what estimates of kernels count, by which loops are shared and
// nested: see [cost.Read].
func Weights(file string) Option {
	return single("Weights", func(o *options) error {
		src, err := diag.ReadSource(file)
		if err != nil {
			return plain("%w", err)
		}
		o.weights, err = cost.Read(src)
		return err
	})
}

// Exact keeps every float64 as it is when programs are simplified.
func Exact() Option { return flag(func(o *options) *bool { return &o.ad.Exact }) }

// Checkpoint makes derivatives of loops keep less: of n steps the states after each of
// √n rounds, and those of one round, which are made again; of scan and mapAccum also what
// they give out after each step. Results are the same, up to rounding: sums may be added in
// another order. With [Exact] value and gradient are the same bit for bit.
func Checkpoint() Option { return flag(func(o *options) *bool { return &o.ad.Checkpoint }) }

// Strict makes an index that depends on inputs and is out of range an error, where a
// read would be 0: each call evaluates the definition by the interpreter before, which
// is slow.
func Strict() Option { return flag(func(o *options) *bool { return &o.strict }) }

// Native makes machine code of kernels when they are first called. That takes about as long
// as it takes to derive a program, from milliseconds of a small one to seconds of a large
// one, and pays where kernels take long or run often. Results are those of the interpreter bit
// for bit if [Exact] is given too; else sums may be added in another order, and functions
// differ by a few units in the last place. Derivatives may be computed without some masks first,
// and with all of them where a result is not finite. Where there is no compiler for the machine,
// kernels are interpreted.
func Native() Option { return flag(func(o *options) *bool { return &o.native }) }

// MaxMemory says how many bytes the arrays that a call computes may take at one time: what
// is made on the way and the results, with [Native] also copies of inputs and literals. Of a
// program that needs more, the call fails before it takes any, with an error that names the
// largest. It is 2 GiB if nothing is said. The Go values that are given, and those to which
// results are copied in the end, do not count.
func MaxMemory(bytes int64) Option {
	return amount("MaxMemory", bytes, bytes >= 0, "an amount of memory is not negative", func(o *options) *int64 { return &o.memory })
}

// Threads has machine code, which [Native] asks for, run on so many threads where a kernel
// takes long. Results do not depend on it.
func Threads(n int) Option {
	need := fmt.Sprintf("expected 1 to %d", machine.MaxThreads)
	return amount("Threads", n, 1 <= n && n <= machine.MaxThreads, need, func(o *options) *int { return &o.threads })
}

// Direct differentiates build as it is, without the bulk-operation transform.
func Direct() Option { return flag(func(o *options) *bool { return &o.ad.Direct }) }

// Within ends all rewriting of one derivation after some time: see [ad.Options].
func Within(d time.Duration) Option {
	return amount("Within", d, d > 0, "a positive time is needed", func(o *options) *time.Duration { return &o.ad.Time })
}

// Keep says for how many choices of sizes programs are kept, those used last; 16 if
// nothing is said.
func Keep(n int) Option {
	return amount("Keep", n, n > 0, "a positive number is needed", func(o *options) *int { return &o.keep })
}

// JacobianMode says how [Func.Jacobian] is computed; ad.Cheapest if nothing is said.
func JacobianMode(m ad.Mode) Option {
	return single("JacobianMode", func(o *options) error {
		if err := m.Check(); err != nil {
			return plain("%w", err)
		}
		o.mode = m
		return nil
	})
}

func (o *options) set(opts []Option) error {
	o.keep, o.memory = 16, machine.DefaultMemory
	for _, opt := range opts {
		if opt == nil {
			return plain("an option is nil")
		}
		if err := opt(o); err != nil {
			return err
		}
	}
	if o.threads > 1 && !o.native {
		return plain("Threads %d: several threads run machine code only, which Native makes", o.threads)
	}
	return nil
}

// Compile checks a program text and gives the definition called def, or the last one
// if def is "", to be called from Go. Nothing is derived before it is asked for.
func Compile(src, def string, opts ...Option) (*Func, error) {
	return compile(def, opts, func() (*Source, error) { return &Source{Name: "program.egad", Text: src}, nil })
}

// CompileFile is [Compile] of the text in a file.
func CompileFile(path, def string, opts ...Option) (*Func, error) {
	return compile(def, opts, func() (*Source, error) { return diag.ReadSource(path) })
}

func compile(def string, opts []Option, program func() (*Source, error)) (*Func, error) {
	var o options
	if err := o.set(opts); err != nil {
		return nil, err
	}
	src, err := program()
	if err != nil {
		return nil, plain("%w", err)
	}
	ruleFiles, err := slice.Try(o.files, diag.ReadSource)
	if err != nil {
		return nil, plain("%w", err)
	}
	for _, s := range ruleFiles {
		if !isRules(s) {
			return nil, plain("%s: the name of a file of rules ends in .rules", s.Name)
		}
	}
	m, err := loadWith([]*Source{src}, append(ruleFiles, o.rules...))
	if err != nil {
		return nil, err
	}
	return m.compile(def, o)
}

// Compile gives the definition called def, or the last one if def is "", to be called
// from Go. The rules are those of the module.
func (m *Module) Compile(def string, opts ...Option) (*Func, error) {
	var o options
	if err := o.set(opts); err != nil {
		return nil, err
	}
	if len(o.files)+len(o.rules) > 0 {
		return nil, plain("a module has its rules: they are given where it is loaded")
	}
	return m.compile(def, o)
}

func (m *Module) compile(def string, o options) (*Func, error) {
	info, err := m.Lookup(def)
	if err != nil {
		return nil, plain("%w", err)
	}
	if err := info.Alone(); err != nil {
		return nil, err
	}
	f := &Func{&function{m: m, info: info, opt: o}, context.Background()}
	f.programs.Max = o.keep
	for i, in := range info.Params {
		if k := in.Type.Kind; k == types.KFun || k == types.KLin {
			return nil, f.errorf(info.At[i], "", "the input %s: %s of %s is no array, and has no value in Go", in.Name, in.Type, info.Name)
		}
		f.params = append(f.params, newTree("input "+in.Name, in, info.At[i], &f.leaves))
	}
	chosen, about, err := ad.Chosen(info.Name, info.Params, info.Sizes, o.wrt)
	if err != nil {
		pos := info.Pos
		if about >= 0 {
			pos = info.At[about]
		}
		return nil, f.errorf(pos, "", "%w", err)
	}
	for k, i := range chosen {
		f.params[i].by = k
		f.wrt = append(f.wrt, f.params[i])
	}
	for _, p := range f.wrt {
		f.opt.ad.Wrt = append(f.opt.ad.Wrt, p.name)
	}
	return f, nil
}

// made reports whether there is a definition.
func (f *Func) made() bool { return f != nil && f.function != nil }

// errorf is a finding about the definition.
func (f *Func) errorf(pos diag.Pos, want, format string, args ...any) error {
	e := diag.Errorf(f.info.Src, pos, format, args...)
	e.Want = want
	return e
}

// WithContext gives the function with another context for its calls, and for those of
// vectors that are made of it: when that is done, a call that waits for a derivative, or runs, ends with the error of the context.
// Places have what they had before. All else is shared, so that it costs nothing to make
// one for each request, and other calls are not disturbed.
func (f *Func) WithContext(ctx context.Context) *Func {
	if f == nil {
		return nil
	}
	return &Func{f.function, cmp.Or(ctx, context.Background())}
}

// Name is the name of the definition.
func (f *Func) Name() string {
	if !f.made() {
		return ""
	}
	return f.info.Name
}

// Wrt lists the inputs that derivatives are by, in their order.
func (f *Func) Wrt() []string {
	if !f.made() {
		return nil
	}
	return slices.Clone(f.opt.ad.Wrt)
}
