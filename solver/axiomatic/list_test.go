package axiomatic_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

func listed(t testing.TB, p *ir.Program, model string, change func(*solver.Options)) *solver.Result {
	t.Helper()
	m, _ := models.Find(model)
	options := solver.DefaultOptions()
	options.List = 1 << 12
	change(&options)
	r, err := axiomatic.Engine{}.Explore(t.Context(), solver.Query{Program: p, Model: m, Options: options})
	if err != nil {
		t.Fatalf("%s, %s: %v", p.Name, model, err)
	}
	return r
}

// told returns the listed executions as text: rf and co, and the events that they are over. They differ, but where an
// instruction may do either of two things that come to the same.
func told(t testing.TB, p *ir.Program, r *solver.Result) (all []string) {
	t.Helper()
	either := slices.ContainsFunc(p.Threads, func(th ir.Thread) bool {
		return slices.ContainsFunc(th.Code, func(s ir.Step) bool { _, ok := s.Op.(ir.Choose); return ok })
	})
	for _, o := range r.Executions {
		text := fmt.Sprint(o.State)
		for _, e := range o.Graph.Relations {
			if e.Name == "rf" || e.Name == "co" {
				text += fmt.Sprint(e.Name, e.Edges)
			}
		}
		for _, e := range o.Graph.Events {
			text += fmt.Sprint(e.Thread, ".", e.Source, e.Kind, e.Loc, e.Value, " ")
		}
		if !o.Satisfies || !either && slices.Contains(all, text) {
			t.Errorf("%s, %s: twice, or not to be listed: %s", r.Name, r.Model, text)
		}
		all = append(all, text)
	}
	return all
}

// The engine lists as many executions as it counts, all different, on the classic tests; and the same ones without a
// count.
func TestListIsWhatIsCounted(t *testing.T) {
	nothing, counted := func(*solver.Options) {}, 0
	for _, c := range catalogue.Core() {
		if c.Large {
			continue
		}
		p, err := dialect.Parse(c.ID(), c.Source)
		if err != nil {
			t.Fatal(err)
		}
		for _, model := range []string{"sc", "tso", "power", "aarch64", "tso~consensus"} {
			r := listed(t, p, model, nothing)
			all := told(t, p, r)
			satisfying := r.Positive
			if p.Condition.Quantifier == litmus.NotExists {
				satisfying = r.Negative
			}
			if satisfying == nil { // loops, or too many
				continue
			}
			counted += len(all)
			if len(all) != *satisfying || !*r.ExecutionsComplete {
				t.Errorf("%s, %s: %d executions are listed, complete %v, and %d counted", c.ID(), model, len(all),
					*r.ExecutionsComplete, *satisfying)
			}
			alone := listed(t, p, model, func(o *solver.Options) { o.States = 0 })
			others := told(t, p, alone)
			slices.Sort(all)
			slices.Sort(others)
			if !slices.Equal(all, others) || !*alone.ExecutionsComplete {
				t.Errorf("%s, %s: without states, %d executions are listed, not the same %d", c.ID(), model,
					len(others), len(all))
			}
		}
	}
	if counted < 400 {
		t.Errorf("only %d executions were listed", counted)
	}
	t.Logf("%d executions", counted)
}

const sbForever = "X86 SB\n{}\n P0 | P1 | P2 ;\n MOV [x],$1 | MOV [y],$1 | MOV [y],$2 ;\n" +
	" MOV EAX,[y] | MOV EAX,[x] | MOV [x],$2 ;\nexists (0:EAX=0 \\/ 1:EAX=0)\n"

