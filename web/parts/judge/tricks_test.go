package judge_test

import (
	"strings"
	"testing"

	"litmuscope/web/parts/judge"
	"litmuscope/web/webtest"
)

// trick is a text that looks like a solution, and is none.
type trick struct {
	slug, exercise string
	what           string   // is done
	why            string   // it is no solution
	replace        []string // in the solution
	want           string   // of what is said
}

// undone is the first of a trick's replacements where it begins with what the exercise does, and not with the solution.
const undone = "\x00"

func edit(pairs ...string) []string { return pairs }

// begin are replacements in what the exercise begins with.
func begin(pairs ...string) []string { return append([]string{undone, undone}, pairs...) }

// whole is a text of its own.
func whole(text string) []string { return []string{text} }

var tricks = []trick{
	// Conditions.
	{
		"litmus-tests", "exercise-1", "a value that there is not", "no execution has it",
		edit("1:EAX=1 /\\ 1:EBX=0", "1:EAX=7"), "This condition can never be true",
	},
	{
		"litmus-tests", "exercise-1", "false", "no execution has it", edit("1:EAX=1 /\\ 1:EBX=0", "false"),
		"This condition can never be true",
	},
	{
		"litmus-tests", "exercise-1", "both and more", "a register has one value",
		edit("1:EBX=0", "1:EBX=0 /\\ 1:EBX=1"),
		"This condition can never be true",
	},
	{
		"litmus-tests", "exercise-1", "a register forged", "the load no longer tells",
		edit("MOV EBX,[x] ;", "MOV EBX,[x] ;\n | MOV EBX,$0 ;"), "1:EBX has another final value than before",
	},
	{
		"litmus-tests", "exercise-1", "true", "each execution has it", edit("1:EAX=1 /\\ 1:EBX=0", "true"),
		"This condition is true for every outcome",
	},
	{
		"litmus-tests", "exercise-1", "or its opposite", "each execution has it",
		edit("1:EAX=1 /\\ 1:EBX=0", "1:EAX=1 \\/ not (1:EAX=1)"), "This condition is true for every outcome",
	},
	{"litmus-tests", "exercise-1", "a weaker one", "SC has it", edit(" /\\ 1:EBX=0", ""), "about"},
	{
		"litmus-tests", "exercise-1", "forall", "SC has other outcomes", edit("exists", "forall"),
		"The condition now begins with forall",
	},
	{
		"litmus-tests", "exercise-1", "~exists", "it asks for the opposite", edit("exists", "~exists"),
		"The condition now begins with ~exists",
	},
	{
		"litmus-tests", "exercise-1", "a filter that leaves nothing", "no execution is asked about",
		edit("exists", "filter (false)\nexists"), "This condition can never be true",
	},
	{
		"litmus-tests", "exercise-1", "another start", "the data has arrived from the start", edit("y=0;", "y=1;"),
		"y now starts as 1; it started as 0",
	},
	{
		"coherence", "exercise-2", "a value that nobody writes", "no execution has it",
		edit("1:X0=2 /\\ 1:X1=1", "1:X0=3"), "This condition can never be true",
	},
	{
		"coherence", "exercise-2", "forall", "each model has other outcomes, too", edit("exists", "forall"),
		"The condition now begins with forall",
	},
	{
		"reading-a-graph", "exercise-1", "the values of two threads exchanged", "P0 writes what it did not",
		edit("[x],$2", "[x],$1", "[x],$1", "[x],$2", "x=2", "x=1"),
		"P0 writes 1 to x where it should be: P0 writes 2 to x",
	},
	{"naming-shapes", "exercise-1", "or in place of and", "SC has one of them", edit("y=2 /\\", "y=2 \\/"), "Not yet"},
	{
		"naming-shapes", "exercise-3", "S for 2+2W", "its cycle is another one",
		edit("MOV [y],$2 ;", "MOV EAX,[y] ;", "y=2", "1:EAX=1"), "asks about the cycle",
	},
	{"naming-shapes", "exercise-3", "a weaker condition", "it is no cycle", edit("x=2 /\\ y=2", "x=2"), "Not yet"},
	{
		"naming-shapes", "exercise-3", "its name alone", "the cycle is not in the title",
		begin("X86 test", "X86 2+2W"), "Not yet",
	},
	{
		"fences", "exercise-2", "a filter", "what is to be forbidden is filtered out",
		edit("exists", "filter (y=1)\nexists"), "The condition asks for a different outcome now",
	},
	{
		"fences", "exercise-2", "locations", "that shows more, and forbids nothing",
		begin("exists", "locations [x; y;]\nexists"), "Not yet: TSO allows it",
	},
	{
		"fences", "exercise-2", "the last condition only", "the fence is still missing",
		begin("exists (y=2 /\\ 1:EAX=0)", "exists (y=2 /\\ 1:EAX=1)"), "The condition asks for a different outcome now",
	},
	{
		"message-passing", "exercise-2", "half of the condition", "the other half is to be forbidden, too",
		edit(" \\/ 1:X0=2 /\\ 1:X3=2 /\\ (1:X1=0 \\/ 1:X2=0)", ""), "The condition asks for a different outcome now",
	},

	// Threads, locations and registers.
	{
		"fences", "exercise-1", "one more thread", "it is another test",
		edit("{ x=0; y=0; z=0; }\n P0          | P1          | P2          ;",
			"{ x=0; y=0; z=0; }\n P0          | P1          | P2          | P3 ;", "$1  ;", "$1 | NOP ;", "MFENCE ;",
			"MFENCE | ;", "[x] ;", "[x] | ;"), "The test now has 4 threads; it had 3",
	},
	{
		"fences", "exercise-1", "one thread less", "it is another test",
		edit(" | P2          ;", " ;", " | MOV [z],$1  ;", " ;", "MFENCE      | MFENCE      | MFENCE      ;",
			"MFENCE | MFENCE ;", " | MOV EAX,[x] ;", " ;", " /\\ 2:EAX=0", ""), "The test now has 2 threads; it had 3",
	},
	{
		"fences", "exercise-1", "two locations made one", "P2 and P0 write the same one", begin("[z],$1", "[x],$1"),
		"P2 writes 1 to x where it should be: P2 writes 1 to z",
	},
	{
		"fences", "exercise-1", "a location of another name", "P0 and P1 no longer meet", begin("[z],$1", "[w],$1"),
		"There is a new location, w",
	},
	{
		"fences", "exercise-1", "threads exchanged", "P0 does what P1 did",
		begin("MOV [x],$1  | MOV [y],$1", "MOV [y],$1  | MOV [x],$1", "MOV EAX,[y] | MOV EAX,[z]",
			"MOV EAX,[z] | MOV EAX,[y]"), "P0 writes 1 to y where it should be: P0 writes 1 to x",
	},
	{
		"message-passing", "exercise-1", "one register for two locations", "P1 reads the flag twice",
		begin("1:X10=x;", "1:X10=y;"), "P1 reads y where it should be: P1 reads x",
	},
	{
		"message-passing", "exercise-1", "registers exchanged", "P1 reads the data first",
		begin("1:X10=x; 1:X11=y;", "1:X10=y; 1:X11=x;"), "P1 reads x where it should be: P1 reads y",
	},
	{
		"message-passing", "exercise-1", "another register", "the condition sees none of the loads",
		begin("LDR W1,[X10]", "LDR W2,[X10]"), "1:X1 has another final value than before",
	},
	{
		"locks-and-atomics", "exercise-1", "another start", "the lock is free", edit("l=1;", "l=2;"),
		"l now starts as 2; it started as 1",
	},
	{
		"dekker-peterson", "exercise-3", "an update that is none", "it is no longer atomic",
		edit("LOCK INC [t]", "MOV [t],$1"), "P1 writes 1 to t where it should be: P1 reads t to update it atomically",
	},
	{
		"mixed-sizes", "exercise-1", "a location of another type", "nothing is of two sizes then",
		edit("uint64_t x", "uint64_t y; uint64_t x"), "There is a new location, y",
	},
	{
		"mixed-sizes", "exercise-1", "two stores for one", "the store is no longer one",
		edit("STR X2,[X1] |", "STR W2,[X1] |", "            | DMB", " STR W2,[X1,#4] | DMB"), "P0",
	},

	// Code: what is read and written, and whether it comes to that.
	{"locks-and-atomics", "exercise-2", "no load", "the value is made up", edit("lwz r3,0(r5)", "li r3,1"), "P1"},
	{
		"locks-and-atomics", "exercise-2", "four fences", "two are enough",
		edit("lwz r3,0(r5)", "sync", "li r7,1 ", "lwz r3,0(r5)", "Fail1:          ;",
			"sync ;\n | li r7,1 ;\n | Fail1: ;"), "this exercise needs at most 2",
	},
	{
		"locks-and-atomics", "exercise-2", "another comparison", "the lock is never taken",
		edit("cmpwi r2,2", "cmpwi r2,3"), "P1",
	},
	{
		"locks-and-atomics", "exercise-2", "a branch that never goes on", "the lock is never taken",
		edit("cmpwi r2,2", "cmpwi r1,2"), "P1",
	},
	{
		"locks-and-atomics", "exercise-2", "a plain store for the conditional one", "the lock can be taken twice",
		edit("stwcx. r1,r0,r4", "stwx r1,r0,r4"), "P1",
	},
	{
		"fences", "exercise-2", "a loop without end", "the outcome is forbidden as nothing ends",
		edit("MOV EAX,[x] ;\nexists", "MOV EAX,[x] ;\n | L: CMP EAX,$0 ;\n | JE L ;\nexists"), "P1",
	},
	{
		"fences", "exercise-2", "a fence behind a branch that nobody takes", "one fence too many",
		edit("MOV EAX,[x] ;\nexists", "CMP EBX,$0 ;\n | JE L ;\n | MFENCE ;\n | L: MOV EAX,[x] ;\nexists"),
		"this exercise needs at most 1",
	},
	{"fences", "exercise-2", "an exchange for a load", "it writes", edit("MOV EAX,[x]", "XCHG EAX,[x]"), "P1"},
	{
		"fences", "exercise-2", "the fence jumped over", "it is dead code",
		edit("| MFENCE      ;", "| JMP L ;\n | MFENCE ;", "| MOV EAX,[x] ;", "| L: MOV EAX,[x] ;"),
		"Not yet: TSO allows it",
	},
	{
		"fences", "exercise-2", "an exchange for a store", "a locked instruction is no fence",
		begin("MOV [y],$2  ;", "MOV EBX,$2 ;\n | XCHG EBX,[y] ;"),
		"P1 reads y to update it atomically where it should be: P1 writes 2 to y",
	},
	{
		"fences", "exercise-2", "an exchange elsewhere", "it is a new access",
		begin("MOV EAX,[x] ;", "XCHG EBX,[z] ;\n | MOV EAX,[x] ;"), "There is a new location, z",
	},
	{"coherence", "exercise-1", "a load from a register", "nothing is read", begin("MOV EBX,[y]", "MOV EBX,EAX"), "P0"},
	{
		"dekker-peterson", "exercise-1", "nobody goes in", "who never enters never meets",
		begin("C0: MOV ECX,$1", "C0: MOV ECX,$0"), "0:ECX has another final value than before",
	},
	{
		"dekker-peterson", "exercise-1", "a turn that is given to oneself", "it is no longer Peterson's",
		begin("MOV [t],$1 ", "MOV [t],$0 "), "P0 writes 0 to t where it should be: P0 writes 1 to t",
	},

	// Fences.
	{
		"fences", "exercise-2", "a fence in a comment", "comments do nothing",
		begin("MOV EAX,[x] ;", "MOV EAX,[x] ; (* MFENCE *)"), "Not yet: TSO allows it",
	},
	{
		"fences", "exercise-2", "the solution in the description", "descriptions do nothing",
		begin("X86 R\n", "X86 R\n\"MOV [y],$2; MFENCE; MOV EAX,[x]: TSO forbids it\"\n"), "Not yet: TSO allows it",
	},
	{
		"fences", "exercise-2", "a fence in the other thread", "TSO keeps its stores in order already",
		begin("MOV [y],$1 | MOV EAX,[x] ;", "MFENCE | MOV EAX,[x] ;\n MOV [y],$1 | ;"), "Not yet: TSO allows it",
	},
	{
		"fences", "exercise-2", "a fence at the end", "nothing is behind it",
		begin("MOV EAX,[x] ;", "MOV EAX,[x] ;\n | MFENCE ;"), "Not yet: TSO allows it",
	},
	{
		"fences", "exercise-2", "a look-alike of a fence", "its E is a Cyrillic one", edit("MFENCE", "MFЕNCE"),
		"unknown instruction",
	},
	{
		"fences", "exercise-2", "ends of lines of another system", "they do nothing", begin("\n", "\r\n"),
		"Not yet: TSO allows it",
	},
	{
		"fences", "exercise-2", "a very long line", "what is out of sight does nothing, too",
		begin("MOV EAX,[x] ;", "MOV EAX,[x] "+strings.Repeat(" ", 20_000)+"; (* MFENCE *)"), "Not yet: TSO allows it",
	},
	{
		"fences", "exercise-1", "four fences", "three are enough", edit("MOV [x],$1  |", "MFENCE | | ;\n MOV [x],$1 |"),
		"this exercise needs at most 3",
	},
	{
		"message-passing", "exercise-1", "fences of stores in both", "DMB ST does not order loads",
		edit("DMB LD", "DMB ST"), "Not yet: AArch64 allows it",
	},
	{
		"message-passing", "exercise-1", "a fence of instructions", "ISB alone orders no loads",
		edit("DMB LD", "ISB   "),
		"Not yet: AArch64 allows it",
	},
	{
		"message-passing", "exercise-1", "orders in place of fences", "it asks for fences",
		begin("LDR W0,[X11]", "LDAR W0,[X11]", "STR W1,[X11]", "STLR W1,[X11]"),
		"The order of an access has changed, which this exercise does not ask for",
	},
	{
		"multi-copy-atomicity", "exercise-1", "light fences", "lwsync is not cumulative enough",
		edit("sync        ", "lwsync "), "Not yet: Power allows it",
	},
	{
		"risc-v-and-arm", "exercise-1", "fences of the wrong accesses", "P1's store is not ordered",
		edit("fence w,r", "fence r,r"), "Not yet: RISC-V allows it",
	},
	{
		"risc-v-and-arm", "exercise-2", "its fence gone behind", "the load has gone by",
		edit("LC01: ISB            ;", "LC01: NOP ;", "LDR W4,[X10,W3,SXTW] ;", "LDR W4,[X10,W3,SXTW] ;\n | ISB ;"),
		"Not yet: AArch64 allows it",
	},
	{
		"cumulativity", "exercise-1", "two fences", "a dependency is enough for one of them",
		begin("| lwz r3,0(r4) ;", "| sync ;", "|              ;\nexists", "| lwz r3,0(r4) ;\n | sync | ;\nexists"),
		"this exercise needs at most 1",
	},
	{
		"linux-kernel", "exercise-1", "a compiler's barrier", "the machine does not see it",
		edit("smp_mb()", "barrier()"),
		"Not yet: LKMM allows it",
	},
	{
		"linux-kernel", "exercise-1", "fences of stores", "a store and a load are not two stores",
		edit("smp_mb()", "smp_wmb()"), "Not yet: LKMM allows it",
	},
	{
		"linux-kernel", "exercise-1", "a fence in a comment", "comments do nothing",
		edit("    smp_mb();", "    // smp_mb();"), "Not yet: LKMM allows it",
	},
	{
		"linux-kernel", "exercise-2", "no section", "the readers are no longer those",
		edit("    rcu_read_lock();\n", "", "    rcu_read_unlock();\n", ""), "A fence of P0 was removed",
	},
	{
		"linux-kernel", "exercise-2", "a section that ends between", "the reader is another one",
		edit("    int r1 = READ_ONCE(*y);\n    rcu_read_unlock();",
			"    rcu_read_unlock();\n    int r1 = READ_ONCE(*y);"), "A fence of P0 was removed",
	},
	{
		"linux-kernel", "exercise-2", "two fences", "the readers pay",
		begin("    int r1 = READ_ONCE(*y);", "    smp_rmb();\n    int r1 = READ_ONCE(*y);", "    WRITE_ONCE(*x, 1);",
			"    smp_wmb();\n    WRITE_ONCE(*x, 1);"), "this exercise needs at most 1",
	},
	{
		"c11-atomics", "exercise-2", "fences of release and acquire", "they do not order a store and a load",
		edit("memory_order_seq_cst", "memory_order_acq_rel"), "Not yet: RC11 allows it",
	},
	{
		"machines", "exercise-1", "a fence before the store", "the load still overtakes it",
		begin("MOV [y],$2  ;", "MFENCE ;", "MOV EAX,[x] ;", "MOV [y],$2 ;\n | MOV EAX,[x] ;"),
		"Not yet: TSO · machine allows it",
	},

	// Dependencies, and arithmetic that always comes to the same.
	{
		"dependencies", "exercise-1", "a register against itself", "it depends on no load",
		edit("EOR W1,W0,W0", "EOR W1,W1,W1"), "Not yet: AArch64 allows it",
	},
	{
		"dependencies", "exercise-1", "and for exclusive or", "it is not always nothing",
		edit("EOR W1,W0,W0", "AND W1,W0,W0"), "P1 accesses an address outside of all locations",
	},
	{
		"dependencies", "exercise-1", "a branch", "loads do not wait for branches",
		begin("| LDR W2,[X10] ;", "| CBNZ W0,L ;", "|              ;\n MOV W1", "| L: LDR W2,[X10] ;\n MOV W1"),
		"Not yet: AArch64 allows it",
	},
	{
		"dependencies", "exercise-1", "a fence", "it asks for a dependency",
		begin("| LDR W2,[X10] ;", "| DMB LD ;", "|              ;\n MOV W1", "| LDR W2,[X10] ;\n MOV W1"),
		"A fence is new, which this exercise does not ask for",
	},
	{
		"dependencies", "exercise-2", "the value that was read", "it is another one where the flag has not been seen",
		edit("ADD W1,W1,#1", "MOV W1,W0   "), "P1 writes 0 to x where it should be: P1 writes 1 to x",
	},
	{
		"dependencies", "exercise-2", "made from what is not read", "it depends on no load",
		edit("EOR W1,W0,W0", "EOR W1,W2,W2"), "Not yet: AArch64 allows it",
	},
	{
		"multi-copy-atomicity", "exercise-2", "one observer alone", "the other one still reads as it likes",
		edit("STR W0,[X11] | EOR W2,W0,W0", "STR W0,[X11] | EOR W2,W2,W2"), "Not yet: AArch64 allows it",
	},
	{
		"out-of-thin-air", "exercise-1", "in one thread only", "the other one still stores early",
		edit("| EOR W2,W0,W0 ;", "| EOR W2,W2,W2 ;"), "Not yet: AArch64 allows it",
	},
	{
		"repair", "exercise-1", "overwritten before it is used", "the address depends on nothing",
		edit("add r7,r4,r6 ;", "mr r7,r4 ;"), "Not yet: Power allows it",
	},

	// Orders, attributes, and accesses that are none.
	{
		"release-acquire", "exercise-1", "all of them", "two are enough",
		edit("STR W0,[X10] ", "STLR W0,[X10] ", "LDR W1,[X10] ", "LDAR W1,[X10] "),
		"You used 4 annotated accesses; this exercise needs at most 2",
	},
	{
		"release-acquire", "exercise-1", "the wrong two", "the flag is not ordered",
		begin("LDR W1,[X10]", "LDAR W1,[X10]", "STR W0,[X10]", "STLR W0,[X10]"), "Not yet: AArch64 allows it",
	},
	{
		"release-acquire", "exercise-1", "a swap that releases", "it reads", edit("STLR W1,[X11]", "SWPL W1,W3,[X11]"),
		"P0 reads y to update it atomically where it should be: P0 writes 1 to y",
	},
	{
		"release-acquire", "exercise-2", "an acquiring load less", "P2 takes the data early",
		edit("LDAR W0,[X12]", "LDR W0,[X12] "), "Not yet: AArch64 allows it",
	},
	{
		"scopes", "exercise-1", "a thread on the other GPU", "the accesses stay as they are",
		begin("P1@cta 0, gpu 1", "P1@cta 0, gpu 0"), "P0 and P1 are now in one cta",
	},
	{
		"scopes", "exercise-1", "one scope that is wide", "both have to include each other",
		edit("ld.acquire.sys", "ld.acquire.gpu"), "Not yet: PTX allows it",
	},
	{
		"c11-atomics", "exercise-1", "a plain store", "it races, and anything may happen",
		edit("atomic_store_explicit(x, 1, memory_order_relaxed)", "*x = 1"),
		"P0 writes a value to x in a plain access where it should be an atomic or marked one",
	},
	{
		"c11-atomics", "exercise-1", "orders in comments", "comments do nothing",
		begin("memory_order_relaxed)", "/* memory_order_acquire */ memory_order_relaxed)"), "Not yet: RC11 allows it",
	},
	{
		"c11-atomics", "exercise-1", "volatile", "it orders nothing", begin("atomic_int", "volatile atomic_int"),
		"Not yet: RC11 allows it",
	},
	{
		"c11-atomics", "exercise-1", "a fence as well", "it asks for orders",
		edit("    int r1", "    atomic_thread_fence(memory_order_acquire);\n    int r1"),
		"A fence is new, which this exercise does not ask for",
	},
	{
		"drf-sc", "exercise-1", "no test of the flag", "the data is taken at any time",
		edit("    if (r0 == 1) {\n        r1 = *x;\n    }", "    r1 = *x;"), "P2",
	},
	{
		"drf-sc", "exercise-1", "the data made atomic", "only the flags may be changed",
		edit("int *x", "atomic_int *x", "*x = 1", "atomic_store_explicit(x, 1, memory_order_relaxed)", "r1 = *x",
			"r1 = atomic_load_explicit(x, memory_order_relaxed)"),
		"P0 writes a value to x in an atomic or marked access where it should be a plain one",
	},
	{
		"drf-sc", "exercise-1", "a flag that is never raised", "nothing races as nothing is handed on",
		edit("if (r0 == 1) {\n        atomic", "if (r0 == 2) {\n        atomic"), "P1",
	},
	{
		"compilation", "exercise-1", "the whole in order", "two accesses are enough",
		edit("memory_order_relaxed", "memory_order_seq_cst", "memory_order_acquire", "memory_order_seq_cst",
			"memory_order_release", "memory_order_seq_cst"), "this exercise needs at most 2",
	},
	{
		"compilation", "exercise-2", "in the writer alone", "the reader still reads early",
		edit("memory_order_acquire", "memory_order_relaxed"), "Not yet",
	},
	{
		"compilation", "exercise-2", "a consuming load's look", "consume is not acquire",
		edit("memory_order_acquire", "memory_order_release"), "memory_order_release",
	},

	// Tests that are free to write.
	{
		"store-buffers", "exercise-1", "P0 is fenced", "only P1 may be changed",
		edit("MOV EAX,[y] |", "MFENCE | ;\n MOV EAX,[y] |"), "A fence is new",
	},
	{
		"store-buffers", "exercise-1", "P1 that reads nothing", "SC has it as well",
		edit("MOV EAX,[x] ;", "MOV EAX,$0 ;"),
		"Not yet: SC allows it",
	},
	{"hardware", "exercise-1", "SB", "both of its threads read", whole("X86 SB\n{ x=0; y=0; }\n P0 | P1 ;\n" +
		" MOV [x],$1 | MOV [y],$1 ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists (0:EAX=0 /\\ " +
		"1:EAX=0)\n"), "asks about the cycle"},
	{
		"hardware", "exercise-1", "a thread that does nothing", "the other ones are SB",
		whole("X86 SB\n{ x=0; y=0; }\n P0 | P1 | P2 ;\n MOV [x],$1 | MOV [y],$1 | MOV [z],$1 ;\n" +
			" MOV EAX,[y] | MOV EAX,[x] | ;\nexists (0:EAX=0 /\\ 1:EAX=0)\n"), "Not yet",
	},
	{
		"reading-a-cat-model", "exercise-1", "forall", "all of them is not one of them", edit("exists", "forall"),
		"The condition now begins with forall",
	},
	{
		"reading-a-cat-model", "exercise-1", "false", "TSO without uniproc has it no more",
		edit("0:EAX=0", "false"), "Not yet",
	},
	{
		"how-answers-are-found", "exercise-1", "a condition that nothing has", "no axiom is needed to forbid it",
		edit("1:EAX=1 /\\ 1:EBX=0", "1:EAX=3"), "Not yet",
	},
	{
		"counting", "exercise-2", "the wrong outcomes", "three writers make six orders, and here two end alike",
		edit("[x],$3", "[x],$2"), "Not yet",
	},
	{
		"sequentialization", "exercise-1", "an outcome that there is not", "SC has it no more",
		edit("0:EBX=2", "0:EBX=3"),
		"Not yet: SC forbids it",
	},
	{
		"store-ages", "exercise-1", "an outcome that there is not", "TSO has it no more", edit("0:EBX=1", "0:EBX=3"),
		"Not yet: TSO forbids it",
	},
	{"t-cdlls", "exercise-1", "half of it", "two times find it", edit(" /\\ 0:EBX=0 /\\ 1:EBX=0", ""), "Not yet"},

	// Properties and counts.
	{
		"robustness", "exercise-1", "one fence", "there are two cycles",
		edit("MFENCE      | MFENCE ", "MFENCE      | NOP    "), "Not yet",
	},
	{
		"robustness", "exercise-1", "another condition", "it is no matter of the condition",
		begin("0:EAX=0 /\\ 1:EAX=0", "0:EAX=0 /\\ 1:EAX=3"), "The condition asks for a different outcome now",
	},
	{
		"robustness", "exercise-2", "the locked instruction in the other thread", "it is taken from P0",
		begin("XCHG EBX,[z] |             ;", " | XCHG EBX,[z] ;"), "P0",
	},
	{
		"counting", "exercise-1", "a filter", "it takes executions from the sight alone",
		begin("exists", "filter (0:EAX=1)\nexists"), "The condition asks for a different outcome now",
	},
	{
		"counting", "exercise-1", "one fence", "the other thread's load still overtakes",
		edit("MFENCE      | MFENCE ", "MFENCE      | NOP    "), "Not yet",
	},
	{
		"counting", "exercise-1", "a load less", "that makes fewer executions, but of another test",
		begin("MOV EAX,[y] |", "MOV EAX,$0 |"), "P0",
	},

	// Models.
	{
		"writing-a-cat-model", "exercise-1", "all forbidden", "lost updates must stay",
		whole("\"Mine\"\nempty id as never\n"), "Not yet: Your model forbids it",
	},
	{
		"writing-a-cat-model", "exercise-1", "all allowed", "nothing holds", whole("\"Mine\"\nempty 0 as always\n"),
		"Not yet: Your model allows it",
	},
	{
		"writing-a-cat-model", "exercise-1", "a flag in place of an axiom", "a flag forbids nothing",
		edit("acyclic", "flag ~acyclic"), "Not yet",
	},
	{
		"writing-a-cat-model", "exercise-1", "SC by name", "it is to be written out",
		whole("\"Mine\"\ninclude \"sc.cat\"\n"), "The model includes sc.cat",
	},
	{
		"writing-a-cat-model", "exercise-1", "SC by name, with a comment between", "it is to be written out",
		whole("\"Mine\"\ninclude (* not at all *)\n\t\"sc.cat\"\n"), "The model includes sc.cat",
	},
	{
		"writing-a-cat-model", "exercise-2", "TSO by name, behind the solution's lines", "it is to be written out",
		edit("as order", "as order\ninclude \"tso.cat\""), "The model includes tso.cat",
	},
	{
		"writing-a-cat-model", "exercise-2", "only of stores to two locations",
		"it keeps R+po+mfence and its like by chance, and n5 not", edit("po-loc |", "po-loc & (W * W) |"), "Not yet",
	},
	{
		"writing-a-cat-model", "exercise-3", "the axiom twice, and the weaker one alone in force",
		"an axiom that is a flag forbids nothing", edit("acyclic po-loc", "flag ~acyclic po-loc"), "Not yet",
	},
	{
		"writing-a-cat-model", "exercise-1", "a definition that hides another",
		"order is what it says, and that is nothing", edit("acyclic po |", "let po = 0\nacyclic po |"), "Not yet",
	},
	{
		"writing-a-cat-model", "exercise-1", "a name that there is not", "it means nothing",
		edit("acyclic po", "acyclic program-order"), "program-order",
	},
	{
		"writing-a-cat-model", "exercise-1", "in a comment", "comments do nothing",
		begin("\"Mine\"", "\"Mine\"\n(* acyclic po | rf | fr | co as order *)"), "Not yet",
	},
	{
		"writing-a-cat-model", "exercise-1", "in its title", "titles do nothing",
		begin("\"Mine\"", "\"SC: acyclic po | rf | fr | co\""), "Not yet",
	},
	{
		"writing-a-cat-model", "exercise-1", "what is tested alone", "it allows S, which SC forbids",
		edit("acyclic po |", "acyclic po \\ ([R] ; po ; [W & domain(coe)]) |"), "but the solution forbids it",
	},
	{
		"writing-a-cat-model", "exercise-2", "no atomicity", "locks can be taken twice",
		edit("empty rmw & (fre ; coe) as atomicity\n", ""), "Not yet",
	},
	{
		"writing-a-cat-model", "exercise-2", "fences without locked instructions", "they are fences, too",
		edit(" | locked", ""), "Not yet",
	},
	{
		"writing-a-cat-model", "exercise-3", "no order of accesses at all", "loads must not overtake",
		edit("po & (R * M)", "0"), "Not yet",
	},
	{
		"power-in-cat", "exercise-2", "as it is on one machine", "sync is not all fences",
		edit("; sync ;", "; fences ;"), "Not yet",
	},
	{
		"power-in-cat", "exercise-2", "the axiom of no thread", "propagation is not observed",
		edit("acyclic co | prop as propagation\n", ""), "Not yet",
	},
	{
		"power-in-cat", "exercise-1", "light fences", "R needs two of the heavy ones",
		edit("sync        ", "lwsync      "), "Not yet: Power allows it",
	},
}

