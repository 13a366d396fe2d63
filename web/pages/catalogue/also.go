package catalogue

import (
	"strings"

	"litmuscope/litmus/catalogue"
	"litmuscope/web/parts/classic"
	"litmuscope/web/teaching/lesson"
)

// mostAlso is the maximum number of programs, of bugs and of lessons that a search for tests shows.
const mostAlso = 4

// others lists what a search for tests finds besides: programs, bugs and lessons. The ID of each is its address.
func others(library *lesson.Library) []classic.Part {
	part := func(title string, items []classic.Item) classic.Part {
		return classic.Part{Title: title, Families: []classic.Family{{Tests: items}}}
	}
	var programs, bugs, lessons []classic.Item
	for _, p := range catalogue.Programs() {
		programs = append(programs, classic.Item{
			ID: "/programs?program=" + p.Name, Name: p.Name, Note: p.Note, About: p.Family,
			Code: p.Published + " " + strings.Join(classic.Calls(p.Source), " "),
		})
	}
	for _, e := range catalogue.WholeMuseum() {
		bugs = append(bugs, classic.Item{
			ID: "/museum/" + e.Name, Name: e.Title, Note: e.Summary,
			About: strings.Join([]string{e.Name, e.Project, e.Part, e.Mistake}, " "),
			Code:  strings.Join(classic.Calls(e.Programs[0].Source), " "),
		})
	}
	builtIn, _ := library.All()
	for _, e := range builtIn {
		if e.Lesson == nil {
			continue
		}
		var heads []string
		for _, s := range e.Sections {
			heads = append(heads, s.Title)
		}
		lessons = append(lessons, classic.Item{
			ID: "/learn/" + e.Slug, Name: e.Title, Note: e.Summary, Code: strings.Join(heads, " "), Text: e.Text,
		})
	}
	return []classic.Part{part("Programs", programs), part("Bugs", bugs), part("Lessons", lessons)}
}

// kind is a kind of what others lists, with the index of its items.
type kind struct {
	title string
	index *classic.Index
}

// kindsOf indexes what others lists.
func kindsOf(library *lesson.Library) []kind {
	var out []kind
	for _, p := range others(library) {
		out = append(out, kind{p.Title, classic.NewIndex([]classic.Part{p})})
	}
	return out
}

// also returns the programs, bugs and lessons that match a query, the best of each.
func (s *page) also(query string) []classic.Part {
	out := []classic.Part{}
	for _, k := range s.kinds() {
		if items := k.index.Items(query, mostAlso); len(items) > 0 {
			out = append(out, classic.Part{Title: k.title, Families: []classic.Family{{Tests: items}}})
		}
	}
	return out
}
