package client

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
)

// maxLine bounds a result, in bytes.
const maxLine = 256 << 20

// Results calls row for each result of a suite, in the order of tests and then models. Each line is JSON without the
// newline and is valid until row returns; an error of row ends the results. With follow, Results waits for all results
// and delivers each as soon as it exists; otherwise it delivers those that exist now.
//
// If the connection breaks, Results continues after the last line. This does not work if results are missing between
// others: then it first downloads all to a temporary file.
func (c *Client) Results(ctx context.Context, id string, follow bool, row func(line []byte) error) error {
	s, err := c.Suite(ctx, id)
	if err != nil {
		return err
	}
	if s.Done < s.Rows && (!follow || s.State != Running) {
		return c.whole(ctx, id, "jsonl", false, func(r io.Reader) error { return eachLine(r, row) })
	}
	next := 0     // the position of the next result
	var end error // the error of row
	err = c.retry(ctx, func() (further bool, err error) {
		if next > 0 {
			// In a cancelled suite, positions are not line numbers.
			if s, err := c.Suite(ctx, id); err != nil {
				return false, err
			} else if s.State == Cancelled && s.Done < s.Rows {
				return false,
					fmt.Errorf("the suite was cancelled and the connection broke after %d results: fetch the "+
						"results again",
						next)
			}
		}
		r, err := c.do(ctx, results(id, "jsonl", next, follow))
		if err != nil {
			return false, err
		}
		defer r.Body.Close()
		err = eachLine(&marked{r.Body}, func(line []byte) error {
			if end = row(line); end != nil {
				return end
			}
			next++
			further = true
			return nil
		})
		if end != nil {
			return false, nil
		}
		// A proxy may end a broken answer as if it were complete.
		if there, numberErr := strconv.Atoi(r.Trailer.Get("Next-Position")); err == nil && numberErr == nil &&
			there > next {
			err = &brokenError{io.ErrUnexpectedEOF}
		}
		return further, err
	})
	return errors.Join(err, end)
}

// Download writes a suite's results in one of the server's formats after receiving all of them.
func (c *Client) Download(ctx context.Context, id, format string, follow bool, w io.Writer) error {
	return c.whole(ctx, id, format, follow, func(r io.Reader) error {
		_, err := io.Copy(w, r)
		return err
	})
}

func results(id, format string, after int, follow bool) request {
	q := url.Values{"format": {format}}
	if after > 0 {
		q.Set("after", strconv.Itoa(after))
	}
	if follow {
		q.Set("follow", "true")
	}
	return request{method: http.MethodGet, path: path(id) + "/results", query: q}
}

// whole fetches all results into a temporary file, and then passes the file to take.
func (c *Client) whole(ctx context.Context, id, format string, follow bool, take func(io.Reader) error) error {
	file, err := os.CreateTemp("", "litmuscope-*")
	if err != nil {
		return err
	}
	defer func() {
		file.Close()
		os.Remove(file.Name())
	}()
	err = c.retry(ctx, func() (bool, error) {
		if err := errors.Join(file.Truncate(0), rewind(file)); err != nil {
			return false, err
		}
		r, err := c.do(ctx, results(id, format, 0, follow))
		if err != nil {
			return false, err
		}
		defer r.Body.Close()
		_, err = io.Copy(file, &marked{r.Body})
		return false, err
	})
	if err != nil {
		return err
	}
	if err := rewind(file); err != nil {
		return err
	}
	return take(file)
}

func rewind(f *os.File) error {
	_, err := f.Seek(0, io.SeekStart)
	return err
}

// marked wraps errors of the connection in brokenError.
type marked struct{ r io.Reader }

func (m *marked) Read(p []byte) (int, error) {
	n, err := m.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = &brokenError{err}
	}
	return n, err
}

// eachLine calls take for each line. A last line without newline is an error: the answer was broken off.
func eachLine(from io.Reader, take func([]byte) error) error {
	r := bufio.NewReaderSize(from, 1<<16)
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case errors.Is(err, bufio.ErrBufferFull) && len(line) < maxLine:
			continue
		case errors.Is(err, bufio.ErrBufferFull):
			return fmt.Errorf("a result is longer than %d MiB", maxLine>>20)
		case errors.Is(err, io.EOF) && len(line) == 0:
			return nil
		case errors.Is(err, io.EOF):
			return &brokenError{io.ErrUnexpectedEOF}
		case err != nil:
			return err
		}
		if err := take(line[:len(line)-1]); err != nil {
			return err
		}
		line = line[:0]
	}
}
