package fun

import (
	"egad/diag"
	"egad/term/ast"
)

// program is a definition with its parameters as inputs, and the definitions that it calls
// bound by lets. The error has all findings in it and them.
func (ds *definitions) program(d *ast.Def) (*Program, error) {
	main := ds.body(d)
	var order []*definition
	state := make(map[*definition]int)
	var errs diag.List
	var visit func(x *definition)
	visit = func(x *definition) {
		const visiting, visited = 1, 2
		switch state[x] {
		case visiting:
			errs.Add(x.def.Src, x.def.Pos, "%s and another definition call each other; one may call itself only", x.def.Name)
			return
		case visited:
			return
		}
		state[x] = visiting
		errs = append(errs, x.errs...)
		for _, c := range x.calls {
			visit(ds.body(c))
		}
		state[x] = visited
		order = append(order, x)
	}
	visit(main)
	if err := errs.Err(); err != nil {
		return nil, err
	}
	out := &Program{}
	in := ds.inference(main)
	t := main.typ
	for _, p := range d.Params {
		out.Names = append(out.Names, p.Name)
		out.Context = append(out.Context, in.pairs(t.Parts[0]))
		t = t.Parts[1]
	}
	out.Result = in.pairs(t)

	level := make(map[string]int)
	n := len(d.Params)
	bind := order[:len(order)-1]
	body := main.term
	if recursive := body.Form == openRec; recursive {
		bind = order
		body = &Term{Form: global, Name: []string{key(d)}}
		for i := range d.Params {
			body = App.Make(body, V(n-1-i+len(bind)))
		}
	} else {
		for range d.Params {
			body = body.Kids[0]
		}
		body = body.Shift(len(bind), 0)
	}
	for i, x := range bind {
		level[key(x.def)] = n + i
	}
	body = linked(body, n+len(bind), level)
	for i := len(bind) - 1; i >= 0; i-- {
		body = LetIn(linked(bind[i].term, n+i, level), body).Named(bind[i].def.Name)
	}
	out.Body = body
	return out, nil
}

// key tells definitions apart: what a text defines hides one of the prelude from itself only.
func key(d *ast.Def) string {
	if d.Prelude {
		return "prelude " + d.Name
	}
	return d.Name
}

// linked is a term with definitions as variables, and functions as closures. Depth is how
// many variables there are around it.
func linked(t *Term, depth int, level map[string]int) *Term {
	switch t.Form {
	case Var:
		return t
	case global:
		return V(depth - 1 - level[t.Name[0]])
	case open:
		return Closure(t.Type, linked(t.Kids[0], depth+1, level)).Named(t.Name...).placed(t.Src, t.Pos)
	case openRec:
		return Recursive(t.Type, linked(t.Kids[0], depth+2, level)).Named(t.Name...).placed(t.Src, t.Pos)
	}
	out := *t
	out.mapKids(func(k int, kid *Term) *Term { return linked(kid, depth+t.Form.binding(k), level) })
	return &out
}
