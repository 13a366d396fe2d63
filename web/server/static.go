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

// Static is a site that is files of any host: what handlers answer with is written beforehand, or answered by this
// program in the browser. Its pages may be below any path.
type Static struct {
	Base string // what takes the place of the slash that addresses begin with: "/", "/course/", "../"
}

// OriginHeader has the origin of a static site's host, which the program in the browser does not know
// (static/src/site.js).
const OriginHeader = "X-Site-Origin"

// Root is the address of the whole site, with a slash behind it, for those who are elsewhere; "" where nobody knows it.
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

// IsStatic tells whether the pages of a context are a static site's.
func IsStatic(ctx context.Context) bool {
	is, _ := ctx.Value(staticKey{}).(bool)
	return is
}

// markStatic lets templates know.
func (s *Server) markStatic(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r.WithContext(context.WithValue(r.Context(), staticKey{}, s.Static != nil)))
	})
}

// WriteTo writes a component as the site has it.
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

// addressed are the attributes that have an address in them.
var addressed = map[string]bool{
	"href": true, "src": true, "action": true, "formaction": true, "data-address": true, "data-list": true,
	"data-page": true,
}

// Rebase puts what addresses of the site begin with before all that are in a text of HTML.
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
