package main

import (
	"fmt"
	"slices"
	"strings"

	"egad"
	"egad/ad"
	"egad/data"
	"egad/internal/slice"
	"egad/term/types"

	"github.com/spf13/cobra"
)

func newJacobian() *cobra.Command {
	var f deriveFlags
	var mode string
	var blocks bool
	cmd := &cobra.Command{
		Use:   "jacobian FILE",
		Short: "All partial derivatives of a definition",
		Long: `jacobian derives the dense Jacobian of a definition. With inputs it prints value
and Jacobian as JSON; without (sizes by --size) it prints the program.

The derivative by an input has the axes of the value, then those of the input.
Of a tuple it is a list with an item for each real component of the value, and by
a tuple such a list for its real components.

With --blocks it derives only what can differ from 0, as far as that follows from
where the operators of the program read, and makes no matrix. A block has the
derivatives of the array "of" of the result (the component of each tuple) "by" an
array of the inputs. "values" has the axes of the former, then others. "columns"
tells for each axis of the input where on it they are: ":" means everywhere, such
axes are the last ones of values, in their order; else it is an array of indices
whose axes are the first ones of values. An index of -1 means that there is none.
What is there several times is to be added. Where the result is made by scatter, a
block may have "rows" in the same way: indices in the array of the result, for which
values has the axes of what is added in place of those of the array.`,
		Args: arguments(1, 1),
		Run: func(cmd *cobra.Command, args []string) {
			modes := []ad.Mode{ad.Cheapest, ad.Forward, ad.Reverse}
			m := slices.IndexFunc(modes, func(m ad.Mode) bool { return m.String() == mode })
			switch {
			case blocks && cmd.Flags().Changed("mode"):
				misused("--blocks takes no --mode: each block is derived in the direction that takes fewer products")
			case blocks:
				f.run(cmd, args[0], f.blocks())
			case m < 0:
				misused("--mode %s: forward, reverse and cheapest are possible", mode)
			default:
				f.run(cmd, args[0], f.jacobian(modes[m]))
			}
		},
	}
	f.add(cmd)
	cmd.Flags().StringVar(&mode, "mode", ad.Cheapest.String(),
		"forward: a column for each element of the inputs; reverse: a row for each element of the value; cheapest: what has fewer")
	cmd.Flags().BoolVar(&blocks, "blocks", false, "only the derivatives that can differ from 0, as blocks with the indices of their columns")
	return cmd
}

func (f *deriveFlags) blocks() derivation {
	return derivation{
		prefix: "jacobian", kind: "blocks",
		results: func(of *types.Type, d *ad.Derived, env egad.Env, v *egad.Value) []data.Result {
			list := slice.Make(len(d.Blocks), func(i int) data.Result { return blockResult(d.Blocks[i], v.Parts[1+i]) })
			return []data.Result{{Name: "jacobian", List: list}}
		},
	}
}

// blockResult is a block of a Jacobian as it is written.
func blockResult(b ad.Block, v *egad.Value) data.Result {
	b.Bound(v)
	of := &egad.Value{Elem: types.I, Shape: []int{len(b.Of)}, N: slice.Map(b.Of, func(i int) int64 { return int64(i) })}
	index := v.Parts[1:]
	along := func(axes int, whole func(axis int) bool) []data.Result {
		out := []data.Result{}
		for i := range axes {
			if whole(i) {
				out = append(out, data.Result{Text: ":"})
			} else {
				out, index = append(out, data.Result{Value: index[0]}), index[1:]
			}
		}
		return out
	}
	group := []data.Result{{Name: "of", Value: of}, {Name: "by", Text: b.By.Name}}
	if b.Sent > 0 {
		group = append(group, data.Result{Name: "rows", List: along(len(b.Rows), func(i int) bool { return i >= b.Sent })})
	}
	return data.Result{Group: append(group,
		data.Result{Name: "columns", List: along(len(b.Cols), func(i int) bool { return b.Whole[i] })}, data.Result{Name: "values", Value: v.Parts[0]},
	)}
}

func (f *deriveFlags) jacobian(mode ad.Mode) derivation {
	return derivation{
		prefix: "jacobian", kind: mode.String(),
		results: func(of *types.Type, d *ad.Derived, env egad.Env, v *egad.Value) []data.Result {
			return []data.Result{{Name: "jacobian", Group: byInput(d, v.Parts[1:])}}
		},
	}
}

// blockComments says of a program that computes blocks of a Jacobian what they are.
func blockComments(d *ad.Derived) string {
	var out strings.Builder
	for i, b := range d.Blocks {
		fmt.Fprintf(&out, "-- component %d:", i+1)
		for _, k := range b.Of {
			fmt.Fprintf(&out, " component %d of", k)
		}
		fmt.Fprintf(&out, " the value by %s", b.By.Name)
		for a := range b.Sent {
			fmt.Fprintf(&out, ", indices of rows along axis %d", a)
		}
		for a, whole := range b.Whole {
			if !whole {
				fmt.Fprintf(&out, ", indices along axis %d", a)
			}
		}
		out.WriteString("\n")
	}
	return out.String()
}
