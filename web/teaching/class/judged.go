package class

import (
	"context"
	"encoding/json"

	"litmuscope/store"
)

// Judged is what an engine says of the edits that somebody has made.
type Judged struct {
	Is   Judgement
	Hint string // what is wrong, in a sentence
}

// Judgement is whether edits do what is asked for.
type Judgement string

// The judgements.
const (
	Done      Judgement = "done"
	Missed    Judgement = "missed"
	Undecided Judgement = "undecided" // nobody knows
)

// MaxJudged bounds the ballots on an item of which it is kept what was said.
const MaxJudged = 4096

// Judged is what was said of a ballot on an item, if anything was.
func (r *Room) Judged(item int, b Ballot) (Judged, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	j, ok := r.judged[item][b.String()]
	return j, ok
}

// Judge keeps what is said of a ballot on an item, for all who come to it: once it is stored.
func (r *Room) Judge(ctx context.Context, item int, b Ballot, j Judged) error {
	r.mu.Lock()
	full := len(r.judged[item]) >= MaxJudged
	r.mu.Unlock()
	if full {
		return nil
	}
	if err := r.hall.keeper.SaveEdit(ctx,
		store.RoomEdit{Room: r.Number, Item: item, Edit: b.bytes(), Judged: string(j.Is), Hint: j.Hint}); err != nil {
		return r.gone(err)
	}
	r.mu.Lock()
	r.note(item, b, j)
	r.mu.Unlock()
	r.counted.send()
	return nil
}

// note has the room know what was said of a ballot. The room is locked, or nobody else's.
func (r *Room) note(item int, b Ballot, j Judged) {
	if r.judged[item] == nil {
		r.judged[item] = map[string]Judged{}
	}
	r.judged[item][b.String()] = j
}

// does tells whether a ballot on an item is known to do what is asked for. The room is locked.
func (r *Room) does(item int, b Ballot) bool { return r.judged[item][b.String()].Is == Done }

// Solved is how many of a tally of an item's edits do what is asked for.
func (r *Room) Solved(item int, t *Tally) (n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for ballot, votes := range t.Whole {
		if r.judged[item][ballot].Is == Done {
			n += votes
		}
	}
	return n
}

// renew makes of an item, as it was kept when fences were all that could be edited, one of today's, and gives what was
// said of ballots.
func renew(i *Item, state []byte) (map[string]Judged, error) {
	if i.Kind != oldFences {
		return nil, nil
	}
	i.Kind = Edits
	for p := range i.Parts {
		part := &i.Parts[p]
		part.Choices = append([]Answer(nil), part.Choices...)
		for c := 1; c < len(part.Choices); c++ {
			part.Choices[c].Cost = 1
		}
	}
	var was struct {
		Judged map[string]string `json:"judged"`
	}
	if err := json.Unmarshal(state, &was); err != nil {
		return nil, err
	}
	out := map[string]Judged{}
	for ballot, said := range was.Judged {
		out[ballot] = Judged{Is: map[string]Judgement{"enough": Done, "weak": Missed}[said]}
		if out[ballot].Is == "" {
			out[ballot] = Judged{Is: Undecided}
		}
	}
	return out, nil
}
