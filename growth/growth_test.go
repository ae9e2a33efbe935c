package growth

import (
	"fmt"
	"testing"
	"time"
)

func TestX(t *testing.T) {
	for _, f := range Families {
		if *only != "" && *only != f.Name { continue }
		for _, n := range []int{f.Size / 4, f.Size / 2, f.Size} {
			start := time.Now()
			c, err := Measure(f.Text(n))
			if err != nil {
				t.Errorf("%s %v", f.Name, err)
				continue
			}
			fmt.Println(f.Name, n, c.Source, c.ENodes, c.Matches, c.Gradient, c.Operations, time.Since(start))
			fmt.Println("   ", c.Stages)
		}
	}
}
