package term_test

import (
	"errors"
	goast "go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"egad/diag"
	"egad/term"
	"egad/term/ast"
	"egad/term/module"
	"egad/term/ops"
)

// An expectation is an error that a test file announces at the end of the line
// it is in: the column, and a part of the message.
//
//	def f(x: R): R = y  -- ERROR 18: unknown name y
type expectation struct {
	line, col int
	part      string
}

var (
	errorComment = regexp.MustCompile(`-- ERROR (\d+): (.*?)\s*(?:$|-- ERROR)`)
	sizesComment = regexp.MustCompile(`(?m)^-- sizes(.*)$`)
)

// chunks splits a test file at lines "---". Each chunk is a program of its own;
// its lines keep their numbers.
func chunks(text string) []string {
	var out []string
	line := 0
	for _, c := range strings.Split(text, "\n---\n") {
		out = append(out, strings.Repeat("\n", line)+c)
		line += strings.Count(c, "\n") + 2
	}
	return out
}

// errorsOf loads a program and, if it says at which sizes, instantiates its last
// definition.
func errorsOf(t *testing.T, text string) diag.List {
	t.Helper()
	sig := term.NewSignature()
	text, list := declareAll(sig, text)
	if len(list) > 0 {
		return list
	}
	m, err := module.Load(sig, source(text))
	if sizes := sizesComment.FindStringSubmatch(text); err == nil && sizes != nil {
		at := make(map[string]int64)
		for _, f := range strings.FieldsFunc(sizes[1], func(r rune) bool { return r == ' ' || r == ',' }) {
			name, value, _ := strings.Cut(f, "=")
			n, err := strconv.ParseInt(value, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			at[name] = n
		}
		_, err = m.Instantiate("", at)
	}
	var one *diag.Error
	switch {
	case err == nil:
	case errors.As(err, &list):
	case errors.As(err, &one):
		list = diag.List{one}
	default:
		t.Fatalf("an error without a position: %v", err)
	}
	return list
}

// declareAll declares the operators that stand before the definitions of a text.
// The rest of it keeps its line numbers.
func declareAll(sig *term.Signature, text string) (rest string, errs diag.List) {
	if !strings.Contains(text, "\noperator ") && !strings.Contains(text, "\nrelation ") {
		return text, nil
	}
	operators, defs, _ := strings.Cut(text, "\ndef ")
	p := ast.NewParser(source(operators), &errs)
	p.Stop = map[string]bool{"operator": true, "relation": true}
	for ok := true; ok && !p.AtEnd(); {
		declaration := ops.ReadDeclaration
		if p.Is("relation") {
			declaration = ops.ReadRelation
		}
		ok = p.Recover(func() { module.Declare(sig, declaration(p, p.Next().Pos), &errs) })
	}
	if defs != "" {
		rest = strings.Repeat("\n", 1+strings.Count(operators, "\n")) + "def " + defs
	}
	return rest, errs
}

// Every error in testdata/errors is reported where the file says, and no other.
func TestErrors(t *testing.T) {
	files, err := filepath.Glob("testdata/errors/*.egad")
	if err != nil || len(files) == 0 {
		t.Fatalf("no test files: %v", err)
	}
	var seen []string
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".egad"), func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range chunks(string(b)) {
				var want []expectation
				for i, l := range strings.Split(text, "\n") {
					for rest := l; ; {
						m := errorComment.FindStringSubmatchIndex(rest)
						if m == nil {
							break
						}
						col, _ := strconv.Atoi(rest[m[2]:m[3]])
						want = append(want, expectation{i + 1, col, rest[m[4]:m[5]]})
						rest = rest[m[5]:]
					}
				}
				for _, e := range errorsOf(t, text) {
					seen = append(seen, e.Msg)
					line, col := e.Src.LineCol(e.Pos)
					at := slices.IndexFunc(want, func(w expectation) bool {
						return w.line == line && w.col == col && strings.Contains(e.Msg, w.part)
					})
					if at < 0 {
						t.Errorf("%s:%d:%d: not expected: %s", file, line, col, e.Msg)
						continue
					}
					want = slices.Delete(want, at, at+1)
				}
				for _, w := range want {
					t.Errorf("%s:%d:%d: no error with %q", file, w.line, w.col, w.part)
				}
			}
		})
	}
	t.Run("all", func(t *testing.T) { everyMessageSeen(t, seen) })
}

