package lessons

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/web/drawing"
	"litmuscope/web/drawing/cyclediagram"
	"litmuscope/web/drawing/layout"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/lesson"
)

// sheetView is tests on paper, with their answers or without.
type sheetView struct {
	Title   string
	Answers bool
	Mine    bool // it is the browser's own, which what is taken off it is taken off
	Items   []sheetItem
	Query   url.Values // of the address
}

// sheetItem is a test of a sheet.
type sheetItem struct {
	Number  int
	Without string // the address of the sheet without it
	Problem *server.ProblemView
	Live    *liveView
	Ring    *cyclediagram.Drawing // nil where it asks about no cycle

	question question.Question
	pick     answer.Pick // what is drawn of it
}

// Name is what a file of the item is called.
func (i sheetItem) Name() string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '+' || r == '-' || r == '.' {
			return r
		}
		return '-'
	}, i.Live.Title)
	return fmt.Sprintf("%02d-%s", i.Number, litmus.Shorten(name))
}

// Figures is the address of the sheet's figures.
func (v sheetView) Figures() string {
	return "/sheet/figures?" + url.Values{"item": v.Query["item"]}.Encode()
}

// Link is the sheet's address for others.
func (v sheetView) Link() string { return "/sheet?" + without(v.Query, "mine", -1).Encode() }

// without is a query without a name, or, from an index on, without one of its values.
func without(q url.Values, name string, i int) url.Values {
	out := url.Values{}
	for n, values := range q {
		switch {
		case n != name:
			out[n] = values
		case i >= 0:
			out[n] = slices.Delete(slices.Clone(values), i, i+1)
		}
	}
	return out
}

// readSheet is what an address says of a sheet.
func (s *Lessons) readSheet(r *http.Request) (sheetView, error) {
	q := r.URL.Query()
	v := sheetView{Title: q.Get("title"), Answers: q.Get("answers") != "no", Mine: q.Has("mine"), Query: q}
	if n := len(q["item"]); n > server.MaxSheet {
		return v, server.Refuse("The sheet has %[2]d tests, and the limit is %[1]d.", server.MaxSheet, n)
	}
	if len(v.Title) > 200 {
		return v, server.Refuse("title: the limit is 200 characters.")
	}
	return v, nil
}

// fill asks about each item.
func (s *Lessons) fill(ctx context.Context, v *sheetView) error {
	items := v.Query["item"]
	v.Items = make([]sheetItem, len(items))
	return question.AtOnce(len(items), func(i int) error {
		item := &v.Items[i]
		item.Number, item.Without = i+1, "/sheet?"+without(v.Query, "item", i).Encode()
		err := s.item(ctx, item, items[i])
		if ctx.Err() != nil {
			return err
		}
		if err != nil {
			f := s.Server.Fault(ctx, err)
			item.Problem = &f.View
		}
		return nil
	})
}

// item asks about a test, and finds its cycle.
func (s *Lessons) item(ctx context.Context, item *sheetItem, of string) error {
	q, err := question.ItemQuestion(of, server.MaxUnpacked)
	if err != nil {
		return err
	}
	q.Again, q.Named = true, true
	a, err := s.Questions.Explore(ctx, q)
	if err != nil {
		return err
	}
	says := answer.ViewOf(a)
	item.question, item.pick = q, says.First
	item.Live = &liveView{
		Test:   &lesson.Test{ID: fmt.Sprintf("test-%d", item.Number), Title: says.Name, Predict: true},
		Answer: says, Verdicts: answer.VerdictsOf(a), State: question.LinkStateOf(q, ""),
		Parts: answer.PartSource(server.UnixLines(q.Source), says.Cells), Print: true,
	}
	if c := a.Cycle; c != nil && len(c.Cycle) > 0 {
		round, _ := cyclediagram.Draw(c.Arch, c.Cycle)
		item.Ring = &round
	}
	return nil
}

