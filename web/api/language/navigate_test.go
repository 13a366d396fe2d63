package language

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const mp = `AArch64 MP
{ x=0; 0:X1=x; 0:X3=y; 1:X1=x; 1:X3=y; }
 P0          | P1           ;
 MOV W0,#1   | L0: LDR W0,[X3] ;
 STR W0,[X1] | CBZ W0,L0    ;
 STR W0,[X3] | LDR W2,[X1]  ; (* W0 *)
exists (1:X0=1 /\ 1:X2=0 /\ [x]=1)
`

const inC = `C T
{ x=1; }
P0(atomic_int *x, atomic_int *y) {
  int r0 = atomic_load(x); // r0
  atomic_store(y, r0);
}
P1(atomic_int *y) {
  int r0 = atomic_load(y);
}
exists (0:r0=1 /\ 1:r0=0 /\ x=1)
`

// spots are the places of some locations in a text, as line:column, counted from 1.
func spots(list []location) string {
	var out []string
	for _, l := range list {
		out = append(out, fmt.Sprintf("%d:%d", l.Range.Start.Line+1, l.Range.Start.Character+1))
	}
	return strings.Join(out, " ")
}

// A register is its thread's, by whatever name; a location is everybody's.
func TestReferencesInTests(t *testing.T) {
	e := newEditor(t, plainClient, nil)
	for i, c := range []struct{ text, definition, references string }{
		{strings.Replace(mp, "STR W0,[X1]", "STR ‸W0,[X1]", 1), "4:6", "4:6 5:6 6:6"},
		{strings.Replace(mp, "CBZ W0", "CBZ W‸0", 1), "4:24", "4:24 5:20 7:11"},
		{strings.Replace(mp, "CBZ W0,L0", "CBZ W0,‸L0", 1), "4:16", "4:16 5:23"},
		{strings.Replace(mp, "[x]=1", "[‸x]=1", 1), "2:3", "2:3 2:13 2:29 7:30"},
		{strings.Replace(mp, "1:X2=0", "1:X2‸=0", 1), "6:20", "6:20 7:21"},
		{strings.Replace(mp, "(* W0", "(* W‸0", 1), "", ""},
		{strings.Replace(inC, "(x);", "(‸x);", 1), "2:3", "2:3 3:16 4:24 10:29"},
		{strings.Replace(inC, "(y, r0)", "(y, r‸0)", 1), "4:7", "4:7 5:19 10:11"},
		{strings.Replace(inC, "1:r0", "1:‸r0", 1), "8:7", "8:7 10:21"},
		{strings.Replace(inC, "(y, r0)", "(‸y, r0)", 1), "3:31", "3:31 5:16 7:16 8:24"},
	} {
		uri := fmt.Sprintf("untitled:%d.litmus", i)
		text, p := at(c.text, uri)
		if found := e.open(uri, text); len(found.Diagnostics) > 0 && found.Diagnostics[0].Severity == severityError {
			t.Fatalf("%d: the test is wrong: %+v", i, found.Diagnostics)
		}
		var def *location
		e.call("textDocument/definition", p, &def)
		if got := ""; def != nil || c.definition != "" {
			if def != nil {
				got = spots([]location{*def})
			}
			if got != c.definition {
				t.Errorf("%d: it is defined at %q, want %q", i, got, c.definition)
			}
		}
		var refs []location
		e.call("textDocument/references", map[string]any{
			"textDocument": p.TextDocument, "position": p.Position,
			"context": map[string]any{"includeDeclaration": true},
		}, &refs)
		if spots(refs) != c.references {
			t.Errorf("%d: it is used at %q, want %q", i, spots(refs), c.references)
		}
	}
}

