package consistency

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
)

// The models whose executions the exploration can build event by event, either along program order and reads-from or
// with threads that run ahead of their reads, and why it cannot for the others.
func TestModels(t *testing.T) {
	refused := map[string]string{
		"c11":     "chooses an order (S)",
		"c11-psc": "axiom happens-before subtracts a relation that later events can extend",
	}
	along := []string{"sc", "tso", "pso", "mips", "rc11"}
	for _, name := range models.Names() {
		m, err := models.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := Compile(m, Anything())
		switch want := refused[name]; {
		case err == nil && want == "":
			if f.Ahead == slices.Contains(along, name) {
				t.Errorf("%s: threads run ahead: %v", name, f.Ahead)
			}
		case err == nil || want == "" || !strings.Contains(err.Error(), want):
			t.Errorf("%s: got %v, want %q", name, err, want)
		}
	}
}

// Why Compile rejects a user's model, by its axiom, and for which models threads run ahead.
func TestRefusals(t *testing.T) {
	const (
		sc      = "\"own\"\nacyclic po | rf | fr | co as sc\n"
		refused = "subtracts a relation that later events can extend"
		ahead   = "ahead"
	)
	for _, c := range []struct{ axiom, want string }{
		{"", ""},
		{"acyclic po | rf | co as weaker", ""},
		{"empty rmw & (fre ; coe) as atomicity", ""},
		{"let rec r = po | r ; rf\nacyclic r as knot", ""},
		{"irreflexive fr ; po as observation", ""},
		{"acyclic (po | rf)+ & loc | co as hb", ""},
		{"acyclic po \\ (po ; po) as immediate", ""},
		{"irreflexive fr ; (po \\ ((M \\ range(po)) * M)) as first", ""},
		{"~empty rf as read", "axiom read requires a relation not to be empty"},
		{"acyclic co \\ (co ; co) as next", refused},
		{"acyclic po \\ (rf ; po) as hidden", refused},
		{"acyclic po \\ (po ; [domain(rf)] ; po) as unseen", refused},
		{"let rec r = po \\ (co ; co) | r ; rf\nacyclic r as knot", refused},
		{"acyclic [FW] ; po as last", "the final writes (FW)"},
		{"acyclic loc \\ id as never", ahead},
		{"acyclic po | co^-1 as back", ahead},
		{"let rec r = co^-1 | r ; po\nacyclic r as knot", ahead},
		{"irreflexive po? as self", ahead},
		{"empty po ; [W] ; rf as forwarding", ahead},
		{"acyclic [domain(rf)] ; po as seen", ahead},
		{"acyclic rf | fr | po & (co ; co^-1) as later", ahead},
		{"acyclic po \\ ((M \\ domain(rf)) * M) as read", ahead},
	} {
		m, err := models.Parse("own", sc+c.axiom+"\n", dialect.Vocabulary())
		if err != nil {
			t.Fatalf("%s: %v", c.axiom, err)
		}
		f, err := Compile(m, Anything())
		switch {
		case c.want == "" || c.want == ahead:
			if err != nil || f.Ahead != (c.want == ahead) {
				t.Errorf("%s: %v, want ahead %v", c.axiom, err, c.want == ahead)
			}
		case err == nil || !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: got %v, want %q", c.axiom, err, c.want)
		}
	}
}
