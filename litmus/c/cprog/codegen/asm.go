package codegen

import (
	"regexp"
	"strconv"
	"strings"

	"modernc.org/cc/v4"

	"litmuscope/litmus"
	"litmuscope/litmus/c/cprog/code"
	"litmuscope/litmus/c/cprog/syntax"
	"litmuscope/litmus/dialect"
)

// asmHints lists instructions without effect on other threads' memory order.
var asmHints = map[string]bool{
	"": true, "nop": true, "pause": true, "rep nop": true, "yield": true, "wfe": true, "sev": true,
}

// asmSpellings maps assemblers' spellings of barriers to those of the dialects.
var asmSpellings = []struct {
	form func() *regexp.Regexp
	is   string
}{
	{litmus.Pattern(`^lock (add|or)[lq]? \$0(x0)?,-?\d*\(%[er]sp\)$`), "mfence"},
	{litmus.Pattern(`^fence$`), "fence rw,rw"},
}

var (
	asmSpace     = litmus.Pattern(`\s+`)
	asmSeparator = litmus.Pattern(`[;\n]`)
	asmPrefix    = litmus.Pattern(`\b(lock|rep)\s*[;\n]`)
)

// AsmFence returns the barriers that an inline assembly text consists of, by the dialects' tables; the dialects of
// archs come first. ok is false if the text contains anything else.
func AsmFence(text string, archs []string) (ops []code.Op, ok bool) {
	text = strings.ReplaceAll(strings.ToLower(text), "%%", "%")
	for _, part := range asmSeparator().Split(asmPrefix().ReplaceAllString(text, "$1 "), -1) {
		part = strings.ReplaceAll(asmSpace().ReplaceAllString(strings.TrimSpace(part), " "), ", ", ",")
		if asmHints[part] {
			continue
		}
		for _, s := range asmSpellings {
			if s.form().MatchString(part) {
				part = s.is
			}
		}
		tags, ok := dialect.Barrier(part, archs...)
		if !ok {
			return nil, false
		}
		ops = append(ops, code.Fence{Tags: tags})
	}
	return ops, true
}

// inlineAsm makes code for inline assembly. It supports only barriers and hints without operands.
func (st *statements) inlineAsm(n *cc.Asm) {
	text, err := strconv.Unquote(n.Token3.SrcStr())
	if err != nil {
		syntax.Failf(n, "inline assembly %s is not supported", n.Token3.SrcStr())
	}
	lists := 0 // outputs, inputs and clobbers
	for list := n.AsmArgList; list != nil; list = list.AsmArgList {
		if lists++; lists <= 2 && list.AsmExpressionList != nil {
			syntax.Failf(n, "inline assembly with operands is not supported: use barriers only")
		}
	}
	ops, ok := AsmFence(text, st.program.archs)
	if !ok {
		syntax.Failf(n, "inline assembly %q is not supported: use a barrier, such as mfence, dmb ish or lwsync", text)
	}
	for _, o := range ops {
		st.build.Emit(o)
	}
}
