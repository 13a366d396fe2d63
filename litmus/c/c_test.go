package c_test

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus"
	"litmuscope/litmus/c"
	"litmuscope/litmus/dialect/dialecttest"
	"litmuscope/litmus/ir"
)

// params are the parameters of the tests below.
const params = "(int *x, int *y, int *a, int **p, unsigned *u, uint8_t *b, atomic_int *at, atomic_t *k, spinlock_t " +
	"*l, mtx_t *m, struct node *n, struct srcu_struct *s)"

const inits = "{ int a[3] = {1,2,3}; x = 5; int **p = &x; unsigned u = 7; uint8_t b = 255; n.val = 4; k = 2; }"

// run runs a body, tries all values of its choices, and calls watch with each action.
func run(t *testing.T, body, condition string, watch func(ir.Action)) (p *ir.Program, s ir.State) {
	t.Helper()
	p, err := dialecttest.Lower(c.Dialect{}, "C T\n"+inits+"\nP0"+params+" {\n"+body+"\n}\nexists ("+condition+")\n")
	if err != nil {
		t.Fatalf("%v\n%s", err, body)
	}
	for _, choice := range []bool{true, false} {
		var seen []ir.Action
		if s = dialecttest.Run(t, p, choice, func(a ir.Action) { seen = append(seen, a) }); s != nil {
			for _, a := range seen {
				watch(a)
			}
			return p, s
		}
	}
	t.Fatalf("no way through %s", body)
	return p, nil
}

// TestInitialValues checks how C converts initial values to the types of locations and of atomic locals.
func TestInitialValues(t *testing.T) {
	for _, c := range []struct{ init, params, body, want string }{
		{"uint8_t x=-1;", "uint8_t *x", "int r = *x;", "x=255 0:r=255"},
		{"uint8_t x=-1;", "uint8_t *x", "", "x=-1"}, // converted to the type, there too
		{"int8_t x=255;", "int8_t *x", "int r = *x;", "x=-1 0:r=-1"},
		{"x=-1;", "uint16_t *x", "int r = *x;", "x=65535 0:r=65535"},
		{
			"unsigned int x=-1; uint64_t y=-1;", "unsigned int *x, uint64_t *y", "int r = *x > 0;",
			"x=4294967295 y=-1 0:r=1",
		},
		{
			"atomic_uchar x=257; atomic_bool y=2;", "atomic_uchar *x, atomic_bool *y", "int r = atomic_load(x);",
			"x=1 0:r=1 y=1",
		},
		{"uint8_t a[2]={-1, 256};", "uint8_t *a", "int r = a[0], q = a[1];", "0:r=255 0:q=0"},
		{"int x=-1; long y=-1;", "int *x, long *y", "int r = *x < 0;", "x=-1 y=-1 0:r=1"},
		{"uint8_t x=-1;", "uint32_t *x", "int r = *(uint8_t *)x;", "0:r=255"},
		{"*x = 3; *y = x;", "int *x, int **y", "int r = **y;", "0:r=3 y=x"},
		{"x = 2;", "atomic_int *x", "atomic_int r = atomic_load(x); r++; volatile atomic_int q = r; _Atomic int s = " +
			"++q; atomic_int *p = x; *p = 9;", "0:r=3 0:q=4 0:s=4 x=9"},
	} {
		source := "C T\n{ " + c.init + " }\nP0(" + c.params + ") { " + c.body + " }\nexists (" +
			strings.Join(strings.Fields(c.want), ` /\ `) + ")\n"
		p, err := dialecttest.Lower(dialect, source)
		if err != nil {
			t.Errorf("%s\n%v", source, err)
			continue
		}
		if s := dialecttest.Run(t, p, true, func(ir.Action) {}); s == nil || !p.Satisfies(p.Condition.Prop, s) {
			t.Errorf("%s\ngot %s", source, p.FormatState(s))
		}
	}
}

