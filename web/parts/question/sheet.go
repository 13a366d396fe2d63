package question

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net/url"
	"strings"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/web/parts/optionform"
	"litmuscope/web/server"
)

// ReadLink parses the fragment of an explorer's address. It fails if the fragment unpacks to more than most bytes.
func ReadLink(fragment string, most int) (LinkState, error) {
	var st LinkState
	packed, known := strings.CutPrefix(fragment, "1=")
	if !known {
		return st, errors.New("it is not a link to the explorer")
	}
	raw, err := base64.RawURLEncoding.DecodeString(packed)
	if err != nil {
		return st, errors.New("it is incomplete or damaged")
	}
	text, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(raw)), int64(most)+1))
	switch {
	case len(text) > most:
		return st, errors.New("it is too long")
	case err != nil || json.Unmarshal(text, &st) != nil:
		return st, errors.New("it is incomplete or damaged")
	}
	return st, nil
}

// Question returns the question of a link.
func (st LinkState) Question() (Question, error) {
	f := url.Values{"source": {st.Source}, "model": st.Models}
	if st.Engine != "" {
		f.Set("engine", st.Engine)
	}
	for name, value := range st.Options {
		f.Set(optionform.Field(name), value)
	}
	q, err := FromForm(f)
	q.Own = st.Own
	for _, m := range st.Own {
		if m.Name == "" || m.Text == "" {
			return q, server.Refuse("A model in the link has no name or no text.")
		}
	}
	return q, err
}

// ItemQuestion returns the question of a sheet's item: the ID of a classic test, asked under its FirstModels, or the
// fragment of an explorer's address, which may unpack to most bytes.
func ItemQuestion(item string, most int) (Question, error) {
	if e, ok := catalogue.Find(item); ok {
		q := Question{Source: e.Source, Models: FirstModelsOf(e), Options: solver.DefaultOptions()}
		q.Options.Witnesses = true
		return q, nil
	}
	if !strings.HasPrefix(item, "1=") {
		return Question{}, server.Refuse("There is no classic test with this name.")
	}
	st, err := ReadLink(item, most)
	if err != nil {
		return Question{}, server.Refuse("Invalid link: %v.", err)
	}
	return st.Question()
}
