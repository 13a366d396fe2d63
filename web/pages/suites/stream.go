package suites

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"litmuscope/solver"
	"litmuscope/solver/report"
	"litmuscope/solver/suites"
	"litmuscope/web/server"
)

// nextPosition is the trailer with the position where results continue.
const nextPosition = "Next-Position"

// suiteResults streams a suite's rows, ordered by test and then by model. It sends the rows that exist or, with follow,
// each row when it and all rows before it exist.
func (s *page) suiteResults(w http.ResponseWriter, r *http.Request) {
	found := s.suiteOf(w, r)
	if found == nil {
		return
	}
	q := r.URL.Query()
	name := q.Get("format")
	if name == "" {
		name = "jsonl"
	}
	format, ok := report.Find(name)
	if !ok {
		s.server.Fail(w, r, http.StatusUnprocessableEntity,
			fmt.Sprintf("format: want one of %s.", strings.Join(report.Names(), ", ")))
		return
	}
	from := 0
	if v := q.Get("after"); v != "" {
		var err error
		if from, err = strconv.Atoi(v); err != nil || from < 0 {
			s.server.Fail(w, r, http.StatusUnprocessableEntity,
				"after: want a position, such as the Next-Position of an earlier response.")
			return
		}
	}
	follow := q.Get("follow") == "true"
	if follow {
		over, ok := s.server.Streamed(w, r, s.following)
		if !ok {
			return
		}
		defer over()
	}
	h := w.Header()
	h.Set("Content-Type", format.Media)
	h.Set("Content-Disposition", fmt.Sprintf(`attachment; filename="%s.%s"`, found.ID, format.Extension))
	h.Set("Cache-Control", "no-store")
	h.Set("Trailer", nextPosition)
	w.WriteHeader(http.StatusOK)
	out := &flushWriter{ResponseController: http.NewResponseController(w), w: w}
	next, err := s.stream(r.Context(), found, from, follow, out, format)
	if err != nil {
		// The status is already sent, so the only signal of an error is the broken stream.
		if r.Context().Err() == nil && !errors.Is(err, errRevoked) {
			s.server.Log.ErrorContext(r.Context(), "suite results", "suite", found.ID, "error", err)
		}
		panic(http.ErrAbortHandler)
	}
	h.Set(nextPosition, strconv.Itoa(next))
}

// suiteReport sends the suite as one HTML file.
func (s *page) suiteReport(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	q.Set("format", "html")
	r.URL.RawQuery = q.Encode()
	s.suiteResults(w, r)
}

func (s *page) suiteBadge(w http.ResponseWriter, r *http.Request) {
	of := s.suiteOf(w, r)
	if of == nil {
		return
	}
	w.Header().Set("Content-Type", "image/svg+xml")
	w.Header().Set("Cache-Control", "no-cache")
	b := report.Badge{
		Label: cmp.Or(r.URL.Query().Get("label"), of.Request.Name), OK: of.Done - of.Unknown - of.Failed,
		Unknown: of.Unknown, Failed: of.Failed, Remaining: of.Rows() - of.Done,
	}
	if err := report.WriteBadge(w, b); err != nil {
		s.server.Log.DebugContext(r.Context(), "write", "error", err) // the client has gone
	}
}

// flushWriter is a writer that flushes after a write, at most once a second.
type flushWriter struct {
	*http.ResponseController
	w       http.ResponseWriter
	flushed time.Time
}

// Write implements [io.Writer].
func (f *flushWriter) Write(p []byte) (int, error) {
	n, err := f.w.Write(p)
	if err == nil && time.Since(f.flushed) > time.Second {
		f.flushed = time.Now()
		_ = f.Flush() // not every writer can flush
	}
	return n, err
}

// pace is the minimum time between two events of a suite.
const pace = 250 * time.Millisecond

// stream writes a suite's rows from a position. next is the first missing position.
func (s *page) stream(
	ctx context.Context, of *suites.Suite, from int, follow bool, w *flushWriter, format report.Format,
) (next int, err error) {
	machines, err := s.Store.SuiteMachines(ctx, of)
	if err != nil {
		return 0, err
	}
	seen, err := s.newAttachment(ctx, of)
	if err != nil {
		return 0, err
	}
	models := len(of.Request.Models)
	out := format.New(w, report.Options{
		Title: cmp.Or(of.Request.Name, of.ID), Models: models > 1, Witnesses: of.Request.Options.Witnesses,
		Machines: machines,
	})
	gap := -1 // the first missing position
	expect := from
	for {
		changed := s.Suites.Changed(of.ID)
		if of, err = s.Store.Suite(ctx, of.ID); err != nil {
			return 0, err
		}
		err := s.Store.Rows(ctx, of, expect, math.MaxInt, func(position int, r *solver.Result) (bool, error) {
			if position != expect {
				if follow && of.State == suites.Running {
					return false, nil
				}
				if gap < 0 {
					gap = expect
				}
			}
			expect = position + 1
			if err := seen.add(ctx, position/models, r); err != nil {
				return false, err
			}
			return true, out.Result(r)
		})
		if err != nil {
			return 0, err
		}
		if !follow || of.State != suites.Running {
			break
		}
		_ = w.Flush() // not every writer can flush
		if err := s.await(ctx, of.ID, changed); err != nil {
			return 0, err
		}
	}
	if gap < 0 {
		gap = expect
	}
	return gap, out.Close()
}

