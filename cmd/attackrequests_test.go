package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"litmuscope/litmus/catalogue"
)

// single is one request that once stopped a server or delayed all other clients.
type single struct {
	name   string
	before string // what the request took on two cores before the server bounded it
	begin  func(ctx context.Context, a *attacker) (status int, text string)
	want   int // status
}

// post sends one request and returns its answer.
func (a *attacker) post(ctx context.Context, method, path, kind string, body io.Reader) (int, string) {
	r, err := http.NewRequestWithContext(ctx, method, a.url+path, body)
	if err != nil {
		panic(err)
	}
	r.Header.Set("Content-Type", kind)
	r.Header.Set("X-Forwarded-For", "172.16.1.1")
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	w, err := client.Do(r)
	if err != nil {
		return 0, err.Error()
	}
	defer w.Body.Close()
	text, _ := io.ReadAll(io.LimitReader(w.Body, 1<<20))
	return w.StatusCode, string(text)
}

// form returns a form that uploads files, keyed by the form's field names.
func form(files map[string]string) (kind string, body io.Reader) {
	var b bytes.Buffer
	form := multipart.NewWriter(&b)
	for name, text := range files {
		w, err := form.CreateFormFile(name, name+".txt")
		if err == nil {
			_, err = io.WriteString(w, text)
		}
		if err != nil {
			panic(err)
		}
	}
	form.Close()
	return form.FormDataContentType(), &b
}

const deckQuestion = "\n```question\nWhich?\n( ) one\n(x) two\n```\n"

// manyRows returns a log of n rows of one test, each under another model.
func manyRows(n int, model string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b,
			`{"path":"t.litmus","name":"T","model":"%s%d","status":"ok","verdict":"allowed","states":[]}`+"\n", model,
			i)
	}
	return b.String()
}

// singles returns these requests.
func singles() []single {
	deck := func(text string) func(context.Context, *attacker) (int, string) {
		return func(ctx context.Context, a *attacker) (int, string) {
			kind, body := form(map[string]string{"deck": text})
			return a.post(ctx, http.MethodPost, "class/deck", kind, body)
		}
	}
	send := func(path string, v any) func(context.Context, *attacker) (int, string) {
		return func(ctx context.Context, a *attacker) (int, string) {
			return a.post(ctx, http.MethodPost, path, "application/json", bytes.NewReader(body(v)))
		}
	}
	get := func(path string) func(context.Context, *attacker) (int, string) {
		return func(ctx context.Context, a *attacker) (int, string) {
			return a.post(ctx, http.MethodGet, path, "", nil)
		}
	}
	compare := func(ctx context.Context, a *attacker) (int, string) {
		kind, body := form(map[string]string{"a": manyRows(40_000, "a"), "b": manyRows(40_000, "b")})
		return a.post(ctx, http.MethodPost, "api/v1/compare", kind, body)
	}
	const test = "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n" +
		"exists (0:EAX=0 /\\ 1:EAX=0)\n"
	return []single{
		{
			"a deck with a table of 900 columns and 5,000 rows", "1.3 GiB",
			deck("|" + strings.Repeat("a|", 900) + "\n|" + strings.Repeat("-|", 900) + "\n" +
				strings.Repeat("|\n", 5000) + deckQuestion), http.StatusUnprocessableEntity,
		},
		{
			"a formula of 2 kB that defines macros", "229 s",
			deck("$\\def\\a{" + strings.Repeat("x", 900) + "}" + strings.Repeat("\\a", 450) + "$\n" + deckQuestion),
			http.StatusUnprocessableEntity,
		},
		{"two logs of 4.5 MB with a model a row", "87 s", compare, http.StatusOK},
		{
			"a search for 56 kB of words in the catalogue", "6 s",
			get("catalogue?q=" + url.QueryEscape(strings.Repeat("a ", 28_000))), http.StatusOK,
		},
		{
			"a relaxation with 14 stars", "exponential",
			send("api/v1/generate", map[string]any{"arch": "X86", "cycle": "Pod" + strings.Repeat("*", 14) + " Fre"}),
			http.StatusUnprocessableEntity,
		},
		{
			"a vertical tab before the header", "a crash, 500",
			send("api/v1/explore", map[string]any{"source": "\v" + test, "models": []string{"tso"}}), http.StatusOK,
		},
		{
			"a form feed before the header", "a crash, 500",
			send("api/v1/explore", map[string]any{"source": "\f\n" + test}), http.StatusOK,
		},
		{
			"a program that includes __FILE__", "a panic's text",
			send("api/v1/verify", map[string]any{"source": "#include __FILE__\nint main(void) { return 0; }\n"}),
			http.StatusUnprocessableEntity,
		},
	}
}

