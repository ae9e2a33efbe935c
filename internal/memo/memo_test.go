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
