//go:build unix

package system

import "syscall"

// An abort leaves no image of the memory behind: it would be as large as what
// there was too little of.
func init() { _ = syscall.Setrlimit(syscall.RLIMIT_CORE, &syscall.Rlimit{}) }
