package egad_test

import (
	"bytes"
	"egad/kernel"
	"encoding/json"
	"errors"
	"fmt"
	goast "go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"egad/ad"
	"egad/data"
	"egad/diag"
	"egad/fun"
	"egad/internal/testflag"
	"egad/linmap"
	"egad/props"
	"egad/rules"
	"egad/rules/load"
	"egad/rules/runner"
	"egad/rules/suite"
	"egad/term"
	"egad/term/ast"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/types"
)

// README.md, examples/README.md and docs/*.md are tests: every fenced block in them is checked. The
// first word after the fence says what it is, the others how it is meant.
//
//	egad     Definitions, which must pass the checker. A line that ends in
//	         "-- = V" says that the definition it belongs to, which has no
//	         parameters, has the value V, in JSON as `egad run` prints it.
//	         more: the blocks of the page so far, with this word or not, belong to it
//	         file=NAME: commands on the page find the text under this name
//	         error: a line that ends in "-- error: M" has a finding that starts
//	         with M, and there are no others; without such lines there are some
//	rules    Rules over the built-in ones, in a rule set of the block or in one
//	         called page. Types and examples must pass the checks, and random
//	         instances must show no counterexample.
//	         false: random instances must show a counterexample of every rule
//	         with=NAME: after the rules of this file of the page, and with its
//	         operators; also for egad
//	         wrong: something must be wrong with every rule
//	         error, file=NAME: as for egad
//	language The file of a language, whose tests must hold.
//	         error, file=NAME: as for egad
//	console  Lines "$ COMMAND", each with its output. A command is egad (go run
//	         ./cmd/egad is the same), with a pipe to `head -n N` if need be. After a
//	         command that fails, `echo $?` follows. `go test ./...` has no output
//	         here and is not run: it is running. Numbers with a point may differ in
//	         the 12th digit, for exp and its like may between machines. A program of
//	         the examples is run as go run ./examples/….
//	         measured: figures, and the room for them, are not compared
//	go       The body of an Example in a test file of this package, or in
//	         example_test.go of define, egraph or rules/suite.
//	ebnf     A grammar; see TestGrammar.
//	any      of=PATH: a part of this file of the project, and no more is checked
//	text     Quoted from a paper.
//
// A comment <!-- table NAME --> puts the table after it under a check of that
// name; see tables. With -update, console output and what is computed in tables is
// written to the pages.

// page is a text with fenced blocks.
type page struct {
	path  string
	lines []string // without newlines
	dir   string   // where its commands run
	sig   *term.Signature
	base  *rules.Library
	egads []string // texts of the egad blocks so far
	edits []edit
}

// edit replaces lines of a page.
type edit struct {
	from, to int
	lines    []string
}

// block is the inside of a fence: lines from … to-1 of its page.
type block struct {
	*page
	kind     string
	opts     map[string]string
	from, to int
}

func (b *block) text() string { return strings.Join(b.lines[b.from:b.to], "\n") + "\n" }

func (b *block) has(opt string) bool { _, ok := b.opts[opt]; return ok }

// source is the text of the block with its line numbers.
func (b *block) source(text string) *diag.Source {
	return &diag.Source{Name: b.path, Text: strings.Repeat("\n", b.from) + text}
}

// at is "file:line" of line n of the page, from 0.
func (p *page) at(n int) string { return fmt.Sprintf("%s:%d", p.path, n+1) }

func (p *page) replace(from, to int, lines []string) {
	p.edits = append(p.edits, edit{from, to, lines})
}

var (
	linkTo  = regexp.MustCompile(`\]\(([^()#\s:]*)#([^()\s]+)\)`)
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	notID   = regexp.MustCompile(`[^\pL\pN_\- ]`)
)

// TestLinks checks that what pages link to within pages is there.
func TestLinks(t *testing.T) {
	paths, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	read := func(path string) string {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		return string(text)
	}
	links := 0
	for _, path := range append(paths, "README.md", "examples/README.md") {
		for _, m := range linkTo.FindAllStringSubmatch(read(path), -1) {
			to := path
			if m[1] != "" {
				to = filepath.Join(filepath.Dir(path), m[1])
			}
			text := read(to)
			there := strings.Contains(text, `<a id="`+m[2]+`">`)
			for _, h := range heading.FindAllStringSubmatch(text, -1) {
				there = there || strings.ReplaceAll(notID.ReplaceAllString(strings.ToLower(h[1]), ""), " ", "-") == m[2]
			}
			if links++; !there {
				t.Errorf("%s: there is no %s#%s", path, m[1], m[2])
			}
		}
	}
	if links < 20 {
		t.Errorf("only %d links found: the search is broken", links)
	}
}

