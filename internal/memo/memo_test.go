package memo_test

import (
	"errors"
	"fmt"

	"egad/internal/memo"
)

func ExampleGet() {
	known := make(map[int]string)
	fmt.Println(memo.Get(known, 1, func() (string, error) { return "", errors.New("not yet") }))
	fmt.Println(memo.Get(known, 1, func() (string, error) { return "one", nil }))
	fmt.Println(memo.Get(known, 1, func() (string, error) { return "another", nil }))
	// Output:
	//  not yet
	// one <nil>
	// one <nil>
}

func ExampleOf() {
	numbers := make(map[string]int)
	for _, s := range []string{"a", "b", "a"} {
		fmt.Print(memo.Of(numbers, s, func() int { return len(numbers) }), " ")
	}
	// Output: 0 1 0
}

func ExamplePlace() {
	places, list := make(map[string]int), []int(nil)
	for i, s := range []string{"a", "b", "a"} {
		fmt.Print(memo.Place(places, &list, s, i), " ")
	}
	fmt.Println(list)
	// Output: 0 1 0 [0 1]
}

func ExampleOnce() {
	below := map[string][]string{"a": {"b", "c"}, "b": {"c"}}
	memo.Once(func(s string, visit func(string)) {
		for _, t := range below[s] {
			visit(t)
		}
		fmt.Print(s, " ")
	})("a")
	// Output: c b a
}

func ExampleSet() {
	var known map[string]int
	memo.Set(&known, "a", 1)
	fmt.Println(known)
	// Output: map[a:1]
}
