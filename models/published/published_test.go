package published_test

import (
	"testing"

	"litmuscope/models"
	"litmuscope/models/published"
)

// A version that is built in has the title of the model, which All reads without parsing it.
func TestTitlesOfBuiltInVersions(t *testing.T) {
	for _, v := range published.All() {
		switch m, ok := models.Find(v.Name); {
		case ok != (v.Text == ""):
			t.Errorf("%s: built in is %t, with a text of %d bytes", v.Name, ok, len(v.Text))
		case ok && v.Title != m.Title || v.Title == "":
			t.Errorf("%s: %q", v.Name, v.Title)
		}
	}
}
