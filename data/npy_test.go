package data

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"egad/term"
	"egad/term/eval"
	"egad/term/module"
	"egad/term/size"
	"egad/term/types"

	"github.com/sbinet/npyio/npy"
)

// npyFile is a file of version 1 with the given header and elements.
func npyFile(descr, fortran, shape string, order binary.ByteOrder, elems any) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': %s, 'shape': %s, }", descr, fortran, shape)
	header += strings.Repeat(" ", 63-(10+len(header))%64) + "\n"
	b := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(b[8:], uint16(len(header)))
	b = append(b, header...)
	b, err := binary.Append(b, order, elems)
	if err != nil {
		panic(err)
	}
	return b
}

var (
	little = binary.LittleEndian
	big    = binary.BigEndian
)

func TestReadNPY(t *testing.T) {
	for _, c := range []struct {
		name string
		file []byte
		typ  *types.Type
		want *eval.Value[float64]
	}{
		{"float64", npyFile("<f8", "False", "(2,)", little, []float64{0.1, math.Copysign(0, -1)}), arrayType(types.R, 2), real([]int{2}, 0.1, math.Copysign(0, -1))},
		{"float64, big end first", npyFile(">f8", "False", "(2,)", big, []float64{0.1, math.Inf(1)}), arrayType(types.R, 2), real([]int{2}, 0.1, math.Inf(1))},
		{"float32", npyFile("<f4", "False", "(2,)", little, []float32{0.5, 1e10}), arrayType(types.R, 2), real([]int{2}, 0.5, 1e10)},
		{"floats that are whole", npyFile("<f8", "False", "(3,)", little, []float64{3, 1 << 60, -1 << 63}), arrayType(types.I, 3), whole([]int{3}, 3, 1<<60, -1<<63)},
		{"a scalar", npyFile("<f8", "False", "()", little, []float64{7}), arrayType(types.R), real([]int{}, 7)},
		{"C order", npyFile("<i4", "False", "(2, 3)", little, []int32{1, 2, 3, 4, 5, 6}), arrayType(types.I, 2, 3), whole([]int{2, 3}, 1, 2, 3, 4, 5, 6)},
		{"Fortran order", npyFile("<i4", "True", "(2, 3)", little, []int32{1, 4, 2, 5, 3, 6}), arrayType(types.I, 2, 3), whole([]int{2, 3}, 1, 2, 3, 4, 5, 6)},
		{"Fortran order, rank 3", npyFile("<f8", "True", "(2, 1, 2)", little, []float64{.1, .3, .2, .4}), arrayType(types.R, 2, 1, 2), real([]int{2, 1, 2}, .1, .2, .3, .4)},
		{"no elements", npyFile("<f8", "False", "(0, 3)", little, []float64{}), arrayType(types.R, 0, 3), real([]int{0, 3})},
		{"truth values as NumPy reads them", npyFile("|b1", "False", "(6,)", little, []uint8{0, 1, 2, 128, 255, 0}), arrayType(types.B, 6), truths([]int{6}, 0, 1, 1, 1, 1, 0)},
		{"truth values", npyFile("|b1", "False", "(2,)", little, []bool{true, false}), arrayType(types.B, 2), truths([]int{2}, 1, 0)},
		{"int64", npyFile("<i8", "False", "(2,)", little, []int64{math.MaxInt64, math.MinInt64}), arrayType(types.I, 2), whole([]int{2}, math.MaxInt64, math.MinInt64)},
		{"int8", npyFile("|i1", "False", "(1,)", little, []int8{-1}), arrayType(types.I, 1), whole([]int{1}, -1)},
		{"int16", npyFile(">i2", "False", "(1,)", big, []int16{-2}), arrayType(types.I, 1), whole([]int{1}, -2)},
		{"uint8", npyFile("|u1", "False", "(1,)", little, []uint8{255}), arrayType(types.I, 1), whole([]int{1}, 255)},
		{"uint16", npyFile("<u2", "False", "(1,)", little, []uint16{65535}), arrayType(types.I, 1), whole([]int{1}, 65535)},
		{"uint32", npyFile("<u4", "False", "(1,)", little, []uint32{math.MaxUint32}), arrayType(types.I, 1), whole([]int{1}, math.MaxUint32)},
		{"uint64", npyFile("<u8", "False", "(2,)", little, []uint64{1, math.MaxUint64}), arrayType(types.R, 2), real([]int{2}, 1, math.MaxUint64)},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := bindNPY(c.file, c.typ)
			if err != nil {
				t.Fatal(err)
			}
			if !sameBits(got, c.want) {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
		})
	}
}

