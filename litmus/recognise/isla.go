package recognise

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"litmuscope/litmus"
)

// isla's litmus tests are TOML files:
//
//	arch = "AArch64"
//	name = "MP"
//	symbolic = ["x", "y"]
//
//	[thread.0]
//	init = { X1 = "x", X3 = "y" }
//	code = """
//		MOV W0,#1
//		STR W0,[X1]
//	"""
//
//	[final]
//	expect = "sat"
//	assertion = "1:X0 = 1 & 1:X2 = 0"
//
// Only what this needs of TOML is read. A key that would change the meaning of the test, such as one for page tables,
// is refused with its line.

// islaTest is a test of isla.
type islaTest struct {
	arch, name string
	init       []string // items of the init block
	threads    [][]string
	expect     string
	assertion  string
	asserted   int // line
}

// maxThreads bounds the threads of a test that is converted.
const maxThreads = 64

// ignored are the keys that say nothing about the program, for the top of the file.
var ignored = map[string]bool{
	"symbolic": true, "hash": true, "cycle": true, "relax": true, "safe": true, "prefetch": true, "com": true,
	"orig": true, "generator": true, "objdump": true, "description": true, "note": true,
}

var (
	tomlTable = litmus.Pattern(`^\[\s*([\w.]+)\s*\]\s*(#.*)?$`)
	tomlKey   = litmus.Pattern(`^("[^"]*"|[\w-]+)\s*=\s*(.*)$`)
	tomlItem  = litmus.Pattern(`^\s*"?([\w*]+)"?\s*=\s*(?:"([^"]*)"|(-?\w+))\s*$`)
	islaReg   = litmus.Pattern(`^R(\d+)$`)
	islaValue = litmus.Pattern(`^(-?\d+|0x[0-9a-fA-F]+|#x[0-9a-fA-F]+|[A-Za-z_]\w*)$`)
	islaCode  = litmus.Pattern(`^[\w.$]+:$`)
)

// fromIsla returns the litmus test of a test of isla.
func fromIsla(file, source string) (string, error) {
	t := &islaTest{}
	lines := strings.Split(strings.ReplaceAll(source, "\r\n", "\n"), "\n")
	table := ""
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		pos := litmus.Pos{File: file, Line: i + 1, Col: 1}
		if line == "" || line[0] == '#' {
			continue
		}
		if m := tomlTable().FindStringSubmatch(line); m != nil {
			table = m[1]
			if err := t.begin(pos, table); err != nil {
				return "", err
			}
			continue
		}
		m := tomlKey().FindStringSubmatch(line)
		if m == nil {
			return "", litmus.Errorf(pos, "got %q, want a key with its value, or a [table]", litmus.Shorten(line))
		}
		key, value := strings.Trim(m[1], `"`), m[2]
		for _, quotes := range []string{`"""`, "'''"} {
			inside, many := strings.CutPrefix(value, quotes)
			if !many {
				continue
			}
			text := []string{inside}
			for !strings.Contains(text[len(text)-1], quotes) {
				if i++; i == len(lines) {
					return "", litmus.Errorf(pos, "%s is not closed: want %s", key, quotes)
				}
				text = append(text, lines[i])
			}
			value, _, _ = strings.Cut(strings.Join(text, "\n"), quotes)
		}
		if err := t.set(pos, table, key, value); err != nil {
			return "", err
		}
	}
	return t.print(file)
}

// begin starts a table.
func (t *islaTest) begin(pos litmus.Pos, table string) error {
	parts := strings.Split(table, ".")
	switch {
	case table == "final", table == "locations":
		return nil
	case parts[0] == "thread" && (len(parts) == 2 || len(parts) == 3 && (parts[2] == "init" || parts[2] == "reset")):
		n, err := strconv.Atoi(parts[1])
		if next := len(t.threads); err != nil || n != next && (n != next-1 || len(parts) == 2) {
			return litmus.Errorf(pos, "got [%s], want [thread.%d]", litmus.Shorten(table), next)
		} else if next == maxThreads {
			return litmus.Errorf(pos, "a test with more than %d threads cannot be converted", maxThreads)
		} else if n == next {
			t.threads = append(t.threads, nil)
		}
		return nil
	}
	return litmus.Errorf(pos, "[%s] cannot be converted", litmus.Shorten(table))
}

// set sets a key of a table.
func (t *islaTest) set(pos litmus.Pos, table, key, value string) error {
	text := strings.Trim(strings.TrimSpace(value), `"'`)
	parts := strings.Split(table, ".")
	switch {
	case table == "" && key == "arch":
		t.arch = text
	case table == "" && key == "name":
		t.name = text
	case table == "" && ignored[key]:
	case table == "final" && key == "expect":
		t.expect = text
	case table == "final" && key == "assertion":
		t.assertion, t.asserted = text, pos.Line
	case table == "locations":
		return t.item(pos, "", key+" = "+value)
	case len(parts) == 3:
		return t.item(pos, parts[1], key+" = "+value)
	case parts[0] == "thread" && (key == "init" || key == "reset"):
		inside := strings.TrimSpace(value)
		if !strings.HasPrefix(inside, "{") || !strings.HasSuffix(inside, "}") {
			return litmus.Errorf(pos, "got %q, want { register = value, ... } on one line", litmus.Shorten(inside))
		}
		for _, item := range strings.Split(strings.Trim(inside, "{}"), ",") {
			if strings.TrimSpace(item) == "" {
				continue
			}
			if err := t.item(pos, parts[1], item); err != nil {
				return err
			}
		}
	case parts[0] == "thread" && key == "code":
		t.threads[len(t.threads)-1] = islaLines(value)
	default:
		return litmus.Errorf(pos, "the key %s cannot be converted", litmus.Shorten(key))
	}
	return nil
}

