package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"egad/internal/testflag"
	"egad/kernel/gemm"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"egad": func() {
		grace = time.Minute
		main()
	}})
}

// TestScripts runs the command as a user does; see testdata/script.
func TestScripts(t *testing.T) {
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: testflag.Update,
		Setup: func(env *testscript.Env) error {
			env.Setenv("ROOT", strings.TrimSuffix(wd, "/cmd/egad"))
			// Where egad is, and nothing else.
			env.Setenv("BIN", filepath.SplitList(env.Getenv("PATH"))[0])
			return nil
		},
		Condition: func(name string) (bool, error) {
			if name != "gemm" {
				return false, fmt.Errorf("unknown condition %s", name)
			}
			return gemm.Available(), nil
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": status,
			"deep":   deep,
			"full":   full,
		},
	})
}

// status N COMMAND… runs a command that must end with exit status N.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command…")
	}
	err := ts.Exec(args[1], args[2:]...)
	want := args[0]
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != want {
		ts.Fatalf("exit status %s, want %s", got, want)
	}
}

// full ARGUMENT… runs egad, whose output goes to a full disk.
func full(ts *testscript.TestScript, neg bool, args []string) {
	status(ts, neg, append([]string{"3", "sh", "-c", `exec egad "$@" > /dev/full`, "egad"}, args...))
	if text := ts.ReadFile("stderr"); strings.Count(text, "no space left on device\n") != 1 {
		ts.Fatalf("what could not be written is not said once: %s", text)
	}
}

// deep FILE N writes a program with N nested parentheses.
func deep(ts *testscript.TestScript, neg bool, args []string) {
	n := 2_000_000
	text := "def f(x: R): R = " + strings.Repeat("(", n) + "x" + strings.Repeat(")", n) + "\n"
	if err := os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666); err != nil {
		ts.Fatalf("%v", err)
	}
}
