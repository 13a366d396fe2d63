package language

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"litmuscope/solver"
	"litmuscope/solver/pool"
)

// Config is what a server is given.
type Config struct {
	Version string
	// Sandbox does what is done with texts that may take any time or memory: see [childwork.Work].
	Sandbox pool.Doer
	// Runner finds verdicts.
	Runner solver.Runner
	Log    *slog.Logger
	// Library is a folder for the files of the library that somebody looks at: editors open files alone.
	Library string
	// Rest is how long typing has to rest before a text is checked.
	Rest time.Duration
	// Patience is how long an editor waits for verdicts that are not there yet.
	Patience time.Duration
	// Limit is what a verdict may take.
	Limit time.Duration
}

// DefaultConfig has the times that suit people.
func DefaultConfig() Config {
	return Config{Rest: 250 * time.Millisecond, Patience: time.Second, Limit: 10 * time.Second}
}

// Serve answers one editor until it is gone or says that it is done, or until the context ends.
func Serve(ctx context.Context, c Config, channel io.ReadWriteCloser) error {
	ctx, cancel := context.WithCancel(ctx)
	s := &server{
		Config: c, ctx: ctx, view: view{}, checks: map[string]context.CancelFunc{},
		calls: map[jsonrpc2.ID]context.CancelFunc{},
		slots: make(chan struct{}, maxCalls), connected: make(chan struct{}),
	}
	s.conn = jsonrpc2.NewConn(ctx, newStream(channel), s, jsonrpc2.SetLogger(log.New(logWriter{c.Log}, "", 0)))
	close(s.connected)
	<-s.conn.DisconnectNotify()
	cancel()
	s.lock.Lock()
	s.ended = true
	s.lock.Unlock()
	s.running.Wait()
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.exited && !s.down {
		return errors.New("the editor sent exit without shutdown")
	}
	return nil
}

// maxCalls bounds the requests that are answered at once; further ones wait.
const maxCalls = 16

type server struct {
	Config
	ctx     context.Context // the connection's
	conn    *jsonrpc2.Conn  // set once connected is closed: NewConn reads messages before it returns
	running sync.WaitGroup
	slots   chan struct{}

	connected chan struct{}

	lock         sync.Mutex
	ready        bool // initialize was answered
	down, exited bool
	ended        bool // nothing is begun any more
	utf8         bool
	snippets     bool
	refreshes    bool
	view         view
	checks       map[string]context.CancelFunc      // of a document's last check, by URI
	calls        map[jsonrpc2.ID]context.CancelFunc // that may be cancelled
}

// logWriter has the log keep what the connection says.
type logWriter struct{ log *slog.Logger }

func (w logWriter) Write(line []byte) (int, error) {
	w.log.Debug(string(line))
	return len(line), nil
}

// Codes of errors that the protocol has beside JSON-RPC's.
const (
	codeNotInitialized = -32002
	codeModified       = -32801
	codeFailed         = -32803
	codeCancelled      = -32800
)

