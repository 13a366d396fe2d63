package lesson

import (
	"litmuscope/litmus"
)

// DeckText is a deck's text, which a child process reads because a visitor wrote it.
type DeckText struct {
	File, Text string
	Terms      map[string]string // as a [Reader] has them
}

// DeckReading is the result of a child process that has read a deck. It is sent as JSON.
type DeckReading struct {
	Lesson *Lesson
	Blocks []deckBlock
	Faults litmus.ErrorList // why the deck cannot be used
}

// deckBlock is one block of a deck: exactly one of its fields is not nil.
type deckBlock struct {
	Prose    *Prose    `json:",omitempty"`
	Test     *Test     `json:",omitempty"`
	Question *Question `json:",omitempty"`
	Exercise *Exercise `json:",omitempty"`
}

// ReadDeck runs [Reader.Deck] in a child process.
func ReadDeck(t DeckText) (*DeckReading, error) {
	l, err := (&Reader{Terms: t.Terms}).Deck(t.File, []byte(t.Text))
	if err != nil {
		return &DeckReading{Faults: litmus.Errors(err)}, nil
	}
	out := &DeckReading{Lesson: l}
	for _, b := range l.Blocks {
		switch b := b.(type) {
		case Prose:
			out.Blocks = append(out.Blocks, deckBlock{Prose: &b})
		case *Test:
			out.Blocks = append(out.Blocks, deckBlock{Test: b})
		case *Question:
			out.Blocks = append(out.Blocks, deckBlock{Question: b})
		case *Exercise:
			out.Blocks = append(out.Blocks, deckBlock{Exercise: b})
		}
	}
	return out, nil
}

// Deck returns the deck, or a [litmus.ErrorList]. A question's test is a copy of the deck's test.
func (r *DeckReading) Deck() (*Lesson, error) {
	if err := r.Faults.Err(); err != nil {
		return nil, err
	}
	l := *r.Lesson
	l.deck = true
	for _, b := range r.Blocks {
		switch {
		case b.Prose != nil:
			l.Blocks = append(l.Blocks, *b.Prose)
		case b.Test != nil:
			l.Blocks = append(l.Blocks, b.Test)
		case b.Question != nil:
			l.Blocks = append(l.Blocks, b.Question)
		case b.Exercise != nil:
			l.Blocks = append(l.Blocks, b.Exercise)
		}
	}
	return &l, nil
}
