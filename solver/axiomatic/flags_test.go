package axiomatic_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

// Flags speak of the executions that the model allows, and undefined behaviour makes
// the condition not hold, whatever its quantifier.
func TestFlags(t *testing.T) {
	const (
		body  = " P0 | P1 ;\n MOV [x],$1 | MOV EAX,[y] ;\n MOV [y],$1 | MOV EBX,[x] ;\n"
		mp    = "X86 MP\n{}\n" + body + "exists (1:EAX=1 /\\ 1:EBX=1)"
		never = "X86 MP\n{}\n" + body + "~exists (1:EAX=1 /\\ 1:EBX=0)"
		wait  = "X86 wait\n{}\n P0 | P1 ;\n MOV [x],$1 | L: MOV EAX,[x] ;\n | CMP EAX,$1 ;\n | JNE L ;\n" +
			"exists (1:EAX=1)"
		count = "X86 count\n{}\n P0 | P1 ;\n MOV [x],$1 | L: MOV EAX,[x] ;\n | INC [y] ;\n | CMP EAX,$1 ;\n" +
			" | JNE L ;\nexists (1:EAX=1)"
		sc = "acyclic po | rf | fr | co as sc\n"
	)
	for _, c := range []struct{ source, model, want string }{
		{mp, sc + "flag ~empty rfe as seen", "true; seen"},
		{mp, sc + "flag empty rfe \\ (IW * _) as unseen", "true; unseen"},
		{mp, sc + "flag ~empty rmw as atomic", "true; not atomic"},
		{mp, sc + "flag ~acyclic po | rf | fr as odd", "true; not odd"}, // no allowed execution
		{mp, "empty 0\nflag ~acyclic po | rf | fr as odd", "true; odd"}, // but one that is not
		{mp, sc + "flag acyclic po | rf as ordered", "true; ordered"},
		{
			mp, sc + "let rec r = rf | r;po;r\nflag ~empty r \\ rf as far\nflag empty r \\ (IW * _) as none",
			"true; not far none",
		},
		{mp, sc + "undefined_unless empty rfe as Dr", "false; Dr undefined"},
		{never, sc + "undefined_unless empty rfe as Dr", "false; Dr undefined"},
		{never, sc + "undefined_unless empty rmw as Dr", "true; not Dr"},
		{mp, sc + "flag ~empty rmw as race\nflag ~empty rfe as race", "true; race"},
		{mp, sc + "assert empty rmw as plain", "true;"},
		{
			mp, sc + "assert empty rfe as plain",
			"own.cat:2:1: the model's assertion plain fails in an execution of this test",
		},
		// For a loop that only waits, the engine covers one failing round, so that "no" may be premature.
		{wait, sc + "flag ~empty [R];po;[R] as twice\nflag ~empty rfe as seen", "true; twice seen"},
		{wait, sc + "undefined_unless empty [R];po;[R] as Twice", "false; Twice undefined"},
		{wait, sc + "flag ~empty [R];po;[R];po;[R] as thrice\nflag ~empty rfe as seen", "true; thrice? seen"},
		{
			wait, sc + "undefined_unless empty [R];po;[R];po;[R] as Thrice",
			"unknown: behaviour may be undefined (Thrice): only one failing round of a waiting loop",
		},
		{count, sc + "flag ~empty rmw as atomic\nflag ~empty rfe as seen", "true; atomic? seen"},
		{count, sc + "undefined_unless empty rmw as Atomic", "unknown: the unroll bound of 2 was reached"},
		{count, sc + "undefined_unless empty rfe as Dr", "false; Dr undefined"},
	} {
		p, err := dialect.Parse("test.litmus", c.source)
		if err != nil {
			t.Fatal(err)
		}
		m, err := models.Parse("own.cat", c.model, dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		o := solver.DefaultOptions()
		o.Witnesses = true
		r, err := axiomatic.Engine{}.Explore(context.Background(), solver.Query{Program: p, Model: m, Options: o})
		if got := flagText(r, err); !strings.HasPrefix(got, c.want) || strings.HasSuffix(c.want, ";") && got != c.want {
			t.Errorf("%s\n%s\ngot  %s\nwant %s", c.source, c.model, got, c.want)
		}
	}
}

// Nested sections match from the innermost outwards, wherever a branch leads.
func TestMatching(t *testing.T) {
	const model = `acyclic po | rf | fr | co as sc
let matched = let rec
      opened = MFENCE \ domain(matched)
  and closed = SFENCE \ range(matched)
  and either = opened | closed
  and far = [either] ; po ; [either]
  and matched = matched | ([opened] ; po ; [closed]) \ (far ; far)
  in matched
flag ~empty MFENCE \ domain(matched) as left-open
flag ~empty SFENCE \ range(matched) as not-open
flag ~empty (matched & (po ; [MFENCE] ; po)) as nested
flag ~empty matched & (po ; [SFENCE] ; po ; [SFENCE] ; po) as twice
flag empty matched as none`
	for body, want := range map[string]string{
		"MFENCE; SFENCE":                 "not left-open not not-open not nested not twice not none",
		"MFENCE; MFENCE; SFENCE; SFENCE": "not left-open not not-open nested not twice not none",
		"MFENCE; MFENCE; SFENCE; MFENCE; MFENCE; SFENCE; SFENCE; SFENCE": "not left-open not not-open nested " +
			"twice not none",
		"MFENCE; SFENCE; MFENCE; SFENCE": "not left-open not not-open not nested " +
			"not twice not none",
		"MFENCE; MFENCE; SFENCE": "left-open not not-open not nested not " +
			"twice not none",
		"SFENCE; MFENCE; MFENCE; SFENCE": "left-open not-open not nested not " +
			"twice not none",
		"SFENCE; MFENCE": "left-open not-open not nested not " +
			"twice none",
		"MFENCE; MOV EAX,[x]; CMP EAX,$0; JE L; MFENCE; L: SFENCE": "left-open not not-open not nested not " +
			"twice not none",
		"MFENCE; MOV EAX,[x]; CMP EAX,$0; JE L; MFENCE; SFENCE; L: SFENCE": "not left-open not not-open nested not " +
			"twice not none",
		"MFENCE; MOV EAX,[x]; CMP EAX,$0; JE L; SFENCE; MFENCE; L: SFENCE": "not left-open not not-open not nested " +
			"not twice not none",
	} {
		source := "X86 nest\n{}\n P0 | P1 ;\n"
		for _, cell := range strings.Split(body, "; ") {
			source += cell + " | MOV [x],$1 ;\n"
		}
		p, err := dialect.Parse("test.litmus", source+"exists (0:EAX=1)")
		if err != nil {
			t.Fatal(err)
		}
		m, err := models.Parse("own.cat", model, dialect.Vocabulary())
		if err != nil {
			t.Fatal(err)
		}
		o := solver.DefaultOptions()
		o.Witnesses = true
		r, err := axiomatic.Engine{}.Explore(context.Background(), solver.Query{Program: p, Model: m, Options: o})
		if _, got, _ := strings.Cut(flagText(r, err), "; "); got != want {
			t.Errorf("%s\ngot  %s\nwant %s", body, got, want)
		}
	}
}

func flagText(r *solver.Result, err error) string {
	if err != nil {
		return err.Error()
	}
	if r.ConditionHolds == nil {
		return "unknown: " + r.Reason
	}
	out := fmt.Sprintf("%v;", *r.ConditionHolds)
	for _, f := range r.Flags {
		switch {
		case f.Raised == nil:
			out += " " + f.Name + "?"
		case !*f.Raised:
			out += " not " + f.Name
		default:
			out += " " + f.Name
			if f.Undefined {
				out += " undefined"
			}
		}
		if raised := f.Raised != nil && *f.Raised; raised != (f.Graph != nil) {
			out += fmt.Sprintf(" with a graph %v", f.Graph != nil)
		}
	}
	return out
}
