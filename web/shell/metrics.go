package shell

import (
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/chi/v5/middleware"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"litmuscope/static"
	"litmuscope/store"
)

// requestMetrics are what is counted of requests.
type requestMetrics struct {
	seconds *prometheus.HistogramVec
	running prometheus.Gauge
}

// metrics makes the registry of all that is counted, and the handler that tells it.
func (s *Shell) metrics() (http.Handler, error) {
	s.counted = requestMetrics{
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "litmuscope_http_request_seconds", Help: "How long requests took, by route and class of status.",
			Buckets: []float64{.001, .003, .01, .03, .1, .3, 1, 3, 10, 30, 100, 300},
		}, []string{"method", "route", "class"}),
		running: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "litmuscope_http_requests_running", Help: "Requests under way.",
		}),
	}
	registry := prometheus.NewRegistry()
	for _, c := range append([]prometheus.Collector{
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}), collectors.NewBuildInfoCollector(),
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

// quiet tells the addresses whose requests nobody reads about or limits.
func quiet(path string) bool {
	return probe(path) || path == "/metrics" || strings.HasPrefix(path, static.Prefix)
}

// observe counts each request, and logs it.
func (s *Shell) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ww := middleware.NewWrapResponseWriter(w, r.ProtoMajor)
		start := time.Now()
		s.counted.running.Inc()
		defer func() {
			took := time.Since(start)
			s.counted.running.Dec()
			status := ww.Status()
			if status == 0 {
				status = http.StatusOK // the server's own for an answer without one
			}
			route := chi.RouteContext(r.Context()).RoutePattern()
			if route == "" || status == http.StatusNotFound && strings.HasSuffix(route, "*") {
				route = "none"
			}
			s.counted.seconds.WithLabelValues(knownMethod(r.Method), route, strconv.Itoa(status/100)+"xx").Observe(took.Seconds())
			level := slog.LevelInfo
			if quiet(r.URL.Path) {
				level = slog.LevelDebug
			}
			s.Log.LogAttrs(r.Context(), level, "request",
				slog.String("method", r.Method), slog.String("path", s.where.logged(r.URL.Path)),
				slog.Int("status", status), slog.Int("bytes", ww.BytesWritten()),
				slog.Duration("took", took), slog.String("client", Client(r.Context())))
		}()
		next.ServeHTTP(ww, r)
	})
}

// knownMethod keeps clients from inventing labels.
func knownMethod(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "other"
}
