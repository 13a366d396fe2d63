package server

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humachi"

	"litmuscope/store"
)

// Tokens looks up bearer tokens. [store.Store] implements it.
type Tokens interface {
	// Token returns store.ErrNoToken for an unknown, expired or revoked token.
	Token(ctx context.Context, secret string) (store.Token, error)
}

// tokenCookie stores a token in a browser. Scripts cannot read it.
const tokenCookie = "litmuscope_token"

// loginFor is how long a browser keeps a token that does not expire.
const loginFor = 30 * 24 * time.Hour

// tokenOf returns the valid token of a request, if any, and its text. An invalid token is not an error here, because
// many requests need none.
func (s *Server) tokenOf(r *http.Request) (t *store.Token, secret string) {
	kind, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(kind, "Bearer") {
		c, err := r.Cookie(tokenCookie)
		if err != nil {
			return nil, ""
		}
		secret = c.Value
	}
	secret = strings.TrimSpace(secret)
	found, err := s.Tokens.Token(r.Context(), secret)
	if err != nil {
		if !errors.Is(err, store.ErrNoToken) {
			s.Log.ErrorContext(r.Context(), "cannot look up a token", "error", err)
		}
		return nil, ""
	}
	return &found, secret
}

// Revoked reports whether the token that a request needed is no longer valid. Streams check it repeatedly.
func (s *Server) Revoked(ctx context.Context) bool {
	c := CallerOf(ctx)
	if !s.Auth || c.Token == nil {
		return false
	}
	_, err := s.Tokens.Token(ctx, c.secret)
	return errors.Is(err, store.ErrNoToken)
}

// Missing checks whether a request has a token with a scope. If not, it returns the status, challenge and detail of the
// answer; otherwise status is 0. Without Config.Auth every request has all scopes.
func (s *Server) Missing(r *http.Request, scope store.Scope) (status int, challenge, detail string) {
	t := CallerOf(r.Context()).Token
	switch {
	case !s.Auth, t != nil && t.May(scope):
		return 0, "", ""
	case t != nil:
		return http.StatusForbidden, `Bearer realm="litmuscope", error="insufficient_scope", scope="` +
				string(scope) + `"`,
			"The token " + t.Name + " lacks the scope " + string(scope) + ", which this request needs."
	case r.Header.Get("Authorization") != "":
		return http.StatusUnauthorized, `Bearer realm="litmuscope", error="invalid_token"`,
			"There is no such token. It may have expired or been revoked."
	}
	return http.StatusUnauthorized, `Bearer realm="litmuscope"`,
		"This request needs a token (Authorization: Bearer …) with the scope " + string(scope) +
			". The server's administrator creates tokens with litmuscope token add."
}

// Require passes on requests whose token has a scope. It redirects browsers without a token to the login page.
func (s *Server) Require(scope store.Scope) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if s.Permits(w, r, scope) {
				next.ServeHTTP(w, r)
			}
		})
	}
}

// Permits is Require for use in a handler. If the request lacks the scope, it answers and returns false.
func (s *Server) Permits(w http.ResponseWriter, r *http.Request, scope store.Scope) bool {
	status, challenge, detail := s.Missing(r, scope)
	switch {
	case status == 0:
		return true
	case status == http.StatusUnauthorized && WantsPage(r) && r.Method == http.MethodGet:
		http.Redirect(w, r, "/login?next="+url.QueryEscape(r.URL.RequestURI()), http.StatusSeeOther)
	default:
		w.Header().Set("WWW-Authenticate", challenge)
		s.Fail(w, r, status, detail)
	}
	return false
}

// Scoped is Require for an operation of the REST interface.
func (s *Server) Scoped(scope store.Scope, op huma.Operation) huma.Operation {
	if !s.Auth {
		return op
	}
	op.Security = append(op.Security, map[string][]string{"bearer": {string(scope)}})
	for _, status := range []int{http.StatusUnauthorized, http.StatusForbidden} {
		if !slices.Contains(op.Errors, status) {
			op.Errors = append(op.Errors, status)
		}
	}
	op.Middlewares = append(op.Middlewares, func(ctx huma.Context, next func(huma.Context)) {
		if r, w := humachi.Unwrap(ctx); s.Permits(w, r, scope) {
			next(ctx)
		}
	})
	return op
}

// Asking completes an operation that asks a question about a text in its body.
func (s *Server) Asking(op huma.Operation) huma.Operation {
	op.Method, op.MaxBodyBytes, op.BodyReadTimeout = http.MethodPost, MaxBody, -1
	op.Errors = []int{
		http.StatusBadRequest, http.StatusRequestTimeout, http.StatusRequestEntityTooLarge,
		http.StatusUnprocessableEntity, http.StatusTooManyRequests, http.StatusInternalServerError,
		http.StatusServiceUnavailable,
	}
	return s.Scoped(store.Submit, op)
}

// loginView is the login page.
type loginView struct {
	Next    string // address of the page after the login
	Problem string
	Token   *store.Token // the browser's current token
}

func (s *Server) getLogin(w http.ResponseWriter, r *http.Request) {
	v := loginView{Next: localPath(r.URL.Query().Get("next")), Token: CallerOf(r.Context()).Token}
	s.Render(w, r, http.StatusOK, login(Nonce(r.Context()), v))
}

func (s *Server) postLogin(w http.ResponseWriter, r *http.Request) {
	if !s.ParseForm(w, r) {
		return
	}
	next, secret := localPath(r.PostForm.Get("next")), strings.TrimSpace(r.PostForm.Get("token"))
	t, err := s.Tokens.Token(r.Context(), secret)
	switch {
	case errors.Is(err, store.ErrNoToken):
		s.Render(w, r, http.StatusUnauthorized,
			login(Nonce(r.Context()), loginView{Next: next, Problem: "There is no such token. It may have " +
				"expired or been revoked."}))
		return
	case err != nil:
		s.Log.ErrorContext(r.Context(), "cannot look up a token", "error", err)
		s.Fail(w, r, http.StatusInternalServerError, "The server could not look up the token. Its log says why.")
		return
	}
	until := time.Now().Add(loginFor)
	if !t.Expires.IsZero() && t.Expires.Before(until) {
		until = t.Expires
	}
	s.setToken(w, r, secret, until)
	http.Redirect(w, r, next, http.StatusSeeOther)
}

func (s *Server) postLogout(w http.ResponseWriter, r *http.Request) {
	s.setToken(w, r, "", time.Unix(1, 0))
	http.Redirect(w, r, "/login", http.StatusSeeOther)
}

func (s *Server) setToken(w http.ResponseWriter, r *http.Request, secret string, until time.Time) {
	http.SetCookie(w, &http.Cookie{
		Name: tokenCookie, Value: secret, Path: "/", Expires: until,
		HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: CallerOf(r.Context()).HTTPS,
	})
}

// localPath returns p if it is an address on this server, otherwise "/". It prevents open redirects.
func localPath(p string) string {
	u, err := url.Parse(p)
	if err != nil || u.Scheme != "" || u.Host != "" || !strings.HasPrefix(p, "/") || strings.HasPrefix(p, "//") ||
		strings.ContainsAny(p, "\\\r\n\t") {
		return "/"
	}
	return p
}
