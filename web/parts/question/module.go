package question

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"litmuscope/litmus"
	"litmuscope/litmus/c/llvm/frontend"
	"litmuscope/litmus/toolchain"
	"litmuscope/web/server"
)

// BadProgram reports the errors of a compiler in a program, at their places in its files.
type BadProgram struct {
	Compiler string
	Errs     litmus.ErrorList
}

func (b *BadProgram) Error() string { return b.Errs.Error() }

// NoCompiler is the error of a server that does not compile a language.
type NoCompiler struct {
	Language frontend.Language
	Static   bool // the site is static: it never compiles
}

// Error says what the visitor can do instead.
func (n *NoCompiler) Error() string {
	return n.Say().Text
}

// Say implements [server.Mendable].
func (n *NoCompiler) Say() server.Said {
	text := "This server does not compile " + n.Language.Title() + ". "
	if n.Static {
		text = "A static site does not compile " + n.Language.Title() + ". "
	}
	if n.Language == frontend.Rust {
		text += "Verify the program on your machine:"
	} else {
		text += "Compile the program to LLVM IR on your machine and paste the .ll file here:"
	}
	out := server.Say("%s %s", text, n.Language.ByHand())
	out.View = server.ProblemView{Text: text, Command: n.Language.ByHand()}
	return out
}

// FrontEnds returns the compilers of the server for programs in C++ and Rust.
func (s *Service) FrontEnds() []FrontEnd {
	if s.Compilers == nil {
		return nil
	}
	return s.Compilers.FrontEnds()
}

// frontEnd finds a compiler for a language: the one with a name, or the first.
func (s *Service) frontEnd(language frontend.Language, name string) (FrontEnd, error) {
	var names []string
	for _, f := range s.FrontEnds() {
		if f.Language == language && (name == "" || f.Name == name) {
			return f, nil
		}
		if f.Language == language {
			names = append(names, strconv.Quote(f.Name))
		}
	}
	if names == nil {
		return FrontEnd{}, &NoCompiler{Language: language, Static: s.Server.Config.Static != nil}
	}
	return FrontEnd{}, server.Refuse("This server does not offer the compiler %q for %s: want one of %s.",
		server.Shortened(name), language.Title(), strings.Join(names, ", "))
}

// Module compiles a program to LLVM IR by the compiler with a name; "" is the first one for the program's language. Its
// error is a [NoCompiler], a [server.Refusal], a [BadProgram], the context's, or a bug.
func (s *Service) Module(ctx context.Context, compiler string, p *frontend.Program) (string, error) {
	f, err := s.frontEnd(p.Language, compiler)
	if err != nil {
		return "", err
	}
	if _, err := p.Job(); err != nil {
		return "", server.Refuse("%s", server.Sentence(err))
	}
	limited, cancel := context.WithTimeout(ctx, server.MaxQuestion)
	defer cancel()
	text, err := s.Compilers.Module(limited, f.Name, p)
	var failure *toolchain.Failure
	var cut *Cut
	switch {
	case errors.As(err, &failure):
		return "", &BadProgram{f.Name, p.Messages(failure)}
	case errors.As(err, &cut):
		return "", server.Refuse("%s", server.Sentence(cut))
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		return "", server.Refuse("Compiling this, and waiting for other compilations, takes longer than %v.",
			server.MaxQuestion)
	}
	return text, err
}
