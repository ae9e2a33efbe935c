package typing_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"egad/diag"
	"egad/internal/testflag"
	"egad/rules/load"
	"egad/rules/typing"
	"egad/term"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// placePattern is a pattern over lists ts and us of arrays and one more, a, of which a test
// knows the types at places of lists.
type placePattern struct {
	op   string // of an operator, or the name of a metavariable
	kids []*placePattern
	word []int // of tr: permutations, 1 for p to 3 for r, and -1 for the inverse of p
}

// text is the pattern in a rule; elem says how an element of a list is written.
func (p *placePattern) text(elem func(list string) string) string {
	if len(p.kids) == 0 {
		return elem(p.op)
	}
	kids := make([]string, len(p.kids))
	for i, k := range p.kids {
		kids[i] = k.text(elem)
	}
	if p.word != nil {
		return "(tr " + wordText(p.word) + " " + kids[0] + ")"
	}
	if p.op == "+" || p.op == "<" {
		return "(" + strings.Join(kids, " "+p.op+" ") + ")"
	}
	return "(" + p.op + " " + strings.Join(kids, " ") + ")"
}

func (p *placePattern) mentions(name string) bool {
	return p.op == name || slices.ContainsFunc(p.kids, func(k *placePattern) bool { return k.mentions(name) })
}

// placeTypes are types for the metavariables of a rule.
type placeTypes struct {
	lists map[string][]*types.Type
	a     *types.Type
	perm  []int
	perms [3][]int
	k     size.Size
	shape []size.Size
}

// typeOf is the type of a pattern at a place, nil if it has none.
func (x *placeTypes) typeOf(sig *term.Signature, p *placePattern, lists []string, place int) *types.Type {
	if len(p.kids) == 0 {
		ts := x.lists[p.op]
		switch {
		case p.op == "a":
			return x.a
		case !slices.Contains(lists, p.op): // one term
			return ts[0]
		case place >= len(ts):
			return nil
		}
		return ts[place]
	}
	var kids []*types.Type
	for _, k := range p.kids {
		t := x.typeOf(sig, k, lists, place)
		if t == nil {
			return nil
		}
		kids = append(kids, t)
	}
	name, _, _ := strings.Cut(p.op, " ")
	op := ops.Op{Sym: placeOps[name]}
	switch p.op {
	case "tr":
		op.Perm = x.composed(p.word)
	case "tr p":
		op.Perm = x.perm
	case "tr [1, 0]":
		op.Perm = []int{1, 0}
	case "replicate k":
		op.Sizes = []size.Size{x.k}
	case "reshape sh":
		op.Sizes = x.shape
	}
	t, err := ops.TypeOf(sig.Operator(op.Sym), op, kids)
	if err != nil {
		return nil
	}
	return t
}

var placeOps = map[string]ops.Sym{
	"neg": ops.SymNeg, "floor": ops.SymFloor, "real": ops.SymReal, "sum": ops.SymSum, "cumsum": ops.SymCumsum, "tr": ops.SymTr,
	"replicate": ops.SymReplicate, "reshape": ops.SymReshape, "+": ops.SymAdd, "<": ops.SymLt,
}

var unaryPlaceOps = []string{"neg", "neg", "floor", "real", "sum", "sum", "cumsum", "tr p", "tr p", "tr [1, 0]", "replicate k", "reshape sh"}

func drawPlacePattern(rng *rand.Rand, depth int) *placePattern {
	if depth == 0 || rng.IntN(6) == 0 {
		return &placePattern{op: []string{"ts", "ts", "ts", "us", "a"}[rng.IntN(5)]}
	}
	if rng.IntN(3) == 0 {
		return &placePattern{op: []string{"+", "+", "<"}[rng.IntN(3)], kids: []*placePattern{drawPlacePattern(rng, depth-1), drawPlacePattern(rng, depth-1)}}
	}
	return &placePattern{op: unaryPlaceOps[rng.IntN(len(unaryPlaceOps))], kids: []*placePattern{drawPlacePattern(rng, depth-1)}}
}

// mutated is a pattern with a few places of it changed.
func (p *placePattern) mutated(rng *rand.Rand) *placePattern {
	out := &placePattern{op: p.op}
	for _, k := range p.kids {
		out.kids = append(out.kids, k.mutated(rng))
	}
	switch c := rng.IntN(12); {
	case c == 0:
		return &placePattern{op: unaryPlaceOps[rng.IntN(len(unaryPlaceOps))], kids: []*placePattern{out}}
	case c == 1 && len(p.kids) == 1:
		return out.kids[0]
	case c == 2 && len(p.kids) == 1:
		out.op = unaryPlaceOps[rng.IntN(len(unaryPlaceOps))]
	case c <= 4 && len(p.kids) == 2:
		slices.Reverse(out.kids)
	case c == 3 && len(p.kids) == 0:
		out.op = []string{"ts", "us", "a"}[rng.IntN(3)]
	}
	return out
}

