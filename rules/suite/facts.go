package suite

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"egad/diag"
	"egad/egraph"
	"egad/internal/slice"
	"egad/rules/syntax"
	"egad/term"
	"egad/term/ops"
)

// Relations lists the relations of the file, in its order.
func (f *File) Relations() []string {
	if f.Language != nil {
		of := slice.Filter(f.Language.Operators, func(o *ops.Operator) bool { return o.Sorted.Relation })
		return slice.Map(of, func(o *ops.Operator) string { return o.Name })
	}
	of := slice.Filter(f.all.Operators, func(d *ops.Declared) bool { return d.Relation })
	return slice.Map(of, func(d *ops.Declared) string { return d.Name })
}

// Facts are the facts of a relation that are known at the end of a run, in print: of the
// terms of each class a smallest one stands for it.
type Facts struct {
	Relation string
	Texts    []string // in order, numbers by their size
	Large    int      // how many more have terms of more than maxFact operators
}

// maxFact is how large a fact may be to be listed, and maxFacts how many of a relation are
// written.
const (
	maxFact  = 500
	maxFacts = 1000
)

// Facts lists what is known of a relation, or of all of which something is known.
func (res *Result) Facts(relation string) []*Facts {
	a := &attempt{Result: res, store: res.test.Program.Store.Clone()}
	var all []*Facts
	of := make(map[ops.Sym]*Facts)
	for _, name := range res.file.Relations() {
		if o, _ := res.file.sig.Lookup(name); name == relation || relation == syntax.All {
			of[o.Sym] = &Facts{Relation: name}
			all = append(all, of[o.Sym])
		}
	}
	var smallest func(egraph.Ref) (term.Term, bool)
	list := func(n term.View) bool {
		x := of[n.Op.Sym]
		if x == nil {
			return true
		}
		var kids []term.Term
		for _, k := range n.Kids {
			t, ok := smallest(k)
			if !ok {
				x.Large++
				return true
			}
			kids = append(kids, t)
		}
		x.Texts = append(x.Texts, a.text(a.store.MustMake(n.Op, n.Own, n.Binders, kids)))
		return true
	}
	if holds, ok := a.finder().Find(a.store.Lit(ops.ScalarB(true))); ok {
		smallest = a.smallest(maxFact, holds)
		a.Graph.Nodes(holds, list)
	}
	for _, x := range all {
		slices.SortFunc(x.Texts, byNumbers)
	}
	return slice.Filter(all, func(x *Facts) bool { return x.Relation == relation || len(x.Texts)+x.Large > 0 })
}

// byNumbers compares texts, where both have numbers by their values.
func byNumbers(a, b string) int {
	for i := 0; ; {
		x, y := piece(a[i:]), piece(b[i:])
		switch {
		case x == "" || y == "":
			return cmp.Compare(len(x), len(y))
		case x == y:
			i += len(x)
			continue
		case digits(x) == len(x) && digits(y) == len(y):
			return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
		}
		if m, n := value(x), value(y); m != nil && n != nil {
			return cmp.Or(m.Cmp(n), cmp.Compare(x, y))
		}
		return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(len(x), len(y)))
	}
}

// piece is the number with which a text begins, else its first byte.
func piece(s string) string {
	sign := len(s) - len(strings.TrimPrefix(s, "-"))
	n := sign + digits(s[sign:])
	if n == sign {
		return s[:min(1, len(s))]
	}
	if rest := s[n:]; rest != "" && (rest[0] == '.' || rest[0] == '%') && digits(rest[1:]) > 0 {
		n += 1 + digits(rest[1:])
	}
	return s[:n]
}

// digits is how many digits a text begins with.
func digits(s string) (n int) {
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	return n
}

// value is the value of a number, nil if a text is none.
func value(s string) *big.Rat {
	v, ok := new(big.Rat).SetString(strings.Replace(s, "%", "/", 1))
	if !ok {
		return nil
	}
	return v
}

// String is a line for each fact, below one that says how many there are.
func (x *Facts) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "-- %s: %s\n", x.Relation, diag.Count(len(x.Texts)+x.Large, "fact"))
	for _, t := range x.Texts[:min(len(x.Texts), maxFacts)] {
		b.WriteString(t + "\n")
	}
	if more := len(x.Texts) - maxFacts; more > 0 {
		fmt.Fprintf(&b, "-- and %d more\n", more)
	}
	if x.Large > 0 {
		fmt.Fprintf(&b, "-- and %d with large terms\n", x.Large)
	}
	return b.String()
}
