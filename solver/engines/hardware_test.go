package engines_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/models/library"
	"litmuscope/solver"
	"litmuscope/solver/engines"
)

// instructions are lines that a random test of an architecture is drawn from. In a line, {d} is a register that the
// line sets, {s} one that an earlier line may have set, {x} a register with an address, {t} a scratch register, and {L}
// a label. Each ; separates instructions. %n is a number.
var instructions = map[string][]string{
	"AArch64": {
		"LDR {d},[{x}]", "LDR {d},[{x}]", "LDAR {d},[{x}]", "LDAPR {d},[{x}]",
		"MOV {t},#%n;STR {t},[{x}]", "MOV {t},#%n;STR {t},[{x}]", "MOV {t},#%n;STLR {t},[{x}]",
		"EOR {t},{s},{s};ADD {t},{t},#%n;STR {t},[{x}]",
		"EOR {t},{s},{s};LDR {d},[{x},{T},SXTW]", "EOR {t},{s},{s};MOV {u},#%n;STR {u},[{x},{T},SXTW]",
		"STR {s},[{x}]", "CBNZ {s},{L};{L}:", "CBNZ {s},{L};MOV {t},#%n;STR {t},[{x}];{L}:", "CBNZ {s},{L};{L}:;ISB",
		"DMB SY", "DMB LD", "DMB ST", "ISB",
		"MOV {t},#%n;SWP {t},{d},[{x}]", "MOV {t},#%n;SWPA {t},{d},[{x}]", "MOV {t},#%n;SWPAL {t},{d},[{x}]",
		"MOV {t},#%n;LDADDL {t},{d},[{x}]", "LDADD {s},{d},[{x}]", "MOV {t},#%n;STADD {t},[{x}]",
		"MOV {t},#%n;MOV {d},#0;CAS {d},{t},[{x}]", "MOV {d},#1;CASAL {d},{s},[{x}]",
		"LDXR {d},[{x}];MOV {t},#%n;STXR {u},{t},[{x}]", "LDAXR {d},[{x}];ADD {t},{d},#1;STLXR {u},{t},[{x}]",
		"CMP {s},#1;MOV {t},#%n;CSEL {t},{t},{s},EQ;STR {t},[{x}]",
		"CMP {s},#1;CSEL {t},WZR,WZR,EQ;LDR {d},[{x},{T},SXTW]",
	},
	"RISCV": {
		"lw {d},0({x})", "lw {d},0({x})", "lw.aq {d},0({x})",
		"ori {t},x0,%n;sw {t},0({x})", "ori {t},x0,%n;sw {t},0({x})", "ori {t},x0,%n;sw.rl {t},0({x})",
		"xor {t},{s},{s};ori {t},{t},%n;sw {t},0({x})",
		"xor {t},{s},{s};add {t},{t},{x};lw {d},0({t})", "xor {t},{s},{s};add {t},{t},{x};ori {u},x0,%n;sw {u},0({t})",
		"sw {s},0({x})", "bne {s},x0,{L};{L}:", "bne {s},x0,{L};ori {t},x0,%n;sw {t},0({x});{L}:",
		"fence rw,rw", "fence r,r", "fence w,w", "fence r,rw", "fence rw,w", "fence w,r", "fence r,w", "fence.tso",
		"ori {t},x0,%n;amoswap.w {d},{t},({x})", "ori {t},x0,%n;amoswap.w.aq {d},{t},({x})",
		"ori {t},x0,%n;amoadd.w.rl {d},{t},({x})", "amoadd.w.aq.rl {d},{s},({x})",
		"lr.w {d},0({x});ori {t},x0,%n;sc.w {u},{t},0({x})", "lr.w.aq {d},0({x});addi {t},{d},1;sc.w.rl {u},{t},0({x})",
	},
	"PPC": {
		"lwz {d},0({x})", "lwz {d},0({x})", "lwz {d},0({x})", "li {t},%n;stw {t},0({x})", "li {t},%n;stw {t},0({x})",
		"stw {s},0({x})", "xor {t},{s},{s};addi {t},{t},%n;stw {t},0({x})", "xor {t},{s},{s};lwzx {d},{t},{x}",
		"xor {t},{s},{s};li {u},%n;stwx {u},{t},{x}", "cmpwi {s},0;beq {L};{L}:", "cmpwi {s},0;beq {L};{L}:;isync",
		"cmpwi {s},0;beq {L};li {t},%n;stw {t},0({x});{L}:", "cmpwi {s},1;bne {L};lwz {d},0({x});{L}:",
		"sync", "lwsync", "lwsync", "eieio", "isync",
		"lwarx {d},r0,{x};li {t},%n;stwcx. {t},r0,{x}", "lwarx {d},r0,{x};addi {t},{d},1;stwcx. {t},r0,{x}",
	},
	"ARM": {
		"LDR {d},[{x}]", "LDR {d},[{x}]", "LDR {d},[{x}]", "MOV {t},#%n;STR {t},[{x}]", "MOV {t},#%n;STR {t},[{x}]",
		"STR {s},[{x}]", "EOR {t},{s},{s};ADD {t},{t},#%n;STR {t},[{x}]", "EOR {t},{s},{s};LDR {d},[{t},{x}]",
		"EOR {t},{s},{s};MOV {u},#%n;STR {u},[{t},{x}]", "CMP {s},#0;BNE {L};{L}:", "CMP {s},#0;BNE {L};{L}:;ISB",
		"CMP {s},#0;BNE {L};MOV {t},#%n;STR {t},[{x}];{L}:", "CMP {s},#1;BNE {L};LDR {d},[{x}];{L}:",
		"DMB", "DSB", "DMB ST", "ISB", "CMP {s},#1;MOVEQ {t},#%n;STR {t},[{x}]",
		"LDREX {d},[{x}];MOV {t},#%n;STREX {u},{t},[{x}]", "LDREX {d},[{x}];ADD {t},{d},#1;STREX {u},{t},[{x}]",
	},
}

