package cmd

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

var update = flag.Bool("update", false, "write what commands print, and the program's flags and limits, into "+
	"README.md and the manual; then read the difference")

// sizeLimits are the largest sizes of the documents beside the manual, in bytes. A page of the
// manual has at most pageLimit.
var sizeLimits = map[string]int{
	"README.md": 8_000, "CONTRIBUTING.md": 8_000, "CHANGELOG.md": 15_000,
	"ARCHITECTURE.md": 12_000,
	"Taskfile.yml":    12_000,
	".golangci.yml":   5_000,
}

const (
	pageLimit = 20_000
	manual    = "static/docs"
)

// pagesOfManual returns the paths of the manual's pages.
func pagesOfManual(t *testing.T) []string {
	t.Helper()
	var pages []string
	err := filepath.WalkDir(manual, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".md" {
			pages = append(pages, filepath.ToSlash(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return pages
}

// The command line's page lists the flags of litmuscope run as the command's help does.
func TestManualListsTheFlags(t *testing.T) {
	const page = manual + "/command-line.md"
	source, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	flags := runCommand().Flags().FlagUsages()
	flags = strings.Replace(flags, fmt.Sprintf("at once (default %d)", runtime.NumCPU()),
		"at once (default the number of processors)", 1)
	if strings.Contains(string(source), flags) {
		return
	}
	from := strings.Index(string(source), "  -m, --model MODEL ")
	to := from + max(0, strings.Index(string(source[max(0, from):]), "```"))
	if !*update || from < 0 {
		t.Fatalf("%s does not have the flags of litmuscope run (go test ./cmd -run Manual -update):\n%s", page, flags)
	}
	if err := os.WriteFile(page, slices.Concat(source[:from], []byte(flags), source[to:]), 0o644); err != nil {
		t.Fatal(err)
	}
}

var (
	console = regexp.MustCompile("(?ms)^```console\n(.*?)^```$")
	// The program of --cc. A page whose compiler is not installed is skipped.
	compiler = regexp.MustCompile(`--cc '?([\w.+-]+)`)
	port     = regexp.MustCompile(`\b(?:localhost|127\.0\.0\.1):(\d+)`)
	// Values that differ between runs, and the blanks that depend on their widths.
	varying = regexp.MustCompile(`"(ms|engine_version|peak_mib)":[\d.]+|\d+\.\d+| {2,}`)
)

// Every console block of README.md and the manual prints what it says. The test pastes the blocks of a document in
// order into one shell, in a copy of the tree, and they leave no files behind.
func TestManualCommands(t *testing.T) {
	bin := t.TempDir()
	if out, err := exec.Command("go", "build", "-o", bin+"/litmuscope", ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	// In the shells, "go run ." runs the binary that is already built.
	if err := os.WriteFile(bin+"/go", []byte("#!/bin/sh\nshift 2\nexec litmuscope \"$@\"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	ports := map[string]string{} // by port, the document that uses it
	for _, document := range append([]string{"README.md"}, pagesOfManual(t)...) {
		source, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		var wanted []command
		for _, block := range console.FindAllSubmatch(source, -1) {
			for _, m := range port.FindAllSubmatch(block[1], -1) {
				if other, used := ports[string(m[1])]; used && other != document {
					t.Errorf("%s and %s use port %s: their shells run at the same time", other, document, m[1])
				}
				ports[string(m[1])] = document
			}
			wanted = append(wanted, commands(string(block[1]))...)
		}
		if len(wanted) == 0 {
			continue
		}
		t.Run(strings.TrimPrefix(document, manual+"/"), func(t *testing.T) {
			t.Parallel()
			for _, c := range wanted {
				for ending, compiler := range map[string]string{".cpp": "clang++", ".rs": "rustc"} {
					if _, err := exec.LookPath(compiler); err != nil && strings.Contains(c.text, ending) {
						t.Skip(err)
					}
				}
				for _, m := range compiler.FindAllStringSubmatch(c.text, -1) {
					if _, err := exec.LookPath(m[1]); err != nil {
						t.Skipf("%s runs a compiler that is not installed: %v", c.text, err)
					}
				}
			}
			got, stderr := paste(t, bin, wanted)
			for i, want := range wanted {
				if varying.ReplaceAllString(got[i], " ") == varying.ReplaceAllString(want.output, " ") {
					continue
				}
				if !*update {
					t.Errorf("$ %s got\n%s\nwant\n%s\n%s", want.text, got[i], want.output, stderr)
				}
				source = bytes.Replace(source, []byte("$ "+want.text+want.output), []byte("$ "+want.text+got[i]), 1)
			}
			if *update {
				if err := os.WriteFile(document, source, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// paste runs commands in one shell, in a copy of the files that they read. It returns the output of each command and
// the shell's standard error. It fails if the commands leave a file in the copy.
func paste(t *testing.T, bin string, wanted []command) (got []string, stderr string) {
	t.Helper()
	tree, tmp := t.TempDir(), t.TempDir()
	for _, folder := range []string{"litmus/catalogue", "models/published"} {
		if err := os.CopyFS(tree+"/"+folder, os.DirFS(folder)); err != nil {
			t.Fatal(err)
		}
	}
	const mark = "=== the next command ==="
	script := "cd " + tree + "\n"
	for _, c := range wanted {
		script += "echo '" + mark + "'\n" + c.text + "\n"
	}
	// A server that still closes its database would write into folders that the test removes.
	shell := exec.CommandContext(t.Context(), "bash", "-c", script+"kill $(jobs -p) 2>/dev/null; wait")
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	shell.Cancel = func() error { return syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) }
	shell.Env = append(os.Environ(), "TMPDIR="+tmp, "PATH="+bin+":"+os.Getenv("PATH"))
	shell.WaitDelay = time.Second
	var errs bytes.Buffer
	shell.Stderr = &errs
	out, err := shell.Output()
	got = strings.Split(strings.ReplaceAll(string(out), tmp, "/tmp"), mark+"\n")[1:]
	if len(got) != len(wanted) {
		t.Fatalf("%d of %d commands ran: %v\n%s", len(got), len(wanted), err, errs.String())
	}
	left, err := filepath.Glob(tree + "/*")
	if err != nil || len(left) != 2 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	return got, errs.String()
}

// command is the text after a "$ ", with its here-document, and the output below it.
type command struct{ text, output string }

func commands(block string) []command {
	var out []command
	until := "" // the end of a here-document
	for line := range strings.Lines(block) {
		text, isCommand := strings.CutPrefix(line, "$ ")
		last := len(out) - 1
		switch {
		case until != "":
			out[last].text += line
			if strings.TrimSpace(line) == until {
				until = ""
			}
		case isCommand:
			out = append(out, command{text: text})
			if _, end, ok := strings.Cut(text, "<<'"); ok {
				until, _, _ = strings.Cut(end, "'")
			}
		default:
			out[last].output += line
		}
	}
	return out
}

// document is a Markdown file: its links and images as written, and its anchors.
type document struct {
	links   []string
	anchors map[string]bool
	html    []string // raw HTML in it
	top     []ast.Node
}

func readDocument(source []byte) document {
	d := document{anchors: map[string]bool{}}
	root := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(text.NewReader(source))
	for n := root.FirstChild(); n != nil; n = n.NextSibling() {
		d.top = append(d.top, n)
	}
	// The walk's function never returns an error.
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			d.links = append(d.links, string(n.Destination))
		case *ast.Image:
			d.links = append(d.links, string(n.Destination))
		case *ast.HTMLBlock:
			d.html = append(d.html, string(n.Lines().Value(source)))
		case *ast.RawHTML:
			d.html = append(d.html, string(n.Segments.Value(source)))
		case *ast.Heading:
			name := anchor(plainText(n, source))
			for unique, i := name, 1; ; i++ {
				if !d.anchors[unique] {
					d.anchors[unique] = true
					break
				}
				unique = fmt.Sprintf("%s-%d", name, i)
			}
		}
		return ast.WalkContinue, nil
	})
	return d
}

func plainText(n ast.Node, source []byte) string {
	if leaf, ok := n.(*ast.Text); ok {
		return string(leaf.Segment.Value(source))
	}
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.WriteString(plainText(c, source))
	}
	return b.String()
}

// anchor returns GitHub's anchor for a heading.
func anchor(heading string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return unicode.ToLower(r)
		}
		return -1
	}, heading)
}

// The documents are within their size limits, and their relative links and anchors have targets. A page of the manual
// begins with a title and a paragraph about its purpose, is in the index, and has no raw HTML, which the web page would
// not show.
func TestManualDocuments(t *testing.T) {
	pages := pagesOfManual(t)
	read := map[string]document{}
	files := append([]string{"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "ARCHITECTURE.md"}, pages...)
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		limit, isPage := sizeLimits[file], slices.Contains(pages, file)
		if isPage {
			limit = pageLimit
		}
		if limit > 0 && len(source) > limit {
			t.Errorf("%s has %d bytes, at most %d are allowed", file, len(source), limit)
		}
		if bytes.Contains(source, []byte("\r")) || !bytes.HasPrefix(source, []byte("# ")) {
			t.Errorf("%s: want LF at the ends of lines, and a title in the first line", file)
		}
		d := readDocument(source)
		read[file] = d
		if !isPage {
			continue
		}
		for _, html := range d.html {
			t.Errorf("%s has raw HTML: %s", file, html)
		}
		if len(d.top) < 2 || d.top[0].Kind() != ast.KindHeading || d.top[1].Kind() != ast.KindParagraph {
			t.Errorf("%s: want a title, then a paragraph that says what the page is for", file)
		}
	}

	indexed := map[string]bool{}
	for _, file := range files {
		for _, link := range read[file].links {
			if strings.Contains(link, "://") || strings.HasPrefix(link, "mailto:") {
				continue
			}
			name, fragment, hasFragment := strings.Cut(link, "#")
			target := file
			if name != "" {
				target = path.Join(path.Dir(file), name)
			}
			if file == manual+"/index.md" {
				indexed[target] = true
			}
			if _, err := os.Stat(target); errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s links to %s, which does not exist", file, link)
			} else if d, ok := read[target]; hasFragment && (!ok || !d.anchors[fragment]) {
				t.Errorf("%s links to %s: there is no such heading", file, link)
			}
		}
	}
	for _, page := range pages {
		if !indexed[page] && page != manual+"/index.md" {
			t.Errorf("%s is not in the index", page)
		}
	}
}

// The manual's table of barriers is the one of BARRIERS.md, which the tests of litmus/dialect compare with the models.
// Models with equal columns share one, barriers with equal rows share a row. -update writes it.
func TestManualKnowsBarriers(t *testing.T) {
	const page, first = manual + "/barriers.md", "| between all accesses |"
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), first)
	if !found {
		t.Fatalf("%s has no table that begins with %q", page, first)
	}
	_, after, _ := strings.Cut(rest, "\n\n")
	want := before + groupedBarriers(t)
	if after != "" {
		want += "\n" + after
	}
	switch {
	case want == string(text):
	case !*update:
		t.Errorf(
			"the table of %s is not that of BARRIERS.md (go test ./cmd -run Manual -update); want:\n%s",
			page,
			want,
		)
	default:
		if err := os.WriteFile(page, []byte(want), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// groupedBarriers is the table of BARRIERS.md for the models of machines, with equal columns and equal rows merged.
func groupedBarriers(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("litmus/dialect/BARRIERS.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, found := strings.Cut(string(text), "| dialect | between all accesses |")
	if !found {
		t.Fatal("litmus/dialect/BARRIERS.md has no table of what models forbid")
	}
	section, _, _ = strings.Cut("||"+section, "\n\n")
	var table [][]string // the head and a row for each barrier: dialect, barrier, what each model forbids
	for line := range strings.Lines(section) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if cells[0] != "---" {
			table = append(table, cells)
		}
	}
	models, barriers := table[0], table[1:]

	columns := grouped(len(models), func(i int) (key string) {
		for _, row := range barriers {
			key += row[2+i] + "|"
		}
		return key
	})
	head := "| between all accesses |"
	for _, alike := range columns {
		var names []string
		for _, i := range alike {
			names = append(names, "`"+models[i]+"`")
		}
		head += " " + strings.Join(names, ", ") + " |"
	}
	lines := []string{head, strings.Repeat("|---", 1+len(columns)) + "|"}
	for _, alike := range grouped(len(barriers), func(i int) string { return strings.Join(barriers[i][2:], "|") }) {
		slices.SortStableFunc(alike, func(i, j int) int { // each dialect once, in the order of the table
			place := func(row int) int {
				return slices.IndexFunc(barriers, func(b []string) bool { return b[0] == barriers[row][0] })
			}
			return place(i) - place(j)
		})
		line, dialect := "| ", ""
		for n, i := range alike {
			switch b := barriers[i]; {
			case b[0] == dialect:
				line += ", " + b[1]
			case n > 0:
				line += "; " + b[0] + ": " + b[1]
			default:
				line += b[0] + ": " + b[1]
			}
			dialect = barriers[i][0]
		}
		for _, column := range columns {
			line += " | " + barriers[alike[0]][2+column[0]]
		}
		lines = append(lines, line+" |")
	}
	return strings.Join(lines, "\n") + "\n"
}

// grouped groups the numbers below n by their keys, in the order of each group's first.
func grouped(n int, key func(int) string) (groups [][]int) {
	at := map[string]int{}
	for i := range n {
		k := key(i)
		if _, known := at[k]; !known {
			at[k] = len(groups)
			groups = append(groups, nil)
		}
		groups[at[k]] = append(groups[at[k]], i)
	}
	return groups
}

// The help of every command names a page of the manual that mentions the command.
func TestEveryCommandHasAPageOfTheManual(t *testing.T) {
	for _, c := range rootCommand().Commands() {
		page := "static/docs/" + c.Annotations["manual"] + ".md"
		text, err := os.ReadFile(page)
		if err != nil {
			t.Errorf("%s: %v", c.Name(), err)
		} else if !strings.Contains(string(text), c.Name()) {
			t.Errorf("%s does not say anything of %s", page, c.Name())
		}
		if usage := c.UsageString(); !strings.Contains(usage, page) {
			t.Errorf("the help of %s does not name %s:\n%s", c.Name(), page, usage)
		}
	}
}
