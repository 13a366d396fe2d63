package axiomatic_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/solver"
	"litmuscope/solver/axiomatic"
	"litmuscope/solver/axiomatic/encode"
	"litmuscope/solver/machine"
)

// The axiomatic engine and the machines allow the same outcomes of random programs, under SC, TSO and PSO and with both
// encodings of acyclicity. The concrete checker confirms every witness on the way. The tests go through their text, so
// that this also checks parser and dialect.
func TestAxiomaticIsMachine(t *testing.T) {
	agreeOn(t, drawTest)
}

// The same with RISC-V's exclusive pairs, atomic operations, partial fences, acquires and releases, and with loops that
// only wait or retry, whose cutting loses nothing.
func TestAxiomaticIsMachineRISCV(t *testing.T) {
	agreeOn(t, drawRISCV)
}

func agreeOn(t *testing.T, draw func(*rapid.T) string) {
	programs := 0
	rapid.Check(t, func(t *rapid.T) {
		source := draw(t)
		p, err := dialect.Parse("random.litmus", source)
		if err != nil {
			t.Fatalf("%v\n%s", err, source)
		}
		for _, name := range models.Names() {
			m, _ := models.Find(name)
			if _, err := machine.For(m); err != nil {
				continue
			}
			options := solver.DefaultOptions()
			options.Executions = rapid.SampledFrom([]int{0, 20, 2048}).Draw(t, "executions")
			options.Acyclicity = drawAcyclicity(t)
			q := solver.Query{Program: p, Model: m, Options: options}
			want, err := machine.Engine{}.Explore(context.Background(), q)
			if err != nil {
				t.Fatalf("machine, %s: %v\n%s", name, err, source)
			}
			got, err := axiomatic.Engine{}.Explore(context.Background(), q)
			if err != nil {
				t.Fatalf("axiomatic, %s: %v\n%s", name, err, source)
			}
			if a, b := fmt.Sprint(got.States), fmt.Sprint(want.States); a != b || got.Observation != want.Observation ||
				!got.Complete {
				t.Fatalf("%s\n%s: axiomatic %s %v complete %v\n  %s\nmachine %s %v\n  %s", source, name,
					got.Observation, got.Verdict, got.Complete, a, want.Observation, want.Verdict, b)
			}
		}
		programs++
	})
	t.Logf("%d random programs", programs)
}

// drawAcyclicity draws one of the ways to have no cycles: orders in clauses or kept by the solver, or clocks.
func drawAcyclicity(t *rapid.T) string {
	how := rapid.SampledFrom([]string{"order", "clocks", "kept"}).Draw(t, "acyclicity")
	encode.KeepOrders(how == "kept")
	t.Cleanup(func() { encode.KeepOrders(false) })
	if how == "kept" {
		return "order"
	}
	return how
}

var registers = []string{"EAX", "EBX", "ECX"}

// drawTest makes a random X86 test of two to four threads: loads and stores of
// constants and registers, fences, locked instructions, arithmetic, forward jumps,
// and accesses through a pointer that threads may redirect.
func drawTest(t *rapid.T) string {
	threads := rapid.IntRange(2, 4).Draw(t, "threads")
	length := map[int]int{2: 5, 3: 3, 4: 2}[threads]
	columns := make([][]string, threads)
	for i := range columns {
		columns[i] = drawThread(t, rapid.IntRange(1, length).Draw(t, "length"))
	}
	var b strings.Builder
	b.WriteString("X86 random\n{ x=0; y=1; p=x; }\n")
	rows := 0
	for i, c := range columns {
		if i > 0 {
			b.WriteString("|")
		}
		fmt.Fprintf(&b, " P%d ", i)
		rows = max(rows, len(c))
	}
	b.WriteString(";\n")
	for r := range rows {
		for i, c := range columns {
			if i > 0 {
				b.WriteString("|")
			}
			if r < len(c) {
				b.WriteString(" " + c[r] + " ")
			}
		}
		b.WriteString(";\n")
	}
	b.WriteString("locations [x; y; p;")
	for i := range columns {
		for _, r := range registers {
			fmt.Fprintf(&b, " %d:%s;", i, r)
		}
	}
	b.WriteString("]\n")
	if rapid.IntRange(0, 9).Draw(t, "filter") == 0 {
		b.WriteString("filter (1:EAX=0 \\/ ~(x=1))\n")
	}
	fmt.Fprintf(&b, "%s (0:EAX=%d /\\ (1:EAX=0 \\/ x!=1))\n",
		rapid.SampledFrom([]string{"exists", "~exists", "forall"}).Draw(t, "quantifier"),
		rapid.IntRange(0, 2).Draw(t, "wanted"))
	return b.String()
}

