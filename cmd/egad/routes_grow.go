package main

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"egad"
	"egad/diag"
	"egad/internal/growth"
	"egad/internal/slice"
	"egad/routes"

	"github.com/spf13/cobra"
)

// growFlags are those of the command routes grow.
type growFlags struct {
	routesFlags
	family string
	n      string
	listed []string // of the counts
}

func newRoutesGrow() *cobra.Command {
	var f growFlags
	cmd := &cobra.Command{
		Use:   "grow FILE --size n=1..14 | --family NAME",
		Short: "Print how what routes do grows with a size",
		Long: `grow runs routes on a definition at a range of one size, or on a family of
programs, and prints what they did at each size, the first differences and the
ratios, and for each count whether it is constant, linear, quadratic, exponential,
or unclear.

Families: ` + strings.Join(families(), ", ") + `.`,
		Args: arguments(0, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			path := ""
			if len(args) == 1 {
				path = args[0]
			}
			return f.run(cmd, path)
		},
	}
	f.addRoutes(cmd, []string{"eval3", "share"})
	flags := cmd.Flags()
	flags.StringVar(&f.family, "family", "", "a family of programs, in place of a file")
	flags.StringVar(&f.n, "n", "1..10", "the sizes of a family")
	flags.StringSliceVar(&f.listed, "count", []string{"visits"}, "what is printed: "+strings.Join(countNames(), ", "))
	return cmd
}

// families are the names of the families of programs, as one word each.
func families() []string {
	return slice.Map(growth.Families, func(f growth.Family) string { return strings.ReplaceAll(f.Name, " ", "-") })
}

// counting is a count by its name.
type counting struct {
	name string
	of   func(c routes.Counts) int64
}

// countedBy are the counts of a route, by name; of a functional program steps are counted,
// and of others operations.
var countedBy = []counting{
	{"value", func(c routes.Counts) int64 { return max(c.Value, c.Primal) }},
	{"with", func(c routes.Counts) int64 { return max(c.Total, c.Steps) }},
	{"deltas", func(c routes.Counts) int64 { return c.Made }},
	{"visits", func(c routes.Counts) int64 { return c.Visits }},
	{"ids", func(c routes.Counts) int64 { return c.Ids }},
	{"nodes", func(c routes.Counts) int64 { return c.Nodes }},
	{"tree", func(c routes.Counts) int64 { return c.Tree }},
}

func countNames() []string {
	return slice.Map(countedBy, func(c counting) string { return c.name })
}

// span reads a range, as 1..14, which stands at a position of the value of a flag.
func span(flag, value string, at diag.Pos) (from, to int64, err error) {
	fail := func(at diag.Pos, format string, args ...any) (int64, int64, error) {
		return 0, 0, usageError{diag.Errorf(&diag.Source{Name: flag, Text: value}, at, format, args...)}
	}
	first, last, ok := strings.Cut(value[at:], "..")
	if !ok {
		return fail(at, "expected a range, as 1..14")
	}
	behind := at + diag.Pos(len(first)+len(".."))
	if from, err = strconv.ParseInt(first, 10, 32); err != nil || from < 0 {
		return fail(at, "expected a size where the range begins, as 1..14")
	}
	if to, err = strconv.ParseInt(last, 10, 32); err != nil || to < 0 {
		return fail(behind, "expected a size where the range ends, as 1..14")
	}
	switch {
	case to < from:
		return fail(at, "the range is empty: %d is more than %d", from, to)
	case to-from >= mostSizes:
		return fail(at, "the range has %d sizes, and may have %d", to-from+1, mostSizes)
	}
	return from, to, nil
}

const mostSizes = 1000

// ranged finds the size that is a range, and takes it out of --size.
func (f *growFlags) ranged() (name string, from, to int64, err error) {
	var rest []string
	for _, s := range f.sizes {
		for _, one := range strings.Split(s, ",") {
			n, val, _ := strings.Cut(one, "=")
			if !strings.Contains(val, "..") {
				rest = append(rest, one)
				continue
			}
			if name != "" {
				return "", 0, 0, usageError{fmt.Errorf("--size %s: there is a range of %s already", one, name)}
			}
			if name = n; name == "" {
				return "", 0, 0, usageError{fmt.Errorf("--size %s: expected NAME=RANGE, as n=1..14", one)}
			}
			if from, to, err = span("--size", one, diag.Pos(len(n)+len("="))); err != nil {
				return "", 0, 0, err
			}
		}
	}
	if name == "" {
		return "", 0, 0, usageError{errors.New("expected a range of one size, as --size n=1..14, or --family")}
	}
	f.sizes = rest
	return name, from, to, nil
}

