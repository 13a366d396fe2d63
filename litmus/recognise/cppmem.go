package recognise

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"litmuscope/litmus"
)

// CppMem's tests are C++-like programs with one block of parallel threads:
//
//	int main() {
//	  atomic_int x = 0; int y = 0;
//	  {{{ { y = 1; x.store(1, memory_order_release); }
//	  ||| { r1 = x.load(memory_order_acquire).readsvalue(1); r2 = y; } }}}
//	  return 0;
//	}
//
// readsvalue restricts the executions that CppMem draws; in the litmus test, it becomes the condition. Only
// straight-line code is converted: each other statement is refused with its line.

// memObject is a location of a CppMem test.
type memObject struct {
	name   string
	atomic bool
	value  string
}

// cppMem converts one test.
type cppMem struct {
	text    string
	at      int
	file    string
	objects []memObject
	threads [][]string
	facts   []string // of the condition
	fresh   int
}

// fromCppMem returns the C litmus test of a CppMem test.
func fromCppMem(file, source string) (test string, err error) {
	defer func() {
		if e := recover(); e != nil {
			bad, ok := e.(*litmus.Error)
			if !ok {
				panic(e)
			}
			err = bad
		}
	}()
	c := &cppMem{file: file, text: withoutComments(strings.ReplaceAll(source, "\r\n", "\n"))}
	c.program()
	return c.print(), nil
}

// failf stops the conversion with an error at an offset.
func (c *cppMem) failf(at int, format string, args ...any) {
	start := strings.LastIndexByte(c.text[:at], '\n') + 1
	panic(litmus.Errorf(litmus.Pos{File: c.file, Line: lineOf(c.text, at), Col: at - start + 1}, format, args...))
}

func (c *cppMem) skip() {
	for c.at < len(c.text) && strings.IndexByte(" \t\n\r", c.text[c.at]) >= 0 {
		c.at++
	}
}

// accept skips a token if it comes next.
func (c *cppMem) accept(token string) bool {
	c.skip()
	if !strings.HasPrefix(c.text[c.at:], token) {
		return false
	}
	c.at += len(token)
	return true
}

func (c *cppMem) expect(token string) {
	if !c.accept(token) {
		c.failf(c.at, "got %q, want %q", c.next(), token)
	}
}

// next returns the rest of the line, shortened, for messages.
func (c *cppMem) next() string {
	line, _, _ := strings.Cut(c.text[c.at:], "\n")
	return litmus.Shorten(strings.TrimSpace(line))
}

// statement reads up to the next semicolon, and returns the text and its offset.
func (c *cppMem) statement() (text string, at int) {
	c.skip()
	n := strings.IndexAny(c.text[c.at:], ";{}")
	if n < 0 || c.text[c.at+n] != ';' {
		c.failf(c.at, "got %q, want a statement and ;: only stores, loads and assignments can be converted", c.next())
	}
	text, at = strings.TrimSpace(c.text[c.at:c.at+n]), c.at
	c.at += n + 1
	return strings.Join(strings.Fields(text), " "), at
}

var (
	memMain    = litmus.Pattern(`^\s*(#[^\n]*\n\s*|using\s[^;]*;\s*)*int\s+main\s*\(\s*(void)?\s*\)\s*\{`)
	memDeclare = litmus.Pattern(`^(atomic_int|atomic<int>|std::atomic<int>|std::atomic_int|int) (.+)$`)
	memInitial = litmus.Pattern(`^(\w+)\s*(?:=\s*(-?\d+)|\{\s*(-?\d+)\s*\}|\(\s*(-?\d+)\s*\))$`)
	memLoad    = litmus.Pattern(`^(?:(?:int )?(\w+) ?= ?)?(\w+)\.load ?\( ?(\w*) ?\)(?:\.readsvalue ?\( ?(-?\d+) ?\))?$`)
	memStore   = litmus.Pattern(`^(\w+)\.store ?\( ?(-?\w+) ?(?:, ?(\w+) ?)?\)$`)
	memFence   = litmus.Pattern(`^(?:std::)?(?:atomic_thread_)?fence ?\( ?(\w+) ?\)$`)
	memAssign  = litmus.Pattern(`^(?:int )?(\w+) ?= ?(-?\w+)(?:\.readsvalue ?\( ?(-?\d+) ?\))?$`)
	memName    = litmus.Pattern(`^[A-Za-z_]\w*$`)
)