func drawArrayType(rng *rand.Rand, e types.Elem) *types.Type {
	shape := make([]size.Size, rng.IntN(4))
	for i := range shape {
		shape[i] = size.Const(int64(2 + rng.IntN(2)))
	}
	return types.ArrayOf(e, shape...)
}

func drawElem(rng *rand.Rand) types.Elem {
	return []types.Elem{types.R, types.R, types.R, types.I, types.B}[rng.IntN(5)]
}

// like is a type that goes well together with another one.
func like(rng *rand.Rand, t *types.Type) *types.Type {
	switch rng.IntN(5) {
	case 0:
		return drawArrayType(rng, t.Elem)
	case 1:
		if len(t.Shape) > 0 {
			return types.ArrayOf(t.Elem, t.Shape[1:]...)
		}
	case 2:
		if len(t.Shape) > 1 {
			return types.ArrayOf(t.Elem, slices.Concat([]size.Size{t.Shape[1], t.Shape[0]}, t.Shape[2:])...)
		}
	}
	return t
}

func drawPlaceTypes(rng *rand.Rand, real bool) *placeTypes {
	perms := [][]int{{}, {1, 0}, {1, 0}, {1, 2, 0}, {0, 2, 1}}
	x := &placeTypes{lists: make(map[string][]*types.Type), perm: perms[rng.IntN(len(perms))], k: size.Const(int64(2 + rng.IntN(2)))}
	elem := func() types.Elem {
		if real {
			return types.R
		}
		return drawElem(rng)
	}
	for i := range 1 + rng.IntN(3) {
		t := drawArrayType(rng, elem())
		if i > 0 && rng.IntN(2) == 0 {
			t = like(rng, x.lists["ts"][0])
		}
		x.lists["ts"] = append(x.lists["ts"], t)
		x.lists["us"] = append(x.lists["us"], like(rng, t))
	}
	x.a = like(rng, x.lists["ts"][0])
	x.shape = []size.Size{size.Product(x.lists["ts"][0].Shape)}
	if rng.IntN(3) == 0 {
		x.shape = drawArrayType(rng, types.R).Shape
	}
	return x
}

// TestTypesAtPlaces types rules about lists of arrays of different shapes that are drawn at
// random, and compares with the obvious way: where the left side has a type for types that
// are drawn at random, of which typing knows nothing, the right side has the same. It
// counts how many are decided for all shapes.
func TestTypesAtPlaces(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(testflag.Seed), 3))
	decided, wrong, met, open := 0, 0, 0, 0
	forms := []struct {
		left, right string // %s is the pattern
		linear      bool
		place       func(n, length int) int // of the lists, on the right side
		at          string
	}{
		{"proj n (%s...,)", "%s", false, func(n, _ int) int { return n }, "n"},
		{"proj 0 (%s...,)", "%s", false, func(n, _ int) int { return 0 }, "0"},
		{"lapply (ljoin ms...) (%s...,)", "lapply (nth 0 ms) %s", true, func(n, _ int) int { return 0 }, "0"},
		{"lapply (ljoin m ms...) (%s...,)", "lapply m %s", true, func(n, _ int) int { return 0 }, "0"},
		{"lapply (ljoin ms... m) (%s...,)", "lapply m %s", true, func(_, length int) int { return length - 1 }, "(len ms)"},
		{"index [%s...] [j]", "%s", false, func(n, _ int) int { return 0 }, "0"},
	}
	for range testflag.Count(150, 3000) {
		form := forms[rng.IntN(len(forms))]
		left := drawPlacePattern(rng, 1+rng.IntN(3))
		right := left
		if rng.IntN(3) > 0 {
			right = left.mutated(rng)
		}
		var lists []string
		for _, l := range []string{"ts", "us"} {
			if right.mentions(l) {
				lists = append(lists, l)
			}
		}
		nth := func(l string) string {
			if slices.Contains(lists, l) {
				return "(nth " + form.at + " " + l + ")"
			}
			return l
		}
		text := fmt.Sprintf(form.left, "("+left.text(func(l string) string { return l })+")") + " => " + fmt.Sprintf(form.right, right.text(nth))
		sig := term.NewSignature()

		lib, err := load.Files(sig, &diag.Source{Name: "places.rules", Text: "ruleset places\nrule r real\n  " + text + "\n"})
		if err != nil || len(lib.All()) == 0 {
			continue
		}
		rep := typing.Check(sig, lib.All()[0])
		switch {
		case rep.Err != nil:
			wrong++
			continue
		case rep.Undecided != "":
			open++
			t.Logf("%s: %s", text, rep.Undecided)
			continue
		}
		decided++
		for range 200 {
			x := drawPlaceTypes(rng, form.linear)
			length := len(x.lists["ts"])
			var kids []*types.Type
			for i := range length {
				kids = append(kids, x.typeOf(sig, left, lists, i))
			}
			n := rng.IntN(length)
			i := form.place(n, length)
			switch {
			case slices.Contains(kids, nil):
				continue
			case strings.HasPrefix(form.left, "index") && slices.ContainsFunc(kids, func(k *types.Type) bool { return !k.Equal(kids[0]) }):
				continue
			case form.linear && slices.ContainsFunc(kids, func(k *types.Type) bool { return k.Elem != types.R }):
				continue
			}
			met++
			if got := x.typeOf(sig, right, lists, i); got == nil || !got.Equal(kids[i]) {
				t.Errorf("%s\n%s\nbut for ts : %v, us : %v, a : %v, p = %v the left side has %v and the right side %v", text, strings.Join(rep.Types, "\n"), x.lists["ts"], x.lists["us"], x.a, x.perm, kids[i], got)
				break
			}
		}
	}
	t.Logf("%d decided, %d wrong, %d not decided; %d types met", decided, wrong, open, met)
	if decided < 20 || wrong < 20 || met < 500 || open > decided/10 {
		t.Errorf("%d decided, %d wrong, %d not decided; %d types met", decided, wrong, open, met)
	}
}

