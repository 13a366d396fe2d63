package axiomatic_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

// gpu is a dialect with scopes, for random tests.
type gpu struct {
	arch   string
	models []string
	init   []string // one of them
	place  func(t *rapid.T) string
	// statements, in which $d is a new register, $a a location, $v a number or a register that is read, and the words
	// in brackets are choices
	statements []string
	waits      []string // of the same kind, with loops to a label $l that read until they find what they wait for
}

var gpus = []gpu{
	{
		arch: "PTX", models: []string{"ptx", "ptx", "ptx-v6.0", partialCo},
		init: []string{
			"x=0; y=0;",
			"x=0; y=0; z aliases x; s @ surface aliases x; t @ texture aliases x; u @ surface aliases z;",
		},
		place: func(t *rapid.T) string {
			return fmt.Sprintf("@cta %d, gpu %d", evenly(t, "cta", 2), evenly(t, "gpu", 4)/3)
		},
		statements: []string{
			"ld.[weak|relaxed.S|acquire.S] $d, $a", "ld.[weak|relaxed.S|acquire.S] $d, $a",
			"st.[weak|relaxed.S|release.S] $a, $v", "st.[weak|relaxed.S|release.S] $a, $v",
			"fence.[sc|acq_rel].S", "fence.[sc|acq_rel].S", "fence.proxy.[alias|surface|texture]",
			"atom.[relaxed|acquire|release|acq_rel].S.[add|exch] $d, $a, 1",
			"atom.[relaxed|acq_rel].S.cas $d, $a, 0, 2",
			"bar.cta.[sync|arrive] [0|0|1]", "bar.cta.sync 0, 1, [1|2]", "bar.cta.sync 2, [$v|1]",
			"suld.weak $d, [s|u]", "tld.weak $d, t", "sust.weak [s|u], $v",
		},
		waits: []string{
			"$l:;ld.[weak|relaxed.S|acquire.S] $d, $a;[bne|beq] $d, [1|0|2], $l",
			"$l:;ld.relaxed.S $d, $a;fence.[sc|acq_rel].S;[bne|beq] $d, [1|0], $l",
			"$l:;atom.[relaxed|acquire].S.cas $d, $a, 0, 2;bne $d, 0, $l",
			"$l:;atom.[acquire|acq_rel].S.exch $d, $a, 1;bne $d, 0, $l",
		},
	},
	{
		arch: "VULKAN", models: []string{"vulkan", "vulkan-nochains"},
		init: []string{"x=0; y=0;", "x=0; y=0; z aliases x;", "x=0; y=0;} { ssw 0 1;"},
		place: func(t *rapid.T) string {
			return fmt.Sprintf("@sg %d, wg %d, qf %d", evenly(t, "sg", 2), evenly(t, "wg", 4)/2, evenly(t, "qf", 4)/3)
		},
		statements: []string{
			"ld.[sc0|nonpriv.sc0|vis.S.sc0|vis.S.sc1] $d, $a", "st.[sc0|nonpriv.sc0|av.S.sc0|av.S.sc1] $a, $v",
			"ld.atom.[S.sc0|acq.S.sc0.semsc0|acq.S.sc0.semsc0.semvis|acq.S.sc1.semsc0.semsc1] $d, $a",
			"st.atom.[S.sc0|rel.S.sc0.semsc0|rel.S.sc0.semsc0.semav|rel.S.sc1.semsc0.semsc1] $a, $v",
			"rmw.atom.[S.sc0|acq_rel.S.sc0.semsc0|rel.S.sc0.semsc0.semav] $d, $a, 2",
			"membar.[acq|rel|acq_rel].S.semsc0", "membar.acq_rel.S.[semsc0.semav.semvis|semsc0.semsc1]",
			"cbar.[acq_rel.S.semsc0|S] [0|1]", "cbar.acq_rel.wg.semsc0 0, 1, [1|2]", "[avdevice|visdevice]",
		},
		waits: []string{
			"$l:;ld.atom.[S.sc0|acq.S.sc0.semsc0|acq.S.sc0.semsc0.semvis] $d, $a;[bne|beq] $d, [1|0|2], $l",
			"$l:;ld.atom.S.sc0 $d, $a;membar.[acq|acq_rel].S.semsc0;[bne|beq] $d, [1|0], $l",
			"$l:;ld.[nonpriv.sc0|vis.S.sc0] $d, $a;[bne|beq] $d, [1|0], $l",
			"$l:;rmw.atom.[S.sc0|acq.S.sc0.semsc0] $d, $a, 2;bne $d, 0, $l",
			"$l:;ld.atom.S.sc0 $d, $a;[avdevice|visdevice];bne $d, 1, $l",
		},
	},
	{
		arch: "OPENCL", models: []string{"opencl"}, init: []string{"[x]=0; [y]=0;"},
		place: func(t *rapid.T) string {
			return fmt.Sprintf("@wg %d, dev %d", evenly(t, "wg", 2), evenly(t, "dev", 4)/3)
		},
		statements: []string{
			"int $d = atomic_load_explicit($a, memory_order_[relaxed|acquire|seq_cst], memory_scope_S);",
			"atomic_store_explicit($a, $v, memory_order_[relaxed|release|seq_cst], memory_scope_S);",
			"int $d = *$a;", "*$a = $v;",
			"int $d = atomic_fetch_add_explicit($a, 1, memory_order_[relaxed|acq_rel|seq_cst], memory_scope_S);",
			"atomic_work_item_fence(CLK_[GLOBAL|LOCAL]_MEM_FENCE, memory_order_[acquire|release|acq_rel|seq_cst], " +
				"memory_scope_S);",
			"work_group_barrier(CLK_[GLOBAL|LOCAL]_MEM_FENCE);",
		},
		waits: []string{
			"int $d; do { $d = atomic_load_explicit($a, memory_order_[relaxed|acquire|seq_cst], memory_scope_S); } " +
				"while ($d [==|!=] [0|1|2]);",
			"int $d; do { $d = atomic_load_explicit($a, memory_order_relaxed, memory_scope_S); " +
				"atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_[acquire|seq_cst], memory_scope_S); } " +
				"while ($d == 0);",
			"int $d; do { $d = atomic_exchange_explicit($a, 1, memory_order_[relaxed|acquire], memory_scope_S); } " +
				"while ($d != 0);",
		},
	},
}

