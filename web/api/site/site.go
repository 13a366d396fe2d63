//go:build !js

package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
	"golang.org/x/net/html"

	"litmuscope/static"
	"litmuscope/web/server"
)

// Engine is the program that answers in the browser.
type Engine struct {
	Program []byte // WebAssembly, compressed with Brotli
	Runtime []byte // the script of Go's that runs it, of the same version of Go
}

// Written is what a site comes to.
type Written struct {
	Pages, Files int   // without their compressed copies
	Bytes        int64 // of all
	Compressed   int64 // … in their smallest form
	Program      int64 // … of the engine
}

// writer writes a site.
type writer struct {
	dir     string
	handler http.Handler
	files   []string        // below dir, with slashes, and without index.html
	pages   map[string]bool // that are written, or to be written
	todo    []string
	Written
}

// Write writes a site into a folder: its handler is one of a static site with the base "/". What is in the folder
// already and not written anew is left there.
func Write(ctx context.Context, dir string, handler http.Handler, e Engine) (Written, error) {
	routes, ok := handler.(chi.Routes)
	if !ok {
		return Written{}, errors.New("BUG: the site has no routes")
	}
	w := &writer{dir: dir, handler: handler, pages: map[string]bool{}}
	err := chi.Walk(routes, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if apart(route) || strings.ContainsAny(route, "{*") || method != http.MethodGet && method != http.MethodPost {
			return nil
		}
		w.find(route)
		return nil
	})
	if err != nil {
		return w.Written, err
	}
	for len(w.todo) > 0 {
		page := w.todo[0]
		w.todo = w.todo[1:]
		if err := w.page(ctx, page); err != nil {
			return w.Written, err
		}
	}
	return w.Written, w.rest(e)
}

// apart tells the routes that no browser goes to on a static site.
func apart(route string) bool {
	return strings.HasPrefix(route, "/api/") || strings.HasPrefix(route, static.Prefix) ||
		slices.Contains([]string{"/healthz", "/readyz", "/metrics", "/favicon.ico", "/litmus-test.js"}, route)
}

// find notes a page that there is.
func (w *writer) find(page string) {
	if !w.pages[page] && !apart(page) {
		w.pages[page] = true
		w.todo = append(w.todo, page)
	}
}

// page writes what a page is answered with; where that depends on a question, or is no page, what waits for the engine
// to answer.
func (w *writer) page(ctx context.Context, page string) error {
	answer := w.ask(ctx, http.MethodGet, page, nil)
	if page == "/" && answer.Code == http.StatusOK {
		// With its answer, as who has no scripts asks for it.
		action, form, err := firstForm(answer.Body.Bytes())
		if err != nil {
			return err
		}
		answer = w.ask(ctx, http.MethodPost, action, form)
	}
	media := answer.Header().Get("Content-Type")
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case answer.Code == http.StatusOK && strings.HasPrefix(media, "text/html"):
		w.links(answer.Body.Bytes(), page)
		return w.html(page, answer.Body.Bytes(), page)
	case answer.Code == http.StatusOK && answer.Header().Get("Content-Disposition") == "":
		return nil // of scripts alone
	}
	return w.html(page, wait(), "")
}

func (w *writer) ask(ctx context.Context, method, address string, form url.Values) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(ctx, method, "http://localhost"+address, strings.NewReader(form.Encode()))
	r.Header.Set("Accept", "text/html")
	r.RemoteAddr = "127.0.0.1:1"
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	answer := httptest.NewRecorder()
	w.handler.ServeHTTP(answer, r)
	return answer
}

// links notes the pages that one leads to.
func (w *writer) links(text []byte, from string) {
	for tokens := html.NewTokenizer(bytes.NewReader(text)); tokens.Next() != html.ErrorToken; {
		token := tokens.Token()
		if token.Data != "a" || token.Type != html.StartTagToken {
			continue
		}
		for _, a := range token.Attr {
			to, err := url.Parse(a.Val)
			if a.Key != "href" || err != nil || to.Host != "" || to.Scheme != "" || to.RawQuery != "" ||
				!strings.HasPrefix(to.Path, "/") || path.Ext(to.Path) != "" {
				continue
			}
			w.find(to.Path)
		}
	}
}

// policy is what a page may do, which a server says in a header: nothing is fetched from elsewhere, and no script runs
// but the site's.
const policy = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; ` +
	`style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'">`

// html writes a page for an address; as is the address that it answers for, "" for none.
func (w *writer) html(page string, text []byte, as string) error {
	base := strings.Repeat("../", strings.Count(strings.TrimSuffix(page, "/"), "/"))
	if base == "" {
		base = "./"
	}
	name := strings.TrimPrefix(page, "/")
	if name != "" {
		name += "/"
	}
	return w.file(name, placed(text, base, as))
}

// placed is a page as a file has it.
func placed(text []byte, base, as string) []byte {
	text = server.Rebase(text, base)
	text = bytes.Replace(text, []byte("<html "), []byte(`<html data-written="`+html.EscapeString(as)+`" `), 1)
	return bytes.Replace(text, []byte(`<head>`), []byte(`<head>`+policy), 1)
}

