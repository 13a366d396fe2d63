package engines_test

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// Which changes of an entry of a page table need break-before-make (DDI 0487, D8.16.1), and what is enough of it.
func TestBreakBeforeMake(t *testing.T) {
	const (
		broken = "STR X6,[X0]; DSB ISH; TLBI VAAE1IS,X9; DSB ISH; STR X1,[X0];"
		init   = "0:X0=PTE(x); 0:X6=(oa:PA(x),valid:0); 0:X9=x; "
		head   = "P0; LSR X9,X9,#12; "
	)
	for _, c := range []struct{ name, source, cause string }{ // "*" for any cause
		{"another address", "{ 0:X0=PTE(x); 0:X1=(oa:PA(y)); } P0; STR X1,[X0];", "STR X1,[X0]"},
		{"another permission", "{ 0:X0=PTE(x); 0:X1=(oa:PA(x),db:0); } P0; STR X1,[X0];", ""},
		{"less cached", "{ 0:X0=PTE(x); 0:X1=(oa:PA(x),attrs:(Normal,iNC)); } P0; STR X1,[X0];", "STR X1,[X0]"},
		{"tagged", "{ 0:X0=PTE(x); 0:X1=(oa:PA(x),attrs:(TaggedNormal)); } P0; STR X1,[X0];", ""},
		{
			"from an entry that is not valid",
			"{ [PTE(x)]=(valid:0); 0:X0=PTE(x); 0:X1=(oa:PA(y)); } P0; STR X1,[X0];", "",
		},
		{"to an entry that is not valid", "{ 0:X0=PTE(x); 0:X1=(oa:PA(y),valid:0); } P0; STR X1,[X0];", ""},
		{"the whole sequence", "{ " + init + "0:X1=(oa:PA(y)); } " + head + broken, ""},
		{
			"all pages", "{ " + init + "0:X1=(oa:PA(y)); } " + head +
				strings.ReplaceAll(broken, "VAAE1IS,X9", "VMALLE1IS"), "",
		},
		{
			"the own TLB", "{ " + init + "0:X1=(oa:PA(y)); } " + head + strings.ReplaceAll(broken, "IS,", ","),
			"STR X1,[X0]",
		},
		{
			"another page", "{ " + init + "0:X1=(oa:PA(y)); } P0; " + strings.ReplaceAll(broken, "X9", "X7"),
			"STR X1,[X0]",
		},
		{
			"no TLBI", "{ " + init + "0:X1=(oa:PA(y)); } " + head + "STR X6,[X0]; DSB ISH; STR X1,[X0];",
			"STR X1,[X0]",
		},
		{
			"no DSB behind", "{ " + init + "0:X1=(oa:PA(y)); } " + head +
				"STR X6,[X0]; DSB ISH; TLBI VAAE1IS,X9; STR X1,[X0];", "STR X1,[X0]",
		},
		{
			"no DSB before", "{ " + init + "0:X1=(oa:PA(y)); } " + head +
				"STR X6,[X0]; TLBI VAAE1IS,X9; DSB ISH; STR X1,[X0];", "STR X1,[X0]",
		},
		{
			"a second change", "{ " + init + "0:X1=(oa:PA(y)); 0:X2=(oa:PA(z)); } " + head + broken + " STR X2,[X0];",
			"STR X2,[X0]",
		},
		{
			"another thread makes", "{ " + init + "0:X3=w; 1:X3=w; 1:X0=PTE(x); 1:X1=(oa:PA(y)); } P0 | P1; " +
				"LSR X9,X9,#12 | LDR W4,[X3]; STR X6,[X0] | CBZ W4,L0; DSB ISH | STR X1,[X0]; " +
				"TLBI VAAE1IS,X9 | L0: NOP; DSB ISH | ; MOV W4,#1 | ; STR W4,[X3] | ;", "",
		},
		{
			"another thread makes too early", "{ " + init + "0:X3=w; 1:X3=w; 1:X0=PTE(x); 1:X1=(oa:PA(y)); } " +
				"P0 | P1; LSR X9,X9,#12 | LDR W4,[X3]; STR X6,[X0] | STR X1,[X0]; DSB ISH | ; " +
				"TLBI VAAE1IS,X9 | ; DSB ISH | ; MOV W4,#1 | ; STR W4,[X3] | ;", "STR X1,[X0]",
		},
		{
			"hardware sets the access flag between",
			"{ [PTE(x)]=(af:0); 0:X9=x; 0:X0=PTE(x); 0:X1=(oa:PA(y),af:0); } P0; LDR W2,[X9]; STR X1,[X0];", "*",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			header := "Variant=vmsa\n"
			if strings.HasPrefix(c.name, "hardware") {
				header += "TTHM=HA\n"
			}
			source := strings.NewReplacer("} P0", "}\nP0", "; ", ";\n").Replace(c.source)
			source = "AArch64 T\n" + header + source + "\nexists true\n"
			a, err := engines.Local{}.Run(t.Context(),
				solver.Task{Path: "t", Source: source, Options: solver.DefaultOptions()})
			if err != nil {
				t.Fatal(err)
			}
			r := a.(*solver.Result)
			at := slices.IndexFunc(r.Flags, func(f solver.Flag) bool { return f.Name == "break-before-make" })
			if r.Status != solver.OK || at < 0 || r.Flags[at].Raised == nil {
				t.Fatalf("%s %s, flags %v\n%s", r.Status, r.Error, r.Flags, source)
			}
			got := ""
			if f := r.Flags[at]; *f.Raised {
				got = "?"
				if len(f.Causes) > 0 && f.Causes[0].Second != nil {
					got = f.Causes[0].Second.Text
				}
			}
			if got != c.cause && (c.cause != "*" || got == "") {
				t.Errorf("raised by %q, want %q\n%s", got, c.cause, source)
			}
		})
	}
}
