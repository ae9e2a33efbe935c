// Package system has what the command asks of the operating system, and nothing else does:
// to see that the project builds for another system, it is enough to build this package there.
package system

import (
	"os"
	"os/signal"
	"syscall"
)

// NotifyEnd sends the signals that ask a process to end, by Ctrl-C or by another process, to
// a channel, until stop is called.
func NotifyEnd(signals chan<- os.Signal) (stop func()) {
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	return func() { signal.Stop(signals) }
}