// TestValues runs bodies and checks the outcome against that of a C program.
func TestValues(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"int r = 2 + 3 * 4 - 10 / 3 % 2;", "0:r=13"},
		{"int r = -7 / 2, q = -7 % 2, h = -8 >> 1;", "0:r=-3 0:q=-1 0:h=-4"},
		{"unsigned r = 0; r = r - 1; int q = r > 5;", "0:r=4294967295 0:q=1"},
		{"unsigned r = -8; r = r >> 1; r = r / 4;", "0:r=536870911"},
		{"int q = -1 < 0u;", "0:q=0"}, // the signed one becomes unsigned
		{"int q = (atomic_bool) 256; int h = (_Bool) 0; int e = 0x10uL + 010;", "0:q=1 0:h=0 0:e=24"},
		{"int q = (uint8_t) 300; int h = (char) 200;", "0:q=44 0:h=-56"},
		{"int r = 6 & 3 | 8 ^ 1; int q = ~5; int h = 1 << 4;", "0:r=11 0:q=-6 0:h=16"},
		{"int r = !3 + !0; int q = 3 && 4; int h = 0 || 0; int e = 2 == 2 != 0;", "0:r=1 0:q=1 0:h=0 0:e=1"},
		{"int r = *x; *y = r + 1; int q = *y;", "0:r=5 y=6 0:q=6"},
		{"int r = **p; *p = a + 1; int q = **p; int h = *(*p + 1);", "0:r=5 p=a[1] 0:q=2 0:h=3"},
		{"int g = 0; for (int i = 0; i < 3; i++) g += a[i];", "0:g=6 0:i=3"},
		{"int g = 0; for (int i = 0; i < 9; i++) { if (i == 1) continue; if (i > 3) break; g += i; }", "0:g=5 0:i=4"},
		{"int i = 0; while (i < 4) i = i + 3; int q = 0; do q++; while (q < 2);", "0:i=6 0:q=2"},
		{"int r = 1; if (r == 2) r = 10; else if (r == 1) r = 20; else r = 30;", "0:r=20"},
		{"int r = 0; int q = r && (r = 9); int h = r || (r = 4);", "0:r=4 0:q=0 0:h=1"},
		{"int r = 3; int q = r++ + ++r; int h = r--;", "0:r=4 0:q=8 0:h=5"},
		{"int r = *x > 4 ? *y : a[0]; int q = 0 ? 1 : 2;", "0:r=0 0:q=2"},
		{"*b += 2; (*u)--; *u *= 2; int r = *b;", "b=1 u=12 0:r=1"},
		{"int r = n->val; n->next = r + 1; (*n).val = 0;", "n.val=0 n.next=5"},
		{"int r = 1; if (r) return; r = 2;", "0:r=1"},
		{"continue = 4; int next = continue; null = 0;", "0:continue=4 0:next=4"},
		{"int *q = x; *q = 8; q = y; int r = q == y; x = y; *x = 9;", "x=8 y=9 0:r=1"},
		{"int r = *a++; int q = *a;", "0:r=1 0:q=2"},

		{"atomic_store(at, 3); int r = atomic_fetch_add(at, 4); int q = atomic_exchange_explicit(at, 1, " +
			"memory_order_relaxed);", "0:r=3 0:q=7 at=1"},
		{"int e = 1; int r = atomic_compare_exchange_strong(at, &e, 5);", "0:r=0 0:e=0 at=0"},
		{"int e = 0; int r = atomic_compare_exchange_weak(at, &e, 5);", "0:r=1 0:e=0 at=5"},
		{"*y = 4; int r = atomic_compare_exchange_strong(at, y, 5);", "0:r=0 y=0 at=0"},
		{"at[0]++; *at += 4; int r = atomic_flag_test_and_set(at); atomic_flag_clear(at);", "0:r=5 at=0"},
		{"mtx_lock(m); int r = mtx_trylock(m); mtx_unlock(m);", "0:r=1 m=0"},
		{"int r = mtx_trylock(m);", "0:r=0 m=1"},
		{"int r = atomic_add_return(3, k); int q = atomic_fetch_add(4, k); int h = atomic_dec_and_test(k); " +
			"atomic_inc(k);", "0:r=5 0:q=5 0:h=0 k=9"},
		{"int r = atomic_cmpxchg(k, 2, 6); int q = atomic_cmpxchg(k, 2, 7); int h = atomic_add_unless(k, 1, 6); int " +
			"g = xchg(k, 1);", "0:r=2 0:q=6 0:h=0 0:g=6 k=1"},
		{
			"int e = 3; int r = atomic_try_cmpxchg(k, &e, 6); int q = atomic_try_cmpxchg(k, &e, 6);",
			"0:r=0 0:e=2 0:q=1 k=6",
		},
		{"int r = atomic_sub_and_test(2, k); int q = atomic_add_negative(-1, k); atomic_andnot(1, k); " +
			"atomic_long_inc(k);", "0:r=1 0:q=1 k=-1"},
		{"int r = atomic_add_negative_relaxed(-3, k); int q = atomic_add_negative_acquire(1, k); int h = " +
			"atomic_long_add_negative_release(1, k);", "0:r=1 0:q=0 0:h=0 k=1"},
		{
			"int r = atomic_inc_unless_negative(k); atomic_set(k, -1); int q = atomic_inc_unless_negative(k);",
			"0:r=1 0:q=0 k=-1",
		},
		{
			"int r = atomic_dec_unless_positive(k); atomic_set(k, 0); int q = atomic_dec_unless_positive(k);",
			"0:r=0 0:q=1 k=-1",
		},
		{"int r = atomic_dec_if_positive(k); atomic_set(k, 0); int q = atomic_dec_if_positive(k);", "0:r=1 0:q=-1 k=0"},
		{"int r = xchg64_relaxed(k, 5); int q = cmpxchg64(k, 5, 6); int e = 6; int h = try_cmpxchg64_acquire(k, &e, " +
			"7);", "0:r=2 0:q=5 0:h=1 k=7"},
		{"spin_lock(l); int r = spin_is_locked(l); spin_unlock(l);", "0:r=1 l=0"},
		{
			"int r = spin_trylock(l); int q = READ_ONCE(*x); WRITE_ONCE(a[1], q); smp_store_mb(*y, 3);",
			"0:r=1 l=1 a[1]=5 y=3",
		},
		{
			"int i = srcu_read_lock(s); srcu_read_unlock(s, i); rcu_assign_pointer(*p, y); int *r = " +
				"rcu_dereference(*p);",
			"0:i=0 p=y 0:r=y",
		},
	} {
		p, s := run(t, c.body, strings.Join(strings.Fields(c.want), ` /\ `), func(ir.Action) {})
		if !p.Satisfies(p.Condition.Prop, s) {
			t.Errorf("%s\ngot  %s\nwant %s", c.body, p.FormatState(s), c.want)
		}
	}
}

