package suite

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/leanovate/gopter"

	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/rules/runner"
)

// tree is a term as it is read from a printed proof. A lambda is part of the operator that it is
// an operand of: "lam \v1".
type tree struct {
	op   string
	kids []*tree
}

func (t *tree) String() string {
	if len(t.kids) == 0 {
		return t.op
	}
	var b strings.Builder
	name, lambda, _ := strings.Cut(t.op, " ")
	b.WriteString("(" + name)
	for _, k := range t.kids {
		if lambda != "" {
			b.WriteString(" (" + lambda + " -> " + k.String() + ")")
		} else {
			b.WriteString(" " + k.String())
		}
	}
	return b.String() + ")"
}

func (t *tree) equal(u *tree) bool {
	return t.op == u.op && slices.EqualFunc(t.kids, u.kids, (*tree).equal)
}

// at is the part at a path; nil if there is none.
func (t *tree) at(path []int) *tree {
	for _, k := range path {
		if k < 1 || k > len(t.kids) {
			return nil
		}
		t = t.kids[k-1]
	}
	return t
}

// with is the term with another part at a path.
func (t *tree) with(path []int, u *tree) *tree {
	if len(path) == 0 {
		return u
	}
	kids := slices.Clone(t.kids)
	kids[path[0]-1] = kids[path[0]-1].with(path[1:], u)
	return &tree{t.op, kids}
}

// instance reports whether a term is one of a side of a rule, for what its variables stand for so
// far and what it adds.
func (t *tree) instance(side *tree, is map[string]*tree) bool {
	if strings.HasPrefix(side.op, "m") && len(side.kids) == 0 {
		if is[side.op] == nil {
			is[side.op] = t
		}
		return is[side.op].equal(t)
	}
	return t.op == side.op && slices.EqualFunc(t.kids, side.kids, func(t, side *tree) bool { return t.instance(side, is) })
}

// fill puts what variables stand for into a side of a rule, and a constant for others.
func (t *tree) fill(is map[string]*tree) *tree {
	if u := is[t.op]; u != nil {
		return u
	}
	if strings.HasPrefix(t.op, "m") && len(t.kids) == 0 {
		return &tree{op: "b"}
	}
	out := &tree{op: t.op}
	for _, k := range t.kids {
		out.kids = append(out.kids, k.fill(is))
	}
	return out
}

// renamed reports whether a term is another with other names of variables, each of one.
func (t *tree) renamed(u *tree, is map[string]string) bool {
	a, b := strings.ReplaceAll(t.op, "\\", ""), strings.ReplaceAll(u.op, "\\", "")
	name, bound, lambda := strings.Cut(a, " ")
	other, binds, _ := strings.Cut(b, " ")
	variable := func(a, b string) bool {
		if a == "" || !strings.Contains("vw", a[:1]) || len(a) < 2 || b == "" || !strings.Contains("vw", b[:1]) {
			return a == b
		}
		if _, ok := is[a]; !ok && !slices.Contains(slices.Collect(maps.Values(is)), b) {
			is[a] = b
		}
		return is[a] == b
	}
	if lambda {
		is = maps.Clone(is)
		maps.DeleteFunc(is, func(a, b string) bool { return a == bound || b == binds })
		is[bound] = binds
	}
	return variable(name, other) && len(t.kids) == len(u.kids) && !slices.ContainsFunc(t.kids, func(k *tree) bool {
		return !k.renamed(u.kids[slices.Index(t.kids, k)], is)
	})
}

// reading reads a term: words, parentheses, lets, + and *, and lambdas of one variable.
type reading struct {
	words []string
	lets  map[string]*tree
}

func readTree(text string) *tree {
	for _, sign := range []string{"(", ")", "\\"} {
		text = strings.ReplaceAll(text, sign, " "+sign+" ")
	}
	r := &reading{strings.Fields(text), make(map[string]*tree)}
	t := r.sum()
	if len(r.words) > 0 {
		panic("this is more than a term: " + text)
	}
	return t
}

func (r *reading) next(word string) bool {
	if len(r.words) == 0 || word != "" && r.words[0] != word {
		return false
	}
	r.words = r.words[1:]
	return true
}

