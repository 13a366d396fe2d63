package lesson

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

const front = "---\ntitle: Mine\nsummary: What I teach.\nminutes: 5\n---\n"

const sb = "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n" +
	"exists (0:EAX=0 /\\ 1:EAX=0)\n"

func fenced(a, b string) string {
	return strings.Replace(sb, " MOV EAX", " "+a+" | "+b+" ;\n MOV EAX", 1)
}

// exercise is a block with sections, the last of which win.
func exercise(sections ...string) string {
	out := "```exercise\n"
	for i := 0; i < len(sections); i += 2 {
		out += "-- " + sections[i] + " --\n" + strings.TrimSuffix(sections[i+1], "\n") + "\n"
	}
	return out + "```\n"
}

// A slide block is a block of its own, and prose is divided there.
func TestSlideBlock(t *testing.T) {
	l, err := new(Reader).Read("01-a.md", []byte(front+"Before.\n\n```slide\nOnly *here*.\n```\n\nAfter.\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []Block{
		Prose{HTML: "<p>Before.</p>\n"}, Slide{HTML: "<p>Only <em>here</em>.</p>\n"}, Prose{HTML: "<p>After.</p>\n"},
	}
	if !slices.Equal(l.Blocks, want) {
		t.Errorf("got %#v", l.Blocks)
	}
}

// What an author can get wrong is said with its place, line 6 being the first after the front
// matter.
func TestMistakes(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{
			"no front matter", "Hello",
			"01-a.md:1:1: got no front matter, want lines between two lines of ---: title, summary, minutes",
		},
		{
			"robust by an engine", front + "```litmus test=SB expect=\"tso@machine robust\"\n```\n",
			"01-a.md:6:4: the claim robust does not name an engine: want tso",
		},
		{
			"races of a machine", front + "```litmus test=SB expect=\"tso race-free\"\n```\n",
			"01-a.md:6:4: tso does not define data races: want rc11, c11 or lkmm",
		},
		{
			"a mapping of nothing", front + "[x](/?test=C/SB+poscscs \"rc11 right\")\n",
			"01-a.md:6:1: right and wrong are claims about a mapping: want rc11 right compiled=ppc:leading",
		},
		{
			"a mapping that there is not", front + "```compile test=C/SB+poscscs expect=\"vax right\"\n```\n",
			"01-a.md:6:4: compiled to vax: cannot compile tests to \"vax\": want one of x86_64, ppc, arm, " +
				"aarch64, riscv",
		},
		{
			"nothing said of mappings", front + "```compile test=C/SB+poscscs\n```\n",
			"01-a.md:6:4: a compile block names its mappings and whether they are right, such as expect=\"x86_64 " +
				"right; ppc:trailing wrong\"",
		},
		{
			"a log of another test", front + "```log test=X86/SB expect=\"sc 0\"\nTest MP Allowed\n" +
				"Histogram (1 states)\n3:>1:EAX=0; 1:EBX=0;\nNo\n```\n",
			"01-a.md:6:4: the log is of test MP, but the block is of test SB",
		},
		{
			"no log", front + "```log test=X86/SB expect=\"sc 0\"\n```\n",
			"01-a.md:6:4: the log contains no test: want a log of litmus7",
		},
		{
			"what a repair costs as a goal",
			front +
				exercise("task", "Do.", "test", sb, "goal", "tso costs 40", "rules", "insert fences", "solution",
					fenced("MFENCE", "MFENCE")), "01-a.md:17:1: the cost of a repair cannot be a goal: " +
				"want a rule, insert at most 1 fence, and a verdict",
		},
		{"a formula that is none", front + "\nA $\\frac{a$ here.\n", "01-a.md:7:4: the formula: Unexpected end of " +
			"input in a macro argument, expected '}' at end of input: \\frac{a; write a $ that begins no formula as " +
			"\\$"},
		{"no title", "---\nsummary: x\nminutes: 3\n---\n", "01-a.md:1:1: front matter: title is missing"},
		{
			"not a number", "---\ntitle: x\nsummary: x\nminutes: many\n---\n",
			"01-a.md:4:10: front matter: minutes wants a number",
		},
		{
			"no list", "---\ntitle: x\nsummary: x\nminutes: 3\nneeds: a\n---\n",
			"01-a.md:5:8: front matter: needs wants a list of lessons, [a, b]",
		},
		{
			"unknown model", front + "```litmus test=SB expect=\"foo allowed\"\n```\n",
			`01-a.md:6:4: there is no model "foo"`,
		},
		{
			"a block of no kind", front + "```quiz\nWhich?\n```\n",
			`01-a.md:6:4: there are no "quiz" blocks: want litmus, question, exercise, cat, tour, compile, log or slide`,
		},
		{"unknown engine", front + "```litmus test=SB models=tso@foo\n```\n", "01-a.md:6:4: unknown engine"},
		{
			"engine of another model", front + "```litmus test=SB models=tso@lazy-cseq\n```\n",
			"01-a.md:6:4: engine lazy-cseq does not support tso",
		},
		{
			"claim", front + "```litmus test=SB expect=\"tso maybe\"\n```\n",
			`01-a.md:6:4: tso: got "maybe", want allowed, forbidden or unknown`,
		},
		{
			"claim about another test", front + "```litmus test=SB expect=\"tso allowed MP\"\n```\n",
			`01-a.md:6:4: got "tso allowed MP", want a model and allowed, forbidden or unknown`,
		},
		{
			"claim about no column", front + "```litmus test=SB models=sc expect=\"tso allowed\"\n```\n",
			"01-a.md:6:4: expect names tso, which is not among the block's models",
		},
		{
			"claim in a link", front + "So [SB](/?test=SB \"tso maybe\") is.\n",
			`01-a.md:6:4: tso: got "maybe", want allowed, forbidden or unknown`,
		},
		{
			"claim of no mapping", front + "So [SB](/?test=C/SB+poscscs \"power forbidden compiled=vax\") is.\n",
			`01-a.md:6:4: compiled to vax: `,
		},
		{
			"claim about what is not C", front + "So [SB](/?test=SB \"power forbidden compiled=ppc\") is.\n",
			"01-a.md:6:4: compiled to ppc: got a header of X86, want a test in C",
		},
		{
			"compiled by no variant", front + "```litmus test=C/SB+poscscs compiled=ppc:upside-down\n```\n",
			"01-a.md:6:4: compiled to ppc:upside-down: ",
		},
		{
			"two tests", front + "```litmus test=SB\n" + sb + "```\n",
			"01-a.md:6:4: the block has both a text and test=SB",
		},
		{
			"no test", front + "```litmus\n```\n",
			"01-a.md:6:4: got no test: want its text in the block, or test=NAME for a classic test",
		},
		{
			"a test's own mistake", front + "\n\n```litmus\n" + strings.Replace(sb, "MOV [y],$1", "FLY", 1) + "```\n",
			"01-a.md:12:15: ",
		},
		{
			"picture of another test", front + "```litmus test=SB picture=\"tso 2:EAX=0\"\n```\n",
			"01-a.md:6:4: the picture's outcome has no value for 0:EAX",
		},
		{
			"picture of another model", front + "```litmus test=SB picture=pso\n```\n",
			`01-a.md:6:4: the picture's model is "pso", want one of the block's: sc, tso`,
		},
		{
			"picture of a prediction", front + "```litmus test=SB predict picture=tso\n```\n",
			"01-a.md:6:4: a picture would reveal the answer to the prediction",
		},
		{"open quotes", front + "```litmus test=\"SB\n```\n", "01-a.md:6:11: the quotes are not closed"},
		{"twice", front + "```litmus test=SB test=MP\n```\n", "01-a.md:6:19: option test is given twice"},
		{
			"no right choice", front + "```question\nWhich?\n( ) A\n> a\n( ) B\n> b\n```\n",
			"01-a.md:6:4: no choice is right: mark the right choice with (x)",
		},
		{
			"two right choices", front + "```question\nWhich?\n(x) A\n> a\n(x) B\n> b\n```\n",
			"01-a.md:6:4: 2 choices are right, want one: for several right choices write all of them as [ ] and [x]",
		},
		{
			"no explanation", front + "```question\nWhich?\n(x) A\n( ) B\n> b\n```\n",
			"01-a.md:8:1: the choice has no explanation: add a line below it that begins with >",
		},
		{
			"round and square", front + "```question\nWhich?\n(x) A\n> a\n[ ] B\n> b\n```\n",
			"01-a.md:10:1: choices are either all round ( ), with one right choice, or all square [ ]",
		},
		{
			"no goal",
			front + exercise("task", "Do.", "test", sb, "goal", "", "rules", "insert fences", "solution", sb),
			"01-a.md:6:4: the exercise has no goal: tso forbidden",
		},
		{
			"no solution",
			front + exercise("task", "Do.", "test", sb, "goal", "tso forbidden", "rules", "insert fences"),
			"01-a.md:6:4: the exercise has no section -- solution --",
		},
		{
			"a rule of models",
			front +
				exercise("task", "Do.", "test", sb, "rules", "like the solution", "goal", "tso forbidden", "solution",
					sb), "the rule “like the solution” needs the rule “edit the model”",
		},
		{
			"unknown rule",
			front +
				exercise("task", "Do.", "test", sb, "rules", "do as you like", "goal", "tso forbidden", "solution", sb),
			`01-a.md:17:1: got "do as you like", want a rule`,
		},
		{"unknown section", front + exercise("taks", "Do."), `01-a.md:7:1: got a section "taks", want one of task`},
		{
			"solution breaks the rules",
			front +
				exercise("task", "Do.", "test", sb, "goal", "tso forbidden", "rules", "insert at most 1 fence",
					"solution", fenced("MFENCE", "MFENCE")),
			"01-a.md:20:1: the solution breaks the rules: You used 2 fences; this exercise needs at most 1.",
		},
		{
			"solution cannot be read",
			front +
				exercise("task", "Do.", "test", sb, "goal", "tso forbidden", "rules", "insert fences", "solution",
					fenced("FENCE", "MFENCE")), "01-a.md:25:2: ",
		},
		{
			"model without a rule",
			front +
				exercise("task", "Do.", "test", sb, "model", "acyclic po", "goal", "tso forbidden", "rules",
					"insert fences", "solution", sb),
			"01-a.md:6:4: a section -- model -- and the rule “edit the model” go together",
		},
		{"a model's mistake", front + "```cat\nlet x = foo\n```\n", "01-a.md:7:9: "},
		{
			"nested", front + "> ```litmus test=SB\n> ```\n",
			"01-a.md:6:6: a litmus block must not be in a list or a quotation",
		},
		{"HTML", front + "Hello <script>alert(1)</script>\n", "01-a.md:6:7: HTML is not allowed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := new(Reader).Read("01-a.md", []byte(c.text))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v\nwant %s\nof\n%s", err, c.want, c.text)
			}
		})
	}
	if _, err := new(Reader).Read("Ärger.md", []byte(front)); err == nil ||
		!strings.Contains(err.Error(), "as 03-fences.md") {
		t.Errorf("a bad name: %v", err)
	}
}

