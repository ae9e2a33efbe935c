//go:build race

package main

// raceEnabled says that the command is built to find races, which takes several
// times the memory.
const raceEnabled = true