func (r *reading) sum() *tree {
	if r.next("let") {
		name := r.words[0]
		r.words = r.words[2:]
		is := r.sum()
		r.next("in")
		r.lets[name] = is
		return r.sum()
	}
	t := r.product()
	for r.next("+") {
		t = &tree{"+", []*tree{t, r.product()}}
	}
	return t
}

func (r *reading) product() *tree {
	t := r.application()
	for r.next("*") {
		t = &tree{"*", []*tree{t, r.application()}}
	}
	return t
}

func (r *reading) application() *tree {
	t := r.atom()
	for len(r.words) > 0 && !slices.Contains([]string{")", "+", "*", "in"}, r.words[0]) {
		k := r.atom()
		if lambda, ok := strings.CutPrefix(k.op, "\\"); ok {
			t.op, k = t.op+" \\"+lambda, k.kids[0]
		}
		t = &tree{t.op, append(t.kids, k)}
	}
	return t
}

func (r *reading) atom() *tree {
	switch {
	case r.next("("):
		var t *tree
		if r.next("\\") {
			name := r.words[0]
			r.words = r.words[2:]
			t = &tree{"\\" + name, []*tree{r.sum()}}
		} else {
			t = r.sum()
		}
		r.next(")")
		return t
	case r.lets[r.words[0]] != nil:
		t := r.lets[r.words[0]]
		r.words = r.words[1:]
		return t
	}
	t := &tree{op: r.words[0]}
	r.words = r.words[1:]
	return t
}

// printedProof is what a reader of a proof as JSON looks at.
type printedProof struct {
	Claim string
	Steps []struct {
		From, To, Reason string
		Reverse          bool
		Path             []int
		Again            *struct {
			First, Last int
			Path        []int
		}
	}
}

// replays follows a printed proof: each step is looked up in the term that the steps before left,
// compared with its rule, and made. It counts the steps that are made again.
func (c *system) replays(p *printedProof) (again int, err error) {
	left, right, _ := strings.Cut(p.Claim, " = ")
	terms := []*tree{readTree(left)}
	for i, s := range p.Steps {
		cur, from, to := terms[i], readTree(s.From), readTree(s.To)
		if is := cur.at(s.Path); is == nil || !is.equal(from) {
			return 0, fmt.Errorf("step %d: there is no %s at %v of %s", i+1, from, s.Path, cur)
		}
		terms = append(terms, cur.with(s.Path, to))
		switch {
		case s.Again != nil:
			again++
			a, names := s.Again, make(map[string]string)
			if a.First < 1 || a.Last < a.First || a.Last > i {
				return 0, fmt.Errorf("step %d: there are no steps %d to %d before", i+1, a.First, a.Last)
			}
			for _, u := range p.Steps[a.First-1 : a.Last] {
				if len(u.Path) < len(a.Path) || !slices.Equal(u.Path[:len(a.Path)], a.Path) {
					return 0, fmt.Errorf("step %d: a step before is not in %v", i+1, a.Path)
				}
			}
			pair := &tree{"pair", []*tree{terms[a.First-1].at(a.Path), terms[a.Last].at(a.Path)}}
			if !pair.renamed(&tree{"pair", []*tree{from, to}}, names) {
				return 0, fmt.Errorf("step %d: steps %d to %d prove %s", i+1, a.First, a.Last, pair)
			}
		case s.Reason == "operands change places":
			if !slices.Contains(c.commute, from.op) || from.op != to.op || !from.kids[0].equal(to.kids[1]) || !from.kids[1].equal(to.kids[0]) {
				return 0, fmt.Errorf("step %d: they do not change places", i+1)
			}
		default:
			if s.Reverse {
				from, to = to, from
			}
			r, ok := c.rules[s.Reason]
			if is := make(map[string]*tree); !ok || !from.instance(r[0], is) || !to.instance(r[1], is) {
				return 0, fmt.Errorf("step %d is not %s", i+1, s.Reason)
			}
		}
	}
	if end := terms[len(terms)-1]; !end.equal(readTree(right)) {
		return 0, fmt.Errorf("the last term is %s", end)
	}
	return again, nil
}

