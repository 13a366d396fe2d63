package explore

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"litmuscope/solver"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
)

// copyRun writes shell commands that give the same answer, one for each engine. It writes the visitor's own models to
// files in a folder.
func copyRun(_ context.Context, q question.Question, _ url.Values) (string, error) {
	var b strings.Builder
	test := server.UnixLines(q.Source)
	files, err := textpage.OwnFiles(q.Own)
	if err != nil {
		return "", err
	}
	for _, group := range byEngine(q) {
		for i, m := range group.models {
			if base := question.ReadColumn(m).Base(); q.Owns(base) {
				group.models[i] = base + ".cat" + strings.TrimPrefix(m, base)
			}
		}
		b.WriteString(
			textpage.Heredoc(textpage.InShell("run", group.models, group.engine, group.options), "LITMUS", test))
	}
	return textpage.Typeable(textpage.InFolder(files, b.String()))
}

// copyCurl writes a command that sends the question to the REST API.
func (s *page) copyCurl(_ context.Context, q question.Question, f url.Values) (string, error) {
	body := struct {
		Source  string            `json:"source"`
		Models  []string          `json:"models,omitempty"`
		Own     []solver.OwnModel `json:"own_models,omitempty"`
		Engine  string            `json:"engine,omitempty"`
		Options map[string]any    `json:"options,omitempty"`
	}{
		server.UnixLines(q.Source), slices.DeleteFunc(slices.Clone(q.Models), func(m string) bool { return m == "" }),
		q.Own, q.Engine,
		map[string]any{},
	}
	for _, o := range optionform.Changed(q.Options) {
		body.Options[o.Name] = o.JSON
	}
	return textpage.Curl(s.server, f.Get("origin"), "/api/v1/explore", body)
}

// group is the columns of a question that one engine answers.
type group struct {
	engine  string
	models  []string
	options solver.Options
}

// byEngine groups the columns of a question by engine, in order.
func byEngine(q question.Question) []group {
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
