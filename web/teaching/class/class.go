// Package class runs lectures in which students vote, after Mazur's Peer Instruction: the teacher opens a question,
// students vote, discuss it with neighbours and vote again, and the teacher reveals the answer. [NewHall] makes a
// [Hall] on a [Keeper]:
//
//	hall := class.NewHall(store, time.Now)
//	room, secret, err := hall.Open(ctx, items)
//	err = room.Do(ctx, class.Action{Do: class.Open})
//	vote, err := room.Vote(ctx, class.VoterOf(token), 0, 1, class.Ballot{0}, 0)
//
// A [Room] is a class with a list of [Item] questions, one of them current. The room's secret gives control of the
// room. A voter may change a vote while its round is open. The server keeps only hashes of the voters' tokens and of
// the secret. A vote is acknowledged after it is stored, and the state in memory can be rebuilt from the store at any
// moment. [Phase] describes an item's phases.
//
// It imports only store.
package class

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Kind is the kind of answer that an item asks for.
type Kind string

// The kinds of items.
const (
	Verdicts Kind = "verdicts" // of an outcome, whether models allow it: a part for each
	Choice   Kind = "choice"   // one of some answers
	Edits    Kind = "edits"    // what to change in a test: a part for each place of it
	Text     Kind = "text"     // an answer that they write, with no parts: nobody knows what is right

	// oldFences is the kind of items in stored rooms from before Edits existed. Such items edit only fences; renew
	// converts them.
	oldFences Kind = "fences"
)

// Item is a question. It is immutable once it is in a room.
type Item struct {
	Kind    Kind   `json:"kind"`
	Title   string `json:"title"` // in the list of items
	Prompt  string `json:"prompt"`
	HTML    string `json:"html,omitempty"`    // the prompt with its markup, of a lesson; else ""
	Source  string `json:"source,omitempty"`  // the test that it is about
	Outcome string `json:"outcome,omitempty"` // … and the outcome
	Why     string `json:"why,omitempty"`     // what is said with the answer, as HTML
	Parts   []Part `json:"parts"`
	// Best is the cheapest ballot of edits that reaches the goal; nil if unknown. Minimal says that it is
	// known that no cheaper ballot reaches it.
	Best    Ballot `json:"best,omitempty"`
	Minimal bool   `json:"minimal,omitempty"`
	// Deck is the item's text in a deck file, from which it can be asked again; "" if a deck cannot contain it.
	Deck string `json:"deck,omitempty"`
	// Asks holds further data of the pages about the item. This package does not read it.
	Asks json.RawMessage `json:"asks,omitempty"`
}

// Part is a part of an item with its own vote.
type Part struct {
	Label   string   `json:"label,omitempty"`
	HTML    string   `json:"html,omitempty"` // the label with its markup; else ""
	Choices []Answer `json:"choices"`
	Right   int      `json:"right"`         // the choice that is; -1 where none is, or that is not known
	Was     int      `json:"was,omitempty"` // of edits, the choice that leaves the place as it is
}

// Answer is one choice of a part.
type Answer struct {
	Text string `json:"text"`
	HTML string `json:"html,omitempty"` // with its markup; else ""
	Why  string `json:"why,omitempty"`  // why it is right or wrong, as HTML
	Cost int    `json:"cost,omitempty"` // of edits, what it costs
}

// Bounds on a room.
const (
	MaxItems   = 100
	MaxParts   = 12
	MaxAnswers = 8
	MaxItem    = 64 << 10 // bytes of an item's JSON form
	MaxRounds  = 9
	MaxVoters  = 2000
	MaxStep    = 100_000

	MaxPrompt = 2000 // characters of a question of the teacher's own
	MaxAnswer = 300  // … of an answer to it
	MaxText   = 140  // … of one that a voter writes
	MaxHidden = 500  // answers to a question that are hidden
)

// Check returns the first fault of an item, or nil.
func (i *Item) Check() error {
	switch {
	case strings.TrimSpace(i.Prompt) == "" && i.HTML == "":
		return errors.New("the question has no text")
	case i.Kind == Text && len(i.Parts) > 0:
		return errors.New("a question with a written answer has no choices")
	case len(i.Parts) == 0 && i.Kind != Text:
		return errors.New("the question has no parts to vote on")
	case len(i.Parts) > MaxParts:
		return fmt.Errorf("a question has at most %d parts, not %d", MaxParts, len(i.Parts))
	}
	if i.Best != nil && !i.fits(i.Best) {
		return errors.New("the cheapest edits are not among the choices")
	}
	for _, p := range i.Parts {
		if len(p.Choices) < 2 || len(p.Choices) > MaxAnswers {
			return fmt.Errorf("a question has 2 to %d answers, not %d", MaxAnswers, len(p.Choices))
		}
		if p.Was < 0 || p.Was >= len(p.Choices) {
			return errors.New("the current edit of a place is not among its choices")
		}
		if p.Right < -1 || p.Right >= len(p.Choices) {
			return errors.New("the right answer is not among the answers")
		}
		for _, c := range p.Choices {
			if strings.TrimSpace(c.Text) == "" && c.HTML == "" {
				return errors.New("an answer has no text")
			}
		}
	}
	b, err := json.Marshal(i)
	if err != nil {
		return err
	}
	if len(b) > MaxItem || !utf8.ValidString(i.Prompt) {
		return fmt.Errorf("the question is longer than %d KiB", MaxItem>>10)
	}
	return nil
}

