package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"egad/diag"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/lint"
	"egad/rules/load"
	"egad/rules/syntax"
	"egad/stages"
	"egad/term"
)

func newRules() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "Check, list and show rewrite rules",
		Args:  onlyCommands,
		Run: func(*cobra.Command, []string) {
			misused("rules: check, list or show is missing; egad rules --help tells more")
		},
	}
	cmd.AddCommand(newRulesCheck(), newRulesList(), newRulesShow())
	return cmd
}

// ruleGroup is what a command on rules works on under one name: the sets of a
// file, or one set of egad.
type ruleGroup struct {
	name string
	src  *diag.Source // the file, nil of a set of egad
	sig  *term.Signature
	all  *rules.Library // with the rules of egad
	own  *rules.Library // without those that it only uses
	errs diag.List      // what is wrong with the file
	// unread has the names of its rules that are wrong in their form.
	unread []syntax.Name
	odd    diag.List // warnings about its rules
	// language is the one that the file declares, nil if it is about arrays.
	language *rules.Language
}

// ruleGroups finds the rules that arguments mean: files, names of sets, or without
// arguments all sets. The sets are those of egad with the files of --rules, which
// also come before other files. A file that cannot be read is an error;
// what is wrong inside is kept with the group.
func ruleGroups(args, before []string) (out []*ruleGroup, err error) {
	defer raise.Caught(&err)
	sig, base := library(before, "")
	if len(args) == 0 {
		for _, s := range base.Sets {
			out = append(out, &ruleGroup{name: s.Name, sig: sig, all: base, own: &rules.Library{Sets: []*rules.Set{s}}})
		}
	}
	var errs []error
	for _, a := range args {
		g := &ruleGroup{name: a}
		if !isFile(a) {
			s := base.Set(a)
			if s == nil {
				misused("there is no rule set %s%s; a file of rules ends in .rules", a, diag.DidYouMean(a, base.SetNames()))
			}
			g.sig, g.all, g.own = sig, base, &rules.Library{Sets: []*rules.Set{s}}
		} else if err := raise.Catch(func() { g.read(before) }); err != nil {
			errs = append(errs, err)
			continue
		}
		out = append(out, g)
	}
	return out, errors.Join(errs...)
}

// library is the rules of egad and of files but for one, which comes after them.
func library(files []string, but string) (*term.Signature, *rules.Library) {
	srcs := readRules(files, but)
	sig := term.NewSignature()
	return sig, raise.Must(load.Builtin(sig, srcs...))
}

// readRules reads the files in --rules, but for one.
func readRules(files []string, but string) []*diag.Source {
	areRules(files)
	others := slices.DeleteFunc(slices.Clone(files), func(f string) bool { return f == but })
	return raise.Must(slice.Try(others, diag.ReadSource))
}

// isRules reports whether a file is one of rules, and not a program.
func isRules(path string) bool { return filepath.Ext(path) == ".rules" }

// isFile tells a file from the name of a rule set or a rule.
func isFile(arg string) bool {
	return filepath.Ext(arg) != "" || strings.ContainsRune(arg, filepath.Separator)
}

// read loads the file that the group is called after, over the rules of egad.
func (g *ruleGroup) read(before []string) {
	src := raise.Must(diag.ReadSource(g.name))
	g.src = src
	if syntax.IsLanguage(src) {
		g.language = raise.Must(load.Language(src))
		g.sig, g.all, g.own, g.odd = g.language.Signature, g.language.Library, g.language.Library, lint.Language(g.language)
		return
	}
	var base *rules.Library
	g.sig, base = library(before, g.name)
	// The rules that can be read are taken even if others cannot.
	var err error
	g.own, err = load.Over(base, g.sig, src)
	var is bool
	if g.errs, is = err.(diag.List); !is {
		raise.Error(err)
	}
	if len(g.errs) > 0 {
		g.unread = slices.DeleteFunc(syntax.RuleNames(src), func(n syntax.Name) bool {
			return slices.ContainsFunc(g.own.All(), func(r *rules.Rule) bool { return r.Src == src && r.Pos == n.Pos })
		})
	}
	g.all = base.With(g.own)
	g.odd = lint.Library(g.all, stages.RuleUses(g.all), stages.Schedules, src)
}

func newRulesList() *cobra.Command {
	var before []string
	cmd := &cobra.Command{
		Use:   "list [FILE|SET]…",
		Short: "List rule sets and their rules",
		Long: `list prints the rules of files, or of rule sets of egad (all of them without
arguments): the name, exact or real, <=> if the rule makes sense both ways, and
what it is.`,
		Run: func(cmd *cobra.Command, args []string) {
			gs := raise.Must(ruleGroups(args, before))
			var errs diag.List
			for _, g := range gs {
				for _, d := range g.own.Operators {
					fmt.Fprintln(people(cmd), withDoc(d.Head()+":", d.Doc))
				}
				for _, s := range g.own.Sets {
					name := s.Name
					if g.language != nil && name == "" { // rules in no set
						name = g.language.Name
					}
					if g.language == nil || len(s.Rules) > 0 {
						listSet(people(cmd), name, s)
					}
				}
				errs = append(errs, g.errs...)
			}
			raise.Error(errs.Err())
		},
	}
	addRules(cmd, &before)
	return cmd
}

func listSet(out io.Writer, name string, s *rules.Set) {
	if s.Opaque {
		name += " (opaque)"
	}
	if s.Lazy {
		name += " (lazy)"
	}
	fmt.Fprintln(out, withDoc(name+":", s.Doc))
	width := 0
	for _, r := range s.Rules {
		width = min(max(width, len(r.Name)), maxColumn)
	}
	for _, r := range s.Rules {
		doc := r.Doc
		if r.Set.Name != s.Name {
			doc = fmt.Sprintf("(of %s) %s", r.Set.Name, doc)
		}
		fmt.Fprintln(out, withDoc(fmt.Sprintf("  %-*s  %-5s", width, r.Name, r.Label), doc))
	}
}

// withDoc puts the first sentence of a comment after a head.
func withDoc(head, doc string) string {
	doc = strings.Join(strings.Fields(doc), " ")
	if end := sentence.FindStringIndex(doc); end != nil {
		doc = doc[:end[0]+1]
	}
	return strings.TrimRight(head+" "+doc, " ")
}

// sentence is where a sentence ends and the next one starts.
var sentence = regexp.MustCompile(`\. \p{Lu}`)
