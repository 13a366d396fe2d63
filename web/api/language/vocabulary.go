package language

import (
	"strings"
	"sync"

	"litmuscope/litmus/dialect"
	"litmuscope/litmus/lower"
	"litmuscope/web/parts/completion"
)

// vocabulary is what tests of an architecture, or a tongue, are written in; all sets are in capitals but those of C.
type vocabulary struct {
	completion.Test
	known     bool
	register  func(name string) (lower.RegisterView, bool)
	modifiers map[string]bool
	jumps     map[string]bool
	by        map[string][]completion.Instruction // by mnemonic
	controls  map[string]bool
	types     map[string]bool
	orders    map[string]bool
	frame     []lower.FrameWord
}

var vocabularies sync.Map // of a tongue: func() *vocabulary

// vocabularyOf is made when it is first asked for.
func vocabularyOf(tongue string) *vocabulary {
	make, _ := vocabularies.LoadOrStore(tongue, sync.OnceValue(func() *vocabulary { return newVocabulary(tongue) }))
	return make.(func() *vocabulary)()
}

// unknown is that of a test that does not say yet what it is.
var unknown = sync.OnceValue(func() *vocabulary { return newVocabulary("") })

// vocabularyFor is that of a test's text.
func vocabularyFor(text string) *vocabulary {
	t := dialect.Tongue(text)
	for _, known := range dialect.Tongues() {
		if t == known {
			return vocabularyOf(t)
		}
	}
	return unknown()
}

// newVocabulary makes the vocabulary of a tongue; of an unknown one, only what every test has.
func newVocabulary(tongue string) *vocabulary {
	v := &vocabulary{
		register: func(string) (lower.RegisterView, bool) { return lower.RegisterView{}, false },
		jumps:    map[string]bool{}, by: map[string][]completion.Instruction{},
	}
	if v.Test, v.known = completion.OfTests(tongue); !v.known {
		v.Keywords = completion.Keywords()
	}
	lowered, ok := dialect.Words(tongue)
	if ok && lowered.Register != nil {
		v.register = lowered.Register
	}
	v.frame = lowered.Frame
	v.modifiers, v.controls, v.types, v.orders = setOf(v.Modifiers, !v.Bodies), setOf(v.Controls, false),
		setOf(v.Types, false), setOf(v.Modifiers, false)
	for _, in := range v.Instructions {
		name := in.Name
		if !v.Bodies {
			name = strings.ToUpper(name)
		}
		if in.Kind == dialect.Jump {
			v.jumps[name] = true
		}
		v.by[name] = append(v.by[name], in)
	}
	return v
}

func setOf(list []string, capitals bool) map[string]bool {
	out := map[string]bool{}
	for _, name := range list {
		if capitals {
			name = strings.ToUpper(name)
		}
		out[name] = true
	}
	return out
}

// whole is the register that a name is one of, or of a part of: what two names of it have in common. One that a test
// chooses itself, %x, is its own.
func (v *vocabulary) whole(name string) (string, bool) {
	for _, n := range []string{name, strings.TrimLeft(name, "$%"), strings.ToUpper(strings.TrimLeft(name, "$%"))} {
		if r, ok := v.register(n); ok {
			return r.Whole, true
		}
	}
	if strings.HasPrefix(name, "%") && len(name) > 1 {
		return name, true
	}
	return "", false
}

// isC tells whether tests are written in C; of a test that says nothing, nobody knows.
func (v *vocabulary) isC() bool { return v.Bodies }

var modelVocabulary = sync.OnceValue(completion.OfModels)

var programVocabulary = sync.OnceValue(completion.OfPrograms)
