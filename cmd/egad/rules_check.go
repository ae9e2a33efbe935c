package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"egad/diag"
	"egad/internal/interrupt"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/props"
	"egad/rules"
	"egad/rules/syntax"

	"github.com/spf13/cobra"
)

func newRulesCheck() *cobra.Command {
	how := props.RuleChecks{}
	var before []string
	var asJSON, brief, verbose bool
	cmd := &cobra.Command{
		Use:   "check [FILE|SET]…",
		Short: "Test rules on random instances",
		Long: `check tells whether rules are true. The rules are those of files, or of rule
sets of egad (all of them without arguments). Both sides of a rule must have one
type for all shapes, its examples must come out, and on random instances both
sides must have one value: bit by bit if the rule is exact, as numbers, exactly or
within rounding, if it is real. The derivatives that definitions of programs (.egad)
have of their own are compared with difference quotients. What a language says of its
operators, that they commute and how they are folded, is compared with what these mean. Linear maps are compared as matrices, and the maps
of derivative rules with difference quotients from both sides. A counterexample is
made small before it is shown.

A line for each rule says whether it holds, is wrong, or is untested as no random
instance says anything about it, and why instances were skipped, or that the rule
was not read, as its form is wrong. The exit status is
1 if a rule is wrong or untested.

egad check FILE.rules does the first of these only, and is quick.`,
		Run: func(cmd *cobra.Command, args []string) {
			switch {
			case how.Count < 1:
				misused("--count %d: at least one instance of each rule is tested", how.Count)
			case how.Time <= 0:
				misused("--time %v: a rule is tested for more than no time", how.Time)
			}
			var errs []error
			files := args
			args = slices.DeleteFunc(slices.Clone(args), func(a string) bool { return filepath.Ext(a) == ".egad" })
			for _, f := range files {
				if !slices.Contains(args, f) {
					errs = append(errs, raise.Catch(func() { checkProgram(cmd, f, before, how) }))
				}
			}
			if len(args) == 0 && len(files) > 0 {
				raise.Error(errors.Join(errs...))
				return
			}
			gs, err := ruleGroups(args, before)
			if _, ok := errors.AsType[usageError](err); ok {
				raise.Error(err)
			}
			total := 0
			for _, g := range gs {
				if total += len(g.own.All()); g.language != nil && g.language.Meaning != nil {
					total += len(g.language.Meaning.Laws)
				}
			}
			bar := counted(cmd.ErrOrStderr(), "checking rules", total)
			how.Done = bar.step
			errs = append(errs, err)
			all := []checkedGroup{}
			for _, g := range gs {
				if interrupt.Requested() {
					break
				}
				warn(cmd, g.odd)
				var rep *props.RuleReport
				if g.language != nil {
					if rep = checkMeaning(g.language, how); rep == nil {
						errs = append(errs, meaningless(g.name, g.language))
						continue
					}
				} else {
					rep = props.CheckRules(g.sig, g.own.All(), how)
					rep.CheckOperators(g.sig, g.all, g.own.Operators, how)
				}
				bar.clear()
				if asJSON {
					all = append(all, reportJSON(g, rep, how))
				} else {
					printChecked(people(cmd), g, rep, how, brief, verbose)
				}
				errs = append(errs, g.errs.Err(), rep.Findings.Err())
			}
			if asJSON {
				errs = append(errs, raise.Catch(func() { writeJSON(cmd.OutOrStdout(), all) }))
			}
			raise.Error(errors.Join(errs...))
		},
	}
	addRules(cmd, &before)
	cmd.Flags().IntVar(&how.Count, "count", 200, "how many random instances of each rule are tested")
	cmd.Flags().Int64Var(&how.Seed, "seed", 1, "the seed of the random instances")
	cmd.Flags().DurationVar(&how.Time, "time", 30*time.Second, "how long each rule is tested at most")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print what was found as JSON")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "print the most general types of each rule")
	cmd.Flags().BoolVar(&brief, "brief", false, "print no line for each rule")
	return cmd
}

// checkMeaning tests the rules of a language, and what it says of its operators, by what
// these mean. What has no meaning is noted. It is nil if no operator has one.
func checkMeaning(l *rules.Language, how props.RuleChecks) *props.RuleReport {
	m := l.Meaning
	if m == nil {
		return nil
	}
	rep := props.CheckRules(m.Signature, slices.Concat(m.Laws, m.Rules), how)
	rep.Notes = append(rep.Notes, m.Unmeant...)
	for _, r := range l.All() {
		if why, ok := m.Without[r.Name]; ok {
			rep.Notes.Add(r.Src, r.Pos, "the rule %s is not tested: %s has no meaning", r.Name, why)
		}
	}
	return rep
}

