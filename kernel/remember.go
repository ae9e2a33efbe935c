package kernel

import (
	"cmp"
	"encoding/binary"

	"egad/internal/memo"
)

// Remembering are weights by which a nest of loops is estimated once: while loops are shared,
// most nests are tried again and again, and programs that are lowered one after the other, not at
// one time, may have them in common. They are those of egad if w is nil.
func (w *Weights) Remembering() *Weights {
	w = cmp.Or(w, ownWeights())
	out := *w
	out.own, out.times = w, make(map[string]float64)
	return &out
}

// nest is the time of a nest of loops, with that of the memory that it goes through.
func (w *Weights) nest(nest []Stmt) float64 { return w.best(nest, false) + w.traffic(nest) }

// best estimates the time of statements in the best way to run them.
func (w *Weights) best(body []Stmt, exact bool) float64 {
	time := func() float64 {
		body := placed(withoutMasks(body))
		return newChooser(w, body, exact).best(body).time
	}
	if w.times == nil || exact {
		return time()
	}
	k := &nestKey{values: make(map[*Value]int), arrays: make(map[*Array]int)}
	k.body(body)
	return memo.Of(w.times, string(k.key), time)
}

// nestKey is a text of statements that is the same for those that are alike but for names: values
// and arrays are numbers, in the order in which they are met.
type nestKey struct {
	key    []byte
	values map[*Value]int
	arrays map[*Array]int
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

func (k *nestKey) body(body []Stmt) {
	for _, s := range body {
		switch s := s.(type) {
		case *Let:
			k.num(keyLet)
			k.value(s.Value)
		case *Store:
			k.num(keyStore)
			k.flag(s.Add)
			k.access(s.Access)
			k.value(s.Value)
		case *Loop:
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

func (k *nestKey) all(vs ...*Value) {
	k.num(len(vs))
	for _, v := range vs {
		k.value(v)
	}
}

func (k *nestKey) value(v *Value) {
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
	case Lit, Linear:
		k.key = append(k.key, v.Const.Key()...)
	case Load:
		k.access(v.Access)
	}
	for _, c := range v.Coef {
		k.num(int(c))
	}
	k.all(v.Args...)
}

func (k *nestKey) access(a Access) {
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
