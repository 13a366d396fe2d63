package server

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

// Bounds on reading JSON, which this process does itself: the values that a request may have, and the bytes
// from which on one request is read at a time, so that the others leave a processor to people's short ones.
const (
	maxValues  = 1 << 14
	largeBytes = 32 << 10
)

// largeTurn is whose large request is being read.
var largeTurn = make(chan struct{}, 1)

// inTurn reads a request of so many bytes when its turn has come.
func inTurn(size int, read func() error) error {
	if size >= largeBytes {
		largeTurn <- struct{}{}
		defer func() { <-largeTurn }()
	}
	return read()
}

// JSONFormats are huma's, for requests within those bounds.
func JSONFormats() map[string]huma.Format {
	formats := maps.Clone(huma.DefaultFormats)
	for name, f := range formats {
		f.Unmarshal = func(data []byte, v any) error {
			return inTurn(len(data), func() error {
				if tooManyValues(data) {
					return Refuse("The request has more than %s values.", Thousands(maxValues))
				}
				return json.Unmarshal(data, v)
			})
		}
		formats[name] = f
	}
	return formats
}

// tooManyValues tells so of JSON before it is read: from its commas and brackets outside texts.
func tooManyValues(data []byte) bool {
	values, text := 0, false
	for i := 0; i < len(data); i++ {
		switch c := data[i]; {
		case c == '"':
			text = !text
		case text && c == '\\':
			i++
		case !text && (c == ',' || c == '[' || c == '{'):
			values++
		}
	}
	return values > maxValues
}

// ReadJSON reads one value and nothing behind it.
func ReadJSON(r io.Reader, v any) error {
	data, err := io.ReadAll(r)
	if err == nil {
		err = inTurn(len(data), func() error {
			d := json.NewDecoder(bytes.NewReader(data))
			d.DisallowUnknownFields()
			if err := d.Decode(v); err != nil {
				return err
			}
			if _, more := d.Token(); more != io.EOF { //nolint:errorlint // Token gives the very value
				return errors.New("there is text after the JSON value")
			}
			return nil
		})
	}
	if err == nil || !FaultOf(err).Ours {
		return err
	}
	if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
		return Refuse("The request has the wrong JSON: %s cannot be a JSON %s.",
			cmp.Or(wrong.Field, "it"), wrong.Value)
	}
	return Refuse("The request has the wrong JSON: %s.", strings.TrimPrefix(err.Error(), "json: "))
}
