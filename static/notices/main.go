// Notices writes static/dist/licenses.txt: the authors and licences of everything that the program contains.
// src/licenses.txt, which "task assets" writes, lists the packages and typefaces of the pages. The Go modules are those
// that the program and the engine of a static site link, with the licence files of the folders in use. It reads the
// module cache and makes no network request.
//
//	go run ./static/notices
package main

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	root, err := goSays("env", "GOMOD")
	if err == nil {
		err = os.Chdir(filepath.Dir(strings.TrimSpace(root)))
	}
	var text []byte
	if err == nil {
		text, err = notices()
	}
	if err == nil {
		err = os.WriteFile(written, text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

// written is the path of the file, relative to the root of the repository.
const written = "static/dist/licenses.txt"

// linked lists the programs that users run, with the settings of their builds.
var linked = []struct {
	packages string
	settings []string
}{
	{".", []string{"GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=1"}},
	{"./web/api/site/engine", []string{"GOOS=js", "GOARCH=wasm"}},
}

// licenceFile matches the names of files with licences.
var licenceFile = regexp.MustCompile(`(?i)^(un)?(licen[cs]e|copying|copyright|notice|patents)([-.].*)?$`)

// part is a third party's work: its name, and its licences by file name.
type part struct{ name, terms string }

// notices returns the text of the file. The working directory must be the root of the repository.
func notices() ([]byte, error) {
	pages, err := os.ReadFile("static/src/licenses.txt")
	if err != nil {
		return nil, err
	}
	katex, err := os.ReadFile("web/teaching/mathml/katex-license.txt")
	if err != nil {
		return nil, err
	}
	modules, err := goModules()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	fmt.Fprint(&out,
		"litmuscope contains the work of others. Their names are below, each with the terms that it comes under.\n")
	fmt.Fprintf(&out, "\n\n# The pages\n\n%s", pages)
	fmt.Fprintf(&out, "\nThe server sets formulas with KaTeX, under this licence.\n\n%s", katex)
	fmt.Fprint(&out, "\n\n# The program\n\nThe program is linked from the Go modules below. "+
		"github.com/mattn/go-sqlite3 contains SQLite, which is in the public domain.\n")
	byTerms := map[string][]string{}
	for _, m := range modules {
		byTerms[m.terms] = append(byTerms[m.terms], m.name)
	}
	terms := slices.SortedFunc(maps.Keys(byTerms),
		func(a, b string) int { return strings.Compare(byTerms[a][0], byTerms[b][0]) })
	for _, t := range terms {
		fmt.Fprintf(&out, "\n\n%s\n\n%s", strings.Join(byTerms[t], "\n"), t)
	}
	return out.Bytes(), nil
}

// goModules returns the modules that the programs link, ordered by name, and Go's library. A module's licences are
// those of its folder and of its folders that the programs use.
func goModules() ([]part, error) {
	folders := map[string]map[string]bool{} // of a module's name, with its root first
	roots := map[string]string{}
	for _, l := range linked {
		list, err := goSays("list",
			append(
				[]string{
					"-deps", "-f",
					"{{with .Module}}{{if not .Main}}{{.Path}} {{.Version}}\t{{.Dir}}\t{{$.Dir}}{{end}}{{end}}",
					l.packages,
				}, l.settings...)...)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(list) {
			fields := strings.Split(strings.TrimSpace(line), "\t")
			if len(fields) != 3 {
				continue // Go's library, or this module
			}
			name, root, folder := fields[0], fields[1], fields[2]
			if folders[name] == nil {
				folders[name], roots[name] = map[string]bool{}, root
			}
			for ; strings.HasPrefix(folder, root); folder = filepath.Dir(folder) {
				folders[name][folder] = true
			}
		}
	}
	library, err := goSays("env", "GOROOT")
	if err != nil {
		return nil, err
	}
	const own = "Go's standard library" // of the Go version that builds the program
	roots[own] = strings.TrimSpace(library)
	folders[own] = map[string]bool{roots[own]: true}

	var out []part
	for _, name := range slices.Sorted(maps.Keys(folders)) {
		terms, err := termsOf(slices.Sorted(maps.Keys(folders[name])))
		if err != nil {
			return nil, err
		}
		if terms == "" {
			return nil, fmt.Errorf("%s has no licence file in %s", name, roots[name])
		}
		out = append(out, part{name, terms})
	}
	return out, nil
}

// termsOf returns the licence files of some folders, each text once.
func termsOf(folders []string) (string, error) {
	var texts []string
	for _, folder := range folders {
		entries, err := os.ReadDir(folder)
		if err != nil {
			return "", err
		}
		for _, e := range entries {
			if e.IsDir() || !licenceFile.MatchString(e.Name()) || filepath.Ext(e.Name()) == ".go" {
				continue
			}
			text, err := os.ReadFile(filepath.Join(folder, e.Name()))
			if err != nil {
				return "", err
			}
			plain := strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")) + "\n"
			if !slices.Contains(texts, plain) {
				texts = append(texts, plain)
			}
		}
	}
	return strings.Join(texts, "\n"), nil
}

// goSays runs the go command and returns its output. Arguments of the form NAME=VALUE set its environment.
func goSays(command string, args ...string) (string, error) {
	c := exec.Command("go", command)
	c.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=readonly")
	for _, a := range args {
		if name, _, is := strings.Cut(a, "="); is && strings.HasPrefix(name, "GO") || is && name == "CGO_ENABLED" {
			c.Env = append(c.Env, a)
			continue
		}
		c.Args = append(c.Args, a)
	}
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		return "", fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, said.String())
	}
	return string(out), nil
}
