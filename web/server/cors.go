package server

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"litmuscope/static"
)

// Origins lists the sites whose scripts may use the REST interface, each as in the header Origin:
// https://lab.example.org. "*" stands for every site.
type Origins []string

// ParseOrigins checks a list of origins.
func ParseOrigins(list []string) (Origins, error) {
	for _, o := range list {
		u, err := url.Parse(o)
		if o != "*" &&
			(err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.Scheme+"://"+u.Host != o) {
			return nil, fmt.Errorf(
				"invalid origin %q: want * or scheme and host without a path, such as https://lab.example.org", o)
		}
	}
	return list, nil
}

func (o Origins) allow(origin string) bool {
	return slices.Contains(o, "*") || slices.Contains(o, origin)
}

// apiPrefix begins the addresses of the REST interface.
const apiPrefix = "/api/"

// exposedHeaders lists the headers of answers that scripts of other sites may read, and sentHeaders the headers that
// they may send.
const (
	exposedHeaders = "ETag, Location, Next-Position, RateLimit, RateLimit-Policy, Retry-After, " + requestIDHeader
	sentHeaders    = "Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID"
)

type fromElsewhereKey struct{}

// fromElsewhere reports whether a request is from a script of a site in Config.Origins.
func fromElsewhere(ctx context.Context) bool {
	allowed, _ := ctx.Value(fromElsewhereKey{}).(bool)
	return allowed
}

// share lets scripts of the sites in Config.Origins use the REST interface. It drops their cookies, which belong to the
// visitor and not to the site.
func (s *Server) share(next http.Handler) http.Handler {
	if len(s.Origins) == 0 {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		if !strings.HasPrefix(r.URL.Path, apiPrefix) {
			next.ServeHTTP(w, r)
			return
		}
		h := w.Header()
		h.Add("Vary", "Origin")
		if origin == "" || !s.Origins.allow(origin) {
			next.ServeHTTP(w, r)
			return
		}
		h.Set("Access-Control-Allow-Origin", origin)
		h.Set("Access-Control-Expose-Headers", exposedHeaders)
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, DELETE")
			h.Set("Access-Control-Allow-Headers", sentHeaders)
			h.Set("Access-Control-Max-Age", "7200")
			w.WriteHeader(http.StatusNoContent)
			return
		}
		r = r.Clone(context.WithValue(r.Context(), fromElsewhereKey{}, true))
		r.Header.Del("Cookie")
		next.ServeHTTP(w, r)
	})
}

// sameOrigin rejects cross-site requests except those that share allows.
func sameOrigin(origins *http.CrossOriginProtection) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		guarded := origins.Handler(next)
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if fromElsewhere(r.Context()) {
				next.ServeHTTP(w, r)
				return
			}
			guarded.ServeHTTP(w, r)
		})
	}
}

// vary sets Vary to all headers on which an answer may depend, so that no shared cache gives one client's answer to
// another.
func vary(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		on := "Accept, Accept-Encoding, Authorization, Cookie, " + NonceHeader
		if strings.HasPrefix(r.URL.Path, static.Prefix) {
			on = "Accept-Encoding"
		}
		w.Header().Add("Vary", on)
		next.ServeHTTP(w, r)
	})
}
