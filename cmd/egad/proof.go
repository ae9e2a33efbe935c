package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"egad/ad"
	"egad/diag"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/props"
	"egad/stages"
	"egad/term/module"
	"egad/term/types"

	"github.com/spf13/cobra"
)

// writeProof writes the proof of a derivation to the file of --proof.
func (f *deriveFlags) writeProof(d *ad.Derived, t ad.Task) {
	pr := raise.Must(d.Prove(t))
	writeFile("--proof", f.proof, func(w io.Writer) { raise.Error(json.NewEncoder(w).Encode(pr)) })
}

// task is what a derivation of a definition is, in a mode.
func (f *stageFlags) task(d *definition, mode string) ad.Task {
	return ad.Task{Def: d.info.Name, Mode: mode, Sizes: d.sizes, Wrt: f.opt.Wrt, Exact: f.opt.Exact, Direct: f.opt.Direct, Checkpoint: f.opt.Checkpoint}
}

// readProof reads the proof of a derivation.
func readProof(path string) *ad.Proof {
	src := raise.Must(diag.ReadSource(path))
	var pr ad.Proof
	dec := json.NewDecoder(strings.NewReader(src.Text))
	dec.DisallowUnknownFields()
	err := dec.Decode(&pr)
	syntax, ok := errors.AsType[*json.SyntaxError](err)
	switch {
	case ok:
		raise.Error(diag.Errorf(src, diag.Pos(max(0, min(int(syntax.Offset)-1, len(src.Text)))), "this is not a proof: %s", diag.JSON(err)))
	case err != nil:
		raise.Error(fmt.Errorf("%s: this is not a proof: %w", diag.Printable(path), err))
	case len(bytes.TrimSpace([]byte(src.Text[dec.InputOffset():]))) > 0:
		raise.Error(diag.Errorf(src, diag.Pos(dec.InputOffset()), "the proof goes on after its end"))
	case pr.Def == "" || pr.Mode == "":
		raise.Error(fmt.Errorf("%s: this is not a proof: it does not say of which definition it is, and what is derived", diag.Printable(path)))
	}
	return &pr
}

// otherSizes is an error if a proof is of a definition with other sizes.
func otherSizes(pr *ad.Proof, info module.DefInfo) error {
	theirs, own := slices.Sorted(maps.Keys(pr.Sizes)), slices.Sorted(slices.Values(info.Sizes))
	if slices.Equal(theirs, own) {
		return nil
	}
	list := func(names []string) string {
		if len(names) == 0 {
			return "no sizes"
		}
		return "the " + diag.Count(len(names), "size") + " " + strings.Join(names, ", ")
	}
	return fmt.Errorf("it is of another program, in which %s has %s, and here it has %s", info.Name, list(theirs), list(own))
}

func newVerify() *cobra.Command {
	var rules []string
	var program bool
	cmd := &cobra.Command{
		Use:   "verify PROOF.json FILE",
		Short: "Check the proof of a derivation",
		Long: `verify checks a proof that grad, vjp, jvp or jacobian has written with --proof, for the
definition of a file. It does the derivation again: what rules do is read from the
proof, and checked by a program that knows rules and terms. Nothing is matched, and
there is no e-graph.`,
		Args: arguments(2, 2),
		Run: func(cmd *cobra.Command, args []string) {
			pr := readProof(args[0])
			m := loadWith(cmd, args[1], rules)
			info, err := m.Lookup(pr.Def)
			raise.Error(inFile(args[1], err))
			unproved := func(err error) error {
				return inFile(diag.Printable(args[0])+": not proved", err)
			}
			raise.Error(unproved(otherSizes(pr, info)))
			p := raise.Must(m.Instantiate(pr.Def, pr.Sizes))
			v, err := m.Verify(p, pr)
			raise.Error(unproved(err))
			if program {
				raise.Must(io.WriteString(cmd.OutOrStdout(), v.Program.Text(prefixOf(pr.Mode)+"_"+p.Name)))
				return
			}
			locals := slice.Sum(v.Locals, func(l ad.Locals) int { return len(l.Applied) })
			fmt.Fprintf(cmd.OutOrStdout(), "%s of %s: proved by %s and %s\n", pr.Mode, p.Name, diag.Count(v.Steps(), "step"), diag.Count(locals, "derivative rule"))
		},
	}
	addRules(cmd, &rules)
	cmd.Flags().BoolVar(&program, "program", false, "print the derived program")
	return cmd
}