// printChecked prints a line for each rule, notes, and a line for all.
func printChecked(out io.Writer, g *ruleGroup, rep *props.RuleReport, how props.RuleChecks, brief, verbose bool) {
	if len(rep.Checked)+len(g.unread) > 0 && !brief {
		w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
		fmt.Fprintln(w, "rule\tlabel\tverdict\ttested\tskipped")
		for _, c := range rep.Checked {
			why := ""
			if s := c.Why(); s != "" {
				why = " (" + s + ")"
			}
			fmt.Fprintf(w, "%s\t%s\t%s\t%d\t%d%s\n", c.Rule.Name, c.Rule.Label, c.Verdict, c.Tested, c.SkippedInAll(), why)
		}
		for _, n := range g.unread {
			fmt.Fprintf(w, "%s\t\tnot read\t0\t0\n", n.Text)
		}
		raise.Error(w.Flush())
	}
	if verbose {
		for _, c := range rep.Checked {
			printTypes(out, c.Rule.Name, c.Types)
		}
	}
	for _, n := range rep.Notes {
		fmt.Fprintln(out, n)
	}
	verdicts := ""
	if len(g.unread) > 0 {
		verdicts = fmt.Sprintf(", %d of them not read", len(g.unread))
	}
	if rep.Wrong > 0 {
		verdicts += fmt.Sprintf(", %d of them wrong", rep.Wrong)
	}
	if rep.Untested > 0 {
		verdicts += fmt.Sprintf(", %d of them untested", rep.Untested)
	}
	if rep.Left > 0 {
		verdicts += fmt.Sprintf(", %d not checked", rep.Left)
	}
	var what []string
	if rep.Operators > 0 {
		what = append(what, diag.Count(rep.Operators, "operator"))
	}
	if rep.Laws > 0 {
		what = append(what, diag.Count(rep.Laws, "declaration"))
	}
	if n := rep.Rules + len(g.unread); n > 0 || len(what) == 0 {
		what = append(what, diag.Count(n, "rule"))
	}
	raise.Must(fmt.Fprintf(out, "%s: %s%s; %s tested, %d skipped (seed %d)\n", diag.Printable(g.name), strings.Join(what, ", "), verdicts,
		diag.Count(rep.Tested, "random instance"), rep.Skipped, how.Seed))
}

// printTypes prints the most general types of a rule, case by case.
func printTypes(out io.Writer, head string, types []string) {
	fmt.Fprintf(out, "%s\n  %s\n", head, strings.Join(types, "\n  "))
}

// checkedGroup is what was found of a file or a set, as JSON.
type checkedGroup struct {
	Name     string        `json:"name"`
	Seed     int64         `json:"seed"`
	Rules    []checkedRule `json:"rules"`
	Unread   []unreadRule  `json:"unread"` // rules that are wrong in their form
	Notes    []string      `json:"notes"`
	Findings []finding     `json:"findings"`
}

type checkedRule struct {
	Rule    string             `json:"rule"`
	Set     string             `json:"set"`
	Label   string             `json:"label"`
	Line    int                `json:"line"`
	Verdict props.Verdict      `json:"verdict"`
	Types   []string           `json:"types"`
	Tested  int                `json:"tested"`
	Skipped map[props.Skip]int `json:"skipped"`
	Late    bool               `json:"late"`
}

type unreadRule struct {
	Rule string `json:"rule"`
	Line int    `json:"line"`
}

type finding struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
	Detail  string `json:"detail"`
}

func reportJSON(g *ruleGroup, rep *props.RuleReport, how props.RuleChecks) checkedGroup {
	return checkedGroup{
		Name: g.name, Seed: how.Seed,
		Rules: slice.Map(rep.Checked, func(c props.Checked) checkedRule {
			return checkedRule{c.Rule.Name, c.Rule.Set.Name, c.Rule.Label.String(), c.Rule.Src.Line(c.Rule.Pos), c.Verdict, c.Types, c.Tested, c.Skipped, c.Late}
		}),
		Unread:   slice.Map(g.unread, func(n syntax.Name) unreadRule { return unreadRule{n.Text, g.src.Line(n.Pos)} }),
		Notes:    slice.Map(rep.Notes, func(n *diag.Error) string { return n.Msg }),
		Findings: slice.Map(rep.Findings, func(e *diag.Error) finding { return finding{e.Src.Line(e.Pos), e.Msg, e.Detail} }),
	}
}
