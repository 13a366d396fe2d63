package assembly

import (
	"fmt"
	"strconv"
	"strings"
)

// What a module may have at most.
const (
	MostBytes  = 32 << 20 // of text
	mostItems  = 2 << 20  // units of memory, see spend
	mostDepth  = 200      // of types and constants within others
	mostDigits = 20000    // of a number: more than the widest type has
)

// Parse reads a module. The error is a [litmus.Error] with the place of the first mistake.
func Parse(file, source string) (m *Module, err error) {
	p := &parser{
		scanner: scanner{file: file, source: source, line: 1},
		module: &Module{
			File: file, Metadata: map[int]*Node{}, Lists: map[string][]*Meta{}, Groups: map[int]Attributes{},
		},
		types: map[string]*Type{}, typeAt: map[string]int{},
	}
	defer func() {
		if r := recover(); r != nil {
			f, ok := r.(failure)
			if !ok {
				panic(r)
			}
			m, err = nil, f.err
		}
	}()
	switch {
	case len(source) > MostBytes:
		p.scanner.fail(0, "the module has %d bytes, and the limit is %d", len(source), MostBytes)
	case strings.HasPrefix(source, "BC\xc0\xde") || strings.HasPrefix(source, "\xde\xc0\x17\x0b"):
		p.scanner.fail(0, "this is LLVM bitcode; convert it to text with llvm-dis, or compile with -S -emit-llvm")
	}
	p.advance()
	for p.tok.kind != end {
		p.entity()
	}
	p.finish()
	return p.module, nil
}

// parser reads a module by recursive descent, with one token of lookahead. It panics with a failure.
type parser struct {
	scanner
	tok    token
	module *Module
	last   int // the end of the token before tok
	types  map[string]*Type
	// typeNames are their names in the order of the file, and typeAt says where they are defined, or used first.
	typeNames []string
	typeAt    map[string]int
	groups    []groupUse
	depth     int
	items     int
}

// groupUse is a mention of an attribute group, whose definition may follow.
type groupUse struct {
	number int
	at     int
	into   Attributes
}

func (p *parser) advance() {
	p.last = p.at
	p.tok = p.next()
}

func (p *parser) enter() {
	if p.depth++; p.depth > mostDepth {
		p.fail("types or constants are nested more than %d deep", mostDepth)
	}
	p.spend(1)
}

// spend counts what needs memory of its own, in units of about 160 bytes.
func (p *parser) spend(n int) {
	if p.items += n; p.items > mostItems {
		p.fail("the module is too large: it has more than two million types, values and instructions")
	}
}

func (p *parser) leave() { p.depth-- }

// fail reports a mistake at the current token.
func (p *parser) fail(format string, args ...any) { p.scanner.fail(p.tok.at, format, args...) }

func (p *parser) failAt(at int, format string, args ...any) { p.scanner.fail(at, format, args...) }

// shown is the current token, as errors quote it.
func (p *parser) shown() string {
	if p.tok.kind == end {
		return "the end of the file"
	}
	return strconv.Quote(p.source[p.tok.at:min(p.at, p.tok.at+40)])
}

func (p *parser) isSign(s string) bool { return p.tok.kind == sign && p.tok.text == s }
func (p *parser) isWord(s string) bool { return p.tok.kind == word && p.tok.text == s }

func (p *parser) takeSign(s string) bool {
	if p.isSign(s) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) takeWord(s string) bool {
	if p.isWord(s) {
		p.advance()
		return true
	}
	return false
}

func (p *parser) wantSign(s string) {
	if !p.takeSign(s) {
		p.fail("want %q, got %s", s, p.shown())
	}
}

func (p *parser) wantWord(s string) {
	if !p.takeWord(s) {
		p.fail("want %q, got %s", s, p.shown())
	}
}

// takeOneOf takes a word of a list, and returns "" if there is none.
func (p *parser) takeOneOf(words ...string) string {
	if p.tok.kind == word {
		for _, w := range words {
			if p.tok.text == w {
				p.advance()
				return w
			}
		}
	}
	return ""
}

// count reads a number that is not negative and fits in 31 bits.
func (p *parser) count() int {
	n, err := strconv.ParseInt(p.tok.text, 10, 32)
	if p.tok.kind != integer || err != nil || n < 0 {
		p.fail("want a number, got %s", p.shown())
	}
	p.advance()
	return int(n)
}

