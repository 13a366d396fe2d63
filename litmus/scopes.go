package litmus

import (
	"slices"
	"strconv"
	"strings"
)

// Scopes are the parts of a machine that threads share. Tests for GPUs say where each thread is, behind its name:
// P0@cta 0,gpu 0. Scopes nest, and tests number those of one parent: cta 0 of gpu 0 is not cta 0 of gpu 1.

// scopes are the scopes of each architecture that has any, the innermost first.
var scopes = map[string][]string{
	"PTX": {"cta", "gpu"}, "VULKAN": {"sg", "wg", "qf"}, "OPENCL": {"wg", "dev"},
}

// Scopes returns the scopes in which threads of an architecture's tests are, the innermost first; nil if it has none.
func Scopes(arch string) []string { return scopes[arch] }

// DefaultProxy is the proxy of locations under their own names, and of aliases that name none.
const DefaultProxy = "generic"

// placed splits a thread's name from what it says about scopes: P0@cta 0,gpu 0.
func (p *parser) placed(name Cell) (bare Cell, place []int) {
	word, _, found := strings.Cut(name.Text, "@")
	bare = Cell{Pos: name.Pos, Text: trim(word)}
	all := scopes[p.test.Arch]
	switch {
	case !found && all == nil:
		return name, nil
	case !found:
		panic(Errorf(name.Pos, "%s is outside every scope: want its place, such as %s%s", Shorten(name.Text),
			Shorten(bare.Text), exampleOf(all)))
	case all == nil:
		panic(Errorf(name.At(len(word)), "tests for %s have no scopes: want a thread name such as %s", p.test.Arch,
			Shorten(bare.Text)))
	}
	place = make([]int, len(all))
	for i := range place {
		place[i] = -1
	}
	for _, w := range name.From(len(word) + 1).Operands() {
		p.inScope(w, bare.Text, place)
	}
	for i, n := range place {
		if n < 0 {
			panic(Errorf(name.Pos, "%s does not say its %s: want its place, such as %s%s", Shorten(bare.Text), all[i],
				Shorten(bare.Text), exampleOf(all)))
		}
	}
	return bare, place
}

// inScope reads one scope of a thread and its number: cta 0.
func (p *parser) inScope(w Word, thread string, place []int) {
	all := scopes[p.test.Arch]
	parts := fields(w.Text)
	if len(parts) != 2 {
		panic(Errorf(w.Pos, "got %q, want a scope and its number, such as %s 0", Shorten(w.Text), all[0]))
	}
	i := slices.Index(all, parts[0])
	if i < 0 {
		panic(Errorf(w.Pos, "unknown scope %s: threads of %s tests are in %s", Shorten(parts[0]), p.test.Arch,
			strings.Join(all, ", ")))
	}
	n, err := strconv.Atoi(parts[1])
	if err != nil || n < 0 || n > MaxThreads {
		panic(Errorf(w.Pos, "got %q, want the number of a %s, from 0 to %d", Shorten(parts[1]), parts[0], MaxThreads))
	}
	if place[i] >= 0 {
		panic(Errorf(w.Pos, "%s has two places in %s", Shorten(thread), parts[0]))
	}
	place[i] = n
}

// SomePlace returns a place in the scopes of an architecture, as it stands behind a thread's name: "@cta 0, gpu 0". It
// returns "" for an architecture without scopes.
func SomePlace(arch string) string { return exampleOf(scopes[arch]) }

// PlaceText writes a place in the scopes of an architecture as it stands behind a thread's name; "" without scopes.
func PlaceText(arch string, place []int) string { return placeString(scopes[arch], place) }

// exampleOf writes a place in all of an architecture's scopes.
func exampleOf(all []string) string { return placeString(all, make([]int, len(all))) }

// placeString writes a place as a test does: "@cta 0, gpu 0".
func placeString(all []string, place []int) string {
	var b strings.Builder
	for i, n := range place {
		b.WriteString([]string{"@", ", "}[min(i, 1)] + all[i] + " " + strconv.Itoa(n))
	}
	return b.String()
}

