package aarch64

import (
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
	"litmuscope/litmus/lower"
)

// Modified instructions (DDI 0487, B2.2.5 and B2.3). An instruction at a label whose address the test uses is a
// location with the instruction's encoding. Its execution begins with a fetch, which reads the location, and goes on
// with what was read: the instructions of the test that are values, each as a branch. A number below 1 << 16 is UDF.
// Another number is an error of the execution.

// code is an instruction that is a value.
type code struct {
	text  string // in canonical form: branches have distances
	value uint64
}

// modifiable are instructions that the architecture permits to be modified while another thread runs them
// (DDI 0487, B2.2.5); others are fetched in the same way here.
const (
	encodedNOP = 0xd503201f
	encodedISB = 0xd5033fdf
	encodedRET = 0xd65f0000
	encodedB   = 0x14000000
	encodedBL  = 0x94000000
	undefined  = 1 << 16 // numbers below this are UDF
)

// encode returns the encoding of an instruction in canonical form.
func encode(text string) (uint64, bool) {
	name, ops := litmus.Cell{Text: text}.Split()
	operand := func(i int) string {
		if i < len(ops) {
			return strings.ToUpper(ops[i].Text)
		}
		return ""
	}
	register := func(i int) (n, wide uint64, ok bool) {
		text := operand(i)
		if text == "WZR" || text == "XZR" {
			return 31, uint64('X'-text[0]) ^ 1, true
		}
		if len(text) < 2 || text[0] != 'W' && text[0] != 'X' {
			return 0, 0, false
		}
		v, err := strconv.Atoi(text[1:])
		if text[0] == 'X' {
			wide = 1
		}
		return uint64(v), wide, err == nil && v >= 0 && v < 31
	}
	number := func(i int, limit uint64) (uint64, bool) {
		v, err := litmus.ParseNumber(strings.TrimPrefix(operand(i), "#"))
		return v, err == nil && v < limit && strings.HasPrefix(operand(i), "#")
	}
	switch up := strings.ToUpper(name.Text); up {
	case "NOP":
		return encodedNOP, len(ops) == 0
	case "UDF":
		v, ok := number(0, undefined)
		return v, ok && len(ops) == 1
	case "CMP":
		n, wide, ok := register(0)
		m, same, okSecond := register(1)
		return 0x6b00001f | wide<<31 | m<<16 | n<<5, ok && okSecond && wide == same && len(ops) == 2
	case "ISB":
		return encodedISB, len(ops) == 0 || len(ops) == 1 && operand(0) == "SY"
	case "RET":
		if len(ops) == 0 {
			return encodedRET | 30<<5, true
		}
		n, wide, ok := register(0)
		return encodedRET | n<<5, ok && wide == 1
	case "B", "BL":
		base := map[string]uint64{"B": encodedB, "BL": encodedBL}[up]
		bytes, err := strconv.Atoi(strings.TrimPrefix(operand(0), "."))
		return base | uint64(bytes/4)&(1<<26-1), err == nil && bytes%4 == 0 && strings.HasPrefix(operand(0), ".")
	case "MOV", "MOVZ":
		n, wide, ok := register(0)
		v, small := number(1, 1<<16)
		return 0x52800000 | wide<<31 | v<<5 | n, ok && small && len(ops) == 2
	case "ADD", "SUB":
		to, wide, ok := register(0)
		from, same, okFrom := register(1)
		v, small := number(2, 1<<12)
		base := map[string]uint64{"ADD": 0x11000000, "SUB": 0x51000000}[up]
		return base | wide<<31 | v<<10 | from<<5 | to, ok && okFrom && wide == same && small && len(ops) == 3
	case "CBZ", "CBNZ":
		n, wide, ok := register(0)
		base := map[string]uint64{"CBZ": 0x34000000, "CBNZ": 0x35000000}[up]
		bytes, err := strconv.Atoi(strings.TrimPrefix(operand(1), "."))
		return base | wide<<31 | uint64(bytes/4)&(1<<19-1)<<5 | n,
			ok && err == nil && bytes%4 == 0 && strings.HasPrefix(operand(1), ".")
	case "LDR", "STR":
		n, wide, ok := register(0)
		base := map[string]uint64{"LDR": 0xb9400000, "STR": 0xb9000000}[up]
		inside := strings.TrimSuffix(strings.TrimPrefix(operand(1), "["), "]")
		from, err := strconv.Atoi(strings.TrimPrefix(inside, "X"))
		return base | wide<<30 | uint64(from)<<5 | n, ok && err == nil && len(ops) == 2 && from >= 0 && from < 31
	}
	return 0, false
}

