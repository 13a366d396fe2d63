package engines

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"litmuscope/models"
	"litmuscope/solver"
)

const sb = "X86 SB\n{}\n P0 | P1 ;\n MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\n" +
	"exists (0:EAX=0 /\\ 1:EAX=0)\n"

// The table's titles, options and settlers are there, and every bound has its option.
func TestTable(t *testing.T) {
	known := func(name string) bool {
		return slices.ContainsFunc(solver.OptionTable, func(o solver.Option) bool { return o.Name == name })
	}
	for _, e := range All() {
		if e.Title == "" {
			t.Errorf("%s has no title", e.Name)
		}
		for _, name := range e.Options {
			if !known(name) {
				t.Errorf("%s heeds %s, which is no option", e.Name, name)
			}
		}
		if _, err := Find(e.Settler); err != nil {
			t.Error(err)
		}
		r, err := Run(t.Context(), solver.Task{Source: sb, Engine: e.Name, Options: solver.DefaultOptions()})
		if err != nil || r.Status != solver.OK || r.Version != e.Version() {
			t.Errorf("%s: %+v, %v", e.Name, r, err)
			continue
		}
		for _, b := range r.Bounds {
			if !e.Heeds(b.Name) {
				t.Errorf("%s has the bound %s, and no option for it", e.Name, b.Name)
			}
		}
		if bounded := e.Heeds("least"); bounded != (len(r.Bounds) > 0) {
			t.Errorf("%s has bounds: %v; it heeds --least: %v", e.Name, len(r.Bounds) > 0, bounded)
		}
	}
}

func TestOptionsThatAnEngineDoesNotHeed(t *testing.T) {
	set := func(name string, v int) solver.Options {
		o := solver.DefaultOptions()
		for _, opt := range solver.OptionTable {
			if opt.Name == name {
				*opt.Field(&o).(*int) = v
			}
		}
		return o
	}
	for _, test := range []struct {
		options solver.Options
		engine  string
		want    string
	}{
		{solver.DefaultOptions(), "machine", ""},
		{set("unroll", 3), "machine", ""},
		{set("timestamps", 2), "etso", ""},
		{set("k", 0), "k-round", ""},
		{set("timestamps", 2), "tso-sma", "timestamps: used by etso, epso, not by the engine tso-sma"},
		{set("k", 0), "axiomatic", "k: used by k-round, k-store-age, not by the engine axiomatic"},
		{set("executions", 0), "etso", "executions: used by axiomatic, not by the engine etso"},
	} {
		got := ""
		if err := Admit(solver.Task{Engine: test.engine, Options: test.options}); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.engine, got, test.want)
		}
	}
}

// Every engine heeds or rejects every option with another value: by name, before a run and in it; and it admits the
// result of Heeded.
func TestEveryOptionOfEveryEngine(t *testing.T) {
	for _, e := range All() {
		for _, opt := range solver.OptionTable {
			task := solver.Task{Source: sb, Engine: e.Name, Options: solver.DefaultOptions()}
			switch f := opt.Field(&task.Options).(type) {
			case *time.Duration:
				*f += time.Second
			case *int:
				*f++
			case *string:
				other := slices.IndexFunc(opt.Choices, func(c string) bool { return c != *f })
				if other < 0 {
					continue // solvers, where there is one
				}
				*f = opt.Choices[other]
			case *bool:
				*f = !*f
			}
			err := Admit(task)
			refusal := new(solver.OptionError)
			if refused := errors.As(err, &refusal); refused == e.Heeds(opt.Name) || err != nil &&
				refusal.Option != opt.Name {
				t.Errorf("%s heeds %s: %v, and is refused it: %v", e.Name, opt.Name, e.Heeds(opt.Name), err)
			}
			if err == nil {
				continue
			}
			if r, err := Run(t.Context(), task); err != nil || r.Status != solver.Failed ||
				!strings.Contains(r.Error, refusal.Error()) {
				t.Errorf("%s runs with %s: %+v, %v", e.Name, opt.Name, r, err)
			}
			task.Options = e.Heeded(task.Options)
			if err := Admit(task); err != nil {
				t.Errorf("%s refuses what it heeds: %v", e.Name, err)
			}
		}
	}
}

