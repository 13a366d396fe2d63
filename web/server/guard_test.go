package server

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func TestProxies(t *testing.T) {
	for _, tt := range []struct {
		trust  []string
		remote string
		passed []string
		want   string
	}{
		{nil, "203.0.113.7:1", []string{"198.51.100.1"}, "203.0.113.7"},
		{nil, "[2001:db8:1:2:3:4:5:6]:1", nil, "2001:db8:1:2::/64"},
		{nil, "[::ffff:203.0.113.7]:1", nil, "203.0.113.7"},
		{nil, "[::1]:1", nil, "::1"},
		{[]string{"10.0.0.0/8"}, "10.1.2.3:1", []string{"198.51.100.1"}, "198.51.100.1"},
		{[]string{"10.0.0.0/8"}, "10.1.2.3:1", []string{"1.1.1.1, 198.51.100.1, 10.9.9.9"}, "198.51.100.1"},
		{[]string{"10.0.0.0/8"}, "10.1.2.3:1", []string{"1.1.1.1", "198.51.100.1:4711"}, "198.51.100.1"},
		{[]string{"10.0.0.0/8"}, "10.1.2.3:1", []string{"10.4.4.4"}, "10.4.4.4"},
		{[]string{"10.0.0.0/8"}, "10.1.2.3:1", []string{"198.51.100.1, rubbish"}, "10.1.2.3"},
		{[]string{"10.0.0.0/8"}, "203.0.113.7:1", []string{"198.51.100.1"}, "203.0.113.7"},
		{[]string{"127.0.0.1"}, "127.0.0.1:1", []string{"2001:db8:1:2:3::"}, "2001:db8:1:2::/64"},
		{[]string{"1"}, "203.0.113.7:1", []string{"1.1.1.1, 198.51.100.1"}, "198.51.100.1"},
		{[]string{"2"}, "203.0.113.7:1", []string{"1.1.1.1, 198.51.100.1"}, "1.1.1.1"},
		{[]string{"2"}, "203.0.113.7:1", []string{"198.51.100.1"}, "198.51.100.1"},
	} {
		p, err := ParseProxies(tt.trust)
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr, r.Header["X-Forwarded-For"] = tt.remote, tt.passed
		if got := clientName(p.client(r)); got != tt.want {
			t.Errorf("%v from %s, %q: client %s, want %s", tt.trust, tt.remote, tt.passed, got, tt.want)
		}
	}
	for _, bad := range []string{"x", "10.0.0.0/40", "-1", "99"} {
		if _, err := ParseProxies([]string{bad}); err == nil {
			t.Errorf("took %q", bad)
		}
	}
}

var testStart = time.Now()

func TestTheTableOfClientsIsBounded(t *testing.T) {
	l := newLimiter(1)[Asks]
	for i := range maxClients + 100 {
		l.Take(string(rune(i)), testStart)
	}
	if len(l.clients) != maxClients || l.recent.Len() != maxClients {
		t.Errorf("%d and %d clients", len(l.clients), l.recent.Len())
	}
	if _, ok := l.clients[string(rune(maxClients+99))]; !ok || l.clients[string(rune(5))] != nil {
		t.Error("the wrong ones were dropped")
	}
}
