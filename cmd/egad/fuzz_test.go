package main

import (
	"flag"
	"math/rand"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"egad"
	"egad/internal/testflag"
	"egad/term/types"
)

var mutantSeed = flag.Int64("mutants", 1, "the seed of the mutants that commands are run on")

// fuzzDeadline only finds what hangs: a command on a small file is quick.
const fuzzDeadline = 60 * time.Second

// seed is a file that commands are run on.
type seed struct{ ext, text string }

// seeds are small files of all kinds: those of the examples, the sets of rules of
// egad with some of their rules each, and what is not usual.
func seeds(t testing.TB) []seed {
	var out []seed
	for _, pattern := range []string{"../../examples/*/*.egad", "../../examples/*/*.rules", "../../rules/files/*.rules"} {
		paths, err := filepath.Glob(pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("%s: %v", pattern, err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range pieces(string(text)) {
				out = append(out, seed{filepath.Ext(path), part})
			}
		}
	}
	for _, text := range []string{
		"def f(x: R[2], y: (R, I)): (R, R[2]) = (sum x * y.0, x * [1, 2.5])\n",
		"def f[n](p: I[n], x: R[n]): R[n] = build n (\\i -> if p[i] < 2 then x[p[p[i]]] else 0 / x[i])\n",
		"def f(k: size, x: R[k]): R = let g = \\z -> z ^ 2 in maximum (map g x)\n",
	} {
		out = append(out, seed{".egad", text})
	}
	for _, text := range []string{
		"ruleset mine\n\nrule huge exact\n  neg (neg x) => x\n  example (x: R[1000000, 1000000]) neg (neg x) => x\n",
		"ruleset nabla\n\nrule nabla_sin2 real\n  nabla (sin x) => [lapply (lscale (cos x)) x]\n",
		"operator half[sh...](x: R[sh...]): R[sh...] linear = x * 0.5\nruleset nabla\n\nrule nabla_half exact\n  nabla (half x) => [lhalf @x]\n",
	} {
		out = append(out, seed{".rules", text})
	}
	out = append(out, seed{".json", `{"nodes": {"a": {"op": "f", "eclass": "c", "children": ["b"], "cost": 1.5}, "b": {"op": "x", "eclass": "d", "children": [], "cost": 1}}, "root_eclasses": ["c"]}`})
	return out
}

// pieces takes a large file apart: each has the first lines, up to the first blank
// line after the head of a set, and a few of the blocks after it.
func pieces(text string) []string {
	const most = 1500
	if len(text) <= most || strings.Contains(text, "\nlanguage ") {
		return []string{text}
	}
	var out []string
	set, piece := "", ""
	for _, block := range strings.SplitAfter(text, "\n\n") {
		if i := strings.Index(block, "ruleset "); i == 0 || i > 0 && block[i-1] == '\n' {
			set = block
		}
		if piece != "" && len(piece)+len(block) > most {
			out = append(out, piece)
			piece = set
		}
		piece += block
	}
	return append(out, piece)
}

// longNumber is what would only ask for much memory and time, within the limits.
var longNumber = regexp.MustCompile(`[0-9]{3,}|[0-9]e[0-9]{2}`)

// hammer runs all commands that take a file with this ending on a text.
func hammer(t *testing.T, dir, ext, text string) {
	path := filepath.Join(dir, "f"+ext)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, args := range commands(path, ext, text) {
		var out, errOut strings.Builder
		start := time.Now()
		status := run(args, &out, &errOut)
		if status != statusOK && status != statusFindings && status != statusUsage {
			t.Errorf("egad %s: status %d\n%s\n%s", strings.Join(args, " "), status, errOut.String(), text)
		}
		if status != statusOK && strings.TrimSpace(errOut.String()) == "" && !strings.Contains(out.String(), "FAILED") {
			t.Errorf("egad %s: status %d without a word\n%s", strings.Join(args, " "), status, text)
		}
		if took := time.Since(start); took > fuzzDeadline {
			t.Errorf("egad %s: %v\n%s", strings.Join(args, " "), took, text)
		}
	}
}

// commands are the command lines for a file.
func commands(path, ext, text string) [][]string {
	switch ext {
	case ".json":
		return [][]string{{"extract", path, "--steps", "200"}, {"extract", path, "--method", "trees"}, {"dot", path}}
	case ".rules":
		if strings.Contains(text, "language") {
			return [][]string{
				{"check", path},
				{"saturate", path, "--iters", "3", "--nodes", "300", "--time", "2s"},
				{"saturate", path, "--iters", "2", "--nodes", "100", "--time", "2s", "--explain"},
				{"dot", path, "--iters", "1", "--max-nodes", "50"},
			}
		}
		out := [][]string{{"check", path}, {"rules", "list", path}, {"rules", "check", path, "--count", "2", "--time", "2s"}}
		for _, m := range regexp.MustCompile(`(?m)^(?:rule|operator) +(\w+)`).FindAllStringSubmatch(text, 3) {
			out = append(out, []string{"rules", "show", m[1], path})
		}
		return out
	}
	out := [][]string{{"check", path}}
	m, err := egad.Parse(path, text)
	if err != nil {
		return out
	}
	info, err := m.Lookup("")
	if err != nil {
		return out
	}
	var sizes []string
	at := make(map[string]int64)
	for _, s := range info.Sizes {
		at[s] = 2
		sizes = append(sizes, "--size", s+"=2")
	}
	for _, args := range [][]string{{"stages"}, {"grad", "--program"}, {"jacobian", "--program", "--direct"}, {"dot", "--stage", "kernels"}} {
		out = append(out, slices.Concat(args[:1], []string{path}, args[1:], sizes))
	}
	p, err := m.Instantiate(info.Name, at)
	if err != nil {
		return out
	}
	values := slices.Clone(sizes)
	for _, in := range p.Inputs {
		for _, leaf := range in.Leaves() {
			_, n, err := types.ShapeOf(leaf.Type, 1000)
			if err != nil || len(leaf.Type.Shape) > 4 {
				return out
			}
			values = append(values, "--in", leaf.Name+"="+ones(leaf.Type, n))
		}
	}
	return append(out, slices.Concat([]string{"run", path}, values), slices.Concat([]string{"run", path, "--eval"}, values), slices.Concat([]string{"grad", path, "--order", "1"}, values))
}

// ones is a value of a type as JSON.
func ones(t *types.Type, n int) string {
	if n == 0 {
		return "[]"
	}
	text := "1"
	if t.Elem == types.B {
		text = "true"
	}
	for i := len(t.Shape) - 1; i >= 0; i-- {
		k, _ := t.Shape[i].Const()
		text = "[" + strings.Repeat(text+", ", int(k)-1) + text + "]"
	}
	return text
}

// FuzzCommand runs whole commands on any text: no panic, no status but those of
// findings and of wrong usage, no silence, and an end.
func FuzzCommand(f *testing.F) {
	// Few and small ones: all of them are run before anything is changed.
	for _, s := range seeds(f) {
		if len(s.text) < 300 {
			f.Add(s.ext, s.text)
		}
	}
	f.Fuzz(func(t *testing.T, ext, text string) {
		if !slices.Contains([]string{".egad", ".rules", ".json"}, ext) || len(text) > 4000 || longNumber.MatchString(text) {
			t.Skip("no file of egad, or one that may rightly take long")
		}
		hammer(t, t.TempDir(), ext, text)
	})
}

// token is a word, a number or a sign of a text.
var token = regexp.MustCompile(`\n|[ \t]+|--.*|[\pL_][\pL\d_']*|[0-9]+(?:\.[0-9]+)?|=>|<=>|->|::|\.\.\.|.`)

// mutant is a text with a few tokens exchanged, left out, doubled, or from another
// text.
func mutant(rng *rand.Rand, text, other string) string {
	ts, os := token.FindAllString(text, -1), token.FindAllString(other, -1)
	any := func(ts []string) int { // not a space
		for range 20 {
			if i := rng.Intn(len(ts)); strings.TrimSpace(ts[i]) != "" {
				return i
			}
		}
		return 0
	}
	for range 1 + rng.Intn(3) {
		if len(ts) == 0 {
			break
		}
		i, j := any(ts), any(ts)
		switch rng.Intn(6) {
		case 0:
			ts = slices.Delete(ts, i, i+1)
		case 1:
			ts = slices.Insert(ts, i, ts[j], " ")
		case 2:
			ts[i], ts[j] = ts[j], ts[i]
		case 3:
			ts[i] = ts[j]
		case 4:
			ts[i] = os[any(os)]
		case 5:
			ts[i] = []string{"0", "1", "-1", "2.5", "99", "(", ")", "[", "]", "@x", "?a", "?f", "sh...", "R", "I[2]", "B", "x", "(x, x)", "\\i -> ", "=>", "if", "lapply", "lone @x", "nabla", "build", "sum", "len", "::"}[rng.Intn(28)]
		}
	}
	return strings.Join(ts, "")
}

// TestMutants runs whole commands on files with a few tokens changed.
func TestMutants(t *testing.T) {
	n := testflag.Count(25, 3000)
	all := seeds(t)
	dir := t.TempDir()
	rng := rand.New(rand.NewSource(*mutantSeed))
	for range n {
		s := all[rng.Intn(len(all))]
		other := all[rng.Intn(len(all))]
		text := mutant(rng, s.text, other.text)
		if longNumber.MatchString(text) && !longNumber.MatchString(s.text) {
			continue
		}
		hammer(t, dir, s.ext, text)
	}
}
