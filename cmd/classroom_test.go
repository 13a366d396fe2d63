package cmd

import (
	"bufio"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"litmuscope/litmus/catalogue"
	"litmuscope/web/api/client"
)

var (
	classTime = flag.Duration("classroom", 0, "how long TestClassroom has students vote; 0 leaves it out")
	students  = flag.Int("students", 200, "how many students there are in TestClassroom")
)

// echoLimit is the largest time until a vote is acknowledged, for 99 of 100 votes.
const echoLimit = 250 * time.Millisecond

// TestClassroom lets a lecture hall behind one address vote while a suite runs: all at once when the question opens,
// and then again and again. It prints the time until a vote is acknowledged and until the projector shows it, and the
// server's memory. It fails if a vote is lost or acknowledged too late.
func TestClassroom(t *testing.T) {
	if *classTime == 0 {
		t.Skip("takes -classroom TIME (task classroom)")
	}
	s := startServer(t, t.TempDir(), "--log-format", "text")
	base := strings.TrimSuffix(s.url, "/")
	c, err := client.New(base, "")
	if err != nil {
		t.Fatal(err)
	}
	big := fill(t, c)

	lecturer := newStudent(t, base)
	sb, _ := catalogue.Find("SB")
	teach, body := lecturer.post("/class/open", url.Values{
		"source": {sb.Source}, "model": {"sc", "tso"}, "ask": {"sc", "tso"}, "row": {`{"0:EAX":"0","1:EAX":"0"}`},
	}, http.StatusOK)
	join := "/class/" + regexp.MustCompile(`data-code="(\w+)"`).FindStringSubmatch(body)[1]
	drive := func(do string) {
		t.Helper()
		lecturer.script("/class/teach/"+strings.TrimPrefix(teach, "/class/teach/")+"/do", url.Values{"do": {do}},
			http.StatusNoContent)
	}

	before := residentAlone(t, s.Process.Pid)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	hall := make([]*student, *students)
	var group sync.WaitGroup
	for i := range hall {
		group.Go(func() {
			hall[i] = newStudent(t, base)
			hall[i].get(join)
			go hall[i].listen(ctx, join+"/events")
		})
	}
	group.Wait()
	screen := newStudent(t, base)
	go screen.listen(ctx, join+"/screen/events")
	screen.hears(t, fmt.Sprintf("<b>%d</b> here", *students))

	drive("open")
	for _, st := range hall {
		st.hears(t, "Can this happen?")
	}
	memory, alone := int64(0), int64(0)
	watch, watched := context.WithCancel(ctx)
	watching := make(chan struct{})
	go func() {
		defer close(watching)
		for watch.Err() == nil {
			memory, alone = max(memory, resident(s.Process.Pid)), max(alone, residentAlone(t, s.Process.Pid))
			time.Sleep(200 * time.Millisecond)
		}
	}()
	// Everybody votes within a second.
	for _, st := range hall {
		group.Go(func() {
			time.Sleep(time.Duration(rand.Float64() * float64(time.Second)))
			st.vote(join, 1)
		})
	}
	group.Wait()
	var echoes, all []time.Duration
	for _, st := range hall {
		echoes = append(echoes, st.echoes...)
	}
	spread(t, "all at once, a vote's echo", echoes)
	spread(t, "all at once, on the screen", screenDelays(hall, screen))
	all = append(all, echoes...)

	drive("discuss")
	drive("open")
	until := time.Now().Add(*classTime)
	for _, st := range hall {
		st.echoes, st.acked = nil, nil
		group.Go(func() {
			for {
				time.Sleep(time.Duration(rand.Float64() * float64(4*time.Second)))
				if time.Now().After(until) {
					return
				}
				st.vote(join, 2)
			}
		})
	}
	group.Wait()
	watched()
	<-watching
	echoes = nil
	for _, st := range hall {
		echoes = append(echoes, st.echoes...)
	}
	spread(t, "over and over, a vote's echo", echoes)
	all = append(all, echoes...)
	at99 := spread(t, "altogether, a vote's echo", all)
	t.Logf("%d students, %d votes; at most %d MiB in the server's own process, %d before the class came, and %d "+
		"with those that run the suite",
		*students, len(all), alone>>20, before>>20, memory>>20)
	if at99 > echoLimit {
		t.Errorf("p99 of a vote's echo is %v, more than %v", at99, echoLimit)
	}

	drive("reveal")
	for _, st := range hall {
		st.hears(t, "your answer", "you answered")
	}
	// The last acknowledged vote counts.
	want := map[string]int{}
	for _, st := range hall {
		if st.last != "" {
			want[st.last]++
		}
	}
	_, body = lecturer.get("/class/teach/" + strings.TrimPrefix(teach, "/class/teach/") + "/results.csv")
	for n, answer := range []string{"allowed", "forbidden"} {
		line := fmt.Sprintf("2,SC,%s,", answer)
		_, rest, _ := strings.Cut(body, line)
		fields := strings.Split(rest, ",")
		if len(fields) < 2 || fields[1] != strconv.Itoa(want[fmt.Sprint(n, " ", n)]) {
			t.Errorf("%d acknowledged votes for %s; results:\n%s", want[fmt.Sprint(n, " ", n)], answer, body)
		}
	}
	after, err := c.Suite(t.Context(), big.ID)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the suite ran on: %d of %d rows, %s", after.Done, after.Rows, after.State)
	if after.State != client.Running {
		t.Error("the suite was done before the class was: the figures say nothing")
	}
	if _, err := c.Cancel(t.Context(), big.ID); err != nil {
		t.Error(err)
	}
}

