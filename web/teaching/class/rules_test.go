package class

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func sb() Item {
	verdict := []Answer{{Text: "allowed"}, {Text: "forbidden"}}
	return Item{Kind: Verdicts, Title: "SB", Prompt: "Can this happen?", Outcome: "0:EAX=0; 1:EAX=0", Parts: []Part{
		{Label: "SC", Choices: verdict, Right: 1}, {Label: "TSO", Choices: verdict, Right: 0},
	}}
}

func fences() Item {
	gap := []Answer{{Text: "no fence"}, {Text: "MFENCE", Cost: 20}}
	return Item{Kind: Edits, Title: "SB", Prompt: "Place the fences", Parts: []Part{
		{Label: "in P0", Choices: gap, Right: -1}, {Label: "in P1", Choices: gap, Right: -1},
	}}
}

func why() Item { return Item{Kind: Text, Title: "Why?", Prompt: "Why?"} }

// Each line does things in turn, and says how far the first question is then.
func TestRules(t *testing.T) {
	for _, c := range []struct{ does, then string }{
		{"", "waiting 0"},
		{"open", "open 1"},
		{"open close", "closed 1"},
		{"open close open", "open 1"},
		{"open close discuss", "discussing 1"},
		{"open discuss open", "open 2"},
		{"open discuss open close reveal", "revealed 2"},
		{"open reveal", "revealed 1"},
		{"open reveal cover", "closed 1"},
		{"reveal cover", "waiting 0"},
		{"open reveal show:1 step:3", "revealed 1, part 1 step 3"},
		{"open reveal step:3 show:1", "revealed 1, part 1 step -1"},
		{"open goto:1", "closed 1"},
		{"open goto:1 open", "closed 1"},
		{"open goto:1 goto:0 open", "open 1"},
		{"open open", "open, while the question is open"},
		{"close", "close, while the question is waiting"},
		{"discuss", "discuss, while the question is waiting"},
		{"cover", "cover, while the question is waiting"},
		{"open reveal open", "open, while the question is revealed"},
		{"open step:1", "step, while the question is open"},
		{"reveal show:2", "show, while the question is revealed"},
		{"goto:3", "there is no question 4"},
		{"goto:-1", "there is no question 0"},
		{"timer:60", "open 1"},
		{"open timer:60 more:30 timer:0", "open 1"},
		{"timer:60 discuss timer:30", "open 2"},
		{"timer:60 close timer:30", "open 1"},
		{"timer:60 close more:30", "no time limit"},
		{"open more:30", "no time limit"},
		{"timer:0", "timer, while the question is waiting"},
		{"timer:-1", "timer, while the question is waiting"},
		{"open timer:3601", "timer, while the question is open"},
		{"reveal timer:30", "timer, while the question is revealed"},
		{"hide:x", "there is no such answer"},
		{"goto:2 hide:x unhide:x unhide:y", "waiting 0"},
		{"goto:2 open hide:x reveal hide:y", "waiting 0"},
		{"goto:2 hide", "there is no such answer"},
		{"goto:2 hide:" + strings.Repeat("x", MaxText+1), "there is no such answer"},
		{"board:1 reveal leaders:1 leaders:0 board:0", "revealed 0"},
		{"board:1 open leaders:1", "leaders, while the question is open"},
		{"reveal leaders:1", "leaders, while the question is revealed"},
		{"dance", `"dance"`},
		{strings.Repeat("open discuss ", MaxRounds) + "open", "at most 9 rounds"},
	} {
		s, items := State{}, []Item{sb(), fences(), why()}
		progress := []Progress{{Phase: Waiting, Step: -1}, {Phase: Waiting, Step: -1}, {Phase: Waiting, Step: -1}}
		var err error
		for _, word := range strings.Fields(c.does) {
			name, n, _ := strings.Cut(word, ":")
			a := Action{Do: Verb(name), Text: n}
			_, _ = fmt.Sscan(n, &a.N)
			if _, err = apply(&s, items, progress, a, time.Now()); err != nil {
				break
			}
		}
		p := progress[0]
		got := fmt.Sprint(p.Phase, " ", p.Round)
		if p.Phase == Revealed && strings.Contains(c.then, "part") {
			got += fmt.Sprintf(", part %d step %d", p.Part, p.Step)
		}
		if err != nil {
			if got = strings.TrimPrefix(err.Error(), ErrNotNow.Error()+": "); !errors.Is(err, ErrNotNow) {
				t.Errorf("%s: %v is not ErrNotNow", c.does, err)
			}
		}
		if !strings.HasSuffix(got, c.then) {
			t.Errorf("%s: %q, want %q", c.does, got, c.then)
		}
	}
	if _, err := apply(&State{}, nil, nil, Action{Do: Open}, time.Now()); !errors.Is(err, ErrNotNow) {
		t.Errorf("without questions: %v", err)
	}
}