func fail(code int64, format string, args ...any) error {
	return &jsonrpc2.Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// request is one that is answered from documents as they were when it came.
type request struct {
	*server
	ctx      context.Context
	view     view
	snippets bool
}

// method answers a request with its parameters read.
type method func(r *request, params json.RawMessage) (any, error)

// of makes a method of a function.
func of[P any](answer func(r *request, p P) (any, error)) method {
	return func(r *request, params json.RawMessage) (any, error) {
		var p P
		if len(params) > 0 {
			if err := json.Unmarshal(params, &p); err != nil {
				return nil, fail(jsonrpc2.CodeInvalidParams, "%v", err)
			}
		}
		return answer(r, p)
	}
}

// methods are the requests that are answered.
var methods = map[string]method{
	"textDocument/completion":          of((*request).completion),
	"textDocument/documentSymbol":      of((*request).documentSymbols),
	"textDocument/foldingRange":        of((*request).foldingRanges),
	"textDocument/signatureHelp":       of((*request).signatureHelp),
	"textDocument/hover":               of((*request).hover),
	"textDocument/definition":          of((*request).goToDefinition),
	"textDocument/references":          of((*request).references),
	"textDocument/documentHighlight":   of((*request).highlights),
	"textDocument/prepareRename":       of((*request).prepareRename),
	"textDocument/rename":              of((*request).rename),
	"textDocument/semanticTokens/full": of((*request).colours),
	"textDocument/codeAction":          of((*request).codeAction),
	"textDocument/formatting":          of((*request).formatting),
	"textDocument/codeLens":            of((*request).codeLens),
	"codeLens/resolve":                 of((*request).resolveLens),
	"workspace/executeCommand":         of((*request).executeCommand),
}

// notifications are what an editor tells; they are heeded in their order, before the next message is read.
var notifications = map[string]func(s *server, params json.RawMessage) error{
	"textDocument/didOpen":   note((*server).didOpen),
	"textDocument/didChange": note((*server).didChange),
	"textDocument/didSave":   note((*server).didSave),
	"textDocument/didClose":  note((*server).didClose),
	"$/cancelRequest":        note((*server).cancelRequest),
}

func note[P any](heed func(s *server, p P)) func(s *server, params json.RawMessage) error {
	return func(s *server, params json.RawMessage) error {
		var p P
		if err := json.Unmarshal(params, &p); err != nil {
			return err
		}
		heed(s, p)
		return nil
	}
}

// Handle implements [jsonrpc2.Handler]. It is called for one message after the other.
func (s *server) Handle(_ context.Context, _ *jsonrpc2.Conn, q *jsonrpc2.Request) {
	<-s.connected
	var params json.RawMessage
	if q.Params != nil {
		params = *q.Params
	}
	if q.Notif {
		s.notified(q.Method, params)
		return
	}
	s.lock.Lock()
	ready, down := s.ready, s.down
	s.lock.Unlock()
	answer := methods[q.Method]
	switch {
	case q.Method == "initialize" && !ready:
		s.reply(q.ID, func() (any, error) { return of((*request).initialize)(&request{server: s}, params) })
	case q.Method == "shutdown" && ready:
		s.lock.Lock()
		s.down = true
		s.lock.Unlock()
		s.reply(q.ID, func() (any, error) { return nil, nil })
	case !ready:
		s.reply(q.ID, func() (any, error) {
			return nil, fail(codeNotInitialized, "the server is not initialized: send initialize first")
		})
	case down || q.Method == "initialize":
		s.reply(q.ID, func() (any, error) {
			return nil, fail(jsonrpc2.CodeInvalidRequest, "unexpected request %s: the server is already "+
				"initialized or shut down", q.Method)
		})
	case answer == nil:
		s.reply(q.ID, func() (any, error) {
			return nil, fail(jsonrpc2.CodeMethodNotFound, "unknown method "+
				"%s", q.Method)
		})
	default:
		s.call(q.ID, func(r *request) (any, error) { return answer(r, params) })
	}
}

func (s *server) notified(method string, params json.RawMessage) {
	defer s.survive(method, nil)
	if method == "exit" {
		s.lock.Lock()
		s.exited = true
		s.lock.Unlock()
		s.conn.Close()
		return
	}
	if heed := notifications[method]; heed != nil {
		if err := heed(s, params); err != nil {
			s.Log.Warn("cannot read a message of the editor", "method", method, "error", err)
		}
	}
}

// call answers a request beside others, unless it is cancelled.
func (s *server) call(id jsonrpc2.ID, answer func(*request) (any, error)) {
	ctx, cancel := context.WithCancel(s.ctx)
	s.lock.Lock()
	r := &request{server: s, ctx: ctx, view: s.view, snippets: s.snippets}
	s.calls[id] = cancel
	s.lock.Unlock()
	s.begin(func() {
		defer func() {
			s.lock.Lock()
			delete(s.calls, id)
			s.lock.Unlock()
			cancel()
		}()
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		case <-ctx.Done():
		}
		s.reply(id, func() (any, error) {
			if ctx.Err() != nil {
				return nil, fail(codeCancelled, "cancelled")
			}
			v, err := answer(r)
			if err != nil && ctx.Err() != nil {
				err = fail(codeCancelled, "cancelled")
			}
			return v, err
		})
	})
}

