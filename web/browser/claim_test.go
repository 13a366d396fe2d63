package browser

import (
	"net/http/httptest"
	"testing"

	"litmuscope/web/webtest"
)

// newProverTab is a tab on a server whose verifier knows the answer.
func newProverTab(t *testing.T) *tab {
	t.Helper()
	srv := httptest.NewServer(webtest.NewProver(t))
	t.Cleanup(srv.Close)
	return openTab(t, srv.URL, 1280, 900)
}
