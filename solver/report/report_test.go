package report

import (
	"bytes"
	"strings"
	"testing"

	"litmuscope/models"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
)

func pointer[T any](v T) *T { return &v }

var (
	sb = &solver.Result{
		Path: "t/SB.litmus", Name: "SB", Arch: "X86", Model: "tso", Engine: "axiomatic",
		Status: solver.OK, Verdict: solver.Allowed, Observation: solver.Sometimes, ConditionHolds: pointer(true),
		Condition: `exists (0:EAX=0 /\ 1:EAX=0)`,
		States: []solver.State{
			{{Name: "0:EAX", Value: "0"}, {Name: "1:EAX", Value: "0"}},
			{{Name: "0:EAX", Value: "1"}, {Name: "1:EAX", Value: "1"}},
		},
		Positive: pointer(1), Negative: pointer(3), Satisfying: pointer(1), Complete: true, MS: 12.5,
		Outcomes: []solver.Outcome{{Satisfies: true}}, Stats: &solver.Stats{Solves: 3},
	}
	// Not counted; a location, an array element and an address among the values.
	loc = &solver.Result{
		Path: "t/loc.litmus", Name: "loc", Arch: "X86", Model: "sc", Engine: "machine",
		Status: solver.OK, Verdict: solver.Forbidden, Observation: solver.Never, ConditionHolds: pointer(true),
		Condition: `~exists (x=2 /\ (t[1]!=3 \/ ~y=x) => 0:EAX=x)`,
		States: []solver.State{
			{{Name: "x", Value: "1"}, {Name: "t[1]", Value: "3"}, {Name: "0:EAX", Value: "x"}},
		},
		Satisfying: pointer(0), Complete: false, Cached: true, MS: 0.1,
		Remarks: []solver.Remark{{Line: 4, Column: 6, Message: "EQX is no register"}},
	}
	// A shortened list of states without counts.
	ring = &solver.Result{
		Path: "t/ring.litmus", Name: "ring", Arch: "X86", Model: "tso", Engine: "axiomatic",
		Status: solver.OK, Verdict: solver.Allowed, Observation: solver.Sometimes, ConditionHolds: pointer(false),
		Condition: `forall (true)`, States: []solver.State{}, StatesComplete: pointer(false), Complete: true,
	}
	// Within bounds, one of them too low.
	rounds = &solver.Result{
		Path: "t/SB.litmus", Name: "SB", Arch: "X86", Model: "tso", Engine: "etso",
		Status: solver.OK, Verdict: solver.Allowed, Observation: solver.Sometimes, ConditionHolds: pointer(true),
		Condition: `exists (0:EAX=0 /\ 1:EAX=0)`, States: []solver.State{}, Complete: false,
		Bounds: []solver.Bound{
			{Name: "rounds", Value: 1, Enough: 3, Least: pointer(1)},
			{Name: "timestamps", Value: 3, Enough: 3, Least: pointer(2)},
		},
	}
	// Asked for with proofs: they are there, or cannot be.
	certified = &solver.Result{
		Path: "t/MP.litmus", Name: "MP", Arch: "X86", Model: "tso", Engine: "axiomatic", Status: solver.OK,
		Verdict: solver.Forbidden, Observation: solver.Never, States: []solver.State{}, Complete: true,
		Certified:   pointer(true),
		Certificate: &solver.Certificate{Refutations: 3, Lemmas: 1, Bytes: 5222, CheckMS: 0.42},
	}
	// Named so as to be a formula where a program for tables opens it.
	formulas = &solver.Result{
		Path: "-/t.litmus", Name: "=1+1", Arch: "@SUM", Model: "-2+3", Engine: "axiomatic", Status: solver.Failed,
		Error: "+cmd",
	}
	settled = &solver.Result{
		Path: "t/spin.litmus", Name: "spin", Arch: "X86", Model: "tso", Engine: "axiomatic", Status: solver.OK,
		Verdict: solver.Allowed, States: []solver.State{}, Complete: true, SettledBy: "machine",
		Certified: pointer(false),
	}
	// What the model remarks: a flag raised, one not, one open, and undefined behaviour.
	race = &solver.Result{
		Path: "t/race.litmus", Name: "race", Arch: "X86", Model: "own.cat", Engine: "axiomatic",
		Status: solver.OK, Verdict: solver.Allowed, Observation: solver.Always, ConditionHolds: pointer(false),
		Condition: `forall (x=1)`, States: []solver.State{{{Name: "x", Value: "1"}}},
		Positive: pointer(1), Negative: pointer(0), Complete: true,
		Flags: []solver.Flag{
			{Name: "race", Raised: pointer(true)},
			{Name: "odd", Raised: pointer(false)},
			{Name: "late"},
			{Name: "Dr", Raised: pointer(true), Undefined: true},
			{Name: "Oob", Raised: pointer(true), Undefined: true},
			{Name: "Uaf", Undefined: true},
		},
	}
	late = &solver.Result{
		Path: "t/late.litmus", Name: "late", Model: "tso", Status: solver.Unknown, Verdict: solver.Undecided,
		Reason: "time limit of 10s", MS: 10000,
	}
	bad = &solver.Result{
		Path: "t/bad.litmus", Model: "tso", Status: solver.Failed,
		Error: "t/bad.litmus:3:1: got \x1b[31m\nTest two Allowed",
	}
	// A test whose name contains control sequences for a terminal.
	obeyed = &solver.Result{
		Path: "t/\x1b[2J.litmus", Name: "a\x1b]0;b\a\nTest c", Arch: "X86\x9b", Model: "own\x1b[1m\r",
		Engine: "axiomatic",
		Status: solver.OK, Verdict: solver.Allowed, Observation: solver.Sometimes, ConditionHolds: pointer(true),
		Condition: "exists (x\x1b=1)", States: []solver.State{{{Name: "x\x1b", Value: "\xff\u202ey\nOk"}}},
		Positive: pointer(1), Negative: pointer(1), Complete: true,
		Flags:   []solver.Flag{{Name: "f\x1b\n", Raised: pointer(true)}},
		Remarks: []solver.Remark{{Line: 1, Column: 1, Message: "\x1b\n"}},
	}
	all = []*solver.Result{sb, loc, ring, late, bad}
)

