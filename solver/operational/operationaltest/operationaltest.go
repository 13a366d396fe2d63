// Package operationaltest has what the tests of operational machines share: [Known] reads the tests whose answers a
// machine has to have in common with the axioms, and [Summary] is the part of an answer that they have to agree on.
//
// It imports litmus/catalogue and solver.
package operationaltest

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/solver"
)

// Summary is what two engines have to agree on, as text: verdict, condition, outcomes and flags.
func Summary(r *solver.Result) string {
	truth := func(b *bool) string {
		if b == nil {
			return "open"
		}
		return fmt.Sprint(*b)
	}
	text := fmt.Sprintf("%s %s %s, condition %s, deadlock %v, complete %v, outcomes %v", r.Status, r.Verdict,
		r.Observation, truth(r.ConditionHolds), r.Deadlock, r.Complete, r.States)
	for _, f := range r.Flags {
		text += fmt.Sprintf(", %s %s", f.Name, truth(f.Raised))
	}
	return text
}

// Known returns tests of the catalogue, and those of folders of the reference corpus where there is one
// (LITMUSCOPE_CORPUS), by name. The path is that of a package two folders below the root.
func Known(t *testing.T, of func(*catalogue.Entry) bool, folders ...string) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, e := range catalogue.All() {
		if of(&e) {
			texts[e.ID()] = e.Source
		}
	}
	corpus := os.Getenv("LITMUSCOPE_CORPUS")
	if corpus == "" {
		corpus = "../../../shared/corpus"
	}
	for _, folder := range folders {
		err := filepath.WalkDir(filepath.Join(corpus, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || filepath.Ext(path) != ".litmus" {
				return err
			}
			text, err := os.ReadFile(path)
			texts[strings.TrimPrefix(path, corpus+"/")] = string(text)
			return err
		})
		if errors.Is(err, fs.ErrNotExist) {
			t.Log("there is no reference corpus: LITMUSCOPE_CORPUS says where it is")
		} else if err != nil {
			t.Fatal(err)
		}
	}
	return texts
}
