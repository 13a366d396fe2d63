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

// Caller is who makes a request, as far as that is known.
type Caller struct {
	request string       // the request's id, for logs and error messages
	client  string       // to whom limits apply: a token's name, else an address
	network string       // … and of which network, "" for none: whoever has a /48 has 65,536 clients
	direct  bool         // from this machine, and not passed on by a proxy
	HTTPS   bool         // the visitor's own connection is encrypted
	Token   *store.Token // nil: none, or none that is valid
	secret  string       // … its text
}

type callerKey struct{}

// CallerOf is who makes the request of a context; nobody, outside of one.
func CallerOf(ctx context.Context) *Caller {
	if c, ok := ctx.Value(callerKey{}).(*Caller); ok {
		return c
	}
	return &Caller{}
}

// Client names who makes the request of a context: a token's name, or an address (of
// IPv6 the network).
func Client(ctx context.Context) string { return CallerOf(ctx).client }

// Origin is how the visitor's browser calls this server.
func Origin(r *http.Request) string {
	if CallerOf(r.Context()).HTTPS {
		return "https://" + r.Host
	}
	return "http://" + r.Host
}

// requestIDHeader carries a request's id, from a proxy perhaps, and back to the client.
const requestIDHeader = "X-Request-Id"

var requestID = litmus.Pattern(`^[A-Za-z0-9._-]{1,64}$`)

// identify gives the request its id and its caller.
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

// clientName is an address as limits see it: whoever has an IPv6 address has a network
// of them.
func clientName(a netip.Addr) string {
	if a.Is6() && !a.Is4In6() && !a.IsLoopback() {
		if p, err := a.WithZone("").Prefix(64); err == nil {
			return p.String()
		}
	}
	return a.Unmap().String()
}

// networkName is the /48 network of an IPv6 address, which one provider gives to one customer; "" for other addresses.
func networkName(a netip.Addr) string {
	if a.Is6() && !a.Is4In6() && !a.IsLoopback() {
		if p, err := a.WithZone("").Prefix(48); err == nil {
			return p.String()
		}
	}
	return ""
}

// networkShare is how many times as much as one client all clients of a network may have together.
const networkShare = 4

// requestLog adds the request's id to every line that is logged in its context.
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
