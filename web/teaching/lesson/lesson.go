// Package lesson reads lessons: Markdown with litmus tests, questions and exercises. static/docs/lessons.md is the
// author's guide to the format.
//
//	l, err := new(lesson.Reader).Read("03-fences.md", text) // errors are a litmus.ErrorList, file:line:col
//	for _, b := range l.Blocks { … }            // in the order of the page
//
// A [Reader] checks what can be decided by reading: that tests parse, that models, classic tests and states of pictures
// exist, and that a question has an answer. [CheckClaims] checks with the engines what needs them. A [Library] has the
// program's lessons and those of a folder that may change at any time; [ReadDeck] reads a teacher's deck of questions.
//
// It imports packages of litmus, models, solver, solver/engines and web/teaching/mathml, and no page.
package lesson

import (
	"slices"

	"litmuscope/litmus"
	"litmuscope/solver"
	"litmuscope/solver/report"
)

// Own is the name, in goals and claims, of the model that a reader writes in an exercise.
const Own = "own"

// A Lesson is one lesson file. Its HTML is safe: authors cannot write HTML.
type Lesson struct {
	Slug    string // its address: 03-fences.md is "fences"
	Title   string
	Summary string // one sentence
	Order   int    // among lessons, the first first
	Minutes int    // that it takes
	Track   string // that it belongs to; "" for none
	Needs   []string
	Blocks  []Block `json:"-"` // a deck's go through JSON as a [DeckReading] has them

	File     string
	Text     string // the file's
	Version  string // is another one when the text is
	Sections []Section
	Links    []Link
	Claims   []Claim // what the text says of classic tests
	// More maps an item of a deck to the lesson it comes from and its name there: "fences#question-2".
	More map[string]string
	Own  bool // from a folder of the lecturer's
	deck bool
}

// Section is a heading of the second level, an entry of the contents.
type Section struct{ ID, Title string }

// Link is a link of a lesson, or an image that it shows.
type Link struct {
	To    string
	Image bool
	Pos   litmus.Pos
}

// Tour shows how the engine graphs explores the executions of a test.
type Tour struct {
	ID      string // "tour-1"
	Pos     litmus.Pos
	Title   string
	Source  string
	Classic string // as Test.Classic
	Model   string
	At      int    // the graph that is shown, from 1
	Expect  string // what it comes to, in the tour's own words
	Shows   string // what the graph that is shown is, likewise; "" where nothing is claimed
}

// Mappings shows what mappings make of a test in C.
type Mappings struct {
	ID      string // "compile-1"
	Pos     litmus.Pos
	Title   string
	Source  string
	Classic string  // as Test.Classic
	Model   string  // of the language
	Expect  []Claim // a mapping each, Right or Wrong
}

// Log is a machine's log of runs of a test.
type Log struct {
	ID      string // "log-1"
	Pos     litmus.Pos
	Title   string
	Source  string // of the test
	Classic string
	Text    string               // the log, as litmus7 writes it
	Seen    []report.LoggedState // its states
	Expect  []LogClaim
}

// LogClaim claims how many states of a log a model forbids.
type LogClaim struct {
	Model   string
	Forbids int
}

// Block is a part of a lesson: [Prose], [Slide], [*Test], [*Question], [*Exercise], [*Model], [*Tour], [*Mappings] or
// [*Log].
type Block interface{ block() }

// Item is a block with a task for the reader. Its name, such as "question-2", is unique in the lesson and contains its
// number among the blocks of its kind.
type Item interface {
	Block
	Name() string
}

// Prose is text.
type Prose struct{ HTML string }

// Slide is the text of a slide, which replaces the slides that the page's script makes of the text after it. The page
// itself does not show it. Empty text means no slide.
type Slide struct{ HTML string }

// Test is a live test.
type Test struct {
	ID      string // "test-1"
	Pos     litmus.Pos
	Title   string // the test's name
	Arch    string
	Source  string
	Classic string   // the ID of the classic test that it is; "" for one of the lesson's own
	Models  []string // as columns: "tso", "tso@machine"
	Bounds  Bounds
	Expect  []Claim
	Also    []Claim  // properties that it is said to have
	Predict bool     // verdicts stay covered until the reader has said what they will be
	Picture *Picture // what is drawn from the start; nil: nothing
	Steps   bool     // … and its steps are opened
	Why     string   // HTML that is shown with the verdicts
}

