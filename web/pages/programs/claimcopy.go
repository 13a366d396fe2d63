package programs

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
)

func (s *page) claimCopies() []textpage.CopyKind[claim] {
	return []textpage.CopyKind[claim]{
		{ShareKind: textpage.ShareKind{
			Name: "verify command",
			Help: "Runs the same question in a shell, with litmuscope verify.", Kind: "run",
		}, Write: claimCommand},
		{ShareKind: textpage.ShareKind{
			Name: "curl command", Help: "Sends the same question to this server's REST API.",
			Kind: "curl",
		}, Write: s.curlClaim},
	}
}

// programSource and programLinks are further entries of the share menu.
var (
	programSource = textpage.ShareKind{Name: "C", Help: "The program's source.", Kind: "source"}
	programLinks  = []textpage.ShareKind{
		{
			Name: "Link",
			Help: "The link contains everything: program, models, bounds and this picture. The server stores nothing.",
			Kind: "link",
		}, textpage.ShortLink,
	}
)

// claimCommand writes the command that answers the claim in a shell.
func claimCommand(_ context.Context, c claim, _ url.Values) (string, error) {
	var words []string
	if len(c.Properties) > 0 {
		words = append(words, "--property="+c.Property())
	}
	for _, d := range c.Defines {
		if name, undefines := strings.CutPrefix(d, engines.Undefine); undefines {
			words = append(words, "-U", name)
		} else {
			words = append(words, "-D", d)
		}
	}
	for _, flag := range []struct {
		is   bool
		word string
	}{
		{c.Entry != "", "--entry=" + c.Entry},
		{c.DataModel != "", "--data-model=" + c.DataModel},
		{c.Char != "", "-f" + c.Char + "-char"},
		{c.Target != "", "--target=" + c.Target},
		{c.Volatile != "", "--volatile=" + c.Volatile},
		{c.Plain != "", "--plain=" + c.Plain},
		{c.Count, "--count"},
		{c.Minimise, "--minimise"},
	} {
		if flag.is {
			words = append(words, flag.word)
		}
	}
	files, err := textpage.OwnFiles(c.Own)
	if err != nil {
		return "", err
	}
	under := slices.Clone(c.Models)
	for i, m := range under {
		if slices.ContainsFunc(c.Own, func(o solver.OwnModel) bool { return o.Name == m }) {
			under[i] += ".cat"
		}
	}
	if !c.verifiesFiles() {
		return textpage.Typeable(
			textpage.InFolder(files,
				textpage.Heredoc(textpage.InShell("verify", under, c.Engine, c.Options, words...), "C", c.Source)))
	}
	var units []string
	for _, f := range append([]solver.SourceFile{{Name: c.Path, Text: c.Source}}, c.Others...) {
		if _, taken := files[f.Name]; taken || !textpage.SafePath(f.Name) {
			return "", server.Refuse("A shell command cannot contain the file %q.", f.Name)
		}
		files[f.Name] = f.Text
	}
	for _, f := range c.Files {
		units = append(units, textpage.Quoted(f.Name))
	}
	if len(units) > 1 {
		words = append(words, "--link")
	}
	command := strings.TrimSuffix(textpage.InShell("verify", under, c.Engine, c.Options, words...), "-") +
		strings.Join(append(units, c.compilerFlags()...), " ")
	return textpage.Typeable(textpage.InFolder(files, command+"\n"))
}

// curlClaim writes the command that sends the claim to the REST API.
func (s *page) curlClaim(_ context.Context, c claim, f url.Values) (string, error) {
	body := struct {
		Source     string              `json:"source,omitempty"`
		Files      []solver.SourceFile `json:"files,omitempty"`
		Include    map[string]string   `json:"include,omitempty"`
		Models     []string            `json:"models"`
		Own        []solver.OwnModel   `json:"own_models,omitempty"`
		Properties []ir.Property       `json:"properties,omitempty"`
		Defines    []string            `json:"defines,omitempty"`
		DataModel  string              `json:"data_model,omitempty"`
		Char       string              `json:"char,omitempty"`
		Volatile   string              `json:"volatile,omitempty"`
		Plain      string              `json:"plain,omitempty"`
		Entry      string              `json:"entry,omitempty"`
		Target     string              `json:"target,omitempty"`
		Language   string              `json:"language,omitempty"`
		Level      string              `json:"level,omitempty"`
		Count      bool                `json:"count,omitempty"`
		Minimise   bool                `json:"minimise,omitempty"`
		Engine     string              `json:"engine,omitempty"`
		Options    map[string]any      `json:"options"`
	}{
		Source: c.Source, Models: c.Models, Own: c.Own, Properties: c.Properties, Defines: c.Defines,
		DataModel: c.DataModel, Char: c.Char, Entry: c.Entry, Volatile: c.Volatile, Plain: c.Plain,
		Target: c.Target, Language: c.Language, Level: c.Level, Count: c.Count, Minimise: c.Minimise, Engine: c.Engine,
		Options: map[string]any{"witnesses": true},
	}
	if len(c.Others) > 0 {
		body.Source, body.Files, body.Include = "", c.Files, c.Include
	}
	for _, o := range optionform.Changed(c.Options) {
		body.Options[o.Name] = o.JSON
	}
	return textpage.Curl(s.server, f.Get("origin"), "/api/v1/verify", body)
}
