package question

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/server"
)

// LinkState is the content of an explorer address's fragment, in the form of the page's script. Options has only the
// options that differ from their defaults. View is the state of the page.
type LinkState struct {
	Source  string            `json:"source"`
	Models  []string          `json:"models"`
	Own     []solver.OwnModel `json:"own,omitempty"`
	Engine  string            `json:"engine,omitempty"`
	Options map[string]string `json:"options,omitempty"`
	View    json.RawMessage   `json:"view,omitempty"`
}

// LinkStateOf returns the link state of a question and of a view as JSON.
func LinkStateOf(q Question, view string) LinkState {
	st := LinkState{
		Source: server.UnixLines(q.Source), Models: q.Models, Own: q.Own, Options: map[string]string{},
		View: json.RawMessage(view),
	}
	if q.Engine != engines.Names()[0] {
		st.Engine = q.Engine
	}
	for _, o := range optionform.Changed(q.Options) {
		st.Options[o.Name] = o.Value
	}
	return st
}

// ExplorerLink returns the explorer's address with a question in its fragment: "#1=" and its JSON, deflated and in
// base64url. The page's script writes the same form.
func ExplorerLink(st LinkState) string {
	text, err := json.Marshal(st)
	if err != nil {
		panic("BUG: a question has no JSON: " + err.Error())
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	// Writes to a bytes.Buffer cannot fail.
	_, _ = w.Write(text)
	_ = w.Close()
	return "/#1=" + base64.RawURLEncoding.EncodeToString(packed.Bytes())
}
