package class

import (
	"context"
	"encoding/json"

	"litmuscope/store"
)

// Judged is an engine's answer about a ballot of edits.
type Judged struct {
	Is   Judgement
	Hint string // what is wrong, in a sentence
}

// Judgement says whether edits reach the goal.
type Judgement string

// The values of Judgement.
const (
	Done      Judgement = "done"
	Missed    Judgement = "missed"
	Undecided Judgement = "undecided" // nobody knows
)

// MaxJudged limits the ballots of an item whose judgements are kept.
const MaxJudged = 4096

// Judged returns the kept judgement of a ballot on an item, if there is one.
func (r *Room) Judged(item int, b Ballot) (Judged, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	j, ok := r.judged[item][b.String()]
	return j, ok
}

// Judge stores the judgement of a ballot on an item, and then shows it to everybody in the room.
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

// note records a judgement in memory. The caller holds the room's lock, or is its only user.
func (r *Room) note(item int, b Ballot, j Judged) {
	if r.judged[item] == nil {
		r.judged[item] = map[string]Judged{}
	}
	r.judged[item][b.String()] = j
}

// does reports whether a ballot on an item is known to reach the goal. The caller holds the room's lock.
func (r *Room) does(item int, b Ballot) bool { return r.judged[item][b.String()].Is == Done }

// Solved returns how many votes of a tally of edits reach the goal.
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

// renew converts an item of kind oldFences, as older versions stored it, to kind Edits, and returns the kept judgements
// of its ballots.
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
