package axiomatic_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/ir/irtest"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/models/evaluation"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
)

// lisaStatements are statements of random tests in LISA, each behind a stroke with its twin in the kernel's C. $d is a
// new register, $a a location, $v a number or a register that is read, $n a number, $o the last register that is read.
var lisaStatements = []string{
	"r[once] $d $a|int $d = READ_ONCE(*$a);", "r[once] $d $a|int $d = READ_ONCE(*$a);",
	"r[acquire] $d $a|int $d = smp_load_acquire($a);", "r[] $d $a|int $d = *$a;",
	"r[deref] $d $a|int $d = rcu_dereference(*$a);",
	"w[once] $a $v|WRITE_ONCE(*$a, $v);", "w[once] $a $v|WRITE_ONCE(*$a, $v);", "w[] $a $v|*$a = $v;",
	"w[release] $a $v|smp_store_release($a, $v);", "w[assign] $a $v|rcu_assign_pointer(*$a, $v);",
	"w[once] $a (add $o 1)|WRITE_ONCE(*$a, $o + 1);", "w[once] $a (xor $o $o)|WRITE_ONCE(*$a, $o ^ $o);",
	"w[once] $a (eq $o 1)|WRITE_ONCE(*$a, $o == 1);", "w[once] $a (neq $o 1)|WRITE_ONCE(*$a, $o != 1);",
	"rmw[mb] $d $n $a|int $d = xchg($a, $n);", "rmw[acquire] $d (xchg $n) $a|int $d = xchg_acquire($a, $n);",
	"rmw[release] $d (or $d $n) $a|int $d = atomic_fetch_or_release($n, $a);",
	"rmw[once] $d (add 1) $a|int $d = atomic_fetch_add_relaxed(1, $a);",
	"rmw[mb] $d (cmpxchg 0 $n) $a|int $d = cmpxchg($a, 0, $n);",
	"rmw[acquire] $d (cmpxchg 1 $n) $a|int $d = cmpxchg_acquire($a, 1, $n);",
	"f[mb]|smp_mb();", "f[wmb]|smp_wmb();", "f[rmb]|smp_rmb();", "f[barrier]|barrier();",
	"call[sync]|synchronize_rcu();", "f[sync_rcu]|synchronize_rcu();", "f[before-atomic]|smp_mb__before_atomic();",
	"f[after_atomic]|smp_mb__after_atomic();", "f[rcu_read_lock]|rcu_read_lock();", "f[rcu-lock]|rcu_read_lock();",
	"f[rcu_read_unlock]|rcu_read_unlock();", "f[unlock]|rcu_read_unlock();",
	"b[] (eq $o 0) END|if ($o) {", "b[] (neq $o 1) END|if ($o == 1) {",
}

// scopedStatements are those of the model of toyBell.
var scopedStatements = []string{
	"r[relaxed,S] $d $a", "r[acquire,S] $d $a", "r[] $d $a", "w[relaxed,S] $a $v", "w[release,S] $a $v", "w[] $a $v",
	"w[release,S] $a (xor $o 1)", "f[sc,S]", "f[sc]", "rmw[acq_rel,S] $d (add 1) $a",
	"rmw[relaxed,S] $d (cmpxchg 0 $n) $a",
	"r[acquire,S] $d (add x (mul (and $o 1) 4))", "b[] $o END",
}

// drawLISA makes a random test in LISA of statements, and its twin in C if the statements have twins. end stands behind
// the threads.
func drawLISA(t *rapid.T, statements []string, end string) (source, twin string) {
	threads := 2 + evenly(t, "threads", 4)/3
	columns := make([][]string, threads)
	var observed []string
	left := map[string]int{"read": 4, "write": 3}
	if end != "" { // scopes, under a model whose checks take longer
		left["read"] = 3
	}
	twin = "C random\n{}\n"
	for i := range columns {
		twin += fmt.Sprintf("P%d(int *x, int *y) {\n", i)
		var read []string
		open := 0
		for range 1 + evenly(t, "length", 4) {
			s := among(t, "statement", statements)
			update := strings.HasPrefix(s, "rmw")
			reads, writes := strings.Contains(s, "$d"), update || strings.HasPrefix(s, "w[")
			if strings.Contains(s, "$o") && len(read) == 0 || reads && left["read"] == 0 ||
				writes && left["write"] == 0 {
				continue
			}
			d, last := fmt.Sprintf("r%d", len(read)), ""
			if len(read) > 0 {
				last = read[len(read)-1]
			}
			s = strings.NewReplacer("$d", d, "$a", among(t, "location", []string{"x", "y"}), "$o", last,
				"$n", among(t, "number", []string{"1", "2"}),
				"$v", among(t, "value", append([]string{"1", "2"}, read...)),
				"S", among(t, "scope", []string{"cta", "gpu", "system"})).Replace(s)
			if reads {
				read = append(read, d)
				left["read"]--
				if open == 0 {
					observed = append(observed, fmt.Sprintf("%d:%s;", i, d))
				}
			}
			if writes {
				left["write"]--
			}
			own, in, _ := strings.Cut(s, "|")
			columns[i] = append(columns[i], own)
			twin += in + "\n"
			open += strings.Count(in, "{")
		}
		columns[i] = append(columns[i], "END:")
		twin += strings.Repeat("}\n", open+1)
	}
	rows := 1
	for _, c := range columns {
		rows = max(rows, len(c))
	}
	source = "LISA random\n{ }\n"
	for row := -1; row < rows; row++ {
		for i, c := range columns {
			cell := ""
			if row < 0 {
				cell = fmt.Sprint("P", i)
			} else if row < len(c) {
				cell = c[row]
			}
			source += strings.Repeat("| ", min(i, 1)) + cell + " "
		}
		source += ";\n"
	}
	places := []string{"(cta P0) (cta P1)", "(cta P0 P1)"}
	if threads == 3 {
		places = []string{"(cta P0 P2) (cta P1)", "(cta P0) (cta P1, P2)", "(cta P0 P1 P2)"}
	}
	end = strings.Replace(end, "CTAS", among(t, "places", places), 1)
	ask := fmt.Sprintf("locations [x; y; %s]\nexists (x=1)\n", strings.Join(observed, " "))
	return source + end + ask, twin + ask
}

