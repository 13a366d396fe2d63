package language

import (
	"slices"
	"strings"
	"testing"

	"litmuscope/litmus/catalogue"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/library"
)

// checkTokens holds the tokens of a text against what all of them are.
func checkTokens(t *testing.T, d *document) {
	t.Helper()
	end := 0
	for _, u := range d.marks() {
		if u.from < end || u.to <= u.from || u.to > len(d.text) {
			t.Fatalf("the token %d to %d, behind %d, of %d bytes:\n%s", u.from, u.to, end, len(d.text), d.text)
		}
		if between := strings.TrimSpace(d.text[end:u.from]); between != "" && d.tongue == ofTests &&
			strings.Trim(between, ": \t\r\n$\ufeff") != "" {
			t.Fatalf("%q is in no token:\n%s", between, d.text)
		}
		end = u.to
		if got := d.offset(d.position(u.from)); got != u.from && !strings.ContainsRune(d.text, '\ufffd') {
			t.Fatalf("the byte %d has the position of %d: %q", u.from, got,
				d.text[max(0, u.from-20):min(len(d.text), u.to+20)])
		}
	}
}

// Every register and location that a classic test asks about is one in its threads, or its init block: scanning comes
// to what reading does. Laid out anew, the test is the same.
func TestTokensOfClassicTests(t *testing.T) {
	asked := map[string]int{} // by architecture
	for _, c := range catalogue.All() {
		d := newDocument("untitled:"+c.Name+".litmus", 0, ofTests, c.Source, false)
		checkTokens(t, d)
		used := map[symbol]bool{}
		for _, u := range d.marks() {
			if u.part != final {
				used[u.of] = true
			}
		}
		for _, u := range d.marks() {
			if u.part == final && u.of.space != nothing {
				asked[c.Arch]++
				if !used[u.of] && !(c.Name == "Lockref" && u.of.name == "RAX") { // which its cmpxchg does not name
					t.Errorf("%s: nothing in the threads is %s, %+v", c.Name, d.text[u.from:u.to], u.of)
				}
			}
			if u.part == code && (u.kind == register && u.of.space == nothing) {
				t.Errorf("%s: %s is a register of nobody", c.Name, d.text[u.from:u.to])
			}
		}
		laid := layOutTest(c.Source)
		if _, err := dialect.Parse(c.Name, laid); err != nil || !sameTest(c.Source, laid) || layOutTest(laid) != laid {
			t.Errorf("%s: laid out anew it is (%v)\n%s", c.Name, err, laid)
		}
	}
	for _, c := range catalogue.All() {
		if asked[c.Arch] < 20 {
			t.Errorf("%s: %d names in conditions", c.Arch, asked[c.Arch])
		}
	}
}

