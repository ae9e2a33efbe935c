package proof

import (
	"errors"
	"fmt"
	"slices"
	"strconv"

	"egad/internal/memo"
	"egad/internal/raise"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/match"
	"egad/slot"
	"egad/term"
	"egad/term/numeric"
	"egad/term/ops"
	"egad/term/overflow"
	"egad/term/size"
	"egad/term/types"
)

// File is what of a proof is written: terms as a table, in which each is an operator
// and earlier terms, and what refers to them.
type File struct {
	Ops       []Op       `json:"ops"`
	Terms     []Node     `json:"terms"`
	Steps     []FileStep `json:"steps"`
	Equations []FileEq   `json:"equations,omitempty"`
}

// Op is an operator with its attributes, all sizes constants.
type Op struct {
	Name    string   `json:"op"`
	Sizes   []int64  `json:"sizes,omitempty"`
	Targets []int64  `json:"targets,omitempty"`
	Perm    []int    `json:"perm,omitempty"`
	N       int      `json:"n,omitempty"`
	Var     string   `json:"name,omitempty"`
	Type    *Type    `json:"type,omitempty"`
	Type2   *Type    `json:"type2,omitempty"`
	Const   []string `json:"const,omitempty"` // one element if all are equal
}

// Type is a type: of elements and shape, of parts, or with Lin a map between two
// parts.
type Type struct {
	Elem  string  `json:"of,omitempty"`
	Sort  string  `json:"sort,omitempty"` // of a language
	Shape []int64 `json:"shape,omitempty"`
	Parts []*Type `json:"parts,omitempty"`
	Lin   bool    `json:"linear,omitempty"`
}

// Node is the number of an operator, and its operands.
type Node struct {
	Op   int   `json:"op"`
	Kids []Use `json:"of,omitempty"`
}

// Use is the number of a term and the variables that it is passed: numbers from 0 on,
// in a node -1, -2, … for those that the node binds.
type Use []int

// FileStep is an application of a rule.
type FileStep struct {
	Rule string    `json:"rule"`
	Ops  []int     `json:"ops,omitempty"`
	Vars []FileVar `json:"vars,omitempty"`
	// Rests has the numbers of the equations that conditions rest on, from 1 on.
	Rests []int `json:"rests,omitempty"`
}

// FileVar is what a metavariable stands for.
type FileVar struct {
	Name  string  `json:"var"`
	Terms []Use   `json:"terms,omitempty"`
	Names []int   `json:"names,omitempty"`
	Sizes []int64 `json:"sizes,omitempty"`
	Perm  []int   `json:"perm,omitempty"`
	N     int     `json:"n,omitempty"`
	Lit   string  `json:"literal,omitempty"`
	Elem  string  `json:"elem,omitempty"` // of the literal
	Type  *Type   `json:"type,omitempty"`
	Op    *Op     `json:"op,omitempty"`
}

// FileEq is an equation.
type FileEq struct {
	From  Use        `json:"from"`
	Links []FileLink `json:"links"`
}

// FileLink is a link: one of the fields but To says of what kind.
type FileLink struct {
	To      Use   `json:"to"`
	Step    int   `json:"step,omitempty"` // from 1 on; negative if it is used from right to left
	Swapped bool  `json:"swapped,omitempty"`
	Literal bool  `json:"literal,omitempty"`
	Kids    []int `json:"operands,omitempty"` // numbers of equations, from 1 on; 0 for what stays
	// Instance is the number of the equation of which it is an instance, from 1 on;
	// negative if that is used from right to left. Values are those of its variables.
	Instance int   `json:"instance,omitempty"`
	Values   []Use `json:"values,omitempty"`
	// Assumed is the number of what is assumed, and Computed is 1, likewise.
	Assumed  int    `json:"assumed,omitempty"`
	Computed int    `json:"computed,omitempty"`
	Reason   string `json:"reason,omitempty"`
}

// writer numbers what is written.
type writer struct {
	opWriter
	s     *term.Store
	f     *File
	ops   map[string]int
	terms map[uint32]int
}

// opWriter makes operators what is written of them.
type opWriter struct {
	sig *term.Signature
	err error
}

// OpOf is what is written of an operator. It is an error if a size of it is no number.
func OpOf(sig *term.Signature, op ops.Op) (*Op, error) {
	w := opWriter{sig: sig}
	out := w.opOf(op)
	return &out, w.err
}

