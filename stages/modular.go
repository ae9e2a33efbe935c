package stages

import (
	"fmt"
	"slices"
	"strings"

	"egad/ad"
	"egad/diag"
	"egad/internal/slice"
	"egad/linmap"
	"egad/rules"
	"egad/rules/load"
	"egad/term"
	"egad/term/module"
	"egad/term/ops"
	"egad/term/types"
)

// ModularNames lists what there is of each definition that is differentiated by itself, in
// order; the gradient is of the last one.
var ModularNames = []string{"source", "nabla", "transposed", "forward", "reverse", "gradient"}

// Modular differentiates a definition at the given sizes and each that it calls, by
// themselves (Coconut, Section 3): a derivative calls those of what its definition calls.
// What is called comes first.
func Modular(mod *module.Module, lib *rules.Library, name string, sizes map[string]int64, opt ad.Options) ([]*Stage, error) {
	whole, err := mod.Whole(name, sizes)
	if err != nil {
		return nil, err
	}
	m := &modular{lib: lib, opt: opt}
	for _, k := range whole {
		if err := m.definition(k); err != nil {
			return m.out, fmt.Errorf("%s: %w", k.Program.Name, err)
		}
	}
	last := whole[len(whole)-1]
	if p := last.Program; m.reverse != ops.SymNone && p.Store.Type(p.Root).IsScalar(types.R) {
		q, err := ad.GradientOf(p, last.Call, m.reverse)
		if err != nil {
			return m.out, err
		}
		m.stage("gradient", "the value of "+p.Name+" and its gradient", last.Like("grad_"+p.Name), q)
	}
	return m.out, nil
}

type modular struct {
	lib     *rules.Library
	opt     ad.Options
	out     []*Stage
	reverse ops.Sym // of the last definition, if it has a derivative
}

func (m *modular) stage(name, title, def string, p *term.Program) {
	m.out = append(m.out, &Stage{Name: name, Title: title, Def: def, Program: p})
}

// definition differentiates a definition, and adds the rules by which it is differentiated
// where it is called.
func (m *modular) definition(k *module.Kept) error {
	p, name := k.Program, k.Program.Name
	if p.AppliesMaps() {
		x, _, err := linmap.Apply(m.lib, p.Store, p.Root, p.Names, m.opt.Time)
		if err != nil {
			return err
		}
		p.Root, p.Names = x.Root, x.Names
	}
	varied := func(t *types.Type) bool { return t.Differentiable() && !t.HasEmptyAxis() }
	m.stage("source", name+" at these sizes", name, p)
	m.reverse = ops.SymNone
	var params, from []*types.Type
	c := &called{value: k.Call}
	for _, in := range p.Inputs {
		params = append(params, in.Type)
		for _, leaf := range in.Leaves() {
			c.varied = append(c.varied, varied(leaf.Type))
			if varied(leaf.Type) {
				from = append(from, leaf.Type)
			}
		}
	}
	var to []*types.Type
	for _, leaf := range (term.Input{Type: p.Store.Type(p.Root)}).Leaves() {
		if varied(leaf.Type) {
			to = append(to, leaf.Type)
		}
	}
	if len(from) == 0 || len(to) == 0 {
		return nil
	}
	back, err := ad.Pullback(m.lib, p, m.opt)
	if err != nil {
		return err
	}
	fore, err := ad.Pushforward(m.lib, p, m.opt)
	if err != nil {
		return err
	}
	v := New(m.lib, p, m.opt)
	v.derived = map[string]*derived{v.gradients(): {back, nil}}
	joined, _, err := with(v.lawful, func(q *term.Program, ms []term.Term) term.Term { return together(q.Store, ops.SymLjoin, ms) })
	if err != nil {
		return err
	}
	paired, _, err := with(v.transposed, func(q *term.Program, ms []term.Term) term.Term { return together(q.Store, ops.SymLpair, ms) })
	if err != nil {
		return err
	}
	c.from, c.to = term.PackedType(from), term.PackedType(to)
	operator := func(stage, title, prefix string, p *term.Program, params []*types.Type, result *types.Type) ops.Sym {
		def := k.Like(prefix + name)
		m.stage(stage, title, def, p)
		return k.Operator(def, params, result)
	}
	c.nabla = operator("nabla", "the derivative of "+name+" as a linear map", "nabla_", joined, params, types.LinOf(c.from, c.to))
	c.transposed = operator("transposed", "the same transposed", "transposed_", paired, params, types.LinOf(c.to, c.from))
	c.forward = operator("forward", "the change of the result of "+name+" for changes of what it takes", "forward_", fore.Program, slices.Concat(params, from), c.to)
	c.reverse = operator("reverse", "the cotangents of what "+name+" takes for one of its result", "reverse_", back.Program, slices.Concat(params, to), c.from)
	m.reverse = c.reverse
	more, err := load.Over(m.lib, k.Signature(), &diag.Source{Name: name + ".rules", Text: c.rules()})
	if err != nil {
		return err
	}
	m.lib = m.lib.With(more)
	return nil
}

