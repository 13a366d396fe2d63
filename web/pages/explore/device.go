package explore

import (
	"encoding/json"
	"net/http"

	"litmuscope/web/parts/question"
	"litmuscope/web/server"
)

// mostOutcomes is the largest number of different outcomes that a device asks about at once.
const mostOutcomes = 1000

// postDevice answers with the form's test in WebAssembly, for the device of the visitor. With field "values", a JSON
// list of the numbers that cells have, it answers with their outcomes.
func (s *page) postDevice(w http.ResponseWriter, r *http.Request) {
	if !s.server.ParseForm(w, r) {
		return
	}
	q, err := question.FromForm(r.PostForm)
	var values [][]string
	if text := r.PostForm.Get("values"); err == nil && text != "" {
		if json.Unmarshal([]byte(text), &values) != nil {
			err = server.Refuse("The field values is no list of lists of numbers.")
		} else if len(values) > mostOutcomes {
			err = server.Refuse("The device has seen %d different outcomes, and the limit is %d.",
				len(values), mostOutcomes)
		}
	}
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	reply, err := s.questions.Assemble(r.Context(), q.Source, values)
	if err != nil {
		s.server.FailOf(w, r, err)
		return
	}
	s.server.WriteJSON(w, reply)
}