// Ballot is a vote: for each part the index of a choice, or None.
type Ballot []int8

// None marks a part without a vote.
const None int8 = -1

// fits reports whether a ballot is valid for an item: each index is a choice of its part, and at least one part has a
// vote. For edits every part needs a vote, because "no change" is also a choice there.
func (i *Item) fits(b Ballot) bool {
	if len(b) != len(i.Parts) {
		return false
	}
	some := false
	for n, c := range b {
		if c < None || int(c) >= len(i.Parts[n].Choices) || c == None && i.Kind == Edits {
			return false
		}
		some = some || c != None
	}
	return some
}

// takes reports whether a vote is valid for an item.
func (i *Item) takes(v Vote) bool {
	if i.Kind == Text {
		return v.Text != "" && v.Ballot == nil
	}
	return v.Text == "" && i.fits(v.Ballot)
}

// String formats a ballot: "0 1 -".
func (b Ballot) String() string {
	words := make([]string, len(b))
	for i, c := range b {
		words[i] = "-"
		if c != None {
			words[i] = fmt.Sprint(c)
		}
	}
	return strings.Join(words, " ")
}

// ParseBallot is the inverse of String.
func ParseBallot(text string) (Ballot, error) {
	words := strings.Fields(text)
	if len(words) == 0 || len(words) > MaxParts {
		return nil, fmt.Errorf("a ballot has 1 to %[2]d votes, not %[1]d", len(words), MaxParts)
	}
	b := make(Ballot, len(words))
	for i, w := range words {
		switch {
		case w == "-":
			b[i] = None
		case len(w) == 1 && w[0] >= '0' && w[0] < '0'+MaxAnswers:
			b[i] = int8(w[0] - '0')
		default:
			return nil, errors.New("a vote must be the number of an answer, or -")
		}
	}
	return b, nil
}

func (b Ballot) bytes() []byte {
	out := make([]byte, len(b))
	for i, c := range b {
		out[i] = byte(c)
	}
	return out
}

func ballotOf(bytes []byte) Ballot {
	b := make(Ballot, len(bytes))
	for i, c := range bytes {
		b[i] = int8(c)
	}
	return b
}

// Cost returns the total cost of a ballot's edits.
func (i *Item) Cost(b Ballot) (cost int) {
	for n, c := range b {
		if c >= 0 && n < len(i.Parts) && int(c) < len(i.Parts[n].Choices) {
			cost += i.Parts[n].Choices[c].Cost
		}
	}
	return cost
}

// Tally counts the votes for an item in one round.
type Tally struct {
	Voters int
	Parts  [][]int        // of each part, how many voted for each choice
	Whole  map[string]int // how many cast each ballot, of edits alone
	Texts  []Written      // what was written, of texts alone
}

func (i *Item) tally(votes map[Voter]Vote) Tally {
	t := Tally{Voters: len(votes), Parts: make([][]int, len(i.Parts))}
	for n, p := range i.Parts {
		t.Parts[n] = make([]int, len(p.Choices))
	}
	if i.Kind == Edits {
		t.Whole = map[string]int{}
	}
	for _, v := range votes {
		for n, c := range v.Ballot {
			if c != None {
				t.Parts[n][c]++
			}
		}
		if t.Whole != nil {
			t.Whole[v.Ballot.String()]++
		}
	}
	return t
}

// Edit is a ballot of edits and the number of its voters.
type Edit struct {
	Ballot Ballot
	Votes  int
}

// Edits returns the ballots of a tally by falling number of votes, and by rising cost among equal numbers.
func (i *Item) Edits(t *Tally) []Edit {
	var out []Edit
	for text, n := range t.Whole {
		if b, err := ParseBallot(text); err == nil {
			out = append(out, Edit{b, n})
		}
	}
	slices.SortFunc(out, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(b.Votes, a.Votes), cmp.Compare(i.Cost(a.Ballot), i.Cost(b.Ballot)),
			slices.Compare(a.Ballot, b.Ballot))
	})
	return out
}
