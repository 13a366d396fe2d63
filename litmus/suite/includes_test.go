package suite

import (
	"context"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// What a program may include is found beside the including file and in the folders given, by names
// as a compiler makes them.
func TestIncludes(t *testing.T) {
	tree(t, map[string]string{
		"a/main.c":         "#include <stdio.h>\n#include \"../b.c\"\n # include <lib.h> // twice\n#include \"/etc/hosts\"\n",
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
	got, err := Includes(texts, []string{"."}, []string{"include", "./other"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"b.c", "c.h", "include/deep/x.h", "include/lib.h", "other/lib.h"}
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, want) {
		t.Errorf("included: %v, want %v", names, want)
	}
	got, err = Includes(map[string]string{"d/case.c": "#include \"names.h\"\n#include SECOND\n#include TEST_CASE\n"}, nil, nil, []string{"TEST_CASE=\"first.h\""})
	if names := slices.Sorted(maps.Keys(got)); err != nil || !slices.Equal(names, []string{"d/first.h", "d/names.h", "d/second.h"}) {
		t.Errorf("included by macros: %v, %v", names, err)
	}
	large := strings.Repeat("int x;\n", maxIncludedBytes/7+1)
	if err := os.WriteFile("large.h", []byte(large), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Includes(map[string]string{"m.c": "#include \"large.h\"\n"}, nil, nil, nil); err == nil {
		t.Error("an included file may be of any length")
	}
}

// Nothing is read from elsewhere than the folders that somebody has named, whatever a program or a link
// says, and nothing that is no source.
func TestIncludesStayInside(t *testing.T) {
	tree(t, map[string]string{
		"secret.h":   "secret",
		"secret":     "secret",
		"p/secret":   "secret",
		"p/own.h":    "",
		"p/in/own.h": "",
		"inc/lib.h":  "#include \"../secret.h\"\n#include \"../p/own.h\"\n",
	})
	for link, to := range map[string]string{"p/link.h": "../secret.h", "p/plain.h": "secret", "p/near.h": "own.h", "p/out": ".."} {
		if err := os.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	text := "#include \"../secret.h\"\n#include \"../secret\"\n#include \"secret\"\n#include \"link.h\"\n#include \"plain.h\"\n#include \"out/secret.h\"\n" +
		"#include \"" + here + "/secret.h\"\n#include \"near.h\"\n#include \"in/own.h\"\n#include <lib.h>\n"
	got, err := Includes(map[string]string{"p/m.c": text}, nil, []string{"inc"}, nil)
	if names := slices.Sorted(maps.Keys(got)); err != nil || !slices.Equal(names, []string{"inc/lib.h", "p/in/own.h", "p/near.h", "p/own.h"}) {
		t.Errorf("included: %v, %v", names, err)
	}
}
