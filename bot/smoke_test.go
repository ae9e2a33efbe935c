package bot

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
def mm[k,m,n](a: R[k,m], b: R[m,n]): R[k,n] = let c = matmul(a, b) in c * 2 + 1
def ls[n](a: R[n]): (R, R[n]) = (logsumexp a, map (\x -> x * x) (softmax a))
def st[n](a: R[n]): R[n] = let b = build n (\i -> a[i-1] + a[i] + a[i+1]) in build n (\i -> let y = exp b[i] in if i < 2 then y * b[i+1] else 0)
def cc[n](a: R[n]): R[n+n] = concat(a, a)
def rows[n](a: R[n,n]): R[n] = build n (\i -> let r = build n (\j -> exp a[i,j]) in r[i] + sum r + (tr [1,0] a)[i][0])
`}
	m, err := term.LoadModule(sig, src)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range m.Defs() {
		info, _ := m.Lookup(d)
		sz := map[string]int64{}
		for _, s := range info.Sizes {
			sz[s] = 3
		}
		p, err := m.Instantiate(d, sz)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(p.Text(d))
		q, rep, err := Transform(lib, p)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(q.Text(d+"_bot"), rep)
		fmt.Println(IsBulk(q.Store, q.Root, q.Names))
		q2, _, err := Normalise(lib, p)
		if err != nil {
			t.Fatal(err)
		}
		if q2.Text("") != q.Text("") {
			fmt.Println("TERM VERSION DIFFERS", q2.Text(d+"_term"))
		}
	}
}
