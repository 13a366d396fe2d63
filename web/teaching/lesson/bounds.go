package lesson

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Bounds are the bounds of engines as authors write them: "rounds=2 k=1". Without bounds, engines use values that lose
// no outcome.
type Bounds string

// boundOptions are the names of the options that bound engines.
var boundOptions = []string{"unroll", "rounds", "buffer", "timestamps", "nodes", "k"}

// Options returns the default options with these bounds.
func (b Bounds) Options() solver.Options { return b.Of(solver.DefaultOptions()) }

// Of returns options with these bounds.
func (b Bounds) Of(o solver.Options) solver.Options {
	for _, word := range strings.Fields(string(b)) {
		name, value, _ := strings.Cut(word, "=")
		if n, err := strconv.Atoi(value); err == nil {
			*boundOption(name).Field(&o).(*int) = n
		}
	}
	return o
}

// Words formats the bounds for readers: "2 rounds, k = 1".
func (b Bounds) Words() string {
	var out []string
	for _, word := range strings.Fields(string(b)) {
		name, value, _ := strings.Cut(word, "=")
		n, _ := strconv.Atoi(value) // it has been read once
		out = append(out, solver.Bound{Name: name}.Amount(n))
	}
	return strings.Join(out, ", ")
}

func boundOption(name string) *solver.Option {
	i := slices.IndexFunc(solver.OptionTable, func(o solver.Option) bool { return o.Name == name })
	return &solver.OptionTable[i]
}

// bounds reads words that set bounds. It reports a bound that no column uses.
func (in *reading) bounds(pos litmus.Pos, words, columns []string) Bounds {
	var out []string
	for _, word := range words {
		name, value, _ := strings.Cut(word, "=")
		n, err := strconv.Atoi(value)
		if !slices.Contains(boundOptions, name) || err != nil {
			in.fail(pos, "got %q, want a bound: %s, each with = and a number", litmus.Shorten(word),
				strings.Join(boundOptions, ", "))
			continue
		}
		o := solver.DefaultOptions()
		*boundOption(name).Field(&o).(*int) = n
		if err := o.Validate(); err != nil {
			in.fail(pos, "%v", err)
			continue
		}
		if !slices.ContainsFunc(columns, func(c string) bool {
			_, engine := splitColumn(c)
			e, err := engines.Find(engine)
			return err == nil && e.Heeds(name)
		}) {
			in.fail(pos, "%s is a bound of %s: want a model on such an engine, tso@%s", name,
				strings.Join(engines.Heeding(name), ", "), engines.Heeding(name)[0])
			continue
		}
		for _, c := range columns {
			model, engine := splitColumn(c)
			if e, err := engines.Find(engine); err == nil && engine == "" && !e.Heeds(name) {
				in.fail(pos, "%s does not use the bound %s: next to columns that do, write %s@%s", c, name, model,
					e.Name)
			}
		}
		out = append(out, fmt.Sprintf("%s=%d", name, n))
	}
	return Bounds(strings.Join(out, " "))
}

// ModelFaults returns what the rules forbid in a reader's model, as sentences for the reader.
func (r *Rules) ModelFaults(text string) []string {
	if !r.NoIncludes {
		return nil
	}
	unread := func(string) (string, error) { return "", nil }
	files, _ := models.Includes(Own, text, unread) // what is wrong is said by whoever asks about the model
	var out []string
	for _, file := range slices.Sorted(maps.Keys(files)) {
		out = append(out,
			fmt.Sprintf("The model includes %s: in this exercise, write the model without includes.",
				litmus.Shorten(file)))
	}
	return out
}
