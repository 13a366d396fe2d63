// Package static embeds the files that pages fetch: style sheets, scripts, typefaces and icons, and the Markdown files
// of the manual ([Manual]). [Handler] serves them, and [Path] gives the address of a file.
//
// The address of an asset contains a hash of its content, "/static/page.3f9a….js", so that browsers can cache it for
// good and a new program never gets an old script. Typefaces, and chunks that scripts import, already have a hash in
// their names and keep them. In a static site's program, which contains no assets, a [Table] says what pages need to
// know of them.
//
// The repository contains the scripts in dist, which "task assets" builds from src, so that building the program needs
// no JavaScript tools. It imports nothing of litmuscope.
package static

import (
	"crypto/sha256"
	_ "embed" // bundled
	"encoding/hex"
)

// Prefix is the path at which a server must mount Handler.
const Prefix = "/static/"

// Table has everything that pages need to know about assets. In a static site's program, the table comes from the site,
// because the site's host serves the files.
type Table struct {
	Paths     map[string]string   `json:"paths"`     // addresses, by file names
	Imports   map[string][]string `json:"imports"`   // chunks that a script imports at its start, by file names
	Typefaces map[string][]string `json:"typefaces"` // addresses of a style sheet's typefaces, by file names
}

// Path returns the address of the asset with a file name such as "page.js". It panics if there is none: the name is a
// mistake in the program.
func Path(name string) string {
	p, ok := AssetTable().Paths[name]
	if !ok {
		panic("BUG: no asset named " + name)
	}
	return p
}

// Has reports whether there is an asset with that file name.
func Has(name string) bool {
	_, ok := AssetTable().Paths[name]
	return ok
}

// Imports returns the addresses of the chunks that a script imports at its start, so that a page can request them at
// once.
func Imports(name string) []string { return AssetTable().Imports[name] }

// Typefaces returns the addresses of a style sheet's typefaces, so that a page can request them at once.
func Typefaces(name string) []string { return AssetTable().Typefaces[name] }

// bundled has the hashes of the files in dist and of their sources.
//
//go:embed src/bundle.sha256
var bundled []byte

// Fingerprint identifies the set of assets in this build.
func Fingerprint() string {
	sum := sha256.Sum256(bundled)
	return hex.EncodeToString(sum[:6])
}

// Name returns the file name of the asset at an address, or "".
func Name(address string) string {
	for name, p := range AssetTable().Paths {
		if p == address {
			return name
		}
	}
	return ""
}
