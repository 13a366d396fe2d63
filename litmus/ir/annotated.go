package ir

import (
	"strings"

	"litmuscope/litmus"
)

// Annotated lists the words of a test in LISA that a bell file declares: the annotations of instructions, the kinds of
// scopes, and the regions of locations.
type Annotated struct {
	Uses            []Annotation
	Scopes, Regions []litmus.Word
	// Nested are pairs of scopes of which the second is directly within the first.
	Nested [][2]litmus.Word
	// Foreign has an error for each word that the Linux kernel's model does not know: the test then needs a model with
	// a bell file.
	Foreign litmus.ErrorList
}

// Annotation is an annotated instruction.
type Annotation struct {
	Kind string // as bell files name kinds of instructions: R, W, RMW, F, B
	Pos  litmus.Pos
	Tags []litmus.Word
}

// BellTag returns the tag of the events with an annotation, or of the initial writes of a region.
func BellTag(word string) Tag { return Tag(litmus.BellTag(word)) }

// OfBell reports whether a tag is an annotation as a test in LISA writes it.
func (t Tag) OfBell() bool { return t.Annotation() != "" }

// Annotation returns the annotation of a tag, "" for another tag.
func (t Tag) Annotation() string {
	if word, found := strings.CutPrefix(string(t), litmus.BellTag("")); found {
		return word
	}
	return ""
}
