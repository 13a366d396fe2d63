package native

import (
	"fmt"
	"slices"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/ir"
)

// object is a variable of the test: a location, or an array. The locations in it are adjacent.
type object struct {
	name    string
	address uint64 // its number in outcomes
	size    int    // bytes
}

// variable returns the number that the addresses of one variable share: those of different variables are far apart.
func variable(address uint64) uint64 {
	if address>>32 == 0 {
		return address >> 16
	}
	return address >> 22
}

// layOut finds the objects.
func (a *assembler) layOut() {
	for i := range a.program.Locs {
		l := &a.program.Locs[i]
		name, _, _ := strings.Cut(l.Name, "[")
		k := a.objectOf(l.Address)
		if k < 0 {
			k = len(a.objects)
			a.objects = append(a.objects, object{name: name, address: l.Address})
		}
		o := &a.objects[k]
		if l.Address < o.address {
			o.size += int(o.address - l.Address)
			o.name, o.address = name, l.Address
		}
		o.size = max(o.size, int(l.Address-o.address)+l.Bits/8)
	}
}

// objectOf returns the index of the object with an address, or -1.
func (a *assembler) objectOf(address uint64) int {
	return slices.IndexFunc(a.objects, func(o object) bool { return variable(o.address) == variable(address) })
}

// initial splits an initial value into an object, or -1, and a number that is added to the object's address.
func (a *assembler) initial(v uint64) (target int, rest uint64) {
	for k, o := range a.objects {
		if v >= o.address && v-o.address <= litmus.MaxBehind {
			return k, v - o.address
		}
	}
	return -1, v
}

// tables writes what the program around the test reads.
func (a *assembler) tables() {
	p := a.program
	a.printf("static const struct object object%s[] = {", numberMark)
	for _, o := range a.objects {
		a.printf("\n  {%s, %d, %#x},", quote(o.name), o.size, o.address)
	}
	a.end(len(a.objects), `{"", 1, 0}`)
	initials := a.initials()
	a.observed()
	addresses := 0
	a.printf("static const struct address address%s[] = {", numberMark)
	for _, l := range p.Locs {
		if l.Offset == 0 {
			addresses++
			a.printf("\n  {%#x, %s},", l.Address, quote(strings.TrimSuffix(l.Name, "[0]")))
		}
	}
	a.end(addresses, `{0, ""}`)
	a.proposition("holds", p.Condition.Prop)
	accepts := "0"
	if p.Filter != nil {
		a.proposition("accepts", p.Filter)
		accepts = "accepts" + numberMark
	}
	if a.test.Arch != "PTX" {
		a.printf("static void (*const run%s[])(char *const *at, unsigned long *out) = {", numberMark)
		for i := range p.Threads {
			a.printf("%s", separated(i, a.function(i)))
		}
		a.printf("};\n")
	}
	a.printf("static const int results%s[] = {", numberMark)
	for i := range p.Threads {
		a.printf("%s", separated(i, fmt.Sprint(max(1, len(a.results[i])))))
	}
	a.printf("};\nstatic const struct test test%s = {\n", numberMark)
	a.printf("  .path = %s, .name = %s,\n  .source =\n    %s,\n", quote(a.path()), quote(p.Name), quote(a.test.Source))
	a.printf("  .kind = %s, .condition = %s, .hash = %s,\n", quote(kind(p.Condition.Quantifier)),
		quote(p.Question), a.hash())
	a.printf("  .threads = %d, .objects = %d, .initials = %d, .seen = %d, .shown = %d, .addresses = %d,\n",
		len(p.Threads), len(a.objects), initials, len(p.Observed), p.Shown, addresses)
	low := 0
	if a.low {
		low = 1
	}
	runs := ".run = run"
	if a.test.Arch == "PTX" {
		runs = ".kernel = &kernel"
	}
	a.printf("  .low = %d, %[3]s%[2]s, .results = results%[2]s, .object = object%[2]s, .initial = initial%[2]s,\n",
		low, numberMark, runs)
	a.printf("  .observed = observed%[1]s, .address = address%[1]s, .holds = holds%[1]s, .accepts = %[2]s,\n};\n",
		numberMark, accepts)
}

// end ends a table of n rows. One without rows gets an empty one, because C has no empty tables.
func (a *assembler) end(n int, empty string) {
	if n == 0 {
		a.printf("%s", empty)
	} else {
		a.printf("\n")
	}
	a.printf("};\n")
}

func separated(i int, text string) string {
	if i > 0 {
		return ", " + text
	}
	return text
}

// function is the name of the function of thread i.
func (a *assembler) function(i int) string {
	return fmt.Sprintf("P%d%s", a.program.Threads[i].ID, numberMark)
}

