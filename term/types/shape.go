package types

import "fmt"

// DefaultMaxElements bounds one array that goes in or out as a whole, as an input, a result of a function of Go or a
// block of a Jacobian: 1 GiB of float64.
const DefaultMaxElements = 1 << 27

// MaxElements bounds what no run need keep as a whole, as an array that is summed, or the states of a loop of
// which the last one is read: positions in it are ints, and bytes of many such int64.
const MaxElements = 1 << (27 + 13*(^uint(0)>>63))

// ShapeOf gives the axes of a constant array type as ints, or an error if the
// array has more than limit elements.
func ShapeOf(t *Type, limit int64) ([]int, int, error) {
	shape, n := make([]int, len(t.Shape)), int64(1)
	empty := false
	for i, s := range t.Shape {
		c, ok := s.Const()
		if !ok || c < 0 {
			return nil, 0, fmt.Errorf("size %s has no value", s)
		}
		if c > limit {
			return nil, 0, fmt.Errorf("an array %s has more than the %d elements that are allowed", t, limit)
		}
		empty = empty || c == 0
		shape[i] = int(c)
	}
	if empty {
		return shape, 0, nil
	}
	for _, c := range shape {
		if int64(c) > limit/n { // the product may be too large for an int64
			return nil, 0, fmt.Errorf("an array %s has more than the %d elements that are allowed", t, limit)
		}
		n *= int64(c)
	}
	return shape, int(n), nil
}
