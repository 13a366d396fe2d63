package cmd

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/web/api/client"
	"litmuscope/web/api/rest"
)

// post sends a request from an address.
func (s *soak) post(path, kind, from string, body []byte) *http.Request {
	method := http.MethodPost
	if kind == "" {
		method = http.MethodGet
	}
	r, err := http.NewRequest(method, s.url+path, bytes.NewReader(body))
	if err != nil {
		panic(err) // BUG: the test's
	}
	r.Header.Set("Content-Type", kind)
	r.Header.Set("X-Forwarded-For", from)
	r.Header.Set("X-Page-Nonce", "ABCDEFGHIJKLMNOPQRSTUVWXYZ") // as a page's scripts do
	return r
}

// address returns an address that no other client has.
func (s *soak) address() string {
	n := s.number.Add(1)
	return fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255)
}

func body(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err) // BUG: the test's
	}
	return text
}

func answered(want int) func(int, []byte) error {
	return func(status int, _ []byte) error {
		if status != want {
			return fmt.Errorf("want %d", want)
		}
		return nil
	}
}

// explored asks one question over REST.
func (s *soak) explored(source string) (status int, text []byte, err error) {
	w, err := http.DefaultClient.Do(
		s.post("api/v1/explore", "application/json", s.address(), body(map[string]string{"source": source})))
	if err != nil {
		return 0, nil, err
	}
	defer w.Body.Close()
	text, err = io.ReadAll(w.Body)
	return w.StatusCode, text, err
}

// person asks about classic tests, some of them new to the server, over REST and on the page.
func (s *soak) person(ctx, end context.Context) {
	c, from := &http.Client{Transport: &http.Transport{}}, s.address()
	for ; ctx.Err() == nil; pause(ctx, 700*time.Millisecond) {
		e := s.tests[rand.IntN(len(s.tests))]
		source, kind := e.Source, "known"
		if rand.IntN(3) == 0 {
			source, kind = unheard(e.Source, int(s.number.Add(1))), "new"
		}
		if rand.IntN(3) == 0 {
			s.ask(end, "page, "+kind, c, func() *http.Request {
				form := url.Values{"source": {source}, "model": {"sc", "tso"}}
				return s.post("explore", "application/x-www-form-urlencoded", from, []byte(form.Encode()))
			}, func(status int, body []byte) error {
				summary := summarised.FindString(string(body))
				if status != http.StatusOK || summary == "" {
					return errors.New("want an answer")
				}
				return s.consistently("page "+e.ID(), summary)
			})
			continue
		}
		s.ask(end, "REST, "+kind, c, func() *http.Request {
			return s.post("api/v1/explore", "application/json", from, body(map[string]string{"source": source}))
		}, func(status int, body []byte) error {
			var out struct{ Results []solver.Result }
			if err := json.Unmarshal(body, &out); err != nil || status != http.StatusOK || len(out.Results) != 1 {
				return errors.New("want an answer")
			}
			if r, want := out.Results[0], s.want[e.ID()]; r.Verdict != want.Verdict ||
				r.Observation != want.Observation || fmt.Sprint(r.States) != fmt.Sprint(want.States) {
				return fmt.Errorf("%s is %s, %s, want %s, %s", e.ID(), r.Verdict, r.Observation, want.Verdict,
					want.Observation)
			}
			return nil
		})
	}
}

var summarised = regexp.MustCompile(`data-summary="[^"]*"`)