// item adds an initial value of a register of a thread, or of a location if the thread is "".
func (t *islaTest) item(pos litmus.Pos, thread, text string) error {
	m := tomlItem().FindStringSubmatch(text)
	if m == nil {
		return litmus.Errorf(pos, "got %q, want a name with its value", litmus.Shorten(strings.TrimSpace(text)))
	}
	name, value := strings.TrimPrefix(m[1], "*"), m[2]+m[3]
	if !islaValue().MatchString(value) {
		return litmus.Errorf(pos, "the value %q cannot be converted", litmus.Shorten(value))
	}
	value = strings.Replace(value, "#x", "0x", 1)
	if thread != "" {
		name = thread + ":" + t.register(name)
	}
	t.init = append(t.init, name+"="+value)
	return nil
}

// register returns a register's name as tests write it: newer versions of isla write R0 for X0.
func (t *islaTest) register(name string) string {
	if m := islaReg().FindStringSubmatch(name); m != nil && litmus.ArchName(t.arch) == "AArch64" {
		return "X" + m[1]
	}
	return name
}

// islaLines splits code into instructions; a label stands before the next one.
func islaLines(code string) (out []string) {
	label := ""
	for line := range strings.Lines(code) {
		line, _, _ = strings.Cut(line, "//")
		for _, part := range strings.Split(line, ";") {
			part = strings.Join(strings.Fields(part), " ")
			switch {
			case part == "":
			case islaCode().MatchString(part):
				label += part + " "
			default:
				out, label = append(out, label+part), ""
			}
		}
	}
	if label != "" {
		out = append(out, strings.TrimSpace(label))
	}
	return out
}

// assertions are the parts of an assertion, each with what tests write.
var assertions = []struct {
	pattern func() *regexp.Regexp
	write   func(t *islaTest, m []string) string
}{
	{litmus.Pattern(`^\s+`), func(*islaTest, []string) string { return "" }},
	{litmus.Pattern(`^(\d+):(\w+)\s*=\s*(-?\w+|#x[0-9a-fA-F]+)`), func(t *islaTest, m []string) string {
		return m[1] + ":" + t.register(m[2]) + "=" + strings.Replace(m[3], "#x", "0x", 1)
	}},
	{litmus.Pattern(`^\*?([A-Za-z_]\w*)\s*=\s*(-?\w+|#x[0-9a-fA-F]+)`), func(_ *islaTest, m []string) string {
		return m[1] + "=" + strings.Replace(m[2], "#x", "0x", 1)
	}},
	{litmus.Pattern(`^&&?`), func(*islaTest, []string) string { return ` /\ ` }},
	{litmus.Pattern(`^\|\|?`), func(*islaTest, []string) string { return ` \/ ` }},
	{litmus.Pattern(`^(~|!)`), func(*islaTest, []string) string { return "~" }},
	{litmus.Pattern(`^true\b`), func(*islaTest, []string) string { return "true" }},
	{litmus.Pattern(`^[()]`), func(_ *islaTest, m []string) string { return m[0] }},
}

// condition returns the test's condition.
func (t *islaTest) condition(file string) (string, error) {
	out, rest := "", t.assertion
next:
	for rest != "" {
		for _, a := range assertions {
			if m := a.pattern().FindStringSubmatch(rest); m != nil {
				out += a.write(t, m)
				rest = rest[len(m[0]):]
				continue next
			}
		}
		return "", litmus.Errorf(litmus.Pos{File: file, Line: t.asserted, Col: 1},
			"the assertion cannot be converted from %q on", litmus.Shorten(rest))
	}
	quantifier := "exists"
	if t.expect == "unsat" {
		quantifier = "~exists"
	}
	return quantifier + " (" + out + ")", nil
}

// print returns the litmus test.
func (t *islaTest) print(file string) (string, error) {
	start := litmus.Pos{File: file, Line: 1, Col: 1}
	if len(t.threads) == 0 || t.assertion == "" || t.arch == "" {
		return "", litmus.Errorf(start, "the test has no architecture, no [thread.0] or no assertion")
	}
	name := strings.Join(strings.Fields(t.name), "-")
	if name == "" {
		name = "isla"
	}
	condition, err := t.condition(file)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n{ %s }\n", litmus.ArchName(t.arch), name, strings.Join(append(t.init, ""), "; "))
	rows := 0
	for i, code := range t.threads {
		if i > 0 {
			b.WriteString(" |")
		}
		fmt.Fprintf(&b, " P%d", i)
		rows = max(rows, len(code))
	}
	b.WriteString(" ;\n")
	for r := range rows {
		for i, code := range t.threads {
			if i > 0 {
				b.WriteString(" |")
			}
			if r < len(code) {
				b.WriteString(" " + code[r])
			}
		}
		b.WriteString(" ;\n")
	}
	b.WriteString(condition + "\n")
	return b.String(), nil
}
