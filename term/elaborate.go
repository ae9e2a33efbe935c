package term

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"egad/diag"
	"egad/internal/memo"
	"egad/internal/slice"
	"egad/slot"
	"egad/term/ast"
)

// Program is one definition at known sizes: calls are inlined, scalars are
// replicated where arrays are needed, and no subterm has an axis of size 0.
type Program struct {
	Store  *Store
	Name   string
	Inputs []Input
	Root   Term
	// Result is the type of the result as its definition declares it, if that has sums.
	Result *Type
	// Names are the names that lets and parameters gave to nodes. A named node
	// is an atom: somebody thought it worth a name.
	Names map[uint32]Hint
	// Index names the index variables that range over a size.
	Index *IndexNames
	Sizes map[string]int64
	// Indices tells where the text has the indices of nodes: see [CheckIndices].
	Indices map[uint32]Indexing
}

// ResultText is the type of the result as the program writes it.
func (p *Program) ResultText() string {
	if p.Result != nil {
		return p.Result.Written()
	}
	return p.Store.Type(p.Root).Written()
}

// Made returns an error if p is nil or was not made: the zero value is no program.
func (p *Program) Made() error {
	if p == nil || p.Store == nil || p.Root.ID == 0 || int(p.Root.ID) >= len(p.Store.nodes) {
		return errors.New("there is no program: Module.Instantiate and the derivations make one")
	}
	return nil
}

// HasLoops reports whether there is a loop in the program.
func (p *Program) HasLoops() bool {
	return p.Store.Contains(p.Root, func(t Term) bool { return p.Store.Op(t).Sym == SymStates })
}

// HasCalls reports whether there are calls in the program that are kept.
func (p *Program) HasCalls() bool {
	return p.Store.Contains(p.Root, func(t Term) bool { return p.Store.Signature().Operator(p.Store.Op(t).Sym).Call })
}

// HasMaps reports whether there are linear maps in the program.
func (p *Program) HasMaps() bool {
	return p.Store.Contains(p.Root, func(t Term) bool { return p.Store.Type(t).has(KLin) })
}

// AppliesMaps reports whether there are linear maps in the program and all that is
// done with them is to apply them: none is an input, in the result, or an operand
// of lreached.
func (p *Program) AppliesMaps() bool {
	if !p.HasMaps() || p.Store.Type(p.Root).has(KLin) || slices.ContainsFunc(p.Inputs, func(in Input) bool { return in.Type.has(KLin) }) {
		return false
	}
	return !p.Store.Contains(p.Root, func(t Term) bool { return p.Store.Op(t).Sym == SymLreached })
}

// Clone returns p in a store of its own: what is done to it does not change p.
func (p *Program) Clone() *Program {
	q := *p
	q.Store = p.Store.Clone()
	return &q
}

// Input is a parameter of a program. The leaves of a tuple x are the named
// inputs x.0, x.1, ….
type Input struct {
	Name string
	Type *Type
}

// Hint is a name from the source, with its position for choosing among several.
type Hint struct {
	Name  string
	Order int // 0 for the user's files, 1 for the prelude
	Pos   diag.Pos
}

// Before reports whether h is preferred to g: by source position, the user's
// names before those of the prelude.
func (h Hint) Before(g Hint) bool {
	if (h.Name == "") != (g.Name == "") {
		return h.Name != "" // an atom without a name of its own comes last
	}
	if h.Order != g.Order {
		return h.Order < g.Order
	}
	if h.Pos != g.Pos {
		return h.Pos < g.Pos
	}
	return h.Name < g.Name
}

// IndexNames remembers what the source called index variables, by range.
type IndexNames struct {
	byRange map[string][]Hint // the preferred first
}

// maxIndexNames bounds the names that are kept for one range.
const maxIndexNames = 20

// Names lists the names for variables that range over size, the preferred first.
func (n *IndexNames) Names(size Size) []string {
	if n == nil {
		return nil
	}
	return slice.Map(n.byRange[size.Key()], func(h Hint) string { return h.Name })
}

// Add adds a name for variables that range over size.
func (n *IndexNames) Add(size Size, h Hint) {
	key := size.Key()
	hints := n.byRange[key]
	if i := slices.IndexFunc(hints, func(g Hint) bool { return g.Name == h.Name }); i >= 0 {
		if !h.Before(hints[i]) {
			return
		}
		hints = slices.Delete(hints, i, i+1)
	}
	i := slices.IndexFunc(hints, h.Before)
	if i < 0 {
		i = len(hints)
	}
	hints = slices.Insert(hints, i, h)
	memo.Set(&n.byRange, key, hints[:min(len(hints), maxIndexNames)])
}

// Leaves lists the named inputs an input stands for, with their types.
func (in Input) Leaves() []Input {
	if in.Type.Kind != KTuple {
		return []Input{in}
	}
	return Leaves(in.Components())
}