// program reads declarations, the parallel block and the end.
func (c *cppMem) program() {
	m := memMain().FindString(c.text)
	if m == "" {
		c.failf(0, "want int main() { at the beginning")
	}
	c.at = len(m)
	for !c.accept("{{{") {
		c.declaration()
	}
	for {
		if len(c.threads) == maxThreads {
			c.failf(c.at, "a test with more than %d threads cannot be converted", maxThreads)
		}
		c.thread()
		if c.accept("}}}") {
			break
		}
		c.expect("|||")
	}
	c.accept(";")
	if c.accept("return") {
		c.expect("0")
		c.expect(";")
	}
	c.expect("}")
	if c.skip(); c.at < len(c.text) {
		c.failf(c.at, "got %q, want the end of the test", c.next())
	}
}

// declaration reads "atomic_int x = 0, y = 0;".
func (c *cppMem) declaration() {
	text, at := c.statement()
	m := memDeclare().FindStringSubmatch(text)
	if m == nil {
		c.failf(at, "got %q, want a declaration such as atomic_int x = 0, or {{{", litmus.Shorten(text))
	}
	for _, part := range strings.Split(m[2], ",") {
		d := memInitial().FindStringSubmatch(strings.TrimSpace(part))
		if d == nil {
			c.failf(at, "%s has no initial value that is a number: write one, as in %s = 0",
				litmus.Shorten(strings.TrimSpace(part)), litmus.Shorten(strings.TrimSpace(part)))
		}
		if c.object(d[1]) != nil {
			c.failf(at, "%s is declared twice", d[1])
		}
		c.objects = append(c.objects, memObject{d[1], m[1] != "int", d[2] + d[3] + d[4]})
	}
}

func (c *cppMem) object(name string) *memObject {
	i := slices.IndexFunc(c.objects, func(o memObject) bool { return o.name == name })
	if i < 0 {
		return nil
	}
	return &c.objects[i]
}

// thread reads one block of the parallel threads.
func (c *cppMem) thread() {
	braced := c.accept("{")
	var code []string
	registers := map[string]bool{}
	for {
		c.skip()
		rest := c.text[c.at:]
		if strings.HasPrefix(rest, "|||") || !braced && strings.HasPrefix(rest, "}}}") {
			break
		}
		if braced && c.accept("}") {
			break
		}
		text, at := c.statement()
		code = append(code, c.convert(text, at, registers)...)
	}
	c.threads = append(c.threads, code)
}

// register returns the declaration of a register, or its name if the thread has assigned it before.
func (c *cppMem) register(name string, at int, known map[string]bool) string {
	if name == "" {
		c.fresh++
		name = "seen" + strconv.Itoa(c.fresh)
	}
	if !memName().MatchString(name) {
		c.failf(at, "got %q, want the name of a register", litmus.Shorten(name))
	}
	if known[name] {
		return name
	}
	known[name] = true
	return "int " + name
}

// value checks a number, or a register that has a value.
func (c *cppMem) value(text string, at int, known map[string]bool) string {
	if _, err := strconv.Atoi(text); err == nil || known[text] {
		return text
	}
	if c.object(text) != nil {
		c.failf(at, "%s is a location: load it into a register first", litmus.Shorten(text))
	}
	c.failf(at, "%s has no value here", litmus.Shorten(text))
	return ""
}

// order checks a memory order; "" is memory_order_seq_cst.
func (c *cppMem) order(text string, at int) string {
	text = strings.Replace(text, "mo_", "memory_order_", 1)
	text = strings.Replace(text, "memory_order_memory_order_", "memory_order_", 1)
	switch strings.TrimPrefix(text, "memory_order_") {
	case "":
		return "memory_order_seq_cst"
	case "relaxed", "acquire", "release", "acq_rel", "consume", "seq_cst":
		return text
	}
	c.failf(at, "unknown memory order %s", litmus.Shorten(text))
	return ""
}

