package module

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"egad/diag"
	"egad/internal/slice"
	"egad/slot"
	"egad/term"
	"egad/term/ast"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// DefInfo describes a definition of the user.
type DefInfo struct {
	Name  string
	Doc   string
	Src   *diag.Source
	Pos   diag.Pos
	Sizes []string
	// Equations of sizes are axes of length 0: see [DefInfo.Tell].
	Equations []size.Axis
	Params    []term.Input // without the parameters of type size
	At        []diag.Pos   // where the parameters are, in Src
	// Result is nil, and there are no parameters, of a functional definition whose types are
	// not those of arrays: see [DefInfo.Alone].
	Result *types.Type
	Own    *ast.Own // the derivative that it has of its own, if any
}

// Alone is an error if a definition cannot be run by itself, as arrays of unknown lengths, say,
// are not given it.
func (d DefInfo) Alone() error {
	if d.Result != nil {
		return nil
	}
	return diag.Errorf(d.Src, d.Pos, "%s takes or results in what no array is, and cannot be run by itself", d.Name)
}

// Lookup describes the definition called name, or the last one if name is "".
func (m *Module) Lookup(name string) (DefInfo, error) {
	d, err := m.lookup(name)
	if err != nil {
		return DefInfo{}, err
	}
	info := DefInfo{Name: d.Name, Doc: d.Doc, Src: d.Src, Pos: d.Pos, Sizes: slices.Clone(d.sizes), Result: d.result, Own: d.Own, Equations: d.equations()}
	for i, p := range d.Params[:len(d.params)] {
		if t := d.params[i]; t != nil {
			info.Params = append(info.Params, term.Input{Name: p.Name, Type: t})
			info.At = append(info.At, p.Pos)
		}
	}
	return info, nil
}

func (m *Module) lookup(name string) (*checkedDef, error) {
	if m == nil {
		return nil, errors.New("there is no module: Load and Parse make one")
	}
	if name == "" {
		if len(m.user) == 0 {
			return nil, fmt.Errorf("the program has no definition")
		}
		return m.all[len(m.all)-1], nil
	}
	d, ok := m.find(name, false)
	if !ok {
		return nil, fmt.Errorf("there is no definition %s%s", name, diag.DidYouMean(name, m.Defs()))
	}
	return d, nil
}

// maxCalls bounds the calls that are inlined in one instantiation.
const maxCalls = 200_000

// Instantiate makes a term of the definition called name at the given sizes
// (every size of the definition must be there). Inputs of function type cannot
// be given values, so such a definition has no instance.
func (m *Module) Instantiate(name string, sizes map[string]int64) (*term.Program, error) {
	d, err := m.lookup(name)
	if err != nil {
		return nil, err
	}
	var prog *term.Program
	err = overflow.Guard(func() (err error) {
		prog, err = m.instantiate(d, sizes)
		return err
	})
	if o, ok := err.(*overflow.Error); ok {
		err = diag.Errorf(d.Src, d.Pos, "%s: %s", d.Name, o.Msg)
	}
	if err != nil {
		return nil, err
	}
	return prog, nil
}

func (m *Module) instantiate(d *checkedDef, sizes map[string]int64) (*term.Program, error) {
	var errs diag.List
	sizes = tellMore(d.equations(), sizes)
	ctx := &context{src: d.Src, prelude: d.Prelude, sizes: make(map[string]size.Size)}
	var missing []string
	for _, s := range d.sizes {
		if _, ok := sizes[s]; !ok {
			missing = append(missing, s)
		}
	}
	if len(missing) > 0 {
		others := ""
		for _, s := range slices.Sorted(maps.Keys(sizes)) {
			if !slices.Contains(d.sizes, s) {
				others += fmt.Sprintf("; %s is no size of it", s)
			}
		}
		return nil, diag.Errorf(d.Src, d.Pos, "%s of %s without a value: %s (a size is given as n=10)%s",
			diag.Count(len(missing), "size"), d.Name, strings.Join(missing, ", "), others)
	}
	for _, s := range d.sizes {
		v := sizes[s]
		if v < 0 {
			return nil, diag.Errorf(d.Src, d.Pos, "the size %s of %s cannot be %d", s, d.Name, v)
		}
		ctx.sizes[s] = size.Const(v)
	}
	for _, s := range slices.Sorted(maps.Keys(sizes)) {
		if _, ok := ctx.sizes[s]; !ok {
			return nil, diag.Errorf(d.Src, d.Pos, "%s has no size %s%s", d.Name, s, diag.DidYouMean(s, d.sizes))
		}
	}
	for _, c := range d.where {
		if holds, _ := c.holds(ctx.sizes); !holds {
			return nil, diag.Errorf(d.Src, c.pos, "%s does not hold: %s", c, c.sides(ctx.sizes))
		}
	}
	if d.result == nil {
		return nil, DefInfo{Name: d.Name, Src: d.Src, Pos: d.Pos}.Alone()
	}
	if d.result.Kind == types.KFun {
		return nil, diag.Errorf(d.Src, d.Pos, "%s results in a function and cannot be run by itself", d.Name)
	}
	inputs, err := d.inputs(ctx.sizes)
	if err != nil {
		return nil, err
	}
	if d.functional {
		return m.lower(d, inputs, d.result.Subst(ctx.sizes), sizes)
	}
	el := newElaborator(m, term.NewStore(m.sig))
	prog := el.prog
	prog.Name, prog.Sizes, prog.Inputs = d.Name, sizes, inputs
	w := &walker[term.Term]{mod: m, dom: el, errs: &errs}
	s := &scope[term.Term]{ctx: ctx}
	for i, p := range d.Params {
		if d.params[i] != nil {
			s = s.bind(p.Name, el.input(inputs[0]), p.Pos)
			inputs = inputs[1:]
		}
	}
	if v := el.called(w, d, s); v != nil {
		prog.Root = el.term(v)
	}
	return prog, errs.Err()
}

