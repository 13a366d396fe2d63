package cmd

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"litmuscope/litmus/catalogue"
)

var (
	attackTime = flag.Duration("attacks", 0, "how long each attack in TestAttacks lasts; 0 leaves it out")
	attackOnly = flag.String("attack", "", "which attacks are in TestAttacks, by a part of their names")
)

// attack repeats one hostile action against a server until its context ends.
type attack struct {
	name  string
	begin func(ctx context.Context, a *attacker)
}

// attacker performs an attack from a few addresses.
type attacker struct {
	url string

	mu       sync.Mutex
	answered map[int]int // answers, by status
}

// send sends a body and records the status of the answer.
func (a *attacker) send(ctx context.Context, method, path, kind, from string, body io.Reader) []byte {
	r, err := http.NewRequestWithContext(ctx, method, a.url+path, body)
	if err != nil {
		panic(err)
	}
	r.Header.Set("Content-Type", kind)
	r.Header.Set("X-Forwarded-For", from)
	w, err := http.DefaultClient.Do(r)
	status := 0
	var text []byte
	if err == nil {
		status = w.StatusCode
		text, _ = io.ReadAll(w.Body)
		w.Body.Close()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if ctx.Err() == nil {
		a.answered[status]++
	}
	return text
}

// repeat calls a function for n of the attacker's addresses, again and again, until the time is up.
func (a *attacker) repeat(ctx context.Context, n int, do func(from string)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			// A refused request also costs the attacker time.
			for ; ctx.Err() == nil; time.Sleep(10 * time.Millisecond) {
				do(fmt.Sprintf("172.16.0.%d", i+1))
			}
		})
	}
	all.Wait()
}

// hostileFamily is a family of many thousands of cycles.
var hostileFamily = map[string]any{
	"arch": "X86", "relaxations": "Rfe Fre Wse Rfi Wsi Fri Pod** Pos**",
	"from": 4, "to": 8,
}

// familyForm returns the beginning of a form: the suite's family without its tests.
func familyForm() []byte {
	suite, err := json.Marshal(map[string]any{"models": []string{"tso"}, "family": hostileFamily})
	if err != nil {
		panic(err)
	}
	return fmt.Appendf(nil, "--b\r\nContent-Disposition: form-data; "+
		"name=\"suite\"\r\n\r\n%s\r\n--b\r\nContent-Disposition: form-data; name=\"tests\"; filename=\"t\"\r\n\r\n",
		suite)
}

const familyFormKind = "multipart/form-data; boundary=b"

// slowly reads a text, and then one byte at a time.
type slowly struct {
	ctx  context.Context
	text io.Reader
}

func (s *slowly) Read(p []byte) (int, error) {
	if n, err := s.text.Read(p); n > 0 || err == nil {
		return n, nil
	}
	select {
	case <-s.ctx.Done():
		return 0, s.ctx.Err()
	case <-time.After(50 * time.Millisecond):
	}
	p[0] = '\n'
	return 1, nil
}

