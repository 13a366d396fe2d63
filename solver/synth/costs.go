package synth

import (
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/change"
)

//go:embed costs.txt
var published string

// Costs are the prices of changes, by the language of a test (tongue) and by kind and name of the change.
type Costs map[string]map[string]int

// Published returns the built-in table of costs, as a starting point for other tables.
func Published() string { return published }

// OnlyKinds returns a table that excludes all changes of a language except some kinds. If counted is true, each of
// these costs 1, so that a repair minimises their number.
func OnlyKinds(tongue string, of []change.Kind, counted bool) string {
	costs, err := ReadCosts("", "")
	if err != nil {
		panic("BUG: " + err.Error())
	}
	var b strings.Builder
	fmt.Fprintf(&b, "[%s]\n", tongue)
	for _, key := range slices.Sorted(maps.Keys(costs[tongue])) {
		kind, _, _ := strings.Cut(key, " ")
		switch {
		case kind == string(change.Scope): // no change by itself
		case !slices.Contains(of, change.Kind(kind)):
			fmt.Fprintf(&b, "%s = -\n", key)
		case counted:
			fmt.Fprintf(&b, "%s = 1\n", key)
		}
	}
	return b.String()
}

// maxCost is the highest price.
const maxCost = 1_000_000

// ReadCosts reads a table of costs that extends the built-in one: a line replaces the built-in price, and the price
// "-" excludes the change. Its error is a [litmus.ErrorList].
//
//	[AArch64]             # what a test is written in
//	fence DMB SY = 30     # a kind of change, its name, its price
//	order LDAPR  = -
func ReadCosts(file, text string) (Costs, error) {
	c := Costs{}
	if err := c.read("costs.txt", published); err != nil {
		panic("BUG: " + err.Error())
	}
	if text == "" {
		return c, nil
	}
	return c, c.read(file, text)
}

// read adds the prices of a file to c: sections such as [X86], and lines such as "fence MFENCE = 10", or "= -" to
// exclude a change. # begins a comment. Its error is a litmus.ErrorList with every wrong line.
func (c Costs) read(file, text string) error {
	var errs litmus.ErrorList
	section := ""
	for i, line := range strings.Split(text, "\n") {
		fail := func(format string, args ...any) {
			errs = append(errs, litmus.Errorf(litmus.Pos{File: file, Line: i + 1, Col: 1}, format, args...))
		}
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		switch name, is := strings.CutPrefix(line, "["); {
		case line == "":
		case is && strings.HasSuffix(name, "]"):
			section = strings.TrimSuffix(name, "]")
			if !isTongue(section) {
				fail("got [%s], want one of %s", section, strings.Join(tongues(), ", "))
			}
			if c[section] == nil {
				c[section] = map[string]int{}
			}
		case section == "":
			fail("got %q before any section: want a section first, such as [X86]", litmus.Shorten(line))
		default:
			what, price, ok := strings.Cut(line, " = ")
			kind, what, named := strings.Cut(strings.TrimSpace(what), " ")
			key := kind + " " + strings.Join(strings.Fields(what), " ")
			price = strings.TrimSpace(price)
			n, err := strconv.Atoi(price)
			switch {
			case !ok || !named:
				fail("got %q, want a kind of change, its name and its price: fence MFENCE = 10", litmus.Shorten(line))
			case kind != string(change.Fence) && kind != string(change.Order) && kind != string(change.Dependency) &&
				kind != string(change.Atomic) && kind != string(change.Scope):
				fail("got %q, want fence, order, scope, dependency or atomic", litmus.Shorten(kind))
			case price == "-":
				delete(c[section], key)
			case err != nil || n < 1 || n > maxCost:
				fail("got the price %q, want a number from 1 to %d, or - to exclude the change",
					litmus.Shorten(price), maxCost)
			default:
				c[section][key] = n
			}
		}
	}
	return errs.Err()
}

// The built-in prices are relative: they order fences and accesses of a language by strength and typical cost, so that
// the cheapest repair is one that a programmer would choose. Nothing compares prices of different languages.

// prices are those of a tongue.
type prices map[string]int

// Price implements [change.Prices].
func (p prices) Price(kind change.Kind, name string) (cost int, ok bool) {
	cost, ok = p[fmt.Sprintf("%s %s", kind, name)]
	return cost, ok
}
