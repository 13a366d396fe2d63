package server

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"strings"

	"github.com/a-h/templ"
	"golang.org/x/net/html"
)

// Static configures a static site, which consists of files on any host. litmuscope writes its pages as files, or
// answers in the browser as WebAssembly. The site may be below any path.
type Static struct {
	Base string // replaces the slash at the beginning of addresses: "/", "/course/", "../"
}

// OriginHeader is the header in which static/src/site.js sends the origin of the static site's host.
const OriginHeader = "X-Site-Origin"

// Root returns the absolute address of the site, with a slash at the end; "" if it is unknown.
func (s *Server) Root(r *http.Request) string {
	switch origin := r.Header.Get(OriginHeader); {
	case s.Static == nil:
		return Origin(r) + "/"
	case origin == "":
		return ""
	default:
		return origin + s.Static.Base
	}
}

type staticKey struct{}

// IsStatic reports whether a context belongs to a static site.
func IsStatic(ctx context.Context) bool {
	is, _ := ctx.Value(staticKey{}).(bool)
	return is
}

// markStatic records in a request's context whether the site is static, for templates.
func (s *Server) markStatic(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), staticKey{}, s.Static != nil)))
	})
}

// WriteTo renders a component; on a static site, with rebased addresses.
func (s *Server) WriteTo(ctx context.Context, w io.Writer, c templ.Component) error {
	if s.Static == nil {
		return c.Render(ctx, w)
	}
	var b bytes.Buffer
	if err := c.Render(ctx, &b); err != nil {
		return err
	}
	_, err := w.Write(Rebase(b.Bytes(), s.Static.Base))
	return err
}

// addressed lists the attributes that contain an address.
var addressed = map[string]bool{
	"href": true, "src": true, "action": true, "formaction": true, "data-address": true, "data-list": true,
	"data-page": true,
}

// Rebase replaces the leading slash of all addresses in HTML by base.
func Rebase(text []byte, base string) []byte {
	if base == "/" {
		return text
	}
	var out bytes.Buffer
	tokens := html.NewTokenizer(bytes.NewReader(text))
	for {
		kind := tokens.Next()
		if kind == html.ErrorToken {
			out.Write(tokens.Raw())
			return out.Bytes()
		}
		raw := bytes.Clone(tokens.Raw()) // reading attributes changes it
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			out.Write(raw)
			continue
		}
		token, changed := tokens.Token(), false
		for i, a := range token.Attr {
			if addressed[a.Key] && strings.HasPrefix(a.Val, "/") && !strings.HasPrefix(a.Val, "//") {
				token.Attr[i].Val, changed = base+a.Val[1:], true
			}
		}
		if changed {
			raw = []byte(token.String())
		}
		out.Write(raw)
	}
}
