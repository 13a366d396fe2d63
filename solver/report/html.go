package report

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"litmuscope/models"
	"litmuscope/solver"
)

// page writes one self-contained page: totals per model, what went wrong grouped by its cause, and a matrix of tests
// and models, with a column per model in the order in which they came. It keeps the rows of the matrix until the end,
// because other parts come before them. Without scripts, the page lacks only the filter.
type page struct {
	w      io.Writer
	title  string
	models []*pageModel
	causes map[string]*pageCause
	rows   spool
	tests  int
	// The unfinished row of the matrix.
	path, name string
	cells      []*solver.Result // by model
	open       bool
}

type pageModel struct {
	name                                                 string
	allowed, forbidden, undecided, failed, holds, cached int
	ms                                                   float64
}

type pageCause struct {
	text     string
	failures int
	tests    []string // some of them
}

const (
	maxCauses     = 200 // listed separately
	maxCauseTests = 20  // named for each
)

//go:embed page.css
var pageStyle string

//go:embed page.js
var pageScript string

func newHTML(w io.Writer, o Options) Writer {
	return &page{w: w, title: o.title(), causes: map[string]*pageCause{}}
}

// Result adds a result to the totals and to the row of its test.
func (p *page) Result(r *solver.Result) error {
	i := slices.IndexFunc(p.models, func(m *pageModel) bool { return m.name == r.Model })
	if i < 0 {
		i = len(p.models)
		p.models = append(p.models, &pageModel{name: r.Model})
	}
	p.models[i].add(r)
	p.blame(r)
	if !p.open || p.path != r.Path || p.name != r.Name || i < len(p.cells) && p.cells[i] != nil {
		if err := p.endRow(); err != nil {
			return err
		}
		p.open, p.path, p.name = true, r.Path, r.Name
		p.tests++
	}
	for len(p.cells) <= i {
		p.cells = append(p.cells, nil)
	}
	p.cells[i] = &solver.Result{
		Status: r.Status, Verdict: r.Verdict, Observation: r.Observation, Error: r.Error, Reason: r.Reason,
		Certified: r.Certified, MS: r.MS, Cached: r.Cached, States: r.States,
	}
	return nil
}

// add counts a result.
func (m *pageModel) add(r *solver.Result) {
	m.ms += r.MS
	switch verdictClass(r) {
	case "a":
		m.allowed++
	case "f":
		m.forbidden++
	case "u":
		m.undecided++
	default:
		m.failed++
	}
	if r.ConditionHolds != nil && *r.ConditionHolds {
		m.holds++
	}
	if r.Cached {
		m.cached++
	}
}

// blame files a result that is no answer under its cause.
func (p *page) blame(r *solver.Result) {
	cause := r.Cause()
	if r.Status == solver.OK {
		return
	}
	cause = string(r.Status) + ": " + cause
	c := p.causes[cause]
	if c == nil && len(p.causes) >= maxCauses {
		cause = "other causes"
		c = p.causes[cause]
	}
	if c == nil {
		c = &pageCause{text: cause}
		p.causes[cause] = c
	}
	c.failures++
	if len(c.tests) < maxCauseTests {
		c.tests = append(c.tests, where(r))
	}
}

// where is a test's file, and the model.
func where(r *solver.Result) string {
	return strings.TrimSuffix(cmp.Or(r.Path, r.Name)+", "+r.Model, ", ")
}

// marks tell verdicts apart without colours.
var marks = map[string]string{"a": "✓", "f": "✕", "u": "?", "e": "!"}

// verdictClass is the class that marks a verdict: allowed, forbidden, unknown or error.
func verdictClass(r *solver.Result) string {
	switch {
	case r.Status == solver.Failed:
		return "e"
	case r.Verdict == solver.Allowed && r.Status == solver.OK:
		return "a"
	case r.Verdict == solver.Forbidden && r.Status == solver.OK:
		return "f"
	}
	return "u"
}

// endRow writes the row of the matrix that is complete.
func (p *page) endRow() error {
	if !p.open {
		return nil
	}
	var b bytes.Buffer
	classes := map[string]bool{}
	for _, r := range p.cells {
		if r != nil {
			classes[verdictClass(r)] = true
		}
	}
	// What the filter asks for: rows in which models differ, and rows without an answer.
	kind := ""
	if classes["a"] && classes["f"] {
		kind += "d"
	}
	if classes["u"] || classes["e"] {
		kind += " x"
	}
	b.WriteString("<tr")
	if kind != "" {
		fmt.Fprintf(&b, ` class="%s"`, strings.TrimSpace(kind))
	}
	name, folder := p.name, strings.TrimSuffix(path.Dir(p.path), ".")
	if name == "" {
		name = path.Base(p.path)
	}
	fmt.Fprintf(&b, `><th scope="row" title="%s">%s`, escaped(p.path), escaped(name))
	if folder != "" {
		fmt.Fprintf(&b, "<small>%s</small>", escaped(folder))
	}
	b.WriteString("</th>")
	for _, r := range p.cells {
		if r == nil {
			b.WriteString("<td></td>")
			continue
		}
		word := string(cmp.Or(r.Observation, solver.Observation(r.Verdict)))
		detail := strconv.Itoa(len(r.States)) + " states, " + milliseconds(r.MS)
		if r.Status != solver.OK {
			word, detail = string(r.Status), complaint(r)
		} else if r.Certified != nil && *r.Certified {
			detail += ", certified"
		}
		class := verdictClass(r)
		fmt.Fprintf(&b, `<td class="%s" title="%s">%s %s</td>`, class, escaped(detail), marks[class], escaped(word))
	}
	b.WriteString("</tr>\n")
	p.open, p.cells = false, p.cells[:0]
	_, err := p.rows.Write(b.Bytes())
	return err
}