// str reads a string.
func (p *parser) str() string {
	if p.tok.kind != text {
		p.fail("want a string, got %s", p.shown())
	}
	s := p.tok.text
	p.advance()
	return s
}

// entity reads a definition at the top level of the module.
func (p *parser) entity() {
	t := p.tok
	switch {
	case t.kind == word:
		switch t.text {
		case "source_filename":
			p.advance()
			p.wantSign("=")
			p.module.Source = p.str()
		case "target":
			p.advance()
			what := p.takeOneOf("datalayout", "triple")
			p.wantSign("=")
			if s := p.str(); what == "triple" {
				p.module.Triple = s
			} else {
				p.module.Layout = s
			}
		case "module":
			p.advance()
			p.wantWord("asm")
			p.str()
			p.module.Assembly = true
		case "define", "declare":
			p.function()
		case "attributes":
			p.group()
		case "uselistorder", "uselistorder_bb":
			p.skipLine()
		default:
			p.fail("unknown definition %s", p.shown())
		}
	case t.kind == local:
		p.advance()
		p.wantSign("=")
		p.define(t.text, t.at)
	case t.kind == global:
		p.global()
	case t.kind == comdat:
		p.advance()
		p.wantSign("=")
		p.wantWord("comdat")
		p.advance() // any, exactmatch, largest, nodeduplicate, samesize
	case t.kind == metadata && t.text != "":
		p.metadataDefinition()
	case t.kind == group && strings.HasPrefix(t.text, "^"):
		p.skipLine() // a summary for link-time optimisation
	default:
		p.fail("want a definition, got %s", p.shown())
	}
}

// skipLine skips a definition that does not change what a program does, and has a line of its own.
func (p *parser) skipLine() {
	for p.at < len(p.source) && p.source[p.at] != '\n' {
		p.at++
	}
	p.advance()
}

var (
	linkages = []string{
		"private", "internal", "available_externally", "linkonce", "weak", "common", "appending", "extern_weak",
		"linkonce_odr", "weak_odr", "external",
	}
	visibility = []string{
		"dso_local", "dso_preemptable", "default", "hidden", "protected", "dllimport", "dllexport",
	}
	conventions = []string{
		"swiftcorocc", "ghccc", "graalcc", "hipe_cc", "intel_ocl_bicc", "spir_kernel", "spir_func", "ptx_kernel",
		"ptx_device", "amdgpu_kernel", "amdgpu_cs", "aarch64_sve_vector_pcs", "riscv_vector_cc", "arm_apcscc",
		"x86_regcallcc", "x86_intrcc", "msp430_intrcc", "avr_intrcc", "cfguard_checkcc", "m68k_rtdcc",
		"ccc", "fastcc", "coldcc", "tailcc", "swiftcc", "swifttailcc", "webkit_jscc", "anyregcc", "preserve_mostcc",
		"preserve_allcc", "preserve_nonecc", "cxx_fast_tlscc", "x86_stdcallcc", "x86_fastcallcc", "x86_thiscallcc",
		"x86_vectorcallcc", "win64cc", "x86_64_sysvcc", "aarch64_vector_pcs", "arm_aapcscc", "arm_aapcs_vfpcc",
	}
	sanitizers = []string{
		"sanitize_memtag", "no_sanitize_address", "no_sanitize_hwaddress", "sanitize_address_dyninit",
	}
	threadLocals = []string{"localdynamic", "initialexec", "localexec"}
)

// prefixes takes words that say how a name is linked.
func (p *parser) prefixes() (linkage string) {
	for {
		if l := p.takeOneOf(linkages...); l != "" {
			linkage = l
		} else if p.takeOneOf(visibility...) == "" {
			return linkage
		}
	}
}

