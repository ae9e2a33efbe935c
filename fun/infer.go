package fun

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"egad/diag"
	"egad/internal/slice"
	"egad/term/ast"
	"egad/term/types"
)

// Forms of terms while types are inferred: they are gone in what [Elaborate] gives.
var (
	// open is \x -> body, where the body has the variables outside as well.
	open = (&Form{Name: "\\", Arity: 1}).Binding(1)
	// openRec is a function that may call itself, where the body has the variables outside.
	openRec = (&Form{Name: "rec", Arity: 1}).Binding(2)
	// global is a definition, by its name.
	global = &Form{Name: "definition"}
	// signOr is the operator sign, as A1.1 has it or as the array language has it.
	signOr = &Form{Name: "sign", Arity: 1}
)

// inference types one definition and writes it as a term with types that are found
// on the way.
type inference struct {
	defs     *definitions
	src      *diag.Source
	errs     *diag.List
	def      *ast.Def
	free     int              // how many type variables there are
	bound    map[*Type]*Type  // what they stand for
	among    map[*Type]choice // of those that stand for few types
	calls    []*ast.Def       // the definitions it calls
	stop     bool             // there was an error
	lits     []*Type          // the types of literals, which are of R if nothing says otherwise
	pendings []pending
}

// choice is what a type variable may stand for.
type choice uint8

const (
	number    choice = iota + 1 // R or I
	scalar                      // or B
	signValue                   // R, or a sum as A1.1 has it
)

// String lists the types.
func (c choice) String() string {
	return [...]string{"any type", "R or I", "R, I or B", "R or " + Sum(Bool, Unit).String()}[c]
}

// scope is the variables in reach, the innermost first.
type scope struct {
	name   string // "" if it has none
	typ    *Type
	level  int
	parent *scope
}

func (s *scope) depth() int {
	if s == nil {
		return 0
	}
	return s.level + 1
}

func (s *scope) bind(name string, t *Type) *scope { return &scope{name, t, s.depth(), s} }

func (s *scope) find(name string) *scope {
	for ; s != nil; s = s.parent {
		if s.name == name {
			return s
		}
	}
	return nil
}

// fresh is a type variable.
func (in *inference) fresh() *Type {
	in.free++
	return &Type{Kind: KVar, Name: "t" + strconv.Itoa(in.free)}
}

func (in *inference) one(among choice) *Type {
	t := in.fresh()
	in.among[t] = among
	return t
}

// head is what t stands for, as far as its outermost form is known.
func (in *inference) head(t *Type) *Type {
	for t.Kind == KVar {
		u, ok := in.bound[t]
		if !ok {
			return t
		}
		t = u
	}
	return t
}

// whole is t with all that is known put in.
func (in *inference) whole(t *Type) *Type { return in.head(t).MapParts(in.whole) }

// unify makes two types one; ok is false if they cannot be.
func (in *inference) unify(t, u *Type) bool {
	t, u = in.head(t), in.head(u)
	if t == u {
		return true
	}
	if t.Kind != KVar && u.Kind == KVar {
		t, u = u, t
	}
	if t.Kind == KVar {
		if in.occurs(t, u) {
			return false
		}
		if among := in.among[t]; among != 0 {
			if u.Kind == KVar {
				if other := in.among[u]; other == 0 || among < other {
					in.among[u] = among
				}
			} else if !among.has(in, u) {
				return false
			}
		}
		in.bound[t] = u
		return true
	}
	return t.Kind == u.Kind && slices.EqualFunc(t.Parts, u.Parts, in.unify)
}

// has reports whether a variable may stand for t.
func (c choice) has(in *inference, t *Type) bool {
	switch {
	case t.Kind == KReal:
		return true
	case c == signValue:
		return in.unify(t, Sum(Bool, Unit))
	case t.Kind == KInt:
		return true
	}
	return c == scalar && in.unify(t, Bool)
}

// occurs reports whether a variable is part of a type, which would have no end.
func (in *inference) occurs(v, t *Type) bool {
	t = in.head(t)
	return t == v || slices.ContainsFunc(t.Parts, func(p *Type) bool { return in.occurs(v, p) })
}

// fail reports a finding.
func (in *inference) fail(at diag.Pos, format string, args ...any) (*Term, *Type) {
	in.stop = true
	in.errs.Add(in.src, at, format, args...)
	return Star.Make(), in.fresh()
}