func TestWhenVotesCount(t *testing.T) {
	now := time.Now()
	ago := func(d time.Duration) int64 { return now.Add(-d).UnixMilli() }
	for _, c := range []struct {
		p     Progress
		round int
		want  bool
	}{
		{Progress{Phase: Waiting}, 0, false},
		{Progress{Phase: Waiting}, 1, false},
		{Progress{Phase: Opened, Round: 1}, 1, true},
		{Progress{Phase: Opened, Round: 2}, 1, false},
		{Progress{Phase: Opened, Round: 1}, 2, false},
		{Progress{Phase: Closed, Round: 1, Closed: ago(time.Second)}, 1, true},
		{Progress{Phase: Closed, Round: 1, Closed: ago(Grace)}, 1, false},
		{Progress{Phase: Discussing, Round: 1, Closed: ago(time.Second)}, 1, true},
		{Progress{Phase: Revealed, Round: 1, Closed: ago(time.Second)}, 1, false},
		{Progress{Phase: Opened, Round: 1, Ends: ago(-time.Second)}, 1, true},
		{Progress{Phase: Opened, Round: 1, Ends: ago(time.Second)}, 1, true},
		{Progress{Phase: Opened, Round: 1, Ends: ago(Grace)}, 1, false},
	} {
		if got := c.p.takes(c.round, now); got != c.want {
			t.Errorf("%+v takes votes in round %d: %v", c.p, c.round, got)
		}
	}
}

func TestBallots(t *testing.T) {
	verdicts, gaps := sb(), fences()
	for _, c := range []struct {
		item *Item
		b    Ballot
		want bool
	}{
		{&verdicts, Ballot{0, 1}, true},
		{&verdicts, Ballot{None, 1}, true},
		{&verdicts, Ballot{None, None}, false},
		{&verdicts, Ballot{0}, false},
		{&verdicts, Ballot{0, 2}, false},
		{&verdicts, Ballot{0, -2}, false},
		{&gaps, Ballot{0, 0}, true},
		{&gaps, Ballot{None, 0}, false},
	} {
		if got := c.item.fits(c.b); got != c.want {
			t.Errorf("%v fits %s: %v", c.b, c.item.Kind, got)
		}
		back, err := ParseBallot(c.b.String())
		if c.want && (err != nil || back.String() != c.b.String()) {
			t.Errorf("%v reads back as %v, %v", c.b, back, err)
		}
	}
	for _, bad := range []string{"", "x", "8", "10", "0 1 2 3 4 5 6 7 0 1 2 3 4"} {
		if b, err := ParseBallot(bad); err == nil {
			t.Errorf("%q is a ballot: %v", bad, b)
		}
	}
}

func TestTexts(t *testing.T) {
	asked, other := why(), sb()
	for _, c := range []struct{ written, want string }{
		{"A store buffer", "A store buffer"},
		{"  a\r\n\tstore\u00a0 buffer \n", "a store buffer"},
		{"\u202egnirts\u202c \x00\x1b[31m\ufeff", "gnirts [31m"},
		{"a\xffb\ufffdc", "abc"},
		{"👩\u200d👩\u200d👧", "👩\u200d👩\u200d👧"},
		{"<script>alert(1)</script>", "<script>alert(1)</script>"},
		{strings.Repeat(" é ", MaxText/2), strings.TrimSpace(strings.Repeat("é ", MaxText/2))},
		{strings.Repeat("😀", MaxText/2), strings.Repeat("😀", MaxText/2)},
		{strings.Repeat("😀", MaxText/2) + "x", ""},
		{strings.Repeat("x", MaxText+1), ""},
		{"", ""},
		{" \n\u200d \u200b\x07", ""},
	} {
		text, err := ReadText(c.written)
		if text != c.want || (err == nil) != (c.want != "") {
			t.Errorf("%q is read as %q, %v, want %q", c.written, text, err, c.want)
		}
		if err != nil {
			continue
		}
		if again, err := ReadText(text); again != text || err != nil {
			t.Errorf("%q is read as %q, %v", text, again, err)
		}
		if !asked.takes(Vote{Text: text}) || asked.takes(Vote{Text: text, Ballot: Ballot{0}}) || asked.takes(Vote{}) ||
			other.takes(Vote{Text: text, Ballot: Ballot{0, 0}}) {
			t.Errorf("%q is taken where it is no answer, or not where it is one", text)
		}
	}
	votes := map[Voter]Vote{}
	for n, text := range []string{"A fence", "a fence", "A FENCE", "a fence", "Σας", "ΣΑΣ", "straße", "a  fence"} {
		votes[VoterOf(fmt.Sprint(n))] = Vote{Text: text}
	}
	if got := fmt.Sprint(
		written(votes, nil)); got != "[{a fence 4 false} {Σας 2 false} {a  fence 1 false} {straße 1 false}]" {
		t.Errorf("grouped they are %s", got)
	}
}

