package main

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"egad"
	"egad/ad"
	"egad/data"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/types"

	"github.com/spf13/cobra"
)

func newJVP() *cobra.Command {
	var f deriveFlags
	var dirs []string
	cmd := &cobra.Command{
		Use:   "jvp FILE",
		Short: "The change of a definition's result in a direction (forward mode)",
		Long: `jvp derives the Jacobian times a direction: the change of the result when the
inputs move as --dir says. Inputs without a direction stay where they are. With
inputs it prints value and change as JSON; without (sizes by --size) it prints the
program, which takes the direction of an input x as d_x.`,
		Args: arguments(1, 1),
		Run: func(cmd *cobra.Command, args []string) {
			f.unused("--dir", len(dirs) > 0)
			if f.valued() && len(dirs) == 0 {
				misused("jvp needs a direction, as --dir x=[1,0]")
			}
			f.run(cmd, args[0], derivation{
				prefix: "jvp",
				bind:   f.directions(dirs),
				results: func(of *types.Type, d *ad.Derived, env egad.Env, v *egad.Value) []data.Result {
					return []data.Result{{Name: "jvp", Value: data.Rows(of.RealPart(), v.Parts[1])}}
				},
			})
		},
	}
	f.add(cmd)
	cmd.Flags().StringArrayVar(&dirs, "dir", nil, "directions of inputs, given like --in; may be repeated")
	return cmd
}

func newVJP() *cobra.Command {
	var f deriveFlags
	var ct once
	cmd := &cobra.Command{
		Use:   "vjp FILE",
		Short: "The cotangents of the inputs for one of the result (reverse mode)",
		Long: `vjp derives the transposed Jacobian times a cotangent: for a weight --ct of each
number of the result, the gradient of the weighted sum. With inputs it prints value
and cotangents of the inputs as JSON; without (sizes by --size) it prints the
program, which takes the cotangent as ct. What is not real in the result has no
part in the cotangent: of a result (I, R[2], R) it is as [[1,0],2].`,
		Args: arguments(1, 1),
		Run: func(cmd *cobra.Command, args []string) {
			f.unused("--ct", ct.given)
			if f.valued() && ct.value == "" {
				misused("vjp needs a cotangent of the result, as --ct [1,0]")
			}
			f.run(cmd, args[0], derivation{
				prefix: "vjp",
				bind: func(of *types.Type, p *term.Program, d *ad.Derived, env egad.Env) {
					in := d.Program.Inputs[len(p.Inputs)]
					in.Type = in.Type.WrittenAs(of.RealPart())
					f.cotangent(ct.value, in, env)
				},
				results: grouped("vjp"),
			})
		},
	}
	f.add(cmd)
	cmd.Flags().Var(&ct, "ct", "the cotangent: FILE.json|npy|csv or a value, as [1,0]")
	return cmd
}

// valued reports whether a derivative is computed, and not printed.
func (f *deriveFlags) valued() bool { return len(f.in) > 0 && !f.program }

// once is the value of a flag that is given once.
type once struct {
	value string
	given bool
}

// Set takes the value.
func (o *once) Set(s string) error {
	if o.given {
		return errors.New("the flag is given twice")
	}
	*o = once{s, true}
	return nil
}

func (o *once) String() string { return o.value }

// Type is what the help calls the value.
func (o *once) Type() string { return "string" }

// unused raises an error if a flag of what is computed is given, and the program is printed, as
// there are no inputs.
func (f *deriveFlags) unused(flag string, given bool) {
	if given && len(f.in) == 0 && !f.program {
		misused("%s: without inputs, as --in x=[1,0], the program is printed, and not computed", flag)
	}
}

// cotangent gives the input of a derivative that is a cotangent the value of --ct.
func (f *programFlags) cotangent(ct string, in term.Input, env egad.Env) {
	given := raise.Must(readInputs(f.memory.reader(), "--ct", []string{in.Name + "=" + ct}))
	_, values, err := data.Bind(module.DefInfo{Name: "the cotangent", Params: []term.Input{in}}, given, nil)
	raise.Error(err)
	maps.Copy(env, values)
}

// directions gives the directions among the inputs of a derivative their values,
// those of --dir; what is not told is 0.
func (f *deriveFlags) directions(dirs []string) func(*types.Type, *term.Program, *ad.Derived, egad.Env) {
	return func(_ *types.Type, p *term.Program, d *ad.Derived, env egad.Env) {
		bindDirections(raise.Must(readInputs(f.memory.reader(), "--dir", dirs)), p, d, env)
	}
}

// bindDirections gives the inputs of d that are directions what is given for them.
func bindDirections(given *data.Inputs, p *term.Program, d *ad.Derived, env egad.Env) {
	names := slice.Map(d.Wrt, func(in term.Input) string { return in.Name })
	for _, in := range p.Inputs {
		if len(told(given, in)) > 0 && !slices.Contains(names, in.Name) {
			misused("--dir %s: the derivative is not with respect to %[1]s, but to %s", in.Name, strings.Join(names, ", "))
		}
	}
	values := bindTold(given, p, d.Wrt)
	for i, dir := range d.Program.Inputs[len(p.Inputs):] {
		from := d.Wrt[i].Leaves()
		for k, leaf := range dir.Leaves() {
			v := values[from[k].Name]
			if v == nil {
				v = raise.Must(eval.FloatArrays().New(leaf.Type))
			}
			env[leaf.Name] = v
		}
	}
}

// bindTold gives what is told of inputs of a program, and nothing else, its values.
func bindTold(given *data.Inputs, p *term.Program, inputs []term.Input) egad.Env {
	info := module.DefInfo{Name: p.Name, Sizes: slices.Sorted(maps.Keys(p.Sizes))}
	for _, in := range inputs {
		info.Params = append(info.Params, told(given, in)...)
	}
	_, values, err := data.Bind(info, given, p.Sizes)
	return raise.Must(values, err)
}

// told lists what of an input is given: itself, or components of it.
func told(given *data.Inputs, in term.Input) []term.Input {
	if given.Get(in.Name) != nil {
		return []term.Input{in}
	}
	var out []term.Input
	if in.Type.Kind == types.KTuple {
		for _, p := range in.Components() {
			out = append(out, told(given, p)...)
		}
	}
	return out
}
