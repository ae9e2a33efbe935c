package machine

import (
	"sync"

	"github.com/tetratelabs/wazero"
)

// Code is how many bytes of WebAssembly the machine code of a machine was made of.
func (m *Machine) Code() int {
	if m.native == nil {
		return 0
	}
	return len(m.native.Bytes)
}

// InterpretModules has modules interpreted, and not compiled, until it is undone.
func InterpretModules() (undo func()) {
	compiles := host
	host = sync.OnceValues(func() (wazero.Runtime, error) { return newHost(wazero.NewRuntimeConfigInterpreter()) })
	return func() { host = compiles }
}
