package stages_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"egad"
	"egad/ad"
	"egad/internal/follow"
	"egad/internal/programs"
	"egad/internal/testflag"
	"egad/rules"
	"egad/rules/load"
	"egad/rules/match"
	"egad/rules/proof"
	"egad/slot"
	"egad/term"
	"egad/term/eval"
	"egad/term/ops"
	"egad/term/size"
	"egad/term/types"
)

// eachExample calls f for every definition of the examples at small sizes.
func eachExample(t *testing.T, f func(t *testing.T, m *egad.Module, p *term.Program)) {
	files, err := filepath.Glob("../examples/*/*.egad")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if filepath.Base(filepath.Dir(file)) == "suites" && !testflag.Long {
			continue // there are many
		}
		load := []string{file}
		if filepath.Base(file) == "running.egad" {
			load = append(load, filepath.Dir(file)+"/running.rules")
		}
		m, err := egad.Load(load...)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range m.Defs() {
			info, err := m.Lookup(name)
			if err != nil {
				t.Fatal(err)
			}
			sizes := make(map[string]int64)
			for i, s := range info.Sizes {
				sizes[s] = int64(3 + i%2)
				if s == "L" { // of gmm: the triangle of D by D
					sizes["D"], sizes["L"] = 3, 6
				}
			}
			p, err := m.Instantiate(name, sizes)
			if err != nil {
				continue // of other sizes
			}
			t.Run(filepath.Base(file)+"/"+name, func(t *testing.T) { f(t, m, p) })
		}
	}
}

// Every run on the way to the derivatives of the examples has a proof, which ends
// with what the run made, and whose steps are true of random values.
func TestRunsAreProved(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	steps, tried := 0, 0
	eachExample(t, func(t *testing.T, m *egad.Module, p *term.Program) {
		for _, direct := range []bool{false, true} {
			if p.Name == "gmm" || p.Name == "wishart" || direct && p.Name == "loss" {
				continue // it takes long
			}
			d, err := m.VJP(p, ad.Options{Direct: direct})
			if err != nil {
				t.Skip(err)
			}
			n, k, err := proved(rng, d, false)
			if err != nil {
				t.Error(err)
			}
			steps, tried = steps+n, tried+k
		}
	})
	if tried < 300 || steps < tried {
		t.Errorf("%d steps, %d of them compared", steps, tried)
	}
}

// The derivations of the examples have proofs by which they are done again, without
// matching and e-graphs, with the same result.
func TestDerivationsAreProved(t *testing.T) {
	eachExample(t, func(t *testing.T, m *egad.Module, p *term.Program) {
		for _, way := range []struct {
			mode          string
			direct, exact bool
		}{
			{"grad", false, false}, {"vjp", true, false}, {"vjp", false, true}, {"jvp", false, false},
			{"hvp", false, false}, {"hessian", false, false}, {"jacobian cheapest", false, false},
		} {
			if way.mode[0] == 'h' && p.Name != "selfconv" && !strings.Contains(t.Name(), "running.egad") {
				continue // it takes long
			}
			task := ad.Task{Mode: way.mode, Direct: way.direct, Exact: way.exact}
			d, err := task.Derive(m.Rules(), p, ad.Options{Record: true})
			if err != nil {
				continue // there is no gradient of what is not a real scalar
			}
			text := written(t, d, task)
			v, err := verified(m, p, text)
			if err != nil {
				t.Errorf("%s: %v", way.mode, err)
				continue
			}
			if a, b := bare(v.Program), bare(d.Program); a != b {
				t.Errorf("%s: by its proof the derivation results in\n%s, not\n%s", way.mode, a, b)
			}
			if len(text) > 1<<20 {
				t.Errorf("%s: the proof has %d bytes", way.mode, len(text))
			}
		}
	})
}

