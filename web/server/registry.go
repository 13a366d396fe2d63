//go:build !js

package server

import (
	"log/slog"
	"net/http"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"litmuscope/store"
)

// Collector provides metrics.
type Collector = prometheus.Collector

// requestMetrics has the metrics of requests.
type requestMetrics struct {
	seconds *prometheus.HistogramVec
	running prometheus.Gauge
}

// metrics registers all metrics and returns the handler of /metrics.
func (s *Server) metrics() (http.Handler, error) {
	s.counted = requestMetrics{
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name:    "litmuscope_http_request_seconds",
			Help:    "Duration of requests in seconds, by method, route and class of status.",
			Buckets: []float64{.001, .003, .01, .03, .1, .3, 1, 3, 10, 30, 100, 300},
		}, []string{"method", "route", "class"}),
		running: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "litmuscope_http_requests_running", Help: "Requests that are being answered.",
		}),
	}
	registry := prometheus.NewRegistry()
	for _, c := range append([]prometheus.Collector{
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
		collectors.NewBuildInfoCollector(),
		s.counted.seconds, s.counted.running,
	}, s.Collectors...) {
		if err := registry.Register(c); err != nil {
			return nil, err
		}
	}
	answer := promhttp.HandlerFor(registry, promhttp.HandlerOpts{
		ErrorLog: slog.NewLogLogger(s.Log.Handler(), slog.LevelError), MaxRequestsInFlight: 4, DisableCompression: true,
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if CallerOf(r.Context()).direct || s.Permits(w, r, store.Admin) {
			answer.ServeHTTP(w, r)
		}
	}), nil
}

// begin counts a request that begins, and end a request that has been answered.
func (m requestMetrics) begin() { m.running.Inc() }

func (m requestMetrics) end(method, route, class string, took time.Duration) {
	m.running.Dec()
	m.seconds.WithLabelValues(method, route, class).Observe(took.Seconds())
}
