package cprog

import (
	"context"
	"flag"
	"os"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"litmuscope/litmus/c/cprog/elaborate"
	"litmuscope/litmus/c/cprog/read"
	"litmuscope/litmus/ir"
)

var updating = flag.Bool("update", false, "write what threads programs become")

// Each program of testdata/threads.txtar becomes the threads behind it.
func TestThreads(t *testing.T) {
	const file = "testdata/threads.txtar"
	archive, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range archive.Files {
		name, isSource := strings.CutSuffix(f.Name, ".c")
		if !isSource {
			continue
		}
		t.Run(name, func(t *testing.T) {
			p, err := Lower(context.Background(), read.Source{Files: []read.File{{Name: f.Name, Text: string(f.Data)}}},
				elaborate.Options{
					Unroll: 2, Properties: []ir.Property{ir.Assertion, ir.Memory}, Target: elaborate.Language,
					Waits: ir.Waits{Reads: true},
				})
			got := ""
			if err != nil {
				got = err.Error() + "\n"
			} else {
				got = printed(p)
			}
			want := &archive.Files[i+1]
			if *updating {
				want.Data = []byte(got)
			} else if got != string(want.Data) {
				t.Errorf("got\n%s\nwant\n%s", got, want.Data)
			}
		})
	}
	if *updating {
		if err := os.WriteFile(file, txtar.Format(archive), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}
