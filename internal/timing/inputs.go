package timing

import (
	"math/rand/v2"

	"egad/term"
	"egad/term/eval"
	"egad/term/types"
)

// MakeUp gives the inputs that have no values made-up ones: reals from 0.1 to 1, so that
// logarithms and roots exist, integers from 0 to below a number, so that they may be
// indices, and truth values. For the same seed they are the same.
func MakeUp(env eval.Env[*eval.Value[float64]], inputs []term.Input, below int64, seed uint64) error {
	from := rand.New(rand.NewPCG(seed, 0))
	for _, leaf := range term.Leaves(inputs) {
		if env[leaf.Name] != nil {
			continue
		}
		v, err := eval.FloatArrays().New(leaf.Type)
		if err != nil {
			return err
		}
		for i := range v.R {
			v.R[i] = 0.1 + 0.9*from.Float64()
		}
		for i := range v.N {
			if leaf.Type.Elem == types.B {
				v.N[i] = from.Int64N(2)
			} else {
				v.N[i] = from.Int64N(max(below, 1))
			}
		}
		env[leaf.Name] = v
	}
	return nil
}

// Bytes is the memory of inputs that have no values.
func Bytes(env eval.Env[*eval.Value[float64]], inputs []term.Input) (int64, error) {
	n := int64(0)
	for _, leaf := range term.Leaves(inputs) {
		if env[leaf.Name] != nil {
			continue
		}
		_, elements, err := types.ShapeOf(leaf.Type, types.DefaultMaxElements)
		if err != nil {
			return 0, err
		}
		n += 8 * int64(elements)
	}
	return n, nil
}