// getSheet shows the tests that an address has as a sheet to be printed: items as the explorer's links have them, a
// title, and answers=no where they are not wanted.
func (s *Lessons) getSheet(w http.ResponseWriter, r *http.Request) {
	v, err := s.readSheet(r)
	if err == nil {
		err = s.fill(r.Context(), &v)
	}
	if err != nil {
		if status, said := s.Server.Told(w, r, err); said != nil {
			s.Server.Render(w, r, status, sheetPage(server.Nonce(r.Context()), sheetView{Query: url.Values{}}, said))
		}
		return
	}
	if v.Answers {
		for i := range v.Items {
			if item := &v.Items[i]; item.Live != nil && item.pick.Column != "" {
				item.Live.Picture = s.Pictures.PictureOrWhy(r.Context(),
					s.Pictures.PictureOfCell(item.question, item.pick))
			}
		}
	}
	s.Server.Render(w, r, http.StatusOK, sheetPage(server.Nonce(r.Context()), v, nil))
}

// getFigures answers with an archive of a sheet's figures for LaTeX: an execution and a ring of each test, the style
// file that they need, and a document that has them all.
func (s *Lessons) getFigures(w http.ResponseWriter, r *http.Request) {
	v, err := s.readSheet(r)
	if err == nil {
		err = s.fill(r.Context(), &v)
	}
	var archive []byte
	if err == nil {
		archive, err = s.figures(r.Context(), &v)
	}
	if err != nil {
		if status, said := s.Server.Told(w, r, err); said != nil {
			s.Server.Render(w, r, status, sheetPage(server.Nonce(r.Context()), sheetView{Query: url.Values{}}, said))
		}
		return
	}
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Disposition", `attachment; filename="figures.zip"`)
	_, _ = w.Write(archive) // the client may have gone
}

// figures writes them down.
func (s *Lessons) figures(ctx context.Context, v *sheetView) ([]byte, error) {
	var packed bytes.Buffer
	z := zip.NewWriter(&packed)
	put := func(name, text string) error {
		f, err := z.Create(name)
		if err == nil {
			_, err = f.Write([]byte(text))
		}
		return err
	}
	document := "% The figures of a sheet. Take what you need, with " +
		"\\usepackage{litmuscope}.\n\\documentclass{article}\n\\usepackage{litmuscope}\n\\begin{document}\n"
	figure, known := drawing.FormatOf("figure")
	if !known {
		return nil, errors.New("BUG: the sheet has no figures")
	}
	var errs []error
	for i := range v.Items {
		item := &v.Items[i]
		if item.Live == nil {
			continue
		}
		for _, one := range []struct {
			name string
			text func() (string, error)
		}{
			{item.Name() + ".tex", func() (string, error) { return s.executionFigure(ctx, item, figure) }},
			{item.Name() + "-ring.tex", func() (string, error) {
				if item.Ring == nil {
					return "", nil
				}
				return drawing.RingFigure(*item.Ring, item.Live.Title), nil
			}},
		} {
			text, err := one.text()
			if err != nil {
				return nil, err
			}
			if text != "" {
				errs = append(errs, put(one.name, text))
				document += "\\input{" + one.name + "}\n\n"
			}
		}
	}
	errs = append(errs, put("litmuscope.sty", drawing.TikZStyle()),
		put("sheet.tex", document+"\\end{document}\n"), z.Close())
	return packed.Bytes(), errors.Join(errs...)
}

// executionFigure is the execution that a sheet draws of a test; "" where there is none.
func (s *Lessons) executionFigure(ctx context.Context, item *sheetItem, figure drawing.Format) (string, error) {
	if item.pick.Column == "" {
		return "", nil
	}
	v, err := s.Pictures.ViewPicture(ctx, item.question, item.pick)
	var no server.Refusal
	if errors.As(err, &no) {
		return "", nil // there is nothing to draw
	}
	if err != nil {
		return "", err
	}
	shown, note := v.Drawn()
	if shown == nil || shown.SVG == "" {
		return "", nil
	}
	return s.Pictures.File(ctx, shown, note, figure, layout.View{})
}
