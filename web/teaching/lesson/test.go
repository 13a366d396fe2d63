package lesson

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/txtar"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// test reads a live test.
func (in *reading) test(f fence) {
	opts := in.options(f,
		append([]string{"test", "compiled", "models", "expect", "predict", "picture", "steps"}, boundOptions...)...)
	t := &Test{ID: in.name("test"), Pos: f.at, Classic: opts["test"]}
	in.more(f, t.ID, opts)
	files, lines := sections(f, "")
	t.Source = files[0].text
	for _, s := range files[1:] {
		if s.name != "why" {
			in.errorAt(s.line, 1, "got a section %q, want why", s.name)
			continue
		}
		t.Why = in.prose(s.text, s.line+1)
	}
	p := in.program(&t.Source, &t.Classic, f, lines)
	if mapping, ok := opts["compiled"]; ok && p != nil {
		if t.Source, t.Classic = in.compiled(f.at, t.Source, mapping), ""; t.Source == "" {
			p = nil
		} else {
			p = in.program(&t.Source, &t.Classic, f, lines)
		}
	}
	in.lesson.Blocks = append(in.lesson.Blocks, t)
	if p == nil {
		return
	}
	t.Title, t.Arch = p.Name, p.Arch
	_, t.Predict = opts["predict"]
	_, t.Steps = opts["steps"]
	for _, c := range in.claims(f.at, opts["expect"], false, false) {
		switch {
		case c.OfMapping() || c.Compiled != "":
			in.fail(f.at, "claims about a mapping belong in a compile block")
		case c.Property != "":
			t.Also = append(t.Also, c)
		default:
			t.Expect = append(t.Expect, c)
		}
	}
	for _, m := range strings.FieldsFunc(opts["models"], isSeparator) {
		if c, ok := in.column(f.at, m, false); ok && !slices.Contains(t.Models, c) {
			t.Models = append(t.Models, c)
		}
	}
	for _, c := range t.Expect {
		if opts["models"] == "" && !slices.Contains(t.Models, c.Model) {
			t.Models = append(t.Models, c.Model)
		} else if !slices.Contains(t.Models, c.Model) {
			in.fail(f.at, "expect names %s, which is not among the block's models", c.Model)
		}
	}
	for _, c := range t.Also {
		if opts["models"] == "" && !slices.Contains(t.Models, c.Model) {
			t.Models = append(t.Models, c.Model)
		}
	}
	if len(t.Models) == 0 {
		t.Models = []string{"sc", models.Default(p.Arch)}
	}
	var within []string
	for _, name := range boundOptions {
		if value, ok := opts[name]; ok {
			within = append(within, name+"="+value)
		}
	}
	t.Bounds = in.bounds(f.at, within, t.Models)
	for i := range t.Expect {
		t.Expect[i].Bounds = t.Bounds
		if t.Predict && t.Expect[i].Verdict == solver.Undecided {
			in.fail(f.at, "a prediction needs allowed or forbidden, but expect says unknown for %s",
				t.Expect[i].Model)
		}
	}
	if text, ok := opts["picture"]; ok {
		t.Picture = in.picture(f.at, text, t, p)
	}
	if t.Predict && t.Picture != nil {
		in.fail(f.at, "a picture would reveal the answer to the prediction")
	}
	if t.Steps && t.Picture == nil && !t.Predict {
		t.Picture = &Picture{Model: t.Models[len(t.Models)-1]}
	}
}

// part is a section of a block, and the line that names it.
type part struct {
	name, text string
	line       int
}

// sections splits a block into sections. The first, named first, is the text before any section line. It also returns
// the line at which the block's text begins.
func sections(f fence, first string) (out []part, line int) {
	archive := txtar.Parse([]byte(f.text))
	at := f.line
	out = append(out, part{first, string(archive.Comment), at - 1})
	at += strings.Count(string(archive.Comment), "\n")
	for _, s := range archive.Files {
		out = append(out, part{s.Name, string(s.Data), at})
		at += 1 + strings.Count(string(s.Data), "\n")
	}
	return out, f.line
}

// program reads a block's test, either its text, which begins at a line, or the name of a classic test.
func (in *reading) program(source, classic *string, f fence, line int) *ir.Program {
	if *classic != "" {
		e, ok := catalogue.Find(*classic)
		switch {
		case !ok:
			in.fail(f.at, "there is no classic test %q", litmus.Shorten(*classic))
			return nil
		case strings.TrimSpace(*source) != "":
			in.fail(f.at, "the block has both a text and test=%s", litmus.Shorten(*classic))
			return nil
		}
		*source, *classic = e.Source, e.ID()
	}
	if strings.TrimSpace(*source) == "" {
		in.fail(f.at, "got no test: want its text in the block, or test=NAME for a classic test")
		return nil
	}
	p, err := dialect.Parse(in.lesson.File, *source)
	if err != nil {
		in.shift(dialect.Errors(in.lesson.File, *source), line)
		return nil
	}
	return p
}

func isSeparator(r rune) bool { return r == ',' || r == ';' || r == ' ' || r == '\n' }