// provable are programs of which the proofs need what the e-graph knew of terms: by other terms of
// their classes, or by terms that they had been rewritten to.
var provable = map[string]string{
	"a transposed loop body that was rewritten before": `
def f(a: R[3]): R = sum (fold (\p k -> build 3 (\i -> if i == 0 then 1.0 else if k < i then a[i] * p[i] else 0.0)) (replicate 3 1.0) (iota 3))`,
	"a remainder of a difference": "def f(y: R[3]): R = sum (build 8 (\\i -> y[(min 1 (i - i)) mod 2]))",
	"a remainder of a maximum":    "def f(y: R[3]): R = sum (build 8 (\\i -> y[(max (i - i) (-2)) mod 3]))",
	"a remainder that is clamped": "def f(y: R[3], x: R[8]): R = sum (build 8 (\\i -> x[i] * y[(min 2 (max 0 (i - i))) mod 2]))",
	"an index of a literal":       "def f(u: R[12], h: I): R = sum (build 2 (\\m -> (build 1 (\\i -> 3.0))[min 4 (h - h)]))",
	"a loop that makes one step": `
def f(x: R[8]): R =
  let s = fold (\s i -> tanh (s * x[i])) 0.3 (iota 1) in
  let a = build 30 (\i -> s) in
  sum (sin a * a)`,
	"a sum of a product":     "def f(x: R[8]): R = let a = build 12 (\\i -> sin (prod (build 6 (\\j -> 1e-70 / 1e-70)))) in sum (sin a * a)",
	"a sum of large numbers": "def f(x: R[8]): R = let a = build 6 (\\i -> max 1e76 (0.2 ^ 0.0) + 1e16) in sum (sin a * a)",
}