// Definitions and uses of a model's names are found across the files that it includes, and in the library.
func TestReferencesInModels(t *testing.T) {
	folder := t.TempDir()
	texts := map[string]string{
		"m.cat": "include \"part.cat\"\nlet far = near | po\nacyclic far | mfence\nempty external rf\n",
		"n.cat": "include \"m.cat\"\nlet more = far | near\nacyclic more\n",
		"o.cat": "let near = po\nacyclic near\n",
		"part.cat": "let near = rf // near\nlet near = near | co\n" +
			"include \"x86fences.cat\"\nlet external r = r & ext\n",
	}
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e := newEditor(t, plainClient, nil)
	uri := uriOf(filepath.Join(folder, "m.cat"))
	for i, c := range []struct{ text, definition, references string }{
		{
			strings.Replace(texts["m.cat"], "near |", "ne‸ar |", 1), "part.cat 2:5",
			"m.cat 2:11, n.cat 2:18, part.cat 2:5",
		},
		{
			strings.Replace(texts["m.cat"], "acyclic far", "acyclic f‸ar", 1), "m.cat 2:5",
			"m.cat 2:5, m.cat 3:9, n.cat 2:12",
		},
		{strings.Replace(texts["m.cat"], "empty ext", "empty e‸xt", 1), "part.cat 4:5", "m.cat 4:7, part.cat 4:5"},
		{strings.Replace(texts["m.cat"], "mfence", "m‸fence", 1), "x86fences.cat", ""},
		{strings.Replace(texts["m.cat"], "\"part", "\"p‸art", 1), "part.cat 1:1", ""},
		{strings.Replace(texts["m.cat"], "| po", "| p‸o", 1), "", "m.cat 2:18"},
	} {
		text, p := at(c.text, uri)
		e.open(uri, text)
		var def *location
		e.call("textDocument/definition", p, &def)
		got := ""
		if def != nil {
			got = filepath.Base(def.URI) + " " + spots([]location{*def})
			if _, err := os.Stat(fileOf(def.URI)); err != nil {
				t.Errorf("%d: the definition's file: %v", i, err)
			}
		}
		if !strings.HasPrefix(got, c.definition) || (got == "") != (c.definition == "") {
			t.Errorf("%d: it is defined at %q, want %q", i, got, c.definition)
		}
		var refs []location
		e.call("textDocument/references", map[string]any{
			"textDocument": p.TextDocument, "position": p.Position,
			"context": map[string]any{"includeDeclaration": true},
		}, &refs)
		var list []string
		for _, r := range refs {
			list = append(list, filepath.Base(r.URI)+" "+spots([]location{r}))
		}
		if used := strings.Join(list, ", "); c.references != "" && used != c.references {
			t.Errorf("%d: it is used at %q, want %q", i, used, c.references)
		}
	}
}

// edited is a text with edits made.
func edited(uri, text string, edits []textEdit) string {
	d := newDocument(uri, 0, ofTests, text, false)
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b textEdit) int { return comparePositions(b.Range.Start, a.Range.Start) })
	for _, e := range edits {
		text = text[:d.offset(e.Range.Start)] + e.NewText + text[d.offset(e.Range.End):]
	}
	return text
}