// partialCo is a model in which the coherence order is partial, as in published models of PTX.
const partialCo = `"Partial coherence"
let co = co+
let fr = rf^-1; co
empty (([W]; po; [W]) & loc) \ co as written
empty (([W]; sr; [W]) & loc & ext) \ (co | co^-1) as related
acyclic sync_fence | po | rf as order
irreflexive fr; (po | sync_fence | syncbar & vloc & scta)+ as reads
`

// scopeWords are the scopes of each dialect's instructions.
var scopeWords = map[string][]string{
	"PTX": {"cta", "gpu", "sys"}, "VULKAN": {"sg", "wg", "qf", "dv"},
	"OPENCL": {"work_group", "device", "all_svm_devices"},
}

// draw makes a random test with places of threads, in which enumeration has little to do; with waiting, one with loops.
func (g gpu) draw(t *rapid.T, waiting bool) string {
	statements := g.statements
	if waiting {
		statements = slices.Concat(statements, g.waits, g.waits, g.waits)
	}
	init := among(t, "init", g.init)
	threads := 2 + evenly(t, "threads", 4)/3
	columns, places := make([][]string, threads), make([]string, threads)
	var observed []string
	left := map[string]int{"read": 4, "write": 4, "sc": 3}
	if g.arch == "OPENCL" { // whose executions take the checker longest
		left["read"], left["write"] = 3, 3
	}
	for i := range columns {
		places[i] = g.place(t)
		var read []string
		for range 1 + evenly(t, "length", 3) {
			s := among(t, "statement", statements)
			for { // choices
				open := strings.Index(s, "[")
				end := strings.Index(s, "]")
				if open < 0 {
					break
				}
				s = s[:open] + among(t, "choice", strings.Split(s[open+1:end], "|")) + s[end+1:]
			}
			if strings.Contains(s, ".S") || strings.Contains(s, "_S") {
				scope := among(t, "scope", scopeWords[g.arch])
				spell := strings.NewReplacer(".S.", "."+scope+".", ".S ", "."+scope+" ", "scope_S", "scope_"+scope)
				s = spell.Replace(s + " ")
				if rest, ok := strings.CutSuffix(s, ".S "); ok {
					s = rest + "." + scope
				}
			}
			update := strings.Contains(s, "atom.") && strings.Contains(s, "$d") && !strings.HasPrefix(s, "ld") ||
				strings.Contains(s, "fetch_add")
			reads := strings.Contains(s, "$d")
			writes := update || strings.Contains(s, "$v") && !strings.HasPrefix(s, "bar")
			names := []string{"x", "y"}
			if strings.Contains(init, "z aliases") {
				names = append(names, "z")
			}
			special := strings.Contains(s, " s") || strings.Contains(s, " t") || strings.Contains(s, " u")
			switch {
			case special && !strings.Contains(init, "surface") && g.arch == "PTX":
				continue
			case reads && left["read"] == 0 || writes && left["write"] == 0:
				continue
			case strings.HasPrefix(s, "fence.sc") && left["sc"] == 0:
				continue
			}
			value := among(t, "value", append([]string{"1", "2"}, read...))
			if strings.HasPrefix(s, "bar") && len(read) == 0 && strings.Contains(s, "$v") {
				continue
			}
			d := fmt.Sprintf("r%d", len(read))
			label := fmt.Sprintf("L%d%d", i, len(columns[i]))
			s = strings.NewReplacer("$d", d, "$a", among(t, "location", names), "$v", value, "$l", label).Replace(s)
			if reads {
				read = append(read, d)
				observed = append(observed, fmt.Sprintf("%d:%s;", i, d))
				left["read"]--
			}
			if writes {
				left["write"]--
			}
			if strings.HasPrefix(s, "fence.sc") {
				left["sc"]--
			}
			lines := []string{s}
			if g.arch != "OPENCL" {
				lines = strings.Split(s, ";")
			}
			for _, line := range lines {
				columns[i] = append(columns[i], strings.TrimSpace(line))
			}
		}
	}
	end := fmt.Sprintf("locations [x; y; %s]\nexists (x=1)\n", strings.Join(observed, " "))
	text := fmt.Sprintf("%s random\n{ %s }\n", g.arch, init)
	if g.arch == "OPENCL" {
		of := func() string {
			return among(t, "type", []string{"global int", "local int", "global atomic_int", "local atomic_int"})
		}
		x, y := of(), of()
		for i, c := range columns {
			text += fmt.Sprintf("P%d%s (%s *x, %s *y) {\n %s\n}\n", i, places[i], x, y, strings.Join(c, "\n "))
		}
		return text + end
	}
	rows := 1
	for _, c := range columns {
		rows = max(rows, len(c))
	}
	for row := -1; row < rows; row++ {
		for i, c := range columns {
			cell := ""
			if row < 0 {
				cell = fmt.Sprint("P", i, places[i])
			} else if row < len(c) {
				cell = c[row]
			}
			text += strings.Repeat("| ", min(i, 1)) + cell + " "
		}
		text += ";\n"
	}
	return text + end
}

