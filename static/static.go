// Package static embeds the files that pages fetch: style sheets, scripts, typefaces and icons, and the Markdown files
// of the manual ([Manual]). [Handler] serves them, and [Path] gives the address of a file.
//
// The address of an asset contains a hash of its content, "/static/page.3f9a….js", so that browsers can cache it for
// good and a new program never gets an old script. Typefaces, and chunks that scripts import, already have a hash in
// their names and keep them. In a static site's program, which contains no assets, a [Table] says what pages need to
// know of them.
//
// The scripts in dist are built from src by "task assets" and committed, so that building the program needs no
// JavaScript tools. It imports nothing of litmuscope.
package static

import (
	"crypto/sha256"
	_ "embed" // bundled
	"encoding/hex"
)

// Prefix is where Handler is to be mounted.
const Prefix = "/static/"

// Table is what pages say of assets. The program of a static site has it from the site, whose host has the files
// themselves.
type Table struct {
	Paths     map[string]string   `json:"paths"`     // addresses, by file names
	Imports   map[string][]string `json:"imports"`   // what a script cannot start without, by file names
	Typefaces map[string][]string `json:"typefaces"` // what a style sheet has, by file names
}

// Path gives the address of an asset from its file name, "page.js". A name that
// is not there is a mistake in the program: Path panics.
func Path(name string) string {
	p, ok := Told().Paths[name]
	if !ok {
		panic("BUG: no asset named " + name)
	}
	return p
}

// Has tells whether there is an asset of that file name.
func Has(name string) bool {
	_, ok := Told().Paths[name]
	return ok
}

// Imports gives the addresses of the chunks that a script cannot start without, so that
// a page can ask for them at once.
func Imports(name string) []string { return Told().Imports[name] }

// Typefaces gives the addresses of those that a style sheet has, so that a page can ask for them at once.
func Typefaces(name string) []string { return Told().Typefaces[name] }

// bundled tells what is under dist, and from what it was built.
//
//go:embed src/bundle.sha256
var bundled []byte

// Fingerprint tells one set of assets from another: in a browser, those that the program was built with.
func Fingerprint() string {
	sum := sha256.Sum256(bundled)
	return hex.EncodeToString(sum[:6])
}

// Name is the file name of an asset from its address.
func Name(address string) string {
	for name, p := range Told().Paths {
		if p == address {
			return name
		}
	}
	return ""
}
