package lesson

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/compile"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/solver"
	"litmuscope/solver/mappingcheck"
	"litmuscope/solver/synth"
)

// Property is a claim about a whole test, besides a verdict on its condition.
type Property string

// The properties.
const (
	Robust     Property = "robust"     // the model allows no execution that SC does not
	NotRobust  Property = "not-robust" // it allows one
	RaceFree   Property = "race-free"  // no execution that the model allows has a data race
	Racy       Property = "racy"
	Outcomes   Property = "outcomes"   // Claim.Count is how many there are
	Executions Property = "executions" // likewise
	Costs      Property = "costs"      // Claim.Count is what the cheapest repair costs
	Right      Property = "right"      // the mapping Claim.Compiled makes nothing of it that the model does not allow
	Wrong      Property = "wrong"      // it does
)

// properties are the words that may be used instead of a verdict.
var properties = []Property{Robust, NotRobust, RaceFree, Racy, Right, Wrong}

// property reads the words after a claim's model, if they are a property: "robust", "4 outcomes", "costs 5". It returns
// how many words it has read: none for a verdict or for nothing.
func (c *Claim) property(words []string) int {
	if slices.Contains(properties, Property(words[0])) {
		c.Property = Property(words[0])
		return 1
	}
	if len(words) < 2 {
		return 0
	}
	number, name := words[0], words[1]
	if Property(number) == Costs {
		number, name = name, number
	}
	n, err := strconv.Atoi(number)
	if err != nil || n < 0 || !slices.Contains([]Property{Outcomes, Executions, Costs}, Property(name)) {
		return 0
	}
	c.Property, c.Count = Property(name), n
	return 2
}

// said formats a claim's verdict or property.
func (c Claim) said() string {
	switch c.Property {
	case "":
		return string(c.Verdict)
	case Outcomes, Executions:
		return fmt.Sprintf("%d %s", c.Count, c.Property)
	case Costs:
		return fmt.Sprintf("%s %d", c.Property, c.Count)
	}
	return string(c.Property)
}

// askable checks that a claim's model has this property.
func (in *reading) askable(c Claim) bool {
	model, engine := splitColumn(c.Model)
	counted := c.Property == Outcomes || c.Property == Executions
	switch {
	case c.Property == "" || counted:
		return true
	case model == Own:
		in.fail(c.Pos, "the claim %s needs a built-in model: got %s", c.Property, Own)
	case engine != "":
		in.fail(c.Pos, "the claim %s does not name an engine: want %s", c.Property, model)
	case c.OfMapping() && c.Compiled == "":
		in.fail(c.Pos, "right and wrong are claims about a mapping: want %s right compiled=ppc:leading", model)
	case (c.Property == RaceFree || c.Property == Racy) && !racing(model):
		in.fail(c.Pos, "%s does not define data races: want rc11, c11 or lkmm", model)
	default:
		return true
	}
	return false
}

// dataRace is the flag of models that define data races.
const dataRace = "data-race"

func racing(model string) bool {
	m, ok := models.Find(model)
	return ok && slices.ContainsFunc(m.Flags, func(f cat.Flag) bool { return f.Name == dataRace })
}

// Beyond returns the extra model that a claim about robustness needs: it allows what the claim's model allows and SC
// forbids.
func (c Claim) Beyond() (m solver.OwnModel, needed bool) {
	if c.Property != Robust && c.Property != NotRobust {
		return m, false
	}
	return solver.OwnModel{Name: c.Model + "-beyond-sc", Text: fmt.Sprintf(`"What %s allows and SC does not"
include "%s.cat"
~acyclic po | rf ; sm | fr ; sm | co ; sm as beyond-sc
`, c.Model, c.Model)}, true
}

// Column returns the model that decides a claim.
func (c Claim) Column() string {
	if m, needed := c.Beyond(); needed {
		return m.Name
	}
	return c.Model
}

// Confirmed reports whether a result confirms a claim, and otherwise the actual value. It does not support claims that
// no result decides, such as those about mappings.
func (c Claim) Confirmed(r *solver.Result) (so bool, is string) {
	whole := r.Status == solver.OK && r.Complete && (r.StatesComplete == nil || *r.StatesComplete)
	is = string(solver.Undecided)
	switch c.Property {
	case Robust, NotRobust:
		switch {
		case r.Status != solver.Failed && len(r.States) > 0:
			is = string(NotRobust)
		case whole:
			is = string(Robust)
		}
	case RaceFree, Racy:
		for _, f := range r.Flags {
			switch {
			case f.Name != dataRace || f.Raised == nil:
			case *f.Raised:
				is = string(Racy)
			case r.Complete:
				is = string(RaceFree)
			}
		}
	case Outcomes:
		if whole {
			is = fmt.Sprintf("%d %s", len(r.States), Outcomes)
		}
	case Executions:
		if whole && r.Positive != nil && r.Negative != nil {
			is = fmt.Sprintf("%d %s", *r.Positive+*r.Negative, Executions)
		}
	default:
		if r.Status != solver.Failed && r.Verdict != "" {
			is = string(r.Verdict)
		}
	}
	return is == c.said(), is
}

// costs returns the cost of the cheapest repair of a test, in the words of claims.
func (h *claimChecker) costs(c Claim, source string) judgement {
	r, err := synth.Answer(h.ctx,
		synth.Question{
			Path: "test", Source: c.source(source), Under: []solver.Task{{Model: c.Model}},
			Options: c.Bounds.Options(),
		})
	switch {
	case err != nil:
		return undecided(": " + err.Error())
	case r.Already:
		return judgement{is: fmt.Sprintf("%s 0", Costs)}
	case r.Status != solver.OK || !r.Minimal || len(r.Repairs) == 0:
		return undecided(": " + r.Error + r.Reason)
	}
	return judgement{is: fmt.Sprintf("%s %d", Costs, r.Repairs[0].Cost)}
}

// mapping decides whether a mapping is right for a test.
func (h *claimChecker) mapping(c Claim, source string) judgement {
	t := c.Task(source, "")
	made, err := madeBy(c.Compiled, t.Source)
	if err != nil {
		return undecided(": " + err.Error())
	}
	got, err := mappingcheck.Check(h.ctx, h.Runner, mappingcheck.Question{Source: t, Compiled: made})
	if err != nil {
		h.err = err
		return undecided("")
	}
	return judgement{is: string(got.Verdict), because: got.Reason}
}

func undecided(because string) judgement {
	return judgement{is: string(solver.Undecided), because: strings.TrimSuffix(because, ": ")}
}

// madeBy returns the test that a mapping makes of a test in C.
func madeBy(mapping, source string) (*compile.Test, error) {
	t, err := litmus.Parse("test", source)
	if err != nil {
		return nil, err
	}
	return compile.Compile(t, To(mapping), Variant(mapping))
}

// OfMapping reports whether a claim is about a mapping itself, not about a translated test.
func (c Claim) OfMapping() bool { return c.Property == Right || c.Property == Wrong }

// To returns the architecture of a mapping: ppc of ppc:leading.
func To(mapping string) string { to, _, _ := strings.Cut(mapping, ":"); return to }

// Variant returns the variant of a mapping: leading of ppc:leading, "" if it has none.
func Variant(mapping string) string { _, variant, _ := strings.Cut(mapping, ":"); return variant }
