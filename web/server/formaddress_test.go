package server

import (
	"crypto/rand"
	"encoding/hex"
	"net/url"
	"reflect"
	"strings"
	"testing"
)

// An address gives back the form that it was made of, without empty fields and those that are left out.
func TestAddressOfForm(t *testing.T) {
	form := url.Values{
		"own-name": {"mine", "other"}, "own-text": {"acyclic po as order\n", "let x = po & rf"}, "own-files": {"", ""},
		"mine": {"mine"}, "rerun": {"on"},
	}
	a := AddressOf("/versus", form, "rerun")
	packed, ok := strings.CutPrefix(a.URL, "/versus?form=")
	if !ok || a.Problem != "" {
		t.Fatalf("got %+v", a)
	}
	got, err := unpackForm(packed)
	delete(form, "own-files")
	delete(form, "rerun")
	if err != nil || !reflect.DeepEqual(got, form) {
		t.Errorf("got %v, %v; want %v", got, err, form)
	}
	for _, bad := range []string{"", "!", "AAAA", packed[:len(packed)/2]} {
		if _, err := unpackForm(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
	noise := make([]byte, maxAddress)
	_, _ = rand.Read(noise)
	a = AddressOf("/versus", url.Values{"own-text": {hex.EncodeToString(noise)}})
	if a.URL != "" || !strings.Contains(a.Problem, "too long for one") {
		t.Errorf("a form that is too long has the address %.80q, %q", a.URL, a.Problem)
	}
}

// A small link cannot make the server unpack a large form.
func TestAddressThatUnpacksToMuch(t *testing.T) {
	a := AddressOf("/versus", url.Values{"own-text": {strings.Repeat("a", 2*MaxUnpacked)}})
	if _, err := unpackForm(strings.TrimPrefix(a.URL, "/versus?form=")); err == nil ||
		!strings.Contains(err.Error(), "too large") {
		t.Errorf("got %v", err)
	}
}
