package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"

	"github.com/danielgtaylor/huma/v2"

	"litmuscope/litmus"
)

// Problem is a problem document (RFC 9457), the REST interface's one form of error.
type Problem struct {
	Title  string          `json:"title" doc:"the status in words"`
	Status int             `json:"status" doc:"HTTP status"`
	Detail string          `json:"detail,omitempty" doc:"what is wrong"`
	Errors []ProblemDetail `json:"errors,omitempty" doc:"each thing that is wrong, where places are known"`
	// Request is given where the server is at fault.
	Request string `json:"request,omitempty" doc:"the request's id, under which the server's log has more"`
}

// ProblemDetail is one thing that is wrong. File, Line and Column are a place in
// the test or the model, counted from 1, columns in bytes; Location is one in the request.
type ProblemDetail struct {
	Message  string `json:"message"`
	Location string `json:"location,omitempty" doc:"in the request, such as body.models"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty" doc:"in the test or the model, from 1"`
	Column   int    `json:"column,omitempty" doc:"in the line, in bytes from 1"`
}

func init() {
	// huma's hook: the API's own errors take this form too, and the OpenAPI
	// document describes it.
	huma.NewError = func(status int, msg string, errs ...error) huma.StatusError {
		p := newProblem(status, msg)
		for _, err := range errs {
			if err == nil {
				continue
			}
			d := ProblemDetail{Message: err.Error()}
			var detail *huma.ErrorDetail
			if errors.As(err, &detail) {
				d.Message, d.Location = detail.Message, detail.Location
			}
			p.Errors = append(p.Errors, d)
		}
		return p
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, msg string, errs ...error) huma.StatusError {
		err := huma.NewError(status, msg, errs...)
		var p *Problem
		if errors.As(err, &p) {
			return p.of(ctx.Context())
		}
		return err
	}
}

// of names the request of a fault.
func (p *Problem) of(ctx context.Context) *Problem {
	if p.Status >= http.StatusInternalServerError {
		p.Request = callerOf(ctx).request
	}
	return p
}

func newProblem(status int, detail string) *Problem {
	return &Problem{Title: http.StatusText(status), Status: status, Detail: detail}
}

// at adds the errors of a text in the request.
func (p *Problem) at(location string, errs litmus.ErrorList) *Problem {
	for _, e := range errs {
		p.Errors = append(p.Errors, ProblemDetail{
			Message: e.Msg, Location: location, File: e.Pos.File, Line: e.Pos.Line, Column: e.Pos.Col,
		})
	}
	return p
}

// Error implements error.
func (p *Problem) Error() string { return fmt.Sprintf("%s: %s", p.Title, p.Detail) }

// GetStatus implements huma.StatusError.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType implements huma.ContentTypeFilter.
func (p *Problem) ContentType(string) string { return "application/problem+json" }
