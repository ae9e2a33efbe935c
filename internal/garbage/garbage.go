// Package garbage says how much garbage a process may hold.
package garbage

import (
	"os"
	"runtime/debug"
)

// How much garbage the command and the tests may hold, in percent of what is in use. A
// derivation makes many terms that are soon dead: with 100, as Go chooses, a third of its time
// goes to collecting them. Of 400 to 800 it is a tenth, which many tests notice.
const (
	Command = 400
	Tests   = 800
)

// Allow lets a process hold so much garbage, unless the environment says how much by GOGC.
func Allow(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
