package suite

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"testing"

	"egad/internal/testflag"
	"egad/rules"
	"egad/rules/match"
	"egad/rules/proof"
	"egad/rules/runner"
	"egad/slot"
	"egad/term"
)

// TestChangedProofsAreRefused: proofs of languages are read back, and one with a change in a
// step, in what its condition rests on or in a link is refused.
func TestChangedProofsAreRefused(t *testing.T) {
	files := examples(t, "rewriting")
	rng := rand.New(rand.NewSource(1))
	changes := 0
	check := func(f *File, x *rules.Test) {
		res := runTest(t, f, x, runner.Options{Proofs: true})
		proofs, err := res.Proofs()
		if err != nil {
			t.Error(err)
			return
		}
		a := &attempt{Result: res, store: res.kept}
		k, err := a.known(res.end())
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range proofs {
			changes += changed(t, f, x, p, proof.Options{Assumed: k.Assumed, Language: k.Language}, rng)
		}
	}
	for _, name := range files {
		f := loadFile(t, name)
		for i, x := range f.Tests {
			if i%4 == 0 {
				check(f, x)
			}
		}
	}
	for _, c := range ofLists {
		f := loadText(t, listHeader+c.text+"\n")
		check(f, f.Tests[0])
	}
	for _, c := range ofJoins {
		f := loadText(t, joinsHeader+c.text+"\n")
		check(f, f.Tests[0])
	}
	if changes < 1000 {
		t.Errorf("only %d changes", changes)
	}
	t.Logf("%d changes", changes)
}

// TestVariablesStayDifferent: what holds of two variables need not hold of one, and what is
// equal to a variable is none.
func TestVariablesStayDifferent(t *testing.T) {
	f := loadText(t, `language l
sort E
symbol zero one : E
op d E E : E
op g E E : E
op lam [x : E] x.E : E
rule same d x x => one
rule other d x y => zero if x is variable, y is variable, x not in y
rule second g x y => y
rule bind d zero x => lam (\x -> x) if x is variable
test t
  var p q : E
  start d p q
  start d zero (g p q)
  prove d p q = zero
  prove d zero (g p q) = lam (\v -> v)
  refute one = zero
`)
	res := runTest(t, f, f.Tests[0], runner.Options{Proofs: true})
	proofs, err := res.Proofs()
	if err != nil || len(proofs) != 2 || res.Failed.Err() != nil {
		t.Fatal(len(proofs), err, res.Failed.Err())
	}
	o := proof.Options{Language: f.Language.Language}
	p := proofs[0].Proof
	eq := p.Equations[p.Last()]
	x := p.Store.Variable(eq.From.Args[0], p.Store.Vars(eq.From)[0])
	at := map[slot.Name]term.Term{eq.From.Args[1]: x}
	both := &proof.Equation{From: p.Store.Subst(eq.From, at), Links: []proof.Link{{Kind: proof.Instance, To: eq.To(), Kids: []int{p.Last()}, Values: []term.Term{x, x}}}}
	p.Equations = append(p.Equations, *both)
	if err := p.Check(o); err == nil {
		t.Error("d x x = zero is not refused")
	}
	// The variable of a step is replaced by a term that equals it, as is proved before.
	q := proofs[1].Proof
	var bind, second *match.Application
	for _, a := range q.Steps {
		switch a.Match.Rule.Name {
		case "bind":
			bind = a
		case "second":
			second = a
		}
	}
	vars := second.Variables()
	sides, err := second.Sides(match.Terms{Store: q.Store})
	if err != nil {
		t.Fatal(err)
	}
	bound := bind.Variables()
	bound[0].Terms = []term.Term{sides.Lhs}
	wrong, err := match.NewApplication(bind.Match.Rule, bound, bind.Ops)
	if err != nil || len(vars) != 2 {
		t.Fatal(err, len(vars))
	}
	short := &proof.Proof{
		Store: q.Store, Steps: []*match.Application{second, wrong}, Rests: map[int][]int{1: {0}},
		Equations: []proof.Equation{{From: sides.Lhs, Links: []proof.Link{{Kind: proof.ByRule, To: sides.Rhs}}}},
	}
	if err := short.Check(o); err == nil {
		t.Error("a term is taken for a variable that it equals")
	}
	short.Steps = short.Steps[:1]
	if err := short.Check(o); err != nil {
		t.Error(err)
	}
}

