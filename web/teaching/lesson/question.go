package lesson

import (
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/solver"
)

// testNamed returns the last test with a name so far; nil if there is none.
func (in *reading) testNamed(name string) *Test {
	for _, b := range slices.Backward(in.lesson.Blocks) {
		if t, ok := b.(*Test); ok && t.Title == name {
			return t
		}
	}
	return nil
}

// lastTest returns the last test so far; nil if there is none.
func (in *reading) lastTest() *Test {
	for _, b := range slices.Backward(in.lesson.Blocks) {
		if t, ok := b.(*Test); ok {
			return t
		}
	}
	return nil
}

// question reads a text and the choices after it. A line "( )", "(x)", "[ ]" or "[x]" begins a choice, and lines with
// ">" explain it.
func (in *reading) question(f fence) {
	known := []string{"about", "picture"}
	if in.deck {
		known = append(known, "verdict", "text")
	}
	opts := in.options(f, known...)
	q := &Question{ID: in.name("question"), Pos: f.at}
	in.more(f, q.ID, opts)
	if name, ok := opts["about"]; ok {
		if q.About = in.testNamed(name); q.About == nil && in.deck && name == "" {
			q.About = in.lastTest()
		}
		if q.About == nil {
			in.fail(f.at, "the question is about %s, but no test above it has this name", litmus.Shorten(name))
		}
	}
	if _, ok := opts["picture"]; ok {
		if q.About == nil || q.About.Picture == nil {
			in.fail(f.at, "the question has no test with a picture to show: want about=\"NAME\"")
		} else {
			q.Picture = q.About.Picture
		}
	}
	if model, ok := opts["verdict"]; ok {
		switch q.Verdict, _ = in.column(f.at, model, false); {
		case q.About == nil:
			in.fail(f.at, "the question asks for a verdict, but names no test: want about")
		case q.Picture != nil:
			in.fail(f.at, "a picture would reveal the verdict")
		}
	}
	if _, q.Written = opts["text"]; q.Written && q.Verdict != "" {
		in.fail(f.at, "the answer is either a verdict or a written text: want verdict or text, not both")
	}
	in.lesson.Blocks = append(in.lesson.Blocks, q)
	type raw struct {
		text, why        []string
		line, whyAt      int
		right, severally bool
	}
	var text []string
	var choices []raw
	for i, line := range strings.Split(strings.TrimSuffix(f.text, "\n"), "\n") {
		n := f.line + i
		var last *raw
		if len(choices) > 0 {
			last = &choices[len(choices)-1]
		}
		trimmed := strings.TrimSpace(line)
		box := ""
		if len(trimmed) >= 3 {
			box = trimmed[:3]
		}
		switch {
		case slices.Contains([]string{"( )", "(x)", "[ ]", "[x]"}, box):
			choices = append(choices,
				raw{text: []string{trimmed[3:]}, line: n, right: box[1] == 'x', severally: box[0] == '['})
		case last == nil:
			text = append(text, line)
		case strings.HasPrefix(trimmed, ">"):
			if last.why == nil {
				last.whyAt = n
			}
			last.why = append(last.why, strings.TrimPrefix(strings.TrimPrefix(trimmed, ">"), " "))
		case trimmed == "":
		case last.why != nil:
			in.errorAt(n, 1, "got text after an explanation: its lines begin with >, a choice with ( ) or (x)")
		default:
			last.text = append(last.text, trimmed)
		}
	}
	if in.deck && len(choices) > maxDeckPicks {
		in.errorAt(choices[maxDeckPicks].line, 1, "a question of a deck has at most %d choices", maxDeckPicks)
		return
	}
	q.Text = in.prose(strings.Join(text, "\n"), f.line)
	if q.Text == "" {
		in.fail(f.at, "the question has no text before its choices")
	}
	right := 0
	for _, c := range choices {
		if c.severally != choices[0].severally {
			in.errorAt(c.line, 1, "choices are either all round ( ), with one right choice, or all square [ ]")
		}
		if c.why == nil && !in.deck {
			in.errorAt(c.line, 1, "the choice has no explanation: add a line below it that begins with >")
			continue
		}
		if c.right {
			right++
		}
		q.Several = c.severally
		q.Choices = append(q.Choices, Choice{
			Text: in.inline(strings.Join(c.text, "\n"), c.line),
			Why:  in.inline(strings.Join(c.why, "\n"), max(c.whyAt, 1)), Right: c.right,
		})
	}
	switch {
	case opts["verdict"] != "":
		if len(choices) > 0 {
			in.errorAt(choices[0].line, 1, "the question asks for a verdict, so it cannot have choices")
		}
	case q.Written:
		if len(choices) > 0 {
			in.errorAt(choices[0].line, 1, "the question has a written answer, so it cannot have choices")
		}
	case len(choices) < 2:
		in.fail(f.at, "got %s, want at least two: lines that begin with ( ) or (x)",
			solver.Count(len(choices), "choice"))
	case right == 0 && !in.deck:
		in.fail(f.at, "no choice is right: mark the right choice with (x)")
	case right > 1 && !q.Several:
		in.fail(f.at, "%d choices are right, want one: for several right choices write all of them as [ ] and [x]",
			right)
	}
}