// So are those of programs of which they need more than their terms say by themselves.
func TestProofsOfPrograms(t *testing.T) {
	for name, text := range provable {
		m, err := egad.Parse("proved.egad", text)
		if err != nil {
			t.Fatal(err)
		}
		p, err := m.Instantiate("f", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range []ad.Task{{Mode: "grad"}, {Mode: "grad", Exact: true}, {Mode: "vjp", Direct: true}, {Mode: "jvp"}} {
			d, err := task.Derive(m.Rules(), p, ad.Options{Record: true})
			if err != nil {
				t.Fatal(err)
			}
			pr, err := d.Prove(task)
			if err != nil {
				t.Errorf("%s, %s: %v", name, task.Mode, err)
				continue
			}
			text, err := json.Marshal(pr)
			if err != nil {
				t.Fatal(err)
			}
			if v, err := verified(m, p, text); err != nil {
				t.Errorf("%s, %s: %v", name, task.Mode, err)
			} else if a, b := bare(v.Program), bare(d.Program); a != b {
				t.Errorf("%s, %s: by its proof the derivation results in\n%s, not\n%s", name, task.Mode, a, b)
			}
		}
	}
}

// written is the proof of a derivation as text.
func written(t testing.TB, d *ad.Derived, task ad.Task) []byte {
	t.Helper()
	pr, err := d.Prove(task)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(pr)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// verified does a derivation again by its proof.
func verified(m *egad.Module, p *term.Program, text []byte) (*ad.Verified, error) {
	var pr ad.Proof
	if err := json.Unmarshal(text, &pr); err != nil {
		return nil, err
	}
	return ad.Verify(m.Rules(), p, &pr)
}

// A proof in which a step is changed is refused: another rule, another term for a
// variable, another operator, the other direction, or one step less.
func TestChangedProofsAreRefused(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	changes := 0
	each(t, func(t *testing.T, m *egad.Module, p *term.Program) {
		d, err := ad.VJP(m.Rules(), p, ad.Options{Record: true})
		if err != nil {
			t.Fatal(err)
		}
		text := written(t, d, ad.Task{Mode: "vjp"})
		var all []string
		for _, r := range m.Rules().All() {
			all = append(all, r.Name)
		}
		var plain ad.Proof
		if err := json.Unmarshal(text, &plain); err != nil {
			t.Fatal(err)
		}
		for k, f := range append(plain.Runs, plain.Locals...) {
			if f == nil {
				continue
			}
			try := func(what string, i int, change func(f *proof.File)) {
				t.Helper()
				var pr ad.Proof
				if err := json.Unmarshal(text, &pr); err != nil {
					t.Fatal(err)
				}
				change(append(pr.Runs, pr.Locals...)[k])
				if got, err := json.Marshal(pr); err != nil || bytes.Equal(got, text) {
					return // no change
				}
				changes++
				if _, err := ad.Verify(m.Rules(), p, &pr); err == nil {
					t.Errorf("file %d, step %d, %s: with %s changed it is not refused", k, i+1, f.Steps[i].Rule, what)
				}
			}
			for i, s := range f.Steps {
				try("the rule", i, func(f *proof.File) { f.Steps[i].Rule = all[rng.Intn(len(all))] })
				try("its place", i, func(f *proof.File) { f.Steps = append(f.Steps[:i], f.Steps[i+1:]...) })
				for o := range s.Ops {
					try("an operator", i, func(f *proof.File) { f.Steps[i].Ops[o] = rng.Intn(len(f.Ops)) })
				}
				for j, v := range s.Vars {
					for n := range v.Terms {
						try("the term "+v.Name, i, func(f *proof.File) { f.Steps[i].Vars[j].Terms[n][0] = rng.Intn(len(f.Terms)) })
					}
					for n := range v.Sizes {
						try("the size "+v.Name, i, func(f *proof.File) { f.Steps[i].Vars[j].Sizes[n]++ })
					}
					for n := range v.Names {
						try("the variable "+v.Name, i, func(f *proof.File) { f.Steps[i].Vars[j].Names[n] += 77 })
					}
					try("the number "+v.Name, i, func(f *proof.File) { f.Steps[i].Vars[j].N++ })
				}
			}
			for e := range f.Equations {
				for n, l := range f.Equations[e].Links {
					if l.Step != 0 {
						try("its direction", max(l.Step, -l.Step)-1, func(f *proof.File) { f.Equations[e].Links[n].Step *= -1 })
						try("its result", max(l.Step, -l.Step)-1, func(f *proof.File) { f.Equations[e].Links[n].To[0] = rng.Intn(len(f.Terms)) })
					}
				}
			}
		}
	})
	if changes < 1000 {
		t.Errorf("only %d changes", changes)
	}
}

// A term that does not depend on a variable, of which an instance is extracted, and a
// condition that holds because of what a term equals, are proved by equations before. A
// proof in which one of these is changed is refused.
func TestProofsRestOnEquations(t *testing.T) {
	m, err := egad.Parse("rest.egad", `
def lost(xs: R[3], b: R): R =
  let (_, hs) = mapAccum (\(h, c) x -> let h2 = tanh (c * x) + b in ((h2, c * x), h2)) (0.0, 1.0) xs in
  sum (build 3 (\t -> hs[t]))
def known(x: R[3, 8], i: I): R[3] = (gather [3] (reshape [4, 2, 3] x) (\[i] -> [i, i]))[where false i (i - i)]
def clamped(y: R[3], x: R[8]): R = sum (build 8 (\i -> x[i] * y[(min 2 (max 0 (i - i))) mod 2]))
`)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewSource(1))
	changes := 0
	for _, task := range []ad.Task{{Def: "lost", Mode: "vjp"}, {Def: "known", Mode: "vjp", Direct: true}, {Def: "known", Mode: "jacobian reverse", Direct: true}, {Def: "clamped", Mode: "grad"}} {
		p, err := m.Instantiate(task.Def, nil)
		if err != nil {
			t.Fatal(err)
		}
		d, err := task.Derive(m.Rules(), p, ad.Options{Record: true})
		if err != nil {
			t.Fatal(err)
		}
		text := written(t, d, task)
		if _, err := verified(m, p, text); err != nil {
			t.Fatalf("%s: %v", task.Def, err)
		}
		rests := 0
		try := func(k int, what string, change func(f *proof.File)) {
			var pr ad.Proof
			if err := json.Unmarshal(text, &pr); err != nil {
				t.Fatal(err)
			}
			change(pr.Runs[k])
			if got, err := json.Marshal(pr); err != nil || bytes.Equal(got, text) {
				return // no change
			}
			changes++
			if _, err := ad.Verify(m.Rules(), p, &pr); err == nil {
				t.Errorf("%s, file %d: with %s changed it is not refused", task.Def, k, what)
			}
		}
		var plain ad.Proof
		if err := json.Unmarshal(text, &plain); err != nil {
			t.Fatal(err)
		}
		for k, f := range plain.Runs {
			for e := range f.Equations {
				for n, l := range f.Equations[e].Links {
					at := func(f *proof.File) *proof.FileLink { return &f.Equations[e].Links[n] }
					if l.Instance == 0 {
						if l.Kids == nil && rng.Intn(20) == 0 {
							try(k, "an instance added", func(f *proof.File) { at(f).Instance = 1 + rng.Intn(len(f.Equations)) })
							try(k, "values added", func(f *proof.File) { at(f).Values = []proof.Use{{0}} })
						}
						continue
					}
					rests++
					try(k, "the direction of an instance", func(f *proof.File) { at(f).Instance *= -1 })
					for i := 0; i < len(f.Equations); i += 9 {
						try(k, "the equation of an instance", func(f *proof.File) { at(f).Instance = 1 + i })
					}
					for _, i := range []int{len(f.Equations) + 1, -1 - len(f.Equations), e + 1} {
						try(k, "the equation of an instance", func(f *proof.File) { at(f).Instance = i })
					}
					for v := range l.Values {
						try(k, "the values", func(f *proof.File) { at(f).Values = append(at(f).Values[:v], at(f).Values[v+1:]...) })
						for range 20 {
							try(k, "a value", func(f *proof.File) { at(f).Values[v] = proof.Use{rng.Intn(len(f.Terms))} })
						}
						for j := range l.Values[v] {
							try(k, "a value", func(f *proof.File) { at(f).Values[v][j]++ })
						}
					}
					try(k, "the values", func(f *proof.File) { at(f).Values = append(at(f).Values, proof.Use{0}) })
				}
			}
			last := func(n int) proof.Use {
				links := f.Equations[n-1].Links
				return links[len(links)-1].To
			}
			for i, s := range f.Steps {
				for r := range s.Rests {
					rests++
					try(k, "what a condition rests on", func(f *proof.File) { f.Steps[i].Rests = append(f.Steps[i].Rests[:r], f.Steps[i].Rests[r+1:]...) })
					for n := range 2 + len(f.Equations) {
						if n == s.Rests[r] || 0 < n && n <= len(f.Equations) && slices.Equal(last(n), last(s.Rests[r])) {
							continue // it may say as much, of another term
						}
						try(k, "what a condition rests on", func(f *proof.File) { f.Steps[i].Rests[r] = n })
					}
				}
			}
		}
		if rests == 0 {
			t.Errorf("%s: nothing rests on an equation", task.Def)
		}
	}
	if changes < 100 {
		t.Errorf("only %d changes", changes)
	}
}

// A proof that every float64 is kept as it is has no stage in which a rule does not keep it.
func TestExactProofs(t *testing.T) {
	m, err := egad.Parse("exact.egad", `
def long(a: R[3], b: R[3]): R = sum (a * b + 0)
def short(a: R[3], b: R[3]): R = sum (a * b)
`)
	if err != nil {
		t.Fatal(err)
	}
	proofOf := func(def string, exact bool) (*term.Program, *ad.Proof) {
		p, err := m.Instantiate(def, nil)
		if err != nil {
			t.Fatal(err)
		}
		task := ad.Task{Def: def, Mode: "grad", Exact: exact}
		d, err := task.Derive(m.Rules(), p, ad.Options{Record: true})
		if err != nil {
			t.Fatal(err)
		}
		pr, err := d.Prove(task)
		if err != nil {
			t.Fatal(err)
		}
		return p, pr
	}
	p, all := proofOf("long", false)
	_, exact := proofOf("short", true)
	exact.Runs[0] = all.Runs[1] // what is simplified becomes bulk operations
	if _, err := ad.Verify(m.Rules(), p, exact); err == nil || !strings.Contains(err.Error(), "every float64") {
		t.Errorf("a real rule among the bulk operations of an exact proof: %v", err)
	}
}

// So are those of random programs. Their runs are recorded at once: done again for a
// proof, a run may extract another term of the same cost.
func TestRandomRunsAreProved(t *testing.T) {
	sig := term.NewSignature()
	lib, err := load.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	steps := 0
	programs.Hold(t, testflag.Seed, testflag.Count(40, 1000), programs.Gen(programs.Smooth, types.R), func(c programs.Case) error {
		exact := c.Seed%2 == 0
		d, err := ad.Grad(lib, c.Program(sig), ad.Options{Exact: exact, Record: true})
		if err != nil {
			return nil
		}
		n, _, err := proved(rand.New(rand.NewSource(1)), d, exact)
		steps += n
		return err
	})
	if steps < 80 {
		t.Errorf("-seed %d: only %d steps", testflag.Seed, steps)
	}
}

// proved proves the runs of a derivation. It returns how many steps there were, and of
// how many the sides were compared in value.
func proved(rng *rand.Rand, d *ad.Derived, exact bool) (steps, tried int, err error) {
	for _, s := range d.Stages {
		if s.Report == nil {
			continue
		}
		pr, err := s.Report.Prove()
		if err != nil {
			return steps, tried, fmt.Errorf("%s: %w", s.Name, err)
		}
		if pr == nil {
			continue
		}
		if err := pr.Check(opt(exact, s.Name)); err != nil {
			return steps, tried, fmt.Errorf("%s: %w", s.Name, err)
		}
		if err := readsBackProof(pr.Proof, opt(exact, s.Name)); err != nil {
			return steps, tried, fmt.Errorf("%s, read back: %w", s.Name, err)
		}
		if n := len(pr.Equations); n > 0 && (!pr.Equations[n-1].From.Equal(pr.From) || !pr.Equations[n-1].To().Equal(pr.To)) || n == 0 && !pr.From.Equal(pr.To) {
			return steps, tried, fmt.Errorf("%s: the proof is of something else", s.Name)
		}
		if err := follow.Chain(pr.Store, pr.Chain(pr.Last())); err != nil {
			return steps, tried, fmt.Errorf("%s, in steps: %w", s.Name, err)
		}
		if s.Name != "applied" { // lreached is taken out there
			q := *s.Program
			q.Store, q.Root = pr.Store, pr.To
			if a, b := bare(&q), bare(s.Program); a != b && !s.Program.Store.Type(s.Program.Root).HasEmptyAxis() {
				return steps, tried, fmt.Errorf("%s: with proofs the run makes\n%s, not\n%s", s.Name, a, b)
			}
		}
		steps += len(pr.Steps)
		for i, a := range pr.Steps {
			sides, err := a.Sides(match.Terms{Store: pr.Store})
			if err != nil {
				return steps, tried, err
			}
			compared, err := sameValue(rng, pr.Store, sides.Lhs, sides.Rhs, a.Match.Rule.Label == rules.Exact)
			if err != nil {
				return steps, tried, fmt.Errorf("%s, step %d, %s: %w", s.Name, i+1, a.Match.Rule.Name, err)
			}
			if compared {
				tried++
			}
		}
	}
	return steps, tried, nil
}

// sameValue compares two terms of array types at random values of what they mention.
func sameValue(rng *rand.Rand, s *term.Store, a, b term.Term, exact bool) (compared bool, err error) {
	if s.Type(a).Kind != types.KArray {
		return false, nil
	}
	var names []slot.Name
	var ranges []size.Size
	for _, t := range []term.Term{a, b} {
		for i, n := range t.Args {
			if s.Vars(t)[i].Type != nil {
				return false, nil // the state of a loop
			}
			if !slot.Ref.Has(term.Term{Args: names}, n) {
				names, ranges = append(names, n), append(ranges, s.Vars(t)[i].Size)
			}
		}
	}
	env := make(egad.Env)
	var values []*egad.Value
	for _, t := range []term.Term{a, b} {
		for i := len(names) - 1; i >= 0; i-- {
			t = s.MustMake(ops.Op{Sym: ops.SymBuild, Sizes: ranges[i : i+1]}, nil, names[i:i+1], []term.Term{t})
		}
		for _, in := range s.Inputs(t) {
			if env[in.Name] != nil {
				continue
			}
			v, err := eval.FloatArrays().New(in.Type)
			if err != nil {
				return false, err
			}
			for i := range v.R {
				v.R[i] = rng.NormFloat64()
			}
			for i := range v.N {
				v.N[i] = int64(rng.Intn(2))
			}
			env[in.Name] = v
		}
		v, err := eval.Interpret(s, t, eval.FloatArrays(), env)
		if err != nil {
			return false, nil // a linear map in it has no value
		}
		values = append(values, v)
	}
	x, y := values[0], values[1]
	for i := range x.N {
		if x.N[i] != y.N[i] {
			return true, fmt.Errorf("element %d is %d and %d", i, x.N[i], y.N[i])
		}
	}
	for i := range x.R {
		u, v := x.R[i], y.R[i]
		off := math.Abs(u - v)
		if u != v && !(math.IsNaN(u) && math.IsNaN(v)) && (exact || !(off <= 1e-6*(1+math.Abs(u))) && !math.IsNaN(u-v)) {
			return true, fmt.Errorf("element %d is %g and %g", i, u, v)
		}
	}
	return true, nil
}

func opt(exact bool, stage string) proof.Options {
	return proof.Options{Exact: exact && stage != "applied", Finite: !exact}
}

// readsBackProof writes a proof, reads it into another store, checks it there, and
// writes it again.
func readsBackProof(p *proof.Proof, o proof.Options) error {
	f, err := p.Write()
	if err != nil {
		return err
	}
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	var g proof.File
	if err := json.Unmarshal(text, &g); err != nil {
		return err
	}
	s := term.NewStore(p.Store.Signature())
	s.AsWritten = true
	rule := make(map[string]*rules.Rule)
	for _, a := range p.Steps {
		rule[a.Match.Rule.Name] = a.Match.Rule
	}
	q, err := proof.Read(&g, s, func(name string) *rules.Rule { return rule[name] })
	if err != nil {
		return err
	}
	if err := q.Check(o); err != nil {
		return err
	}
	h, err := q.Write()
	if err != nil {
		return err
	}
	again, err := json.Marshal(h)
	if err == nil && string(again) != string(text) {
		err = fmt.Errorf("it is written as\n%s, and was\n%s", again, text)
	}
	return err
}
