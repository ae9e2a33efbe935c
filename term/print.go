package term

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"egad/internal/memo"
	"egad/internal/slice"
	"egad/slot"
	"egad/term/ast"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// Printer prints terms as text that parses back to the same term.
type Printer struct {
	Store *Store
	Names map[uint32]Hint // names of nodes; may be nil
	Index *IndexNames     // names of index variables; may be nil
	// ANF asks for A-normal form: every subterm that is not a variable or a
	// literal has a let, but for the results of bodies and index functions.
	ANF bool
	// Tree asks for lets of what has a name in Names and nothing else, but where an
	// expression would have more than a thousand parts.
	Tree bool
	// Literals are printed by their names; may be nil.
	Literals *Literals
	// Free names the free index variables of terms that are not closed.
	Free map[slot.Name]string

	integers *polynomials
	used     NameSet
	called   map[string]bool     // the operators of the term, by name
	inputs   map[string]string   // what inputs are called that have such a name
	index    map[string][]string // what the variables of a range are called so far
	lets     map[*Instance]string
	made     map[uint32]string // names that the printer gave to nodes
	vars     map[slot.Name]string
	weight   map[*Instance]int
	count    int
}

// maxWeight is how large an expression may be before a part of it gets a name
// of its own, for the reader.
const maxWeight = 40

// maxWritten is how large it may be if common subterms have no names.
const maxWritten = 200

// Def prints a definition with the given parameters and body.
func (p *Printer) Def(name string, inputs []Input, body Term) string {
	var b strings.Builder
	text := p.Term(body, inputs...)
	params := slice.Map(inputs, func(in Input) string { return p.input(in.Name) + ": " + in.Type.String() })
	if p.called[name] {
		name = p.used.Like(name)
	}
	fmt.Fprintf(&b, "def %s", name)
	if len(params) > 0 {
		fmt.Fprintf(&b, "(%s)", strings.Join(params, ", "))
	}
	fmt.Fprintf(&b, ": %s =", p.Store.Type(body))
	if len(text) < 60 && !strings.Contains(text, "\n") {
		b.WriteString(" " + text + "\n")
	} else {
		b.WriteString("\n  " + strings.ReplaceAll(text, "\n", "\n  ") + "\n")
	}
	return b.String()
}

// Term prints a term, with lets for what is shared or has a name. The names of
// inputs and of free index variables are not used for anything else.
func (p *Printer) Term(t Term, inputs ...Input) string {
	p.used = p.Store.sig.Words()
	p.index = make(map[string][]string)
	p.lets = make(map[*Instance]string)
	p.made = make(map[uint32]string)
	p.vars = make(map[slot.Name]string)
	p.weight = make(map[*Instance]int)
	p.count = 0
	for _, in := range inputs {
		p.used.Use(in.Name)
	}
	if p.Literals != nil {
		for _, name := range p.Literals.names {
			p.used.Use(name)
		}
	}
	for n, name := range p.Free {
		p.vars[n] = name
		p.used.Use(name)
	}
	p.called, p.inputs = make(map[string]bool), make(map[string]string)
	p.Store.Walk(t, func(u Term) {
		if op := p.Store.Op(u); op.Sym == ops.SymVar {
			name, _, _ := strings.Cut(op.Name, ".")
			p.used.Use(name)
		} else if o := p.Store.sig.Operator(op.Sym); !o.Hidden && o.Infix == "" {
			p.called[o.Name] = true
		}
	})
	root, top := PlaceLets(p.Store, t, p.keep)
	return p.scope(top, root, 0)
}

// input is what an input is called: if there is a call of a built-in function of its
// name, like it.
func (p *Printer) input(name string) string {
	base, part, tuple := strings.Cut(name, ".")
	if !p.called[base] {
		return name
	}
	if p.inputs[base] == "" {
		p.inputs[base] = p.used.Like(base)
	}
	if tuple {
		return p.inputs[base] + "." + part
	}
	return p.inputs[base]
}

// NameFree gives the index variables that are free in t names, i1, i2, …, where
// they have none.
func (p *Printer) NameFree(t Term) {
	if p.Free == nil {
		p.Free = make(map[slot.Name]string)
	}
	for _, n := range t.Args {
		if p.Free[n] == "" {
			p.Free[n] = fmt.Sprintf("i%d", len(p.Free)+1)
		}
	}
}

