package browser

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	pageapi "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// picture writes a screenshot to the folder that LITMUSCOPE_PICTURES names, for a person to look at.
func (b *tab) picture(name string) {
	b.t.Helper()
	folder := os.Getenv("LITMUSCOPE_PICTURES")
	if folder == "" {
		return
	}
	b.do(func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		shot, err := chromedp.Call(ctx, pageapi.CaptureScreenshot, pageapi.CaptureScreenshotParams{})
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name+".png"), shot.Data, 0o644)
		}
		return chromedp.Void{}, err
	})
}

const (
	problemText = `[...document.querySelectorAll(".problems li")].map((e) => e.innerText.replace(/\s+/g, " ")).join("\n")`
	problemFix  = `document.querySelector(".problems .fix")?.innerText`
)

// A C program in the explorer is named, and the button carries it to the programs page; a litmus test there goes back.
func TestBrowserOpensWhereTheTextBelongs(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1440, 900)
	b.open("/")
	program := "#include <assert.h>\nint x;\nint main(void) { x = 1; assert(x == 1); }\n"
	b.setSource(program)
	b.wait(problemFix + ` === "Open in Programs"`)
	if got := eval[string](b, problemText); !strings.Contains(got, "line 1 this is a C program, not a litmus test") {
		t.Errorf("the list says %s", got)
	}
	b.picture("c-in-explorer")
	b.click(".problems .fix")
	b.wait(`location.pathname === "/programs" && document.readyState === "complete"`)
	b.wait(editorText + ` === ` + quote(program))

	test := "X86 T\n{ }\n P0         ;\n MOV [x],$1 ;\nexists (x=1)\n"
	b.setSource(test)
	b.wait(problemFix + ` === "Open in Explorer"`)
	b.picture("test-in-programs")
	b.click(".problems .fix")
	b.wait(`location.pathname === "/explore" && document.readyState === "complete"`)
	b.wait(editorText + ` === ` + quote(test))
	b.wait(`document.querySelector(".outcomes .name")?.innerText === "T"`)
}

// A press converts Intel syntax under X86_64, and CppMem's and isla's tests, and the converted test is answered.
func TestBrowserConverts(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1440, 900)
	b.open("/")
	for _, c := range []struct{ name, source, fix, named, has string }{
		{
			"intel", "X86_64 SB\n{ }\n P0                   | P1                   ;\n" +
				" mov dword ptr [x], 1 | mov dword ptr [y], 1 ;\n mov eax, [y]         | mov eax, [x]         ;\n" +
				"exists (0:rax=0 /\\ 1:rax=0)\n", "Convert to AT&T syntax", "SB", "movl $1,(x)",
		},
		{
			"cppmem", "int main() {\n  int x = 0; atomic_int y = 0;\n" +
				"  {{{ { x = 1; y.store(1, memory_order_release); }\n" +
				"  ||| { r1 = y.load(memory_order_acquire).readsvalue(1); r2 = x; } }}}\n  return 0;\n}\n",
			"Convert to a litmus test", "CppMem", "atomic_load_explicit(y, memory_order_acquire)",
		},
		{
			"isla", "arch = \"AArch64\"\nname = \"W\"\nsymbolic = [\"x\"]\n\n[thread.0]\ninit = { X1 = \"x\" }\n" +
				"code = \"\"\"\n\tMOV W0,#1\n\tSTR W0,[X1]\n\"\"\"\n\n" +
				"[final]\nexpect = \"sat\"\nassertion = \"*x = 1\"\n",
			"Convert to a litmus test", "W", "STR W0,[X1]",
		},
	} {
		b.setSource(c.source)
		b.wait(problemFix + ` === ` + quote(c.fix))
		b.picture("convert-" + c.name)
		b.click(".problems .fix")
		b.wait(editorText + `.includes(` + quote(c.has) + `)`)
		b.wait(`document.querySelector(".outcomes .name")?.innerText === ` + quote(c.named))
		b.picture("converted-" + c.name)
	}
}

// Assembly, logs and other languages are named with what to do, and more than twenty errors are counted.
func TestBrowserNamesForeignTexts(t *testing.T) {
	t.Parallel()
	b := newTab(t, 390, 800)
	b.quiet()
	b.open("/")
	for _, c := range []struct{ name, source, says string }{
		{
			"listing", "writer(int*, int*):\n        mov     DWORD PTR [rdi], 1\n        mfence\n        ret\n",
			"this is an assembly listing of X86_64 code, not a litmus test",
		},
		{
			"log", "Test SB Allowed\nStates 4\n0:EAX=0; 1:EAX=0;\nOk\nObservation SB Sometimes 1 3\n",
			"this is a log of herd7 or litmus7, not a litmus test",
		},
		{
			"many", "X86 T\n{ }\n P0 ;\n" + strings.Repeat(" FROB ;\n", 30) + "exists (true)\n",
			"and 10 more errors from here on",
		},
	} {
		b.setSource(c.source)
		b.wait(problemText + `.includes(` + quote(c.says) + `)`)
		b.picture("foreign-" + c.name)
	}
}

// All errors of a program are listed at once, and a press adds a missing sign.
func TestBrowserListsAllErrorsOfAProgram(t *testing.T) {
	t.Parallel()
	b := newTab(t, 1440, 900)
	b.dress("dark")
	b.quiet()
	b.open("/programs")
	b.setSource("#include <stdatomic.h>\natomic_int x\nint total;\nint main(void) {\n  if (x == 1 { x = 2; }\n" +
		"  totla = 1;\n  atomic_lod(&x);\n}\n")
	b.wait(`document.querySelectorAll(".problems li").length === 4`)
	b.wait(problemFix + ` === "Add ;"`)
	b.picture("program-errors")
	b.click(".problems .fix")
	b.wait(`document.querySelectorAll(".problems li").length === 3 && ` + editorText + `.includes("atomic_int x;")`)
}
