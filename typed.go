package egad

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"egad/data"
	"egad/internal/pool"
)

// FuncOf is a function of parameters that are a struct: it is differentiated with
// respect to the fields of P, and its gradient is a P. [For] makes one.
type FuncOf[P any] struct {
	f      *Func
	fields [][]int // by what is differentiated by: the index of its field in P
	calls  *pool.Pool[fields]
}

// For makes f a function of parameters that are a struct. An exported field stands for
// the input that its tag says, as
//
//	W []float64 `egad:"w"`
//
// or without a tag for the input of its name with a small first letter. It is a number, a
// slice or an array, a matrix or vector of gonum or a pointer to one, or a [Value], but
// no other pointer: a gradient has numbers of its own. A struct
// that is embedded is a group of fields, other structs are tuples. The tag "-"
// leaves a field out. What the fields are of is what is differentiated by, in their
// order: f must have been compiled without [Wrt].
func For[P any](f *Func) (*FuncOf[P], error) {
	if !f.made() {
		return nil, errNoFunc
	}
	t := reflect.TypeFor[P]()
	if t.Kind() != reflect.Struct {
		return nil, plain("parameters are a struct, and %s is none", t)
	}
	if f.opt.wrt != nil {
		return nil, plain("the fields of %s say what to differentiate with respect to, and Wrt is given too", t)
	}
	o := f.opt
	o.ad.Wrt = nil
	g := &FuncOf[P]{calls: new(pool.Pool[fields])}
	var err error
	if g.fields, err = g.find(t, nil, &o); err != nil {
		return nil, err
	}
	if len(g.fields) == 0 {
		return nil, plain("%s has no exported fields, which are what is differentiated by", t)
	}
	if g.f, err = f.m.compile(f.info.Name, o); err != nil {
		return nil, err
	}
	if err := g.try(t); err != nil {
		return nil, err
	}
	return g, nil
}

// find lists the fields of a struct and of groups in it. A field that looks as if it stood
// for an input, and cannot, is an error.
func (g *FuncOf[P]) find(t reflect.Type, path []int, o *options) (out [][]int, err error) {
	for i := range t.NumField() {
		field, at := t.Field(i), append(path[:len(path):len(path)], i)
		tag, tagged := field.Tag.Lookup("egad")
		switch {
		case !tagged && strings.Contains(string(field.Tag), "egad"):
			return nil, plain("the field %s of %s has the tag %s, which is no list of key:\"value\"", field.Name, t, field.Tag)
		case tag == "-":
		case !field.IsExported() && tagged:
			return nil, plain("the field %s of %s has the tag %q and is not exported", field.Name, t, tag)
		case field.Anonymous && tag == "" && field.Type.Kind() == reflect.Pointer && field.Type.Elem().Kind() == reflect.Struct:
			return nil, plain("the field %s of %s is a pointer that is embedded, and a group is a struct", field.Name, t)
		case field.Anonymous && tag == "" && field.Type.Kind() == reflect.Struct:
			group, err := g.find(field.Type, at, o)
			if err != nil {
				return nil, err
			}
			out = append(out, group...)
		case field.IsExported():
			if tag == "" {
				r, n := utf8.DecodeRuneInString(field.Name)
				tag = string(unicode.ToLower(r)) + field.Name[n:]
			}
			o.wrt = append(o.wrt, strings.TrimSpace(tag))
			out = append(out, at)
		}
	}
	return out, nil
}

// try looks whether the fields can hold what they stand for.
func (g *FuncOf[P]) try(t reflect.Type) error {
	for i, w := range g.f.wrt {
		if f := t.FieldByIndex(g.fields[i]); !w.takes(f.Type) {
			return g.f.errorf(w.pos, w.typ.String(), "the field %s of %s is %s, and stands for the %s: %s", f.Name, t, f.Type, w.what, w.typ)
		}
	}
	return nil
}

// takes reports whether fields of a type can hold what t is.
func (t *tree) takes(r reflect.Type) bool {
	if t.parts == nil || t.ofTuples() && (r.Kind() == reflect.Slice || r.Kind() == reflect.Array) {
		return t.takeColumns(r, len(t.path))
	}
	if r == reflect.TypeFor[Value]() {
		return true
	}
	if r.Kind() != reflect.Struct {
		return false
	}
	n := 0
	for i := range r.NumField() {
		if f := r.Field(i); f.IsExported() {
			if n == len(t.parts) || !t.parts[n].takes(f.Type) {
				return false
			}
			n++
		}
	}
	return n == len(t.parts)
}