// A new name goes to all that has the old one, and to nothing else; one that would change what the text means is
// refused.
func TestRename(t *testing.T) {
	e := newEditor(t, plainClient, nil)
	const model = "let one = po\nlet f(a) = a ; one\nlet g(a) = a | one\nacyclic f(rf)\n"
	for i, c := range []struct{ ext, text, name, want, err string }{
		{"litmus", strings.Replace(mp, "CBZ W0", "CBZ W‸0", 1), "X5", "", "W0 and X0"},
		{
			"litmus", strings.Replace(mp, "STR W0,[X1]", "STR ‸W0,[X1]", 1), "w9",
			strings.NewReplacer("MOV W0", "MOV W9", "STR W0", "STR W9").Replace(mp), "",
		},
		{"litmus", strings.Replace(mp, "STR W0,[X1]", "STR ‸W0,[X1]", 1), "X3", "", "P0 already uses X3"},
		{"litmus", strings.Replace(mp, "STR W0,[X1]", "STR ‸W0,[X1]", 1), "R9", "", "not a register"},
		{
			"litmus", strings.Replace(mp, "[x]", "[‸x]", 1), "flag",
			strings.NewReplacer("x=0", "flag=0", "=x;", "=flag;", "[x]", "[flag]").Replace(mp), "",
		},
		{"litmus", strings.Replace(mp, "[x]", "[‸x]", 1), "y", "", "already has a y"},
		{"litmus", strings.Replace(mp, "[x]", "[‸x]", 1), "X7", "", "has a special meaning"},
		{"litmus", strings.Replace(mp, ",L0", ",‸L0", 1), "again", strings.ReplaceAll(mp, "L0", "again"), ""},
		{"litmus", strings.Replace(mp, "STR W", "S‸TR W", 1), "LDR", "", "nothing to rename"},
		{
			"litmus", strings.Replace(inC, "(y, r0)", "(y, r‸0)", 1), "seen",
			strings.NewReplacer("int r0 = atomic_load(x)", "int seen = atomic_load(x)", "(y, r0)", "(y, seen)",
				"0:r0=1", "0:seen=1").Replace(inC), "",
		},
		{"litmus", strings.Replace(inC, "(y, r0)", "(y, r‸0)", 1), "y", "", "already has a y"},
		{"litmus", strings.Replace(inC, "(y, r0)", "(y, r‸0)", 1), "while", "", "has a special meaning"},
		{
			"litmus", strings.Replace(inC, "(x);", "(‸x);", 1), "z",
			strings.NewReplacer("{ x=1", "{ z=1", "*x,", "*z,", "(x);", "(z);", "/\\ x=1", "/\\ z=1").Replace(inC), "",
		},
		{"cat", strings.Replace(model, "; one", "; o‸ne", 1), "first", strings.ReplaceAll(model, "one", "first"), ""},
		{
			"cat", strings.Replace(model, "= a ;", "= ‸a ;", 1), "r",
			strings.Replace(model, "f(a) = a", "f(r) = r", 1), "",
		},
		{"cat", strings.Replace(model, "= a ;", "= ‸a ;", 1), "one", "", "one already exists"},
		{"cat", strings.Replace(model, "= a ;", "= ‸a ;", 1), "let", "", "keyword"},
		{"cat", strings.Replace(model, "= a ;", "= ‸a ;", 1), "co", "", "every model"},
		{"cat", strings.Replace(model, "= po", "= p‸o", 1), "mine", "", "not defined in this file"},
	} {
		uri := fmt.Sprintf("untitled:%d.%s", i, c.ext)
		text, p := at(c.text, uri)
		e.open(uri, text)
		var edit workspaceEdit
		err := e.try("textDocument/rename",
			map[string]any{"textDocument": p.TextDocument, "position": p.Position, "newName": c.name}, &edit)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%d: %s: %v, want %q", i, c.name, err, c.err)
			}
		case err != nil:
			t.Errorf("%d: %s: %v", i, c.name, err)
		default:
			if got := edited(uri, text, edit.Changes[uri]); got != c.want {
				t.Errorf("%d: %s: got\n%s\nwant\n%s", i, c.name, got, c.want)
			}
		}
	}
}

// What colours say of a text, decoded again: each token's text with its kind.
func colouredAs(t *testing.T, e *editor, uri, text string) string {
	t.Helper()
	var tokens semanticTokens
	e.call("textDocument/semanticTokens/full", named{textDocument{uri}}, &tokens)
	if len(tokens.Data)%5 != 0 {
		t.Fatalf("%d numbers", len(tokens.Data))
	}
	var out []string
	var p position
	for five := range slices.Chunk(tokens.Data, 5) {
		if p.Line += five[0]; five[0] > 0 {
			p.Character = 0
		}
		p.Character += five[1]
		word := cut(uri, text, textRange{p, position{p.Line, p.Character + five[2]}})
		if five[3] >= len(kindNames) {
			t.Fatalf("the kind %d", five[3])
		}
		out = append(out, word+"="+kindNames[five[3]])
	}
	return strings.Join(out, " ")
}

