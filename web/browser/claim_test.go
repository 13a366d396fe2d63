package browser

import (
	"testing"

	"litmuscope/web/webtest"
)

// newProverTab is a tab on a server whose verifier knows the answer.
func newProverTab(t *testing.T) *tab {
	t.Helper()
	srv := webtest.Serve(t, webtest.NewProver(t))
	return openTab(t, srv.URL, 1280, 900)
}
