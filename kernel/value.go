package kernel

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/term/eval"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/types"
)

// Builder makes the values of one kernel, equal ones once. Integer sums are kept
// as one [Linear] value, so that index arithmetic cancels and addresses show
// their strides.
type Builder struct {
	vals   map[string]*Value
	arrays map[*Array]int
	serial int
	all    *int // counts the values of the kernels of a program, if it is not nil
}

// NewBuilder makes the values of a kernel, which are counted with those of others if all is not nil.
func NewBuilder(all *int) *Builder {
	return &Builder{vals: make(map[string]*Value), arrays: make(map[*Array]int), all: all}
}

// Another makes the values of another kernel, which are counted with those of this one.
func (b *Builder) Another() *Builder { return NewBuilder(b.all) }

// maxValues bounds the values of the kernels of a program.
const maxValues = 1 << 21

// Atom adds a value that is equal to no other.
func (b *Builder) Atom(v *Value) *Value {
	b.serial++
	v.Serial = b.serial
	if b.all != nil {
		if *b.all++; *b.all > maxValues {
			panic(&overflow.Error{Msg: fmt.Sprintf("the kernels compute more than %d different scalars", maxValues)})
		}
	}
	return v
}

// intern returns the value like v that there is, or v.
func (b *Builder) intern(v *Value) *Value {
	key := append(make([]byte, 0, 64), byte(v.Kind), byte(v.Elem))
	key = binary.AppendUvarint(key, uint64(v.Op))
	key = binary.AppendUvarint(key, uint64(v.N))
	for i, a := range v.Args {
		key = binary.AppendUvarint(key, uint64(a.Serial))
		if v.Kind == Linear {
			key = binary.AppendVarint(key, v.Coef[i])
		}
		v.Level = max(v.Level, a.Level)
	}
	switch v.Kind {
	case Lit, Linear:
		key = append(key, v.Const.Key()...)
	case Load:
		if _, ok := b.arrays[v.Array]; !ok {
			b.arrays[v.Array] = len(b.arrays)
		}
		key = binary.AppendUvarint(key, uint64(b.arrays[v.Array]))
		for _, a := range v.At {
			key = binary.AppendUvarint(key, uint64(a.Serial))
			v.Level = max(v.Level, a.Level)
		}
	}
	if old, ok := b.vals[string(key)]; ok && slices.Equal(old.Args, v.Args) && slices.Equal(old.At, v.At) { // another builder may have given the number, too
		return old
	}
	b.vals[string(key)] = b.Atom(v)
	return v
}

// Lit is a literal.
func (b *Builder) Lit(c ops.Scalar) *Value {
	v := &Value{Kind: Lit, Elem: c.Elem, Const: c, Plus: true}
	if c.Elem == types.I {
		v.Range = ops.Range{Lo: c.Int, Hi: c.Int}
	} else {
		v.Range = ops.AnyInt
	}
	return b.intern(v)
}

// Int is an integer that is known.
func (b *Builder) Int(n int64) *Value { return b.Lit(ops.ScalarI(n)) }

// Sum takes an integer apart: it is konst + the sum of coef[i] * args[i].
func (v *Value) Sum() (coef []int64, args []*Value, konst int64) {
	switch v.Kind {
	case Lit:
		return nil, nil, v.Const.Int
	case Linear:
		return v.Coef, v.Args, v.Const.Int
	}
	return []int64{1}, []*Value{v}, 0
}

