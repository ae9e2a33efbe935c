package slice_test

import (
	"fmt"
	"strconv"

	"egad/internal/slice"
)

func ExampleMap() {
	fmt.Printf("%q %v\n", slice.Map([]int{1, 2}, strconv.Itoa), slice.Map(nil, strconv.Itoa) == nil)
	// Output: ["1" "2"] false
}

func ExampleTry() {
	fmt.Println(slice.Try([]string{"1", "2"}, strconv.Atoi))
	fmt.Println(slice.Try([]string{"1", "x", "y"}, strconv.Atoi))
	// Output:
	// [1 2] <nil>
	// [] strconv.Atoi: parsing "x": invalid syntax
}

func ExampleMake() {
	fmt.Println(slice.Make(4, func(i int) int { return i * i }))
	// Output: [0 1 4 9]
}

func ExampleEach() {
	next := slice.Each([]string{"a", "b"})
	for x, ok := next(); ok; x, ok = next() {
		fmt.Println(x)
	}
	fmt.Println(next())
	// Output:
	// a
	// b
	// <nil> false
}

func ExampleIndex() {
	fmt.Println(slice.Index([]int{2, 3}, 4), slice.Index(nil, 0))
	// Output: [1 1] []
}

func ExampleSum() {
	fmt.Println(slice.Sum([]string{"a", "bc"}, func(s string) int { return len(s) }), slice.Sum(nil, func(x float64) float64 { return x }))
	// Output: 3 0
}

func ExampleFilter() {
	even := func(n int) bool { return n%2 == 0 }
	fmt.Println(slice.Filter([]int{1, 2, 3, 4}, even), slice.Filter([]int{1}, even) == nil)
	// Output: [2 4] true
}

func ExampleProduct() {
	fmt.Println(slice.Product([]int{2, 3}), slice.Product(nil))
	// Output: 6 1
}

func ExampleWith() {
	fmt.Println(slice.With([]string{"a", "b"}, "c"), slice.With([]string{"a", "b"}, "a"))
	// Output: [a b c] [a b]
}
