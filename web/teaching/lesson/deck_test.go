package lesson

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What the lessons ask, each by itself, is asked by a deck of it.
func TestLessonsAsDecks(t *testing.T) {
	lib, err := NewLibrary("", noTerms)
	if err != nil {
		t.Fatal(err)
	}
	builtIn, _ := lib.All()
	for _, e := range builtIn {
		for _, i := range e.Items() {
			deck, err := lib.reader().Deck("deck.md", []byte(e.DeckText(i)))
			if err != nil {
				t.Errorf("%s of %s: %v\n%s", i.Name(), e.Slug, err, e.DeckText(i))
				continue
			}
			if got := deck.Items(); len(got) != 1 || asked(got[0]) != asked(i) {
				t.Errorf("%s of %s becomes %d items: %s", i.Name(), e.Slug, len(got), e.DeckText(i))
			} else if from := deck.More[got[0].Name()]; from != e.Slug+"#"+i.Name() {
				t.Errorf("%s of %s is from %q: %s", i.Name(), e.Slug, from, e.DeckText(i))
			} else if again := deck.DeckText(got[0]); again != e.DeckText(i) {
				t.Errorf("%s of %s becomes %s", i.Name(), e.Slug, again)
			}
		}
	}
}

func asked(i Item) string {
	switch i := i.(type) {
	case *Test:
		return fmt.Sprint("test ", i.Source, i.Models, i.Predict, i.Why)
	case *Question:
		about := ""
		if i.About != nil {
			about = i.About.Source
		}
		return fmt.Sprint("question ", i.Text, i.Choices, i.Several, about)
	case *Exercise:
		return fmt.Sprint("exercise ", i.Task, i.Test, i.Goals[0].Model, i.Solution)
	}
	return ""
}

// Whatever somebody types is a question of a deck, and no markup.
func TestPlainQuestions(t *testing.T) {
	text := rapid.StringMatching("[a-zA-Z0-9 (x)\\[\\]<>&`~#*_$|:.\"'!=+-]{0,20}[a-z`(<#>\\-]")
	rapid.Check(t, func(rt *rapid.T) {
		prompt := strings.Join(rapid.SliceOfN(text, 1, 4).Draw(rt, "lines"), "\n")
		answers := rapid.SliceOfN(text, 2, 4).Draw(rt, "answers")
		right := rapid.IntRange(-1, len(answers)-1).Draw(rt, "right")
		written := rapid.Bool().Draw(rt, "written")
		if written {
			answers, right = nil, -1
		}
		file := Plain{Text: prompt, Answers: answers, Right: right, Written: written}.DeckText()
		deck, err := new(Reader).Deck("deck.md", []byte(file))
		if err != nil {
			rt.Fatalf("%v\n%s", err, file)
		}
		items := deck.Items()
		q, ok := items[0].(*Question)
		if !ok || len(items) != 1 || len(q.Choices) != len(answers) || q.Written != written {
			rt.Fatalf("got %d items of\n%s", len(items), file)
		}
		for n, c := range q.Choices {
			if c.Right != (n == right) || strings.Contains(c.Text, "<") {
				rt.Fatalf("answer %d of %+v, right is %d", n, q, right)
			}
		}
		if text := strings.NewReplacer("<p>", "", "</p>", "", "<br>", "").Replace(q.Text); strings.Contains(text, "<") {
			rt.Fatalf("%q becomes %s", prompt, q.Text)
		}
	})
}

