package suite

import (
	"bytes"
	"encoding/json"
	"math/rand"
	"path/filepath"
	"testing"

	"egad/rules"
	"egad/rules/proof"
	"egad/rules/runner"
)

// TestChangedProofsAreRefused: proofs of languages are read back, and one with a change in a
// step, in what its condition rests on or in a link is refused.
func TestChangedProofsAreRefused(t *testing.T) {
	files, err := filepath.Glob("../../examples/rewriting/*.rules")
	if err != nil || len(files) == 0 {
		t.Fatal("no examples", err)
	}
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
		f := load(t, name)
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
	if changes < 1000 {
		t.Errorf("only %d changes", changes)
	}
	t.Logf("%d changes", changes)
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
	try := func(what string, change func(f *proof.File)) {
		if changes > 400 && rng.Intn(10) > 0 {
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
