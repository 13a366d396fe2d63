package server

import (
	"net"
	"net/netip"
	"sync"
)

// limitListener bounds the open connections: all together, a quarter of them for one client (enough for a lecture hall
// behind one address), and half for one /48 network. A connection beyond the first bound waits; one beyond the others
// is closed at once. Only the first bound applies to connections from this machine and from trusted proxies, which may
// serve many clients.
type limitListener struct {
	net.Listener
	proxies Proxies
	free    chan struct{}
	closed  chan struct{}
	once    sync.Once

	mu   sync.Mutex
	open map[string]int // connections of each client and of each network
}

func limitConnections(l net.Listener, most int, proxies Proxies) net.Listener {
	return &limitListener{
		Listener: l, proxies: proxies, free: make(chan struct{}, most), closed: make(chan struct{}),
		open: map[string]int{},
	}
}

// Accept implements net.Listener.
func (l *limitListener) Accept() (net.Conn, error) {
	select {
	case l.free <- struct{}{}:
	case <-l.closed:
		return nil, net.ErrClosed
	}
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			<-l.free
			return nil, err
		}
		client, network := "", ""
		a, err := netip.ParseAddrPort(c.RemoteAddr().String())
		if from := a.Addr().Unmap(); err == nil && !from.IsLoopback() && l.proxies.hops == 0 &&
			!l.proxies.trusts(from) {
			client, network = clientName(from), networkName(from)
		}
		if l.enter(client, network) {
			return &limitedConn{Conn: c, leave: sync.OnceFunc(func() { l.leave(client, network) })}, nil
		}
		_ = c.Close()
	}
}

func (l *limitListener) enter(client, network string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if client != "" && l.open[client] >= max(1, cap(l.free)/4) || network != "" &&
		l.open[network] >= max(1, cap(l.free)/2) {
		return false
	}
	l.open[client]++
	if network != "" {
		l.open[network]++
	}
	return true
}

func (l *limitListener) leave(client, network string) {
	l.mu.Lock()
	if network != "" {
		if l.open[network]--; l.open[network] == 0 {
			delete(l.open, network)
		}
	}
	if l.open[client]--; l.open[client] == 0 {
		delete(l.open, client)
	}
	l.mu.Unlock()
	<-l.free
}

// Close implements net.Listener.
func (l *limitListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return l.Listener.Close()
}

type limitedConn struct {
	net.Conn
	leave func()
}

// Close implements net.Conn.
func (c *limitedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}
