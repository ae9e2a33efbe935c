package define_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"

	"egad/define"
	"egad/diag"
	"egad/term"
	"egad/term/ast"
	"egad/term/module"
	"egad/term/ops"
)

// replay writes the definitions of a text again, in Go: what a text says by an
// expression is said by a method, a let is a variable of Go, and a function a function
// of Go. So whatever is written in one way can be written in the other.

// errNoGo is of what a text can say and a Go program not: functions as inputs, linear
// maps, derivatives of one's own.
var errNoGo = errors.New("not for Go")

// player replays one definition.
type player struct {
	d   *define.Def
	sig *term.Signature
	mod *module.Module
}

// bindings are names with what they mean: a define.Value, a []any, a function.
type bindings struct {
	name  string
	value any
	outer *bindings
}

func (b *bindings) get(name string) (any, bool) {
	for ; b != nil; b = b.outer {
		if b.name == name {
			return b.value, true
		}
	}
	return nil, false
}

// replay is the text of the definition that is written in src, under another name.
func replay(mod *module.Module, sig *term.Signature, src *diag.Source, at diag.Pos, as string) (out *diag.Source, err error) {
	defer func() {
		if r := recover(); r != nil {
			e, ok := r.(error)
			if !ok || !errors.Is(e, errNoGo) {
				panic(r)
			}
			err = e
		}
	}()
	var errs diag.List
	p := ast.NewParser(src, &errs)
	p.Seek(at)
	p.Next() // the name
	pl := &player{define.New(mod, as), sig, mod}
	var env *bindings
	bind := func(name string, v any) { env = &bindings{name, v, env} }
	if p.Accept("[") {
		for !p.Accept("]") {
			name := p.Next().Text
			bind(name, pl.d.Size(name))
			p.Accept(",")
		}
	}
	if p.Accept("(") {
		for !p.Accept(")") {
			name := p.Next().Text
			p.Expect(":", "")
			if t := p.Type(); t.Name == "size" {
				bind(name, pl.d.Size(name))
			} else {
				bind(name, pl.d.Input(name, pl.typ(t, env)))
			}
			p.Accept(",")
		}
	}
	p.Expect(":", "")
	p.Type()
	if p.Accept("where") {
		for {
			l := p.Expr()
			if b, ok := l.(*ast.Binary); ok && slices.Contains([]string{"==", "<", "<=", ">", ">="}, b.Op) {
				op := b.Op
				if op == "==" {
					op = "="
				}
				pl.d.Where(pl.eval(b.L, env), op, pl.eval(b.R, env))
			} else {
				p.Expect("=", "")
				r := p.Expr()
				pl.d.Where(pl.eval(l, env), "=", pl.eval(r, env))
			}
			if !p.Accept(",") {
				break
			}
		}
	}
	p.Expect("=", "")
	body := p.Expr()
	if p.Is("with") {
		return nil, errNoGo
	}
	if len(errs) > 0 {
		return nil, errs.Err()
	}
	return pl.d.Result(pl.eval(body, env))
}

func (pl *player) typ(t ast.TypeExpr, env *bindings) define.Type {
	var shape []any
	for _, s := range t.Sizes {
		shape = append(shape, pl.eval(s, env))
	}
	if t.Kind == ast.TyTuple && len(shape) == 0 {
		var parts []define.Type
		for _, p := range t.Parts {
			parts = append(parts, pl.typ(p, env))
		}
		return define.TupleOf(parts...)
	}
	of, ok := map[string]func(...any) define.Type{"R": define.R, "I": define.I, "B": define.B}[t.Name]
	if t.Kind != ast.TyName || !ok {
		panic(errNoGo)
	}
	return of(shape...)
}