// Linear makes c + the sum of coef[i] * args[i], in normal form.
func (b *Builder) Linear(c int64, coef []int64, args []*Value) *Value {
	type part struct {
		c int64
		a *Value
	}
	var parts []part
	add := func(k int64, a *Value) {
		for i := range parts {
			if parts[i].a == a {
				parts[i].c += k
				return
			}
		}
		parts = append(parts, part{k, a})
	}
	addAll := func(k int64, a *Value) {
		coef, args, konst := a.Sum()
		c += k * konst
		for j, x := range args {
			add(k*coef[j], x)
		}
	}
	for i, a := range b.narrow(args) {
		addAll(coef[i], a)
	}
	// k * d * (x div d) + k * (x mod d) is k * x.
	for i := 0; i < len(parts); i++ {
		p := parts[i]
		sym, x, d, ok := p.a.Division()
		if !ok || sym != ops.SymMod || p.c == 0 {
			continue
		}
		for j := range parts {
			sym, y, e, ok := parts[j].a.Division()
			if ok && sym == ops.SymIdiv && x == y && d == e && parts[j].c == p.c*d {
				parts[i].c, parts[j].c = 0, 0
				addAll(p.c, x)
				i = -1
				break
			}
		}
	}
	parts = slices.DeleteFunc(parts, func(p part) bool { return p.c == 0 })
	slices.SortFunc(parts, func(p, q part) int { return p.a.Serial - q.a.Serial })
	if len(parts) == 0 {
		return b.Int(c)
	}
	if len(parts) == 1 && c == 0 && parts[0].c == 1 {
		return parts[0].a
	}
	v := &Value{Kind: Linear, Elem: types.I, Const: ops.ScalarI(c)}
	for _, p := range parts {
		v.Coef = append(v.Coef, p.c)
		v.Args = append(v.Args, p.a)
	}
	v.Range = LinearRange(c, v.Coef, v.Args)
	return b.intern(v)
}

// LinearRange finds the range of konst + the sum of coef[i] * args[i].
func LinearRange(konst int64, coef []int64, args []*Value) ops.Range {
	r := ops.Range{Lo: konst, Hi: konst}
	scalar := types.ArrayOf(types.I)
	for i, a := range args {
		k := ops.Range{Lo: coef[i], Hi: coef[i]}
		m := ops.RangeOf(ops.Op{Sym: ops.SymMul}, scalar, []ops.Range{k, a.Range})
		r = ops.RangeOf(ops.Op{Sym: ops.SymAdd}, scalar, []ops.Range{r, m})
	}
	return r
}

// maxParts bounds the parts of a sum that is one [Linear] value.
const maxParts = 16

// narrow is args, with sums that are so long that theirs would be too long replaced
// by values that are no sums. A chain of sums would take quadratic time else.
func (b *Builder) narrow(args []*Value) []*Value {
	parts := 0
	for _, a := range args {
		if parts++; a.Kind == Linear {
			parts += len(a.Args) - 1
		}
	}
	if parts <= maxParts {
		return args
	}
	out := make([]*Value, len(args))
	for i, a := range args {
		out[i] = a
		if n := len(a.Args) / 2; a.Kind == Linear && n > 0 {
			x, y := b.Linear(a.Const.Int, a.Coef[:n], a.Args[:n]), b.Linear(0, a.Coef[n:], a.Args[n:])
			out[i] = b.intern(&Value{Kind: Compute, Elem: types.I, Op: ops.SymAdd, Args: []*Value{x, y}, Range: a.Range})
		}
	}
	return out
}

// Add makes the sum of two integers.
func (b *Builder) Add(x, y *Value) *Value { return b.Linear(0, []int64{1, 1}, []*Value{x, y}) }

// Op is an elementwise operator applied to scalars. What is said of reals is
// exact: the value is the same, bit for bit.
func (b *Builder) Op(op ops.Op, elem types.Elem, args ...*Value) *Value {
	if v := b.Simpler(op, args); v != nil {
		return v
	}
	v := &Value{Kind: Compute, Elem: elem, Op: op.Sym, N: op.N, Args: args, Plus: NeverMinus(op.Sym, args)}
	v.Range = v.computedRange()
	return b.intern(v)
}

// computedRange is the range of what an operator makes of its operands.
func (v *Value) computedRange() ops.Range {
	if v.Elem != types.I {
		return ops.AnyInt
	}
	return ops.RangeOf(ops.Op{Sym: v.Op, N: v.N}, types.ArrayOf(types.I), slice.Map(v.Args, func(a *Value) ops.Range { return a.Range }))
}

