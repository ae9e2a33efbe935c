package load

import (
	"fmt"
	"slices"
	"strings"

	"egad/diag"
	"egad/internal/slice"
	"egad/rules"
	"egad/rules/syntax"
	"egad/term/ast"
	"egad/term/ops"
)

// maxMembers bounds the rules that one with operator variables stands for.
const maxMembers = 1000

// members reads a rule of a language that has operator variables: it is one rule for
// each choice of operators of their classes that gives both sides one sort.
func (f *fileParser) members(d *syntax.Rule) {
	var vars []string
	of := make(map[string][]*ops.Operator)
	rest := slices.DeleteFunc(slices.Clone(d.If), func(k syntax.Cond) bool { return k.Kind == syntax.CondClass })
	total := 1
	for _, k := range d.If {
		v, ok := k.A.(*ast.OpVar)
		switch {
		case k.Kind != syntax.CondClass:
			continue
		case !ok:
			f.errs.Add(f.src, k.Pos, "expected an operator variable, as in ?op : %s", k.Word.Text)
			return
		case !slices.Contains(vars, v.Name):
			vars = append(vars, v.Name)
			of[v.Name] = f.lang.Operators
		}
		in := slices.DeleteFunc(slices.Clone(of[v.Name]), func(o *ops.Operator) bool {
			return !slices.Contains(o.Sorted.Classes, k.Word.Text) || k.Arity > 0 && o.Arity != k.Arity
		})
		if of[v.Name] = in; len(in) == 0 {
			f.errs.Add(f.src, k.Word.Pos, "there is no operator for ?%s in the class %s%s", v.Name, k.Word.Text, diag.DidYouMean(k.Word.Text, classes(f.lang)))
			return
		}
		total = min(total, maxMembers) * len(in)
	}
	if total > maxMembers {
		f.errs.Add(f.src, d.Name.Pos, "the rule stands for more than %d rules, one for each choice of operators", maxMembers)
		return
	}
	if f.lib.Named(d.Name.Text) != nil {
		f.errs.Add(f.src, d.Name.Pos, "the rule %s is there already", d.Name.Text)
		return
	}
	var first diag.List
	made := 0
	var choose func(i int, names []string)
	choose = func(i int, names []string) {
		if i < len(vars) {
			for _, o := range of[vars[i]] {
				f.of[vars[i]] = o
				choose(i+1, append(slices.Clip(names), o.Name))
			}
			return
		}
		one := *d
		one.If = rest
		one.Name.Text = fmt.Sprintf("%s[%s]", d.Name.Text, strings.Join(names, " "))
		var own diag.List
		errs := f.errs
		f.errs, f.inFamily = &own, d.Name.Text
		f.rule(&one)
		f.errs, f.inFamily = errs, ""
		if len(own) == 0 {
			made++
		} else if first == nil {
			first = own
		}
	}
	f.of, f.met = make(map[string]*ops.Operator), make(map[string]bool)
	choose(0, nil)
	f.of = nil
	if made == 0 {
		f.errs.AddError(first...)
		return
	}
	for _, k := range d.If {
		if v, ok := k.A.(*ast.OpVar); ok && !f.met[v.Name] {
			f.errs.Add(f.src, k.Pos, "?%s is in no term of the rule", v.Name)
		}
	}
}

// chosen converts an operator variable with its operands.
func (c *converter) chosen(e ast.Expr, v *ast.OpVar, attrs, args []ast.Expr) *rules.Pattern {
	o := c.f.of[v.Name]
	if c.inTest {
		c.formErrorf(v.At(), "a test has no operator variables: they are for rules")
		return nil
	}
	if o == nil {
		c.formErrorf(v.At(), "the operator variable ?%s needs a class, as in: if ?%s : commutative", v.Name, v.Name)
		return nil
	}
	c.f.met[v.Name] = true
	return c.operation(e.At(), v.At(), o.Name, attrs, args...)
}

// operand is an operand of an operator of a language, a list of them, or the element of
// lists at a place: copy is 1 + that.
type operand struct {
	expr ast.Expr
	list bool
	copy int
}

// listed puts the elements of lists in their place, where it is known how many there are:
// an operator with a fixed number of operands says so of one list on the left side. Open
// says that there are other lists.
func (c *converter) listed(d *ops.Sorted, args []ast.Expr) (out []operand, open, ok bool) {
	var unknown []*ast.Spread
	fixed := 0
	for _, a := range args {
		s, list := a.(*ast.Spread)
		if !list {
			fixed++
		} else if n, known := c.lengthOf(s.X); known {
			fixed += n
		} else {
			unknown = append(unknown, s)
		}
	}
	if len(unknown) > 0 && !d.List() {
		names := c.listNames(unknown[0].X)
		if len(unknown) > 1 || !c.left || len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return c.v.Sort[n] == rules.SortTerms }) {
			c.formErrorf(unknown[len(unknown)-1].At(), "%s has %s: how long this list is follows from nothing", d.Name, operands(len(d.Children)))
			return nil, false, false
		}
		for _, n := range names {
			c.lens[n] = max(0, len(d.Children)-fixed)
		}
	}
	for _, a := range args {
		s, list := a.(*ast.Spread)
		if !list {
			out = append(out, operand{expr: a})
		} else if n, known := c.lengthOf(s.X); known {
			for k := range n {
				out = append(out, operand{expr: s.X, copy: k + 1})
			}
		} else {
			out, open = append(out, operand{expr: s.X, list: true}), true
		}
	}
	return out, open, true
}

// lengthOf is how many elements the lists in a spread have that are no lists any more.
func (c *converter) lengthOf(e ast.Expr) (n int, known bool) {
	for _, name := range c.listNames(e) {
		if n, known = c.lens[name]; known {
			break
		}
	}
	return n, known
}

// listNames are the names in a spread that stand for lists. On the left side these are the
// lists that the right side spreads, or, if there are none, what stands there in spreads alone.
func (c *converter) listNames(e ast.Expr) (out []string) {
	if id, ok := e.(*ast.Ident); ok {
		return []string{id.Name}
	}
	if c.left && c.lists == nil {
		c.lists = listsOf(c.f, c.right)
	}
	names := ast.FreeNames(e)
	out = slice.Filter(names, func(name string) bool {
		_, known := c.lens[name]
		return known || c.lists[name] || c.v.Sort[name] == rules.SortTerms
	})
	if !c.left || c.right == nil || len(out) > 0 {
		return out
	}
	mapped := ast.MappedNames(c.right)
	for _, name := range names {
		_, used := c.v.Sort[name]
		if _, operator := c.f.sig.Lookup(name); !used && !operator && slices.Contains(mapped, name) {
			c.lists[name] = true
			out = append(out, name)
		}
	}
	return out
}
