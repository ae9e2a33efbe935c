package term

import (
	"fmt"
	"testing"

	"egad/diag"
)

func TestSmoke(t *testing.T) {
	src := &diag.Source{Name: "t.egad", Text: `
def selfconv[n](a: R[n]): R = sum (build n (\i -> a[i] * a[n - 1 - i]))
def mm[k,m,n](a: R[k,m], b: R[m,n]): R[k,n] = let c = matmul(a, b) in c * 2 + 1
def ls[n](a: R[n]): (R, R[n]) = (logsumexp a, map (\x -> x * x) (softmax a))
def g[n](a: R[n], ix: I[3]): R[3] = gather [3] a (\[i] -> [ix[i]]) + replicate 3 (sum a)
def w(a: R[3], b: R[3]): R[3] = where (a < b || a == 1) (-a ^ 2) (max a 0 - [1,2,3] * -1 * (a - (b - 0.1)))
def l[n](a: R[n]): R = (lapply (lcompose (lsum @R[n]) (lscale a)) a)
def sc[n](a: R[n], j: I): R[2,n] = tr [1,0] (scatter [n] (tr [1,0] [a, a]) (\[i] -> [i + j]))
`}
	m, err := LoadModule(NewSignature(), src)
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
		text := p.Text(d)
		fmt.Println(text)
		m2, err := LoadModule(NewSignature(), &diag.Source{Name: "x", Text: text})
		if err != nil {
			t.Fatal(err)
		}
		p2, err := m2.Instantiate(d, nil)
		if err != nil {
			t.Fatal(err)
		}
		if p2.Text(d) != text {
			t.Fatal("round trip", p2.Text(d))
		}
	}
}
