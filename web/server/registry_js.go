package server

import (
	"net/http"
	"time"
)

// Collector stands for a provider of metrics. A program in a browser has no metrics.
type Collector any

type requestMetrics struct{}

func (requestMetrics) begin() {}

func (requestMetrics) end(string, string, string, time.Duration) {}

func (*Server) metrics() (http.Handler, error) { return http.NotFoundHandler(), nil }