// TestActions checks what models see of a body: the kinds and tags of events, and the reads that each depends on.
func TestActions(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{"int r = *x; *y = r;", "R NA; W NA data 0"},
		{
			"int r = atomic_load_explicit(at, memory_order_acquire); atomic_store(at, 1);",
			"R ACQ ATOMIC ACQUIRE; W SC ATOMIC RELEASE RCSC ACQUIRE",
		},
		{
			"atomic_thread_fence(memory_order_seq_cst); atomic_thread_fence(memory_order_release);",
			"F SC FRR FRW FWR FWW; F REL FRW FWW",
		},
		{"atomic_fetch_add_explicit(at, 1, memory_order_acq_rel);", "RMW ACQ_REL ATOMIC RMW LOCKED ACQUIRE"},
		{"atomic_fetch_add(at, 1);", "RMW SC ATOMIC RMW LOCKED ACQUIRE RCSC FULL"},
		{"mtx_lock(m); mtx_unlock(m);", "RMW ACQ ATOMIC RMW LOCKED LS ACQUIRE; W REL ATOMIC U RELEASE"},

		// Control dependencies end with the statement; data and address dependencies go through locals.
		{"int r = READ_ONCE(*x); if (r) { WRITE_ONCE(*y, 1); } WRITE_ONCE(*y, 2);", "R ONCE; W ONCE ctrl 0; W ONCE"},
		{"int r = READ_ONCE(*x); int q = 0; if (r) q = 1; WRITE_ONCE(*y, q);", "R ONCE; W ONCE"},
		{
			"int r = READ_ONCE(*x); int q = READ_ONCE(*y); if (r) { if (q == 0) WRITE_ONCE(*x, 1); WRITE_ONCE(*y, " +
				"2); }",
			"R ONCE; R ONCE; W ONCE ctrl 0 1; W ONCE ctrl 0",
		},
		{"while (READ_ONCE(*x) == 0); WRITE_ONCE(*y, 1);", "R ONCE; W ONCE"},
		{"int r = READ_ONCE(*x) ^ READ_ONCE(*x); WRITE_ONCE(*(y + r), r);", "R ONCE; R ONCE; W ONCE addr 0 1 data 0 1"},
		{"int r = READ_ONCE(*x) ? 1 : 2; WRITE_ONCE(*y, r);", "R ONCE; W ONCE ctrl 0"},
		{"int *r = rcu_dereference(*p); int q = READ_ONCE(*r);", "R ONCE; R ONCE addr 0"},
		{"int r = READ_ONCE(*x) && READ_ONCE(*y); WRITE_ONCE(*x, r);", "R ONCE; R ONCE ctrl 0; W ONCE data 0 1"},

		{
			"xchg(x, 1); xchg_relaxed(x, 2); xchg_acquire(x, 3); xchg_release(x, 4); atomic_inc(k);",
			"RMW MB RMW LOCKED FULL; RMW ONCE RMW LOCKED; RMW ACQUIRE RMW LOCKED; RMW ONCE RMW LOCKED; RMW NORETURN " +
				"RMW LOCKED",
		},
		{
			"smp_mb(); smp_wmb(); smp_rmb(); smp_mb__after_spinlock();",
			"F MB FRR FRW FWR FWW; F Wmb FWW; F Rmb FRR; F After-spinlock FRR FRW FWR FWW",
		},
		{
			"rcu_read_lock(); synchronize_rcu(); rcu_read_unlock();",
			"F Rcu-lock; F Sync-rcu FRR FRW FWR FWW; F Rcu-unlock",
		},
		{
			"int i = srcu_read_lock(s); synchronize_srcu(s); srcu_read_unlock(s, i);",
			"R Srcu-lock; F Sync-srcu FRR FRW FWR FWW; W Srcu-unlock data 0",
		},
		{"spin_lock(l); int r = spin_is_locked(l); spin_unlock(l);", "RMW LKR ACQUIRE LOCKED; R RL; W UL RELEASE"},
		{"spin_lock(l); int r = spin_trylock(l);", "RMW LKR ACQUIRE LOCKED; R LF"},
	} {
		var got []string
		run(t, c.body, "true", func(a ir.Action) {
			if a.Kind != ir.ActChoose {
				got = append(got, dialecttest.Describe(a))
			}
		})
		if got := strings.Join(got, "; "); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.body, got, c.want)
		}
	}
}

