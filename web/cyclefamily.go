package web

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"litmuscope/litmus"
	"litmuscope/litmus/cycle"
	"litmuscope/litmus/lower"
	"litmuscope/litmus/suite"
	"litmuscope/web/cyclediagram"
	"litmuscope/web/rest"
	"litmuscope/web/shell"
)

const (
	familyShown  = 24              // first tests on the page
	familyCount  = 2 * time.Second // for counting
	familyMaking = 1               // tests that are made at once: other processors are left for people
)

// cycleFamilyView is the form for families of tests, and what it comes to.
type cycleFamilyView struct {
	Arch        string
	List        string
	Min, Max    int
	Presets     []presetView
	Asked       bool // there is something to show
	Parts       []wordPart
	Errors      []string
	Relaxations int
	Count       string // "6 tests", "over 100,000 tests"
	Members     []memberView
	More        bool // than Members
	TooMany     string
	Archive     string // address
	Models      []modelView
	Suites      bool
}

type memberView struct{ Name, Cycle, URL string }

// presetView is a list of relaxations to begin with.
type presetView struct{ Name, List string }

// presets are lists of relaxations for a dialect, the shortest first.
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
	return append(out, presetView{"all that is usual", words.Standard})
}

// viewFamily is the family that the address asks for: ?relax=, ?from=, ?to=.
func (s *server) viewFamily(r *http.Request, arch string) (cycleFamilyView, error) {
	q := r.URL.Query()
	v := cycleFamilyView{
		Arch: arch, List: strings.TrimSpace(q.Get("relax")), Asked: q.Has("relax"), Presets: presets(arch),
		Models: viewModels(firstModels(arch), arch), Suites: shell.HasPage(r.Context(), "/suites"),
	}
	var err error
	if v.Min, v.Max, err = sizes(q); err != nil {
		v.Errors = []string{err.Error()}
		return v, nil
	}
	if !v.Asked {
		v.List = v.Presets[0].List
	}
	read, err := s.readCycle(r.Context(), cyclediagram.Request{Arch: arch, Family: &cyclediagram.Family{
		Relaxations: v.List, Min: v.Min, Max: v.Max, Show: familyShown, Most: s.Limits.Tests, Within: familyCount,
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
	v.Count = solverCount(read.Count, read.Whole)
	v.More = read.Count > len(read.Members) || !read.Whole
	for _, m := range read.Members {
		v.Members = append(v.Members, memberView{m.Name, m.Cycle, cycleURL(arch, m.Cycle)})
	}
	if read.Count == s.Limits.Tests && !read.Whole {
		v.TooMany = fmt.Sprintf("That is more than the %s tests that this server makes at once: take fewer relaxations, or smaller cycles.", shell.Thousands(s.Limits.Tests))
	}
	v.Archive = "/cycles/family.zip?" + url.Values{"arch": {arch}, "relax": {v.List}, "from": {strconv.Itoa(v.Min)}, "to": {strconv.Itoa(v.Max)}}.Encode()
	return v, nil
}

// solverCount words how many tests there are.
func solverCount(n int, whole bool) string {
	text := shell.Thousands(n) + " " + shell.Plural(n, "test")
	if !whole {
		return "over " + text
	}
	return text
}

// sizes are ?from= and ?to=, of cycles in accesses.
func sizes(q url.Values) (least, most int, err error) {
	least, most = 4, 4
	for _, of := range []struct {
		name string
		to   *int
	}{{"from", &least}, {"to", &most}} {
		if text := q.Get(of.name); text != "" {
			if *of.to, err = strconv.Atoi(text); err != nil {
				return 4, 4, shell.Refuse("Sizes are whole numbers from 2 to %d, not %q.", cyclediagram.MaxSize, litmus.Shorten(text))
			}
		}
	}
	return least, most, nil
}

// getFamilies is the part of the page that is about families, for another dialect.
func (s *server) getFamilies(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	v, err := s.viewFamily(r, q.Get("arch"))
	if err != nil {
		s.FailOf(w, r, err)
		return
	}
	s.Render(w, r, http.StatusOK, familySection(v.Arch, q.Get("cycle"), v))
}

// getFamily is what scripts show of a family while one types.
func (s *server) getFamily(w http.ResponseWriter, r *http.Request) {
	v, err := s.viewFamily(r, r.URL.Query().Get("arch"))
	if err != nil {
		s.FailOf(w, r, err)
		return
	}
	s.Render(w, r, http.StatusOK, familyResult(v))
}

// cycleFamily is a family of tests that is made while it is read. Its relaxations have
// been read by a child; what is left is to put them in rows, which ctx ends.
type cycleFamily struct {
	ctx      context.Context
	arch     string
	list     [][]cycle.Edge
	min, max int
	most     int // tests
	making   *shell.Turns
	err      error
}

// family reads what a family is made of.
func (s *server) family(ctx context.Context, arch, list string, least, most int) (*cycleFamily, error) {
	read, err := s.readCycle(ctx, cyclediagram.Request{Arch: arch, Family: &cyclediagram.Family{Relaxations: list, Min: least, Max: most}})
	if err != nil {
		return nil, err
	}
	if read.Errors != nil {
		return nil, &badRelaxations{read.Errors}
	}
	return &cycleFamily{ctx: ctx, arch: arch, list: read.Relaxations, min: least, max: most, most: s.Limits.Tests, making: s.making}, nil
}

// badRelaxations is a cycle, or a list of relaxations, that cannot be read.
type badRelaxations struct{ errs litmus.ErrorList }

func (b *badRelaxations) Error() string { return b.errs.Error() }

func (b *badRelaxations) Say() shell.Said {
	out := shell.Say("the relaxations cannot be read: %v", b.errs[0])
	out.View.Text, out.Details = b.errs[0].Msg, shell.DetailsOf("body.family.relaxations", b.errs)
	return out
}

// badCycle is a cycle that cannot be read.
type badCycle struct{ errs litmus.ErrorList }

func (b *badCycle) Error() string { return b.errs.Error() }

func (b *badCycle) Say() shell.Said {
	out := shell.Say("the cycle cannot be read: %v", b.errs[0])
	out.Details = shell.DetailsOf("body.cycle", b.errs)
	return out
}

// errTooMany ends a family that has more tests than one may ask for.
var errTooMany = errors.New("too many tests")

// errStopped is a reader's that wants no more.
var errStopped = errors.New("stopped")

// tests makes them. Why they end early, if they do, says err.
func (f *cycleFamily) tests() iter.Seq[familyTest] {
	return func(yield func(familyTest) bool) {
		ctx, cancel := context.WithTimeout(f.ctx, shell.FamilyTime)
		defer cancel()
		var over func()
		if over, f.err = f.making.Take(ctx); f.err != nil {
			return
		}
		defer func() {
			if over != nil {
				over()
			}
		}()
		names, n := cycle.Names{}, 0
		f.err = cycle.Family(ctx, f.list, f.min, f.max, func(c cycle.Cycle) error {
			if n++; n > f.most {
				return errTooMany
			}
			name := names.Of(c)
			source, err := cycle.Generate(f.arch, c, name)
			if err != nil {
				source = ""
			}
			over() // while it is on its way to its reader
			over = nil
			if !yield(familyTest{name, c.String(), source, err}) {
				return errStopped
			}
			over, err = f.making.Take(ctx)
			return err
		})
		if errors.Is(f.err, errStopped) {
			f.err = nil
		}
	}
}

// familyTest is a test of a family; err says why it has no source.
type familyTest struct {
	name, cycle, source string
	err                 error
}

// entries are the tests as those of a suite.
func (f *cycleFamily) entries(yield func(suite.Entry) bool) {
	for t := range f.tests() {
		if !yield(suite.Entry{Path: t.name + ".litmus", Source: t.source, Err: t.err}) {
			return
		}
	}
}

// problem says why a family ended before its end, nil where it did not.
func (f *cycleFamily) problem() error {
	switch {
	case f.err == nil:
		return nil
	case errors.Is(f.err, errTooMany):
		return shell.Refuse("The family has more than %s tests: take fewer relaxations, or smaller cycles.", shell.Thousands(f.most))
	case f.ctx.Err() != nil:
		return f.ctx.Err()
	case errors.Is(f.err, context.DeadlineExceeded):
		return shell.Refuse("The family takes more than %v to make: take fewer relaxations, or smaller cycles.", shell.FamilyTime)
	}
	return f.err
}

// getFamilyArchive is all tests of a family, in a zip archive.
func (s *server) getFamilyArchive(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	least, most, err := sizes(q)
	var f *cycleFamily
	if err == nil {
		f, err = s.family(r.Context(), q.Get("arch"), q.Get("relax"), least, most)
	}
	var end func()
	if err == nil {
		end, err = s.families.Take(r.Context())
	}
	if err != nil {
		s.FailOf(w, r, err)
		return
	}
	defer end()
	w.Header().Set("Content-Type", "application/zip")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s-%d-%d.zip"`, f.arch, least, most))
	z := zip.NewWriter(w)
	for t := range f.tests() {
		path, text := t.name+".litmus", t.source
		if t.err != nil { // it takes too many registers
			path, text = t.name+".txt", fmt.Sprintf("%s\n%v\n", t.cycle, t.err)
		}
		var file io.Writer
		if file, err = z.Create(path); err == nil {
			_, err = io.WriteString(file, text)
		}
		if err != nil {
			return // the client has gone
		}
	}
	if err := f.problem(); err != nil {
		s.Log.DebugContext(r.Context(), "a family broke off", "error", err)
		panic(http.ErrAbortHandler) // so that nobody takes it for whole
	}
	_ = z.Close()
}

// postFamilySuite submits a family as a suite, and leads to it.
func (s *server) postFamilySuite(w http.ResponseWriter, r *http.Request) {
	if !s.ParseForm(w, r) {
		return
	}
	least, most, err := sizes(r.PostForm)
	if err != nil {
		s.FailOf(w, r, err)
		return
	}
	arch := r.PostForm.Get("arch")
	in := suiteRequest{
		Name: fmt.Sprintf("%s cycles of %s", arch, span(least, most)), Models: r.PostForm["model"],
		Family: &rest.Family{Arch: arch, Relaxations: r.PostForm.Get("relax"), From: least, To: most},
	}
	found, _, err := s.submit(r, in, nil)
	if err != nil {
		s.FailOf(w, r, err)
		return
	}
	http.Redirect(w, r, "/suites/"+found.ID, http.StatusSeeOther)
}

// span words sizes.
func span(least, most int) string {
	if least == most {
		return fmt.Sprintf("%d accesses", least)
	}
	return fmt.Sprintf("%d to %d accesses", least, most)
}
