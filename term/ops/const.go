package ops

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"egad/term/numeric"
	"egad/term/types"
)

// Scalar is one element of a literal: a real, an integer, or a truth value.
type Scalar struct {
	Elem types.Elem
	Num  numeric.Num // if Elem is R
	Int  int64       // if Elem is I; 0 or 1 if it is B
}

// ScalarR, ScalarI and ScalarB make literal elements.
func ScalarR(n numeric.Num) Scalar { return Scalar{Elem: types.R, Num: n} }

// ScalarI returns the integer literal n.
func ScalarI(n int64) Scalar { return Scalar{Elem: types.I, Int: n} }

// ScalarB returns the literal true or false.
func ScalarB(b bool) Scalar {
	if b {
		return Scalar{Elem: types.B, Int: 1}
	}
	return Scalar{Elem: types.B}
}

// ScalarZero returns the zero of an element type: 0, or false.
func ScalarZero(e types.Elem) Scalar {
	if e == types.R {
		return ScalarR(numeric.Int(0))
	}
	return Scalar{Elem: e}
}

// IsInt reports whether s is the number k (for B: 1 is true).
func (s Scalar) IsInt(k int64) bool {
	if s.Elem == types.R {
		return s.Num.IsInt(k)
	}
	return s.Int == k
}

// Key is equal for equal elements of one type and differs otherwise.
func (s Scalar) Key() string {
	if s.Elem == types.R {
		return s.Num.Key()
	}
	return strconv.FormatInt(s.Int, 10)
}

// String prints s as the language reads it, given that its element type is known.
func (s Scalar) String() string {
	switch s.Elem {
	case types.R:
		return s.Num.String()
	case types.B:
		if s.Int == 0 {
			return "false"
		}
		return "true"
	}
	return strconv.FormatInt(s.Int, 10)
}

// Const is a literal array: all elements equal (Fill), or row-major Data for a
// constant shape. The array's type is beside it, in the [Op].
type Const struct {
	Fill Scalar
	Data []Scalar // nil if every element is Fill
	key  string   // of Data
}

// ConstFill returns the literal all of whose elements are s.
func ConstFill(s Scalar) *Const { return &Const{Fill: s} }

// ConstData returns the literal with the given elements; there must be at least one.
func ConstData(data []Scalar) *Const {
	if !slices.ContainsFunc(data, func(s Scalar) bool { return !s.same(data[0]) }) {
		return ConstFill(data[0])
	}
	return &Const{Fill: ScalarZero(data[0].Elem), Data: data, key: dataKey(data)}
}

// same reports whether two elements of one type are equal.
func (s Scalar) same(t Scalar) bool {
	if s.Elem != types.R {
		return s.Int == t.Int
	}
	return s.Num.Equal(t.Num)
}

// dataKey is equal for equal elements and differs otherwise: what is long is told
// apart by its digest.
func dataKey(data []Scalar) string {
	const short = 64
	var b []byte
	digest := sha256.New()
	for i, s := range data {
		if i > 0 && i%short == 0 {
			digest.Write(b)
			b = b[:0]
		}
		b = append(b, s.Key()...)
		b = append(b, ',')
	}
	if len(data) <= short {
		return string(b)
	}
	digest.Write(b)
	return fmt.Sprintf("%d:%x", len(data), digest.Sum(nil))
}

func (c *Const) writeKey(b *strings.Builder) {
	b.WriteString(c.Fill.Key())
	if c.Data != nil {
		b.WriteByte('{')
		b.WriteString(c.key)
		b.WriteByte('}')
	}
}
