package data

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"

	"egad/diag"

	"github.com/sbinet/npyio/npy"
)

// ReadNPY reads an array from a file of NumPy's format, version 1 or 2: floats
// of 32 or 64 bits, integers, and truth values, in C or Fortran order and in
// either byte order. An error is "file: message".
func ReadNPY(path string) (*Raw, error) {
	f, size, err := diag.Open(path, MaxFileBytes)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return decodeNPY(path, f, size)
}

// decodeNPY reads an array from r, which has size bytes. What the header claims
// is compared with size before memory is taken for it.
func decodeNPY(name string, r io.Reader, size int64) (raw *Raw, err error) {
	defer func() {
		// The library checks little of what it reads.
		if p := recover(); p != nil {
			raw, err = nil, fmt.Errorf("%s: not a readable .npy file", name)
		}
		if err != nil && raw == nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}()
	head, err := readHeader(r, size)
	if err != nil {
		return nil, err
	}
	body := &fullReader{r: bufio.NewReaderSize(r, 1<<16)}
	lib, err := npy.NewReader(io.MultiReader(bytes.NewReader(head), body))
	if err != nil {
		return nil, err
	}
	descr := lib.Header.Descr
	t, ok := npyTypes[descr.Type[len(descr.Type)-2:]]
	if !ok || len(descr.Type) > 3 {
		return nil, fmt.Errorf("its elements are of type %s; an input has float32, float64, integers or bool", descr.Type)
	}
	n, err := countElements(descr.Shape)
	if err != nil {
		return nil, err
	}
	if want, have := int64(n)*t.bytes, size-int64(len(head)); want != have {
		return nil, fmt.Errorf("an array of shape %s and type %s takes %d bytes, and %d follow the header", shapeText(descr.Shape), descr.Type, want, have)
	}
	body.truths = t.kind == truth
	nums, err := t.load(lib)
	if err != nil {
		return nil, err
	}
	if body.err != nil || nums.len() != n {
		return nil, errors.New("the file ends before its data")
	}
	if descr.Fortran {
		nums = rowMajor(nums, descr.Shape)
	}
	return &Raw{File: name, val: node{kind: t.kind, shape: descr.Shape, nums: nums}}, nil
}

// maxHeader bounds the header of a .npy file, which is a line of text.
const maxHeader = 1 << 16

// headerForm is how NumPy writes the header of an array of numbers.
var headerForm = regexp.MustCompile(`^\{'descr': '[<>|]?[a-zA-Z][0-9]+', 'fortran_order': (True|False), 'shape': \(([0-9]+,|[0-9]+(, [0-9]+)+)?\), \} *\n$`)

// readHeader reads what comes before the elements.
func readHeader(r io.Reader, size int64) ([]byte, error) {
	short := errors.New("the file ends within its header")
	head := make([]byte, 12)
	if _, err := io.ReadFull(r, head[:10]); err != nil || !bytes.Equal(head[:6], npy.Magic[:]) {
		return nil, errors.New("not a .npy file")
	}
	var length int64
	switch head[6] {
	case 1:
		length = int64(binary.LittleEndian.Uint16(head[8:10]))
		head = head[:10]
	case 2:
		if _, err := io.ReadFull(r, head[10:]); err != nil {
			return nil, short
		}
		length = int64(binary.LittleEndian.Uint32(head[8:12]))
	default:
		return nil, fmt.Errorf("version %d of the .npy format; versions 1 and 2 are supported", head[6])
	}
	if length > size-int64(len(head)) {
		return nil, short
	}
	if length > maxHeader {
		return nil, fmt.Errorf("its header has %d bytes; at most %d are supported", length, maxHeader)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, short
	}
	if !headerForm.Match(text) {
		return nil, fmt.Errorf("its header is not that of an array of numbers: %q", clip(string(bytes.TrimSpace(text))))
	}
	return append(head, text...), nil
}

// countElements is the product of the axes, at most MaxElements.
func countElements(shape []int) (int, error) {
	n := 1
	for _, d := range shape {
		if d > MaxElements/max(n, 1) {
			return 0, fmt.Errorf("an array of shape %s has more than the %d elements that are allowed", shapeText(shape), int64(MaxElements))
		}
		n *= d
	}
	return n, nil
}

// npyType is a type of elements.
type npyType struct {
	kind  kind
	bytes int64
	load  func(*npy.Reader) (*numbers, error)
}

// npyTypes are the types of elements that an input can have, without their byte
// order.
var npyTypes = map[string]npyType{
	"b1": {truth, 1, loader((*numbers).addBool)},
	"f4": {numeric, 4, loader(func(ns *numbers, v float32) { ns.addFloat(float64(v)) })},
	"f8": {numeric, 8, loader((*numbers).addFloat)},
	"i1": {numeric, 1, loader(func(ns *numbers, v int8) { ns.addInt(int64(v)) })},
	"i2": {numeric, 2, loader(func(ns *numbers, v int16) { ns.addInt(int64(v)) })},
	"i4": {numeric, 4, loader(func(ns *numbers, v int32) { ns.addInt(int64(v)) })},
	"i8": {numeric, 8, loader((*numbers).addInt)},
	"u1": {numeric, 1, loader(func(ns *numbers, v uint8) { ns.addInt(int64(v)) })},
	"u2": {numeric, 2, loader(func(ns *numbers, v uint16) { ns.addInt(int64(v)) })},
	"u4": {numeric, 4, loader(func(ns *numbers, v uint32) { ns.addInt(int64(v)) })},
	"u8": {numeric, 8, loader(func(ns *numbers, v uint64) {
		if v <= math.MaxInt64 {
			ns.addInt(int64(v))
		} else {
			ns.addReal(float64(v))
		}
	})},
}

// loader reads all elements, of Go type T.
func loader[T any](add func(*numbers, T)) func(*npy.Reader) (*numbers, error) {
	return func(r *npy.Reader) (*numbers, error) {
		var elems []T
		if err := r.Read(&elems); err != nil {
			return nil, err
		}
		ns := &numbers{bits: make([]uint64, 0, len(elems)), whole: make([]uint64, 0, (len(elems)+63)/64)}
		for _, v := range elems {
			add(ns, v)
		}
		return ns, nil
	}
}

// rowMajor orders the elements of a Fortran array, whose first index is the
// fastest, so that the last is.
func rowMajor(in *numbers, shape []int) *numbers {
	out := &numbers{bits: make([]uint64, 0, in.len()), whole: make([]uint64, 0, len(in.whole))}
	stride := make([]int, len(shape))
	for k, s := 0, 1; k < len(shape); k++ {
		stride[k] = s
		s *= shape[k]
	}
	index := make([]int, len(shape))
	at := 0
	for range in.len() {
		if v := in.bits[at]; in.isWhole(at) {
			out.addInt(int64(v))
		} else {
			out.push(v)
		}
		for k := len(shape) - 1; k >= 0; k-- {
			index[k]++
			at += stride[k]
			if index[k] < shape[k] {
				break
			}
			at -= stride[k] * shape[k]
			index[k] = 0
		}
	}
	return out
}

// fullReader fills the buffer of every Read, which the library takes for
// granted, and remembers a failure, which it overlooks at the end of a file.
type fullReader struct {
	r   io.Reader
	err error
	// truths makes 1 of every byte but 0, as NumPy does with truth values; the
	// library leaves out what is neither.
	truths bool
}

func (f *fullReader) Read(p []byte) (int, error) {
	n, err := io.ReadFull(f.r, p)
	if err != nil {
		f.err = err
	}
	if f.truths {
		for i, b := range p[:n] {
			p[i] = min(b, 1)
		}
	}
	return n, err
}
