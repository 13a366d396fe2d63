package class

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"

	"litmuscope/litmus/ir"
	"litmuscope/litmus/wasm"
	"litmuscope/solver"
	"litmuscope/web/parts/answer"
	"litmuscope/web/parts/question"
	"litmuscope/web/server"
	"litmuscope/web/teaching/class"
)

// runAbout is what the pages store with a run of a test on the class's devices.
type runAbout struct {
	Asked  []string     `json:"asked"` // the outcomes that the question is about
	Models []modelAbout `json:"models"`
}

// modelAbout has a model's verdicts on the outcomes of a test.
type modelAbout struct {
	Label   string         `json:"label"`
	Allowed []string       `json:"allowed"`
	Rest    solver.Verdict `json:"rest"` // on all other outcomes; "" if behaviour is undefined
}

// verdict returns the model's verdict on an outcome.
func (m *modelAbout) verdict(outcome string) solver.Verdict {
	if slices.Contains(m.Allowed, outcome) {
		return solver.Allowed
	}
	return m.Rest
}

// maxAbout is the maximum number of outcomes whose verdicts are stored with a run.
const maxAbout = 512

// canRun reports whether a question has a test that devices can be asked to run. An exercise has no one test: everybody
// changes it.
func canRun(i *class.Item) bool { return i.Source != "" && i.Kind != class.Edits }

// askDevices asks the class's devices to run the test of the current question. It refuses a test that cannot run before
// anybody is asked.
func (s *page) askDevices(ctx context.Context, c classRequest) error {
	v := c.View()
	item, _ := v.Item()
	if item == nil || !canRun(item) {
		return server.Refuse("This question has no test that devices can run.")
	}
	if _, err := s.assembled(ctx, item.Source); err != nil {
		return s.cannotRun(item, err)
	}
	about, err := s.aboutRun(ctx, item)
	if err != nil {
		return err
	}
	b, err := json.Marshal(about)
	if err != nil {
		return err
	}
	return c.AskDevices(ctx, b)
}

// cannotRun says why a test cannot run on devices, with its place in the test. It returns other errors as they are.
func (s *page) cannotRun(i *class.Item, err error) error {
	var bad *question.BadTest
	if errors.As(err, &bad) {
		e := bad.Errs[0]
		return server.Refuse("%s cannot run on devices: line %d, column %d: %s.", i.Title, e.Pos.Line, e.Pos.Col,
			strings.TrimSuffix(e.Msg, "."))
	}
	var no server.Refusal
	if errors.As(err, &no) {
		return server.Refuse("%s: %v", i.Title, no)
	}
	return err
}

// aboutRun finds the verdicts of the question's models on all outcomes of its test.
func (s *page) aboutRun(ctx context.Context, item *class.Item) (runAbout, error) {
	about := runAbout{Asked: []string{}, Models: []modelAbout{}}
	asks := askOf(item)
	if asks.State != nil {
		about.Asked = append(about.Asked, answer.StateText(asks.State))
	}
	q := question.FromLink(asks.Asks)
	if len(q.Models) == 0 {
		return about, nil
	}
	q.Again = true
	a, err := s.questions.Explore(ctx, q)
	if err != nil {
		return about, err
	}
	for n, column := range a.Columns {
		m := modelAbout{Label: column.Label(), Allowed: []string{}, Rest: answer.Absent(a, n)}
		about.Models = append(about.Models, m)
	}
	table := answer.Tabulate(a)
	for n, row := range table.Every {
		state := row.State
		if state == nil && len(row.Values) == len(table.Names) && !slices.Contains(row.Values, "") {
			for k, value := range row.Values { // no model allows it, and the condition says which one it is
				state = append(state, solver.Binding{Name: table.Names[k], Value: value})
			}
		}
		if state == nil {
			continue
		}
		outcome := answer.StateText(state)
		if row.Answers && asks.State == nil && n < maxAbout {
			about.Asked = append(about.Asked, outcome)
		}
		for m := range about.Models {
			switch of := &about.Models[m]; {
			case row.Cells[m].Verdict != solver.Allowed:
			case len(of.Allowed) < maxAbout:
				of.Allowed = append(of.Allowed, outcome)
			default:
				of.Rest = solver.Undecided // there are more than are stored
			}
		}
	}
	return about, nil
}

// assembledTests caches assembled tests, and the outcomes that devices have seen in them: hundreds of phones ask for
// the same test at the same moment.
type assembledTests struct {
	mu   sync.Mutex
	kept []*assembledTest // oldest first
}