// global reads a global variable or an alias.
func (p *parser) global() {
	p.spend(3)
	g := &Global{Pos: p.pos(p.tok.at), Name: p.tok.text, offset: p.tok.at}
	p.advance()
	p.wantSign("=")
	g.Linkage = p.prefixes()
	g.External = g.Linkage == "external" || g.Linkage == "extern_weak"
	if p.takeWord("thread_local") {
		g.Local = true
		if p.takeSign("(") {
			if p.takeOneOf(threadLocals...) == "" {
				p.fail("unknown kind of thread-local storage %s", p.shown())
			}
			p.wantSign(")")
		}
	}
	p.takeOneOf("unnamed_addr", "local_unnamed_addr")
	if p.isWord("addrspace") {
		p.space()
	}
	p.takeWord("externally_initialized")
	switch kind := p.takeOneOf("global", "constant", "alias", "ifunc"); kind {
	case "global", "constant":
		g.Constant = kind == "constant"
		g.Type = p.typ()
		if !g.External {
			g.Init = p.value(g.Type)
		}
	case "alias":
		g.Type = p.typ()
		p.wantSign(",")
		if p.isType() {
			g.Alias = p.typed()
		} else { // LLVM prints no type before a constant expression
			g.Alias = p.value(&Type{Kind: Pointer})
		}
	case "ifunc":
		p.failAt(p.tok.at, "ifunc is not supported: its resolver runs before the program")
	default:
		p.fail("want global, constant or alias, got %s", p.shown())
	}
	for p.takeSign(",") {
		switch {
		case p.takeWord("align"):
			g.Align = p.count()
		case p.takeWord("section"):
			g.Section = p.str()
		case p.takeWord("partition") || p.takeWord("code_model"):
			p.str()
		case p.isWord("comdat"):
			p.comdatUse()
		case p.tok.kind == metadata:
			if name := p.tok.text; name == "dbg" {
				p.advance()
				g.Debug = append(g.Debug, p.nodeNumber())
			} else {
				p.advance()
				p.meta()
			}
		case p.takeOneOf(sanitizers...) != "":
		default:
			p.fail("unknown property %s of a global variable", p.shown())
		}
	}
	for p.tok.kind == group {
		p.advance()
	}
	p.module.Globals = append(p.module.Globals, g)
}

func (p *parser) comdatUse() {
	p.wantWord("comdat")
	if p.takeSign("(") {
		p.advance()
		p.wantSign(")")
	}
}

// nodeNumber reads a reference to a node, !12.
func (p *parser) nodeNumber() int {
	n, err := strconv.Atoi(p.tok.text)
	if p.tok.kind != metadata || err != nil {
		p.fail("want a metadata node such as !12, got %s", p.shown())
	}
	p.advance()
	return n
}

// group reads attributes #n = { ... }.
func (p *parser) group() {
	p.wantWord("attributes")
	n, err := strconv.Atoi(strings.TrimPrefix(p.tok.text, "#"))
	if p.tok.kind != group || err != nil {
		p.fail("want a group such as #0, got %s", p.shown())
	}
	p.advance()
	p.wantSign("=")
	p.wantSign("{")
	into := Attributes{}
	p.attributes(into)
	p.wantSign("}")
	p.module.Groups[n] = into
}

// finish resolves what may be defined after its use.
func (p *parser) finish() {
	for _, u := range p.groups {
		from, ok := p.module.Groups[u.number]
		if !ok {
			p.failAt(u.at, "the attribute group #%d is not defined", u.number)
		}
		for name, a := range from {
			u.into[name] = a
		}
	}
	p.check()
}

// valued are the attributes with a value, as name(value), name value or name=value, in LLVM 14 to 19.
var valued = map[string]bool{
	"align": true, "alignstack": true, "allocsize": true, "byref": true, "byval": true, "captures": true,
	"dereferenceable": true, "dereferenceable_or_null": true, "elementtype": true, "inalloca": true,
	"initializes": true, "denormal_fpenv": true, "dead_on_return": true,
	"memory": true, "nofpclass": true, "preallocated": true, "range": true, "sret": true, "uwtable": true,
	"vscale_range": true, "allockind": true, "allocfamily": true, "typed": true,
}