// With is what v computes with other operands in the place of its own, which may be known by their ranges.
func (v *Value) With(args []*Value) *Value {
	if w := NewBuilder(nil).Simpler(ops.Op{Sym: v.Op, N: v.N}, args); w != nil {
		return w
	}
	w := *v
	w.Args = args
	w.Range = v.Range.Meet(w.computedRange())
	return &w
}

// Simpler finds a value for op that needs no operator, or nil.
func (b *Builder) Simpler(op ops.Op, args []*Value) *Value {
	x := args[0]
	if op.Sym == ops.SymWhere {
		return b.simplerWhere(args)
	}
	if x.Elem == types.B {
		return b.simplerLogic(op, args)
	}
	if v := b.known(op, args); v != nil {
		return v
	}
	if x.Elem == types.R && op.Sym == ops.SymAdd {
		return b.simplerSum(x, args[1])
	}
	if x.Elem == types.R && op.Sym == ops.SymMul {
		return simplerProduct(x, args[1])
	}
	if x.Elem != types.I {
		return nil
	}
	switch op.Sym {
	case ops.SymReal:
		if x.Kind == Lit {
			return b.Lit(ops.ScalarR(numeric.Int(x.Const.Int)))
		}
		return nil
	case ops.SymNeg:
		return b.Linear(0, []int64{-1}, args)
	case ops.SymAbs:
		if x.Range.Lo >= 0 {
			return x
		}
		if x.Range.Hi <= 0 {
			return b.Linear(0, []int64{-1}, args)
		}
	}
	if len(args) != 2 {
		return nil
	}
	y := args[1]
	switch op.Sym {
	case ops.SymAdd:
		return b.Add(x, y)
	case ops.SymSub:
		return b.Linear(0, []int64{1, -1}, args)
	case ops.SymMul:
		if y.Kind == Lit {
			x, y = y, x
		}
		if x.Kind == Lit {
			return b.Linear(0, []int64{x.Const.Int}, []*Value{y})
		}
	case ops.SymIdiv, ops.SymMod:
		if y.Kind != Lit {
			return nil
		}
		return b.divided(op, x, y.Const.Int)
	case ops.SymMin, ops.SymMax: // a bound that is never passed
		if y.Range.Hi <= x.Range.Lo {
			x, y = y, x
		}
		if x.Range.Hi <= y.Range.Lo { // x is never the larger one
			if op.Sym == ops.SymMin {
				return x
			}
			return y
		}
	case ops.SymLt, ops.SymLe, ops.SymEq:
		if v := b.compared(op, x, y); v != nil {
			return v
		}
		if v := b.apart(op, x, y); v != nil {
			return v
		}
		if v := b.comparedBy(op, x, y); v != nil {
			return v
		}
		if v := b.comparedInBoth(op, x, y); v != nil {
			return v
		}
		if x.Kind == Lit {
			return b.choice(y, func(y *Value) *Value { return b.compared(op, x, y) })
		}
		if y.Kind == Lit {
			return b.choice(x, func(x *Value) *Value { return b.compared(op, x, y) })
		}
	}
	return nil
}

// known is what an operator makes of literals that are reals, as a run would compute it, or nil where no
// literal is that: a derivative has powers less 1, say, and what is read out of range is 0.
func (b *Builder) known(op ops.Op, args []*Value) *Value {
	if slices.ContainsFunc(args, func(v *Value) bool { return v.Kind != Lit || v.Elem != types.R }) {
		return nil
	}
	x, y := args[0].Const.Num.Float64(), math.NaN()
	if len(args) == 1 {
		if f := ops.FloatUnary(op.Sym, op.N); f != nil {
			y = f(x)
		}
	} else if z := args[1].Const.Num.Float64(); op.Sym == ops.SymLt || op.Sym == ops.SymLe || op.Sym == ops.SymEq {
		return b.Lit(ops.ScalarB(eval.Floats{}.Compare(op.Sym, x, z)))
	} else if f := ops.FloatBinary(op.Sym); f != nil {
		y = f(x, z)
	}
	if math.IsInf(y, 0) || math.IsNaN(y) || y == 0 && math.Signbit(y) { // a literal is a rational
		return nil
	}
	r, _ := new(big.Rat).SetString(strconv.FormatFloat(y, 'g', -1, 64)) // shorter than y itself
	return b.Lit(ops.ScalarR(numeric.Of(r)))
}