// TestErrors checks the texts and positions of errors.
func TestErrors(t *testing.T) {
	for _, c := range []struct{ body, want string }{
		{
			"int r = atomic_lod(at);",
			`t:4:9: C: unknown function atomic_lod: neither <stdatomic.h> nor the Linux kernel's memory model has it: did you mean atomic_load?`,
		},
		{
			"int r = atomic_load_explicit(at, memory_order_relxaed);",
			`t:4:34: C: want a memory order here, such as memory_order_relaxed: did you mean memory_order_relaxed?`,
		},
		{
			"atomic_store_explicit(at, 1, memory_order_acquire);",
			"t:4:30: C: a store cannot have memory_order_acquire",
		},
		{"atomic_store_explicit(at, 1, 5);", "t:4:30: C: want a memory order here, such as memory_order_relaxed"},
		{"atomic_load(at, memory_order_acquire);", "t:4:1: C: atomic_load takes (p), got 2 arguments"},
		{"int r; WRITE_ONCE(r, 1);", "t:4:19: C: r is a local variable: WRITE_ONCE accesses memory, as in " +
			"WRITE_ONCE(*p)"},
		{"goto end;", "t:4:1: C: goto is not supported: use if, while, do or for"},
		{"int r = 1 + ;", `t:4:13: C: got ";", want an expression`},
		{"1 = 2;", `t:4:3: C: cannot assign to the expression before "="`},
		{
			"int q[3];",
			"t:4:6: C: local arrays are not supported: declare the array in the init block and pass it as a parameter",
		},
		{"int x = 1;", "t:4:5: x is already a parameter"},
		{"break;", "t:4:1: C: break is outside a loop"},
		{
			"int r = kill_dependency(1);",
			"t:4:9: C: kill_dependency is not supported: a value always keeps its dependencies",
		},
		{"*x = 1 @ 2;", `t:4:8: C: "@" is not a C token`},
	} {
		_, err := dialecttest.Lower(dialect, "C T\n"+inits+"\nP0"+params+" {\n"+c.body+"\n}\nexists true\n")
		if err == nil {
			t.Errorf("%s: no error", c.body)
		} else if got, _, _ := strings.Cut(err.Error(), "\n"); got != c.want {
			t.Errorf("%s\ngot  %s\nwant %s", c.body, got, c.want)
		}
	}
}