// convert returns the C statements of one statement.
func (c *cppMem) convert(text string, at int, known map[string]bool) []string {
	if m := memLoad().FindStringSubmatch(text); m != nil {
		o := c.object(m[2])
		if o == nil || !o.atomic {
			c.failf(at, "%s is not declared as atomic_int", litmus.Shorten(m[2]))
		}
		return c.assign(m[1], fmt.Sprintf("atomic_load_explicit(%s, %s)", o.name, c.order(m[3], at)), m[4], at, known)
	}
	if m := memStore().FindStringSubmatch(text); m != nil {
		o := c.object(m[1])
		if o == nil || !o.atomic {
			c.failf(at, "%s is not declared as atomic_int", litmus.Shorten(m[1]))
		}
		return []string{
			fmt.Sprintf("atomic_store_explicit(%s, %s, %s);", o.name, c.value(m[2], at, known), c.order(m[3], at)),
		}
	}
	if m := memFence().FindStringSubmatch(text); m != nil {
		return []string{"atomic_thread_fence(" + c.order(m[1], at) + ");"}
	}
	m := memAssign().FindStringSubmatch(text)
	if m == nil {
		c.failf(at, "%q cannot be converted: only stores, loads, fences and assignments can", litmus.Shorten(text))
	}
	right := m[2]
	switch o := c.object(right); {
	case o != nil && o.atomic:
		right = "atomic_load_explicit(" + o.name + ", memory_order_seq_cst)"
	case o != nil:
		right = "*" + o.name
	default:
		right = c.value(right, at, known)
	}
	return c.assign(m[1], right, m[3], at, known)
}

// assign returns the statements that assign a value to a register or a location, and records what readsvalue wants.
func (c *cppMem) assign(to, value, reads string, at int, known map[string]bool) []string {
	thread := strconv.Itoa(len(c.threads))
	o := c.object(to)
	if o == nil {
		target := c.register(to, at, known)
		if reads != "" {
			if !strings.HasPrefix(target, "int ") {
				c.failf(at, "%s is assigned twice: the condition can only name its last value", litmus.Shorten(to))
			}
			c.facts = append(c.facts, thread+":"+strings.TrimPrefix(target, "int ")+"="+reads)
		} else if slices.ContainsFunc(c.facts, func(f string) bool { return strings.HasPrefix(f, thread+":"+to+"=") }) {
			c.failf(at, "%s is assigned twice: the condition can only name its last value", litmus.Shorten(to))
		}
		return []string{target + " = " + value + ";"}
	}
	var out []string
	if reads != "" {
		target := c.register("", at, known)
		name := strings.TrimPrefix(target, "int ")
		c.facts = append(c.facts, thread+":"+name+"="+reads)
		out, value = append(out, target+" = "+value+";"), name
	}
	if o.atomic {
		return append(out, "atomic_store_explicit("+o.name+", "+value+", memory_order_seq_cst);")
	}
	return append(out, "*"+o.name+" = "+value+";")
}

// print returns the C test.
func (c *cppMem) print() string {
	var b strings.Builder
	b.WriteString("C CppMem\n{\n")
	var params []string
	for _, o := range c.objects {
		b.WriteString("  " + o.name + " = " + o.value + ";\n")
		typ := "int *"
		if o.atomic {
			typ = "atomic_int *"
		}
		params = append(params, typ+o.name)
	}
	b.WriteString("}\n")
	for i, code := range c.threads {
		b.WriteString(fmt.Sprintf("\nP%d(%s) {\n", i, strings.Join(params, ", ")))
		for _, line := range code {
			b.WriteString("  " + line + "\n")
		}
		b.WriteString("}\n")
	}
	condition := "true"
	if len(c.facts) > 0 {
		condition = strings.Join(c.facts, ` /\ `)
	}
	b.WriteString("\nexists (" + condition + ")\n")
	return b.String()
}
