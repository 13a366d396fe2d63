package web

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
)

// explorerLink is the explorer's address with a question in its fragment, as the page's
// script writes it: "#1=" and the JSON of it, deflated, in base64url.
func explorerLink(st linkState) string {
	text, err := json.Marshal(st)
	if err != nil {
		panic("BUG: a question has no JSON: " + err.Error())
	}
	var packed bytes.Buffer
	w, err := flate.NewWriter(&packed, flate.BestCompression)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	// A bytes.Buffer takes every write.
	_, _ = w.Write(text)
	_ = w.Close()
	return "/#1=" + base64.RawURLEncoding.EncodeToString(packed.Bytes())
}
