package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"egad"
	"egad/data"
	"egad/diag"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/internal/timing"
	"egad/term"
	"egad/term/module"

	"github.com/spf13/cobra"
)

// programFlags are the flags that choose a definition and its inputs.
type programFlags struct {
	def   string
	in    []string
	sizes []string
	rules []string
	out   string
	how   how

	strict bool

	memory memory
	cmd    *cobra.Command
	taken  string // which definition was taken, as none was named
}

// addEval adds the flags of commands that compute something.
func (f *programFlags) addEval(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.how.eval, "eval", false, "compute by the evaluator, which is slow and defines the language, not by kernels")
	f.how.addWeights(cmd)
	cmd.Flags().BoolVar(&f.how.native, "native", false, "make machine code of the kernels, which is worth while if they take long: functions may differ in the last place, and sums be added in another order")
	cmd.Flags().IntVar(&f.how.threads, "threads", 1, "how many threads run machine code, where a kernel takes long; results do not depend on it")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "report an index that depends on inputs and is out of range, where a read would be 0 (evaluates the definition before, which is slow)")
}

func (f *programFlags) addProgram(cmd *cobra.Command) {
	f.cmd = cmd
	run := cmd.Run
	cmd.Run = func(cmd *cobra.Command, args []string) {
		if isNPY(f.out) && cmd.Name() != "run" {
			misused("--out %s: a .npy file holds one array, which run writes, and not what %s does", f.out, cmd.Name())
		}
		err := raise.Catch(func() { run(cmd, args) })
		if _, usage := errors.AsType[usageError](err); !usage && err != nil && f.taken != "" {
			err = fmt.Errorf("%w\n%s", err, f.taken)
		}
		raise.Error(err)
	}
	cmd.Flags().StringVar(&f.def, "def", "", "the definition (default: the last one)")
	cmd.Flags().StringArrayVar(&f.in, "in", nil,
		"inputs: FILE.json (an object from name to nested lists), NAME=FILE.json|npy|csv, or NAME=VALUE; may be repeated")
	cmd.Flags().StringArrayVar(&f.sizes, "size", nil, "sizes, as n=10 or n=10,m=3; may be repeated")
	addRules(cmd, &f.rules)
	cmd.Flags().StringVarP(&f.out, "out", "o", "", "write the result to this file; of run, to FILE.npy in the format of NumPy if it is one array")
	f.memory = defaultMemory
	addMemory(cmd, &f.memory, "how much memory data and the arrays of a program may take, as 2GB")
}

// sizeMap reads the --size flags.
func (f *programFlags) sizeMap() (map[string]int64, error) {
	out := make(map[string]int64)
	for _, s := range slices.Concat(slice.Map(f.sizes, func(s string) []string { return strings.Split(s, ",") })...) {
		name, val, ok := strings.Cut(strings.Trim(s, " "), "=")
		n, err := strconv.ParseInt(val, 10, 64)
		if _, number := strconv.ParseFloat(val, 64); ok && name != "" && number == nil && (err != nil || n < 0) {
			return nil, usagef("--size %s: a size is a whole number that is not negative, and fits 63 bits", s)
		}
		if !ok || name == "" || err != nil {
			return nil, usagef("--size %s: expected NAME=NUMBER, as n=10, and several with commas between them", strings.Join(f.sizes, " "))
		}
		if old, dup := out[name]; dup && old != n {
			return nil, usagef("--size %s is given twice", name)
		}
		out[name] = n
	}
	return out, nil
}

