package suite

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// An include finds a file beside the including file and in the given folders, by a name as compilers resolve it.
func TestIncludes(t *testing.T) {
	tree(t, map[string]string{
		"a/main.c": "#include <stdio.h>\n#include \"../b.c\"\n # include <lib.h> // twice\n" +
			"#include \"missing.h\"\n",
		"b.c":              "#include \"c.h\"\n",
		"c.h":              "#include \"c.h\"\n",
		"include/lib.h":    "#include \"deep/x.h\"\n",
		"include/deep/x.h": "",
		"other/lib.h":      "",
		"d/case.c":         "#include \"names.h\"\n#include SECOND // which only a macro names\n#include TEST_CASE\n",
		"d/names.h":        "#define SECOND \"second.h\"\n",
		"d/second.h":       "",
		"d/first.h":        "",
	})
	var files []string
	texts := map[string]string{}
	for e := range Programs(context.Background(), []string{"a"}, nil) {
		files = append(files, e.Path)
		texts[e.Path] = e.Source
	}
	if !slices.Equal(files, []string{"a/main.c"}) {
		t.Fatalf("programs: %v", files)
	}
	got, err := Includes(texts, []string{"include", "./other"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"b.c", "c.h", "include/deep/x.h", "include/lib.h", "other/lib.h"}
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, want) {
		t.Errorf("included: %v, want %v", names, want)
	}
	got, err = Includes(map[string]string{"d/case.c": "#include \"names.h\"\n#include SECOND\n#include TEST_CASE\n"},
		nil, []string{"TEST_CASE=\"first.h\""})
	if names := slices.Sorted(maps.Keys(got)); err != nil ||
		!slices.Equal(names, []string{"d/first.h", "d/names.h", "d/second.h"}) {
		t.Errorf("included by macros: %v, %v", names, err)
	}
	large := strings.Repeat("int x;\n", maxIncludedBytes/7+1)
	if err := os.WriteFile("large.h", []byte(large), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Includes(map[string]string{"m.c": "#include \"large.h\"\n"}, nil, nil); err == nil {
		t.Error("an included file may be of any length")
	}
}

// An include finds a file wherever it lies, as a compiler does: above the including file, by an absolute path, behind a
// link, and whatever its name ends in. What is no regular file is not.
func TestIncludesAnywhere(t *testing.T) {
	tree(t, map[string]string{
		"above.h":     "",
		"table":       "",
		"p/in/own.h":  "#include \"../../above.h\"\n#include \"../../q/r/far.hpp\"\n",
		"q/r/far.hpp": "",
		"inc/lib.h":   "#include \"../table\"\n",
		"abs.h":       "",
	})
	if err := os.Symlink("../above.h", "p/link.h"); err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	text := "#include \"link.h\"\n#include \"in/own.h\"\n#include \"" + here +
		"/abs.h\"\n#include \"in\"\n#include \"../missing.h\"\n#include <lib.h>\n"
	got, err := Includes(map[string]string{"p/m.c": text}, []string{"p/../inc"}, nil)
	want := []string{here + "/abs.h", "above.h", "inc/lib.h", "p/in/own.h", "p/link.h", "q/r/far.hpp", "table"}
	if names := slices.Sorted(maps.Keys(got)); err != nil || !slices.Equal(names, want) {
		t.Errorf("included: %v, %v; want %v", names, err, want)
	}
}
