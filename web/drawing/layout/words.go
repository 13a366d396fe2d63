package layout

import (
	"cmp"
	"slices"
	"strings"

	"litmuscope/models"
)

// What the tags of accesses mean, in words. A tag that is in none of the tables says nothing that a
// reader of a drawing asks for: what it claims an order for is said by the dialect's own tag.
var (
	// updates say what kind of instruction an access is a part of; the first that an event has is said.
	updates = []wording{
		{[]string{"CAS"}, "atomic compare-and-swap"},
		{[]string{"AMO"}, "atomic update"},
		{[]string{"LR"}, "load-reserved"},
		{[]string{"StCond"}, "store-conditional"},
		{[]string{"X"}, "exclusive"},
		{[]string{"FULL", "LOCKED"}, "locked"},
	}
	// orders say what it keeps in order.
	orders = []wording{
		{[]string{"AcqRel"}, "acquire-release"},
		{[]string{"A", "L"}, "acquire-release"},
		{[]string{"Acq", "Rel"}, "acquire-release"},
		{[]string{"A"}, "acquire"},
		{[]string{"Acq"}, "acquire"},
		{[]string{"Q"}, "acquire, RCpc"},
		{[]string{"L"}, "release"},
		{[]string{"Rel"}, "release"},
	}
)

// wording is what is said of an event that has all of some tags.
type wording struct {
	tags []string
	says string
}

func firstOf(list []wording, tags []string) string {
	for _, w := range list {
		if !slices.ContainsFunc(w.tags, func(t string) bool { return !slices.Contains(tags, t) }) {
			return w.says
		}
	}
	return ""
}

// cOrders are the orders of a C test's accesses and fences in words, where they say more than what is drawn.
var cOrders = map[string]string{
	"na": "non-atomic", "rlx": "relaxed", "con": "consume", "acq": "acquire", "rel": "release",
	"acq_rel": "acquire-release",
	"sc":      "sequentially consistent", "mb": "full barrier", "rmb": "read barrier", "wmb": "write barrier",
	"noreturn": "no value returned",
	"atom":     "atomic", "cta": "for its CTA", "gpu": "for its GPU", "sys": "for the system",
	"sg": "for its subgroup", "wg": "for its work group", "qf": "for its queue family", "dv": "for the device",
	"wi": "for its work item", "all": "for all devices", "barrier": "control barrier", "proxy": "proxy fence",
	"tex": "texture proxy", "sur": "surface proxy",
}

// orderInWords is an order with its scope in words: "release, for its GPU".
func orderInWords(order string) string {
	parts := strings.Split(order, ", ")
	for i, p := range parts {
		parts[i] = cmp.Or(cOrders[p], full(p))
	}
	return strings.Join(parts, ", ")
}

// notation is an event of a C test in the field's notation, and in words: "R[acq] x=1".
func notation(e models.GraphEvent) (drawn, told string, ok bool) {
	kind := map[string]string{"R": "read", "W": "write", "F": "fence"}[e.Kind]
	place, words := "", ""
	switch {
	case e.Kind == "F" && e.Loc != "":
		place, words = " "+short(e.Loc), " "+full(e.Loc)
	case e.Kind != "F":
		place, words = " "+short(e.Loc)+"="+short(e.Value), " "+full(e.Loc)+"="+full(e.Value)
	}
	switch {
	case e.Does != "" && e.Kind == "F":
		return short(e.Does) + place, full(e.Does) + words, true
	case e.Does != "":
		return short(e.Does) + place, full(e.Does) + ": " + kind + words, true
	case e.Order != "":
		return e.Kind + "[" + short(e.Order) + "]" + place,
			kind + words + " (" + orderInWords(e.Order) + ")", true
	}
	return "", "", false
}

// inWords says what an access is beside a read or a write: "atomic compare-and-swap (acquire)".
func inWords(e models.GraphEvent) string {
	tags := texts(e)
	update, order := firstOf(updates, tags), firstOf(orders, tags)
	switch {
	case update == "":
		return order
	case order == "":
		return update
	}
	return update + " (" + order + ")"
}

// fenceName is a fence as its instruction is written, by its first tag: "DMB ISH", "fence rw,w".
func fenceName(e models.GraphEvent) string {
	tags := texts(e)
	if len(tags) == 0 {
		return "fence"
	}
	name := tags[0]
	if name == "PICK" {
		return "choice" // of a value, which what decided it leads to
	}
	if before, after, ok := strings.Cut(name, "."); ok {
		if sets, of, two := strings.Cut(after, "."); before == "Fence" && two {
			return "fence " + sets + "," + of
		}
		if before == "Fence" {
			return "fence." + after
		}
		return before + " " + after
	}
	return name
}

func texts(e models.GraphEvent) []string {
	out := make([]string, len(e.Tags))
	for i, t := range e.Tags {
		out[i] = string(t)
	}
	return out
}