// TestClassroomExercise lets a lecture hall behind one address solve exercises while a suite runs. The first exercise
// has few places, so that most tries are equal; the second has thousands of possible tries. The test prints the time to
// check a try, and fails if a solution does not count.
func TestClassroomExercise(t *testing.T) {
	if *classTime == 0 {
		t.Skip("takes -classroom TIME (task classroom)")
	}
	s := startServer(t, t.TempDir(), "--log-format", "text")
	base := strings.TrimSuffix(s.url, "/")
	c, err := client.New(base, "")
	if err != nil {
		t.Fatal(err)
	}
	big := fill(t, c)
	lecturer := newStudent(t, base)
	hall := make([]*student, *students)
	var group sync.WaitGroup
	for i := range hall {
		hall[i] = newStudent(t, base)
	}
	for _, round := range []struct {
		lesson          string
		places, choices int
		within, pause   time.Duration
	}{
		{"fences", 2, 4, time.Second, 0},
		{"dekker-peterson", 6, 4, *classTime, 20 * time.Second},
	} {
		teach, body := lecturer.post("/class/open", url.Values{"lesson": {round.lesson}}, http.StatusOK)
		join := "/class/" + regexp.MustCompile(`data-code="(\w+)"`).FindStringSubmatch(body)[1]
		item := 0
		for ; ; item++ { // the question that has so many places
			lecturer.script(teach+"/do", url.Values{"do": {fmt.Sprint("goto:", item)}}, http.StatusNoContent)
			lecturer.script(teach+"/do", url.Values{"do": {"open"}}, http.StatusNoContent)
			if _, page := newStudent(t, base).get(join); strings.Contains(page, "ballot edits") &&
				strings.Count(page, `<fieldset class="place`) == round.places {
				break
			}
		}
		var mu sync.Mutex
		var judged []time.Duration
		done := 0
		for _, st := range hall {
			group.Go(func() {
				st.get(join)
				until, does := time.Now().Add(round.within), false
				for {
					time.Sleep(time.Duration(rand.Float64() * float64(max(round.pause, round.within))))
					if round.pause > 0 && time.Now().After(until) {
						break
					}
					ballot := make([]string, round.places)
					for p := range ballot {
						ballot[p] = strconv.Itoa(rand.IntN(round.choices))
					}
					began := time.Now()
					answer := st.script(join+"/vote", url.Values{
						"item": {strconv.Itoa(item)}, "round": {"1"}, "ballot": {strings.Join(ballot, " ")},
						"made": {strconv.FormatInt(began.UnixMilli(), 10)},
					}, http.StatusOK)
					took := time.Since(began)
					var said struct{ Tried struct{ Mark string } }
					if err := json.Unmarshal([]byte(answer), &said); err != nil || said.Tried.Mark == "" {
						t.Errorf("tried %s, the answer is %q: %v", ballot, answer, err)
					}
					does = does || said.Tried.Mark == "right" || said.Tried.Mark == "more"
					mu.Lock()
					judged = append(judged, took)
					mu.Unlock()
					if round.pause == 0 {
						break
					}
				}
				if does {
					mu.Lock()
					done++
					mu.Unlock()
				}
			})
		}
		group.Wait()
		spread(t, round.lesson+", a try is judged", judged)
		if _, page := newStudent(t, base).get(join + "/screen"); !strings.Contains(page,
			fmt.Sprintf("<b>%d</b> solved it", done)) {
			t.Errorf("%s: %d have done it; the screen has\n%s", round.lesson, done, page)
		}
	}
	if after, err := c.Suite(t.Context(), big.ID); err != nil || after.State != client.Running {
		t.Errorf("the suite was done before the class was: the figures say nothing: %v, %v", after, err)
	}
	if _, err := c.Cancel(t.Context(), big.ID); err != nil {
		t.Error(err)
	}
}

// residentAlone returns the memory of a process without its children, in bytes.
func residentAlone(t *testing.T, pid int) int64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 2 {
		t.Errorf("memory: %v %q", err, text)
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		t.Error(err)
	}
	return pages * int64(os.Getpagesize())
}

// spread prints the distribution of delays and returns the 99th percentile.
func spread(t *testing.T, what string, d []time.Duration) time.Duration {
	t.Helper()
	if len(d) == 0 {
		t.Errorf("%s: nothing was measured", what)
		return 0
	}
	d = slices.Sorted(slices.Values(d))
	at := func(share float64) time.Duration {
		return d[int(share*float64(len(d)-1))].Round(100 * time.Microsecond)
	}
	t.Logf("%s: %d: median %v, p90 %v, p99 %v, longest %v", what, len(d), at(0.5), at(0.9), at(0.99), at(1))
	return d[int(0.99*float64(len(d)-1))]
}

