// Package golden compares what a test makes with a file that is kept.
package golden

import (
	"os"
	"testing"

	"egad/internal/testflag"
)

// Check compares got with the file path. With -update it writes the file.
func Check(t testing.TB, path, got string) {
	t.Helper()
	if testflag.Update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s is kept, and is no longer what comes out (-update accepts it):\n%s", path, got)
	}
}