var dialect c.Dialect

// Errors of the syntax hide no other errors: the parser reports all, a missing semicolon just after the statement it
// should end.
func TestErrorsTogether(t *testing.T) {
	body := "atomic_store_explicit(at, 1, memory_order_relase);\nint r = atomic_load(at)\n" +
		"atomic_stor(at, 1);\natomic_store(at, 2)\nr == ;\nint s = atomic_lod(at);"
	_, err := dialecttest.Lower(dialect, "C T\n"+inits+"\nP0"+params+" {\n"+body+"\n}\nexists true\n")
	var got []string
	for _, e := range litmus.Errors(err) {
		got = append(got, e.Error())
	}
	want := []string{
		`t:4:30: C: want a memory order here, such as memory_order_relaxed: did you mean memory_order_release?`,
		`t:5:24: C: got "atomic_stor", want ";" after a declaration`,
		`t:6:1: C: unknown function atomic_stor: neither <stdatomic.h> nor the Linux kernel's memory model has it: did you mean atomic_store?`,
		`t:7:20: C: got "r", want ";" after an expression`,
		`t:8:6: C: got ";", want an expression`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestIsKernel(t *testing.T) {
	for source, want := range map[string]bool{
		"C T\n{}\nP0(int *x) { WRITE_ONCE(*x, 1); }":                         true,
		"C T\n{}\nP0(atomic_int *x) { atomic_fetch_add(x, 1); }":             false,
		"C T\n{}\nP0(atomic_t *x) { atomic_fetch_add(1, x); }":               true,
		"C T\n\"smp_mb() is not here\"\n{}\nP0(atomic_int *x) { *x = 1; }\n": false,
		"C T\n{}\nP0(struct srcu_struct *s) { }":                             true,
	} {
		if got := c.IsKernel(source); got != want {
			t.Errorf("%q: got %v", source, got)
		}
	}
}
