package models_test

import (
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
)

// A model with a bell file rejects what the file does not declare, at its place; one without rejects what the kernel's
// model does not know.
func TestKnows(t *testing.T) {
	const bell = `enum orders = 'relaxed || 'acquire || 'release || 'sc
enum scopes = 'system || 'gpu || 'cta
enum regions = 'global || 'shared
let narrower(t) = match t with || 'system -> {'gpu} || 'gpu -> {'cta} end
instructions R[{'relaxed, 'acquire}, scopes]
instructions W[{'relaxed, 'release}, scopes]
instructions W[{'sc}]
instructions F[{'sc}, scopes]`
	mine, err := models.ParseWith("m.cat", "acyclic po | rf | co | fr", map[string]string{"m.bell": bell},
		dialect.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	lkmm, _ := models.Named("lkmm")
	sc, _ := models.Named("sc")
	const no = "the model's bell file has no annotation '"
	const reads = "reads: instructions R has 'relaxed, 'acquire, 'system, 'gpu, 'cta"
	const noBuiltIn, choose = "no built-in model knows the ", ": choose a model with a bell file that declares it"
	for _, c := range []struct {
		model      *models.Model
		code, tail string
		want       string
	}{
		{
			mine, "r[acquire,gpu] r1 x; w[release,cta] x 1; f[sc,system]; w[SC] x 2; r[relaxed] r1 x; r[cta] r1 x; " +
				"w[] x 1",
			"scopes: (system (gpu (cta P0)))\nregions: x: global", "",
		},
		{mine, "r[once] r1 x", "", "4:3: " + no + "once here for " + reads},
		{mine, "r[release] r1 x", "", "4:3: " + no + "release here for " + reads},
		{mine, "r[gpu,acquire] r1 x", "", "4:7: " + no + "acquire here for " + reads},
		{
			mine, "w[sc,gpu] x 1", "", "4:6: " + no + "gpu here for writes: instructions W has 'relaxed, 'release, " +
				"'system, 'gpu, 'cta, 'sc",
		},
		{mine, "rmw[acquire] r1 1 x", "", "4:5: " + no + "acquire here for atomic updates: instructions RMW has none"},
		{mine, "call[sync]", "", "4:6: " + no + "sync here for fences: instructions F has 'sc, 'system, 'gpu, 'cta"},
		{
			mine, "w[] x 1", "scopes: (system (grid P0))",
			"5:18: unknown scope grid: enum scopes has 'system, 'gpu, 'cta",
		},
		{
			mine, "w[] x 1", "scopes: (system (cta P0))",
			"5:18: the scope cta cannot be within a system: narrower('system) has 'gpu",
		},
		{
			mine, "w[] x 1", "scopes: (cta (gpu P0))",
			"5:15: the scope gpu cannot be within a cta: narrower('cta) has none",
		},
		{mine, "w[] x 1", "regions: (x texture)", "5:13: unknown region texture: enum regions has 'global, 'shared"},
		{lkmm, "r[deref] r1 x; f[rcu_read_lock]; call[sync]; rmw[mb] r1 1 x; w[assign] x 1", "", ""},
		{lkmm, "w[assign] x 1", "scopes: (system (cta P0))", ""},
		{lkmm, "w[acquire] x 1", "", "4:3: " + noBuiltIn + "annotation acquire of w" + choose},
		{lkmm, "r[acquire,gpu] r1 x", "", "4:11: " + noBuiltIn + "annotation gpu of r" + choose},
		{lkmm, "w[] x 1", "regions: (x texture)", "5:13: " + noBuiltIn + "region texture" + choose},
		{sc, "r[acquire,gpu] r1 x", "regions: (x texture)", ""},
	} {
		source := "LISA T\n{ }\nP0;\n" + strings.ReplaceAll(c.code, "; ", ";\n") + ";\n" + c.tail + "\nexists (x=1)\n"
		p, err := dialect.Parse("t", source)
		if err != nil {
			t.Errorf("%v\n%s", err, source)
			continue
		}
		got := ""
		if err := c.model.Knows(p.Annotated); err != nil {
			got = strings.TrimPrefix(err.Error(), "t:")
		}
		if got != c.want {
			t.Errorf("got\n%s\nwant\n%s\n%s", got, c.want, source)
		}
	}
}

// A scope is a tag of the enum of scopes.
func TestScopesOfBell(t *testing.T) {
	for text, want := range map[string]string{
		"empty tag2scope('acquire)":                   "m.cat:1:16: 'acquire is no scope: want a tag of enum scopes",
		"empty tag2scope(po)":                         "m.cat:1:16: want the tag of a scope, got a relation",
		`empty tag2scope('cta) & same-cta \ same-cta`: "",
	} {
		_, err := models.ParseWith("m.cat", text, map[string]string{"m.bell": "enum o = 'acquire\nenum scopes = 'cta"},
			dialect.Vocabulary())
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
