package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
)

// Watch calls progress with a suite's state until the suite has ended, and returns its last state.
func (c *Client) Watch(ctx context.Context, id string, progress func(*Suite)) (*Suite, error) {
	last := "" // the id of the event before
	err := c.retry(ctx, func() (further bool, err error) {
		header := map[string]string{"Accept": "text/event-stream"}
		if last != "" {
			header["Last-Event-ID"] = last
		}
		r, err := c.do(ctx, request{method: http.MethodGet, path: path(id) + "/events", header: header})
		if err != nil {
			return false, err
		}
		defer r.Body.Close()
		if r.StatusCode == http.StatusNoContent {
			return false, nil // the suite had already ended
		}
		if !strings.HasPrefix(r.Header.Get("Content-Type"), "text/event-stream") {
			return false, errors.New("the answer is not an event stream: is this the address of a litmuscope server?")
		}
		ended := false
		err = events(r.Body, func(e event) error {
			further = true
			if e.id != "" {
				last = e.id
			}
			switch e.kind {
			case "progress":
				var s Suite
				if err := json.Unmarshal([]byte(e.data), &s); err != nil {
					return err
				}
				progress(&s)
			case "end":
				ended = true
				return io.EOF
			}
			return nil
		})
		if err == nil && !ended { // the server has stopped
			err = &brokenError{io.ErrUnexpectedEOF}
		}
		return further, err
	})
	if err != nil {
		return nil, err
	}
	return c.Suite(ctx, id)
}

// event is a server-sent event.
type event struct{ kind, id, data string }

// events calls take for each event of a stream until the stream ends or take returns an error. The error io.EOF of
// take ends the stream without an error.
func events(r io.Reader, take func(event) error) error {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxAnswer)
	var e event
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ":")
		value = strings.TrimPrefix(value, " ")
		switch {
		case lines.Text() == "":
			if e.data == "" { // a comment, to keep the connection alive
				continue
			}
			if err := take(e); errors.Is(err, io.EOF) {
				return nil
			} else if err != nil {
				return err
			}
			e = event{}
		case field == "event":
			e.kind = value
		case field == "id":
			e.id = value
		case field == "data":
			if e.data != "" {
				e.data += "\n"
			}
			e.data += value
		}
	}
	if err := lines.Err(); err != nil {
		return &brokenError{err}
	}
	return nil
}
