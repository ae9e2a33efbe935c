package kernel

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"egad/internal/slice"
	"egad/term"
	"egad/term/ops"
	"egad/term/types"
)

// String prints the kernels in the order in which they run. Loops are parallel
// ("for"), in order, or folds; := stores and += adds; an access that is checked
// has a question mark.
func (p *Program) String() string { return p.Text(nil) }

// Text prints the kernels as [Program.String] does, and says, if note is not nil, something
// about each of them, those of loops too, beside the arrays that it fills.
func (p *Program) Text(note func(*Kernel) string) string {
	var b strings.Builder
	if p == nil {
		return ""
	}
	for _, k := range p.Kernels {
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(k.text(note))
	}
	return b.String()
}

// String prints a kernel.
func (k *Kernel) String() string { return k.text(nil) }

func (k *Kernel) text(note func(*Kernel) string) string {
	if k == nil {
		return ""
	}
	pr := &printer{note: note, uses: make(map[*Value]int), where: make(map[*Value]*Loop), names: make(map[*Value]string),
		taken: make(map[string]bool), around: make(map[string]bool)}
	for _, a := range append(k.Writes(), k.Reads()...) {
		pr.taken[a.Name] = true
	}
	for i, a := range k.Writes() {
		about := ""
		if note != nil && i == 0 {
			if about = note(k); about != "" {
				about = "  -- " + about
			}
		}
		fmt.Fprintf(&pr.out, "%s: %s%s\n", a.Name, a.Type(), about)
	}
	if k.Steps != nil {
		pr.steps(k.Steps)
		return pr.out.String()
	}
	pr.countAll(k.Body, nil)
	pr.stmts(k.Body, nil, 1)
	return pr.out.String()
}

// Writes lists the arrays that the kernel stores to, each once. As [Kernel.Reads] it is asked so often that it is not to
// allocate what it has seen: a map that another function adds to would be.
func (k *Kernel) Writes() []*Array {
	var out []*Array
	if k == nil {
		return nil
	}
	if k.Steps != nil {
		return k.Steps.States
	}
	seen := make(map[*Array]bool)
	Walk(k.Body, func(s Stmt) {
		var a *Array
		switch s := s.(type) {
		case *Store:
			a = s.Array
		case *Call:
			a = s.Array
		}
		if a != nil && !seen[a] {
			seen[a] = true
			out = append(out, a)
		}
	})
	return out
}

// Reads lists the arrays that the kernel loads from, each once.
func (k *Kernel) Reads() []*Array {
	var out []*Array
	if k == nil {
		return nil
	}
	if k.Steps != nil {
		return k.Steps.reads()
	}
	seen := make(map[*Array]bool)
	add := func(a *Array) {
		if !seen[a] {
			seen[a] = true
			out = append(out, a)
		}
	}
	Walk(k.Body, func(s Stmt) {
		switch s := s.(type) {
		case *Let:
			if s.Value.Kind == Load {
				add(s.Value.Array)
			}
		case *Call:
			for _, a := range s.Args {
				add(a)
			}
		}
	})
	return out
}

// Type is the type of an array.
func (a *Array) Type() *types.Type { return types.ArrayOfShape(a.Elem, a.Shape) }

type printer struct {
	note  func(*Kernel) string
	out   strings.Builder
	uses  map[*Value]int
	where map[*Value]*Loop // the innermost loop around the last use
	names map[*Value]string
	taken map[string]bool
	// around are the names of the loops around: one inside that is called the same has another one.
	around map[string]bool
	count  int
}

// countAll counts uses in the body of a loop.
func (p *printer) countAll(body []Stmt, loop *Loop) {
	for _, s := range body {
		switch s := s.(type) {
		case *Let:
			p.useAll(s.Value.Args, loop)
			p.useAll(s.Value.At, loop)
		case *Store:
			p.useAll([]*Value{s.Value}, loop)
			p.useAll(s.At, loop)
		case *Loop:
			if s.If != nil {
				p.useAll([]*Value{s.If}, loop)
			}
			p.countAll(s.Body, s)
			for _, f := range s.Folds {
				p.useAll([]*Value{f.Value}, s)
				if f.From != nil {
					p.useAll([]*Value{f.From}, loop)
				}
			}
			for _, c := range s.Carries {
				p.useAll([]*Value{c.From}, loop)
				p.useAll([]*Value{c.Next}, s)
			}
		}
	}
}

// useAll counts uses; a linear value is no statement of its own.
func (p *printer) useAll(vs []*Value, loop *Loop) {
	for _, v := range vs {
		p.uses[v]++
		p.where[v] = loop
		if v.Kind == Linear {
			p.useAll(v.Args, loop)
		}
	}
}

