package data

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"egad/diag"
)

// ReadNPY reads an array from a file of NumPy's format, versions 1 to 3: floats
// of 32 or 64 bits, integers, and truth values, in C or Fortran order and in
// either byte order. An error is "file: message".
func ReadNPY(path string) (*Raw, error) { return new(Reader).npy(path) }

func (rd *Reader) npy(path string) (*Raw, error) {
	f, size, err := diag.Open(path, MaxFileBytes)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return rd.decodeNPY(path, f, size)
}

// decodeNPY reads an array from r, which has size bytes; of a pipe it is 0. What
// the header claims is compared with size, and with what is allowed, before
// memory is taken for it.
func (rd *Reader) decodeNPY(name string, r io.Reader, size int64) (raw *Raw, err error) {
	defer func() {
		if _, memory := err.(*MemoryError); err != nil && !memory {
			err = fmt.Errorf("%s: %w", name, err)
		}
	}()
	h, err := readHeader(r, size)
	if err != nil {
		return nil, err
	}
	t, ok := npyTypes[h.elem]
	if !ok {
		return nil, fmt.Errorf("its elements are of type %s; an input has float32, float64, integers or bool", h.descr)
	}
	n, err := countElements(h.shape)
	if err != nil {
		return nil, err
	}
	if want, have := int64(n)*t.bytes, size-h.bytes; size > 0 && want != have {
		return nil, fmt.Errorf("an array of shape %s and type %s takes %d bytes, and %d follow the header", shapeText(h.shape), h.descr, want, have)
	}
	copies := int64(1)
	if h.fortran {
		copies = 2
	}
	if err := rd.take(name, int64(n)*elementBytes*copies); err != nil {
		return nil, err
	}
	nums, err := t.read(r, n, h.order)
	if err != nil {
		return nil, err
	}
	if h.fortran {
		nums = rowMajor(nums, h.shape)
	}
	return &Raw{File: name, val: node{kind: t.kind, shape: h.shape, nums: nums}}, nil
}

// maxHeader bounds the header of a .npy file, which is a line of text.
const maxHeader = 1 << 16

// npyEntry is an entry of the header of an array of numbers, a dictionary of Python. NumPy
// writes "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }"; other writers have
// other orders, quotes and spaces, and Python 2 has an L after integers.
const npyEntry = `\s*['"](descr|fortran_order|shape)['"]\s*:\s*(?:['"]([<>|]?)([a-zA-Z][0-9]*)['"]|(True|False)|\(\s*((?:[0-9]+L?\s*,\s*)*(?:[0-9]+L?)?)\s*\))\s*`

var (
	npyHeader  = regexp.MustCompile(`^\{` + npyEntry + "," + npyEntry + "," + npyEntry + `,?\s*\}\s*$`)
	npyEntries = regexp.MustCompile(npyEntry)
)

// header is what comes before the elements.
type header struct {
	descr, elem string // the type, with its byte order and without
	order       binary.ByteOrder
	fortran     bool
	shape       []int
	bytes       int64 // of the header itself
}