func (f *growFlags) run(cmd *cobra.Command, path string) error {
	if err := f.check(); err != nil {
		return err
	}
	for _, name := range f.listed {
		if !slices.Contains(countNames(), name) {
			return usageError{fmt.Errorf("--count: there is no count %s%s (counts: %s)", name, diag.DidYouMean(name, countNames()), strings.Join(countNames(), ", "))}
		}
	}
	chosen, err := f.chosen()
	if err != nil {
		return err
	}
	at, from, to, err := f.programs(path, chosen)
	if err != nil {
		return err
	}
	table := make(map[string][]*routes.Result) // by route
	bar := counted(cmd.ErrOrStderr(), "sizes", int(to-from+1))
	for n := from; n <= to; n++ {
		bar.step()
		results, err := at(n)
		if err != nil {
			bar.clear()
			return err
		}
		for i, r := range results {
			table[chosen[i].Name] = append(table[chosen[i].Name], r)
		}
	}
	bar.clear()
	return f.write(cmd.OutOrStdout(), func(w io.Writer) error { return f.growth(w, from, chosen, table) })
}

// programs gives the results of the routes at each size.
func (f *growFlags) programs(path string, chosen []*routes.Route) (at func(n int64) ([]*routes.Result, error), from, to int64, err error) {
	switch {
	case (f.family == "") == (path == ""):
		err = usageError{errors.New("expected a file, or --family")}
	case f.family != "":
		if err = without(f.cmd, "--%s: of a family the sizes are given as --n 1..14", "size", "def"); err == nil {
			return f.ofFamily(chosen)
		}
	default:
		if err = without(f.cmd, "--%s: of a file the sizes are given as --size n=1..14", "n"); err == nil {
			return f.ofFile(path, chosen)
		}
	}
	return nil, 0, 0, err
}

func (f *growFlags) ofFamily(chosen []*routes.Route) (at func(n int64) ([]*routes.Result, error), from, to int64, err error) {
	i := slices.Index(families(), f.family)
	if i < 0 {
		return nil, 0, 0, usageError{fmt.Errorf("--family: there is no family %s%s (families: %s)", f.family, diag.DidYouMean(f.family, families()), strings.Join(families(), ", "))}
	}
	if from, to, err = span("--n", f.n, 0); err != nil {
		return nil, 0, 0, err
	}
	ruleTexts, err := readRules(f.rules, "")
	if err != nil {
		return nil, 0, 0, err
	}
	return func(n int64) ([]*routes.Result, error) {
		text := &egad.Source{Name: f.family, Text: growth.Families[i].Text(int(n))}
		m, err := egad.LoadTexts(append([]*egad.Source{text}, ruleTexts...)...)
		if err != nil {
			return nil, err
		}
		if n == from {
			warn(f.cmd, m.Warnings())
		}
		info, err := m.Lookup("")
		if err != nil {
			return nil, err
		}
		return f.results(f.family, &definition{m, info, map[string]int64{}}, chosen, func() {})
	}, from, to, nil
}

func (f *growFlags) ofFile(path string, chosen []*routes.Route) (at func(n int64) ([]*routes.Result, error), from, to int64, err error) {
	name, from, to, err := f.ranged()
	if err != nil {
		return nil, 0, 0, err
	}
	def, err := f.definition(path)
	if err != nil {
		return nil, 0, 0, err
	}
	if _, ok := def.sizes[name]; ok {
		return nil, 0, 0, usageError{fmt.Errorf("--size %s is given twice", name)}
	}
	return func(n int64) ([]*routes.Result, error) {
		def.sizes[name] = n
		return f.results(path, def, chosen, func() {})
	}, from, to, nil
}

func (f *growFlags) growth(out io.Writer, from int64, of []*routes.Route, table map[string][]*routes.Result) error {
	w := tabwriter.NewWriter(out, 0, 8, 2, ' ', tabwriter.AlignRight)
	for _, name := range f.listed {
		c := countedBy[slices.Index(countNames(), name)]
		for _, r := range of {
			var xs []int64
			fmt.Fprintf(w, "%s\t%s\tdifference\tratio\t\n", r.Name, name)
			for i, res := range table[r.Name] {
				if res.Why != "" {
					fmt.Fprintf(w, "%d\t%s: %s\t\t\t\n", from+int64(i), res.Agreement, res.Why)
					break
				}
				x := c.of(res.Counts)
				line := fmt.Sprintf("%d\t%d\t", from+int64(i), x)
				if len(xs) > 0 {
					before := xs[len(xs)-1]
					line += strconv.FormatInt(x-before, 10) + "\t"
					if before > 0 {
						line += fmt.Sprintf("%.2f", float64(x)/float64(before))
					}
				} else {
					line += "\t"
				}
				xs = append(xs, x)
				fmt.Fprintln(w, line+"\t")
			}
			if err := w.Flush(); err != nil {
				return err
			}
			if _, err := fmt.Fprintf(out, "%s of %s: %s\n\n", name, r.Name, routes.GrowthOf(xs)); err != nil {
				return err
			}
		}
	}
	return nil
}
