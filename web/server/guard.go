package server

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
)

// loopbackNames lists the host names of a server that listens on loopback.
var loopbackNames = []string{"localhost", "127.0.0.1", "::1"}

// Hosts returns the value of Config.Hosts for a server that listens on addr and has the given names. If it listens on
// loopback or names are given, other names are rejected. This prevents DNS rebinding: another site could otherwise
// point its own name at this server and read everything.
func Hosts(addr string, names []string) []string {
	host, _, err := net.SplitHostPort(addr)
	ip, _ := netip.ParseAddr(host)
	loopback := err == nil && (host == "localhost" || ip.IsLoopback())
	if !loopback && len(names) == 0 {
		return nil
	}
	hosts := slices.Clone(loopbackNames)
	if ip.IsLoopback() {
		hosts = append(hosts, ip.String())
	}
	for _, n := range names {
		hosts = append(hosts, HostName(n))
	}
	return hosts
}

// HostName returns the name in a Host header without the port, in lower case.
func HostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
}

// checkHost rejects requests for other host names. Health probes are exempt: load balancers send them to bare
// addresses, and they reveal nothing.
func (s *Server) checkHost(next http.Handler) http.Handler {
	if s.Hosts == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !probe(r.URL.Path) && !slices.Contains(s.Hosts, HostName(r.Host)) {
			s.Fail(w, r, http.StatusMisdirectedRequest,
				"This server does not accept requests for that host name. Start it with --host NAME to allow the name.")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// probe reports whether a path is a health probe.
func probe(path string) bool { return path == "/healthz" || path == "/readyz" }

// methodNotAllowed answers 405 and names the methods that the address supports.
func (s *Server) methodNotAllowed(router chi.Routes) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		path := r.URL.RawPath
		if path == "" {
			path = r.URL.Path
		}
		var allowed []string
		for _, m := range []string{
			http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch,
			http.MethodDelete,
		} {
			if router.Match(chi.NewRouteContext(), m, path) {
				allowed = append(allowed, m)
				if m == http.MethodGet {
					allowed = append(allowed, http.MethodHead)
				}
			}
		}
		w.Header().Set("Allow", strings.Join(allowed, ", "))
		s.Fail(w, r, http.StatusMethodNotAllowed,
			"This address does not support "+r.Method+", only "+strings.Join(allowed, ", ")+".")
	}
}
