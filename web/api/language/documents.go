package language

import (
	"context"
	"maps"
	"time"
)

type opened struct {
	TextDocument struct {
		URI        string `json:"uri"`
		LanguageID string `json:"languageId"`
		Version    int    `json:"version"`
		Text       string `json:"text"`
	} `json:"textDocument"`
}

type changed struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
	} `json:"textDocument"`
	ContentChanges []struct {
		Text string `json:"text"`
	} `json:"contentChanges"`
}

type named struct {
	TextDocument textDocument `json:"textDocument"`
}

func (s *server) didOpen(p opened) {
	d := p.TextDocument
	s.put(newDocument(d.URI, d.Version, tongueOf(d.URI, d.LanguageID, d.Text), d.Text, s.utf8), 0)
}

func (s *server) didChange(p changed) {
	s.lock.Lock()
	before := s.view[p.TextDocument.URI]
	s.lock.Unlock()
	if before == nil || len(p.ContentChanges) == 0 {
		return
	}
	text := p.ContentChanges[len(p.ContentChanges)-1].Text // the whole text: initialize asks for full changes
	s.put(newDocument(before.uri, p.TextDocument.Version, before.tongue, text, s.utf8), s.Rest)
}

// didSave checks all documents that read files, because a file may have changed.
func (s *server) didSave(named) {
	s.lock.Lock()
	all := maps.Clone(s.view)
	s.lock.Unlock()
	for _, d := range all {
		if d.tongue != ofTests {
			s.check(d, 0)
		}
	}
}

func (s *server) didClose(p named) {
	uri := p.TextDocument.URI
	s.lock.Lock()
	d := s.view[uri]
	s.view = maps.Clone(s.view)
	delete(s.view, uri)
	if cancel := s.checks[uri]; cancel != nil {
		cancel()
		delete(s.checks, uri)
	}
	s.lock.Unlock()
	if d != nil {
		d.verdicts.stop()
		s.notify("textDocument/publishDiagnostics",
			published{URI: uri, Version: d.version, Diagnostics: []diagnostic{}})
	}
}

// put replaces the document with the same URI, and checks the new one.
func (s *server) put(d *document, rest time.Duration) {
	d.verdicts = newVerdicts(s, d)
	s.lock.Lock()
	before := s.view[d.uri]
	s.view = maps.Clone(s.view)
	s.view[d.uri] = d
	others := s.view
	s.lock.Unlock()
	if before != nil {
		before.verdicts.stop()
	}
	s.check(d, rest)
	if d.tongue != ofModels {
		return
	}
	for _, other := range others { // models that may include it
		if other != d && other.tongue == ofModels {
			s.check(other, rest)
		}
	}
}

// check publishes a document's problems once typing has paused for rest. It cancels the document's previous check.
func (s *server) check(d *document, rest time.Duration) {
	ctx, cancel := context.WithCancel(s.ctx)
	s.lock.Lock()
	if before := s.checks[d.uri]; before != nil {
		before()
	}
	s.checks[d.uri] = cancel
	s.lock.Unlock()
	s.begin(func() {
		defer cancel()
		defer s.survive("a check", nil)
		select {
		case <-time.After(rest):
		case <-ctx.Done():
			return
		}
		s.lock.Lock()
		v := s.view
		s.lock.Unlock()
		found, err := s.diagnose(ctx, v, d)
		s.lock.Lock()
		stale := ctx.Err() != nil || s.view[d.uri] != d
		s.lock.Unlock()
		switch {
		case stale:
		case err != nil:
			s.Log.Warn("cannot check a text", "uri", d.uri, "error", err)
		default:
			d.problems.Store(&found)
			s.notify("textDocument/publishDiagnostics", published{URI: d.uri, Version: d.version, Diagnostics: found})
		}
	})
}