func write(t *testing.T, format string, o Options, results ...*solver.Result) string {
	t.Helper()
	f, ok := Find(format)
	if !ok {
		t.Fatal("no such format: ", format)
	}
	var b bytes.Buffer
	w := f.New(&b, o)
	for _, r := range results {
		if err := w.Result(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFormats(t *testing.T) {
	for _, test := range []struct {
		format  string
		options Options
		results []*solver.Result
		want    string
	}{
		{"herd", Options{}, all, `
Test SB Allowed
States 2
0:EAX=0; 1:EAX=0;
0:EAX=1; 1:EAX=1;
Ok
Witnesses
Positive: 1 Negative: 3
Condition exists (0:EAX=0 /\ 1:EAX=0)
Observation SB Sometimes 1 3
Time SB 0.01

(* t/loc.litmus: remark: 4:6: EQX is no register *)
Test loc Forbidden
States 1
[x]=1; t[1]=3; 0:EAX=x;
Loop Ok
Condition ~exists ([x]=2 /\ (t[1]!=3 \/ ~[y]=x) => 0:EAX=x)
Observation loc Never
Time loc 0.00

Test ring Required
States 0
No
Condition forall (true)
Observation ring Sometimes
Time ring 0.00

(* t/late.litmus, late, tso: unknown: time limit of 10s *)

(* t/bad.litmus, tso: error: t/bad.litmus:3:1: got ` + "\uFFFD" + `[31m
   Test two Allowed *)

`},
		{"herd", Options{Models: true}, []*solver.Result{ring}, `
(* tso *)
Test ring Required
States 0
No
Condition forall (true)
Observation ring Sometimes
Time ring 0.00

`},
		{"herd", Options{}, []*solver.Result{race}, `
Test race Required
States 1
[x]=1;
Undef
Witnesses
Positive: 1 Negative: 0
Flag *undef*
Flag race
Condition forall ([x]=1)
Observation race Always 1 0
Time race 0.00

`},
		{"herd", Options{Models: true}, []*solver.Result{obeyed}, strings.ReplaceAll(`
(* t/?[2J.litmus: remark: 1:1: ?? *)
(* own?[1m? *)
Test a?]0;b??Test c Allowed
States 1
[x?]=??y?Ok;
Ok
Witnesses
Positive: 1 Negative: 1
Flag f??
Condition exists (x?=1)
Observation a?]0;b??Test c Sometimes 1 1
Time a?]0;b??Test c 0.00

`, "?", "\uFFFD")},
		{"csv", Options{}, []*solver.Result{obeyed}, strings.ReplaceAll(`
path,name,arch,model,engine,status,verdict,observation,condition_holds,states,positive,negative,complete,ms,error,remarks,certified,refutations,lemmas,proof_bytes,check_ms,flags
t/?[2J.litmus,"a?]0;b?
Test c",X86?,own?[1m?,axiomatic,ok,allowed,Sometimes,true,1,1,1,true,0,,"1:1: ?
",,,,,,"f?
"
`, "?", "\uFFFD")},
		{"table", Options{}, []*solver.Result{obeyed}, strings.ReplaceAll(`
test                      model     verdict    observation  states        ms
a?]0;b??Test c            own?[1m?  allowed    Sometimes         1       0.0
  remark: 1:1: ??
  flag f??
`, "?", "\uFFFD")},
		{"jsonl", Options{}, []*solver.Result{race}, `
{"path":"t/race.litmus","name":"race","arch":"X86","model":"own.cat","engine":"axiomatic","status":"ok","verdict":"allowed","observation":"Always","condition_holds":false,"condition":"forall (x=1)","states":[{"x":"1"}],"flags":[{"name":"race","raised":true},{"name":"odd","raised":false},{"name":"late"},{"name":"Dr","raised":true,"undefined":true},{"name":"Oob","raised":true,"undefined":true},{"name":"Uaf","undefined":true}],"positive":1,"negative":0,"complete":true,"ms":0}
`},
		{"csv", Options{}, []*solver.Result{race}, `
path,name,arch,model,engine,status,verdict,observation,condition_holds,states,positive,negative,complete,ms,error,remarks,certified,refutations,lemmas,proof_bytes,check_ms,flags
t/race.litmus,race,X86,own.cat,axiomatic,ok,allowed,Always,false,1,1,0,true,0,,,,,,,,*undef* race
`},
		{"table", Options{}, []*solver.Result{race}, `
test                      model     verdict    observation  states        ms
race                      own.cat   allowed    Always            1       0.0
  flag race
  flag late: unknown
  undefined behaviour: Dr
  undefined behaviour: Oob
  Uaf: behaviour may be undefined
`},
		{"jsonl", Options{}, []*solver.Result{sb, bad}, `
{"path":"t/SB.litmus","name":"SB","arch":"X86","model":"tso","engine":"axiomatic","status":"ok","verdict":"allowed","observation":"Sometimes","condition_holds":true,"condition":"exists (0:EAX=0 /\\ 1:EAX=0)","states":[{"0:EAX":"0","1:EAX":"0"},{"0:EAX":"1","1:EAX":"1"}],"positive":1,"negative":3,"complete":true,"ms":12.5}
{"path":"t/bad.litmus","name":"","arch":"","model":"tso","engine":"","status":"error","error":"t/bad.litmus:3:1: got \u001b[31m\nTest two Allowed","states":[],"complete":false,"ms":0}
`},
		{"csv", Options{}, all, `
path,name,arch,model,engine,status,verdict,observation,condition_holds,states,positive,negative,complete,ms,error,remarks,certified,refutations,lemmas,proof_bytes,check_ms,flags
t/SB.litmus,SB,X86,tso,axiomatic,ok,allowed,Sometimes,true,2,1,3,true,12.5,,,,,,,,
t/loc.litmus,loc,X86,sc,machine,ok,forbidden,Never,true,1,,,false,0.1,,4:6: EQX is no register,,,,,,
t/ring.litmus,ring,X86,tso,axiomatic,ok,allowed,Sometimes,false,0,,,true,0,,,,,,,,
t/late.litmus,late,,tso,,unknown,unknown,,,0,,,false,10000,time limit of 10s,,,,,,,
t/bad.litmus,,,tso,,error,,,,0,,,false,0,"t/bad.litmus:3:1: got ` + "\uFFFD" + `[31m
Test two Allowed",,,,,,,
`},
		{"jsonl", Options{}, []*solver.Result{rounds}, `
{"path":"t/SB.litmus","name":"SB","arch":"X86","model":"tso","engine":"etso","status":"ok","verdict":"allowed","observation":"Sometimes","condition_holds":true,"condition":"exists (0:EAX=0 /\\ 1:EAX=0)","states":[],"complete":false,"bounds":[{"name":"rounds","value":1,"enough":3,"least":1},{"name":"timestamps","value":3,"enough":3,"least":2}],"ms":0}
`},
		{"table", Options{}, []*solver.Result{rounds}, `
test                      model     verdict    observation  states        ms
SB                        tso       allowed    Sometimes         0       0.0
  under-approximation (raise rounds to 3): 1 round, 3 timestamps; needs 1 round and 2 timestamps
`},
		{"jsonl", Options{}, []*solver.Result{certified}, `
{"path":"t/MP.litmus","name":"MP","arch":"X86","model":"tso","engine":"axiomatic","status":"ok","verdict":"forbidden","observation":"Never","states":[],"complete":true,"certified":true,"certificate":{"refutations":3,"lemmas":1,"bytes":5222,"check_ms":0.42},"ms":0}
`},
		{"table", Options{}, []*solver.Result{certified, settled}, `
test                      model     verdict    observation  states        ms
MP                        tso       forbidden  Never             0       0.0
  certified: 3 refutations, 1 lemma, 5.1 KiB, checked in 0.42 ms
spin                      tso       allowed                      0       0.0
  not certified: decided by the machine, which writes no proof
`},
		{"csv", Options{}, []*solver.Result{certified, settled}, `
path,name,arch,model,engine,status,verdict,observation,condition_holds,states,positive,negative,complete,ms,error,remarks,certified,refutations,lemmas,proof_bytes,check_ms,flags
t/MP.litmus,MP,X86,tso,axiomatic,ok,forbidden,Never,,0,,,true,0,,,true,3,1,5222,0.42,
t/spin.litmus,spin,X86,tso,axiomatic,ok,allowed,,,0,,,true,0,,,false,,,,,
`},
		{"csv", Options{}, []*solver.Result{formulas}, `
path,name,arch,model,engine,status,verdict,observation,condition_holds,states,positive,negative,complete,ms,error,remarks,certified,refutations,lemmas,proof_bytes,check_ms,flags
-/t.litmus,'=1+1,'@SUM,'-2+3,axiomatic,error,,,,0,,,false,0,'+cmd,,,,,,,
`},
		{"csv", Options{}, nil, `
path,name,arch,model,engine,status,verdict,observation,condition_holds,states,positive,negative,complete,ms,error,remarks,certified,refutations,lemmas,proof_bytes,check_ms,flags
`},
		{"table", Options{}, all, `
test                      model     verdict    observation  states        ms
SB                        tso       allowed    Sometimes         2      12.5
loc                       sc        forbidden  Never             1    cached
  remark: 4:6: EQX is no register
ring                      tso       allowed    Sometimes        0+       0.0
late                      tso       unknown                     0+   10000.0
  time limit of 10s
t/bad.litmus              tso       error
  t/bad.litmus:3:1: got ` + "\uFFFD" + `[31m
  Test two Allowed
`},
	} {
		if got := write(t, test.format, test.options, test.results...); got != test.want[1:] {
			t.Errorf("%s: got\n%s\nwant\n%s", test.format, got, test.want[1:])
		}
	}
}

func TestEvidenceOnDemand(t *testing.T) {
	got := write(t, "jsonl", Options{Witnesses: true, Stats: true}, sb)
	if !strings.Contains(got, `"outcomes":[{`) || !strings.Contains(got, `"solves":3`) {
		t.Error(got)
	}
	if sb.Satisfying == nil {
		t.Error("the result itself was changed")
	}
}

func TestColour(t *testing.T) {
	plain := write(t, "table", Options{}, all...)
	colour := write(t, "table", Options{Colour: true}, all...)
	if strings.Contains(plain, "\x1b") || !strings.Contains(colour, "\x1b[32mallowed\x1b[0m  ") {
		t.Errorf("%q", colour)
	}
}

// Formats for people say why an outcome is forbidden, and of the others only JSON does.
func TestExplanation(t *testing.T) {
	r := *sb
	r.Verdict = solver.Forbidden
	r.Explanation = &solver.Explanation{
		Axiom: "consensus", Kind: "acyclic", Also: []string{"thin"},
		Cycle: []evaluation.Edge{
			{From: 2, To: 3, Relation: "ppo", Path: []models.BaseEdge{{From: 2, To: 3, Relation: "po"}}},
			{From: 3, To: 2, Relation: "fr", Path: []models.BaseEdge{{From: 3, To: 2, Relation: "fr"}}},
		},
		Graph: &models.Graph{Threads: []models.GraphThread{{Name: "P0"}}, Events: []models.GraphEvent{
			{ID: 2, Name: "a", Kind: "W", Loc: "x\x1b", Value: "1"},
			{ID: 3, Name: "b", Kind: "R", Loc: "x", Value: "0"},
		}},
	}
	for format, want := range map[string]string{
		"table": "\n  forbidden by consensus (and thin): a -po-> b -fr-> a\n  a: P0 W x\uFFFD=1, b: P0 R x=0\n",
		"herd": "\n(* SB, tso\n   forbidden by consensus (and thin): a -po-> b -fr-> a\n" +
			"   a: P0 W x\uFFFD=1, b: P0 R x=0 *)\n\n",
		"jsonl": `"explanation":{"axiom":"consensus","kind":"acyclic","also":["thin"],"cycle":[{"from":2,"to":3,"relation":"ppo","path":[{"from":2,"to":3,"relation":"po"}]}`,
	} {
		if got := write(t, format, Options{}, &r); !strings.Contains(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", format, got, want)
		}
	}
	none := r
	none.Explanation = &solver.Explanation{Reason: "no execution ends with x=3"}
	if got := write(t, "table", Options{}, &none); !strings.Contains(got, "\n  no execution ends with x=3\n") {
		t.Error(got)
	}
}
