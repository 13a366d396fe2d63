package web

import (
	"context"
	"net/url"

	"litmuscope/litmus/ir"
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
	var words []string
	if !c.usualProperties() {
		words = append(words, "--property="+c.Property())
	}
	for _, d := range c.Defines {
		words = append(words, "-D", d)
	}
	if c.Entry != "" {
		words = append(words, "--entry="+c.Entry)
	}
	return typeable(heredoc(inShell("verify", c.Models, c.Engine, c.Options, words...), "C", c.Source))
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