// possible reports an input of which no array can be.
func (d *checkedDef) possible(in term.Input, pos diag.Pos, declared *types.Type) error {
	for _, leaf := range in.Leaves() {
		for _, size := range leaf.Type.Shape {
			if err := possible(size, pos); err != nil {
				return diag.Errorf(d.Src, pos, "%s: %s: %s", in.Name, declared, err.Msg)
			}
		}
		if _, _, err := types.ShapeOf(leaf.Type, types.DefaultMaxElements); err != nil {
			return diag.Errorf(d.Src, pos, "%s: %v", in.Name, err)
		}
	}
	return nil
}

// elaborator is the domain of terms.
type elaborator struct {
	prog  *term.Program
	elems map[*ast.Number]types.Elem // of literals
	memo  map[string]*val[term.Term] // results of calls
	calls int
	// owns are the definitions of which the own derivatives are computed: in those they
	// have none.
	owns []*checkedDef
	// Of functions that are differentiated: how deep they nest, and what was derived.
	nested   int
	programs map[string]*term.Program
	keeper   *keeper // of calls that are not inlined; nil if all are
	// from is where the text calls the definition of the prelude that is being inlined.
	from term.Place
}

// newElaborator makes what elaborates a program of m into terms of a store.
func newElaborator(m *Module, s *term.Store) *elaborator {
	return &elaborator{
		prog: &term.Program{
			Store: s, Names: make(map[uint32]term.Hint), Indices: make(map[uint32]term.Indexing), Index: new(term.IndexNames),
		},
		elems: m.elems, memo: make(map[string]*val[term.Term]), keeper: m.keeper,
	}
}

func (el *elaborator) input(in term.Input) *val[term.Term] {
	if in.Type.Kind != types.KTuple {
		v, _ := el.prune(el.prog.Store.Var(in.Name, in.Type), nil)
		return &val[term.Term]{v: v}
	}
	return &val[term.Term]{tuple: true, parts: slice.Map(in.Components(), el.input)}
}

// term turns a tuple value into a term.
func (el *elaborator) term(v *val[term.Term]) term.Term {
	if !v.tuple {
		return v.v
	}
	return el.prog.Store.Apply(ops.SymTuple, slice.Map(v.parts, el.term)...)
}

func (el *elaborator) typ(t term.Term) *types.Type { return el.prog.Store.Type(t) }

func (el *elaborator) unify() ops.Unifier { return ops.Equality{} }

func (el *elaborator) key(t term.Term) string { return term.TermKey(t) }

func (el *elaborator) fresh(n int) []slot.Name { return el.prog.Store.FreshN(n) }

func (el *elaborator) number(n *ast.Number) term.Term {
	return el.prog.Store.Lit(scalarOf(n, el.elems[n]))
}

func (el *elaborator) numbers(ns []*ast.Number, shape []size.Size) term.Term {
	return el.prog.Store.LitData(slice.Map(ns, func(n *ast.Number) ops.Scalar { return scalarOf(n, el.elems[ns[0]]) }), shape...)
}

// scalarOf is the element that a literal stands for.
func scalarOf(n *ast.Number, e types.Elem) ops.Scalar {
	if e == types.R {
		return ops.ScalarR(n.Num)
	}
	k, _ := n.Num.Int64()
	return ops.ScalarI(k)
}

func (el *elaborator) make(op ops.Op, own, binders []slot.Name, kids []term.Term) (term.Term, *ops.TypeError) {
	t, err := el.prog.Store.Make(op, own, binders, kids)
	if err != nil {
		return term.Term{}, err
	}
	return el.prune(t, kids)
}

