package ad

import (
	"fmt"
	"testing"

	"egad/diag"
	"egad/rules"
	"egad/term"
)

func TestSmoke(t *testing.T) {
	sig := term.NewSignature()
	lib, err := rules.Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	src := &diag.Source{Name: "t.egad", Text: `
def selfconv[n](a: R[n]): R = sum (build n (\i -> a[i] * a[n - 1 - i]))
def ls[n](a: R[n]): R = logsumexp a
def f2(x: R): R = let y = x * x in let z = x + y in y * z
def mm[k,m,n](a: R[k,m], b: R[m,n]): R = let c = matmul(a, b) in sum2 (build [k, n] (\[i, j] -> c[i, j] * c[i,j]))
def st[n](a: R[n]): R = let b = build n (\i -> a[i-1] + a[i] + a[i+1]) in sum (build n (\i -> let y = exp b[i] in if i < 2 then y * b[i+1] else 0))
`}
	m, err := term.LoadModule(sig, src)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range m.Defs() {
		info, _ := m.Lookup(d)
		sz := map[string]int64{}
		for i, s := range info.Sizes {
			sz[s] = 3 + int64(i)
		}
		p, err := m.Instantiate(d, sz)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(p.Text(d))
		g, err := Grad(lib, p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, st := range g.Stages {
			fmt.Println("--", st.Name, st.Report); if st.Program != nil { fmt.Println(st.Program.Text("x")) }
		}
		fmt.Println(g.Program.Text("grad_" + d))
		g, err = JVP(lib, p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(g.Program.Text("jvp_" + d))
	}
}
