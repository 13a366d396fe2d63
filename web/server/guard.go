package server

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"
)

// loopbackNames are the names under which a server that listens on loopback is asked.
var loopbackNames = []string{"localhost", "127.0.0.1", "::1"}

// Hosts is what Config.Hosts is to be for a server that listens on addr and has names:
// where it listens on loopback, or names are given, no others are answered to. A page
// elsewhere could otherwise have its own name lead here, and read what it pleases.
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

// HostName is a Host header's name, without the port, as names compare.
func HostName(host string) string {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	return strings.TrimSuffix(strings.ToLower(strings.Trim(host, "[]")), ".")
}

// checkHost refuses requests under names that are not the server's. Probes of its
// health, which balancers send to bare addresses, give nothing away.
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

// probe tells the addresses that only say whether the server is well.
func probe(path string) bool { return path == "/healthz" || path == "/readyz" }

// methodNotAllowed names the methods that the address takes.
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
