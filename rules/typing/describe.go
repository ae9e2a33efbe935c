package typing

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"egad/internal/slice"
	"egad/rules"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// describe says what the most general types of the metavariables and of the sides
// are: "t : E[s1..., s2...], ix... : I, both sides : E[s2...], len s1 = len ix, E is R,
// I or B".
func (n *unifier) describe() string {
	d := &described{unifier: n, vars: make(map[string]size.Size)}
	var out []string
	for _, name := range n.rule.Vars.Order {
		if s := n.size(lengthOf(name)); n.rule.Vars.Sort[name] == rules.SortTerms {
			for _, v := range s.Vars() { // a length that is at least 1 has its own name
				if x, ok := s.Sub(lengthOf(name)).Solve(v); ok && generated(v) {
					d.vars[v] = x
				}
			}
		}
	}
	for _, name := range n.rule.Vars.Order {
		switch n.rule.Vars.Sort[name] {
		case rules.SortTerm:
			out = append(out, name+" : "+d.text(n.metas[name]))
		case rules.SortTerms:
			ts := n.every(lengthOf(name), n.metas[name])
			text := d.text(types.TupleOf(ts...))
			if len(ts) == 1 && isEach(ts[0]) {
				text = d.text(ts[0].Parts[0])
			}
			out = append(out, name+"... : "+text)
		case rules.SortType:
			if t := n.Resolve(variable(name)); t.Kind != types.KVar {
				out = append(out, name+" = "+d.text(t))
			}
		case rules.SortSizes:
			if ss := d.shape(list(name)); !size.Equal(ss, list(name)) {
				out = append(out, name+" = "+types.ShapeText(ss))
			}
		case rules.SortSize:
			if s := d.shape([]size.Size{size.Var(name)})[0]; !s.Equal(size.Var(name)) {
				out = append(out, name+" = "+s.String())
			}
		case rules.SortPerm:
			if ms := n.moves([]move{{name: name}}); len(ms) == 0 || ms[0].name != name {
				out = append(out, name+" = "+movesText(ms))
			}
		case rules.SortOp:
			ops := slice.Map(n.op[name], func(sym ops.Sym) string { return n.sig.Operator(sym).Text() })
			out = append(out, "?"+name+" is "+listed(ops))
		}
	}
	sides := "both sides"
	if n.rule.Nabla {
		sides = "the left side"
	}
	out = append(out, sides+" : "+d.text(n.root))
	for _, name := range d.lists {
		if l := n.size(lengthOf(name)).Subst(d.vars); !slices.ContainsFunc(l.Vars(), generated) && !l.Equal(lengthOf(name)) {
			out = append(out, fmt.Sprintf("%s = %s", lengthOf(name), l))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(n.types)) {
		if base, place, _ := strings.Cut(name, "["); place != "" && place != "i]" && n.types[base+each] == nil && n.metas[base] == nil {
			out = append(out, name+" = "+d.text(n.types[name]))
		}
	}
	for _, e := range d.ofParts(n.open) {
		if a, b := listText(d.shape(e[0])), listText(d.shape(e[1])); a != b {
			out = append(out, a+" = "+b)
		}
	}
	for _, p := range d.ofParts(n.equal) {
		out = append(out, fmt.Sprintf("product %s = product %s", listText(d.shape(p[0])), listText(d.shape(p[1]))))
	}
	for _, e := range slices.Clone(d.elems) {
		names := slice.Map(n.Among(e), types.Elem.String)
		out = append(out, d.elemName(e)+" is "+listed(names))
	}
	return readable(n.rule, strings.Join(out, ", "))
}

const elemNames = "EFGHKLMNOPQSTUVWXYZ"

// listed lists what something may be.
func listed(names []string) string {
	k := len(names) - 1
	if k < 1 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:k], ", ") + " or " + names[k]
}

// described collects what the types of a description mention.
type described struct {
	*unifier
	vars  map[string]size.Size
	elems []types.Elem
	lists []string
}

func (d *described) text(t *types.Type) string { return d.named(d.full(t)).String() }

// named puts the text of an array type in its place.
func (d *described) named(t *types.Type) *types.Type {
	out := *t
	if t.Kind == types.KArray {
		name := t.Elem.String()
		if len(d.Among(t.Elem)) > 1 {
			name = d.elemName(t.Elem)
		}
		if ss := d.shape(t.Shape); len(ss) > 0 {
			name += types.ShapeText(ss)
		}
		return variable(name)
	}
	out.Parts = slice.Map(t.Parts, d.named)
	return &out
}

// elemName is the name of an element type that is not known: E, or E(i) and E(0) if it
// depends on the place in a list.
func (d *described) elemName(e types.Elem) string {
	all, place := d.placed(e)
	i := slices.Index(d.elems, all)
	if i < 0 {
		i = len(d.elems)
		d.elems = append(d.elems, all)
	}
	if all != e && !slices.Equal(d.Among(all), d.Among(e)) && !slices.Contains(d.elems, e) {
		d.elems = append(d.elems, e)
	}
	name := elemNames[min(i, len(elemNames)-1):][:1]
	if place != "" {
		name += "(" + place + ")"
	}
	return name
}

// ofParts are equations for the parts of the lists that are written in parts.
func (d *described) ofParts(es [][2][]size.Size) [][2][]size.Size {
	var out [][2][]size.Size
	for _, e := range es {
		if parts := d.equationOfParts(e); parts != nil {
			out = append(out, parts...)
		} else {
			out = append(out, e)
		}
	}
	return out
}

// shape is a list of sizes in the words of the rule, as far as it has some.
func (d *described) shape(ss []size.Size) []size.Size {
	ss = d.norm(ss)
	for i, s := range ss {
		name, is := listName(s)
		if ss[i] = s.Subst(d.vars); is && d.parts[name] == nil && !slices.Contains(d.lists, name) {
			d.lists = append(d.lists, name)
		}
	}
	return ss
}

// generated reports whether a name is one that typing made.
func generated(name string) bool { return strings.HasPrefix(strings.TrimPrefix(name, "len "), "_") }

var generatedName = regexp.MustCompile(`_[0-9]+`)

// readable gives names that typing made names that the rule does not have, in order.
func readable(r *rules.Rule, text string) string {
	names := make(map[string]string)
	k := 0
	return generatedName.ReplaceAllStringFunc(text, func(old string) string {
		if names[old] == "" {
			for k++; slices.Contains(r.Vars.Order, fmt.Sprintf("s%d", k)); k++ {
			}
			names[old] = fmt.Sprintf("s%d", k)
		}
		return names[old]
	})
}