// readInputs reads the values of --in, or of another flag of its form.
func readInputs(r *data.Reader, flag string, values []string) (*data.Inputs, error) {
	all, named := &data.Inputs{}, &data.Inputs{}
	var errs []error
	for _, s := range values {
		name, val, isNamed := strings.Cut(s, "=")
		err := raise.Catch(func() {
			switch {
			case !isNamed && (filepath.Ext(s) == ".json" || isDevice(s)):
				raise.Error(all.AddAll(raise.Must(r.JSON(s))))
			case !isNamed && filepath.Ext(s) == "":
				misused("%s %s: expected NAME=VALUE, as %s=[1,2], NAME=FILE, or a .json file", flag, s, s)
			case !isNamed:
				misused("%s %s: name the input, as x=%s, or give a .json file", flag, s, s)
			case name == "":
				misused("%s %s: the name of the input is missing", flag, s)
			default:
				raise.Error(named.Add(name, raise.Must(readValue(r, flag, name, val))))
			}
		})
		if _, ok := errors.AsType[*data.MemoryError](err); ok {
			err = fmt.Errorf("%w; --memory allows more", err)
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return all, err
	}
	return all, all.Override(named) // what is named counts, also where a file has it
}

// isDevice reports whether a value names a file without an extension, as what a
// shell makes of <(…) does.
func isDevice(path string) bool { return strings.HasPrefix(path, "/dev/") && filepath.Ext(path) == "" }

// isRegular reports whether a value is the name of a file with an extension.
func isRegular(path string) bool {
	f, err := os.Stat(path)
	return err == nil && f.Mode().IsRegular() && filepath.Ext(path) != ""
}

// readValue reads a file by its extension, or a JSON value in the flag itself.
func readValue(r *data.Reader, flag, name, val string) (*data.Raw, error) {
	if slices.Contains([]string{".json", ".npy", ".csv"}, filepath.Ext(val)) || isDevice(val) || isRegular(val) {
		return r.Value(name, val)
	}
	return r.Text(name, &diag.Source{Name: flag + " " + name, Text: val})
}

// addRules adds the flag --rules.
func addRules(cmd *cobra.Command, files *[]string) {
	cmd.Flags().StringArrayVar(files, "rules", nil, "a file of rules and operators to be used beside those of egad; may be repeated")
}

// loadWith reads a program and files of rules, and warns of odd rules.
func loadWith(cmd *cobra.Command, path string, ruleFiles []string) *egad.Module {
	areRules(ruleFiles)
	defer whileReading()()
	m := raise.Must(egad.Load(append([]string{path}, ruleFiles...)...))
	warn(cmd, m.Warnings())
	return m
}

// warn prints warnings, which are no errors.
func warn(cmd *cobra.Command, list diag.List) {
	if len(list) > 0 {
		fmt.Fprintln(cmd.ErrOrStderr(), list)
	}
}

// areRules checks the names in --rules.
func areRules(files []string) {
	for _, r := range files {
		if !isRules(r) {
			misused("--rules %s: a file of rules ends in .rules", r)
		}
	}
}

// definition is one definition of a module that was read, and its sizes: what --size
// says, or the inputs.
type definition struct {
	*egad.Module
	info  module.DefInfo
	sizes map[string]int64
}

// definition reads a program, once: it may be a pipe.
func (f *programFlags) definition(path string) *definition {
	sizes := raise.Must(f.sizeMap())
	m := loadWith(f.cmd, path, f.rules)
	info, err := m.Lookup(f.def)
	raise.Error(inFile(path, err))
	if names := m.Defs(); f.def == "" && len(names) > 1 {
		const shown = 8
		others := slices.DeleteFunc(names, func(n string) bool { return n == info.Name })
		if more := len(others) - shown; more > 0 {
			others = append(others[:shown:shown], fmt.Sprintf("%d more", more))
		}
		f.taken = fmt.Sprintf("(%s is the last definition of %s, and --def names no other: there are %s)", info.Name, diag.Printable(path), strings.Join(others, ", "))
	}
	raise.Error(info.Alone())
	return &definition{m, info, sizes}
}

// given takes the definition at the sizes of the inputs.
func (f *programFlags) given(d *definition) (*term.Program, egad.Env, error) {
	return f.bound(d, data.Bind)
}

// some takes the definition at the sizes of --size and of the inputs that are given, and lists
// the others, which it makes up.
func (f *programFlags) some(path string, d *definition, seed uint64) (p *term.Program, env egad.Env, made []string) {
	if len(f.in) == 0 {
		p, env, err := f.inputs(path, d, true, seed)
		raise.Error(err)
		return p, env, slice.Map(d.info.Params, func(in term.Input) string { return in.Name })
	}
	p, env, err := f.bound(d, func(info module.DefInfo, in *data.Inputs, sizes map[string]int64) (known map[string]int64, env egad.Env, err error) {
		known, env, made, err = data.BindSome(info, in, sizes)
		return known, env, err
	})
	raise.Error(err)
	f.madeUp(path, p.Inputs, d.sizes, env, seed)
	return p, env, made
}

// bound takes the definition at the sizes that bind finds of the inputs.
func (f *programFlags) bound(d *definition, bind func(module.DefInfo, *data.Inputs, map[string]int64) (map[string]int64, egad.Env, error)) (_ *term.Program, _ egad.Env, err error) {
	defer raise.Caught(&err)
	in := raise.Must(readInputs(f.memory.reader(), "--in", f.in))
	sizes, env, err := bind(d.info, in, d.sizes)
	raise.Error(err)
	if rest := data.Unused(d.info, in); len(rest) > 0 {
		fmt.Fprintf(f.cmd.ErrOrStderr(), "note: %s has no input %s, of which the file is not used\n", d.info.Name, strings.Join(rest, ", "))
	}
	d.sizes = sizes
	p, err := d.Instantiate(d.info.Name, sizes)
	if err == nil && f.strict {
		err = egad.CheckIndices(p, env)
	}
	return p, env, err
}

// sized takes the definition at the sizes of the inputs if there are some, or else
// of --size.
func (f *programFlags) sized(d *definition) *term.Program {
	if len(f.in) == 0 {
		d.sizes = d.info.Tell(d.sizes)
		return raise.Must(d.Instantiate(d.info.Name, d.sizes))
	}
	p, _, err := f.given(d)
	return raise.Must(p, err)
}

// inputs takes a definition at the sizes of its inputs, or of --size if they are to be
// made up.
func (f *programFlags) inputs(path string, def *definition, made bool, seed uint64) (p *term.Program, env egad.Env, err error) {
	defer raise.Caught(&err)
	if !made {
		return f.given(def)
	}
	p, env = f.sized(def), make(egad.Env)
	f.madeUp(path, p.Inputs, def.sizes, env, seed)
	return p, env, nil
}

// madeUp makes up the inputs that have no values: of one seed the same.
func (f *programFlags) madeUp(path string, inputs []term.Input, sizes map[string]int64, env egad.Env, seed uint64) {
	bytes, err := timing.Bytes(env, inputs)
	if err == nil {
		err = f.memory.check("the inputs that are made up take", env, bytes)
	}
	raise.Error(inFile(path, err))
	below := int64(10)
	if len(sizes) > 0 {
		below = slices.Min(slices.Collect(maps.Values(sizes)))
	}
	raise.Error(timing.MakeUp(env, inputs, below, seed))
}

// inFile is an error, if there is one, with the file that it is about.
func inFile(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", path, err)
}

// isNPY reports whether a file is to be one of NumPy.
func isNPY(path string) bool { return strings.ToLower(filepath.Ext(path)) == ".npy" }

// write sends output to the file of --out, or to out.
func (f *programFlags) write(out io.Writer, emit func(io.Writer)) {
	if f.out == "" {
		emit(out)
	} else {
		writeFile("--out", f.out, emit)
	}
}

// writeText is write of a text.
func (f *programFlags) writeText(out io.Writer, text string) {
	f.write(out, func(w io.Writer) { raise.Must(io.WriteString(w, text)) })
}

// writeFile sends output to the file of a flag.
func writeFile(flag, path string, emit func(io.Writer)) {
	file, err := os.Create(path)
	if err != nil {
		raise.Error(fmt.Errorf("%s: %w", flag, err))
	}
	written := &output{to: file}
	err = raise.Catch(func() { emit(written) })
	if failed := cmp.Or(written.err, file.Close()); failed != nil {
		err = &outError{flag, failed}
	}
	raise.Error(err)
}

// outError is a failure to write the file of a flag.
type outError struct {
	flag string
	error
}

func (e *outError) Error() string { return e.flag + ": the file is not complete: " + e.error.Error() }