// suites submits suites of each kind, and checks all rows of the acknowledged ones.
func (s *soak) suites(ctx, end context.Context) {
	c, err := client.New(s.url, "")
	if err != nil {
		s.Error(err)
		return
	}
	plain := &http.Client{Transport: &http.Transport{}}
	for ; ctx.Err() == nil; pause(ctx, time.Second) {
		salt := int(s.number.Add(1))
		var of []rest.Test
		for _, e := range s.tests {
			of = append(of, rest.Test{Path: e.ID(), Source: unheard(e.Source, salt)})
		}
		id, want, rows := "", s.want, len(of)
		switch kind := rand.IntN(4); kind {
		case 0:
			made, err := c.Submit(end, client.Submission{Name: "zip"}, func(yield func(suite.Entry) bool) {
				for _, e := range of {
					if !yield(suite.Entry{Path: e.Path, Source: e.Source}) {
						return
					}
				}
			})
			if s.mayFail(err) {
				continue
			}
			id = made.ID
		default:
			in := client.Submission{Name: "JSON", Tests: of}
			switch kind {
			case 2:
				in.Tests, in.Family = nil, &rest.Family{Name: "ring", From: 2, To: 6}
			case 3:
				in.Tests, in.Family = nil, &rest.Family{Arch: "X86", Relaxations: relaxations, From: 3, To: 4}
			}
			key := fmt.Sprint("soak-", salt)
			text, ok := s.ask(end, "suite submitted", plain, func() *http.Request {
				r := s.post("api/v1/suites", "application/json", s.address(), body(in))
				r.Header.Set("Idempotency-Key", key)
				return r
			}, func(status int, _ []byte) error {
				if status != http.StatusAccepted && status != http.StatusOK {
					return errors.New("want it taken")
				}
				return nil
			})
			var made client.Suite
			if !ok || json.Unmarshal(text, &made) != nil {
				continue
			}
			if id = made.ID; in.Family != nil {
				want, rows = nil, made.Rows
			}
		}
		s.checkSuite(end, c, id, rows, want)
	}
}

// relaxations make a family of a few dozen cycles.
const relaxations = "Rfe Fre Wse PodWR PodRR PodWW MFencedWR"

// mayFail reports whether something failed. It fails the test if the site was not disturbed meanwhile.
func (s *soak) mayFail(err error) bool {
	if _, calm := s.calm(); err != nil && calm {
		s.Errorf("%s: %v", s.name, err)
	}
	return err != nil
}

// checkSuite waits for a suite, asking again as often as necessary, and checks its rows: they equal the wanted answers
// or, if none are wanted, are all answered.
func (s *soak) checkSuite(ctx context.Context, c *client.Client, id string, rows int, want map[string]*solver.Result) {
	for ctx.Err() == nil {
		before, calm := s.calm()
		err := suiteIs(ctx, c, id, rows, want)
		if err == nil {
			s.mu.Lock()
			s.rows += rows
			s.mu.Unlock()
			return
		}
		if after, still := s.calm(); calm && still && before == after && ctx.Err() == nil {
			s.Errorf("%s: %v", s.name, err)
			return
		}
		pause(ctx, time.Second)
	}
	s.Errorf("%s: suite %s was not done in time", s.name, id)
}

// families makes families of tests on the page, and checks that they are the same each time.
func (s *soak) families(ctx, end context.Context) {
	c, from := &http.Client{Transport: &http.Transport{}}, s.address()
	for ; ctx.Err() == nil; pause(ctx, 3*time.Second) {
		query := url.Values{
			"arch": {"X86"}, "relax": {relaxations}, "from": {"3"},
			"to": {strconv.Itoa(4 + rand.IntN(2))},
		}.Encode()
		s.ask(end, "family", c, func() *http.Request { return s.post("cycles/family.zip?"+query, "", from, nil) },
			func(status int, body []byte) error {
				if status != http.StatusOK {
					return errors.New("want an archive")
				}
				return s.consistently(query, fmt.Sprintf("%x", sha256.Sum256(body)))
			})
	}
}

// message is a program in which one thread sends a message to another, which asserts that it arrives complete.
const message = `#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
int data; atomic_int ready; // %d
void *leave(void *p) { data = 1; atomic_store_explicit(&ready, 1, memory_order_%s); return 0; }
int main(void) {
	pthread_t t;
	pthread_create(&t, 0, leave, 0);
	if (atomic_load_explicit(&ready, memory_order_acquire)) assert(data);
	pthread_join(t, 0);
}
`

// programs verifies small programs that are new to the server.
func (s *soak) programs(ctx, end context.Context) {
	c, from := &http.Client{Transport: &http.Transport{}}, s.address()
	for ; ctx.Err() == nil; pause(ctx, time.Second) {
		order, want := "release", solver.Safe
		if rand.IntN(2) == 0 {
			order, want = "relaxed", solver.Unsafe
		}
		source := fmt.Sprintf(message, s.number.Add(1), order)
		s.ask(end, "program", c, func() *http.Request {
			return s.post("api/v1/verify", "application/json", from,
				body(map[string]any{"source": source, "models": []string{"rc11"}}))
		}, func(status int, body []byte) error {
			var out struct{ Results []solver.Verification }
			if err := json.Unmarshal(body, &out); err != nil || status != http.StatusOK || len(out.Results) != 1 ||
				out.Results[0].Verdict != want {
				return fmt.Errorf("%s: want %s", order, want)
			}
			return nil
		})
	}
}

