package term

import ("testing";"os";"fmt";"strings";"path/filepath")

func TestDumpErrors(t *testing.T) {
	files, _ := filepath.Glob("testdata/errors/*.egad")
	for _, f := range files {
		b, _ := os.ReadFile(f)
		lines := strings.Split(string(b), "\n")
		for _, c := range chunks(string(b)) {
			for _, e := range errorsOf(t, c) {
				l, col := e.Src.LineCol(e.Pos)
				src := "?"
				if e.Src.Name == "test.egad" { src = lines[l-1] }
				fmt.Printf("%s:%d:%d %s\n      %s\n      %s^\n", filepath.Base(f), l, col, e.Msg, src, strings.Repeat(" ", col-1))
			}
		}
	}
}
