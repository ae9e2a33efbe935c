//go:build !unix

package main

import (
	"bufio"
	"os"
)

// peakMemory is not known here.
func peakMemory(*os.ProcessState) int64 { return 0 }

// pipe skips the test: there are no named pipes here.
func (c *call) pipe(string, func(w *bufio.Writer)) string {
	c.t.Skip("no named pipes")
	return ""
}