// decode returns the instruction with an encoding, of those that may be modified while another thread runs them.
func decode(v uint64) (string, bool) {
	branch := distance(int(int32(v<<6)) >> 6 * 4)
	switch {
	case v == encodedNOP:
		return "NOP", true
	case v == encodedISB:
		return "ISB", true
	case v&^(1<<26-1) == encodedB:
		return "B " + branch, true
	case v&^(1<<26-1) == encodedBL:
		return "BL " + branch, true
	}
	return "", false
}

// canonical returns an instruction of a thread with distances for labels.
func canonical(b *lower.Builder, cell litmus.Cell, id, at int) string {
	name, ops := cell.Split()
	parts := []string{}
	for i, o := range ops {
		text := strings.Join(strings.Fields(o.Text), "")
		up := strings.ToUpper(name.Text)
		target := up == "B" || up == "BL" || (up == "CBZ" || up == "CBNZ") && i == 1
		if target && litmus.IsLabel(text) && !strings.HasPrefix(text, ".") {
			if _, to, ok := b.LabelAt(id, o); ok {
				text = distance(4 * (to - at))
			}
		} else if !target {
			text = strings.ToUpper(text)
		}
		parts = append(parts, text)
	}
	return strings.TrimSpace(strings.ToUpper(name.Text) + " " + strings.Join(parts, ","))
}

func distance(bytes int) string {
	if bytes < 0 {
		return "." + strconv.Itoa(bytes)
	}
	return ".+" + strconv.Itoa(bytes)
}

// addCode adds an instruction to those that are values.
func (s *system) addCode(b *lower.Builder, pos litmus.Pos, text string) uint64 {
	if v, ok := s.encoding[text]; ok {
		return v
	}
	v, ok := encode(text)
	if !ok {
		b.Failf(pos, "%s: %s is not supported as an instruction that is read or modified: want NOP, ISB, B, BL, RET, "+
			"UDF, CBZ, CBNZ, CMP, MOV, ADD or SUB with a number, or LDR or STR without an offset", b.Test.Arch, text)
	}
	s.encoding[text] = v
	s.codes = append(s.codes, code{text, v})
	return v
}

// codeValue returns the number of an instruction that is a value.
func (s *system) codeValue(b *lower.Builder, l litmus.Literal) uint64 {
	name, ops := litmus.Cell{Pos: l.Pos, Text: l.Code}.Split()
	parts := []string{}
	for _, o := range ops {
		parts = append(parts, strings.ToUpper(strings.Join(strings.Fields(o.Text), "")))
	}
	return s.addCode(b, l.Pos, strings.TrimSpace(strings.ToUpper(name.Text)+" "+strings.Join(parts, ",")))
}

// findCode finds the instructions that may be modified, and makes each a location.
func (s *system) findCode(b *lower.Builder) {
	site := func(id int, w litmus.Word) {
		t, at, ok := b.LabelAt(id, w)
		if !ok {
			return
		}
		if _, again := s.sites[[2]int{t, at}]; again {
			return
		}
		n := 0
		for _, c := range b.Test.Threads[t].Cells {
			_, rest := c.Labels()
			if rest.Text == "" {
				continue
			}
			if n++; n == at+1 {
				init := s.addCode(b, rest.Pos, canonical(b, rest, id, at))
				name := "P" + strconv.Itoa(id) + ":" + w.Text
				s.sites[[2]int{t, at}] = b.AddLocation(w.Pos, name, 32, b.CodeAddress(t, at), init)
			}
		}
	}
	eachPlace(b.Test, func(litmus.Place) {}, func(l litmus.Literal) {
		if l.Label {
			site(l.Thread, litmus.Word{Pos: l.Pos, Text: l.Name})
		}
		if l.Code != "" {
			s.codeValue(b, l)
		}
		if text, ok := decode(l.Bits); ok && l.Name == "" {
			s.addCode(b, l.Pos, text)
		}
	})
	for _, th := range b.Test.Threads {
		for _, c := range th.Cells {
			_, rest := c.Labels()
			if name, ops := rest.Split(); strings.EqualFold(name.Text, "ADR") && len(ops) == 2 &&
				litmus.IsLabel(ops[1].Text) {
				site(th.ID, ops[1])
			}
		}
	}
}