// panics matches the text of a Go panic, which no visitor may see.
var panics = regexp.MustCompile(`runtime error|goroutine|index out of range|nil pointer|panic`)

// TestSingleRequests sends each request that once stopped a server. It prints the time that the request took then and
// takes now, the server's memory meanwhile, and how long another client waits for a cached answer.
func TestSingleRequests(t *testing.T) {
	if *attackTime == 0 {
		t.Skip("takes -attacks TIME (task attacks)")
	}
	s := startServer(t, t.TempDir(), "--trust-proxy", "127.0.0.1", "--log-format", "text", "--rate", "0")
	known := catalogue.All()[0].Source
	client := &http.Client{Timeout: time.Minute}
	if err := explore(client, s.url, "10.0.0.1", known); err != nil {
		t.Fatal(err)
	}
	time.Sleep(time.Second) // until the cache has that
	t.Logf("%-52s %14s %10s %8s %10s %6s", "one request", "before", "now", "MiB", "others", "status")
	for _, one := range singles() {
		if !strings.Contains(one.name, *attackOnly) {
			continue
		}
		a := &attacker{url: s.url, answered: map[int]int{}}
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		var longest time.Duration
		memory := int64(0)
		beside, end := context.WithCancel(ctx)
		var all sync.WaitGroup
		all.Go(func() {
			for beside.Err() == nil {
				began := time.Now()
				if err := explore(client, s.url, "10.0.0.2", known); err != nil {
					t.Errorf("%s: somebody else has no answer: %v", one.name, err)
				}
				longest = max(longest, time.Since(began))
				memory = max(memory, resident(s.Process.Pid))
				time.Sleep(50 * time.Millisecond)
			}
		})
		began := time.Now()
		status, text := one.begin(ctx, a)
		took := time.Since(began)
		end()
		all.Wait()
		cancel()
		t.Logf("%-52s %14s %10v %8d %10v %6d", one.name, one.before, took.Round(time.Millisecond), memory>>20,
			longest.Round(time.Millisecond), status)
		if status != one.want {
			t.Errorf("%s: status %d, want %d: %.300s", one.name, status, one.want, text)
		}
		if said := panics.FindString(text); said != "" {
			t.Errorf("%s: a visitor sees %q: %.300s", one.name, said, text)
		}
	}
}

// TestScreensOfOneAddress opens 150 screens of a class from one address, and then a projector from the same address and
// the teacher's page.
func TestScreensOfOneAddress(t *testing.T) {
	if *attackTime == 0 {
		t.Skip("takes -attacks TIME (task attacks)")
	}
	s := startServer(t, t.TempDir(), "--trust-proxy", "127.0.0.1", "--log-format", "text", "--rate", "0")
	a := &attacker{url: s.url}
	kind, deck := form(map[string]string{"deck": deckQuestion})
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, s.url+"class/deck", deck)
	r.Header.Set("Content-Type", kind)
	r.Header.Set("X-Forwarded-For", "172.16.1.1")
	client := http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	w, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	w.Body.Close()
	teach := strings.TrimPrefix(w.Header.Get("Location"), "/")
	_, page := a.post(t.Context(), http.MethodGet, teach, "", nil)
	code := regexp.MustCompile(`/class/([A-Z0-9-]+)/screen`).FindStringSubmatch(page)
	if code == nil {
		t.Fatalf("the teacher's page leads to no screen: %d, %s", w.StatusCode, teach)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	streams := map[int]int{}
	follow := func(path string) int {
		r, _ := http.NewRequestWithContext(ctx, http.MethodGet, s.url+path, nil)
		r.Header.Set("X-Forwarded-For", "172.16.1.1")
		w, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0
		}
		return w.StatusCode
	}
	for range 150 {
		streams[follow("class/"+code[1]+"/screen/events")]++
	}
	projector, teacher := follow("class/"+code[1]+"/screen/events"), follow(teach+"/events")
	t.Logf("150 screens from one address: %v; then the projector there: %d, the teacher: %d (before: both 503)",
		streams, projector, teacher)
	if projector != http.StatusOK || teacher != http.StatusOK {
		t.Error("the projector or the teacher is shut out")
	}
}

