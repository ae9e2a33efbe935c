package define

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"

	"egad/diag"
	"egad/internal/slice"
	"egad/term"
	"egad/term/ast"
	"egad/term/module"
	"egad/term/types"
)

// written is what of a node is in a text.
type written struct {
	reached bool
	tail    bool   // a function, or the definition, results in it
	uses    int    // how often it stands in others
	weight  int    // how much there is to read
	text    string // itself, or the name that a let gives it
	prec    int    // how tightly the text binds
}

// Strengths of texts, beside those of infix operators.
const (
	loose  = 0
	sums   = 9
	prefix = 13
	apply  = 17
	atom   = 18
)

// maxWeight is how large an expression may be before a part of it gets a name, for the
// reader, and so that a text does not nest deep.
const maxWeight = 40

// writer makes the text of a definition.
type writer struct {
	d     *Def
	names term.NameSet
	count int
}

// text writes the definition. Nodes are in the order in which they were made: operands
// come before what is made of them, and what functions make before the functions' ends.
func (d *Def) text(root arg, t *types.Type) *diag.Source {
	w := &writer{d: d, names: d.check.Names()}
	for _, p := range d.params {
		w.names.Use(p.name)
		p.reached = true
	}
	w.names.Use(d.name)
	w.result(root)
	for i := len(d.nodes) - 1; i >= 0; i-- {
		if n := d.nodes[i]; n.reached {
			for _, a := range n.args {
				w.reach(a)
			}
		}
	}
	for i, n := range d.nodes {
		if n.reached {
			w.write(i, n)
		}
	}
	body := strings.Join(append(d.outermost().lets, w.arg(root, loose)), "\n")
	var b strings.Builder
	b.WriteString("def " + d.name)
	var sizes, inputs []string
	for _, p := range d.params {
		if p.form == sizeParam {
			sizes = append(sizes, p.name)
		} else {
			inputs = append(inputs, p.name+": "+p.typ.String())
		}
	}
	if sizes != nil {
		fmt.Fprintf(&b, "[%s]", strings.Join(sizes, ", "))
	}
	if inputs != nil {
		fmt.Fprintf(&b, "(%s)", strings.Join(inputs, ", "))
	}
	fmt.Fprintf(&b, ": %s", t)
	for i, c := range d.where {
		b.WriteString([]string{" where ", ", "}[min(i, 1)] + c.l.String() + " " + c.op + " " + c.r.String())
	}
	head := b.String() + " ="
	src := d.source(head + " " + body + "\n")
	if len(src.Text) > maxLine || strings.Count(src.Text, "\n") > 1 {
		src = d.source(head + "\n  " + strings.ReplaceAll(body, "\n", "\n  ") + "\n")
	}
	return src
}

// maxLine bounds a definition that is written on one line.
const maxLine = 100

// source takes the marks out of a text, which say what node begins there.
func (d *Def) source(marked string) *diag.Source {
	var b strings.Builder
	var at []int
	var places []place
	parts := strings.Split(marked, "\x00")
	for i, s := range parts {
		if i%2 == 0 {
			b.WriteString(s)
			continue
		}
		k, _ := strconv.Atoi(s)
		at, places = append(at, b.Len()), append(places, d.nodes[k].at)
	}
	first := d.at
	return &diag.Source{Name: d.name + ".egad", Text: b.String(), Origin: func(p diag.Pos) (string, int) {
		i := sort.SearchInts(at, int(p)+1) - 1
		if i < 0 {
			return first.line()
		}
		return places[i].line()
	}}
}

// reach counts the uses of what an operand is made of.
func (w *writer) reach(a arg) {
	if a.n != nil {
		a.n.reached = true
		a.n.uses++
	}
	for _, b := range a.list {
		w.reach(b)
	}
	if a.fn != nil {
		for _, p := range a.fn.params {
			p.reached = true
		}
		for _, b := range a.fn.body {
			w.result(b)
		}
	}
}

// result is reach of what a function results in.
func (w *writer) result(a arg) {
	w.reach(a)
	if a.n != nil {
		a.n.tail = true
	}
}

