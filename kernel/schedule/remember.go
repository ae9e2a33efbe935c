package schedule

import (
	"encoding/binary"

	"egad/internal/memo"
	"egad/kernel"
	"egad/kernel/cost"
)

// Time estimates the time of statements in the best way to run them.
func Time(w *cost.Weights, body []kernel.Stmt, exact bool) float64 {
	return timeWith(w, body, exact, false)
}

// timeWith is Time, where the host multiplies matrices if products is set.
func timeWith(w *cost.Weights, body []kernel.Stmt, exact, products bool) float64 {
	time := func() float64 {
		body := placed(withoutMasks(body, false))
		return newChooser(w, body, exact, products).best(body).time
	}
	if w.Times == nil || exact {
		return time()
	}
	k := &nestKey{values: make(map[*kernel.Value]int), arrays: make(map[*kernel.Array]int)}
	k.flag(products)
	k.body(body)
	return memo.Of(w.Times, string(k.key), time)
}

// nestKey is a text of statements that is the same for those that are alike but for names: values
// and arrays are numbers, in the order in which they are met.
type nestKey struct {
	key    []byte
	values map[*kernel.Value]int
	arrays map[*kernel.Array]int
}

func (k *nestKey) num(ns ...int) {
	for _, n := range ns {
		k.key = binary.AppendVarint(k.key, int64(n))
	}
}

func (k *nestKey) flag(yes bool) {
	if yes {
		k.num(1)
	} else {
		k.num(0)
	}
}

// The statements, before what they consist of.
const (
	keyLet = iota
	keyStore
	keyLoop
	keyEnd
)

func (k *nestKey) body(body []kernel.Stmt) {
	for _, s := range body {
		switch s := s.(type) {
		case *kernel.Let:
			k.num(keyLet)
			k.value(s.Value)
		case *kernel.Store:
			k.num(keyStore)
			k.flag(s.Add)
			k.access(s.Access)
			k.value(s.Value)
		case *kernel.Loop:
			k.num(keyLoop, s.N, int(s.Order), len(s.Folds), len(s.Carries), len(s.Only))
			k.value(s.Var)
			for _, f := range s.Folds {
				k.num(int(f.Op))
				k.all(f.Value, f.Result, f.From)
			}
			for _, c := range s.Carries {
				k.all(c.Value, c.From, c.Next, c.Result)
			}
			for _, o := range s.Only {
				k.flag(o.Finite)
				k.value(o.Less)
			}
			k.body(s.Body)
		}
	}
	k.num(keyEnd)
}

func (k *nestKey) all(vs ...*kernel.Value) {
	k.num(len(vs))
	for _, v := range vs {
		k.value(v)
	}
}

func (k *nestKey) value(v *kernel.Value) {
	if v == nil {
		k.num(-1)
		return
	}
	n, known := k.values[v]
	if !known {
		n = len(k.values)
		k.values[v] = n
	}
	if k.num(n); known {
		return
	}
	k.num(int(v.Kind), int(v.Elem), int(v.Op), v.N, int(v.Range.Lo), int(v.Range.Hi))
	switch v.Kind {
	case kernel.Lit, kernel.Linear:
		k.key = append(k.key, v.Const.Key()...)
	case kernel.Load:
		k.access(v.Access)
	}
	for _, c := range v.Coef {
		k.num(int(c))
	}
	k.all(v.Args...)
}

func (k *nestKey) access(a kernel.Access) {
	n, known := k.arrays[a.Array]
	if !known {
		n = len(k.arrays)
		k.arrays[a.Array] = n
	}
	if k.num(n); !known {
		k.num(len(a.Array.Shape))
		k.num(a.Array.Shape...)
	}
	k.flag(a.Checked)
	k.all(a.At...)
}