// A list has the states' order, each state's witness in front, is the same each time, and
// no longer than asked for.
func TestListOrder(t *testing.T) {
	p, err := dialect.Parse("SB", sbForever)
	if err != nil {
		t.Fatal(err)
	}
	witnesses := func(o *solver.Options) { o.Witnesses = true }
	r := listed(t, p, "tso", witnesses)
	if len(r.Executions) < 20 {
		t.Fatalf("%d executions", len(r.Executions))
	}
	i := 0
	for _, o := range r.Outcomes {
		if !o.Satisfies {
			continue
		}
		if i >= len(r.Executions) || !reflect.DeepEqual(r.Executions[i], o) {
			t.Errorf("the list does not go on with the witness of %v", o.State)
		}
		for i < len(r.Executions) && slices.Equal(r.Executions[i].State, o.State) {
			i++
		}
	}
	if i != len(r.Executions) {
		t.Errorf("the list has %d executions, not in the states' order", len(r.Executions))
	}
	text := func(r *solver.Result) string {
		b, err := json.Marshal(r.Executions)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if again := listed(t, p, "tso", witnesses); text(r) != text(again) {
		t.Error("the second time, the list is another")
	}
	for n := 1; n <= len(r.Executions)+1; n++ {
		for _, states := range []int{0, 1, 4096} {
			some := listed(t, p, "tso", func(o *solver.Options) { o.List, o.States = n, states })
			if len(told(t, p, some)) != min(n, len(r.Executions)) ||
				*some.ExecutionsComplete != (n >= len(r.Executions)) {
				t.Errorf("at most %d of %d executions: %d, complete %v", n, len(r.Executions), len(some.Executions),
					*some.ExecutionsComplete)
			}
		}
	}
}

// If no execution satisfies the proposition, the list is empty and complete. A bound leaves the list open.
func TestListOfNone(t *testing.T) {
	forbidden, err := dialect.Parse("SB", strings.Replace(sbForever, `(0:EAX=0 \/ 1:EAX=0)`, "(0:EAX=7)", 1))
	if err != nil {
		t.Fatal(err)
	}
	if r := listed(t, forbidden, "tso", func(*solver.Options) {}); r.Executions != nil || !*r.ExecutionsComplete {
		t.Errorf("%d executions, complete %v", len(r.Executions), *r.ExecutionsComplete)
	}
	loop, err := dialect.Parse("loop", "X86 loop\n{}\n P0 | P1 ;\n MOV [x],$1 | L: ;\n | INC [y] ;\n"+
		" | MOV EAX,[x] ;\n | CMP EAX,$1 ;\n | JNE L ;\nexists (1:EAX=1)\n")
	if err != nil {
		t.Fatal(err)
	}
	if r := listed(t, loop, "tso", func(*solver.Options) {}); len(told(t, loop, r)) == 0 || *r.ExecutionsComplete {
		t.Errorf("loop: %d executions, complete %v", len(r.Executions), *r.ExecutionsComplete)
	}
	if r := listed(t, forbidden, "tso", func(o *solver.Options) { o.List = 0 }); r.ExecutionsComplete != nil {
		t.Error("nothing was to be listed, and all is")
	}
}

// The list at the time limit is in the answer, and in the partial result before it.
func TestListInTime(t *testing.T) {
	var b strings.Builder
	b.WriteString("X86 many\n{}\n P0 | P1 | P2 | P3 ;\n")
	for range 8 {
		b.WriteString(" MOV [x],$1 | MOV EAX,[x] | MOV [x],$2 | MOV EAX,[x] ;\n")
	}
	b.WriteString("exists (x=1)\n")
	p, err := dialect.Parse("many", b.String())
	if err != nil {
		t.Fatal(err)
	}
	m, _ := models.Find("tso")
	options := solver.DefaultOptions()
	options.List, options.Executions, options.Timeout = 1<<12, 8, 0
	last := 0
	ctx, up := context.WithCancel(t.Context())
	r, err := axiomatic.Engine{}.Explore(ctx,
		solver.Query{Program: p, Model: m, Options: options, Partial: func(r *solver.Result) {
			if len(r.Executions) < last || r.ExecutionsComplete == nil || *r.ExecutionsComplete ||
				r.Verdict != solver.Allowed {
				t.Errorf("after %d executions, %d are told of", last, len(r.Executions))
			}
			if last = len(r.Executions); last > 20 {
				up()
			}
		}})
	if err != nil {
		t.Fatal(err)
	}
	if len(told(t, p, r)) == 0 || last == 0 || *r.ExecutionsComplete || r.Verdict != solver.Allowed {
		t.Errorf("%s (%s): %d executions, complete %v", r.Status, r.Reason, len(r.Executions), *r.ExecutionsComplete)
	}
	if r.Status != solver.Unknown || r.Reason != "cancelled while listing executions" || r.Keepable(options) {
		t.Errorf("%s, kept %v", r.Reason, r.Keepable(options))
	}
}