// flags are the attributes without a value.
var flags = set(`alwaysinline argmemonly builtin cold convergent coro_elide_safe dead_on_unwind
	disable_sanitizer_instrumentation
	fn_ret_thunk_extern hot hybrid_patchable immarg inaccessiblemem_or_argmemonly inaccessiblememonly inlinehint inreg
	jumptable minsize mustprogress naked nest noalias nobuiltin nocallback nocapture nocf_check noduplicate noext nofree
	noimplicitfloat noinline nomerge nonlazybind nonnull noprofile norecurse noredzone noreturn nosanitize_bounds
	nosanitize_coverage nosync noundef nounwind null_pointer_is_valid optdebug optforfuzzing optnone optsize
	presplitcoroutine readnone readonly returned returns_twice safestack sanitize_address sanitize_hwaddress
	sanitize_memory sanitize_memtag sanitize_numerical_stability sanitize_realtime sanitize_thread sanitize_type
	shadowcallstack signext skipprofile speculatable speculative_load_hardening ssp sspreq sspstrong strictfp
	swiftasync swifterror swiftself uwtable willreturn writable writeonly zeroext allocptr allocalign coro_only_destroy_when_complete
	nocreateundeforpoison nodivergencesource sanitize_alloc_token sanitize_realtime_blocking`)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}

// attributes reads attributes as far as they go. into may be nil.
func (p *parser) attributes(into Attributes) {
	put := func(name string, a Attribute) {
		if into != nil {
			into[name] = a
		}
	}
	for {
		switch t := p.tok; {
		case t.kind == text:
			p.advance()
			value := ""
			if p.takeSign("=") {
				value = p.str()
			}
			put(t.text, Attribute{Text: value})
		case t.kind == group && len(t.text) > 1 && t.text[0] == '#' && isDigit(t.text[1]):
			n, _ := strconv.Atoi(t.text[1:])
			if into != nil {
				p.groups = append(p.groups, groupUse{n, t.at, into})
			}
			p.advance()
		case t.kind == word && valued[t.text]:
			p.advance()
			put(t.text, p.attributeValue(t.text))
		case t.kind == word && flags[t.text]:
			p.advance()
			put(t.text, Attribute{})
		default:
			return
		}
	}
}

// attributeValue reads the value of an attribute: a type or words in parentheses, or a number.
func (p *parser) attributeValue(name string) (a Attribute) {
	switch {
	case p.tok.kind == integer: // align 8
		a.Text = p.tok.text
		p.advance()
	case p.takeSign("="): // align=8, in groups
		a.Text = p.tok.text
		p.advance()
	case p.isSign("("):
		p.advance()
		switch name {
		case "byval", "sret", "elementtype", "byref", "inalloca", "preallocated":
			a.Type = p.typ()
		default:
			from := p.tok.at
			for depth := 0; depth > 0 || !p.isSign(")"); p.advance() {
				switch {
				case p.tok.kind == end:
					p.fail("the value of attribute %s has no end", name)
				case p.isSign("("):
					depth++
				case p.isSign(")"):
					depth--
				}
			}
			a.Text = strings.TrimSpace(p.source[from:p.tok.at])
		}
		p.wantSign(")")
	}
	return a
}

// function reads a declaration or a definition of a function.
func (p *parser) function() {
	definition := p.isWord("define")
	p.advance()
	f := &Function{Attributes: Attributes{}, Returns: Attributes{}, Debug: -1}
	for p.tok.kind == metadata { // declare !dbg !12
		p.functionMetadata(f)
	}
	f.Linkage = p.prefixes()
	p.convention()
	p.attributes(f.Returns)
	f.Result = p.typ()
	if p.tok.kind != global {
		p.fail("want the function's name, got %s", p.shown())
	}
	p.spend(3)
	f.Pos, f.Name, f.offset = p.pos(p.tok.at), p.tok.text, p.tok.at
	p.advance()
	p.parameters(f)
	p.properties(f)
	p.module.Functions = append(p.module.Functions, f)
	if definition {
		p.body(f)
	}
}

func (p *parser) convention() {
	if p.takeOneOf(conventions...) == "" && p.isWord("cc") {
		p.advance()
		p.count()
	}
}

func (p *parser) functionMetadata(f *Function) {
	name := p.tok.text
	p.advance()
	if name == "dbg" {
		f.Debug = p.nodeNumber()
		return
	}
	p.meta()
}

// parameters reads the parameters of a function. Those without a name have numbers.
func (p *parser) parameters(f *Function) {
	p.wantSign("(")
	for !p.takeSign(")") {
		if len(f.Params) > 0 {
			p.wantSign(",")
		}
		if p.takeSign("...") {
			f.Variadic = true
			continue
		}
		param := Param{Type: p.typ(), Attributes: Attributes{}}
		p.attributes(param.Attributes)
		if p.tok.kind == local {
			param.Name = p.tok.text
			p.advance()
		} else {
			param.Name = fmt.Sprint(len(f.Params))
		}
		f.Params = append(f.Params, param)
	}
}

