package lessons

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"litmuscope/solver"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/question"
	"litmuscope/web/parts/textpage"
	"litmuscope/web/server"
	"litmuscope/web/teaching/lesson"
)

// mappings shows the compiled code of a test in C.
func (s *Lessons) mappings(ctx context.Context, e *lesson.Entry, address string, m *lesson.Mappings) templ.Component {
	q := question.Question{Source: m.Source, Models: []string{m.Model}, Options: solver.DefaultOptions()}
	var ways []string
	for _, c := range m.Expect {
		ways = append(ways, strings.TrimSpace(lesson.To(c.Compiled)+" "+lesson.Variant(c.Compiled)))
	}
	v, err := textpage.MapAll(ctx, s.Questions, q, ways)
	if err != nil {
		return s.lateBlock(ctx, address, m.ID, err)
	}
	for i, c := range m.Expect {
		if got := v.Columns[i].Class; got != string(c.Property) && e.Own {
			v.Hint = m.Pos.String() + ": the lesson expects “" + c.String() + "”, but it is " + got + "."
		}
	}
	return mappingsBlock(m, *v)
}

// lateBlock stands in for a block whose answer is late or failed.
func (s *Lessons) lateBlock(ctx context.Context, address, id string, err error) templ.Component {
	if errors.Is(err, context.DeadlineExceeded) {
		return waitPart(address, id)
	}
	return server.ProblemPart(s.Server.Fault(ctx, err).View)
}

// logView is a machine's log with the models' verdicts on its outcomes.
type logView struct {
	*lesson.Log
	Labels []string
	Rows   []logRow
	Wrong  []string // failed expectations
}

// logRow is an outcome that the machine has shown.
type logRow struct {
	Count, State string
	Allowed      []bool // one per model
}

// log shows a machine's log.
func (s *Lessons) log(ctx context.Context, address string, l *lesson.Log) templ.Component {
	a, err := s.Questions.Explore(ctx,
		question.Question{Source: l.Source, Models: l.Models(), Options: solver.DefaultOptions(), Again: true})
	if err != nil {
		return s.lateBlock(ctx, address, l.ID, err)
	}
	v := logView{Log: l}
	for _, seen := range l.Seen {
		count := uint64(0)
		if seen.Count != nil {
			count = *seen.Count
		}
		v.Rows = append(v.Rows, logRow{Count: thousands(count), State: answer.StateText(seen.State)})
	}
	for i, r := range a.Results {
		allows, err := l.Allows(r)
		if err != nil {
			return s.lateBlock(ctx, address, l.ID, server.Refuse("%s.", textpage.Sentence(err.Error())))
		}
		v.Labels = append(v.Labels, a.Columns[i].Label())
		forbids := 0
		for k, ok := range allows {
			v.Rows[k].Allowed = append(v.Rows[k].Allowed, ok)
			if !ok {
				forbids++
			}
		}
		if want := l.Expect[i].Forbids; forbids != want {
			v.Wrong = append(v.Wrong,
				l.Pos.String()+": the lesson expects that "+l.Expect[i].Model+" forbids "+strconv.Itoa(want)+
					" of these, but it forbids "+strconv.Itoa(forbids)+".")
		}
	}
	return logBlock(v)
}

// thousands formats a number with groups of digits.
func thousands(n uint64) string {
	text := strconv.FormatUint(n, 10)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "\u202f" + text[i:]
	}
	return text
}
