// Package garbage says how much garbage a process may hold.
package garbage

import (
	"os"
	"runtime/debug"
)

// How much garbage the command and the tests may hold, in percent of what is in use. A
// derivation makes many terms that are soon dead: with 100, as Go chooses, a third of its time
// goes to collecting them. Of 400 to 800 it is a tenth, which many tests notice.
const command, tests = 400, 800

// testMemory is how much memory a test has before it may hold no more garbage.
const testMemory = 1 << 30

// Allow lets the command hold so much garbage, unless the environment says how much by GOGC.
func Allow() { allow(command) }

// AllowTests is [Allow] for tests, of which several run at once.
func AllowTests() {
	allow(tests)
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(testMemory)
	}
}

func allow(percent int) {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(percent)
	}
}
