package programs

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/a-h/templ"

	"litmuscope/litmus/compile"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/mappingcheck"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
)

// postCompiled verifies the form's program, compiled for every architecture, and compares the answers with that of C.
func (s *page) postCompiled(w http.ResponseWriter, r *http.Request) {
	if !s.server.ParseForm(w, r) {
		return
	}
	c, err := checkedClaim(r.PostForm)
	var v *textpage.Beside
	if err == nil {
		v, err = s.viewCompiled(r.Context(), c)
	}
	status, part := http.StatusOK, templ.Component(nil)
	if err == nil {
		v.Address = server.AddressOf("/programs/compiled", r.PostForm, "open", "rerun", "repair")
		part = textpage.BesidePart(*v)
	} else if status, part = s.server.ErrorPart(w, r, err); part == nil {
		return
	}
	if !server.IsFragment(r) {
		part = plainPage(server.Nonce(r.Context()), "Compiled program", part)
	}
	s.server.Render(w, r, status, part)
}

// viewCompiled verifies a program under the model of C, and compiled by each architecture's mapping under the
// architecture's model.
func (s *page) viewCompiled(ctx context.Context, c claim) (*textpage.Beside, error) {
	_, language := engines.VerifyModels(solver.VerifyTask{Files: c.Files})
	if language == models.Default(dialect.Kernel) {
		return nil, server.Refuse("This program uses the Linux kernel's primitives, which no published " +
			"mapping compiles. Use C11 atomics.")
	}
	all := compile.Machines()
	results := make([]*solver.Verification, len(all)+1)
	under := func(i int) (model, target string) {
		if i == len(all) {
			return language, ""
		}
		return models.Default(all[i].Arch), all[i].Names[0]
	}
	if err := question.AtOnce(len(results), func(i int) error {
		q := c.verifyQuestion
		q.Files = slices.Clone(q.Files)
		model, target := under(i)
		q.Models, q.Own, q.Engine, q.Target, q.Options.Witnesses = []string{model}, nil, "", target, false
		out, err := s.verify(ctx, q, ignorePartial)
		if err == nil {
			results[i] = out[0]
		}
		return err
	}); err != nil {
		return nil, err
	}
	at, inC := marker(c.VerifyTask), results[len(all)]
	says := func(r *solver.Verification) textpage.Said {
		row := s.viewClaim(&c, r.Model, r, at)
		text := row.Label + ": " + strings.ToLower(row.Says)
		if row.Failure != nil {
			text += ", " + row.Failure.place()
		}
		return textpage.Said{Class: claimClass(row.Verdict), Mark: claimMark(row.Verdict), Text: text}
	}
	v := &textpage.Beside{
		Title: "Compiled, side by side",
		Hint: "The page does not show a program's instructions: it compiles only the atomics, by the published " +
			"mapping of each " +
			"architecture. The explorer shows the compiled code of litmus tests in C.",
		Said: says(inC), Source: textpage.Numbered(c.Source, func(line int) bool {
			for _, r := range results {
				if r.Failure != nil && r.Failure.File == c.Path && r.Failure.Line == line {
					return true
				}
			}
			return false
		}),
	}
	for i, a := range all {
		col := textpage.BesideColumn{Title: a.Title, To: a.Names[0], Said: says(results[i])}
		right, words := mappingOf(inC, results[i])
		col.Class, col.Mapping, col.Hint = string(right), words, strings.Join(results[i].Mapping, "; ")
		if f := results[i].Failure; f != nil {
			for _, l := range v.Source {
				if f.File == c.Path && f.Line == l.Line {
					col.Threads = []textpage.BesideThread{
						{
							Name:  "fails",
							Lines: []textpage.CodeLine{{Text: strings.TrimSpace(l.Text), Line: l.Line, Tint: l.Tint}},
						},
					}
				}
			}
		}
		v.Columns = append(v.Columns, col)
	}
	return v, nil
}

// mappingOf returns whether a mapping is right for this program: whether a program that is safe in C is also safe when
// compiled.
func mappingOf(inC, compiled *solver.Verification) (mappingcheck.Verdict, string) {
	language, machine := question.Label(inC.Model), question.Label(compiled.Model)
	switch {
	case inC.Race != nil || inC.Undefined != nil || inC.Failure != nil && inC.Failure.Property == ir.DataRace:
		return mappingcheck.Undefined, "The program is undefined under " + language + ", so every mapping is right."
	case inC.Verdict == solver.Unsafe:
		return mappingcheck.Unknown, "The program also fails under " + language + ", so it does not check the mapping."
	case inC.Verdict != solver.Safe || compiled.Verdict != solver.Safe && compiled.Verdict != solver.Unsafe:
		return mappingcheck.Unknown, "Unknown: one of the two runs has no answer."
	case compiled.Verdict == solver.Unsafe && !inC.Complete:
		return mappingcheck.Unknown, "The program fails under " + machine + ", but the answer for " + language +
			" is only within bounds: raise them."
	case compiled.Verdict == solver.Unsafe:
		return mappingcheck.Wrong, "The program fails under " + machine + " but not under " + language +
			": the mapping is wrong."
	case !inC.Complete || !compiled.Complete:
		return mappingcheck.Right, "Right here, within the bounds: the program is safe under both."
	}
	return mappingcheck.Right, "Right here: the program is safe under both."
}
