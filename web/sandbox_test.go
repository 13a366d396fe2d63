package web_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/engines"
	"litmuscope/solver/pool"
	"litmuscope/web"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/server"
	"litmuscope/web/webtest"
)

// failing is a Runner and a Sandbox that fail, unless there is no error.
type failing struct {
	webtest.InProcess
	run, inspect, draw, ring error
}

func (f failing) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	t := q.(solver.Task)
	if f.run != nil {
		return nil, f.run
	}
	return engines.Run(ctx, t)
}

func (f failing) Do(ctx context.Context, w pool.Work, question, into any) error {
	err := map[string]error{
		childwork.Inspecting.Title: f.inspect, childwork.Drawing.Title: f.draw,
		childwork.Ringing.Title: f.ring,
	}[w.Name()]
	if err != nil {
		return err
	}
	return f.InProcess.Do(ctx, w, question, into)
}

// What goes wrong in a child is a problem, with a status and words for whoever asked, and
// no more than that.
func TestFaultsOfChildren(t *testing.T) {
	crashed := &solver.Died{Crashed: true, How: "panic: index out of range"}
	killed := &solver.Died{How: "signal: killed"}
	for _, c := range []struct {
		what   string
		f      failing
		status int
		retry  string
		text   string
		logged bool
	}{
		{"crash", failing{run: crashed}, 500, "", "Its log says why", true},
		{"kill", failing{run: killed}, 503, "1", "stopped the worker", false},
		{
			"full",
			failing{run: &solver.Busy{RetryAfter: 7 * time.Second}},
			503, "7",
			"Too many questions are waiting", false,
		},
		{"crash in reading", failing{inspect: crashed}, 500, "", "Its log says why", true},
		{"kill in reading", failing{inspect: killed}, 503, "1", "stopped the worker", false},
		{
			"too much to read",
			failing{inspect: &solver.Limited{Reason: "time limit of 5s reached"}},
			422, "",
			"Reading the question was stopped: time limit of 5s reached.", false,
		},
		{"too much to draw", failing{draw: &solver.Limited{Reason: "time limit of 5s reached"}}, 200, "", "", false},
		{"crash in drawing", failing{draw: crashed}, 200, "", "", true},
	} {
		var log bytes.Buffer
		config := webtest.TestConfig(c.f)
		config.Sandbox, config.Log = c.f, slog.New(slog.NewTextHandler(&log, nil))
		h, err := web.New(config)
		if err != nil {
			t.Fatal(err)
		}
		source := webtest.ClassicSource(t, "SB")
		var got struct{ Detail string }
		w := call(t, h, http.MethodPost, "/api/v1/explore",
			bodyOf(t, map[string]any{"source": source, "models": []string{"tso"}}), &got)
		if w.Code != c.status || w.Header().Get("Retry-After") != c.retry || !strings.Contains(got.Detail, c.text) {
			t.Errorf("%s, REST: %d, Retry-After %q, %q", c.what, w.Code, w.Header().Get("Retry-After"), got.Detail)
		}
		w = post(h, "/picture", url.Values{"source": {source}, "column": {"tso"}}, false)
		want := c.text
		switch {
		case c.what == "too much to draw":
			want = "Drawing this execution was stopped: time limit of 5s reached"
		case c.what == "crash in drawing":
			want = "could not draw this execution"
		}
		if w.Code != c.status || w.Header().Get("Retry-After") != c.retry ||
			!strings.Contains(w.Body.String(), strings.ReplaceAll(want, "'", "&#39;")) &&
				!strings.Contains(w.Body.String(), want) {
			t.Errorf("%s, page: %d, Retry-After %q, %.500s", c.what, w.Code, w.Header().Get("Retry-After"), w.Body)
		}
		if strings.Contains(log.String(), "level=ERROR") != c.logged {
			t.Errorf("%s: logged %s", c.what, log.String())
		}
		if strings.Contains(w.Body.String(), "index out of range") {
			t.Errorf("%s tells the visitor of it: %s", c.what, w.Body)
		}
	}
}

// noting is a Runner and a Sandbox that note what they are asked.
type noting struct {
	webtest.InProcess
	mu        sync.Mutex
	tasks     []solver.Task
	questions []engines.Question
}

func (n *noting) Run(ctx context.Context, q solver.Question) (solver.Answer, error) {
	t := q.(solver.Task)
	n.mu.Lock()
	n.tasks = append(n.tasks, t)
	n.mu.Unlock()
	return engines.Run(ctx, t)
}

func (n *noting) Do(ctx context.Context, w pool.Work, question, into any) error {
	if q, ok := question.(engines.Question); ok {
		n.mu.Lock()
		n.questions = append(n.questions, q)
		n.mu.Unlock()
	}
	return n.InProcess.Do(ctx, w, question, into)
}