// startUp is the time until the queue knows that fifty clients which begin at once are heavy. Until then it must serve
// each of them once, like any client.
const startUp = 10 * time.Second

// TestHeavyClients runs fifty clients that ask very long questions, one after another. It prints how long other clients
// wait for new and for cached small answers meanwhile.
func TestHeavyClients(t *testing.T) {
	if *attackTime == 0 {
		t.Skip("takes -attacks TIME (task attacks)")
	}
	s := startServer(t, t.TempDir(), "--trust-proxy", "127.0.0.1", "--log-format", "text", "--rate", "0",
		"--connections", "2000")
	ctx, cancel := context.WithTimeout(t.Context(), startUp+max(*attackTime, 10*time.Second))
	defer cancel()
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}, Timeout: 2 * time.Minute}
	small := slices.DeleteFunc(catalogue.All(), func(e catalogue.Entry) bool {
		return e.Arch != "X86" || len(e.Source) > 400 || strings.Contains(e.Source, "JNE")
	})
	known := small[0].Source
	if err := explore(client, s.url, "10.0.0.1", known); err != nil {
		t.Fatal(err)
	}
	heavy := hard(t)
	var all sync.WaitGroup
	var number, asked atomic.Int64
	for i := range 50 {
		all.Go(func() {
			for ctx.Err() == nil {
				text, _ := json.Marshal(map[string]any{
					"source": unheard(heavy, int(number.Add(1))), "models": []string{"tso"},
					"options": map[string]any{"timeout": "1s", "states": 100_000},
				})
				r, _ := http.NewRequestWithContext(ctx, http.MethodPost, s.url+"api/v1/explore", bytes.NewReader(text))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("X-Forwarded-For", fmt.Sprintf("172.16.2.%d", i+1))
				if w, err := client.Do(r); err == nil {
					_, _ = io.Copy(io.Discard, w.Body)
					w.Body.Close()
					asked.Add(1)
				}
			}
		})
	}
	began := time.Now()
	waits := map[string][]time.Duration{}
	for n := 0; ctx.Err() == nil; n++ {
		while := ""
		if time.Since(began) < startUp {
			while = ", while all are newcomers"
		}
		for what, source := range map[string]string{
			"new": unheard(small[rand.IntN(len(small))].Source, int(number.Add(1))), "cached": known,
		} {
			began := time.Now()
			if err := explore(client, s.url, fmt.Sprintf("10.3.%d.%d", n/250, n%250+1), source); err != nil {
				t.Errorf("%s: %v", what, err)
			}
			waits[what+while] = append(waits[what+while], time.Since(began))
		}
		time.Sleep(50 * time.Millisecond)
	}
	all.Wait()
	for _, what := range slices.Sorted(maps.Keys(waits)) {
		slices.Sort(waits[what])
		at := func(share float64) time.Duration {
			return waits[what][int(share*float64(len(waits[what])-1))].Round(100 * time.Microsecond)
		}
		t.Logf("beside 50 heavy clients (%d answers): %d small questions, %s: p50 %v, p99 %v, longest %v", asked.Load(),
			len(waits[what]), what, at(0.5), at(0.99), at(1))
	}
	t.Log("before: new p99 13s; wanted on an idle machine: new p99 1s, cached 50ms")
}
