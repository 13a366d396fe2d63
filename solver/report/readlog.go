package report

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"litmuscope/solver"
)

// logRows reads the logs of herd7 and litmus7, which are of one kind:
//
//	Test SB Allowed
//	States 3                          Histogram (3 states)
//	0:EAX=0; 1:EAX=1;                 499923:>0:EAX=0; 1:EAX=1;
//	…                                 …
//	No
//	Witnesses
//	Positive: 0 Negative: 3
//	Condition exists (0:EAX=0 /\ 1:EAX=0)
//	Observation SB Never 0 3
//
// It ignores lines of other forms: the source and assembler of the test, what the machine was, how often the threads
// ran where. Our own remarks tell the model, and which tests have no answer.
type logRows struct {
	lines *lines
	row   *Row // of the test that it reads; nil before the first
	seen  bool // a test, or the remark on one

	kind   string // Allowed, Required or Forbidden
	states bool   // the log listed them
	ended  bool   // the log has the answer, and does not break off before
	open   bool   // a remark on why there is none continues

	// Lines ahead of the next test.
	model, path, arch, name string
	cut                     bool // the log does not list all its states
}

func (g *logRows) next() (*Row, error) {
	for {
		text, err := g.lines.next()
		if errors.Is(err, io.EOF) {
			return g.end()
		}
		if err != nil {
			return nil, err
		}
		line := string(text)
		if done := g.take(line); done != nil {
			return done, nil
		}
		if g.row == nil {
			continue
		}
		if err := g.inside(line); err != nil {
			return nil, err
		}
	}
}

// end is the last row, then the end.
func (g *logRows) end() (*Row, error) {
	if row := g.finish(); row != nil {
		return row, nil
	}
	if !g.seen {
		return nil,
			g.lines.errorf(1,
				`it contains no test: want JSON lines, or a log of herd7 or litmus7 with lines such as "Test SB Allowed"`)
	}
	return nil, io.EOF
}

// take looks for what begins or announces a test, and gives the one before it when that
// is over.
func (g *logRows) take(line string) *Row {
	f := strings.Fields(line)
	switch {
	case strings.HasPrefix(line, "Test ") && len(f) == 3 && quantifiers[f[2]] != "":
		done := g.finish()
		g.row = &Row{Test: f[1], Model: g.model, Status: solver.OK, Complete: true, Listed: !g.cut}
		if g.name == f[1] {
			g.row.Path, g.row.Arch = g.path, g.arch
		}
		g.kind, g.states, g.ended, g.seen = f[2], false, false, true
		g.model, g.path, g.arch, g.name, g.cut = "", "", "", "", false
		return done
	case strings.HasPrefix(line, "(* "):
		return g.remark(line)
	case strings.HasPrefix(line, "%"):
		// litmus7's frame around "Results for PATH", ahead of the test's source.
		if path, ok := strings.CutPrefix(strings.Trim(line, "% "), "Results for "); ok {
			done := g.finish()
			g.path, g.arch, g.name = path, "", ""
			return done
		}
		return nil
	case g.path != "" && g.arch == "" && len(f) >= 2:
		g.arch, g.name = f[0], f[1]
	}
	if len(f) > 0 {
		g.model = "" // not right ahead of the test
	}
	return nil
}

// The quantifiers of herd's kinds.
var quantifiers = map[string]string{"Allowed": "exists", "Required": "forall", "Forbidden": "~exists"}

// remark reads our own remarks: the model of the next test, or why a test has no log.
func (g *logRows) remark(line string) *Row {
	text := strings.TrimPrefix(line, "(* ")
	text, closed := strings.CutSuffix(text, " *)")
	if closed && strings.HasSuffix(text, ": "+cutStates) {
		g.cut = true
		return nil
	}
	said, _, remark := strings.Cut(text, ": remark: ")
	for _, status := range []solver.Status{solver.Failed, solver.Unknown} {
		where, why, ok := strings.Cut(text, ": "+string(status))
		if !ok || why != "" && !strings.HasPrefix(why, ": ") || remark && len(said) < len(where) {
			continue
		}
		done := g.finish()
		g.row = &Row{Status: status, Error: strings.TrimPrefix(why, ": ")}
		if status == solver.Unknown {
			g.row.Verdict = solver.Undecided
		}
		// PATH, then the name if the parser read it, then the model.
		parts := strings.Split(where, ", ")
		if n := len(parts); n > 2 {
			g.row.Test, g.row.Model, parts = parts[n-2], parts[n-1], parts[:n-2]
		} else if n == 2 {
			g.row.Model, parts = parts[1], parts[:1]
		}
		g.row.Path = strings.Join(parts, ", ")
		g.ended, g.seen, g.open = true, true, !closed
		return done
	}
	if closed && !remark {
		g.model = text
	}
	return nil
}

