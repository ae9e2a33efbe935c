package term

import (
	"egad/term/ast"
	"egad/term/ops"
)

// Surface finds the operator that a name in function position means.
func (g *Signature) Surface(name string) (o *ops.Operator, ok bool) {
	o, ok = g.Lookup(name)
	if !ok || o.Hidden {
		return nil, false
	}
	return o, true
}

// Form tells how the arguments of the function called name are read, and what
// operator it is; ok is false if there is no such built-in function.
func (g *Signature) Form(name string) (o *ops.Operator, form []ops.FormArg, ok bool) {
	if o, ok = g.Surface(name); !ok {
		if name != ops.Builtin(ops.SymProj).Name { // which programs write t.0
			return nil, nil, false
		}
		o = ops.Builtin(ops.SymProj)
	}
	return o, o.Form(), true
}

// Called returns the operator that a call of a built-in function is one of, and its
// arguments: of lmap sum @R[3] the map of sum and the type. O is nil if
// there is none.
func (g *Signature) Called(e *ast.Call) (o *ops.Operator, args []ast.Expr) {
	id, ok := e.Fn.(*ast.Ident)
	if !ok {
		return nil, nil
	}
	name, args := id.Name, e.Args
	if name == ops.Lmap && len(args) > 0 {
		of, ok := args[0].(*ast.Ident)
		if !ok {
			return nil, nil
		}
		name, args = ops.MapName(of.Name), args[1:]
	}
	o, _, _ = g.Form(name)
	return o, args
}