// assembledTest is a test in WebAssembly. once computes test and err.
type assembledTest struct {
	key  [sha256.Size]byte // of the source
	once sync.Once
	test *wasm.Test
	err  error

	mu       sync.Mutex
	outcomes map[string]string // the texts of outcomes by the numbers that devices count them under
}

// Bounds on the cache: tests, and outcomes of one test.
const (
	maxAssembled = 64
	maxNamed     = 10 * class.MaxOutcomes
)

// get returns the test with a source, and adds an empty one if there is none. The oldest test leaves a full cache.
func (t *assembledTests) get(source string) *assembledTest {
	key := sha256.Sum256([]byte(source))
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, x := range t.kept {
		if x.key == key {
			return x
		}
	}
	x := &assembledTest{key: key, outcomes: map[string]string{}}
	if t.kept = append(t.kept, x); len(t.kept) > maxAssembled {
		t.kept = t.kept[1:]
	}
	return x
}

// drop removes a test that was not assembled, so that the next request tries again.
func (t *assembledTests) drop(x *assembledTest) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = slices.DeleteFunc(slices.Clone(t.kept), func(other *assembledTest) bool { return other == x })
}

// assembled returns a test in WebAssembly, from the cache or by assembling it.
func (s *page) assembled(ctx context.Context, source string) (*assembledTest, error) {
	x := s.tests.get(source)
	x.once.Do(func() {
		// The test is for all clients, so it is assembled even if this client disconnects.
		reply, err := s.questions.Assemble(context.WithoutCancel(ctx), source, nil)
		if x.err = err; err == nil {
			x.test = reply.Test
		}
	})
	if x.err != nil {
		s.tests.drop(x)
	}
	return x, x.err
}

// sendTest sends the test of a run to a voter's device, query fields "item" and "run".
func (s *page) sendTest(w http.ResponseWriter, r *http.Request, c classRequest) {
	n, err1 := strconv.Atoi(r.URL.Query().Get("item"))
	run, err2 := strconv.Atoi(r.URL.Query().Get("run"))
	v := c.View()
	switch {
	case c.voter == (class.Voter{}):
		s.server.Fail(w, r, http.StatusForbidden, noCookie)
		return
	case errors.Join(err1, err2) != nil || n < 0 || n >= len(v.Items) || run < 1 || run != v.Progress[n].Runs:
		s.failClass(w, r, class.ErrNotAsked)
		return
	}
	x, err := s.assembled(r.Context(), v.Items[n].Source)
	if err != nil {
		s.failClass(w, r, err)
		return
	}
	s.server.WriteJSON(w, x.test)
}

// deviceReply is the JSON answer to a report.
type deviceReply struct {
	// Outcomes has the texts of the outcomes that the report counts, by the numbers that it counts them under. Cells
	// that the test's filter leaves out have the text "".
	Outcomes map[string]string `json:"outcomes"`
	HTML     string            `json:"html"` // the page's part about devices
}

// reportRun stores what a voter's device has counted. The form has "item", "run" and "answer" (see
// class.Participation), and from a device that runs the test "page", "kind", "runs", "left", and "counts", a JSON
// object: the number of runs by the observed numbers, in decimal and joined by commas.
func (s *page) reportRun(w http.ResponseWriter, r *http.Request, c classRequest) {
	server.AllowBody(w, r, maxReport)
	if !s.server.ParseForm(w, r) {
		return
	}
	if c.voter == (class.Voter{}) {
		s.server.Fail(w, r, http.StatusForbidden, noCookie)
		return
	}
	if wait := s.reporting.Take(c.Code+string(c.voter[:]), s.server.Clock()); wait > 0 {
		s.server.TurnAway(w, r, http.StatusTooManyRequests, wait, "Your device reports too often.")
		return
	}
	reply, err := s.report(r, c)
	switch {
	case errors.Is(err, class.ErrReporting):
		s.server.TurnAway(w, r, http.StatusTooManyRequests, reportEvery, err.Error()+".")
		return
	case err != nil:
		s.failClass(w, r, err)
		return
	case !server.IsFragment(r):
		http.Redirect(w, r, "/class/"+c.Code, http.StatusSeeOther)
		return
	}
	var b strings.Builder
	v := s.viewClass(r, c, asStudent)
	if err := classDevices(v).Render(r.Context(), &b); err != nil {
		s.failClass(w, r, err)
		return
	}
	reply.HTML = b.String()
	s.server.WriteJSON(w, reply)
}