// What an author writes is what there is.
func TestRead(t *testing.T) {
	r := Reader{Terms: map[string]string{"store buffer": "store-buffer", "tso": "tso"}}
	l, err := r.Read("07-a-b.md", []byte("---\ntitle: \"A: B\"\nsummary: S.\nminutes: 5\nneeds: [x, y]\n---\r\n"+
		"\n## One *two*\n\nA [store buffer] and [it][tso]. \"Quoted\" `<b>` [next](08-c.md#d) ![p](p.png)\n\n"+
		"| a |\n|--:|\n| 1 |\n\n"+
		"```litmus expect=\"sc forbidden; tso allowed\" predict\n"+sb+"-- why --\nBecause *so*.\n```\n"+
		"```sh\nls\n```\n"+
		"```question\nWhich of\nthese?\n\n[ ] First\nline\n> No:\n> not it\n\n[x] `B`\n> b\n[x] C\n> c\n```\n"+
		exercise("task", "Do *it*.", "test", sb, "goal", "tso forbidden\nsc forbidden", "rules",
			"insert at most 2 fences\nannotate accesses", "hint", "One", "hint", "Two", "solution",
			fenced("MFENCE", "MFENCE"), "why", "So.")))
	if err != nil {
		t.Fatal(err)
	}
	if l.Slug != "a-b" || l.Order != 7 || l.Title != "A: B" || !slices.Equal(l.Needs, []string{"x", "y"}) ||
		!reflect.DeepEqual(l.Sections, []Section{{"one-two", "One two"}}) {
		t.Errorf("head: %+v", l)
	}
	var kinds []string
	for _, b := range l.Blocks {
		kinds = append(kinds, reflect.Indirect(reflect.ValueOf(b)).Type().Name())
	}
	if want := []string{"Prose", "Test", "Prose", "Question", "Exercise"}; !slices.Equal(kinds, want) {
		t.Fatalf("blocks %v, want %v", kinds, want)
	}
	html := l.Blocks[0].(Prose).HTML
	for _, want := range []string{
		`<a href="/glossary#store-buffer" class="term" data-term="store-buffer">store buffer</a>`,
		`data-term="tso">it</a>`,
		`<code>&lt;b&gt;</code>`, `href="/learn/c#d"`, `<img src="p.png" alt="p">`, `<th align="right">`,
		"&ldquo;Quoted&rdquo;",
	} {
		if !strings.Contains(html, want) {
			t.Errorf("%q is missing in %s", want, html)
		}
	}
	test := l.Blocks[1].(*Test)
	if test.Source != sb || !test.Predict || !slices.Equal(test.Models, []string{"sc", "tso"}) ||
		test.Expect[1].Verdict != solver.Allowed || test.Why != "<p>Because <em>so</em>.</p>\n" {
		t.Errorf("test: %+v", test)
	}
	q := l.Blocks[3].(*Question)
	if !q.Several || len(q.Choices) != 3 || q.Choices[0] != (Choice{"First\nline", "No:\nnot it", false}) ||
		q.Choices[1] != (Choice{"<code>B</code>", "b", true}) {
		t.Errorf("question: %+v", q)
	}
	e := l.Blocks[4].(*Exercise)
	if len(e.Hints) != 2 || len(e.Goals) != 2 || e.Rules.Fences != 2 || e.Rules.Annotations != -1 ||
		e.Rules.Dependencies != 0 || e.Title != "SB" {
		t.Errorf("exercise: %+v", e)
	}
	var names []string
	for _, i := range l.Items() {
		names = append(names, i.Name())
	}
	if want := []string{"test-1", "question-1", "exercise-1"}; !slices.Equal(names, want) {
		t.Errorf("items %v, want %v", names, want)
	}
}