// directoryOf returns an archive that has only the directory of n empty entries.
func directoryOf(n int) []byte {
	var b bytes.Buffer
	entry := append([]byte("PK\x01\x02"), make([]byte, 42)...)
	binary.LittleEndian.PutUint16(entry[28:], 6)
	for i := range n {
		b.Write(entry)
		fmt.Fprintf(&b, "%06x", i&0xffffff)
	}
	size := uint64(b.Len())
	end := append([]byte("PK\x06\x06"), make([]byte, 52)...) // zip64's
	binary.LittleEndian.PutUint64(end[4:], 44)
	binary.LittleEndian.PutUint64(end[24:], uint64(n))
	binary.LittleEndian.PutUint64(end[32:], uint64(n))
	binary.LittleEndian.PutUint64(end[40:], size)
	b.Write(end)
	locator := append([]byte("PK\x06\x07"), make([]byte, 16)...)
	binary.LittleEndian.PutUint64(locator[8:], size)
	binary.LittleEndian.PutUint32(locator[16:], 1)
	b.Write(locator)
	b.Write(append([]byte("PK\x05\x06\x00\x00\x00\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), 0, 0))
	return b.Bytes()
}

// heavySuite returns a tar.gz with n tests of 200 KiB, mostly random bytes, which do not compress on a disk.
func heavySuite(n int) []byte {
	var b bytes.Buffer
	gz, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err != nil {
		panic(err)
	}
	w := tar.NewWriter(gz)
	chance := rand.NewChaCha8([32]byte{1})
	raw := make([]byte, 100<<10)
	for i := range n {
		_, _ = chance.Read(raw)
		text := fmt.Sprintf("%s(* %x *)\n", harmless, raw)
		if err := w.WriteHeader(
			&tar.Header{
				Name: fmt.Sprintf("%d.litmus", i), Typeflag: tar.TypeReg, Mode: 0o644,
				Size: int64(len(text)),
			}); err != nil {
			panic(err)
		}
		_, _ = io.WriteString(w, text)
	}
	_ = w.Close()
	_ = gz.Close()
	return b.Bytes()
}

// TestAttacks lets people ask cached questions while an attacker performs one attack after another. It prints how long
// people wait and how much memory the server uses.
func TestAttacks(t *testing.T) {
	if *attackTime == 0 {
		t.Skip("takes -attacks TIME (task attacks)")
	}
	s := startServer(t, t.TempDir(), "--trust-proxy", "127.0.0.1", "--log-format", "text", "--suite-jobs", "0",
		"--max-suites", "10000")
	directory, heavy := directoryOf(5_000_000), heavySuite(1500)
	properties := body(
		map[string]any{
			"source":     "int main(void) { return 0; }",
			"properties": slices.Repeat([]string{"assertion"}, 120_000),
		})
	patterns := body(map[string]any{"catalogue": slices.Repeat([]string{"*/*"}, 60_000)})
	family := slices.Concat(familyForm(), body(map[string]string{"path": "a.litmus", "source": harmless}),
		[]byte("\r\n--b--\r\n"))
	attacks := []attack{
		{"nothing", func(ctx context.Context, _ *attacker) { <-ctx.Done() }},
		{"four slow uploads with a family", func(ctx context.Context, a *attacker) {
			a.repeat(ctx, 4, func(from string) {
				a.send(ctx, http.MethodPost, "api/v1/suites", familyFormKind, from,
					&slowly{ctx, bytes.NewReader(familyForm())})
			})
		}},
		{"four quick ones", func(ctx context.Context, a *attacker) {
			a.repeat(ctx, 4, func(from string) {
				a.send(ctx, http.MethodPost, "api/v1/suites", familyFormKind, from, bytes.NewReader(family))
			})
		}},
		{"120,000 properties", func(ctx context.Context, a *attacker) {
			a.repeat(ctx, 4, func(from string) {
				a.send(ctx, http.MethodPost, "api/v1/verify", "application/json", from, bytes.NewReader(properties))
			})
		}},
		{"60,000 patterns", func(ctx context.Context, a *attacker) {
			a.repeat(ctx, 4, func(from string) {
				a.send(ctx, http.MethodPost, "api/v1/suites", "application/json", from, bytes.NewReader(patterns))
			})
		}},
		{"archives of five million entries", func(ctx context.Context, a *attacker) {
			a.repeat(ctx, 4, func(from string) {
				a.send(ctx, http.MethodPost, "api/v1/suites", "application/zip", from, bytes.NewReader(directory))
			})
		}},
		{"suites of 300 MiB, and their removal", func(ctx context.Context, a *attacker) {
			a.repeat(ctx, 1, func(from string) {
				var made struct{ ID string }
				text := a.send(ctx, http.MethodPost, "api/v1/suites", "application/gzip", from, bytes.NewReader(heavy))
				if json.Unmarshal(text, &made) == nil && made.ID != "" {
					a.send(ctx, http.MethodDelete, "api/v1/suites/"+made.ID+"?purge=true",
						"application/json", from, nil)
				}
			})
		}},
	}
	people := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 50}, Timeout: time.Minute}
	questions := slices.DeleteFunc(catalogue.All(),
		func(e catalogue.Entry) bool { return e.Arch != "X86" || len(e.Source) > 500 })[:20]
	for _, e := range questions {
		if err := explore(people, s.url, "10.0.0.1", e.Source); err != nil {
			t.Fatal(err)
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Logf("%-40s %10s %10s %10s %8s  %s", "beside", "p50", "p99", "longest", "MiB", "the attacker's answers")
	for _, attack := range attacks {
		if !strings.Contains(attack.name, *attackOnly) {
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), *attackTime)
		a := &attacker{url: s.url, answered: map[int]int{}}
		var done sync.WaitGroup
		done.Go(func() { attack.begin(ctx, a) })
		var mu sync.Mutex
		var waits []time.Duration
		for p := range 50 {
			done.Go(func() {
				for {
					select {
					case <-ctx.Done():
						return
					case <-time.After(time.Duration(rand.Float64() * float64(500*time.Millisecond))):
					}
					began := time.Now()
					err := explore(people, s.url, fmt.Sprintf("10.1.0.%d", p+1),
						questions[rand.IntN(len(questions))].Source)
					mu.Lock()
					waits = append(waits, time.Since(began))
					mu.Unlock()
					if err != nil {
						t.Errorf("%s: %v", attack.name, err)
					}
				}
			})
		}
		memory := int64(0)
		for ctx.Err() == nil {
			time.Sleep(200 * time.Millisecond)
			memory = max(memory, residentAlone(t, s.Process.Pid))
		}
		done.Wait()
		cancel()
		slices.Sort(waits)
		at := func(share float64) time.Duration {
			return waits[int(share*float64(len(waits)-1))].Round(100 * time.Microsecond)
		}
		t.Logf("%-40s %10v %10v %10v %8d  %s", attack.name, at(0.5), at(0.99), at(1), memory>>20,
			strings.Trim(fmt.Sprint(a.answered), "map[]"))
		time.Sleep(2 * time.Second) // for what is under way still
	}
}