// NameBound gives a variable that is bound around the terms that are printed a name such as the
// printer gives to those that it binds. The names of inputs are not used.
func (p *Printer) NameBound(n slot.Name, v ops.VarType, inputs ...Input) {
	used := p.Store.sig.Words()
	for _, in := range inputs {
		used.Use(in.Name)
	}
	for _, name := range p.Free {
		used.Use(name)
	}
	memo.Set(&p.Free, n, used.variable(v))
}

// keep decides which instances get a let: what is used twice, what had a name
// in the source, and what would make a line too long. It decides alike for all
// instances of a node, as names are those of nodes: whoever reads the text gives
// names where there are lets.
func (p *Printer) keep(in *Instance) bool {
	w := 1
	for _, k := range in.Kids {
		w += p.weight[k]
	}
	let := false
	switch {
	case in.Leaf():
		let = in.Most > 1 && isLong(in.View.Op) && p.Literals == nil
	case p.ANF:
		let = !in.Tail || in.Most > 1 || p.Names[in.Term.ID].Name != ""
	case p.Tree:
		let = p.Names[in.Term.ID].Name != "" || w > maxWritten
	case p.isArithmetic(in):
		// 6 - 1 reads better than a name for it.
	case p.isElement(in):
		// a[i] reads better than a name for it.
		let = w > maxWeight/2
	case p.scalarReplica(in) != nil && p.Names[in.Term.ID].Name == "":
		// It is printed as the scalar where the shape is clear, which is no
		// longer than a name if the scalar has one.
		let = in.Most > 1 && p.weight[p.scalarReplica(in)] > 1
	default:
		let = in.Most > 1 && !(in.Tail && in.Uses == 1) || p.Names[in.Term.ID].Name != "" || w > maxWeight
	}
	if let {
		w = 1
	}
	p.weight[in] = w
	return let
}

// isArithmetic reports whether in is an integer made of literals.
func (p *Printer) isArithmetic(in *Instance) bool {
	return p.Store.Type(in.Term).IsScalar(types.I) && p.Names[in.Term.ID].Name == "" &&
		!slices.ContainsFunc(in.View.Kids, func(k Term) bool { return p.Store.Op(k).Sym != ops.SymConst })
}

// isElement reports whether in reads an element of something that has a name.
func (p *Printer) isElement(in *Instance) bool {
	if in.View.Op.Sym != ops.SymIndex || in.Kids[0].View.Op.Sym != ops.SymVar {
		return false
	}
	return !slices.ContainsFunc(in.Kids[1:], func(k *Instance) bool { return !k.Leaf() })
}

// scalarReplica returns the scalar under a nest of replicates, or nil.
func (p *Printer) scalarReplica(in *Instance) *Instance {
	for in.View.Op.Sym == ops.SymReplicate {
		in = in.Kids[0]
		if t := p.Store.Type(in.Term); t.Kind == types.KArray && len(t.Shape) == 0 {
			return in
		}
	}
	return nil
}

// scope prints the lets of a scope and then the expression of root.
func (p *Printer) scope(s *LetScope, root *Instance, prec int) string {
	if len(s.Lets) == 0 {
		return p.expr(root, prec)
	}
	var b strings.Builder
	defer p.leave(s)
	for _, in := range s.Lets {
		text := p.let(in)
		fmt.Fprintf(&b, "let %s = %s in\n", p.lets[in], strings.ReplaceAll(text, "\n", "\n  "))
	}
	b.WriteString(p.expr(root, 0))
	return b.String()
}

// let names an instance and prints what the name stands for.
func (p *Printer) let(in *Instance) string {
	text := p.shallow(in, 0)
	p.lets[in] = p.name(in)
	return text
}

// leave frees the names of the lets of a scope.
func (p *Printer) leave(s *LetScope) {
	for _, in := range s.Lets {
		p.used.Release(p.lets[in])
	}
}

// name is the name of a let: the one of the node if it is free, or one like it.
// A node without a name is given one, for all its instances.
func (p *Printer) name(in *Instance) string {
	hint := cmp.Or(p.Names[in.Term.ID].Name, p.made[in.Term.ID])
	if hint == "" && p.Store.Type(in.Term).Kind == types.KTuple {
		// Whoever reads the text names the components of a tuple and not the tuple,
		// which must be called the same without the numbers that others have used.
		hint = "parts"
	}
	for hint == "" {
		p.count++
		if name := fmt.Sprintf("t%d", p.count); !p.used.Has(name) {
			hint = name
			p.made[in.Term.ID] = name
		}
	}
	return p.used.Like(hint)
}

