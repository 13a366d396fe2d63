package lesson

import (
	"slices"
	"strings"
)

// Track is an ordered group of lessons.
type Track struct {
	ID      string // for addresses, "machines"; "" where lessons name no track
	Title   string
	Summary string // "" of a track of the lecturer's own
	Lessons []*Entry
	Needs   []string // lessons of other tracks that some of these build on, without those that others of them build on
}

// tracks are the program's tracks, by the names that lessons use.
var tracks = map[string]struct{ title, summary string }{
	"machines": {
		"Machines",
		"How processors reorder accesses, and which fences, dependencies and instructions prevent it.",
	},
	"languages": {
		"Languages",
		"What C, its compilers and the Linux kernel promise on such processors.",
	},
	"verification": {
		"Models and verification",
		"How to read and write a model, and how to check and repair a program under it.",
	},
	"engines": {
		"Engines",
		"Seven methods that find the answers on these pages, and why you can believe them.",
	},
	"systems": {
		"GPUs and systems",
		"What GPUs, page tables and code that changes add to a memory model.",
	},
}

// Tracks groups lessons by track, in the order of each track's first lesson.
func Tracks(list []*Entry) []Track {
	var out []Track
	bySlug := map[string]*Entry{}
	for _, e := range list {
		bySlug[e.Slug] = e
		i := slices.IndexFunc(out, func(t Track) bool { return t.ID == trackID(e.Track) })
		if i < 0 {
			t := Track{ID: trackID(e.Track), Title: e.Track}
			if known, ok := tracks[e.Track]; ok {
				t.Title, t.Summary = known.title, known.summary
			}
			out, i = append(out, t), len(out)
		}
		out[i].Lessons = append(out[i].Lessons, e)
	}
	for i := range out {
		out[i].Needs = outside(out[i].Lessons, bySlug)
	}
	return out
}

// trackID converts a track's name to a part of an address.
func trackID(name string) string {
	return strings.Join(
		strings.FieldsFunc(strings.ToLower(name),
			func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }), "-")
}

// outside returns the lessons that lessons of a list build on and that are not in it, without those that other ones of
// them build on.
func outside(list []*Entry, bySlug map[string]*Entry) []string {
	var direct []string
	for _, e := range list {
		for _, need := range e.Needs {
			if !slices.Contains(direct, need) &&
				!slices.ContainsFunc(list, func(e *Entry) bool { return e.Slug == need }) {
				direct = append(direct, need)
			}
		}
	}
	implied := map[string]bool{}
	var follow func(slug string)
	follow = func(slug string) {
		if e := bySlug[slug]; e != nil {
			for _, need := range e.Needs {
				if !implied[need] {
					implied[need] = true
					follow(need)
				}
			}
		}
	}
	for _, slug := range direct {
		follow(slug)
	}
	return slices.DeleteFunc(direct, func(slug string) bool { return implied[slug] })
}

// Minutes returns the total time of a track's lessons.
func (t Track) Minutes() (sum int) {
	for _, e := range t.Lessons {
		sum += e.Minutes
	}
	return sum
}
