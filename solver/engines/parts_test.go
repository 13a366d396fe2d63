package engines_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"litmuscope/litmus/c/cprog/cprogtest"
	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/ir"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// parted has a program verified in parts of a few steps each, each as if by another machine.
func parted(ctx context.Context, t solver.VerifyTask) (v *solver.Verification, parts int, err error) {
	v, err = engines.SplitUp(ctx, t, 1, 1, func(ctx context.Context, t solver.VerifyTask) (solver.Answer, error) {
		parts++
		var asked solver.VerifyTask
		if err := through(t, &asked); err != nil {
			return nil, err
		}
		a, err := engines.Local{}.Run(ctx, asked)
		if err != nil {
			return nil, err
		}
		v := new(solver.Verification)
		return v, through(a, v)
	})
	return v, parts, err
}

// through has something go through JSON, as between machines.
func through(from, to any) error {
	text, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, to)
}

// sameInParts tells what differs between an answer and that in parts.
func sameInParts(t *testing.T, task solver.VerifyTask) (parts int, differ string) {
	t.Helper()
	whole, err := engines.Run(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	if whole.Cut != "" || whole.Status == solver.Unknown && whole.Undefined == nil {
		return 0, ""
	}
	if most := map[bool]int{true: 60, false: 400}[testing.Short()]; whole.Stats == nil || whole.Stats.Explored > most {
		return 0, ""
	}
	task.Options.Timeout = 0
	got, parts, err := parted(t.Context(), task)
	if err != nil {
		t.Fatal(err)
	}
	say := func(v *solver.Verification) string {
		count := -1
		if v.Executions != nil {
			count = *v.Executions
		}
		places := ""
		if v.Undefined != nil {
			places = " undefined"
		}
		if v.Race != nil {
			places += " race"
		}
		if v.Failure != nil {
			places += " fails"
		}
		return fmt.Sprintf("%s (%s) %s, complete %v, short %v, %d executions%s %s, %d remarks", v.Status, v.Reason,
			v.Verdict, v.Complete, v.Short, count, places, v.Error, len(v.Remarks))
	}
	if a, b := say(whole), say(got); a != b {
		return parts, fmt.Sprintf("whole it is %s; in %d parts %s", a, parts, b)
	}
	return parts, ""
}

// A program explored in parts, by whichever workers, has the answer of a single exploration: verdict, races, and the
// number of executions.
func TestPartsAreTheWhole(t *testing.T) {
	split := 0
	small := []string{"bounded-buffer", "peterson", "qspinlock", "rcu"}
	for _, p := range catalogue.Programs() {
		all := slices.Contains(small, p.Name)
		if testing.Short() && !all {
			continue
		}
		for _, model := range []string{"sc", "rc11", "imm"} {
			for _, properties := range [][]ir.Property{{ir.Assertion}, {ir.Memory, ir.DataRace}} {
				task := solver.VerifyTask{
					Path: p.File(), Files: []solver.SourceFile{{Name: p.File(), Text: p.Source}}, Model: model,
					Engine: "graphs", Options: solver.DefaultOptions(),
					Verify: solver.Verify{Properties: properties, Count: true},
				}
				task.Options.Timeout, task.Options.Unroll = 700*time.Millisecond, 1
				if all {
					task.Options.Timeout = 0
				}
				parts, differ := sameInParts(t, task)
				if differ != "" {
					t.Errorf("%s under %s, %v: %s", p.File(), model, properties, differ)
				}
				if parts > 3 {
					split++
				}
			}
		}
	}
	t.Logf("%d explorations had several parts", split)
	if split < 5 {
		t.Errorf("%d explorations had several parts", split)
	}
}

// A location that a part reaches, and the first does not, may have another address elsewhere: all begins anew, with
// that known.
func TestPartsMeetMemory(t *testing.T) {
	task := solver.VerifyTask{
		Path: "late.c", Files: []solver.SourceFile{{Name: "late.c", Text: `#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
atomic_int x, z;
_Atomic(uintptr_t) p, q;
void *adds(void *u) { for (int i = 0; i < 2; i++) atomic_fetch_add(&z, 1); return 0; }
void *a(void *u) { if (atomic_fetch_add(&x, 1) == 1) atomic_store(&p, (uintptr_t)malloc(4)); atomic_fetch_add(&z, 1); return 0; }
void *b(void *u) { if (atomic_fetch_add(&x, 1) == 1) atomic_store(&q, (uintptr_t)malloc(4)); uintptr_t l = p, r = q; atomic_fetch_add(&z, l > r); return 0; }
int main(void) {
  pthread_t id[3];
  pthread_create(&id[0], 0, adds, 0);
  pthread_create(&id[1], 0, a, 0);
  pthread_create(&id[2], 0, b, 0);
  for (int i = 0; i < 3; i++) pthread_join(id[i], 0);
}
`}}, Model: "sc", Engine: "graphs", Options: solver.DefaultOptions(),
		Verify: solver.Verify{Count: true},
	}
	task.Options.Timeout = 0
	late := 0
	v, err := engines.SplitUp(t.Context(), task, 1, 1,
		func(ctx context.Context, t solver.VerifyTask) (solver.Answer, error) {
			v, err := engines.Run(ctx, t)
			if err == nil && t.Part.Path != "" && v.Part.Again {
				late++
			}
			return v, err
		})
	whole, err2 := engines.Run(t.Context(), task)
	if err != nil || err2 != nil || *v.Executions != *whole.Executions || late == 0 {
		t.Errorf("%v, %v: %d executions, in parts %d; %d parts met more", err, err2, *whole.Executions,
			*v.Executions, late)
	}
}

func TestRandomPartsAreTheWhole(t *testing.T) {
	said := map[string]int{}
	rapid.Check(t, func(r *rapid.T) {
		draw := rapid.SampledFrom(
			[]func(*rapid.T) string{cprogtest.DrawHeap, cprogtest.DrawSync, cprogtest.DrawLocks}).Draw(r, "kind")
		task := randomTask(draw(r))
		task.Model = rapid.SampledFrom([]string{"sc", "tso", "rc11", "aarch64"}).Draw(r, "model")
		task.Properties = rapid.SampledFrom([][]ir.Property{{ir.Assertion}, {ir.Memory}, {ir.DataRace}}).Draw(r,
			"properties")
		task.Engine, task.Count = "graphs", rapid.Bool().Draw(r, "count")
		task.Options.Timeout, task.Options.Unroll = 500*time.Millisecond, 1
		parts, differ := sameInParts(t, task)
		if differ != "" {
			r.Fatalf("%v under %s: %s\n%s", task.Properties, task.Model, differ, task.Files[0].Text)
		}
		said[fmt.Sprint(parts > 1)]++
	})
	t.Logf("in several parts: %v", said)
}