// inside reads a line of a test.
func (g *logRows) inside(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	f := strings.Fields(rest)
	row := g.row
	if row.Status != solver.OK {
		if line, more := strings.CutPrefix(line, "   "); g.open && more {
			line, closed := strings.CutSuffix(line, " *)")
			row.Error += "\n" + line
			g.open = !closed && len(row.Error) < maxRow
		}
		return nil
	}
	switch word {
	case "States", "Histogram":
		if g.states || len(f) == 0 {
			return nil
		}
		n, err := strconv.Atoi(strings.Trim(f[0], "("))
		if err != nil || n < 0 {
			return g.lines.errorf(len(word)+2, "got %q, want the number of states", f[0])
		}
		g.states, row.Hardware = true, word == "Histogram"
		if err := g.list(n); err != nil {
			return err
		}
		row.Listed = row.Listed && n > 0
	case "Loop":
		row.Complete = false
		if len(f) == 1 {
			g.answer(f[0])
		}
	case "Ok", "No", "Undef", "??":
		if len(f) == 0 {
			g.answer(word)
		}
	case "Positive:":
		// Observation says it better where it is; old logs lack it.
		if len(f) == 3 && f[1] == "Negative:" && row.Observation == "" {
			satisfy, violate := strings.Trim(f[0], ","), f[2]
			if g.kind == "Forbidden" {
				satisfy, violate = violate, satisfy
			}
			row.Observation = observed(satisfy != "0", violate != "0")
		}
	case "Condition":
		text := strings.TrimSpace(rest)
		for _, end := range []string{" is validated", " is NOT validated"} {
			text = strings.TrimSuffix(text, end)
		}
		if strings.HasPrefix(text, "(") {
			text = quantifiers[g.kind] + " " + text
		}
		if row.Condition == "" {
			row.Condition = text
		}
	case "Observation":
		if len(f) < 2 || f[0] != row.Test {
			return nil
		}
		o := solver.Observation(f[1])
		if verdictOf(o) == "" {
			return g.lines.errorf(strings.Index(line, f[1])+1, "got %q, want %s, %s or %s", f[1], solver.Always,
				solver.Sometimes, solver.Never)
		}
		row.Observation, g.ended = o, true
	default:
		if hash, ok := strings.CutPrefix(line, "Hash="); ok {
			row.Hash = strings.TrimSpace(hash)
		}
	}
	return nil
}

// answer takes herd's word for the condition's answer.
func (g *logRows) answer(word string) {
	if g.ended || !g.states {
		return
	}
	g.ended = true
	if word != "??" {
		holds := word == "Ok"
		g.row.ConditionHolds = &holds
	}
}

func observed(some, someNot bool) solver.Observation {
	switch {
	case some && someNot:
		return solver.Sometimes
	case some:
		return solver.Always
	}
	return solver.Never
}

// finish returns the row in progress, or nil.
func (g *logRows) finish() *Row {
	row := g.row
	g.row = nil
	if row == nil {
		return nil
	}
	if !g.ended {
		row.Status, row.Error, row.Listed = solver.Unknown, "the log ends within this test", false
	}
	if row.Status == solver.OK && !row.Hardware { // a run that did not observe a state does not forbid it
		row.Verdict = verdictOf(row.Observation)
	}
	return row
}

// list reads n states, a line each.
func (g *logRows) list(n int) error {
	size := 0
	for i := range n {
		text, err := g.lines.next()
		if errors.Is(err, io.EOF) {
			return g.lines.errorf(1, "the log ends after %d of %d states", i, n)
		}
		if err != nil {
			return err
		}
		if size += len(text) + 64; size > maxRow {
			return g.lines.errorf(1, "the states of %s take more than %d MiB, the limit", g.row.Test, maxRow>>20)
		}
		seen, err := g.state(string(text))
		if err != nil {
			return err
		}
		g.row.States = append(g.row.States, seen)
	}
	return nil
}

// state reads "0:EAX=0; [x]=1;", after its count if hardware ran the test: "40 *>0:EAX=0; [x]=1;", with an asterisk
// where the proposition holds.
func (g *logRows) state(line string) (LoggedState, error) {
	var seen LoggedState
	rest := line
	if g.row.Hardware {
		count, after, ok := strings.Cut(line, ">")
		n, err := strconv.ParseUint(strings.TrimRight(strings.TrimSpace(count), "*: "), 10, 64)
		if !ok || err != nil {
			return seen, g.lines.errorf(1, "got %q, want a state with its count, such as \"40 :>0:EAX=0;\"",
				shorten(line))
		}
		seen.Count, rest = &n, after
	}
	column := func() int { return g.lines.column(len(line) - len(rest)) }
	for strings.TrimSpace(rest) != "" {
		rest = strings.TrimLeft(rest, " \t")
		binding, after, ok := strings.Cut(rest, ";")
		if !ok {
			return seen, g.lines.errorf(column(), "got %q, want a state such as \"0:EAX=0; [x]=1;\"", shorten(rest))
		}
		name, value, ok := strings.Cut(binding, "=")
		if !ok && !strings.Contains(binding, "Fault") {
			return seen, g.lines.errorf(column(), "got %q, want NAME=VALUE", shorten(binding))
		}
		seen.State = append(seen.State, solver.Binding{Name: normalName(name), Value: normalValue(value)})
		rest = after
	}
	return seen, nil
}

func shorten(s string) string {
	if len(s) > 60 {
		return s[:60] + "…"
	}
	return s
}