// eval is what an expression means to Go: a number, a value, a list or a function.
func (pl *player) eval(e ast.Expr, env *bindings) any {
	switch e := e.(type) {
	case *ast.Number:
		n, whole := e.Num.Int64()
		switch {
		case whole && !e.Real:
			return n
		case !e.Real:
			panic(errNoGo) // a whole number for a real, which is larger than those of Go
		}
		return e.Num.Rat()
	case *ast.Bool:
		return e.Value
	case *ast.Ident:
		return pl.ident(e.Name, env)
	case *ast.TupleLit:
		return pl.d.Tuple(pl.evals(e.Elems, env)...)
	case *ast.ListLit:
		return pl.evals(e.Elems, env)
	case *ast.Call:
		return pl.call(e, env)
	case *ast.Binary:
		return pl.method(map[string]string{"+": "Add", "-": "Sub", "*": "Mul", "/": "Div", "^": "Pow", "div": "FloorDiv", "mod": "Mod",
			"<": "Lt", "<=": "Le", ">": "Gt", ">=": "Ge", "==": "Eq", "!=": "Ne", "&&": "And", "||": "Or"}[e.Op], e.L, env, e.R)
	case *ast.Unary:
		if ast.IsIdent(e.X, "inf") {
			return math.Inf(-1)
		}
		return pl.method("Neg", e.X, env)
	case *ast.IndexExpr:
		ix := make([]any, len(e.Ix))
		for i, x := range e.Ix {
			s, ok := x.(*ast.Slice)
			if !ok {
				ix[i] = pl.eval(x, env)
				continue
			}
			var r define.Range
			if s.Lo != nil {
				r.Lo = pl.eval(s.Lo, env)
			}
			if s.Hi != nil {
				r.Hi = pl.eval(s.Hi, env)
			}
			ix[i] = r
		}
		return pl.value(e.Array, env).At(ix...)
	case *ast.Component:
		return pl.value(e.X, env).Part(e.N)
	case *ast.Let:
		return pl.eval(e.Body, pl.bind(e.Pat, pl.eval(e.Bound, env), env))
	case *ast.If:
		return pl.d.If(pl.eval(e.Cond, env), pl.eval(e.Then, env), pl.eval(e.Else, env))
	case *ast.Lambda:
		return pl.function(arityOf(e), false, func(args []any) any {
			inner := env
			ps := e.Params
			if len(ps) == 1 && ps[0].Kind == ast.PatList {
				ps = ps[0].Subs
			}
			for i, p := range ps {
				inner = pl.bind(p, args[i], inner)
			}
			return pl.eval(e.Body, inner)
		})
	}
	panic(errNoGo)
}

func (pl *player) evals(es []ast.Expr, env *bindings) []any {
	out := make([]any, len(es))
	for i, e := range es {
		out[i] = pl.eval(e, env)
	}
	return out
}

func arityOf(e *ast.Lambda) int {
	if len(e.Params) == 1 && e.Params[0].Kind == ast.PatList {
		return len(e.Params[0].Subs)
	}
	return len(e.Params)
}

// function is a Go function of so many values, and f of values. An index function results
// in a list.
type function struct {
	arity int
	list  bool
	f     func(args []any) any
}

func (pl *player) function(arity int, list bool, f func(args []any) any) function {
	return function{arity, list, f}
}

// goes is the function as an operand.
func (pl *player) goes(f function) any {
	if f.arity == 0 {
		panic(errNoGo)
	}
	value, out := reflect.TypeFor[define.Value](), reflect.TypeFor[define.Value]()
	if f.list {
		out = reflect.TypeFor[[]define.Value]()
	}
	t := reflect.FuncOf(slices.Repeat([]reflect.Type{value}, f.arity), []reflect.Type{out}, false)
	return reflect.MakeFunc(t, func(in []reflect.Value) []reflect.Value {
		args := make([]any, len(in))
		for i, x := range in {
			args[i] = x.Interface()
		}
		r := f.f(args)
		if !f.list {
			return []reflect.Value{reflect.ValueOf(pl.lift(r))}
		}
		ix := []define.Value{}
		for _, x := range r.([]any) {
			ix = append(ix, pl.lift(x))
		}
		return []reflect.Value{reflect.ValueOf(ix)}
	}).Interface()
}

// lift is a value of what may be a number, or a list.
func (pl *player) lift(x any) define.Value {
	switch x := x.(type) {
	case define.Value:
		return x
	case function:
		panic(errNoGo)
	}
	return pl.d.Value(x)
}

func (pl *player) value(e ast.Expr, env *bindings) define.Value { return pl.lift(pl.eval(e, env)) }

func (pl *player) method(name string, x ast.Expr, env *bindings, others ...ast.Expr) any {
	in := []reflect.Value{}
	for _, e := range others {
		in = append(in, reflect.ValueOf(pl.operand(pl.eval(e, env))))
	}
	return reflect.ValueOf(pl.value(x, env)).MethodByName(name).Call(in)[0].Interface()
}

func (pl *player) operand(x any) any {
	switch x := x.(type) {
	case function:
		return pl.goes(x)
	case []any:
		for i := range x {
			x[i] = pl.operand(x[i])
		}
	}
	return x
}