// fetched emits the fetch of the current instruction and what it may be, if it may be modified. It reports whether it
// did.
func (x *instr) fetched() bool {
	if x.sys == nil || x.handling != nil || x.decoded {
		return false
	}
	x.walkForFetch()
	loc, ok := x.sys.sites[[2]int{x.codeThread(), x.here()}]
	if !ok {
		return false
	}
	tags := ir.Tags{tagImplicit, tagFetch}
	if x.sys.idc {
		tags = append(tags, tagIDC)
	}
	if x.sys.dic {
		tags = append(tags, tagDIC)
	}
	read := ir.Load{Dst: x.Temp(32), Addr: ir.Addr{Loc: loc, Bits: 64}, Bits: 32, Tags: tags, At: ir.Locs{loc}}
	x.EmitHidden(read)
	v := x.Value(read.Dst)
	var ends []int
	for _, c := range x.sys.codes {
		skip := x.PC()
		x.Builder.Emit(ir.Branch{Cond: ir.Not(ir.Eq.Of(v, ir.Number(c.value, 32)))})
		x.run(c)
		ends = append(ends, x.PC())
		x.Builder.Emit(ir.Branch{})
		x.SetTarget(skip, x.PC())
	}
	x.When(ir.Ult.Of(v, ir.Number(undefined, 32)), func() { x.fault("UndefinedInstruction", nil, nil) })
	x.lostAt(ir.Resize(v, 64), "fetches %s, which is no instruction of the test")
	for _, pc := range ends {
		x.SetTarget(pc, x.PC())
	}
	return true
}

// run emits an instruction in the place of the current one. A branch out of the thread is an error of the execution.
func (x *instr) run(c code) {
	name, ops := litmus.Cell{Pos: x.Name.Pos, Text: c.text}.Split()
	for _, o := range ops {
		if bytes, err := strconv.Atoi(strings.TrimPrefix(o.Text, ".")); err == nil && strings.HasPrefix(o.Text, ".") {
			if to := x.here() + bytes/4; to < 0 || to > x.LengthOf(x.codeThread()) {
				x.Builder.Emit(ir.Lost{To: ir.Number(x.CodeAddress(x.codeThread(), x.here())+uint64(bytes), 64)})
				x.End(nil)
				return
			}
		}
	}
	y := *x
	y.Name, y.Ops, y.decoded = name, ops, true
	y.lower()
}

// defineMaintenance adds maintenance of caches.
func defineMaintenance() {
	define("DC", 2, 2, func(x *instr) {
		if !strings.EqualFold(x.Ops[0].Text, "CVAU") {
			x.Fail(0, "%s is not supported: want CVAU", x.Ops[0].Text)
			return
		}
		x.maintain(tagClean)
	})
	define("IC", 1, 2, func(x *instr) {
		switch what := strings.ToUpper(x.Ops[0].Text); {
		case what == "IVAU" && len(x.Ops) == 2:
			x.maintain(tagDrop, tagLine)
		case what == "IALLUIS" && len(x.Ops) == 1:
			x.maintain(tagDrop, tagWhole)
		case what == "IALLU" && len(x.Ops) == 1:
			x.maintain(tagDrop, tagOwn)
		default:
			x.Fail(0, "%s is not supported: want IVAU and a register, IALLU or IALLUIS", x.Ops[0].Text)
		}
	})
}

// maintain emits maintenance of caches for the line at an address, in the second operand, or for all. An address
// outside all locations concerns none of them.
func (x *instr) maintain(tags ...ir.Tag) {
	if x.sys == nil || !x.sys.fetches {
		x.needs("modified instructions", false)
		return
	}
	op := ir.Fence{Tags: tags}
	if len(x.Ops) == 2 {
		at := x.Keep(x.read(x.regOf(1, 64)))
		if x.sys.signs != nil {
			at = x.canonical(at)
		}
		if x.sys.translates {
			at = x.walk(at, false).physical
		}
		op.Addr = x.knownAddress(physical(at))
	}
	x.Builder.Emit(op)
}

// nowhere is the location that maintenance gets if its address is that of no location.
const (
	nowhere   = "elsewhere()"
	nowhereAt = 0x3c7a_0000_0000
)
