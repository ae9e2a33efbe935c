package stages

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"egad/diag"
	"egad/egraph"
	"egad/extract"
	"egad/internal/slice"
	"egad/kernel"
	"egad/kernel/estimate"
	"egad/kernel/plan"
	"egad/term"
	"egad/term/eval"
)

// Text is the stage as text of the language: its figures as comments, and the
// program. A long literal has a definition of its own.
func (s *Stage) Text() string { return Text([]*Stage{s}) }

func (s *Stage) text(literals *term.Literals) string {
	var b strings.Builder
	fmt.Fprintf(&b, "-- %s: %s\n", s.Name, s.Title)
	for _, line := range s.figures() {
		fmt.Fprintf(&b, "--   %s\n", line)
	}
	switch {
	case s.Program == nil:
	case s.Kernels != nil:
		for line := range strings.Lines(s.Kernels.Text(s.about)) {
			b.WriteString(strings.TrimRight("-- "+line, " \n") + "\n")
		}
	default:
		pr := &term.Printer{Store: s.Program.Store, Names: s.Program.Names, Index: s.Program.Index, ANF: s.ANF, Tree: s.Tree, Literals: literals}
		b.WriteString(wrap(pr.Def(s.Def, s.Program.Inputs, s.Program.Root)))
	}
	return b.String()
}

// about says of a kernel what runs it, if somebody asks, how long that takes by the estimate,
// and what it fuses: the arrays that it does not store, as it uses each element at once.
func (s *Stage) about(k *kernel.Kernel) string {
	native := s.Machine != nil && s.Machine.Compiled(k)
	var out []string
	switch {
	case native && s.Machine.Multiplies(k):
		out = append(out, "machine code, with products of matrices")
	case native:
		out = append(out, "machine code")
	case s.Machine != nil:
		out = append(out, "interpreted")
	}
	if t := estimate.Kernel(s.Kernels, k, native, s.Machine.Products()); t > 0 {
		out = append(out, "about "+diag.Duration(t))
	}
	if t, measured := s.Took[k]; measured {
		out = append(out, "took "+diag.Duration(t))
	}
	fused := slice.Map(k.Fused, func(a *kernel.Array) string { return a.Name })
	if more := len(fused) - maxFused; more > 0 {
		fused = append(fused[:maxFused], fmt.Sprintf("%d more", more))
	}
	if len(fused) > 0 {
		out = append(out, "fuses "+strings.Join(fused, " "))
	}
	return strings.Join(out, ", ")
}

// maxFused is how many arrays are named that a kernel fuses.
const maxFused = 8

// Text is the text of several stages, which share the definitions of long literals.
func Text(ss []*Stage) string {
	var defs []string
	var programs []*term.Program
	for _, s := range ss {
		if s.Program != nil && s.Kernels == nil {
			defs, programs = append(defs, s.Def), append(programs, s.Program)
		}
	}
	literals := term.LongLiterals(defs, programs...)
	var parts []string
	if text := literals.Text(); text != "" {
		parts = append(parts, "-- literals: the long ones, which the stages share\n"+wrap(text))
	}
	parts = append(parts, slice.Map(ss, func(s *Stage) string { return s.text(literals) })...)
	return strings.Join(parts, "\n")
}

