package display_test

import (
	"io/fs"
	"os"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/display"
)

// Whatever a reader may meet of a built-in model, the library or an execution has its
// sentence.
func TestEverythingIsExplained(t *testing.T) {
	for _, name := range []string{
		"_", "R", "W", "M", "F", "IW", "po", "rf", "co", "fr", "rmw", "addr", "data", "ctrl", "loc", "int", "ext", "id",
		"mfence", "sync", "lwsync", "dmb.sy", "fence.rw.rw", "rf^-1",
	} {
		if display.Help(nil, name) == "" {
			t.Errorf("%s has no help", name)
		}
	}
	for _, tag := range dialect.Vocabulary().Tags {
		if display.Help(nil, string(tag)) == "" {
			t.Errorf("tag %s has no help", tag)
		}
	}
	files, err := fs.Glob(os.DirFS("../library"), "*.cat")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		text, err := os.ReadFile("../library/" + file)
		if err != nil {
			t.Fatal(err)
		}
		f, err := cat.Parse(file, string(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case cat.Let:
				for _, b := range d.Bindings {
					if b.Source.Doc == "" {
						t.Errorf("%s: %s has no comment", b.Source, b.Name)
					}
				}
			case cat.Check:
				if d.Source.Doc == "" {
					t.Errorf("%s: %s has no comment", d.Source, d.Name)
				}
			}
		}
	}
	for _, name := range models.Names() {
		m, _ := models.Find(name)
		for _, s := range m.Shows {
			if display.Help(m, s.Name) == "" {
				t.Errorf("%s shows %s, which has no comment", name, s.Name)
			}
		}
	}
}

func TestHelp(t *testing.T) {
	m, err := models.Parse("own", "let po-loc = po (* Mine. *)\nlet addr = rf\nlet hb = rf (* first *)\n"+
		"let hb = co (* second *)\nacyclic hb\n(* Both. *)\nshow rf | co as both", dialect.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"po":        "Program order: the first comes before the second in its thread.",
		"rf^-1":     "Reads-from: the second reads the value that the first writes; here from the second to the first.",
		"po-loc":    "Mine.",
		"addr":      "", // not what it is elsewhere
		"hb":        "second",
		"both":      "Both.",
		"fre":       "A read comes before writes of other threads that overwrite what it has read.",
		"lwsync":    "Fence: a LWSYNC stands between the two in program order.",
		"mfence":    "Fence: an MFENCE stands between the two in program order.",
		"po;rf":     "",
		"DMB.SY":    "Fences: DMB SY.",
		"unheard":   "",
		"dmb.ishst": "Fence: a DMB ISHST stands between the two in program order.",
	} {
		if got := display.Help(m, name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
