package catalogue

// family is the tests that ask one kind of question, the simplest first. Those behind
// a bar are whole programs.
type family struct{ title, tests string }

// table lists the tests of each architecture by the question they ask.
var table = []struct {
	arch     string
	families []family
}{
	{"X86", []family{
		{"Store buffering", "SB SB+mfence+po SB+mfences SB+xchgs 3.SB"},
		{"Message passing", "MP MP+mfence+po MP+mfences MP+xchg ISA2"},
		{"Load buffering", "LB LB+mfences"},
		{"Order of writes", "S R R+po+mfence 2+2W 2+2W+mfences"},
		{"One location: coherence", "CoRR CoWW CoRW1 CoRW2 CoWR CoRR2"},
		{"Several observers", "WRC RWC RWC+po+mfence W+RWC WWC IRIW IRIW+mfences"},
		{"Store forwarding", "SB+rfi-pos n6 n5 n4b"},
		{"Atomic instructions and locks", "inc lock-inc xchg-lock xchg-handover spinlock"},
		{"Mutual exclusion by reads and writes", "Dekker Dekker+mfences Peterson Peterson+mfences"},
		{"Mutual exclusion: whole protocols", "| Dekker+loops Dekker+loops+mfences Peterson+loops Peterson+loops+mfences Lamport Lamport+mfences Szymanski Szymanski+mfences"},
		{"Programs of the verification papers", "fib1 fib1-never | fib2 fib2-never fib3 fib3-never fib4 fib4-never fib5 fib5-never parker parker+mfence producers-consumers"},
	}},
	{"X86_64", []family{
		{"Store buffering", "SB SB+mfence+po SB+mfences SB+xchgs"},
		{"Message passing and load buffering", "MP LB"},
		{"Order of writes", "S R R+po+mfence 2+2W"},
		{"Coherence and several observers", "CoRR RWC IRIW"},
		{"Atomic instructions", "inc lock-inc xadd"},
	}},
	{"PPC", []family{
		{"Store buffering", "SB SB+lwsyncs SB+syncs"},
		{"Message passing", "MP MP+lwsync+po MP+lwsync+addr MP+lwsync+ctrl MP+lwsync+ctrlisync MP+eieio+addr MP+syncs ISA2+sync+data+addr"},
		{"Message passing: what is done ahead of time", "PPOCA PPOAA RSW RDW"},
		{"Load buffering", "LB LB+datas LB+ctrls"},
		{"Order of writes", "S S+lwsync+data R R+lwsync+sync R+syncs 2+2W 2+2W+lwsyncs"},
		{"One location: coherence", "CoRR CoWR"},
		{"Several observers", "WRC+addrs WRC+lwsync+addr RWC+syncs IRIW+addrs IRIW+lwsyncs IRIW+syncs"},
		{"Atomic accesses and locks", "inc+lwarx-stwcx inc+retry lock+isync+lwsync"},
	}},
	{"ARM", []family{
		{"Store buffering", "SB SB+dmbs"},
		{"Message passing", "MP MP+dmb+po MP+dmb+addr MP+dmb.st+addr MP+dmb+ctrl MP+dmb+ctrlisb MP+dmbs MP+dmb+fri-rfi-ctrlisb ISA2+dmb+data+addr"},
		{"Load buffering", "LB LB+datas LB+ctrls"},
		{"Order of writes", "S S+dmb.st+data R R+dmbs 2+2W 2+2W+dmb.sts"},
		{"One location: coherence", "CoRR"},
		{"Several observers", "WRC+addrs WRC+dmb+addr IRIW+addrs IRIW+dmbs"},
		{"Atomic accesses", "inc+ldrex-strex inc+retry"},
	}},
	{"AArch64", []family{
		{"Store buffering", "SB SB+dmb.sys SB+polas SB+polqs SB+swps SB+swpals"},
		{"Message passing", "MP MP+dmb.sy+po MP+dmb.st+dmb.ld MP+dmb.st+addr MP+dmb.sy+ctrl MP+dmb.sy+ctrlisb MP+popl+poap MP+popl+poqp ISA2+popl+data+addr"},
		{"Message passing: what is done ahead of time", "PPOCA PPOAA RSW RDW"},
		{"Load buffering", "LB LB+datas LB+ctrls"},
		{"Order of writes", "S S+popl+data R R+dmb.st+dmb.sy 2+2W 2+2W+popls"},
		{"One location: coherence", "CoRR"},
		{"Several observers", "WRC WRC+addrs IRIW IRIW+addrs"},
		{"Atomic accesses and locks", "inc+ldxr-stxr inc+retry inc+ldadd lock+casa+stlr"},
	}},
	{"RISCV", []family{
		{"Store buffering", "SB SB+fence.tsos SB+fence.rw.rws SB+amoswaps SB+amoswap.aqrls"},
		{"Message passing", "MP MP+fence.w.w+po MP+fence.w.w+fence.r.r MP+fence.w.w+addr MP+fence.w.w+ctrl MP+fence.w.w+ctrlfencei MP+amoswap.rl+amoor.aq ISA2+fence.rw.w+data+addr"},
		{"Message passing: what is done ahead of time", "PPOCA PPOAA RSW RDW"},
		{"Load buffering", "LB LB+datas LB+ctrls"},
		{"Order of writes", "S S+fence.w.w+data R R+fence.w.w+fence.rw.rw 2+2W 2+2W+fence.w.ws"},
		{"One location: coherence", "CoRR"},
		{"Several observers", "WRC WRC+addrs IRIW IRIW+addrs"},
		{"Atomic accesses and locks", "inc+lr-sc inc+retry inc+amoadd lock+amoswap.aq+amoswap.rl"},
	}},
	{"MIPS", []family{
		{"Store buffering", "SB SB+syncs"},
		{"Message passing", "MP MP+sync+po MP+syncs ISA2+syncs"},
		{"Load buffering", "LB"},
		{"Order of writes", "S R R+syncs 2+2W 2+2W+syncs"},
		{"Coherence and several observers", "CoRR WRC IRIW IRIW+syncs"},
		{"Atomic accesses", "inc+ll-sc inc+retry"},
	}},
}
