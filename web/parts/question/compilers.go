package question

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c/llvm/frontend"
	"litmuscope/litmus/compile"
	"litmuscope/litmus/readback"
	"litmuscope/litmus/toolchain"
	"litmuscope/solver"
	"litmuscope/solver/mappingcheck"
	"litmuscope/web/parts/childwork"
	"litmuscope/web/server"
)

// Compiler is a compiler that the server offers.
type Compiler struct {
	Name    string `json:"name"    doc:"the compiler's command, as the server was started with it" example:"gcc -O2"`
	Version string `json:"version" doc:"the version that it prints"`
	To      string `json:"to"      doc:"the architecture that it compiles to"                      example:"aarch64"`
	Title   string `json:"title"   doc:"the architecture's title"`
}

// Compilers runs compilers on texts of visitors, confined, with the options that their listings need. Run's error is a
// [*toolchain.Failure], a [Cut], the context's, or a bug.
type Compilers interface {
	List() []Compiler
	Run(ctx context.Context, name string, job toolchain.Job) (map[string][]byte, error)
	// FrontEnds lists the compilers that turn programs into LLVM IR, and Module runs one of them. Its errors are those
	// of Run, or say what the program has that its language lacks.
	FrontEnds() []FrontEnd
	Module(ctx context.Context, name string, p *frontend.Program) (string, error)
}

// FrontEnd is a compiler of the server for programs in C++ or Rust.
type FrontEnd struct {
	Name     string            `json:"name"     doc:"the compiler's command, as the server was started with it" example:"clang++"`
	Version  string            `json:"version"  doc:"the version that it prints"`
	Language frontend.Language `json:"language" doc:"the language that it compiles"                                example:"c++"`
}

// Cut is the error of a compiler that a limit ended. Its text names the compiler and the limit.
type Cut struct{ Err error }

func (c *Cut) Error() string { return c.Err.Error() }

// Unwrap returns the limit's error.
func (c *Cut) Unwrap() error { return c.Err }

// BadListing reports errors in a listing. Its marks are places in the listing, and not in the test.
type BadListing struct {
	Listing string
	Errs    litmus.ErrorList
}

func (b *BadListing) Error() string { return b.Errs.Error() }

// Say implements [server.Mendable].
func (b *BadListing) Say() server.Said {
	out := server.Say("the listing cannot be read back: %v", b.Errs[0])
	out.View = server.ProblemView{Text: "The listing cannot be read back:", Notes: notes(b.Marks())}
	out.Details = server.DetailsOf("body.listing", b.Errs)
	return out
}

// notes returns marks in words, for places that are not in the page's test.
func notes(marks []server.Mark) (out []string) {
	for _, m := range marks {
		out = append(out, fmt.Sprintf("line %d, column %d of the listing: %s", m.Line, m.Col, m.Message))
	}
	return out
}

// Marks returns the places.
func (b *BadListing) Marks() (out []server.Mark) {
	at := server.Marker(b.Listing)
	for _, e := range b.Errs {
		out = append(out, at(e.Pos.Line, e.Pos.Col, e.Msg))
	}
	return out
}

// ReadBack is a compiler's listing as a test, compared with its source.
type ReadBack struct {
	Compiler Compiler // with only To and Title for a listing from elsewhere
	Listing  string
	Made     *compile.Test
	// ThinAir: only the axiom no-thin-air of the language's model forbids what the machine allows. The C standard
	// allows it.
	ThinAir bool
	*mappingcheck.Checked
}

// noThinAir is the axiom of RC11 that forbids load buffering of relaxed accesses, which the C standard allows.
const noThinAir = "no-thin-air"

// Words says whether the compiled code is right.
func (r *ReadBack) Words(label func(model string) string) string {
	if r.ThinAir {
		return fmt.Sprintf(
			"allowed by %s, and forbidden only by the axiom %s of %s: the C standard allows it, so it is "+
				"no bug of the compiler",
			label(r.Architecture.Model),
			noThinAir,
			label(r.Language.Model),
		)
	}
	return r.WordsOn("the compiler, or a model,", label)
}

// Offered returns the compilers that the server offers.
func (s *Service) Offered() []Compiler {
	if s.Compilers == nil {
		return nil
	}
	return s.Compilers.List()
}

// compiler finds an offered compiler.
func (s *Service) compiler(name string) (Compiler, error) {
	var names []string
	for _, c := range s.Offered() {
		if c.Name == name {
			return c, nil
		}
		names = append(names, strconv.Quote(c.Name))
	}
	if names == nil {
		return Compiler{}, server.Refuse(
			"This server offers no compilers. Start one with litmuscope serve --compilers %q, "+
				"or compile the test yourself and send the listing.",
			name,
		)
	}
	return Compiler{}, server.Refuse("This server does not offer the compiler %q: want one of %s.", name,
		strings.Join(names, ", "))
}

// CFile returns a test as a C file, and the options with which a compiler for the architecture to makes a listing that
// [Service.ReadListing] reads. Its errors are those of [Service.Compile].
func (s *Service) CFile(ctx context.Context, source, to string) (text string, options []string, err error) {
	reply, err := s.readBack(ctx, readback.Request{Source: source, To: to})
	if err != nil {
		return "", nil, err
	}
	return reply.C, reply.Options, nil
}

