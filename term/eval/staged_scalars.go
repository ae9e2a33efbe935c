package eval

import "egad/term/ops"

// StagedScalars is an arithmetic that is asked once for each operator how to compute it, as
// [Staged] is.
type StagedScalars[S any] interface {
	Scalars[S]
	// PrepareUnary gives what computes an elementwise R -> R operator, as Unary does.
	PrepareUnary(sym ops.Sym, n int) func(a S) S
	// PrepareBinary gives what computes an elementwise R, R -> R operator, as Binary does.
	PrepareBinary(sym ops.Sym) func(a, b S) S
}

// PreparedUnary gives what computes an operator in any arithmetic.
func PreparedUnary[S any](of Scalars[S], sym ops.Sym, n int) func(a S) S {
	if staged, ok := of.(StagedScalars[S]); ok {
		return staged.PrepareUnary(sym, n)
	}
	return func(a S) S { return of.Unary(sym, n, a) }
}

// PreparedBinary gives what computes an operator in any arithmetic.
func PreparedBinary[S any](of Scalars[S], sym ops.Sym) func(a, b S) S {
	if staged, ok := of.(StagedScalars[S]); ok {
		return staged.PrepareBinary(sym)
	}
	return func(a, b S) S { return of.Binary(sym, a, b) }
}

// preparedOperators are operators that were prepared.
type preparedOperators[F any] []struct {
	sym ops.Sym
	f   F
}

// get is what was prepared of an operator, which prepare makes if there is nothing yet.
func (p *preparedOperators[F]) get(sym ops.Sym, prepare func() F) F {
	for i := range *p {
		if (*p)[i].sym == sym {
			return (*p)[i].f
		}
	}
	f := prepare()
	*p = append(*p, struct {
		sym ops.Sym
		f   F
	}{sym, f})
	return f
}