// Write makes a proof what is written of it.
func (p *Proof) Write() (*File, error) {
	w := &writer{opWriter: opWriter{sig: p.Store.Signature()}, s: p.Store, f: &File{}, ops: make(map[string]int), terms: make(map[uint32]int)}
	for i, a := range p.Steps {
		w.step(a, p.Rests[i])
	}
	for i := range p.Equations {
		e := &p.Equations[i]
		names := naming{}
		eq := FileEq{From: w.use(e.From, names)}
		for _, l := range e.Links {
			out := FileLink{To: w.use(l.To, names), Swapped: l.Kind == Swapped, Literal: l.Kind == Literal, Reason: l.Reason}
			switch l.Kind {
			case Assumed:
				out.Assumed = signed(l.Step, l.Reverse)
			case Computed:
				out.Computed = signed(0, l.Reverse)
			case ByRule:
				out.Step = signed(l.Step, l.Reverse)
			case Instance:
				out.Instance = signed(l.Kids[0], l.Reverse)
				out.Values = w.uses(l.Values, names)
			case InOperands:
				out.Kids = fromOne(l.Kids)
			}
			eq.Links = append(eq.Links, out)
		}
		w.f.Equations = append(w.f.Equations, eq)
	}
	return w.f, w.err
}

// signed is a number from 1 on, negative for what is used from right to left.
func signed(n int, reverse bool) int {
	if reverse {
		return -1 - n
	}
	return n + 1
}

// fromOne are indices that are numbered from 1 on.
func fromOne(indices []int) []int { return slice.Map(indices, func(k int) int { return k + 1 }) }

// naming numbers names in the order in which they come.
type naming map[slot.Name]int

func (ns naming) of(n slot.Name) int {
	if _, ok := ns[n]; !ok {
		ns[n] = len(ns)
	}
	return ns[n]
}

func (w *writer) step(a *match.Application, rests []int) {
	names := naming{}
	s := FileStep{Rule: a.Match.Rule.Name, Rests: fromOne(rests), Ops: slice.Map(a.Ops, w.op)}
	for _, v := range a.Variables() {
		out := FileVar{Name: v.Name, Sizes: w.sizes(v.Sizes), Perm: v.Perm, N: v.N, Type: w.typ(v.Type)}
		switch v.Sort {
		case rules.SortTerm, rules.SortTerms:
			out.Terms = w.uses(v.Terms, names)
		case rules.SortIndex, rules.SortIndices, rules.SortState:
			out.Names = slice.Map(v.Names, names.of)
		case rules.SortLit:
			out.Lit, out.Elem = v.Lit.String(), v.Lit.Elem.String()
		case rules.SortOp:
			op := w.opOf(ops.Op{Sym: v.Op.Sym, N: v.Op.N})
			out.Op = &op
		}
		s.Vars = append(s.Vars, out)
	}
	w.f.Steps = append(w.f.Steps, s)
}

func (w *writer) use(t term.Term, names naming) Use {
	return append(Use{w.term(t.ID)}, slice.Map(t.Args, names.of)...)
}

func (w *writer) uses(ts []term.Term, names naming) []Use {
	return slice.Map(ts, func(t term.Term) Use { return w.use(t, names) })
}

// term numbers a term.
func (w *writer) term(id uint32) int {
	return memo.Of(w.terms, id, func() int {
		t := term.Term{ID: id}
		n := Node{Op: w.op(w.s.Op(t))}
		for _, k := range w.s.Kids(t) {
			u := Use{w.term(k.ID)}
			for _, p := range k.Args {
				if p&slot.Bound != 0 {
					u = append(u, -1-int(p&^slot.Bound))
				} else {
					u = append(u, int(p))
				}
			}
			n.Kids = append(n.Kids, u)
		}
		w.f.Terms = append(w.f.Terms, n)
		return len(w.f.Terms) - 1
	})
}

func (w *writer) op(op ops.Op) int {
	key := op.Key()
	return memo.Of(w.ops, key, func() int {
		k := len(w.f.Ops)
		w.f.Ops = append(w.f.Ops, w.opOf(op))
		return k
	})
}

