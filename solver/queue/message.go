package queue

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/klauspost/compress/s2"

	"litmuscope/solver/suites"
)

// pack and unpack are the form of jobs: JSON, compressed.
func pack(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	return squeeze(text), nil
}

func unpack(data []byte, v any) error {
	text, err := expand(data)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, v)
}

func squeeze(text []byte) []byte { return s2.Encode(nil, text) }

func expand(data []byte) ([]byte, error) {
	n, err := s2.DecodedLen(data)
	if err == nil && n > 2*maxPayload {
		err = fmt.Errorf("it has %d bytes unpacked", n)
	}
	if err != nil {
		return nil, fmt.Errorf("not a message of litmuscope: %w", err)
	}
	return s2.Decode(nil, data)
}

// reportText is a report as a message has it, before compression: the length of its JSON, that, and for each row the
// length of its body, and that. Bodies are JSON already, which nobody on the way has to read again.
func reportText(r *suites.Report) ([]byte, error) {
	head, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	size := 0
	for i := range r.Rows {
		size += len(r.Rows[i].Body) + binary.MaxVarintLen32
	}
	out := make([]byte, 0, len(head)+size+binary.MaxVarintLen32)
	out = append(binary.AppendUvarint(out, uint64(len(head))), head...)
	for i := range r.Rows {
		body := r.Rows[i].Body
		out = append(binary.AppendUvarint(out, uint64(len(body))), body...)
	}
	return out, nil
}

var errCut = errors.New("not a report of litmuscope: it breaks off")

// readReport reads a message.
func readReport(data []byte) (*suites.Report, error) {
	text, err := expand(data)
	if err != nil {
		return nil, err
	}
	next := func() []byte {
		n, used := binary.Uvarint(text)
		if used <= 0 || n > uint64(len(text)-used) {
			err = errCut
			return nil
		}
		part := text[used : used+int(n)]
		text = text[used+int(n):]
		return part
	}
	head := next()
	if err != nil {
		return nil, err
	}
	r := new(suites.Report)
	if err := json.Unmarshal(head, r); err != nil {
		return nil, err
	}
	for i := range r.Rows {
		r.Rows[i].Body = next()
	}
	return r, err
}
