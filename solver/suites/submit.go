package suites

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"strings"
	"time"
	"unicode/utf8"

	"litmuscope/litmus"
	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Submission is a suite on its way in.
type Submission struct {
	Request
	Tests iter.Seq[suite.Entry]
	// Broken, unless nil, tells after the last of Tests whether there should have been more.
	Broken func() error
	// Key is the submitter's name for the submission: a second one of the key is the first.
	Key   string
	Owner string
}

// batchTests and batchBytes bound one write to the ledger.
const (
	batchTests = 2000
	batchBytes = 4 << 20
)

// Submit takes a suite in and has it run. When it returns, the ledger has the suite: only a cancellation ends the suite
// early. Its error may be a Refusal, an Inadmissible, a Full, ErrKeyReused, or Broken's. With again, the suite is an
// earlier one of the same key.
func (c *Coordinator) Submit(ctx context.Context, sub Submission) (s *Suite, again bool, err error) {
	if err := sub.check(ctx, c.Admit); err != nil {
		return nil, false, err
	}
	select {
	case <-c.resumed: // or else resume would remove the half-received suite
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	c.mu.Lock()
	busy := c.MaxRunning > 0 && len(c.active) >= c.MaxRunning
	c.mu.Unlock()
	if busy {
		return nil, false, &Full{Running: c.MaxRunning}
	}
	s = &Suite{
		ID: newID(), Owner: sub.Owner, Version: c.Version, Request: sub.Request, State: Receiving, Created: time.Now(),
	}
	if err := c.Ledger.CreateSuite(ctx, s); err != nil {
		return nil, false, err
	}
	number, sealed := s.Number, false
	defer func() {
		if sealed {
			return
		}
		// The client may have gone; what it left goes all the same.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		defer cancel()
		if dropErr := c.Ledger.DropSuite(ctx, number); dropErr != nil {
			c.Log.Error("cannot remove the remains of a submission", "error", dropErr)
		}
	}()
	digest, err := c.receive(ctx, s, sub)
	if err != nil {
		return nil, false, err
	}
	key := sub.Key
	if key != "" { // other people's keys are their own
		key = sub.Owner + "\x00" + key
	}
	other, err := c.Ledger.SealSuite(ctx, s.Number, key, digest)
	if err != nil {
		return nil, false, err
	}
	sealed = true
	if other != "" {
		s, err = c.Ledger.Suite(ctx, other)
		return s, true, err
	}
	s, err = c.Ledger.Suite(ctx, s.ID)
	if err != nil {
		return nil, false, err
	}
	c.Log.Info("suite submitted", "suite", s.ID, "name", s.Request.Name, "tests", s.Tests, "models",
		len(s.Request.Models))
	running := *s
	c.add(&running)
	return s, false, nil
}

// Inadmissible is what engines.Admit says of a submission.
type Inadmissible struct{ Err error }

// Error is the reason.
func (i *Inadmissible) Error() string { return i.Err.Error() }

// Unwrap returns the reason.
func (i *Inadmissible) Unwrap() error { return i.Err }

// Full refuses a submission for now.
type Full struct{ Running int }

// Error says how many suites are running.
func (f *Full) Error() string {
	return fmt.Sprintf("%s are running, which is the limit: try again when a suite is done",
		solver.Count(f.Running, "suite"))
}

// newID is a suite's id: 60 bits of chance in 12 letters and digits.
func newID() string { return strings.ToLower(rand.Text()[:12]) }

// check rejects a submission that exceeds a bound.
func (sub *Submission) check(ctx context.Context, admit func(context.Context, solver.Task) error) error {
	if admit == nil {
		admit = func(_ context.Context, t solver.Task) error {
			if err := engines.Admit(t); err != nil {
				return &Inadmissible{err}
			}
			return nil
		}
	}
	switch {
	case len(sub.Models) == 0:
		sub.Models = []Model{{}}
	case len(sub.Models) > MaxModels:
		return refuse("%d models: a suite accepts at most %d", len(sub.Models), MaxModels)
	}
	if len(sub.Name) > MaxName || !utf8.ValidString(sub.Name) {
		return refuse("the suite's name is not text of at most %d bytes", MaxName)
	}
	if len(sub.Labels) > MaxLabels {
		return refuse("%d labels: a suite accepts at most %d", len(sub.Labels), MaxLabels)
	}
	for k, v := range sub.Labels {
		if k == "" || len(k) > MaxLabel || len(v) > MaxLabel || !utf8.ValidString(k) || !utf8.ValidString(v) {
			return refuse("label %.50q: a label is a key and a value of at most %d bytes each", k, MaxLabel)
		}
	}
	if len(sub.Key) > MaxName {
		return refuse("the idempotency key is longer than %d bytes", MaxName)
	}
	if e, err := engines.Find(sub.Engine); err == nil {
		sub.Engine = e.Name
	}
	if p := sub.Program; p != nil {
		if err := sub.checkProgram(p); err != nil {
			return err
		}
	}
	seen, text := map[string]bool{}, 0
	for i, m := range sub.Models {
		if seen[m.Name] {
			return refuse("the suite lists the model %q twice", m.Name)
		}
		seen[m.Name] = true
		text += len(m.Text)
		for name, file := range m.Files {
			text += len(name) + len(file)
		}
		if text > MaxModelText {
			return refuse("the models have more than %d KiB of text, the limit for a suite: every job carries "+
				"it", MaxModelText>>10)
		}
		if err := admit(ctx, sub.Task(i, "", "")); err != nil {
			return err
		}
	}
	return nil
}

// checkProgram refuses what is no exploration in parts.
func (sub *Submission) checkProgram(p *solver.VerifyTask) error {
	size := 0
	for _, f := range p.Files {
		size += len(f.Name) + len(f.Text)
	}
	for name, text := range p.Include {
		size += len(name) + len(text)
	}
	if p.Part != nil {
		size += len(p.Part.Known)
	}
	if size > MaxModelText {
		return refuse("the program has more than %d KiB of text, the limit for a suite: every job carries "+
			"it", MaxModelText>>10)
	}
	for i, m := range sub.Models {
		if m.Text != "" {
			return refuse("executions can be explored in parts only under built-in models")
		}
		if err := engines.Admit(*sub.Task(i, "", PartSource).Program); err != nil {
			return &Inadmissible{err}
		}
	}
	return nil
}

// receive writes the tests down and returns a digest of the whole submission.
func (c *Coordinator) receive(ctx context.Context, s *Suite, sub Submission) ([]byte, error) {
	h := sha256.New()
	if err := json.NewEncoder(h).Encode(sub.Request); err != nil {
		return nil, err
	}
	var batch []Test
	var size, all int64
	n := 0
	flush := func() error {
		err := c.Ledger.AddTests(ctx, s.Number, batch)
		batch, size = batch[:0], 0
		return err
	}
	for e := range sub.Tests {
		t := Test{N: n, Path: e.Path, Source: strings.ReplaceAll(e.Source, "\r\n", "\n")}
		switch {
		case e.Err != nil:
			t.Source, t.Err = "", strings.ToValidUTF8(e.Err.Error(), "\uFFFD")
			if len(t.Err) > MaxPath*2 {
				t.Err = strings.ToValidUTF8(t.Err[:MaxPath*2], "") + "…"
			}
		case len(t.Source) > MaxTest:
			t.Source, t.Err = "", fmt.Sprintf("%s: longer than %d bytes, the limit for a test", e.Path, MaxTest)
		case !utf8.ValidString(t.Source):
			t.Source, t.Err = "", fmt.Sprintf("%s: not UTF-8", e.Path)
		}
		if len(t.Path) > MaxPath || !utf8.ValidString(t.Path) {
			t.Path = strings.ToValidUTF8(t.Path[:min(len(t.Path), MaxPath)], "\uFFFD")
		}
		t.Name, t.Program = testName(t.Source), programOf(t.Source)
		n++
		size += int64(len(t.Source))
		all += int64(len(t.Source))
		if c.MaxTests > 0 && n > c.MaxTests {
			return nil, &Refusal{fmt.Sprintf("more than %d tests, the limit for a suite", c.MaxTests), true}
		}
		if c.MaxBytes > 0 && all > c.MaxBytes {
			return nil, &Refusal{fmt.Sprintf("more than %d MiB of tests, the limit for a suite", c.MaxBytes>>20), true}
		}
		for _, part := range []string{t.Path, t.Source, t.Err} {
			fmt.Fprintf(h, "%d:", len(part))
			_, _ = io.WriteString(h, part)
		}
		batch = append(batch, t)
		if len(batch) == batchTests || size > batchBytes {
			if err := flush(); err != nil {
				return nil, err
			}
		}
	}
	if sub.Broken != nil {
		if err := sub.Broken(); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, refuse("the submission contains no tests")
	}
	if len(batch) > 0 {
		if err := flush(); err != nil {
			return nil, err
		}
	}
	return h.Sum(nil), nil
}

// programOf is the hash of a test's program, by which machines' observations are found; nil for what is no litmus test.
// It only parses: that takes time and memory in proportion to the text, whose size is bounded.
func programOf(source string) []byte {
	t, err := litmus.Parse("", source)
	if err != nil {
		return nil
	}
	hash := litmus.ProgramHash(t)
	return hash[:]
}

// testName is the name in a test's header, for lists, before anything has read the test.
func testName(source string) string {
	header, _, _ := strings.Cut(source, "\n")
	if words := strings.Fields(header); len(words) >= 2 && len(words[1]) <= MaxName {
		return words[1]
	}
	return ""
}
