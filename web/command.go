package web

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/shell"
)

// copyRun writes the commands that answer the question in a shell: one for the columns of
// each engine. Models of the visitor's own go to files in a folder of their own.
func (s *server) copyRun(_ context.Context, q question, _ url.Values) (string, error) {
	var b strings.Builder
	test := shell.UnixLines(q.Source)
	files, err := ownFiles(q.Own)
	if err != nil {
		return "", err
	}
	if len(files) > 0 {
		b.WriteString("(cd \"$(mktemp -d)\" || exit\n")
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if dir := path.Dir(name); dir != "." {
			fmt.Fprintf(&b, "mkdir -p %s\n", quoted(dir))
		}
		b.WriteString(heredoc("cat > "+quoted(name), "CAT", shell.UnixLines(files[name])))
	}
	for _, group := range byEngine(q) {
		for i, m := range group.models {
			if base := readColumn(m).Base(); q.owns(base) {
				group.models[i] = base + ".cat" + strings.TrimPrefix(m, base)
			}
		}
		b.WriteString(heredoc(inShell("run", group.models, group.engine, group.options), "LITMUS", test))
	}
	if len(files) > 0 {
		b.WriteString(")\n")
	}
	return typeable(b.String())
}

// inShell is the command that asks about what comes on its standard input.
func inShell(command string, models []string, engine string, o solver.Options, more ...string) string {
	words := []string{"litmuscope", command}
	for _, m := range models {
		if m != "" { // else it is the text's own
			words = append(words, "-m", m)
		}
	}
	if engine != "" && engine != engines.Names()[0] {
		words = append(words, "-e", engine)
	}
	words = append(words, more...)
	for _, o := range changedOptions(o) {
		words = append(words, "--"+o.name+"="+o.value)
	}
	for i, w := range words {
		words[i] = quoted(w)
	}
	return strings.Join(append(words, "-"), " ")
}

// copyCurl writes the command that asks the REST interface.
func (s *server) copyCurl(_ context.Context, q question, f url.Values) (string, error) {
	body := struct {
		Source  string            `json:"source"`
		Models  []string          `json:"models,omitempty"`
		Own     []solver.OwnModel `json:"own_models,omitempty"`
		Engine  string            `json:"engine,omitempty"`
		Options map[string]any    `json:"options,omitempty"`
	}{shell.UnixLines(q.Source), slices.DeleteFunc(slices.Clone(q.Models), func(m string) bool { return m == "" }), q.Own, q.Engine, map[string]any{}}
	for _, o := range changedOptions(q.Options) {
		body.Options[o.name] = o.json
	}
	return s.curl(f.Get("origin"), "/api/v1/explore", body)
}

// curl is the command that posts a body to a path of the server at origin, as its visitors reach it.
func (s *server) curl(origin, path string, body any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(body); err != nil {
		return "", err
	}
	at, err := url.Parse(origin)
	if err != nil || at.Host == "" || at.Scheme != "http" && at.Scheme != "https" {
		return "", shell.Refuse("The server's address is missing.")
	}
	words := []string{"curl", "-sS", at.Scheme + "://" + at.Host + path, "-H", "Content-Type: application/json"}
	for i, w := range words {
		words[i] = quoted(w)
	}
	if s.Auth {
		words = append(words, `-H "Authorization: Bearer $LITMUSCOPE_TOKEN"`)
	}
	return typeable(heredoc(strings.Join(append(words, "--data-binary", "@-"), " "), "JSON", b.String()))
}

// ownFiles are the files that hold the visitor's models, with what they include.
func ownFiles(own []solver.OwnModel) (map[string]string, error) {
	files := map[string]string{}
	for _, m := range own {
		files[m.Name+".cat"] = m.Text
	}
	for _, m := range own {
		for name, text := range m.Files {
			if there, taken := files[name]; !safePath(name) || taken && there != text {
				return nil, shell.Refuse("A command cannot write %q, which your model includes, beside it.", name)
			}
			files[name] = text
		}
	}
	return files, nil
}

// group is the columns of a question that one engine answers.
type group struct {
	engine  string
	models  []string
	options solver.Options
}

func byEngine(q question) []group {
	var out []group
	for _, c := range q.columns() {
		task := c.task(q.unread())
		i := slices.IndexFunc(out, func(g group) bool { return g.engine == task.Engine })
		if i < 0 {
			i, out = len(out), append(out, group{engine: task.Engine, options: task.Options})
		}
		out[i].models = append(out[i].models, c.Model)
	}
	return out
}

// setting is an option that is not as usual: as on the command line, and as in JSON.
type setting struct {
	name, value string
	json        any
}

func changedOptions(o solver.Options) []setting {
	defaults := solver.DefaultOptions()
	var out []setting
	for _, opt := range solver.OptionTable {
		if !onPage(opt) || opt.Same(&o, &defaults) {
			continue
		}
		out = append(out, setting{opt.Name, optionText(opt, &o), opt.Plain(&o)})
	}
	return out
}

// heredoc is a command that is given text, which stands below it as it is.
func heredoc(command, end, text string) string {
	for slices.Contains(strings.Split(text, "\n"), end) {
		end += "_"
	}
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return command + " <<'" + end + "'\n" + text + end + "\n"
}

// quoted is a word as a shell takes it.
func quoted(word string) string {
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("_@%+=:,./~-", c)
	}
	odd := strings.IndexFunc(word, func(c rune) bool { return !plain(c) })
	if word != "" && odd < 0 && word[0] != '~' {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// typeable refuses what a terminal would obey rather than pass on when it is pasted.
func typeable(command string) (string, error) {
	for _, c := range command {
		if c != '\n' && c != '\t' && (unicode.IsControl(c) || unicode.Is(unicode.Bidi_Control, c)) {
			return "", shell.Refuse("The text has the control character %U, which a terminal would obey: there is no command for it.", c)
		}
	}
	return command, nil
}

// safePath tells the names of files that stay below the folder they are written in.
func safePath(name string) bool {
	return name != "" && !path.IsAbs(name) && path.Clean(name) == name && name[0] != '-' && name != "." && name != ".." && !strings.HasPrefix(name, "../")
}