// expr prints an instance: the name of its let, or itself.
func (p *Printer) expr(in *Instance, prec int) string {
	if name, ok := p.lets[in]; ok {
		return name
	}
	return p.shallow(in, prec)
}

// Binding strengths of the text, beside those that [ast.InfixStrength] says.
const (
	precLambda = 0
	precApp    = 17
	precAtom   = 18
)

func paren(s string, have, need int) string {
	if have < need {
		return "(" + s + ")"
	}
	return s
}

// attributes prints the arguments of a built-in function in the order of its form.
func (p *Printer) attributes(in *Instance, o *ops.Operator) string {
	op := in.View.Op
	var b strings.Builder
	kids := in.Kids
	for _, k := range o.Form() {
		if k == ops.FormCount {
			if c := p.Store.Op(kids[0].Term); c.Sym == ops.SymConst && op.Sizes[0].IsConst(c.Const.Fill.Int) {
				kids = kids[1:]
				continue
			}
		}
		b.WriteByte(' ')
		switch k {
		case ops.FormValue, ops.FormCount:
			b.WriteString(p.expr(kids[0], precAtom))
			kids = kids[1:]
		case ops.FormRest:
			b.WriteString(p.joined(kids, precAtom, " "))
		case ops.FormSize:
			b.WriteString(sizeArg(op.Sizes[0]))
		case ops.FormSizes, ops.FormShape:
			b.WriteString(types.ShapeText(op.Sizes))
		case ops.FormTo:
			b.WriteString(types.ShapeText(op.Targets))
		case ops.FormPerm:
			b.WriteString(slice.Text(op.Perm))
		case ops.FormInt:
			fmt.Fprint(&b, op.N)
		case ops.FormType:
			b.WriteString("@" + typeArg(op.Type))
		case ops.FormType2:
			b.WriteString("@" + typeArg(op.Type2))
		case ops.FormBody, ops.FormIx, ops.FormStep:
			b.WriteString("(" + p.lambda(in, kids, k == ops.FormIx) + ")")
		}
	}
	return b.String()
}

func sizeArg(s size.Size) string {
	if _, ok := s.Const(); ok {
		return s.String()
	}
	if _, ok := s.Var(); ok {
		return s.String()
	}
	return "(" + s.String() + ")"
}

func typeArg(t *types.Type) string {
	if t.Kind == types.KLin || t.Kind == types.KFun {
		return "(" + t.String() + ")"
	}
	return t.String()
}

// lambda prints the binders of in and the children under them.
func (p *Printer) lambda(in *Instance, body []*Instance, list bool) string {
	undo := p.bindVars(in)
	defer undo()
	var s string
	if list {
		defer p.leave(in.Body)
		for _, l := range in.Body.Lets {
			text := p.let(l)
			s += fmt.Sprintf("let %s = %s in ", p.lets[l], text)
		}
		return "\\[" + p.varList(in) + "] -> " + s + "[" + p.list(body) + "]"
	}
	text := p.body(in, body[0])
	vars := p.varList(in)
	if len(in.View.Binders) > len(in.View.Op.Sizes) { // parameters, not a list of indices
		vars = strings.ReplaceAll(vars, ",", "")
	}
	return "\\" + vars + " ->" + text
}

// body prints what is under the binders of in: on lines of its own if it takes several.
func (p *Printer) body(in, root *Instance) string {
	text := p.scope(in.Body, root, 0)
	if strings.Contains(text, "\n") {
		return "\n  " + strings.ReplaceAll(text, "\n", "\n  ")
	}
	return " " + text
}

// bindVars names the index variables of in; the result frees the names again.
func (p *Printer) bindVars(in *Instance) (undo func()) {
	var names []string
	o := p.Store.sig.ops[in.View.Op.Sym]
	for k, n := range in.View.Binders {
		v := o.BinderType(in.View.Op, k)
		// What is in use for a range goes first, so that the text gives the same
		// names to whoever prints it again.
		key := ""
		var preferred []string
		if v.Type == nil {
			key = v.Size.Key()
			preferred = slices.Concat(p.index[key], p.Index.Names(v.Size))
		}
		name := p.used.variable(v, preferred...)
		p.index[key] = slice.With(p.index[key], name)
		p.vars[n] = name
		names = append(names, name)
	}
	return func() {
		for _, n := range names {
			p.used.Release(n)
		}
	}
}

