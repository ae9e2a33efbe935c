// Package testflag has the flags of all tests. A test that imports it may also hold more
// garbage.
package testflag

import (
	"flag"

	"egad/internal/garbage"
)

var (
	// Long is for tests that have a long variant: more random cases, larger programs.
	Long = false
	// Update is to write golden files, and the output in pages, instead of comparing with them.
	Update = false
	// Seed is where random cases begin.
	Seed int64 = 1
)

func init() {
	flag.BoolVar(&Long, "long", Long, "run the long variants of tests")
	flag.BoolVar(&Update, "update", Update, "write golden files and the output in pages")
	flag.Int64Var(&Seed, "seed", Seed, "the seed of random cases")
	garbage.AllowTests()
}

// Count is how many of something a test tries: short, or long with -long.
func Count[N int | int64](short, long N) N {
	if Long {
		return long
	}
	return short
}
