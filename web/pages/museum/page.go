// Package museum serves the museum of bugs: a list of real ones, and a page for each, with its story, the program
// before and after the fix, the verdicts of eleven models on both, and the execution that fails. The verdicts are those
// of litmus/catalogue, which tests compare with the engines; a visitor can ask the engines again.
//
// It imports web/server, web/parts and litmus/catalogue: no other page.
package museum

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/web/parts/picture"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

type page struct {
	server    *server.Server
	questions *question.Service
	pictures  *picture.Pictures
}

// New returns the pages of the museum.
func New(p *picture.Pictures) server.Page {
	s := &page{p.Server, p.Questions, p}
	return server.Page{
		Nav: &server.NavEntry{
			Group:  server.Browse,
			Title:  "Bugs",
			Path:   "/museum",
			Kind:   "museum",
			Script: "museum.js",
		},
		Costs: map[string]server.Cost{
			"GET /museum/{name}": server.Asks, "POST /museum/{name}": server.Asks,
			"POST /museum/{name}/export": server.Asks,
		},
		Mount: func(r chi.Router) {
			r.Get("/museum", func(w http.ResponseWriter, r *http.Request) {
				s.server.Render(w, r, http.StatusOK, listPage(server.Nonce(r.Context()), viewList()))
			})
			r.Get("/museum/{name}", s.getExhibit)
			r.Post("/museum/{name}", s.postAsk)
			r.Post("/museum/{name}/export", s.postExport)
		},
	}
}

// found returns the exhibit in the address. If there is none, it answers the request.
func (s *page) found(w http.ResponseWriter, r *http.Request) (*catalogue.Exhibit, bool) {
	e, ok := catalogue.FindExhibit(chi.URLParam(r, "name"))
	if !ok {
		s.server.Fail(w, r, http.StatusNotFound, "The museum has no exhibit with this name.")
	}
	return &e, ok
}

// getExhibit shows an exhibit. ?build=fixed selects a build, &model=tso the model whose failing execution is drawn.
func (s *page) getExhibit(w http.ResponseWriter, r *http.Request) {
	if e, ok := s.found(w, r); ok {
		s.show(w, r, e, r.URL.Query(), nil)
	}
}

func (s *page) show(w http.ResponseWriter, r *http.Request, e *catalogue.Exhibit, q url.Values, anew *askedRow) {
	p, err := readPick(e, q)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	v := viewExhibit(e, p, anew)
	if p.model != "" {
		v.Picture = s.pictures.PictureOrWhy(r.Context(),
			func(ctx context.Context) (picture.Shown, error) { return s.failing(ctx, p) })
	}
	s.server.Render(w, r, http.StatusOK, exhibitPage(server.Nonce(r.Context()), v))
}

// pick is the selected part of an exhibit.
type pick struct {
	piece catalogue.Piece
	build catalogue.Build
	model string // the model of the drawn failure; "": the build does not fail
}

// readPick parses the selected build and model. The default is the exhibit's own choice.
func readPick(e *catalogue.Exhibit, q url.Values) (p pick, err error) {
	id := cmp.Or(q.Get("build"), e.Drawn.Build, e.Before().ID)
	var ok bool
	if p.piece, p.build, ok = e.Find(id); !ok {
		return p, server.Refuse("build: the exhibit has no build %q.", server.Shortened(id))
	}
	if e.IsCompiled() {
		if q.Get("model") != "" {
			return p, compilerNeeded(e)
		}
		return p, nil
	}
	if p.model = q.Get("model"); p.model != "" {
		if p.build.Under(p.model).Verdict != string(solver.Unsafe) {
			return p, server.Refuse("This build does not fail under %s.", server.Shortened(p.model))
		}
		return p, nil
	}
	for _, m := range slices.Concat([]string{e.Drawn.Model}, catalogue.MuseumModels()) {
		if p.build.Under(m).Verdict == string(solver.Unsafe) {
			p.model = m
			break
		}
	}
	return p, nil
}

// compilerNeeded is the error of requests that run the engines on a program that needs a compiler.
func compilerNeeded(e *catalogue.Exhibit) error {
	return server.Refuse("This program is in %s, and the page does not compile it. Verify it on your machine with %q.",
		string(e.Language), "litmuscope verify")
}