func (w *opWriter) opOf(op ops.Op) Op {
	out := Op{
		Name: w.sig.Operator(op.Sym).Name, Sizes: w.sizes(op.Sizes), Targets: w.sizes(op.Targets), Perm: op.Perm,
		N: op.N, Var: op.Name, Type: w.typ(op.Type), Type2: w.typ(op.Type2),
	}
	if c := op.Const; c != nil {
		out.Const = []string{c.Fill.String()}
		if c.Data != nil {
			out.Const = slice.Map(c.Data, ops.Scalar.String)
		}
	}
	return out
}

func (w *opWriter) sizes(ss []size.Size) []int64 {
	var out []int64
	for _, s := range ss {
		n, ok := s.Const()
		if !ok {
			w.err = errors.Join(w.err, fmt.Errorf("the size %s is not a number", s))
		}
		out = append(out, n)
	}
	return out
}

func (w *opWriter) typ(t *types.Type) *Type {
	if t == nil {
		return nil
	}
	if t.Kind == types.KArray {
		return &Type{Elem: t.Elem.String(), Shape: w.sizes(t.Shape)}
	}
	if t.Kind == types.KSort {
		return &Type{Sort: t.Name}
	}
	return &Type{Lin: t.Kind == types.KLin, Parts: slice.Map(t.Parts, w.typ)}
}

// reader makes terms of what was written. What is wrong is raised.
type reader struct {
	s     *term.Store
	f     *File
	ops   []ops.Op
	terms []term.Term // each over the names 0, 1, …, as slots
	// What is being read, for messages: an operator, say, with its number, and a variable of it.
	what     string
	number   int
	variable string
}

// reading says what is being read.
func (r *reader) reading(what string, number int) { r.what, r.number, r.variable = what, number, "" }

// caught is deferred where reading begins: an error says where it is.
func (r *reader) caught(err *error) {
	if raise.Recovered(recover(), err); *err != nil {
		*err = fmt.Errorf("%s %d: %s%w", r.what, r.number, r.variable, *err)
	}
}

func wrong(format string, args ...any) { raise.Error(fmt.Errorf(format, args...)) }

// Read makes a proof of what was written, with terms of s, to which it adds. It says
// nothing about whether the proof is right. Rules are found by name.
func Read(f *File, s *term.Store, rule func(name string) *rules.Rule) (*Proof, error) {
	r := &reader{s: s, f: f}
	p := &Proof{Store: s, Rests: make(map[int][]int)}
	err := overflow.Guard(func() (err error) {
		defer r.caught(&err)
		for i := range f.Ops {
			r.reading("operator", i)
			r.ops = append(r.ops, raise.Must(f.Ops[i].Read(s.Signature())))
		}
		for i, n := range f.Terms {
			r.reading("term", i)
			r.terms = append(r.terms, r.node(n))
		}
		for i := range f.Steps {
			r.reading("step", i+1)
			p.Steps = append(p.Steps, r.step(&f.Steps[i], rule))
			for _, k := range f.Steps[i].Rests {
				p.Rests[i] = append(p.Rests[i], k-1)
			}
		}
		for i := range f.Equations {
			r.reading("equation", i+1)
			p.Equations = append(p.Equations, r.equation(&f.Equations[i]))
		}
		return nil
	})
	return p, err
}

// Read is the operator of a signature of which this is written.
func (o *Op) Read(sig *term.Signature) (op ops.Op, err error) {
	defer raise.Caught(&err)
	known, ok := sig.Lookup(o.Name)
	if o.Type != nil && o.Type.Sort != "" || !ok { // numbers and variables of a language
		for _, sym := range []ops.Sym{ops.SymConst, ops.SymLocal} {
			if x := sig.Operator(sym); x.Name == o.Name {
				known, ok = x, true
			}
		}
	}
	if !ok {
		return op, fmt.Errorf("there is no operator %q", o.Name)
	}
	op = ops.Op{Sym: known.Sym, Perm: ops.CanonPerm(o.Perm), N: o.N, Name: o.Var}
	op.Sizes, op.Targets, op.Type = sizes(o.Sizes), sizes(o.Targets), typ(o.Type, 0)
	if a, ok := sig.Lookup("sin"); ok && a.Sorted == nil && op.Type != nil && op.Type.Kind == types.KSort {
		return op, errors.New("arrays have no sorts")
	}
	op.Type2 = typ(o.Type2, 0)
	if !ops.IsPerm(o.Perm) {
		return op, errors.New("this is not a permutation")
	}
	t := op.Type
	if known.Sorted != nil || t != nil && t.Kind == types.KSort {
		t = types.ArrayOf(types.R)
	}
	if len(o.Const) > 0 && t != nil && t.Kind == types.KArray {
		op.Const = constant(o.Const, t)
	}
	if !sig.Operator(op.Sym).Complete(op) || len(o.Const) > 0 && op.Const == nil {
		return op, fmt.Errorf("%s lacks an attribute, or has one too many", o.Name)
	}
	return op, nil
}