// counting has four threads that count, each with nested loops. shuffling has two threads that write all over an array.
const (
	counting = `#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int n;
void *add(void *p) {
	for (int i = 0; i < 8; i++) {
		int old = atomic_load(&n);
		while (!atomic_compare_exchange_weak(&n, &old, old + 1));
	}
	return 0;
}
int main(void) {
	pthread_t t[4];
	for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, add, 0);
	for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
	assert(n == 32); // %d
}
`
	shuffling = `#include <pthread.h>
#include <assert.h>
int a[4096];
void *shuffle(void *p) { for (int i = 0; i < 4096; i++) a[(a[i] * 7 + i) & 4095] += i; return 0; }
int main(void) {
	pthread_t t, u;
	pthread_create(&t, 0, shuffle, 0);
	pthread_create(&u, 0, shuffle, 0);
	pthread_join(t, 0);
	pthread_join(u, 0);
	assert(a[17] != 99); // %d
}
`
)

// bombs asks questions that exceed the time or memory limit, and checks that the answers say so.
func (s *soak) bombs(ctx, end context.Context) {
	c, from := &http.Client{Transport: &http.Transport{}}, s.address()
	lamport, err := os.ReadFile("litmus/catalogue/tests/X86/Lamport+mfences.litmus")
	if err != nil {
		s.Error(err)
		return
	}
	for ; ctx.Err() == nil; pause(ctx, 4*time.Second) {
		n := int(s.number.Add(1))
		options := map[string]any{"timeout": "2s", "memory": 256, "unroll": 32}
		path, ask := "api/v1/verify", map[string]any{"options": options}
		switch rand.IntN(4) {
		case 0:
			ask["source"] = fmt.Sprintf(counting, n)
		case 1:
			ask["source"] = fmt.Sprintf(shuffling, n)
		case 2:
			ask["source"] = fmt.Sprintf(shuffling, n)
			options["timeout"], options["memory"] = "20s", 64
		default:
			path, ask["source"], ask["models"], ask["engine"] = "api/v1/explore", unheard(string(lamport), n),
				[]string{"tso"}, "etso"
			options["unroll"] = 6
		}
		s.ask(end, "bomb", c, func() *http.Request { return s.post(path, "application/json", from, body(ask)) },
			func(status int, body []byte) error {
				var out struct {
					Results []struct{ Status, Reason string }
				} // about a program or a test
				if err := json.Unmarshal(body, &out); err != nil || status != http.StatusOK || len(out.Results) != 1 {
					return errors.New("want an answer")
				}
				if r := out.Results[0]; r.Status != string(solver.Unknown) || !strings.Contains(r.Reason, "limit") {
					return errors.New("want a limit that was reached")
				}
				return nil
			})
	}
}