// Random tests with scopes have the outcomes and the raised flags that plain enumeration finds.
func TestAxiomaticIsEnumerationOnGPUs(t *testing.T) {
	for _, g := range gpus {
		t.Run(g.arch, func(t *testing.T) {
			found := map[string]int{}
			rapid.Check(t, func(t *rapid.T) {
				if !testing.Short() || found["compared"] < 150 {
					g.check(t, found)
				}
			})
			t.Log(found)
		})
	}
}

// check compares the engine with enumeration on one random test.
func (g gpu) check(t *rapid.T, found map[string]int) {
	source := g.draw(t, false)
	p, err := dialect.Parse("random.litmus", source)
	if err != nil {
		if strings.Contains(err.Error(), "do not agree how many threads") {
			t.Skip("calls of a barrier that do not agree")
		}
		t.Fatalf("%v\n%s", err, source)
	}
	name := among(t, "model", g.models)
	m, _ := models.Find(name)
	if m == nil {
		if m, err = models.Parse("mine.cat", name, dialect.Vocabulary()); err != nil {
			t.Fatal(err)
		}
	}
	if p.Named && !m.Mentions("vloc") {
		t.Skip("the model knows no names")
	}
	options := solver.DefaultOptions()
	r, err := axiomatic.Engine{}.Explore(context.Background(), solver.Query{Program: p, Model: m, Options: options})
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, name, source)
	}
	states, raised, candidates, executions := map[string]bool{}, make([]bool, len(m.Flags)), 0, 0
	checker := evaluation.NewChecker(m)
	tried := 0
	for x := range runs(p, written(t, p)) {
		if tried++; tried > 400 {
			t.Skip("too many runs")
		}
		for x := range communicate(x) {
			if candidates++; candidates > 600 {
				t.Skip("too many candidates")
			}
			if fromThinAir(x) || len(checker.Check(x)) > 0 {
				continue
			}
			executions++
			states[p.FormatState(p.Visible(x.Final()))] = true
			for i, is := range checker.Flags(x) {
				raised[i] = raised[i] || is
			}
		}
	}
	want := slices.Sorted(maps.Keys(states))
	if got := printed(r.States); !slices.Equal(got, want) {
		t.Fatalf("%s\n%s\nengine:\n  %s\nenumeration:\n  %s", name, source, strings.Join(got, "\n  "),
			strings.Join(want, "\n  "))
	}
	for i, f := range r.Flags {
		if executions > 0 && (f.Raised == nil || *f.Raised != raised[i]) {
			t.Fatalf("%s\n%s\nflag %s: want raised %v", name, source, f.Name, raised[i])
		}
		if raised[i] {
			found["race"]++
		}
	}
	found["compared"]++
	if executions == 0 {
		found["deadlock"]++
	}
	if p.Barriers {
		found["barrier"]++
	}
	if p.Named {
		found["names"]++
	}
}