// properties reads what stands between the parameters and the body.
func (p *parser) properties(f *Function) {
	for {
		at := p.tok.at
		p.attributes(f.Attributes)
		switch {
		case p.takeOneOf("unnamed_addr", "local_unnamed_addr") != "":
		case p.isWord("addrspace"):
			p.space()
		case p.takeWord("section") || p.takeWord("partition") || p.takeWord("gc"):
			p.str()
		case p.isWord("comdat"):
			p.comdatUse()
		case p.takeWord("align"):
			p.count()
		case p.takeWord("prefix") || p.takeWord("prologue") || p.takeWord("personality"):
			p.typed()
		case p.tok.kind == metadata && p.tok.text != "" && !isDigit(p.tok.text[0]):
			if p.metadataIsDefinition() {
				return
			}
			p.functionMetadata(f)
		case p.tok.at == at:
			return
		}
	}
}

// metadataIsDefinition reports whether the current token is the name of a metadata definition, which may follow a
// declaration.
func (p *parser) metadataIsDefinition() bool {
	ahead := p.scanner
	t := ahead.next()
	return t.kind == sign && t.text == "="
}

// body reads the blocks of a function.
func (p *parser) body(f *Function) {
	p.wantSign("{")
	number := 0
	for _, param := range f.Params {
		if param.Name == fmt.Sprint(number) {
			number++
		}
	}
	b := p.block(&number)
	for {
		switch {
		case p.tok.kind == label:
			f.Blocks = append(f.Blocks, b)
			b = p.block(&number)
			continue
		case p.isSign("}"):
			p.advance()
			f.Blocks = append(f.Blocks, b)
			return
		case p.isWord("uselistorder"):
			p.skipLine()
			continue
		case p.tok.kind == group: // a debug record: #dbg_value(...)
			b.Instructions = append(b.Instructions, p.debugRecord())
			continue
		case len(b.Instructions) > 0 && terminators[b.Instructions[len(b.Instructions)-1].Op]:
			f.Blocks = append(f.Blocks, b) // a block without a label
			b = p.block(&number)
		}
		i := p.instruction()
		if i.Result == "" && p.hasResult(i) {
			i.Result = fmt.Sprint(number)
		}
		if i.Result == fmt.Sprint(number) {
			number++
		}
		b.Instructions = append(b.Instructions, i)
	}
}

// block begins a block, with a label or the next number.
func (p *parser) block(number *int) *Block {
	p.spend(3)
	b := &Block{offset: p.tok.at}
	if p.tok.kind == label {
		b.Name = p.tok.text
		p.advance()
		if b.Name == fmt.Sprint(*number) {
			*number++
		}
		return b
	}
	b.Name = fmt.Sprint(*number)
	*number++
	return b
}

// debugRecord reads a debug record, which says where a variable is. It is the call of llvm.dbg.declare and the like
// that older versions print in its place: #dbg_declare(ptr %x, !12, !DIExpression(), !13).
func (p *parser) debugRecord() *Instruction {
	name, at := strings.TrimPrefix(p.tok.text, "#dbg_"), p.tok.at
	if name == p.tok.text {
		p.fail("unknown record %s", p.shown())
	}
	p.spend(3)
	p.advance()
	p.wantSign("(")
	i := &Instruction{
		Pos: p.pos(at), offset: at, Op: "call", Type: &Type{Kind: Void}, Function: &Type{
			Kind: FunctionType,
			Elem: &Type{Kind: Void},
		}, Debug: -1, Site: -1,
		Callee: &Value{Kind: GlobalRef, Type: &Type{Kind: Pointer}, Name: "llvm.dbg." + name},
	}
	for !p.takeSign(")") {
		if len(i.Operands) > 0 {
			p.wantSign(",")
		}
		i.Operands = append(i.Operands, p.value(&Type{Kind: MetadataType}))
	}
	if n := len(i.Operands); n > 0 { // its place comes last
		i.Debug, i.Operands = i.Operands[n-1].Meta.Ref, i.Operands[:n-1]
	}
	return i
}

// terminators are the instructions that end a block.
var terminators = set(`ret br switch indirectbr invoke resume unreachable callbr catchswitch catchret cleanupret`)