// constant reads a literal of an array type.
func constant(elems []string, t *types.Type) *ops.Const {
	data := slice.Map(elems, func(x string) ops.Scalar { return scalar(x, t.Elem) })
	if len(data) == 1 {
		return ops.ConstFill(data[0])
	}
	if n, ok := t.Elements().Const(); !ok || n != int64(len(data)) {
		wrong("the elements of a literal are not as many as its type says")
	}
	return ops.ConstData(data)
}

func sizes(ns []int64) (out []size.Size) {
	for _, n := range ns {
		if n < 0 || n > maxSize {
			wrong("%d is not a size", n)
		}
		out = append(out, size.Const(n))
	}
	return out
}

// maxSize bounds sizes, so that products of some do not overflow, and maxNested how
// deep types nest.
const (
	maxSize   = 1 << 40
	maxNested = 100
)

func typ(t *Type, depth int) *types.Type {
	if t == nil && depth == 0 {
		return nil
	}
	if t == nil || depth > maxNested || t.Lin && len(t.Parts) != 2 ||
		t.Sort != "" && (t.Elem != "" || len(t.Shape)+len(t.Parts) > 0 || t.Lin || depth > 0) ||
		t.Elem != "" && (len(t.Parts) > 0 || t.Lin) {
		wrong("this is not a type")
	}
	switch {
	case t.Sort != "":
		return types.SortOf(t.Sort)
	case t.Elem != "":
		e, ok := types.ElemNamed(t.Elem)
		if !ok {
			wrong("this is not a type")
		}
		return types.ArrayOf(e, sizes(t.Shape)...)
	}
	parts := slice.Map(t.Parts, func(p *Type) *types.Type { return typ(p, depth+1) })
	if t.Lin {
		return types.LinOf(parts[0], parts[1])
	}
	return types.TupleOf(parts...)
}

// scalar reads an element of a literal.
func scalar(text string, e types.Elem) ops.Scalar {
	switch e {
	case types.R:
		switch text {
		case "inf":
			return ops.ScalarR(numeric.Inf(1))
		case "-inf":
			return ops.ScalarR(numeric.Inf(-1))
		case "nan":
			return ops.ScalarR(numeric.NaN())
		}
		return ops.ScalarR(raise.Must(numeric.Parse(text)))
	case types.B:
		if text == "true" || text == "false" {
			return ops.ScalarB(text == "true")
		}
	case types.I:
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return ops.ScalarI(n)
		}
	}
	wrong("%q is not an element of a literal", text)
	return ops.Scalar{}
}

// op is an operator of the table.
func (r *reader) op(k int) ops.Op {
	if k < 0 || k >= len(r.ops) {
		wrong("there is no operator %d", k)
	}
	return r.ops[k]
}

// node makes a term of the table.
func (r *reader) node(n Node) term.Term {
	op := r.op(n.Op)
	o := r.s.Signature().Operator(op.Sym)
	if o.Arity >= 0 && o.Arity != len(n.Kids) {
		wrong("%d operands, of %d", len(n.Kids), o.Arity)
	}
	binders := slice.Make(o.Binders(op), func(i int) slot.Name { return slot.Name(maxNames + i) })
	kids := make([]term.Term, len(n.Kids))
	for i, u := range n.Kids {
		kids[i] = r.use(u, func(k int) (slot.Name, bool) {
			if k < 0 {
				return slot.Name(maxNames - 1 - k), -1-k < len(binders) && o.Under(i)
			}
			return slot.Name(k), k < maxNames
		})
	}
	var own []slot.Name
	if _, ok := op.Variable(); ok {
		own = []slot.Name{0}
	}
	t, terr := r.s.Make(op, own, binders, kids)
	if terr != nil {
		raise.Error(terr)
	}
	for i, a := range t.Args {
		if a != slot.Name(i) {
			wrong("the variables are not numbered in the order in which they occur")
		}
	}
	return t
}

