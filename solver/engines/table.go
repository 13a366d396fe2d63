package engines

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
	"litmuscope/solver/graphs"
	"litmuscope/solver/machine"
	"litmuscope/solver/sequential"
)

// Engine is an engine on offer.
type Engine struct {
	Name   string   `json:"name"`
	Title  string   `json:"title" doc:"one line: how it works"`
	Models []string `json:"models,omitempty" doc:"the built-in models that it supports; absent if it supports any model"`
	// Options it heeds beside those that every engine does.
	Options []string `json:"options,omitempty" doc:"the options that it uses in addition to those of every engine"`
	// Settler names the engine that decides what a bound of this one leaves open, if the model has a machine.
	Settler string `json:"-"`

	counts   bool // the executions of programs
	mixed    bool // answers for accesses of mixed size
	wide     bool // and for those of 128 bits
	scoped   bool // answers for tests of GPUs, with scopes, names of locations and control barriers
	engine   solver.Engine
	unheeded func() []solver.Option
}

// table is every engine, the default first. All engines heed an option that is in no engine's list.
var table = []Engine{
	{
		engine: axiomatic.Engine{}, Title: "SAT over event graphs",
		Options: []string{"executions", "list", "acyclicity", "explain", "solver", "certify", "progress"},
		Settler: "machine", counts: true, mixed: true, wide: true, scoped: true,
	},
	{engine: machine.Engine{}, Title: "all states of the model's machine", mixed: true},
	{engine: graphs.Engine{}, Title: "all execution graphs, one by one", counts: true, mixed: true},
	inRounds("lazy-cseq", "SAT over rounds of the threads"),
	inRounds("tso-sma", "SAT over rounds and store buffers", "buffer"),
	inRounds("pso-sma", "SAT over rounds and store buffers", "buffer"),
	inRounds("etso", "SAT over rounds and write lists", "timestamps", "nodes"),
	inRounds("epso", "SAT over rounds and write lists", "timestamps", "nodes"),
	inRounds("k-round", "SAT over k + 1 rounds of each thread", "k"),
	inRounds("k-store-age", "SAT over rounds, stores up to k old", "k"),
}

// inRounds is a sequential engine, with the options that are its memory's.
func inRounds(name, title string, memory ...string) Engine {
	i := slices.IndexFunc(sequential.Engines, func(e sequential.Engine) bool { return e.Name() == name })
	return Engine{
		engine: sequential.Engines[i], Title: title,
		Options: append([]string{"rounds", "least", "solver", "certify"}, memory...),
	}
}

// heeding are the engines that heed each option that not all do.
var heeding = map[string][]string{}

func init() {
	for i := range table {
		e := &table[i]
		e.Name = e.engine.Name()
		if _, telling := e.engine.(taker); !telling {
			e.Models = e.engine.Models()
		}
		for _, option := range e.Options {
			heeding[option] = append(heeding[option], e.Name)
		}
	}
	for _, e := range append(pointers(), &auto) {
		e.unheeded = sync.OnceValue(func() []solver.Option {
			return slices.DeleteFunc(slices.Clone(solver.OptionTable),
				func(o solver.Option) bool { return e.Heeds(o.Name) })
		})
	}
}

func pointers() (out []*Engine) {
	for i := range table {
		out = append(out, &table[i])
	}
	return out
}

// All lists the engines, the default first, with the models of those, too, that tell them by their axioms,
// which takes a while the first time.
func All() []Engine {
	all := slices.Clone(table)
	for i := range all {
		all[i].Models = table[i].engine.Models()
	}
	return all
}

// Names lists the engines' names, the default first.
func Names() []string {
	out := make([]string, len(table))
	for i, e := range table {
		out[i] = e.Name
	}
	return out
}

// Find finds an engine by name; "" is the default.
func Find(name string) (*Engine, error) {
	if name == Auto {
		return &auto, nil
	}
	for i := range table {
		if name == "" || table[i].Name == name {
			return &table[i], nil
		}
	}
	return nil, fmt.Errorf("unknown engine %q: want one of %s", name, strings.Join(Names(), ", "))
}

// Version changes whenever the engine's answers or their form may, those of the engine
// that settles for it included.
func (e *Engine) Version() int {
	v := e.engine.Version()
	if e.Settler != "" {
		settler, _ := Find(e.Settler)
		v += settler.Version()
	}
	return v
}

// AnswersFor reports whether the engine answers for a model of a name.
func (e *Engine) AnswersFor(model string) bool {
	of := e.engine.Models()
	return len(of) == 0 || slices.Contains(of, model)
}

// Heeds reports whether the engine heeds an option.
func (e *Engine) Heeds(option string) bool {
	return slices.Contains(e.Options, option) || len(Heeding(option)) == 0
}

// Heeding lists the engines that heed an option, or none where all do.
func Heeding(option string) []string { return heeding[option] }

// Usage is what an option does, and with which engines.
func Usage(opt solver.Option) string {
	if by := Heeding(opt.Name); len(by) > 0 {
		return fmt.Sprintf("%s (%s)", opt.Help, strings.Join(by, ", "))
	}
	return opt.Help
}

// Heeded are the options that an engine heeds, the others at their defaults.
func (e *Engine) Heeded(o solver.Options) solver.Options {
	defaults := solver.DefaultOptions()
	for _, opt := range e.unheeded() {
		opt.Copy(&o, &defaults)
	}
	return o
}