// column reads a model, perhaps with an engine: "tso", "tso@machine".
func (in *reading) column(pos litmus.Pos, text string, own bool) (string, bool) {
	model, engine := splitColumn(text)
	if own && text == Own {
		return text, true
	}
	m, ok := models.Find(model)
	if !ok {
		in.fail(pos, "there is no model %q: want one of %s", litmus.Shorten(model),
			strings.Join(models.AllNames(), ", "))
		return "", false
	}
	if engine == "" {
		return m.Name, true
	}
	e, err := engines.Find(engine)
	if err == nil && !e.AnswersFor(m.Name) {
		err = fmt.Errorf("engine %s does not support %s", engine, m.Name)
	}
	if err != nil {
		in.fail(pos, "%v", err)
		return "", false
	}
	return m.Name + "@" + e.Name, true
}

// claims reads "sc forbidden; tso allowed". In goals it also reads "own forbidden PPC/MP" and "sc@lazy-cseq unknown
// rounds=2".
func (in *reading) claims(pos litmus.Pos, text string, own, classics bool) []Claim {
	var out []Claim
	for _, one := range strings.FieldsFunc(text, func(r rune) bool { return r == ';' || r == ',' }) {
		words := strings.Fields(one)
		if len(words) == 0 {
			continue
		}
		end := len(words)
		for end > 0 && classics && strings.Contains(words[end-1], "=") {
			end--
		}
		within := words[end:]
		words = words[:end]
		c := Claim{Pos: pos}
		within = slices.DeleteFunc(within, func(w string) bool {
			mapping, is := strings.CutPrefix(w, "compiled=")
			if is {
				c.Compiled = mapping
			}
			return is
		})
		rest := 0
		if len(words) > 1 {
			c.Model, rest = words[0], 1+max(c.property(words[1:]), 1)
		}
		if left := len(words) - rest; rest == 0 || left > 1 || left == 1 && !classics {
			want := "a model and allowed, forbidden or unknown, or a property: robust, not-robust, race-free, racy, " +
				"4 outcomes, 4 executions, costs 5"
			if classics {
				want += "; perhaps followed by a classic test and bounds"
			}
			in.fail(pos, "got %q, want %s", litmus.Shorten(strings.TrimSpace(one)), want)
			continue
		}
		if c.Property == "" {
			c.Verdict = solver.Verdict(words[1])
			if c.Verdict != solver.Allowed && c.Verdict != solver.Forbidden && c.Verdict != solver.Undecided {
				in.fail(pos, "%s: got %q, want allowed, forbidden or unknown, or a property: robust, not-robust, "+
					"race-free, racy, 4 outcomes, 4 executions, costs 5", c.Model, litmus.Shorten(words[1]))
				continue
			}
		}
		if len(words) > rest {
			e, ok := catalogue.Find(words[rest])
			if !ok {
				in.fail(pos, "there is no classic test %q", litmus.Shorten(words[rest]))
				continue
			}
			c.Classic = e.ID()
		}
		var ok bool
		if c.Model, ok = in.column(pos, c.Model, own); ok && in.askable(c) {
			c.Bounds = in.bounds(pos, within, []string{c.Model})
			out = append(out, c)
		}
	}
	return out
}

// picture reads the execution to draw: "tso", or "tso 0:EAX=0 1:EAX=0".
func (in *reading) picture(pos litmus.Pos, text string, t *Test, p *ir.Program) *Picture {
	model, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if !slices.Contains(t.Models, model) {
		in.fail(pos, "the picture's model is %q, want one of the block's: %s", litmus.Shorten(model),
			strings.Join(t.Models, ", "))
		return nil
	}
	given := map[string]string{}
	for _, w := range strings.FieldsFunc(rest, isSeparator) {
		name, value, ok := strings.Cut(w, "=")
		if !ok || given[name] != "" {
			in.fail(pos, "the picture's outcome: got %q, want each value once, such as 0:EAX=0", litmus.Shorten(w))
			return nil
		}
		given[name] = value
	}
	out := &Picture{Model: model}
	if len(given) == 0 {
		return out
	}
	names, _ := p.Format(make(ir.State, p.Shown))
	for _, name := range names {
		value, ok := given[name]
		if !ok {
			in.fail(pos, "the picture's outcome has no value for %s", name)
			return nil
		}
		delete(given, name)
		out.State = append(out.State, solver.Binding{Name: name, Value: value})
	}
	for name := range given {
		in.fail(pos, "the picture's outcome has %s, but outcomes of this test have only %s",
			litmus.Shorten(name), strings.Join(names, ", "))
	}
	return out
}

// model reads a block that shows a model.
func (in *reading) model(f fence) {
	opts := in.options(f, "model", "part")
	m := &Model{Pos: f.at, Name: opts["model"], Source: f.text}
	_, m.Part = opts["part"]
	in.lesson.Blocks = append(in.lesson.Blocks, m)
	blank := strings.TrimSpace(f.text) == ""
	switch {
	case m.Name == "" && blank:
		in.fail(f.at, "got no model: want its text in the block, or model=NAME for a built-in model")
	case m.Name != "" && !blank:
		in.fail(f.at, "the block has both a text and model=%s", m.Name)
	case m.Name != "":
		if found, ok := models.Find(m.Name); ok {
			m.Source, m.Name = found.Text, found.Name
		} else {
			in.fail(f.at, "there is no model %q", litmus.Shorten(m.Name))
		}
	case !m.Part:
		if _, err := models.Parse(in.lesson.File, f.text, dialect.Vocabulary()); err != nil {
			in.shift(err, f.line)
		}
	}
}

// splitColumn splits a column into its model and engine.
func splitColumn(text string) (model, engine string) {
	model, engine, _ = strings.Cut(text, "@")
	return model, engine
}