func (p *printer) line(depth int, format string, args ...any) {
	p.out.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(&p.out, format, args...)
	p.out.WriteByte('\n')
}

func (p *printer) stmts(body []Stmt, loop *Loop, depth int) {
	for _, s := range body {
		switch s := s.(type) {
		case *Let:
			// What is used once, in the same loop, is printed where it is used.
			if p.uses[s.Value] != 1 || p.where[s.Value] != loop {
				text := p.expr(s.Value, 0)
				p.names[s.Value] = p.fresh()
				p.line(depth, "%s = %s", p.names[s.Value], text)
			}
		case *Store:
			sign := ":="
			if s.Add {
				sign = "+="
			}
			p.line(depth, "%s %s %s", p.access(s.Access), sign, p.expr(s.Value, 0))
		case *Call:
			text := opName(s.Op.Sym)
			for _, a := range s.Args {
				text += " " + a.Name
			}
			for i, n := range s.Array.Shape[:s.Outer] {
				p.line(depth, "for i%d < %d", i+1, n)
				depth++
			}
			p.line(depth, "%s := %s", s.Array.Name, text)
			depth -= s.Outer
		case *Loop:
			word := [...]string{"for", "in order", "fold", "blocks", "parts", "loop"}[s.Order]
			if len(s.Folds) > 0 {
				word = "fold"
			}
			for _, c := range s.Carries {
				from := p.expr(c.From, 0)
				p.names[c.Value] = p.fresh()
				p.names[c.Result] = p.names[c.Value]
				p.line(depth, "%s = %s", p.names[c.Value], from)
			}
			name := s.Name
			for n := 2; p.around[name]; n++ {
				name = fmt.Sprintf("%s%d", s.Name, n)
			}
			p.names[s.Var], p.around[name] = name, true
			holds := ""
			if s.If != nil {
				holds = ", if " + p.expr(s.If, 0)
			}
			p.line(depth, "%s %s < %d%s%s", word, name, s.N, p.only(s), holds)
			p.stmts(s.Body, s, depth+1)
			p.leave(s.Carries, depth+1)
			for _, f := range s.Folds {
				p.names[f.Result] = p.fresh()
				from := ""
				if f.From != nil {
					from = ", from " + p.expr(f.From, 0)
				}
				name := "less"
				if f.Op != ops.SymSub {
					name = opName(f.Op)
				}
				p.line(depth+1, "%s = %s %s%s", p.names[f.Result], name, p.expr(f.Value, precUnary+1), from)
			}
			delete(p.around, name)
		}
	}
}

// leave prints what a run of a loop leaves: in one line, as what it leaves of one number may be made
// of what it had of another.
func (p *printer) leave(carries []Carry, depth int) {
	var names, next []string
	for _, c := range carries {
		names, next = append(names, p.names[c.Value]), append(next, p.expr(c.Next, 0))
	}
	if len(names) > 0 {
		p.line(depth, "%s := %s", strings.Join(names, ", "), strings.Join(next, ", "))
	}
}