// wordText is a composition of permutations in a rule.
func wordText(word []int) string {
	switch {
	case len(word) == 0:
		return "[]"
	case len(word) > 1:
		return "(compose " + wordText(word[:1]) + " " + wordText(word[1:]) + ")"
	case word[0] < 0:
		return "(invert " + wordText([]int{-word[0]}) + ")"
	}
	return string("pqr"[word[0]-1])
}

func (x *placeTypes) composed(word []int) []int {
	out := []int{}
	for _, k := range word {
		perm := x.perms[max(k, -k)-1]
		if k < 0 {
			perm = ops.InvertPerm(perm)
		}
		out = ops.ComposePerm(out, perm)
	}
	return ops.CanonPerm(out)
}

func drawPermuted(rng *rand.Rand, left bool, depth int) *placePattern {
	switch c := rng.IntN(5); {
	case depth == 0 || c == 0:
		return &placePattern{op: string("ab"[rng.IntN(2)])}
	case c == 1:
		return &placePattern{op: "+", kids: []*placePattern{drawPermuted(rng, left, depth-1), drawPermuted(rng, left, depth-1)}}
	}
	word := []int{1 + rng.IntN(2)}
	for !left && rng.IntN(2) == 0 {
		word = append(word, (1+rng.IntN(2))*(1-2*rng.IntN(2)))
	}
	return &placePattern{op: "tr", word: word, kids: []*placePattern{drawPermuted(rng, left, depth-1)}}
}

// permuted is another way to write a pattern, or another pattern.
func (p *placePattern) permuted(rng *rand.Rand) *placePattern {
	out := &placePattern{op: p.op, word: p.word}
	for _, k := range p.kids {
		out.kids = append(out.kids, k.permuted(rng))
	}
	switch c := rng.IntN(4); {
	case c > 0 && p.word != nil && out.kids[0].word != nil: // two are one
		return &placePattern{op: "tr", word: slices.Concat(p.word, out.kids[0].word), kids: out.kids[0].kids}
	case c > 0 && p.word != nil && out.kids[0].op == "+": // that of a sum is the sum of those
		sum := &placePattern{op: "+"}
		for _, k := range out.kids[0].kids {
			sum.kids = append(sum.kids, &placePattern{op: "tr", word: p.word, kids: []*placePattern{k}})
		}
		return sum
	case c == 1 && p.op == "+":
		slices.Reverse(out.kids)
	case c == 2 && p.op == "+" && out.kids[0].word != nil: // the permutation is taken out
		inverse := []int{}
		for _, k := range out.kids[0].word {
			inverse = append([]int{-k}, inverse...)
		}
		rest := &placePattern{op: "tr", word: inverse, kids: out.kids[1:]}
		return &placePattern{op: "tr", word: out.kids[0].word, kids: []*placePattern{{op: "+", kids: []*placePattern{out.kids[0].kids[0], rest}}}}
	case c == 0 && p.word != nil && rng.IntN(4) == 0:
		out.word = []int{1 + rng.IntN(2)}
	}
	return out
}