// compared is a comparison of integers, if it is known.
func (b *Builder) compared(op ops.Op, x, y *Value) *Value {
	switch op.Sym {
	case ops.SymLt:
		return b.decided(x.Range.Hi < y.Range.Lo, x.Range.Lo >= y.Range.Hi)
	case ops.SymLe:
		return b.decided(x.Range.Hi <= y.Range.Lo, x.Range.Lo > y.Range.Hi)
	}
	one := x.Range.Lo == x.Range.Hi && x.Range == y.Range
	return b.decided(x == y || one, x.Range.Meet(y.Range).Empty())
}

// comparedBy is a comparison of integers that are not far from 0, if it is known from how far they are apart, as i < i + j + 1 is,
// or if that depends on less than they do, as for j - i < j.
func (b *Builder) comparedBy(op ops.Op, x, y *Value) *Value {
	if x.Kind == Lit || y.Kind == Lit || !x.Near() || !y.Near() {
		return nil
	}
	d := b.Linear(0, []int64{1, -1}, []*Value{y, x})
	if v := b.compared(op, b.Int(0), d); v != nil {
		return v
	}
	of := func(v *Value) int { _, args, _ := v.Sum(); return len(args) }
	if of(d) < max(of(x), of(y)) {
		return b.Op(op, types.B, b.Int(0), d)
	}
	return nil
}

// comparedInBoth is a comparison of what one truth value chooses on both sides.
func (b *Builder) comparedInBoth(op ops.Op, x, y *Value) *Value {
	if x.Kind != Compute || x.Op != ops.SymWhere || y.Kind != Compute || y.Op != ops.SymWhere || x.Args[0] != y.Args[0] {
		return nil
	}
	in := func(i int) *Value { return b.Op(op, types.B, x.Args[i], y.Args[i]) }
	return b.Op(ops.Op{Sym: ops.SymWhere}, types.B, x.Args[0], in(1), in(2))
}

// apart is a comparison of what goes no further than to a literal with another literal, of which the
// first does not matter or decides: 0 <= min 9 i is 0 <= i. It is nil of others.
func (b *Builder) apart(op ops.Op, x, y *Value) *Value {
	v, with := y, func(v *Value) *Value { return b.Op(op, types.B, x, v) }
	if y.Kind == Lit {
		v, with = x, func(v *Value) *Value { return b.Op(op, types.B, v, y) }
	} else if x.Kind != Lit {
		return nil
	}
	if op.Sym == ops.SymEq || v.Kind != Compute || v.Op != ops.SymMin && v.Op != ops.SymMax || v.Args[0].Kind != Lit && v.Args[1].Kind != Lit {
		return nil
	}
	all := ops.SymOr
	if (v.Op == ops.SymMin) == (v == y) {
		all = ops.SymAnd
	}
	return b.Op(ops.Op{Sym: all}, types.B, with(v.Args[0]), with(v.Args[1]))
}

// choice is a truth value that is known for both of the integers between which x chooses,
// once or a number of times; or nil.
func (b *Builder) choice(x *Value, of func(*Value) *Value) *Value {
	coef, args, konst := x.Sum()
	if len(args) != 1 || args[0].Op != ops.SymWhere {
		return nil
	}
	yes, no := of(b.Linear(konst, coef, args[0].Args[1:2])), of(b.Linear(konst, coef, args[0].Args[2:3]))
	if yes == nil || no == nil {
		return nil
	}
	c := args[0].Args[0]
	return b.Op(ops.Op{Sym: ops.SymOr}, types.B, b.Op(ops.Op{Sym: ops.SymAnd}, types.B, c, yes),
		b.Op(ops.Op{Sym: ops.SymAnd}, types.B, b.Op(ops.Op{Sym: ops.SymNot}, types.B, c), no))
}

