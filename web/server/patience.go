package server

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// A client has bodyPatience to send a body, and one more second for each bodyRate bytes that have arrived. It has
// writePatience to read each pieceBytes of an answer. Large uploads and long streams thus get the time that they need,
// and connections that make almost no progress are closed.
const (
	bodyRate   = 16 << 10
	pieceBytes = 64 << 10
)

// Variables, so that tests can shorten them.
var (
	headerPatience = 5 * time.Second
	bodyPatience   = 30 * time.Second
	writePatience  = 20 * time.Second
)

// setDeadlines sets the deadlines of a connection while its request is read and answered.
func setDeadlines(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rc := http.NewResponseController(w)
		if r.Body != nil && r.Body != http.NoBody {
			r.Body = &patientBody{ReadCloser: r.Body, rc: rc}
		}
		next.ServeHTTP(&patientWriter{ResponseWriter: w, rc: rc}, r)
		_ = rc.SetWriteDeadline(time.Now().Add(writePatience)) // not every writer is a connection's
	})
}

type patientBody struct {
	io.ReadCloser
	rc    *http.ResponseController
	start time.Time // of the reading
	read  int64
}

// Read extends the deadline by what has arrived, and reads. At the end of the body it removes the deadline.
func (b *patientBody) Read(p []byte) (int, error) {
	if b.start.IsZero() {
		b.start = time.Now()
	}
	_ = b.rc.SetReadDeadline(b.start.Add(bodyPatience + time.Duration(b.read/bodyRate)*time.Second))
	n, err := b.ReadCloser.Read(p)
	b.read += int64(n)
	switch {
	case err == io.EOF: //nolint:errorlint // a body's end is the very value
		// The server reads on, to learn when the client goes, and a deadline there would
		// end the request.
		_ = b.rc.SetReadDeadline(time.Time{})
	case err != nil && !errors.Is(err, os.ErrDeadlineExceeded):
		err = &brokenBody{err}
	}
	return n, err
}

// brokenBody is the error of a request's body that violates HTTP or breaks off.
type brokenBody struct{ err error }

func (b *brokenBody) Error() string { return b.err.Error() }

func (b *brokenBody) Unwrap() error { return b.err }

type patientWriter struct {
	http.ResponseWriter
	rc *http.ResponseController
}

// Write writes in pieces, each with its own deadline.
func (w *patientWriter) Write(p []byte) (n int, err error) {
	for first := true; first || len(p) > 0; first = false {
		piece := p[:min(len(p), pieceBytes)]
		_ = w.rc.SetWriteDeadline(time.Now().Add(writePatience))
		m, err := w.ResponseWriter.Write(piece)
		n, p = n+m, p[m:]
		if err != nil {
			return n, err
		}
	}
	return n, nil
}

// FlushError implements flushing for http.ResponseController.
func (w *patientWriter) FlushError() error {
	_ = w.rc.SetWriteDeadline(time.Now().Add(writePatience))
	return w.rc.Flush()
}

// Flush implements http.Flusher.
func (w *patientWriter) Flush() { _ = w.FlushError() }

// Unwrap lets http.ResponseController find the connection.
func (w *patientWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }
