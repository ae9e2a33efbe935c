package ad

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"egad/diag"
	"egad/rules"
	"egad/term"
)

func loadGMM(path string) (map[string]int64, term.Env[*term.Value[float64]]) {
	f, _ := os.Open(path)
	defer f.Close()
	sc := bufio.NewScanner(f)
	sc.Split(bufio.ScanWords)
	next := func() float64 { sc.Scan(); v, _ := strconv.ParseFloat(sc.Text(), 64); return v }
	D, K, N := int(next()), int(next()), int(next())
	L := D + D*(D-1)/2
	arr := func(sh ...int) *term.Value[float64] {
		n := 1
		for _, s := range sh {
			n *= s
		}
		v := &term.Value[float64]{Elem: term.R, Shape: sh}
		for range n {
			v.R = append(v.R, next())
		}
		return v
	}
	env := term.Env[*term.Value[float64]]{}
	env["alpha"] = arr(K)
	env["mu"] = arr(K, D)
	env["icf"] = arr(K, L)
	env["x"] = arr(N, D)
	env["gamma"] = arr()
	env["m"] = &term.Value[float64]{Elem: term.I, N: []int64{int64(next())}}
	return map[string]int64{"D": int64(D), "K": int64(K), "N": int64(N), "L": int64(L)}, env
}

func TestGMM(t *testing.T) {
	sig := term.NewSignature()
	lib, err := rules.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	src, err := diag.ReadSource("../examples/gmm/gmm.egad")
	if err != nil {
		t.Fatal(err)
	}
	m, err := term.LoadModule(sig, src)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []string{"gmm_test", "gmm_d2_K5", "gmm_d10_K25"} {
		sz, env := loadGMM("/work/shared/data/adbench/" + file + ".txt")
		p, err := m.Instantiate("gmm", sz)
		if err != nil {
			t.Fatal(err)
		}
		t0 := time.Now()
		if file != "gmm_d10_K25" {
			v, err := term.Interpret(p.Store, p.Root, term.FloatArrays(), env)
			fmt.Println(v, err, time.Since(t0))
		}
		t0 = time.Now()
		g, err := Grad(lib, p, Options{Wrt: []string{"alpha", "mu", "icf"}})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("derive", time.Since(t0))
		for _, st := range g.Stages {
			fmt.Println("--", st.Name, st.Report)
		}
		if file == "gmm_test" {
			fmt.Println(g.Stages[0].Program.Text("src"))
			fmt.Println(g.Stages[2].Program.Text("primal"))
			fmt.Println(g.Program.Text("grad"))
		}
		t0 = time.Now()
		v, err := term.Interpret(g.Program.Store, g.Program.Root, term.FloatArrays(), env)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("run", time.Since(t0), v.Parts[0].R)
		for _, q := range v.Parts[1:] {
			fmt.Println(q.R[:min(len(q.R), 9)])
		}
	}
}