func TestBadDecks(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "deck.md:1:1: the file has no questions"},
		{"Only prose.\n", "deck.md:1:1: the file has no questions"},
		{"```question\nWhich?\n( ) one\n```\n", "deck.md:1:4: got 1 choice, want at least two"},
		{"```question\nWhich?\n(x) one\n(x) two\n```\n", "deck.md:1:4: 2 choices are right"},
		{"```question\nWhich?\n( ) <script>alert(1)</script>\n( ) two\n```\n", "deck.md:3:1: HTML is not allowed"},
		{"```question\n<img src=x onerror=alert(1)>\n( ) one\n( ) two\n```\n", "deck.md:2:1: HTML is not allowed"},
		{
			"```question\n![x](https://example.org/x.png)\n( ) one\n( ) two\n```\n",
			"a deck is one file and has no images",
		},
		{"```question about=\"SB\"\nWhich?\n( ) one\n( ) two\n```\n", "no test above it has this name"},
		{"\n```litmus predict\nX86 SB\n{ x=0 }\n P0 ;\n NONSENSE ;\nexists (x=1)\n```\n", "deck.md:6:2: "},
		{"```question about\nWhich?\n( ) a\n( ) b\n```\n", "no test above it has this name"},
		{"```question verdict=sc\nWhich?\n```\n", "deck.md:1:4: the question asks for a verdict, but names no test"},
		{
			"```litmus test=SB\n```\n```question about verdict=nonsense\nWhich?\n```\n",
			"deck.md:3:4: there is no model \"nonsense\"",
		},
		{
			"```litmus test=SB\n```\n```question about verdict=sc\nWhich?\n( ) a\n```\n",
			"deck.md:5:1: the question asks for a verdict, so it cannot have choices",
		},
		{
			"```litmus test=SB models=sc picture=sc\n```\n```question about picture verdict=sc\nWhich?\n```\n",
			"a picture would reveal the verdict",
		},
		{
			"```question text\nWhich?\n( ) a\n( ) b\n```\n",
			"deck.md:3:1: the question has a written answer, so it cannot have choices",
		},
		{"```question text\n```\n", "deck.md:1:4: the question has no text"},
		{
			"```litmus test=SB\n```\n```question about verdict=sc text\nWhich?\n```\n",
			"deck.md:3:4: the answer is either a verdict or a written text",
		},
		{
			"```question more=\"/learn/fences\"\nWhich?\n( ) a\n( ) b\n```\n",
			"deck.md:1:4: got more=\"/learn/fences\", want a lesson",
		},
		{"```cat model=sc\n```\n", "deck.md:1:4: a deck accepts litmus, question, exercise blocks, not cat"},
		{"```quiz\n```\n", "deck.md:1:4: there are no \"quiz\" blocks"},
		{"---\ntitle: x\nsummary: y\nminutes: many\n---\n", "deck.md:4:10: front matter: minutes wants a number"},
		{"a\x00b", "deck.md:1:2: got a zero byte"},
		{strings.Repeat("x", MaxDeck+1), "deck.md:1:1: the file is longer than 128 KiB"},
		{strings.Repeat("> ", MaxDeck/2), "deck.md:1:4001: the line is longer"},
		{strings.Repeat("> ", 9), "deck.md:1:1: the line begins more than 8 lists"},
		{strings.Repeat(">", 9), "deck.md:1:1: the line begins more than 8 lists"},
		{"a\n" + strings.Repeat("- ", 9), "deck.md:2:1: the line begins more than 8 lists"},
		{strings.Repeat("[[[[[[[[[[\n", 201), "deck.md:201:1: the paragraph has more than 2000 brackets"},
		{
			"```question\nWhich?\n" + strings.Repeat("( ) a\n", 13) + "```\n",
			"deck.md:15:1: a question of a deck has at most 12 choices",
		},
		{
			strings.Repeat("```question\nWhich?\n( ) a\n( ) b\n```\n", 201),
			"deck.md:1001:4: a deck has at most 200 blocks",
		},
	} {
		_, err := new(Reader).Deck("deck.md", []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80q: %v, want %s", c.text, err, c.want)
		}
	}
}

func TestDecksNeedNoExplanations(t *testing.T) {
	l, err := new(Reader).Deck("deck.md", []byte("# A deck\n"))
	if err == nil {
		t.Errorf("a title alone is a deck: %+v", l)
	}
	l, err = new(Reader).Deck("deck.md", []byte("```question\nWhich?\n( ) one\n(x) two\n> As it is.\n```\n"))
	if err != nil || len(l.Items()) != 1 {
		t.Errorf("%v", err)
	}
}

// A child process passes on a deck as it was read, and says what is wrong with one.
func TestDeckReading(t *testing.T) {
	text := "Some *prose*.\n\n```litmus predict\nX86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n" +
		" MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n```\n\n```question about\nWhich?\n( ) one\n" +
		"(x) two\n```\n"
	want, err := new(Reader).Deck("deck.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	read, err := ReadDeck(DeckText{File: "deck.md", Text: text})
	if err != nil {
		t.Fatal(err)
	}
	body, err := json.Marshal(read)
	if err != nil {
		t.Fatal(err)
	}
	handed := new(DeckReading)
	if err := json.Unmarshal(body, handed); err != nil {
		t.Fatal(err)
	}
	got, err := handed.Deck()
	if err != nil || len(got.Blocks) != len(want.Blocks) {
		t.Fatal(got, err)
	}
	for i, item := range want.Items() {
		if a, b := got.DeckText(got.Items()[i]), want.DeckText(item); a != b {
			t.Errorf("got %q, want %q", a, b)
		}
	}
	if !reflect.DeepEqual(got.Blocks, want.Blocks) {
		t.Errorf("got  %+v\nwant %+v", got.Blocks, want.Blocks)
	}
	read, err = ReadDeck(DeckText{File: "deck.md", Text: "nothing\n"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := read.Deck(); err == nil || !strings.Contains(err.Error(), "deck.md:1:1: the file has no questions") {
		t.Error(err)
	}
}

// Tables are refused by their cells before any of them is made: Markdown fills rows up.
func TestDeckTables(t *testing.T) {
	const question = "\n```question\nWhich?\n( ) one\n(x) two\n```\n"
	table := func(columns, rows int) string {
		return "|" + strings.Repeat("a|", columns) + "\n|" + strings.Repeat("-|", columns) + "\n" +
			strings.Repeat("|\n", rows) + question
	}
	for _, c := range []struct {
		columns, rows int
		refused       bool
	}{{900, 5000, true}, {100, 200, true}, {100, 90, false}, {5, 30, false}} {
		_, err := new(Reader).Deck("deck.md", []byte(table(c.columns, c.rows)))
		if refused := err != nil && strings.Contains(err.Error(), "more than 10000 cells"); refused != c.refused ||
			!refused && err != nil {
			t.Errorf("%d columns, %d rows: %v", c.columns, c.rows, err)
		}
	}
}
