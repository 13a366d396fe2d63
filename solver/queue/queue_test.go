package queue

import (
	"log/slog"
	"testing"
)

// The queue of a server's own reserves little of the disk, however much there is.
func TestEmbeddedReservesLittle(t *testing.T) {
	q, err := Embedded(t.Context(), t.TempDir(), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer q.Close()
	account, err := q.js.AccountInfo(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var reserved int64
	for _, name := range []string{jobs, reports} {
		s, err := q.js.Stream(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		reserved += s.CachedInfo().Config.MaxBytes
	}
	if reserved > 128<<20 || reserved <= 0 {
		t.Errorf("its streams may take %d MiB", reserved>>20)
	}
	if account.Streams != 2 {
		t.Errorf("%d streams", account.Streams)
	}
}