// errRevoked ends the streams of a token that is revoked or has expired.
var errRevoked = errors.New("the token is no longer valid")

// await waits until a suite changes, and then for pace, to combine changes. It returns at once when the suite ends. An
// error ends the stream.
func (s *page) await(ctx context.Context, id string, changed <-chan struct{}) error {
	if err := s.pause(ctx, id, changed); err != nil {
		return err
	}
	if s.server.Revoked(ctx) {
		return errRevoked
	}
	return nil
}

// pause waits for a change of the suite and then for pace. It returns at once when the suite ends, and after
// server.Silence without a change.
func (s *page) pause(ctx context.Context, id string, changed <-chan struct{}) error {
	over := s.Suites.Ended(id)
	silent := time.NewTimer(server.Silence)
	defer silent.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-server.Ended(ctx):
		return server.ErrStopping
	case <-silent.C:
		return nil
	case <-changed:
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-over:
		return nil
	case <-time.After(pace):
		return nil
	}
}

// rowsAtOnce is the maximum number of rows in one event.
const rowsAtOnce = 2000

// suiteEvents streams a suite's progress as server-sent events: progress with the suite; rows, if requested, with
// positions, codes and times of new rows; and end. An event's ID is that of its last row. With Last-Event-ID, the
// stream continues after that row.
func (s *page) suiteEvents(w http.ResponseWriter, r *http.Request) {
	of := s.suiteOf(w, r)
	if of == nil {
		return
	}
	rows := r.URL.Query().Get("rows") == "true"
	last := int64(0)
	resumed := r.Header.Get("Last-Event-ID")
	if resumed == "" {
		resumed = r.URL.Query().Get("after")
	}
	seen, atEnd := strings.CutSuffix(resumed, endID)
	if n, err := strconv.ParseInt(seen, 10, 64); err == nil {
		last = n
	} else if resumed != "" {
		s.server.Fail(w, r, http.StatusUnprocessableEntity, "Last-Event-ID: want the id of an event.")
		return
	}
	if atEnd && of.State != suites.Running && last >= of.Seq {
		w.WriteHeader(http.StatusNoContent) // 204 stops the reconnects of an EventSource
		return
	}
	over, ok := s.server.Streamed(w, r, s.following)
	if !ok {
		return
	}
	defer over()
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // tell proxies not to buffer events
	w.WriteHeader(http.StatusOK)
	rc := http.NewResponseController(w)
	send := func(event, id string, data any) error {
		text, err := json.Marshal(data)
		if err == nil {
			_, err = fmt.Fprintf(w, "event: %s\nid: %s\ndata: %s\n\n", event, id, text)
		}
		return err
	}
	idOf := func(row int64) string { return strconv.FormatInt(row, 10) }
	ctx := r.Context()
	for {
		changed := s.Suites.Changed(of.ID)
		found, err := s.Store.Suite(ctx, of.ID)
		for rows && err == nil {
			var marks []markInfo
			if marks, last, err = s.marks(ctx, found, last); len(marks) == 0 {
				break
			}
			err = send("rows", idOf(last), marks)
		}
		if err == nil {
			last = max(last, found.Seq)
			err = send("progress", idOf(last), s.suiteInfo(found))
		}
		if err == nil && found.State != suites.Running {
			err = send("end", idOf(last)+endID, endInfo{found.State})
		}
		_ = rc.Flush() // not every writer can flush
		if err != nil || found.State != suites.Running || s.await(ctx, of.ID, changed) != nil {
			return // an EventSource reconnects for the rest
		}
	}
}

// endID is the suffix of the ID of the event end. A client that reconnects with it has seen the end.
const endID = "-end"

// endInfo is the data of the event end.
type endInfo struct {
	State suites.State `json:"state"`
}

// markInfo is a row in short form: position, code, milliseconds.
type markInfo [3]any

// marks returns at most rowsAtOnce rows after the one with the sequence number after, and the last one's number.
func (s *page) marks(ctx context.Context, of *suites.Suite, after int64) (out []markInfo, last int64, err error) {
	found, err := s.Store.RowsSince(ctx, of, after, rowsAtOnce)
	last = after
	for _, m := range found {
		out = append(out, markInfo{m.Position, string(m.Code), m.MS})
		last = m.Seq
	}
	return out, last, err
}
