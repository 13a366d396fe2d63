package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/dialect"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// checked is what there is to say of a question while it is typed.
type checked struct {
	Errors  []mark     `json:"errors"`  // all that is wrong with the test
	Remarks []mark     `json:"remarks"` // what its author should know
	Arch    string     `json:"arch,omitempty"`
	Models  []string   `json:"models,omitempty"` // that go with the architecture
	Own     []ownCheck `json:"own,omitempty"`    // the visitor's own models, in the order of the form
}

// ownCheck is what is wrong with a model of the visitor's.
type ownCheck struct {
	Name   string      `json:"name"`
	Errors []modelMark `json:"errors"`
}

// modelMark is a mark in a model's text, or in a file that it includes.
type modelMark struct {
	File string `json:"file,omitempty"` // "": the model's own text
	mark
}

// ownText is a model of the visitor's, as the form has it.
type ownText struct {
	name, text string
	files      map[string]string
}

// maxOwn bounds the models of a visitor's own in one form.
const maxOwn = 16

// ownTexts reads the fields own-name, own-text and own-files, which run side by side; the
// last has what the model includes, as JSON. Models without a text are left out.
func ownTexts(f url.Values) ([]ownText, error) {
	var out []ownText
	if len(f["own-text"]) > maxOwn {
		return nil, refuse("There are more than %d models of your own.", maxOwn)
	}
	at := func(field string, i int) string {
		if i < len(f[field]) {
			return f[field][i]
		}
		return ""
	}
	for i, text := range f["own-text"] {
		if strings.TrimSpace(text) == "" {
			continue
		}
		own := ownText{name: at("own-name", i), text: text}
		if own.name == "" {
			own.name = ownName(i)
		}
		if files := at("own-files", i); files != "" {
			if err := json.Unmarshal([]byte(files), &own.files); err != nil {
				return nil, refuse("What model %s includes cannot be read: %v.", own.name, err)
			}
		}
		out = append(out, own)
	}
	return out, nil
}

// ownName is the name of the visitor's model number i, from 0: own, own2, own3.
func ownName(i int) string {
	if i == 0 {
		return ownModel
	}
	return fmt.Sprint(ownModel, i+1)
}

// postCheck answers with all that is wrong with a test and with the models that its author
// has written, and with what he should know, while they are typed; and with the models
// that go with the test's architecture.
func (s *server) postCheck(w http.ResponseWriter, r *http.Request) {
	if !s.parseForm(w, r) {
		return
	}
	own, err := ownTexts(r.PostForm)
	if err != nil {
		s.fail(w, r, http.StatusUnprocessableEntity, err.Error())
		return
	}
	out := checked{Errors: []mark{}, Remarks: []mark{}}
	if r.PostForm.Has("source") {
		err = s.checkTest(r.Context(), r.PostForm.Get("source"), &out)
	}
	for _, o := range own {
		if err != nil {
			break
		}
		c := ownCheck{Name: o.name}
		c.Errors, err = s.checkModel(r.Context(), o)
		out.Own = append(out.Own, c)
	}
	if err != nil {
		status, view := s.explain(w, r, err)
		s.fail(w, r, status, view.Text)
		return
	}
	s.writeJSON(w, out)
}

func (s *server) checkTest(ctx context.Context, source string, out *checked) error {
	q := question{Source: source}
	asked := q.unread()
	test, err := s.inspect(ctx, asked)
	var bad *badTest
	var no refusal
	switch {
	case errors.As(err, &bad):
		out.Errors = bad.marks()
	case errors.As(err, &no):
		out.Errors = []mark{{1, 1, err.Error()}}
	case err != nil:
		return err
	default:
		at := marker(asked.Source)
		for _, m := range test.Remarks {
			out.Remarks = append(out.Remarks, at(m.Line, m.Column, m.Message))
		}
		out.Arch = test.Arch
	}
	// A test that cannot be read yet has its architecture in its first word all the same.
	if arch := testArch(asked.Source); out.Arch == "" && slices.Contains(dialect.Archs(), arch) {
		out.Arch = arch
	}
	if out.Arch != "" {
		out.Models = firstModels(out.Arch)
	}
	return nil
}

// checkModel lists what is wrong with a model of the visitor's.
func (s *server) checkModel(ctx context.Context, own ownText) ([]modelMark, error) {
	text := strings.ReplaceAll(own.text, "\r\n", "\n")
	out := []modelMark{}
	_, err := s.inspect(ctx, engines.Question{
		File: fileName, Models: []string{ownModel}, ModelText: text, ModelFiles: own.files, Options: solver.DefaultOptions(),
	})
	var model *badModel
	var bad *badTest
	var no refusal
	switch {
	case errors.As(err, &bad): // of which there is none
	case errors.As(err, &no):
		out = append(out, modelMark{mark: mark{1, 1, err.Error()}})
	case errors.As(err, &model):
		for _, e := range model.errs {
			out = append(out, modelMarkOf(e, text, own.files))
		}
	default:
		return out, err
	}
	return out, nil
}

// modelMarkOf puts an error to its place in a model's text, or in what it includes.
func modelMarkOf(e *litmus.Error, text string, files map[string]string) modelMark {
	if e.Pos.File == ownModel || e.Pos.File == "" {
		return modelMark{"", marker(text)(e.Pos.Line, e.Pos.Col, e.Msg)}
	}
	return modelMark{e.Pos.File, marker(files[e.Pos.File])(e.Pos.Line, e.Pos.Col, e.Msg)}
}
