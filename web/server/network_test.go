package server

import (
	"context"
	"errors"
	"net/netip"
	"testing"
	"time"
)

func TestNetworks(t *testing.T) {
	for address, want := range map[string][2]string{
		"192.0.2.1":            {"192.0.2.1", ""},
		"::ffff:192.0.2.1":     {"192.0.2.1", ""},
		"2001:db8:1:2::3":      {"2001:db8:1:2::/64", "2001:db8:1::/48"},
		"2001:db8:1:ffff::3":   {"2001:db8:1:ffff::/64", "2001:db8:1::/48"},
		"2001:db8:2:2::3":      {"2001:db8:2:2::/64", "2001:db8:2::/48"},
		"fe80::1%eth0":         {"fe80::/64", "fe80::/48"},
		"::1":                  {"::1", ""},
		"2001:db8:1:2:3:4:5:6": {"2001:db8:1:2::/64", "2001:db8:1::/48"},
	} {
		a := netip.MustParseAddr(address)
		if got := [2]string{clientName(a), networkName(a)}; got != want {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}

// asClient is a context of a client's of a network.
func asClient(client, network string) context.Context {
	return context.WithValue(context.Background(), callerKey{}, &Caller{client: client, network: network})
}

// A network has four times as much as one client, however many clients it contains, and takes nothing from other
// networks.
func TestRateOfNetworks(t *testing.T) {
	now := time.Unix(1_700_000_000, 0)
	b := NewBuckets(1, 5)
	took := func(client, network string) (n int) {
		for b.TakeOf(asClient(client, network), "", now) == 0 && n < 100 {
			n++
		}
		return n
	}
	total := 0
	for _, client := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		n := took(client, "N")
		if n > 5 {
			t.Errorf("client %s took %d, want 5 at most", client, n)
		}
		total += n
	}
	if total != 20 {
		t.Errorf("8 clients of a network took %d together, want 20", total)
	}
	for _, other := range [][2]string{{"i", "M"}, {"192.0.2.1", ""}, {"192.0.2.2", ""}} {
		if n := took(other[0], other[1]); n != 5 {
			t.Errorf("%q took %d, want 5", other, n)
		}
	}
	now = now.Add(time.Second)
	total = 0
	for _, client := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		total += took(client, "N")
	}
	if total != 4 {
		t.Errorf("a second later they took %d, want 4", total)
	}
}

// Clients of one network occupy no more than three quarters of the places, and no more than four times one client's.
func TestTurnsOfNetworks(t *testing.T) {
	for _, c := range []struct{ most, each, want int }{{16, 1, 4}, {16, 2, 8}, {8, 2, 6}, {4, 1, 3}, {1, 1, 1}} {
		turns := NewTurns(c.most, c.each, time.Nanosecond, "busy")
		var over []func()
		for i := range 26 {
			done, err := turns.Take(asClient(string(rune('a'+i)), "N"))
			var full *busy
			if err == nil {
				over = append(over, done)
			} else if !errors.As(err, &full) {
				t.Error(err)
			}
		}
		if len(over) != c.want {
			t.Errorf("%d places, %d each: a network has %d, want %d", c.most, c.each, len(over), c.want)
		}
		if done, err := turns.Take(asClient("z", "M")); (err == nil) != (c.want < c.most) {
			t.Errorf("%d places, %d each: another network: %v", c.most, c.each, err)
		} else if err == nil {
			done()
		}
		for _, done := range over {
			done()
		}
		if len(turns.held) != 0 {
			t.Errorf("left behind: %v", turns.held)
		}
	}
}

// One client has a quarter of the connections, one network half of them.
func TestConnectionsOfNetworks(t *testing.T) {
	l := limitConnections(nil, 40, Proxies{}).(*limitListener)
	enter := func(client, network string, want int) {
		t.Helper()
		n := 0
		for n < 100 && l.enter(client, network) {
			l.free <- struct{}{} // as Accept does before
			n++
		}
		if n != want {
			t.Errorf("%s of %s has %d connections, want %d", client, network, n, want)
		}
	}
	enter("a", "N", 10)
	enter("b", "N", 10)
	enter("c", "N", 0)
	enter("d", "M", 10)
	enter("192.0.2.1", "", 10)
	for range 10 {
		l.leave("a", "N")
	}
	enter("c", "N", 10)
	for client, network := range map[string]string{"b": "N", "c": "N", "d": "M", "192.0.2.1": ""} {
		for range 10 {
			l.leave(client, network)
		}
	}
	if len(l.open) != 0 {
		t.Errorf("left behind: %v", l.open)
	}
}