// text is what a trick makes of an exercise.
func (c *trick) text(t *testing.T) (string, bool) {
	x := webtest.ExerciseOf(t, c.slug, c.exercise)
	switch {
	case len(c.replace) == 1:
		return c.replace[0], true
	case c.replace[0] != undone:
		out := strings.NewReplacer(c.replace...).Replace(x.Solution)
		return out, out != x.Solution
	case x.Rules.Model:
		out := strings.NewReplacer(c.replace[2:]...).Replace(x.Model)
		return out, out != x.Model
	}
	out := strings.NewReplacer(c.replace[2:]...).Replace(x.Test)
	return out, out != x.Test
}

// Tricks that have fooled a judge, or might: none is taken, and a sentence says what is wrong.
func TestJudgeOfTricks(t *testing.T) {
	asker := newAsker(t)
	for i, c := range tricks {
		if testing.Short() && i%12 != 0 {
			continue
		}
		t.Run(c.slug+"/"+c.exercise+"/"+c.what, func(t *testing.T) {
			text, changed := c.text(t)
			if !changed {
				t.Fatal("nothing of it is replaced")
			}
			v, err := judge.Judge(t.Context(), asker, webtest.ExerciseOf(t, c.slug, c.exercise), text)
			said := ""
			switch {
			case err != nil: // it cannot be read
				said = err.Error()
			case v.Met:
				t.Fatalf("it is taken, and is no solution: %s\n%s", c.why, text)
			default:
				if said = v.Hint; !strings.HasSuffix(said, ".") || strings.Contains(said, ". ") {
					t.Errorf("%q is no sentence", said)
				}
			}
			if !strings.Contains(said, c.want) {
				t.Errorf("%q is missing in %q", c.want, said)
			}
		})
	}
}