// A lesson that claims what is not so is caught.
// Brackets that the glossary knows nothing of would stand on the page as they are.
func TestBracketsThatLeadNowhere(t *testing.T) {
	r := &Reader{Terms: map[string]string{"store buffer": "store-buffer"}}
	_, err := r.Read("01-a.md", []byte(front+"A [store buffer], [x], `[none]` and\nan [address dependency|addr].\n"))
	if err == nil || !strings.HasPrefix(err.Error(), "01-a.md:7:4: the link leads nowhere: ") ||
		strings.Contains(err.Error(), "\n") {
		t.Error(err)
	}
}

func TestHoldCatches(t *testing.T) {
	text := front + "```litmus test=SB expect=\"sc allowed; tso allowed\"\n```\n" +
		exercise("task", "Do.", "test", sb, "goal", "tso allowed", "rules", "insert fences", "solution",
			fenced("MFENCE", "MFENCE")) +
		exercise("task", "Do.", "model", "acyclic po | rf | co | fr", "goal", "own allowed SB\nown allowed MP", "rules",
			"edit the model", "solution", "let ppo = po \\ (W * R)\nacyclic ppo | rfe | co | fr") +
		"\nTSO [forbids](/?test=SB \"tso forbidden; sc forbidden\") what SC does, and so does " +
		"Power\n[here](/?test=C/IRIW+poacqscs+ScSc \"power forbidden compiled=ppc:leading; power forbidden " +
		"compiled=ppc:trailing\").\n"
	l, err := new(Reader).Read("01-a.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	faults, err := CheckClaims(context.Background(), engines.Local{}, l, true)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"01-a.md:46:5: the text says “tso forbidden SB”: it is allowed",
		"01-a.md:47:1: the text says “power forbidden C/IRIW+poacqscs+ScSc compiled=ppc:trailing”: it is allowed",
		"01-a.md:6:4: the lesson expects “sc allowed”: it is forbidden",
		"01-a.md:19:1: the solution must meet the goal “tso allowed”: it is forbidden",
		"01-a.md:8:4: the exercise meets all its goals from the start",
		"01-a.md:38:1: the solution must meet the goal “own allowed MP”: it is forbidden",
	}
	var got []string
	for _, f := range faults {
		got = append(got, f.Error())
	}
	if !slices.Equal(got, want) {
		t.Errorf("faults\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Formulas become MathML; prices, code and escaped signs do not.
func TestFormulas(t *testing.T) {
	for _, c := range []struct {
		text  string
		count int
	}{
		{"$x \\cup y$ and $z_1$.", 2},
		{"$$\nx \\subseteq\ny\n$$", 1},
		{"It costs $5 and $6, or 7 $ and 8 $.", 0},
		{"`MOV [x],$1` and `MOV [y],$1`", 0},
		{"A \\$x\\$ is none.", 0},
		{"An open $x\n\nand another $y", 0},
		{"| a | b |\n|---|---|\n| $x$ | $y$ |", 2},
	} {
		l, err := new(Reader).Read("01-a.md", []byte(front+"\n"+c.text+"\n"))
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
			continue
		}
		html := ""
		for _, b := range l.Blocks {
			if p, ok := b.(Prose); ok {
				html += p.HTML
			}
		}
		if got := strings.Count(html, "<math"); got != c.count {
			t.Errorf("%q has %d formulas, want %d: %s", c.text, got, c.count, html)
		}
	}
}

// Properties are claimed in text, of tests, of mappings and of logs, and wanted in goals.
func TestHoldCatchesProperties(t *testing.T) {
	text := front + "[a](/?test=SB \"tso robust; tso 3 outcomes; tso 4 executions; tso costs 20; sc robust\")\n" +
		"[b](/?test=C/race+volatile \"rc11 race-free\")\n" +
		"[c](/?test=C/IRIW+poacqscs+ScSc \"c11 right compiled=ppc:trailing; rc11 right compiled=ppc:trailing\")\n" +
		"```compile test=C/LB+porlxrlxs expect=\"x86_64 right; aarch64 right\"\n```\n" +
		"```log test=X86/SB expect=\"sc 0; tso 0\"\nTest SB Allowed\nHistogram (2 states)\n" +
		"3:>0:EAX=0; 1:EAX=0;\n5:>0:EAX=1; 1:EAX=1;\nOk\n```\n" +
		"```litmus test=MP expect=\"tso not-robust\"\n```\n" +
		exercise("task", "Do.", "test", sb, "goal", "tso robust", "rules", "insert fences", "solution",
			fenced("MFENCE", ""))
	l, err := new(Reader).Read("01-a.md", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	faults, err := CheckClaims(context.Background(), engines.Local{}, l, true)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"01-a.md:6:1: the text says “tso robust SB”: it is not-robust",
		"01-a.md:6:1: the text says “tso 3 outcomes SB”: it is 4 outcomes",
		"01-a.md:6:1: the text says “tso costs 20 SB”: it is costs 40",
		"01-a.md:7:1: the text says “rc11 race-free C/race+volatile”: it is racy",
		"01-a.md:8:1: the text says “c11 right C/IRIW+poacqscs+ScSc compiled=ppc:trailing”: it is wrong",
		"01-a.md:9:4: the lesson expects “rc11 right compiled=aarch64”: it is wrong",
		"01-a.md:11:4: the lesson expects that sc forbids 0 of the states in the log, but it forbids 1",
		"01-a.md:18:4: the lesson expects “tso not-robust”: it is robust",
		"01-a.md:31:1: the solution must meet the goal “tso robust”: it is not-robust",
	}
	var got []string
	for _, f := range faults {
		got = append(got, f.Error())
	}
	if !slices.Equal(got, want) {
		t.Errorf("faults\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// Whatever is in a file, reading it ends, in time, with a lesson or with places in the file.
func TestAnything(t *testing.T) {
	pieces := []string{
		front, "```litmus", "```question\n", "```exercise\n", "```\n", "-- task --\n", "-- test --\n",
		"(x) ", "> ", "[x]", "\n", sb, "## A\n", "---\n", "title: x\n", " expect=\"tso allowed\"", "ä", "\r\n", "\x00",
		"![a](", "- ",
	}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.SampledFrom(pieces), 0, 30).Draw(t, "pieces"), "")
		start := time.Now()
		l, err := new(Reader).Read("01-a.md", []byte(text))
		if took := time.Since(start); took > 2*time.Second {
			t.Fatalf("took %v", took)
		}
		if l == nil {
			t.Fatal("no lesson")
		}
		if err != nil && !strings.HasPrefix(err.Error(), "01-a.md:") {
			t.Fatalf("an error without a place: %v", err)
		}
		for _, b := range l.Blocks {
			if p, ok := b.(Prose); ok && strings.Contains(p.HTML, "<script") {
				t.Fatal("HTML of the author's own")
			}
		}
	})
}