// readBack has a child process answer a request. Its error is a [server.Refusal], a [BadTest], a [BadListing], the
// context's, or a bug.
func (s *Service) readBack(ctx context.Context, r readback.Request) (*readback.Reply, error) {
	if err := s.Fits(r.Source, &Question{}); err != nil {
		return nil, err
	}
	if most := s.Server.Limits.Source; len(r.Listing) > most {
		return nil, server.Refuse("The listing is longer than %d KiB.", most>>10)
	}
	r.File = FileName
	reply, err := childwork.ReadingBack.Call(ctx, s.Sandbox, r)
	switch {
	case err != nil:
		return nil, server.TooMuch(err, "Reading this")
	case reply.Why != "":
		return nil, server.Refuse("%s.", strings.ToUpper(reply.Why[:1])+reply.Why[1:])
	case len(reply.Errors) > 0:
		return nil, &BadTest{Source: r.Source, Errs: reply.Errors}
	case len(reply.Listing) > 0:
		return nil, &BadListing{r.Listing, reply.Listing}
	}
	return reply, nil
}

// CompileBy compiles a test by a compiler of the server and returns the compiler with its listing. Messages of the
// compiler are a [BadTest], at the test's lines where they name some.
func (s *Service) CompileBy(ctx context.Context, source, name string) (c Compiler, listing string, err error) {
	if c, err = s.compiler(name); err != nil {
		return c, "", err
	}
	text, _, err := s.CFile(ctx, source, c.To)
	if err != nil {
		return c, "", err
	}
	limited, cancel := context.WithTimeout(ctx, server.MaxQuestion)
	defer cancel()
	out, err := s.Compilers.Run(limited, name, toolchain.Job{
		Files:     map[string][]byte{"test.c": []byte(text)},
		Arguments: []string{"-o", "test.s", "test.c"}, Outputs: []string{"test.s"},
	})
	var failure *toolchain.Failure
	var cut *Cut
	switch {
	case errors.As(err, &failure):
		return c, "", &BadTest{Source: source, Errs: messages(failure)}
	case errors.As(err, &cut):
		return c, "", server.Refuse("%s", server.Sentence(cut))
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return c, "", server.Refuse("Compiling this, and waiting for other compilations, takes longer than %v.",
			server.MaxQuestion)
	case err != nil:
		return c, "", err
	}
	return c, string(out["test.s"]), nil
}

// message is a line of a compiler's message that names a place of the test.
var message = regexp.MustCompile(`^` + regexp.QuoteMeta(FileName) + `:(\d+):(?:\d+:)? (?:fatal )?error: (.*)$`)

// messages returns a compiler's errors at their lines of the test. Columns are those of the C file, and left out. What
// names no line is at the test's start, in full.
func messages(f *toolchain.Failure) (out litmus.ErrorList) {
	for line := range strings.Lines(f.Message) {
		if m := message.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			n, _ := strconv.Atoi(m[1]) // of digits
			out = append(out, &litmus.Error{
				Pos: litmus.Pos{File: FileName, Line: n, Col: 1}, Msg: fmt.Sprintf("%s: %s", f.Command, m[2]),
			})
		}
	}
	if out == nil {
		out = litmus.ErrorList{{Pos: litmus.Pos{File: FileName, Line: 1, Col: 1}, Msg: f.Error()}}
	}
	return out
}

// ReadListing reads a listing back and compares it with a question's test. A slot of the stack that became a register
// may allow more than the code does: before the comparison calls the code wrong, it repeats with all slots in memory.
func (s *Service) ReadListing(ctx context.Context, q Question, c Compiler, listing string) (*ReadBack, error) {
	out := &ReadBack{Compiler: c, Listing: listing}
	r := readback.Request{Source: server.UnixLines(q.Source), To: c.To, Listing: server.UnixLines(listing)}
	for {
		reply, err := s.readBack(ctx, r)
		if err != nil {
			return nil, err
		}
		var language *solver.Result
		if out.Checked != nil {
			language = out.Language
		}
		checked, err := s.CheckMapping(ctx, q, reply.Made, language)
		if err != nil {
			return nil, err
		}
		if out.Checked == nil || checked.Verdict != mappingcheck.Wrong {
			out.Made, out.Checked = reply.Made, checked
		}
		if checked.Verdict != mappingcheck.Wrong || r.KeepStack {
			break
		}
		r.KeepStack = true
	}
	return out, s.thinAir(ctx, q, out)
}

// thinAir finds out whether the language's model without its axiom no-thin-air allows all that is wrong.
func (s *Service) thinAir(ctx context.Context, q Question, r *ReadBack) error {
	if r.Verdict != mappingcheck.Wrong {
		return nil
	}
	q.Models = []string{r.Language.Model + "~" + noThinAir}
	weaker, err := s.CheckMapping(ctx, q, r.Made, nil)
	if err != nil {
		return err
	}
	r.ThinAir = weaker.Verdict == mappingcheck.Right // unknown for a model without the axiom
	return nil
}
