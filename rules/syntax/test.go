package syntax

import (
	"maps"
	"slices"
	"sync"

	"egad/diag"
)

// statements read what comes after the first word of a line of a test.
var statements = map[string]func(*parser, *Test){}

// inTest begin a statement, or end the test.
var inTest = sync.OnceValue(func() map[string]bool {
	out := firstWords(statements)
	maps.Copy(out, words())
	return out
})

// ends are the reasons for a run to end that a test can expect.
var ends = []string{"saturated", "goal", "limit", "end"}

// limitNames are the limits of a test.
var limitNames = []string{"iterations", "nodes", "matches", "work", "bytes"}

func init() {
	maps.Copy(statements, map[string]func(*parser, *Test){
		"var":     func(p *parser, t *Test) { t.Vars = append(t.Vars, p.variables()) },
		"start":   func(p *parser, t *Test) { t.Starts = append(t.Starts, p.Expr()) },
		"assume":  func(p *parser, t *Test) { t.Assume = append(t.Assume, p.claim("=")) },
		"prove":   func(p *parser, t *Test) { t.Prove = append(t.Prove, p.claim("=")) },
		"refute":  func(p *parser, t *Test) { t.Refute = append(t.Refute, p.claim("=")) },
		"extract": (*parser).extract,
		"by":      func(p *parser, t *Test) { t.By = p.Name("the name of a cost grammar") },
		"naive":   func(_ *parser, t *Test) { t.Naive = true },
		"limit":   (*parser).limit,
		"run": func(p *parser, t *Test) {
			for more := true; more; more = !p.NewLine() {
				t.Schedule = append(t.Schedule, p.step())
			}
		},
		"backoff": func(p *parser, t *Test) {
			if p.Accept("none") {
				t.NoBackoff = true
				return
			}
			t.Backoffs = append(t.Backoffs, p.backoff(base{At: p.Peek().Pos}))
		},
		"expect": (*parser).expect,
	})
}

func (p *parser) test(b base) Decl {
	t, right := &Test{base: b, Name: p.nameHere("the name of the test")}, true
	p.StopLine = inTest()
	for !p.Errs.Full() {
		w := p.Peek()
		is := w.Line && statements[w.Text] != nil
		if !is && p.ends() {
			break
		}
		ok := p.statement(inTest(), func() {
			if !is {
				p.Fail(w.Pos, "expected a statement of the test or a declaration%s", diag.DidYouMean(w.Text, slices.Sorted(maps.Keys(inTest()))))
			}
			p.Next()
			p.Margin = p.Column(w)
			statements[w.Text](p, t)
			p.endOfLine()
		})
		right = right && ok
	}
	if p.StopLine, p.Margin = words(), 0; !right {
		return nil
	}
	return t
}

// claim reads A, or A and B with a word between them.
func (p *parser) claim(relation string) Claim {
	c := Claim{Pos: p.Peek().Pos}
	c.A = p.Expr()
	if p.Accept(relation) {
		c.B = p.Expr()
	}
	c.Text = p.text(c.Pos)
	return c
}

func (p *parser) extract(t *Test) {
	c := p.claim("=>")
	if c.B == nil {
		p.Fail(p.Done(), "expected =>, and the term that is extracted")
	}
	t.Extract = append(t.Extract, c)
}

func (p *parser) limit(t *Test) {
	for more := true; more; more = !p.NewLine() {
		w := p.Name("iterations, nodes, matches, work or bytes")
		if !slices.Contains(limitNames, w.Text) {
			p.Fail(w.Pos, "there is no limit on %s%s", w.Text, diag.DidYouMean(w.Text, limitNames))
		}
		if slices.ContainsFunc(t.Limits, func(l Limit) bool { return l.What.Text == w.Text }) {
			p.Fail(w.Pos, "there is a limit on %s already", w.Text)
		}
		t.Limits = append(t.Limits, Limit{w, p.natural()})
	}
}

// expect reads golden figures: [after N] {nodes N | classes N | matches N |
// iterations N | REASON}.
func (p *parser) expect(t *Test) {
	after := -1
	if p.Accept("after") {
		after = p.natural()
	}
	figures := []string{"nodes", "classes", "matches", "iterations"}
	for more := true; more; more = !p.NewLine() {
		w := p.Name("nodes, classes, matches, iterations, saturated, goal, limit or end")
		e := Expect{Pos: w.Pos, After: after, What: w.Text}
		switch {
		case slices.Contains(figures, w.Text):
			e.N = p.natural()
		case slices.Contains(ends, w.Text):
			e.What, e.Stop = "stop", w.Text
		default:
			p.Fail(w.Pos, "%s is not a figure of a run%s", w.Text, diag.DidYouMean(w.Text, slices.Concat(figures, ends)))
		}
		t.Expect = append(t.Expect, e)
	}
}

// ParseTest reads a test that stands by itself; nil with findings.
func ParseTest(src *diag.Source, errs *diag.List) *Test {
	p := newParser(src, errs)
	var out *Test
	p.Recover(func() {
		if !p.Is("test") {
			p.Fail(p.Peek().Pos, "expected test")
		}
		t, _ := p.decl().(*Test)
		if !p.AtEnd() {
			p.Fail(p.Peek().Pos, "expected the end of the test")
		}
		out = t
	})
	return out
}