// TestReadNPYHeaders reads the headers of other writers.
func TestReadNPYHeaders(t *testing.T) {
	const elements = "\x00\x00\x00\x00\x00\x00\xf0\x3f\x00\x00\x00\x00\x00\x00\x00\x40"
	for _, c := range []struct {
		version byte
		header  string
		good    bool
	}{
		{1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)}\n", true},
		{1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2L,), }\n", true},
		{1, "{'shape':(2,),'fortran_order':False,'descr':'<f8'}", true},
		{1, "{ \"descr\" : \"<f8\" , \"fortran_order\" : False , \"shape\" : ( 2 , ) , }  \n", true},
		{3, "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }\n", true},
		{1, "{'descr': '<f8', 'fortran_order': False}\n", false},
		{1, "{'descr': '<f8', 'descr': '<f8', 'shape': (2,)}\n", false},
		{1, "{'descr': True, 'fortran_order': False, 'shape': (2,)}\n", false},
		{1, "{'descr': '<f8', 'fortran_order': '<f8', 'shape': (2,)}\n", false},
		{1, "{'descr': '<f8', 'fortran_order': False, 'shape': '<f8'}\n", false},
		{1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), 'more': (2,)}\n", false},
		{1, "{'descr': '<f8', 'fortran_order': False, 'shape': (2,)} and more\n", false},
	} {
		b := []byte{c.version, 0}
		if b = binary.LittleEndian.AppendUint16(b, uint16(len(c.header))); c.version > 1 {
			b = append(b, 0, 0)
		}
		got, err := bindNPY([]byte("\x93NUMPY"+string(b)+c.header+elements), arrayType(types.R, 2))
		if (err == nil) != c.good || c.good && !sameBits(got, real([]int{2}, 1, 2)) {
			t.Errorf("%q: %v, %v", c.header, got, err)
		}
	}
}

// TestReadNPYWriter reads a file that the library wrote, which is of version 2.
func TestReadNPYWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.npy")
	var b bytes.Buffer
	if err := npy.Write(&b, []float64{1, 2.5}); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	raw, err := ReadValue(path)
	if err != nil {
		t.Fatal(err)
	}
	in := &Inputs{}
	if err := in.Add("x", raw); err != nil {
		t.Fatal(err)
	}
	_, values, err := Bind(module.DefInfo{Params: []term.Input{{Name: "x", Type: arrayType(types.R, 2)}}}, in, nil)
	if err != nil || !sameBits(values["x"], real([]int{2}, 1, 2.5)) {
		t.Errorf("got %+v, %v", values["x"], err)
	}
}

func arrayType(e types.Elem, axes ...int64) *types.Type {
	shape := make([]size.Size, len(axes))
	for i, d := range axes {
		shape[i] = size.Const(d)
	}
	return types.ArrayOf(e, shape...)
}

func bindNPY(file []byte, t *types.Type) (*eval.Value[float64], error) {
	raw, err := new(Reader).decodeNPY("x.npy", bytes.NewReader(file), int64(len(file)))
	if err != nil {
		return nil, err
	}
	in := &Inputs{}
	if err := in.Add("x", raw); err != nil {
		return nil, err
	}
	_, values, err := Bind(module.DefInfo{Name: "f", Params: []term.Input{{Name: "x", Type: t}}}, in, nil)
	return values["x"], err
}

