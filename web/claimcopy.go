package web

import (
	"context"
	"net/url"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/solver/engines"
)

var claimCopies = []copyKind[claim]{
	{shareKind{"verify command", "Asks the same in a shell, with litmuscope verify.", "run"}, (*server).claimCommand},
	{shareKind{"curl command", "Asks the same of this server, over REST.", "curl"}, (*server).curlClaim},
}

// usualProperties tells whether assertions are all that a claim is about.
func (c claim) usualProperties() bool {
	return len(c.Properties) == 1 && c.Properties[0] == ir.Properties[0]
}

// claimCommand asks the same in a shell.
func (*server) claimCommand(_ context.Context, c claim, _ url.Values) (string, error) {
	words := []string{"litmuscope", "verify"}
	for _, m := range c.Models {
		words = append(words, "-m", m)
	}
	if c.Engine != "" && c.Engine != engines.Names()[0] {
		words = append(words, "-e", c.Engine)
	}
	if !c.usualProperties() {
		words = append(words, "--property="+c.Property())
	}
	for _, d := range c.Defines {
		words = append(words, "-D", d)
	}
	if c.Entry != "" {
		words = append(words, "--entry="+c.Entry)
	}
	for _, o := range changedOptions(c.Options) {
		words = append(words, "--"+o.name+"="+o.value)
	}
	for i, w := range words {
		words[i] = quoted(w)
	}
	return typeable(heredoc(strings.Join(append(words, "-"), " "), "C", c.Source))
}

// curlClaim asks the same of the REST interface.
func (s *server) curlClaim(_ context.Context, c claim, f url.Values) (string, error) {
	body := struct {
		Source     string         `json:"source"`
		Models     []string       `json:"models"`
		Properties []ir.Property  `json:"properties,omitempty"`
		Defines    []string       `json:"defines,omitempty"`
		Entry      string         `json:"entry,omitempty"`
		Engine     string         `json:"engine,omitempty"`
		Options    map[string]any `json:"options"`
	}{c.Source, c.Models, c.Properties, c.Defines, c.Entry, c.Engine, map[string]any{"witnesses": true}}
	for _, o := range changedOptions(c.Options) {
		body.Options[o.name] = o.json
	}
	return s.curl(f.Get("origin"), "/api/v1/verify", body)
}
