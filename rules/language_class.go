package rules

import (
	"fmt"
	"slices"
	"strings"

	"egad/diag"
	"egad/rules/syntax"
	"egad/term"
)

// ofClass is what the operator variables of a rule of a language stand for, and how
// long the lists of their operands are.
type ofClass struct {
	ops  map[string]*term.Operator
	lens map[string]int
}

// maxMembers bounds the rules that one with operator variables stands for.
const maxMembers = 1000

// members reads a rule of a language that has operator variables: it is one rule for
// each choice of operators of their classes that gives both sides one sort.
func (f *fileParser) members(d *syntax.Rule) {
	var vars []string
	of := make(map[string][]*term.Operator)
	rest := slices.DeleteFunc(slices.Clone(d.If), func(k syntax.Cond) bool { return k.Kind == syntax.CondClass })
	total := 1
	for _, k := range d.If {
		v, ok := k.A.(*term.OpVar)
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
		in := slices.DeleteFunc(slices.Clone(of[v.Name]), func(o *term.Operator) bool {
			return !slices.Contains(o.Sorted.Classes, k.Word.Text) || k.Arity > 0 && o.Arity != k.Arity
		})
		if of[v.Name] = in; len(in) == 0 {
			f.errs.Add(f.src, k.Word.Pos, "there is no operator for ?%s in the class %s%s", v.Name, k.Word.Text, diag.DidYouMean(k.Word.Text, f.lang.classes()))
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
				f.of.ops[vars[i]] = o
				choose(i+1, append(slices.Clip(names), o.Name))
			}
			return
		}
		one := *d
		one.If = rest
		one.Name.Text = fmt.Sprintf("%s[%s]", d.Name.Text, strings.Join(names, " "))
		var own diag.List
		errs := f.errs
		f.errs, f.of.lens, f.inFamily = &own, make(map[string]int), d.Name.Text
		f.rule(&one)
		f.errs, f.inFamily = errs, ""
		if len(own) == 0 {
			made++
		} else if first == nil {
			first = own
		}
	}
	f.of = ofClass{ops: make(map[string]*term.Operator)}
	choose(0, nil)
	f.of = ofClass{}
	if made == 0 {
		for _, e := range first {
			f.errs.AddError(e)
		}
	}
}

// classes are the names of the classes of a language.
func (l *Language) classes() []string {
	var out []string
	for _, o := range l.Operators {
		out = append(out, o.Sorted.Classes...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// chosen converts an operator variable with its operands, among which there may be a
// list: it has as many as the operator that was chosen needs.
func (c *converter) chosen(e *term.Call, v *term.OpVar) *Pattern {
	o := c.f.of.ops[v.Name]
	if o == nil {
		c.formErrorf(v.At(), "the operator variable ?%s needs a class, as in: if ?%s : commutative", v.Name, v.Name)
		return nil
	}
	for _, a := range e.Args {
		if s, ok := a.(*term.Spread); ok {
			if id, ok := s.X.(*term.Ident); ok && c.left {
				if _, known := c.f.of.lens[id.Name]; !known {
					c.f.of.lens[id.Name] = max(0, o.Arity-(len(e.Args)-1))
				}
			}
		}
	}
	args, ok := c.spread(e.Args)
	if !ok {
		return nil
	}
	return c.operation(e.At(), v.At(), o.Name, args...)
}

// spread puts the elements of lists in their place.
func (c *converter) spread(args []term.Expr) ([]term.Expr, bool) {
	var out []term.Expr
	for _, a := range args {
		s, ok := a.(*term.Spread)
		if !ok {
			out = append(out, a)
			continue
		}
		id, ok := s.X.(*term.Ident)
		n, known := 0, false
		if ok {
			n, known = c.f.of.lens[id.Name]
		}
		if !known {
			c.formErrorf(a.At(), "a list stands among the operands of an operator variable of the left side, as in ?op ts...")
			return nil, false
		}
		for i := range n {
			out = append(out, id.Renamed(fmt.Sprintf("%s%d", id.Name, i+1)))
		}
	}
	return out, true
}
