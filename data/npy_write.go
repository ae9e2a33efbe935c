package data

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"

	"egad/internal/slice"
	"egad/term/eval"
	"egad/term/types"
)

// WriteNPY writes an array, or a scalar as one without axes, in version 1 of NumPy's
// format: reals as float64, integers as int64 and truth values as bool, in C order. Any
// other value is an error.
func WriteNPY(w io.Writer, v *eval.Value[float64]) error {
	switch {
	case w == nil:
		return errNowhere
	case v != nil && v.Elem == types.NoElem:
		return fmt.Errorf("a .npy file holds one array, and the value is none")
	}
	if err := writable("the value", v); err != nil {
		return err
	}
	out := bufio.NewWriter(w)
	out.WriteString(npyHead(v))
	var b [8]byte
	for i := range v.Len() {
		switch v.Elem {
		case types.B:
			b[0] = 0
			if v.N[i] != 0 {
				b[0] = 1
			}
			out.Write(b[:1])
			continue
		case types.R:
			binary.LittleEndian.PutUint64(b[:], math.Float64bits(v.R[i]))
		default:
			binary.LittleEndian.PutUint64(b[:], uint64(v.N[i]))
		}
		out.Write(b[:])
	}
	return out.Flush()
}

// npyHead is what comes before the elements: as long as a multiple of 64 bytes, and at most
// [maxHeader], as an array has few axes.
func npyHead(v *eval.Value[float64]) string {
	axes := strings.Join(slice.Map(v.Shape, func(n int) string { return fmt.Sprintf("%d,", n) }), " ")
	descr := map[types.Elem]string{types.R: "<f8", types.I: "<i8", types.B: "|b1"}[v.Elem]
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, axes)
	const before = 10 // the magic, the version, and how long the text is
	text += strings.Repeat(" ", 63-(before+len(text))%64) + "\n"
	return string(npyMagic) + "\x01\x00" + string(binary.LittleEndian.AppendUint16(nil, uint16(len(text)))) + text
}
