package cmd

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// Every package has one comment, of 3 to 15 lines of at most 120 columns, that says what the package does.
func TestPackageComments(t *testing.T) {
	comments := map[string]string{} // by folder
	for folder := range imported(t) {
		folder = strings.TrimSuffix(folder, " (test)")
		files, err := filepath.Glob(folder + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		if _, seen := comments[folder]; seen || len(files) == 0 {
			continue
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") && filepath.Base(file) != "doc_test.go" {
				continue
			}
			comments[folder] += ""
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, text, parser.PackageClauseOnly|parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			said := f.Doc.Text()
			switch name := f.Name.Name; {
			case said == "":
			case comments[folder] != "":
				t.Errorf("%s: a second comment of package %s", file, name)
			case name != "main" && !strings.HasPrefix(said, "Package "+name+" "):
				t.Errorf("%s: the comment of package %s begins with %.40q", file, name, said)
			case strings.HasPrefix(said, "Package "+name+" is "):
				t.Errorf("%s: want what package %s does, not what it is", file, name)
			default:
				comments[folder] = said
				for _, line := range strings.Split(string(text[:f.Package-1]), "\n") {
					if utf8.RuneCountInString(line) > 120 {
						t.Errorf("%s: a line of more than 120 columns: %s", file, line)
					}
				}
			}
		}
		if _, ok := comments[folder]; !ok {
			continue // it has tests alone
		}
		lines := strings.Count(comments[folder], "\n")
		main := strings.HasPrefix(comments[folder], "Litmuscope ") || strings.HasPrefix(comments[folder], "Command ")
		if lines == 0 || !main && (lines < 3 || lines > 15) {
			t.Errorf("%s: %d lines of package comment, want 3 to 15", folder, lines)
		}
	}
	if len(comments) < 80 {
		t.Errorf("only %d packages", len(comments))
	}
}
