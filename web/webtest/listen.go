package webtest

import (
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// ports are the addresses of servers of tests.
var ports struct {
	sync.Mutex
	free []string // those of tests that have ended
	all  []string
}

// Origins returns the origins of all servers so far that tests have taken an address for.
func Origins() []string {
	ports.Lock()
	defer ports.Unlock()
	var list []string
	for _, address := range ports.all {
		list = append(list, "http://"+address)
	}
	return list
}

// Serve starts a server that ends with the test. Tests take over each other's addresses: a browser then has the
// scripts of the pages in its cache, compiled.
func Serve(t *testing.T, h http.Handler) *httptest.Server {
	t.Helper()
	srv := &httptest.Server{Listener: listen(t), Config: &http.Server{Handler: h}}
	srv.Start()
	t.Cleanup(srv.Close)
	return srv
}

// listen returns a listener at the address of an earlier test, or at a new one if there is none. The address is free
// again at the end of the test, after what the test cleans up.
func listen(t *testing.T) net.Listener {
	t.Helper()
	ports.Lock()
	defer ports.Unlock()
	ln := listenAgain()
	if ln == nil {
		var err error
		if ln, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
			t.Fatal(err)
		}
		ports.all = append(ports.all, ln.Addr().String())
	}
	t.Cleanup(func() {
		ports.Lock()
		defer ports.Unlock()
		ports.free = append(ports.free, ln.Addr().String())
	})
	return ln
}

// listenAgain returns a listener at a free address, nil if there is none. Addresses that another program has taken
// meanwhile are forgotten. The caller holds the lock.
func listenAgain() net.Listener {
	for len(ports.free) > 0 {
		last := len(ports.free) - 1
		address := ports.free[last]
		ports.free = ports.free[:last]
		if ln, err := net.Listen("tcp", address); err == nil {
			return ln
		}
	}
	return nil
}