// screenDelays returns for each student the time from the acknowledgement of the first vote until the screen shows it.
func screenDelays(hall []*student, screen *student) []time.Duration {
	var acked []time.Time
	for _, st := range hall {
		acked = append(acked, st.acked[0])
	}
	slices.SortFunc(acked, time.Time.Compare)
	time.Sleep(time.Second)
	screen.mu.Lock()
	defer screen.mu.Unlock()
	var out []time.Duration
	for n, when := range acked {
		i := slices.IndexFunc(screen.counts, func(c counted) bool { return c.votes > n })
		if i < 0 {
			out = append(out, time.Since(when)) // never
			continue
		}
		out = append(out, max(0, screen.counts[i].at.Sub(when)))
	}
	return out
}

// student is a browser in the hall, or another browser that follows the class.
type student struct {
	t    *testing.T
	base string
	*http.Client
	echoes []time.Duration
	acked  []time.Time
	last   string // the ballot that was acknowledged last

	mu     sync.Mutex
	heard  string // the page's last state
	counts []counted
}

// counted is the number of votes that a screen has shown since a moment.
type counted struct {
	votes int
	at    time.Time
}

func newStudent(t *testing.T, base string) *student {
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &student{t: t, base: base, Client: &http.Client{Jar: jar, Transport: &http.Transport{}}}
}

func (s *student) do(r *http.Request, want int) (at, body string) {
	s.t.Helper()
	w, err := s.Do(r)
	if err != nil {
		s.t.Error(err)
		return "", ""
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	if err != nil || w.StatusCode != want {
		s.t.Errorf("%s: status %d, want %d, %v: %.300s", r.URL.Path, w.StatusCode, want, err, text)
	}
	return w.Request.URL.Path, string(text)
}

func (s *student) get(path string) (at, body string) {
	s.t.Helper()
	r, err := http.NewRequest(http.MethodGet, s.base+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	return s.do(r, http.StatusOK)
}

func (s *student) form(path string, form url.Values) *http.Request {
	r, err := http.NewRequest(http.MethodPost, s.base+path, strings.NewReader(form.Encode()))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return r
}

func (s *student) post(path string, form url.Values, want int) (at, body string) {
	s.t.Helper()
	return s.do(s.form(path, form), want)
}

// script sends a POST request like a page's script.
func (s *student) script(path string, form url.Values, want int) string {
	s.t.Helper()
	r := s.form(path, form)
	r.Header.Set("X-Page-Nonce", "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	_, body := s.do(r, want)
	return body
}

// vote casts a random vote and records the time until it is acknowledged.
func (s *student) vote(join string, round int) {
	n := rand.IntN(2)
	ballot := fmt.Sprint(n, " ", n)
	began := time.Now()
	body := s.script(join+"/vote", url.Values{
		"item": {"0"}, "round": {strconv.Itoa(round)}, "ballot": {ballot},
		"made": {strconv.FormatInt(began.UnixMilli(), 10)},
	}, http.StatusOK)
	now := time.Now()
	s.echoes, s.acked = append(s.echoes, now.Sub(began)), append(s.acked, now)
	var echo struct{ Ballot string }
	if err := json.Unmarshal([]byte(body), &echo); err != nil || echo.Ballot != ballot {
		s.t.Errorf("voted %s, the echo is %q: %v", ballot, body, err)
	}
	s.last = ballot
}

var votesShown = regexp.MustCompile(`<b>(\d+)</b> of`)

// listen reads a class's events until the context ends.
func (s *student) listen(ctx context.Context, path string) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.base+path, nil)
	if err != nil {
		s.t.Error(err)
		return
	}
	w, err := s.Do(r)
	if err != nil {
		if ctx.Err() == nil {
			s.t.Error(err)
		}
		return
	}
	defer w.Body.Close()
	lines := bufio.NewScanner(w.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		var e struct{ HTML string }
		if err := json.Unmarshal([]byte(data), &e); err != nil {
			s.t.Errorf("an event is %.200q: %v", data, err)
			return
		}
		s.mu.Lock()
		s.heard = e.HTML
		if m := votesShown.FindStringSubmatch(e.HTML); m != nil {
			n, _ := strconv.Atoi(m[1]) // they are digits
			s.counts = append(s.counts, counted{n, time.Now()})
		}
		s.mu.Unlock()
	}
	if ctx.Err() == nil {
		s.t.Errorf("%s has ended: %v", path, lines.Err())
	}
}

// hears waits until a page contains one of some texts.
func (s *student) hears(t *testing.T, any ...string) {
	t.Helper()
	for ; t.Context().Err() == nil; time.Sleep(10 * time.Millisecond) {
		s.mu.Lock()
		heard := s.heard
		s.mu.Unlock()
		if slices.ContainsFunc(any, func(text string) bool { return strings.Contains(heard, text) }) {
			return
		}
	}
}