// system is a random set of rules between terms of operators.
type system struct {
	*rand.Rand
	ops      map[string]int // operators with operands
	consts   []string
	constant []string // that rules mention
	commute  []string
	rules    map[string][2]*tree // of which variables begin with m
}

// term is a random term; under a lambda it may mention v1, v2, ….
func (c *system) term(depth int, leaves []string, bound int) *tree {
	if depth == 0 || c.Intn(4) == 0 {
		if k := c.Intn(len(leaves) + bound); k >= len(leaves) {
			return &tree{op: fmt.Sprint("v", k-len(leaves)+1)}
		} else {
			return &tree{op: leaves[k]}
		}
	}
	ops := slices.Sorted(maps.Keys(c.ops))
	t := &tree{op: ops[c.Intn(len(ops))]}
	n := c.ops[t.op]
	if t.op == "lam" {
		bound++
		t.op = fmt.Sprint("lam \\v", bound)
	}
	for range n {
		t.kids = append(t.kids, c.term(depth-1, leaves, bound))
	}
	return t
}

// side is a random side of a rule.
func (c *system) side(depth int, leaves ...string) *tree {
	for {
		if t := c.term(depth, leaves, 0); !strings.Contains(t.String(), "lam") {
			return t
		}
	}
}

func (t *tree) variables(of map[string]bool) map[string]bool {
	if strings.HasPrefix(t.op, "m") && len(t.kids) == 0 {
		of[t.op] = true
	}
	for _, k := range t.kids {
		k.variables(of)
	}
	return of
}

// rule adds a random rule, and gives its text.
func (c *system) rule(label string) string {
	l := c.side(2, append(c.constant, "m1", "m2", "m1")...)
	for len(l.kids) == 0 {
		l = c.side(2, append(c.constant, "m1", "m2", "m1")...)
	}
	vars := slices.Sorted(maps.Keys(l.variables(make(map[string]bool))))
	leaves := append(vars, c.constant...)
	if len(leaves) == 0 {
		return ""
	}
	r := c.side(c.Intn(3), leaves...)
	if l.equal(r) {
		return ""
	}
	name := fmt.Sprint("r", len(c.rules))
	c.rules[name] = [2]*tree{l, r}
	return fmt.Sprintf("rule %s%s\n  %s => %s\n", name, label, c.written(l), c.written(r))
}

// written is a term as it is written in a file of rules.
func (c *system) written(t *tree) string {
	if (t.op == "+" || t.op == "*") && len(t.kids) == 2 {
		return "(" + c.written(t.kids[0]) + " " + t.op + " " + c.written(t.kids[1]) + ")"
	}
	if len(t.kids) == 0 {
		return t.op
	}
	name, lambda, _ := strings.Cut(t.op, " ")
	out := "(" + name
	for _, k := range t.kids {
		if lambda != "" {
			out += " (" + lambda + " -> " + c.written(k) + ")"
		} else {
			out += " " + c.written(k)
		}
	}
	return out + ")"
}

// changed is a term after a random step, itself if there is none where it was looked for.
func (c *system) changed(t *tree) *tree {
	var path []int
	at := t
	for len(at.kids) > 0 && c.Intn(3) > 0 {
		k := 1 + c.Intn(len(at.kids))
		path, at = append(path, k), at.kids[k-1]
	}
	for _, name := range slices.Sorted(maps.Keys(c.rules)) {
		r := c.rules[name]
		if c.Intn(3) == 0 {
			r[0], r[1] = r[1], r[0]
		}
		if is := make(map[string]*tree); len(r[0].kids) > 0 && c.Intn(2) == 0 && at.instance(r[0], is) {
			return t.with(path, r[1].fill(is))
		}
	}
	if slices.Contains(c.commute, at.op) {
		return t.with(path, &tree{at.op, []*tree{at.kids[1], at.kids[0]}})
	}
	return t
}

// twice has a term twice, once under a lambda if there are some.
func (c *system) twice(t *tree) *tree {
	if c.ops["lam"] == 0 {
		return &tree{"max", []*tree{t, &tree{"sin", []*tree{t}}}}
	}
	return &tree{"g", []*tree{t, &tree{"lam \\v1", []*tree{t.inside()}}}}
}