// titleIn returns the thread's name with its place in an architecture's scopes: P0@cta 0, gpu 0.
func (t Thread) titleIn(arch string) string { return t.Title() + placeString(scopes[arch], t.Place) }

// Meeting is a pair of threads that synchronize outside of the test: what the first has done comes before what the
// second does. Vulkan's tests write it in a block of its own: { ssw 0 1; }.
type Meeting struct {
	Pos      Pos
	From, To int // numbers of threads
}

// meetings reads the block of Vulkan's tests that says which threads synchronize outside of the test.
func (p *parser) meetings() {
	if p.test.Arch != "VULKAN" || !p.accept("{") {
		return
	}
	for !p.accept("}") {
		if p.accept(";") {
			continue
		}
		m := Meeting{Pos: p.pos()}
		if !p.acceptWord("ssw") {
			p.failf("got %s, want ssw and the numbers of two threads, as in ssw 0 1", p.next())
		}
		m.From, m.To = p.threadNumber(), p.threadNumber()
		p.test.Meetings = append(p.test.Meetings, m)
		if !p.peek("}") {
			p.expect(";", "after ssw and two threads")
		}
	}
}

// threadNumber reads the number of a thread, which may be written P0.
func (p *parser) threadNumber() int {
	if id, ok := threadID(p.peekWord()); ok {
		p.word("")
		return id
	}
	start := p.pos()
	n := p.number("the number of a thread")
	if n >= MaxThreads {
		panic(Errorf(start, "thread number %d is too large: at most %d", n, MaxThreads-1))
	}
	return int(n)
}

// checkMeetings reports threads of meetings that there are not.
func (p *parser) checkMeetings() {
	for _, m := range p.test.Meetings {
		for _, id := range []int{m.From, m.To} {
			if !slices.ContainsFunc(p.test.Threads, func(t Thread) bool { return t.ID == id }) {
				e := Errorf(m.Pos, "ssw: there is no thread P%d", id)
				if !p.all {
					panic(e)
				}
				p.errs = append(p.errs, e)
			}
		}
	}
}

// namesAlias reports whether an item that gives a location another name comes next, whose words are no type.
func (p *parser) namesAlias() bool {
	if scopes[p.test.Arch] == nil {
		return false
	}
	start := p.at
	defer func() { p.at = start }()
	w := p.peekWord()
	p.at = len(p.text) - len(p.rest()) + len(w)
	return w != "" && p.peekWord() == "aliases"
}

// alias reads the rest of an init item that gives a location another name: "@ texture aliases x" or "aliases x". The
// proxy is the way through which accesses by that name go.
func (p *parser) alias(item *Init) bool {
	if scopes[p.test.Arch] == nil {
		return false
	}
	proxied := p.accept("@")
	if !proxied && p.peekWord() != "aliases" {
		return false
	}
	item.Proxy = DefaultProxy
	if proxied {
		item.Proxy = p.word("a proxy such as texture")
	}
	if !p.acceptWord("aliases") {
		p.failf("got %s, want aliases and a location after the proxy", p.next())
	}
	item.Aliases = p.word("the location that " + item.Target.Name + " aliases")
	if item.Type != "" || item.Target.IsRegister() || item.Target.Index >= 0 {
		panic(Errorf(item.Pos, "%s: an alias is a name without a type and an index", item.Target))
	}
	return true
}

// numbers reads a comparison of two numbers, 0==0, which tests for GPUs have in place of true.
func (p *parser) numbers() (Bool, bool) {
	r := p.rest()
	n := 0
	for n < len(r) && isDigit(r[n]) {
		n++
	}
	if scopes[p.test.Arch] == nil || n == 0 {
		return false, false
	}
	behind := r[n+countBlanks(r[n:]):]
	if !strings.HasPrefix(behind, "==") && !strings.HasPrefix(behind, "!=") {
		return false, false
	}
	left := p.number("a number")
	equal := p.accept("==")
	if !equal {
		p.expect("!=", "between two numbers")
	}
	return Bool(left == p.number("a number") == equal), true
}