func TestColours(t *testing.T) {
	e := newEditor(t, plainClient, nil)
	for i, c := range []struct{ ext, text, want string }{
		{
			"litmus", "X86 SB\n\"ü𝔸\" (* 𝔸\nb *)\n{ x=0; int y; 0:EAX=x }\n P0 ;\n L: LOCK XADD [x],EAX ;\n" +
				" JNE L ;\nexists (0:EAX=1 /\\ x=2)\n",
			"X86=keyword SB=class \"ü𝔸\"=string (* 𝔸=comment b *)=comment x=property 0=number int=type y=property " +
				"0:=number EAX=variable x=property " +
				"P0=class L=label LOCK=function XADD=function x=property EAX=variable JNE=function L=label " +
				"exists=keyword 0:=number EAX=variable 1=number x=property 2=number",
		},
		{
			"litmus", "C T\n{ }\nP0(atomic_int *x) { if (*x) atomic_store_explicit(x, 1, memory_order_release); " +
				"}\nexists (x=1)",
			"C=keyword T=class P0=class atomic_int=type x=property if=keyword x=property " +
				"atomic_store_explicit=function x=property 1=number memory_order_release=label exists=keyword " +
				"x=property 1=number",
		},
		{
			"cat", "\"T\" (* a\nb *) let f(r) = r & po\nshow f(rf) as f // end",
			"\"T\"=string (* a=comment b *)=comment let=keyword f=function r=parameter r=parameter po=variable " +
				"show=keyword f=function rf=variable as=keyword f=class // end=comment",
		},
		{
			"c", "#include <assert.h>\n/* a\n b */ int x = 0x1u; // c\nint main(void) { assert(x == 1); }",
			"#include=keyword <assert.h>=string /* a=comment  b */=comment int=type x=property 0x1u=number // " +
				"c=comment int=type main=function void=type assert=function x=property 1=number",
		},
	} {
		uri := fmt.Sprintf("untitled:%d.%s", i, c.ext)
		e.open(uri, c.text)
		if got := colouredAs(t, e, uri, c.text); got != c.want {
			t.Errorf("%d: got\n%s\nwant\n%s", i, got, c.want)
		}
	}
}

