package web_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
)

// What the types of scripts say of elements, by their IDs, the pages have.
func TestScriptsKnowWhatPagesHave(t *testing.T) {
	types, err := os.ReadFile("../static/src/dom.d.ts")
	if err != nil {
		t.Fatal(err)
	}
	var pages strings.Builder
	err = fs.WalkDir(os.DirFS("."), ".", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".templ") {
			return err
		}
		b, err := os.ReadFile(path)
		pages.Write(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	_, ids, _ := strings.Cut(string(types), "interface Ids {")
	ids, _, _ = strings.Cut(ids, "}")
	found := regexp.MustCompile(`"?([\w-]+)"?: (\w+);`).FindAllStringSubmatch(ids, -1)
	if len(found) == 0 {
		t.Error("dom.d.ts says nothing of IDs")
	}
	tags := map[string]string{
		"HTMLFormElement": "form", "HTMLSelectElement": "select", "HTMLInputElement": "input", "HTMLAnchorElement": "a",
		"HTMLButtonElement": "button", "HTMLElement": `\w+`,
	}
	for _, m := range found {
		id, kind := m[1], m[2]
		if tags[kind] == "" {
			t.Errorf("%s: which elements are %s?", id, kind)
		} else if !regexp.MustCompile(`<` + tags[kind] + `\s[^<]*\bid="` + id + `"`).MatchString(pages.String()) {
			t.Errorf("dom.d.ts has a %s with the ID %s, no page does", kind, id)
		}
	}
}