// prune replaces a term with an empty axis, and what reads or reduces one, by
// its value: no axis of size 0 enters the e-graph.
func (el *elaborator) prune(t term.Term, kids []term.Term) (term.Term, *ops.TypeError) {
	s := el.prog.Store
	typ := s.Type(t)
	if op := s.Op(t); op.Sym == ops.SymStates && op.Sizes[0].IsConst(0) {
		return s.Parts(kids[0], func(x term.Term) term.Term { return s.Replicate(size.Const(1), x) }), nil
	}
	switch op := s.Op(t); op.Sym { // which need not be made of kids: a tuple of all components is the whole
	case ops.SymLapply:
		of := s.Open(t).Kids
		t = s.ApplyDense(of[0], of[1])
	case ops.SymProj:
		t = s.Proj(op.N, s.Open(t).Kids[0])
	}
	if typ.Kind != types.KArray {
		return t, nil
	}
	if _, _, err := types.ShapeOf(typ, types.MaxElements); err != nil {
		return term.Term{}, &ops.TypeError{Kid: -1, Msg: err.Error()}
	}
	if typ.HasEmptyAxis() {
		return s.Zeros(typ), nil
	}
	if len(kids) == 0 || s.Type(kids[0]).Kind != types.KArray || !s.Type(kids[0]).HasEmptyAxis() {
		return t, nil
	}
	if empty := s.Signature().Operator(s.Op(t).Sym).Empty; empty != nil {
		return s.Lit(empty(typ), typ.Shape...), nil
	}
	return t, nil
}

func (el *elaborator) named(t term.Term, name string, src *diag.Source, pos diag.Pos) term.Term {
	switch el.prog.Store.Op(t).Sym {
	case ops.SymVar, ops.SymIvar, ops.SymLocal, ops.SymConst, ops.SymIota:
		return t
	}
	h := el.hint(name, src, pos)
	if old, ok := el.prog.Names[t.ID]; !ok || h.Before(old) {
		el.prog.Names[t.ID] = h
	}
	return t
}

func (el *elaborator) indexed(t term.Term, src *diag.Source, at []diag.Pos) {
	if _, ok := el.prog.Indices[t.ID]; !ok && el.prog.Indices != nil && src.Name != "prelude.egad" {
		el.prog.Indices[t.ID] = term.Indexing{Src: src, At: at}
	}
}

func (el *elaborator) binder(name string, size size.Size, src *diag.Source, pos diag.Pos) {
	el.prog.Index.Add(size, el.hint(name, src, pos))
}

func (el *elaborator) hint(name string, src *diag.Source, pos diag.Pos) term.Hint {
	h := term.Hint{Name: name, Pos: pos}
	if src.Name == "prelude.egad" {
		h.Order = 1
	}
	return h
}

func (el *elaborator) apply(f *types.Type, args []*val[term.Term], src *diag.Source, at diag.Pos) *val[term.Term] {
	return nil // only a checker meets functions of which it knows the type alone
}

// result inlines a call.
func (el *elaborator) result(w *walker[term.Term], d *checkedDef, sizes map[string]size.Size, args []*val[term.Term], src *diag.Source, at diag.Pos) *val[term.Term] {
	if el.calls++; el.calls > maxCalls {
		w.errs.Add(src, at, "more than %d calls are inlined", maxCalls)
		return nil
	}
	key := callKey(w, d, sizes, args)
	if v, ok := el.memo[key]; ok {
		return v
	}
	if v, ok := el.kept(d, sizes, args); ok {
		el.memo[key] = v
		return v
	}
	s := &scope[term.Term]{ctx: &context{src: d.Src, prelude: d.Prelude, sizes: sizes}}
	for i, p := range d.Params {
		if d.params[i] != nil {
			s = w.bindPattern(ast.Pattern{Pos: p.Pos, Name: p.Name}, args[i], s)
		}
	}
	before, from := len(*w.errs), el.from
	if d.Prelude && from.Src == nil {
		el.from = term.Place{Src: src, Pos: at}
	}
	v := el.called(w, d, s)
	el.from = from
	for _, e := range (*w.errs)[before:] {
		line, _ := src.LineCol(at)
		if strings.Count(e.Msg, "; called from") < 5 {
			e.Msg += fmt.Sprintf("; called from %s:%d", src.Name, line)
		}
	}
	if v != nil {
		el.memo[key] = v
	}
	return v
}

// callKey names a call by its definition, sizes and arguments.
func callKey(w *walker[term.Term], d *checkedDef, sizes map[string]size.Size, args []*val[term.Term]) string {
	var b strings.Builder
	b.WriteString(d.Name)
	if d.Prelude {
		b.WriteByte('!') // a user's definition may have the same name
	}
	for _, s := range d.sizes {
		b.WriteString("," + sizes[s].Key())
	}
	for _, a := range args {
		if a != nil { // which it is for a parameter of type size
			b.WriteString(w.key(a))
		}
	}
	return b.String()
}

func (el *elaborator) placed(t term.Term, src *diag.Source, pos diag.Pos) {
	p := term.Place{Src: src, Pos: pos}
	if src.Name == "prelude.egad" && el.from.Src != nil {
		p = el.from
	}
	el.prog.Store.SetPlace(t, p)
}
