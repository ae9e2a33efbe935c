package load

import (
	"os"
	"path/filepath"
	"testing"

	"egad/diag"
)

// TestOver reads languages over others: each file once, whatever leads to it, without its
// tests.
func TestOver(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) *diag.Source {
		path := filepath.Join(dir, name+".rules")
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return &diag.Source{Name: path, Text: text}
	}
	write("base", "language base\nsort E\nsymbol x y : E\nruleset r\nrule a x => y\ntest t\n  start x\n")
	write("left", "language left over base\nop f E : E\n")
	write("right", "language right over base\nop g E : E\nruleset r\nrule b g a => a\n")
	top := write("top", "language top over left, right\nrule c f a => a\ntest t\n  start f (g x)\n  prove f (g x) = y\n")
	l, err := Language(top)
	if err != nil {
		t.Fatal(err)
	}
	if l.Name != "top" || len(l.All()) != 3 || len(l.Tests) != 1 || len(l.Named("r").Rules) != 2 {
		t.Errorf("%s with %d rules and %d tests", l.Name, len(l.All()), len(l.Tests))
	}
	for _, x := range []struct{ text, want string }{
		{"language l over nothing\nsort E", filepath.Join(dir, "nothing.rules") + ": no such file"},
		{"language l over arrays\nsort E", filepath.Join(dir, "arrays.rules") + " declares no language"},
		{"language l over wrong\nrule a x => y", "there is no symbol or operator h (did you mean x?)"},
		{"language l over base\nsort E", "the sort E is declared twice"},
		{"language l over base\nrule a x => y", "the rule a is there already (" + filepath.Join(dir, "base.rules") + ", line 5)"},
		{"language l over ring", "the language ring is over itself"},
		{"language l over nothing, base\nsort E", filepath.Join(dir, "nothing.rules") + ": no such file"},
		{"language l over other", "a language that others are over is called as its file: other"},
	} {
		write("ring", "language ring over round\n")
		write("round", "language round over ring\n")
		write("arrays", "ruleset r\n")
		write("other", "language another\n")
		write("wrong", "language wrong\nsort E\nsymbol x : E\nrule r h x => x\n")
		_, err := Language(&diag.Source{Name: filepath.Join(dir, "l.rules"), Text: x.text})
		list, _ := err.(diag.List)
		if len(list) != 1 || list[0].Msg != x.want {
			t.Errorf("%q: %v, want %s", x.text, err, x.want)
		}
	}
}