// task returns the question whether the selected build fails under a model.
func (p pick) task(model, engine string) solver.VerifyTask {
	t := p.piece.Task(p.build)
	return solver.VerifyTask{
		Path: t.File, Files: []solver.SourceFile{{Name: t.File, Text: t.Text}}, Target: p.build.Target, Model: model,
		Engine:  engine,
		Options: solver.DefaultOptions(), Verify: solver.Verify{Properties: properties(p.piece)},
	}
}

// verified asks an engine about the selected build.
func (s *page) verified(ctx context.Context, p pick, model, engine string) (*solver.Verification, error) {
	t := p.task(model, engine)
	t.Options.Witnesses = engine == drawnBy
	s.questions.Ceil(&t.Options)
	ctx, cancel := question.WithinQuestion(ctx)
	defer cancel()
	return question.Ask(ctx, s.questions, t, engine == drawnBy)
}

// drawnBy is the engine whose executions are drawn. With the default engine, either of two engines could be the first
// to answer, and pictures would vary.
const drawnBy = "axiomatic"

// failing returns the execution in which the selected build fails.
func (s *page) failing(ctx context.Context, p pick) (picture.Shown, error) {
	r, err := s.verified(ctx, p, p.model, drawnBy)
	if err != nil {
		return nil, err
	}
	if r.Verdict != solver.Unsafe || r.Failure == nil {
		return nil, server.Refuse("No failure found under %s. %s%s", question.Label(p.model), r.Reason, r.Error)
	}
	f := *r.Failure
	return &failureView{
		Build: p.build.ID, Model: p.model, Label: question.Label(p.model), Text: f.Text,
		How:         picture.HowFailed(f.Property),
		FailureView: s.pictures.ViewFailure(ctx, solver.Task{Model: p.model}, p.piece.File(), f),
	}, nil
}

// failureView is the execution in which an exhibit fails.
type failureView struct {
	Build, Model, Label, Text, How string
	picture.FailureView
}

// Part implements [picture.Shown].
func (v *failureView) Part() templ.Component { return failingPicture(*v) }

// Drawn implements [picture.Shown].
func (v *failureView) Drawn() (*picture.DrawingView, string) { return &v.DrawingView, v.Note }

// postExport sends the drawing as a file.
func (s *page) postExport(w http.ResponseWriter, r *http.Request) {
	e, ok := s.found(w, r)
	if !ok || !s.server.ParseForm(w, r) {
		return
	}
	text, format, name, err := s.pictures.Export(r.Context(), r.PostForm,
		func(ctx context.Context, f url.Values) (picture.Shown, error) {
			p, err := readPick(e, f)
			if err == nil && e.IsCompiled() {
				err = compilerNeeded(e)
			}
			if err == nil && p.model == "" {
				err = server.Refuse("This build does not fail.")
			}
			if err != nil {
				return nil, err
			}
			return s.failing(ctx, p)
		})
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	w.Header().Set("Content-Type", format.Media+"; charset=utf-8")
	w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name+"."+format.Ext))
	if _, err := io.WriteString(w, text); err != nil {
		s.server.Log.DebugContext(r.Context(), "export", "error", err)
	}
}

// postAsk runs the engines again on one build, under all models for which the museum has a verdict. Scripts get only
// the row.
func (s *page) postAsk(w http.ResponseWriter, r *http.Request) {
	e, ok := s.found(w, r)
	if !ok || !s.server.ParseForm(w, r) {
		return
	}
	p, err := readPick(e, url.Values{"build": r.PostForm["build"]})
	if err == nil && e.IsCompiled() {
		err = compilerNeeded(e)
	}
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	row, err := s.askAnew(r.Context(), p)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	if server.IsFragment(r) {
		s.server.Render(w, r, http.StatusOK, askedAnew(*row))
		return
	}
	s.show(w, r, e, url.Values{"build": {p.build.ID}}, row)
}

func (s *page) askAnew(ctx context.Context, p pick) (*askedRow, error) {
	known := p.build.Known
	results := make([]*solver.Verification, len(known))
	begun := time.Now()
	err := question.AtOnce(len(known), func(i int) (err error) {
		results[i], err = s.verified(ctx, p, known[i].Model, engines.Auto)
		return err
	})
	if err = errors.Join(err, question.Room(ctx, results)); err != nil {
		return nil, err
	}
	return viewAsked(p.build, results, time.Since(begun)), nil
}