// simplerSum is the sum of two reals, if there is nothing to add, or nothing in one case
// of two between which both are chosen.
func (b *Builder) simplerSum(x, y *Value) *Value {
	if v := plusZero(x, y); v != nil {
		return v
	}
	c := y.Args
	switch {
	case x.Op == ops.SymWhere && y.Op == ops.SymWhere && x.Args[0] == y.Args[0]:
		c = x.Args
	case x.IsZero() && y.Op == ops.SymWhere:
	default:
		return nil
	}
	in := func(v *Value, i int) *Value {
		if v.Op == ops.SymWhere {
			return v.Args[i]
		}
		return v
	}
	if plusZero(in(x, 1), in(y, 1)) == nil && plusZero(in(x, 2), in(y, 2)) == nil {
		return nil
	}
	add := func(i int) *Value { return b.Op(ops.Op{Sym: ops.SymAdd}, types.R, in(x, i), in(y, i)) }
	return b.Op(ops.Op{Sym: ops.SymWhere}, types.R, c[0], add(1), add(2))
}

// simplerProduct is the product of two reals, if one is 1, or nil.
func simplerProduct(x, y *Value) *Value {
	switch {
	case x.Kind == Lit && x.Const.IsInt(1):
		return y
	case y.Kind == Lit && y.Const.IsInt(1):
		return x
	}
	return nil
}

// NeverMinus reports whether an operator does not result in -0, given what is known of its
// operands.
func NeverMinus(op ops.Sym, args []*Value) bool {
	switch op {
	case ops.SymAdd:
		return args[0].Plus || args[1].Plus
	case ops.SymSub:
		return args[0].Plus
	case ops.SymMul:
		return args[0] == args[1]
	case ops.SymWhere:
		return args[1].Plus && args[2].Plus
	}
	return op == ops.SymAbs || op == ops.SymReal
}

// plusZero is the sum of two reals, if one is 0 and the other is not -0, or nil.
func plusZero(x, y *Value) *Value {
	switch {
	case x.IsZero() && y.Plus:
		return y
	case y.IsZero() && x.Plus:
		return x
	}
	return nil
}

// IsZero reports whether v is the number 0.
func (v *Value) IsZero() bool { return v.Kind == Lit && v.Const.IsInt(0) }

// decided is a truth value that is known, or nil.
func (b *Builder) decided(yes, no bool) *Value {
	if yes || no {
		return b.Lit(ops.ScalarB(yes))
	}
	return nil
}

func (b *Builder) simplerWhere(args []*Value) *Value {
	switch {
	case args[1] == args[2]:
		return args[1]
	case args[0].Kind == Lit && args[0].Const.Int != 0:
		return args[1]
	case args[0].Kind == Lit:
		return args[2]
	case args[0].Op == ops.SymNot:
		return b.Op(ops.Op{Sym: ops.SymWhere}, args[1].Elem, args[0].Args[0], args[2], args[1])
	}
	yes, no := args[1], args[2] // what is chosen by the same is known in them
	if yes.Op == ops.SymWhere && yes.Args[0] == args[0] {
		yes = yes.Args[1]
	}
	if no.Op == ops.SymWhere && no.Args[0] == args[0] {
		no = no.Args[2]
	}
	if yes != args[1] || no != args[2] {
		return b.Op(ops.Op{Sym: ops.SymWhere}, yes.Elem, args[0], yes, no)
	}
	if yes.Kind == Load && no.IsZero() && yes.InBounds(args[0]) {
		return yes
	}
	return nil
}

// InBounds reports whether a truth value is one wherever the indices of an access are in
// range.
func (a Access) InBounds(v *Value) bool {
	return v.HoldsFor(func(x *Value) (n int, ok bool) {
		i := slices.Index(a.At, x)
		if i < 0 {
			return 0, false
		}
		return a.Array.Shape[i], true
	})
}