// takeColumns is takes of a list of tuples, at the end of the first steps to t.
func (t *tree) takeColumns(r reflect.Type, from int) bool {
	if t.parts == nil {
		return data.Takes(r, t.typ.Elem, t.typ.Rank(), t.path[from:])
	}
	return !slices.ContainsFunc(t.parts, func(p *tree) bool { return !p.takeColumns(r, from) })
}

// Func is the function of inputs by name, whose derivatives are by the fields of P.
func (g *FuncOf[P]) Func() *Func {
	if g == nil {
		return nil
	}
	return g.f
}

// WithContext gives the function with another context for its calls: see
// [Func.WithContext].
func (g *FuncOf[P]) WithContext(ctx context.Context) *FuncOf[P] {
	if g == nil {
		return nil
	}
	with := *g
	with.f = g.f.WithContext(ctx)
	return &with
}

// fields are pointers to fields: of the parameters of a call, a direction, the gradient
// and its change.
type fields [4][]any

// fieldsOf are pointers to the fields of p, nil if that is nil.
func (g *FuncOf[P]) fieldsOf(p *P, to *[]any) []any {
	if p == nil {
		return nil
	}
	*to = (*to)[:0]
	v := reflect.ValueOf(p).Elem()
	for _, at := range g.fields {
		*to = append(*to, v.FieldByIndex(at).Addr().Interface())
	}
	return *to
}

// Value computes the definition for parameters and further inputs.
func (g *FuncOf[P]) Value(p P, in In) (*Value, error) {
	v := new(Value)
	_, err := g.run(&request{mode: modeValue, in: in, value: v}, &p, nil, nil, nil)
	if err != nil {
		return nil, err
	}
	return v, nil
}

// Grad computes a definition that results in a real scalar, and its gradient by the
// parameters: see [Func.Grad].
func (g *FuncOf[P]) Grad(p P, in In) (float64, P, error) {
	var grad P
	v, err := g.GradInto(&grad, &p, in)
	return v, grad, err
}

// GradInto is [FuncOf.Grad] with a place for the gradient. Slices that have another
// length are made.
func (g *FuncOf[P]) GradInto(grad, p *P, in In) (float64, error) {
	return g.run(&request{mode: modeGrad, in: in}, p, nil, grad, nil)
}

// JVP computes the definition, and how its value changes when the parameters move in a
// direction: see [Func.JVP].
func (g *FuncOf[P]) JVP(p, dir P, in In) (value, change *Value, err error) {
	value, change = new(Value), new(Value)
	_, err = g.run(&request{mode: modeJVP, in: in, value: value, moved: change}, &p, &dir, nil, nil)
	if err != nil {
		return nil, nil, err
	}
	return value, change, nil
}

// VJP computes the definition, and for a cotangent of its value that of the
// parameters: see [Func.VJP].
func (g *FuncOf[P]) VJP(p P, in In, ct any) (value *Value, cotangent P, err error) {
	value = new(Value)
	_, err = g.run(&request{mode: modeVJP, in: in, ct: ct, value: value}, &p, nil, &cotangent, nil)
	return value, cotangent, err
}

// HVP computes a definition that results in a real scalar, its gradient, and how the
// gradient changes when the parameters move in a direction: see [Func.HVP].
func (g *FuncOf[P]) HVP(p, dir P, in In) (value float64, grad, change P, err error) {
	value, err = g.HVPInto(&grad, &change, &p, &dir, in)
	return value, grad, change, err
}

// HVPInto is [FuncOf.HVP] with places for the gradient and its change.
func (g *FuncOf[P]) HVPInto(grad, change, p, dir *P, in In) (float64, error) {
	return g.run(&request{mode: modeHVP, in: in}, p, dir, grad, change)
}

// run is [Func.run] with parameters, a direction, and places of derivatives, which may
// be nil but for the parameters.
func (g *FuncOf[P]) run(r *request, p, dir, grad, change *P) (float64, error) {
	if g == nil || g.f == nil {
		return 0, errNoFunc
	}
	if p == nil {
		return 0, plain("the parameters of %s are nil", g.f.info.Name)
	}
	c := g.calls.Take()
	if c == nil {
		c = new(fields)
	}
	r.own = g.fieldsOf(p, &c[0])
	r.dirs = g.fieldsOf(dir, &c[1])
	r.to = g.fieldsOf(grad, &c[2])
	r.change = g.fieldsOf(change, &c[3])
	v, err := g.f.run(r)
	for i := range c {
		clear(c[i])
	}
	g.calls.Give(c)
	return v, err
}
