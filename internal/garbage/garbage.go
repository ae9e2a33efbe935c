// Package garbage says how much garbage a process may hold.
package garbage

import (
	"os"
	"runtime/debug"
)

// Allow lets a process hold four times as much garbage as there is in use, where Go's
// own choice is as much, unless the environment says how much by GOGC. A derivation makes
// many terms that are soon dead: to collect them is a third of its time otherwise.
func Allow() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
}
