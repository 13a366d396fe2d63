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

// sheetView is a sheet of tests, with or without answers.
type sheetView struct {
	Title   string
	Answers bool
	Mine    bool // the sheet is the one stored in the browser
	Items   []sheetItem
	Query   url.Values // the query of the address
}

// sheetItem is a test on a sheet.
type sheetItem struct {
	Number  int
	Without string // address of the sheet without this test
	Problem *server.ProblemView
	Live    *liveView
	Ring    *cyclediagram.Drawing // nil: the test asks about no cycle

	question question.Question
	pick     answer.Pick // the picture
}

// Name returns the base name of the item's files.
func (i sheetItem) Name() string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '+' || r == '-' || r == '.' {
			return r
		}
		return '-'
	}, i.Live.Title)
	return fmt.Sprintf("%02d-%s", i.Number, litmus.Shorten(name))
}

// Figures returns the address of the sheet's figures.
func (v sheetView) Figures() string {
	return "/sheet/figures?" + url.Values{"item": v.Query["item"]}.Encode()
}

// Link returns the sheet's address for other people.
func (v sheetView) Link() string { return "/sheet?" + without(v.Query, "mine", -1).Encode() }

// without returns a copy of a query without a name or, if i >= 0, without the name's value at index i.
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

// readSheet parses the address of a sheet.
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

// fill answers each item.
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

// item answers a test and finds its cycle.
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

// getSheet shows the sheet in the address: tests as in the explorer's links, a title, and answers=no to hide the
// answers.
func (s *Lessons) getSheet(w http.ResponseWriter, r *http.Request) {
	v, err := s.readSheet(r)
	if err == nil {
		err = s.fill(r.Context(), &v)
	}
	if err != nil {
		if status, said := s.Server.ErrorPart(w, r, err); said != nil {
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

// getFigures sends a zip archive with a sheet's figures for LaTeX: an execution and a ring for each test, the style
// file, and a document with all figures.
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
		if status, said := s.Server.ErrorPart(w, r, err); said != nil {
			s.Server.Render(w, r, status, sheetPage(server.Nonce(r.Context()), sheetView{Query: url.Values{}}, said))
		}
		return
	}
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Content-Disposition", `attachment; filename="figures.zip"`)
	_, _ = w.Write(archive) // the client may have gone
}

// figures makes that archive.
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

// executionFigure returns the execution of a test as LaTeX; "" if there is nothing to draw.
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
