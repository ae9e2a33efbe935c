package chad

import "egad/fun"

// emap is a persistent map from variables to their cotangents, which lacks those that are
// zero (002, Fig. 6): a treap. A variable's key is how many are outside of it; the heap's
// order is by a hash of the key, so that a set of keys has one shape.
type emap struct {
	key  int
	x    fun.Value
	l, r *emap
	size int64
}

func (e *emap) len() int64 {
	if e == nil {
		return 0
	}
	return e.size
}

func priority(key int) uint64 {
	z := uint64(key) + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func node(key int, x fun.Value, l, r *emap) *emap {
	return &emap{key: key, x: x, l: l, r: r, size: 1 + l.len() + r.len()}
}

// walk counts the nodes that operations on maps visit, and does additions.
type walk struct {
	steps int64
	plus  func(x, y fun.Value) fun.Value
}

// split gives what is below a key, what is at it, and what is above.
func (w *walk) split(e *emap, key int) (l *emap, x fun.Value, found bool, r *emap) {
	if e == nil {
		return nil, nil, false, nil
	}
	w.steps++
	switch {
	case key < e.key:
		l, x, found, r = w.split(e.l, key)
		return l, x, found, node(e.key, e.x, r, e.r)
	case key > e.key:
		l, x, found, r = w.split(e.r, key)
		return node(e.key, e.x, e.l, l), x, found, r
	}
	return e.l, e.x, true, e.r
}

// join puts maps together of which all keys of the first are below those of the second.
func (w *walk) join(l, r *emap) *emap {
	if l == nil {
		return r
	}
	if r == nil {
		return l
	}
	w.steps++
	if priority(l.key) > priority(r.key) {
		return node(l.key, l.x, l.l, w.join(l.r, r))
	}
	return node(r.key, r.x, w.join(l, r.l), r.r)
}

// union adds maps.
func (w *walk) union(a, b *emap) *emap {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	w.steps++
	swapped := priority(a.key) < priority(b.key)
	if swapped {
		a, b = b, a
	}
	l, y, found, r := w.split(b, a.key)
	x := a.x
	if found {
		if swapped {
			x, y = y, x
		}
		x = w.plus(x, y)
	}
	both := func(of, from *emap) *emap {
		if swapped {
			of, from = from, of
		}
		return w.union(of, from)
	}
	l = both(a.l, l)
	return node(a.key, x, l, both(a.r, r))
}

// update changes what is at a key; absent is what stands for nothing.
func (w *walk) update(e *emap, key int, f func(x fun.Value, found bool) fun.Value) *emap {
	w.steps++
	if e != nil && (key == e.key || priority(e.key) >= priority(key)) {
		l, x, r := e.l, e.x, e.r
		switch {
		case key < e.key:
			l = w.update(l, key, f)
		case key > e.key:
			r = w.update(r, key, f)
		default:
			x = f(x, true)
		}
		return node(e.key, x, l, r)
	}
	l, x, found, r := w.split(e, key)
	return node(key, f(x, found), l, r)
}

// take takes out what is at a key.
func (w *walk) take(e *emap, key int) (out *emap, x fun.Value, found bool) {
	l, x, found, r := w.split(e, key)
	if !found {
		w.steps++
	}
	return w.join(l, r), x, found
}

// mapped is the state of Section 4.2 of 002: a persistent map.
type mapped struct {
	at    *emap
	zeros []fun.Value // what stands for a variable that is absent
}

func (s *mapped) start(xs []fun.Value) {
	s.at, s.zeros = nil, nil
	for _, x := range xs {
		s.push(x)
	}
}

// push keeps a cotangent that is not the zero of a scope; what is put in a scope is.
func (s *mapped) push(x fun.Value) {
	s.zeros = append(s.zeros, x)
}

func (s *mapped) depth() int { return len(s.zeros) }

func (s *mapped) pop() (fun.Value, int64) {
	w := &walk{}
	n := len(s.zeros) - 1
	var x fun.Value
	var found bool
	if s.at, x, found = w.take(s.at, n); !found {
		x = s.zeros[n]
	}
	s.zeros = s.zeros[:n]
	return x, w.steps
}

func (s *mapped) add(to *state, n int, x fun.Value) (c int64) {
	w := &walk{}
	key := len(s.zeros) - 1 - n
	s.at = w.update(s.at, key, func(y fun.Value, found bool) (z fun.Value) {
		if !found {
			y = s.zeros[key]
		}
		z, c = to.plus(x, y)
		return z
	})
	return c + w.steps
}

func (s *mapped) finish() []fun.Value {
	out := make([]fun.Value, s.depth())
	for i := range out {
		out[len(out)-1-i], _ = s.pop()
	}
	return out
}