func TestNamesAreEnough(t *testing.T) {
	seen := map[string]bool{}
	for _, word := range slices.Concat(hows, whats) {
		if seen[word] || len(word) > 10 || strings.Trim(word[1:], "abcdefghijklmnopqrstuvwxyz") != "" ||
			word[0] < 'A' || word[0] > 'Z' {
			t.Errorf("%q is twice a part of names, or none", word)
		}
		seen[word] = true
	}
	if n := len(hows) * len(whats); n < 4*MaxVoters {
		t.Errorf("there are %d names for %d voters", n, MaxVoters)
	}
	r, taken := &Room{secret: []byte("secret")}, map[string]bool{}
	for n := range MaxVoters {
		name := r.nameFor(VoterOf(fmt.Sprint(n)), taken)
		if taken[name] {
			t.Fatalf("%s twice", name)
		}
		taken[name] = true
	}
}

func TestHiddenAnswersAreBounded(t *testing.T) {
	s, items, progress := State{}, []Item{why()}, []Progress{{Phase: Waiting}}
	for n := range MaxHidden + 1 {
		_, err := apply(&s, items, progress, Action{Do: Hide, Text: fmt.Sprint(n)}, time.Now())
		if errors.Is(err, ErrNotNow) != (n == MaxHidden) {
			t.Errorf("answer %d: %v", n, err)
		}
	}
	if p := progress[0]; len(p.Hidden) != MaxHidden {
		t.Errorf("%d are hidden", len(p.Hidden))
	}
}

func TestItemsAreChecked(t *testing.T) {
	for want, spoil := range map[string]func(*Item){
		"has no text":           func(i *Item) { i.Prompt = " " },
		"to vote on":            func(i *Item) { i.Parts = nil },
		"with a written answer": func(i *Item) { i.Kind = Text },
		"12 parts":              func(i *Item) { i.Parts = make([]Part, 13) },
		"2 to 8 answers":        func(i *Item) { i.Parts[0].Choices = i.Parts[0].Choices[:1] },
		"not among the":         func(i *Item) { i.Parts[0].Right = 2 },
		"answer has no":         func(i *Item) { i.Parts[0].Choices = []Answer{{Text: "a"}, {}} },
		"longer than 64":        func(i *Item) { i.Source = strings.Repeat("x", MaxItem) },
		"longer than 64 K":      func(i *Item) { i.Prompt = "\xff" },
	} {
		i := sb()
		if err := i.Check(); err != nil {
			t.Fatal(err)
		}
		if spoil(&i); i.Check() == nil || !strings.Contains(i.Check().Error(), want) {
			t.Errorf("%v, want %s", i.Check(), want)
		}
	}
}

func TestCodes(t *testing.T) {
	seen := map[string]bool{}
	for range 1000 {
		code := newCode()
		if ReadCode(code) != code || seen[code] {
			t.Fatalf("code %q", code)
		}
		seen[code] = true
	}
	for text, want := range map[string]string{
		"abcdef": "ABCDEF", "abc def": "ABCDEF", "ABC-234": "ABC234",
		"": "", "ABCDE": "", "ABCDEFG": "", "ABCDE0": "", "ABCDEI": "", "ABCDE/": "", "ÄBCDEF": "",
	} {
		if got := ReadCode(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if s := NewSecret(); !IsSecret(s) || IsSecret(s+"A") || IsSecret("") || s == NewSecret() {
		t.Errorf("secret %q", s)
	}
}
