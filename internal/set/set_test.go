package set_test

import (
	"fmt"

	"egad/internal/set"
)

func Example() {
	s := set.Of("a", "b")
	set.Add(s, "b", "c")
	fmt.Println(s, set.Of[int]() == nil)
	// Output: map[a:true b:true c:true] false
}
