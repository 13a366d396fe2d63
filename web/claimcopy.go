package web

import (
	"net/http"
	"net/url"
	"strings"

	"litmuscope/litmus/ir"
	"litmuscope/solver/engines"
)

// postCopyClaim answers with the form's claim as a command, in ?format=: run, or curl, for which field
// "origin" is the server as its visitors reach it.
func (s *server) postCopyClaim(w http.ResponseWriter, r *http.Request) {
	if !s.parseForm(w, r) {
		return
	}
	c, err := readClaim(r.PostForm)
	if err == nil {
		err = checkProgram(&c.verifyQuestion)
	}
	var text string
	if err == nil {
		s.ceil(&c.Options)
		switch r.URL.Query().Get("format") {
		case "run":
			text, err = c.command()
		case "curl":
			text, err = s.curlClaim(c, r.PostForm)
		default:
			s.fail(w, r, http.StatusNotFound, "There is no such format.")
			return
		}
	}
	s.sendText(w, r, text, err)
}

// usualProperties tells whether assertions are all that a claim is about.
func (c claim) usualProperties() bool {
	return len(c.Properties) == 1 && c.Properties[0] == ir.Properties[0]
}

// command asks the same in a shell.
func (c claim) command() (string, error) {
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
func (s *server) curlClaim(c claim, f url.Values) (string, error) {
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