// figures says what a stage did and what its program costs, in lines.
func (s *Stage) figures() []string {
	var out []string
	add := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if s.Program != nil && !s.ANF && !s.Tree && !s.Program.HasMaps() && !s.Program.HasCalls() {
		c := eval.CountOps(s.Program.Store, s.Program.Root)
		if s.Kernels != nil {
			c = s.Kernels.Counts()
			add("result: %s", resultText(s.Kernels.Result))
			add("%s; %s in memory, %s at a time", diag.Count(len(s.Kernels.Kernels), "kernel"), diag.Count(s.temps(), "array"), diag.Bytes(plan.Memory(s.Kernels)))
			if s.Machine != nil && !s.Machine.Native() {
				add("there is no compiler for this machine: kernels are interpreted")
			}
		}
		add("operations: %d float, %d integer, %d moved; %d float elements made", c.Float, c.Int, c.Selected, c.Elements)
	}
	if s.Unmasked {
		add("without the masks of sums, scatters and reads: where a result is not finite, it is computed again with them")
	}
	if s.Termwise {
		add("sums of what data choose are made term by term: where a result is not finite, it is computed again as it is at the stage gradient")
	}
	r := s.Run
	if r == nil {
		return out
	}
	add("e-graph: %s before, %s after", size(r.Start.Nodes, r.Start.Classes), size(r.Nodes, r.Classes))
	stop := diag.Count(len(r.Iterations), "iteration")
	if len(r.Iterations) == 0 {
		stop = diag.Count(r.Matches(), "rule application")
	}
	add("stopped: %s after %s", r.Stop, stop)
	if len(r.Iterations) > 0 {
		sizes := slice.Map(r.Iterations, func(it egraph.Iteration) string { return fmt.Sprint(it.Nodes) })
		add("e-nodes after each iteration: %s", strings.Join(sizes, ", "))
	}
	if s.Program != nil {
		way := ""
		if m := r.Method(); m != "" {
			way = ", by the method " + m + r.Known
		}
		add("cost of what was extracted: %.0f, by the grammar %s%s", r.Cost, r.Grammar(), way)
	}
	return append(append(out, ruleTable(r.Rules)...), assumptions(r)...)
}

// assumptions lists what rules assumed without a proof, and whether that decided
// what was extracted.
func assumptions(r *extract.Run) []string {
	if len(r.Assumed) == 0 {
		return nil
	}
	deciding := r.Deciding()
	out := []string{"assumed, as it is not proved:"}
	for _, a := range r.Assumed {
		how := "does not decide the result"
		if slices.Contains(deciding, a) {
			how = "decides the result"
		}
		out = append(out, fmt.Sprintf("  %s, by %s %s: %s", a.Facts, a.Rule, diag.Count(a.Times, "time"), how))
	}
	return out
}

// resultText names the arrays of a result.
func resultText(r kernel.Result) string {
	if r.Array != nil {
		return r.Array.Name
	}
	return "(" + strings.Join(slice.Map(r.Parts, resultText), ", ") + ")"
}

// temps is the number of arrays that the kernels compute.
func (s *Stage) temps() int {
	n := 0
	for _, a := range s.Kernels.Arrays {
		if a.Role == kernel.Temp {
			n++
		}
	}
	return n
}

func size(rows, classes int) string {
	return diag.Count(rows, "e-node") + " in " + diag.Count(classes, "e-class")
}

// ruleTable lists the rules that matched, those with the most news first: how
// often a rule matched, and how often that united classes or added an e-node.
func ruleTable(rs []egraph.RuleReport) []string {
	rs = slices.Clone(rs)
	slices.SortFunc(rs, func(a, b egraph.RuleReport) int {
		return cmp.Or(b.Unions-a.Unions, b.Matches-a.Matches, strings.Compare(a.Name, b.Name))
	})
	if len(rs) == 0 {
		return nil
	}
	width, digits, directed := len("rules:")-2, 0, true
	for _, r := range rs {
		width = max(width, len(r.Name))
		digits = max(digits, len(fmt.Sprint(r.Unions)))
		directed = directed && r.Matches == r.Unions
	}
	if directed {
		out := []string{"rules applied:"}
		for _, r := range rs {
			out = append(out, fmt.Sprintf("  %-*s  %*d", width, r.Name, digits, r.Unions))
		}
		return out
	}
	out := []string{fmt.Sprintf("%-*s  applied  matched", width+2, "rules:")}
	for _, r := range rs {
		out = append(out, fmt.Sprintf("  %-*s  %7d  %7d", width, r.Name, r.Unions, r.Matches))
	}
	return out
}