// initials writes the initial values that are not 0, and returns their number.
func (a *assembler) initials() int {
	n := 0
	a.printf("static const struct initial initial%s[] = {", numberMark)
	for i := range a.program.Locs {
		l := &a.program.Locs[i]
		if l.Init == 0 {
			continue
		}
		target, value := -1, l.Init
		if l.Bits >= 32 && !l.Plain {
			target, value = a.initial(l.Init)
		}
		if target >= 0 && l.Bits < a.pointerBits() {
			a.failf(litmus.Pos{File: a.test.File, Line: 1, Col: 1}, "%s has %d bits, too few for the address of %s, "+
				"which takes %d", l.Name, l.Bits, a.objects[target].name, a.pointerBits())
		}
		k := a.objectOf(l.Address)
		a.printf("\n  {%d, %d, %d, %s, %d},", k, l.Address-a.objects[k].address, a.bitsAt(i), number(value), target)
		a.low = a.low || target >= 0 && l.Bits < 64
		n++
	}
	a.end(n, "{0, 0, 0, 0, 0}")
	return n
}

// pointerBits is the least width of a variable with an address.
func (a *assembler) pointerBits() int {
	switch a.test.Arch {
	case "X86", "ARM", "MIPS":
		return 32
	}
	return 64
}

// bitsAt is the width of a location in memory.
func (a *assembler) bitsAt(loc int) int {
	if a.test.Arch == "C" {
		return a.widthInC(loc)
	}
	return a.program.Locs[loc].Bits
}

// observed writes the observed registers and locations.
func (a *assembler) observed() {
	seen := make([]int, len(a.program.Threads))
	a.printf("static const struct observed observed%s[] = {", numberMark)
	for _, o := range a.program.Observed {
		name, array := o.Name, "0"
		index, offset, bits := 0, uint64(0), o.Bits
		if o.Thread >= 0 {
			index = seen[o.Thread]
			seen[o.Thread]++
		} else {
			l := &a.program.Locs[o.Index]
			index = a.objectOf(l.Address)
			offset = l.Address - a.objects[index].address
			if a.test.Arch == "C" {
				bits = a.widthInC(o.Index)
			}
			if !strings.Contains(name, "[") {
				name = "[" + name + "]"
			}
			if bits > 64 {
				a.failf(a.test.Condition.Pos, "%s has %d bits, and hw prints at most 64", o.Name, bits)
			}
		}
		if o.Whole != "" {
			array = quote(o.Whole)
		}
		signed := 0
		if o.Signed {
			signed = 1
		}
		a.printf("\n  {%s, %s, %d, %d, %d, %d, %d},", quote(name), array, o.Thread, index, offset, bits, signed)
	}
	a.end(len(a.program.Observed), `{"", 0, -1, 0, 0, 8, 0}`)
}

// kind is the word of logs for a quantifier.
func kind(q litmus.Quantifier) string {
	switch q {
	case litmus.NotExists:
		return "Forbidden"
	case litmus.Forall:
		return "Required"
	}
	return "Allowed"
}

// hash is the hash of the test, if its header has one.
func (a *assembler) hash() string {
	for _, i := range a.test.Info {
		if i.Key == "Hash" {
			return quote(i.Value)
		}
	}
	return "0"
}

// number is a C constant.
func number(v uint64) string {
	if v < 1<<31 {
		return fmt.Sprint(v)
	}
	return fmt.Sprintf("%#xu", v)
}

// proposition writes a function that evaluates a proposition over the observed values.
func (a *assembler) proposition(name string, p litmus.Prop) {
	text := litmus.EvalProp(p, expressions{}, func(c litmus.Compare) string {
		relation := "=="
		if c.NotEqual {
			relation = "!="
		}
		if c.Other >= 0 {
			return fmt.Sprintf("%s %s %s", a.value(c.Obs), relation, a.value(c.Other))
		}
		return fmt.Sprintf("v[%d] %s %s", c.Obs, relation, number(c.Value&ir.Mask(a.seenBits(c.Obs))))
	})
	a.printf("static int %s%s(const uint64_t *v) {\n  return %s;\n}\n", name, numberMark, text)
}

// seenBits is the width of an observed value as the program reads it.
func (a *assembler) seenBits(obs int) int {
	o := &a.program.Observed[obs]
	if o.Thread < 0 && a.test.Arch == "C" {
		return a.widthInC(o.Index)
	}
	return o.Bits
}

// value is an observed value as a number of 64 bits.
func (a *assembler) value(obs int) string {
	if bits := a.seenBits(obs); a.program.Observed[obs].Signed && bits < 64 {
		return fmt.Sprintf("extend(v[%d], %d)", obs, bits)
	}
	return fmt.Sprintf("v[%d]", obs)
}

// expressions makes C expressions of propositions.
type expressions struct{}

func (expressions) Bool(b bool) string {
	if b {
		return "1"
	}
	return "0"
}

func (expressions) And(args ...string) string {
	if len(args) == 0 {
		return "1"
	}
	if len(args) == 1 {
		return args[0]
	}
	return "(" + strings.Join(args, " && ") + ")"
}

func (expressions) Not(x string) string { return "!(" + x + ")" }
