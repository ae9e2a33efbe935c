package rules

import (
	"fmt"
	"testing"

	"egad/diag"
	"egad/term"
)

func TestSmoke(t *testing.T) {
	sig := term.NewSignature()
	lib, err := Builtin(sig)
	if err != nil {
		t.Fatal(err)
	}
	src := &diag.Source{Name: "t.egad", Text: `
def selfconv[n](a: R[n]): R = sum (build n (\i -> a[i] * a[n - 1 - i]))
def mm[k,m,n](a: R[k,m], b: R[m,n]): R[k,n] = let c = matmul(a, b) in c * 2 + 1
def ls[n](a: R[n]): (R, R[n]) = (logsumexp a, map (\x -> x * x) (softmax a))
def st[n](a: R[n]): R[n] = let b = build n (\i -> a[i-1] + a[i] + a[i+1]) in build n (\i -> let y = exp b[i] in if i < 2 then y * b[i+1] else 0)
def cc[n](a: R[n]): R[n+n] = concat(a, a)
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
		r, st, err := Normalise(Terms{p.Store, p.Names}, p.Root, DefaultFuel, lib.Set("bot_build"), lib.Set("bot_build_index"), lib.Set("bot_index"))
		if err != nil {
			t.Fatal(err)
		}
		p.Root = r
		fmt.Println(p.Text(d+"_bot"), st)
	}
}
