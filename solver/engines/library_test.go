package engines

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
)

// The programs of testdata/library call functions that the front end of C knows. Their heads say which models find them
// safe, or unsafe; and in the safe ones, execution reaches the end of main.
func TestLibraryOfC(t *testing.T) {
	files, err := filepath.Glob("testdata/library/*.c")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	head := regexp.MustCompile(`(?m)^// ([a-z0-9 ]+): (safe|unsafe)(.*)$`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range head.FindAllStringSubmatch(string(text), -1) {
			var defines []string
			for _, d := range strings.Split(line[3], " -D ")[1:] {
				defines = append(defines, strings.TrimSpace(d))
			}
			for model := range strings.FieldsSeq(line[1]) {
				verify := func(end string) string {
					task := solver.VerifyTask{
						Files: []solver.SourceFile{{Name: filepath.Base(file), Text: string(text)}}, Model: model,
						Defines: append(defines, "END="+end), Options: solver.DefaultOptions(),
						Verify: solver.Verify{Properties: []ir.Property{ir.Assertion}},
					}
					v, err := Run(t.Context(), task)
					if err != nil {
						return err.Error()
					}
					if v.Error != "" || v.Reason != "" {
						return v.Error + v.Reason
					}
					return string(v.Verdict)
				}
				if got := verify("0"); got != line[2] {
					t.Errorf("%s under %s%s: got %s, want %s", file, model, line[3], got, line[2])
				}
				if line[2] == "safe" {
					if got := verify("assert(0)"); got != "unsafe" {
						t.Errorf("%s under %s%s: got %s where main fails at its end", file, model, line[3], got)
					}
				}
			}
		}
	}
}
