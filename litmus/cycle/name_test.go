package cycle

import (
	"slices"
	"testing"
)

func TestName(t *testing.T) {
	for _, test := range []struct{ arch, cycle, name string }{
		{"X86", "Fre PodWR Fre PodWR", "SB"},
		{"X86", "PodWR Fre MFencedWR Fre", "SB+mfence+po"},
		{"X86", "PodRR Fre MFencedWW Rfe", "MP+mfence+po"},
		{"X86", "PodWR Fre PodWR Fre Rfi PodRR Fre", "3.SB+po+rfi-po+po"},
		{"X86", "PodWR Rmw Wse MFencedWR Fre", "R+po-rmw+mfence"},
		{"X86", "Rmw MFencedWR Hat Rmw MFencedWR Hat", "RR+RR+rmw-mfences"},
		{"X86", "PodWR Fre PodWW Rfe PodRW Wse PodWW Wse", "WW+RW+WW+WR"},
		{"X86", "PosRR Fre Rfe", "CoRR"},
		{"X86", "Rfe MFencesRW Wse", "CoRW2+mfences"},
		{"PPC", "DpAddrdR Fre Rfe SyncdRW Rfe", "WRC+sync+addr"},
		{"PPC", "LwSyncsWW Rfe PosRR Fre", "MP+lwsyncs+pos"},
		{"PPC", "LwSyncdWW Rfe DpAddrdR PodRR DetourR Fre", "MP+lwsync+addr-po-detr"},
		{"PPC", "Rfe DpCtrlIsyncdW Wse SyncdWR Fre PodWW", "Z6.0+po+ctrlisync+sync"},
		{"AArch64", "DMB.SYdRR FrePL RfeLA PodRRAA FreAP Rfe", "IRIW+dmb.sy+poaa+NaL"},
		{"AArch64", "RfePX PodRRXX FreXP Rfe PodRW Wse", "IRRWIW+poxx+po"},
		{"RISCV", "Fence.w.wdWW Rfe FrLeave RfBack DpAddrdW Wse", "S+fence.w.w+[fr-rf]-addr"},
		{"RISCV", "PodWWPRl RfLeaveRlP FrBack Rfe Fence.rw.rwdRW Wse", "S+poprl-[rfrlp-fr]+fence.rw.rw"},
		{"RISCV", "WsLeave PodWWPRl RfBackRlP Fre Fence.rw.rwdWR Fre", "SB+[ws-poprl-rf]rlp+fence.rw.rw"},
		{"RISCV", "PodWRRlAq PosRRAqP Fre PosWWPRl PodWRRlAq FreAqRl", "SB+posprl-porlaq+porlaq-posaqp"},
		{"C", "PodWWRlxRel Rfe PodRRAcqRlx Fre", "MP+porlxrel+poacqrlx"},
		{"C", "PodWWNaRel Rfe PodRRAcqNa Fre", "MP+ponarel+poacqna"},
		{"C", "PodRRScSc Fre RfeScSc PodRRScSc Fre RfeScSc", "IRIW+poscscs+ScSc"},
		{"C", "PodWRRlxAcq ExchAcqRel WseRelSc FenceScdWRScRlx Fre", "R+porlxacq-exchacqrel+fencescscrlx"},
		{"LKMM", "FenceMbdWROnceOnce Fre FenceMbdWROnceOnce Fre", "SB+fencembonceonces"},
		{"LKMM", "RfeOnceOnce PodRWOnceRelease Rfe FenceRmbdRROnceOnce Fre", "WRC+pooncerelease+fencermbonceonce+Once"},
		{"LKMM", "RscsdRROnceOnce Fre FenceSync-rcudWWOnceOnce Rfe", "MP+fencesync-rcuonceonce+rscsonceonce"},
		{"LISA", "RscsdRROnceOnce Fre FenceSync-rcudWWOnceOnce Rfe", "MP+fencesync-rcuonceonce+rscsonceonce"},
		{"LKMM", "PodWWOnceAssign Rfe DpAddrdRDerefOnce Fre", "MP+poonceassign+addrderefonce"},
	} {
		c, err := ParseCycle(test.arch, test.cycle)
		if err != nil {
			t.Errorf("%s: %v", test.cycle, err)
			continue
		}
		for i := range c {
			turned := slices.Concat(c[i:], c[:i])
			if got := turned.Name(); got != test.name {
				t.Errorf("%s is %s, want %s", turned, got, test.name)
			}
			if got, want := turned.Canonical(), c.Canonical(); !slices.Equal(got, want) {
				t.Errorf("%s is canonically %s, and turned %s", test.cycle, want, got)
			}
		}
	}
}
