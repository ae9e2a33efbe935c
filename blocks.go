package egad

import (
	"slices"

	"egad/ad"
)

// JacobianBlocks is a Jacobian as blocks.
type JacobianBlocks struct {
	Blocks []JacobianBlock
	of     []ad.Block // what they were made for
	places []any
}

// JacobianBlock has the derivatives of an array of the value by an array of the inputs,
// of each element of the former by those of the latter that it depends on in one way.
// Blocks of one input may have the same element: their derivatives are to be added.
type JacobianBlock struct {
	// Of is the array of the value: the component of each tuple that it is in.
	Of []int
	// By is the array of the inputs, a component of a tuple as "p.0".
	By string
	// Values has the axes of the array of the value, then others; or in place of the axes
	// that Rows has indices for, as of what scatter adds, those of these.
	Values *Value
	// Rows tells for each axis of the array of the value where along it the derivatives
	// are: an array of indices, whose axes are the first ones of Values, -1 where there is
	// none, or nil if the axis is one of Values. It is nil if all axes are.
	Rows []*Value
	// Columns tells for each axis of the input where along it the derivatives are: an
	// array of indices, whose axes are the first ones of Values, -1 where there is none;
	// or nil if that is everywhere. Such axes are the last ones of Values, in order.
	Columns []*Value

	block ad.Block
	value *Value
}

// Each goes through the derivatives: by the number of the element of the value and that
// of the input, both row-major. An element may come several times, to be added.
func (b *JacobianBlock) Each(f func(row, col int, x float64)) {
	if b != nil && b.value != nil && f != nil {
		ad.EachEntry(b.block, b.value, f)
	}
}

// fitting is j if it was made for some blocks, or else places for these.
func (j *JacobianBlocks) fitting(blocks []ad.Block) *JacobianBlocks {
	if len(blocks) > 0 && len(j.of) == len(blocks) && &j.of[0] == &blocks[0] {
		return j
	}
	j = &JacobianBlocks{of: blocks}
	for _, b := range blocks {
		v := new(Value)
		j.Blocks = append(j.Blocks, JacobianBlock{Of: slices.Clone(b.Of), By: b.By.Name, block: b, value: v})
		j.places = append(j.places, v)
	}
	return j
}

// bound lets the blocks see what was computed.
func (j *JacobianBlocks) bound() {
	for i := range j.Blocks {
		b := &j.Blocks[i]
		b.block.Bound(b.value)
		if b.Values != nil {
			continue
		}
		b.Values = b.value.Parts[0]
		index := b.value.Parts[1:]
		if n := b.block.Sent; n > 0 {
			b.Rows = make([]*Value, len(b.block.Rows))
			copy(b.Rows, index[:n])
			index = index[n:]
		}
		for _, whole := range b.block.Whole {
			if whole {
				b.Columns = append(b.Columns, nil)
			} else {
				b.Columns, index = append(b.Columns, index[0]), index[1:]
			}
		}
	}
}
