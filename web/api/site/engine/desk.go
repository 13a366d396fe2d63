//go:build js && wasm

package main

import (
	"bytes"
	"context"
	"net/http"
	"syscall/js"
)

// desk takes requests, and hands out what they are answered with.
type desk struct {
	handler http.Handler
	engine  js.Value
	stops   map[int]func() // by requests under way
}

func (d *desk) ask(_ js.Value, args []js.Value) any {
	id := args[0].Int()
	body := make([]byte, args[4].Get("length").Int())
	js.CopyBytesToGo(body, args[4])
	ctx, stop := context.WithCancel(context.Background())
	d.stops[id] = stop
	r, err := http.NewRequestWithContext(ctx, args[1].String(), "http://localhost"+args[2].String(),
		bytes.NewReader(body))
	if err != nil {
		d.end(id, err.Error())
		return nil
	}
	r.RequestURI, r.RemoteAddr = r.URL.RequestURI(), "127.0.0.1:1"
	for i := range args[3].Length() {
		r.Header.Add(args[3].Index(i).Index(0).String(), args[3].Index(i).Index(1).String())
	}
	go d.answer(id, r)
	return nil
}

func (d *desk) stop(_ js.Value, args []js.Value) any {
	if stop := d.stops[args[0].Int()]; stop != nil {
		stop()
	}
	return nil
}

func (d *desk) answer(id int, r *http.Request) {
	w := &writer{desk: d, id: id, header: http.Header{}}
	defer func() {
		fault := ""
		if e := recover(); e != nil { // an answer that is cut short: all else the handler has taken up
			fault = "The answer has broken off."
		}
		w.Flush()
		d.end(id, fault)
	}()
	d.handler.ServeHTTP(w, r)
}

func (d *desk) end(id int, fault string) {
	if stop := d.stops[id]; stop != nil {
		stop()
	}
	delete(d.stops, id)
	d.engine.Call("end", id, fault)
}

// pieceBytes is how much of an answer is handed out at once.
const pieceBytes = 256 << 10

// writer hands out an answer.
type writer struct {
	*desk
	id     int
	header http.Header
	status int // 0: not yet handed out
	piece  bytes.Buffer
}

func (w *writer) Header() http.Header { return w.header }

func (w *writer) WriteHeader(status int) {
	if w.status != 0 || status < http.StatusOK {
		return
	}
	w.status = status
	var headers []any
	for name, values := range w.header {
		for _, v := range values {
			headers = append(headers, []any{name, v})
		}
	}
	w.engine.Call("head", w.id, status, headers)
}

func (w *writer) Write(p []byte) (int, error) {
	if w.status == 0 {
		if w.header.Get("Content-Type") == "" {
			w.header.Set("Content-Type", http.DetectContentType(p))
		}
		w.WriteHeader(http.StatusOK)
	}
	w.piece.Write(p)
	if w.piece.Len() >= pieceBytes {
		w.Flush()
	}
	return len(p), nil
}

// Flush implements [http.Flusher].
func (w *writer) Flush() {
	w.WriteHeader(http.StatusOK)
	if w.piece.Len() == 0 {
		return
	}
	bytes := js.Global().Get("Uint8Array").New(w.piece.Len())
	js.CopyBytesToJS(bytes, w.piece.Bytes())
	w.piece.Reset()
	w.engine.Call("piece", w.id, bytes)
}
