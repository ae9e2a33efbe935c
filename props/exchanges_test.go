package props

import (
	"fmt"
	"math/big"
	"slices"

	"egad/term"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// words are what may be written for each other and is no operator: functions on
// attributes and lists, classes, constants, types.
var words = [][]string{
	{"take", "drop"}, {"permute", "unpermute"}, {"invert", "lift"}, {"fold", "fold1"}, {"inject", "proj"}, {"compose", "permute"},
	{"elementwise", "preserving", "commutative"}, {"true", "false", "zero", "self"}, {"R", "I", "B"},
	{"<=", "<", "!=", "="}, {"::", "++"},
}

// most bounds the functions that are written for one.
const most = 6

// operandTypes are those that tell the types of operators apart.
var operandTypes = func() []*types.Type {
	matrix := func(e types.Elem) *types.Type { return types.ArrayOf(e, size.Const(2), size.Const(2)) }
	return []*types.Type{matrix(types.R), matrix(types.I), matrix(types.B), types.LinOf(matrix(types.R), matrix(types.R))}
}()

// kin reports whether two operators without attributes give some operands results
// of one type.
func kin(sig *term.Signature, a, b *ops.Operator) bool {
	if a.Arity != b.Arity {
		return false
	}
	kids := make([]*types.Type, a.Arity)
	result := func(o *ops.Operator) *types.Type {
		t, err := ops.TypeOf(o, ops.Op{Sym: o.Sym}, kids)
		if err != nil {
			return nil
		}
		return t
	}
	var from func(i int) bool
	from = func(i int) bool {
		if i == a.Arity {
			x, y := result(a), result(b)
			return x != nil && y != nil && x.Kind == y.Kind && (x.Kind != types.KArray || x.Elem == y.Elem)
		}
		for _, kids[i] = range operandTypes {
			if from(i + 1) {
				return true
			}
		}
		return false
	}
	return from(0)
}

// exchanges are what may be written for a token of a part of a rule.
func exchanges(sig *term.Signature, tok string, part int) []string {
	var out []string
	for _, set := range words {
		if slices.Contains(set, tok) {
			out = append(out, set...)
		}
	}
	out = append(out, infixFor(sig, tok)...)
	out = append(out, functionsFor(sig, tok)...)
	out = append(out, numbersFor(tok, part)...)
	return slices.DeleteFunc(out, func(s string) bool { return s == tok })
}

// infixFor lists the other infix operators of its type.
func infixFor(sig *term.Signature, tok string) []string {
	infix := func(o *ops.Operator) bool {
		return o.Text() != o.Name || o.Sym == ops.SymIdiv || o.Sym == ops.SymMod
	}
	at := slices.IndexFunc(sig.All(), func(o *ops.Operator) bool { return infix(o) && o.Text() == tok })
	if at < 0 {
		return nil
	}
	self := sig.All()[at]
	return others(sig, self, func(o *ops.Operator) bool { return infix(o) && kin(sig, self, o) })
}

// functionsFor lists other functions that take arguments of the same kinds.
func functionsFor(sig *term.Signature, tok string) []string {
	self, form, ok := sig.Form(tok)
	if !ok {
		return nil
	}
	plain := !slices.ContainsFunc(form, func(a ops.FormArg) bool { return a != ops.FormValue })
	return others(sig, self, func(o *ops.Operator) bool {
		_, f, ok := sig.Form(o.Name)
		return ok && slices.Equal(form, f) && (!plain || kin(sig, self, o))
	})
}

// others lists operators that may be written for one: the next ones in the list of
// operators, which has related ones together.
func others(sig *term.Signature, self *ops.Operator, may func(*ops.Operator) bool) []string {
	all := sig.All()
	at := slices.Index(all, self)
	var out []string
	for i := 1; i < len(all) && len(out) < most; i++ {
		if o := all[(at+i)%len(all)]; may(o) {
			out = append(out, o.Text())
		}
	}
	return out
}

// numbersFor lists the numbers beside a number.
func numbersFor(tok string, part int) []string {
	if !isNumber.MatchString(tok) {
		return nil
	}
	x, _ := new(big.Rat).SetString(tok)
	if !x.IsInt() {
		v, _ := x.Float64()
		return []string{fmt.Sprint(2 * v), fmt.Sprint(v / 2), fmt.Sprintf("(-%v)", v)}
	}
	n := x.Num().Int64()
	out := []string{fmt.Sprint(n + 1)}
	switch {
	case n > 0:
		out = append(out, fmt.Sprint(n-1), fmt.Sprintf("(-%d)", n))
	case part == partConds:
		out = append(out, "-1")
	}
	return out
}
