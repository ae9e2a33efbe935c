package main

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// busy shows a spinner on a terminal for work of unknown length that takes more
// than a moment. The result ends it.
func busy(w io.Writer, what string) (stop func()) {
	phase.Store(&what)
	if !terminal(w) {
		return func() { phase.Store(nil) }
	}
	done := make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-done:
			return
		case <-time.After(500 * time.Millisecond):
		}
		bar := progressbar.NewOptions(-1, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(what),
			progressbar.OptionSpinnerType(14), progressbar.OptionClearOnFinish())
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-done:
				_ = bar.Finish() // nothing to do if a terminal cannot be written to
				return
			case <-tick.C:
				_ = bar.Add(1)
			}
		}
	}()
	return func() {
		phase.Store(nil)
		close(done)
		<-ended
	}
}

// terminal reports whether w is one.
func terminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	if !ok {
		return false
	}
	st, err := file.Stat()
	return err == nil && st.Mode()&os.ModeCharDevice != 0
}

// counter shows on a terminal how much of some work is done.
type counter struct{ bar *progressbar.ProgressBar }

// counted starts the counter of n items of work.
func counted(w io.Writer, what string, n int) counter {
	phase.Store(&what)
	if !terminal(w) {
		return counter{}
	}
	return counter{progressbar.NewOptions(n, progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(what),
		progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())}
}

func (c counter) step() {
	if c.bar != nil {
		_ = c.bar.Add(1) // nothing to do if a terminal cannot be written to
	}
}

// clear makes room for a line; the next step shows the counter again.
func (c counter) clear() {
	if c.bar != nil {
		_ = c.bar.Clear()
	}
}
