package lesson

import (
	"context"
	"strings"
	"testing"

	"litmuscope/solver/engines"
)

const bounded = "---\ntitle: T\nsummary: S.\nminutes: 1\n---\n\n"

// What an engine does not find within its bounds is unknown, to the engine and to the lesson.
func TestBoundsAreKeptTo(t *testing.T) {
	l, err := new(Reader).Read("01-t.md", []byte(bounded+
		"```litmus test=SB models=\"tso@etso\" timestamps=1 expect=\"tso@etso unknown\"\n```\n\n"+
		"```litmus test=SB models=\"tso@etso\" timestamps=2 expect=\"tso@etso unknown\"\n```\n\n"+
		"```exercise test=SB\n-- task --\nT\n-- goal --\ntso@k-store-age unknown k=0 rounds=3\ntso allowed\n"+
		"-- rules --\nwrite a test\n-- solution --\n"+
		"X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n"+
		"exists (0:EAX=0 /\\ 1:EAX=0)\n```\n"))
	if err != nil {
		t.Fatal(err)
	}
	faults, err := CheckClaims(context.Background(), engines.Local{}, l, true)
	if err != nil {
		t.Fatal(err)
	}
	// Two timestamps find it, and the exercise begins as it is to end.
	if len(faults) != 2 || faults[0].Pos.Line != 10 || faults[1].Pos.Line != 13 {
		t.Errorf("got %v, want a fault in lines 10 and 13", faults)
	}
	goal := l.Blocks[2].(*Exercise).Goals[0]
	if got, want := goal.String(), "tso@k-store-age unknown k=0 rounds=3"; got != want {
		t.Errorf("the goal is %q, want %q", got, want)
	}
	if got, want := goal.Bounds.Words(), "k = 0, 3 rounds"; got != want {
		t.Errorf("its bounds are %q, want %q", got, want)
	}
}

func TestBoundsAreRead(t *testing.T) {
	exercise := func(goal, rules, model string) string {
		return "```exercise\n-- task --\nT\n-- model --\n" + model + "\n-- goal --\n" + goal + "\n-- rules --\n" +
			rules + "\n-- solution --\n" + model + "\n```\n"
	}
	const sc = "acyclic po | rf | fr | co"
	for _, test := range []struct{ name, text, want string }{
		{
			"no engine's", "```litmus test=SB models=tso rounds=1 expect=\"tso allowed\"\n```\n",
			"rounds is a bound of lazy-cseq",
		},
		{
			"another engine's", "```litmus test=SB models=tso@etso k=1 expect=\"tso@etso allowed\"\n```\n",
			"k is a bound of k-round, k-store-age",
		},
		{
			"one engine's", "```litmus test=SB models=tso,tso@etso nodes=2 expect=\"tso allowed\"\n```\n",
			"next to columns that do, write tso@axiomatic",
		},
		{
			"no number", "```litmus test=SB models=tso@etso rounds=few expect=\"tso@etso allowed\"\n```\n",
			`got "rounds=few", want a bound`,
		},
		{"out of range", "```litmus test=SB models=tso@etso rounds=4096 expect=\"tso@etso allowed\"\n```\n", "rounds"},
		{
			"predicted", "```litmus predict test=SB models=tso@etso rounds=1 expect=\"tso@etso unknown\"\n```\n",
			"a prediction needs allowed or forbidden",
		},
		{"of a goal", exercise("own allowed SB rounds=1", "edit the model", sc), "rounds is a bound of"},
		{
			"includes", exercise("own allowed SB", "edit the model\nwithout includes", `include "tso.cat"`),
			"the solution breaks the rules: The model includes tso.cat",
		},
		{
			"includes of a test", "```exercise test=SB\n-- task --\nT\n-- goal --\ntso forbidden\n-- rules --\n" +
				"without includes\n-- solution --\nX86 SB\n{}\n P0 ;\n MOV EAX,[y] ;\nexists (0:EAX=0)\n```\n",
			"needs the rule",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := new(Reader).Read("01-t.md", []byte(bounded+test.text))
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want an error with %q", err, test.want)
			}
		})
	}
}