// HoldsFor reports whether a truth value is one wherever some integers are at least 0, and less than what below gives.
func (v *Value) HoldsFor(below func(x *Value) (n int, ok bool)) bool {
	if v.Kind != Compute || len(v.Args) != 2 {
		return false
	}
	x, y := v.Args[0], v.Args[1]
	switch v.Op {
	case ops.SymAnd:
		return x.HoldsFor(below) && y.HoldsFor(below)
	case ops.SymLe:
		_, ok := below(y)
		return ok && x.Kind == Lit && x.Const.Int <= 0
	case ops.SymLt:
		n, ok := below(x)
		return ok && y.Kind == Lit && y.Const.Int >= int64(n)
	}
	return false
}

func (b *Builder) simplerLogic(op ops.Op, args []*Value) *Value {
	if op.Sym != ops.SymAnd && op.Sym != ops.SymOr {
		x := args[0]
		switch {
		case op.Sym == ops.SymNot && x.Kind == Lit:
			return b.Lit(ops.ScalarB(x.Const.Int == 0))
		case op.Sym == ops.SymNot && x.Op == ops.SymNot:
			return x.Args[0]
		}
		return nil
	}
	if args[0] == args[1] {
		return args[0]
	}
	for i, x := range args { // what holds both by itself and in the other
		if y := args[1-i]; y.Kind == Compute && y.Op == op.Sym && slices.Contains(y.Args, x) {
			return y
		}
	}
	for i, x := range args {
		if x.Kind != Lit {
			continue
		}
		if (x.Const.Int != 0) == (op.Sym == ops.SymOr) {
			return x
		}
		return args[1-i]
	}
	return nil
}

// Load is an element of an array; what is out of range is 0.
func (b *Builder) Load(acc Access) *Value {
	if acc.Array.Len() == 0 || acc.Outside() {
		return b.Lit(ops.ScalarZero(acc.Array.Elem))
	}
	if v := b.chosen(acc); v != nil {
		return v
	}
	acc.Checked = !Fits(acc)
	if c := acc.Array.Const; c != nil && c.Data != nil && !acc.Checked && !slices.ContainsFunc(acc.At, func(x *Value) bool { return x.Kind != Lit }) {
		at := 0
		for i, x := range acc.At {
			at = at*acc.Array.Shape[i] + int(x.Const.Int)
		}
		return b.Lit(c.Data[at])
	}
	r := acc.Array.Range
	if acc.Checked {
		r = r.Join(ops.Range{})
	}
	return b.intern(&Value{Kind: Load, Elem: acc.Array.Elem, Access: acc, Range: r})
}

// Fits reports whether the indices of acc are known to be in range.
func Fits(acc Access) bool {
	for i, x := range acc.At {
		if !FitsAxis(x, acc.Array.Shape[i]) {
			return false
		}
	}
	return true
}

// Outside reports whether an index of acc is known to be out of range.
func (acc Access) Outside() bool {
	for i, x := range acc.At {
		if x.outside(acc.Array.Shape[i]) {
			return true
		}
	}
	return false
}

// ByLoops reports whether the indices of acc are those of loops, each another one, that go along the whole axes.
func (acc Access) ByLoops() bool {
	for i, x := range acc.At {
		if x.Kind != Var || x.Range.Hi != int64(acc.Array.Shape[i])-1 || slices.Contains(acc.At[:i], x) {
			return false
		}
	}
	return true
}

// FitsAxis reports whether an index is known to be in range of an axis of size n.
func FitsAxis(x *Value, n int) bool { return x.Range.Lo >= 0 && x.Range.Hi < int64(n) }

// outside reports whether an index is known to be out of range of an axis of size n.
func (v *Value) outside(n int) bool { return v.Range.Hi < 0 || v.Range.Lo >= int64(n) }