// Random tests in LISA have the outcomes and flags that plain enumeration finds, and those of their twins in C.
func TestAxiomaticIsEnumerationOnLISA(t *testing.T) {
	irtest.AtMost(t, 100)
	reached := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		name := among(t, "model", []string{"lkmm", "lkmm", "lkmm", "sc", "tso", "power", "alpha"})
		source, twin := drawLISA(t, lisaStatements, "")
		isEnumeration(t, name, source, reached)
		m, _ := models.Named(name)
		answers := [2]string{}
		for i, text := range []string{source, twin} {
			p, err := dialect.Parse("random.litmus", text)
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			r, err := axiomatic.Engine{}.Explore(context.Background(),
				solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()})
			if err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			answers[i] = strings.Join(printed(r.States), "\n") + counts(r)
			for _, f := range r.Flags {
				if f.Raised != nil && *f.Raised {
					answers[i] += "\n" + f.Name
				}
			}
		}
		if answers[0] != answers[1] {
			t.Fatalf("%s: LISA\n%s\nC\n%s\n%s\n%s", name, answers[0], answers[1], source, twin)
		}
	})
	t.Log(reached)
}

// toyBell and toyModel are a model of a machine with scopes and regions, for random tests.
const (
	toyBell = `"a machine with scopes"
enum orders = 'relaxed || 'acquire || 'release || 'acq_rel || 'sc
enum scopes = 'system || 'gpu || 'cta
enum regions = 'global || 'local
let narrower(t) = match t with || 'system -> {'gpu} || 'gpu -> {'cta} end
instructions R[{'relaxed, 'acquire}, scopes]
instructions W[{'relaxed, 'release}, scopes]
instructions RMW[{'relaxed, 'acq_rel}, scopes]
instructions F[{'sc}, scopes]
`
	toyModel = `"a model of scopes"
let at(s) = [tag2events(s)] ; tag2scope(s)
let incl = at('cta) | at('gpu) | at('system)
let strong = incl & incl^-1
let hb = (po & (Global * Global | Local * Local) | [Release | Acq_rel] ; rf & strong ; [Acquire | Acq_rel])+
acyclic po-loc | rf | co | fr as coherence
irreflexive hb ; (rf | co | fr)? as causality
empty rmw & (fr & ext-cta) ; (co & same-gpu) as atomicity
acyclic ([Sc] ; po | po ; [Sc] | (fr | co | rf) & strong) as fences
flag ~empty loc & ext & (W * _) \ same-cta \ (IW * _) \ (_ * IW) as apart
`
)

// Random tests with scopes and regions have the outcomes and flags that plain enumeration finds.
func TestAxiomaticIsEnumerationOnScopesOfLISA(t *testing.T) {
	irtest.AtMost(t, 40)
	m, err := models.ParseWith("toy.cat", toyModel, map[string]string{"toy.bell": toyBell}, dialect.Vocabulary())
	if err != nil {
		t.Fatal(err)
	}
	reached := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		source, _ := drawLISA(t, scopedStatements, "scopes: (system (gpu CTAS))\n"+
			among(t, "regions", []string{"", "regions: (x global) y: local\n", "regions: (x global) (y global)\n"}))
		if strings.Contains(source, "mul") {
			source = strings.NewReplacer("{ }", "{ int x[2]; }", "x=1", "x[0]=1", "[x;", "[x[0];").Replace(source)
		}
		p, err := dialect.Parse("random.litmus", source)
		if err != nil && strings.Contains(err.Error(), "the test has no location") {
			t.Skip("a location that no thread names")
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		if err := m.Knows(p.Annotated); err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		executions, raised := 0, make([]bool, len(m.Flags))
		checker := evaluation.NewChecker(m)
		want := enumerate(t, p, m, func(x *models.Execution) {
			executions++
			for i, is := range checker.Flags(x) {
				raised[i] = raised[i] || is
			}
		})
		r, err := axiomatic.Engine{}.Explore(context.Background(),
			solver.Query{Program: p, Model: m, Options: solver.DefaultOptions()})
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		if got := printed(r.States); !slices.Equal(got, want) {
			t.Fatalf("%s\nengine:\n  %s\nenumeration:\n  %s", source, strings.Join(got, "\n  "),
				strings.Join(want, "\n  "))
		}
		for _, f := range r.Flags {
			i := slices.IndexFunc(m.Flags, func(g cat.Flag) bool { return g.Name == f.Name })
			if executions > 0 && (f.Raised == nil || *f.Raised != raised[i]) {
				t.Fatalf("%s\nflag %s: want raised %v", source, f.Name, raised[i])
			}
			if raised[i] {
				reached[f.Name]++
			}
		}
		reached[fmt.Sprintf("%d states", min(len(want), 3))]++
	})
	t.Log(reached)
}
