package explore

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"

	"litmuscope/solver"
	"litmuscope/web/ask"
	"litmuscope/web/bench"
	"litmuscope/web/option"
	"litmuscope/web/shell"
)

// copyRun writes the commands that answer the question in a shell: one for the columns of
// each engine. Models of the visitor's own go to files in a folder of their own.
func copyRun(_ context.Context, q ask.Question, _ url.Values) (string, error) {
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
			fmt.Fprintf(&b, "mkdir -p %s\n", bench.Quoted(dir))
		}
		b.WriteString(bench.Heredoc("cat > "+bench.Quoted(name), "CAT", shell.UnixLines(files[name])))
	}
	for _, group := range byEngine(q) {
		for i, m := range group.models {
			if base := ask.ReadColumn(m).Base(); q.Owns(base) {
				group.models[i] = base + ".cat" + strings.TrimPrefix(m, base)
			}
		}
		b.WriteString(bench.Heredoc(bench.InShell("run", group.models, group.engine, group.options), "LITMUS", test))
	}
	if len(files) > 0 {
		b.WriteString(")\n")
	}
	return bench.Typeable(b.String())
}

// copyCurl writes the command that asks the REST interface.
func (s *room) copyCurl(_ context.Context, q ask.Question, f url.Values) (string, error) {
	body := struct {
		Source  string            `json:"source"`
		Models  []string          `json:"models,omitempty"`
		Own     []solver.OwnModel `json:"own_models,omitempty"`
		Engine  string            `json:"engine,omitempty"`
		Options map[string]any    `json:"options,omitempty"`
	}{shell.UnixLines(q.Source), slices.DeleteFunc(slices.Clone(q.Models), func(m string) bool { return m == "" }), q.Own, q.Engine, map[string]any{}}
	for _, o := range option.Changed(q.Options) {
		body.Options[o.Name] = o.JSON
	}
	return s.Curl(f.Get("origin"), "/api/v1/explore", body)
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

func byEngine(q ask.Question) []group {
	var out []group
	for _, c := range q.Columns() {
		task := c.Task(q.Unread())
		i := slices.IndexFunc(out, func(g group) bool { return g.engine == task.Engine })
		if i < 0 {
			i, out = len(out), append(out, group{engine: task.Engine, options: task.Options})
		}
		out[i].models = append(out[i].models, c.Model)
	}
	return out
}

// safePath tells the names of files that stay below the folder they are written in.
func safePath(name string) bool {
	return name != "" && !path.IsAbs(name) && path.Clean(name) == name && name[0] != '-' && name != "." && name != ".." && !strings.HasPrefix(name, "../")
}
