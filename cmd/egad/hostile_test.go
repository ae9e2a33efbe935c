package main

import (
	"bufio"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"egad/internal/testflag"
)

// What a command may take, whatever it is given: memory is asserted, the time is
// logged (2 s is the aim), and the deadline only finds what hangs.
const (
	hostileMemory   = 500 << 20
	hostileDeadline = 60 * time.Second
)

// family is a way to make input for the whole command, of any size.
type family struct {
	name string
	size int // less than 0: only with -long
	long int // a larger size, for -long; 0 is none
	// make writes the files of size n and sets the arguments.
	make func(c *call, n int)
	// want is a part of the message with which the command refuses its input; ""
	// if it works.
	want string
}

// call is a command to be run. Its files are written piece by piece, so that the
// memory of the test is not taken for that of the command.
type call struct {
	t     *testing.T
	dir   string
	args  []string
	stdin func(w io.Writer)
}

// run sets the arguments.
func (c *call) run(args ...string) { c.args = args }

// file writes a file and returns its path.
func (c *call) file(name string, write func(w *bufio.Writer)) string {
	c.t.Helper()
	path := filepath.Join(c.dir, name)
	f, err := os.Create(path)
	if err != nil {
		c.t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	write(w)
	if err := w.Flush(); err != nil {
		c.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		c.t.Fatal(err)
	}
	return path
}

// text writes a file that holds parts one after the other; see [repeat].
func (c *call) text(name string, parts ...func(w *bufio.Writer)) string {
	return c.file(name, func(w *bufio.Writer) {
		for _, p := range parts {
			p(w)
		}
	})
}

// device is the path of a device, which the system must have.
func (c *call) device(path string) string {
	if _, err := os.Stat(path); err != nil {
		c.t.Skipf("this system has no such device: %v", err)
	}
	return path
}

// word is a part of a text.
func word(s string) func(w *bufio.Writer) {
	return func(w *bufio.Writer) { w.WriteString(s) }
}

// repeat is n copies of a part, in which # is the number of the copy and #+1 the
// next.
func repeat(n int, s string) func(w *bufio.Writer) {
	parts := strings.Split(s, "#")
	return func(w *bufio.Writer) {
		if block := 1 << 16 / max(1, len(s)); len(parts) == 1 && n > block {
			many := strings.Repeat(s, block)
			for ; n > block; n -= block {
				w.WriteString(many)
			}
		}
		for i := range n {
			w.WriteString(parts[0])
			for _, p := range parts[1:] {
				k := i
				if rest, next := strings.CutPrefix(p, "+1"); next {
					k, p = i+1, rest
				}
				w.WriteString(strconv.Itoa(k))
				w.WriteString(p)
			}
		}
	}
}

// TestHostile runs the whole command on input that is very large, very deep, or
// nothing that anybody would write. It does its work or refuses it with a
// message, within the memory that is allowed.
func TestHostile(t *testing.T) {
	// Others beside those of the readers: append a table of them here.
	for _, f := range slices.Concat(readerFamilies, growthFamilies) {
		t.Run(f.name, func(t *testing.T) {
			if f.size >= 0 {
				f.check(t, f.size)
			}
			if testflag.Long && f.long > 0 {
				f.check(t, f.long)
			}
		})
	}
}

func (f family) check(t *testing.T, n int) {
	c := &call{t: t, dir: t.TempDir()}
	f.make(c, n)
	ctx, cancel := context.WithTimeout(context.Background(), hostileDeadline)
	defer cancel()
	cmd := exec.CommandContext(ctx, "egad", c.args...)
	cmd.WaitDelay = time.Second
	cmd.Dir = c.dir
	var out, errOut excerpt
	cmd.Stdout, cmd.Stderr = &out, &errOut
	if c.stdin != nil {
		r, w := io.Pipe()
		cmd.Stdin = r
		go func() {
			c.stdin(w)
			w.Close()
		}()
		defer r.Close()
	}
	start := time.Now()
	err := cmd.Run()
	if cmd.ProcessState == nil {
		t.Fatal(err)
	}
	took, memory := cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime(), peakMemory(cmd.ProcessState)
	t.Logf("size %d: %v of the processor in %v, %d MB, %d bytes printed", n, took.Round(time.Millisecond), time.Since(start).Round(time.Millisecond), memory>>20, out.n)
	message := errOut.String()
	switch {
	case ctx.Err() != nil:
		t.Fatalf("size %d: not done after %v", n, hostileDeadline)
	case strings.Contains(message, "internal error") || strings.Contains(message, "goroutine "):
		t.Errorf("size %d: %s", n, message)
	case f.want == "" && err != nil:
		t.Errorf("size %d: %v\n%s", n, err, message)
	case f.want != "" && (err == nil || !strings.Contains(message, f.want)):
		t.Errorf("size %d: want a message with %q\n%v\n%s", n, f.want, err, message)
	case f.want != "" && errOut.n > maxMessages:
		t.Errorf("size %d: messages of %d bytes\n%s", n, errOut.n, message)
	}
	if memory > hostileMemory && !raceEnabled {
		t.Errorf("size %d: %d MB of memory, and %d are allowed", n, memory>>20, hostileMemory>>20)
	}
}

// maxMessages bounds what is said about one input.
const maxMessages = 50_000

// excerpt keeps the beginning and the end of what is written to it.
type excerpt struct {
	text, end []byte
	n         int
}

func (e *excerpt) Write(p []byte) (int, error) {
	const kept = 3000
	e.n += len(p)
	k := min(len(p), kept-len(e.text))
	e.text = append(e.text, p[:k]...)
	e.end = append(e.end, p[max(k, len(p)-kept):]...)
	e.end = e.end[max(0, len(e.end)-kept):]
	return len(p), nil
}

func (e *excerpt) String() string { return string(e.text) + string(e.end) }
