package proof

import (
	"math/rand"
	"slices"
	"testing"
)

// TestLog compares logs with plain lists: records of all sizes, also larger than
// a piece, and cuts.
func TestLog(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	type state struct {
		end     end
		records [][]int
	}
	var l pieces[int]
	var records [][]int
	var at []uint32
	ends := []state{{l.end(), nil}}
	for i := range 3000 {
		size := 1 + r.Intn(40)
		if i%500 == 250 {
			size = pieceSize + r.Intn(10)
		}
		piece, place := l.room(size)
		rec := make([]int, size)
		for k := range rec {
			rec[k] = r.Int()
			*piece = append(*piece, rec[k])
		}
		records, at = append(records, rec), append(at, place)
		ends = append(ends, state{l.end(), slices.Clone(records)})
		if r.Intn(50) == 0 {
			e := ends[max(0, len(ends)-1-r.Intn(60))]
			l.cut(e.end)
			records, at = slices.Clone(e.records), at[:len(e.records)]
			ends = ends[:len(records)+1]
		}
		for range 5 {
			if len(records) == 0 {
				break
			}
			k := r.Intn(len(records))
			if got := l.from(at[k])[:len(records[k])]; !slices.Equal(got, records[k]) {
				t.Fatalf("record %d of %d: %v, expected %v", k, len(records), got, records[k])
			}
		}
	}
	if got, want := l.all(), slices.Concat(records...); !slices.Equal(got, want) {
		t.Errorf("%d elements, expected %d", len(got), len(want))
	}
}
