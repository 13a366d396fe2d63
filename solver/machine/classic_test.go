package machine

import "testing"

// Outcomes list the values of the observed locations and registers, in order. "=" means the set of the model before.
var classics = []struct {
	name, text, observed string
	sc, tso, pso         string
}{
	{
		"SB", "x=1; a=y || y=1; a=x", "0:a 1:a",
		"0,1 1,0 1,1", "0,0 0,1 1,0 1,1", "=",
	},
	{
		"SB+mfences", "x=1; mf; a=y || y=1; mf; a=x", "0:a 1:a",
		"0,1 1,0 1,1", "=", "=",
	},
	{
		"SB+mfence+po", "x=1; mf; a=y || y=1; a=x", "0:a 1:a",
		"0,1 1,0 1,1", "0,0 0,1 1,0 1,1", "=",
	},
	{
		"SB+wr", "x=1; wr; a=y || y=1; wr; a=x", "0:a 1:a",
		"0,1 1,0 1,1", "=", "=",
	},
	{
		"SB+ww", "x=1; ww; a=y || y=1; ww; a=x", "0:a 1:a",
		"0,1 1,0 1,1", "0,0 0,1 1,0 1,1", "=",
	},
	{
		"SB+xchgs", "b=x<-1; a=y || b=y<-1; a=x", "0:a 1:a",
		"0,1 1,0 1,1", "=", "=",
	},
	{
		"SB+xchg-elsewhere", "x=1; b=z<-1; a=y || y=1; b=w<-1; a=x", "0:a 1:a",
		"0,1 1,0 1,1", "=", "=",
	},
	{
		"SB+failed-cas", "x=1; b=z<-1?7; a=y || y=1; b=w<-1?7; a=x", "0:a 1:a z w",
		"0,1,0,0 1,0,0,0 1,1,0,0", "=", "=",
	},
	{
		"SB+rfi-pos", "x=1; a=x; b=y || y=1; a=y; b=x", "0:a 0:b 1:a 1:b",
		"1,0,1,1 1,1,1,0 1,1,1,1", "1,0,1,0 1,0,1,1 1,1,1,0 1,1,1,1", "=",
	},
	{
		"MP", "x=1; y=1 || a=y; b=x", "1:a 1:b",
		"0,0 0,1 1,1", "=", "0,0 0,1 1,0 1,1",
	},
	{
		"MP+ww", "x=1; ww; y=1 || a=y; b=x", "1:a 1:b",
		"0,0 0,1 1,1", "=", "=",
	},
	{
		"MP+wr", "x=1; wr; y=1 || a=y; b=x", "1:a 1:b",
		"0,0 0,1 1,1", "=", "0,0 0,1 1,0 1,1",
	},
	{
		"MP+wr-read", "x=1; wr; a=z; y=1 || a=y; b=x", "1:a 1:b",
		"0,0 0,1 1,1", "=", "=",
	},
	{
		"MP+ww-between-others", "x=1; ww; z=1; y=1 || a=y; b=x", "1:a 1:b",
		"0,0 0,1 1,1", "=", "=",
	},
	{
		"MP+ww-too-late", "x=1; y=1; ww; z=1 || a=y; b=x", "1:a 1:b",
		"0,0 0,1 1,1", "=", "0,0 0,1 1,0 1,1",
	},
	{
		"MP+xchg", "x=1; a=y<-1 || a=y; b=x", "1:a 1:b",
		"0,0 0,1 1,1", "=", "=",
	},
	{
		"LB", "a=x; y=1 || a=y; x=1", "0:a 1:a",
		"0,0 0,1 1,0", "=", "=",
	},
	{
		"S", "x=2; y=1 || a=y; x=1", "1:a x",
		"0,1 0,2 1,1", "=", "0,1 0,2 1,1 1,2",
	},
	{
		"R", "x=1; y=1 || y=2; a=x", "1:a y",
		"0,1 1,1 1,2", "0,1 0,2 1,1 1,2", "=",
	},
	{
		"R+po+mfence", "x=1; y=1 || y=2; mf; a=x", "1:a y",
		"0,1 1,1 1,2", "=", "0,1 0,2 1,1 1,2",
	},
	{
		"2+2W", "x=1; y=2 || y=1; x=2", "x y",
		"1,2 2,1 2,2", "=", "1,1 1,2 2,1 2,2",
	},
	{
		"2+2W+wws", "x=1; ww; y=2 || y=1; ww; x=2", "x y",
		"1,2 2,1 2,2", "=", "=",
	},
	{
		"IRIW", "x=1 || y=1 || a=x; b=y || a=y; b=x", "2:a 2:b 3:a 3:b",
		"0,0,0,0 0,0,0,1 0,0,1,0 0,0,1,1 0,1,0,0 0,1,0,1 0,1,1,0 0,1,1,1 " +
			"1,0,0,0 1,0,0,1 1,0,1,1 1,1,0,0 1,1,0,1 1,1,1,0 1,1,1,1", "=", "=",
	},
	{
		"CoRR", "x=1; x=2 || a=x; b=x", "1:a 1:b",
		"0,0 0,1 0,2 1,1 1,2 2,2", "=", "=",
	},
	{"CoWW", "x=1; x=2", "x", "2", "=", "="},
	{"CoWR", "x=1; a=x || x=2", "0:a x", "1,1 1,2 2,2", "=", "="},
	{
		"WRC", "x=1 || a=x; y=1 || a=y; b=x", "1:a 2:a 2:b",
		"0,0,0 0,0,1 0,1,0 0,1,1 1,0,0 1,0,1 1,1,1", "=", "=",
	},
	// Store forwarding: P0 sees its own x before x is in memory (n6 of the x86 papers).
	{
		"n6", "x=1; a=x; b=y || y=2; x=2", "0:a 0:b x",
		"1,0,2 1,2,1 1,2,2 2,2,2", "1,0,1 1,0,2 1,2,1 1,2,2 2,2,2", "1,0,1 1,0,2 1,2,1 1,2,2 2,0,2 2,2,2",
	},
	{"lock-inc", "a=x++ || a=x++", "0:a 1:a x", "0,1,2 1,0,2", "=", "="},
	{"inc", "a=x; x=1 || b=x++", "0:a 1:b x", "0,0,1 0,1,2 1,0,1", "=", "="},
	{"cas-race", "a=x<-1?0 || a=x<-2?0", "0:a 1:a x", "0,1,1 2,0,2", "=", "="},
	// A lock taken by XCHG: both threads add 1 to y under it, and give it back with
	// a plain store, which PSO may put before the one to y.
	{
		"spinlock", "L:; a=x<-1; if a=1 L; b=y; c=1; if b=0 S; c=2; S:; y=c; x=0 || " +
			"L:; a=x<-1; if a=1 L; b=y; c=1; if b=0 S; c=2; S:; y=c; x=0", "x y",
		"0,2", "=", "0,1 0,2",
	},
	{
		"spinlock+ww", "L:; a=x<-1; if a=1 L; b=y; c=1; if b=0 S; c=2; S:; y=c; ww; x=0 || " +
			"L:; a=x<-1; if a=1 L; b=y; c=1; if b=0 S; c=2; S:; y=c; ww; x=0", "x y",
		"0,2", "=", "=",
	},
	{
		"await", "x=1; y=1 || L:; a=y; if a=0 L; b=x", "1:a 1:b",
		"1,1", "=", "1,0 1,1",
	},
	// P0 may repeat the loop (b=1) and still read the old x: what lies behind a jump back counts.
	{
		"reread", "L:; b=d; a=x; d=1; c=y; if c=0 L || x=1 || y=1", "0:a 0:b",
		"0,0 0,1 1,0 1,1", "=", "=",
	},
	// No run ends: there is no outcome, and the search still does.
	{"never", "L:; a=x; if a=0 L || a=x", "0:a", "", "=", "="},
}

func TestClassics(t *testing.T) {
	for _, c := range classics {
		p := parse(t, c.text, c.observed)
		want := c.sc
		for k, next := range []string{c.sc, c.tso, c.pso} {
			if next != "=" {
				want = next
			}
			for _, full := range []bool{false, true} {
				if got := outcomes(t, p, Kind(k), full); got != want {
					t.Errorf("%s under %s (full %v): %s\ngot  %s\nwant %s", c.name, Kind(k), full, c.text, got, want)
				}
			}
		}
	}
}