func TestAdmit(t *testing.T) {
	for _, test := range []struct {
		what string
		task func(*solver.Task)
		want string
	}{
		{"defaults", func(*solver.Task) {}, ""},
		{"built-in model", func(t *solver.Task) { t.Model = "power" }, ""},
		{"unknown model", func(t *solver.Task) { t.Model = "tos" }, `unknown model "tos": want one of sc, tso`},
		{"variant", func(t *solver.Task) { t.Model = "power~observation" }, ""},
		{
			"unknown axiom", func(t *solver.Task) { t.Model = "tso~thin" },
			`there is no axiom "thin" in tso: want one of uniproc, atomicity, consensus`,
		},
		{
			"unknown engine", func(t *solver.Task) { t.Engine = "magic" },
			`unknown engine "magic": want one of axiomatic`,
		},
		{
			"model of another engine", func(t *solver.Task) { t.Engine, t.Model = "etso", "sc" },
			"the engine etso supports tso, not sc",
		},
		{"own model", func(t *solver.Task) { t.Model, t.ModelText = "my.cat", "acyclic po" }, ""},
		{
			"own model with a machine",
			func(t *solver.Task) { t.Engine, t.Model, t.ModelText = "machine", "my.cat", "acyclic po" },
			"the engine machine supports sc, tso, pso, aarch64, riscv, arm, power, rc11, not my.cat",
		},
		{
			"unreadable model", func(t *solver.Task) { t.Model, t.ModelText = "my.cat", "acyclic" },
			"my.cat:1:8: got end of file",
		},
		{
			"option out of range", func(t *solver.Task) { t.Options.Unroll = 100 },
			"unroll: 100 is out of range (1 to 64)",
		},
	} {
		task := solver.Task{Options: solver.DefaultOptions()}
		test.task(&task)
		got := ""
		if err := Admit(task); err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, test.want) || test.want == "" && got != "" {
			t.Errorf("%s: got %q, want %q", test.what, got, test.want)
		}
		// An option rejected before a run gets the same message in a run.
		task.Source = sb
		if r, err := Run(t.Context(), task); err != nil || (r.Status == solver.Failed) != (got != "") ||
			!strings.Contains(r.Error, got) {
			t.Errorf("%s: run says %+v, %v", test.what, r, err)
		}
	}
}

func TestKey(t *testing.T) {
	base := solver.Task{Path: "a.litmus", Source: sb, Model: "tso", Options: solver.DefaultOptions()}
	tso, _ := models.Find("tso")
	for _, test := range []struct {
		what   string
		change func(*solver.Task)
		same   bool
	}{
		{"nothing", func(*solver.Task) {}, true},
		{"path", func(t *solver.Task) { t.Path = "b.litmus" }, true},
		{"line ends", func(t *solver.Task) { t.Source = strings.ReplaceAll(sb, "\n", "\r\n") }, true},
		{"blanks at the ends of lines", func(t *solver.Task) { t.Source = strings.ReplaceAll(sb, "\n", " \n") }, true},
		{"layout", func(t *solver.Task) { t.Source = strings.ReplaceAll(sb, ";", " ;") }, false},
		{"the model unnamed", func(t *solver.Task) { t.Model = "" }, true},
		{"the model in capitals", func(t *solver.Task) { t.Model = "TSO" }, true},
		{"the engine named", func(t *solver.Task) { t.Engine = "axiomatic" }, true},
		{
			"the model's text under another name", func(t *solver.Task) { t.Model, t.ModelText = "x86.cat", tso.Text },
			false,
		},
		{"time", func(t *solver.Task) { t.Options.Timeout = time.Hour }, true},
		{"memory", func(t *solver.Task) { t.Options.Memory = 1 }, true},
		{"witnesses", func(t *solver.Task) { t.Options.Witnesses = true }, true},
		{"explanation", func(t *solver.Task) { t.Options.Explain = true }, false},
		{"test", func(t *solver.Task) { t.Source = strings.Replace(sb, "$1", "$2", 1) }, false},
		{"model", func(t *solver.Task) { t.Model = "sc" }, false},
		{"variant of the model", func(t *solver.Task) { t.Model = "tso~consensus" }, false},
		{"a file that the model may include", func(t *solver.Task) {
			t.Model, t.ModelText, t.ModelFiles = "tso", tso.Text, map[string]string{"a.cat": "acyclic po"}
		}, false},
		{"engine", func(t *solver.Task) { t.Engine = "machine" }, false},
		{"model of the engine's, unnamed", func(t *solver.Task) { t.Engine, t.Model = "etso", "" }, false},
		{"bound", func(t *solver.Task) { t.Options.Unroll = 7 }, false},
	} {
		want, err := Key(base)
		if err != nil {
			t.Fatal(err)
		}
		task := base
		test.change(&task)
		got, err := Key(task)
		if err != nil || (got == want) != test.same {
			t.Errorf("another %s: same key %v, %v", test.what, got == want, err)
		}
	}
	for _, bad := range []solver.Task{{Source: sb, Model: "none"}, {Source: sb, Engine: "none"}} {
		if _, err := Key(bad); err == nil {
			t.Errorf("%+v has a key", bad)
		}
	}
}
