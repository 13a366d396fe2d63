package engines_test

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/ir"
	"litmuscope/solver"
)

// memory is what a run has: the locations v0, v1, l and the semaphore s, and where each thread is.
type memory struct {
	locs [4]int
	at   [3]place
}

// place is a thread's statement, the step in it, and a local of it.
type place struct{ statement, step, local int }

// statement is one of a thread's, in C and as what it does: a step of it takes a place and memory, and
// says whether the statement is over.
type statement struct {
	c    string
	does func(m *[4]int, p *place) (over bool)
	// asks: the thread waits for the semaphore in its library, where others acquire and release it again and again, so
	// that it gets it in the end.
	asks bool
}

// marks has the marks of loops that need no unrolling.
const marks = `void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int);
#define spin(until) for (int end; __VERIFIER_spin_start(), end = (until), __VERIFIER_spin_end(end), !end;) ;
`

// statements draws one on locations 0 and 1, on the lock, 2, or on the semaphore, 3.
func statements(r *rapid.T) statement {
	v, n := rapid.IntRange(0, 1).Draw(r, "location"), rapid.IntRange(0, 2).Draw(r, "number")
	u := 1 - v
	kind := rapid.SampledFrom([]string{"strong", "weak"}).Draw(r, "exchange")
	swap := func(loc string, to string) string {
		return fmt.Sprintf(
			"atomic_compare_exchange_%s_explicit(&%s, &e, %s, memory_order_seq_cst, memory_order_relaxed)", kind, loc,
			to)
	}
	switch rapid.IntRange(0, 17).Draw(r, "statement") {
	case 0, 1, 2:
		return statement{
			c:    fmt.Sprintf("v%d = %d;", v, n),
			does: func(m *[4]int, _ *place) bool { m[v] = n; return true },
		}
	case 3, 4:
		return statement{
			c:    fmt.Sprintf("while (v%d != %d) ;", v, n),
			does: func(m *[4]int, _ *place) bool { return m[v] == n },
		}
	case 11: // a loop with a mark
		return statement{
			c:    fmt.Sprintf("spin(v%d == %d);", v, n),
			does: func(m *[4]int, _ *place) bool { return m[v] == n },
		}
	case 12: // one with a mark, and a write
		return statement{
			c: fmt.Sprintf("spin((v%d = 1, v%d = %d, v%d == %d));", u, u, n, v, n),
			does: func(m *[4]int, p *place) bool {
				if p.step == 2 {
					p.step = 0
					return m[v] == n
				}
				m[u] = []int{1, n}[p.step]
				p.step++
				return false
			},
		}
	case 5:
		return statement{
			c: fmt.Sprintf("do e = 0; while (!%s);", swap("l", "1")),
			does: func(m *[4]int, _ *place) bool {
				free := m[2] == 0
				if free {
					m[2] = 1
				}
				return free
			},
		}
	case 6:
		return statement{c: "l = 0;", does: func(m *[4]int, _ *place) bool { m[2] = 0; return true }}
	case 7: // takes back what it has added
		return statement{
			c: "while (atomic_fetch_add(&l, 1) != 0) atomic_fetch_sub(&l, 1);",
			does: func(m *[4]int, p *place) bool {
				if p.step == 1 {
					m[2], p.step = m[2]-1, 0
					return false
				}
				m[2]++
				p.step = 1
				return m[2] == 1
			},
		}
	case 8: // two rounds are as none
		return statement{
			c: fmt.Sprintf("for (e = 0; !v%d; v%d = e) e = !e;", v, u),
			does: func(m *[4]int, p *place) bool {
				if p.step == 0 {
					p.step = 1
					return m[v] != 0
				}
				p.local, p.step = 1-p.local, 0
				m[u] = p.local
				return false
			},
		}
	case 9: // a queue's end
		return statement{
			c: fmt.Sprintf("e = 1; if (!%s) while (!v%d) ;",
				strings.Replace(swap(fmt.Sprintf("v%d", v), "0"), "weak", "strong", 1), u),
			does: func(m *[4]int, p *place) bool {
				if p.step == 1 {
					return m[u] != 0
				}
				p.step = 1
				if m[v] == 1 {
					m[v] = 0
					return true
				}
				return false
			},
		}
	case 14, 15:
		return statement{c: "sem_wait(&s);", asks: true, does: func(m *[4]int, _ *place) bool {
			free := m[3] > 0
			if free {
				m[3]--
			}
			return free
		}}
	case 16:
		return statement{c: "sem_post(&s);", does: func(m *[4]int, _ *place) bool { m[3]++; return true }}
	case 17: // leaves it, and takes it again
		return statement{
			c: fmt.Sprintf("while (!v%d) { sem_post(&s); sem_wait(&s); }", v),
			does: func(m *[4]int, p *place) bool {
				switch p.step {
				case 0:
					if m[v] != 0 {
						return true
					}
					p.step = 1
				case 1:
					m[3]++
					p.step = 2
				case 2:
					if m[3] > 0 {
						m[3]--
						p.step = 0
					}
				}
				return false
			},
		}
	case 10: // adds one, and tries again with the value that it found
		return statement{
			c: fmt.Sprintf("e = v%d; while (!%s) ;", v, swap(fmt.Sprintf("v%d", v), "e + 1")),
			does: func(m *[4]int, p *place) bool {
				if p.step == 1 && m[v] == p.local {
					m[v]++
					return true
				}
				p.step, p.local = 1, m[v]
				return false
			},
		}
	}
	return statement{c: fmt.Sprintf("if (v%d) v%d = %d;", v, u, n), does: func(m *[4]int, p *place) bool {
		if p.step == 1 {
			m[u] = n
			return true
		}
		p.step = 1
		return m[v] == 0
	}}
}

