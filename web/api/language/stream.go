package language

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"strconv"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// maxMessage bounds what an editor sends at once, in bytes: no text comes near it that a test or a model may have.
const maxMessage = 16 << 20

// stream is the channel to an editor: messages behind headers that have their lengths. What is no message is answered
// with an error, and the next one read.
type stream struct {
	in  *textproto.Reader
	raw *bufio.Reader
	c   io.Closer

	lock sync.Mutex
	out  io.Writer
}

func newStream(c io.ReadWriteCloser) *stream {
	r := bufio.NewReader(c)
	return &stream{in: textproto.NewReader(r), raw: r, out: c, c: c}
}

// ReadObject implements [jsonrpc2.ObjectStream].
func (s *stream) ReadObject(into any) error {
	for {
		header, err := s.in.ReadMIMEHeader()
		if err != nil {
			return err
		}
		n, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil || n < 0 {
			return fmt.Errorf("got the Content-Length %q, want a number of bytes", header.Get("Content-Length"))
		}
		if n > maxMessage {
			if _, err := io.CopyN(io.Discard, s.raw, int64(n)); err != nil {
				return err
			}
			if err := s.refuse(jsonrpc2.CodeInvalidRequest,
				fmt.Sprintf("a message of %d bytes: want at most %d", n, maxMessage)); err != nil {
				return err
			}
			continue
		}
		var body bytes.Buffer // which grows by what comes, whatever the header says
		if _, err := io.CopyN(&body, s.raw, int64(n)); err != nil {
			return err
		}
		err = json.Unmarshal(body.Bytes(), into)
		if err == nil && body.Bytes()[0] == '[' {
			err = errors.New("batches of messages are not supported")
		}
		if err == nil {
			return nil
		}
		if err := s.refuse(jsonrpc2.CodeParseError, err.Error()); err != nil {
			return err
		}
	}
}

// refuse answers what cannot be read, so that nobody knows which request it was.
func (s *stream) refuse(code int, msg string) error {
	return s.WriteObject(map[string]any{
		"jsonrpc": "2.0", "id": nil, "error": jsonrpc2.Error{Code: int64(code), Message: msg},
	})
}

// WriteObject implements [jsonrpc2.ObjectStream].
func (s *stream) WriteObject(v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	s.lock.Lock()
	defer s.lock.Unlock()
	_, err = fmt.Fprintf(s.out, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

// Close implements [jsonrpc2.ObjectStream].
func (s *stream) Close() error { return s.c.Close() }
