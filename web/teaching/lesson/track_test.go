package lesson

import (
	"slices"
	"testing"
)

// The lessons of the program are in five tracks, of which each builds on earlier ones alone.
func TestTracks(t *testing.T) {
	l, err := NewLibrary("", noTerms)
	if err != nil {
		t.Fatal(err)
	}
	all, _ := l.All()
	var names, before []string
	for _, track := range Tracks(all) {
		names = append(names, track.ID)
		if track.Summary == "" || track.Minutes() < 45 {
			t.Errorf("%s: %q, %d minutes", track.ID, track.Summary, track.Minutes())
		}
		for _, need := range track.Needs {
			if !slices.Contains(before, need) {
				t.Errorf("%s builds on %s, which is not in an earlier track", track.ID, need)
			}
		}
		for _, e := range track.Lessons {
			for _, need := range e.Needs {
				if !slices.Contains(before, need) {
					t.Errorf("%s builds on %s, which comes later", e.Slug, need)
				}
			}
			before = append(before, e.Slug)
		}
	}
	if want := []string{"machines", "languages", "verification", "engines", "systems"}; !slices.Equal(names, want) {
		t.Errorf("the tracks are %v, want %v", names, want)
	}
}

func TestTracksOfACourse(t *testing.T) {
	entry := func(slug, track string, needs ...string) *Entry {
		return &Entry{Lesson: &Lesson{Slug: slug, Track: track, Needs: needs, Minutes: 5}}
	}
	got := Tracks(
		[]*Entry{
			entry("a", "Week 1"), entry("b", "Week 1", "a"), entry("c", "Week 2", "a", "b"), entry("d", ""),
			entry("e", "Week 2", "c", "sc"),
		})
	if len(got) != 3 || got[0].ID != "week-1" || got[0].Title != "Week 1" || len(got[1].Lessons) != 2 ||
		got[1].Minutes() != 10 || got[2].ID != "" {
		t.Fatalf("%+v", got)
	}
	if want := []string{"b", "sc"}; !slices.Equal(got[1].Needs, want) {
		t.Errorf("Week 2 needs %v, want %v", got[1].Needs, want)
	}
}