// A question is read once, however many models it names, and runs once under each.
func TestModelsAreAskedOnce(t *testing.T) {
	var invented []string
	for i := range 32 {
		invented = append(invented, fmt.Sprintf("mine%d", i))
	}
	for _, c := range []struct {
		models []string
		text   string
		want   string // the tasks' models, or the problem
	}{
		{[]string{"tso", "sc", "TSO", "tso", "sc"}, "", "tso sc"},
		{[]string{"mine", "sc", "mine"}, "acyclic po | rf", "mine sc"},
		{invented, "acyclic po | rf", `Neither "mine0" nor "mine1" is a built-in model, and model_text can define only one of them.`},
		{invented, "", `Neither "mine0" nor "mine1" is a built-in model, and model_text can define only one of them.`},
		{[]string{"mine"}, "", `Unknown model "mine": want one of`},
		{nil, "acyclic po | rf", "own"},
		{nil, "", ""},
	} {
		n := &noting{}
		config := webtest.TestConfig(n)
		config.Sandbox = n
		h, err := web.New(config)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Detail  string
			Results []solver.Result
		}
		call(t, h, http.MethodPost, "/api/v1/explore", bodyOf(t, map[string]any{
			"source": webtest.ClassicSource(t, "SB"), "models": c.models, "model_text": c.text,
		}), &got)
		if got.Detail != "" {
			if c.want == "" || !strings.HasPrefix(got.Detail, c.want) || len(n.tasks) > 0 {
				t.Errorf("%v: %q, %d tasks", c.models, got.Detail, len(n.tasks))
			}
			continue
		}
		asked := strings.Fields(c.want)
		if len(asked) == 0 {
			asked = []string{""}
		}
		if len(n.questions) != 1 || len(n.tasks) != len(asked) || len(got.Results) != len(asked) ||
			strings.Join(n.questions[0].Models, " ") != c.want {
			t.Errorf("%v: read %d times, %d tasks, %d results", c.models, len(n.questions), len(n.tasks),
				len(got.Results))
		}
	}
}

// No client gets past the server's ceilings.
func TestCeilings(t *testing.T) {
	config := webtest.TestConfig(idle)
	n := &noting{}
	config.Runner, config.Sandbox = n, n
	most := &config.Limits.Options
	most.Timeout, most.States, most.K = 2*time.Second, 3, 5
	config.Limits.Source = 1000
	h, err := web.New(config)
	if err != nil {
		t.Fatal(err)
	}
	source := webtest.ClassicSource(t, "SB")
	var got struct {
		Detail  string
		Results []solver.Result
	}
	ask := func(options map[string]any, engine string) solver.Options {
		t.Helper()
		n.tasks = nil
		call(t, h, http.MethodPost, "/api/v1/explore",
			bodyOf(t,
				map[string]any{"source": source, "models": []string{"tso"}, "engine": engine, "options": options}),
			&got)
		if len(n.tasks) != 1 {
			t.Fatal(got.Detail)
		}
		return n.tasks[0].Options
	}
	o := ask(map[string]any{"timeout": "0", "memory": 0, "unroll": 64, "states": 1 << 30, "executions": 1 << 30}, "")
	if o.Timeout != 2*time.Second || o.Memory != server.DefaultLimits().Options.Memory ||
		o.Unroll != server.DefaultLimits().Options.Unroll || o.States != 3 ||
		o.Executions != server.DefaultLimits().Options.Executions {
		t.Errorf("%+v", o)
	}
	o = ask(map[string]any{"timeout": "1s", "memory": 100, "rounds": 1 << 10, "buffer": 0}, "tso-sma")
	if o.Timeout != time.Second || o.Memory != 100 || o.Rounds != server.DefaultLimits().Options.Rounds ||
		o.Buffer != 0 {
		t.Errorf("%+v", o)
	}
	if o = ask(map[string]any{"k": 1000}, "k-round"); o.K != 5 {
		t.Errorf("%+v", o)
	}
	for what, body := range map[string]map[string]any{
		"The test is longer":  {"source": source + strings.Repeat(" ", 1000)},
		"The model is longer": {"source": source, "model_text": "acyclic po" + strings.Repeat(" ", 1000)},
	} {
		if w := call(t, h, http.MethodPost, "/api/v1/explore", bodyOf(t, body),
			&got); w.Code != http.StatusUnprocessableEntity || !strings.HasPrefix(got.Detail, what) {
			t.Errorf("%d: %s, want %s", w.Code, got.Detail, what)
		}
	}
}
