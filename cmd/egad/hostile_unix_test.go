//go:build unix

package main

import (
	"bufio"
	"os"
	"path/filepath"
	"runtime"
	"syscall"
)

// peakMemory is the most memory that a process held, in bytes.
func peakMemory(p *os.ProcessState) int64 {
	u, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}

// pipe makes a named pipe that gives what write writes.
func (c *call) pipe(name string, write func(w *bufio.Writer)) string {
	path := filepath.Join(c.dir, name)
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		c.t.Fatal(err)
	}
	go func() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return
		}
		defer f.Close()
		w := bufio.NewWriter(f)
		write(w)
		w.Flush()
	}()
	return path
}
