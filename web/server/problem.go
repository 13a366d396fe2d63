package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"litmuscope/web/api/rest"
)

// Problem is a problem document with which huma can answer.
type Problem struct{ rest.Problem }

// maxDetails bounds the errors that one problem lists.
const maxDetails = 64

// init makes huma report errors as Problems.
func init() {
	// With this hook, huma's own errors have the same form, and the OpenAPI document describes it.
	huma.NewError = func(status int, msg string, errs ...error) huma.StatusError {
		p := newProblem(status, msg)
		for _, err := range errs {
			if err == nil {
				continue
			}
			d := rest.ProblemDetail{Message: err.Error()}
			var detail *huma.ErrorDetail
			if errors.As(err, &detail) {
				d.Message, d.Location = detail.Message, detail.Location
			}
			if len(p.Errors) == maxDetails {
				break
			}
			p.Errors = append(p.Errors, d)
		}
		return p
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, msg string, errs ...error) huma.StatusError {
		for _, e := range errs {
			// What huma cannot read is not always the server's fault.
			if f := FaultOf(e); status == http.StatusInternalServerError && !f.Ours {
				return f.Problem.of(ctx.Context())
			}
		}
		err := huma.NewError(status, msg, errs...)
		var p *Problem
		if errors.As(err, &p) {
			return p.of(ctx.Context())
		}
		return err
	}
}

// of adds the request's ID if the server is at fault.
func (p *Problem) of(ctx context.Context) *Problem {
	if p.Status >= http.StatusInternalServerError {
		p.Request = CallerOf(ctx).request
	}
	return p
}

func newProblem(status int, detail string) *Problem {
	return &Problem{rest.Problem{Title: http.StatusText(status), Status: status, Detail: detail}}
}

// Error implements error.
func (p *Problem) Error() string { return fmt.Sprintf("%s: %s", p.Title, p.Detail) }

// GetStatus implements huma.StatusError.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType implements huma.ContentTypeFilter.
func (p *Problem) ContentType(string) string { return "application/problem+json" }