// Picture names the execution to draw: one with an outcome under a model or, without a state, the one that decides the
// condition.
type Picture struct {
	Model string
	State solver.State `json:",omitempty"`
}

// Claim states a model's verdict on a test's proposition or, with a property, on the whole test.
type Claim struct {
	Model   string
	Verdict solver.Verdict // Undecided only where an engine has bounds that hide the outcome
	// Property, unless "", is claimed instead of a verdict. Count is its number.
	Property Property
	Count    int
	Bounds   Bounds
	Classic  string // a classic test's ID; "": the test of the block
	// Compiled, unless "", is the mapping that translates the claim's test in C: ppc:trailing.
	Compiled string
	Pos      litmus.Pos
}

// Question is a multiple-choice question or, in a deck, one for a verdict or a written answer.
type Question struct {
	ID      string // "question-1"
	Pos     litmus.Pos
	Text    string   // HTML
	About   *Test    // the lesson's; nil: the question stands for itself
	Picture *Picture // About's, where the question speaks of that execution; nil: it does not
	Several bool     // choices may be right together, and are ticked
	// Verdict, in a deck, is the column whose verdict on About is the answer; "" if the question has choices.
	Verdict string
	Written bool // of a deck: everybody writes an answer of their own, in place of choices
	Choices []Choice
}

// Choice is an answer with an explanation why it is right or wrong. Both texts are HTML.
type Choice struct {
	Text, Why string
	Right     bool
}

// Exercise asks the reader to edit a test or a model until it meets the goals.
type Exercise struct {
	ID       string // "exercise-1"
	Pos      litmus.Pos
	Task     string // HTML
	Title    string // the test's name
	Arch     string
	Test     string // what is edited, unless there is a model; "" if the model alone matters
	Classic  string // as Test.Classic
	Model    string // what is edited; "" where that is the test
	Goals    []Claim
	Cycle    string // that the test is to be of, in words; "" for any
	Rules    Rules
	Hints    []string // HTML
	Solution string   // as edited
	Why      string   // HTML that is shown once the goals are met
}

// Rules limits the edits of an exercise's test. A number is the most that the reader may insert, and -1 allows any
// number.
type Rules struct {
	Anything     bool // the test is the reader's own
	Model        bool // a model is edited, and no test
	NoIncludes   bool // … and includes no other
	Like         bool // … and is to say of all classic tests what the solution says
	Condition    bool
	Threads      []string // P1: those that may be anything
	Fences       int
	Dependencies int
	Annotations  int
	Text         []string // as written, a line each
}

// Model shows the text of a model, or a part of one.
type Model struct {
	Pos    litmus.Pos
	Name   string // of the built-in one that it is; "" for one of the lesson's own
	Source string
	Part   bool // it is no model by itself
}

func (Prose) block()     {}
func (Slide) block()     {}
func (*Test) block()     {}
func (*Question) block() {}
func (*Exercise) block() {}
func (*Model) block()    {}
func (*Tour) block()     {}
func (*Mappings) block() {}
func (*Log) block()      {}

// Name is the block's.
func (t *Test) Name() string { return t.ID }

// Name is the block's.
func (q *Question) Name() string { return q.ID }

// Name is the block's.
func (e *Exercise) Name() string { return e.ID }

// Items returns the reader's tasks in order: predictions, questions and exercises.
func (l *Lesson) Items() []Item {
	var out []Item
	for _, b := range l.Blocks {
		switch b := b.(type) {
		case *Test:
			if b.Predict {
				out = append(out, b)
			}
		case *Question:
			out = append(out, b)
		case *Exercise:
			out = append(out, b)
		}
	}
	return out
}

// Find returns the test, question or exercise with a name; nil if there is none.
func (l *Lesson) Find(name string) Item {
	for _, b := range l.Blocks {
		if i, ok := b.(Item); ok && i.Name() == name {
			return i
		}
	}
	return nil
}

// Columns returns the models that the exercise's goals name, each once.
func (e *Exercise) Columns() []string {
	var out []string
	for _, g := range e.Goals {
		if !slices.Contains(out, g.Model) {
			out = append(out, g.Model)
		}
	}
	return out
}