func TestPages(t *testing.T) {
	paths, err := filepath.Glob("docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin+string(filepath.Separator), "./cmd/egad").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for _, path := range append(paths, "README.md", "examples/README.md") {
		t.Run(path, func(t *testing.T) {
			p := readPage(t, path)
			if err := os.CopyFS(filepath.Join(p.dir, "examples"), os.DirFS("examples")); err != nil {
				t.Fatal(err)
			}
			for _, b := range p.blocks(t) {
				b.check(t, filepath.Join(bin, "egad"))
			}
			p.checkTables(t)
			p.write(t)
		})
	}
}

func readPage(t *testing.T, path string) *page {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sig := term.NewSignature()
	base, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	return &page{path: path, lines: strings.Split(string(text), "\n"), dir: t.TempDir(), sig: sig, base: base}
}

// blocks lists the fenced blocks of the page.
func (p *page) blocks(t *testing.T) []*block {
	var out []*block
	var open *block
	for i, l := range p.lines {
		info, fence := strings.CutPrefix(strings.TrimLeft(l, " "), "```")
		switch {
		case !fence:
		case open != nil:
			open.to = i
			out = append(out, open)
			open = nil
		default:
			words := strings.Fields(info)
			if len(words) == 0 {
				t.Errorf("%s: the block does not say what it is", p.at(i))
				words = []string{""}
			}
			open = &block{page: p, kind: words[0], opts: make(map[string]string), from: i + 1}
			for _, w := range words[1:] {
				name, val, _ := strings.Cut(w, "=")
				open.opts[name] = val
			}
		}
	}
	if open != nil {
		t.Errorf("%s: the block does not end", p.at(open.from-1))
	}
	return out
}