// On random programs of loops that wait, undo their effects, or try again, the engine finds a thread that loops for
// ever exactly if plain exploration reaches a state to which every running thread returns by itself.
func TestTerminationOfC(t *testing.T) {
	var endless, ended, open int
	rapid.Check(t, func(r *rapid.T) {
		threads := make([][]statement, rapid.IntRange(2, 3).Draw(r, "threads"))
		var c strings.Builder
		c.WriteString("#include <pthread.h>\n#include <semaphore.h>\n#include <stdatomic.h>\n" +
			"static atomic_int v0, v1, l;\nstatic sem_t s;\n" + marks)
		for i := range threads {
			fmt.Fprintf(&c, "static void *t%d(void *arg)\n{\n\tint e = 0;\n", i)
			for range rapid.IntRange(1, 3).Draw(r, "statements") {
				s := statements(r)
				threads[i] = append(threads[i], s)
				fmt.Fprintf(&c, "\t%s\n", s.c)
			}
			c.WriteString("\treturn 0;\n}\n")
		}
		c.WriteString("int main(void)\n{\n\tpthread_t t;\n\tsem_init(&s, 0, 1);\n")
		for i := range threads {
			fmt.Fprintf(&c, "\tpthread_create(&t, 0, t%d, 0);\n", i)
		}
		c.WriteString("\treturn 0;\n}\n")
		want, ok := stuck(threads)
		if !ok {
			return
		}
		for _, by := range []struct{ model, target, engine string }{
			{"sc", "", "axiomatic"},
			{"sc", "", "machine"},
			{"sc", "c", "axiomatic"},
			{"sc", "c", "machine"},
			{"sc", "", "graphs"},
			{"sc", "c", "graphs"},
		} {
			v := held(t, c.String(), by.model, by.engine, ir.Termination,
				func(t *solver.VerifyTask) { t.Target = by.target })
			switch got := answer(v); {
			case got == "safe within bounds":
				open++
			case got == "unsafe" != want || got != "safe" && got != "unsafe":
				r.Fatalf("under %s %s by %s: %s %s, want one that goes round for ever: %v\n%s", by.model, by.target,
					by.engine, got, v.Reason, want, c.String())
			case want:
				endless++
			default:
				ended++
			}
		}
	})
	t.Logf("%d answers of loops without end, %d of ends, %d within bounds", endless, ended, open)
}

// stuck explores all states under SC; it is not ok where there are too many.
func stuck(threads [][]statement) (found, ok bool) {
	step := func(m memory, t int) memory {
		p := &m.at[t]
		if threads[t][p.statement].does(&m.locs, p) {
			*p = place{statement: p.statement + 1}
		}
		return m
	}
	alive := func(m memory, t int) bool { return m.at[t].statement < len(threads[t]) }
	asks := func(m memory, t int) bool { return alive(m, t) && threads[t][m.at[t].statement].asks }
	returns := func(m memory, t int) (is, leaves bool) {
		// to where it is, by itself; and has the semaphore otherwise meanwhile
		now := step(m, t)
		for n := 0; now != m && alive(now, t) && n < 1000; n++ {
			leaves = leaves || now.locs[3] != m.locs[3]
			now = step(now, t)
		}
		return now == m, leaves
	}
	first := memory{locs: [4]int{3: 1}}
	seen, work := map[memory]bool{first: true}, []memory{first}
	for len(work) > 0 {
		m := work[len(work)-1]
		work = work[:len(work)-1]
		some, all, asked, left := false, true, false, false
		for t := range threads {
			if !alive(m, t) {
				continue
			}
			is, leaves := returns(m, t)
			some, all, asked, left = true, all && is, asked || asks(m, t), left || leaves
			if next := step(m, t); !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
		if some && all && !(asked && left) {
			return true, true
		}
		if len(seen) > 20_000 {
			return false, false
		}
	}
	return false, true
}
