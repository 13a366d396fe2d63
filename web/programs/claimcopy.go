package programs

import (
	"context"
	"net/url"

	"litmuscope/litmus/ir"
	"litmuscope/web/bench"
	"litmuscope/web/option"
)

func (s *room) claimCopies() []bench.CopyKind[claim] {
	return []bench.CopyKind[claim]{
		{ShareKind: bench.ShareKind{Name: "verify command", Help: "Asks the same in a shell, with litmuscope verify.", Kind: "run"}, Write: claimCommand},
		{ShareKind: bench.ShareKind{Name: "curl command", Help: "Asks the same of this server, over REST.", Kind: "curl"}, Write: s.curlClaim},
	}
}

// What the menu of the page on programs has beside them.
var (
	programSource = bench.ShareKind{Name: "C", Help: "The program.", Kind: "source"}
	programLinks  = []bench.ShareKind{
		{Name: "Link", Help: "Holds everything: program, models, bounds and this picture. Nothing is kept on the server.", Kind: "link"}, bench.ShortLink,
	}
)

// usualProperties tells whether assertions are all that a claim is about.
func (c claim) usualProperties() bool {
	return len(c.Properties) == 1 && c.Properties[0] == ir.Properties[0]
}

// claimCommand asks the same in a shell.
func claimCommand(_ context.Context, c claim, _ url.Values) (string, error) {
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
	return bench.Typeable(bench.Heredoc(bench.InShell("verify", c.Models, c.Engine, c.Options, words...), "C", c.Source))
}

// curlClaim asks the same of the REST interface.
func (s *room) curlClaim(_ context.Context, c claim, f url.Values) (string, error) {
	body := struct {
		Source     string         `json:"source"`
		Models     []string       `json:"models"`
		Properties []ir.Property  `json:"properties,omitempty"`
		Defines    []string       `json:"defines,omitempty"`
		Entry      string         `json:"entry,omitempty"`
		Engine     string         `json:"engine,omitempty"`
		Options    map[string]any `json:"options"`
	}{c.Source, c.Models, c.Properties, c.Defines, c.Entry, c.Engine, map[string]any{"witnesses": true}}
	for _, o := range option.Changed(c.Options) {
		body.Options[o.Name] = o.JSON
	}
	return s.Curl(f.Get("origin"), "/api/v1/verify", body)
}
