package cmd

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// importRules has the lines of .ci/imports.txt by section: a folder, and what it may import.
type importRules map[string]map[string][]string

// readImportRules reads the rules and returns a picture of the layers: for each line a folder and what it may import.
// The picture writes x/... as x/, expands short lists (@x), shows long lists below, and leaves out exceptions (-x).
func readImportRules(t *testing.T) (law importRules, layers string) {
	t.Helper()
	text, err := os.ReadFile(".ci/imports.txt")
	if err != nil {
		t.Fatal(err)
	}
	law = importRules{}
	section, lists, long := "", map[string][]string{}, [][]string(nil)
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
			if len(words) > shortList {
				long = append(long, words)
			}
			continue
		case section == "layers":
			var shown []string
			for _, word := range words[1:] {
				if list, ok := lists[word]; ok && len(list) < shortList {
					shown = append(shown, list...)
				} else if !strings.HasPrefix(word, "-") {
					shown = append(shown, word)
				}
			}
			layers += layer(words[0], "->", shown)
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
	for _, words := range long {
		layers += layer(words[0], " =", words[1:])
	}
	return law, layers
}

// shortList is the number of words from which a list is long; the picture of layers does not expand long lists.
const shortList = 4

// layer formats a folder and its words in lines of at most 100 columns.
func layer(folder, sign string, words []string) string {
	const begin, most = 27, 100
	short := func(word string) string { return strings.TrimSuffix(word, "...") }
	out, column := fmt.Sprintf("%-23s %s", short(folder), sign), begin-1
	for _, word := range words {
		word = short(word)
		if column+1+len(word) > most {
			out, column = out+"\n"+strings.Repeat(" ", begin-1), begin-1
		}
		out, column = out+" "+word, column+1+len(word)
	}
	return out + "\n"
}

// ARCHITECTURE.md shows the layers of .ci/imports.txt.
func TestArchitectureShowsLayers(t *testing.T) {
	const file, begin, end = "ARCHITECTURE.md", "\n```\n", "```\n"
	_, layers := readImportRules(t)
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	shown, after, ends := strings.Cut(rest, end)
	switch {
	case !ok || !ends:
		t.Fatalf("%s has no block of code", file)
	case shown == layers:
	case !*update:
		t.Errorf("%s does not show the layers of .ci/imports.txt (go test ./cmd -run TestArchitectureShowsLayers "+
			"-update): want\n%s", file, layers)
	default:
		if err := os.WriteFile(file, []byte(before+begin+layers+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Everything that ARCHITECTURE.md names exists: each path, and each `Name` (`path/file.go`) as a declaration in that
// file.
func TestArchitectureNamesWhatIsThere(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	_, prose, _ := strings.Cut(string(text), "```\n")
	_, prose, _ = strings.Cut(prose, "```\n")
	for _, m := range regexp.MustCompile("`([a-z.]+/[\\w./-]+)`").FindAllStringSubmatch(prose, -1) {
		if _, err := os.Stat(m[1]); err != nil {
			t.Errorf("%s: %v", m[0], err)
		}
	}
	for _, m := range regexp.MustCompile("`(?:\\w+\\.)?(\\w+)`\\s\\(`([\\w./]+\\.go)`").FindAllStringSubmatch(prose,
		-1) {
		source, err := os.ReadFile(m[2])
		if err != nil {
			continue // reported above
		}
		if !regexp.MustCompile(`(?m)^(func (\([^)]*\) )?|type |var )` + m[1] + `\b`).Match(source) {
			t.Errorf("%s declares no %s", m[2], m[1])
		}
	}
}

// in reports whether a folder is pattern, or is within pattern if that ends in "/...".
func in(folder, pattern string) bool {
	root, all := strings.CutSuffix(pattern, "/...")
	return folder == root || all && strings.HasPrefix(folder, root+"/")
}

// rule returns the line of a section that applies to a folder; nil, false if there is none.
func (law importRules) rule(section, folder string) (may []string, ok bool) {
	longest := ""
	for pattern, words := range law[section] {
		if in(folder, pattern) && len(strings.TrimSuffix(pattern, "/...")) >= len(longest) &&
			!(ok && pattern == longest+"/...") {
			may, ok, longest = words, true, strings.TrimSuffix(pattern, "/...")
		}
	}
	return may, ok
}

// allowed reports whether a folder is among those that patterns list.
func allowed(folder string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return in(folder, p) }) &&
		!slices.Contains(patterns, "-"+folder)
}

// imported maps the folders of the project's packages to their imports. The tests of a folder have its name and "
// (test)".
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

// folderOf returns the folder of a package of the project, or "" for a package of another module.
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
	law, _ := readImportRules(t)
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

// Every folder that a rule names exists.
func TestImportsNameFolders(t *testing.T) {
	law, _ := readImportRules(t)
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
