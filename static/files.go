//go:build !js

package static

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"regexp"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

//go:embed dist img docs/*.png
var files embed.FS

type asset struct {
	name    string // of its file
	kind    string // media type
	hash    string
	body    []byte
	gzipped []byte // nil where compression gains nothing
}

// assets are all of them, by their addresses.
var assets = sync.OnceValue(func() map[string]asset {
	t := map[string]asset{}
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
		a.name = path.Base(name)
		ext := path.Ext(name)
		address := Prefix + strings.TrimSuffix(a.name, ext) + "." + a.hash + ext
		if strings.HasPrefix(a.name, "chunk-") {
			address = Prefix + a.name
		}
		t[address] = a
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

// imported matches what a bundled script imports at its start; what it imports later
// has parentheses.
var imported = regexp.MustCompile(`(?:from|import)\s*"\./(chunk-[^"/]+\.js)"`)

// typeface matches what a bundled style sheet says of a typeface.
var typeface = regexp.MustCompile(`url\(["']?\./(chunk-[^"')/]+\.woff2)`)

// Told is what pages say of assets.
var Told = sync.OnceValue(func() *Table {
	t := &Table{map[string]string{}, map[string][]string{}, map[string][]string{}}
	for address, a := range assets() {
		t.Paths[a.name] = address
		t.Imports[a.name] = imports(a.body)
		for _, m := range typeface.FindAllSubmatch(a.body, -1) {
			t.Typefaces[a.name] = append(t.Typefaces[a.name], Prefix+string(m[1]))
		}
	}
	return t
})

// imports are the chunks that a script imports at its start, and those that they do.
func imports(script []byte) []string {
	var out []string
	seen := map[string]bool{}
	var visit func(script []byte)
	visit = func(script []byte) {
		for _, m := range imported.FindAllSubmatch(script, -1) {
			if chunk := Prefix + string(m[1]); !seen[chunk] {
				seen[chunk] = true
				out = append(out, chunk)
				visit(assets()[chunk].body)
			}
		}
	}
	visit(script)
	return out
}

// Handler serves the assets. Each may be kept for a year, as its address changes
// with its content. What there is not is left to missing.
func Handler(missing http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, ok := assets()[r.URL.Path]
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

// Files gives every asset with its address.
func Files() map[string][]byte {
	files := map[string][]byte{}
	for address, a := range assets() {
		files[address] = a.body
	}
	return files
}

// File is an asset of a file name.
func File(name string) []byte { return assets()[Path(name)].body }