// Close writes the page: totals, failures, and the table of tests, whose rows are in the spool because the head needs
// the totals.
func (p *page) Close() error {
	if err := p.endRow(); err != nil {
		return err
	}
	var b bytes.Buffer
	results := 0
	for _, m := range p.models {
		results += m.all()
	}
	fmt.Fprintf(&b, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"+
		"<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"+
		"<title>%s</title>\n<style>\n%s</style>\n</head>\n<body>\n<header>\n<h1>%s</h1>\n"+
		"<p>%s under %s: %s</p>\n</header>\n<main>\n",
		escaped(p.title), pageStyle, escaped(p.title), several(p.tests, "test"), several(len(p.models), "model"),
		several(results, "result"))
	p.totals(&b)
	p.failures(&b)
	b.WriteString(`<section>
<h2>Tests</h2>
<form id="filter" hidden>
<input type="search" placeholder="Name or folder" aria-label="Name or folder">
<select aria-label="Which tests"><option value="">all tests</option><option value="d">models differ</option><option value="x">no answer</option></select>
<output></output>
</form>
`)
	fmt.Fprintf(&b, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Tests and models\">\n"+
		"<table class=\"matrix\" style=\"--models:%d\">\n<thead><tr><th scope=\"col\">test</th>", len(p.models))
	for _, m := range p.models {
		fmt.Fprintf(&b, `<th scope="col">%s</th>`, escaped(cmp.Or(models.Label(m.name), "no model")))
	}
	b.WriteString("</tr></thead>\n<tbody>\n")
	if _, err := p.w.Write(b.Bytes()); err != nil {
		return err
	}
	if err := p.rows.copyTo(p.w); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.w,
		"</tbody>\n</table>\n</div>\n</section>\n</main>\n<script>\n%s</script>\n</body>\n</html>\n", pageScript)
	return err
}

func (m *pageModel) all() int { return m.allowed + m.forbidden + m.undecided + m.failed }

// totals is a row per model, with a bar of the verdicts' shares.
func (p *page) totals(b *bytes.Buffer) {
	b.WriteString("<section>\n<h2>Models</h2>\n<div class=\"scroll\"><table class=\"totals\">\n" +
		"<thead><tr><th scope=\"col\">model</th><th scope=\"col\" class=\"share\">share</th>" +
		"<th scope=\"col\">allowed</th><th scope=\"col\">forbidden</th><th scope=\"col\">unknown</th><th " +
		"scope=\"col\">error</th>" +
		"<th scope=\"col\">condition holds</th><th scope=\"col\">time</th></tr></thead>\n<tbody>\n")
	for _, m := range p.models {
		fmt.Fprintf(b, `<tr><th scope="row">%s</th><td class="share"><span class="bar" aria-hidden="true">`,
			escaped(cmp.Or(models.Label(m.name), "no model")))
		counts := []struct {
			class string
			n     int
		}{{"a", m.allowed}, {"f", m.forbidden}, {"u", m.undecided}, {"e", m.failed}}
		for _, c := range counts {
			if c.n > 0 {
				fmt.Fprintf(b, `<i class="%s" style="flex-grow:%d"></i>`, c.class, c.n)
			}
		}
		b.WriteString("</span></td>")
		for _, c := range counts {
			class := c.class
			if c.n == 0 {
				class = "none"
			}
			fmt.Fprintf(b, `<td class="%s">%s</td>`, class, thousands(c.n))
		}
		fmt.Fprintf(b, "<td>%s</td><td>%s</td></tr>\n", thousands(m.holds), milliseconds(m.ms))
	}
	b.WriteString("</tbody>\n</table></div>\n</section>\n")
}

// failures lists the causes, the most frequent first.
func (p *page) failures(b *bytes.Buffer) {
	if len(p.causes) == 0 {
		return
	}
	causes := make([]*pageCause, 0, len(p.causes))
	for _, c := range p.causes {
		causes = append(causes, c)
	}
	slices.SortFunc(causes, func(x, y *pageCause) int {
		return cmp.Or(cmp.Compare(y.failures, x.failures), strings.Compare(x.text, y.text))
	})
	b.WriteString("<section>\n<h2>No answer</h2>\n")
	for _, c := range causes {
		fmt.Fprintf(b, "<details><summary><b>%s</b> %s</summary>\n<ul>", thousands(c.failures), escaped(c.text))
		for _, t := range c.tests {
			fmt.Fprintf(b, "<li>%s</li>", escaped(t))
		}
		if more := c.failures - len(c.tests); more > 0 {
			fmt.Fprintf(b, "<li>and %s more</li>", thousands(more))
		}
		b.WriteString("</ul></details>\n")
	}
	b.WriteString("</section>\n")
}

func escaped(s string) string { return html.EscapeString(printable(s)) }

func milliseconds(ms float64) string {
	if ms >= 1000 {
		return strconv.FormatFloat(ms/1000, 'f', 1, 64) + " s"
	}
	return strconv.FormatFloat(ms, 'f', 1, 64) + " ms"
}

func several(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return thousands(n) + " " + what
}

// thousands writes a number with its thousands apart.
func thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
