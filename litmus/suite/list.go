package suite

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// list yields the tests that the lines of a list file name.
func (w *walker) list(name string) bool {
	shown := "@" + name
	id, err := filepath.Abs(name)
	if err == nil {
		id, err = filepath.EvalSymlinks(id)
	}
	if err != nil {
		return w.fail(shown, "%s", reason(err))
	}
	if slices.Contains(w.lists, id) {
		return w.fail(shown, "the list includes itself, through %s", strings.Join(append(w.lists, id), ", "))
	}
	if len(w.lists) == maxDepth {
		return w.fail(shown, "lists nest deeper than %d", maxDepth)
	}
	f, err := os.Open(name)
	if err != nil {
		return w.fail(shown, "%s", reason(err))
	}
	defer f.Close()

	w.lists = append(w.lists, id)
	defer func() { w.lists = w.lists[:len(w.lists)-1] }()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxListLine)
	for lines.Scan() {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if !w.path(relativeTo(filepath.Dir(name), line)) {
			return false
		}
	}
	if err := lines.Err(); err != nil {
		return w.fail(shown, "%s", reason(err))
	}
	return true
}

// relativeTo resolves a line of a list in the list's folder.
func relativeTo(dir, line string) string {
	name, nested := strings.CutPrefix(line, "@")
	if line == "-" || dir == "." || filepath.IsAbs(name) {
		return line
	}
	name = filepath.Join(dir, name)
	if nested {
		return "@" + name
	}
	return name
}
