package suite

import (
	"cmp"
	"fmt"
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

// byNumbers compares texts, where both have digits by the natural numbers that these are.
func byNumbers(a, b string) int {
	digits := func(s string) int { return len(s) - len(strings.TrimLeft(s, "0123456789")) }
	for i := 0; ; i++ {
		switch x, y := a[min(i, len(a)):], b[min(i, len(b)):]; {
		case x == "" || y == "":
			return cmp.Compare(len(x), len(y))
		case digits(x) > 0 && digits(y) > 0:
			m, n := x[:digits(x)], y[:digits(y)]
			if c := cmp.Or(cmp.Compare(len(m), len(n)), cmp.Compare(m, n)); c != 0 {
				return c
			}
			i += len(m) - 1
		case x[0] != y[0]:
			return cmp.Compare(x[0], y[0])
		}
	}
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
