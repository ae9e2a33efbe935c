package ops

import (
	"slices"
	"strconv"
	"strings"

	"egad/internal/slice"
	"egad/term/size"
	"egad/term/types"
)

// Sym names an operator, apart from its static attributes.
type Sym uint16

// The built-in operators. Those of a user's file come after them.
const (
	SymNone      Sym = iota
	SymVar           // a named input: Name, Type
	SymIvar          // an index variable: Sizes[0] is the size of its range; one own slot
	SymLocal         // another variable that an operator binds: Type; one own slot
	SymConst         // a literal: Const, Type
	SymIota          // [0, …, n-1]: Sizes[0] is n
	SymIndex         // index t i1 … im
	SymSum           // along the outer axis
	SymMaximum       // along the outer axis
	SymMinimum       // along the outer axis
	SymArgmax        // along the outer axis
	SymArgmin        // along the outer axis
	SymProd          // along the outer axis
	SymAny           // along the outer axis
	SymAll           // along the outer axis
	SymNorm          // along the outer axis
	SymLogsumexp     // along the outer axis
	SymCumsum        // along the outer axis, as all columnwise operators
	SymCumprod
	SymLinrec // the linear recurrence with factors a and summands b
	SymSort
	SymArgsort
	SymSoftmax
	SymSearchsorted // columns in columns
	SymCholesky     // of matrices along the first two axes, as all matrixwise operators
	SymTrisolve
	SymTrisolvet
	SymSolve
	SymSolvet
	SymLu
	SymLusolve
	SymLusolvet
	SymLogdet   // of matrices, which it takes away
	SymLulogdet // of matrices that have those factors

	SymGather    // gather Sizes t (\is -> ix)
	SymScatter   // scatter Targets t (\is -> ix); Sizes are the ranges of is
	SymStack     // [t1, …, tn]
	SymReplicate // replicate Sizes[0] t
	SymTr        // tr Perm t
	SymReshape   // reshape Sizes t
	SymBuild     // build Sizes[0] (\i -> t)
	SymStates    // states Sizes[0] z k (\i s -> t): all states of a loop of k steps; Type is that of a state
	SymCond      // cond b u v
	SymTuple     // (t1, …, tn)
	SymProj      // the component N of a tuple

	SymWhere     // elementwise from here
	SymWithslope // v, with a as its slope by x: v x a
	SymNeg
	SymAbs
	SymExp
	SymLog
	SymSqrt
	SymSin
	SymCos
	SymTan
	SymTanh
	SymSigmoid
	SymLgamma
	SymPolygamma // of order N
	SymStopgrad  // the operand, as a constant
	SymSign
	SymRelu
	SymSoftplus
	SymErf
	SymLog1p
	SymExpm1
	SymAsin
	SymAcos
	SymAtan
	SymSinh
	SymCosh
	SymFloor
	SymRound
	SymReal
	SymNot
	SymAdd
	SymSub
	SymMul
	SymDiv
	SymMin
	SymMax
	SymPow
	SymAtan2
	SymIdiv
	SymMod
	SymLt
	SymLe
	SymEq
	SymAnd
	SymOr

	SymLzero      // the zero map from Type to Type2
	SymLone       // the identity on Type
	SymLscale     // x -> a * x
	SymLcompose   // m . n
	SymLadd       // m + n
	SymLpair      // x -> (m1 x, …, mn x)
	SymLjoin      // (x1, …, xn) -> m1 x1 + … + mn xn
	SymLtranspose // the transpose of m
	SymLapply     // m applied to x
	SymLbuild     // B: x -> build Sizes[0] (\i -> m x)
	SymLbuildT    // B': x -> sum (build Sizes[0] (\i -> m x[i]))
	SymLstates    // (z, b) -> states Sizes[0] z k (\i s -> m (s + b[i]))
	SymLmask      // x -> where m x 0
	SymLcond      // x -> cond b x 0, on Type
	SymLproj      // the component N of the tuple Type
	SymLinj       // the tuple Type with x as component N and 0 elsewhere
	SymLreached   // which elements of the result of m a change can reach

	numBuiltin
)

// Op is an operator with its static attributes; which ones it has is said at
// its [Sym]. A node is an Op with children.
type Op struct {
	Sym     Sym
	Sizes   []size.Size
	Targets []size.Size
	Perm    []int
	N       int
	Name    string
	Const   *Const
	Type    *types.Type
	Type2   *types.Type
}

// Key is equal for equal operators and differs otherwise.
func (o Op) Key() string { return strconv.Itoa(int(o.Sym)) + o.AttributesKey() }

// AttributesKey is equal for equal attributes of an operator and differs otherwise; it
// is empty if there are none.
func (o Op) AttributesKey() string {
	var b strings.Builder
	if len(o.Sizes) > 0 {
		types.WriteSizes(&b, o.Sizes)
	}
	if len(o.Targets) > 0 {
		b.WriteByte('>')
		types.WriteSizes(&b, o.Targets)
	}
	if len(o.Perm) > 0 {
		b.WriteByte('p')
		for _, p := range o.Perm {
			b.WriteString(strconv.Itoa(p))
			b.WriteByte(',')
		}
	}
	if o.N != 0 {
		b.WriteByte('#')
		b.WriteString(strconv.Itoa(o.N))
	}
	if o.Name != "" {
		b.WriteByte('"')
		b.WriteString(o.Name)
		b.WriteByte('"')
	}
	if o.Const != nil {
		b.WriteByte('=')
		o.Const.writeKey(&b)
	}
	if o.Type != nil {
		b.WriteByte(':')
		o.Type.WriteKey(&b)
	}
	if o.Type2 != nil {
		b.WriteByte(':')
		o.Type2.WriteKey(&b)
	}
	return b.String()
}

// MapOn returns a built-in linear operator read as a map of its operand, which has type
// from: x -> o x.
func (o Op) MapOn(from *types.Type) Op {
	o.Sym, o.Type = Builtin(o.Sym).Map, from
	return o
}

// OfMap returns the built-in operator that o is the map of; ok is false if o is none.
func (o Op) OfMap() (of Op, ok bool) {
	d := Builtin(o.Sym)
	if d == nil || d.Of == SymNone {
		return o, false
	}
	o.Sym, o.Type = d.Of, nil
	return o, true
}

// CanonPerm drops the axes that a permutation leaves in place at its end:
// tr [1, 0, 2] is tr [1, 0].
func CanonPerm(p []int) []int {
	n := len(p)
	for n > 0 && p[n-1] == n-1 {
		n--
	}
	return p[:n]
}

// IsPerm reports whether p is a permutation of 0 … len(p)-1.
func IsPerm(p []int) bool {
	q := slices.Clone(p)
	slices.Sort(q)
	for i, x := range q {
		if i != x {
			return false
		}
	}
	return true
}

// InvertPerm returns the inverse of a permutation.
func InvertPerm(p []int) []int {
	q := make([]int, len(p))
	for i, x := range p {
		q[x] = i
	}
	return q
}

// ComposePerm returns the permutation r with tr r = tr p . tr q: first q, then p.
func ComposePerm(p, q []int) []int {
	n := max(len(p), len(q))
	at := func(p []int, i int) int {
		if i < len(p) {
			return p[i]
		}
		return i
	}
	return CanonPerm(slice.Make(n, func(i int) int { return at(q, at(p, i)) }))
}