func drawThread(t *rapid.T, n int) []string {
	loc := func() string { return rapid.SampledFrom([]string{"x", "y"}).Draw(t, "loc") }
	reg := func() string { return rapid.SampledFrom(registers).Draw(t, "reg") }
	num := func() int { return rapid.IntRange(0, 2).Draw(t, "num") }
	var out []string
	var pending string // the target of a jump
	labels := 0
	for range n {
		kind := rapid.IntRange(0, 19).Draw(t, "kind")
		var ins []string
		switch kind {
		case 0, 1, 2, 3:
			ins = []string{fmt.Sprintf("MOV [%s],$%d", loc(), num())}
		case 4, 5, 6, 7:
			ins = []string{fmt.Sprintf("MOV %s,[%s]", reg(), loc())}
		case 8:
			ins = []string{fmt.Sprintf("MOV [%s],%s", loc(), reg())}
		case 9:
			ins = []string{rapid.SampledFrom([]string{"MFENCE", "MFENCE", "SFENCE", "LFENCE"}).Draw(t, "fence")}
		case 10:
			ins = []string{fmt.Sprintf("XCHG [%s],%s", loc(), reg())}
		case 11:
			ins = []string{fmt.Sprintf("LOCK CMPXCHG [%s],%s", loc(), reg())}
		case 12:
			ins = []string{
				fmt.Sprintf("%sXADD [%s],%s", rapid.SampledFrom([]string{"", "LOCK "}).Draw(t, "lock"), loc(), reg()),
			}
		case 13:
			ins = []string{fmt.Sprintf("%sINC [%s]", rapid.SampledFrom([]string{"", "LOCK "}).Draw(t, "lock"), loc())}
		case 14:
			op := rapid.SampledFrom([]string{"ADD", "SUB", "XOR", "AND", "OR"}).Draw(t, "op")
			ins = []string{fmt.Sprintf("%s %s,[%s]", op, reg(), loc())}
		case 15:
			r := reg()
			ins = []string{fmt.Sprintf("XOR %s,%s", r, r)}
		case 16, 17:
			if pending == "" {
				pending = fmt.Sprintf("L%d", labels)
				labels++
				jump := rapid.SampledFrom([]string{"JE", "JNE", "JB", "JG", "JS"}).Draw(t, "jump")
				ins = []string{fmt.Sprintf("CMP %s,$%d", reg(), num()), jump + " " + pending}
			} else {
				ins = []string{pending + ":"}
				pending = ""
			}
		case 18:
			ins = []string{fmt.Sprintf("MOV [p],$%s", loc())}
		default:
			if r := reg(); rapid.Bool().Draw(t, "read") {
				ins = []string{"MOV " + r + ",[p]", fmt.Sprintf("MOV %s,[%s]", reg(), r)}
			} else {
				ins = []string{"MOV " + r + ",[p]", fmt.Sprintf("MOV [%s],$%d", r, num())}
			}
		}
		out = append(out, ins...)
	}
	if pending != "" {
		out = append(out, pending+":")
	}
	return out
}

// drawRISCV makes a random test of two or three threads on two locations.
func drawRISCV(t *rapid.T) string {
	threads := rapid.IntRange(2, 3).Draw(t, "threads")
	columns := make([][]string, threads)
	rows := 0
	for i := range columns {
		for n := range rapid.IntRange(1, 6-threads).Draw(t, "length") {
			columns[i] = append(columns[i], drawRISCVInstructions(t, fmt.Sprintf("L%d", n))...)
		}
		rows = max(rows, len(columns[i]))
	}
	var b strings.Builder
	b.WriteString("RISCV random\n{\n")
	for i := range columns {
		fmt.Fprintf(&b, "%d:x1=x; %d:x2=y; %d:x5=1; %d:x6=2;\n", i, i, i, i)
	}
	b.WriteString("}\n")
	for r := -1; r < rows; r++ {
		for i, c := range columns {
			if i > 0 {
				b.WriteString(" |")
			}
			switch {
			case r < 0:
				fmt.Fprintf(&b, " P%d", i)
			case r < len(c):
				b.WriteString(" " + c[r])
			}
		}
		b.WriteString(" ;\n")
	}
	b.WriteString("locations [x; y;")
	for i := range columns {
		fmt.Fprintf(&b, " %d:x7; %d:x8; %d:x9;", i, i, i)
	}
	b.WriteString("]\nexists (0:x7=1 /\\ 1:x7=0)\n")
	return b.String()
}

// drawRISCVInstructions draws an access, a fence, an exclusive pair, or a loop that waits
// or retries: label is its head's.
func drawRISCVInstructions(t *rapid.T, label string) []string {
	one := func(label string, choices ...string) string { return rapid.SampledFrom(choices).Draw(t, label) }
	at := one("at", "0(x1)", "0(x2)")
	to, from := one("to", "x7", "x8"), one("from", "x5", "x6", "x7")
	indirect := "(" + at[2:4] + ")"
	order := func() string { return one("order", "", "", ".aq", ".rl", ".aqrl") }
	load, store := "lr.w"+order()+" "+to+","+indirect, "sc.w"+order()+" x9,"+from+","+indirect
	switch rapid.IntRange(0, 14).Draw(t, "kind") {
	case 12:
		return []string{label + ": " + load, store, "bne x9,x0," + label}
	case 13:
		return []string{label + ": " + load, "bne " + to + ",x0," + label, store, "bne x9,x0," + label}
	case 14:
		return []string{label + ": lw" + order() + " " + to + "," + at, "beq " + to + ",x0," + label}
	case 0, 1, 2:
		return []string{"sw" + order() + " " + from + "," + at}
	case 3, 4, 5:
		return []string{"lw" + order() + " " + to + "," + at}
	case 6:
		return []string{"fence " + one("before", "r", "w", "rw") + "," + one("after", "r", "w", "rw")}
	case 7:
		return []string{one("amo", "amoswap.w", "amoadd.w", "amoor.w") + order() + " " + to + "," +
			from + "," + indirect}
	case 8:
		return []string{load}
	case 9:
		return []string{store}
	default:
		return []string{load, store}
	}
}