// write applies the edits of the page, if asked to.
func (p *page) write(t *testing.T) {
	if !testflag.Update || len(p.edits) == 0 {
		return
	}
	slices.SortFunc(p.edits, func(a, b edit) int { return b.from - a.from })
	lines := p.lines
	for _, e := range p.edits {
		lines = slices.Concat(lines[:e.from], e.lines, lines[e.to:])
	}
	if err := os.WriteFile(p.path, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}

func (b *block) check(t *testing.T, egadCommand string) {
	if name := b.opts["file"]; name != "" {
		if err := os.WriteFile(filepath.Join(b.dir, name), []byte(b.text()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if path := b.opts["of"]; path != "" {
		b.excerpt(t, path)
		return
	}
	switch b.kind {
	case "egad":
		b.program(t)
	case "rules":
		b.ruleFile(t)
	case "language":
		b.rewriting(t)
	case "console":
		b.console(t, egadCommand)
	case "go":
		b.example(t)
	case "ebnf": // TestGrammar
	case "text", "":
	default:
		t.Errorf("%s: there is no check of blocks %q", b.at(b.from-1), b.kind)
	}
}

// excerpt checks that the block is a part of a file, but for the width of spaces.
func (b *block) excerpt(t *testing.T, path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%s: %v", b.at(b.from-1), err)
	}
	trimmed := func(text string) string {
		var out strings.Builder
		for l := range strings.Lines(text) {
			out.WriteString(strings.Join(strings.Fields(l), " ") + "\n")
		}
		return out.String()
	}
	if !strings.Contains(trimmed(string(text)), trimmed(b.text())) {
		t.Errorf("%s: this is no part of %s", b.at(b.from-1), path)
	}
}

// program checks definitions and their values.
func (b *block) program(t *testing.T) {
	if b.has("error") {
		_, err := module.Load(b.sig, b.source(b.text()))
		b.findings(t, err)
		return
	}
	text := b.source(b.text()).Text
	var before []string
	if b.has("more") {
		before = b.egads
	}
	b.egads = append(b.egads, text)
	srcs := []*diag.Source{{Name: b.path, Text: text}}
	for _, s := range before {
		srcs = append(srcs, &diag.Source{Name: b.path, Text: s})
	}
	sig, lib := b.language(t)
	sig.Deriver = ad.Deriver(lib)
	sig.Functional = fun.Functional
	m, err := module.Load(sig, srcs...)
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	def := ""
	for i, l := range b.lines[b.from:b.to] {
		if d := defLine.FindStringSubmatch(l); d != nil {
			def = d[1]
		}
		if _, want, ok := strings.Cut(l, "-- = "); ok {
			got, err := value(m, def)
			if err != nil {
				t.Errorf("%s: %v", b.at(b.from+i), err)
			} else if !sameText(got, want) {
				t.Errorf("%s: %s is %s, not %s", b.at(b.from+i), def, got, want)
			}
		}
	}
}

var defLine = regexp.MustCompile(`^def ([\p{L}_][\p{L}\p{Nd}_']*)`)

// value is the value of a definition without parameters, in JSON on one line.
func value(m *module.Module, def string) (string, error) {
	p, err := m.Instantiate(def, nil)
	if err != nil {
		return "", err
	}
	v, err := eval.Interpret(p.Store, p.Root, linmap.Algebra[float64]{Arrays: eval.FloatArrays()}, nil)
	if err != nil {
		return "", err
	}
	var out, line bytes.Buffer
	if err := data.WriteJSONValue(&out, v); err != nil {
		return "", err
	}
	err = json.Compact(&line, out.Bytes())
	return strings.ReplaceAll(line.String(), ",", ", "), err
}

// rewriting checks the file of a language and runs its tests; a test that fails is
// a finding.
func (b *block) rewriting(t *testing.T) {
	f, err := suite.Load(b.source(b.text()))
	if err == nil {
		var failed diag.List
		for _, x := range f.Tests {
			res, e := f.Run(x, runner.Options{})
			if e != nil {
				t.Fatal(e)
			}
			failed = append(failed, res.Failed...)
		}
		err = failed.Err()
	}
	if b.has("error") {
		b.findings(t, err)
	} else if err != nil {
		t.Errorf("%v", err)
	}
}

// findings compares the findings of a load with the comments "-- error: M".
func (b *block) findings(t *testing.T, err error) {
	var list diag.List
	if !errors.As(err, &list) && err != nil {
		t.Errorf("%s: %v", b.at(b.from), err)
	}
	if !strings.Contains(b.text(), "-- error: ") {
		if err == nil {
			t.Errorf("%s: nothing is wrong with the block", b.at(b.from))
		}
		return
	}
	for i, l := range b.lines[b.from:b.to] {
		_, want, ok := strings.Cut(l, "-- error: ")
		at := slices.IndexFunc(list, func(e *diag.Error) bool {
			line, _ := e.Src.LineCol(e.Pos)
			return line == b.from+i+1
		})
		switch {
		case !ok && at < 0:
		case !ok:
			t.Errorf("not expected: %v", list[at])
		case at < 0:
			t.Errorf("%s: there is no error", b.at(b.from+i))
		case !strings.HasPrefix(list[at].Msg, want):
			t.Errorf("%s: the error is: %s", b.at(b.from+i), list[at].Msg)
		}
	}
}

// ruleInstances is how many random instances of a rule of a page are tried.
const ruleInstances = 60

// ruleFile checks rules.
func (b *block) ruleFile(t *testing.T) {
	text := b.text()
	declares := strings.Contains(text, "operator ")
	if !strings.Contains(text, "ruleset ") && !declares {
		text = "ruleset page " + text
	}
	sig, base := b.language(t)
	lib, err := load.Over(base, sig, b.source(text))
	if b.has("error") {
		b.findings(t, err)
		return
	}
	if err != nil {
		t.Errorf("%v", err)
		return
	}
	how := props.RuleChecks{Count: ruleInstances, Seed: 1}
	for _, r := range lib.All() {
		rep := props.CheckRules(sig, []*rules.Rule{r}, how)
		switch {
		case b.has("wrong"):
			if len(rep.Findings) == 0 {
				t.Errorf("%s: nothing is wrong with the rule %s", b.at(b.from), r.Name)
			}
		case !b.has("false"):
			for _, e := range rep.Findings {
				t.Error(e)
			}
		case len(rep.Findings) != 1 || rep.Findings[0].Detail == "":
			line, _ := r.Src.LineCol(r.Pos)
			t.Errorf("%s: the rule %s has no counterexample: %v", b.at(line-1), r.Name, rep.Findings.Err())
		}
	}
	if !b.has("false") {
		var rep props.RuleReport
		rep.CheckOperators(sig, base.With(lib), lib.Operators, how)
		for _, e := range rep.Findings {
			t.Error(e)
		}
	}
}

// language is the operators and the rules for a block: those of egad, and of the
// file that it is with.
func (b *block) language(t *testing.T) (*term.Signature, *rules.Library) {
	t.Helper()
	var with []*diag.Source
	if name := b.opts["with"]; name != "" {
		src, err := diag.ReadSource(filepath.Join(b.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		with = append(with, src)
	}
	sig := term.NewSignature()
	base, err := load.Builtin(sig, with...)
	if err != nil {
		t.Fatal(err)
	}
	return sig, base
}

// example looks for the body of the block among the Examples of this package.
func (b *block) example(t *testing.T) {
	var files []string
	for _, where := range []string{"*_test.go", "define/example_test.go", "egraph/example_test.go", "rules/suite/example_test.go"} {
		more, err := filepath.Glob(where)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	for _, f := range files {
		src, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, f, src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			fn, ok := d.(*goast.FuncDecl)
			if !ok || !strings.HasPrefix(fn.Name.Name, "Example") {
				continue
			}
			body := string(src[fset.Position(fn.Body.Lbrace).Offset+1 : fset.Position(fn.Body.Rbrace).Offset])
			body = strings.ReplaceAll(strings.Trim(body, "\n"), "\n\t", "\n")
			if strings.TrimPrefix(body, "\t") == strings.TrimRight(b.text(), "\n") {
				return
			}
		}
	}
	t.Errorf("%s: this is not the body of an Example of the package", b.at(b.from))
}

// console runs the commands of a block and compares what they print.
func (b *block) console(t *testing.T, egadCommand string) {
	status := 0
	for i := b.from; i < b.to; {
		line, ok := strings.CutPrefix(b.lines[i], "$ ")
		end := i + 1
		for end < b.to && !strings.HasPrefix(b.lines[end], "$ ") {
			end++
		}
		if !ok {
			t.Errorf("%s: expected $ and a command", b.at(i))
			return
		}
		var out string
		switch line {
		case "echo $?":
			out, status = fmt.Sprintln(status), 0
		case "go test ./...":
		default:
			if status != 0 {
				t.Errorf("%s: the command before fails with status %d; write $ echo $? after it", b.at(i), status)
			}
			var err error
			if out, status, err = b.run(line, egadCommand); err != nil {
				t.Errorf("%s: %v", b.at(i), err)
				return
			}
		}
		got := strings.Split(out, "\n")
		got = got[:len(got)-1]
		want := b.lines[i+1 : end]
		switch {
		case sameText(strings.Join(got, "\n"), strings.Join(want, "\n")):
		case b.has("measured") && slices.Equal(withoutFigures(got), withoutFigures(want)):
		case testflag.Update:
			b.replace(i+1, end, got)
		default:
			t.Errorf("%s: $ %s prints\n%s\nand the page shows\n%s", b.at(i), line, out, strings.Join(want, "\n"))
		}
		i = end
	}
	if status != 0 {
		t.Errorf("%s: the last command fails with status %d; write $ echo $? after it", b.at(b.to), status)
	}
}

// run runs a line of a console block in the directory of the page.
func (b *block) run(line, egadCommand string) (out string, status int, err error) {
	words, err := shellWords(line)
	if err != nil {
		return "", 0, err
	}
	head := -1
	if at := slices.Index(words, "|"); at >= 0 {
		if len(words) != at+4 || words[at+1] != "head" || words[at+2] != "-n" {
			return "", 0, errors.New("a pipe can only go to head -n N")
		}
		if head, err = strconv.Atoi(words[at+3]); err != nil {
			return "", 0, err
		}
		words = words[:at]
	}
	if len(words) > 2 && slices.Equal(words[:3], []string{"go", "run", "./cmd/egad"}) {
		words = append([]string{"egad"}, words[3:]...)
	}
	var cmd *exec.Cmd
	switch {
	case len(words) > 0 && words[0] == "egad":
		cmd = exec.Command(egadCommand, words[1:]...)
		cmd.Dir = b.dir
	case len(words) == 3 && words[0] == "go" && words[1] == "run" && strings.HasPrefix(words[2], "./examples/"):
		cmd = exec.Command(words[0], words[1:]...)
	default:
		return "", 0, errors.New("only egad and the programs of the examples are run here")
	}
	var buf bytes.Buffer
	cmd.Stdout, cmd.Stderr = &buf, &buf
	err = cmd.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		status, err = exit.ExitCode(), nil
	}
	out = buf.String()
	if out != "" && !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	if head >= 0 {
		lines := strings.SplitAfter(out, "\n")
		out, status = strings.Join(lines[:min(head, len(lines))], ""), 0
	}
	return out, status, err
}

// shellWords splits a command line at spaces outside quotes.
func shellWords(line string) ([]string, error) {
	var out []string
	var word strings.Builder
	quote, in := rune(0), false
	for _, r := range line {
		switch {
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				word.WriteRune(r)
			}
		case r == '\'' || r == '"':
			quote, in = r, true
		case r == ' ':
			if in {
				out = append(out, word.String())
				word.Reset()
				in = false
			}
		case strings.ContainsRune("<>&;$\\*`", r):
			return nil, fmt.Errorf("%q has no meaning here", r)
		default:
			word.WriteRune(r)
			in = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote does not end")
	}
	if in {
		out = append(out, word.String())
	}
	return out, nil
}

var figures = regexp.MustCompile(`[\s\d.]+`)

// withoutFigures has a blank for figures and spaces.
func withoutFigures(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = figures.ReplaceAllString(l, " ")
	}
	return out
}

var floatText = regexp.MustCompile(`-?\d+\.\d+(?:e[-+]?\d+)?`)

// sameText compares texts, with a tolerance for numbers with a point.
func sameText(got, want string) bool {
	if got == want {
		return true
	}
	gs, ws := floatText.FindAllString(got, -1), floatText.FindAllString(want, -1)
	if len(gs) != len(ws) || floatText.ReplaceAllString(got, "#") != floatText.ReplaceAllString(want, "#") {
		return false
	}
	for i := range gs {
		x, _ := strconv.ParseFloat(gs[i], 64) // the pattern is that of a number
		y, _ := strconv.ParseFloat(ws[i], 64)
		if math.Abs(x-y) > 1e-12*max(math.Abs(x), math.Abs(y)) {
			return false
		}
	}
	return true
}

// tables holds the checks of tables. Each is given the rows after the head, split
// into cells, and returns the rows as they have to be.
var tables = map[string]func(p *page, rows [][]string) [][]string{
	"prelude": func(*page, [][]string) [][]string { return preludeTable() },
	"generals": func(*page, [][]string) (rows [][]string) {
		for _, g := range module.Generals {
			rows = append(rows, []string{"`" + g.Call + "`", g.Doc})
		}
		return rows
	},
	"rulesets": ruleSetTable,
	"classes":  classTable,
	"builtins": builtinTable,
	"limits":   limitTable,
}

// checkTables checks the tables that a comment announces.
func (p *page) checkTables(t *testing.T) {
	for i, l := range p.lines {
		name, ok := strings.CutPrefix(l, "<!-- table ")
		if !ok {
			continue
		}
		name = strings.TrimSuffix(name, " -->")
		check := tables[name]
		from := i + 3 // the comment, the head, the rule
		if check == nil || from > len(p.lines) || !strings.HasPrefix(p.lines[i+2], "|--") {
			t.Errorf("%s: there is no check or no table %q", p.at(i), name)
			continue
		}
		to := from
		var rows [][]string
		for ; to < len(p.lines) && strings.HasPrefix(p.lines[to], "|"); to++ {
			rows = append(rows, cells(p.lines[to]))
		}
		var want []string
		for _, r := range check(p, rows) {
			want = append(want, "| "+strings.Join(r, " | ")+" |")
		}
		switch {
		case slices.Equal(want, p.lines[from:to]):
		case testflag.Update:
			p.replace(from, to, want)
		default:
			t.Errorf("%s: the table %s must be\n%s", p.at(i), name, strings.Join(want, "\n"))
		}
	}
}

// cells splits a row of a table; a | in code is written \|.
func cells(row string) []string {
	row = strings.ReplaceAll(row, `\|`, "\x00")
	row = strings.TrimSuffix(strings.TrimPrefix(row, "|"), "|")
	out := strings.Split(row, "|")
	for i := range out {
		out[i] = strings.ReplaceAll(strings.TrimSpace(out[i]), "\x00", `\|`)
	}
	return out
}

// preludeTable lists the definitions of the prelude with their comments.
func preludeTable() [][]string {
	var out [][]string
	for _, m := range preludeDef.FindAllStringSubmatch(module.Prelude().Text, -1) {
		out = append(out, []string{"`" + m[2] + "`", m[1]})
	}
	return out
}

var preludeDef = regexp.MustCompile(`(?m)^-- \| (.*)\ndef (.*?) =`)

// ruleSetTable lists the rule sets: name, then what the page says about it, then
// how many rules it has and how many of them are exact.
func ruleSetTable(p *page, rows [][]string) [][]string {
	said := make(map[string][]string)
	for _, r := range rows {
		said[r[0]] = r[1 : len(r)-2]
	}
	var out [][]string
	for _, s := range p.base.Sets {
		row := append([]string{"`" + s.Name + "`"}, said["`"+s.Name+"`"]...)
		exact := 0
		for _, r := range s.Rules {
			if r.Label == rules.Exact {
				exact++
			}
		}
		out = append(out, append(row, strconv.Itoa(len(s.Rules)), strconv.Itoa(exact)))
	}
	return out
}

// classTable lists the operators of the classes.
func classTable(p *page, rows [][]string) [][]string {
	var out [][]string
	for _, name := range []string{"elementwise", "zero-preserving", "commutative", "reduction", "columnwise", "matrixwise", "linear"} {
		for n := 0; n <= 3; n++ {
			if (n == 0) != (name == "linear") { // which has no number of operands
				continue
			}
			var ops []string
			for _, o := range p.sig.All() {
				if (rules.Class{Name: name, Arity: n}).Has(o) {
					ops = append(ops, "`"+strings.ReplaceAll(o.Text(), "|", `\|`)+"`")
				}
			}
			if ops != nil {
				class := strings.TrimSuffix(fmt.Sprintf("%s/%d", name, n), "/0")
				out = append(out, []string{"`" + class + "`", strings.Join(ops, " ")})
			}
		}
	}
	return out
}

// builtinTable checks that there is a row for every built-in function: the first
// cell starts with a call of it.
func builtinTable(p *page, rows [][]string) [][]string {
	missing := map[string]bool{ops.Lmap: true}
	for _, o := range p.sig.All() {
		if _, _, ok := p.sig.Form(o.Name); ok && o.Name != "proj" && o.Of == ops.SymNone {
			missing[o.Name] = true
		}
	}
	var out [][]string
	for _, r := range rows {
		name := regexp.MustCompile(`^\W*(\w+)`).FindStringSubmatch(r[0])
		if name != nil && missing[name[1]] {
			delete(missing, name[1])
			out = append(out, r)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(missing)) {
		out = append(out, []string{"`" + name + "`", "", ""})
	}
	return out
}

// limitTable puts the values of limits into the last column, by the Go name in the
// first.
func limitTable(p *page, rows [][]string) [][]string {
	limits := map[string]int64{
		"ad.MaxDense": ad.MaxDense, "data.MaxFileBytes": data.MaxFileBytes, "data.MaxElements": data.MaxElements, "data.MaxDepth": data.MaxDepth,
		"diag.MaxFileBytes": diag.MaxFileBytes, "diag.MaxShownErrors": diag.MaxShownErrors,
		"ast.MaxTokens": ast.MaxTokens, "ast.MaxExprDepth": ast.MaxExprDepth,
		"module.MaxListed": module.MaxListed, "numeric.MaxLiteralBits": numeric.MaxLiteralBits, "ops.MaxRank": ops.MaxRank, "kernel.MaxIndex": kernel.MaxIndex,
		"term.MaxDepth": term.MaxDepth, "term.MaxDeclared": term.MaxDeclared, "term.MaxFree": term.MaxFree,
		"term.DefaultMaxNodes": term.DefaultMaxNodes, "types.DefaultMaxElements": types.DefaultMaxElements, "types.MaxElements": types.MaxElements,
	}
	out := make([][]string, len(rows))
	for i, r := range rows {
		out[i] = slices.Clone(r)
		if n, ok := limits[strings.Trim(r[0], "`")]; ok {
			out[i][len(r)-1] = strconv.FormatInt(n, 10)
		}
	}
	return out
}
