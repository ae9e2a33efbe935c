package egraph

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// picture draws how a program looks for matches: the instructions, and what each
// of them finds. The state after some instructions is what a program that ends
// there finds.
func picture(l *Language, g *Graph, p *Program) string {
	var b strings.Builder
	name := func(o Op) string { return l.Sig.HeadInfo(l.Sig.Head(o)).Name }
	show := func(r NodeID) string {
		if g.arity(r) == 0 {
			return name(g.op(r))
		}
		s := "(" + name(g.op(r))
		for _, k := range g.kids(r, g.arity(r)) {
			s += fmt.Sprint(" c", k)
		}
		return s + ")"
	}
	metas := func(register int) (out string) {
		for m, r := range p.vars {
			if int(r) == register {
				out = fmt.Sprintf("   ?%c is r%d", 'a'+m, r)
			}
		}
		return out
	}
	b.WriteString("program\n")
	for pc, i := range p.full.code {
		if i.kind == iCompare {
			fmt.Fprintf(&b, "  %d  r%d and r%d are the same class\n", pc, i.in, i.out)
			continue
		}
		fmt.Fprintf(&b, "  %d  an e-node %s of r%d, its children in", pc, l.Sig.HeadInfo(i.head).Name, i.in)
		note := ""
		for k := range int(i.arity) {
			fmt.Fprintf(&b, " r%d", int(i.out)+k)
			note += metas(int(i.out) + k)
		}
		b.WriteString(note + "\n")
	}
	b.WriteString("e-graph\n")
	for c := range ClassID(g.ClassIDs()) {
		if g.Find(c) != c {
			continue
		}
		fmt.Fprintf(&b, "  c%d", c)
		for _, r := range g.nodesOf(c) {
			b.WriteString("  " + show(r))
		}
		b.WriteString("\n")
	}
	// The states after each number of instructions, as the registers that are set.
	levels := make([][]string, len(p.full.code)+1)
	lines := make(map[string]string)
	for n := range levels {
		if n == 0 {
			continue
		}
		q, i := *p, p.full.code[n-1]
		q.full.code, q.leaves, q.full.lastSearch = p.full.code[:n], plan{}, 0
		g.Matches(&Rule{Lhs: &q}, func(m *Match) bool {
			var key strings.Builder
			fmt.Fprint(&key, "r0 = c", m.cls[0])
			for _, j := range q.full.code {
				if j.kind == iCompare {
					fmt.Fprintf(&key, "; c%d = c%d", m.cls[j.in], m.cls[j.out])
					continue
				}
				for k := range int(j.arity) {
					fmt.Fprintf(&key, " c%d", m.cls[int(j.out)+k])
				}
			}
			levels[n] = append(levels[n], key.String())
			switch i.kind {
			case iCompare:
				lines[key.String()] = fmt.Sprintf("r%d = r%d = c%d", i.in, i.out, m.cls[i.in])
			default:
				line := fmt.Sprintf("c%d has (%s", m.cls[i.in], l.Sig.HeadInfo(i.head).Name)
				for k := range int(i.arity) {
					line += fmt.Sprint(" c", m.cls[int(i.out)+k])
				}
				lines[key.String()] = line + ")"
			}
			if n == len(p.full.code) {
				line := "   a match:"
				for v := range p.vars {
					line += fmt.Sprintf(" ?%c = c%d", 'a'+v, m.Var(v).ID)
				}
				lines[key.String()] += line
			}
			return true
		})
	}
	b.WriteString("run\n")
	var walk func(n int, prefix string)
	walk = func(n int, prefix string) {
		found := false
		for _, key := range levels[n] {
			if !strings.HasPrefix(key, prefix) {
				continue
			}
			found = true
			fmt.Fprintf(&b, "%s%d  %s\n", strings.Repeat("   ", n), n-1, lines[key])
			if n+1 < len(levels) {
				walk(n+1, key)
			}
		}
		if !found {
			fmt.Fprintf(&b, "%s%d  -\n", strings.Repeat("   ", n), n-1)
		}
	}
	walk(1, "")
	return b.String()
}

// TestPicture: the page about the engine shows what the matcher does.
func TestPicture(t *testing.T) {
	l := NewLanguage()
	rule := l.Rule("(+ (* ?a ?b) (* ?a ?c))", "(* ?a (+ ?b ?c))")
	g := New(l.Sig)
	l.Add(g, ParseSexp("(+ (* x y) (* x z))"))
	l.Add(g, ParseSexp("(+ (* x y) y)"))
	g.Union(l.Add(g, ParseSexp("(* x z)")), l.Add(g, ParseSexp("(* z y)")))
	g.Rebuild()
	got := picture(l, g, rule.Lhs)
	page, err := os.ReadFile("../docs/engine.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```text\n"+got+"```\n") {
		t.Errorf("docs/engine.md has another picture than\n%s", got)
	}
}
