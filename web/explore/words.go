package explore

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"litmuscope/litmus/cprog"
	"litmuscope/litmus/dialect"
	"litmuscope/models"
	"litmuscope/models/cat"
	"litmuscope/web/ask"
)

// testWords is what completion knows of tests of one architecture.
type testWords struct {
	Arch         string            `json:"arch"`
	Instructions []instructionWord `json:"instructions"` // the most usual first
	Registers    []string          `json:"registers"`
	Aliases      []string          `json:"aliases,omitempty"`   // further names of registers
	Modifiers    []string          `json:"modifiers,omitempty"` // other words among operands
	Sigil        string            `json:"sigil,omitempty"`     // before a register in an instruction
	Bodies       bool              `json:"bodies,omitempty"`    // threads are functions of C
	Controls     []string          `json:"controls,omitempty"`  // of C: words for where control goes
	Types        []string          `json:"types,omitempty"`     // of C: words that types are made of
	Keywords     []keyword         `json:"keywords"`
	Models       []string          `json:"models"` // to be ticked for a test of it
}

type instructionWord struct {
	Name     string       `json:"name"`
	Operands string       `json:"operands,omitempty"` // to begin with
	Kind     dialect.Kind `json:"kind"`
	Help     string       `json:"help"`
}

type keyword struct {
	Name string `json:"name"`
	Help string `json:"help"`
}

// keywords are those of the frame of a test. Each begins what is behind the program.
var keywords = []keyword{
	{"exists", "can the condition hold in the end?"},
	{"~exists", "does the condition never hold in the end?"},
	{"forall", "does the condition always hold in the end?"},
	{"locations", "what final states are to show besides: locations [x; 0:EAX;]"},
	{"filter", "takes only the final states in which this holds"},
}

// modelWords is what completion knows of models.
type modelWords struct {
	Words   []cat.Word `json:"words"`
	Files   []fileWord `json:"files"`   // to include
	Builtin []string   `json:"builtin"` // names that are taken
}

type fileWord struct {
	Name    string     `json:"name"`
	Help    string     `json:"help"`    // its title, or what its first comment says
	Defines []cat.Word `json:"defines"` // for those who include it
}

// document is an answer that stays the same as long as the program does.
type document struct {
	body []byte
	tag  string
}

func newDocument(v any) document {
	body, err := json.Marshal(v)
	if err != nil {
		panic("BUG: words have no JSON: " + err.Error())
	}
	sum := sha256.Sum256(body)
	return document{body, `"` + hex.EncodeToString(sum[:8]) + `"`}
}

var (
	documentsLock sync.Mutex
	documents     = map[string]document{} // by architecture; "cat" for models, "program" for C programs
)

// wordsOf makes a document when it is first asked for.
func wordsOf(of string) (document, bool) {
	documentsLock.Lock()
	defer documentsLock.Unlock()
	d, ok := documents[of]
	if ok {
		return d, true
	}
	switch of {
	case catWords:
		d = newDocument(newModelWords())
	case programWords:
		d = newDocument(newProgramWords())
	default:
		w, ok := newTestWords(of)
		if !ok {
			return d, false
		}
		d = newDocument(w)
	}
	documents[of] = d
	return d, true
}

// catWords stands for models among the architectures.
const catWords = "cat"

// programWords stands for C programs.
const programWords = "program"

// callWords is what completion knows of C programs.
type callWords struct {
	Calls     []instructionWord `json:"calls"`
	Modifiers []string          `json:"modifiers"` // memory orders
	Controls  []string          `json:"controls"`
	Types     []string          `json:"types"`
	Asks      []string          `json:"asks"` // calls by which a program says what is asked of it
}

func newProgramWords() callWords {
	words, _, _ := dialect.Words("C")
	out := callWords{Calls: []instructionWord{}, Modifiers: words.Modifiers, Controls: words.Controls, Types: cprog.Types()}
	for _, w := range cprog.Words() {
		help := "known without a header"
		if w.Header != "" {
			help = "of <" + w.Header + ">"
		}
		if w.Help != "" {
			help = w.Help + ", " + help
		}
		if w.Asks {
			out.Asks = append(out.Asks, w.Name)
		}
		out.Calls = append(out.Calls, instructionWord{Name: w.Name, Operands: w.Takes, Help: help})
	}
	return out
}

// getWords gives what completion knows: ?arch=X86 of tests, ?arch=cat of models, ?arch=program of C
// programs.
func (s *room) getWords(w http.ResponseWriter, r *http.Request) {
	d, ok := wordsOf(r.URL.Query().Get("arch"))
	if !ok {
		s.Fail(w, r, http.StatusNotFound, "There are words for "+strings.Join(dialect.Tongues(), ", ")+", "+catWords+" and "+programWords+".")
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json")
	// A new program may know more: browsers keep it, and ask whether it still holds.
	h.Set("Cache-Control", "public, no-cache")
	h.Set("ETag", d.tag)
	if strings.Contains(r.Header.Get("If-None-Match"), strings.Trim(d.tag, `"`)) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	_, _ = w.Write(d.body) // the client may have gone
}

func newTestWords(arch string) (testWords, bool) {
	words, instructions, ok := dialect.Words(arch)
	if !ok {
		return testWords{}, false
	}
	out := testWords{
		Arch: arch, Registers: words.Registers, Aliases: words.Aliases, Modifiers: words.Modifiers,
		Sigil: words.Sigil, Bodies: words.Bodies, Controls: words.Controls, Types: words.Types, Keywords: keywords, Models: ask.FirstModels(arch),
	}
	for _, in := range instructions {
		out.Instructions = append(out.Instructions, instructionWord{in.Mnemonic, in.Operands, in.Kind, in.Help})
	}
	return out, true
}

func newModelWords() modelWords {
	out := modelWords{Words: models.Words(), Builtin: models.Names()}
	for _, tag := range dialect.Vocabulary().Tags {
		help := models.Help(nil, string(tag))
		if archs := dialect.Tagging(tag); len(archs) > 0 {
			help += " (" + strings.Join(archs, ", ") + ")"
		}
		out.Words = append(out.Words, cat.Word{Name: string(tag), Kind: cat.Set.String(), Help: help})
	}
	for _, f := range models.Files() {
		defines, err := cat.Definitions(f.Name, f.Text)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		out.Files = append(out.Files, fileWord{f.Name, aboutFile(f), defines})
	}
	return out
}

// aboutFile is a file's title, else the first sentence of its first comment.
func aboutFile(f models.File) string {
	if parsed, err := cat.Parse(f.Name, f.Text); err == nil && parsed.Title != "" {
		return parsed.Title
	}
	_, comment, _ := strings.Cut(f.Text, "(*")
	comment, _, _ = strings.Cut(comment, "*)")
	sentence, _, _ := strings.Cut(strings.Join(strings.Fields(comment), " "), ". ")
	return strings.TrimSuffix(sentence, ".")
}