// A tag is defined in its enum, and meant by its name and by that of its set, in the model that goes with the tags,
// too.
func TestTags(t *testing.T) {
	const bell = "enum Accesses = 'once || 'acquire\ninstructions R[{'once, 'acquire}]\nlet mine = po\n"
	const model = "\"Kern\"\nacyclic [Acquire]; mine as kern\n"
	folder := t.TempDir()
	e := newEditor(t, plainClient, nil)
	uris := map[string]string{}
	for name, text := range map[string]string{"kern.bell": bell, "kern.cat": model} {
		file := filepath.Join(folder, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		uris[name] = uriOf(file)
		e.open(uris[name], text)
	}
	in := func(name, text, mark string) place {
		before, _, _ := strings.Cut(text, mark)
		return place{textDocument{uris[name]}, newDocument("", 0, ofModels, text, false).position(len(before))}
	}
	for _, c := range []struct {
		from place
		want string
	}{
		{in("kern.bell", bell, "acquire}"), "kern.bell 1:26"},
		{in("kern.cat", model, "cquire"), "kern.bell 1:26"},
		{in("kern.cat", model, "mine"), "kern.bell 3:5"},
	} {
		var l location
		e.call("textDocument/definition", c.from, &l)
		if got := filepath.Base(l.URI) + " " + spots([]location{l}); got != c.want {
			t.Errorf("the definition is at %s, want %s", got, c.want)
		}
	}
	var all []location
	e.call("textDocument/references", map[string]any{
		"textDocument": textDocument{uris["kern.cat"]}, "position": in("kern.cat", model, "cquire").Position,
		"context": map[string]bool{"includeDeclaration": true},
	}, &all)
	if got := spots(all); got != "1:26 2:24 2:10" {
		t.Errorf("uses at %s", got)
	}
	var h hover
	if e.call("textDocument/hover", in("kern.cat", model, "cquire"), &h); !strings.Contains(h.Contents.Value,
		"A tag of this type") {
		t.Errorf("said: %q", h.Contents.Value)
	}
	if err := e.try("textDocument/rename", map[string]any{
		"textDocument": textDocument{uris["kern.bell"]}, "position": in("kern.bell", bell, "acquire}").Position,
		"newName": "other",
	}, nil); err == nil || !strings.Contains(err.Error(), "dialects refer to it") {
		t.Errorf("a new name for a tag: %v", err)
	}
	for _, c := range []struct{ text, want string }{
		{"instructions R[{'on", "'once"}, {"let a = Acq", "Acquire"},
	} {
		text := bell + c.text
		e.open(uris["kern.bell"], text)
		var list completionList
		e.call("textDocument/completion",
			place{textDocument{uris["kern.bell"]}, newDocument("", 0, ofModels, text, false).position(len(text))},
			&list)
		if !slices.ContainsFunc(list.Items, func(i completionItem) bool { return i.Label == c.want }) {
			t.Errorf("behind %q no %s is offered", c.text, c.want)
		}
	}
}

const aProgram = `#include <pthread.h>
#include <stdatomic.h>
#define LIMIT 3
typedef struct node { int value; struct node *next; } node;
atomic_int x, y = LIMIT;
static int twice(int x) { return 2 * x; }
void *worker(void *arg) {
	node *n = arg;
	for (int i = 0; i < LIMIT; i++) {
		int x = n->value; // x
		y += x + twice(i);
	}
again:
	if (x == 0) goto again;
	return n->next;
}
int main(void) {
	pthread_t t;
	node n = { .value = 1 };
	pthread_create(&t, 0, worker, &n);
	x = twice(n.value);
	return 0;
}
`

// In a program, a name is the block's that declares it; members, tags and labels are names of their own.
func TestNamesInPrograms(t *testing.T) {
	e := newEditor(t, plainClient, nil)
	for i, c := range []struct{ from, definition, references, name, err string }{
		{"y += ‸x +", "10:7", "10:7 11:8", "seen", ""},
		{"(‸x == 0)", "5:12", "5:12 14:6 21:2", "flag", ""},
		{"2 * ‸x", "6:22", "6:22 6:38", "n", "already has a n"},
		{"+ ‸twice(i)", "6:12", "6:12 11:12 21:6", "double_it", ""},
		{"n->‸value", "4:27", "4:27 10:14 19:14 21:14", "payload", ""},
		{"goto ‸again", "13:1", "13:1 14:19", "retry", ""},
		{"struct ‸node *next", "4:16", "4:16 4:41", "cell", ""},
		{"\t‸node *n", "4:55", "4:55 8:2 19:2", "item", ""},
		{"i < ‸LIMIT", "3:9", "3:9 5:19 9:22", "BOUND", ""},
		{"0, ‸worker", "7:7", "7:7 20:24", "while", "has a special meaning"},
		{"int ‸main", "17:5", "17:5", "start", "the program begins"},
		{"‸pthread_create", "", "", "f", "nothing to rename"},
		{"i = 0; ‸i <", "9:11", "9:11 9:18 9:29 11:18", "y", "already has a y"},
	} {
		uri := fmt.Sprintf("untitled:%d.c", i)
		text, p := at(strings.Replace(aProgram, strings.Replace(c.from, "‸", "", 1), c.from, 1), uri)
		if text != aProgram {
			t.Fatalf("%s is not in the program", c.from)
		}
		e.tell("textDocument/didOpen",
			map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "c", "version": 1, "text": text}})
		var def *location
		e.call("textDocument/definition", p, &def)
		got := ""
		if def != nil {
			got = spots([]location{*def})
		}
		var refs []location
		e.call("textDocument/references", map[string]any{
			"textDocument": p.TextDocument, "position": p.Position,
			"context": map[string]any{"includeDeclaration": true},
		}, &refs)
		if got != c.definition || spots(refs) != c.references {
			t.Errorf("%s: defined at %q, want %q; used at %q, want %q", c.from, got, c.definition, spots(refs),
				c.references)
		}
		var edit workspaceEdit
		err := e.try("textDocument/rename",
			map[string]any{"textDocument": p.TextDocument, "position": p.Position, "newName": c.name}, &edit)
		switch {
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%s to %s: %v, want %q", c.from, c.name, err, c.err)
		case c.err == "" && (err != nil || len(edit.Changes[uri]) != len(strings.Fields(c.references))):
			t.Errorf("%s to %s: %v, %d changes", c.from, c.name, err, len(edit.Changes[uri]))
		}
	}
}

