package report

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"

	"litmuscope/solver"
)

// junit writes JUnit XML as CI systems read it: a test suite per model, a case per test. A case whose status is error
// or unknown is an <error>; the verdict is no pass or failure by itself: <system-out> has it. The attributes are those
// that GitHub's reporters, GitLab and Jenkins have in common, the counts included. It keeps the cases until the end,
// because their counts come first.
//
// GitLab tells cases apart by class and name alone, and Jenkins groups them by class, so
// that the model is part of the class: "tso.tests.x86" for tests/x86/SB.litmus, and the
// architecture is in place of the folder where there is none.
type junit struct {
	w      io.Writer
	title  string
	suites []*junitSuite // in the order in which their models came
}

type junitSuite struct {
	model         string
	tests, errors int
	seconds       float64
	cases         spool
}

func newJUnit(w io.Writer, o Options) Writer { return &junit{w: w, title: o.title()} }

// Result adds a result to the suite of its model: a test case, with an error if there is no answer.
func (j *junit) Result(r *solver.Result) error {
	s := j.suite(r.Model)
	s.tests++
	s.seconds += r.MS / 1000
	var b bytes.Buffer
	class := cmp.Or(r.Model, "own") + "." + folder(r)
	fmt.Fprintf(&b, `    <testcase classname="%s" name="%s" file="%s" time="%s"`, attribute(class), attribute(title(r)),
		attribute(r.Path), seconds(r.MS/1000))
	if r.Status == solver.OK {
		fmt.Fprintf(&b, "><system-out>%s</system-out></testcase>\n", attribute(answerText(r)))
	} else {
		s.errors++
		why := complaint(r)
		first, _, _ := strings.Cut(why, "\n")
		fmt.Fprintf(&b, "><error type=\"%s\" message=\"%s\">%s</error></testcase>\n", attribute(string(r.Status)),
			attribute(first), attribute(why))
	}
	_, err := s.cases.Write(b.Bytes())
	return err
}

func (j *junit) suite(model string) *junitSuite {
	for _, s := range j.suites {
		if s.model == model {
			return s
		}
	}
	s := &junitSuite{model: model}
	j.suites = append(j.suites, s)
	return s
}

// Close writes a test suite for each model, with its counts first; its cases are in a spool until then.
func (j *junit) Close() error {
	var all junitSuite
	for _, s := range j.suites {
		all.tests, all.errors, all.seconds = all.tests+s.tests, all.errors+s.errors, all.seconds+s.seconds
	}
	write := func(format string, args ...any) error {
		_, err := fmt.Fprintf(j.w, format, args...)
		return err
	}
	err := write("%s<testsuites name=\"%s\" %s>\n", xml.Header, attribute(j.title), all.counts())
	for _, s := range j.suites {
		if err == nil {
			err = write("  <testsuite name=\"%s\" %s skipped=\"0\">\n", attribute(cmp.Or(s.model, "own")), s.counts())
		}
		if err == nil {
			err = s.cases.copyTo(j.w)
		}
		if err == nil {
			err = write("  </testsuite>\n")
		}
	}
	if err != nil {
		return err
	}
	return write("</testsuites>\n")
}

func (s *junitSuite) counts() string {
	return fmt.Sprintf(`tests="%d" failures="0" errors="%d" time="%s"`, s.tests, s.errors, seconds(s.seconds))
}

func seconds(s float64) string { return strconv.FormatFloat(s, 'f', 3, 64) }

// folder is where the test is, with dots, or else its architecture.
func folder(r *solver.Result) string {
	dir := strings.Trim(path.Dir(strings.ReplaceAll(r.Path, `\`, "/")), "./")
	if dir == "" {
		return cmp.Or(r.Arch, "tests")
	}
	return strings.ReplaceAll(dir, "/", ".")
}

// answerText is an answer in a line.
func answerText(r *solver.Result) string {
	parts := []string{string(r.Verdict)}
	if r.Observation != "" {
		parts = append(parts, string(r.Observation))
	}
	if r.ConditionHolds != nil {
		parts = append(parts,
			"the condition "+map[bool]string{true: "holds", false: "does not hold"}[*r.ConditionHolds])
	}
	if n := len(r.States); n == 1 {
		parts = append(parts, "1 state")
	} else {
		parts = append(parts, strconv.Itoa(n)+" states")
	}
	if within := r.BoundsText(); within != "" {
		parts = append(parts, within)
	}
	for _, f := range r.Flags {
		if text := f.Sentence(); text != "" {
			parts = append(parts, text)
		}
	}
	return strings.Join(parts, ", ")
}

// attribute is text as XML has it, within quotes or not. It replaces characters that XML excludes.
func attribute(s string) string {
	var b strings.Builder
	if err := xml.EscapeText(&b, []byte(s)); err != nil {
		panic("BUG: " + err.Error())
	}
	return b.String()
}
