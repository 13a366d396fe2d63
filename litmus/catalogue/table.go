package catalogue

// family is the tests that ask one kind of question, the simplest first.
type family struct {
	title, tests string
	large        bool // Entry.Large
}

const small, large = false, true

// table lists the tests of each architecture by the question they ask.
var table = []struct {
	arch     string
	families []family
}{
	{"X86", []family{
		{"Store buffering", "SB SB+mfence+po SB+mfences SB+xchgs 3.SB", small},
		{"Message passing", "MP MP+mfence+po MP+mfences MP+xchg ISA2", small},
		{"Load buffering", "LB LB+mfences", small},
		{"Order of writes", "S R R+po+mfence 2+2W 2+2W+mfences", small},
		{"One location: coherence", "CoRR CoWW CoRW1 CoRW2 CoWR CoRR2", small},
		{"Several observers", "WRC RWC RWC+po+mfence W+RWC WWC IRIW IRIW+mfences", small},
		{"Store forwarding", "SB+rfi-pos n6 n5 n4b", small},
		{"Atomic instructions and locks", "inc lock-inc xchg-lock xchg-handover spinlock", small},
		{"Mutual exclusion by reads and writes", "Dekker Dekker+mfences Peterson Peterson+mfences", small},
		{"Mutual exclusion: whole protocols", "Peterson+loops Peterson+loops+mfences Dekker+loops Dekker+loops+mfences Szymanski Szymanski+mfences Lamport Lamport+mfences", large},
		{"Fibonacci: each adds the other's number", "fib1 fib1-never", small},
		{"Fibonacci: several times", "fib2 fib2-never fib3 fib3-never fib4 fib4-never fib5 fib5-never", large},
		{"A parker, producers and consumers", "parker parker+mfence producers-consumers", large},
	}},
	{"X86_64", []family{
		{"Store buffering", "SB SB+mfence+po SB+mfences SB+xchgs", small},
		{"Message passing and load buffering", "MP LB", small},
		{"Order of writes", "S R R+po+mfence 2+2W", small},
		{"Coherence and several observers", "CoRR RWC IRIW", small},
		{"Atomic instructions", "inc lock-inc xadd", small},
	}},
	{"PPC", []family{
		{"Store buffering", "SB SB+lwsyncs SB+syncs", small},
		{"Message passing", "MP MP+lwsync+po MP+lwsync+addr MP+lwsync+ctrl MP+lwsync+ctrlisync MP+eieio+addr MP+syncs ISA2+sync+data+addr", small},
		{"Message passing: what is done ahead of time", "PPOCA PPOAA RSW RDW", small},
		{"Load buffering", "LB LB+datas LB+ctrls", small},
		{"Order of writes", "S S+lwsync+data R R+lwsync+sync R+syncs 2+2W 2+2W+lwsyncs", small},
		{"One location: coherence", "CoRR CoWR", small},
		{"Several observers", "WRC+addrs WRC+lwsync+addr RWC+syncs IRIW+addrs IRIW+lwsyncs IRIW+syncs", small},
		{"Atomic accesses and locks", "inc+lwarx-stwcx inc+retry lock+isync+lwsync", small},
	}},
	{"ARM", []family{
		{"Store buffering", "SB SB+dmbs", small},
		{"Message passing", "MP MP+dmb+po MP+dmb+addr MP+dmb.st+addr MP+dmb+ctrl MP+dmb+ctrlisb MP+dmbs MP+dmb+fri-rfi-ctrlisb ISA2+dmb+data+addr", small},
		{"Load buffering", "LB LB+datas LB+ctrls", small},
		{"Order of writes", "S S+dmb.st+data R R+dmbs 2+2W 2+2W+dmb.sts", small},
		{"One location: coherence", "CoRR", small},
		{"Several observers", "WRC+addrs WRC+dmb+addr IRIW+addrs IRIW+dmbs", small},
		{"Atomic accesses", "inc+ldrex-strex inc+retry", small},
	}},
	{"AArch64", []family{
		{"Store buffering", "SB SB+dmb.sys SB+polas SB+polqs SB+swps SB+swpals", small},
		{"Message passing", "MP MP+dmb.sy+po MP+dmb.st+dmb.ld MP+dmb.st+addr MP+dmb.sy+ctrl MP+dmb.sy+ctrlisb MP+popl+poap MP+popl+poqp ISA2+popl+data+addr", small},
		{"Message passing: what is done ahead of time", "PPOCA PPOAA RSW RDW", small},
		{"Load buffering", "LB LB+datas LB+ctrls", small},
		{"Order of writes", "S S+popl+data R R+dmb.st+dmb.sy 2+2W 2+2W+popls", small},
		{"One location: coherence", "CoRR", small},
		{"Several observers", "WRC WRC+addrs IRIW IRIW+addrs", small},
		{"Atomic accesses and locks", "inc+ldxr-stxr inc+retry inc+ldadd lock+casa+stlr", small},
	}},
	{"RISCV", []family{
		{"Store buffering", "SB SB+fence.tsos SB+fence.rw.rws SB+amoswaps SB+amoswap.aqrls", small},
		{"Message passing", "MP MP+fence.w.w+po MP+fence.w.w+fence.r.r MP+fence.w.w+addr MP+fence.w.w+ctrl MP+fence.w.w+ctrlfencei MP+amoswap.rl+amoor.aq ISA2+fence.rw.w+data+addr", small},
		{"Message passing: what is done ahead of time", "PPOCA PPOAA RSW RDW", small},
		{"Load buffering", "LB LB+datas LB+ctrls", small},
		{"Order of writes", "S S+fence.w.w+data R R+fence.w.w+fence.rw.rw 2+2W 2+2W+fence.w.ws", small},
		{"One location: coherence", "CoRR", small},
		{"Several observers", "WRC WRC+addrs IRIW IRIW+addrs", small},
		{"Atomic accesses and locks", "inc+lr-sc inc+retry inc+amoadd lock+amoswap.aq+amoswap.rl", small},
	}},
	{"MIPS", []family{
		{"Store buffering", "SB SB+syncs", small},
		{"Message passing", "MP MP+sync+po MP+syncs ISA2+syncs", small},
		{"Load buffering", "LB", small},
		{"Order of writes", "S R R+syncs 2+2W 2+2W+syncs", small},
		{"Coherence and several observers", "CoRR WRC IRIW IRIW+syncs", small},
		{"Atomic accesses", "inc+ll-sc inc+retry", small},
	}},
}
