package data

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// numbers is a growing sequence of elements that keeps whole numbers exact: an
// element may turn out to be an R or an I only when it is bound to a parameter.
type numbers struct {
	bits  []uint64 // an int64 where whole says so, and the bits of a float64 elsewhere
	whole []uint64 // one bit for each element
}

func (ns *numbers) len() int { return len(ns.bits) }

// grow makes room for n elements more.
func (ns *numbers) grow(n int) {
	ns.bits = slices.Grow(ns.bits, n)
	ns.whole = slices.Grow(ns.whole, n/64+1)
}

// addInt appends a whole number.
func (ns *numbers) addInt(v int64) {
	ns.push(uint64(v))
	i := len(ns.bits) - 1
	ns.whole[i/64] |= 1 << (i % 64)
}

// addBool appends a truth value.
func (ns *numbers) addBool(b bool) {
	if b {
		ns.addInt(1)
	} else {
		ns.addInt(0)
	}
}

// addReal appends a number that is no int64, or -0.
func (ns *numbers) addReal(f float64) { ns.push(math.Float64bits(f)) }

// addFloat appends a float64 that stands for itself and is not the rounding of
// some other number.
func (ns *numbers) addFloat(f float64) {
	const limit = 1 << 63
	if f == math.Trunc(f) && -limit <= f && f < limit && (f != 0 || !math.Signbit(f)) {
		ns.addInt(int64(f))
	} else {
		ns.addReal(f)
	}
}

func (ns *numbers) push(word uint64) {
	if len(ns.bits)%64 == 0 {
		ns.whole = append(ns.whole, 0)
	}
	ns.bits = append(ns.bits, word)
}

// truncate keeps the first n elements.
func (ns *numbers) truncate(n int) {
	ns.bits = ns.bits[:n]
	ns.whole = ns.whole[:(n+63)/64]
	if n%64 != 0 {
		ns.whole[n/64] &= 1<<(n%64) - 1
	}
}

// real is element i as a float64, rounded to nearest.
func (ns *numbers) real(i int) float64 {
	if ns.isWhole(i) {
		return float64(int64(ns.bits[i]))
	}
	return math.Float64frombits(ns.bits[i])
}

// integer is element i as an int64, and whether it is one.
func (ns *numbers) integer(i int) (int64, bool) {
	if ns.isWhole(i) {
		return int64(ns.bits[i]), true
	}
	f := math.Float64frombits(ns.bits[i])
	return 0, f == 0 && math.Signbit(f)
}

func (ns *numbers) isWhole(i int) bool { return ns.whole[i/64]>>(i%64)&1 != 0 }

// addLiteral appends a decimal number; it fails if the number is out of the
// range of float64.
func (ns *numbers) addLiteral(s string) bool {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return false
	}
	if f == math.Trunc(f) {
		if v, ok := wholeNumber(s); ok {
			ns.addInt(v)
			return true
		}
	}
	ns.addReal(f)
	return true
}

// wholeNumber is the value of a decimal number that is exactly an int64, such
// as 12, 12.00 or 1.2e1. It does not count -0, whose sign an int64 would lose.
func wholeNumber(s string) (int64, bool) {
	sign := ""
	if s[0] == '-' || s[0] == '+' {
		sign, s = s[:1], s[1:]
	}
	exp := 0
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		e, err := strconv.Atoi(s[i+1:])
		if err != nil {
			return 0, false
		}
		s, exp = s[:i], e
	}
	if before, after, ok := strings.Cut(s, "."); ok {
		s = before + after
		exp -= len(after)
	}
	s = strings.TrimLeft(s, "0")
	if s == "" {
		return 0, sign != "-"
	}
	if exp != 0 {
		digits := strings.TrimRight(s, "0")
		exp += len(s) - len(digits)
		if exp < 0 || exp > maxDigits {
			return 0, false
		}
		s = digits + strings.Repeat("0", exp)
	}
	if len(s) > maxDigits {
		return 0, false
	}
	v, err := strconv.ParseInt(sign+s, 10, 64)
	return v, err == nil
}

// maxDigits is how many digits an int64 has at most.
const maxDigits = 19
