package compilers

import (
	"bytes"
	"log/slog"
	"os"
	"strings"
	"testing"

	"litmuscope/litmus/toolchain/sandbox"
)

func TestMain(m *testing.M) {
	sandbox.MaybeChild()
	os.Exit(m.Run())
}

// A system that cannot confine compilers offers none, unless the operator accepts that; then the log says so.
func TestUnconfinedSystemsOfferNone(t *testing.T) {
	lacks := sandbox.Unconfined()
	unconfined = func() []string { return append([]string{"Landlock (Linux 6.2 or later)"}, lacks...) }
	t.Cleanup(func() { unconfined = sandbox.Unconfined })
	log := &bytes.Buffer{}
	o := Options{AtOnce: 1, Log: slog.New(slog.NewTextHandler(log, nil))}
	_, err := Offer(t.Context(), []string{"cc"}, o)
	if err == nil || !strings.Contains(err.Error(), "it lacks Landlock") ||
		!strings.Contains(err.Error(), "Add --unconfined-compilers") {
		t.Errorf("got %v", err)
	}
	o.Unconfined = true
	if _, err := Offer(t.Context(), []string{"cc"}, o); err != nil && strings.Contains(err.Error(), "not installed") {
		t.Skip(err)
	} else if err != nil || !strings.Contains(log.String(), "without the protection of Landlock") {
		t.Errorf("got %v, and the log %s", err, log)
	}
}

// What is no compiler for a known architecture, or is there twice, is refused by name.
func TestOfferRefuses(t *testing.T) {
	if lacks := sandbox.Unconfined(); lacks != nil {
		t.Skipf("this system lacks %v", lacks)
	}
	vax := t.TempDir() + "/vaxcc"
	if err := os.WriteFile(vax,
		[]byte("#!/bin/sh\ncase $1 in --version) echo vaxcc 1;; *) echo vax-dec-ultrix;; esac\n"),
		0o755); err != nil { //nolint:gosec // it is to be executed
		t.Fatal(err)
	}
	o := Options{AtOnce: 1, Log: slog.New(slog.DiscardHandler)}
	if _, err := Offer(t.Context(), []string{vax}, o); err == nil ||
		!strings.Contains(err.Error(), `vaxcc": it compiles for "vax-dec-ultrix", whose listings`) {
		t.Errorf("got %v", err)
	}
	_, err := Offer(t.Context(), []string{"cc", "cc"}, o)
	if err == nil ||
		!strings.Contains(err.Error(), `"cc" is given twice`) && !strings.Contains(err.Error(), "not installed") {
		t.Errorf("got %v", err)
	}
}