// An outline has what a reader looks for, folds are blocks and comments, and a call says what it takes.
func TestOutlines(t *testing.T) {
	e := newEditor(t, plainClient, nil)
	for i, c := range []struct{ ext, text, symbols, folds, signature string }{
		{
			"c", strings.Replace(aProgram, "worker, &n", "worker, ‸&n", 1), "LIMIT node node x y twice worker main",
			"6-15 8-11 16-22", "3 ",
		},
		{
			"c", strings.Replace(aProgram, "twice(n", "twice(‸n", 1), "LIMIT node node x y twice worker main",
			"6-15 8-11 16-22", "0 twice(int x)",
		},
		{
			"litmus", strings.Replace(inC, "store(y, r0)", "store(y, ‸r0)", 1), "x P0 P1 exists", "2-5 6-8",
			"1 atomic_store",
		},
		{"litmus", strings.Replace(mp, "exists", "‸exists", 1), "x y P0 P1 exists", "", ""},
		{
			"cat", "(* a\n   model *)\nlet f(a) = a | po\nlet one = f(‸rf)\nacyclic one as name\n",
			"f one name", "0-1", "0 f(a)",
		},
	} {
		uri := fmt.Sprintf("untitled:outline%d.%s", i, c.ext)
		text, p := at(c.text, uri)
		e.tell("textDocument/didOpen",
			map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": c.ext, "version": 1, "text": text}})
		var symbols []documentSymbol
		e.call("textDocument/documentSymbol", named{textDocument{uri}}, &symbols)
		var names []string
		for _, s := range symbols {
			names = append(names, s.Name)
			if comparePositions(s.SelectionRange.End, s.Range.End) > 0 ||
				comparePositions(s.Range.Start, s.SelectionRange.Start) > 0 {
				t.Errorf("%s: the name at %v is not in %v", s.Name, s.SelectionRange, s.Range)
			}
		}
		if got := strings.Join(names, " "); got != c.symbols {
			t.Errorf("%d: the outline is %q, want %q", i, got, c.symbols)
		}
		var folds []foldingRange
		e.call("textDocument/foldingRange", named{textDocument{uri}}, &folds)
		var lines []string
		for _, f := range folds {
			lines = append(lines, fmt.Sprintf("%d-%d", f.StartLine, f.EndLine))
		}
		slices.Sort(lines)
		want := strings.Fields(c.folds)
		slices.Sort(want)
		if !slices.Equal(lines, want) {
			t.Errorf("%d: folds %v, want %v", i, lines, want)
		}
		var help *signatureHelp
		e.call("textDocument/signatureHelp", p, &help)
		got := ""
		if help != nil {
			got = fmt.Sprint(help.ActiveParameter, " ", help.Signatures[0].Label)
		}
		if !strings.HasPrefix(got, c.signature) || got != "" && c.signature == "" {
			t.Errorf("%d: the signature is %q, want %q", i, got, c.signature)
		}
	}
}

// Whatever a program's text is, its names are resolved within a moment, each to one meaning.
func TestScopesOfBrokenPrograms(t *testing.T) {
	for n := range len(aProgram) {
		for _, text := range []string{
			aProgram[:n], aProgram[n:], aProgram[:n] + "(" + aProgram[n:],
			aProgram[:n] + "}" + aProgram[n:],
		} {
			programTokens(text)
		}
	}
}
