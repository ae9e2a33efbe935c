//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// endlessSums is a language in which a sum becomes ever larger, without a limit.
const endlessSums = `language l
sort E
symbol x y : E
op + E E : E
op s E : E
rule comm a + b => b + a
rule grow a + b => s a + (b + s b)
rule turn a + (b + c) <=> a + b + c
test t
  start x + y
  refute x = y
  limit nodes 0 iterations 0 bytes 800000000
test later
  start x + y
  prove x = y
`

// TestInterrupt: a signal ends a command that takes long, with the status 130 and
// what it knows.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"endless.rules": endlessSums,
		"lets.egad":     "def f(x: R[4], y: R[4]): R =\n  let a0 = x in\n" + part(repeat(9000, "  let a#+1 = a# * y + sin a# in\n")) + "  sum a9000\n",
		"long.egad":     "def f(): R = sum (build 20000 (\\i -> sum (build 2000000 (\\j -> sin (real (i * j))))))\n",
		"loop.egad":     "def f[n](w: R[n]): R[n] = iterate 1000000 (\\s -> iterate 10000 (\\t -> cos (t * s)) w) w\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args   string
		signal os.Signal
		out    []string
	}{
		{"saturate endless.rules", os.Interrupt, []string{"t: interrupted after ", "iteration   e-nodes e-classes   matches", "comm "}},
		{"saturate endless.rules --test t --explain", syscall.SIGTERM, []string{"t: interrupted after ", "comm "}},
		{"dot endless.rules", os.Interrupt, nil},
		{"run long.egad", syscall.SIGTERM, nil},
		{"run long.egad --native", os.Interrupt, nil},
		{"run loop.egad --native --in w=[1,2]", syscall.SIGTERM, nil},
		{"run long.egad --eval", os.Interrupt, nil},
		{"bench long.egad --value --json --out times.json", os.Interrupt, nil},
		{"bench loop.egad --value --native --size n=3", os.Interrupt, nil},
		{"rules check --count 100000000 --time 10ms", os.Interrupt, []string{"rule  ", " not checked; "}},
		{"rules check masks --count 100000000 --json", os.Interrupt, []string{`"rules": [`}},
		{"grad lets.egad", os.Interrupt, nil},
		{"grad lets.egad --hessian", os.Interrupt, nil},
		{"jacobian lets.egad", os.Interrupt, nil},
		{"stages lets.egad", os.Interrupt, []string{"-- source: ", "-- anf: "}},
	} {
		out, errOut := interrupted(t, dir, strings.Fields(c.args), c.signal, c.out)
		if !strings.Contains(errOut, "egad: interrupted") || strings.Contains(errOut, "stopped where it was") {
			t.Errorf("%s: %s", c.args, errOut)
		}
		if want := missing(out, c.out); want != "" {
			t.Errorf("%s: %q is missing in\n%s", c.args, want, out)
		}
		if _, err := os.Stat(filepath.Join(dir, "times.json")); err == nil {
			t.Errorf("%s has left a file", c.args)
		}
		if strings.Contains(out, "later") {
			t.Errorf("%s went on with the next test:\n%s", c.args, out)
		}
	}
}

// missing is the first of the texts that is not in out, "" if all are.
func missing(out string, texts []string) string {
	for _, text := range texts {
		if !strings.Contains(out, text) {
			return text
		}
	}
	return ""
}

// interrupted runs a command that is sent a signal, later if it was too early: before
// the command was ready, or before there was anything to tell of what is wanted.
func interrupted(t *testing.T, dir string, args []string, signal os.Signal, want []string) (out, errOut string) {
	t.Helper()
	for wait := 300 * time.Millisecond; ; wait *= 3 {
		var o, e bytes.Buffer
		cmd := exec.Command("egad", args...)
		cmd.Dir, cmd.Stdout, cmd.Stderr = dir, &o, &e
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(wait)
		if err := cmd.Process.Signal(signal); err != nil {
			t.Fatalf("%v: it was over before: %v\n%s", args, err, e.String())
		}
		var exit *exec.ExitError
		err := cmd.Wait()
		switch {
		case errors.As(err, &exit) && exit.ExitCode() == statusInterrupted && missing(o.String(), want) != "" && wait < 10*time.Second:
			continue // nothing was done yet
		case errors.As(err, &exit) && exit.ExitCode() == statusInterrupted:
			return o.String(), e.String()
		case errors.As(err, &exit) && exit.ExitCode() < 0 && wait < 10*time.Second:
			continue // the command was not ready
		}
		t.Fatalf("%v: %v\n%s", args, err, e.String())
	}
}
