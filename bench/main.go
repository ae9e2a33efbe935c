// Command bench compares values and gradients by egad with those that were written by
// hand, in one process, run in turn, on one thread.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"

	"egad/internal/timing"
)

func main() {
	if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string, out, errOut io.Writer) error {
	flags := flag.NewFlagSet("bench", flag.ExitOnError)
	only := flags.String("only", "", "the workloads whose names match this regular expression")
	tiny := flags.Bool("tiny", false, "tiny sizes, to see that all works")
	asJSON := flags.Bool("json", false, "print JSON")
	least := flags.Int("rounds", 7, "how often each program is measured at least")
	limit := flags.Duration("time", 2*time.Second, "how long each workload is measured, if that takes more rounds")
	batch := flags.Duration("batch", 20*time.Millisecond, "how long one measurement takes at least: shorter programs are run several times")
	if err := flags.Parse(args); err != nil {
		return err
	}
	pick, err := regexp.Compile(*only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	runtime.GOMAXPROCS(1)
	var all []*measured
	for _, w := range workloads(*tiny) {
		if !pick.MatchString(w.name) {
			continue
		}
		fmt.Fprintf(errOut, "%s\n", w.name)
		m, err := measure(w, timing.Limits{Least: *least, Time: *limit, Batch: min(*batch, *limit)})
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		all = append(all, m)
	}
	if *asJSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(all)
	}
	return table(out, all)
}

// table prints milliseconds of value and gradient together, and ratios.
func table(out io.Writer, all []*measured) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	columns := tools
	for _, r := range rivals {
		columns = append(columns[:len(columns):len(columns)], r.name)
	}
	fmt.Fprintf(t, "value and gradient, ms\thand\tblocks\tnative\tblocks/hand\tnative/hand\tmoved/hand\tnative grad/value\tkernels\tderive\tcompile\tdiffers\t%s\t\n", strings.Join(columns, "\t"))
	for _, m := range all {
		blocks, native := m.Backends["blocks"], m.Backends["native"]
		ratio := func(a, b timing.Times) string { return fmt.Sprintf("%.2f", float64(a.Median())/float64(b.Median())) }
		ms := func(t timing.Times) string { return fmt.Sprintf("%.3f", timing.Milliseconds(t.Median())) }
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d\t%.0f\t%.0f\t%.0e\t", m.Name, ms(m.Hand.Grad), ms(blocks.Grad), ms(native.Grad),
			ratio(blocks.Grad, m.Hand.Grad), ratio(native.Grad, m.Hand.Grad), ratio(m.Moved, m.Hand.Grad), ratio(native.Grad, native.Value), native.Kernels, m.Derive, native.Compile, m.Differs)
		for _, tool := range tools {
			if x, ok := m.Others[tool]; ok {
				fmt.Fprint(t, x[1])
			}
			fmt.Fprint(t, "\t")
		}
		for _, r := range rivals {
			if p, ok := m.Rivals[r.name]; ok {
				fmt.Fprint(t, ms(p.Grad))
			}
			fmt.Fprint(t, "\t")
		}
		fmt.Fprintln(t)
	}
	return t.Flush()
}