// report reads and stores the report in a request's form.
func (s *page) report(r *http.Request, c classRequest) (reply deviceReply, err error) {
	f := r.PostForm
	var read []error
	number := func(name string) int64 {
		n, err := strconv.ParseInt(f.Get(name), 10, 64)
		read = append(read, err)
		return n
	}
	n, run := int(number("item")), int(number("run"))
	report := class.Report{Answer: class.Participation(f.Get("answer"))}
	reply.Outcomes = map[string]string{}
	v := c.View()
	if errors.Join(read...) != nil {
		return reply, class.ErrReport
	}
	if n < 0 || n >= len(v.Items) || run < 1 || run != v.Progress[n].Runs {
		return reply, class.ErrNotAsked
	}
	if report.Answer == class.Ran {
		report.Page, report.Kind = f.Get("page"), f.Get("kind")
		report.Runs, report.Left = number("runs"), number("left")
		counts := map[string]int64{}
		if json.Unmarshal([]byte(f.Get("counts")), &counts) != nil || errors.Join(read...) != nil {
			return reply, fmt.Errorf("%w: want numbers, and counts as a JSON object", class.ErrReport)
		}
		if reply.Outcomes, err = s.outcomesOf(r.Context(), v.Items[n].Source, counts); err != nil {
			return reply, err
		}
		report.Counts = map[string]int64{}
		for key, count := range counts {
			if count < 1 || count > class.MaxCounted {
				return reply, fmt.Errorf("%w: a count must be between 1 and %d", class.ErrReport, class.MaxCounted)
			}
			report.Counts[reply.Outcomes[key]] += count
		}
	}
	_, err = c.Report(r.Context(), c.voter, n, run, report)
	return reply, err
}

// outcomesOf returns the texts of outcomes that a device has counted. It refuses numbers that the test cannot have.
func (s *page) outcomesOf(ctx context.Context, source string, counts map[string]int64) (map[string]string, error) {
	if len(counts) > class.MaxOutcomes {
		return nil, class.ErrOutcomes
	}
	x, err := s.assembled(ctx, source)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	var keys []string
	var values [][]string
	x.mu.Lock()
	for key := range counts {
		if text, known := x.outcomes[key]; known {
			out[key] = text
			continue
		}
		numbers, ok := observed(x.test, key)
		if !ok {
			x.mu.Unlock()
			return nil, fmt.Errorf("%w: the test has no outcome %q", class.ErrReport, shortKey(key))
		}
		keys, values = append(keys, key), append(values, numbers)
	}
	x.mu.Unlock()
	switch {
	case len(keys) == 0:
		return out, nil
	case len(x.test.Observed) == 0: // the test observes nothing: it has one outcome
		out[""] = nothingObserved
		return out, nil
	}
	reply, err := s.questions.Assemble(ctx, source, values)
	if err != nil {
		return nil, err
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if len(x.outcomes)+len(keys) > maxNamed {
		clear(x.outcomes)
	}
	for i, key := range keys {
		var state solver.State
		for k, value := range reply.States[i] {
			state = append(state, solver.Binding{Name: reply.Names[k], Value: value})
		}
		out[key] = answer.StateText(state) // "" if the filter leaves it out
		x.outcomes[key] = out[key]
	}
	return out, nil
}

// nothingObserved is the text of the one outcome of a test that observes nothing.
const nothingObserved = "the test ends"

// shortKey shortens a key for a message.
func shortKey(key string) string { return key[:min(len(key), 40)] }

// observed splits the key of an outcome into the numbers of a test's observables, in their one decimal form; false if
// it is none.
func observed(t *wasm.Test, key string) (numbers []string, ok bool) {
	if key != "" {
		numbers = strings.Split(key, ",")
	}
	if len(numbers) != len(t.Observed) {
		return nil, false
	}
	for i, text := range numbers {
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil || strconv.FormatUint(n, 10) != text || n&ir.Mask(t.Observed[i].Bits) != n {
			return nil, false
		}
	}
	return numbers, true
}

// classDeviceResults sends the sums of all runs as a CSV file.
func (s *page) classDeviceResults(w http.ResponseWriter, r *http.Request, c classRequest) {
	s.classCSV(w, r, c, "devices", func() ([][]string, error) { return c.DeviceResults(), nil })
}