// Leaves lists the leaves of all of some inputs.
func Leaves(ins []Input) []Input {
	var out []Input
	for _, in := range ins {
		out = append(out, in.Leaves()...)
	}
	return out
}

// Components returns the parts of a tuple x, as inputs x.0, x.1, …
func (in Input) Components() []Input {
	return slice.Make(len(in.Type.Parts), func(i int) Input { return Input{fmt.Sprintf("%s.%d", in.Name, i), in.Type.Parts[i]} })
}

// Def describes a definition of the user.
type DefInfo struct {
	Name  string
	Doc   string
	Src   *diag.Source
	Pos   diag.Pos
	Sizes []string
	// Equations of sizes are axes of length 0: see [DefInfo.Tell].
	Equations []Axis
	Params    []Input    // without the parameters of type size
	At        []diag.Pos // where the parameters are, in Src
	// Result is nil, and there are no parameters, of a functional definition whose types are
	// not those of arrays: see [DefInfo.Alone].
	Result *Type
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
			info.Params = append(info.Params, Input{p.Name, t})
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
func (m *Module) Instantiate(name string, sizes map[string]int64) (*Program, error) {
	d, err := m.lookup(name)
	if err != nil {
		return nil, err
	}
	var prog *Program
	err = Guard(func() (err error) {
		prog, err = m.instantiate(d, sizes)
		return err
	})
	if o, ok := err.(*Overflow); ok {
		err = diag.Errorf(d.Src, d.Pos, "%s: %s", d.Name, o.Msg)
	}
	if err != nil {
		return nil, err
	}
	return prog, nil
}

func (m *Module) instantiate(d *checkedDef, sizes map[string]int64) (*Program, error) {
	var errs diag.List
	sizes = tellMore(d.equations(), sizes)
	ctx := &context{src: d.Src, prelude: d.Prelude, sizes: make(map[string]Size)}
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
		ctx.sizes[s] = SizeConst(v)
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
	if d.result.Kind == KFun {
		return nil, diag.Errorf(d.Src, d.Pos, "%s results in a function and cannot be run by itself", d.Name)
	}
	inputs, err := d.inputs(ctx.sizes)
	if err != nil {
		return nil, err
	}
	if d.functional {
		return m.lower(d, inputs, d.result.Subst(ctx.sizes), sizes)
	}
	el := newElaborator(m, NewStore(m.sig))
	prog := el.prog
	prog.Name, prog.Sizes, prog.Inputs = d.Name, sizes, inputs
	w := &walker[Term]{mod: m, dom: el, errs: &errs}
	s := &scope[Term]{ctx: ctx}
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
func (d *checkedDef) possible(in Input, pos diag.Pos, declared *Type) error {
	for _, leaf := range in.Leaves() {
		for _, size := range leaf.Type.Shape {
			if err := possible(size, pos); err != nil {
				return diag.Errorf(d.Src, pos, "%s: %s: %s", in.Name, declared, err.Msg)
			}
		}
		if _, _, err := ShapeOf(leaf.Type, DefaultMaxElements); err != nil {
			return diag.Errorf(d.Src, pos, "%s: %v", in.Name, err)
		}
	}
	return nil
}

// elaborator is the domain of terms.
type elaborator struct {
	prog  *Program
	elems map[*ast.Number]Elem  // of literals
	memo  map[string]*val[Term] // results of calls
	calls int
	// owns are the definitions of which the own derivatives are computed: in those they
	// have none.
	owns []*checkedDef
	// Of functions that are differentiated: how deep they nest, and what was derived.
	nested   int
	programs map[string]*Program
	keeper   *keeper // of calls that are not inlined; nil if all are
	// from is where the text calls the definition of the prelude that is being inlined.
	from Place
}

// newElaborator makes what elaborates a program of m into terms of a store.
func newElaborator(m *Module, s *Store) *elaborator {
	return &elaborator{
		prog: &Program{
			Store: s, Names: make(map[uint32]Hint), Indices: make(map[uint32]Indexing), Index: new(IndexNames),
		},
		elems: m.elems, memo: make(map[string]*val[Term]), keeper: m.keeper,
	}
}

func (el *elaborator) input(in Input) *val[Term] {
	if in.Type.Kind != KTuple {
		v, _ := el.prune(el.prog.Store.Var(in.Name, in.Type), nil)
		return &val[Term]{v: v}
	}
	return &val[Term]{tuple: true, parts: slice.Map(in.Components(), el.input)}
}

// term turns a tuple value into a term.
func (el *elaborator) term(v *val[Term]) Term {
	if !v.tuple {
		return v.v
	}
	return el.prog.Store.Apply(SymTuple, slice.Map(v.parts, el.term)...)
}

func (el *elaborator) typ(t Term) *Type { return el.prog.Store.Type(t) }

func (el *elaborator) unify() Unifier { return Equality{} }

func (el *elaborator) key(t Term) string { return TermKey(t) }

func (el *elaborator) fresh(n int) []slot.Name { return el.prog.Store.FreshN(n) }

func (el *elaborator) number(n *ast.Number) Term { return el.prog.Store.Lit(scalarOf(n, el.elems[n])) }

func (el *elaborator) numbers(ns []*ast.Number, shape []Size) Term {
	return el.prog.Store.LitData(slice.Map(ns, func(n *ast.Number) Scalar { return scalarOf(n, el.elems[ns[0]]) }), shape...)
}

// scalarOf is the element that a literal stands for.
func scalarOf(n *ast.Number, e Elem) Scalar {
	if e == R {
		return ScalarR(n.Num)
	}
	k, _ := n.Num.Int64()
	return ScalarI(k)
}

func (el *elaborator) make(op Op, own, binders []slot.Name, kids []Term) (Term, *TypeError) {
	t, err := el.prog.Store.Make(op, own, binders, kids)
	if err != nil {
		return Term{}, err
	}
	return el.prune(t, kids)
}

// prune replaces a term with an empty axis, and what reads or reduces one, by
// its value: no axis of size 0 enters the e-graph.
func (el *elaborator) prune(t Term, kids []Term) (Term, *TypeError) {
	s := el.prog.Store
	typ := s.Type(t)
	if op := s.Op(t); op.Sym == SymStates && op.Sizes[0].IsConst(0) {
		return s.Parts(kids[0], func(x Term) Term { return s.Replicate(SizeConst(1), x) }), nil
	}
	switch op := s.Op(t); op.Sym { // which need not be made of kids: a tuple of all components is the whole
	case SymLapply:
		of := s.Open(t).Kids
		t = s.ApplyDense(of[0], of[1])
	case SymProj:
		t = s.Proj(op.N, s.Open(t).Kids[0])
	}
	if typ.Kind != KArray {
		return t, nil
	}
	limit := int64(DefaultMaxElements)
	if s.AreStates(t) {
		limit = MaxElements
	}
	if _, _, err := ShapeOf(typ, limit); err != nil {
		return Term{}, &TypeError{-1, err.Error()}
	}
	if typ.HasEmptyAxis() {
		return s.Zeros(typ), nil
	}
	if len(kids) == 0 || s.Type(kids[0]).Kind != KArray || !s.Type(kids[0]).HasEmptyAxis() {
		return t, nil
	}
	if empty := s.Signature().Operator(s.Op(t).Sym).empty; empty != nil {
		return s.Lit(empty(typ), typ.Shape...), nil
	}
	return t, nil
}

func (el *elaborator) named(t Term, name string, src *diag.Source, pos diag.Pos) Term {
	switch el.prog.Store.Op(t).Sym {
	case SymVar, SymIvar, SymLocal, SymConst, SymIota:
		return t
	}
	h := el.hint(name, src, pos)
	if old, ok := el.prog.Names[t.ID]; !ok || h.Before(old) {
		el.prog.Names[t.ID] = h
	}
	return t
}

func (el *elaborator) indexed(t Term, src *diag.Source, at []diag.Pos) {
	if _, ok := el.prog.Indices[t.ID]; !ok && el.prog.Indices != nil && src.Name != "prelude.egad" {
		el.prog.Indices[t.ID] = Indexing{src, at}
	}
}

func (el *elaborator) binder(name string, size Size, src *diag.Source, pos diag.Pos) {
	el.prog.Index.Add(size, el.hint(name, src, pos))
}

func (el *elaborator) hint(name string, src *diag.Source, pos diag.Pos) Hint {
	h := Hint{Name: name, Pos: pos}
	if src.Name == "prelude.egad" {
		h.Order = 1
	}
	return h
}

func (el *elaborator) apply(f *Type, args []*val[Term], src *diag.Source, at diag.Pos) *val[Term] {
	return nil // only a checker meets functions of which it knows the type alone
}

// result inlines a call.
func (el *elaborator) result(w *walker[Term], d *checkedDef, sizes map[string]Size, args []*val[Term], src *diag.Source, at diag.Pos) *val[Term] {
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
	s := &scope[Term]{ctx: &context{src: d.Src, prelude: d.Prelude, sizes: sizes}}
	for i, p := range d.Params {
		if d.params[i] != nil {
			s = w.bindPattern(ast.Pattern{Pos: p.Pos, Name: p.Name}, args[i], s)
		}
	}
	before, from := len(*w.errs), el.from
	if d.Prelude && from.Src == nil {
		el.from = Place{src, at}
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
func callKey(w *walker[Term], d *checkedDef, sizes map[string]Size, args []*val[Term]) string {
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

func (el *elaborator) placed(t Term, src *diag.Source, pos diag.Pos) {
	p := Place{src, pos}
	if src.Name == "prelude.egad" && el.from.Src != nil {
		p = el.from
	}
	el.prog.Store.SetPlace(t, p)
}

// NewHint returns a name for a node of a program that has no text; order decides
// between several.
func NewHint(name string, order int) Hint { return Hint{Name: name, Pos: diag.Pos(order)} }
