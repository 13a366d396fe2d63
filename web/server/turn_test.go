package server

import (
	"context"
	"errors"
	"testing"
	"time"
)

// No more than so many families are made at once, and who leaves makes room.
func TestFamiliesTakeTurns(t *testing.T) {
	families := NewTurns(1, 0, time.Minute, "")
	end, err := families.Take(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	waited := make(chan error)
	go func() {
		second, err := families.Take(t.Context())
		if err == nil {
			second()
		}
		waited <- err
	}()
	select {
	case err := <-waited:
		t.Errorf("two families are made where there is room for one (%v)", err)
	case <-time.After(50 * time.Millisecond):
	}
	end()
	if err := <-waited; err != nil {
		t.Error(err)
	}
}

// One client's families leave room for others'.
func TestFamiliesOfOneClient(t *testing.T) {
	t.Parallel()
	families := NewTurns(4, 1, time.Millisecond, "busy")
	as := func(client string) context.Context {
		return context.WithValue(t.Context(), callerKey{}, &Caller{client: client})
	}
	over, err := families.Take(as("a"))
	if err != nil {
		t.Fatal(err)
	}
	var full *busy
	if _, err := families.Take(as("a")); !errors.As(err, &full) {
		t.Errorf("a second one of one client: %v", err)
	}
	if second, err := families.Take(as("b")); err != nil {
		t.Error(err)
	} else {
		second()
	}
	over()
	if again, err := families.Take(as("a")); err != nil {
		t.Error(err)
	} else {
		again()
	}
}
