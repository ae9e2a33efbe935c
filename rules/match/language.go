package match

import (
	"slices"
	"strings"

	"egad/rules"
	"egad/slot"
	"egad/term"
)

// sortedHolds reports whether a condition of a rule of a language holds, as far as the space
// shows what terms are equal to.
func (b *builder) sortedHolds(c *rules.Cond) bool {
	l := b.m.Rule.Language
	some := func(r slot.Ref, is func(v term.View) bool) (found bool) {
		b.space.Nodes(r, func(v term.View) bool {
			found = is(v)
			return !found
		})
		return found
	}
	switch c.Kind {
	case rules.CondLiteral:
		return some(b.term(c.L, nil), func(v term.View) bool { return rules.IsNumber(v.Op) })
	case rules.CondSymbol:
		return some(b.term(c.L, nil), func(v term.View) bool { return l.IsSymbol(v.Op) })
	case rules.CondVariable:
		is := false
		b.space.Nodes(b.term(c.L, nil), func(v term.View) bool { // the term itself comes first: right sides bind its name
			is = len(v.Own) > 0
			return false
		})
		return is
	case rules.CondNotIn:
		x := b.m.Get(c.Name)
		n := x.Index
		if x.Type == nil {
			if len(x.Ref.Args) != 1 {
				return false
			}
			n = x.Ref.Args[0]
		}
		return !slices.ContainsFunc(b.m.Get(c.Terms[0]).terms(), func(r slot.Ref) bool { return r.Has(n) })
	case rules.CondDistinct:
		y := b.term(c.R, nil)
		return some(b.term(c.L, nil), func(v term.View) bool {
			return l.IsAtom(v.Op) && some(y, func(w term.View) bool { return l.IsAtom(w.Op) && l.Differ(v.Op, w.Op) })
		})
	}
	return b.holds(c)
}

// Shown are the conditions of a rule of a language that no equation gives, with what
// variables stand for, of which text makes a text: that something is a number, a symbol or
// a variable, or distinct, or does not mention what a metavariable stands for. It is nil of
// arrays.
func (a *Application) Shown(t Terms, text func(...term.Term) []string) (out []string) {
	if a.Match.Rule.Language == nil {
		return nil
	}
	b := &builder{space: t, m: a.Match}
	for i := range a.Match.Rule.Conds {
		c, kind := &a.Match.Rule.Conds[i], ""
		switch c.Kind {
		case rules.CondLiteral:
			kind = "number"
		case rules.CondSymbol:
			kind = "symbol"
		case rules.CondVariable:
			kind = "variable"
		case rules.CondDistinct:
			if ok, err := b.guard(func() {
				ts := text(b.term(c.L, nil), b.term(c.R, nil))
				out = append(out, "distinct "+operand(ts[0])+" "+operand(ts[1]))
			}); !ok || err != nil {
				continue
			}
		case rules.CondNotIn:
			if x := b.m.Get(c.Name); x.Type == nil {
				ts := text(append([]term.Term{x.Ref}, b.m.Get(c.Terms[0]).terms()...)...)
				out = append(out, ts[0]+" not in "+strings.Join(ts[1:], ", "))
			}
		}
		if kind != "" {
			out = append(out, text(b.m.Get(c.L.Name).Ref)[0]+" is "+kind)
		}
	}
	return out
}

// operand is the text of a term where it stands among others.
func operand(text string) string {
	if strings.HasPrefix(text, "-") || strings.Contains(text, " ") {
		return "(" + text + ")"
	}
	return text
}
