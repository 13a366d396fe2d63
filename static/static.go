// Package static holds what pages fetch beside themselves: the style sheets
// and the scripts, each bundled, the typefaces, and the icon, embedded in the program.
//
// An asset's address carries a hash of its content, "/static/page.3f9a….js", so
// browsers keep it for good and a new program never meets an old script. What
// is under dist is built from src with "task assets" and committed, so that
// building the program needs no JavaScript tools. Chunks, which scripts import from
// beside themselves, "./chunk-3KZ7….js", and typefaces have a hash in their names already and keep them.
package static

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"mime"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

//go:embed dist img
var files embed.FS

// Prefix is where Handler is to be mounted.
const Prefix = "/static/"

type asset struct {
	kind    string // media type
	hash    string
	body    []byte
	gzipped []byte // nil where compression gains nothing
}

type table struct {
	path  map[string]string // file name → address
	asset map[string]asset  // address → asset
}

var assets = sync.OnceValue(func() table {
	t := table{map[string]string{}, map[string]asset{}}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(body)
		a := asset{kind: mediaType(name), hash: hex.EncodeToString(sum[:6]), body: body, gzipped: compress(body)}
		base := path.Base(name)
		ext := path.Ext(base)
		address := Prefix + strings.TrimSuffix(base, ext) + "." + a.hash + ext
		if strings.HasPrefix(base, "chunk-") {
			address = Prefix + base
		}
		t.path[base], t.asset[address] = address, a
		return nil
	})
	if err != nil {
		panic(fmt.Sprintf("BUG: embedded assets: %v", err))
	}
	return t
})

// mediaType does not ask the system's tables, which differ between machines.
func mediaType(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	case ".woff2":
		return "font/woff2"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return mime.TypeByExtension(path.Ext(name))
}

func compress(body []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(fmt.Sprintf("BUG: %v", err))
	}
	// A bytes.Buffer takes every write.
	_, _ = w.Write(body)
	_ = w.Close()
	if b.Len() > len(body)*9/10 {
		return nil
	}
	return b.Bytes()
}

// Path gives the address of an asset from its file name, "page.js". A name that
// is not embedded is a mistake in the program: Path panics.
func Path(name string) string {
	p, ok := assets().path[name]
	if !ok {
		panic("BUG: no asset named " + name)
	}
	return p
}

// Has tells whether there is an asset of that file name.
func Has(name string) bool {
	_, ok := assets().path[name]
	return ok
}

// imported matches what a bundled script imports at its start; what it imports later
// has parentheses.
var imported = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:from|import)\s*"\./(chunk-[^"/]+\.js)"`) })

// Imports gives the addresses of the chunks that a script cannot start without, so that
// a page can ask for them at once.
func Imports(name string) []string {
	var out []string
	seen := map[string]bool{}
	var visit func(address string)
	visit = func(address string) {
		for _, m := range imported().FindAllSubmatch(assets().asset[address].body, -1) {
			if chunk := Path(string(m[1])); !seen[chunk] {
				seen[chunk] = true
				out = append(out, chunk)
				visit(chunk)
			}
		}
	}
	visit(Path(name))
	return out
}

// typeface matches what a bundled style sheet says of a typeface.
var typeface = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`url\(["']?\./(chunk-[^"')/]+\.woff2)`) })

// Typefaces gives the addresses of those that a style sheet has, so that a page can ask for them at once.
func Typefaces(name string) []string {
	var out []string
	for _, m := range typeface().FindAllSubmatch(assets().asset[Path(name)].body, -1) {
		out = append(out, Path(string(m[1])))
	}
	return out
}

// Handler serves the assets. Each may be kept for a year, as its address changes
// with its content. What there is not is left to missing.
func Handler(missing http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, ok := assets().asset[r.URL.Path]
		if !ok {
			missing(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", a.kind)
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		h.Set("ETag", `"`+a.hash+`"`)
		h.Add("Vary", "Accept-Encoding")
		if r.Header.Get("If-None-Match") == `"`+a.hash+`"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		body := a.body
		if a.gzipped != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			h.Set("Content-Encoding", "gzip")
			body = a.gzipped
		}
		h.Set("Content-Length", fmt.Sprint(len(body)))
		if r.Method != http.MethodHead {
			_, _ = w.Write(body) // the client may have gone
		}
	})
}

// Fingerprint tells one set of assets from another.
func Fingerprint() string {
	sum := sha256.New()
	for _, address := range slices.Sorted(maps.Keys(assets().asset)) {
		fmt.Fprintln(sum, address)
	}
	return hex.EncodeToString(sum.Sum(nil)[:6])
}

// Files gives every asset with its address.
func Files() map[string][]byte {
	files := map[string][]byte{}
	for address, a := range assets().asset {
		files[address] = a.body
	}
	return files
}

// Name is the file name of an asset from its address.
func Name(address string) string {
	for name, p := range assets().path {
		if p == address {
			return name
		}
	}
	return ""
}

// File is an asset of a file name.
func File(name string) []byte { return assets().asset[Path(name)].body }