// maxNames is how many variables a term, an equation or a step mentions at most.
const maxNames = 1 << 20

// use is a term with the names that it is passed, all different.
func (r *reader) use(u Use, name func(int) (slot.Name, bool)) term.Term {
	if len(u) == 0 || u[0] < 0 || u[0] >= len(r.terms) {
		wrong("there is no such term before")
	}
	t := r.terms[u[0]]
	if len(t.Args) != len(u)-1 {
		wrong("term %d has %d variables, and is passed %d", u[0], len(t.Args), len(u)-1)
	}
	out := term.Term{ID: t.ID}
	for _, k := range u[1:] {
		n, ok := name(k)
		if !ok || out.Has(n) {
			wrong("the variable %d comes too early, or twice", k)
		}
		out.Args = append(out.Args, n)
	}
	return out
}

func (r *reader) uses(us []Use, name func(int) (slot.Name, bool)) (out []term.Term) {
	for _, u := range us {
		out = append(out, r.use(u, name))
	}
	return out
}

// fresh gives numbers of variables, in the order in which they come, names that
// nothing has.
func (r *reader) fresh() func(int) (slot.Name, bool) {
	var is []slot.Name
	return func(k int) (slot.Name, bool) {
		if k < 0 || k > len(is) {
			return 0, false
		}
		if k == len(is) {
			is = append(is, r.s.Fresh())
		}
		return is[k], true
	}
}

func (r *reader) step(s *FileStep, rule func(string) *rules.Rule) *match.Application {
	x := rule(s.Rule)
	if x == nil {
		wrong("there is no rule %q", s.Rule)
	}
	ops := slice.Map(s.Ops, r.op)
	name := r.fresh()
	vars := slice.Make(len(s.Vars), func(i int) match.Variable { return r.metavariable(&s.Vars[i], name) })
	r.variable = ""
	return raise.Must(match.NewApplication(x, vars, ops))
}

func (r *reader) metavariable(f *FileVar, name func(int) (slot.Name, bool)) match.Variable {
	r.variable = f.Name + ": "
	v := match.Variable{Name: f.Name, Perm: f.Perm, N: f.N, Terms: r.uses(f.Terms, name)}
	for _, k := range f.Names {
		n, ok := name(k)
		if !ok {
			wrong("the variable %d comes too early", k)
		}
		v.Names = append(v.Names, n)
	}
	v.Sizes, v.Type = sizes(f.Sizes), typ(f.Type, 0)
	if f.Elem != "" {
		e, _ := types.ElemNamed(f.Elem)
		v.Lit = scalar(f.Lit, e)
	}
	if f.Op != nil {
		op := raise.Must(f.Op.Read(r.s.Signature()))
		v.Op = &op
	}
	return v
}

func (r *reader) equation(f *FileEq) (e Equation) {
	name := r.fresh()
	e.From = r.use(f.From, name)
	for _, l := range f.Links {
		to := r.use(l.To, name)
		kinds := []bool{l.Step != 0, l.Kids != nil, l.Swapped, l.Literal, l.Instance != 0, l.Assumed != 0, l.Computed != 0}
		kind := slices.Index(kinds, true)
		if kind < 0 || slices.Contains(kinds[kind+1:], true) || l.Values != nil && l.Instance == 0 {
			wrong("a link is of one kind")
		}
		out := Link{Kind: Kind(kind), To: to, Reverse: min(l.Step, l.Instance, l.Assumed, l.Computed) < 0, Reason: l.Reason}
		switch out.Kind {
		case ByRule:
			out.Step = max(l.Step, -l.Step) - 1
		case Assumed:
			out.Step = max(l.Assumed, -l.Assumed) - 1
		case Instance:
			out.Kids = []int{max(l.Instance, -l.Instance) - 1}
		}
		for _, k := range l.Kids {
			out.Kids = append(out.Kids, k-1)
		}
		out.Values = r.uses(l.Values, name)
		e.Links = append(e.Links, out)
	}
	if len(e.Links) == 0 {
		wrong("it has no links")
	}
	return e
}
