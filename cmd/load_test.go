package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/suite"
	"litmuscope/web/api/client"
)

var (
	loadTime   = flag.Duration("load", 0, "how long TestLoad has people ask; 0 leaves it out")
	loadPeople = flag.Int("people", 200, "how many people there are in TestLoad")
)

// TestLoad simulates many people who explore new tests and pause to look at each answer, on a server that is otherwise
// idle and on one that runs a large suite. It prints the times of answers and the memory used, and fails if a question
// gets no answer.
func TestLoad(t *testing.T) {
	if *loadTime == 0 {
		t.Skip("takes -load TIME (task load)")
	}
	s := startServer(t, t.TempDir(), "--trust-proxy", "127.0.0.1", "--connections", "2000", "--log-format", "text")
	idle := ask(t, s, "idle")
	c, err := client.New(strings.TrimSuffix(s.url, "/"), "")
	if err != nil {
		t.Fatal(err)
	}
	big := fill(t, c)
	busy := ask(t, s, "with a suite")
	after, err := c.Suite(t.Context(), big.ID)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the suite ran on: %d of %d rows, %s", after.Done, after.Rows, after.State)
	if after.State != client.Running {
		t.Error("the suite was done before people were: the second line says nothing")
	}
	t.Logf("p99 with a suite: %.2f of that without", float64(busy)/float64(idle))
	if _, err := c.Cancel(t.Context(), big.ID); err != nil {
		t.Error(err)
	}
}

// fill submits a suite that takes longer than the measurement.
func fill(t *testing.T, c *client.Client) *client.Suite {
	t.Helper()
	big, err := c.Submit(t.Context(), client.Submission{Name: "load", Models: []string{"sc", "tso", "pso"}},
		func(yield func(suite.Entry) bool) {
			for i := range 100 {
				for _, e := range catalogue.All() {
					if e.Arch == "X86" && !yield(suite.Entry{Path: e.ID(), Source: unheard(e.Source, -i)}) {
						return
					}
				}
			}
		})
	if err != nil {
		t.Fatal(err)
	}
	return big
}

// unheard returns a new test, which a comment in it makes unique.
func unheard(source string, n int) string {
	head, rest, _ := strings.Cut(source, "\n")
	return fmt.Sprintf("%s\n(* %d *)\n%s", head, n, rest)
}

// ask runs the people's questions and returns the 99th percentile of their waiting times.
func ask(t *testing.T, s *process, what string) time.Duration {
	t.Helper()
	var classics []catalogue.Entry
	for _, e := range catalogue.All() {
		if !strings.Contains(e.Source, "JNE") && len(e.Source) < 500 {
			classics = append(classics, e)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), *loadTime)
	defer cancel()
	http := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: *loadPeople}, Timeout: time.Minute}
	var (
		people sync.WaitGroup
		mu     sync.Mutex
		waits  []time.Duration
		number atomic.Int64
	)
	memory := int64(0)
	for p := range *loadPeople {
		people.Go(func() {
			for ctx.Err() == nil {
				// People read the answer before they ask again.
				select {
				case <-ctx.Done():
					return
				case <-time.After(time.Duration(rand.Float64() * float64(4*time.Second))):
				}
				e := classics[rand.IntN(len(classics))]
				began := time.Now()
				err := explore(http, s.url, fmt.Sprintf("10.0.%d.%d", p/250, p%250+1),
					unheard(e.Source, int(number.Add(1))))
				mu.Lock()
				waits = append(waits, time.Since(began))
				mu.Unlock()
				if err != nil {
					t.Errorf("%s: %v", e.ID(), err)
				}
			}
		})
	}
	for ctx.Err() == nil {
		time.Sleep(200 * time.Millisecond)
		memory = max(memory, resident(s.Process.Pid))
	}
	people.Wait()
	at99 := spread(t, fmt.Sprintf("%s: %d people in %v", what, *loadPeople, *loadTime), waits)
	t.Logf("%s: at most %d MiB in all processes", what, memory>>20)
	return at99
}

// explore asks about a test under two models, from an address.
func explore(c *http.Client, url, from, source string) error {
	body, err := json.Marshal(
		map[string]any{
			"source": source, "models": []string{"sc", "tso"},
			"options": map[string]bool{"witnesses": true},
		})
	if err != nil {
		return err
	}
	r, err := http.NewRequest(http.MethodPost, url+"api/v1/explore", bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("X-Forwarded-For", from)
	w, err := c.Do(r)
	if err != nil {
		return err
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	if err == nil && (w.StatusCode != http.StatusOK || bytes.Count(text, []byte(`"status":"ok"`)) != 2) {
		err = fmt.Errorf("status %d: %.300s", w.StatusCode, text)
	}
	return err
}

// resident returns the memory of a process and its children, in bytes.
func resident(pid int) int64 {
	sum := int64(0)
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return 0
	}
	for _, f := range stats {
		text, err := os.ReadFile(f)
		if err != nil {
			continue // it has ended
		}
		_, fields, _ := strings.Cut(string(text), ") ")
		of := strings.Fields(fields) // from the state on
		if len(of) < 22 || filepath.Base(filepath.Dir(f)) != strconv.Itoa(pid) && of[1] != strconv.Itoa(pid) {
			continue
		}
		pages, err := strconv.ParseInt(of[21], 10, 64)
		if err == nil {
			sum += pages * int64(os.Getpagesize())
		}
	}
	return sum
}
