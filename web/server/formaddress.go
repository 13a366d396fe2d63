package server

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
)

// Address is the address of a result, which anybody can open. It carries the form that gave the result, with the
// visitor's own models, compressed in the parameter "form". Exactly one of URL and Problem is empty.
type Address struct {
	URL     string
	Problem string // why the result has no address
}

// maxAddress bounds an address with a form, in characters: browsers and most proxies accept it, and it fits maxHeader.
const maxAddress = 16_000

// formParam is the parameter of an address that carries a form.
const formParam = "form"

// AddressOf returns the address of the result that a form gives at a path. Fields without a value are left out, as are
// those that skip names. [Server.FromAddress] serves it.
func AddressOf(path string, form url.Values, skip ...string) Address {
	short := url.Values{}
	for name, values := range form {
		if !slices.Contains(skip, name) && slices.ContainsFunc(values, func(v string) bool { return v != "" }) {
			short[name] = values
		}
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	// Writes to a bytes.Buffer cannot fail.
	_, _ = io.WriteString(w, short.Encode())
	_ = w.Close()
	out := path + "?" + formParam + "=" + base64.RawURLEncoding.EncodeToString(packed.Bytes())
	if len(out) > maxAddress {
		return Address{
			Problem: fmt.Sprintf("This result has no link: the texts and models are too long for one (%s of "+
				"at most %s characters). To share it, send the models as .cat files.", Thousands(len(out)),
				Thousands(maxAddress)),
		}
	}
	return Address{URL: out}
}

// FromAddress has a handler of forms also answer the address of a form; see [AddressOf].
func (s *Server) FromAddress(post http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		form, err := unpackForm(r.URL.Query().Get(formParam))
		if err != nil {
			s.FailOf(w, r, err)
			return
		}
		// ParseForm leaves both alone.
		r.Form, r.PostForm = form, form
		post(w, r)
	}
}

// unpackForm reads the form of an address.
func unpackForm(text string) (url.Values, error) {
	damaged := Refuse("This link is damaged or incomplete. Copy it again, or ask for the result on its page.")
	packed, err := base64.RawURLEncoding.DecodeString(text)
	if err != nil || text == "" {
		return nil, damaged
	}
	plain, err := io.ReadAll(io.LimitReader(flate.NewReader(bytes.NewReader(packed)), MaxUnpacked+1))
	if err != nil {
		return nil, damaged
	}
	if len(plain) > MaxUnpacked {
		return nil, Refuse("This link is too large to open.")
	}
	form, err := url.ParseQuery(string(plain))
	if err != nil {
		return nil, damaged
	}
	return form, nil
}