// drawTest draws a test of an architecture whose outcome has all registers that it sets, and memory.
func drawTest(r *rapid.T, arch string) string {
	letters := map[string]string{"AArch64": "WX", "RISCV": "xx", "PPC": "rr", "ARM": "RR"}[arch]
	reg := func(n int) string { return fmt.Sprintf("%c%d", letters[0], n) }
	addresses := []string{"x", "y"}
	first := 20 // register of an address
	if arch == "ARM" {
		first = 0
	}
	base := func(n int) string { return fmt.Sprintf("%c%d", letters[1], first+n) }
	var init, shown []string
	var columns [][]string
	threads := rapid.IntRange(2, 3).Draw(r, "threads")
	most := 5 - threads
	for th := range threads {
		for n, a := range addresses {
			init = append(init, fmt.Sprintf("%d:%s=%s;", th, base(n), a))
		}
		var column []string
		next, label := first%20+2, 0
		if arch != "ARM" {
			next = 1
		}
		set := []int{next}
		for range rapid.IntRange(1, most).Draw(r, "lines") {
			line := rapid.SampledFrom(instructions[arch]).Draw(r, "line")
			d, t, u := next, next+1, next+2
			next += 3
			label++
			text := strings.NewReplacer(
				"{d}", reg(d), "{t}", reg(t), "{u}", reg(u), "{T}", reg(t),
				"{s}", reg(rapid.SampledFrom(set).Draw(r, "source")),
				"{x}", base(rapid.IntRange(0, 1).Draw(r, "address")), "{L}", fmt.Sprintf("L%d%d", th, label),
				"%n", fmt.Sprint(rapid.IntRange(1, 2).Draw(r, "number")),
			).Replace(line)
			column = append(column, strings.Split(text, ";")...)
			if strings.Contains(line, "{d}") {
				set = append(set, d)
				shown = append(shown, fmt.Sprintf("%d:%s;", th, strings.Replace(reg(d), "W", "X", 1)))
			}
		}
		columns = append(columns, column)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s random\n{ %s }\n", arch, strings.Join(init, " "))
	var heads []string
	rows := 0
	for th, c := range columns {
		heads = append(heads, fmt.Sprintf("P%d", th))
		rows = max(rows, len(c))
	}
	fmt.Fprintf(&b, " %s ;\n", strings.Join(heads, " | "))
	for i := range rows {
		var cells []string
		for _, c := range columns {
			cell := ""
			if i < len(c) {
				cell = c[i]
			}
			cells = append(cells, cell)
		}
		fmt.Fprintf(&b, " %s ;\n", strings.Join(cells, " | "))
	}
	fmt.Fprintf(&b, "locations [x; y; %s]\nexists (x=1)\n", strings.Join(shown, " "))
	return b.String()
}

// machineTexts has the axioms of a machine that forbids more than the model. In the machine of Armv7, a write follows
// the reads of its location that are before it: see propagation.TestDifferences.
func machineTexts(t *testing.T) map[string]string {
	text, err := library.Text("arm.cat")
	if err != nil {
		t.Fatal(err)
	}
	const hb = "let hb = ppo | fences | rfe ; sm"
	if !strings.Contains(text, hb) {
		t.Fatalf("arm.cat does not contain %q", hb)
	}
	return map[string]string{"arm": strings.Replace(text, hb, hb+" | (R * W) & po-loc", 1)}
}

// The machines of hardware reach the outcomes that the axioms allow, and no others.
func TestMachinesOfHardwareAsAxioms(t *testing.T) {
	texts := machineTexts(t)
	for arch, model := range map[string]string{"AArch64": "aarch64", "RISCV": "riscv", "PPC": "power", "ARM": "arm"} {
		t.Run(model, func(t *testing.T) {
			rapid.Check(t, func(r *rapid.T) {
				text := drawTest(r, arch)
				ask := func(engine, model, cat string) *solver.Result {
					a, err := engines.Run(t.Context(), solver.Task{
						Path: "random.litmus", Source: text, Model: model, ModelText: cat, Engine: engine,
						Options: solver.DefaultOptions(),
					})
					if err != nil || a.Status != solver.OK {
						r.Fatalf("%s: %v %+v\n%s", engine, err, a, text)
					}
					return a
				}
				axioms := func() *solver.Result {
					if cat := texts[model]; cat != "" {
						return ask("axiomatic", model+"-machine", cat)
					}
					return ask("axiomatic", model, "")
				}()
				machine := ask("machine", model, "")
				if !slices.EqualFunc(axioms.States, machine.States, slices.Equal) ||
					axioms.Verdict != machine.Verdict || axioms.Observation != machine.Observation {
					r.Fatalf("the axioms allow %v, and the machine reaches %v\n%s", axioms.States, machine.States, text)
				}
			})
		})
	}
}