// called is a definition with its derivatives, as operators of calls.
type called struct {
	value, nabla, transposed, forward, reverse ops.Sym

	varied   []bool // of its operands: whether it is differentiated by them
	from, to *types.Type
}

// rules are the chain rule for calls of the definition, ∇(f e) = ∇f(e) ∘ ∇e, with the
// transposition and the application of its linear maps, as calls.
func (c *called) rules() string {
	ws := slice.Make(len(c.varied), func(i int) string { return fmt.Sprintf("w%d", i+1) })
	call := func(s ops.Sym, more ...string) string {
		return term.CallName(s) + " " + strings.Join(append(ws[:len(ws):len(ws)], more...), " ")
	}
	var maps []string
	n := 0
	for _, varied := range c.varied {
		switch {
		case !varied:
			maps = append(maps, "none")
		case c.from.Kind != types.KTuple:
			maps = append(maps, call(c.nabla))
		default:
			maps = append(maps, fmt.Sprintf("lcompose (%s) (linj %d @%s)", call(c.nabla), n, c.from))
			n++
		}
	}
	parts := func(t *types.Type) []string {
		if t.Kind != types.KTuple {
			return []string{"x"}
		}
		return slice.Make(len(t.Parts), func(i int) string { return fmt.Sprintf("(proj %d x)", i) })
	}
	var b strings.Builder
	rule := func(set, lhs, rhs string) {
		name, _, _ := strings.Cut(strings.Trim(lhs[strings.Index(lhs, "(")+1:], "()"), " ")
		if strings.Contains(lhs, "lcompose") {
			name = "after_" + strings.Trim(strings.Fields(lhs)[2], "()")
		}
		fmt.Fprintf(&b, "ruleset %s\nrule %s_%s exact\n  %s => %s\n", set, set, name, lhs, rhs)
	}
	rule("nabla", "nabla ("+call(c.value)+")", "["+strings.Join(maps, ", ")+"]")
	rule("linear_transpose", "ltranspose ("+call(c.nabla)+")", call(c.transposed))
	rule("linear_transpose", "ltranspose ("+call(c.transposed)+")", call(c.nabla))
	c.heldBack(rule, call, c.nabla, c.forward, c.from, c.to)
	c.heldBack(rule, call, c.transposed, c.reverse, c.to, c.from)
	rule("linear_apply", "lapply ("+call(c.nabla)+") x", call(c.forward, parts(c.from)...))
	rule("linear_apply", "lapply ("+call(c.transposed)+") x", call(c.reverse, parts(c.to)...))
	return b.String()
}

// heldBack are rules for what is held back before a map of one number: if no change
// arrives, there is none after the map, whatever its factors are.
func (c *called) heldBack(rule func(set, lhs, rhs string), call func(ops.Sym, ...string) string, m, derivative ops.Sym, from, to *types.Type) {
	if !from.IsScalar(types.R) {
		return
	}
	arrives := "lreached f"
	result := call(derivative, "(lapply f x)")
	if to.Kind != types.KTuple {
		rule("linear_apply", "lapply (lcompose ("+call(m)+") f) x", "if "+arrives+" then "+result+" else zero")
		for _, n := range slices.Backward(to.Shape) {
			arrives = fmt.Sprintf("replicate %s (%s)", n, arrives)
		}
		rule("linear_reached", "lreached (lcompose ("+call(m)+") f)", arrives)
		return
	}
	parts := slice.Make(len(to.Parts), func(i int) string { return fmt.Sprintf("if %s then proj %d (%s) else zero", arrives, i, result) })
	rule("linear_apply", "lapply (lcompose ("+call(m)+") f) x", "("+strings.Join(parts, ", ")+")")
}
