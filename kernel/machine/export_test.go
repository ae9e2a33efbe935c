package machine

// Code is how many bytes of WebAssembly the machine code of a machine was made of.
func (m *Machine) Code() int {
	if m.native == nil {
		return 0
	}
	return len(m.native.Bytes)
}