func TestReadNPYErrors(t *testing.T) {
	good := npyFile("<f8", "False", "(2,)", little, []float64{1, 2})
	none := []float64{}
	huge := bytes.Clone(good)
	huge[6] = 2
	binary.LittleEndian.PutUint32(huge[8:], math.MaxUint32)
	version4 := bytes.Clone(good)
	version4[6] = 4
	for _, c := range []struct {
		name string
		file []byte
		typ  *types.Type
		want string
	}{
		{"empty", nil, nil, "x.npy: not a .npy file"},
		{"another format", []byte("PK\x03\x04 and more text"), nil, "x.npy: not a .npy file"},
		{"cut within the header", good[:40], nil, "x.npy: the file ends within its header"},
		{"cut within the data", good[:len(good)-3], nil, "x.npy: an array of shape [2] and type <f8 takes 16 bytes, and 13 follow the header"},
		{"bytes too many", append(bytes.Clone(good), 0), nil, "x.npy: an array of shape [2] and type <f8 takes 16 bytes, and 17 follow the header"},
		{"version 4", version4, nil, "x.npy: version 4 of the .npy format; versions 1 to 3 are supported"},
		{"a header longer than the file", huge, nil, "x.npy: the file ends within its header"},
		{"a header that is no dictionary", append([]byte("\x93NUMPY\x01\x00\x05\x00"), "abcd\n"...), nil, `x.npy: its header is not that of an array of numbers: "abcd"`},
		{"more elements than bytes", npyFile("<f8", "False", "(100000000,)", little, none), nil, "x.npy: an array of shape [100000000] and type <f8 takes 800000000 bytes, and 0 follow the header"},
		{"too many elements", npyFile("<f8", "False", "(1000000, 1000000)", little, none), nil, "x.npy: an array of shape [1000000, 1000000] has more than the 134217728 elements that are allowed"},
		{"too many rows of no elements", npyFile("<f8", "False", "(1000000000, 0)", little, none), nil, "x.npy: an array of shape [1000000000, 0] has more than the 134217728 elements that are allowed"},
		{"a shape out of range", npyFile("<f8", "False", "(99999999999999999999,)", little, none), nil, fmt.Sprintf("x.npy: an array of shape [%d]", math.MaxInt) + " has more than the 134217728 elements that are allowed"},
		{"complex numbers", npyFile("<c16", "False", "(1,)", little, []float64{1, 2}), nil, "x.npy: its elements are of type <c16; an input has float32, float64, integers or bool"},
		{"half precision", npyFile("<f2", "False", "(1,)", little, []uint16{1}), nil, "x.npy: its elements are of type <f2; an input has float32, float64, integers or bool"},
		{"text", npyFile("<U3", "False", "(1,)", little, []uint32{65, 66, 67}), nil, "x.npy: its elements are of type <U3; an input has float32, float64, integers or bool"},
		{"a negative axis", npyFile("<f8", "False", "(-1,)", little, none), nil, `x.npy: its header is not that of an array of numbers: "{'descr': '<f8', 'fortran_order': False,…"`},
		{"another rank", good, arrayType(types.R, 1, 2), "x.npy: x is R[1, 2], so that an array of rank 2 is expected, and this is an array of shape [2]"},
		{"no truth values", good, arrayType(types.B, 2), "x.npy: x[1] is 2, and a B is true or false, or 1 or 0"},
		{"no whole numbers", npyFile("<f8", "True", "(1, 3)", little, []float64{1, 2, 2.5}), arrayType(types.I, 1, 3), "x.npy: x[0, 2] is 2.5, and an I is a whole number that fits 64 bits"},
		{"an unsigned number too large", npyFile("<u8", "False", "(1,)", little, []uint64{1 << 63}), arrayType(types.I, 1), "x.npy: x[0] is 9.223372036854776e+18, and an I is a whole number that fits 64 bits"},
		{"a tuple", good, types.TupleOf(arrayType(types.R), arrayType(types.R)), "x.npy: x is a tuple (R, R): give a JSON list, or its components as x.0, x.1, …"},
		{"no elements tell all axes", npyFile("<f8", "False", "(0,)", little, none), arrayType(types.R, 0, 2), "x.npy: x is R[0, 2], so that an array of rank 2 is expected, and this is an array of shape [0]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := bindNPY(c.file, c.typ); err == nil || err.Error() != c.want {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
}