// write makes the text of a node of which the operands have theirs.
func (w *writer) write(i int, n *node) {
	n.weight = 1
	for _, a := range n.args {
		n.weight += w.weight(a)
	}
	mark := "\x00" + strconv.Itoa(i) + "\x00"
	switch n.form {
	case sizeParam, inputParam:
		n.text, n.prec = n.name, atom
		return
	case variable:
		n.text, n.prec = w.variable(n), atom
		return
	case sized:
		n.text, n.prec = n.name, sums
		if module.IsName(n.name) {
			n.prec = atom
		}
	case plain:
		n.text, n.prec = mark+w.arg(n.args[0], loose), w.prec(n.args[0])
	case infix:
		l, r, _ := ast.InfixStrength(n.name)
		switch n.prec = min(l, r); {
		case l > r: // a ^ b ^ c is a ^ (b ^ c)
			l, n.prec = l+1, l
		case l == r: // a < b < c is something else
			n.prec--
		}
		n.text = mark + w.arg(n.args[0], l) + mark + " " + n.name + " " + w.arg(n.args[1], r)
	case minus:
		n.text, n.prec = mark+"-"+w.arg(n.args[0], atom), prefix
	case index:
		n.text, n.prec = mark+w.arg(n.args[0], atom)+"["+w.list(n.args[1:])+"]", atom
	case component:
		of := w.arg(n.args[0], atom)
		if m := n.args[0].n; m != nil && m.form == component && m.prec == atom && strings.Contains(of, ".") {
			of = "(" + of + ")" // 0.1 would be a number
		}
		n.text, n.prec = mark+of+"."+n.name, atom
	case conditional:
		n.text = mark + "if " + w.arg(n.args[0], loose) + " then " + w.arg(n.args[1], loose) + " else " + w.arg(n.args[2], loose)
	case tuple:
		comma := ""
		if len(n.args) == 1 {
			comma = ","
		}
		n.text, n.prec = mark+"("+w.list(n.args)+comma+")", atom
	case call:
		n.text, n.prec = mark+n.name, apply
		for _, a := range n.args {
			t := w.arg(a, atom)
			if len(n.args) == 1 && a.n != nil && a.n.form == tuple && a.n.text == t && strings.HasSuffix(t, ")") {
				t = "(" + t + ")" // else the components would be the arguments
			}
			n.text += " " + t
		}
		if len(n.args) == 0 {
			n.prec = atom
		}
	}
	w.let(n)
}

// let gives a node a name where it is used twice, was given one, or has much to read.
func (w *writer) let(n *node) {
	size, isSize := n.typed.Size()
	short := isSize && len(size.String()) <= 5 || n.form == index && n.weight <= 4 && n.args[0].n != nil && n.args[0].n.prec == atom && n.args[0].n.weight == 1
	if n.hint == "" && !n.let && (n.weight <= maxWeight || n.tail) && (n.uses < 2 || short) {
		return
	}
	name := n.hint
	for name == "" {
		w.count++
		if t := "t" + strconv.Itoa(w.count); !w.names.Has(t) {
			name = t
		}
	}
	name = w.names.Like(name)
	n.scope.lets = append(n.scope.lets, "let "+name+" = "+strings.ReplaceAll(n.text, "\n", "\n  ")+" in")
	n.text, n.prec, n.weight = name, atom, 1
}

// variable is the name of a variable of a function.
func (w *writer) variable(n *node) string {
	hint, among := n.hint, []string{"s", "t", "u", "v"}
	if w.d.check.TypeOf(n.typed).IsScalar(types.I) {
		among = []string{"i", "j", "k", "l"}
	}
	if hint == "" {
		hint = among[max(0, slices.IndexFunc(among, func(h string) bool { return !w.names.Has(h) }))]
	}
	return w.names.Like(hint)
}

func (w *writer) weight(a arg) int {
	n := 1
	switch {
	case a.n != nil:
		return a.n.weight
	case a.fn != nil:
		n = slice.Sum(a.fn.body, w.weight)
	}
	return n + slice.Sum(a.list, w.weight)
}

func (w *writer) prec(a arg) int {
	switch {
	case a.n != nil:
		return a.n.prec
	case a.is == literalArg && strings.HasPrefix(a.text, "-"):
		return prefix
	}
	return atom
}

// arg is the text of an operand that must bind so tightly.
func (w *writer) arg(a arg, prec int) string {
	var text string
	switch a.is {
	case nodeArg:
		text = a.n.text
	case literalArg:
		text = a.text
	case listArg:
		return "[" + w.list(a.list) + "]"
	case sliceArg:
		for k, b := range a.list {
			if b.expr != nil {
				text += w.arg(b, loose)
			}
			text += []string{":", ""}[k]
		}
		return text
	case functionArg:
		return "(" + w.function(a.fn) + ")"
	}
	if w.prec(a) < prec {
		return "(" + text + ")"
	}
	return text
}

func (w *writer) list(as []arg) string {
	return strings.Join(slice.Map(as, func(a arg) string { return w.arg(a, loose) }), ", ")
}

// function is the text of a function, whose variables have no names from here on.
func (w *writer) function(f *function) string {
	if f.scope == nil {
		return "\\" + strings.Repeat("_ ", f.arity) + "-> 0"
	}
	names := make([]string, len(f.params))
	for i, p := range f.params {
		names[i] = p.text
		w.names.Release(p.text)
	}
	if f.list {
		return "\\[" + strings.Join(names, ", ") + "] -> " + strings.Join(append(f.scope.lets, "["+w.list(f.body)+"]"), " ")
	}
	body := strings.Join(append(f.scope.lets, w.arg(f.body[0], loose)), "\n")
	space := " "
	if len(f.scope.lets) > 0 {
		space = "\n  "
	}
	return "\\" + strings.Join(names, " ") + " ->" + space + strings.ReplaceAll(body, "\n", "\n  ")
}