// changed makes changes of a proof.
func changed(t *testing.T, f *File, x *rules.Test, p *Proof, o proof.Options, rng *rand.Rand) (changes int) {
	t.Helper()
	var all []string
	byName := make(map[string]*rules.Rule)
	for _, r := range f.Language.All() {
		all = append(all, r.Name)
		byName[r.Name] = r
	}
	w, err := p.Proof.Write()
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	verify := func(w *proof.File) error {
		s := x.Program.Store.Clone()
		s.AsWritten = true
		q, err := proof.Read(w, s, func(name string) *rules.Rule { return byName[name] })
		if err == nil {
			err = q.Check(o)
		}
		return err
	}
	if err := verify(w); err != nil {
		t.Errorf("%s, %s: it is not read back: %v", x.Name.Text, p.Text, err)
		return 0
	}
	most := testflag.Count(12, 400) // of a proof that are all tried
	try := func(what string, change func(f *proof.File)) {
		if changes > most && rng.Intn(20) > 0 {
			return
		}
		var w proof.File
		if err := json.Unmarshal(text, &w); err != nil {
			t.Fatal(err)
		}
		change(&w)
		got, err := json.Marshal(w)
		if err != nil || bytes.Equal(got, text) {
			return // no change
		}
		changes++
		if err := verify(&w); err == nil {
			t.Errorf("%s, %s: with %s changed it is not refused:\n%s\n%s", x.Name.Text, p.Text, what, got, text)
		}
	}
	for i, s := range w.Steps {
		try("the rule", func(f *proof.File) { f.Steps[i].Rule = all[rng.Intn(len(all))] })
		try("its place", func(f *proof.File) { f.Steps = append(f.Steps[:i], f.Steps[i+1:]...) })
		for n := range s.Ops {
			try("an operator", func(f *proof.File) { f.Steps[i].Ops[n] = rng.Intn(len(f.Ops)) })
		}
		for j, v := range s.Vars {
			for n := range v.Terms {
				try("the term "+v.Name, func(f *proof.File) { f.Steps[i].Vars[j].Terms[n][0] = rng.Intn(len(f.Terms)) })
			}
			for n := range v.Names {
				try("the variable "+v.Name, func(f *proof.File) { f.Steps[i].Vars[j].Names[n] += 77 })
			}
			try("the number "+v.Name, func(f *proof.File) { f.Steps[i].Vars[j].N++ })
		}
		for r, k := range s.Rests {
			if w.Equations[k-1].Links[0].Assumed != 0 {
				continue // it is so whether the step says it or not
			}
			try("what a condition rests on", func(f *proof.File) {
				f.Steps[i].Rests = append(f.Steps[i].Rests[:r], f.Steps[i].Rests[r+1:]...)
			})
			try("what a condition rests on", func(f *proof.File) { f.Steps[i].Rests[r] = 1 + rng.Intn(len(f.Equations)) })
		}
	}
	for e := range w.Equations {
		for n, l := range w.Equations[e].Links {
			at := func(f *proof.File) *proof.FileLink { return &f.Equations[e].Links[n] }
			try("its result", func(f *proof.File) { at(f).To[0] = rng.Intn(len(f.Terms)) })
			for i := range len(l.To) - 1 {
				try("a variable", func(f *proof.File) { at(f).To[1+i]++ })
			}
			for i := range l.Kids {
				try("an operand", func(f *proof.File) { at(f).Kids[i] = rng.Intn(e + 2) })
			}
			if l.Step != 0 && l.To[0] != w.Equations[e].From[0] { // else it may be the same with other names
				try("its direction", func(f *proof.File) { at(f).Step *= -1 })
				try("its step", func(f *proof.File) { at(f).Step = 1 + rng.Intn(len(f.Steps)) })
			}
			try("its kind", func(f *proof.File) {
				l := at(f)
				*l = proof.FileLink{To: l.To, Swapped: true}
			})
			try("its kind", func(f *proof.File) {
				l := at(f)
				*l = proof.FileLink{To: l.To, Instance: 1 + rng.Intn(len(f.Equations))}
				for _, n := range f.Equations[e].From[1:] {
					l.Values = append(l.Values, proof.Use{0, n})
				}
			})
			if len(o.Assumed) > 0 {
				try("its kind", func(f *proof.File) {
					l := at(f)
					*l = proof.FileLink{To: l.To, Assumed: 1 + rng.Intn(len(o.Assumed)), Reason: proof.ByTest}
				})
			}
		}
	}
	return changes
}