// maxChosen bounds the choices in an index of which a load is made a choice of loads: each may double them.
const maxChosen = 3

// chosen is a load at an index that is a choice, made a choice of loads: if it is one along the last axis between
// what loops tell, as a[min 9 (i + 1)] or a[abs (i - 1)], so that what a loop goes through is read by neighbours, and
// its ends are done apart; or if what one of the two reads is out of range. It is nil of another load.
func (b *Builder) chosen(acc Access) *Value {
	for k := len(acc.At) - 1; k >= 0; k-- {
		coef, args, konst := acc.At[k].Sum()
		for i, v := range args {
			if !v.isChoice() {
				continue
			}
			c, yes, no := b.choiceOf(v)
			with := func(x *Value) *Value {
				args := slices.Clone(args)
				args[i] = x
				return b.Linear(konst, coef, args)
			}
			yes, no = with(yes), with(no)
			if n := acc.Array.Shape[k]; !yes.outside(n) && !no.outside(n) && !(k == len(acc.At)-1 && v.ofLoops() && acc.At[k].choices() <= maxChosen) {
				continue
			}
			load := func(x *Value) *Value {
				acc := acc
				acc.At = slices.Clone(acc.At)
				acc.At[k] = x
				return b.Load(acc)
			}
			return b.Where(c, load(yes), load(no))
		}
	}
	return nil
}

// isChoice reports whether an integer is one of two.
func (v *Value) isChoice() bool {
	return v.Kind == Compute && (v.Op == ops.SymWhere || v.Op == ops.SymAbs || v.Op == ops.SymMin || v.Op == ops.SymMax)
}

// choiceOf is which of the two an integer is.
func (b *Builder) choiceOf(v *Value) (c, yes, no *Value) {
	x, y := v.Args[0], v.Args[len(v.Args)-1]
	switch v.Op {
	case ops.SymWhere:
		return x, v.Args[1], y
	case ops.SymAbs:
		return b.Truth(ops.SymLe, b.Int(0), x), x, b.Linear(0, []int64{-1}, []*Value{x})
	}
	if x.Kind == Lit {
		x, y = y, x
	}
	least, most := x, y
	if v.Op == ops.SymMax {
		least, most = y, x
	}
	return b.Truth(ops.SymLe, least, most), x, y
}

// ofLoops reports whether an integer or a truth value is computed of nothing but indices of loops.
func (v *Value) ofLoops() bool {
	for x := range Needed(v) {
		switch x.Kind {
		case Lit, Var:
		case Compute, Linear:
			if x.Elem == types.R {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// choices counts the choices between integers that v is made of, as often as they are in it, but no further than past
// the bound.
func (v *Value) choices() int {
	counted := make(map[*Value]int)
	var count func(v *Value) int
	count = func(v *Value) int {
		if v.Elem != types.I || len(v.Args) == 0 {
			return 0
		}
		return memo.Of(counted, v, func() int {
			n := 0
			if v.isChoice() {
				n++
			}
			for _, x := range v.Args {
				n += count(x)
			}
			return min(n, maxChosen+1)
		})
	}
	return count(v)
}

// Variable is the index of a loop of n runs, in which it is number level.
func (b *Builder) Variable(n, level int) *Value {
	return b.Atom(&Value{Kind: Var, Elem: types.I, Range: ops.Range{Hi: int64(max(n-1, 0))}, Level: level})
}

// Real is an operator on scalars that makes a real.
func (b *Builder) Real(sym ops.Sym, args ...*Value) *Value {
	return b.Op(ops.Op{Sym: sym}, types.R, args...)
}

// Truth is an operator on scalars that makes a truth value.
func (b *Builder) Truth(sym ops.Sym, args ...*Value) *Value {
	return b.Op(ops.Op{Sym: sym}, types.B, args...)
}

// Where is one of two values.
func (b *Builder) Where(c, yes, no *Value) *Value {
	return b.Op(ops.Op{Sym: ops.SymWhere}, yes.Elem, c, yes, no)
}
