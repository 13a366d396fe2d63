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

// LinkState is what an address's fragment holds, as the page's script has it: options are
// those that are not as usual, and the view is what is shown of the answer.
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

// ExplorerLink is the explorer's address with a question in its fragment, as the page's
// script writes it: "#1=" and the JSON of it, deflated, in base64url.
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
	// A bytes.Buffer takes every write.
	_, _ = w.Write(text)
	_ = w.Close()
	return "/#1=" + base64.RawURLEncoding.EncodeToString(packed.Bytes())
}
