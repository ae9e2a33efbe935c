package suite

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"egad/diag"
	"egad/runner"
	"egad/theory"
)

func TestParity(t *testing.T) {
	files, _ := filepath.Glob("../../examples/rewriting/*.rules")
	for _, p := range files {
		b, _ := os.ReadFile(p)
		src := &diag.Source{Name: p, Text: string(b)}
		f, err := Load(src)
		if err != nil {
			t.Error(err)
			continue
		}
		th, err := theory.Load(src)
		if err != nil {
			t.Error(err)
			continue
		}
		for i, x := range f.Tests {
			at := time.Now()
			res, err := f.Run(x, runner.Options{})
			if err != nil {
				t.Error(err)
				continue
			}
			d1 := time.Since(at)
			at = time.Now()
			want := th.Run(th.Tests[i], runner.Options{})
			d2 := time.Since(at)
			show := func(r *runner.Result) string {
				return fmt.Sprint(r.Start, r.Report.Stop, r.Report.Nodes, r.Report.Classes, r.Report.Iterations, r.Failed)
			}
			if show(res.Result) != show(want.Result) {
				t.Errorf("%s %s\n got %s\nwant %s", p, x.Name.Text, show(res.Result), show(want.Result))
			}
			fmt.Println(x.Name.Text, d1, d2)
		}
	}
}
