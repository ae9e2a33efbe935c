package fun

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"egad/diag"
	"egad/term"
	"egad/term/ast"
	"egad/term/module"
	"egad/term/numeric"
	"egad/term/ops"
)

// definitions are those of a module, typed as functional programs when they are asked for.
type definitions struct {
	mu   sync.Mutex
	sig  *term.Signature
	mod  term.Definitions
	done map[*ast.Def]*definition
}

// definition is one that has been typed.
type definition struct {
	def   *ast.Def
	typ   *Type // nil if its signature is not one
	term  *Term // with definitions by their names
	calls []*ast.Def
	errs  diag.List
	typed bool // the body too
}

func (ds *definitions) operator(name string) *ops.Operator {
	if o, ok := ds.sig.Lookup(name); ok && o.Elementwise && o.Declared == nil {
		return o
	}
	return nil
}

// ofArrays reports whether a name is that of a function of the array language.
func (ds *definitions) ofArrays(name string) bool {
	_, ok := ds.sig.Lookup(name)
	return ok || slices.ContainsFunc(module.Generals, func(g *module.General) bool { return g.Name == name })
}

// names are those in reach, for messages.
func (ds *definitions) names(s *scope) []string {
	out := ds.mod.Defs()
	for ; s != nil; s = s.parent {
		out = append(out, s.name)
	}
	out = slices.AppendSeq(out, maps.Keys(builtins))
	slices.Sort(out)
	return out
}

// declared reads the signature of a definition.
func (ds *definitions) declared(d *ast.Def) *definition {
	if known, ok := ds.done[d]; ok {
		return known
	}
	out := &definition{def: d}
	ds.done[d] = out
	in := ds.inference(out)
	t := in.typeOf(d.Result)
	for _, p := range slices.Backward(d.Params) {
		t = Fun(in.param(p), t)
	}
	if !in.stop {
		out.typ = t
	}
	return out
}

func (in *inference) param(p ast.Param) *Type {
	if p.Type.Kind == ast.TyName && p.Type.Name == "size" && len(p.Type.Sizes) == 0 {
		return Int
	}
	return in.typeOf(p.Type)
}

func (ds *definitions) inference(d *definition) *inference {
	return &inference{defs: ds, src: d.def.Src, errs: &d.errs, def: d.def,
		bound: make(map[*Type]*Type), among: make(map[*Type]choice)}
}

// body types the body of a definition.
func (ds *definitions) body(d *ast.Def) *definition {
	out := ds.declared(d)
	if out.typed || out.typ == nil {
		return out
	}
	out.typed = true
	in := ds.inference(out)
	if d.Own != nil {
		in.fail(d.Own.Pos, "a functional program has no derivative of its own")
	}
	recursive := slices.Contains(ast.FreeNames(d.Body), d.Name) && ds.mod.Find(d.Name, d) == d &&
		!slices.ContainsFunc(d.Params, func(p ast.Param) bool { return p.Name == d.Name })
	var s *scope
	if recursive {
		if len(d.Params) == 0 {
			in.fail(d.Pos, "%s calls itself and has no parameter", d.Name)
			return out
		}
		s = s.bind(d.Name, out.typ)
	}
	t := out.typ
	for _, p := range d.Params {
		s = s.bind(p.Name, t.Parts[0])
		t = t.Parts[1]
	}
	var sizes []*Term
	for _, z := range d.Sizes {
		x := in.size(z.Name, s)
		if x == nil {
			in.fail(z.At(), "the size %s is no axis of a parameter, so that its value is not known", z.Name)
			return out
		}
		sizes = append(sizes, LetIn(x, nil).Named(z.Name))
		s = s.bind(z.Name, Int)
	}
	body := within(sizes, in.check(d.Body, s, t, "the result of "+d.Name))
	t = out.typ
	types := make([]*Type, len(d.Params))
	for i := range d.Params {
		types[i], t = t, t.Parts[1]
	}
	for i := len(d.Params) - 1; i >= 0; i-- {
		if i == 0 && recursive {
			body = openRec.Typed(types[0], body).Named(d.Name, d.Params[0].Name)
		} else {
			body = open.Typed(types[i].Parts[0], body).Named(d.Params[i].Name)
		}
	}
	in.settle()
	if !in.stop {
		out.term, out.calls = in.settled(body.placed(d.Src, d.Pos)), in.calls
	}
	return out
}

// size is what a size is: the length of the first array among the parameters that has such an
// axis.
func (in *inference) size(name string, s *scope) *Term {
	var path func(t ast.TypeExpr, at *Term, typ *Type) *Term
	path = func(t ast.TypeExpr, at *Term, typ *Type) *Term {
		for _, e := range t.Sizes {
			if e != nil && ast.IsIdent(e, name) {
				return Length.Make(at)
			}
			at, typ = Index.Typed(typ.Parts[0], at, Literal(numeric.Int(0), Int)), typ.Parts[0]
		}
		if t.Kind == ast.TyTuple && len(t.Parts) > 1 {
			for i, p := range t.Parts {
				if x := path(p, Component(at, i, len(t.Parts)), typ.Parts[i]); x != nil {
					return x
				}
			}
		}
		return nil
	}
	for _, p := range in.def.Params {
		v := s.find(p.Name)
		if x := path(p.Type, V(s.depth()-1-v.level), v.typ); x != nil {
			return x
		}
	}
	return nil
}

// refusal says why a definition is not part of functional programs.
func (ds *definitions) refusal(d *ast.Def) string {
	errs := ds.body(d).errs
	if len(errs) == 0 {
		return fmt.Sprintf("%s is not part of functional programs", d.Name)
	}
	return fmt.Sprintf("%s is not part of functional programs: %s", d.Name, errs[0].Msg)
}