// readHeader reads what comes before the elements.
func readHeader(r io.Reader, size int64) (*header, error) {
	short := errors.New("the file ends within its header")
	head := make([]byte, 12)
	if _, err := io.ReadFull(r, head[:10]); err != nil || !bytes.Equal(head[:6], npyMagic) {
		return nil, errors.New("not a .npy file")
	}
	var length int64
	switch head[6] {
	case 1:
		length = int64(binary.LittleEndian.Uint16(head[8:10]))
		head = head[:10]
	case 2, 3:
		if _, err := io.ReadFull(r, head[10:]); err != nil {
			return nil, short
		}
		length = int64(binary.LittleEndian.Uint32(head[8:12]))
	default:
		return nil, fmt.Errorf("version %d of the .npy format; versions 1 to 3 are supported", head[6])
	}
	if size > 0 && length > size-int64(len(head)) {
		return nil, short
	}
	if length > maxHeader {
		return nil, fmt.Errorf("its header has %d bytes; at most %d are supported", length, maxHeader)
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(r, text); err != nil {
		return nil, short
	}
	if bytes.HasPrefix(text, []byte("{'descr': [")) {
		return nil, errors.New("its elements are records; an input has numbers or truth values")
	}
	h := &header{order: binary.LittleEndian, bytes: int64(len(head)) + length}
	if !h.read(string(text)) {
		return nil, fmt.Errorf("its header is not that of an array of numbers: %q", clip(string(bytes.TrimSpace(text))))
	}
	return h, nil
}

// read takes a header apart, if it has all that one has.
func (h *header) read(text string) bool {
	if !npyHeader.MatchString(text) {
		return false
	}
	found := make(map[string]bool)
	for _, m := range npyEntries.FindAllStringSubmatch(text, -1) {
		name, order, elem, truth, axes := m[1], m[2], m[3], m[4], m[5]
		found[name] = true
		switch {
		case name == "descr" && elem != "":
			h.descr, h.elem = order+elem, elem
			if order == ">" {
				h.order = binary.BigEndian
			}
		case name == "fortran_order" && truth != "":
			h.fortran = truth == "True"
		case name == "shape" && elem+truth == "":
			for axis := range strings.FieldsFuncSeq(axes, func(r rune) bool { return r < '0' || r > '9' }) {
				n, err := strconv.Atoi(axis)
				if err != nil {
					n = math.MaxInt // more than are allowed, too
				}
				h.shape = append(h.shape, n)
			}
		default:
			return false
		}
	}
	return len(found) == 3
}

// npyMagic is how a .npy file begins.
var npyMagic = []byte("\x93NUMPY")

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
	add   func(ns *numbers, b []byte, o binary.ByteOrder) // appends the element in b
}

// npyTypes are the types of elements that an input can have, without their byte
// order.
var npyTypes = map[string]npyType{
	// Every byte but 0 is true.
	"b1": {truth, 1, func(ns *numbers, b []byte, _ binary.ByteOrder) { ns.addBool(b[0] != 0) }},
	"f4": {numeric, 4, func(ns *numbers, b []byte, o binary.ByteOrder) {
		ns.addFloat(float64(math.Float32frombits(o.Uint32(b))))
	}},
	"f8": {numeric, 8, func(ns *numbers, b []byte, o binary.ByteOrder) { ns.addFloat(math.Float64frombits(o.Uint64(b))) }},
	"i1": {numeric, 1, func(ns *numbers, b []byte, _ binary.ByteOrder) { ns.addInt(int64(int8(b[0]))) }},
	"i2": {numeric, 2, func(ns *numbers, b []byte, o binary.ByteOrder) { ns.addInt(int64(int16(o.Uint16(b)))) }},
	"i4": {numeric, 4, func(ns *numbers, b []byte, o binary.ByteOrder) { ns.addInt(int64(int32(o.Uint32(b)))) }},
	"i8": {numeric, 8, func(ns *numbers, b []byte, o binary.ByteOrder) { ns.addInt(int64(o.Uint64(b))) }},
	"u1": {numeric, 1, func(ns *numbers, b []byte, _ binary.ByteOrder) { ns.addInt(int64(b[0])) }},
	"u2": {numeric, 2, func(ns *numbers, b []byte, o binary.ByteOrder) { ns.addInt(int64(o.Uint16(b))) }},
	"u4": {numeric, 4, func(ns *numbers, b []byte, o binary.ByteOrder) { ns.addInt(int64(o.Uint32(b))) }},
	"u8": {numeric, 8, func(ns *numbers, b []byte, o binary.ByteOrder) {
		if v := o.Uint64(b); v <= math.MaxInt64 {
			ns.addInt(int64(v))
		} else {
			ns.addReal(float64(v))
		}
	}},
}

// read reads n elements, after which r ends.
func (t npyType) read(r io.Reader, n int, order binary.ByteOrder) (*numbers, error) {
	ns := &numbers{}
	ns.grow(n)
	buf := make([]byte, 1<<13*t.bytes)
	for ns.len() < n {
		part := buf[:min(int64(len(buf)), int64(n-ns.len())*t.bytes)]
		if _, err := io.ReadFull(r, part); err != nil {
			return nil, errors.New("the file ends before its data")
		}
		for len(part) > 0 {
			t.add(ns, part, order)
			part = part[t.bytes:]
		}
	}
	if k, _ := r.Read(buf[:1]); k > 0 {
		return nil, errors.New("the file goes on after its data")
	}
	return ns, nil
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