// begin does something beside all else that goes on, unless the server has ended; who ends it waits for that.
func (s *server) begin(f func()) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if !s.ended {
		s.running.Go(f)
	}
}

// reply sends an answer, or what is wrong; a panic is wrong, too, and ends nothing else.
func (s *server) reply(id jsonrpc2.ID, answer func() (any, error)) {
	v, err := func() (v any, err error) {
		defer s.survive("a request", &err)
		return answer()
	}()
	if err == nil {
		err = s.conn.Reply(s.ctx, id, v)
	} else {
		var told *jsonrpc2.Error
		if !errors.As(err, &told) {
			told = &jsonrpc2.Error{Code: codeFailed, Message: err.Error()}
		}
		err = s.conn.ReplyWithError(s.ctx, id, told)
	}
	if err != nil && !errors.Is(err, jsonrpc2.ErrClosed) {
		s.Log.Warn("cannot send an answer to the editor", "error", err)
	}
}

// survive makes an error of a panic.
func (s *server) survive(in string, err *error) {
	if e := recover(); e != nil {
		s.Log.Error("BUG: panic", "in", in, "error", e, "stack", string(debug.Stack()))
		if err != nil {
			*err = fail(jsonrpc2.CodeInternalError, "BUG: %v", e)
		}
	}
}

// notify sends a notification.
func (s *server) notify(method string, params any) {
	if err := s.conn.Notify(s.ctx, method, params); err != nil && !errors.Is(err, jsonrpc2.ErrClosed) {
		s.Log.Warn("cannot send a message to the editor", "method", method, "error", err)
	}
}

func (s *server) cancelRequest(p struct {
	ID jsonrpc2.ID `json:"id"`
},
) {
	s.lock.Lock()
	cancel := s.calls[p.ID]
	s.lock.Unlock()
	if cancel != nil {
		cancel()
	}
}

// initialize says what there is.
func (r *request) initialize(p initializeParams) (any, error) {
	s := r.server
	s.lock.Lock()
	defer s.lock.Unlock()
	s.ready = true
	encoding := "utf-16"
	if slices.Contains(p.Capabilities.General.PositionEncodings, "utf-8") {
		s.utf8, encoding = true, "utf-8"
	}
	s.snippets = p.Capabilities.TextDocument.Completion.CompletionItem.SnippetSupport
	s.refreshes = p.Capabilities.Workspace.CodeLens.RefreshSupport
	return map[string]any{
		"serverInfo": map[string]string{"name": "litmuscope", "version": s.Version},
		"capabilities": map[string]any{
			"positionEncoding":       encoding,
			"textDocumentSync":       map[string]any{"openClose": true, "change": 1, "save": true},
			"completionProvider":     map[string]any{"triggerCharacters": []string{"\"", ":", "[", "(", "%", "~", "'"}},
			"hoverProvider":          true,
			"documentSymbolProvider": true, "foldingRangeProvider": true,
			"signatureHelpProvider": map[string]any{"triggerCharacters": []string{"(", ","}},
			"definitionProvider":    true, "referencesProvider": true, "documentHighlightProvider": true,
			"renameProvider": map[string]any{"prepareProvider": true},
			"semanticTokensProvider": map[string]any{
				"legend": map[string]any{"tokenTypes": kindNames, "tokenModifiers": modifierNames}, "full": true,
			},
			"codeActionProvider":         map[string]any{"codeActionKinds": []string{quickFix}},
			"documentFormattingProvider": true,
			"codeLensProvider":           map[string]any{"resolveProvider": true},
			"executeCommandProvider":     map[string]any{"commands": []string{outcomes}},
		},
	}, nil
}

// document is an open one.
func (r *request) document(uri string) (*document, error) {
	if d := r.view[uri]; d != nil {
		return d, nil
	}
	return nil, fail(jsonrpc2.CodeInvalidParams, "%s is not open", uri)
}

// at is the document and the byte at a place.
func (r *request) at(p place) (*document, int, error) {
	d, err := r.document(p.TextDocument.URI)
	if err != nil {
		return nil, 0, err
	}
	return d, d.offset(p.Position), nil
}
