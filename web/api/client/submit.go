package client

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"os"

	"litmuscope/litmus/suite"
	"litmuscope/solver"
	"litmuscope/web/api/rest"
)

// Submission describes how to run a suite. Options maps the names of options that differ from the server's defaults to
// values, with durations as text.
type Submission = rest.Submission[map[string]any]

// ErrNoTests is the error for a submission without a test.
var ErrNoTests = errors.New("no tests found in the given paths")

// Submit creates a suite. A test that could not be read is sent with the reason and becomes a failed row. Submit keeps
// the tests in a temporary file so that it can send them again.
func (c *Client) Submit(ctx context.Context, s Submission, tests iter.Seq[suite.Entry]) (out *Suite, err error) {
	file, err := os.CreateTemp("", "litmuscope-*")
	if err != nil {
		return nil, err
	}
	defer func() {
		file.Close()
		os.Remove(file.Name())
	}()
	size, err := pack(file, tests)
	if err == nil {
		err = ctx.Err() // tests may be incomplete
	}
	if err != nil {
		return nil, err
	}

	// The form, split into the part before the file and the part after it.
	var form bytes.Buffer
	w := multipart.NewWriter(&form)
	part, err := w.CreatePart(textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="suite"`}, "Content-Type": {"application/json"},
	})
	if err == nil {
		err = json.NewEncoder(part).Encode(s)
	}
	if err == nil {
		_, err = w.CreatePart(textproto.MIMEHeader{
			"Content-Disposition": {`form-data; name="tests"; filename="tests.ndjson.gz"`},
			"Content-Type":        {"application/gzip"},
		})
	}
	front := form.Len()
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		return nil, err
	}
	text := form.Bytes()
	r := request{
		method: http.MethodPost, path: "api/v1/suites",
		header: map[string]string{
			"Content-Type": w.FormDataContentType(), "Idempotency-Key": rand.Text(),
			"Expect": "100-continue", // a busy server can refuse before it receives the body
		},
		body: func() (io.Reader, int64) {
			return io.MultiReader(bytes.NewReader(text[:front]), io.NewSectionReader(file, 0, size),
				bytes.NewReader(text[front:])), int64(len(text)) + size
		},
	}
	err = c.retry(ctx, func() (bool, error) {
		answer, err := c.do(ctx, r)
		if err != nil {
			return false, err
		}
		defer answer.Body.Close()
		out, err = readSuite(answer.Body)
		return false, err
	})
	return out, err
}

// pack writes one line of JSON for each test, compressed, and returns the file's size.
func pack(file *os.File, tests iter.Seq[suite.Entry]) (size int64, err error) {
	zip, err := gzip.NewWriterLevel(file, gzip.BestSpeed)
	if err != nil {
		return 0, err
	}
	e := json.NewEncoder(zip)
	e.SetEscapeHTML(false)
	n := 0
	for t := range tests {
		line := rest.Test{Path: t.Path, Source: t.Source}
		if t.Err != nil {
			line.Error = t.Err.Error()
		}
		if err := e.Encode(line); err != nil {
			return 0, err
		}
		n++
	}
	if n == 0 {
		return 0, ErrNoTests
	}
	if err := zip.Close(); err != nil {
		return 0, err
	}
	return file.Seek(0, io.SeekEnd)
}

// ChangedOptions returns the options that differ from their defaults, in the form of the REST interface. The server
// uses its own defaults for the others.
func ChangedOptions(o solver.Options) map[string]any {
	out := map[string]any{}
	defaults := solver.DefaultOptions()
	for _, opt := range solver.OptionTable {
		if opt.Same(&o, &defaults) {
			continue
		}
		out[opt.Name] = opt.Plain(&o)
	}
	return out
}
