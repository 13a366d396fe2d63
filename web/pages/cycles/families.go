package cycles

import (
	"archive/zip"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/lower"
	"litmuscope/web/drawing/cyclediagram"
	"litmuscope/web/parts/family"
	"litmuscope/web/parts/formfields"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// Limits of the page's preview of a family.
const (
	familyShown = 24              // number of tests that are listed
	familyCount = 2 * time.Second // time to count tests
)

// cycleFamilyView is the form for families of tests, and its result.
type cycleFamilyView struct {
	Arch        string
	List        string
	Min, Max    int
	Presets     []presetView
	Asked       bool // there is a result to show
	Parts       []wordPart
	Errors      []string
	Relaxations int
	Count       string // "6 tests", "over 100,000 tests"
	Members     []memberView
	More        bool // the family has more tests than Members
	TooMany     string
	Archive     string // address of the archive
	Models      []formfields.ModelView
	Suites      bool
}

type memberView struct{ Name, Cycle, URL string }

// presetView is a named list of relaxations.
type presetView struct{ Name, List string }

// presets returns lists of relaxations for a dialect, the shortest first.
func presets(arch string) []presetView {
	words, ok := cycle.Vocabulary(arch)
	if !ok {
		return nil
	}
	plain, name := "", "plain accesses"
	for _, m := range words.Marks {
		if m.Like == lower.Relaxed {
			plain, name = m.Mark+m.Mark, "relaxed accesses"
		}
	}
	out := []presetView{{name, "Rfe Fre Wse Pod**" + plain}, {"coherence", "Rfe Fre Wse Pos**" + plain}}
	for _, p := range words.Presets {
		out = append(out, presetView{p.Name, p.List})
	}
	if !words.Bare && plain == "" {
		out = append(out, presetView{"dependencies", "Rfe Fre Wse Pod** DpAddrd* DpDatadW DpCtrldW"})
	}
	return append(out, presetView{"all usual relaxations", words.Standard})
}

// viewFamily returns the family in the address: ?relax=, ?from=, ?to=.
func (s *page) viewFamily(r *http.Request, arch string) (cycleFamilyView, error) {
	q := r.URL.Query()
	v := cycleFamilyView{
		Arch: arch, List: strings.TrimSpace(q.Get("relax")), Asked: q.Has("relax"), Presets: presets(arch),
		Models: formfields.ViewModels(question.FirstModels(arch), arch), Suites: server.HasPage(r.Context(), "/suites"),
	}
	var err error
	if v.Min, v.Max, err = family.Sizes(q); err != nil {
		v.Errors = []string{err.Error()}
		return v, nil
	}
	if !v.Asked && len(v.Presets) > 0 { // without presets, the dialect does not exist
		v.List = v.Presets[0].List
	}
	read, err := s.questions.ReadCycle(r.Context(), cyclediagram.Request{Arch: arch, Family: &cyclediagram.Family{
		Relaxations: v.List, Min: v.Min, Max: v.Max, Show: familyShown, Most: s.server.Limits.Tests,
		Within: familyCount,
	}})
	if err != nil {
		return v, err
	}
	v.Asked = true
	if read.Errors != nil {
		v.Parts, v.Errors = markWords(v.List, read.Errors)
		return v, nil
	}
	v.Relaxations = len(read.Relaxations)
	v.Count = countText(read.Count, read.Whole)
	v.More = read.Count > len(read.Members) || !read.Whole
	for _, m := range read.Members {
		v.Members = append(v.Members, memberView{m.Name, m.Cycle, question.CycleURL(arch, m.Cycle)})
	}
	if read.Count == s.server.Limits.Tests && !read.Whole {
		v.TooMany = fmt.Sprintf("That is more than the %s tests that this server makes at once. Choose fewer "+
			"relaxations or smaller cycles.", server.Thousands(s.server.Limits.Tests))
	}
	v.Archive = "/cycles/family.zip?" +
		url.Values{
			"arch": {arch}, "relax": {v.List}, "from": {strconv.Itoa(v.Min)},
			"to": {strconv.Itoa(v.Max)},
		}.Encode()
	return v, nil
}

// countText formats the number of tests.
func countText(n int, whole bool) string {
	text := server.Thousands(n) + " " + server.Plural(n, "test")
	if !whole {
		return "over " + text
	}
	return text
}

// getFamilies sends the page's section on families, for a change of dialect.
func (s *page) getFamilies(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	v, err := s.viewFamily(r, q.Get("arch"))
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	s.server.Render(w, r, http.StatusOK, familySection(v.Arch, q.Get("cycle"), v))
}

// getFamily sends the result for a family while the visitor types.
func (s *page) getFamily(w http.ResponseWriter, r *http.Request) {
	v, err := s.viewFamily(r, r.URL.Query().Get("arch"))
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	s.server.Render(w, r, http.StatusOK, familyResult(v))
}

// badCycle is the error of a cycle that cannot be parsed.
type badCycle struct{ errs litmus.ErrorList }

// Error implements [error].
func (b *badCycle) Error() string { return b.errs.Error() }

// Say lists the positions of the errors in the cycle.
func (b *badCycle) Say() server.Said {
	out := server.Say("cannot read the cycle: %v", b.errs[0])
	out.Details = server.DetailsOf("body.cycle", b.errs)
	return out
}

// getFamilyArchive sends all tests of a family as a zip archive.
func (s *page) getFamilyArchive(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	least, most, err := family.Sizes(q)
	var f *family.Family
	if err == nil {
		f, err = s.families.Read(r.Context(), q.Get("arch"), q.Get("relax"), least, most)
	}
	var end func()
	if err == nil {
		end, err = s.families.Families.Take(r.Context())
	}
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	defer end()
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s-%d-%d.zip"`, f.Arch, least, most))
	z := zip.NewWriter(w)
	for t := range f.Tests() {
		path, text := t.Name+".litmus", t.Source
		if t.Err != nil { // for example, it needs too many registers
			path, text = t.Name+".txt", fmt.Sprintf("%s\n%v\n", t.Cycle, t.Err)
		}
		var file io.Writer
		if file, err = z.Create(path); err == nil {
			_, err = io.WriteString(file, text)
		}
		if err != nil {
			return // the client has gone
		}
	}
	if err := f.Problem(); err != nil {
		s.server.Log.DebugContext(r.Context(), "family incomplete", "error", err)
		panic(http.ErrAbortHandler) // aborts the response, so that no client sees a complete archive
	}
	_ = z.Close()
}