// unreachable lists the messages that no program of a test file can bring about,
// with the reason.
var unreachable = map[string]string{
	"this index is out of range: it is %d, and axis %d has size %d":                            "TestStrict of package egad",
	"%s takes or results in what no array is, and cannot be run by itself":                     "TestWrong of package fun",
	"more than %d calls are inlined":                                                           "TestLimits",
	"nested more than %d deep (chains of operators count as nesting)":                          "TestLimits",
	"the file has more than %d words, numbers and symbols":                                     "TestLimits",
	"a definition has at most %d sizes and parameters, not %d":                                 "TestLimits",
	"at most %d operators can be declared, counting linear maps":                               "TestDeclaredChain",
	"the relation %s has no meaning: it is for rules and their tests":                          "TestMeaningless",
	"a tuple has at most %d components":                                                        "TestLimits",
	"the expressions have different types: %s":                                                 "TestElaborate",
	"expected a function to a list of indices":                                                 "TestMisuse of package define",
	"a function that makes a list of indices is for gather and scatter; an array is one value": "TestMisuse of package define",
	"a quotient of sizes is a size, and no value; div rounds down":                             "TestMisuse of package define",
	"a function is not a value":                                                                "TestElaborate",
	"%s cannot be applied here":                                                                "for operators without a type of their own, in rules",
	"a variable that %s is bound to one that %s":                                               "TestStoreRefuses",
	"one variable %s and %s":                                                                   "TestStoreRefuses",
	"operand %d of %s has the sort %s, expected %s":                                            "of a language: package rules says more",
	"%s takes other operands":                                                                  "of a language: package rules says more",
	"operand %d is missing":                                                                    "TestStoreRefuses: a parser says more",
	"an array literal of %d elements that are not all numbers; at most %d are possible":        "TestLimits",
	"an array literal needs an element":                                                        "TestStoreRefuses: a checker says more",
	"index variable %d ranges over %s, and axis %d has size %s":                                "TestStoreRefuses: scatter takes its ranges from its operand",
	"the state of a loop is %s, and not %s":                                                    "TestStoreRefuses: a program says it by the first state",
	"a state is an array or a tuple of arrays, and not %s":                                     "TestStoreRefuses: a program has no others",
	"too many index variables: %s for %s":                                                      "TestStoreRefuses: a checker says more",
	"the changes of the states of a loop have one type, and this map goes from %s to %s":       "TestStoreRefuses",
	"operand %d of %s is %s, not %s":                                                           "calls that are kept are of definitions whose arguments have been checked",
}

// everyMessageSeen checks that each message in the source of the language was
// met in a test file, so that a new one cannot be added without a test.
func everyMessageSeen(t *testing.T, seen []string) {
	files, err := filepath.Glob("*.go")
	below, _ := filepath.Glob("*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	reporters := map[string]int{"errorf": 2, "fail": -1, "Fail": 1, "Add": 2, "Errorf": -1}
	verb := regexp.MustCompile(`%[-+#0-9]*[a-zA-Z]`)
	found := 0
	excuses := maps.Clone(unreachable)
	for _, file := range append(files, below...) {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		tree, err := parser.ParseFile(fset, file, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		goast.Inspect(tree, func(n goast.Node) bool {
			var format *goast.BasicLit
			switch n := n.(type) {
			case *goast.CallExpr:
				name := ""
				switch f := n.Fun.(type) {
				case *goast.SelectorExpr:
					if x, ok := f.X.(*goast.Ident); ok && x.Name == "fmt" {
						return true
					}
					name = f.Sel.Name
				case *goast.Ident:
					name = f.Name
				}
				if _, ok := reporters[name]; !ok {
					return true
				}
				for _, a := range n.Args {
					if l, ok := a.(*goast.BasicLit); ok && l.Kind == token.STRING && format == nil {
						format = l
					}
				}
			case *goast.CompositeLit:
				typ := n.Type
				if q, ok := typ.(*goast.SelectorExpr); ok {
					typ = q.Sel
				}
				if id, ok := typ.(*goast.Ident); ok && id.Name == "TypeError" && len(n.Elts) == 2 {
					goast.Inspect(n.Elts[1], func(m goast.Node) bool {
						if l, ok := m.(*goast.BasicLit); ok && l.Kind == token.STRING && format == nil {
							format = l
						}
						return true
					})
				}
			}
			if format == nil {
				return true
			}
			text, err := strconv.Unquote(format.Value)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Trim(verb.ReplaceAllString(text, ""), " :") == "" {
				return true // it only passes on another message
			}
			found++
			parts := verb.Split(text, -1)
			for i, p := range parts {
				parts[i] = regexp.QuoteMeta(p)
			}
			re := regexp.MustCompile("(?s)^" + strings.Join(parts, ".*"))
			_, excused := unreachable[text]
			delete(excuses, text)
			if !excused && !slices.ContainsFunc(seen, re.MatchString) {
				t.Errorf("%s: no test file brings about %q", fset.Position(format.Pos()), text)
			}
			return true
		})
	}
	for text := range excuses {
		t.Errorf("there is no message %q", text)
	}
	if found < 80 {
		t.Errorf("only %d messages found in the source: the search is broken", found)
	}
}

// Reports show the file, the line and a caret, also for a call out of a file.
func TestReport(t *testing.T) {
	_, err := module.Load(term.NewSignature(), source("def f[n](a: R[n], b: R[n + 1]): R =\n  dot(a, b)\n"))
	want := `test.egad:2:10: argument 2 of dot (b: R[n]): axis 0 has size n + 1, expected n; n is n by argument 1 (a), axis 0
      dot(a, b)
             ^`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	m := load(t, "def f[n](a: R[n]): R[n - 2] = build (n - 2) (\\i -> a[i])\ndef g(x: R): R = sum (f [x])\n")
	_, err = m.Instantiate("g", nil)
	want = `test.egad:1:38: a size cannot be negative, and this is -1; called from test.egad:2
    def f[n](a: R[n]): R[n - 2] = build (n - 2) (\i -> a[i])
                                         ^`
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}
