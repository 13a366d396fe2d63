package cmd

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// lawOfImports is .ci/imports.txt: by section, the lines of folders and what stands behind them.
type lawOfImports map[string]map[string][]string

// readLaw reads the law, and the text of its layers.
func readLaw(t *testing.T) (law lawOfImports, layers string) {
	t.Helper()
	text, err := os.ReadFile(".ci/imports.txt")
	if err != nil {
		t.Fatal(err)
	}
	law = lawOfImports{}
	section, lists := "", map[string][]string{}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0] == "#":
			continue
		case len(words) == 1 && slices.Contains([]string{"layers", "packages", "modules"}, words[0]):
			section, law[words[0]] = words[0], map[string][]string{}
			continue
		case section == "":
			lists[words[0]] = words[1:]
			continue
		case section == "layers":
			layers += line
		}
		var may []string
		for _, word := range words[1:] {
			if list, ok := lists[word]; ok {
				may = append(may, list...)
			} else {
				may = append(may, word)
			}
		}
		law[section][words[0]] = may
	}
	return law, layers
}

// in reports whether a folder is pattern, or in it if that ends in "/...".
func in(folder, pattern string) bool {
	root, all := strings.CutSuffix(pattern, "/...")
	return folder == root || all && strings.HasPrefix(folder, root+"/")
}

// rule is the line of a section that a folder obeys; nil, false without one.
func (law lawOfImports) rule(section, folder string) (may []string, ok bool) {
	longest := ""
	for pattern, words := range law[section] {
		if in(folder, pattern) && len(strings.TrimSuffix(pattern, "/...")) >= len(longest) && !(ok && pattern == longest+"/...") {
			may, ok, longest = words, true, strings.TrimSuffix(pattern, "/...")
		}
	}
	return may, ok
}

// allowed reports whether a folder is among those that patterns list.
func allowed(folder string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return in(folder, p) }) && !slices.Contains(patterns, "-"+folder)
}

// imported are the packages of the project, by their folders, and what they import; the tests of a folder go by its name
// and " (test)".
func imported(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	for _, environment := range [][]string{nil, {"GOOS=js", "GOARCH=wasm"}} {
		list := exec.CommandContext(t.Context(), "go", "list", "-e", "-f",
			`{{.ImportPath}}|{{join .Imports " "}}|{{join .TestImports " "}} {{join .XTestImports " "}}`, "./...")
		list.Env = append(os.Environ(), environment...)
		text, err := list.Output()
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			parts := strings.Split(line, "|")
			folder := folderOf(parts[0])
			out[folder] = append(out[folder], strings.Fields(parts[1])...)
			out[folder+" (test)"] = append(out[folder+" (test)"], strings.Fields(parts[2])...)
		}
	}
	return out
}

// folderOf is where a package of the project is; "" for one of another's.
func folderOf(path string) string {
	if path == "litmuscope" {
		return "."
	}
	folder, ok := strings.CutPrefix(path, "litmuscope/")
	if !ok {
		return ""
	}
	return folder
}

// Packages import what .ci/imports.txt allows.
func TestImports(t *testing.T) {
	law, _ := readLaw(t)
	for name, imports := range imported(t) {
		folder, isTest := strings.CutSuffix(name, " (test)")
		for _, path := range imports {
			to := folderOf(path)
			for module, may := range law["modules"] {
				if isTest && !slices.Contains(may, "+tests") {
					continue
				}
				if (path == module || strings.HasPrefix(path, module+"/")) && !allowed(folder, may) {
					t.Errorf("%s imports %s, which only %s may", name, path, strings.Join(may, ", "))
				}
			}
			if isTest || to == "" {
				continue
			}
			if may, ok := law.rule("layers", folder); !ok {
				t.Errorf("%s is in no layer: add a line to .ci/imports.txt", folder)
			} else if !allowed(to, may) {
				t.Errorf("%s imports %s, which its layer may not: %s", folder, to, strings.Join(may, " "))
			}
			if may, ok := law.rule("packages", folder); ok && !allowed(to, may) {
				t.Errorf("%s imports %s: it may import %q alone", folder, to, may)
			}
		}
	}
}

// Every folder that a line of the law names is there.
func TestImportsNameFolders(t *testing.T) {
	law, _ := readLaw(t)
	for section, lines := range law {
		for folder, may := range lines {
			names := may
			if section != "modules" {
				names = append([]string{folder}, may...)
			}
			for _, name := range names {
				if name == "+tests" {
					continue
				}
				name = strings.TrimPrefix(strings.TrimSuffix(name, "/..."), "-")
				if info, err := os.Stat(name); err != nil || !info.IsDir() {
					t.Errorf("%s: the line of %s names %s, which is no folder", section, folder, name)
				}
			}
		}
	}
}