// must unifies, or reports what is of which type.
func (in *inference) must(at diag.Pos, got, want *Type, what string) {
	if in.unify(got, want) {
		return
	}
	g, w := in.whole(got), in.whole(want)
	for _, sides := range [][2]*Type{{got, want}, {want, got}} {
		if v := in.head(sides[0]); v.Kind == KVar && in.occurs(v, sides[1]) {
			in.fail(at, "%s would have a type that contains itself: %s is %s", what, v, in.whole(sides[1]))
			return
		}
	}
	hint := ""
	switch {
	case w.Kind == KFun && g.Kind != KFun:
		hint = "; a function must be here"
	case g.Kind == KFun && w.Kind != KFun:
		hint = "; an argument may be missing"
	case w.Kind == KSum && g.Kind != KSum && !w.Equal(Bool) && !w.unknown():
		hint = ", a sum"
	case g.Kind == KArray && (w.Kind == KReal || w.Kind == KInt):
		hint = "; an array must not be here"
	}
	is := in.words(g)
	if g.Kind == KVar || !g.unknown() {
		is = "of type " + is
	}
	in.fail(at, "%s is %s, and must be %s%s", what, is, in.words(w), hint)
}

// words says what a type is of which a part may not be known.
func (in *inference) words(t *Type) string {
	switch {
	case t.Kind == KVar:
		return in.among[t].String()
	case !t.unknown():
		return t.String()
	case t.Kind == KSum:
		return "a sum"
	case t.Kind == KProd:
		return fmt.Sprintf("a tuple of %d", len(t.Parts))
	case t.Kind == KArray:
		return "an array"
	case t.Kind == KFun:
		var of []string
		known := true
		for ; t.Kind == KFun; t = t.Parts[1] {
			of = append(of, t.Parts[0].String())
			known = known && !t.Parts[0].unknown()
		}
		if !known {
			return "a function of " + diag.Count(len(of), "argument")
		}
		return "a function of " + strings.Join(of, " and ")
	}
	return t.String()
}

// typeOf reads a type in a text. Sizes say nothing here but how many axes there are.
func (in *inference) typeOf(t ast.TypeExpr) *Type {
	var out *Type
	parts := slice.Map(t.Parts, in.typeOf)
	switch t.Kind {
	case ast.TyName:
		e, ok := types.ElemNamed(t.Name)
		if !ok {
			in.fail(t.Pos, "unknown type %s (R, I, B, (), tuples, sums, functions, and arrays of such)", t.Name)
			return in.fresh()
		}
		out = OfElem(e)
	case ast.TyTuple:
		out = product(parts)
	case ast.TySum:
		out = Sum(parts[0], parts[1])
	case ast.TyFun:
		out = parts[len(parts)-1]
		for i := len(parts) - 2; i >= 0; i-- {
			out = Fun(parts[i], out)
		}
	default:
		in.fail(t.Pos, "functional programs have no linear maps")
		return in.fresh()
	}
	for range t.Sizes {
		if !out.FirstOrder() {
			in.fail(t.Pos, "the elements of an array hold no functions")
			return in.fresh()
		}
		out = Array(out)
	}
	return out
}

// product is the type of a tuple as the text has it: of all its components side by side.
func product(parts []*Type) *Type {
	switch len(parts) {
	case 0:
		return Unit
	case 1:
		return parts[0]
	}
	return &Type{Kind: KProd, Parts: parts}
}

// pattern binds the variables of a pattern to a value, which is the innermost variable:
// it gives the scope, and the lets that take a tuple apart, without bodies.
func (in *inference) pattern(p ast.Pattern, t *Type, s *scope) (*scope, []*Term) {
	if p.Type != nil {
		in.must(p.Pos, t, in.typeOf(*p.Type), p.Name)
	}
	s = s.bind(p.Name, t)
	var lets []*Term
	var apart func(p ast.Pattern, t *Type, level int)
	apart = func(p ast.Pattern, t *Type, level int) {
		switch p.Kind {
		case ast.PatName, ast.PatWild:
		case ast.PatTuple:
			parts := slice.Make(len(p.Subs), func(int) *Type { return in.fresh() })
			in.must(p.Pos, t, product(parts), "what is taken apart here")
			for i, sub := range p.Subs {
				if len(p.Subs) == 1 {
					apart(sub, t, level)
					continue
				}
				lets = append(lets, LetIn(Component(V(s.depth()-1-level), i, len(p.Subs)), nil).Named(sub.Name))
				s = s.bind(sub.Name, parts[i])
				apart(sub, parts[i], s.level)
			}
		default:
			in.fail(p.Pos, "a list of variables stands only in the functions of build")
		}
	}
	apart(p, t, s.level)
	return s, lets
}

// within puts lets, which have no body yet, around a term.
func within(lets []*Term, t *Term) *Term {
	for _, let := range slices.Backward(lets) {
		let.Kids[1] = t
		t = let
	}
	return t
}