// inside is a term under one more lambda.
func (t *tree) inside() *tree {
	out := &tree{op: t.op}
	name, bound, lambda := strings.Cut(t.op, "v")
	if n := 0; lambda {
		fmt.Sscan(bound, &n)
		out.op = fmt.Sprint(name, "v", n+1)
	}
	for _, k := range t.kids {
		out.kids = append(out.kids, k.inside())
	}
	return out
}

// proofs makes rules and terms that are equal by them, has egad prove that, and replays what it
// prints.
func (c *system) proofs(t *testing.T, head, label, inputs string) (proofs, steps, again int, err error) {
	c.rules = make(map[string][2]*tree)
	text := head
	for range 2 + c.Intn(4) {
		text += c.rule(label)
	}
	from := c.term(4, c.consts, 0)
	text += "test t\n" + inputs
	start := len(text)
	for range 4 {
		to := from
		for range 1 + c.Intn(100) {
			if u := c.changed(to); len(u.String()) < 200 {
				to = u
			}
		}
		from, to := from, to
		if c.Intn(2) == 0 { // the same twice, in other places
			from, to = c.twice(from), c.twice(to)
		}
		if !to.equal(from) {
			text += fmt.Sprintf("  start %s\n  start %s\n  prove %s = %s\n", c.written(from), c.written(to), c.written(from), c.written(to))
		}
	}
	if len(text) == start {
		return 0, 0, 0, nil
	}
	text += fmt.Sprintf("  start %s\n  limit iterations 4 nodes 1500\n", c.written(from))
	f := loadText(t, text)
	all, err := runTest(t, f, f.Tests[0], runner.Options{Proofs: true}).Proofs()
	if err != nil {
		return 0, 0, 0, fmt.Errorf("%w\n%s", err, text)
	}
	for dec := json.NewDecoder(strings.NewReader(written(t, all...))); dec.More(); proofs++ {
		var p printedProof
		if err := dec.Decode(&p); err != nil {
			return 0, 0, 0, err
		}
		n, err := c.replays(&p)
		if err != nil {
			return 0, 0, 0, fmt.Errorf("%s: %w\n%s\n%s", p.Claim, err, text, all[proofs])
		}
		steps, again = steps+len(p.Steps), again+n
	}
	return proofs, steps, again, nil
}

// replayed has random systems proved and replayed.
func replayed(t *testing.T, head, label, inputs string, c system) {
	proofs, steps, again := 0, 0, 0
	seeds := func(p *gopter.GenParameters) *gopter.GenResult {
		return gopter.NewGenResult(p.Rng.Int63(), gopter.NoShrinker)
	}
	programs.Hold(t, testflag.Seed, testflag.Count(400, 5000), seeds, func(seed int64) error {
		c.Rand = rand.New(rand.NewSource(seed))
		p, s, a, err := c.proofs(t, head, label, inputs)
		proofs, steps, again = proofs+p, steps+s, again+a
		return err
	})
	t.Logf("%d proofs of %d steps, %d of them steps made again", proofs, steps, again)
	if proofs < 300 || again < 40 {
		t.Errorf("-seed %d: only %d proofs, with %d steps made again", testflag.Seed, proofs, again)
	}
}

// TestReplay: the printed proofs of random languages are chains.
func TestReplay(t *testing.T) {
	replayed(t, `language l
sort E
symbol a b c : E
op f E : E
op k E : E
op g E E : E
op + E E : E commutative
op lam [x : E] x.E : E
`, "", "", system{ops: map[string]int{"f": 1, "k": 1, "g": 2, "+": 2, "lam": 1}, consts: []string{"a", "b", "c"}, constant: []string{"a", "b"}, commute: []string{"+"}})
}

// TestReplayArrays: those of random rules between scalars too.
func TestReplayArrays(t *testing.T) {
	replayed(t, "ruleset mine\n", " real", "  var a b c : R\n",
		system{ops: map[string]int{"sin": 1, "cos": 1, "max": 2, "+": 2, "*": 2}, consts: []string{"a", "b", "c"}, commute: []string{"+", "*", "max"}})
}
