package fun

// frames are the environments of functions that are being evaluated. They lie in blocks,
// each in the place of those that are not needed any more.
type frames struct {
	blocks [][]Value
	next   mark
}

// mark is where the next frame may begin.
type mark struct{ block, at int }

// room is how many variables a frame has place for beside those that a function begins with.
const room = 16

// smallestBlock and largestBlock bound how many values a block has place for.
const (
	smallestBlock = 1 << 8
	largestBlock  = 1 << 14
)

// take gives an empty frame that begins with n variables.
func (f *frames) take(n int) []Value {
	n += room
	for f.next.block < len(f.blocks) {
		if b := f.blocks[f.next.block]; f.next.at+n <= len(b) {
			at := f.next.at
			f.next.at += n
			return b[at : at : at+n]
		}
		f.next = mark{f.next.block + 1, 0}
	}
	f.blocks = append(f.blocks, make([]Value, max(n, min(smallestBlock<<len(f.blocks), largestBlock))))
	f.next.at = n
	return f.blocks[f.next.block][:0:n]
}
