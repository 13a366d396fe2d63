package server

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/netip"

	"litmuscope/litmus"
	"litmuscope/store"
)

// Caller describes who makes a request.
type Caller struct {
	request string       // the request's ID, for logs and error messages
	client  string       // the client for limits: a token's name, else an address
	network string       // its /48 network, "" for none; a /48 has 65,536 clients
	direct  bool         // from this machine, not forwarded by a proxy
	HTTPS   bool         // the visitor's own connection is encrypted
	Token   *store.Token // nil: no valid token
	secret  string       // the token's text
}

type callerKey struct{}

// CallerOf returns the caller of the request of a context, or an empty Caller.
func CallerOf(ctx context.Context) *Caller {
	if c, ok := ctx.Value(callerKey{}).(*Caller); ok {
		return c
	}
	return &Caller{}
}

// Client returns the name of the client of a context: a token's name, an IPv4 address, or an IPv6 network.
func Client(ctx context.Context) string { return CallerOf(ctx).client }

// Origin returns the origin of this server from the visitor's point of view.
func Origin(r *http.Request) string {
	if CallerOf(r.Context()).HTTPS {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// requestIDHeader carries a request's ID, to the client and possibly from a proxy.
const requestIDHeader = "X-Request-Id"

var requestID = litmus.Pattern(`^[A-Za-z0-9._-]{1,64}$`)

// identify adds the Caller to a request's context.
func (s *Server) identify(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := &Caller{request: r.Header.Get(requestIDHeader)}
		if !requestID().MatchString(c.request) {
			c.request = rand.Text()[:16]
		}
		w.Header().Set(requestIDHeader, c.request)
		from := s.Proxies.client(r)
		c.client, c.network = clientName(from), networkName(from)
		c.direct = from.IsLoopback() && !forwarded(r)
		c.HTTPS = r.TLS != nil || s.Proxies.https(r)
		ctx := context.WithValue(r.Context(), callerKey{}, c)
		if s.Tokens != nil {
			if c.Token, c.secret = s.tokenOf(r.WithContext(ctx)); c.Token != nil {
				c.client, c.network = "token "+c.Token.Name, ""
			}
		}
		if s.WithClient != nil {
			ctx = s.WithClient(ctx, c.client, c.network)
		}
		next.ServeHTTP(w, r.WithContext(ctx))
	})
}

// clientName returns the name of an address's client for limits: the /64 network for IPv6, where one client has many
// addresses.
func clientName(a netip.Addr) string {
	if a.Is6() && !a.Is4In6() && !a.IsLoopback() {
		if p, err := a.WithZone("").Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.Unmap().String()
}

// networkName returns the /48 network of an IPv6 address, which providers assign to one customer; "" for other
// addresses.
func networkName(a netip.Addr) string {
	if a.Is6() && !a.Is4In6() && !a.IsLoopback() {
		if p, err := a.WithZone("").Prefix(48); err == nil {
			return p.String()
		}
	}
	return ""
}

// networkShare is the budget of all clients of a network together, as a multiple of one client's.
const networkShare = 4

// requestLog adds the request's ID to every line that is logged in its context.
type requestLog struct{ slog.Handler }

// Handle implements slog.Handler.
func (l requestLog) Handle(ctx context.Context, r slog.Record) error {
	if c := CallerOf(ctx); c.request != "" {
		r.AddAttrs(slog.String("request", c.request))
	}
	return l.Handler.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (l requestLog) WithAttrs(attrs []slog.Attr) slog.Handler {
	return requestLog{l.Handler.WithAttrs(attrs)}
}

// WithGroup implements slog.Handler.
func (l requestLog) WithGroup(name string) slog.Handler {
	return requestLog{l.Handler.WithGroup(name)}
}