func (pl *player) bind(p ast.Pattern, v any, env *bindings) *bindings {
	switch p.Kind {
	case ast.PatName:
		if _, isFunction := v.(function); !isFunction {
			v = pl.lift(v) // a name is for one value
		}
		return &bindings{p.Name, v, env}
	case ast.PatTuple:
		for i, s := range p.Subs {
			env = pl.bind(s, pl.lift(v).Part(i), env)
		}
		return env
	case ast.PatWild:
		return env
	}
	panic(errNoGo)
}

func (pl *player) ident(name string, env *bindings) any {
	if v, ok := env.get(name); ok {
		return v
	}
	if d, err := pl.mod.Lookup(name); err == nil {
		n := len(d.Params)
		if n == 0 {
			return pl.d.Call(name)
		}
		return pl.function(n, false, func(args []any) any { return pl.d.Call(name, args...) })
	}
	switch name {
	case "inf":
		return math.Inf(1)
	case "nan":
		return math.NaN()
	}
	if o, _, ok := pl.sig.Form(name); ok && o.Arity > 0 {
		return pl.function(o.Arity, false, func(args []any) any { return pl.d.Call(name, args...) })
	}
	panic(errNoGo)
}

func (pl *player) call(e *ast.Call, env *bindings) any {
	id, ok := e.Fn.(*ast.Ident)
	if ok {
		if _, local := env.get(id.Name); !local {
			for _, a := range e.Args {
				if _, typ := a.(*ast.TypeArg); typ {
					panic(errNoGo)
				}
			}
			args := pl.evals(e.Args, env)
			_, form, _ := pl.sig.Form(id.Name)
			for i := range args {
				if f, ok := args[i].(function); ok && i < len(form) && form[i] == ops.FormIx {
					f.list = true
					args[i] = f
				}
				args[i] = pl.operand(args[i])
			}
			if f, ok := pl.eval0(e.Args[0], env); ok && len(args) == 1 && slices.Contains([]string{"grad", "jacobian", "hessian"}, id.Name) {
				return pl.function(f.arity, false, func(xs []any) any { return pl.d.Call(id.Name, append(args, xs...)...) })
			}
			if d, err := pl.mod.Lookup(id.Name); err == nil && len(args) < len(d.Params) {
				return pl.part(function{arity: len(d.Params), f: func(xs []any) any { return pl.d.Call(id.Name, xs...) }}, args)
			}
			return pl.d.Call(id.Name, args...)
		}
	}
	f, ok := pl.eval(e.Fn, env).(function)
	if !ok {
		panic(errNoGo)
	}
	return pl.part(f, pl.evals(e.Args, env))
}

// eval0 is the function that an expression is, if it is one.
func (pl *player) eval0(e ast.Expr, env *bindings) (function, bool) {
	switch e.(type) {
	case *ast.Ident, *ast.Lambda:
		f, ok := pl.eval(e, env).(function)
		return f, ok
	}
	return function{}, false
}

// part applies a function to some of its arguments.
func (pl *player) part(f function, args []any) any {
	switch {
	case len(args) == f.arity:
		return f.f(args)
	case len(args) > f.arity:
		g, ok := f.f(args[:f.arity]).(function)
		if !ok {
			panic(errNoGo)
		}
		return pl.part(g, args[f.arity:])
	}
	return function{f.arity - len(args), f.list, func(more []any) any { return f.f(slices.Concat(args, more)) }}
}

// same reports whether a definition and what was replayed of it are one program at the
// given sizes: one term, or no program of either.
func same(m *module.Module, name, again string, sizes map[string]int64) error {
	p, err1 := m.Instantiate(name, sizes)
	q, err2 := m.Instantiate(again, sizes)
	if err1 != nil || err2 != nil {
		if (err1 == nil) != (err2 == nil) {
			return fmt.Errorf("at %v: %v, and %v", sizes, err1, err2)
		}
		return nil
	}
	if !slices.EqualFunc(p.Inputs, q.Inputs, func(a, b term.Input) bool { return a.Name == b.Name && a.Type.Equal(b.Type) }) {
		return fmt.Errorf("inputs %v, and %v", p.Inputs, q.Inputs)
	}
	if !p.Store.Import(q.Store, q.Root, nil).Equal(p.Root) {
		return fmt.Errorf("at %v:\n%s, and\n%s", sizes, p.Text(name), q.Text(again))
	}
	return nil
}
