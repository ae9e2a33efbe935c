package main

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"egad/diag"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/props"
	"egad/rules"
	"egad/rules/typing"
	"egad/term/ops"
)

func newRulesShow() *cobra.Command {
	var before []string
	cmd := &cobra.Command{
		Use:   "show NAME [FILE|SET]…",
		Short: "Show a rule: its text, where it is from, its types, and an instance",
		Long: `show prints a rule of files, or of rule sets of egad: its text with its comment,
where it stands, the most general types of it, and an instance of it with values.`,
		Args: arguments(1, -1),
		Run: func(cmd *cobra.Command, args []string) {
			gs := raise.Must(ruleGroups(args[1:], before))
			// What is wrong with a file is said in any case: it may be why a rule is
			// not there.
			var errs diag.List
			for _, g := range gs {
				errs = append(errs, g.errs...)
			}
			err := raise.Catch(func() { show(people(cmd), gs, args[0]) })
			if one := (*diag.Error)(nil); errors.As(err, &one) {
				errs, err = append(errs, one), nil
			}
			raise.Error(errors.Join(errs.Err(), err))
		},
	}
	addRules(cmd, &before)
	return cmd
}

// show prints what the groups have under a name.
func show(out io.Writer, gs []*ruleGroup, name string) {
	var names []string
	for _, g := range gs {
		for _, d := range g.own.Operators {
			if d.Name == name {
				showOperator(out, d)
				return
			}
			names = append(names, d.Name)
		}
		var family []*rules.Rule
		for _, r := range g.own.All() {
			switch name {
			case r.Name:
				showRule(out, g, r)
				return
			case r.Known():
				family = append(family, r)
			}
			names = append(names, r.Known())
		}
		if len(family) > 0 {
			showRuleText(out, g, family[0])
			fmt.Fprintf(out, "It is a rule for each choice of operators:\n  %s\n", strings.Join(slice.Map(family, func(r *rules.Rule) string { return r.Name }), "\n  "))
			return
		}
		if g.name == name {
			misused("%s is a rule set; egad rules list %s lists its rules", name, name)
		}
	}
	for _, g := range gs {
		if len(g.errs) > 0 {
			raise.Error(fmt.Errorf("there is no rule or operator %s without an error%s", name, diag.DidYouMean(name, names)))
		}
	}
	misused("there is no rule or operator %s%s", name, diag.DidYouMean(name, names))
}

// showText prints where something stands, its comment and its text.
func showText(out io.Writer, src *diag.Source, pos diag.Pos, what, doc, text string) {
	fmt.Fprintf(out, "%s:%d, %s\n\n", src.Name, src.Line(pos), what)
	if doc != "" {
		fmt.Fprintln(out, "-- | "+strings.ReplaceAll(doc, "\n", "\n-- "))
	}
	fmt.Fprintf(out, "%s\n\n", text)
}

func showOperator(out io.Writer, d *ops.Declared) {
	what := "operator"
	if d.Linear {
		what = "operator, with its linear map " + ops.Lmap + " " + d.Name
	}
	showText(out, d.Src, d.Pos, what, d.Doc, d.Text())
}

func showRuleText(out io.Writer, g *ruleGroup, r *rules.Rule) {
	what := "rule set " + r.Set.Name
	if r.Set.Name == "" {
		what = "language " + g.language.Name
	}
	showText(out, r.Src, r.Pos, what, r.Doc, r.Text())
}

func showRule(out io.Writer, g *ruleGroup, r *rules.Rule) {
	showRuleText(out, g, r)
	sig, types := g.sig, typing.Check(g.sig, r)
	if types.Err != nil { // there is no instance of it to be shown
		raise.Error(types.Err)
	}
	if types.Undecided != "" {
		fmt.Fprintln(out, types.Note())
	}
	printTypes(out, "Its types:", types.Types)
	if g.language != nil {
		if r = g.language.Meaning.Of(r); r == nil {
			return
		}
		sig = g.language.Meaning.Signature
		types = typing.Check(sig, r)
	}
	if ex := props.RuleInstance(sig, r, types.Instances()); ex != nil {
		fmt.Fprintf(out, "\nAn instance:\n  %s\n", strings.ReplaceAll(ex.String(), "\n", "\n  "))
	}
}
