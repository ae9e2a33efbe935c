package main

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"egad"
	"egad/diag"
	"egad/internal/growth"
	"egad/internal/raise"
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
		Run: func(cmd *cobra.Command, args []string) {
			f.run(cmd, strings.Join(args, ""))
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
func span(flag, value string, at diag.Pos) (from, to int64) {
	fail := func(at diag.Pos, format string, args ...any) {
		raise.Error(usageError{diag.Errorf(&diag.Source{Name: flag, Text: value}, at, format, args...)})
	}
	first, last, ok := strings.Cut(value[at:], "..")
	if !ok {
		fail(at, "expected a range, as 1..14")
	}
	size := func(text string, at diag.Pos, where string) int64 {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 0 {
			fail(at, "expected a size where the range %s, as 1..14", where)
		}
		return n
	}
	from, to = size(first, at, "begins"), size(last, at+diag.Pos(len(first)+len("..")), "ends")
	switch {
	case to < from:
		fail(at, "the range is empty: %d is more than %d", from, to)
	case to-from >= mostSizes:
		fail(at, "the range has %d sizes, and may have %d", to-from+1, mostSizes)
	}
	return from, to
}

const mostSizes = 1000

// ranged finds the size that is a range, and takes it out of --size.
func (f *growFlags) ranged() (name string, from, to int64) {
	var rest []string
	for _, s := range f.sizes {
		for _, one := range strings.Split(s, ",") {
			n, val, _ := strings.Cut(one, "=")
			if !strings.Contains(val, "..") {
				rest = append(rest, one)
				continue
			}
			if name != "" {
				misused("--size %s: there is a range of %s already", one, name)
			}
			if name = n; name == "" {
				misused("--size %s: expected NAME=RANGE, as n=1..14", one)
			}
			from, to = span("--size", one, diag.Pos(len(n)+len("=")))
		}
	}
	if name == "" {
		misused("expected a range of one size, as --size n=1..14, or --family")
	}
	f.sizes = rest
	return name, from, to
}

func (f *growFlags) run(cmd *cobra.Command, path string) {
	f.check()
	for _, name := range f.listed {
		if !slices.Contains(countNames(), name) {
			misused("--count: there is no count %s%s (counts: %s)", name, diag.DidYouMean(name, countNames()), strings.Join(countNames(), ", "))
		}
	}
	chosen := f.chosen()
	at, from, to := f.programs(path, chosen)
	table := make(map[string][]*routes.Result) // by route
	bar := counted(cmd.ErrOrStderr(), "sizes", int(to-from+1))
	err := raise.Catch(func() {
		for n := from; n <= to; n++ {
			bar.step()
			for i, r := range at(n) {
				table[chosen[i].Name] = append(table[chosen[i].Name], r)
			}
		}
	})
	bar.clear()
	raise.Error(err)
	f.write(cmd.OutOrStdout(), func(w io.Writer) { f.growth(w, from, chosen, table) })
}

// programs gives the results of the routes at each size.
func (f *growFlags) programs(path string, chosen []*routes.Route) (at func(n int64) []*routes.Result, from, to int64) {
	if (f.family == "") == (path == "") {
		misused("expected a file, or --family")
	}
	if f.family != "" {
		without(f.cmd, "--%s: of a family the sizes are given as --n 1..14", "size", "def")
		return f.ofFamily(chosen)
	}
	without(f.cmd, "--%s: of a file the sizes are given as --size n=1..14", "n")
	return f.ofFile(path, chosen)
}

func (f *growFlags) ofFamily(chosen []*routes.Route) (at func(n int64) []*routes.Result, from, to int64) {
	i := slices.Index(families(), f.family)
	if i < 0 {
		misused("--family: there is no family %s%s (families: %s)", f.family, diag.DidYouMean(f.family, families()), strings.Join(families(), ", "))
	}
	from, to = span("--n", f.n, 0)
	ruleTexts := readRules(f.rules, "")
	return func(n int64) []*routes.Result {
		text := &egad.Source{Name: f.family, Text: growth.Families[i].Text(int(n))}
		m := raise.Must(egad.LoadTexts(append([]*egad.Source{text}, ruleTexts...)...))
		if n == from {
			warn(f.cmd, m.Warnings())
		}
		info := raise.Must(m.Lookup(""))
		return f.results(f.family, &definition{m, info, map[string]int64{}}, chosen, func() {})
	}, from, to
}

func (f *growFlags) ofFile(path string, chosen []*routes.Route) (at func(n int64) []*routes.Result, from, to int64) {
	name, from, to := f.ranged()
	def := f.definition(path)
	if _, ok := def.sizes[name]; ok {
		misused("--size %s is given twice", name)
	}
	return func(n int64) []*routes.Result {
		def.sizes[name] = n
		return f.results(path, def, chosen, func() {})
	}, from, to
}

func (f *growFlags) growth(out io.Writer, from int64, of []*routes.Route, table map[string][]*routes.Result) {
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
			raise.Error(w.Flush())
			fmt.Fprintf(out, "%s of %s: %s\n\n", name, r.Name, routes.GrowthOf(xs))
		}
	}
}