func (p *Printer) varList(in *Instance) string {
	return strings.Join(slice.Map(in.View.Binders, func(n slot.Name) string { return p.vars[n] }), ", ")
}

func (p *Printer) list(ins []*Instance) string {
	return p.joined(ins, 0, ", ")
}

func (p *Printer) joined(ins []*Instance, prec int, between string) string {
	return strings.Join(slice.Map(ins, func(in *Instance) string { return p.expr(in, prec) }), between)
}

// build prints a nest of builds as one.
func (p *Printer) build(in *Instance, prec int) string {
	chain := []*Instance{in}
	for {
		last := chain[len(chain)-1]
		body := last.Kids[0]
		if body.View.Op.Sym != ops.SymBuild || body.Let || len(last.Body.Lets) > 0 {
			break
		}
		chain = append(chain, body)
	}
	if len(chain) == 1 {
		return paren("build"+" "+sizeArg(in.View.Op.Sizes[0])+" ("+p.lambda(in, in.Kids, false)+")", precApp, prec)
	}
	var sizes, vars []string
	for _, b := range chain {
		defer p.bindVars(b)()
		sizes = append(sizes, b.View.Op.Sizes[0].String())
		vars = append(vars, p.varList(b))
	}
	last := chain[len(chain)-1]
	text := p.body(last, last.Kids[0])
	return paren("build ["+strings.Join(sizes, ", ")+"] (\\["+strings.Join(vars, ", ")+"] ->"+text+")", precApp, prec)
}

// replicate prints a nest of replicates as one.
func (p *Printer) replicate(in *Instance, prec int) string {
	sizes := []size.Size{in.View.Op.Sizes[0]}
	kid := in.Kids[0]
	for kid.View.Op.Sym == ops.SymReplicate && !kid.Let {
		sizes = append(sizes, kid.View.Op.Sizes[0])
		kid = kid.Kids[0]
	}
	return replicated(sizes, p.expr(kid, precAtom), prec)
}

// replicated is a replicate of what is written so.
func replicated(sizes []size.Size, of string, prec int) string {
	k := types.ShapeText(sizes)
	if len(sizes) == 1 {
		k = sizeArg(sizes[0])
	}
	return paren("replicate "+k+" "+of, precApp, prec)
}

// shapeFrom reports whether some operand is not a replicated scalar, so that the
// others can be written as scalars.
func (p *Printer) shapeFrom(kids []*Instance) bool {
	return slices.ContainsFunc(kids, func(k *Instance) bool { return !p.isReplica(k) })
}

func (p *Printer) isReplica(in *Instance) bool {
	op := in.View.Op
	if op.Sym == ops.SymConst {
		return op.Const.Data == nil
	}
	return p.scalarReplica(in) != nil
}

func (p *Printer) operand(in *Instance, prec int, shape bool) string {
	if _, named := p.lets[in]; shape && !named {
		if op := in.View.Op; op.Sym == ops.SymConst && op.Const.Data == nil {
			return p.scalar(op.Const.Fill, prec)
		}
		if s := p.scalarReplica(in); s != nil {
			return p.expr(s, prec)
		}
	}
	return p.expr(in, prec)
}

// scalar prints a literal element, so that its type is clear where not all numbers are real.
func (p *Printer) scalar(c ops.Scalar, prec int) string {
	s := c.String()
	if c.Elem == types.R && !p.Store.sig.Plain && !strings.ContainsAny(s, ".e%n") {
		s += ".0"
	}
	if strings.HasPrefix(s, "-") {
		return paren(s, ast.PrefixMinus, prec)
	}
	return s
}

// literal prints a literal array.
func (p *Printer) literal(op ops.Op, prec int) string {
	shape := op.Type.Shape
	if p.Literals != nil && isLong(op) {
		return p.Literals.names[op.Key()]
	}
	if op.Const.Data == nil {
		if len(shape) == 0 {
			return p.scalar(op.Const.Fill, prec)
		}
		return replicated(shape, p.scalar(op.Const.Fill, precAtom), prec)
	}
	var nest func(data []ops.Scalar, shape []size.Size) string
	nest = func(data []ops.Scalar, shape []size.Size) string {
		if len(shape) == 0 {
			return p.scalar(data[0], 0)
		}
		n, _ := shape[0].Const()
		step := len(data) / int(n)
		parts := slice.Make(n, func(i int) string { return nest(data[i*step:(i+1)*step], shape[1:]) })
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return nest(op.Const.Data, shape)
}
