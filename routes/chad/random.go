package chad

import (
	"math/rand"

	"egad/fun"
)

// randomCotangent is a random cotangent of a value, with zeros of pairs and sums in it.
func randomCotangent(rng *rand.Rand, v fun.Value, t *fun.Type) fun.Value {
	if (t.Kind == fun.KProd || t.Kind == fun.KSum) && rng.Intn(4) == 0 {
		return nil
	}
	switch t.Kind {
	case fun.KReal:
		return float64(rng.Intn(7) - 3)
	case fun.KProd:
		p := v.(*fun.Pairing)
		return &lpair{l: randomCotangent(rng, p.L, t.Parts[0]), r: randomCotangent(rng, p.R, t.Parts[1])}
	case fun.KSum:
		s := v.(*fun.Side)
		return &lside{right: s.Right, x: randomCotangent(rng, s.X, t.Parts[fun.Place(s.Right)])}
	case fun.KArray:
		var out fun.Value
		for i, x := range v.(*fun.Elements).X {
			if rng.Intn(4) > 0 {
				one := &bag{i: int64(i), x: randomCotangent(rng, x, t.Parts[0])}
				if b := bagOf(out); b != nil {
					out = &bag{l: b, r: one}
				} else {
					out = one
				}
			}
		}
		return out
	}
	return fun.Nothing{}
}
