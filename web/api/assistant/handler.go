package assistant

import (
	"bytes"
	"io"
	"net/http"
)

// Handler is a transport that passes requests to a handler of this process.
type Handler struct{ http.Handler }

// RoundTrip implements [http.RoundTripper].
func (h Handler) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.RequestURI, r.RemoteAddr = r.URL.RequestURI(), "127.0.0.1:1"
	if r.Body == nil {
		r.Body = http.NoBody
	}
	w := &recorder{header: http.Header{}, status: http.StatusOK}
	h.ServeHTTP(w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return &http.Response{
		StatusCode: w.status, Status: http.StatusText(w.status), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}, nil
}

// recorder records an answer.
type recorder struct {
	header  http.Header
	body    bytes.Buffer
	status  int
	written bool
}

func (w *recorder) Header() http.Header { return w.header }

func (w *recorder) WriteHeader(status int) {
	if !w.written && status >= http.StatusOK {
		w.status, w.written = status, true
	}
}

func (w *recorder) Write(p []byte) (int, error) {
	w.written = true
	return w.body.Write(p)
}
