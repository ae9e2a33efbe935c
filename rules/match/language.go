package match

import (
	"strings"

	"egad/rules"
	"egad/term"
)

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