// wait is a page that the site's script writes another in place of.
func wait() []byte {
	return []byte(
		`<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"/><meta name="viewport" content="width=device-width, initial-scale=1"/>` +
			`<meta name="color-scheme" content="light dark"/><title>litmuscope</title>` +
			`<script src="` + static.Path("theme.js") + `"></script>` +
			`<link rel="stylesheet" href="` + static.Path("page.css") + `"/>` +
			`<script src="` + static.Path("site.js") + `"></script></head><body class="plain"><main class="plain">` +
			`<p>This page is made by a script, which does not run here.</p></main></body></html>`)
}

// file writes a file, or, where its name ends in a slash or is "", the page of a folder. Beside texts it writes
// compressed copies, which hosts send in their place if they are set up to.
func (w *writer) file(name string, body []byte) error {
	w.files = append(w.files, name)
	if name == "" || strings.HasSuffix(name, "/") {
		name += "index.html"
		w.Pages++
	}
	w.Files++
	w.Bytes += int64(len(body))
	smallest := len(body)
	if slices.Contains(texts, path.Ext(name)) && len(body) >= leastCompressed {
		zipped, err1 := gzipped(body)
		small, err2 := brotlied(body, copyEffort)
		err := errors.Join(err1, err2, w.write(name+".gz", zipped), w.write(name+".br", small))
		if err != nil {
			return err
		}
		smallest = min(smallest, len(zipped), len(small))
	}
	w.Compressed += int64(smallest)
	return w.write(name, body)
}

// texts are the endings of files that have compressed copies, from leastCompressed bytes on.
var texts = []string{".html", ".js", ".css", ".json", ".svg", ".txt", ".webmanifest"}

const (
	leastCompressed = 1024
	copyEffort      = 9 // for Brotli
)

// write writes a file that pages do not name.
func (w *writer) write(name string, body []byte) error {
	at := filepath.Join(w.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		return err
	}
	return os.WriteFile(at, body, 0o644)
}

// program writes the engine's program, and returns its address. The script that starts it decompresses it if neither
// the browser nor the host does.
func (w *writer) program(e Engine) (string, error) {
	name := hashed("engine", e.Program, ".wasm.br")
	w.Program += int64(len(e.Program))
	return name, w.file(name, e.Program)
}

// rest writes what pages fetch, and what makes the site one that stays.
func (w *writer) rest(e Engine) error {
	// These are no files by themselves.
	inside := map[string]bool{"engine.js": true, "sw.js": true, "litmus-test.js": true}
	worker := append(append(slices.Clone(e.Runtime), '\n'), static.File("engine.js")...)
	workerName := hashed("engine", worker, ".js")
	before := w.Compressed
	if err := w.file(workerName, worker); err != nil {
		return err
	}
	w.Program = w.Compressed - before
	program, err := w.program(e)
	if err != nil {
		return err
	}
	for address, body := range static.Files() {
		if inside[static.Name(address)] {
			continue
		}
		if err := w.file(address[1:], body); err != nil {
			return err
		}
	}
	manifest, err := json.Marshal(map[string]any{
		"name": "litmuscope", "short_name": "litmuscope", "description": "Litmus tests and memory models",
		"start_url": "./", "scope": "./", "display": "standalone",
		"icons": []map[string]string{{"src": "." + static.Path("icon.svg"), "sizes": "any", "type": "image/svg+xml"}},
	})
	if err == nil {
		err = errors.Join(w.file("manifest.webmanifest", manifest),
			w.file("litmus-test.js", static.File("litmus-test.js")), w.file("wait.html", placed(wait(), "{base}", "")))
	}
	if err != nil {
		return err
	}
	slices.Sort(w.files)
	if i := slices.Index(w.files, ""); i >= 0 {
		w.files[i] = "./"
	}
	about, err := json.Marshal(siteFile{
		Assets: static.AssetTable(), Files: slices.Clone(w.files), Made: Made(),
		Program: program, Decoder: static.Path("brotli.js")[1:], Worker: workerName,
	})
	if err != nil {
		return err
	}
	version, err := w.version(program)
	if err != nil {
		return err
	}
	service := fmt.Sprintf("self.version = %q;\n%s", version, static.File("sw.js"))
	return errors.Join(w.file("site.json", about), w.file("sw.js", []byte(service)))
}

// siteFile is what site.json says of a site, for the script that starts its program.
type siteFile struct {
	Assets  *static.Table `json:"assets"`  // as the program takes them
	Files   []string      `json:"files"`   // all addresses, for the service worker
	Made    string        `json:"made"`    // which version of everything it is
	Program string        `json:"program"` // the address of the program, compressed with Brotli
	Decoder string        `json:"decoder"` // … of the script that decompresses it where the browser cannot
	Worker  string        `json:"worker"`  // … and of the script that runs it
}

// version tells what is written from what is written of another program.
func (w *writer) version(program string) (string, error) {
	sum := sha256.New()
	_, _ = io.WriteString(sum, program)
	for _, name := range w.files {
		at := filepath.Join(w.dir, filepath.FromSlash(name))
		if strings.HasSuffix(name, "/") {
			at = filepath.Join(at, "index.html")
		}
		f, err := os.Open(at)
		if err != nil {
			return "", err
		}
		_, err = io.Copy(sum, f)
		f.Close()
		if err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(sum.Sum(nil)[:8]), nil
}

// hashed is the name of a file that is kept for good.
func hashed(name string, body []byte, ext string) string {
	sum := sha256.Sum256(body)
	return static.Prefix[1:] + name + "." + hex.EncodeToString(sum[:6]) + ext
}
