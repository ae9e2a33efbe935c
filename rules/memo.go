package rules

import "sync"

// Memo keeps what is made of a rule once, for all graphs: what a key stands for must
// not be changed, and always be the same. It may be used by several goroutines.
type Memo struct {
	mu    sync.Mutex
	known map[string]any
}

// maxMemo bounds what is kept of one rule.
const maxMemo = 1 << 10

// Get gives what was put in under a key, nil if there is nothing.
func (m *Memo) Get(key []byte) any {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known[string(key)]
}

// Put keeps x under a key.
func (m *Memo) Put(key []byte, x any) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || len(m.known) == maxMemo {
		m.known = make(map[string]any)
	}
	m.known[string(key)] = x
}
