package models_test

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
)

func TestSplit(t *testing.T) {
	for name, want := range map[string]string{
		"tso":                  "tso",
		"tso~consensus":        "tso|consensus",
		"own~a~b":              "own|a|b",
		"my.cat":               "my.cat",
		"~/models~old/my.cat":  "~/models~old/my.cat",
		"~/a.cat~b/my.cat~x~y": "~/a.cat~b/my.cat|x|y",
		"tso~":                 "tso|",
	} {
		model, without := models.Split(name)
		if got := strings.Join(append([]string{model}, without...), "|"); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
}

func TestFindVariant(t *testing.T) {
	for name, want := range map[string]string{
		"tso":                      "tso: uniproc atomicity consensus",
		"TSO~Consensus":            "tso~consensus: uniproc atomicity",
		"tso~consensus~uniproc":    "tso~uniproc~consensus: atomicity",
		"tso~uniproc~uniproc":      "tso~uniproc: atomicity consensus",
		"sc~atomicity~consensus":   "sc~atomicity~consensus: ",
		"tso~thin":                 `there is no axiom "thin" in tso: want one of uniproc, atomicity, consensus`,
		"tso~":                     `there is no axiom "" in tso: want one of uniproc, atomicity, consensus`,
		"own~consensus":            `unknown model "own~consensus": want one of sc, tso`,
		"power~observation~thin~x": `there is no axiom "thin" in power: want one of uniproc, atomicity, no-thin-air, observation, propagation, reservations`,
	} {
		m, err := models.Named(name)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = m.Name + ": " + strings.Join(m.Parts(), " ")
		}
		if !strings.HasPrefix(got, want) {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
		if _, ok := models.Find(name); ok != (err == nil) {
			t.Errorf("%s: found %v", name, ok)
		}
	}
}

// The remaining axioms imply what followed from them before.
func TestWhatVariantsImply(t *testing.T) {
	tso, _ := models.Find("tso")
	keys := map[string]bool{tso.Key(): true}
	for name, want := range map[string]bool{
		"tso~consensus": true, "tso~uniproc": false,
		"tso~uniproc~consensus": false,
	} {
		m, ok := models.Find(name)
		if !ok || m.Coherent() != want || m.HasMachine() || keys[m.Key()] || m.Title != tso.Title {
			t.Errorf("%s: found %v, coherent %v, machine %v, a new key %v", name, ok, m.Coherent(), m.HasMachine(),
				!keys[m.Key()])
		}
		keys[m.Key()] = true
	}
	if m, _ := models.Find("alpha~thin"); m.ForbidsThinAir() {
		t.Error("alpha forbids thin air without thin")
	}
}

// An own model's axioms go by the names that explanations give them; its flags stay, unless the variant names them; and
// the variant states separately what a removed axiom had implied.
func TestVariantOfOwnModel(t *testing.T) {
	m, err := models.Parse("own", `include "cos.cat"
acyclic po-loc | rf | fr | co
empty rmw & (fre;coe) as order
flag ~empty rmw as locked
undefined_unless empty (po & 0) as never
irreflexive co as order`, dialect.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	for names, want := range map[string]string{
		"":                             "own: acyclic-2 order locked never",
		"order":                        "own~order: acyclic-2 locked never",
		"locked":                       "own~locked: acyclic-2 order never",
		"acyclic-2":                    "own~acyclic-2: coherence-of-co order locked never",
		"acyclic-2~coherence-of-co":    "own~coherence-of-co~acyclic-2: order locked never",
		"order~acyclic-2~never~locked": "own~acyclic-2~order~locked~never: coherence-of-co",
	} {
		_, without := models.Split("own~" + names)
		if names == "" {
			without = nil
		}
		v, err := m.Less(without)
		if err != nil {
			t.Errorf("%s: %v", names, err)
			continue
		}
		if got := v.Name + ": " + strings.Join(v.Parts(), " "); got != want {
			t.Errorf("%s: got %s, want %s", names, got, want)
		}
		if (v.Key() == m.Key()) != (names == "") || v.Key() != models.VariantKey(m.Key(), without) {
			t.Errorf("%s: key %s", names, v.Key())
		}
		slices.Reverse(without)
		if back, err := m.Less(without); err != nil || back.Name != v.Name || back.Key() != v.Key() {
			t.Errorf("%s the other way round: %v, %v", names, back, err)
		}
	}
}
