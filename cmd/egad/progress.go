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
	file, ok := w.(*os.File)
	if !ok {
		return func() {}
	}
	if st, err := file.Stat(); err != nil || st.Mode()&os.ModeCharDevice == 0 {
		return func() {}
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
		close(done)
		<-ended
	}
}