// classes runs one class after the other, in which students change their votes until the time is up. The last
// acknowledged vote of each student counts.
func (s *soak) classes(ctx, end context.Context) {
	sb, _ := catalogue.Find("SB")
	const here = 10
	for ; ctx.Err() == nil; pause(ctx, time.Second) {
		hall := s.address()
		lecturer := newStudent(s.T, strings.TrimSuffix(s.url, "/"))
		const inForm = "application/x-www-form-urlencoded"
		opened := url.Values{
			"source": {sb.Source}, "model": {"sc", "tso"}, "ask": {"sc", "tso"},
			"row": {`{"0:EAX":"0","1:EAX":"0"}`},
		}
		var teach string
		page, ok := s.ask(end, "class opened", lecturer.Client, func() *http.Request {
			r := s.post("class/open", inForm, hall, []byte(opened.Encode()))
			r.Header.Del("X-Page-Nonce")
			return r
		}, answered(http.StatusOK))
		if !ok {
			return
		}
		code := classCode.FindSubmatch(page)
		if code == nil {
			s.Errorf("%s: a class's page has no code: %.500s", s.name, page)
			return
		}
		if m := teaching.FindSubmatch(page); m != nil {
			teach = string(m[0])
		}
		join := "class/" + string(code[1])
		drive := func(do string) {
			tries := 0
			s.ask(end, "class driven", lecturer.Client, func() *http.Request {
				return s.post(teach+"/do", inForm, hall, []byte(url.Values{"do": {do}}.Encode()))
			}, func(status int, _ []byte) error {
				// The server may have received the vote before.
				if tries++; status != http.StatusNoContent && (status != http.StatusConflict || tries == 1) {
					return errors.New("want it done")
				}
				return nil
			})
		}
		drive("open")
		open, closed := context.WithTimeout(ctx, 15*time.Second)
		listening, over := context.WithCancel(end)
		votes := make([]string, here)
		var students, pages sync.WaitGroup
		for i := range here {
			students.Go(func() {
				st := newStudent(s.T, "")
				if _, ok := s.ask(end, "class joined", st.Client,
					func() *http.Request { return s.post(join, "", hall, nil) }, answered(http.StatusOK)); !ok {
					return
				}
				defer st.CloseIdleConnections()
				pages.Go(func() { s.listen(listening, st.Client, join+"/events", hall) })
				for ; open.Err() == nil; pause(open, 2*time.Second) {
					ballot, made := fmt.Sprintf("%d %[1]d", rand.IntN(2)), strconv.FormatInt(time.Now().UnixMilli(), 10)
					form := url.Values{"item": {"0"}, "round": {"1"}, "ballot": {ballot}, "made": {made}}.Encode()
					if _, ok := s.ask(end, "vote", st.Client,
						func() *http.Request { return s.post(join+"/vote", inForm, hall, []byte(form)) },
						func(status int, body []byte) error {
							if status != http.StatusOK || !strings.Contains(string(body), ballot) {
								return fmt.Errorf("want an echo of %s", ballot)
							}
							return nil
						}); ok {
						votes[i] = ballot
					}
				}
			})
		}
		students.Wait()
		closed()
		drive("reveal")
		text, ok := s.ask(end, "class's results", lecturer.Client,
			func() *http.Request { return s.post(teach+"/results.csv", "", hall, nil) }, answered(http.StatusOK))
		over()
		pages.Wait()
		lecturer.CloseIdleConnections()
		if ok {
			s.counted(votes, text)
		}
	}
}

var (
	classCode = regexp.MustCompile(`data-code="(\w+)"`)
	teaching  = regexp.MustCompile(`class/teach/[\w-]+`)
)

// counted compares a class's results with the acknowledged votes.
func (s *soak) counted(votes []string, results []byte) {
	lines, err := csv.NewReader(bytes.NewReader(results)).ReadAll()
	if err != nil {
		s.Errorf("%s: results: %v: %.500s", s.name, err, results)
		return
	}
	want, got := map[string]int{}, map[string]int{}
	for _, v := range votes {
		if v != "" {
			want[v]++
		}
	}
	for _, line := range lines[1:] {
		if len(line) > 7 && line[3] == "1" && line[4] == "SC" {
			n, _ := strconv.Atoi(line[7]) // or 0, which the caller does not want
			got[map[string]string{"allowed": "0 0", "forbidden": "1 1"}[line[5]]] += n
		}
	}
	for _, ballot := range []string{"0 0", "1 1"} {
		if want[ballot] != got[ballot] {
			s.Errorf("%s: %d votes for %s were acknowledged, and %d counted:\n%s", s.name, want[ballot], ballot,
				got[ballot], results)
		}
		s.mu.Lock()
		s.votes += want[ballot]
		s.mu.Unlock()
	}
}

// listen follows a class like a page, which connects again when its stream ends.
func (s *soak) listen(ctx context.Context, c *http.Client, path, from string) {
	for ; ctx.Err() == nil; pause(ctx, time.Second) {
		before, calm := s.calm()
		status := 0
		w, err := c.Do(s.post(path, "", from, nil).WithContext(ctx))
		if err == nil {
			status = w.StatusCode
			_, err = io.Copy(io.Discard, w.Body)
			w.Body.Close()
		}
		if after, still := s.calm(); ctx.Err() == nil && calm && still && before == after {
			s.Errorf("%s: the stream %s has ended: status %d, %v", s.name, path, status, err)
		}
	}
}
