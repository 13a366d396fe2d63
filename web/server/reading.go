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

// Bounds on parsing JSON, which happens in this process. Requests of at least largeBytes are parsed one at a time, so
// that processors stay free for the short requests of visitors.
const (
	maxValues  = 1 << 14  // values in a request
	largeBytes = 32 << 10 // bytes of a large request
)

// largeTurn is full while a large request is being parsed.
var largeTurn = make(chan struct{}, 1)

// inTurn calls read, for large requests when no other large request is being parsed.
func inTurn(size int, read func() error) error {
	if size >= largeBytes {
		largeTurn <- struct{}{}
		defer func() { <-largeTurn }()
	}
	return read()
}

// JSONFormats returns huma's formats with these bounds.
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

// tooManyValues reports whether JSON has more than maxValues values. It counts commas and brackets outside strings.
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

// ReadJSON unmarshals a single JSON value into v. Unknown fields and text after the value are errors.
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