// prefixOf is the prefix of the names of programs that a mode derives.
func prefixOf(mode string) string {
	prefix, _, _ := strings.Cut(mode, " ")
	return prefix
}

func newExplain() *cobra.Command {
	var f stageFlags
	var mode string
	cmd := &cobra.Command{
		Use:   "explain FILE [A B]",
		Short: "Show a derivation in single steps, or prove two definitions equal",
		Long: `explain prints the way from a definition to its gradient in single steps, stage by
stage: what each rule was applied to, where, and what that became. The steps are
those of a proof, which has been checked by a program that knows rules and terms and
no e-graph; grad --proof writes it.

With the names of two definitions it proves that they are equal for all inputs, shows
inputs for which they differ, or says what stopped the search.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) != 1 && len(args) != 3 {
				return fmt.Errorf("accepts a file, and the names of no or two definitions")
			}
			return nil
		},
		Run: func(cmd *cobra.Command, args []string) {
			switch {
			case !slices.Contains(append(ad.Modes(), ""), mode):
				misused("--mode %s: the modes are %s", mode, strings.Join(ad.Modes(), ", "))
			case len(args) == 1:
				f.explain(cmd, args[0], mode)
			case f.def != "" || mode != "":
				misused("--def and --mode are for derivations, not for two definitions")
			default:
				f.explainEqual(cmd, args[0], args[1], args[2])
			}
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&mode, "mode", "", "what is derived: "+strings.Join(ad.Modes(), ", ")+" (default: grad, or vjp of what is not a real scalar)")
	return cmd
}

// explain writes a derivation in single steps.
func (f *stageFlags) explain(cmd *cobra.Command, path, mode string) {
	def, p := f.program(path)
	if mode == "" {
		mode = "vjp"
		if p.Store.Type(p.Root).IsScalar(types.R) {
			mode = "grad"
		}
	}
	stop := busy(cmd.ErrOrStderr(), "deriving")
	d, v, err := def.Explain(p, f.task(def, mode), f.opt.Time)
	stop()
	raise.Error(err)
	cutOff(cmd.ErrOrStderr(), path, d.Stages)
	f.writeText(cmd.OutOrStdout(), stages.Explain(d, v, p.Name, prefixOf(mode)+"_"+p.Name))
}

// sizesOf is the sizes that a definition has.
func sizesOf(info module.DefInfo, all map[string]int64) map[string]int64 {
	out := maps.Clone(all)
	maps.DeleteFunc(out, func(s string, _ int64) bool { return !slices.Contains(info.Sizes, s) })
	return out
}

// explainEqual proves that two definitions are equal.
func (f *stageFlags) explainEqual(cmd *cobra.Command, path, a, b string) {
	f.def = a
	def := f.checked(path)
	other, err := def.Lookup(b)
	if err == nil {
		err = other.Alone()
	}
	raise.Error(inFile(path, err))
	all := def.sizes
	def.sizes = sizesOf(def.info, all)
	p := f.sized(def)
	maps.Copy(all, def.sizes)
	q := raise.Must(def.Instantiate(b, sizesOf(other, all)))
	stop := busy(cmd.ErrOrStderr(), "proving")
	e, err := stages.Equal(def.Rules(), p, q, f.opt)
	stop()
	if _, unproved := errors.AsType[*stages.Unproved](err); unproved {
		if x := props.Differ(p, q); x != nil {
			raise.Error(fmt.Errorf("%s and %s differ:\n  %s", a, b, strings.Join(append(x.Bindings, x.First), "\n  ")))
		}
	}
	raise.Error(err)
	f.writeText(cmd.OutOrStdout(), e.Text())
}