// only prints the conditions of a loop, where what they compare has names.
func (p *printer) only(l *Loop) string {
	var out []string
	for _, o := range l.Only {
		left, right := &Value{Kind: Linear}, &Value{Kind: Linear}
		if slices.ContainsFunc(o.Less.Coef, func(c int64) bool { return c > 0 }) {
			right.Const.Int = -o.Less.Const.Int
		} else {
			left.Const.Int = o.Less.Const.Int
		}
		named := true
		for i, c := range o.Less.Coef {
			to := left
			if c < 0 {
				to, c = right, -c
			}
			to.Coef, to.Args = append(to.Coef, c), append(to.Args, o.Less.Args[i])
			named = named && p.names[o.Less.Args[i]] != ""
		}
		if named {
			side := func(x *Value) string {
				if len(x.Args) == 0 {
					x = NewBuilder(nil).Int(x.Const.Int)
				}
				return p.expr(x, precCompare+1)
			}
			out = append(out, side(left)+" < "+side(right))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return ", only " + strings.Join(out, " and ")
}

// steps prints what the inputs of a step are, its kernels, and what becomes of its
// results.
func (p *printer) steps(s *Steps) {
	inputs := s.Step.Inputs()
	var at []string
	state := func(k int, next string) string {
		vars := at
		if !s.All[k] {
			vars, next = at[:len(s.Outer)], ""
		}
		if len(vars) == 0 {
			return s.States[k].Name
		}
		return fmt.Sprintf("%s[%s%s]", s.States[k].Name, strings.Join(vars, ", "), next)
	}
	for i, in := range s.Inputs {
		if v := in.Variable; v > 0 {
			n, word := fmt.Sprint(s.N), "steps"
			if v <= len(s.Outer) {
				n, word = fmt.Sprint(s.Outer[v-1]), "for"
			} else if s.Count != nil {
				if n = s.Count.Name; len(at) > 0 {
					n += "[" + strings.Join(at, ", ") + "]"
				}
				n += fmt.Sprintf(", at most %d", s.N)
			}
			p.line(v, "%s %s < %s", word, inputs[i].Name, n)
			at = append(at, inputs[i].Name)
		}
	}
	depth := len(s.Outer) + 2
	for i, in := range s.Inputs {
		if in.State > 0 {
			p.line(depth, "%s = %s", inputs[i].Name, state(in.State-1, ""))
		}
	}
	for line := range strings.Lines(s.Step.Text(p.note)) {
		if line = strings.TrimSuffix(line, "\n"); line != "" {
			p.line(depth, "%s", line)
		}
	}
	for k, a := range s.Step.Result.Arrays() {
		p.line(depth, "%s := %s", state(k, " + 1"), a.Name)
	}
}

func (p *printer) fresh() string {
	for {
		p.count++
		if name := fmt.Sprintf("v%d", p.count); !p.taken[name] {
			return name
		}
	}
}

func opName(s ops.Sym) string { return term.NewSignature().Operator(s).Name }

const (
	precCompare = 3
	precAdd     = 4
	precMul     = 5
	precUnary   = 6
)

var infix = map[ops.Sym]struct {
	text string
	prec int
}{
	ops.SymAdd: {"+", precAdd}, ops.SymSub: {"-", precAdd}, ops.SymMul: {"*", precMul}, ops.SymDiv: {"/", precMul},
	ops.SymIdiv: {"div", precMul}, ops.SymMod: {"mod", precMul},
	ops.SymLt: {"<", precCompare}, ops.SymLe: {"<=", precCompare}, ops.SymEq: {"==", precCompare},
	ops.SymAnd: {"and", 2}, ops.SymOr: {"or", 1},
}

// expr prints a value as an operand of something that binds as prec says.
func (p *printer) expr(v *Value, prec int) string {
	if n, ok := p.names[v]; ok {
		return n
	}
	paren := func(s string, own int) string {
		if own < prec {
			return "(" + s + ")"
		}
		return s
	}
	switch v.Kind {
	case Lit:
		s := v.Const.String()
		if strings.HasPrefix(s, "-") {
			return paren(s, precUnary)
		}
		return s
	case Linear:
		if len(v.Args) > 1 || v.Const.Int != 0 {
			return paren(p.linear(v), precAdd)
		}
		return paren(p.linear(v), precMul)
	case Load:
		return p.access(v.Access)
	}
	if x, ok := infix[v.Op]; ok && len(v.Args) == 2 {
		return paren(p.expr(v.Args[0], x.prec)+" "+x.text+" "+p.expr(v.Args[1], x.prec+1), x.prec)
	}
	s := opName(v.Op)
	if v.Op == ops.SymPolygamma {
		s += " " + strconv.Itoa(v.N)
	}
	for _, a := range v.Args {
		s += " " + p.expr(a, precUnary+1)
	}
	return paren(s, precUnary)
}

// linear prints c1 * x1 + … + c.
func (p *printer) linear(v *Value) string {
	var b strings.Builder
	part := func(c int64, x string) {
		sign := ""
		switch {
		case b.Len() > 0 && c < 0:
			sign, c = " - ", -c
		case b.Len() > 0:
			sign = " + "
		}
		b.WriteString(sign)
		switch {
		case x == "":
			fmt.Fprint(&b, c)
		case c == 1:
			b.WriteString(x)
		case c == -1:
			b.WriteString("-" + x)
		default:
			fmt.Fprintf(&b, "%d * %s", c, x)
		}
	}
	// What is subtracted comes after what is added.
	for _, negative := range []bool{false, true} {
		for i, c := range v.Coef {
			if (c < 0) == negative {
				part(c, p.expr(v.Args[i], precMul+1))
			}
		}
		if c := v.Const.Int; c != 0 && (c < 0) == negative {
			part(c, "")
		}
	}
	return b.String()
}

func (p *printer) access(a Access) string {
	if len(a.At) == 0 {
		return a.Array.Name
	}
	ix := slice.Map(a.At, func(x *Value) string { return p.expr(x, 0) })
	s := a.Array.Name + "[" + strings.Join(ix, ", ") + "]"
	if a.Checked {
		s += "?"
	}
	return s
}