// The words of Arm's system side are no locations, and what they are about is: each text with its tokens, each
// after its kind.
func TestTokensOfSystems(t *testing.T) {
	names := map[kind]string{
		keyword: "keyword", mnemonic: "mnemonic", typeName: "type", number: "number", register: "register",
		label: "label", locationName: "location", function: "function", tag: "tag", quoted: "string",
	}
	for _, c := range []struct{ part, text, want string }{
		{
			"final", "exists ~fault(P1:LC00,x,MMU:Translation)",
			"keyword exists|keyword fault|number P1:|label LC00|location x|tag MMU:Translation",
		},
		{
			"final", "forall Fault (P0, x:red, TagCheck) /\\ TagCheck=1",
			"keyword forall|keyword Fault|number P0|location x|tag red|tag TagCheck|location TagCheck|number 1",
		},
		{
			"final", "exists fault(P0,I-MMU) \\/ fault(P0,GCS:POPM) \\/ fault(P1,PTE(x)) /\\ MMU=1",
			"keyword exists|keyword fault|number P0|tag I-MMU|keyword fault|number P0|tag GCS:POPM|keyword fault|" +
				"number P1|function PTE|location x|location MMU|number 1",
		},
		{
			"final", "exists [PTE(x)]=(oa:PA(y), valid:0, attrs:(Normal,iNC)) /\\ pte_x=1",
			"keyword exists|function PTE|location x|tag oa|function PA|location y|tag valid|number 0|tag attrs|" +
				"tag Normal|tag iNC|function pte_|location x|number 1",
		},
		{
			"final", "exists 0:X0=pacia(P0:L0,0x5) /\\ 0:X1=pacia(caller,0) /\\ 0:X2=pacda(x,0x0)",
			"keyword exists|number 0:|register X0|function pacia|number P0:|label L0|number 0x5|number 0:|" +
				"register X1|" +
				"function pacia|tag caller|number 0|number 0:|register X2|function pacda|location x|number 0x0",
		},
		{
			"final", "exists 0:X3=parel1_t:(f:1) /\\ fault=1",
			"keyword exists|number 0:|register X3|tag parel1_t|tag f|number 1|location fault|number 1",
		},
		{
			"initial", "0:X0=x:red; [tag(x)]=:blue; 0:X2={:red,:blue};",
			"number 0:|register X0|location x|tag red|function tag|location x|tag blue|number 0:|register X2|tag red|" +
				"tag blue",
		},
		{
			"initial", "pteval_t 0:X2=(oa:PA(y), db:0); 0:X0=instr:\"B .+8\"; 0:X1=P1:L2; 0:X3=NOP; SS(x,2);",
			"type pteval_t|number 0:|register X2|tag oa|function PA|location y|tag db|number 0|number 0:|register X0|" +
				"type instr|string \"B .+8\"|number 0:|register X1|number P1:|label L2|number 0:|register X3|" +
				"mnemonic NOP|" +
				"function SS|location x|number 2",
		},
	} {
		text := "AArch64 T\n{ }\n P0 | P0.F ;\n NOP | ERET ;\n" + c.text
		if c.part == "initial" {
			text = "AArch64 T\n{ " + c.text + " }\n P0 | P0.F ;\n NOP | ERET ;\nexists true"
		}
		d := newDocument("untitled:a.litmus", 0, ofTests, text, false)
		checkTokens(t, d)
		var got []string
		for _, u := range d.marks() {
			if u.part == map[string]part{"final": final, "initial": initial}[c.part] && u.kind != punctuation {
				got = append(got, names[u.kind]+" "+d.text[u.from:u.to])
			}
			if u.part == code && d.text[u.from:u.to] == "P0.F" && u.kind != heading {
				t.Error("P0.F is no heading")
			}
		}
		if got := strings.Join(got, "|"); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// All names in the library's models are somebody's.
func TestTokensOfTheLibrary(t *testing.T) {
	known := modelWordKinds()
	r := &request{server: &server{}, view: view{}}
	for _, f := range library.Files() {
		d := newDocument("untitled:"+f.Name, 0, ofModels, f.Text, false)
		checkTokens(t, d)
		if !sameModel(f.Text, tidy(f.Text)) {
			t.Errorf("%s is another when it is tidied", f.Name)
		}
		if _, err := models.Parse(f.Name, f.Text, dialect.Vocabulary()); err != nil {
			continue // it rests on names of who includes it
		}
		for _, u := range d.marks() {
			if name := d.text[u.from:u.to]; u.of.space == topNames && u.of.thread == 0 && known[name] == "" {
				if _, in := r.definition(d, u); in == nil && !slices.Contains(maybe, name) {
					t.Errorf("%s: nobody defines %s", f.Name, name)
				}
			}
		}
	}
}

// maybe are names that need no definition: try does without, and of T there are no events.
var maybe = []string{"Acquire", "Release", "T"}

// Whatever a text says, its tokens lie in it, in order, and nothing that is asked about it ends the server.
func FuzzTokens(f *testing.F) {
	for _, text := range []string{
		sb, mp, inC, "", "{", "X86\n{}}", "C\n{}P0(", "let a = b", "(* ", "\"", "#include <x",
		"\ufeffX86 A\n{ }\nP0;\nexists", "C {\n}\nP1(a)(\n", "C T\n{ }\nü P0(ü) { ü; }\nexü",
		"C T(*\n{ }\nP0() { }\nexists true", "L:L:;|",
	} {
		f.Add(text, uint16(len(text)/2))
	}
	f.Fuzz(func(t *testing.T, text string, at uint16) {
		for _, name := range []string{"a.litmus", "a.cat", "a.c"} {
			uri := "untitled:" + name
			d := newDocument(uri, 1, tongueOf(uri, "", text), text, at%2 == 0)
			checkTokens(t, d)
			r := &request{server: &server{}, ctx: t.Context(), view: view{uri: d}, snippets: true}
			p := place{textDocument{uri}, d.position(int(at))}
			for _, ask := range []func() (any, error){
				func() (any, error) { return r.completion(p) },
				func() (any, error) { return r.hover(p) },
				func() (any, error) { return r.goToDefinition(p) },
				func() (any, error) { return r.highlights(p) },
				func() (any, error) { return r.prepareRename(p) },
				func() (any, error) { return r.colours(named{textDocument{uri}}) },
				func() (any, error) { return r.formatting(named{textDocument{uri}}) },
			} {
				_, _ = ask() // an error is an answer
			}
		}
	})
}
