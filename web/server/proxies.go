package server

import (
	"fmt"
	"net/http"
	"net/netip"
	"strconv"
	"strings"
)

// Proxies lists the proxies whose headers X-Forwarded-For and X-Forwarded-Proto the server trusts. The zero value
// trusts none.
type Proxies struct {
	hops     int            // number of proxies in front of the server, with any address
	networks []netip.Prefix // or the networks of the proxies
}

// ParseProxies parses a list of networks and addresses, or the number of proxies that each request passes.
func ParseProxies(list []string) (Proxies, error) {
	var p Proxies
	if len(list) == 1 {
		if n, err := strconv.Atoi(list[0]); err == nil {
			if n < 0 || n > 16 {
				return p, fmt.Errorf("%d proxies: want 0 to 16", n)
			}
			p.hops = n
			return p, nil
		}
	}
	for _, text := range list {
		n, err := netip.ParsePrefix(text)
		if a, err1 := netip.ParseAddr(text); err1 == nil {
			n, err = a.Prefix(a.BitLen())
		}
		if err != nil {
			return p, fmt.Errorf("invalid proxy %q: want a network (10.0.0.0/8), an address, or a number of proxies",
				text)
		}
		p.networks = append(p.networks, n.Masked())
	}
	return p, nil
}

func (p Proxies) trusts(a netip.Addr) bool {
	for _, n := range p.networks {
		if n.Contains(a.Unmap()) {
			return true
		}
	}
	return false
}

// client returns the address of a request's client: the first address from the right in X-Forwarded-For that no trusted
// proxy has. The client itself can only forge addresses to the left of it.
func (p Proxies) client(r *http.Request) netip.Addr {
	from := remote(r)
	list := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i, passed := len(list)-1, 0; i >= 0; i, passed = i-1, passed+1 {
		if passed >= p.hops && !p.trusts(from) {
			break
		}
		a, ok := parseForwarded(list[i])
		if !ok {
			break
		}
		from = a
	}
	return from
}

// https reports whether a trusted proxy says that the visitor's connection is encrypted.
func (p Proxies) https(r *http.Request) bool {
	return (p.hops > 0 || p.trusts(remote(r))) && strings.EqualFold(r.Header.Get("X-Forwarded-Proto"), "https")
}

func remote(r *http.Request) netip.Addr {
	if a, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		return a.Addr().Unmap()
	}
	return netip.Addr{}
}

// parseForwarded parses an entry of X-Forwarded-For, to which some proxies add a port.
func parseForwarded(text string) (netip.Addr, bool) {
	text = strings.TrimSpace(text)
	if a, err := netip.ParseAddr(strings.Trim(text, "[]")); err == nil {
		return a.Unmap(), true
	}
	a, err := netip.ParseAddrPort(text)
	return a.Addr().Unmap(), err == nil
}

// forwarded reports whether any proxy, trusted or not, has forwarded the request.
func forwarded(r *http.Request) bool {
	for _, h := range []string{"X-Forwarded-For", "Forwarded", "Via", "X-Real-Ip"} {
		if r.Header.Get(h) != "" {
			return true
		}
	}
	return false
}
