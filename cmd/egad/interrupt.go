package main

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"
	"time"

	"egad/internal/interrupt"
	"egad/internal/system"
)

// statusInterrupted is what a shell expects of a process that ended by Ctrl-C.
const statusInterrupted = 130

// grace is how long a command may take to say what it knows after Ctrl-C. Tests,
// which ask whether it does, run on busy machines and give it more.
var grace = 2 * time.Second

// phase is what a command is doing that takes long, for people; nil if that is not
// known.
var phase atomic.Pointer[string]

// interruptible runs a command that SIGINT and SIGTERM end: it is asked to end as
// at a limit, and to show what it knows; if it does not within some time, or at the
// second signal, it ends as it is.
func interruptible(errOut io.Writer, command func() int) int {
	signals := make(chan os.Signal, 2)
	defer system.NotifyEnd(signals)()
	start := time.Now()
	done := make(chan int, 1)
	go func() { done <- command() }()
	select {
	case status := <-done:
		return status
	case <-signals:
	}
	while := ""
	if p := phase.Load(); p != nil {
		while = " while " + *p
	}
	interrupt.Request()
	how := "; it was stopped where it was"
	select {
	case <-done:
		how = ""
	case <-signals:
	case <-time.After(grace):
	}
	fmt.Fprintf(errOut, "egad: interrupted%s, after %v%s\n", while, time.Since(start).Round(100*time.Millisecond), how)
	return statusInterrupted
}
