// Package browser contains only tests: what visitors do on the pages, step by step in a real Chromium, over HTTP.
// Package webtest serves the pages to them. The tests are skipped without a Chromium, or if LITMUSCOPE_WITHOUT_BROWSER
// is 1.
package browser