// TestTypesOfPermutations does what TestTypesAtPlaces does for compositions of
// permutations, with conditions between them, and compares instances.
func TestTypesOfPermutations(t *testing.T) {
	rng := rand.New(rand.NewPCG(uint64(testflag.Seed), 4))
	perms := [][]int{{}, {1, 0}, {1, 0}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 3, 2}}
	conds := [][2][]int{{}, {}, {}, {{1, 2}, {2, 1}}, {{1}, {-1}}, {{2}, {-1}}, {{1, 2}, {-1}}, {{1, 1}, {-2}}, {{1, 2}, {-2, -1}}, {{2, 1, 1}, {1}}}
	decided, wrong, met, open := 0, 0, 0, 0
	for range testflag.Count(115, 4000) {
		left := &placePattern{op: "tr", word: []int{1}, kids: []*placePattern{{op: "tr", word: []int{2}, kids: []*placePattern{drawPermuted(rng, true, 2)}}}}
		if rng.IntN(2) == 0 {
			left = &placePattern{op: "+", kids: []*placePattern{left, drawPermuted(rng, true, 2)}}
		}
		right, cond := left.permuted(rng), conds[rng.IntN(len(conds))]
		if rng.IntN(4) == 0 {
			right = drawPermuted(rng, false, 3)
		}
		name := func(l string) string { return l }
		text := left.text(name) + " => " + right.text(name)
		if cond[0] != nil {
			text += " if " + wordText(cond[0]) + " = " + wordText(cond[1])
		}
		sig := term.NewSignature()
		lib, err := load.Files(sig, &diag.Source{Name: "permutations.rules", Text: "ruleset permutations\nrule r real\n  " + text + "\n"})
		if err != nil || len(lib.All()) == 0 {
			continue
		}
		rep := typing.Check(sig, lib.All()[0])
		switch {
		case rep.Err != nil:
			wrong++
			continue
		case rep.Undecided != "":
			open++
			t.Logf("%s: %s", text, rep.Undecided)
			continue
		}
		decided++
		ins := rep.Instances()
		for i := 0; i < len(ins); i += 1 + len(ins)/40 {
			if msg := ins[i].Check(sig); msg != "" {
				t.Errorf("%s\n%s\n%s", text, strings.Join(rep.Types, "\n"), msg)
				break
			}
		}
		for range 400 {
			x := &placeTypes{lists: make(map[string][]*types.Type)}
			for i := range x.perms {
				x.perms[i] = perms[rng.IntN(len(perms))]
			}
			shape := []size.Size{size.Const(2), size.Const(int64(2 + rng.IntN(2))), size.Const(int64(2 + rng.IntN(3))), size.Const(3)}[:2+rng.IntN(3)]
			for _, l := range []string{"a", "b"} {
				of := slices.Clone(shape)
				for i, k := range x.composed([][]int{{}, {1}, {2}, {1, 2}, {-1}, {-2}, {-2, 1}, {-2, -1}}[rng.IntN(8)]) {
					if i < len(of) && k < len(of) {
						of[i] = shape[k]
					}
				}
				x.lists[l] = []*types.Type{types.ArrayOf(types.R, of...)}
			}
			x.a = x.lists["a"][0]
			if cond[0] != nil && !slices.Equal(x.composed(cond[0]), x.composed(cond[1])) {
				continue
			}
			want := x.typeOf(sig, left, nil, 0)
			if want == nil {
				continue
			}
			met++
			if got := x.typeOf(sig, right, nil, 0); got == nil || !got.Equal(want) {
				t.Errorf("%s\n%s\nbut for a : %v, b : %v, p, q, r = %v the left side has %v and the right side %v", text, strings.Join(rep.Types, "\n"), x.a, x.lists["b"], x.perms, want, got)
				break
			}
		}
	}
	t.Logf("%d decided, %d wrong, %d not decided; %d types met", decided, wrong, open, met)
	if decided < 20 || wrong < 20 || met < 500 || open > decided/10 {
		t.Errorf("%d decided, %d wrong, %d not decided; %d types met", decided, wrong, open, met)
	}
}
